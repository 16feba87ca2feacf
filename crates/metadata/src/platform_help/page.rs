//! A page of the platform's help -> what it describes.
//!
//! ```text
//! <h1 class="V8SH_pagetitle">Массив.Вставить (Array.Insert)</h1>
//! <p class="V8SH_title">Массив (Array)</p> <p class="V8SH_heading">Вставить (Insert)</p>
//! <p class="V8SH_chapter">Синтаксис:</p>Вставить(&lt;Индекс&gt;, &lt;Значение&gt;)
//! <p class="V8SH_chapter">Параметры:</p>
//! <div class="V8SH_rubric"><p>&lt;Индекс&gt; (обязательный)</div>Тип: <a href="…">Число</a>. <br>…
//! <p class="V8SH_chapter">Возвращаемое значение:</p>Тип: Булево. <br>…
//! <p class="V8SH_chapter">Доступность:</p>Тонкий клиент, сервер.
//! ```
//!
//! Older platforms write `<div class="V8SH_chapter"> <p …>Описание:</div>`. Elements are found by their class; a paragraph that is never
//! closed ends where the element around it does.

use super::words;
use super::{PlatformMember, PlatformMemberKind};
use crate::help::help_text;

/// What a page describes, by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageKind {
    Method,
    Property,
    Constructor,
    Type,
}

impl PageKind {
    /// None for pages of events, tables, catalogs of pages, and for what is no page.
    pub(super) fn of(path: &str) -> Option<Self> {
        let stem = path.strip_suffix(".html")?;
        let mut parts = stem.split('/');
        if parts.next() != Some("objects") {
            return None;
        }
        let name = stem.rsplit('/').next()?;
        let folders: Vec<&str> = parts.collect();
        let folders = folders.split_last().map_or(&[][..], |(_, folders)| folders);
        let kind = folders.iter().rev().find_map(|folder| match *folder {
            "methods" => Some(Some(Self::Method)),
            "properties" => Some(Some(Self::Property)),
            "ctors" | "ctor" => Some(Some(Self::Constructor)),
            "events" | "tables" | "fields" => Some(None),
            _ => None,
        });
        let is_catalog =
            name.strip_prefix("catalog").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        match kind {
            _ if is_catalog => None,
            Some(kind) => kind,
            None => Some(Self::Type),
        }
    }
}

/// A page that was read.
pub(super) struct ReadPage {
    pub(super) member: PlatformMember,
    /// The page of a type lists values: it is a system enumeration.
    pub(super) has_values: bool,
}

/// What a page describes; None if it has no title, or a title that names nothing.
pub(super) fn read(kind: PageKind, html: &str) -> Option<ReadPage> {
    let title = names(&help_text(classed(html, "V8SH_pagetitle").next()?.inner));
    let text_of = |class: &str| classed(html, class).next().map(|element| names(&help_text(element.inner)));
    let (owner, own) = match kind {
        PageKind::Type => (Default::default(), title),
        _ => {
            let (owner, own) = split(&title);
            (text_of("V8SH_title").unwrap_or(owner), text_of("V8SH_heading").unwrap_or(own))
        }
    };
    if own.0.is_empty() || matches!(kind, PageKind::Type) && own.0.contains(char::is_whitespace) && own.1.is_empty() {
        return None;
    }
    let is_global = words::is_global(&owner.0) || words::is_global(&owner.1);
    let chapters: Vec<Chapter<'_>> = chapters(html).collect();
    let texts =
        |what: &str| chapters.iter().find(|chapter| chapter.what == what).map(|chapter| help_text(chapter.body));
    let returns = match kind {
        PageKind::Property => texts("description").as_deref().and_then(type_of),
        PageKind::Constructor | PageKind::Type => None,
        PageKind::Method => texts("returns").as_deref().and_then(type_of),
    };
    let calls = matches!(kind, PageKind::Method | PageKind::Constructor);
    let member = PlatformMember {
        owner: if is_global { Default::default() } else { owner },
        kind: match kind {
            PageKind::Method if is_global => PlatformMemberKind::Function,
            PageKind::Method => PlatformMemberKind::Method,
            PageKind::Property => PlatformMemberKind::Property,
            PageKind::Constructor => PlatformMemberKind::Constructor,
            PageKind::Type => PlatformMemberKind::Type,
        },
        ru: own.0,
        en: own.1,
        signature: if calls { signature(&chapters) } else { String::new() },
        returns: returns.unwrap_or_default(),
        available: texts("available").map(|text| words::places(&text)).unwrap_or_default(),
    };
    Some(ReadPage { member, has_values: chapters.iter().any(|chapter| chapter.what == "values") })
}

/// `Массив (Array)` -> both names; the only one, if there is one.
fn names(text: &str) -> (String, String) {
    let text = text.lines().next().unwrap_or_default().trim();
    match text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
        Some((ru, en)) => (ru.trim().to_owned(), en.trim().to_owned()),
        None => (text.to_owned(), String::new()),
    }
}

/// `Массив.Вставить` -> owner and own name, in both languages.
fn split(names: &(String, String)) -> ((String, String), (String, String)) {
    let part = |name: &str| match name.rsplit_once('.') {
        Some((owner, own)) => (owner.to_owned(), own.to_owned()),
        None => (String::new(), name.to_owned()),
    };
    let ((owner_ru, ru), (owner_en, en)) = (part(&names.0), part(&names.1));
    ((owner_ru, owner_en), (ru, en))
}

/// An element of a class: what stands in it, and all that follows it.
struct Element<'h> {
    inner: &'h str,
    /// Bytes of the page at which its tag begins, and at which what follows it does.
    start: usize,
    behind: usize,
}

/// The elements of a class, in order.
fn classed<'h>(html: &'h str, class: &'h str) -> impl Iterator<Item = Element<'h>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + html.get(at..)?.find('<')?;
            let end = start + html.get(start..)?.find('>')?;
            at = end + 1;
            let tag = html.get(start + 1..end)?;
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            if name.starts_with('/') || !has_class(attributes, class) {
                continue;
            }
            let rest = html.get(at..)?;
            let closing = format!("</{name}>");
            let length = rest.find(&closing).unwrap_or(rest.len());
            let behind = (at + length + closing.len()).min(html.len());
            return Some(Element { inner: rest.get(..length)?, start, behind });
        }
    })
}

fn has_class(attributes: &str, class: &str) -> bool {
    let value = attributes.split_once("class=").map_or("", |(_, value)| value.trim_start_matches(['"', '\'']));
    value.strip_prefix(class).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

struct Chapter<'h> {
    what: &'static str,
    body: &'h str,
}

fn chapters(html: &str) -> impl Iterator<Item = Chapter<'_>> {
    let all: Vec<Element<'_>> = classed(html, "V8SH_chapter").collect();
    let ends: Vec<usize> = all.iter().skip(1).map(|next| next.start).chain([html.len()]).collect();
    all.into_iter().zip(ends).map(move |(element, end)| Chapter {
        what: words::chapter(&help_text(element.inner)),
        body: html.get(element.behind..end).unwrap_or_default(),
    })
}

/// The types that a text begins with: `Тип: Число; Строка. …` -> `Число, Строка`.
fn type_of(text: &str) -> Option<String> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    let types = words::after_type(line)?;
    // A dot within a name has no blank behind it.
    let types = types.split(". ").next().unwrap_or(types).trim().trim_end_matches('.');
    let types: Vec<&str> = types.split([',', ';']).map(str::trim).filter(|one| !one.is_empty()).collect();
    (!types.is_empty()).then(|| types.join(", "))
}

/// Each way to call it: `(Индекс: Число, Значение?: Произвольный): Булево`.
fn signature(chapters: &[Chapter<'_>]) -> String {
    let mut ways: Vec<Way> = Vec::new();
    for chapter in chapters {
        match chapter.what {
            "syntax" => ways.push(Way { written: help_text(chapter.body), ..Way::default() }),
            "parameters" => {
                if let Some(way) = ways.last_mut() {
                    way.params = parameters(chapter.body);
                }
            }
            "returns" => {
                if let Some(way) = ways.last_mut() {
                    way.returns = type_of(&help_text(chapter.body));
                }
            }
            _ => {}
        }
    }
    // The result of a call with several ways often stands once, behind the last of them.
    let last = ways.last().and_then(|way| way.returns.clone());
    let ways: Vec<String> = ways.iter().map(|way| way.text(last.as_deref())).collect();
    ways.join(" | ")
}

#[derive(Default)]
struct Way {
    written: String,
    params: Vec<String>,
    returns: Option<String>,
}

impl Way {
    fn text(&self, last: Option<&str>) -> String {
        let params = match self.params.is_empty() {
            false => self.params.join(", "),
            // Without a description the names that the call is written with.
            true => named_in(&self.written).collect::<Vec<_>>().join(", "),
        };
        match self.returns.as_deref().or(last) {
            Some(returns) => format!("({params}): {returns}"),
            None => format!("({params})"),
        }
    }
}

/// Names in angle brackets.
fn named_in(written: &str) -> impl Iterator<Item = &str> {
    written.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0.trim()))
}

/// The parameters of a chapter, each `Имя: Тип`, with `?` behind the name of one that may be left out.
fn parameters(body: &str) -> Vec<String> {
    let all: Vec<Element<'_>> = classed(body, "V8SH_rubric").collect();
    let ends: Vec<usize> = all.iter().skip(1).map(|next| next.start).chain([body.len()]).collect();
    let one = |(element, end): (&Element<'_>, usize)| {
        let heading = help_text(element.inner);
        let (name, note) = match heading.split_once('<').and_then(|(_, rest)| rest.split_once('>')) {
            Some((name, note)) => (name.trim(), note),
            None => (heading.split(" (").next().unwrap_or_default().trim(), heading.as_str()),
        };
        if name.is_empty() {
            return None;
        }
        let mark = if words::is_optional(note) { "?" } else { "" };
        let types = type_of(&help_text(body.get(element.behind..end).unwrap_or_default()));
        Some(types.map_or_else(|| format!("{name}{mark}"), |types| format!("{name}{mark}: {types}")))
    };
    all.iter().zip(ends).filter_map(one).collect()
}
