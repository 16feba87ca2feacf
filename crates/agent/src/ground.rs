//! Grounding: names in an answer are looked up before a person sees it.

use std::collections::HashSet;

use serde::Serialize;
use tools::Language;
use tools::grounding::names_in;

use crate::toolbox::{NameCheck, Toolbox};

/// A name that the index does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unresolved {
    /// As the answer writes it.
    pub name: String,
    /// The nearest names that exist, best first.
    pub nearest: Vec<String>,
}

/// How many different names of one answer are looked up.
const NAMES: usize = 200;

/// Names of an answer that do not exist. Looks up the index: blocking.
pub fn unresolved(text: &str, toolbox: &dyn Toolbox) -> Vec<Unresolved> {
    let mut seen = HashSet::new();
    let aliases = aliases(text);
    names_in(text)
        .map(|(_, name)| name)
        // The text of a query names its tables in its own way.
        .filter(|name| !name.split('.').next().is_some_and(|table| aliases.contains(table)))
        .filter(|name| seen.insert(*name))
        .take(NAMES)
        .filter_map(|name| match toolbox.check_name(name) {
            NameCheck::Unknown { nearest } => Some(Unresolved { name: name.to_owned(), nearest }),
            NameCheck::Known | NameCheck::NotAName => None,
        })
        .collect()
}

/// What queries that a text quotes call their tables: `ИЗ Справочник.Валюты КАК Курсы`.
fn aliases(text: &str) -> HashSet<&str> {
    let mut words =
        text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).filter(|word| !word.is_empty());
    let mut found = HashSet::new();
    while let Some(word) = words.next() {
        if matches!(word, "КАК" | "AS") {
            found.extend(words.next().filter(|alias| !alias.contains('.')));
        }
    }
    found
}

/// The answer with every unknown name marked where it stands, and a note below.
pub fn marked(text: &str, unresolved: &[Unresolved], language: Language) -> String {
    if unresolved.is_empty() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 200);
    let mut copied = 0;
    for (start, name) in names_in(text) {
        if unresolved.iter().any(|unknown| unknown.name == name) {
            let end = start + name.len();
            out.push_str(text.get(copied..end).unwrap_or_default());
            out.push('⚠');
            copied = end;
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    let (head, near) = match language {
        Language::Russian => ("Нет в индексе", "ближайшее"),
        Language::English => ("Not in the index", "nearest"),
    };
    out.push_str("\n\n");
    for unknown in unresolved {
        out.push_str(&format!("⚠ {head}: `{}`", unknown.name));
        if let Some(nearest) = unknown.nearest.first() {
            out.push_str(&format!(" ({near}: `{nearest}`)"));
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_name_their_tables_in_their_own_way() {
        let found = aliases("ИЗ Справочник.Валюты КАК Курсы, Catalog.X AS T1 ГДЕ Курсы.Х = 1, как Справочник");
        assert_eq!(found, HashSet::from(["Курсы", "T1"]));
    }

    #[test]
    fn unknown_names_are_marked_where_they_stand() {
        let unknown =
            Unresolved { name: "Справочник.Нет".into(), nearest: vec!["Catalog.Есть".into()] };
        let text = marked("Смотри Справочник.Нет и Справочник.НетТакого.", &[unknown], Language::Russian);
        assert_eq!(
            text,
            "Смотри Справочник.Нет⚠ и Справочник.НетТакого.\n\n⚠ Нет в индексе: `Справочник.Нет` (ближайшее: `Catalog.Есть`)"
        );
    }
}
