//! `dcs_read`: one part of a report schema in full.

use dcs::outline::{Outline, outline};
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{holds, set};
use crate::params::{Args, Param, ParamKind};
use crate::schema::{self, Schema};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "dcs_read",
    group: Group::Reports,
    purpose: "One part of a report schema (СКД) in full: the query of a data set, its fields with titles, types and roles, links, calculated \
fields, totals, parameters with values, drawn areas, variants with selection, filter and order, the structure of a variant as a tree. Each \
entry has its line. Not for a first look (dcs_outline), nor for changing it (dcs_edit_query and other dcs_ tools).",
    params: &[
        schema::NAME,
        Param {
            name: "part",
            aliases: &["section", "what", "часть", "раздел"],
            kind: ParamKind::Choice {
                words: &[
                    ("query", &["queries", "запрос", "запросы", "text"]),
                    ("fields", &["field", "поля"]),
                    ("links", &["link", "связи"]),
                    ("calculated", &["calculated_fields", "вычисляемые", "calculatedfields"]),
                    ("totals", &["total", "resources", "ресурсы", "итоги"]),
                    ("parameters", &["parameter", "параметры", "params"]),
                    ("templates", &["template", "areas", "макеты"]),
                    ("variants", &["variant", "settings", "варианты", "настройки"]),
                    ("structure", &["structures", "структура", "groups"]),
                ],
                default: "query",
            },
            required: false,
            about: "Which part.",
        },
        Param::maybe(
            "of",
            &["set", "data_set", "dataset", "variant_name", "variant", "набор", "вариант"],
            "Only this data set, or this variant.",
        ),
        Param::filter("Only entries whose name, path or title holds this."),
        Param {
            name: "from_line",
            aliases: &["line", "start"],
            kind: ParamKind::Integer { least: 1, most: 1_000_000, default: 1 },
            required: false,
            about: "Of a query: the first line to show.",
        },
        Param::limit(60, 600),
        Param::offset(),
    ],
    example: r#"{"name": "Отчет.АнализПродаж", "part": "query", "of": "НаборДанных1"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let language = context.language;
    let schema = schema::open(context, args.text("name"), TOOL.name)?;
    let outlines = outline(&schema.document);
    let (part, of) = (args.word("part"), args.text("of"));
    let by_set = matches!(part, "query" | "fields");
    let by_variant = matches!(part, "variants" | "structure");
    if !of.is_empty() && (by_set || by_variant) {
        known(&schema, &outlines, of, by_variant)?;
    }
    let answer =
        Answer::complete().field("full_name", &schema.full_name).field("file", &schema.file).field("part", part);
    let next = set(args.with("name", schema.asked()), "part", part);
    if part == "query" {
        return Ok(queries(context, args, answer, &outlines, next));
    }
    let mut rows: Vec<Value> = Vec::new();
    for one in &outlines {
        let mut push = |row: Value| {
            let mut row = row;
            if !one.nested.is_empty() {
                row["nested"] = one.nested.as_str().into();
            }
            rows.push(row);
        };
        let wants = |name: &str| of.is_empty() || bsl::same_name(name, of);
        match part {
            "fields" => {
                for data_set in one.data_sets.iter().filter(|data_set| wants(&data_set.name)) {
                    data_set.fields.iter().for_each(|field| push(with(field, "data_set", &data_set.name)));
                }
            }
            "links" => one.links.iter().for_each(|link| push(json!(link))),
            "calculated" => one.calculated_fields.iter().for_each(|field| push(json!(field))),
            "totals" => one.totals.iter().for_each(|total| push(json!(total))),
            "parameters" => one.parameters.iter().for_each(|parameter| push(json!(parameter))),
            "templates" => one.templates.iter().for_each(|template| push(json!(template))),
            "variants" => {
                for variant in one.variants.iter().filter(|variant| wants(&variant.name)) {
                    let mut row = json!(variant);
                    // The structure is a part of its own.
                    row["structure"] = variant.structure.len().into();
                    push(row);
                }
            }
            _ => {
                for variant in one.variants.iter().filter(|variant| wants(&variant.name)) {
                    variant.structure.iter().for_each(|item| push(with(item, "variant", &variant.name)));
                }
            }
        }
    }
    let filter = args.text("filter");
    let of_row = |row: &Value| {
        ["path", "name", "title", "source", "destination", "data_set"]
            .iter()
            .any(|key| row[*key].as_str().is_some_and(|text| holds(text, filter)))
    };
    rows.retain(|row| filter.is_empty() || of_row(row));
    let mut answer = answer.field("total", rows.len());
    if rows.is_empty() {
        let nothing = match filter.is_empty() {
            true => say(language, "в этой части схемы ничего нет", "this part of the schema is empty"),
            false => say(language, "записей с таким текстом в этой части нет", "no entry of this part holds this text"),
        };
        answer = answer.empty(nothing);
    }
    if part == "fields" && outlines.iter().flat_map(|one| &one.data_sets).any(|data_set| data_set.auto_fill) {
        answer = answer.remark(say(
            language,
            "у наборов с автозаполнением есть ещё поля, которые даёт запрос",
            "sets that are filled automatically have more fields, from their queries",
        ));
    }
    Ok(answer.page("entries", &rows, args, TOOL.name, next))
}

fn with(row: &impl Serialize, key: &str, value: &str) -> Value {
    let mut row = json!(row);
    row[key] = value.into();
    row
}

/// Queries: one as text, several as a list.
fn queries(context: &Context<'_>, args: &Args, answer: Answer, outlines: &[Outline], next: Value) -> Answer {
    let of = args.text("of");
    let sets: Vec<_> = outlines
        .iter()
        .flat_map(|one| one.data_sets.iter())
        .filter(|set| !set.query.is_empty() && (of.is_empty() || bsl::same_name(&set.name, of)))
        .collect();
    match sets.as_slice() {
        [] => {
            let nothing = say(context.language, "у набора нет запроса", "the set has no query");
            let none = say(context.language, "в схеме нет наборов с запросом", "no data set of the schema has a query");
            answer.empty(if of.is_empty() { none } else { nothing }).list(
                "queries",
                &Vec::<Value>::new(),
                crate::answer::Next::None,
            )
        }
        [only] => {
            let from = u32::try_from(args.number("from_line")).unwrap_or(1).max(1);
            let rest: String = only.query.split_inclusive('\n').skip(from as usize - 1).collect();
            let lines = only.query.lines().count();
            let mut answer = answer.field("data_set", &only.name).field("line", only.line).field("query_lines", lines);
            if from as usize > lines {
                answer = answer.empty(format!("from_line {from} > {lines}"));
            }
            answer.source(rest, from, TOOL.name, set(next, "of", only.name.as_str()))
        }
        several => {
            let rows: Vec<Value> = several
                .iter()
                .map(|set| json!({ "data_set": set.name, "line": set.line, "query": set.query }))
                .collect();
            let how = say(
                context.language,
                "запросов несколько; один целиком — с аргументом of",
                "there are several queries; `of` gives one in full",
            );
            answer.remark(how).page("queries", &rows, args, TOOL.name, next)
        }
    }
}

/// Whether there is a set, or a variant, of that name.
fn known(schema: &Schema, outlines: &[Outline], of: &str, is_variant: bool) -> Result<(), ToolError> {
    let names: Vec<&str> = outlines
        .iter()
        .flat_map(|one| {
            let variants = one.variants.iter().filter(|_| is_variant).map(|variant| variant.name.as_str());
            variants.chain(one.data_sets.iter().filter(|_| !is_variant).map(|set| set.name.as_str()))
        })
        .collect();
    if names.iter().any(|name| bsl::same_name(name, of)) {
        return Ok(());
    }
    let mut nearest = bsl::nearest(of, names.iter().copied(), 5);
    if nearest.is_empty() {
        nearest = names.into_iter().take(20).collect();
    }
    let nearest = nearest.into_iter().map(str::to_owned).collect();
    Err(index::Error::UnknownName { name: format!("{}: {of}", schema.asked()), nearest }.into())
}
