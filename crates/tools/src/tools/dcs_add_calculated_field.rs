//! `dcs_add_calculated_field`: adds and changes calculated fields, and fields of the user.

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
    purpose: "Adds calculated fields to a report schema (вычисляемое поле СКД), or user fields to a variant, or changes them. The file is not changed: the change waits for a person. Not for a column of the query (dcs_add_field), nor for a total (dcs_add_total).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["Доля: Число(5,2) \"Доля\" = Сумма / Количество"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `Доля: Число(5,2) \"Доля\" = Сумма / Количество`; also `modify-calculated …`, `add-user-field … @variant(…)`, `modify-user-field …`.",
);

const EDIT: SchemaEdit = SchemaEdit {
    tool: "dcs_add_calculated_field",
    kinds: &["add-calculated", "modify-calculated", "add-user-field", "modify-user-field"],
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
