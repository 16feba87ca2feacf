//! `extension_override`: a method of an extension -> the method of the base that it stands before, after or around.
//!
//! `&Перед("М")`, `&После("М")`, `&Вместо("М")`, `&ИзменениеИКонтроль("М")`; in a method around it `ПродолжитьВызов(…)` runs the base's.
//! The base's module has the same name without the extension's layer. If the base isn't there, the place stays open (`absent
//! base`, with the base's full name).

use bsl::Method;

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, DynamicSite, Edge, Edges};
use crate::flow::Flow;
use crate::scope::ModuleContext;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("extension_override");

/// The rule.
pub(super) struct ExtensionOverride;

impl Rule for ExtensionOverride {
    fn channel(&self) -> Channel {
        CHANNEL
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
        None => out.dynamic.push(DynamicSite { node: source, kind: "absent base", known: full_name, file, line }),
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
    fn a_main_configuration_overrides_nothing() {
        let demo = demo().module("CommonModule.Склад", TEXT);
        assert!(demo.edges("extension_override").is_empty() && demo.dynamic_sites("absent base").is_empty());
    }
}
