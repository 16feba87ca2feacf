//! «Повторяющийся псевдоним "Сумма"»: of columns in one branch, or of tables.

use bsl::fold;
use bsl::query::{QueryFacts, Span};
use rustc_hash::FxHashMap;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::Ask;
use crate::dcs::explain::causes::{Causes, Said};

pub(super) const KIND: Kind =
    Kind { code: "alias-repeated", title: ("Повторяющийся псевдоним", "An alias is repeated"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for query in ask.queries() {
        for (name, first, again, is_column) in repeated(query.facts()) {
            if !ask.name().is_empty() && fold(&name) != fold(ask.name()) {
                continue;
            }
            let line = |span: Span| {
                let byte = query.element.byte_of_text(span.start as usize);
                byte.map_or(span.line, |byte| ask.subject.document.tree().line(byte))
            };
            let first = line(first);
            let (ru, en) = if is_column { ("колонки", "column") } else { ("таблицы", "table") };
            let free = free(query.facts(), &name);
            causes.in_text(query.element, again.range(), Said {
                sure: true,
                what: Text::new(format!("Псевдоним {ru} «{name}» второй раз"), format!("The alias “{name}” of a {en} a second time")),
                why: Text::new(
                    format!("В той же части запроса он уже дан в строке {first}"),
                    format!("The same part of the query gives it in line {first} already"),
                ),
                mend: Text::new(
                    format!("Дайте другой псевдоним, например «{free}», или уберите лишнее"),
                    format!("Give another alias, as “{free}”, or remove one of the two"),
                ),
                nearest: vec![free],
            });
        }
    }
    if causes.is_empty() {
        let why = Text::new("Имя в схеме повторяется", "A name is repeated in the schema");
        for finding in ask.findings(&["dcs-calculated-repeated", "dcs-calculated-shadows-field", "dcs-total-repeated"]) {
            let is_it = ask.name().is_empty() || finding.what.ru.contains(&format!("«{}»", ask.name()));
            if is_it {
                causes.finding(finding, why.clone());
            }
        }
    }
}

/// Aliases that stand twice: name, first place, second place, whether it is one of a column.
fn repeated(facts: &QueryFacts) -> Vec<(String, Span, Span, bool)> {
    let mut found = Vec::new();
    for branch in facts.selects.iter().flat_map(|select| &select.branches) {
        let mut seen: FxHashMap<String, Span> = FxHashMap::default();
        for column in branch.columns.iter().filter(|column| column.explicit) {
            match seen.get(&fold(&column.name)) {
                Some(&first) => found.push((column.name.to_string(), first, column.span, true)),
                None => {
                    seen.insert(fold(&column.name), column.span);
                }
            }
        }
        seen.clear();
        for table in branch.tables.iter().filter_map(|&table| facts.tables.get(table as usize)) {
            match seen.get(&fold(&table.alias)) {
                _ if table.alias.is_empty() => {}
                Some(&first) => found.push((table.alias.to_string(), first, table.span, false)),
                None => {
                    seen.insert(fold(&table.alias), table.span);
                }
            }
        }
    }
    found
}

/// A name with a number that no column or table has.
fn free(facts: &QueryFacts, name: &str) -> String {
    let columns = facts.selects.iter().flat_map(|select| &select.branches).flat_map(|branch| &branch.columns);
    let mut used: Vec<String> = columns.map(|column| fold(&column.name)).collect();
    used.extend(facts.tables.iter().map(|table| fold(&table.alias)));
    let mut number = 1;
    while used.contains(&fold(&format!("{name}{number}"))) {
        number += 1;
    }
    format!("{name}{number}")
}
