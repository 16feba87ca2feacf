//! Sentences that several checks say.

use bsl::query::{TableUse, written_table};
use bsl::{Catalog, Spelling, nearest};
use dcs::Element;

use super::report::Findings;
use crate::Text;

/// What something is called: Russian (genitive), English.
pub(crate) type Kind = (&'static str, &'static str);

/// "There is no … of this name", at the text of an element.
pub(crate) fn unknown<'n>(
    findings: &mut Findings<'_>,
    element: Element<'_>,
    kind: Kind,
    wrong: &str,
    names: impl IntoIterator<Item = &'n str>,
) {
    if findings.wants_more() {
        let (what, mend) = unknown_texts(kind, wrong, names);
        findings.inside(element, what, mend);
    }
}

/// The texts of it.
pub(crate) fn unknown_texts<'n>(kind: Kind, wrong: &str, names: impl IntoIterator<Item = &'n str>) -> (Text, Text) {
    let what = Text::new(format!("Нет {} «{wrong}»", kind.0), format!("There is no {} “{wrong}”", kind.1));
    let names: Vec<&str> = names.into_iter().collect();
    let near = nearest(wrong, names.iter().copied(), 3);
    let mend = match (near.is_empty(), names.len()) {
        (true, 1..=8) => {
            let names = names.join(", ");
            Text::new(format!("Есть: {names}"), format!("There are: {names}"))
        }
        _ => nearest_names(&near),
    };
    (what, mend)
}

/// What to do about a wrong name: what comes near it.
pub(crate) fn nearest_names<N: AsRef<str>>(near: &[N]) -> Text {
    if near.is_empty() {
        return Text::new("Исправьте имя или добавьте недостающее", "Correct the name, or add what is missing");
    }
    let near = near.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    Text::new(format!("Ближайшие имена: {near}"), format!("The nearest names: {near}"))
}

/// Tables near to one that isn't there, as the query would write them.
pub(crate) fn near_tables(catalog: &dyn Catalog, table: &TableUse) -> Vec<String> {
    let spelling = Spelling::of(table.parts.first().map_or("", |first| first));
    catalog.nearest(&table.name).iter().map(|near| written_table(near, spelling)).collect()
}

/// Tables whose last part is one of these names, those that come near to what is written.
pub(crate) fn names_near(table: &TableUse, names: &[String]) -> Vec<String> {
    let Some((last, beginning)) = table.parts.split_last() else { return Vec::new() };
    let near = nearest(last, names.iter().map(String::as_str), 3);
    near.iter().map(|name| format!("{}.{name}", beginning.join("."))).collect()
}

/// Most tables that are named: a value of a composite type may lead to hundreds.
const MAX_TABLES: usize = 3;

/// Tables as a query writes them, in the language of a name.
pub(crate) fn tables(tables: &[Box<str>], like: &str) -> String {
    let spelling = Spelling::of(like);
    let mut written: Vec<String> = tables.iter().take(MAX_TABLES).map(|table| written_table(table, spelling)).collect();
    written.extend((tables.len() > MAX_TABLES).then(|| "…".to_owned()));
    written.join(", ")
}

/// The fields of tables that may be offered for a wrong one.
pub(crate) fn offered_fields<T: AsRef<str>>(catalog: &dyn Catalog, tables: &[T], wrong: &str) -> Vec<Box<str>> {
    let spelling = Spelling::of(wrong);
    let mut all: Vec<Box<str>> = Vec::new();
    for table in tables {
        all.extend(catalog.fields(table.as_ref(), spelling).iter().cloned());
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Reports names that stand a second time.
pub(crate) fn repeated<'d>(findings: &mut Findings<'_>, kind: Kind, named: impl IntoIterator<Item = Element<'d>>) {
    let mut seen: rustc_hash::FxHashMap<String, u32> = rustc_hash::FxHashMap::default();
    for element in named {
        let name = element.text();
        if name.is_empty() {
            continue;
        }
        match seen.entry(bsl::fold(&name)) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(element.line());
            }
            std::collections::hash_map::Entry::Occupied(first) => {
                let line = first.get();
                findings.inside(
                    element,
                    Text::new(
                        format!("Имя {} «{name}» уже есть в строке {line}", kind.0),
                        format!("The name of a {} “{name}” is there already, in line {line}", kind.1),
                    ),
                    Text::new("Дайте другое имя", "Give it another name"),
                );
            }
        }
    }
}
