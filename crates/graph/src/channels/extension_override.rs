//! `extension_override`: a method of an extension -> the method of the base that it stands before, after or around.
//!
//! `&Перед("М")`, `&После("М")`, `&Вместо("М")`, `&ИзменениеИКонтроль("М")`; in a method around it `ПродолжитьВызов(…)` runs the base's.
//! The base's module has the same name without the extension's layer. A handler of an adopted form that stands before, after or
//! instead of the base's (`callType`) is another. If the base isn't there, the place stays open (`absent base`, with the full
//! name of the method, or of the form, item or command and its event).

use bsl::Method;
use metadata::Form;

use super::{MetadataContext, Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, DynamicSite, Edge, Edges};
use crate::flow::Flow;
use crate::scope::ModuleContext;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("extension_override");

/// The kind of a place whose base isn't there.
const ABSENT: &str = "absent base";

/// The rule.
pub(super) struct ExtensionOverride;

impl Rule for ExtensionOverride {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for form in &cx.configuration.forms {
            let Some(node) = cx.node(&form.full_name) else { continue };
            let Some(module) = cx.world.form_module(node) else { continue };
            // The base's form, were it there, would stand beside the extension's under the name without the layer.
            if !cx.world.name(node).contains("::") || cx.world.find(&form.full_name).is_some() {
                continue;
            }
            let file = form.content.unwrap_or(form.file).0;
            for (handler, known, line) in called_around(form) {
                if let Some(handler) = cx.method(module, handler) {
                    let node = cx.world.method(handler).node;
                    out.dynamic.push(DynamicSite { node, kind: ABSENT, known, file, line });
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

/// Handlers that are called around the base's: procedure, what the base's handler belongs to and its event, line.
fn called_around(form: &Form) -> Vec<(&str, String, u32)> {
    let name = &form.full_name;
    let mut found = Vec::new();
    for event in form.events.iter().filter(|event| !event.call_type.is_empty()) {
        found.push((&*event.handler, format!("{name}.{}", event.event), event.line));
    }
    for item in &form.items {
        for event in item.events.iter().filter(|event| !event.call_type.is_empty()) {
            found.push((&*event.handler, format!("{name}.Item.{}.{}", item.name, event.event), event.line));
        }
    }
    for command in &form.commands {
        for action in command.actions.iter().filter(|action| !action.call_type.is_empty()) {
            found.push((&*action.handler, format!("{name}.Command.{}", command.name), action.line));
        }
    }
    found
}

/// The name of the base's method that a method stands around.
fn base<'a>(cx: &ModuleContext<'a>, method: &Method) -> Option<&'a str> {
    method.annotations.first().map(|annotation| cx.facts.text(annotation.target))
}

fn link(cx: &ModuleContext<'_>, source: u32, target: &str, line: u32, out: &mut Edges) {
    let module = cx.world.name(cx.info.node);
    let Some((_, module)) = module.split_once("::") else { return };
    let full_name = format!("{module}.{target}");
    let file = cx.info.file;
    match cx.world.find(&full_name) {
        Some(target) => {
            let (channel, confidence) = (CHANNEL, Confidence::Exact);
            out.edges.push(Edge { source, target, channel, confidence, file, line });
        }
        None => out.dynamic.push(DynamicSite { node: source, kind: ABSENT, known: full_name, file, line }),
    }
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
    }

    #[test]
    fn a_main_configuration_overrides_nothing() {
        let demo = demo().module("CommonModule.Склад", TEXT);
        assert!(demo.edges("extension_override").is_empty() && demo.dynamic_sites("absent base").is_empty());
    }
}
