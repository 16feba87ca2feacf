//! Advisory: `Тип("СправочникСсылка.X")`, `Новый ОписаниеТипов("…")`, `ПредопределенноеЗначение("Перечисление.X.Y")` name what is there.

use bsl::{Expr, same_name};
use metadata::Kind;

use crate::code::check::{Check, Examples, Needs, on_server};
use crate::code::report::Findings;
use crate::code::subject::{Ground, Subject};
use crate::code::words::unknown;
use crate::dcs::words as text;

pub(super) const CHECK: Check = Check {
    title: ("Тип или значение, названные текстом, существуют", "A type or value that is named by a text is there"),
    source: "«Тип не определен», «Неверное имя предопределенного значения». The objects of a configuration are listed in full. \
             Modules of a library name what another configuration of its vendor has, so it doesn't block",
    needs: Needs::Configuration,
    examples: Examples {
        valid: &[on_server("Процедура А()\n\tБ = Тип(\"СправочникСсылка.Партнеры\");\n\tВ = ПредопределенноеЗначение(\"Справочник.Партнеры.ПустаяСсылка\");\n\tГ = Тип(\"Строка\");\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А()\n\tБ = Новый ОписаниеТипов(\"Строка, СправочникСсылка.Партнёр\");\nКонецПроцедуры"), "СправочникСсылка.Партнёр"),
            (on_server("Процедура А()\n\tБ = Тип(\"СправочникСсылка.Партнёр\");\nКонецПроцедуры"), "СправочникСсылка.Партнёр"),
            (on_server("Процедура А()\n\tБ = ПредопределенноеЗначение(\"Перечисление.СпособыРасчетовПартнеров.Нет\");\nКонецПроцедуры"), "Перечисление.СпособыРасчетовПартнеров.Нет"),
        ],
    },
    run,
    ..Check::advisory("code-type-unknown")
};

const TYPE: [&str; 2] = ["Тип", "Type"];
const DESCRIPTION: [&str; 2] = ["ОписаниеТипов", "TypeDescription"];
const PREDEFINED: [&str; 2] = ["ПредопределенноеЗначение", "PredefinedValue"];
const EMPTY: [&str; 2] = ["ПустаяСсылка", "EmptyRef"];

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(ground) = subject.ground else { return };
    let facts = subject.facts;
    let is = |words: [&str; 2], name: &str| words.iter().any(|word| same_name(word, name));
    for (_, code) in facts.codes() {
        for node in &code.nodes {
            let (name, args, is_new) = match node.expr {
                Expr::Call { callee, first, count } => match code.expr(callee) {
                    Expr::Name(name) => (facts.text(name), code.arguments(first, count), false),
                    _ => continue,
                },
                Expr::New { type_name: Some(name), first, count } => {
                    (facts.text(name), code.arguments(first, count), true)
                }
                _ => continue,
            };
            let Some(Expr::String(text)) = args.first().map(|arg| code.expr(*arg)) else { continue };
            let texts = facts.text(text).split(',').map(str::trim);
            for text in texts {
                let wrong = match is_new {
                    true if is(DESCRIPTION, name) => wrong_type(&ground, text),
                    false if is(TYPE, name) => wrong_type(&ground, text),
                    false if is(PREDEFINED, name) => wrong_value(&ground, text),
                    _ => continue,
                };
                if let Some((kind, wrong, names)) = wrong.filter(|_| findings.wants_more()) {
                    findings.at(node.line, 0, unknown(kind, text.to_owned(), wrong, names));
                }
            }
        }
    }
}

/// What a name is, the part of it that is wrong, and names that are right.
type Wrong<'n> = (text::Kind, &'n str, Vec<&'n str>);

fn wrong_type<'n>(ground: &Ground<'n>, text: &'n str) -> Option<Wrong<'n>> {
    let (word, name) = text.split_once('.')?;
    let (kind, _) = Kind::from_type(word)?;
    // Tables of external sources and tabular sections have longer names.
    let plain = !name.contains('.') && !kind.is("ExternalDataSource");
    (plain && !is_there(ground, kind, name)).then(|| (("типа", "type"), name, ground.world.names_of_kind(kind)))
}

fn wrong_value<'n>(ground: &Ground<'n>, text: &'n str) -> Option<Wrong<'n>> {
    let mut parts = text.split('.');
    let (kind, name, value) = (Kind::from_word(parts.next()?)?, parts.next()?, parts.next()?);
    if parts.next().is_some() || !kind.is_top() {
        return None;
    }
    let world = ground.world;
    let Some(object) = world.ident(name).and_then(|name| world.object(kind, name)) else {
        return Some((("объекта метаданных", "metadata object"), name, world.names_of_kind(kind)));
    };
    let is_known = EMPTY.iter().any(|empty| same_name(empty, value)) || world.has_value(object, value);
    let names_values = kind.is("Enum") || kind.is("Catalog");
    (names_values && !is_known).then(|| (("значения", "value"), value, world.names_in(object, false)))
}

fn is_there(ground: &Ground<'_>, kind: Kind, name: &str) -> bool {
    let world = ground.world;
    world.ident(name).is_some_and(|name| world.object(kind, name).is_some())
}
