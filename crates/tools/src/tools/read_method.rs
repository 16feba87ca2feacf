//! `read_method`: the text of a method.

use serde_json::json;

use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "read_method",
    group: Group::Search,
    purpose: "The source text of one method (текст метода), with file and first line; a long one comes in pieces cut at the end of a \
statement. Not for signature, callers and queries at a glance (method_passport is shorter).",
    params: &[
        Param::name("Full name or `Модуль.Метод`."),
        Param {
            name: "from_line",
            aliases: &["line", "start_line", "с_строки"],
            kind: ParamKind::Integer { least: 0, most: 10_000_000, default: 0 },
            required: false,
            about: "Line of the file to begin at; 0: the method's first.",
        },
    ],
    example: r#"{"name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта"}"#,
    class: Class::Read,
    ceiling: 16_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let named = context.index.require(args.text("name"))?;
    if context.index.method(named.id)?.is_none() {
        return Err(not_a_method(context, &named)?);
    }
    let source = context.index.method_source(named.id)?;
    let asked = u32::try_from(args.number("from_line")).unwrap_or(0);
    let first = if asked == 0 { source.line } else { asked.clamp(source.line, source.end_line) };
    let skip = usize::try_from(first - source.line).unwrap_or(0);
    let text: String = source.text.split_inclusive('\n').skip(skip).collect();
    let mut answer = Answer::complete()
        .field("full_name", &named.full_name)
        .field("file", &source.file)
        .field("line", first)
        .field("end_line", source.end_line);
    if asked != 0 && asked != first {
        let note = say(
            context.language,
            "строки нет в методе, взята ближайшая",
            "the line is outside the method, the nearest is taken",
        );
        answer = answer.remark(note);
    }
    if source.stale {
        let note = say(
            context.language,
            "файл изменился после индексации: строки могли сместиться",
            "the file changed after it was indexed: lines may have moved",
        );
        answer = answer.incomplete(note);
    }
    Ok(answer.source(text, first, "read_method", json!({ "name": named.full_name })))
}

/// The error for a thing that is no method, with the first methods that it holds.
pub(super) fn not_a_method(context: &Context<'_>, named: &index::Named) -> Result<ToolError, ToolError> {
    let methods = context.index.methods_of(named.id)?;
    let mut next: Vec<_> =
        methods.iter().take(5).map(|method| call("read_method", &json!({ "name": method.full_name }))).collect();
    if next.is_empty() {
        next.push(call("object_passport", &json!({ "name": named.full_name })));
    }
    let wanted = ("метод", "a method");
    Ok(ToolError::WrongKind { name: named.full_name.clone(), kind: named.kind.clone(), wanted, next })
}
