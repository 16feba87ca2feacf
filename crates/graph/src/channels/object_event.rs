//! `object_event`: a call that makes the platform raise events of an object -> the handlers.
//!
//! Site -> handlers of the object's module and of subscriptions: `Об.Записать()`, `Удалить()`, posting, of an object of known
//! type. Which call raises which events is data (`data/object_events.tsv`).

use bsl::{Expr, ExprId};
use metadata::ModuleKind;

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::handlers;
use crate::names::{Ident, same};
use crate::types::lines;
use crate::value::{Aspect, Value};
use crate::world::{MethodId, World};

/// The channel.
pub const CHANNEL: Channel = Channel("object_event");

/// The rule.
pub(super) struct ObjectEvent;

impl Rule for ObjectEvent {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let world = flow.cx.module.world;
        let events = world.raised(site.name);
        if events.is_empty() {
            return;
        }
        let own = flow.cx.module.info;
        let mut raise = |value: Value, confidence| {
            let (object, aspect) = match value {
                Value::Instance { object, aspect, .. } => (object, Some(aspect)),
                Value::Manager { object, .. } => (object, None),
                Value::This if own.kind == ModuleKind::ObjectModule => (own.owner, Some(Aspect::Object)),
                Value::This if own.kind == ModuleKind::RecordSetModule => (own.owner, Some(Aspect::RecordSet)),
                _ => return,
            };
            let fits = |event: &&Raised| {
                event.of == aspect && (event.kind.is_empty() || world.kind_of(object).is_some_and(|k| k.is(event.kind)))
            };
            let given = |event: &&Raised| event.argument.is_empty() || names(flow, site.args.first(), event.argument);
            let mut fitting: Vec<&Raised> = events.iter().filter(fits).filter(given).collect();
            // A row for an argument says more than the one for any.
            if fitting.iter().any(|event| !event.argument.is_empty()) {
                fitting.retain(|event| !event.argument.is_empty());
            }
            for event in fitting.iter().flat_map(|raised| raised.events.split(' ')) {
                for target in handlers_of(world, object, aspect, event) {
                    out.edges.push(flow.cx.edge(CHANNEL, target, confidence, site.line));
                }
            }
        };
        match site.receiver {
            Receiver::Value(values) => {
                let confidence = if values.is_certain() { Confidence::Typed } else { Confidence::Candidate };
                values.iter().for_each(|value| raise(value, confidence));
            }
            Receiver::Manager(object) => {
                raise(Value::Manager { object, origin: crate::value::Origin::Written }, Confidence::Exact);
            }
            Receiver::None | Receiver::This if flow.cx.module.own_method(site.name).is_none() => {
                raise(Value::This, Confidence::Exact);
            }
            _ => {}
        }
    }
}

/// A row of the table: a call and the events that it raises.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raised {
    /// Whose call; None: a manager's.
    of: Option<Aspect>,
    /// Words of the first argument, one of them; empty: any argument.
    argument: &'static str,
    /// Kind of the object; empty: any.
    kind: &'static str,
    /// Events, in English.
    events: &'static str,
}

/// Rows of the table with their names in both languages.
pub(crate) fn table() -> impl Iterator<Item = ([&'static str; 2], Raised)> {
    lines(include_str!("../../data/object_events.tsv")).map(|line| {
        let mut cells = line.split('\t');
        let [of, ru, en, argument, kind, events] = std::array::from_fn(|_| cells.next().unwrap_or(""));
        ([ru, en], Raised { of: Aspect::parse(of), argument, kind, events })
    })
}

/// Whether an argument ends in one of the words: `РежимЗаписиДокумента.Проведение`.
fn names(flow: &Flow<'_>, argument: Option<&ExprId>, words: &str) -> bool {
    let Some(Expr::Member(_, name)) = argument.map(|argument| flow.cx.code.expr(*argument)) else { return false };
    words.split('|').any(|word| same(word, flow.cx.module.facts.text(name)))
}

fn handlers_of(world: &World, object: u32, aspect: Option<Aspect>, event: &str) -> Vec<MethodId> {
    let kind = match aspect {
        None | Some(Aspect::ValueManager) => ModuleKind::ValueManagerModule,
        Some(Aspect::RecordSet | Aspect::RecordManager) => ModuleKind::RecordSetModule,
        Some(_) => ModuleKind::ObjectModule,
    };
    let ident = |name: &str| -> Option<Ident> { world.ident(name) };
    let names = handlers::of(kind, world.name(object)).find(|handler| handler.en == event);
    let module = world.owned_module(object, kind);
    let own = names.into_iter().flat_map(|handler| [handler.ru, handler.en]);
    let own = own.filter_map(|name| world.own_method(module?, ident(name)?));
    own.chain(world.subscribers(object, event)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::testing::*;

    fn base() -> Demo {
        demo()
            .module(
                "Document.Заказ.ObjectModule",
                "Процедура ПередЗаписью(О, Р, П)\nКонецПроцедуры\nПроцедура Posting(О, Р)\nКонецПроцедуры\n\
                 Процедура Своя() Экспорт\n\tЗаписать();\nКонецПроцедуры",
            )
            .module("CommonModule.События", "Процедура ПередЗаписью(И, О) Экспорт\nКонецПроцедуры")
            .subscription("П", "CommonModule.События.ПередЗаписью", &["DocumentObject.Заказ"])
    }

    fn edges(text: &str) -> Vec<String> {
        let text = format!("Процедура А()\n\tО = Документы.Заказ.СоздатьДокумент();\n\t{text}\nКонецПроцедуры");
        let edges = base().module("CommonModule.Х", &text).edges("object_event");
        let own = "Document.Заказ.ObjectModule.";
        edges.into_iter().map(|e| e.replace("CommonModule.Х.А -> ", "").replace(own, "")).collect()
    }

    #[test]
    fn writing_and_posting() {
        let own = ["Своя -> ПередЗаписью exact :6", "Своя -> CommonModule.События.ПередЗаписью exact :6"];
        let with = |more: &[&str]| own.iter().chain(more).map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let written = ["ПередЗаписью typed :3", "CommonModule.События.ПередЗаписью typed :3"];
        assert_eq!(edges("О.Записать();"), with(&written));
        assert_eq!(edges("О.Записать(РежимЗаписиДокумента.Запись);"), with(&written));
        assert_eq!(edges("О.Write(DocumentWriteMode.Posting);"), with(&[written[0], written[1], "Posting typed :3"]));
        assert_eq!(edges("О.Удалить();"), with(&[]));
    }

    #[test]
    fn every_event_has_handlers_by_name() {
        for (names, raised) in table() {
            assert!(names.iter().all(|name| !name.is_empty()));
            for event in raised.events.split(' ') {
                let known = handlers::all().iter().any(|handler| handler.en == event);
                assert!(known || raised.kind == "BusinessProcess", "{event}");
            }
        }
    }
}
