//! `propose_replace_lines`: lines by their numbers become others.

use crate::answer::Answer;
use crate::context::Context;
use crate::edits::EditError;
use crate::edits::code::Place;
use crate::edits::patch::{line_end_at, nearest_place, with_line_ends};
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};
use crate::tools::propose_insert::within;
use crate::tools::propose_patch::{TITLE, title_or};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "propose_replace_lines",
    group: Group::Edits,
    purpose: "Proposes other text for a range of lines of a module or text file (заменить строки), by numbers of the file as read_module and \
read_method show them. `first_text` guards against lines that moved: give the text of the first line. The file is not changed: the change \
waits for a person. Not for text that can be quoted (propose_patch is safer).",
    params: &[
        Param::name("Module, method, or a file's path from the root of the dump."),
        line("from_line", &["line", "start", "start_line", "с_строки"], "First line to replace."),
        line("to_line", &["end", "end_line", "по_строку"], "Last line to replace."),
        Param {
            name: "code",
            aliases: &["text", "new", "replace", "код", "текст"],
            kind: ParamKind::Text,
            required: false,
            about: "The text in their place, indented as it is to stand there; empty: the lines go.",
        },
        Param {
            name: "first_text",
            aliases: &["expected", "old", "was"],
            kind: ParamKind::Text,
            required: false,
            about: "What the first of them says now; if it says something else, nothing is done.",
        },
        TITLE,
    ],
    example: r#"{"name": "ЦеныИСкидки", "from_line": 64, "to_line": 64, "first_text": "Возврат 1;", "code": "\tВозврат 2;"}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

/// A line of the file, which must be given.
pub(super) const fn line(name: &'static str, aliases: &'static [&'static str], about: &'static str) -> Param {
    let kind = ParamKind::Integer { least: 1, most: 10_000_000, default: 1 };
    Param { name, aliases, kind, required: true, about }
}

/// Reads two lines of a file.
pub(super) fn lines(place: &Place, args: &Args) -> Result<(u32, u32), ToolError> {
    let number = |name| u32::try_from(args.number(name)).unwrap_or(u32::MAX);
    let (first, last) = (number("from_line"), number("to_line"));
    if first > last {
        let (ru, en) =
            (format!("from_line {first} больше to_line {last}"), format!("from_line {first} is beyond to_line {last}"));
        return Err(EditError::place(ru, en).into());
    }
    Ok((within(place, first)?, within(place, last)?))
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let mut place = Place::of(context, args.text("name"))?;
    let (first, last) = lines(&place, args)?;
    let range = place.lines(first, last);
    let text = place.revision.text();
    let old = text.get(range.clone()).unwrap_or_default();
    let bare =
        |line: &str| line.chars().filter(|letter| !letter.is_whitespace() && *letter != '\u{feff}').collect::<String>();
    let expected = args.text("first_text").lines().next().unwrap_or_default();
    if !expected.is_empty() && bare(expected) != bare(old.lines().next().unwrap_or_default()) {
        return Err(EditError::Place {
            ru: format!("строка {first} говорит другое: строки сместились"),
            en: format!("line {first} says something else: lines have moved"),
            near: nearest_place(text, 1, expected),
        }
        .into());
    }
    // A byte order mark is no part of the first line.
    let mark = if old.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let end = line_end_at(text, range.start + mark);
    let mut new = with_line_ends(args.raw("code"), end);
    if !new.is_empty() && !new.ends_with('\n') && old.ends_with('\n') {
        new.push_str(end);
    }
    let failed =
        |mismatch: crate::edits::splice::Mismatch| EditError::place(mismatch.to_string(), mismatch.to_string());
    place.revision.replace(range.start + mark..range.end, &new).map_err(failed)?;
    let what = say(context.language, "строки", "lines");
    let title = title_or(args, format!("{}: {what} {first}–{last}", place.module));
    place.propose(context, args, TOOL.name, title)
}
