//! `scan_code`: every check of code over a module, a method or a text.

use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::findings::{self, MODULE, NAME, TEXT};
use crate::params::{Args, Param, ParamKind};
use crate::scan::Scanner;
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "scan_code",
    group: Group::Edits,
    purpose: "Every check over code (проверка кода): syntax, names that don't exist (methods, modules, attributes, enum values, metadata, \
tables and fields of queries), numbers of arguments, calls that can't work on the client or the server. Give `name` of a module or method, \
or `text` with the `module` that it belongs in. What is not certain is not reported. Not for one query (check_query) nor for names in prose \
(check_grounding).",
    params: &[
        NAME,
        TEXT,
        MODULE,
        Param {
            name: "checks",
            aliases: &["rules", "rule", "only", "проверки"],
            kind: ParamKind::Texts,
            required: false,
            about: "Only these checks (codes such as `code-arity`).",
        },
    ],
    example: EXAMPLE,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

const EXAMPLE: &str = r#"{"name": "ОбщийМодуль.ОбщегоНазначения"}"#;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let scanner = Scanner::of(context.index)?;
    let asked = findings::asked(context, &scanner, args, EXAMPLE)?;
    context.check()?;
    let (found, skipped) = findings::findings(&scanner, &asked, args.texts("checks"));
    Ok(findings::answer(context, &asked, &found, &skipped))
}
