//! `dcs_add_parameter`: adds and changes parameters.

use super::schema_edit::{SchemaEdit, params};
use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: EDIT.tool,
    group: Group::Reports,
    purpose: "Adds parameters to a report schema (параметр СКД): type, value, list of values, hidden, always used; or changes and moves them. The file is not changed: the change waits for a person. Not for the value of a parameter in one variant (dcs_edit_settings, `set-data-parameter`).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["Курс: Число(10,4) \"Курс\" @hidden = 1"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `Курс: Число(10,4) \"Курс\" @hidden = 1`; also `modify-parameter Период \"Период отчёта\" @always`, `move-parameter Период @first`.",
);

const EDIT: SchemaEdit =
    SchemaEdit { tool: "dcs_add_parameter", kinds: &["add-parameter", "modify-parameter", "move-parameter"] };

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
