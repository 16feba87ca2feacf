//! Advisory: `Ссылка.Реквизит` names a field that the object has.

use graph::platform;
use graph::sites::{Holder, Of, Using};
use graph::value::Aspect;
use metadata::ModuleKind;

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::report::Findings;
use crate::code::subject::{Ground, Subject};
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("У объекта есть названный реквизит", "The object has the field that is named"),
    source: "«Поле объекта не обнаружено». What stands before the dot is certain; neither its metadata nor any type of the platform has \
             such a property. The list of the platform's properties isn't complete, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server(
            "Процедура А(Б)\n\tВ = Справочники.Партнеры.НайтиПоКоду(Б);\n\tГ = В.Наименование + Б.Нет;\nКонецПроцедуры",
        )],
        invalid: &[(
            on_server(
                "Процедура А(Б)\n\tВ = Справочники.Партнеры.НайтиПоКоду(Б);\n\tГ = В.Наименованье;\nКонецПроцедуры",
            ),
            "В.Наименованье",
        )],
    },
    run,
    ..Check::advisory("code-attribute-unknown")
};

/// Kinds of objects whose records have fields beside those that metadata lists (`СубконтоДт`, `ВалютаКт` …), or take them from
/// elsewhere.
const OPEN_KINDS: [&str; 5] =
    ["AccountingRegister", "CalculationRegister", "ExternalDataSource", "DocumentJournal", "Sequence"];

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.using == Using::Value) {
        let Of::Values(holders) = &site.of else { continue };
        let name = subject.facts.text(site.name);
        if !findings.wants_more() || holders.iter().any(|holder| may_have(subject, &ground, *holder, name)) {
            continue;
        }
        let names = holders.iter().flat_map(|holder| names(&ground, *holder));
        findings.at(site.line, 0, unknown(("реквизита", "field"), subject.written(site), name, names));
    }
}

/// Whether a thing may have a property of that name; true where that is not certain.
fn may_have(subject: &Subject<'_>, ground: &Ground<'_>, of: Holder, name: &str) -> bool {
    let Holder::Instance { object, aspect } = of else { return true };
    let world = ground.world;
    let is_open = world.kind_of(object).is_none_or(|kind| OPEN_KINDS.contains(&kind.en()));
    if is_open || world.has_field(object, name) || platform::is_property(name) {
        return true;
    }
    // What a form shows has columns and fields of the form's own.
    if ground.info().is_none_or(|info| info.kind == ModuleKind::FormModule) {
        return true;
    }
    match aspect {
        Aspect::Ref | Aspect::Record | Aspect::RecordManager | Aspect::RecordKey | Aspect::RecordSet => false,
        // Variables that the object's module exports are properties, too.
        Aspect::Object | Aspect::ValueManager => {
            let modules = world.modules_behind(of, ground.id());
            modules.into_iter().any(|module| {
                if module == ground.id() {
                    return subject.own().has_variable(name, true);
                }
                ground.outlines.outline(module).is_none_or(|outline| outline.has_variable(name, true))
            })
        }
        Aspect::Rows if world.name(object).contains(".TabularSection.") => false,
        Aspect::Rows | Aspect::Selection | Aspect::List | Aspect::Records => true,
    }
}

fn names<'w>(ground: &Ground<'w>, of: Holder) -> Vec<&'w str> {
    match of {
        Holder::Instance { object, .. } => ground.world.names_in(object, true),
        _ => Vec::new(),
    }
}
