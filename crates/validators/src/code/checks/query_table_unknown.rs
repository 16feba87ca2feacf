//! Advisory: tables of queries are there.

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::query::{QueryFaultKind, report};
use crate::code::report::Findings;
use crate::code::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Таблицы запросов существуют", "Tables of queries are there"),
    source: "«Таблица не найдена». The objects of a configuration are listed in full. Modules of a library name what another configuration of its vendor has, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ Т.Ссылка КАК С ИЗ Справочник.Партнеры КАК Т\";\nКонецПроцедуры")],
        invalid: &[(on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ Т.Ссылка КАК С ИЗ Справочник.Партнёр КАК Т\";\nКонецПроцедуры"), "Справочник.Партнёр")],
    },
    run,
    ..Check::advisory("code-query-table-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    report(subject, findings, QueryFaultKind::Table);
}
