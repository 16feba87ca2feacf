//! `propose_insert`: new lines at a place that is named.

use crate::answer::Answer;
use crate::context::Context;
use crate::edits::EditError;
use crate::edits::code::Place;
use crate::edits::code::insert::Spot;
use crate::error::{Problem, ToolError};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};
use crate::tools::propose_patch::{TITLE, title_or};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "propose_insert",
    group: Group::Edits,
    purpose: "Proposes new lines in a module or text file (вставить строки): behind a line, behind a method, or at the end of a region; \
exactly one of `line`, `after_method`, `region` says where. A module that its object may have and hasn't is made with those lines. The file is not changed: the change waits for a person. Not for a whole new method \
(propose_new_method finds its region), nor for changing lines (propose_patch).",
    params: &[
        Param::name("Module, or a file's path from the root of the dump."),
        CODE,
        Param {
            name: "line",
            aliases: &["after_line", "строка"],
            kind: ParamKind::Integer { least: -1, most: 10_000_000, default: -1 },
            required: false,
            about: "Line of the file behind which they go; 0: before the first; -1: not by a line.",
        },
        Param {
            name: "after_method",
            aliases: &["после_метода", "after"],
            kind: ParamKind::Text,
            required: false,
            about: "Method behind which they go, by its own name.",
        },
        REGION,
        TITLE,
    ],
    example: r#"{"name": "ОбщегоНазначения", "region": "ПрограммныйИнтерфейс", "code": "// Новый раздел"}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

/// The text that comes in.
pub(super) const CODE: Param =
    Param::text("code", &["text", "body", "lines", "код", "текст"], "The text, indented as it is to stand there.");

/// A region of the module.
pub(super) const REGION: Param = Param {
    name: "region",
    aliases: &["область"],
    kind: ParamKind::Text,
    required: false,
    about: "Region (`#Область`) at whose end it goes.",
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let mut place = Place::of_or_new(context, args.text("name"))?;
    let line = u32::try_from(args.integer("line")).ok();
    let named = place.method().cloned();
    let after = match args.text("after_method") {
        "" => None,
        name => place.facts.methods.get(place.find_method(name)?).cloned(),
    };
    let region = Some(args.text("region")).filter(|region| !region.is_empty());
    let spot = match (line, &after, region) {
        (Some(line), None, None) => Spot::AfterLine(within(&place, line)?),
        (None, Some(method), None) => Spot::After(method),
        (None, None, Some(region)) => Spot::Region(region),
        (None, None, None) if place.new.is_some() => Spot::AfterLine(0),
        // A method was named instead of its module.
        (None, None, None) if named.is_some() => named.as_ref().map_or(Spot::AfterLine(0), Spot::After),
        _ => {
            let argument = "line".to_owned();
            return Err(ToolError::Argument { argument, problem: Problem::Missing, example: TOOL.example });
        }
    };
    place.insert(&spot, args.raw("code"))?;
    let title = title_or(args, format!("{}: {}", place.module, say(context.language, "новые строки", "new lines")));
    place.propose(context, args, TOOL.name, title)
}

/// A line that the file has.
pub(super) fn within(place: &Place, line: u32) -> Result<u32, ToolError> {
    let lines = place.line_count();
    if line <= lines {
        return Ok(line);
    }
    let (ru, en) = (
        format!("в файле строк {lines}, строки {line} нет"),
        format!("the file has {lines} lines, there is no line {line}"),
    );
    Err(EditError::place(ru, en).into())
}
