//! Advisory: values and types that queries name are there.

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::query::{QueryFaultKind, report};
use crate::code::report::Findings;
use crate::code::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Значения и типы в запросах существуют", "Values and types that queries name are there"),
    source: "«Неверные параметры \"ЗНАЧЕНИЕ\"», «Тип не найден». The objects of a configuration are listed in full. \
             Modules of a library name what another configuration of its vendor has, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ ЗНАЧЕНИЕ(Справочник.Партнеры.ПустаяСсылка) КАК С\";\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ ЗНАЧЕНИЕ(Перечисление.СпособыРасчетовПартнеров.Нет) КАК С\";\nКонецПроцедуры"), "Перечисление.СпособыРасчетовПартнеров.Нет"),
            (on_server("Процедура А(Б)\n\tВ = \"ВЫБРАТЬ ТИП(Справочник.Партнёр) КАК С\";\nКонецПроцедуры"), "Справочник.Партнёр"),
        ],
    },
    run,
    ..Check::advisory("code-query-value-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    report(subject, findings, QueryFaultKind::Value);
}
