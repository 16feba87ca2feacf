//! `dcs_edit_structure`: groups, tables and charts of a variant.

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
    purpose: "Changes the structure of a variant of a report schema: groups, nested groups, tables, charts (группировки, таблицы, диаграммы СКД). The file is not changed: the change waits for a person. Not for removing items (dcs_rename_or_remove), nor for fields, filters and order (dcs_edit_settings).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["add-group Склад @name(ПоСкладу)"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `add-group Склад, Менеджер hierarchy @name(ПоМенеджерам) @variant(Основной)`, `add-table Сводная @rows(Склад) @columns(Менеджер)`, `add-chart …`, `modify-structure …`, `move-structure …`.",
);

const EDIT: SchemaEdit = SchemaEdit {
    tool: "dcs_edit_structure",
    kinds: &["add-group", "add-table", "add-chart", "modify-structure", "move-structure"],
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
