//! Advisory: `Справочники.X.Y` names a predefined item that is there.

use graph::platform;
use graph::sites::{Holder, Of, Using};

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("Названный предопределённый элемент существует", "The predefined item that is named is there"),
    source: "«Поле объекта не обнаружено». Managers may have properties by the platform that no list has, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А()\n\tБ = Справочники.Партнеры.ПустаяСсылка();\nКонецПроцедуры")],
        invalid: &[(on_server("Процедура А()\n\tБ = Справочники.Партнеры.НетТакого;\nКонецПроцедуры"), "Справочники.Партнеры.НетТакого")],
    },
    run,
    ..Check::advisory("code-predefined-unknown")
};

/// Kinds of objects that have predefined items.
const KINDS: [&str; 4] = ["Catalog", "ChartOfCharacteristicTypes", "ChartOfAccounts", "ChartOfCalculationTypes"];

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.using == Using::Value) {
        let Of::Values(holders) = &site.of else { continue };
        let has_items = |object| ground.world.kind_of(object).is_some_and(|kind| KINDS.contains(&kind.en()));
        let [Holder::Manager(object)] = holders[..] else { continue };
        let name = subject.facts.text(site.name);
        let is_known = ground.world.has_value(object, name) || platform::is_property(name);
        if has_items(object) && !is_known && findings.wants_more() {
            let names = ground.world.names_in(object, false);
            findings.at(site.line, 0, unknown(("предопределённого элемента", "predefined item"), subject.written(site), name, names));
        }
    }
}
