//! Blocking: `Справочники.X`, `Метаданные.Справочники.X` name an object that is there.

use graph::sites::{Holder, Of, Using};
use metadata::Kind;

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::report::Findings;
use crate::code::subject::{Ground, Subject};
use crate::code::words::unknown;
use crate::dcs::words as text;

pub(super) const CHECK: Check = Check {
    title: ("Названный объект метаданных существует", "The metadata object that is named is there"),
    source: "«Поле объекта не обнаружено». The objects of a configuration are listed in full; no genuine module has such a place",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А()\n\tБ = Справочники.Партнеры;\n\tВ = Справочники.ТипВсеСсылки();\n\tГ = Метаданные.Документы.ПродажаТоваров;\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А()\n\tБ = Справочники.Партнёр;\nКонецПроцедуры"), "Справочники.Партнёр"),
            (on_server("Процедура А()\n\tБ = Метаданные.Документы.ПродажиТоваров;\nКонецПроцедуры"), "Метаданные.Документы.ПродажиТоваров"),
            (on_server("Процедура А()\n\tБ = РегистрыСведений.ЦеныТовара.СрезПоследних();\nКонецПроцедуры"), "РегистрыСведений.ЦеныТовара"),
        ],
    },
    run,
    ..Check::blocking("code-metadata-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.using == Using::Value) {
        let kind = match &site.of {
            Of::Described(kind) => *kind,
            Of::Values(holders) => match holders[..] {
                [Holder::Collection(kind)] => kind,
                _ => continue,
            },
            Of::Bare => continue,
        };
        let name = subject.facts.text(site.name);
        if findings.wants_more() && !is_there(&ground, kind, name) {
            let words: text::Kind = ("объекта метаданных", "metadata object");
            findings.at(site.line, 0, unknown(words, subject.written(site), name, ground.world.names_of_kind(kind)));
        }
    }
}

fn is_there(ground: &Ground<'_>, kind: Kind, name: &str) -> bool {
    let world = ground.world;
    world.ident(name).is_some_and(|name| world.object(kind, name).is_some())
}
