//! `eval_string`: code in a text, `Выполнить("Модуль.М()")` and `Вычислить("М(1)")` -> the methods that it calls.
//!
//! The text may be put together: what is not known of it becomes a hole, and calls whose name has no hole are edges. A name
//! with a hole, and a text of which nothing is known, stay open: a dynamic site with the known part. A name that callers give
//! makes the call `dynamic_dispatch`.

use bsl::{Expr, ExprId, Statement, StatementKind};

use super::{Receiver, Rule, Site, dynamic_dispatch};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::{Flow, HOLE};
use crate::words::Word;
use crate::world::MethodId;

/// The channel.
pub const CHANNEL: Channel = Channel("eval_string");

/// The rule.
pub(super) struct EvalString;

impl Rule for EvalString {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        if matches!(site.receiver, Receiver::None)
            && flow.cx.module.world.word(site.name) == Some(Word::Eval)
            && let Some(text) = site.args.first()
        {
            read(flow, *text, "evaluate", site.line, out);
        }
    }

    fn statement(&self, flow: &Flow<'_>, statement: Statement, out: &mut Edges) {
        if let StatementKind::Execute(text) = statement.kind {
            read(flow, text, "execute", statement.line, out);
        }
    }
}

fn read(flow: &Flow<'_>, text: ExprId, kind: &'static str, line: u32, out: &mut Edges) {
    let patterns = flow.patterns(text);
    if patterns.is_empty() {
        out.dynamic.push(flow.cx.dynamic(kind, "", line));
    }
    let channel = if flow.is_passed(text) { dynamic_dispatch::CHANNEL } else { CHANNEL };
    for pattern in patterns {
        calls(flow, channel, &pattern, kind, line, out);
    }
}

/// Edges to what a text calls; one dynamic site if a called name, or all of the text, is not known.
fn calls(flow: &Flow<'_>, channel: Channel, pattern: &str, kind: &'static str, line: u32, out: &mut Edges) {
    let text = match kind {
        "evaluate" => format!("Значение = {pattern};"),
        _ => pattern.to_owned(),
    };
    let facts = bsl::read_module(text.as_bytes());
    let hole = |text: &str| text.contains(HOLE);
    let mut open = facts.body.nodes.is_empty() && hole(pattern);
    for statement in &facts.body.statements {
        // A hole as a statement of its own is code that nothing is known of.
        open |= matches!(statement.kind, StatementKind::Call(expr)
            if matches!(facts.body.expr(expr), Expr::Name(name) if hole(facts.text(name))));
    }
    for call in facts.body.calls() {
        let name = facts.text(call.name);
        let receiver = match call.receiver.map(|receiver| facts.body.expr(receiver)) {
            None => None,
            Some(Expr::Name(receiver)) => Some(facts.text(receiver)),
            Some(_) => continue,
        };
        if hole(name) || receiver.is_some_and(hole) {
            open = true;
        } else if let Some(target) = target(flow, receiver, name) {
            let confidence = if channel == CHANNEL { Confidence::String } else { Confidence::Candidate };
            out.edges.push(flow.cx.edge(channel, target, confidence, line));
        }
    }
    if open {
        out.dynamic.push(flow.cx.dynamic(kind, pattern.replace(HOLE, "*"), line));
    }
}

fn target(flow: &Flow<'_>, receiver: Option<&str>, name: &str) -> Option<MethodId> {
    let (module, world) = (flow.cx.module, flow.cx.module.world);
    let name = world.ident(name)?;
    match receiver {
        None => module.own_method(name).or_else(|| world.global_method(name)),
        Some(receiver) => world.exported_method(world.common_module(world.ident(receiver)?)?, name),
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn demo_with(text: &str) -> Demo {
        demo()
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры")
            .module("CommonModule.Х", &format!("Процедура А(П)\n{text}\nКонецПроцедуры\nФункция Своя()\nКонецФункции"))
    }

    fn edges(text: &str) -> Vec<String> {
        let edges = demo_with(text).edges("eval_string");
        edges.into_iter().map(|e| e.replace("CommonModule.Х.А -> CommonModule.", "")).collect()
    }

    #[test]
    fn literals_and_texts_put_together() {
        assert_eq!(edges("Выполнить(\"Склад.М(П)\");"), ["Склад.М string :2"]);
        assert_eq!(edges("Выполнить \"Склад.М(); Своя();\";"), ["Склад.М string :2", "Х.Своя string :2"]);
        assert_eq!(edges("Т = \"Склад.\";\nВыполнить(Т + \"М(\" + П + \")\");"), ["Склад.М string :3"]);
        assert_eq!(edges("А = Вычислить(\"Своя() + 1\");"), ["Х.Своя string :2"]);
        assert_eq!(edges("Выполнить(\"Склад.Тайная();\");\nВыполнить(\"Нет.М()\");"), [""; 0]);
    }

    #[test]
    fn what_is_not_known_stays_open() {
        for (text, known) in [
            ("Выполнить(П);", ""),
            ("Выполнить(П + \"(1)\");", "*(1)"),
            ("Выполнить(\"Склад.\" + П + \"()\");", "Склад.*()"),
            ("А = Вычислить(П);", ""),
        ] {
            assert_eq!(edges(text), [""; 0], "{text}");
            let sites = demo_with(text).dynamic();
            assert_eq!(sites.iter().map(|(_, known)| &**known).collect::<Vec<_>>(), [known], "{text}");
        }
        assert!(demo_with("Выполнить(\"Склад.М()\");\nА = Вычислить(\"1 + \" + П);").dynamic().is_empty());
    }
}
