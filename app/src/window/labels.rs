//! What people read for kinds, modules, channels and confidences.

use index::TreeNode;
use metadata::{Kind, Language, ModuleKind};

/// `channel<TAB>Russian<TAB>English`.
const CHANNELS: &str = include_str!("channels.tsv");

/// The label of a row of the tree.
#[must_use]
pub fn label(node: &TreeNode, language: Language) -> String {
    match node.kind.as_str() {
        "group" => plural(&node.label, language),
        "module" => module(&node.label, language),
        _ => node.label.clone(),
    }
}

/// A kind in the plural: `InformationRegister` -> `Регистры сведений`.
#[must_use]
pub fn plural(kind: &str, language: Language) -> String {
    match (Kind::named(kind), language) {
        (None, _) => spaced(kind),
        (Some(kind), Language::Russian) => spaced(kind.info().ru_plural),
        (Some(kind), Language::English) => spaced(kind.info().en_plural),
    }
}

/// A kind in the singular: `InformationRegister` -> `Регистр сведений`.
#[must_use]
pub fn singular(kind: &str, language: Language) -> String {
    match (kind, Kind::named(kind), language) {
        ("method", ..) => language.pick("Метод", "Method").to_owned(),
        ("module", ..) => language.pick("Модуль", "Module").to_owned(),
        (_, None, _) => spaced(kind),
        (_, Some(kind), Language::Russian) => spaced(kind.ru()),
        (_, Some(kind), Language::English) => spaced(kind.en()),
    }
}

/// A kind of module: `ObjectModule` -> `Модуль объекта`.
#[must_use]
pub fn module(kind: &str, language: Language) -> String {
    match (ModuleKind::ALL.iter().find(|known| known.as_str() == kind), language) {
        (Some(kind), Language::Russian) => spaced(kind.ru()),
        _ => spaced(kind),
    }
}

/// `РегистрыСведений` -> `Регистры сведений`; abbreviations stay.
fn spaced(word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let upper = |at: usize| chars.get(at).is_some_and(|c| c.is_uppercase());
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        let in_run = at > 0 && upper(at - 1);
        // The last capital of a run begins the next word: `HTTPСервис`.
        let begins = at > 0 && upper(at) && (!in_run || (at + 1 < chars.len() && !upper(at + 1)));
        let keep = upper(at) && (at == 0 || upper(at + 1) || (in_run && !begins));
        if begins {
            out.push(' ');
        }
        if keep {
            out.push(*c);
        } else {
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// The letters of a kind's badge and the number of its colour.
#[must_use]
pub fn badge(node: &TreeNode, language: Language) -> (String, i32) {
    let kind = if node.kind == "group" { &node.label } else { &node.kind };
    badge_of(kind, language)
}

/// The letters of a kind's badge, and the number of its colour in the theme.
#[must_use]
pub fn badge_of(kind: &str, language: Language) -> (String, i32) {
    match kind {
        "method" => ("ƒ".to_owned(), 6),
        "module" => ("{ }".to_owned(), 7),
        "object" => ("●".to_owned(), 0),
        _ => {
            let Some(known) = Kind::named(kind) else { return ("·".to_owned(), 7) };
            let name = if language == Language::Russian { known.ru() } else { known.en() };
            let letters: String = name.chars().filter(|c| c.is_uppercase()).take(2).collect();
            let number = Kind::all().position(|other| other == known).unwrap_or(0);
            (letters, i32::try_from(number % 8).unwrap_or(0))
        }
    }
}

/// A channel in words; its own name if the table has none.
#[must_use]
pub fn channel(name: &str, language: Language) -> String {
    let row = CHANNELS.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t')?.split_once('\t'));
    match row {
        Some((ru, en)) => language.pick(ru, en).to_owned(),
        None => name.to_owned(),
    }
}

/// A confidence in words, with the number of its colour.
#[must_use]
pub fn confidence(name: &str, language: Language) -> (String, i32) {
    let (ru, number) = match name {
        "exact" => ("точно", 0),
        "typed" => ("по типу", 1),
        "string" => ("по строке", 2),
        "convention" => ("по соглашению", 3),
        "candidate" => ("возможно", 4),
        _ => (name, 4),
    };
    (language.pick(ru, name).to_owned(), number)
}

/// The last part of a full name, and what stands before it.
#[must_use]
pub fn split(full_name: &str) -> (&str, &str) {
    match full_name.rsplit_once('.') {
        Some((owner, name)) => (name, owner),
        None => (full_name, ""),
    }
}

/// A full name as a person of that language writes it: `Catalog.Валюты` -> `Справочник.Валюты`.
#[must_use]
pub fn spoken(full_name: &str, language: Language) -> String {
    if language == Language::English {
        return full_name.replace("$body", "(module body)");
    }
    let word = |part: &str| {
        let kind = Kind::named(part).map(|kind| kind.ru());
        kind.or_else(|| ModuleKind::ALL.iter().find(|kind| kind.as_str() == part).map(|kind| kind.ru()))
            .map_or_else(|| part.replace("$body", "(тело модуля)"), str::to_owned)
    };
    full_name.split('.').map(word).collect::<Vec<_>>().join(".")
}

/// A path that is short enough for a panel: its first two folders and its last part.
#[must_use]
pub fn short_path(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [first, second, _, .., last] => format!("{first}/{second}/…/{last}"),
        _ => path.to_owned(),
    }
}

/// The last part of a path with a line, if there is one: `Module.bsl:12`.
#[must_use]
pub fn short_place(path: &str, line: u32) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    if line == 0 { file.to_owned() } else { format!("{file}:{line}") }
}

/// One text for each language.
pub trait Pick {
    /// The text in this language.
    fn pick<'text>(self, ru: &'text str, en: &'text str) -> &'text str;
}

impl Pick for Language {
    fn pick<'text>(self, ru: &'text str, en: &'text str) -> &'text str {
        match self {
            Self::Russian => ru,
            Self::English => en,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_modules_in_both_languages() {
        assert_eq!(plural("InformationRegister", Language::Russian), "Регистры сведений");
        assert_eq!(plural("InformationRegister", Language::English), "Information registers");
        assert_eq!(singular("HTTPService", Language::Russian), "HTTP сервис");
        assert_eq!(plural("URLTemplate", Language::Russian), "Шаблоны URL");
        assert_eq!(module("ObjectModule", Language::Russian), "Модуль объекта");
        assert_eq!(module("ObjectModule", Language::English), "Object module");
        assert_eq!(
            spoken("Catalog.Валюты.ObjectModule.ПередЗаписью", Language::Russian),
            "Справочник.Валюты.МодульОбъекта.ПередЗаписью"
        );
    }

    #[test]
    fn paths_are_shortened_in_their_middle() {
        assert_eq!(short_path("CommonModules/А/Ext/Module.bsl:3"), "CommonModules/А/…/Module.bsl:3");
        assert_eq!(short_path("Catalogs/А.xml"), "Catalogs/А.xml");
        assert_eq!(short_path("Catalogs/А/Б.xml"), "Catalogs/А/Б.xml");
        assert_eq!(short_place("CommonModules/А/Ext/Module.bsl", 3), "Module.bsl:3");
        assert_eq!(short_place("", 0), "");
    }

    #[test]
    fn badges_are_the_capitals_of_the_kind() {
        assert_eq!(badge_of("InformationRegister", Language::Russian).0, "РС");
        assert_eq!(badge_of("Catalog", Language::English).0, "C");
        assert_eq!(badge_of("Нечто", Language::English).0, "·");
    }

    #[test]
    fn every_channel_of_the_table_has_both_languages() {
        for line in CHANNELS.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split('\t').filter(|cell| !cell.trim().is_empty()).count(), 3, "{line}");
        }
        assert_eq!(channel("direct", Language::Russian), "прямой вызов");
        assert_eq!(channel("notify", Language::English), "notify description");
        assert_eq!(channel("not_there", Language::English), "not_there");
    }
}
