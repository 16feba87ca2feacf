//! Advisory: fields of queries are there, along references.

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::query::{QueryFaultKind, report};
use crate::code::report::Findings;
use crate::code::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Поля запросов существуют", "Fields of queries are there"),
    source: "«Поле не найдено». Only tables whose fields are known in full. Modules of a library name what another configuration of its vendor has, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ Т.Наименование КАК Н ИЗ Справочник.Партнеры КАК Т\";\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ Т.Наименованье КАК Н ИЗ Справочник.Партнеры КАК Т\";\nКонецПроцедуры"), "Т.Наименованье"),
            (on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ В.Нет КАК Н ИЗ (ВЫБРАТЬ Т.Ссылка КАК С ИЗ Справочник.Партнеры КАК Т) КАК В\";\nКонецПроцедуры"), "В.Нет"),
        ],
    },
    run,
    ..Check::advisory("code-query-field-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    report(subject, findings, QueryFaultKind::Field);
}
