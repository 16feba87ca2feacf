//! `dcs_add_field`: adds and changes fields of data sets of a report schema.

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
    purpose: "Adds fields to data sets of a report schema (добавить поле СКД, колонку), or changes them: title, type, role, restrictions. A field with an expression of the query goes into every branch of the set's query too. The file is not changed: the change waits for a person. Not for a field calculated from others (dcs_add_calculated_field), nor for showing it in a variant (dcs_edit_settings).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["Скидка: Число(15,2) \"Скидка\" = Продажи.Скидка"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `Скидка: Число(15,2) \"Скидка\" @set(Продажи) = Продажи.Скидка`; also `modify-field …`, `field-role Сумма @balance(closing, Сумма)`, `field-restrictions Склад @restrict(condition)`.",
);

const EDIT: SchemaEdit =
    SchemaEdit { tool: "dcs_add_field", kinds: &["add-field", "modify-field", "field-role", "field-restrictions"] };

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
