//! `check_syntax`: whether a text of the built-in language can be read.

use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::findings::{self, NAME, TEXT};
use crate::params::Args;
use crate::scan::Scanner;
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "check_syntax",
    group: Group::Edits,
    purpose: "Whether code can be read (синтаксис): what is wrong, in which line, how to mend it; queries in its literals too. Give `text`, \
or `name` of a module or method. Not for whether the names in it exist (scan_code, check_grounding).",
    params: &[TEXT, NAME],
    example: EXAMPLE,
    class: Class::Read,
    ceiling: 6_000,
    run,
};

const EXAMPLE: &str = r#"{"text": "Если А Тогда\n\tБ = 1;\nКонецЕсли;"}"#;

/// The checks that need no configuration.
const CHECKS: [&str; 3] = ["code-syntax", "code-blocks", "code-query-syntax"];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let scanner = Scanner::of(context.index)?;
    let asked = findings::asked(context, &scanner, args, EXAMPLE)?;
    let only = CHECKS.map(str::to_owned);
    let (found, skipped) = findings::findings(&scanner, &asked, &only);
    Ok(findings::answer(context, &asked, &found, &skipped))
}
