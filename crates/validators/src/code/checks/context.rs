//! Blocking: a called method is there where the code runs: on the client, on the server.

use bsl::{Context, Contexts};
use graph::contexts::{CLIENTS, SERVERS};
use graph::outline::OutlineMethod;
use graph::sites::{Of, Site, Using};
use graph::world::ModuleId;
use metadata::ModuleKind;

use crate::Text;
use crate::code::check::{Check, Example, Examples, Needs, on_server};
use crate::code::lookup::Called;
use crate::code::report::Findings;
use crate::code::subject::{Ground, Subject};
use crate::code::words::said;

pub(super) const CHECK: Check = Check {
    title: ("Вызываемый метод есть там, где выполняется код", "A called method is there where the code runs"),
    source: "Kinds of modules, flags, directives and #Если decide where code compiles; the call works in none of its places. A procedure \
             without the form's context calls only such ones",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[
            on_server("Процедура А()\n\tБ = ОбщиеСредства;\nКонецПроцедуры"),
            Example {
                module: "CommonForm.ПанельТорговли",
                text: "&НаКлиенте\nПроцедура А(К)\n\tБ();\nКонецПроцедуры\n&НаСервере\nПроцедура Б()\nКонецПроцедуры",
            },
        ],
        invalid: &[
            (
                Example {
                    module: "CommonForm.ПанельТорговли",
                    text: "&НаСервере\nПроцедура А()\n\tБ();\nКонецПроцедуры\n&НаКлиенте\nПроцедура Б()\nКонецПроцедуры",
                },
                "Б",
            ),
            (
                Example {
                    module: "CommonForm.ПанельТорговли",
                    text: "&НаСервереБезКонтекста\nПроцедура А()\n\tБ();\nКонецПроцедуры\n&НаСервере\nПроцедура Б()\nКонецПроцедуры",
                },
                "Б",
            ),
        ],
    },
    run,
    ..Check::blocking("code-context")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    let Some(place) = ground.place() else { return };
    for site in subject.sites().iter().filter(|site| site.using != Using::Value) {
        let Called::Methods(methods) = subject.called(&ground, site) else { continue };
        let method = site.method.and_then(|method| subject.facts.methods.get(method as usize));
        let conditions = subject.facts.contexts_at(site.line);
        let (directive, export) = method.map_or((None, false), |method| (method.context, method.export));
        let from = place.method(directive, export, conditions).compiles;
        let impossible = |(module, target): &(ModuleId, OutlineMethod)| {
            let place = ground.places.get(module.0 as usize)?;
            let there = place.method(target.directive, target.export, target.contexts);
            there.called_from(from).impossible.then_some(there.compiles)
        };
        let name = subject.written(site);
        let there: Option<Vec<Contexts>> = methods.iter().map(impossible).collect();
        if let Some(there) = there.and_then(|there| there.into_iter().reduce(|a, b| a | b)) {
            let what = Text::new(
                format!("{name}: метод выполняется {}, а код {}", ru(there), ru(from)),
                format!("{name}: the method runs {}, the code {}", en(there), en(from)),
            );
            let mend = Text::new(
                "Вызовите метод другого модуля или вынесите этот код в процедуру нужного контекста",
                "Call a method of another module, or move this code into a procedure of the right context",
            );
            findings.at(site.line, 0, said(name, what, mend));
        } else if lacks_form(&ground, directive, site, &methods) {
            let what = Text::new(
                format!("{name}: код без контекста формы вызывает метод, которому он нужен"),
                format!("{name}: code without the form's context calls a method that needs it"),
            );
            let mend = Text::new(
                "Вызовите метод с директивой «…БезКонтекста» или снимите «БезКонтекста» с этого",
                "Call a method whose directive says «БезКонтекста», or take it from this one",
            );
            findings.at(site.line, 0, said(name, what, mend));
        }
    }
}

/// A procedure that was declared without the form's context calls one of the form that needs it.
fn lacks_form(ground: &Ground<'_>, from: Option<Context>, site: &Site, called: &[(ModuleId, OutlineMethod)]) -> bool {
    let is_form = ground.info().is_some_and(|info| info.kind == ModuleKind::FormModule);
    let without =
        |directive| matches!(directive, Some(Context::AtServerNoContext | Context::AtClientAtServerNoContext));
    // `#Если` chooses among methods of one name.
    let needs = |(module, method): &(ModuleId, OutlineMethod)| *module == ground.id() && !without(method.directive);
    is_form && without(from) && site.of == Of::Bare && called.iter().all(needs)
}

fn ru(contexts: Contexts) -> &'static str {
    match (
        contexts.intersects(CLIENTS | Contexts::THICK_CLIENT_ORDINARY),
        contexts.intersects(SERVERS | Contexts::EXTERNAL_CONNECTION),
    ) {
        (true, true) => "на клиенте и на сервере",
        (true, false) => "на клиенте",
        (false, true) => "на сервере",
        (false, false) => "нигде",
    }
}

fn en(contexts: Contexts) -> &'static str {
    match ru(contexts) {
        "на клиенте и на сервере" => "on the client and on the server",
        "на клиенте" => "on the client",
        "на сервере" => "on the server",
        _ => "nowhere",
    }
}
