//! Blocking: `Перечисления.X.Y` names a value that the enumeration has.

use graph::sites::{Holder, Of, Using};

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("У перечисления есть названное значение", "The enumeration has the value that is named"),
    source: "«Поле объекта не обнаружено». The values of an enumeration are listed in full; no genuine module has such a place",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А()\n\tБ = Перечисления.СпособыРасчетовПартнеров.ПустаяСсылка();\nКонецПроцедуры")],
        invalid: &[(on_server("Процедура А()\n\tБ = Перечисления.СпособыРасчетовПартнеров.НетТакого;\nКонецПроцедуры"), "Перечисления.СпособыРасчетовПартнеров.НетТакого")],
    },
    run,
    ..Check::blocking("code-enum-value-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.using == Using::Value) {
        let Of::Values(holders) = &site.of else { continue };
        let is_enum = |object| ground.world.kind_of(object).is_some_and(|kind| kind.is("Enum"));
        let [Holder::Manager(object)] = holders[..] else { continue };
        let name = subject.facts.text(site.name);
        if is_enum(object) && !ground.world.has_value(object, name) && findings.wants_more() {
            let names = ground.world.names_in(object, false);
            findings.at(site.line, 0, unknown(("значения перечисления", "enumeration value"), subject.written(site), name, names));
        }
    }
}
