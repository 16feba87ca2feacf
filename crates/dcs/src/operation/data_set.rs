//! Sets of data and their sources: add, rename, remove; the query of a set: set, patch.

use rustc_hash::FxHashSet;

use super::draft::Draft;
use super::query::Query;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, is_path};
use super::target::{data_set, named, place, required, same};
use super::uses::{Named, uses};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::{DataSet, DataSetKind, Schema};

options! {
    /// Adds a set of data: `Продажи = ВЫБРАТЬ …`, `Таблица @object(Таблица) @fields(А, Б)`, `Все @union`.
    AddDataSet {
        /// Its name.
        name: String,
        /// The query; the set's fields are its columns.
        query: String,
        /// The name that the set is handed over by.
        object: String,
        /// It unites sets, which are added with `inside`.
        union: Flag,
        /// Fields of a set that is handed over, or of a union.
        fields: Names,
        /// The data source; the first one if left out.
        source: String,
        /// The union to stand in.
        inside: String,
        /// The set to stand before.
        before: String,
        /// The set to stand behind.
        after: String,
    }
}
applies!(AddDataSet, add);

fn field(path: &str) -> New {
    New::with(name("sch:field"), [New::text(name("sch:dataPath"), path), New::text(name("sch:field"), path)])
        .typed(name("sch:DataSetFieldField"))
}

/// The source that an option names, or the first one; a local one is made if there is none.
fn source<'d>(schema: Schema<'d>, draft: &mut Draft<'d>, wanted: &str) -> Result<String, Refusal> {
    let all: Vec<(String, Element<'d>)> =
        schema.data_sources().map(|source| (source.name().into_owned(), source.element())).collect();
    if !wanted.trim().is_empty() {
        return named(all, wanted.trim(), ("источник данных", "data source"))
            .map(|source| source.text_of("name").into_owned());
    }
    if let Some((first, _)) = all.into_iter().next() {
        return Ok(first);
    }
    draft.insert(schema.element(), data_source("ИсточникДанных1"))?;
    Ok("ИсточникДанных1".to_owned())
}

pub(super) fn data_source(own: &str) -> New {
    New::with(
        name("sch:dataSource"),
        [New::text(name("sch:name"), own), New::text(name("sch:dataSourceType"), "Local")],
    )
}

/// A set with a query: its fields are the columns.
pub(super) fn query_set(own: &str, text: &str, source: &str, element: crate::formal::Name) -> Result<New, Refusal> {
    let query = Query::of(text);
    query.check()?;
    let mut parts = vec![New::text(name("sch:name"), own)];
    parts.extend(query.columns().iter().map(|column| field(column)));
    parts.push(New::text(name("sch:dataSource"), source));
    parts.push(New::text(name("sch:query"), text));
    Ok(New::with(element, parts).typed(name("sch:DataSetQuery")))
}

fn check_name(new: &str) -> Result<(), Refusal> {
    if is_path(new) && !new.contains('.') {
        return Ok(());
    }
    Err(Refusal::new(
        format!("«{new}» не может быть именем: буквы, цифры и подчёркивание"),
        format!("\"{new}\" can't be a name: letters, digits and underscore"),
    ))
}

fn refuse_twice(schema: Schema<'_>, own: &str) -> Result<(), Refusal> {
    match schema.all_data_sets().iter().any(|set| same(&set.name(), own)) {
        true => Err(Refusal::exists(("набор данных", "data set"), own)),
        false => Ok(()),
    }
}

fn add<'d>(this: &AddDataSet, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя набора", "the set's name")?;
    check_name(own)?;
    refuse_twice(at.schema, own)?;
    let (parent, element) = match this.inside.trim() {
        "" => (at.schema.element(), name("sch:dataSet")),
        inside => {
            let union = data_set(at.schema, inside)?;
            if union.kind() != DataSetKind::Union {
                return Err(Refusal::new(format!("«{inside}» — не объединение"), format!("\"{inside}\" is no union")));
            }
            (union.element(), name("sch:item"))
        }
    };
    let kinds = [!this.query.trim().is_empty(), !this.object.trim().is_empty(), this.union.is_on()];
    if kinds.iter().filter(|given| **given).count() != 1 {
        return Err(Refusal::new(
            "Нужно одно из трёх: запрос (= ВЫБРАТЬ …), @объект(Имя) или @объединение",
            "One of three is wanted: a query (= ВЫБРАТЬ …), @object(Name) or @union",
        ));
    }
    let new = if kinds[2] {
        let mut parts = vec![New::text(name("sch:name"), own)];
        parts.extend(this.fields.0.iter().map(|path| field(path)));
        New::with(element, parts).typed(name("sch:DataSetUnion"))
    } else {
        let source = source(at.schema, draft, &this.source)?;
        if kinds[0] {
            query_set(own, this.query.trim(), &source, element)?
        } else {
            let mut parts = vec![New::text(name("sch:name"), own)];
            parts.extend(this.fields.0.iter().map(|path| field(path)));
            parts.push(New::text(name("sch:dataSource"), source));
            parts.push(New::text(name("sch:objectName"), this.object.trim()));
            New::with(element, parts).typed(name("sch:DataSetObject"))
        }
    };
    let place = place(&this.before, &this.after, |other| {
        let found = data_set(at.schema, other)?.element();
        if found.parent() == Some(parent) {
            Ok(found)
        } else {
            Err(Refusal::unknown(("соседний набор", "neighbour"), other, []))
        }
    })?;
    draft.insert_at(parent, new, place)?;
    Ok(Say::new(format!("Добавлен набор данных «{own}»"), format!("Added the data set \"{own}\"")))
}

options! {
    /// Renames a set of data with the links that name it.
    RenameDataSet {
        /// Its name.
        name: String,
        /// The new name.
        to: String,
    }
}
applies!(RenameDataSet, rename);

fn rename<'d>(this: &RenameDataSet, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя набора", "the set's name")?;
    let new = required(&this.to, "to", "новое имя", "the new name")?;
    check_name(new)?;
    let set = data_set(at.schema, wanted)?;
    let old = set.name();
    if !same(&old, new) {
        refuse_twice(at.schema, new)?;
    }
    draft.set_child(set.element(), name("sch:name"), Some(new))?;
    for used in uses(at.schema).into_iter().filter(|used| used.named == Named::DataSet && same(&used.name, &old)) {
        draft.set_text(used.element, new)?;
    }
    Ok(Say::new(
        format!("Набор данных «{old}» переименован в «{new}»"),
        format!("Renamed the data set \"{old}\" to \"{new}\""),
    ))
}

options! {
    /// Removes a set of data.
    RemoveDataSet {
        /// Its name.
        name: String,
    }
}
applies!(RemoveDataSet, remove);

fn remove<'d>(this: &RemoveDataSet, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя набора", "the set's name")?;
    let set = data_set(at.schema, wanted)?.element();
    needs::remove(at, draft, &[set])?;
    Ok(Say::new(format!("Удалён набор данных «{wanted}»"), format!("Removed the data set \"{wanted}\"")))
}

options! {
    /// Adds a data source.
    AddDataSource {
        /// Its name.
        name: String,
    }
}
applies!(AddDataSource, add_source);

fn add_source<'d>(this: &AddDataSource, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let own = required(&this.name, "name", "имя источника", "the source's name")?;
    check_name(own)?;
    if at.schema.data_sources().any(|source| same(&source.name(), own)) {
        return Err(Refusal::exists(("источник данных", "data source"), own));
    }
    draft.insert(at.schema.element(), data_source(own))?;
    Ok(Say::new(format!("Добавлен источник данных «{own}»"), format!("Added the data source \"{own}\"")))
}

options! {
    /// Removes a data source.
    RemoveDataSource {
        /// Its name.
        name: String,
    }
}
applies!(RemoveDataSource, remove_source);

fn remove_source<'d>(this: &RemoveDataSource, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя источника", "the source's name")?;
    let all = at.schema.data_sources().map(|source| (source.name().into_owned(), source.element()));
    let found = named(all, wanted, ("источник данных", "data source"))?;
    needs::remove(at, draft, &[found])?;
    Ok(Say::new(format!("Удалён источник данных «{wanted}»"), format!("Removed the data source \"{wanted}\"")))
}

options! {
    /// Sets the query of a set: `Продажи = ВЫБРАТЬ …`. Fields whose columns are gone are removed only with what needs them.
    SetQuery {
        /// The set.
        name: String,
        /// The query.
        query: String,
    }
}
applies!(SetQuery, set_query);

fn query_of<'d>(schema: Schema<'d>, wanted: &str) -> Result<(DataSet<'d>, Element<'d>), Refusal> {
    let set = data_set(schema, wanted)?;
    let none =
        || Refusal::new(format!("У набора «{wanted}» нет запроса"), format!("The set \"{wanted}\" has no query"));
    Ok((set, set.query_element().ok_or_else(none)?))
}

/// Removes fields whose columns another query hasn't.
fn remove_orphans<'d>(at: &mut At<'d>, draft: &mut Draft<'d>, set: DataSet<'d>, new: &str) -> Result<(), Refusal> {
    let query = Query::of(new);
    if query.is_open() {
        return Ok(());
    }
    let columns: FxHashSet<String> = query.columns().iter().map(|column| column.to_lowercase()).collect();
    // What was no column before is none of this query's.
    let mut gone = Query::of(&set.query()).columns();
    gone.retain(|column| !columns.contains(&column.to_lowercase()));
    let is_orphan = |field: &crate::view::Field<'d>| gone.iter().any(|column| same(column, &field.source()));
    let orphans: Vec<Element<'d>> = set.fields().filter(is_orphan).map(|field| field.element()).collect();
    let dropped: Vec<(Element<'d>, String)> =
        gone.iter().filter(|_| set.auto_fill()).map(|column| (set.element(), column.clone())).collect();
    needs::remove_with(at, draft, &orphans, &dropped)
}

fn set_query<'d>(this: &SetQuery, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя набора", "the set's name")?;
    let text = required(&this.query, "query", "запрос", "the query")?;
    Query::of(text).check()?;
    let (set, element) = query_of(at.schema, wanted)?;
    draft.set_text(element, text)?;
    remove_orphans(at, draft, set, text)?;
    Ok(Say::new(format!("Задан запрос набора «{wanted}»"), format!("Set the query of the set \"{wanted}\"")))
}

options! {
    /// Replaces a part of a query, which must stand in it once: `Продажи @old(ГДЕ Т.А) @new(ГДЕ Т.Б)`.
    PatchQuery {
        /// The set.
        name: String,
        /// What stands there.
        old: String,
        /// What is to stand there.
        new: String,
    }
}
applies!(PatchQuery, patch_query);

fn patch_query<'d>(this: &PatchQuery, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let wanted = required(&this.name, "name", "имя набора", "the set's name")?;
    if this.old.is_empty() {
        return Err(Refusal::missing("old", "что заменить", "what to replace"));
    }
    let (set, element) = query_of(at.schema, wanted)?;
    let text = set.query();
    let mut found = text.match_indices(this.old.as_str());
    let (first, second) = (found.next(), found.next());
    let (Some((start, _)), None) = (first, second) else {
        let count = text.matches(this.old.as_str()).count();
        return Err(Refusal::new(
            format!("«{}» встречается в запросе {count} раз, а должно один: возьмите больше текста вокруг", this.old),
            format!("\"{}\" stands in the query {count} times and must stand once: take more of the text", this.old),
        ));
    };
    let end = start + this.old.len();
    let new = format!("{}{}{}", &text[..start], this.new, &text[end..]);
    // A query that could be read must not become one that can't.
    if Query::of(&text).check().is_ok() {
        Query::of(&new).check()?;
    }
    draft.patch_text(element, start..end, &this.new)?;
    remove_orphans(at, draft, set, &new)?;
    Ok(Say::new(format!("Изменён запрос набора «{wanted}»"), format!("Changed the query of the set \"{wanted}\"")))
}
