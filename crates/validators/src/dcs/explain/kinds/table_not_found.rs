//! «Таблица не найдена "Справочник.Товар"»: a table of metadata, or a temporary table.

use bsl::fold;
use bsl::query::{TableUse, TempTableAction, virtual_tables_instead};

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, replace};
use crate::dcs::explain::causes::{Causes, Said};
use crate::dcs::subject::SetQuery;
use crate::dcs::words;

pub(super) const KIND: Kind =
    Kind { code: "table-not-found", title: ("Таблица не найдена", "A table is not found"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for query in ask.queries() {
        let spot = ask.spot(query.text);
        for table in &query.facts().tables {
            let written = table.parts.join(".");
            if table.parts.is_empty() || (!ask.name().is_empty() && fold(&written) != fold(ask.name())) {
                continue;
            }
            let is_there = spot.is_some_and(|at| table.span.range().contains(&at));
            if ask.has_spot() && !is_there {
                continue;
            }
            cause(ask, query, table, &written, is_there, causes);
        }
    }
}

fn cause(ask: &Ask<'_, '_>, query: &SetQuery<'_>, table: &TableUse, written: &str, is_there: bool, causes: &mut Causes<'_>) {
    let catalog = ask.subject.catalog;
    let instead = virtual_tables_instead(&table.parts);
    let known = match instead.is_some() {
        true => Some(false),
        false => catalog.filter(|_| !table.name.is_empty()).and_then(|catalog| catalog.has_table(&table.name)),
    };
    let is_named = !ask.name().is_empty();
    if table.made_by.is_some() || known == Some(true) || (!is_named && known.is_none() && !is_there && table.parts.len() > 1) {
        return;
    }
    let (why, nearest, otherwise);
    if let [name] = &table.parts[..] {
        let made: Vec<&str> = query
            .facts()
            .temp_tables
            .iter()
            .filter(|one| matches!(one.action, TempTableAction::Made | TempTableAction::Extended))
            .map(|one| &*one.name)
            .collect();
        nearest = Ask::nearest(name, made.iter().copied());
        let is_later = made.iter().any(|other| bsl::same_name(other, name));
        let made = made.join(", ");
        why = match (is_later, made.is_empty()) {
            (true, _) => Text::new(
                "Временная таблица создаётся ниже по тексту или уже уничтожена",
                "The temporary table is made further down, or is dropped already",
            ),
            (false, true) => Text::new("Запрос не создаёт временных таблиц", "The query makes no temporary table"),
            (false, false) => Text::new(
                format!("Запрос не создаёт такой временной таблицы; создаёт: {made}"),
                format!("The query makes no such temporary table; it makes: {made}"),
            ),
        };
        otherwise = Text::new(
            "Создайте таблицу раньше по тексту (ПОМЕСТИТЬ) или исправьте имя",
            "Make the table before (INTO), or correct the name",
        );
    } else {
        nearest = match (catalog.filter(|_| !table.name.is_empty()), &instead) {
            (_, Some(names)) => words::names_near(table, names),
            (Some(catalog), None) => words::near_tables(catalog, table),
            (None, None) => {
                // Tables that the file names elsewhere.
                let all = ask.subject.queries.iter().flat_map(|query| &query.facts().tables);
                // Of a longer name (`РегистрНакопления.Х.Остатки`) the part of the same length.
                let all = all.map(|one| one.parts.iter().take(table.parts.len()).map(|part| &**part).collect::<Vec<_>>().join("."));
                let others: Vec<String> = all.filter(|one| fold(one) != fold(written)).collect();
                Ask::nearest(written, others.iter().map(String::as_str))
            }
        };
        why = if let Some(names) = instead {
            let names = names.join(", ");
            Text::new(
                format!("Такой виртуальной таблицы платформа не делает; есть: {names}"),
                format!("The platform makes no such virtual table; there are: {names}"),
            )
        } else if table.name.is_empty() {
            Text::new(
                format!("«{}» — не вид таблиц, которые есть у платформы, или таблица названа не полностью", table.parts[0]),
                format!("“{}” is no kind of table of the platform, or the table isn't named in full", table.parts[0]),
            )
        } else {
            Text::new("В конфигурации такой таблицы нет", "The configuration has no such table")
        };
        otherwise = Text::new(
            "Исправьте имя объекта; если объект переименован или удалён, замените таблицу",
            "Correct the object's name; if it is renamed or removed, use another table",
        );
    }
    causes.in_text(query.element, table.span.range(), Said {
        sure: is_there || is_named || known == Some(false),
        what: Text::new(format!("Таблица «{written}» запроса"), format!("The table “{written}” of the query")),
        why,
        mend: replace(written, &nearest, otherwise),
        nearest,
    });
}
