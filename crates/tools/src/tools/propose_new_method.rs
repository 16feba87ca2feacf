//! `propose_new_method`: a new procedure or function in a module.

use bsl::read_module;

use crate::answer::Answer;
use crate::context::Context;
use crate::edits::EditError;
use crate::edits::code::Place;
use crate::edits::code::insert::Spot;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};
use crate::tools::propose_insert::{CODE, REGION};
use crate::tools::propose_patch::{TITLE, title_or};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "propose_new_method",
    group: Group::Edits,
    purpose: "Proposes new procedures or functions in a module (новый метод): whole text with comment and directive in `code`. They go behind or \
before a method, into a region, or, if nothing is said, where methods of their kind stand: exported ones into ПрограммныйИнтерфейс, others \
into СлужебныеПроцедурыИФункции, else to the end. Names that the module has already are refused. A module that its object may have and hasn't is made (новый модуль). The file is not changed: the change waits for a \
person. Not for single lines (propose_insert).",
    params: &[
        Param::name("Module, e.g. `Catalog.X.ManagerModule`."),
        CODE,
        REGION,
        Param {
            name: "after",
            aliases: &["after_method", "после"],
            kind: ParamKind::Text,
            required: false,
            about: "Method behind which it goes, by its own name.",
        },
        Param {
            name: "before",
            aliases: &["before_method", "перед"],
            kind: ParamKind::Text,
            required: false,
            about: "Method before which it goes, by its own name.",
        },
        TITLE,
    ],
    example: r#"{"name": "ЦеныИСкидки", "after": "БазоваяСкидка", "code": "Функция НаибольшаяСкидка() Экспорт\n\tВозврат 10;\nКонецФункции"}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let mut place = Place::of_or_new(context, args.text("name"))?;
    let code = args.raw("code");
    let new = read_module(code.as_bytes());
    let names: Vec<&str> = new.methods.iter().map(|method| new.text(method.name)).collect();
    if names.is_empty() || !new.body.statements.is_empty() || !new.variables.is_empty() {
        let (ru, en) = (
            "в code должны быть целые процедуры и функции и ничего больше",
            "code must hold whole procedures and functions, and nothing else",
        );
        return Err(EditError::place(ru, en).into());
    }
    for name in &names {
        if place.find_method(name).is_ok() || names.iter().filter(|other| bsl::same_name(other, name)).count() > 1 {
            let (ru, en) =
                (format!("метод {name} в модуле уже есть"), format!("the module has a method {name} already"));
            return Err(EditError::place(ru, en).into());
        }
    }
    let anchor = |name: &str| -> Result<Option<bsl::Method>, EditError> {
        Ok(if name.is_empty() { None } else { place.facts.methods.get(place.find_method(name)?).cloned() })
    };
    let (after, before) = (anchor(args.text("after"))?, anchor(args.text("before"))?);
    let region = Some(args.text("region")).filter(|region| !region.is_empty());
    let export = new.methods.iter().any(|method| method.export);
    let named = place.method().cloned();
    let last = place.facts.methods.last().cloned();
    let spot = match (&after, &before, region) {
        (Some(method), ..) => Spot::After(method),
        (_, Some(method), _) => Spot::Before(method),
        (.., Some(region)) => Spot::Region(region),
        _ => match (&named, place.region_for(export), &last) {
            (Some(method), ..) => Spot::After(method),
            (_, Some(region), _) => Spot::Region(region),
            (.., Some(method)) => Spot::After(method),
            _ => Spot::AfterLine(place.line_count()),
        },
    };
    place.insert(&spot, code)?;
    let what = say(context.language, "новый метод", "new method");
    let title = title_or(args, format!("{}: {what} {}", place.module, names.join(", ")));
    place.propose(context, args, TOOL.name, title)
}
