//! `event_subscriptions`: which subscriptions listen to which objects, and what handles them.

use std::collections::BTreeMap;

use index::ViewRow;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{first, holds, is_inside, rows_of, text, why_none};
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "event_subscriptions",
    group: Group::Graph,
    purpose: "Event subscriptions (подписки на события): event, handler, source objects with defined types and whole kinds opened. By an \
object (who listens to its writing, deletion, posting …), by a subscription, by the handler's module or method; without a name all of \
them. Not for handlers in the object's own module (object_passport), nor for who else calls a handler (callers).",
    params: &[
        Param::maybe_name(
            "Object, subscription, module or method: `Документ.Заказ`, `ПодпискаНаСобытие.ВерсииОбъектов`; nothing: all.",
        ),
        Param::maybe("event", &["событие"], "Only this event or a part of its name: `BeforeWrite`, `ПередЗаписью`."),
        Param::limit(30, 300),
        Param::offset(),
    ],
    example: r#"{"name": "Документ.РеализацияТоваров", "event": "BeforeWrite"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Sources that a row shows.
const SOURCES: usize = 5;
/// Names of events in Russian, as people write them, and in English, as metadata has them.
const EVENTS: &str = include_str!("../../data/subscription_events.tsv");

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let event = args.text("event");
    let mut known = rows_of(EVENTS).filter_map(|row| Some((*row.first()?, *row.get(1)?)));
    let event = known.find(|(ru, _)| bsl::same_name(ru, event)).map_or(event, |(_, en)| en);
    let named = match args.text("name") {
        "" => None,
        name => Some(index.require(name)?),
    };
    let rows = index.view(
        "SELECT name, event, handler, source_object FROM event_subscriptions ORDER BY name, source_object",
        &[],
    )?;
    let mut subscriptions: BTreeMap<String, (ViewRow, Vec<String>)> = BTreeMap::new();
    for row in rows {
        let (name, source) = (text(&row, "name").to_owned(), text(&row, "source_object").to_owned());
        let entry = subscriptions.entry(name).or_insert_with(|| (row, Vec::new()));
        entry.1.extend((!source.is_empty()).then_some(source));
    }
    let asked = named.as_ref().map(|named| named.full_name.as_str());
    let takes = |row: &ViewRow, sources: &[String]| {
        holds(text(row, "event"), event)
            && asked.is_none_or(|asked| {
                text(row, "name") == asked
                    || is_inside(text(row, "handler"), asked)
                    || sources.iter().any(|source| source == asked)
            })
    };
    let wanted: Vec<Value> = subscriptions
        .values()
        .filter(|(row, sources)| takes(row, sources))
        .map(|(row, sources)| entry(context, row, sources, asked))
        .collect::<Result<_, _>>()?;
    let state = context.of_metadata()?;
    let mut answer =
        Answer::of_state(&state, language).field("full_name", asked).field("event", event).field("total", wanted.len());
    if wanted.is_empty() {
        let nothing = say(language, "таких подписок на события нет", "there are no such event subscriptions");
        answer = answer.empty(why_none(nothing, &state, language));
    }
    let next = match asked {
        Some(name) => args.with("name", name),
        None => args.with("offset", 0),
    };
    Ok(answer.page("subscriptions", &wanted, args, TOOL.name, next))
}

fn entry(context: &Context<'_>, row: &ViewRow, sources: &[String], asked: Option<&str>) -> Result<Value, ToolError> {
    let (name, handler) = (text(row, "name"), text(row, "handler"));
    let described = first(context, "SELECT synonym, file FROM objects WHERE full_name = ?1", name)?;
    let method = first(context, "SELECT line FROM methods WHERE full_name = ?1", handler)?;
    let mut entry =
        json!({ "name": name, "event": row.get("event"), "handler": handler, "file": described.get("file") });
    if method.is_empty() {
        let problem =
            say(context.language, "обработчика нет в загруженных модулях", "no loaded module has the handler");
        entry["problem"] = problem.into();
    }
    if !text(&described, "synonym").is_empty() {
        entry["synonym"] = text(&described, "synonym").into();
    }
    // Of the one object that was asked for all others are of no interest; of one subscription all are.
    let shown = match asked {
        Some(asked) if asked == name => sources.len(),
        Some(asked) if sources.iter().any(|source| source == asked) => 0,
        _ => SOURCES,
    };
    entry["sources_total"] = sources.len().into();
    if shown > 0 {
        entry["sources"] = sources.iter().take(shown).cloned().collect::<Vec<_>>().into();
    }
    Ok(entry)
}
