//! `fulltext_search`: methods and objects by words, as the full-text index ranks them.

use index::search::Mode;

use super::hybrid_search::{SEARCH_PARAMS, found, ranked};
use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "fulltext_search",
    group: Group::Graph,
    purpose: "Methods and objects by words (полнотекстовый поиск): in names, split into their words, comments, synonyms, help and code; forms \
of words don't matter, any word may be missing from a hit. Ranked by BM25. Not for an exact line of code (literal_search), nor for \
what is called otherwise (semantic_search); hybrid_search weighs both.",
    params: SEARCH_PARAMS,
    example: r#"{"query": "курс валюты на дату", "kind": "method"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    Ok(ranked(context, args, found(context, args, Mode::Fulltext)?, "fulltext_search"))
}
