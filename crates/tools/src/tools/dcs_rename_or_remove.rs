//! `dcs_rename_or_remove`: renames and removes anything of a schema.

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
    purpose: "Renames or removes fields, totals, parameters, variants, data sets, links, items of the structure of a report schema (переименовать, удалить в СКД): everything that names a renamed thing follows; removing what others need is refused with the list, or with `cascade` they go too. The file is not changed: the change waits for a person. Not for methods and objects of the configuration (propose_rename).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["rename-field Сумма -> Выручка"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `rename-field Сумма -> Выручка`, `remove-field Количество`, `remove-total Сумма`, `rename-parameter Период -> Срок`, `remove-variant …`, `remove-structure …`, `rename-data-set …`, `remove-link …`.",
);

const EDIT: SchemaEdit = SchemaEdit {
    tool: "dcs_rename_or_remove",
    kinds: &[
        "rename-field",
        "remove-field",
        "remove-calculated",
        "remove-total",
        "rename-parameter",
        "remove-parameter",
        "rename-variant",
        "remove-variant",
        "rename-user-field",
        "remove-user-field",
        "remove-structure",
        "rename-data-set",
        "remove-data-set",
        "remove-data-source",
        "remove-link",
        "remove-template",
        "remove-nested",
    ],
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
