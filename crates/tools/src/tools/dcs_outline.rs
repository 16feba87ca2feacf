//! `dcs_outline`: what is in a report schema.

use dcs::outline::{DataSetOutline, Outline, VariantOutline, outline};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::schema::{self, Schema};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "dcs_outline",
    group: Group::Reports,
    purpose: "What is in a report schema (СКД, схема компоновки данных): data sets with their kinds and number of fields, links, calculated \
fields, totals, parameters, drawn areas, variants; nested schemas too. The first look at a report; `dcs_read` gives each part in full. Not \
for the text of a query or the settings of a variant (dcs_read), nor for errors (dcs_validate).",
    params: &[schema::NAME],
    example: r#"{"name": "Отчет.АнализПродаж"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

/// Longest expression that is shown, in characters.
const EXPRESSION: usize = 120;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let schema = schema::open(context, args.text("name"), TOOL.name)?;
    let outlines = outline(&schema.document);
    let rows = |of: fn(&Outline) -> Vec<Value>| -> Vec<Value> {
        let of_schema = |outline: &Outline| {
            let nested = outline.nested.clone();
            of(outline).into_iter().map(move |mut row| {
                if !nested.is_empty() {
                    row["nested"] = nested.as_str().into();
                }
                row
            })
        };
        outlines.iter().flat_map(of_schema).collect()
    };
    let sources =
        rows(|one| one.data_sources.iter().map(|source| json!({ "name": source.name, "kind": source.kind })).collect());
    let sets = rows(|one| one.data_sets.iter().map(data_set).collect());
    let mut answer = Answer::complete()
        .field("full_name", &schema.full_name)
        .field("file", &schema.file)
        .field("data_sources", &sources);
    if sets.is_empty() {
        answer = answer.empty(say(context.language, "в схеме нет наборов данных", "the schema has no data sets"));
    }
    let next = |part: &str| next(&schema, part);
    let links = rows(|one| {
        one.links
            .iter()
            .map(|link| {
                json!({
                    "source": link.source, "destination": link.destination,
                    "on": format!("{} = {}", link.source_expression, link.destination_expression),
                })
            })
            .collect()
    });
    let calculated = rows(|one| {
        one.calculated_fields
            .iter()
            .map(|field| json!({ "path": field.path, "expression": short(&field.source) }))
            .collect()
    });
    let totals = rows(|one| {
        one.totals
            .iter()
            .map(|total| json!({ "path": total.path, "expression": short(&total.expression), "groups": total.groups }))
            .collect()
    });
    let parameters = rows(|one| {
        one.parameters.iter().map(|one| json!({ "name": one.name, "types": one.types, "hidden": one.hidden })).collect()
    });
    let templates = rows(|one| {
        one.templates.iter().map(|one| json!({ "name": one.name, "parameters": one.parameters.len() })).collect()
    });
    let variants = rows(|one| one.variants.iter().map(variant).collect());
    Ok(answer
        .list("data_sets", &sets, next("fields"))
        .list("links", &links, next("links"))
        .list("calculated_fields", &calculated, next("calculated"))
        .list("totals", &totals, next("totals"))
        .list("parameters", &parameters, next("parameters"))
        .list("templates", &templates, next("templates"))
        .list("variants", &variants, next("variants"))
        .field("next", call("dcs_read", &json!({ "name": schema.asked(), "part": "query" }))))
}

fn next(schema: &Schema, part: &str) -> Next {
    Next::Call { tool: "dcs_read", arguments: json!({ "name": schema.asked(), "part": part }) }
}

fn data_set(set: &DataSetOutline) -> Value {
    let mut row = json!({ "name": set.name, "kind": set.kind, "fields": set.fields.len(), "line": set.line });
    if set.depth > 0 {
        row["depth"] = set.depth.into();
    }
    if !set.query.is_empty() {
        row["query_lines"] = set.query.lines().count().into();
    }
    if set.auto_fill {
        row["auto_fill"] = true.into();
    }
    if !set.object.is_empty() {
        row["object"] = set.object.as_str().into();
    }
    row
}

fn variant(variant: &VariantOutline) -> Value {
    let groups: Vec<String> = variant
        .structure
        .iter()
        .map(|item| {
            format!("{}{} {}", "  ".repeat(item.depth), item.kind, item.fields.join(", ")).trim_end().to_owned()
        })
        .take(12)
        .collect();
    json!({ "name": variant.name, "title": variant.title, "structure": groups, "line": variant.line })
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXPRESSION) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
