//! Blocking: a method of the configuration is called with as many arguments as it takes.

use graph::outline::OutlineMethod;

use crate::Text;
use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::lookup::{Called, given};
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::said;

pub(super) const CHECK: Check = Check {
    title: ("Метод вызван с нужным числом параметров", "A method is called with as many arguments as it takes"),
    source: "«Слишком много фактических параметров», «Недостаточно фактических параметров». The text of the method was read; no genuine \
             module has such a call",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А(Б, В = 1) Экспорт\n\tА(1);\n\tА(1, 2);\n\tПроведениеТорговли.А( , 2);\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А(Б, В = 1) Экспорт\n\tА();\nКонецПроцедуры"), "А"),
            (on_server("Процедура А(Б, В = 1) Экспорт\n\tА(1, 2, 3);\nКонецПроцедуры"), "А"),
            (on_server("Процедура А(Б, В = 1) Экспорт\n\tПроведениеТорговли.А(1, 2, );\nКонецПроцедуры"), "ПроведениеТорговли.А"),
        ],
    },
    run,
    ..Check::blocking("code-arity")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites() {
        let Some(given) = given(site) else { continue };
        let Called::Methods(methods) = subject.called(&ground, site) else { continue };
        let takes = |method: &OutlineMethod| method.least <= given && usize::from(given) <= method.params.len();
        // Under `#Если`, or of several things that it may be called on: one that takes them is enough.
        if methods.iter().any(|(_, method)| takes(method)) {
            continue;
        }
        let Some((_, method)) = methods.first() else { continue };
        let (name, most, params) = (subject.written(site), method.params.len(), method.params.join(", "));
        let (ru, en) = match usize::from(given) > most {
            true => ("слишком много", "too many"),
            false => ("недостаточно", "not enough"),
        };
        let takes = if usize::from(method.least) == most { most.to_string() } else { format!("{}–{most}", method.least) };
        let what = Text::new(
            format!("{name}: {ru} параметров, передано {given}, метод берёт {takes}"),
            format!("{name}: {en} arguments, {given} are given, the method takes {takes}"),
        );
        let mend = Text::new(
            format!("Параметры метода: {}({params})", method.name),
            format!("The method's parameters: {}({params})", method.name),
        );
        findings.at(site.line, 0, said(name, what, mend));
    }
}
