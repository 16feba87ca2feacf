//! «Неоднозначное поле "Код"»: several tables of a query have it, or two tables bear one alias.

use bsl::query::TableUse;
use bsl::same_name;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, replace};
use crate::dcs::explain::causes::{Causes, Said};
use crate::dcs::subject::has_name;

pub(super) const KIND: Kind =
    Kind { code: "field-ambiguous", title: ("Неоднозначное поле", "An ambiguous field"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    if ask.name().is_empty() {
        let why = Text::new("Поле есть в нескольких таблицах запроса", "Several tables of the query have the field");
        ask.findings(&["dcs-query-field-ambiguous"]).for_each(|finding| causes.finding(finding, why.clone()));
        return;
    }
    for query in ask.queries() {
        let facts = query.facts();
        let spot = ask.spot(query.text);
        for field in ask.fields(query) {
            let is_there = spot.is_some_and(|at| field.span.range().contains(&at));
            if ask.has_spot() && !is_there {
                continue;
            }
            let branch = facts.selects.get(field.select as usize).and_then(|one| one.branches.get(field.branch as usize));
            let (Some(branch), Some(first)) = (branch, field.parts.first()) else { continue };
            let tables = || branch.tables.iter().filter_map(|&table| facts.tables.get(table as usize));
            let twins: Vec<&TableUse> = tables().filter(|table| same_name(&table.alias, first)).collect();
            let written = field.parts.join(".");
            let (why, nearest, is_wrong);
            if twins.len() > 1 {
                let names: Vec<String> = twins.iter().map(|table| table.parts.join(".")).collect();
                why = Text::new(
                    format!("Псевдоним «{first}» есть у нескольких таблиц: {}", names.join(", ")),
                    format!("Several tables bear the alias “{first}”: {}", names.join(", ")),
                );
                nearest = Vec::new();
                is_wrong = true;
            } else if twins.is_empty() && tables().count() > 1 {
                let has = |table: &&TableUse| match query.columns_of(table) {
                    Some(columns) => Some(has_name(&columns, first)),
                    None => ask.subject.catalog.and_then(|catalog| catalog.has_field(&table.name, first)),
                };
                let having: Vec<&str> =
                    tables().filter(|table| has(table) == Some(true)).map(|table| &*table.alias).collect();
                let may: Vec<&str> = tables().filter(|table| has(table) != Some(false)).map(|table| &*table.alias).collect();
                is_wrong = is_there || having.len() > 1;
                nearest = may.iter().map(|table| format!("{table}.{written}")).collect::<Vec<_>>();
                why = if having.len() > 1 {
                    let having = having.join(", ");
                    Text::new(format!("Поле есть в таблицах {having}"), format!("The tables {having} have the field"))
                } else {
                    let may = may.join(", ");
                    Text::new(
                        format!("Таблица не указана, а поле есть в нескольких из них: {may}"),
                        format!("No table is named, and several of these have the field: {may}"),
                    )
                };
            } else {
                continue;
            }
            let otherwise = Text::new("Дайте таблицам разные псевдонимы", "Give the tables aliases of their own");
            causes.in_text(query.element, field.span.range(), Said {
                sure: is_wrong,
                what: Text::new(format!("Поле «{written}» без таблицы"), format!("The field “{written}” without a table")),
                why,
                mend: replace(&written, &nearest, otherwise),
                nearest,
            });
        }
    }
}
