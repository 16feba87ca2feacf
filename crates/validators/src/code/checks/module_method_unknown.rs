//! Blocking: `Модуль.Метод(…)` calls an exported method of the common module.

use graph::sites::{Holder, Of, Using};

use crate::Text;
use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::lookup::Called;
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("У общего модуля есть вызываемый экспортный метод", "A common module exports the method that is called"),
    source: "«Метод объекта не обнаружен». The module was read in full, with those that extend it; no genuine module has such a call",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б) Экспорт\n\tПроведениеТорговли.А(Б);\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура Аист() Экспорт\n\tПроведениеТорговли.Аис();\nКонецПроцедуры"), "ПроведениеТорговли.Аис"),
            (on_server("Процедура А()\n\tМ = ПроведениеТорговли;\n\tМ.А();\nКонецПроцедуры"), "М.А"),
        ],
    },
    run,
    ..Check::blocking("code-module-method-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.using != Using::Value) {
        let Of::Values(holders) = &site.of else { continue };
        let are_modules = holders.iter().all(|holder| matches!(holder, Holder::Module(_)));
        if !are_modules || !findings.wants_more() || !matches!(subject.called(&ground, site), Called::Nothing) {
            continue;
        }
        let name = subject.facts.text(site.name);
        let names: Vec<String> = holders.iter().flat_map(|holder| subject.callable_on(&ground, *holder)).collect();
        let kind = ("экспортного метода", "exported method");
        let mut said = unknown(kind, subject.written(site), name, names.iter().map(String::as_str));
        if subject.declares_on(&ground, holders, name) {
            said.mend = Text::new(
                "Метод в модуле есть, но он не экспортный: добавьте ему слово «Экспорт» или вызовите другой",
                "The module has the method, but doesn't export it: add «Экспорт» to it, or call another one",
            );
        }
        findings.at(site.line, 0, said);
    }
}
