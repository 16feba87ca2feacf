//! `vector_search`: methods and objects by their vectors alone.

use index::search::Mode;
use serde_json::json;

use super::hybrid_search::{SEARCH_PARAMS, found, ranked};
use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "vector_search",
    group: Group::Graph,
    purpose: "Methods and objects whose vectors are nearest to a text (векторный поиск), with their scores (the sum of two cosines, −2 to 2: of the \
name and of the text); nothing else is weighed in. Needs vectors: without them it is empty and says so. Not for most questions (hybrid_search, \
or semantic_search, which falls back on words).",
    params: SEARCH_PARAMS,
    example: r#"{"query": "отправка письма с вложением", "kind": "method", "limit": 10}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let found = found(context, args, Mode::Vector)?;
    let instead = found.hits.is_empty().then(|| call("fulltext_search", &json!({ "query": args.text("query") })));
    Ok(ranked(context, args, found, "vector_search").field("instead", instead))
}
