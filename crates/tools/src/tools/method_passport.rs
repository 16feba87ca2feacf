//! `method_passport`: what a method is, at a glance.

use serde_json::json;

use super::read_method::not_a_method;
use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "method_passport",
    group: Group::Search,
    purpose: "What a method is (паспорт метода): signature, parameters, comment, place, where it compiles, the first callers and callees, \
its queries. Not for the whole text (read_method), all callers (callers), or objects (object_passport).",
    params: &[Param::name("Full name or `Модуль.Метод`.")],
    example: r#"{"name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

/// Callers and callees that a passport shows.
const EDGES: usize = 10;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let named = context.index.require(args.text("name"))?;
    let Some(passport) = context.index.method_passport(named.id)? else {
        return Err(not_a_method(context, &named)?);
    };
    let name = json!({ "name": named.full_name });
    let method = &passport.method;
    let (callers, callees) = (&passport.callers, &passport.callees);
    let queries: Vec<_> = passport.queries.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
    let first = |edges: &[index::EdgeRow]| -> Vec<serde_json::Value> {
        let row = |edge: &index::EdgeRow| {
            json!({ "source": edge.source, "target": edge.target, "channel": edge.channel,
                    "confidence": edge.confidence, "file": edge.file, "line": edge.line })
        };
        edges.iter().take(EDGES).map(row).collect()
    };
    let beyond = |edges: &[index::EdgeRow]| Some(edges.len().saturating_sub(EDGES));
    Ok(Answer::of_state(&callers.state, context.language)
        .field("full_name", &named.full_name)
        .field("kind", "method")
        .field("signature", &passport.signature)
        .field("file", &passport.file)
        .field("line", method.line)
        .field("end_line", method.end_line)
        .field("module_kind", &passport.module_kind)
        .field("context", &method.context)
        .field("compiles", &passport.contexts)
        .field("server_call", passport.server_call.then_some(true))
        .field("module_flags", &passport.module_flags)
        .field("region", &method.region)
        .field("effective", (!passport.effective.is_empty()).then(|| json!(passport.effective)))
        .field("params", json!(passport.params))
        .field("returns", json!(passport.returns))
        .field("doc", passport.doc.chars().take(2000).collect::<String>())
        .field("callers_total", callers.rows.len())
        .field("callees_total", callees.rows.len())
        .list_of_more(
            "callers",
            &first(&callers.rows),
            beyond(&callers.rows),
            Next::Page { tool: "callers", arguments: name.clone(), offset: 0 },
        )
        .list_of_more(
            "callees",
            &first(&callees.rows),
            beyond(&callees.rows),
            Next::Page { tool: "callees", arguments: name.clone(), offset: 0 },
        )
        .list("queries", &queries, Next::Call { tool: "read_method", arguments: name }))
}
