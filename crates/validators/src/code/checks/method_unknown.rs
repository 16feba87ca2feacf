//! Advisory: a method that is called without a dot is there.

use graph::platform::{self, GlobalKind};
use graph::sites::{Of, Using};

use crate::code::check::{Check, Example, Examples, Needs, on_server};
use crate::code::lookup::Called;
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("Вызываемый без точки метод существует", "A method that is called without a dot is there"),
    source: "«Процедура или функция с указанным именем не определена». Neither the module, nor a global module, nor the platform has it. \
             The list of the platform's functions isn't complete, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[
            on_server("Процедура А()\n\tБ();\n\tВ = СтрНайти(\"а\", \"б\");\nКонецПроцедуры\nПроцедура Б()\nКонецПроцедуры"),
            Example { module: "Catalog.Партнеры.ObjectModule", text: "Процедура А()\n\tЕсли ЭтоНовый() Тогда\n\t\tЗаписать();\n\tКонецЕсли;\nКонецПроцедуры" },
        ],
        invalid: &[
            (on_server("Процедура А()\n\tБа();\nКонецПроцедуры\nПроцедура Баб()\nКонецПроцедуры"), "Ба"),
            (on_server("Процедура А()\n\tВ = СтрНайтиВсе(\"а\", \"б\");\nКонецПроцедуры"), "СтрНайтиВсе"),
        ],
    },
    run,
    ..Check::advisory("code-method-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.of == Of::Bare && site.using != Using::Value) {
        if !findings.wants_more() || !matches!(subject.called(&ground, site), Called::Nothing) {
            continue;
        }
        let name = subject.facts.text(site.name);
        let own = subject.own().methods.iter().map(|method| &*method.name);
        let rest = subject.rest().unwrap_or(&[]).iter().flat_map(|outline| &outline.methods).map(|method| &*method.name);
        let functions = platform::globals().iter().filter(|global| global.kind == GlobalKind::Function);
        let names = own.chain(rest).chain(functions.flat_map(|global| [global.ru, global.en]));
        findings.at(site.line, 0, unknown(("метода", "method"), name.to_owned(), name, names));
    }
}
