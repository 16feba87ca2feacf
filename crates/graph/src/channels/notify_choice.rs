//! `notify_choice`: the site that tells its form's owner of a choice -> the procedure that handles the choice there.
//!
//! `ОповеститьОВыборе(Значение)` in a form that another one opened with itself, or one of its items, as the owner:
//! `ОткрытьФорму("Обработка.Подбор.Форма", , ЭтотОбъект)`, `…, , Элементы.Товары)`. Stored as halves that meet in the opened form.
//! What the platform opens for a choice has an owner that no code shows; in a module that isn't a form's the place stays open.

use bsl::{Expr, ExprId};
use metadata::ModuleKind;

use super::{Receiver, Rule, Site, open_form};
use crate::edge::{Channel, Confidence, Edges, Half, Side};
use crate::flow::Flow;
use crate::scope::Binding;
use crate::value::Value;
use crate::words::Word;
use crate::world::{FormEvent, MethodId};

/// The channel.
pub const CHANNEL: Channel = Channel("notify_choice");

/// The argument of `ОткрытьФорму` and `ПолучитьФорму` that is the owner, from 0.
const OWNER: usize = 2;

/// The rule.
pub(super) struct NotifyChoice;

impl Rule for NotifyChoice {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let module = flow.cx.module;
        let is_form = module.info.kind == ModuleKind::FormModule;
        match module.world.word(site.name) {
            Some(Word::NotifyChoice) => {
                let own = match site.receiver {
                    Receiver::None => is_form && module.own_method(site.name).is_none(),
                    Receiver::This => is_form,
                    _ => false,
                };
                if own {
                    let node = flow.cx.node;
                    out.halves.push(half(flow, module.info.owner, Side::Source, node, Confidence::Typed, site.line));
                } else if !matches!(site.receiver, Receiver::None) {
                    out.dynamic.push(flow.cx.dynamic("choice", "", site.line));
                }
            }
            Some(Word::OpenForm | Word::GetForm) if is_form => opened(flow, site, out),
            _ => {}
        }
    }
}

/// The owner's half: who handles a choice in a form that this call opens.
fn opened(flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
    let (Some((name, object)), Some(&owner)) = (open_form::opened(flow, site), site.args.get(OWNER)) else { return };
    let handlers = choosers(flow, owner);
    if handlers.is_empty() {
        return;
    }
    let world = flow.cx.module.world;
    for form in flow.texts(name).iter().flatten().filter_map(|name| open_form::form(flow, object, name)) {
        for &handler in &handlers {
            let node = world.method(handler).node;
            out.halves.push(half(flow, form, Side::Target, node, Confidence::Typed, site.line));
        }
    }
}

/// The procedures of the own form that handle a choice for an owner: the form itself or one of its items.
fn choosers(flow: &Flow<'_>, owner: ExprId) -> Vec<MethodId> {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let (world, form) = (module.world, module.info.owner);
    match code.expr(owner) {
        Expr::Member(items, item) if is_items(flow, items) => world.item_choice(form, module.facts.text(item)).to_vec(),
        // The first parameter of an item's handler is the item.
        Expr::Name(name) if flow.cx.binding(name) == Binding::Param(0) => {
            let handler = flow.cx.method.map_or("", |method| module.facts.text(method.name));
            world.items_handled(form, handler).iter().flat_map(|item| world.item_choice(form, item)).copied().collect()
        }
        _ if flow.eval(owner).iter().any(|value| value == Value::This) => {
            world.form_handlers(form, FormEvent::Choice).to_vec()
        }
        _ => Vec::new(),
    }
}

/// Whether an expression is the items of the own form.
fn is_items(flow: &Flow<'_>, expr: ExprId) -> bool {
    let module = flow.cx.module;
    match flow.cx.code.expr(expr) {
        Expr::Name(name) => module.word(name) == Some(Word::Items),
        Expr::Member(base, name) => {
            module.word(name) == Some(Word::Items) && flow.eval(base).iter().any(|value| value == Value::This)
        }
        _ => false,
    }
}

fn half(flow: &Flow<'_>, form: u32, side: Side, node: u32, confidence: Confidence, line: u32) -> Half {
    let module = flow.cx.module;
    let hub = bsl::fold(module.world.name(form));
    Half { hub, side, node, channel: CHANNEL, confidence, file: module.info.file, line }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn base(opening: &str) -> Demo {
        demo()
            .module("CommonForm.Подбор", "Процедура Выбрать()\n\tОповеститьОВыборе(1);\nКонецПроцедуры")
            .module(
                "CommonForm.Ф",
                &format!(
                    "Процедура А(Элемент)\n\t{opening}\nКонецПроцедуры\nПроцедура Выбор(З, И)\nКонецПроцедуры\n\
                     Процедура ВыборТовара(Э, З)\nКонецПроцедуры"
                ),
            )
            .form_with("CommonForm.Ф", |form| {
                form.events.push(handler("ChoiceProcessing", "Выбор", 4));
                let events = vec![handler("ChoiceProcessing", "ВыборТовара", 9), handler("StartChoice", "А", 10)];
                form.items.push(item("Товар", events));
            })
    }

    #[test]
    fn the_form_or_an_item_that_opened_it() {
        for (opening, found) in [
            ("ОткрытьФорму(\"ОбщаяФорма.Подбор\", , ЭтотОбъект);", "Выбор"),
            ("OpenForm(\"CommonForm.Подбор\", , ThisForm);", "Выбор"),
            ("ОткрытьФорму(\"ОбщаяФорма.Подбор\", , Элементы.Товар);", "ВыборТовара"),
            ("ОткрытьФорму(\"ОбщаяФорма.Подбор\", , ThisObject.Items.Товар);", "ВыборТовара"),
            ("ОткрытьФорму(\"ОбщаяФорма.Подбор\", , Элемент);", "ВыборТовара"),
        ] {
            let expected = format!("CommonForm.Подбор.Выбрать -> CommonForm.Ф.{found} typed :2");
            assert_eq!(base(opening).edges("notify_choice"), [expected], "{opening}");
        }
    }

    #[test]
    fn no_owner_no_link() {
        for opening in ["ОткрытьФорму(\"ОбщаяФорма.Подбор\");", "ОткрытьФорму(\"ОбщаяФорма.Ф\", , ЭтотОбъект);"]
        {
            assert!(base(opening).edges("notify_choice").is_empty(), "{opening}");
        }
    }

    #[test]
    fn a_form_that_is_not_known() {
        let demo =
            base("").module("CommonModule.Х", "Процедура А(Форма) Экспорт\n\tФорма.NotifyChoice(1);\nКонецПроцедуры");
        assert_eq!(demo.dynamic_sites("choice"), ["CommonModule.Х.А  :2"]);
    }
}
