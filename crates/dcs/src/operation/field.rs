//! Fields of a set of data: add (with a column of the query), modify, restrictions, remove.

use super::draft::Draft;
use super::query::Query;
use super::refusal::{Refusal, Say};
use super::shorthand::{Flag, Names, Texts, split, type_description};
use super::target::{Fields, data_set, leads_from, named, place, required, same};
use super::words::{RESTRICTIONS, word};
use super::{At, applies, needs, options};
use crate::document::Element;
use crate::edit::New;
use crate::formal::name;
use crate::view::{DataSet, DataSetKind, Field, Schema};

options! {
    /// Adds a field to a set of data, with a column in every branch of its query if an expression is given.
    AddField {
        /// The field's path.
        name: String,
        /// The set; may be left out if there is one only.
        set: String,
        /// The column of the query or of the handed-over set; the path without dots if left out.
        source: String,
        /// The type.
        r#type: String,
        /// The title.
        title: Option<Texts>,
        /// The expression of the column, put into every branch of the query.
        expression: String,
        /// Expressions of the column for each branch, with `;` between them.
        branches: String,
        /// The expression that shows the field.
        presentation: String,
        /// Where it can't be used: field, condition, group, order.
        restrict: Names,
        /// It is a dimension.
        dimension: Flag,
        /// A total for it too: `Сумма(field)`.
        resource: Flag,
        /// The field to stand before.
        before: String,
        /// The field to stand behind.
        after: String,
    }
}
applies!(AddField, add);

/// The set that an option names; the only one if it names none.
pub(super) fn set_of<'d>(schema: Schema<'d>, wanted: &str, field: &str) -> Result<DataSet<'d>, Refusal> {
    if !wanted.trim().is_empty() {
        return data_set(schema, wanted.trim());
    }
    let all = schema.all_data_sets();
    let having: Vec<DataSet<'d>> =
        all.iter().copied().filter(|set| set.fields().any(|other| same(&other.data_path(), field))).collect();
    match (&having[..], &all[..]) {
        ([one], _) | ([], [one]) => Ok(*one),
        ([], []) => Err(Refusal::new("В схеме нет наборов данных", "The schema has no data sets")),
        _ => {
            let among = if having.is_empty() { &all } else { &having };
            let mut refusal = Refusal::missing("set", "набор данных", "the data set");
            refusal.nearest = among.iter().map(|set| set.name().into_owned()).collect();
            Err(refusal)
        }
    }
}

/// The field of a set.
pub(super) fn field_of<'d>(set: DataSet<'d>, path: &str) -> Result<Field<'d>, Refusal> {
    let all = set.fields().map(|field| (field.data_path().into_owned(), field.element()));
    named(all, path, ("поле", "field")).map(Field)
}

fn no_dots(path: &str) -> String {
    path.replace('.', "")
}

pub(super) fn restriction(words: &Names) -> Result<New, Refusal> {
    let mut said = Vec::new();
    for text in &words.0 {
        said.push(word(RESTRICTIONS, text, ("ограничение", "restriction"))?);
    }
    let parts = RESTRICTIONS.iter().filter(|(local, _)| said.contains(local));
    let parts = parts.map(|(local, _)| New::text(crate::formal::Name { ns: crate::xml::ns::SCHEMA, local }, "true"));
    Ok(New::with(name("sch:useRestriction"), parts))
}

fn add<'d>(this: &AddField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let set = set_of(at.schema, &this.set, path)?;
    let column = if this.source.trim().is_empty() { no_dots(path) } else { this.source.trim().to_owned() };
    if set.fields().any(|field| same(&field.data_path(), path)) {
        return Err(Refusal::exists(("поле", "field"), path));
    }
    let mut source = column.clone();
    let expressions = match (this.expression.trim(), split(&this.branches, ';')?) {
        (one, several) if several.is_empty() => {
            if one.is_empty() {
                Vec::new()
            } else {
                vec![one.to_owned()]
            }
        }
        (_, several) => several,
    };
    if set.kind() == DataSetKind::Query {
        let text = set.query();
        let query = Query::of(&text);
        let columns = query.columns();
        let has = |name: &str| columns.iter().any(|column| same(column, name));
        if !expressions.is_empty() {
            if has(&column) {
                return Err(Refusal::exists(("колонка запроса", "column of the query"), &column));
            }
            let element = set.query_element().ok_or_else(no_query)?;
            for (range, text) in query.add_column(&expressions, &column)? {
                draft.patch_text(element, range, &text)?;
            }
        } else if !has(&column) && !query.is_open() {
            // An attribute of a column that is a reference.
            let first = path.split('.').next().unwrap_or("");
            if !path.contains('.') || !has(first) || !this.source.trim().is_empty() {
                let mut refusal = Refusal::unknown(
                    ("колонка запроса", "column of the query"),
                    &column,
                    columns.iter().map(String::as_str),
                );
                refusal.message.ru.push_str("; чтобы добавить и её: = выражение");
                refusal.message.en.push_str("; to add it as well: = expression");
                return Err(refusal);
            }
            path.clone_into(&mut source);
        }
    } else if !expressions.is_empty() {
        return Err(Refusal::new(
            format!("У набора «{}» нет запроса, выражение некуда поместить", set.name()),
            format!("The set \"{}\" has no query that an expression could be put into", set.name()),
        ));
    } else if set.kind() == DataSetKind::Union {
        // Fields of a union are those of its parts.
        let inner: Vec<String> = set
            .items()
            .flat_map(|item| item.fields().map(|field| field.data_path().into_owned()).collect::<Vec<_>>())
            .collect();
        if this.source.trim().is_empty() {
            path.clone_into(&mut source);
        }
        if !inner.is_empty() && !inner.iter().any(|other| same(other, &source)) {
            return Err(Refusal::unknown(
                ("поле наборов объединения", "field of the union's sets"),
                &source,
                inner.iter().map(String::as_str),
            ));
        }
    }
    let mut parts = vec![New::text(name("sch:dataPath"), path), New::text(name("sch:field"), source)];
    parts.extend(this.title.as_ref().map(|title| title.element(name("sch:title"))));
    if !this.restrict.is_empty() {
        parts.push(restriction(&this.restrict)?);
    }
    if this.dimension.is_on() {
        parts.push(New::with(name("sch:role"), [New::text(name("com:dimension"), "true")]));
    }
    if !this.presentation.trim().is_empty() {
        parts.push(New::text(name("sch:presentationExpression"), this.presentation.trim()));
    }
    if !this.r#type.trim().is_empty() {
        parts.push(type_description(name("sch:valueType"), &this.r#type)?);
    }
    let new = New::with(name("sch:field"), parts).typed(name("sch:DataSetFieldField"));
    let place = place(&this.before, &this.after, |other| field_of(set, other).map(Field::element))?;
    draft.insert_at(set.element(), new, place)?;
    if this.resource.is_on() {
        if at.schema.totals().any(|total| same(&total.data_path(), path)) {
            return Err(Refusal::exists(("итог", "total"), path));
        }
        let total =
            [New::text(name("sch:dataPath"), path), New::text(name("sch:expression"), format!("Сумма({path})"))];
        draft.insert(at.schema.element(), New::with(name("sch:totalField"), total))?;
    }
    let set = set.name();
    Ok(Say::new(
        format!("Добавлено поле «{path}» в набор «{set}»"),
        format!("Added the field \"{path}\" to the set \"{set}\""),
    ))
}

fn no_query() -> Refusal {
    Refusal::new("У набора нет запроса", "The set has no query")
}

options! {
    /// Changes a field of a set: what is given.
    ModifyField {
        /// The field's path.
        name: String,
        /// The set; may be left out if one set only has the field.
        set: String,
        /// The column of the query or of the handed-over set.
        source: Option<String>,
        /// The type.
        r#type: Option<String>,
        /// The title.
        title: Option<Texts>,
        /// The expression that shows the field.
        presentation: Option<String>,
        /// What to take away: title, type, presentation, role, restrictions, appearance.
        clear: Names,
    }
}
applies!(ModifyField, modify);

/// Parts that can be taken away from a field, a calculated field or a parameter.
const PARTS: super::words::Words = &[
    ("title", &["заголовок", "title"]),
    ("valueType", &["тип", "type"]),
    ("presentationExpression", &["представление", "presentation"]),
    ("role", &["роль", "role"]),
    ("useRestriction", &["ограничения", "restrictions"]),
    ("attributeUseRestriction", &["ограничения реквизитов", "attribute restrictions"]),
    ("appearance", &["оформление", "appearance"]),
    ("availableValue", &["доступные", "доступные значения", "available"]),
    ("inputParameters", &["параметры ввода", "input parameters"]),
    ("orderExpression", &["порядок", "order"]),
    ("value", &["значение", "value"]),
    ("expression", &["выражение", "expression"]),
];

/// Takes parts away.
pub(super) fn clear<'d>(draft: &mut Draft<'d>, element: Element<'d>, parts: &Names) -> Result<(), Refusal> {
    for part in &parts.0 {
        let local = word(PARTS, part, ("часть", "part"))?;
        let is_required = element.of().and_then(|of| of.child(local)).is_none_or(|member| member.count.required);
        let found: Vec<Element<'d>> = element.children().filter(|child| child.is(local)).collect();
        if is_required || found.is_empty() {
            let there: Vec<&str> = PARTS
                .iter()
                .filter(|(local, _)| element.child(local).is_some())
                .filter(|(local, _)| element.of().and_then(|of| of.child(local)).is_some_and(|m| !m.count.required))
                .map(|(_, words)| words[0])
                .collect();
            return Err(Refusal::unknown(("часть", "part"), part, there));
        }
        for child in found {
            draft.remove(child)?;
        }
    }
    Ok(())
}

fn modify<'d>(this: &ModifyField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let set = set_of(at.schema, &this.set, path)?;
    let field = field_of(set, path)?.element();
    if let Some(source) = &this.source {
        if set.kind() == DataSetKind::Query {
            let text = set.query();
            let query = Query::of(&text);
            let columns = query.columns();
            let first = source.split('.').next().unwrap_or("");
            if !query.is_open()
                && !columns.iter().any(|column| same(column, source.trim()) || same(column, first.trim()))
            {
                return Err(Refusal::unknown(
                    ("колонка запроса", "column of the query"),
                    source,
                    columns.iter().map(String::as_str),
                ));
            }
        }
        draft.set_child(field, name("sch:field"), Some(source.trim()))?;
    }
    if let Some(title) = &this.title {
        draft.set_localized(field, name("sch:title"), &title.0)?;
    }
    if let Some(text) = &this.presentation {
        Fields::of(at.schema, &|_| false).require_all(at.schema, text)?;
        draft.set_child(field, name("sch:presentationExpression"), Some(text.trim()))?;
    }
    if let Some(of) = &this.r#type {
        draft.put_child(field, type_description(name("sch:valueType"), of)?)?;
    }
    clear(draft, field, &this.clear)?;
    Ok(Say::new(format!("Изменено поле «{path}»"), format!("Changed the field \"{path}\"")))
}

options! {
    /// Sets where a field, or its attributes, can't be used; all that isn't named is allowed.
    FieldRestrictions {
        /// The field's path.
        name: String,
        /// The set; may be left out if one set only has the field.
        set: String,
        /// Where the field can't be used: field, condition, group, order.
        restrict: Option<Names>,
        /// Where its attributes can't be used.
        attributes: Option<Names>,
        /// Nothing is restricted any more.
        none: Flag,
    }
}
applies!(FieldRestrictions, restrictions);

fn restrictions<'d>(this: &FieldRestrictions, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let set = set_of(at.schema, &this.set, path)?;
    let field = field_of(set, path)?.element();
    let (mut own, mut attributes) = (this.restrict.clone(), this.attributes.clone());
    if this.none.is_on() {
        (own, attributes) = (Some(Names::default()), Some(Names::default()));
    } else if own.is_none() && attributes.is_none() {
        return Err(Refusal::missing("restrict", "что ограничить", "what to restrict"));
    }
    for (words, local) in [(own, name("sch:useRestriction")), (attributes, name("sch:attributeUseRestriction"))] {
        let Some(words) = words else { continue };
        set_restriction(draft, field, local, &words)?;
    }
    Ok(Say::new(format!("Заданы ограничения поля «{path}»"), format!("Set the restrictions of the field \"{path}\"")))
}

/// Sets flags of a restriction, each by itself.
pub(super) fn set_restriction<'d>(
    draft: &mut Draft<'d>,
    field: Element<'d>,
    local: crate::formal::Name,
    words: &Names,
) -> Result<(), Refusal> {
    let new = New { name: local, ..restriction(words)? };
    let Some(found) = field.child(local.local) else {
        return if words.is_empty() { Ok(()) } else { draft.insert(field, new) };
    };
    if words.is_empty() {
        return draft.remove(found);
    }
    for (flag, _) in RESTRICTIONS {
        let flag_name = crate::formal::Name { ns: crate::xml::ns::SCHEMA, local: flag };
        let mut is_set = false;
        for text in &words.0 {
            is_set |= word(RESTRICTIONS, text, ("ограничение", "restriction"))? == *flag;
        }
        draft.set_child(found, flag_name, is_set.then_some("true"))?;
    }
    Ok(())
}

options! {
    /// Removes a field's description from its set; with `query` also its column from every branch of the query.
    RemoveField {
        /// The field's path.
        name: String,
        /// The set; may be left out if one set only has the field.
        set: String,
        /// The column of the query goes too.
        query: Flag,
    }
}
applies!(RemoveField, remove);

fn remove<'d>(this: &RemoveField, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let path = required(&this.name, "name", "имя поля", "the field's name")?;
    let set = set_of(at.schema, &this.set, path)?;
    let field = field_of(set, path)?;
    if this.query.is_on() {
        let text = set.query();
        let element = set.query_element().ok_or_else(no_query)?;
        for (range, with) in Query::of(&text).remove_column(&field.source())? {
            draft.patch_text(element, range, &with)?;
        }
    }
    let mut what = vec![field.element()];
    // Fields in a folder go with it.
    let inner = set.fields().filter(|other| leads_from(&other.data_path(), path) && *other != field);
    if field.element().is_of("DataSetFieldFolder") {
        what.extend(inner.map(Field::element));
    }
    needs::remove_field(at, draft, &what, this.query.is_on())?;
    Ok(Say::new(format!("Удалено поле «{path}»"), format!("Removed the field \"{path}\"")))
}
