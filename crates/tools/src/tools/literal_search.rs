//! `literal_search`: where a text stands in the code, as it is written.

use index::scan::{Limits, Pattern};
use index::search::Note;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "literal_search",
    group: Group::Search,
    purpose: "Every line of code that holds exactly this text (точный поиск строки), comments and string literals included: a message that \
users see, a part of an expression, a query fragment. Scans all modules. If no line holds the text, `sources` are the literals that it may \
have come from, their parameters filled in (`Не найден %1`): откуда взялось сообщение. Not for a question in words (hybrid_search), nor for \
who calls a method (callers knows the links that no text shows).",
    params: &[
        Param::text(
            "text",
            &["query", "pattern", "q", "текст", "строка"],
            "The text, on one line; `*` and `.` mean themselves.",
        ),
        CASE,
        WITHIN,
        Param::limit(30, 200),
        Param::offset(),
    ],
    example: r#"{"text": "Не указан контрагент", "limit": 20}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

pub(super) const CASE: Param = Param {
    name: "case_sensitive",
    aliases: &["case"],
    kind: ParamKind::Flag,
    required: false,
    about: "Whether case matters.",
};

pub(super) const WITHIN: Param = Param {
    name: "within",
    aliases: &["in", "scope", "module", "object", "где"],
    kind: ParamKind::Text,
    required: false,
    about: "Only in this object or module: `Документ.РеализацияТоваров`.",
};

/// Most literals that a message may have come from.
const SOURCES: usize = 20;
/// Hits that are looked through when only one object's are wanted.
const SCANNED: usize = 5000;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let text = args.text("text").to_owned();
    let pattern = Pattern { text, regex: false, case_sensitive: args.flag("case_sensitive") };
    let nothing = say(context.language, "ни в одной строке кода такого текста нет", "no line of code holds this text");
    let answer = scanned(context, args, &pattern, ("literal_search", "text"), nothing)?;
    let message = args.text("text");
    if !answer.is_empty() || !message.trim().contains(' ') || !args.text("within").is_empty() {
        return Ok(answer);
    }
    let sources = context.index.message_sources(message, SOURCES)?;
    Ok(if sources.is_empty() { answer } else { answer.after_all().list("sources", &sources, Next::None) })
}

/// Lines of code that hold a pattern: what the literal and the regular-expression search have in common. `next`: the tool, and its
/// argument that is the pattern.
pub(super) fn scanned(
    context: &Context<'_>,
    args: &Args,
    pattern: &Pattern,
    next: (&'static str, &'static str),
    nothing: &str,
) -> Result<Answer, ToolError> {
    let within = match args.text("within") {
        "" => None,
        name => Some(context.index.require(name)?.full_name),
    };
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let hits = if within.is_some() { SCANNED } else { offset + limit };
    let limits = Limits { hits, until: context.until };
    let scan = match &within {
        Some(owner) => context.index.scan_within(pattern, owner, limits)?,
        None => context.index.scan(pattern, limits)?,
    };
    let inside = |full_name: &str| {
        within.as_deref().is_none_or(|owner| {
            full_name.strip_prefix(owner).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let all: Vec<_> = scan.hits.iter().filter(|hit| inside(&hit.full_name)).collect();
    let total = if within.is_some() { all.len() } else { scan.total };
    let rows = all.get(offset.min(all.len())..).unwrap_or_default();
    let rows = rows.get(..limit.min(rows.len())).unwrap_or_default();

    let mut answer = Answer::complete().field("total", total).field("within", &within);
    if total == 0 {
        answer = answer.empty(nothing);
    }
    if scan.timed_out {
        let note = Note::TimedOut { scanned: scan.scanned, of: scan.files };
        answer = answer.incomplete(note.message(context.language));
    }
    if scan.unread > 0 {
        let note = say(context.language, "модулей не прочитано", "modules could not be read");
        answer = answer.incomplete(format!("{note}: {}", scan.unread));
    }
    if within.is_some() && scan.truncated {
        let note = say(
            context.language,
            "текст слишком част: просмотрены первые вхождения",
            "the text is too frequent: only its first places were looked at",
        );
        answer = answer.incomplete(format!("{note} ({SCANNED})"));
    }
    let beyond = total.saturating_sub(offset + rows.len());
    let (tool, argument) = next;
    let next = Next::Page { tool, arguments: args.with(argument, args.text(argument)), offset };
    Ok(answer.list_of_more("hits", rows, Some(beyond), next))
}
