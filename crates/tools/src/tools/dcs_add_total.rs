//! `dcs_add_total`: adds and changes totals.

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
    purpose: "Adds totals (resources) to a report schema (итог, ресурс СКД), or changes how they are calculated. The file is not changed: the change waits for a person. Not for a calculated field (dcs_add_calculated_field), nor for removing one (dcs_rename_or_remove).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["Количество = Максимум(Количество)"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] =
    &params("Lines: `Скидка` (a sum), `Количество = Максимум(Количество)`, `modify-total Сумма = Среднее(Сумма)`.");

const EDIT: SchemaEdit = SchemaEdit { tool: "dcs_add_total", kinds: &["add-total", "modify-total"] };

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
