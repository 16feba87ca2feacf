//! Level 4, advisory: queries are read without an error.

use crate::Text;
use crate::code::query::in_russian;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Запрос читается без ошибок", "The query is read without an error"),
    source: "The grammar of the query language; texts of which parts are replaced before they run are left out. Measured: see the ledger",
    examples: Examples {
        valid: &["<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Т КАК Т ГДЕ Т.Б &lt; 2</query></dataSet>"],
        invalid: &[("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Т КАК Т ГДЕ</query></dataSet>", "ГДЕ"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ СУММА(А КАК Б</query></dataSet>", "КАК")],
    },
    run,
    ..Check::advisory(4, "dcs-query-syntax")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| !query.text.trim().is_empty()) {
        for problem in &query.facts().problems {
            // What is missing at the end is shown at the last word.
            let range = problem.span.range();
            let range = if range.is_empty() { last_word(query.text, range.start) } else { range };
            let (line, column, why) = (problem.span.line, problem.column, problem.kind);
            findings.in_text(
                query.element,
                range,
                Text::new(
                    format!("Запрос не читается, строка {line}, позиция {column}: {}", in_russian(why)),
                    format!("The query can't be read, line {line}, column {column}: {why}"),
                ),
                Text::new("Исправьте текст запроса в этом месте", "Correct the query at this place"),
            );
        }
    }
}

/// The last word before a byte.
fn last_word(text: &str, at: usize) -> std::ops::Range<usize> {
    let before = text.get(..at).unwrap_or(text).trim_end();
    let start = before.rfind(char::is_whitespace).map_or(0, |space| space + before[space..].chars().next().map_or(1, char::len_utf8));
    start..before.len()
}
