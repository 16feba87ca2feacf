//! Under which names columns are known on the screen.

use bsl::fold;

use super::NamedBy;
use super::headers::headers;
use super::queries::Queries;
use crate::document::Element;
use crate::view::{DataSetKind, FieldKind, Schema};

/// A name of a column.
pub(super) struct Named<'d> {
    /// The name as written.
    pub(super) name: String,
    by: NamedBy,
    /// The path of data that it leads to; of a parameter of an area its name.
    path: String,
    /// What holds the expression, of fields of the user and parameters of areas; the cell of a text that no parameter stands under.
    via: Option<Element<'d>>,
}

/// All names that columns of a schema have.
pub(super) fn of_schema<'d>(schema: Schema<'d>, queries: &Queries<'d>) -> Vec<Named<'d>> {
    let mut found = Vec::new();
    let mut add = |name: &str, by: NamedBy, path: &str, via: Option<Element<'d>>| {
        if !name.trim().is_empty() && !path.is_empty() {
            found.push(Named { name: name.trim().to_owned(), by, path: path.to_owned(), via });
        }
    };
    for set in schema.all_data_sets() {
        for field in set.fields().filter(|field| field.kind() != FieldKind::Folder) {
            let path = field.data_path();
            add(&path, NamedBy::Path, &path, None);
            titles(field.element().child("title")).iter().for_each(|title| add(title, NamedBy::Title, &path, None));
        }
        if set.kind() == DataSetKind::Query && set.auto_fill() {
            for name in queries.of(set).map(|query| query.result_names()).unwrap_or_default() {
                add(&name, NamedBy::Path, &name, None);
            }
        }
    }
    for field in schema.calculated_fields() {
        let path = field.data_path();
        add(&path, NamedBy::Path, &path, None);
        titles(field.element().child("title")).iter().for_each(|title| add(title, NamedBy::Title, &path, None));
    }
    for total in schema.totals() {
        add(&total.data_path(), NamedBy::Path, &total.data_path(), None);
    }
    for parameter in schema.templates().flat_map(|template| template.parameters().collect::<Vec<_>>()) {
        if !parameter.expression().is_empty() {
            add(&parameter.name(), NamedBy::TemplateParameter, &parameter.name(), Some(parameter.element()));
        }
    }
    for header in headers(schema) {
        for text in &header.texts {
            for parameter in &header.parameters {
                add(text, NamedBy::TemplateText, &parameter.text_of("name"), Some(*parameter));
            }
            for field in &header.fields {
                add(text, NamedBy::TemplateText, field, None);
            }
            if header.parameters.is_empty() && header.fields.is_empty() {
                add(text, NamedBy::TemplateText, &header.template, Some(header.cell));
            }
        }
    }
    for (_, settings) in schema.all_settings() {
        for field in settings.user_fields().into_iter().flat_map(|fields| fields.all("item")) {
            let path = field.text_of("dataPath");
            let names = titles(field.child("lwsTitle")).into_iter().chain(titles(field.child("title")));
            for name in names.chain([path.to_string()]) {
                add(&name, NamedBy::UserField, &path, Some(field));
            }
        }
        let titled = settings.element().descendants().filter(|item| item.child("field").is_some());
        for item in titled {
            let path = item.text_of("field");
            for title in ["lwsTitle", "title"].into_iter().flat_map(|local| titles(item.child(local))) {
                add(&title, NamedBy::SettingsTitle, &path, None);
            }
        }
    }
    found
}

/// Paths of columns that show no title of their schema's: fields that are described without one, columns of queries that fill
/// the list of fields by themselves.
pub(super) fn untitled<'d>(schema: Schema<'d>, queries: &Queries<'d>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for set in schema.all_data_sets() {
        let mut described = Vec::new();
        for field in set.fields().filter(|field| field.kind() != FieldKind::Folder) {
            let is_titled = titles(field.element().child("title")).iter().any(|title| !title.trim().is_empty());
            described.push(fold(&field.data_path()));
            if !is_titled {
                found.push(field.data_path().into_owned());
            }
        }
        if set.kind() == DataSetKind::Query && set.auto_fill() {
            let columns = queries.of(set).map(|query| query.result_names()).unwrap_or_default();
            found.extend(columns.into_iter().filter(|column| !described.contains(&fold(column))));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A column that a name leads to: its path, what bears the name, what holds the expression.
type Match<'d> = (String, Vec<NamedBy>, Option<(NamedBy, Element<'d>)>);

/// The columns that a name leads to, each once.
pub(super) fn matching<'d>(known: &[Named<'d>], asked: &str) -> Vec<Match<'d>> {
    let wanted = plain(asked);
    let mut found: Vec<Match<'d>> = Vec::new();
    for named in known.iter().filter(|named| plain(&named.name) == wanted) {
        let via = named.via.map(|element| (named.by, element));
        let is_same = |other: &&mut Match<'d>| {
            let same_via = match (&other.2, &via) {
                (None, None) => true,
                (Some((_, one)), Some((_, other))) => one == other,
                _ => false,
            };
            same_via && bsl::same_name(&other.0, &named.path)
        };
        match found.iter_mut().find(is_same) {
            Some(other) if other.1.contains(&named.by) => {}
            Some(other) => other.1.push(named.by),
            None => found.push((named.path.clone(), vec![named.by], via)),
        }
    }
    // A title in settings may lead to a field of the user.
    for one in &mut found {
        let user = |named: &&Named<'d>| named.by == NamedBy::UserField && bsl::same_name(&named.path, &one.0);
        if one.2.is_none() {
            one.2 = known.iter().find(user).and_then(|named| named.via).map(|element| (NamedBy::UserField, element));
        }
    }
    if found.is_empty() {
        // A field without a title shows its path with spaces between the words: `СуммаОборот` is «Сумма оборот».
        let squeezed = |text: &str| fold(text).replace(char::is_whitespace, "");
        let wanted = squeezed(asked);
        let is_it =
            |named: &&Named<'d>| named.via.is_none() && named.by == NamedBy::Path && fold(&named.path) == wanted;
        found.extend(known.iter().find(is_it).map(|named| (named.path.clone(), vec![NamedBy::Path], None)));
    }
    if found.is_empty() {
        // What lies behind a field: `Товар.Код`.
        let path = asked.trim();
        let is_before =
            |named: &&Named<'d>| named.via.is_none() && named.by == NamedBy::Path && is_behind(path, &named.path);
        found.extend(known.iter().find(is_before).map(|_| (path.to_owned(), vec![NamedBy::Path], None)));
    }
    found
}

fn is_behind(path: &str, field: &str) -> bool {
    fold(path).strip_prefix(&fold(field)).is_some_and(|rest| rest.starts_with('.') && rest.len() > 1)
}

/// Texts of a title, in all languages.
pub(super) fn titles(element: Option<Element<'_>>) -> Vec<String> {
    let Some(element) = element else { return Vec::new() };
    let items: Vec<String> = element.all("item").map(|item| item.text_of("content").into_owned()).collect();
    if items.is_empty() { vec![element.text().into_owned()] } else { items }
}

/// A name without what doesn't count: case, white space.
pub(super) fn plain(name: &str) -> String {
    fold(&name.split_whitespace().collect::<Vec<_>>().join(" "))
}
