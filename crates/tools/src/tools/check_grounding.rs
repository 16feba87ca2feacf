//! `check_grounding`: whether the names in code or prose exist.

use serde_json::{Value, json};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::findings::{self, MODULE};
use crate::grounding::{self, NameState};
use crate::params::{Args, Param};
use crate::scan::Scanner;
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "check_grounding",
    group: Group::Edits,
    purpose: "Whether names exist in the configuration (существуют ли имена), with the nearest right ones. Prose: every `Справочник.X`, \
`X.Реквизит`, `Модуль.Метод(…)` in it; code: give the `module` that it belongs in, and calls, arguments, attributes and queries are judged. \
Not for syntax (check_syntax) nor for a whole module (scan_code).",
    params: &[
        Param::text(
            "text",
            &["names", "code", "name", "текст", "имена"],
            "Prose with names, one name, or code (then with `module`).",
        ),
        MODULE,
    ],
    example: EXAMPLE,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

const EXAMPLE: &str = r#"{"text": "Справочник.Валюты и ОбщегоНазначения.ЗначениеРеквизитаОбъекта(Ссылка, \"Код\")"}"#;
/// How many different names of one text are looked up.
const NAMES: usize = 200;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let scanner = Scanner::of(context.index)?;
    if !args.text("module").is_empty() {
        let asked = findings::asked(context, &scanner, args, EXAMPLE)?;
        let (found, skipped) = findings::findings(&scanner, &asked, &[]);
        return Ok(findings::answer(context, &asked, &found, &skipped));
    }
    let text = args.text("text");
    let (mut rows, mut known, mut seen): (Vec<Value>, usize, Vec<&str>) = (Vec::new(), 0, Vec::new());
    for (at, name) in grounding::names_in(text) {
        if let Some(wrong) = grounding::check_call(&scanner, text, at, name) {
            let takes = [wrong.least, wrong.most];
            rows.push(json!({ "name": name, "arguments": wrong.given, "takes": takes, "params": wrong.params }));
        }
        if seen.contains(&name) {
            continue;
        }
        if seen.len() == NAMES {
            break;
        }
        seen.push(name);
        match grounding::check(context.index, name)? {
            NameState::Known => known += 1,
            NameState::NotAName => {}
            NameState::Unknown { nearest } => rows.push(json!({ "name": name, "nearest": nearest })),
        }
    }
    let mut answer = Answer::complete().field("known", known);
    if seen.len() == NAMES {
        answer =
            answer.incomplete(say(context.language, "проверены первые 200 имён", "the first 200 names were looked up"));
    }
    if rows.is_empty() {
        let reason = match known {
            0 => {
                say(context.language, "в тексте нет имён конфигурации", "the text holds no names of the configuration")
            }
            _ => say(context.language, "все имена есть", "all names are there"),
        };
        answer = answer.empty(reason);
    }
    Ok(answer.list("unknown", &rows, Next::None))
}
