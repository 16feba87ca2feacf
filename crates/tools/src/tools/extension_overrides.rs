//! `extension_overrides`: what extensions do to methods, and what really runs.

use index::{EffectiveStep, Named};
use serde_json::{Value, json};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{first, is_inside, number, text, why_none, without_empty};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "extension_overrides",
    group: Group::Graph,
    purpose: "What extensions change (расширения: &Перед, &После, &Вместо, &ИзменениеИКонтроль). Of a method: what runs in its place, step by \
step in the order in which it begins, what never runs, and a method under control whose base has changed since (`drifted`). Of an object, \
module or extension, or without a name: all methods that override something, and problems (`absent_base`, `drifted_control`). Not for \
plain callers (callers), nor for subscriptions (event_subscriptions).",
    params: &[
        Param::maybe_name(
            "Method, module, object, or the name of an extension: `Модуль.Метод`, `Документ.Заказ`, `МоёРасширение`; nothing: all.",
        ),
        Param {
            name: "drifted",
            aliases: &["only_drifted", "изменились"],
            kind: ParamKind::Flag,
            required: false,
            about: "Only methods under control whose base has changed.",
        },
        Param::limit(50, 500),
        Param::offset(),
    ],
    example: r#"{"name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Problems of extensions that are shown.
const PROBLEMS: [&str; 2] = ["absent_base", "drifted_control"];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, asked) = (context.index, args.text("name"));
    // The view goes through the table in the order in which layers apply.
    let layers = index.view("SELECT name FROM layers WHERE kind = 'extension'", &[])?;
    let layer = layers.iter().map(|row| text(row, "name")).find(|name| bsl::same_name(name, asked));
    let named = match (asked, layer) {
        ("", _) | (_, Some(_)) => None,
        (name, None) => Some(index.require(name)?),
    };
    if let Some(method) = named.as_ref().filter(|named| named.kind == "method") {
        return of_method(context, args, method);
    }
    all(context, args, named.as_ref(), layer, layers.iter().map(|row| text(row, "name")).collect())
}

/// What runs in place of a method.
fn of_method(context: &Context<'_>, args: &Args, method: &Named) -> Result<Answer, ToolError> {
    let language = context.language;
    let steps = context.index.effective(method.id)?;
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language).field("full_name", &method.full_name);
    let is_overridden = steps.len() > 1;
    if !is_overridden {
        let nothing = say(language, "расширения этот метод не меняют", "no extension changes this method");
        answer = answer.empty(why_none(nothing, &state, language));
    }
    if let Some(never) = steps.iter().find(|step| !step.runs) {
        let what = say(
            language,
            "не выполнится: его закрывает &Вместо без ПродолжитьВызов",
            "never runs: what stands around it doesn't proceed",
        );
        answer = answer.remark(format!("{}: {what}", never.full_name));
    }
    if let Some(drifted) = steps.iter().find(|step| step.drifted) {
        let what = say(
            language,
            "исходный метод изменился: расширение с &ИзменениеИКонтроль не применится, пока его не обновят",
            "its base has changed: the extension does not apply until it is updated",
        );
        answer = answer.remark(format!("{}: {what}", drifted.full_name));
    }
    let rows: Vec<Value> = steps.iter().filter(|_| is_overridden).map(step).collect();
    Ok(answer.page("steps", &rows, args, TOOL.name, args.with("name", method.full_name.as_str())))
}

fn step(step: &EffectiveStep) -> Value {
    let mut row = json!({ "full_name": step.full_name, "kind": step.kind, "depth": step.depth, "file": step.file, "line": step.line });
    if !step.layer.is_empty() {
        row["layer"] = step.layer.as_str().into();
    }
    if !step.runs {
        row["runs"] = false.into();
    }
    if step.drifted {
        row["drifted"] = true.into();
    }
    row
}

/// All overrides: of the whole project, an extension, an object or module.
fn all(
    context: &Context<'_>,
    args: &Args,
    of: Option<&Named>,
    layer: Option<&str>,
    layers: Vec<&str>,
) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let rows = index.view(
        "SELECT full_name, override_kind AS kind, override_of AS base, layer, module, line, end_line
         FROM methods WHERE override_kind IS NOT NULL ORDER BY layer, full_name",
        &[],
    )?;
    let problems = index.view(
        "SELECT file, line, kind, message_ru, message_en FROM problems WHERE kind IN (?1, ?2) ORDER BY file, line",
        &PROBLEMS,
    )?;
    let own = |name: &str| name.split_once("::").map_or(name, |(_, rest)| rest).to_owned();
    let mut overrides: Vec<Value> = Vec::new();
    for row in &rows {
        let of_layer = layer.is_none_or(|layer| text(row, "layer") == layer);
        let wanted = of.is_none_or(|of| {
            [text(row, "base"), text(row, "full_name")]
                .iter()
                .any(|name| is_inside(name, &of.full_name) || is_inside(&own(name), &own(&of.full_name)))
        });
        if !of_layer || !wanted {
            continue;
        }
        let module = first(context, "SELECT file FROM modules WHERE full_name = ?1", text(row, "module"))?;
        let base = first(context, "SELECT line FROM methods WHERE full_name = ?1", text(row, "base"))?;
        let is_drifted = problems.iter().any(|problem| {
            text(problem, "kind") == "drifted_control"
                && text(problem, "file") == text(&module, "file")
                && (number(row, "line")..=number(row, "end_line")).contains(&number(problem, "line"))
        });
        if args.flag("drifted") && !is_drifted {
            continue;
        }
        let mut entry = without_empty(row);
        entry.remove("end_line");
        entry.remove("module");
        entry.extend(module);
        if base.is_empty() {
            entry.insert("absent".to_owned(), true.into());
        }
        if is_drifted {
            entry.insert("drifted".to_owned(), true.into());
        }
        overrides.push(entry.into());
    }
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", of.map(|of| of.full_name.as_str()))
        .field("extension", layer)
        .field("extensions", &layers)
        .field("total", overrides.len());
    if overrides.is_empty() {
        let nothing = match layers.is_empty() {
            true => say(language, "в проекте нет расширений", "the project has no extensions"),
            false => say(language, "расширения здесь ничего не переопределяют", "extensions override nothing here"),
        };
        answer = answer.empty(why_none(nothing, &state, language));
    }
    let next = match (of, layer) {
        (Some(of), _) => args.with("name", of.full_name.as_str()),
        (None, Some(layer)) => args.with("name", layer),
        (None, None) => args.with("offset", 0),
    };
    answer = answer.page("overrides", &overrides, args, TOOL.name, next);
    let message = if language == metadata::Language::Russian { "message_ru" } else { "message_en" };
    let shown: Vec<Value> = problems
        .iter()
        .filter(|row| layer.is_none_or(|layer| text(row, "file").starts_with(&format!("{layer}::"))))
        .filter(|_| of.is_none())
        .map(|row| json!({ "kind": row.get("kind"), "file": row.get("file"), "line": row.get("line"), "message": row.get(message) }))
        .collect();
    if shown.is_empty() {
        return Ok(answer);
    }
    let sql = "SELECT * FROM problems WHERE kind IN ('absent_base', 'drifted_control')";
    Ok(answer.list("problems", &shown, Next::Call { tool: "sql_select", arguments: json!({ "sql": sql }) }))
}
