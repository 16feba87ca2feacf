//! `object_references`: every place that refers to a piece of metadata.

use index::ReferenceQuery;

use crate::answer::{Answer, Next, limit_reached, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "object_references",
    group: Group::Graph,
    purpose: "Every place that refers to a piece of metadata (где используется): object, attribute, dimension, resource, tabular \
section, enum value, predefined item, form, template and its areas, command, role, session parameter, functional option, common \
module. Metadata, forms, roles and restrictions, templates and report schemas, queries, and code, where the type of what stands \
before the dot decides. Each row has kind, file and line. `state.complete=false` means that there may be more: read \
`state.reasons`. Not for what breaks and how badly (impact_analysis), nor for callers of a method (callers).",
    params: &[
        Param::name("Full name, or what code writes: `Справочник.Валюты.Реквизит.Курс`, `Перечисление.Виды.Услуга`."),
        Param {
            name: "kinds",
            aliases: &["kind", "вид", "виды"],
            kind: ParamKind::Texts,
            required: false,
            about: "Only these kinds, e.g. bsl_property, bsl_query, form_data_path, rights_object; empty: all.",
        },
        Param::limit(60, 600),
        Param::offset(),
    ],
    example: r#"{"name": "Справочник.Товары.Реквизит.Артикул", "limit": 30}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let target = context.index.require_target(args.text("name"))?;
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let kinds: Vec<String> = args.texts("kinds").iter().map(|kind| kind.to_lowercase()).collect();
    let query = ReferenceQuery { kinds: kinds.clone(), limit: offset + limit, until: context.until };
    let found = context.index.references(&target, &query)?;
    let rows = found.rows.get(offset.min(found.rows.len())..).unwrap_or_default();
    let mut answer = Answer::of_state(&found.state, context.language)
        .field("full_name", target.full_name())
        .field("kind", target.kind());
    if found.rows.is_empty() {
        let nothing = say(context.language, "ссылок не найдено", "no references found");
        answer = answer.empty(why_empty(nothing, &found.state, context.language));
        if !kinds.is_empty() {
            let filter = say(context.language, "искали только виды", "only these kinds were asked for");
            answer = answer.incomplete(format!("{filter}: {}", kinds.join(", ")));
        }
    } else if rows.is_empty() {
        answer = answer.empty(format!("offset {offset} ≥ {}", found.rows.len()));
    }
    let beyond = if limit_reached(&found.state) { None } else { Some(0) };
    let next = Next::Page { tool: "object_references", arguments: args.with("name", target.full_name()), offset };
    Ok(answer.list_of_more("refs", rows, beyond, next))
}
