//! `string_named`: a literal `"Модуль.Метод"` that something keeps to call it later.
//!
//! Site -> method of a common module. By role: the value of a property (`Обработчик.Процедура = "Склад.М"`), of a variable that
//! goes on, an element of a collection (`Вставить`, `Добавить`): edges. A name in an error text or a log, in a rule of
//! order or a filter of jobs: none; such a name is still found in strings.

use bsl::{Expr, ExprId, StatementKind, Symbol};
use metadata::ModuleKind;
use std::sync::LazyLock;

use super::{LiteralSite, Place, Rule};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::settings::{Kept, Pattern};
use crate::types::lines;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("string_named");

/// The rule.
pub(super) struct StringNamed;

impl Rule for StringNamed {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn literal(&self, flow: &Flow<'_>, site: &LiteralSite<'_>, out: &mut Edges) {
        keep(flow, CHANNEL, site, |kind| kind == ModuleKind::Module, out);
    }
}

/// Edges to methods that a literal keeps, of modules of the right kind.
pub(super) fn keep(
    flow: &Flow<'_>,
    channel: Channel,
    site: &LiteralSite<'_>,
    fits: impl Fn(ModuleKind) -> bool,
    out: &mut Edges,
) {
    if site.bare || !is_kept(flow, site) || in_update_handlers(flow, site) {
        return;
    }
    let world = flow.cx.module.world;
    for &target in site.methods {
        if fits(world.module(world.method(target).module).kind) {
            out.edges.push(flow.cx.edge(channel, target, Confidence::String, site.line));
        }
    }
}

/// Whether a literal stands where something keeps names to call.
pub(super) fn is_kept(flow: &Flow<'_>, site: &LiteralSite<'_>) -> bool {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let is_named = |variable, what| match code.expr(variable) {
        Expr::Name(name) => module.world.settings().keeps(what, module.facts.text(name)),
        _ => false,
    };
    match site.place {
        Place::Variable(name) => goes_on(flow, name),
        Place::Property { base, .. } => !is_named(base, Kept::Ordering),
        Place::Argument { receiver: Some(receiver), callee, .. } => {
            let is_collection = matches!(module.word(callee), Some(Word::Add | Word::Insert));
            is_collection && !is_filter(flow, receiver)
        }
        Place::Argument { receiver: None, .. } => false,
    }
}

/// Whether a collection only finds jobs: it is called so, or the method gives it to calls that find them and to no others.
pub(super) fn is_filter(flow: &Flow<'_>, collection: ExprId) -> bool {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let Expr::Name(variable) = code.expr(collection) else { return false };
    let settings = module.world.settings();
    if settings.keeps(Kept::Filter, module.facts.text(variable)) {
        return true;
    }
    let variable = module.first(variable);
    let is_it = |arg: &ExprId| matches!(code.expr(*arg), Expr::Name(name) if module.first(name) == variable);
    let mut finders = code.calls().filter(|call| call.args.iter().any(is_it)).peekable();
    finders.peek().is_some() && finders.all(|call| settings.keeps(Kept::Finder, module.facts.text(call.name)))
}

/// Whether a literal is a property's value in a procedure that lists update handlers: a channel of its own.
pub(super) fn in_update_handlers(flow: &Flow<'_>, site: &LiteralSite<'_>) -> bool {
    let (facts, settings) = (flow.cx.module.facts, flow.cx.module.world.settings());
    matches!(site.place, Place::Property { .. })
        && flow.cx.method.is_some_and(|method| settings.keeps(Kept::UpdateHandlers, facts.text(method.name)))
}

static TEMPLATES: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| lines(include_str!("../../data/templates.tsv")).map(Pattern::new).collect());

/// Whether a variable is used for something else than texts for people.
fn goes_on(flow: &Flow<'_>, variable: Symbol) -> bool {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let variable = module.first(variable);
    let is_used = |expr: ExprId| matches!(code.expr(expr), Expr::Name(name) if module.first(name) == variable);
    let (mut mentioned, mut others) = (0_usize, 0_usize);
    for node in &code.nodes {
        match node.expr {
            Expr::Call { callee, first, count } => {
                let uses = code.arguments(first, count).iter().filter(|arg| is_used(**arg)).count();
                let is_template = || match code.expr(callee) {
                    Expr::Name(name) | Expr::Member(_, name) => {
                        TEMPLATES.iter().any(|template| template.fits(module.facts.text(name)))
                    }
                    _ => false,
                };
                match uses > 0 && is_template() {
                    true => mentioned += uses,
                    false => others += uses,
                }
            }
            Expr::Binary(_, left, right) => mentioned += usize::from(is_used(left)) + usize::from(is_used(right)),
            _ => {}
        }
    }
    // Uses that are no operand of a call or an operator: a property's value, a result.
    let assigned = code.statements.iter().any(|statement| match statement.kind {
        StatementKind::Assign(_, value) | StatementKind::Return(Some(value)) => is_used(value),
        _ => false,
    });
    others > 0 || assigned || mentioned == 0
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn edges(text: &str) -> Vec<String> {
        let demo = demo()
            .module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Х", &format!("Процедура А(П)\n{text}\nКонецПроцедуры"));
        demo.edges("string_named").into_iter().map(|e| e.replace("CommonModule.Х.А -> CommonModule.", "")).collect()
    }

    #[test]
    fn what_is_kept() {
        assert_eq!(edges("О.Процедура = \"Склад.М\";"), ["Склад.М string :2"]);
        assert_eq!(edges("Имя = \"Склад.М\";"), ["Склад.М string :2"]);
        assert_eq!(
            edges("О.Вставить(\"Ключ\", \"Склад.М\");\nО.Добавить(\"склад.м\");"),
            ["Склад.М string :2", "Склад.М string :3"]
        );
    }

    #[test]
    fn what_only_mentions() {
        for text in [
            "Сообщить(\"Склад.М\");",
            "Проверить(П, \"Склад.М\");",
            "ОтборЗаданий.Вставить(\"ИмяМетода\", \"Склад.М\");",
            "К.Вставить(\"ИмяМетода\", \"Склад.М\");\nЗадания = ФоновыеЗадания.ПолучитьФоновыеЗадания(К);",
            "K.Insert(\"MethodName\", \"Склад.М\");\nJobs = BackgroundJobs.GetBackgroundJobs(K);",
            "Приоритет = О.ПриоритетыВыполнения.Добавить();\nПриоритет.Процедура = \"Склад.М\";",
            "О.Процедура = \"Склад.Нет\";",
            "Имя = \"Склад.М\";\nТекст = СтрШаблон(\"%1\", Имя);\nТекст = \"В \" + Имя;",
        ] {
            assert_eq!(edges(text), [""; 0], "{text}");
        }
    }
}
