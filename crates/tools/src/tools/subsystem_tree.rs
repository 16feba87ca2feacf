//! `subsystem_tree`: how a configuration is divided into subsystems.

use index::{NameId, SubsystemNode};
use serde::Serialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{first, holds, number, text, why_none, without_empty};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "subsystem_tree",
    group: Group::Graph,
    purpose: "Subsystems (подсистемы) as a tree with the number of objects in each; of one subsystem its inner ones and the objects that it \
holds; of another object the subsystems that hold it. Not for an overview of the whole configuration (configuration_overview), nor for \
objects by kind (list_objects).",
    params: &[
        Param::maybe_name("Subsystem or object: `Подсистема.Продажи`, `Документ.Заказ`; nothing: the whole tree."),
        Param {
            name: "depth",
            aliases: &["глубина", "levels"],
            kind: ParamKind::Integer { least: 1, most: 20, default: 20 },
            required: false,
            about: "How many levels of subsystems.",
        },
        Param::filter("Only subsystems, and objects of the one asked for, whose name or synonym holds this."),
        Param::limit(100, 1000),
        Param::offset(),
    ],
    example: r#"{"name": "Подсистема.Продажи"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// The line on which a subsystem lists an object.
const PLACE: &str = "SELECT line FROM refs WHERE target = ?1 AND kind = 'subsystem_content' AND source = ?2 LIMIT 1";

/// A subsystem on a line: those inside follow it, with a greater depth.
#[derive(Serialize)]
struct Line {
    depth: usize,
    full_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    synonym: String,
    objects: u32,
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language);
    let mut of: Option<NameId> = None;
    let mut asked = args.with("offset", 0);
    let mut content: Option<Vec<Value>> = None;
    if !args.text("name").is_empty() {
        let named = index.require(args.text("name"))?;
        asked = args.with("name", named.full_name.as_str());
        if named.kind != "Subsystem" {
            return holders(context, args, &named.full_name, answer);
        }
        let sql = "SELECT item AS full_name FROM subsystem_content WHERE owner = ?1 ORDER BY item";
        let mut rows = index.view(sql, &[&named.full_name])?;
        for row in &mut rows {
            let sql = "SELECT synonym FROM objects WHERE full_name = ?1";
            let described = first(context, sql, text(row, "full_name"))?;
            row.extend(described);
        }
        let takes = |row: &&index::ViewRow| {
            ["full_name", "synonym"].iter().any(|key| holds(text(row, key), args.text("filter")))
        };
        let mut objects: Vec<Value> = rows.iter().filter(takes).map(|row| without_empty(row).into()).collect();
        // Where the subsystem lists each: only for those that are shown.
        for row in objects.iter_mut().skip(args.number("offset")).take(args.number("limit")) {
            let item = row.get("full_name").and_then(Value::as_str).unwrap_or_default();
            if let Some(place) = index.view(PLACE, &[item, &named.full_name])?.first() {
                row["line"] = number(place, "line").into();
            }
        }
        content = Some(objects);
        of = Some(named.id);
        answer = answer.field("full_name", &named.full_name).field("file", &index.definition(&named)?.file);
    }
    let tree = index.subsystems(of)?;
    let mut lines = Vec::new();
    flatten(&tree, 0, args.number("depth"), args.text("filter"), &mut lines);
    answer = answer.field("total", lines.len());
    if lines.is_empty() && content.as_ref().is_none_or(Vec::is_empty) {
        let nothing = match content {
            Some(_) => say(language, "подсистема пуста", "the subsystem is empty"),
            None => say(language, "таких подсистем нет", "there are no such subsystems"),
        };
        answer = answer.empty(why_none(nothing, &state, language));
    }
    let key = if of.is_some() { "inner" } else { "subsystems" };
    match content {
        Some(objects) => {
            answer =
                answer.field("objects_total", objects.len()).page("objects", &objects, args, TOOL.name, asked.clone());
            // Inner subsystems are few: they come with each page of objects.
            let whole = Next::Call { tool: TOOL.name, arguments: json!({}) };
            Ok(answer.list(key, &lines, whole))
        }
        None => Ok(answer.page(key, &lines, args, TOOL.name, asked)),
    }
}

/// The subsystems that hold an object.
fn holders(context: &Context<'_>, args: &Args, name: &str, answer: Answer) -> Result<Answer, ToolError> {
    let sql = "SELECT c.owner AS full_name, o.synonym FROM subsystem_content c JOIN objects o ON o.full_name = c.owner
               WHERE c.item = ?1 ORDER BY c.owner";
    let rows = context.index.view(sql, &[name])?;
    let mut answer = answer.field("full_name", name).field("total", rows.len());
    if rows.is_empty() {
        let state = context.of_metadata()?;
        let nothing = say(context.language, "объект не входит ни в одну подсистему", "no subsystem holds the object");
        answer = answer.empty(why_none(nothing, &state, context.language));
        answer = answer.field("next", call("object_passport", &json!({ "name": name })));
    }
    let rows: Vec<_> = rows.iter().map(without_empty).collect();
    Ok(answer.page("held_by", &rows, args, TOOL.name, args.with("name", name)))
}

/// The tree on lines; with a filter only what it takes, with its depth.
fn flatten(nodes: &[SubsystemNode], depth: usize, most: usize, filter: &str, lines: &mut Vec<Line>) {
    if depth >= most {
        return;
    }
    for node in nodes {
        if holds(&node.full_name, filter) || holds(&node.synonym, filter) {
            lines.push(Line {
                depth,
                full_name: node.full_name.clone(),
                synonym: node.synonym.clone(),
                objects: node.content,
            });
        }
        flatten(&node.children, depth + 1, most, filter, lines);
    }
}
