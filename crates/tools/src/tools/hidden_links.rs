//! `hidden_links`: how a thing is linked beside plain calls.

use std::collections::BTreeMap;

use index::{EdgeRow, State, Walk};
use serde_json::Value;

use crate::answer::{Answer, limit_reached, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::set;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "hidden_links",
    group: Group::Graph,
    purpose: "Links of a method, module, form, job, subscription or object that no plain call in the text shows (скрытые связи), both \
directions, by channel: event subscriptions, form events and commands, scheduled and background jobs, notifications, idle handlers, \
calls through variables, names in strings, conventions of frameworks, overrides of extensions. Each link has channel, confidence, \
file and line. Not for plain calls (callers, callees), nor for the whole way from a user to a method (entry_points).",
    params: &[
        Param::name("Full name, or what code writes: `Модуль.Метод`, `Документ.Заказ`, `РегламентноеЗадание.Обмен`."),
        Param {
            name: "direction",
            aliases: &["направление", "side"],
            kind: ParamKind::Choice {
                words: &[
                    ("both", &["all", "оба", "обе", "все"]),
                    ("in", &["incoming", "callers", "входящие"]),
                    ("out", &["outgoing", "callees", "исходящие"]),
                ],
                default: "both",
            },
            required: false,
            about: "Links to it, from it, or both.",
        },
        Param {
            name: "channels",
            aliases: &["channel", "канал", "каналы"],
            kind: ParamKind::Texts,
            required: false,
            about: "Only these channels, e.g. notify, event_subscription; empty: all hidden ones.",
        },
        Param::limit(40, 400),
        Param::offset(),
    ],
    example: r#"{"name": "Документ.РеализацияТоваров", "direction": "in"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Channels of calls that the text itself shows: the callee's name stands there in full.
const PLAIN: [&str; 3] = ["direct", "global_call", "manager_call"];
/// Links that are looked through.
const LOOKED_THROUGH: usize = 5000;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let named = index.require(args.text("name"))?;
    let wanted: Vec<String> = args.texts("channels").iter().map(|channel| channel.to_lowercase()).collect();
    let hidden: Vec<String> = index.channels()?.into_iter().filter(|word| !PLAIN.contains(&word.as_str())).collect();
    let channels: Vec<String> =
        hidden.iter().filter(|word| wanted.is_empty() || wanted.contains(word)).cloned().collect();
    let unknown: Vec<&String> = wanted.iter().filter(|word| !hidden.contains(word)).collect();
    let walk = Walk { depth: 1, channels, limit: LOOKED_THROUGH };
    let direction = args.word("direction");
    let mut state = State::of(Vec::new());
    let mut sides: Vec<(&'static str, &'static str, Vec<EdgeRow>)> = Vec::new();
    // Without a channel to follow there is nothing to walk: an empty list would mean all of them.
    let walks = !walk.channels.is_empty();
    if direction != "out" && walks {
        let found = index.callers(named.id, &walk)?;
        state = found.state;
        sides.push(("incoming", "in", found.rows));
    }
    if direction != "in" && walks {
        let found = index.callees(named.id, &walk)?;
        let new = found.state.reasons.into_iter().filter(|reason| !state.reasons.contains(reason));
        state = State::of(state.reasons.iter().cloned().chain(new).collect());
        sides.push(("outgoing", "out", found.rows));
    }
    let mut answer = Answer::of_state(&state, language).field("full_name", &named.full_name).field("kind", &named.kind);
    if sides.iter().all(|(.., rows)| rows.is_empty()) {
        let nothing = say(language, "скрытых связей не найдено", "no hidden links found");
        // What some channels don't show proves nothing of the others.
        let why = if wanted.is_empty() { why_empty(nothing, &state, language) } else { nothing.to_owned() };
        answer = answer.empty(why);
    }
    if !unknown.is_empty() {
        let names = unknown.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", ");
        let what = say(language, "таких скрытых каналов в этом индексе нет", "no such hidden channels in this index");
        answer = answer.incomplete(format!(
            "{what}: {names}; {}: {}",
            say(language, "есть", "there are"),
            hidden.join(", ")
        ));
    } else if !wanted.is_empty() {
        let what = say(language, "искали только по каналам", "only these channels were asked for");
        answer = answer.incomplete(format!("{what}: {}", wanted.join(", ")));
    }
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (_, side, rows) in &sides {
        for row in rows {
            *counts.entry(side).or_default().entry(&row.channel).or_default() += 1;
        }
    }
    answer = answer.field("by_channel", &counts);
    if limit_reached(&state) {
        answer = answer.field("counted_at_most", LOOKED_THROUGH);
    }
    for (key, side, rows) in &sides {
        let mut rows: Vec<&EdgeRow> = rows.iter().collect();
        rows.sort_by(|a, b| (&a.channel, &a.file, a.line).cmp(&(&b.channel, &b.file, b.line)));
        let next: Value = set(args.with("name", named.full_name.as_str()), "direction", *side);
        answer = answer.page(key, &rows, args, TOOL.name, next);
    }
    Ok(answer)
}
