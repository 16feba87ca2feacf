//! `dcs_edit_settings`: selection, filter, order, appearance, parameters of a variant.

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
    purpose: "Changes settings of a variant of a report schema, or of a group in it: selected fields, filter, order, conditional appearance, output and data parameters, user settings (выбранные поля, отбор, порядок, оформление). The file is not changed: the change waits for a person. Not for groups, tables and charts (dcs_edit_structure).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["add-filter Сумма > 0 @user @variant(Основной)"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `add-selection Количество, Сумма @variant(Основной)`, `add-filter Сумма > 0 @user`, `add-order Сумма desc`, `add-appearance ЦветТекста = #FF0000 @where(Сумма < 0)`, `set-output ВыводитьЗаголовок = нет`, `set-data-parameter Период = ПрошлыйМесяц`, and `modify-…`, `remove-…`, `clear-settings`.",
);

const EDIT: SchemaEdit = SchemaEdit {
    tool: "dcs_edit_settings",
    kinds: &[
        "add-selection",
        "modify-selection",
        "remove-selection",
        "add-filter",
        "modify-filter",
        "remove-filter",
        "add-order",
        "modify-order",
        "remove-order",
        "add-appearance",
        "modify-appearance",
        "remove-appearance",
        "set-output",
        "remove-output",
        "set-data-parameter",
        "remove-data-parameter",
        "user-settings",
        "clear-settings",
    ],
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
