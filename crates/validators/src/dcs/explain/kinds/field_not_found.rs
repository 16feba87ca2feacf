//! «Поле не найдено "Т.Цена"»: a field of a query, or a path of data in an expression, a link, a field of a set, settings.

use bsl::query::{FieldUse, TableUse};
use bsl::{fold, same_name};
use dcs::view::FieldKind;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, expressions, replace, settings_fields};
use crate::dcs::explain::causes::{Causes, Said};
use crate::dcs::fields::Fields;
use crate::dcs::paths::{Verdict, verdict};
use crate::dcs::subject::{Scope, SetQuery, has_name};
use crate::dcs::words;

pub(super) const KIND: Kind =
    Kind { code: "field-not-found", title: ("Поле не найдено", "A field is not found"), run };

/// Checks that look for the same.
const CHECKS: &[&str] = &[
    "dcs-query-column-unknown",
    "dcs-query-attribute-unknown",
    "dcs-expression-field-unknown",
    "dcs-link-field-unknown",
    "dcs-field-source-unknown",
    "dcs-total-field-unknown",
];

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    if ask.name().is_empty() {
        let why = Text::new(
            "Сообщение не называет поля; это поле не находится",
            "The message names no field; this one is not found",
        );
        ask.findings(CHECKS).for_each(|finding| causes.finding(finding, why.clone()));
        return;
    }
    for query in ask.queries() {
        let spot = ask.spot(query.text);
        for field in ask.fields(query) {
            let is_there = spot.is_some_and(|at| field.span.range().contains(&at));
            if !ask.has_spot() || is_there {
                in_query(ask, query, field, is_there, causes);
            }
        }
    }
    for scope in &ask.subject.scopes {
        in_schema(ask, scope, causes);
    }
    if causes.is_empty() {
        for query in ask.queries() {
            let ends_with = |field: &&FieldUse| field.parts.last().is_some_and(|part| same_name(part, ask.name()));
            for field in query.facts().fields.iter().filter(ends_with) {
                in_query(ask, query, field, false, causes);
            }
        }
    }
}

/// A field of a query that isn't there, or may not be.
fn in_query(ask: &Ask<'_, '_>, query: &SetQuery<'_>, field: &FieldUse, is_there: bool, causes: &mut Causes<'_>) {
    let written = field.parts.join(".");
    let facts = query.facts();
    let branch = facts.selects.get(field.select as usize).and_then(|one| one.branches.get(field.branch as usize));
    let tables: Vec<&TableUse> = branch
        .map(|branch| branch.tables.iter().filter_map(|&table| facts.tables.get(table as usize)).collect())
        .unwrap_or_default();
    let table = field.table.and_then(|table| facts.tables.get(table as usize));
    let Some(first) = field.parts.first() else { return };
    let (why, nearest, is_wrong);
    if let Some(table) = table.filter(|_| field.table_parts > 0) {
        let path = field.parts.get(field.table_parts as usize..).unwrap_or(&[]);
        let before = field.parts[..field.table_parts as usize].join(".");
        match broken(ask, query, table, field) {
            Broken::At { number, names, whose } if whose.is_empty() && number > 0 => {
                let (wrong, no_reference) = (&path[number], &field.parts[field.table_parts as usize + number - 1]);
                nearest = names;
                why = Text::new(
                    format!("«{no_reference}» — не ссылка, поля «{wrong}» у него нет"),
                    format!("“{no_reference}” is no reference: it has no field “{wrong}”"),
                );
                is_wrong = true;
            }
            Broken::At { number, names, whose } => {
                let wrong = &path[number];
                let near = Ask::nearest(wrong, names.iter().map(String::as_str));
                nearest = near.iter().map(|name| put(&before, path, number, name)).collect::<Vec<_>>();
                why = Text::new(
                    format!("В таблице «{}» нет поля «{wrong}»{}", whose, there_are(&names, &near).ru),
                    format!("The table “{}” has no field “{wrong}”{}", whose, there_are(&names, &near).en),
                );
                is_wrong = true;
            }
            Broken::No if !is_there => return,
            Broken::No | Broken::Unknown => {
                // The best that the file itself tells: what else it takes of this table.
                let used = used_of(ask, table);
                let wrong = path.first().map_or(&**first, |part| &**part);
                let others = used.iter().map(String::as_str).filter(|name| !same_name(name, wrong));
                nearest = Ask::nearest(wrong, others).iter().map(|name| put(&before, path, 0, name)).collect();
                let name = table.parts.join(".");
                why = Text::new(
                    format!("Платформа не находит «{}» в таблице «{name}»; поля этой таблицы знает только конфигурация", path.join(".")),
                    format!("The platform doesn't find “{}” in the table “{name}”; the configuration alone knows its fields", path.join(".")),
                );
                is_wrong = is_there;
            }
        }
    } else if field.parts.len() > 1 && !has_table(&tables, first) {
        // Another table may have a field of this name; then it is no alias.
        let aliases: Vec<&str> = tables.iter().map(|table| &*table.alias).collect();
        let near = Ask::nearest(first, aliases.iter().copied());
        nearest = near.iter().map(|alias| put(alias, &field.parts[1..], usize::MAX, "")).collect();
        why = Text::new(
            format!("В этой части запроса нет таблицы с псевдонимом «{first}»; есть: {}", aliases.join(", ")),
            format!("This part of the query has no table with the alias “{first}”; there are: {}", aliases.join(", ")),
        );
        is_wrong = is_there || !near.is_empty();
    } else {
        // Without a table: any of the branch may have it, or it is a column of the result.
        if field.column.is_some() && !is_there {
            return;
        }
        let mut names: Vec<String> = Vec::new();
        let mut all_known = true;
        for table in &tables {
            let catalog = ask.subject.catalog.filter(|_| !table.name.is_empty());
            match (query.columns_of(table), catalog) {
                (Some(columns), _) => names.extend(columns.into_iter().map(str::to_owned)),
                (None, Some(catalog)) => {
                    all_known &= catalog.has_field(&table.name, first).is_some();
                    names.extend(words::offered_fields(catalog, &[&*table.name], first).iter().map(|name| name.to_string()));
                }
                (None, None) => all_known = false,
            }
        }
        if has_name(&names, first) && !is_there {
            return;
        }
        let near = Ask::nearest(first, names.iter().map(String::as_str).filter(|name| !same_name(name, first)));
        let aliases: Vec<&str> = tables.iter().map(|table| &*table.alias).collect();
        why = Text::new(
            format!("Ни в одной из таблиц ({}) нет поля «{first}»{}", aliases.join(", "), there_are(&names, &near).ru),
            format!("None of the tables ({}) has a field “{first}”{}", aliases.join(", "), there_are(&names, &near).en),
        );
        nearest = near;
        is_wrong = is_there || all_known;
    }
    let otherwise = Text::new(
        "Исправьте имя поля или псевдоним таблицы; если поле убрали из вложенного запроса или временной таблицы, верните его туда",
        "Correct the field's name or the table's alias; if the field went from a nested query or temporary table, put it back there",
    );
    causes.in_text(query.element, field.span.range(), Said {
        sure: is_wrong,
        what: Text::new(format!("Поле «{written}» запроса"), format!("The field “{written}” of the query")),
        why,
        mend: replace(&written, &nearest, otherwise),
        nearest,
    });
}

/// What a schema names by a path of data that isn't there.
fn in_schema<'s>(ask: &Ask<'_, 's>, scope: &Scope<'s>, causes: &mut Causes<'_>) {
    let fields = ask.subject.fields_of(scope);
    let name = ask.name();
    let is_it = |path: &str| fold(path.trim()) == fold(name);
    if fields.has(name) {
        // It is there: where the composer looks, a field of it may still have no column.
        return sources(ask, scope, causes);
    }
    let nearest = Ask::nearest(name, fields.names());
    let otherwise = || {
        Text::new(
            format!("Добавьте поле «{name}» в набор данных (колонку в запрос) или исправьте имя"),
            format!("Add the field “{name}” to the set of data (a column to the query), or correct the name"),
        )
    };
    let names: Vec<String> = fields.names().map(str::to_owned).collect();
    for (element, what) in expressions(scope) {
        for found in dcs::expression::names(&element.text()).paths {
            if is_it(&found.path) {
                let there = there_are(&names, &nearest);
                causes.in_text(element, found.range, Said {
                    sure: !fields.is_open,
                    what: Text::new(format!("«{name}»: {}", what.ru), format!("“{name}”: {}", what.en)),
                    why: Text::new(
                        format!("Такого поля нет ни в наборах данных, ни среди вычисляемых полей{}", there.ru),
                        format!("Neither the sets of data nor the calculated fields have it{}", there.en),
                    ),
                    mend: replace(name, &nearest, otherwise()),
                    nearest: nearest.clone(),
                });
            }
        }
    }
    sources(ask, scope, causes);
    for total in scope.schema.totals().filter(|total| is_it(&total.data_path())) {
        let Some(element) = total.element().child("dataPath") else { continue };
        causes.inside(element, Said {
            sure: !fields.is_open,
            what: Text::new(format!("Ресурс поля «{name}»"), format!("The total of the field “{name}”")),
            why: Text::new("Такого поля нет", "There is no such field"),
            mend: replace(name, &nearest, otherwise()),
            nearest: nearest.clone(),
        });
    }
    let is_sure = causes.is_empty() && !fields.is_open;
    for (element, variant) in settings_fields(scope).into_iter().filter(|(element, _)| is_it(&element.text())) {
        causes.inside(element, Said {
            sure: is_sure,
            what: Text::new(
                format!("Поле «{name}» в настройках варианта «{variant}»"),
                format!("The field “{name}” in the settings of the variant “{variant}”"),
            ),
            why: Text::new(
                "Такого поля в отчёте нет: настройки остались от прежнего состава полей",
                "The report has no such field: the settings are older than its fields",
            ),
            mend: replace(name, &nearest, otherwise()),
            nearest: nearest.clone(),
        });
    }
}

/// Fields of sets that take a column which the query doesn't have.
fn sources<'s>(ask: &Ask<'_, 's>, scope: &Scope<'s>, causes: &mut Causes<'_>) {
    for set in &scope.sets {
        let Some(query) = ask.subject.query_of(*set).filter(|query| query.is_certain()) else { continue };
        let columns = Fields::of_query(query);
        if columns.is_open {
            continue;
        }
        for field in set.fields().filter(|field| field.kind() == FieldKind::Field) {
            let Some(element) = field.element().child("field") else { continue };
            let (source, path) = (element.text(), field.data_path());
            let is_meant = same_name(&source, ask.name()) || same_name(&path, ask.name());
            if !is_meant || source.is_empty() || columns.has(&source) {
                continue;
            }
            let nearest = Ask::nearest(&source, columns.names());
            let set = set.name();
            causes.inside(element, Said {
                sure: true,
                what: Text::new(
                    format!("Поле «{path}» набора «{set}» берёт колонку «{source}»"),
                    format!("The field “{path}” of the set “{set}” takes the column “{source}”"),
                ),
                why: Text::new("Запрос набора такой колонки не даёт", "The set's query gives no such column"),
                mend: replace(
                    &source,
                    &nearest,
                    Text::new("Верните колонку в запрос или удалите поле", "Put the column back into the query, or remove the field"),
                ),
                nearest,
            });
        }
    }
}

enum Broken {
    /// The part of the path that isn't there, the names that are, and the table.
    At { number: usize, names: Vec<String>, whose: String },
    /// All parts are there.
    No,
    /// It can't be said.
    Unknown,
}

/// Which part of a path behind a table isn't there.
fn broken(ask: &Ask<'_, '_>, query: &SetQuery<'_>, table: &TableUse, field: &FieldUse) -> Broken {
    let table_parts = field.table_parts as usize;
    let Some(first) = field.parts.get(table_parts) else { return Broken::Unknown };
    let columns = query.columns_of(table);
    if let Some(columns) = columns.as_ref().filter(|columns| !has_name(columns, first)) {
        let whose = if table.parts.is_empty() { table.alias.to_string() } else { table.parts.join(".") };
        return Broken::At { number: 0, names: columns.iter().map(|name| (*name).to_owned()).collect(), whose };
    }
    match verdict(ask.subject, query, field) {
        Verdict::There => Broken::No,
        Verdict::Wrong(wrong) => Broken::At {
            number: wrong.number.saturating_sub(table_parts),
            names: wrong.names.iter().map(|name| name.to_string()).collect(),
            whose: words::tables(&wrong.tables, first),
        },
        Verdict::Unknown if columns.is_some() && field.parts.len() == table_parts + 1 => Broken::No,
        Verdict::Unknown => Broken::Unknown,
    }
}

/// Fields that the queries of the schema take of a table of metadata.
fn used_of(ask: &Ask<'_, '_>, table: &TableUse) -> Vec<String> {
    let mut used: Vec<String> = Vec::new();
    for query in &ask.subject.queries {
        let facts = query.facts();
        for field in &facts.fields {
            let of = field.table.and_then(|number| facts.tables.get(number as usize));
            let is_same = of.is_some_and(|of| {
                if table.name.is_empty() { same_name(&of.alias, &table.alias) } else { of.name == table.name }
            });
            if let Some(name) = field.parts.get(field.table_parts as usize).filter(|_| is_same)
                && !has_name(&used, name)
            {
                used.push(name.to_string());
            }
        }
    }
    used
}

fn has_table(tables: &[&TableUse], name: &str) -> bool {
    tables.iter().any(|table| same_name(&table.alias, name))
}

/// A path with one part replaced.
fn put(before: &str, path: &[Box<str>], number: usize, name: &str) -> String {
    let parts = path.iter().enumerate().map(|(at, part)| if at == number { name } else { part });
    std::iter::once(before).chain(parts).collect::<Vec<_>>().join(".")
}

/// If nothing is near and there is little: what there is.
fn there_are(names: &[String], near: &[String]) -> Text {
    if near.is_empty() && (1..=12).contains(&names.len()) {
        let names = names.join(", ");
        return Text::new(format!("; есть: {names}"), format!("; there are: {names}"));
    }
    Text::default()
}
