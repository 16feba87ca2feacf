//! `extension_override`: a method of an extension -> the method of the base that it stands before, after or around.
//!
//! `&Перед("М")`, `&После("М")`, `&Вместо("М")`, `&ИзменениеИКонтроль("М")`; in a method around it `ПродолжитьВызов(…)` runs the base's.
//! The base's module has the same name without the extension's layer. A handler of an adopted form that stands before, after or
//! instead of the base's (`callType`) is another: it leads to the procedure that the base's form calls for the same event. If the
//! base isn't there, the place stays open (`absent base`, with the full name of the method, or of the form, item or command and
//! its event). An event of the platform that the base's module doesn't handle needs no base: the extension's method handles it.

use bsl::Method;
use metadata::{Form, Text};
use rustc_hash::FxHashMap;

use super::{MetadataContext, Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, DynamicSite, Edge, Edges};
use crate::flow::Flow;
use crate::handlers;
use crate::names::same;
use crate::scope::ModuleContext;
use crate::words::Word;
use crate::world::layers::without_layer;

/// The channel.
pub const CHANNEL: Channel = Channel("extension_override");

/// The kind of a place whose base isn't there.
pub const ABSENT: &str = "absent base";

/// The rule.
pub(super) struct ExtensionOverride;

impl Rule for ExtensionOverride {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        let forms: FxHashMap<&str, &Form> =
            cx.configuration.forms.iter().map(|form| (&*form.full_name, form)).collect();
        for form in cx.configuration.forms.iter().filter(|form| form.full_name.contains("::")) {
            let module = cx.node(&form.full_name).and_then(|node| cx.world.form_module(node));
            let Some(module) = module else { continue };
            let file = form.content.unwrap_or(form.file).0;
            let base = forms.get(without_layer(&form.full_name));
            let base_module = base.and_then(|base| cx.world.form_module(cx.node(&base.full_name)?));
            for Around { handler, part, event, line } in called_around(form) {
                let Some(handler) = cx.method(module, handler) else { continue };
                let source = cx.world.method(handler).node;
                let Some(base) = base else {
                    let known = format!("{}{part}{event}", without_layer(&form.full_name));
                    out.dynamic.push(DynamicSite { node: source, kind: ABSENT, known, file, line });
                    continue;
                };
                // The event may have no handler in the base: then there is nothing to stand around.
                for target in handlers_in(base, &part, event) {
                    let target = base_module.and_then(|module| cx.method(module, target));
                    if let Some(target) = target.filter(|target| *target != handler) {
                        out.edges.push(cx.edge(CHANNEL, source, target, file, line));
                    }
                }
            }
        }
    }

    fn module(&self, cx: &ModuleContext<'_>, out: &mut Edges) {
        for method in &cx.facts.methods {
            let own = cx.ident(method.name).and_then(|name| cx.own_method(name));
            let Some(source) = own.map(|own| cx.world.method(own).node) else { continue };
            for annotation in &method.annotations {
                link(cx, source, cx.facts.text(annotation.target), annotation.line, out);
            }
        }
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let module = flow.cx.module;
        let continues =
            module.world.word(site.name) == Some(Word::ProceedWithCall) && matches!(site.receiver, Receiver::None);
        if continues && let Some(base) = flow.cx.method.and_then(|method| base(module, method)) {
            link(module, flow.cx.node, base, site.line, out);
        }
    }
}

/// A procedure that is called around the base's.
struct Around<'a> {
    handler: &'a str,
    /// What of the form it belongs to: `.`, `.Item.Цена.`, `.Command.Печать`.
    part: String,
    /// The event; empty for a command.
    event: &'a str,
    line: u32,
}

fn called_around(form: &Form) -> Vec<Around<'_>> {
    let mut found = Vec::new();
    let mut add = |part: &str, event, handler, call_type: &Text, line| {
        if !call_type.is_empty() {
            found.push(Around { handler, part: part.to_owned(), event, line });
        }
    };
    for event in &form.events {
        add(".", &event.event, &event.handler, &event.call_type, event.line);
    }
    for item in &form.items {
        let part = format!(".Item.{}.", item.name);
        for event in &item.events {
            add(&part, &event.event, &event.handler, &event.call_type, event.line);
        }
    }
    for command in &form.commands {
        let part = format!(".Command.{}", command.name);
        for action in &command.actions {
            add(&part, "", &action.handler, &action.call_type, action.line);
        }
    }
    found
}

/// The procedures that a form calls for an event of a part.
fn handlers_in<'a>(form: &'a Form, part: &str, event: &str) -> Vec<&'a str> {
    let of_event = |events: &'a [metadata::Handler]| {
        let handlers = events.iter().filter(|known| &*known.event == event).map(|known| &*known.handler);
        handlers.collect::<Vec<_>>()
    };
    let name = part.trim_matches('.').split_once('.').map(|(_, name)| name);
    match name {
        None => of_event(&form.events),
        Some(name) if event.is_empty() => {
            let commands = form.commands.iter().filter(|command| same(&command.name, name));
            commands.flat_map(|command| &command.actions).map(|action| &*action.handler).collect()
        }
        Some(name) => {
            let items = form.items.iter().filter(|item| same(&item.name, name));
            items.flat_map(|item| of_event(&item.events)).collect()
        }
    }
}

/// The name of the base's method that a method stands around.
fn base<'a>(cx: &ModuleContext<'a>, method: &Method) -> Option<&'a str> {
    method.annotations.first().map(|annotation| cx.facts.text(annotation.target))
}

fn link(cx: &ModuleContext<'_>, source: u32, target: &str, line: u32, out: &mut Edges) {
    let Some((_, module)) = cx.world.name(cx.info.node).split_once("::") else { return };
    let file = cx.info.file;
    if let Some(target) = cx.world.extended_method(cx.id, target) {
        let (channel, confidence, target) = (CHANNEL, Confidence::Exact, cx.world.method(target).node);
        out.edges.push(Edge { source, target, channel, confidence, file, line });
        return;
    }
    if cx.info.owner == cx.info.holder || !is_event(cx, target) {
        let known = format!("{module}.{target}");
        out.dynamic.push(DynamicSite { node: source, kind: ABSENT, known, file, line });
    }
}

/// Whether the platform calls a procedure of that name in such a module.
pub(super) fn is_event(cx: &ModuleContext<'_>, name: &str) -> bool {
    handlers::of(cx.info.kind, cx.world.name(cx.info.owner)).any(|event| same(event.ru, name) || same(event.en, name))
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    const TEXT: &str = "&Вместо(\"Рассчитать\")\nПроцедура Расш_Рассчитать(А)\n\tПродолжитьВызов(А);\nКонецПроцедуры\n\
        &После(\"Записать\")\nПроцедура Расш_Записать()\nКонецПроцедуры\nПроцедура Своя()\nКонецПроцедуры\n\
        &Around(\"Check\")\nFunction Ext_Check()\n\tReturn ProceedWithCall();\nEndFunction";

    #[test]
    fn the_base_is_not_there() {
        let demo = demo().layer("Расш").module("CommonModule.Склад", TEXT);
        assert!(demo.edges("extension_override").is_empty());
        assert_eq!(
            demo.dynamic_sites("absent base"),
            [
                "Расш::CommonModule.Склад.Расш_Рассчитать CommonModule.Склад.Рассчитать :3",
                "Расш::CommonModule.Склад.Ext_Check CommonModule.Склад.Check :12",
                "Расш::CommonModule.Склад.Расш_Рассчитать CommonModule.Склад.Рассчитать :1",
                "Расш::CommonModule.Склад.Расш_Записать CommonModule.Склад.Записать :5",
                "Расш::CommonModule.Склад.Ext_Check CommonModule.Склад.Check :10",
            ]
        );
    }

    #[test]
    fn handlers_of_an_adopted_form() {
        let around = |event: &str, name: &str, line| metadata::Handler {
            call_type: "After".into(),
            ..handler(event, name, line)
        };
        let form = |form: &mut metadata::Form| {
            form.events.push(around("OnOpen", "После", 4));
            form.events.push(handler("OnClose", "После", 5));
            form.items.push(item("Цена", vec![around("OnChange", "После", 9)]));
        };
        let text = "Процедура После(О)\nКонецПроцедуры";
        let demo = |demo: Demo| demo.module("CommonForm.Ф", text).form_with("CommonForm.Ф", form);
        assert_eq!(
            demo(super::super::testing::demo().layer("Расш")).dynamic_sites("absent base"),
            [
                "Расш::CommonForm.Ф.После CommonForm.Ф.OnOpen :4",
                "Расш::CommonForm.Ф.После CommonForm.Ф.Item.Цена.OnChange :9"
            ]
        );
        assert!(demo(super::super::testing::demo()).dynamic_sites("absent base").is_empty());
        let base = super::super::testing::demo()
            .form_with("CommonForm.Ф", |form| {
                form.events.push(handler("OnOpen", "ПриОткрытии", 1));
                form.items.push(item("Цена", vec![handler("OnClearing", "ПриОткрытии", 2)]));
            })
            .module("CommonForm.Ф", "Процедура ПриОткрытии(О)\nКонецПроцедуры");
        let both = demo(base.layer("Расш"));
        // Nothing of the base handles the item's event.
        assert!(both.dynamic_sites("absent base").is_empty());
        assert_eq!(both.edges("extension_override"), ["Расш::CommonForm.Ф.После -> CommonForm.Ф.ПриОткрытии exact :4"]);
    }

    #[test]
    fn methods_and_events_of_the_base() {
        let demo = demo()
            .module("CommonModule.Склад", "Процедура Рассчитать(А)\nКонецПроцедуры\nФункция Check()\nКонецФункции")
            .module("Catalog.Товары.ObjectModule", "Процедура Записать()\nКонецПроцедуры")
            .layer("Расш")
            .module("CommonModule.Склад", TEXT)
            .module("Catalog.Товары.ObjectModule", "&После(\"ПриЗаписи\")\nПроцедура Р(О)\nКонецПроцедуры")
            .module("Catalog.Товары.ManagerModule", "&После(\"Нет\")\nПроцедура Р()\nКонецПроцедуры");
        assert_eq!(
            demo.edges("extension_override"),
            [
                "Расш::CommonModule.Склад.Расш_Рассчитать -> CommonModule.Склад.Рассчитать exact :3",
                "Расш::CommonModule.Склад.Ext_Check -> CommonModule.Склад.Check exact :12",
                "Расш::CommonModule.Склад.Расш_Рассчитать -> CommonModule.Склад.Рассчитать exact :1",
                "Расш::CommonModule.Склад.Ext_Check -> CommonModule.Склад.Check exact :10",
            ]
        );
        assert_eq!(
            demo.dynamic_sites("absent base"),
            [
                "Расш::CommonModule.Склад.Расш_Записать CommonModule.Склад.Записать :5",
                "Расш::Catalog.Товары.ManagerModule.Р Catalog.Товары.ManagerModule.Нет :1",
            ]
        );
        assert_eq!(
            demo.edges("platform_handler"),
            ["Catalog.Товары -> Расш::Catalog.Товары.ObjectModule.Р convention :2"]
        );
    }

    #[test]
    fn a_main_configuration_overrides_nothing() {
        let demo = demo().module("CommonModule.Склад", TEXT);
        assert!(demo.edges("extension_override").is_empty() && demo.dynamic_sites("absent base").is_empty());
    }
}
