//! `callees`: what a method calls.

use super::callers::{EDGE_PARAMS, edges};
use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "callees",
    group: Group::Graph,
    purpose: "What a method, module, form or other thing calls or leads to (что вызывает): methods of the configuration, handlers, \
notifications, with channel, confidence, file and line. Not for calls of the platform's own functions (they are no edges: \
read_method shows them), nor for who calls it (callers).",
    params: EDGE_PARAMS,
    example: r#"{"name": "Документ.РеализацияТоваров.МодульОбъекта.ОбработкаПроведения"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let nothing = say(context.language, "ничего из конфигурации не вызывает", "calls nothing of the configuration");
    edges(context, args, "callees", nothing, |of, walk| context.index.callees(of, walk))
}
