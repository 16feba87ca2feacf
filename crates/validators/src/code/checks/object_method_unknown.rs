//! Advisory: a method that is called on a manager or an object is there.

use graph::sites::{Holder, Of, Using};

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::lookup::Called;
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("У менеджера или объекта есть вызываемый метод", "A manager or an object has the method that is called"),
    source: "«Метод объекта не обнаружен». Neither the module of the manager or object nor any type of the platform has a method of \
             this name. The list of the platform's methods isn't complete, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tВ = Справочники.Партнеры.НайтиПоКоду(Б);\n\tГ = В.ПолучитьОбъект();\n\tГ.Записать();\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А(Б)\n\tВ = Справочники.Партнеры.НайтиПоКодуИли(Б);\nКонецПроцедуры"), "Справочники.Партнеры.НайтиПоКодуИли"),
            (on_server("Процедура А(Б)\n\tВ = Справочники.Партнеры.СоздатьЭлемент();\n\tВ.Записатьь();\nКонецПроцедуры"), "В.Записатьь"),
        ],
    },
    run,
    ..Check::advisory("code-object-method-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.using != Using::Value) {
        let Of::Values(holders) = &site.of else { continue };
        let are_modules = holders.iter().all(|holder| matches!(holder, Holder::Module(_)));
        if are_modules || !findings.wants_more() || !matches!(subject.called(&ground, site), Called::Nothing) {
            continue;
        }
        let name = subject.facts.text(site.name);
        let names: Vec<String> = holders.iter().flat_map(|holder| subject.callable_on(&ground, *holder)).collect();
        findings.at(site.line, 0, unknown(("метода", "method"), subject.written(site), name, names.iter().map(String::as_str)));
    }
}
