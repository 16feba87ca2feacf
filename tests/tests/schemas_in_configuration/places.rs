//! Places of queries that name what a configuration has, and what they are replaced with.

use std::ops::Range;

use bsl::catalog::{Followed, follow};
use bsl::query::{FieldUse, QueryFacts, TextKind, read};
use dcs::view::DataSetKind;
use dcs::{Document, Element};
use index::Tables;

/// A query that could be read, and of which no parts are replaced.
pub struct Read<'d> {
    pub element: Element<'d>,
    pub text: String,
    pub facts: QueryFacts,
}

/// The queries of a schema's sets of which something certain can be said.
pub fn queries(document: &Document) -> Vec<Read<'_>> {
    let sets = document.schema().map(|schema| schema.all_data_sets()).unwrap_or_default();
    let elements =
        sets.into_iter().filter(|set| set.kind() == DataSetKind::Query).filter_map(|set| set.query_element());
    let read = |element: Element<'_>| {
        let text = element.text().into_owned();
        let facts = read(&text, TextKind::Query);
        (!facts.placeholders && facts.problems.is_empty()).then_some((text, facts))
    };
    elements.filter_map(|element| read(element).map(|(text, facts)| Read { element, text, facts })).collect()
}

/// A part of a path in a query that names an attribute: the bytes of the text, the name, the field that it belongs to.
pub struct Place<'q> {
    pub range: Range<usize>,
    pub name: &'q str,
    pub field: &'q FieldUse,
    /// The table that the whole path leads from, the path, and which part of it this is.
    pub table: &'q str,
    pub path: Vec<&'q str>,
    pub at: usize,
}

/// Every part of every path of a query that the configuration certainly has.
pub fn places<'q>(query: &'q Read<'_>, tables: &Tables) -> Vec<Place<'q>> {
    let mut found = Vec::new();
    for field in &query.facts.fields {
        let [origin] = &field.origins[..] else { continue };
        let path: Vec<&str> = origin.path.split('.').collect();
        let written: Vec<&str> = field.span.of(&query.text).split('.').collect();
        let is_plain =
            written.len() == field.parts.len() && written.iter().zip(&field.parts).all(|(one, part)| *one == &**part);
        if !is_plain || follow(tables, &origin.table, &path) != Followed::Whole {
            continue;
        }
        let first = field.table_parts as usize + usize::from(field.column.is_some());
        let mut start = field.span.range().start;
        for (number, name) in written.iter().enumerate() {
            if number >= first {
                let (range, at) = (start..start + name.len(), path.len() - (written.len() - number));
                found.push(Place { range, name, field, table: &origin.table, path: path.clone(), at });
            }
            start += name.len() + 1;
        }
    }
    found
}

/// A misspelt name: a letter of the middle is doubled or left out.
pub fn misspelt(name: &str, number: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    let at = letters.len() / 2;
    let mut wrong = letters.clone();
    if number.is_multiple_of(2) && letters.len() > 3 {
        wrong.remove(at);
    } else {
        wrong.insert(at, letters[at]);
    }
    wrong.into_iter().collect()
}

/// The document with other bytes in one of its queries.
pub fn with_query(document: &Document, query: Element<'_>, text: &str) -> Document {
    let inner = query.inner_range();
    let whole = document.text();
    Document::parse(format!("{}{}{}", &whole[..inner.start], dcs::xml::escape_text(text), &whole[inner.end..]))
}

/// A text with other bytes in a range.
pub fn replaced(text: &str, range: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}
