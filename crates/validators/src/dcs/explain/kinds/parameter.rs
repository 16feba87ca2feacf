//! «Не задано значение параметра "НачалоПериода"», «Параметр не найден»: a query or an expression asks for it.

use std::ops::Range;

use bsl::same_name;
use dcs::Element;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, expressions, replace};
use crate::dcs::explain::causes::{Causes, Said};
use crate::dcs::subject::{Scope, has_name};

pub(super) const KIND: Kind =
    Kind { code: "parameter", title: ("Параметр не найден или не задан", "A parameter is not found, or has no value"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for scope in &ask.subject.scopes {
        let mut names: Vec<String> = scope.schema.parameters().map(|parameter| parameter.name().into_owned()).collect();
        names.extend(scope.schema.links().map(|link| link.parameter().into_owned()).filter(|name| !name.is_empty()));
        for (element, range, name) in uses(ask, scope) {
            if !has_name(&names, &name) {
                undeclared(&name, &names, element, range, causes);
            }
        }
        for parameter in scope.schema.parameters() {
            let name = parameter.name();
            let is_meant = if ask.name().is_empty() {
                parameter.value().is_none_or(|value| value.is_nil()) && parameter.expression().is_empty()
            } else {
                same_name(&name, ask.name())
            };
            if !is_meant {
                continue;
            }
            let hidden = parameter.is_hidden();
            let (ru, en) = match (parameter.expression().is_empty(), hidden) {
                (false, _) => (
                    "Значение даёт выражение параметра, и оно пусто или не вычисляется",
                    "The parameter's expression gives the value, and that is empty or can't be worked out",
                ),
                (true, true) => (
                    "Параметр скрыт от пользователя, выражения у него нет: значение может дать только код или настройки",
                    "The parameter is hidden from the user and has no expression: only code or settings can give it a value",
                ),
                (true, false) => (
                    "Параметр объявлен, но значения не получил: ни в схеме, ни в настройках варианта",
                    "The parameter is declared but got no value: neither in the schema nor in the variant's settings",
                ),
            };
            causes.inside(parameter.element().child("name").unwrap_or(parameter.element()), Said {
                sure: !ask.name().is_empty(),
                what: Text::new(format!("Параметр «{name}»"), format!("The parameter “{name}”")),
                why: Text::new(ru, en),
                nearest: Vec::new(),
                mend: Text::new(
                    "Задайте значение в схеме или в настройках варианта, или добавьте выражение; если значения может не быть, возьмите условие в запросе в фигурные скобки",
                    "Give a value in the schema or the variant's settings, or add an expression; if there may be none, put the query's condition into braces",
                ),
            });
        }
        for (_, settings) in scope.schema.all_settings() {
            for value in settings.parameter_values() {
                let Some(element) = value.element().child("parameter") else { continue };
                let name = element.text();
                if same_name(&name, ask.name()) && !has_name(&names, &name) {
                    let inner = 0..name.len();
                    undeclared(&name, &names, element, inner, causes);
                }
            }
        }
    }
}

fn undeclared(name: &str, names: &[String], element: Element<'_>, range: Range<usize>, causes: &mut Causes<'_>) {
    let nearest = Ask::nearest(name, names.iter().map(String::as_str));
    let all = names.join(", ");
    causes.in_text(element, range, Said {
        sure: true,
        what: Text::new(format!("Здесь нужен параметр «{name}»"), format!("The parameter “{name}” is asked for here")),
        why: Text::new(
            format!("Среди параметров схемы его нет; есть: {all}"),
            format!("It is none of the schema's parameters; there are: {all}"),
        ),
        mend: replace(
            name,
            &nearest,
            Text::new(format!("Добавьте параметр «{name}» в схему"), format!("Add the parameter “{name}” to the schema")),
        ),
        nearest,
    });
}

/// Where the parameter of the message (or any, if it names none) is asked for.
fn uses<'s>(ask: &Ask<'_, 's>, scope: &Scope<'s>) -> Vec<(Element<'s>, Range<usize>, String)> {
    let is_meant = |name: &str| ask.name().is_empty() || same_name(name, ask.name());
    let mut found = Vec::new();
    for query in scope.sets.iter().filter_map(|set| ask.subject.query_of(*set)) {
        for parameter in query.facts().parameters.iter().filter(|parameter| is_meant(&parameter.name)) {
            found.push((query.element, parameter.span.range(), parameter.name.to_string()));
        }
    }
    for (element, _) in expressions(scope) {
        for parameter in dcs::expression::names(&element.text()).parameters {
            if is_meant(&parameter.name) {
                found.push((element, parameter.range, parameter.name));
            }
        }
    }
    found
}
