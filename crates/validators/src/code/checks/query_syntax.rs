//! Advisory: queries are read without an error.

use crate::code::check::{Check, Examples, on_server};
use crate::code::query::{QueryFaultKind, report};
use crate::code::report::Findings;
use crate::code::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Запрос читается без ошибок", "The query is read without an error"),
    source: "The grammar of the query language. Texts that are put together, or of which parts are replaced before they run, are left \
             out. A text may look like a query and be none, so it doesn't block",
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Партнеры КАК Т\";\n\tГ = \"ВЫБРАТЬ Т.А ИЗ \" + Б;\nКонецПроцедуры")],
        invalid: &[(on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ Т.А КАК А ИЗ Справочник.Партнеры КАК Т ГДЕ Т.Б = )\";\nКонецПроцедуры"), "")],
    },
    run,
    ..Check::advisory("code-query-syntax")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    report(subject, findings, QueryFaultKind::Syntax);
}
