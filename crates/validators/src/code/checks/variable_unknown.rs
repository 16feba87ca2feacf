//! Advisory: a bare name is something: a variable, an attribute, a common module, something of the platform.

use bsl::{Expr, StatementKind};
use graph::sites::{Of, Site, Using};

use crate::code::check::{Check, Example, Examples, Needs, on_server};
use crate::code::report::Findings;
use crate::code::subject::{Ground, Subject};
use crate::code::words::unknown;

pub(super) const CHECK: Check = Check {
    title: ("Имя без точки что-то означает", "A bare name means something"),
    source: "«Переменная не определена». Nothing is assigned to it in the method, and no module, attribute, collection or name of the \
             platform is called so. The list of the platform's names isn't complete, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[
            on_server("Процедура А(Б)\n\tВ = Б;\n\tГ = В + Символы.ПС;\n\tДля Каждого Д Из Справочники Цикл\n\t\tЕ = Д;\n\tКонецЦикла;\nКонецПроцедуры"),
            Example { module: "Catalog.Партнеры.ObjectModule", text: "Процедура А()\n\tБ = Наименование + Код;\n\tВ = ДополнительныеСвойства;\nКонецПроцедуры" },
        ],
        invalid: &[
            (on_server("Процедура А(Б)\n\tВ = Бэ;\nКонецПроцедуры"), "Бэ"),
            (on_server("Процедура А(Б)\n\tВ = ПроведениеТорговля.Найти(Б);\nКонецПроцедуры"), "ПроведениеТорговля"),
            (Example { module: "Catalog.Партнеры.ObjectModule", text: "Процедура А()\n\tБ = Наименовани;\nКонецПроцедуры" }, "Наименовани"),
        ],
    },
    run,
    ..Check::advisory("code-variable-unknown")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    for site in subject.sites().iter().filter(|site| site.of == Of::Bare && site.using == Using::Value) {
        // Statements of a part stand in a method that isn't there.
        if ground.is_part && site.method.is_none() || !findings.wants_more() {
            continue;
        }
        let name = subject.facts.text(site.name);
        if !subject.may_be_something(&ground, name) {
            let names = names(subject, &ground, site);
            let said = unknown(("переменной или модуля", "variable or module"), name.to_owned(), name, names);
            findings.at(site.line, 0, said);
        }
    }
}

/// Names that could be meant.
fn names<'s>(subject: &'s Subject<'_>, ground: &Ground<'s>, site: &Site) -> Vec<&'s str> {
    let facts = subject.facts;
    let code = subject.code_of(site);
    let method = site.method.and_then(|method| facts.methods.get(method as usize));
    let mut names: Vec<&str> = method.into_iter().flat_map(|m| &m.params).map(|param| facts.text(param.name)).collect();
    names.extend(facts.variables.iter().map(|variable| facts.text(variable.name)));
    names.extend(code.statements.iter().filter_map(|statement| match statement.kind {
        StatementKind::Assign(target, _) => match code.expr(target) {
            Expr::Name(name) => Some(facts.text(name)),
            _ => None,
        },
        StatementKind::Var(name) | StatementKind::For(name, ..) | StatementKind::ForEach(name, _) => {
            Some(facts.text(name))
        }
        _ => None,
    }));
    if let Some(form) = ground.form() {
        names.extend(form.attributes.iter().map(|attribute| &*attribute.name));
    } else if let Some(info) = ground.info() {
        names.extend(ground.world.names_in(info.owner, true));
    }
    names.extend(ground.world.names_of_common_modules());
    names
}
