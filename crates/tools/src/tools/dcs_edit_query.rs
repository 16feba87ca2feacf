//! `dcs_edit_query`: queries, data sets, sources and links.

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
    purpose: "Changes the query of a data set of a report schema, whole or a part that must stand in it once (запрос набора данных СКД), and adds data sets, sources, links. The file is not changed: the change waits for a person. Not for one more field (dcs_add_field adds it to every branch), nor for code modules (propose_patch).",
    params: PARAMS,
    example: r#"{"name": "Отчет.АнализПродажТоваров", "operations": ["Продажи @old(Продажи.Сумма КАК Сумма) @new(Продажи.Сумма * 1 КАК Сумма)"]}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

const PARAMS: &[Param] = &params(
    "Lines: `Продажи @old(>= &Начало) @new(> &Начало)`, `set-query Цены = ВЫБРАТЬ …`, `add-data-set …`, `add-link Продажи -> Цены @source(Менеджер) @target(Склад)`.",
);

const EDIT: SchemaEdit = SchemaEdit {
    tool: "dcs_edit_query",
    kinds: &["patch-query", "set-query", "add-data-set", "add-data-source", "add-link", "modify-link"],
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    EDIT.run(context, args)
}
