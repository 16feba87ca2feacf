//! `semantic_search`: code and objects by meaning; by words where there are no vectors.

use index::search::{Mode, Note};

use super::hybrid_search::{SEARCH_PARAMS, found, ranked};
use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "semantic_search",
    group: Group::Search,
    purpose: "Methods and objects by meaning alone (поиск по смыслу): what does it, though the code calls it something else. `by` says whether \
vectors answered; where there are none yet, words do. Not for a question whose words stand in names or comments (hybrid_search weighs both), nor for \
code near to given code (similar_code).",
    params: SEARCH_PARAMS,
    example: r#"{"query": "как считается скидка постоянному покупателю", "kind": "method"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let by_meaning = found(context, args, Mode::Vector)?;
    let cannot = |note: &Note| matches!(note, Note::NoVectors { .. } | Note::NoModel { .. } | Note::OtherModel { .. });
    if !by_meaning.hits.is_empty() || !by_meaning.notes.iter().any(cannot) {
        return Ok(ranked(context, args, by_meaning, "semantic_search").field("by", "vectors"));
    }
    let mut by_words = found(context, args, Mode::Fulltext)?;
    by_words.notes.extend(by_meaning.notes);
    Ok(ranked(context, args, by_words, "semantic_search").field("by", "words"))
}
