//! `read_module`: lines of a module, or of another file of the dump.

use serde_json::json;

use super::module_outline::module_of;
use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "read_module",
    group: Group::Search,
    purpose: "Source lines of a module (текст модуля по строкам) from a line to a line, by the module's name or by a file that another answer gave; \
what doesn't fit is cut at the end of a statement, with the call for the rest. Not for one method (read_method), nor for what the \
module consists of (module_outline: read that first, modules are long).",
    params: &[
        Param {
            aliases: &["file", "path", "module", "full_name", "object", "имя", "модуль", "файл"],
            ..Param::name(
                "A module, form or object, or the path of a file in the dump: `CommonModules/Х/Ext/Module.bsl`.",
            )
        },
        Param {
            name: "from_line",
            aliases: &["line", "start_line", "from", "start", "с_строки"],
            kind: ParamKind::Integer { least: 1, most: 10_000_000, default: 1 },
            required: false,
            about: "First line.",
        },
        Param {
            name: "to_line",
            aliases: &["end_line", "to", "end", "по_строку"],
            kind: ParamKind::Integer { least: 0, most: 10_000_000, default: 0 },
            required: false,
            about: "Last line; 0: the last of the file.",
        },
    ],
    example: r#"{"name": "ОбщийМодуль.ОбщегоНазначения", "from_line": 100, "to_line": 160}"#,
    class: Class::Read,
    ceiling: 16_000,
    run,
};

/// Most lines that are read at once: more than fit into the ceiling.
const LINES: u32 = 2_000;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let name = args.text("name");
    let (full_name, file, lines) = match file_of(context, name)? {
        Some(found) => found,
        None => {
            let named = context.index.require(name)?;
            match module_of(context, &named, "read_module")? {
                Ok(outline) => (Some(outline.full_name), outline.file, Some(outline.lines)),
                Err(several) => return Ok(several),
            }
        }
    };
    let number = |key: &str| u32::try_from(args.number(key)).unwrap_or(u32::MAX);
    let from = number("from_line").max(1);
    let to = match number("to_line") {
        0 => u32::MAX,
        to => to.max(from),
    };
    let read_to = to.min(from.saturating_add(LINES - 1));
    let source = context.index.lines(&file, from, read_to)?;
    let mut answer = Answer::complete()
        .field("full_name", &full_name)
        .field("file", &file)
        .field("lines", lines)
        .field("line", source.line)
        .field("end_line", source.end_line);
    if source.text.is_empty() {
        let nothing = say(context.language, "в файле меньше строк", "the file has fewer lines");
        let last = lines.map(|lines| format!(": {lines}")).unwrap_or_default();
        answer = answer.empty(format!("{nothing}{last}"));
    }
    if source.stale {
        let note = say(
            context.language,
            "файл изменился после индексации: строки могли сместиться",
            "the file changed after it was indexed: lines may have moved",
        );
        answer = answer.incomplete(note);
    }
    if read_to < to && source.end_line == read_to && lines.is_none_or(|lines| read_to < lines) {
        let note = say(context.language, "прочитаны первые строки, дальше от", "the first lines were read, go on from");
        answer = answer.incomplete(format!("{note} {}", read_to.saturating_add(1)));
    }
    let mut next = json!({ "name": full_name.unwrap_or(file) });
    if to != u32::MAX {
        next["to_line"] = to.into();
    }
    Ok(answer.source(source.text, source.line, "read_module", next))
}

/// A file: full name of the module that it holds, its path, its number of lines if it holds one.
type File = (Option<String>, String, Option<u32>);

/// The file of a path; None if the name is no path.
fn file_of(context: &Context<'_>, name: &str) -> Result<Option<File>, ToolError> {
    if !name.contains(['/', '\\']) {
        return Ok(None);
    }
    let path = name.replace('\\', "/");
    let module = context.index.module_files()?.into_iter().find(|file| file.path == path);
    let Some(module) = module else {
        // `lines` refuses what is no file of the dump.
        return Ok(Some((None, path, None)));
    };
    let outline = context.index.outline(module.module)?;
    Ok(Some((outline.as_ref().map(|one| one.full_name.clone()), path, outline.map(|one| one.lines))))
}
