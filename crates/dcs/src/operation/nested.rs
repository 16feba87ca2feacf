//! Nested schemas (add, remove), and a new schema from a query.

use super::data_set::{data_source, query_set};
use super::draft::Draft;
use super::query::Query;
use super::refusal::{Refusal, Say};
use super::shorthand::{Names, Texts};
use super::spot::set;
use super::target::{named, required, same};
use super::{At, applies, needs, options, variant};
use crate::document::Document;
use crate::edit::New;
use crate::formal::name;

options! {
    /// Adds a nested schema with one set of data: `Остатки "Остатки" = ВЫБРАТЬ …`; it stands in the variant's structure too.
    AddNested {
        /// Its name.
        name: String,
        /// Its title.
        title: Option<Texts>,
        /// The query of its set.
        query: String,
        /// The variant whose structure shows it; none if left out.
        variant: String,
    }
}
applies!(AddNested, add);

/// Parts of a schema with one set of data and one variant.
fn parts(query: &str, set_name: &str) -> Result<Vec<New>, Refusal> {
    let columns = Query::of(query).columns();
    let source = "ИсточникДанных1";
    let mut all = vec![data_source(source), query_set(set_name, query, source, name("sch:dataSet"))?];
    let mut seen = Vec::new();
    for parameter in Query::of(query).parameters() {
        if seen.iter().any(|other: &String| same(other, parameter)) {
            continue;
        }
        seen.push(parameter.to_owned());
        all.push(New::with(
            name("sch:parameter"),
            [
                New::text(name("sch:name"), parameter),
                New::localized(name("sch:title"), [("ru", parameter)]),
                New::nil(name("sch:value")),
                New::text(name("sch:useRestriction"), "false"),
            ],
        ));
    }
    all.push(variant::new("Основной", None, &Names(columns), Vec::new()));
    Ok(all)
}

fn add<'d>(this: &AddNested, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя вложенной схемы", "the nested schema's name")?;
    let query = required(&this.query, "query", "запрос", "the query")?;
    if at.schema.nested_schemas().any(|nested| same(&nested.name(), own)) {
        return Err(Refusal::exists(("вложенная схема", "nested schema"), own));
    }
    let details = || New::with(set("item"), super::spot::auto_lists()).typed(set("StructureItemGroup"));
    let columns = Query::of(query).columns();
    let selected = columns.iter().map(|column| {
        New::with(set("item"), [New::text(set("field"), column.as_str())]).typed(set("SelectedItemField"))
    });
    let settings = [New::with(set("selection"), selected), details()];
    let title = match &this.title {
        Some(title) => title.element(name("sch:title")),
        None => New::localized(name("sch:title"), [("ru", own)]),
    };
    let new = New::with(
        name("sch:nestedSchema"),
        [
            New::text(name("sch:name"), own),
            title,
            New::with(name("sch:schema"), parts(query, "НаборДанных1")?),
            New::with(name("sch:settings"), settings.clone()),
        ],
    );
    draft.insert(at.schema.element(), new)?;
    if !this.variant.trim().is_empty() {
        let spot = super::spot::spot(at.schema, &this.variant, "")?;
        let item = New::with(set("item"), [New::text(set("objectID"), own), New::with(set("settings"), settings)]);
        draft.insert(spot.element, item.typed(set("StructureItemNestedObject")))?;
    }
    Ok(Say::new(format!("Добавлена вложенная схема «{own}»"), format!("Added the nested schema \"{own}\"")))
}

options! {
    /// Removes a nested schema.
    RemoveNested {
        /// Its name.
        name: String,
    }
}
applies!(RemoveNested, remove);

fn remove<'d>(this: &RemoveNested, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя вложенной схемы", "the nested schema's name")?;
    let all = at.schema.nested_schemas().map(|nested| (nested.name().into_owned(), nested.element()));
    let found = named(all, wanted, ("вложенная схема", "nested schema"))?;
    needs::remove(at, draft, &[found])?;
    Ok(Say::new(format!("Удалена вложенная схема «{wanted}»"), format!("Removed the nested schema \"{wanted}\"")))
}

/// What every file begins with.
const EMPTY: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<DataCompositionSchema \
    xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
    xmlns:dcscom=\"http://v8.1c.ru/8.1/data-composition-system/common\" \
    xmlns:dcscor=\"http://v8.1c.ru/8.1/data-composition-system/core\" \
    xmlns:dcsset=\"http://v8.1c.ru/8.1/data-composition-system/settings\" \
    xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
    xmlns:v8ui=\"http://v8.1c.ru/8.1/data/ui\" \
    xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" \
    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/>";

/// A new schema from a query: a set with its columns as fields, its parameters, a variant that shows all columns.
///
/// ```
/// use metascope_dcs::operation::new_schema;
/// let document = new_schema("ВЫБРАТЬ Т.Код КАК Код ИЗ Справочник.Валюты КАК Т ГДЕ Т.Код = &Код").unwrap();
/// let schema = document.schema().unwrap();
/// assert_eq!(schema.parameters().next().unwrap().name(), "Код");
/// assert_eq!(metascope_dcs::formal::conform(&document), []);
/// ```
///
/// # Errors
/// If the query can't be read.
pub fn new_schema(query: &str) -> Result<Document, Refusal> {
    let empty = Document::parse(EMPTY);
    let mut draft = Draft::of(&empty)?;
    let root = empty.root().ok_or_else(Refusal::default)?;
    for new in parts(query.trim(), "НаборДанных1")? {
        draft.insert(root, new)?;
    }
    let (patch, _) = draft.finish()?;
    Ok(empty.apply(&patch)?.document)
}
