//! A method gets another name wherever something leads to it.
//!
//! What leads to a method the index knows: calls, subscriptions, jobs, forms, services, report schemas, strings. Each of these places
//! must show the name in the text, and there it is changed. A place that doesn't show it, or where something else could be meant, is
//! listed, and the method isn't renamed unless the caller looked at the list.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bsl::same_name;
use index::{Index, Named, NamingPlace, Reason, Walk};

use super::super::splice::Revision;
use super::super::{EditError, EditState};
use super::tokens::{Mention, MentionKind, mentions, words};
use crate::context::Context;
use crate::error::ToolError;

/// What renaming a method changes.
pub(crate) struct Renaming {
    /// The files.
    pub files: Vec<(String, Revision)>,
    /// How many places name it.
    pub places: usize,
    /// `file:line`, each with its reason: what may name it and was left.
    pub unsure: Vec<String>,
}

/// An edge's line and its literal may lie this many lines apart: a call may be as long.
const NEAR: u32 = 20;
/// Kinds of a module's own part in a full name; before it stands what code names it by.
const FORMS: &[&str] = &["Form", "CommonForm"];

/// Where a method's name stands if an edge of a channel leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    Here,
    Elsewhere,
    Fixed,
}

fn naming(channel: &str) -> Naming {
    let rows = include_str!("../../../data/naming_channels.tsv").lines().filter(|line| !line.starts_with('#'));
    let word = rows.filter_map(|line| line.split_once('\t')).find(|(name, _)| *name == channel).map(|(_, word)| word);
    match word {
        Some("elsewhere") => Naming::Elsewhere,
        Some("fixed") => Naming::Fixed,
        _ => Naming::Here,
    }
}

/// The method, and how code names its module.
struct Target<'a> {
    index: &'a Index,
    named: &'a Named,
    old: &'a str,
    new: &'a str,
    /// The module as a qualifier; None: nothing outside calls it by a name of the module.
    qualifier: Option<&'a str>,
    /// The file that declares it, and the line.
    file: String,
    line: u32,
    is_form: bool,
}

/// Works out the change.
pub(crate) fn rename_method(context: &Context<'_>, named: &Named, new: &str) -> Result<Renaming, ToolError> {
    let index = context.index;
    let method = index.method(named.id)?;
    let (module, method) = named.full_name.rsplit_once('.').zip(method).map_or_else(
        || Err(ToolError::from(EditError::place("это не метод", "it is no method"))),
        |((module, _), method)| Ok((module, method)),
    )?;
    let module_id = index.require(module)?.id;
    let outline = index.outline(module_id)?;
    let outline = outline.ok_or_else(|| EditError::place("у метода нет модуля", "the method has no module"))?;
    if outline.methods.iter().any(|other| other.id != method.id && same_name(&other.name, new)) {
        let (ru, en) = (format!("в {module} уже есть метод {new}"), format!("{module} has a method {new} already"));
        return Err(EditError::place(ru, en).into());
    }
    let parts: Vec<&str> = module.rsplit("::").next().unwrap_or(module).split('.').collect();
    let qualifier = match parts.as_slice() {
        ["CommonModule", name] => Some(*name),
        // `Справочники.Валюты.Метод`: code names a manager by its object.
        [_, name, "ManagerModule"] => Some(*name),
        _ => None,
    };
    let is_form = parts.iter().any(|part| FORMS.contains(part));
    let target =
        Target { index, named, old: &method.name, new, qualifier, file: outline.file, line: method.line, is_form };
    target.waiting(context)?;
    let by_file = target.places()?;
    let mut renaming = Renaming { files: Vec::new(), places: 0, unsure: target.dynamic()? };
    for (file, places) in by_file {
        context.check()?;
        target.file(context, &file, &places, &mut renaming)?;
    }
    renaming.unsure.sort();
    renaming.unsure.dedup();
    Ok(renaming)
}

impl Target<'_> {
    /// A change that waits may bring new calls, and moves the lines that the index knows.
    fn waiting(&self, context: &Context<'_>) -> Result<(), ToolError> {
        for one in context.edits.list()?.into_iter().filter(|one| one.state == EditState::Pending) {
            let concerns = one.files.iter().any(|file| {
                file.path == self.file
                    || file.splices.iter().any(|splice| !words(&splice.inserted, self.old).is_empty())
            });
            if concerns {
                let (ru, en) = (
                    format!("правка {} ждёт и касается этого метода: сначала примените её или отбросьте", one.id),
                    format!("change {} waits and concerns this method: apply it or discard it first", one.id),
                );
                return Err(EditError::place(ru, en).into());
            }
        }
        Ok(())
    }

    /// All places that lead to the method, by file; files that only mention it have none.
    fn places(&self) -> Result<BTreeMap<String, Vec<NamingPlace>>, ToolError> {
        let mut by_file: BTreeMap<String, Vec<NamingPlace>> = BTreeMap::new();
        by_file.insert(self.file.clone(), Vec::new());
        for place in self.index.naming_places(self.named.id)? {
            if place.confidence == "convention" || naming(&place.channel) == Naming::Fixed {
                let (ru, en) = (
                    format!(
                        "{} вызывается по имени, которое задаёт платформа или соглашение ({}): переименовать его нельзя",
                        self.named.full_name, place.channel
                    ),
                    format!(
                        "{} is called by a name that the platform or a convention sets ({}): it can't be renamed",
                        self.named.full_name, place.channel
                    ),
                );
                return Err(EditError::place(ru, en).into());
            }
            by_file.entry(place.file.clone()).or_default().push(place);
        }
        // Strings and comments that name it stand in any module.
        for source in self.index.module_files()? {
            if !by_file.contains_key(&source.path)
                && let Ok(text) = std::fs::read_to_string(&source.full_path)
                && text.contains(self.old)
            {
                by_file.insert(source.path, Vec::new());
            }
        }
        Ok(by_file)
    }

    /// Places that only run time decides on, of those that could mean the method.
    fn dynamic(&self) -> Result<Vec<String>, ToolError> {
        let found = self.index.callers(self.named.id, &Walk { limit: 1, ..Walk::default() })?;
        let mut unsure = Vec::new();
        for reason in found.state.reasons {
            match reason {
                Reason::DynamicSites { places, count } => {
                    let more = count.saturating_sub(places.len());
                    unsure.extend(places.into_iter().map(|place| format!("{place} dynamic")));
                    if more > 0 {
                        unsure.push(format!("… dynamic: {more}"));
                    }
                }
                Reason::UnreadFiles { count } => unsure.push(format!("… unread files: {count}")),
                Reason::ProtectedModules { count } => unsure.push(format!("… protected modules: {count}")),
                Reason::BaseAbsent => unsure.push("… base absent".to_owned()),
                _ => {}
            }
        }
        Ok(unsure)
    }

    fn file(
        &self,
        context: &Context<'_>,
        file: &str,
        places: &[NamingPlace],
        renaming: &mut Renaming,
    ) -> Result<(), ToolError> {
        let concerned = !places.is_empty() || file == self.file;
        let text = match context.edits.text(self.index, file) {
            Ok(text) => text,
            // A module in a container that only mentions the word is not written.
            Err(_) if !concerned => return Ok(()),
            Err(error) => return Err(error),
        };
        if concerned && self.index.lines(file, 1, 0)?.stale {
            let (ru, en) = (
                format!("{file} изменился после индексации: обновите индекс (metascope index)"),
                format!("{file} changed after it was indexed: update the index (metascope index)"),
            );
            return Err(EditError::place(ru, en).into());
        }
        let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
        if file.ends_with(".bsl") {
            self.module(file, &text, places, &mut found, &mut renaming.unsure)?;
        } else {
            self.metadata(file, &text, places, &mut found, &mut renaming.unsure);
        }
        if found.is_empty() {
            return Ok(());
        }
        renaming.places += found.len();
        let mut revision = Revision::new(text);
        for &(start, end) in found.iter().rev() {
            let failed =
                |mismatch: super::super::splice::Mismatch| EditError::place(mismatch.to_string(), mismatch.to_string());
            revision.replace(start..end, self.new).map_err(failed)?;
        }
        renaming.files.push((file.to_owned(), revision));
        Ok(())
    }

    /// Places in a module: the header, calls, strings, comments that refer to it.
    fn module(
        &self,
        file: &str,
        text: &str,
        places: &[NamingPlace],
        found: &mut BTreeSet<(usize, usize)>,
        unsure: &mut Vec<String>,
    ) -> Result<(), ToolError> {
        let all = mentions(text, self.old);
        let rivals = self.index.namesakes(file, self.named.id)?;
        let mut take = |range: &Range<usize>| found.insert((range.start, range.end));
        if file == self.file {
            let header = all.iter().find(|one| one.kind == MentionKind::Word && one.line >= self.line);
            header.iter().for_each(|one| {
                take(&one.range);
            });
        }
        let qualified = |one: &Mention| match (&one.qualifier, self.qualifier) {
            (Some(given), Some(own)) => same_name(given, own),
            _ => false,
        };
        let is_rival = |line: u32| rivals.iter().any(|rival| rival.abs_diff(line) <= NEAR);
        for place in places {
            if naming(&place.channel) == Naming::Elsewhere {
                continue;
            }
            let calls: Vec<&Mention> = all
                .iter()
                .filter(|one| one.kind == MentionKind::Word && one.line == place.line && is_called(text, &one.range))
                .collect();
            let mine: Vec<&Mention> = match rivals.contains(&place.line) {
                false => calls,
                true if file == self.file => {
                    calls.into_iter().filter(|one| one.qualifier.is_none() || qualified(one)).collect()
                }
                true => calls.into_iter().filter(|one| qualified(one)).collect(),
            };
            // What the edge was read from may be a literal of the call.
            let is_literal = |one: &Mention| {
                let mine = qualified(one) || one.qualifier.is_none();
                one.kind == MentionKind::String && mine && one.line.abs_diff(place.line) <= NEAR
            };
            if place.confidence == "candidate" || mine.is_empty() && !all.iter().any(is_literal) {
                unsure.push(format!("{file}:{} {}", place.line, place.channel));
                continue;
            }
            mine.iter().for_each(|one| {
                take(&one.range);
            });
        }
        for one in &all {
            let near =
                places.iter().any(|place| place.line.abs_diff(one.line) <= NEAR && place.confidence != "candidate");
            match one.kind {
                MentionKind::Comment if qualified(one) => {
                    take(&one.range);
                }
                MentionKind::String if qualified(one) => {
                    take(&one.range);
                }
                MentionKind::String if one.qualifier.is_none() && is_whole_literal(text, &one.range) => {
                    if near && !is_rival(one.line) {
                        take(&one.range);
                    } else if near || !is_rival(one.line) {
                        unsure.push(format!("{file}:{} string", one.line));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Places in a file of metadata: the content of an element that ends with the name, an expression that calls it.
    fn metadata(
        &self,
        file: &str,
        text: &str,
        places: &[NamingPlace],
        found: &mut BTreeSet<(usize, usize)>,
        unsure: &mut Vec<String>,
    ) {
        let is_mine = |range: &Range<usize>, qualifier: Option<&str>| {
            let content = text[..range.start].ends_with('>') && text[range.end..].starts_with("</");
            let qualified = qualifier.zip(self.qualifier).is_some_and(|(given, own)| same_name(given, own));
            content || qualified
        };
        for place in places.iter().filter(|place| naming(&place.channel) == Naming::Here) {
            let line = super::lines(text, place.line, place.line);
            let content = text.get(line.clone()).unwrap_or_default();
            let here: Vec<Range<usize>> = words(content, self.old)
                .into_iter()
                .map(|(range, qualifier)| (line.start + range.start..line.start + range.end, qualifier))
                .filter(|(range, qualifier)| is_mine(range, qualifier.as_deref()))
                .map(|(range, _)| range)
                .collect();
            // A form's item leads to the form's command, which names the method: that is found below.
            let elsewhere = self.is_form && self.is_own_form(file);
            if place.confidence == "candidate" || here.is_empty() && !elsewhere {
                unsure.push(format!("{file}:{} {}", place.line, place.channel));
            } else {
                found.extend(here.into_iter().map(|range| (range.start, range.end)));
            }
        }
        if !self.is_form || !self.is_own_form(file) {
            return;
        }
        // Handlers and actions of a form name methods of its own module only.
        let own = words(text, self.old).into_iter().filter(|(range, _)| is_handler(text, range));
        found.extend(own.map(|(range, _)| (range.start, range.end)));
        if found.is_empty() {
            unsure.extend(places.iter().map(|place| format!("{file}:{} {}", place.line, place.channel)));
        }
    }

    /// Whether a file describes the form whose module declares the method.
    fn is_own_form(&self, file: &str) -> bool {
        let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
        let module = self.file.strip_suffix("/Form/Module.bsl").map_or_else(|| folder(&self.file), str::to_owned);
        folder(file) == module
    }
}

/// Whether a word in the description of a form is the method of a handler or an action: `<Event …>`, `<Action>`; of EDT the `<name>` of
/// `<handlers>` beside its `<event>`, and that of an action's `<handler>`.
fn is_handler(text: &str, range: &Range<usize>) -> bool {
    let Some(before) = text[..range.start].strip_suffix('>') else { return false };
    let Some((around, tag)) = before.rsplit_once('<') else { return false };
    let (around, behind) = (around.trim_end(), &text[range.end..]);
    match tag.split_whitespace().next() {
        Some("Event" | "Action") => behind.starts_with("</"),
        Some("name") => {
            let behind = behind.strip_prefix("</name>").map(str::trim_start);
            behind.is_some_and(|behind| {
                around.ends_with("</event>") || around.ends_with("<handler>") || behind.starts_with("<event>")
            })
        }
        _ => false,
    }
}

/// Whether a word of code is called.
fn is_called(text: &str, range: &Range<usize>) -> bool {
    text[range.end..].trim_start().starts_with('(')
}

/// Whether a word is all that a literal holds, or is called in it.
fn is_whole_literal(text: &str, range: &Range<usize>) -> bool {
    let (before, after) = (text[..range.start].trim_end(), text[range.end..].trim_start());
    before.ends_with('"') && (after.starts_with('"') || after.starts_with('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_channel_of_the_table_is_one() {
        let rows: Vec<&str> =
            include_str!("../../../data/naming_channels.tsv").lines().filter(|line| !line.starts_with('#')).collect();
        assert!(rows.iter().all(|row| row.ends_with("\telsewhere") || row.ends_with("\tfixed")));
        let names: Vec<&str> = rows.iter().filter_map(|row| row.split('\t').next()).collect();
        let known: Vec<&str> = index::schema::channels().collect();
        assert!(names.iter().all(|name| known.contains(name)), "{names:?}");
        assert_eq!(
            [naming("direct"), naming("open_form"), naming("command")],
            [Naming::Here, Naming::Elsewhere, Naming::Fixed]
        );
    }
}
