//! `find_usages`: who uses a thing, whatever it is.

use std::collections::BTreeMap;

use index::{ImpactTarget, ReferenceQuery, ReferenceRow, State, Walk};
use serde_json::json;

use crate::answer::{Answer, Next, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "find_usages",
    group: Group::Search,
    purpose: "Everything that uses a thing (где используется), one entry for all: of a method or common module the calls and hidden links to it, \
of an object, attribute, enum value or predefined item the references to it. Counts by kind come first, then the places; `kinds` keeps only \
some. Not for chains of calls (callers with depth), nor for what breaks (impact_analysis).",
    params: &[
        Param::name("Full name, `Модуль.Метод`, `Справочник.Х.Реквизит.Y`, `Перечисление.Х.Y`."),
        Param {
            name: "kinds",
            aliases: &["kind", "channels", "channel", "виды", "вид"],
            kind: ParamKind::Texts,
            required: false,
            about: "Only these kinds of the counts (bsl_query, form_data_path, direct …); empty: all.",
        },
        Param::limit(40, 400),
        Param::offset(),
    ],
    example: r#"{"name": "Справочник.Контрагенты.Реквизит.ИНН"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let target = context.index.require_target(args.text("name"))?;
    let (state, all, of) = usages(context, &target)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &all {
        *counts.entry(&row.kind).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
    let kinds: Vec<String> = args.texts("kinds").iter().map(|kind| kind.to_lowercase()).collect();
    let wanted: Vec<&ReferenceRow> = all.iter().filter(|row| kinds.is_empty() || kinds.contains(&row.kind)).collect();
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let rows: Vec<_> = wanted.iter().skip(offset).take(limit).collect();
    let mut answer = Answer::of_state(&state, context.language)
        .field("full_name", target.full_name())
        .field("kind", target.kind())
        .field("usages_are", of)
        .field("total", all.len())
        .field("counts", json!(counts.iter().map(|(kind, count)| json!([kind, count])).collect::<Vec<_>>()));
    if all.is_empty() {
        let nothing = say(context.language, "использований не найдено", "no usages found");
        answer = answer.empty(why_empty(nothing, &state, context.language));
    } else if wanted.is_empty() {
        let nothing = say(context.language, "таких видов среди использований нет", "no usages of these kinds");
        answer = answer.empty(format!("{nothing}: {}", kinds.join(", ")));
    } else if rows.is_empty() {
        answer = answer.empty(format!("offset {offset} ≥ {}", wanted.len()));
    }
    let next = Next::Page { tool: "find_usages", arguments: args.with("name", target.full_name()), offset };
    let beyond = wanted.len().saturating_sub(offset + rows.len());
    Ok(answer.list_of_more("usages", &rows, Some(beyond), next))
}

/// Calls of what holds code and no data, references of everything else.
fn usages(context: &Context<'_>, target: &ImpactTarget) -> Result<(State, Vec<ReferenceRow>, &'static str), ToolError> {
    /// More than any thing has.
    const ALL: usize = 1_000_000;
    if matches!(target.kind(), "method" | "module" | "CommonModule") {
        let id = context.index.require(&target.full_name())?.id;
        let found = context.index.callers(id, &Walk { limit: ALL, ..Walk::default() })?;
        let row = |edge: index::EdgeRow| {
            let index::EdgeRow { source, target, channel, file, line, .. } = edge;
            ReferenceRow { target, source, kind: channel, file, line }
        };
        return Ok((found.state, found.rows.into_iter().map(row).collect(), "calls"));
    }
    let found =
        context.index.references(target, &ReferenceQuery { kinds: Vec::new(), limit: ALL, until: context.until })?;
    Ok((found.state, found.rows, "references"))
}
