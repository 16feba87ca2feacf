//! `propose_rename`: another name for a method, wherever something leads to it, or for a variable within its method.

use index::Index;

use crate::answer::Answer;
use crate::context::Context;
use crate::edits::EditError;
use crate::edits::code::rename_method::rename_method;
use crate::edits::code::tokens::is_free_name;
use crate::edits::code::{Place, propose};
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};
use crate::tools::propose_patch::{TITLE, title_or};
use crate::tools::read_method::not_a_method;

/// The tool.
pub const TOOL: Tool = Tool {
    name: "propose_rename",
    group: Group::Edits,
    purpose: "Proposes another name for a method (переименовать) in all files at once: calls of every channel, subscriptions, jobs, forms, \
services, report schemas, strings and comments that name it; with `variable`, for a variable or parameter of the method instead. Places that may \
name it and can't be proven to are an error that lists them; look at them, then call with `accept_unsure`. The files are not changed: the change \
waits for a person. Not for objects, attributes and forms.",
    params: &[
        Param::name("Method."),
        Param::text("new_name", &["new", "to", "новое_имя"], "The new name, without its module."),
        Param {
            name: "variable",
            aliases: &["parameter", "local", "переменная", "параметр"],
            kind: ParamKind::Text,
            required: false,
            about: "Variable or parameter of the method that is renamed instead of it.",
        },
        Param {
            name: "accept_unsure",
            aliases: &["force"],
            kind: ParamKind::Flag,
            required: false,
            about: "Rename although the places of the error's list may name it: they stay as they are.",
        },
        TITLE,
    ],
    example: r#"{"name": "ЦеныИСкидки.БазоваяСкидка", "new_name": "СкидкаПоУмолчанию"}"#,
    class: Class::Write,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (new, variable) = (args.text("new_name"), args.text("variable"));
    if !is_free_name(new) {
        let (ru, en) = (format!("«{new}» не имя"), format!("“{new}” is no name"));
        return Err(EditError::place(ru, en).into());
    }
    if !variable.is_empty() {
        let mut place = Place::of(context, args.text("name"))?;
        let fields = fields(context.index, &place.module)?;
        let places = place.rename_local(variable, new, &fields)?;
        let title = title_or(args, format!("{}: {variable} → {new}", args.text("name")));
        let answer = Answer::complete().field("places", places);
        return propose(context, args, TOOL.name, title, vec![(place.path, place.revision)], answer);
    }
    let named = context.index.require(args.text("name"))?;
    if context.index.method(named.id)?.is_none() {
        return Err(not_a_method(context, &named)?);
    }
    let renaming = rename_method(context, &named, new)?;
    if !renaming.unsure.is_empty() && !args.flag("accept_unsure") {
        return Err(EditError::Unsure { what: named.full_name, places: renaming.unsure }.into());
    }
    let mut answer =
        Answer::complete().field("full_name", &named.full_name).field("new_name", new).field("places", renaming.places);
    if !renaming.unsure.is_empty() {
        let shown: Vec<&String> = renaming.unsure.iter().take(50).collect();
        answer = answer.field("unsure", shown).incomplete(say(
            context.language,
            "места из unsure могут называть метод и не изменены",
            "places of `unsure` may name the method and are left as they are",
        ));
    }
    let title = title_or(args, format!("{} → {new}", named.full_name));
    propose(context, args, TOOL.name, title, renaming.files, answer)
}

/// Names that mean fields of the object, or attributes of the form, that a module is of.
fn fields(index: &Index, module: &str) -> Result<Vec<String>, ToolError> {
    let object = match module.rsplit_once('.') {
        Some((object, "ObjectModule" | "RecordSetModule" | "ValueManagerModule")) => object,
        _ => module,
    };
    let Ok(named) = index.require(object) else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for attribute in index.attributes(named.id)? {
        names.extend(index::names::standard_ru(&attribute.full_name).map(str::to_owned));
        names.push(attribute.name);
    }
    names.extend(index.form_attribute_names(named.id)?);
    Ok(names)
}
