//! `regex_search`: lines of code that match a regular expression.

use index::scan::Pattern;

use super::literal_search::{CASE, WITHIN, scanned};
use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "regex_search",
    group: Group::Search,
    purpose: "Every line of code that matches a regular expression (поиск по регулярному выражению), comments and string literals included. \
One match a line, where it begins; `^` and `$` are ends of the line, `\\s` may run over them. Syntax: Perl's without look-around and back references (they are refused), Cyrillic is in \
`\\w`. Scans all modules; if time runs out, says so with what was found. Not for a plain text (literal_search), nor for who calls a method (callers).",
    params: &[
        Param::text(
            "pattern",
            &["regex", "query", "text", "re", "выражение", "шаблон"],
            "The expression, without slashes around it.",
        ),
        CASE,
        WITHIN,
        Param::limit(30, 200),
        Param::offset(),
    ],
    example: r#"{"pattern": "Новый\\s+HTTPСоединение\\(", "limit": 20}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let text = args.text("pattern").to_owned();
    let pattern = Pattern { text, regex: true, case_sensitive: args.flag("case_sensitive") };
    let nothing = say(
        context.language,
        "ни одна строка кода не подходит под выражение",
        "no line of code matches the expression",
    );
    scanned(context, args, &pattern, ("regex_search", "pattern"), nothing)
}
