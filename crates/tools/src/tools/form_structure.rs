//! `form_structure`: what a form consists of.

use index::{FormItemRow, FormStructure};
use serde_json::{Value, json};

use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{holds, set, text, why_none};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "form_structure",
    group: Group::Graph,
    purpose: "What a form consists of (структура формы): the tree of its items with depth, kind, data path, title, command and handlers; \
attributes with types and queries of dynamic lists; commands with their procedures; handlers of the form's events. `part` and `item` \
narrow it down. Of an object with one form that form. Not for the form's code (read_method, read_module), nor for who opens it (callers).",
    params: &[
        Param::name("Form: `Документ.Заказ.Форма.ФормаДокумента`, `ОбщаяФорма.Вопрос`; an object with one form."),
        Param {
            name: "part",
            aliases: &["section", "раздел"],
            kind: ParamKind::Choice {
                words: &[
                    ("all", &["все", "any"]),
                    ("items", &["item", "elements", "элементы"]),
                    ("attributes", &["attribute", "реквизиты"]),
                    ("commands", &["command", "команды"]),
                    ("handlers", &["events", "события", "обработчики"]),
                ],
                default: "all",
            },
            required: false,
            about: "Only this part.",
        },
        Param::maybe("item", &["element", "элемент"], "Only this item with what it holds: its name."),
        Param::filter("Only entries whose name, title, data path or procedure holds this."),
        Param::limit(80, 800),
        Param::offset(),
    ],
    example: r#"{"name": "Документ.РеализацияТоваров.Форма.ФормаДокумента", "part": "items"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let named = index.require(args.text("name"))?;
    let (full_name, structure) = match index.form_structure(named.id)? {
        Some(structure) => (named.full_name, structure),
        None => only_form(context, &named.full_name, named.kind)?,
    };
    let part = args.word("part");
    let wants = |name: &str| part == "all" || part == name;
    let state = context.of_metadata()?;
    let filter = args.text("filter");
    let items = items_of(&structure, args.text("item"), &full_name)?;
    let mut lists: Vec<(&'static str, Vec<Value>)> = Vec::new();
    if wants("items") {
        let takes =
            |item: &&FormItemRow| [&item.name, &item.title, &item.data_path].iter().any(|one| holds(one, filter));
        lists.push(("items", items.iter().copied().filter(takes).map(|item| entry(item, &structure)).collect()));
    }
    let has_item = !args.text("item").is_empty();
    if wants("attributes") && !has_item {
        let rows = structure.attributes.iter().filter(|row| holds(&row.name, filter) || holds(&row.types, filter));
        lists.push(("attributes", rows.map(|row| json!(row)).collect()));
    }
    if wants("commands") && !has_item {
        let rows = structure.commands.iter().filter(|row| holds(&row.name, filter) || holds(&row.action, filter));
        lists.push(("commands", rows.map(|row| json!(row)).collect()));
    }
    if wants("handlers") && !has_item {
        // Those of items stand with their items unless only handlers are asked for.
        let rows = structure.handlers.iter().filter(|row| part == "handlers" || row.element.is_empty());
        let rows = rows.filter(|row| [&row.element, &row.event, &row.handler].iter().any(|one| holds(one, filter)));
        lists.push(("handlers", rows.map(|row| json!(row)).collect()));
    }
    let counts = json!({
        "items": structure.items.len(), "attributes": structure.attributes.len(), "commands": structure.commands.len(),
        "handlers": structure.handlers.len(),
    });
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &full_name)
        .field("kind", &structure.kind)
        .field("file", &structure.file)
        .field("counts", counts);
    if lists.iter().all(|(_, rows)| rows.is_empty()) {
        let nothing = match filter.is_empty() {
            true => say(language, "в этой части форма пуста", "this part of the form is empty"),
            false => say(language, "с таким текстом в форме ничего нет", "nothing in the form holds this text"),
        };
        answer = answer.empty(why_none(nothing, &state, language));
    }
    for (key, rows) in &lists {
        answer = answer.page(key, rows, args, TOOL.name, set(args.with("name", full_name.as_str()), "part", *key));
    }
    Ok(answer)
}

/// The form of an object that has one only.
fn only_form(context: &Context<'_>, owner: &str, kind: String) -> Result<(String, FormStructure), ToolError> {
    let rows = context.index.view("SELECT form FROM forms WHERE object = ?1 ORDER BY form", &[owner])?;
    if let [only] = rows.as_slice() {
        let form = context.index.require(text(only, "form"))?;
        if let Some(structure) = context.index.form_structure(form.id)? {
            return Ok((form.full_name, structure));
        }
    }
    let mut next: Vec<Value> =
        rows.iter().map(|row| call("form_structure", &json!({ "name": text(row, "form") }))).collect();
    if next.is_empty() {
        next.push(call("object_passport", &json!({ "name": owner })));
    }
    Err(ToolError::WrongKind { name: owner.to_owned(), kind, wanted: ("форма", "a form"), next })
}

/// All items, or one with what it holds.
fn items_of<'s>(structure: &'s FormStructure, item: &str, form: &str) -> Result<Vec<&'s FormItemRow>, ToolError> {
    if item.is_empty() {
        return Ok(structure.items.iter().collect());
    }
    let Some(at) = structure.items.iter().position(|row| bsl::same_name(&row.name, item)) else {
        let names = structure.items.iter().map(|row| row.name.as_str());
        let nearest = bsl::nearest(item, names, 5).into_iter().map(|name| format!("{form}.Item.{name}")).collect();
        return Err(index::Error::UnknownName { name: format!("{form}.Item.{item}"), nearest }.into());
    };
    let rest = structure.items.get(at..).unwrap_or_default();
    let depth = rest.first().map_or(0, |row| row.depth);
    let inner = rest.iter().skip(1).take_while(|row| row.depth > depth);
    Ok(rest.iter().take(1).chain(inner).collect())
}

fn entry(item: &FormItemRow, structure: &FormStructure) -> Value {
    let mut entry = json!(item);
    let handlers: serde_json::Map<String, Value> = structure
        .handlers
        .iter()
        .filter(|row| row.element == item.name)
        .map(|row| (row.event.clone(), row.handler.as_str().into()))
        .collect();
    if !handlers.is_empty() {
        entry["handlers"] = handlers.into();
    }
    entry
}
