//! `dcs_add_variant`: adds and copies variants.

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
    purpose: "Adds variants of settings to a report schema (вариант отчета): new ones with fields and groups, or copies; also moves them. The file is not changed: the change waits for a person. Not for what stands in a variant (dcs_edit_settings, dcs_edit_structure).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["ПоМенеджерам \"По менеджерам\" @fields(Менеджер, Сумма) @groups(Менеджер)"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `ПоМенеджерам \"По менеджерам\" @fields(Менеджер, Сумма) @groups(Менеджер)`; also `copy-variant Основной -> Копия`, `move-variant ПоСкладам @first`.",
);

const EDIT: SchemaEdit =
    SchemaEdit { tool: "dcs_add_variant", kinds: &["add-variant", "copy-variant", "move-variant"] };

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
