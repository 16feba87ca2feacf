//! Advisory: a function of the platform is called with as many arguments as it takes.

use crate::Text;
use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::lookup::{Called, given};
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::said;

pub(super) const CHECK: Check = Check {
    title: ("Функция платформы вызвана с нужным числом параметров", "A function of the platform is called with as many arguments as it takes"),
    source: "«Слишком много фактических параметров». Signatures of a public list; a newer version of the platform may take more, so it \
             doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tВ = СтрНайти(Б, \"а\");\n\tГ = СтрШаблон(Б, 1, 2, 3, 4);\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А(Б)\n\tВ = СтрНайти(Б);\nКонецПроцедуры"), "СтрНайти"),
            (on_server("Процедура А(Б)\n\tВ = ВРег(Б, 1);\nКонецПроцедуры"), "ВРег"),
        ],
    },
    run,
    ..Check::advisory("code-platform-arity")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites() {
        let Some(given) = given(site) else { continue };
        let Called::Platform(function) = subject.called(&ground, site) else { continue };
        let (least, most) = (function.least.unwrap_or(0), function.most.unwrap_or(u16::MAX));
        if least <= given && given <= most {
            continue;
        }
        let name = subject.facts.text(site.name).to_owned();
        let takes = match function.most {
            Some(most) if most == least => most.to_string(),
            Some(most) => format!("{least}–{most}"),
            None => format!("≥ {least}"),
        };
        let what = Text::new(
            format!("{name}: передано параметров {given}, функция платформы берёт {takes}"),
            format!("{name}: {given} arguments are given, the function of the platform takes {takes}"),
        );
        let mend = Text::new("Исправьте число параметров", "Correct the number of arguments");
        findings.at(site.line, 0, said(name, what, mend));
    }
}
