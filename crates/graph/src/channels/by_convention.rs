//! `by_convention`: methods that a framework calls by name on every module that has them.
//!
//! The convention (`convention:<name>`) -> method. Names and kinds of modules are data (`data/conventions.tsv`, settings of the
//! project). Such methods are roots: never dead.

use metadata::ModuleKind;

use super::Rule;
use crate::edge::{Channel, Confidence, Edge, Edges};
use crate::scope::ModuleContext;
use crate::settings::{Convention, Conventional, Pattern};

/// The channel.
pub const CHANNEL: Channel = Channel("by_convention");

/// The rule.
pub(super) struct ByConvention;

impl Rule for ByConvention {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn module(&self, cx: &ModuleContext<'_>, out: &mut Edges) {
        let (world, info) = (cx.world, cx.info);
        let own_name = world.name(info.owner).rsplit('.').next().unwrap_or("");
        let holds = |convention: &&Convention| match convention.modules {
            Conventional::Manager => info.kind == ModuleKind::ManagerModule,
            Conventional::Object => info.kind == ModuleKind::ObjectModule,
            Conventional::Common => info.common,
            Conventional::Overridable => info.common && convention.name.fits(own_name),
        };
        let conventions: Vec<&Convention> = world.settings().conventions.iter().filter(holds).collect();
        if conventions.is_empty() {
            return;
        }
        for (method, facts) in world.methods_of(cx.id).iter().zip(&cx.facts.methods).filter(|(method, _)| method.export)
        {
            let name = cx.facts.text(facts.name);
            let called = |convention: &&&Convention| {
                convention.modules == Conventional::Overridable || convention.name.fits(name)
            };
            for convention in conventions.iter().filter(called) {
                let Some(source) = world.find(&source(&convention.name)) else { continue };
                let (target, confidence) = (method.node, Confidence::Convention);
                let (file, line) = (info.file, facts.line);
                out.edges.push(Edge { source, target, channel: CHANNEL, confidence, file, line });
            }
        }
    }
}

/// The name of a convention as a source of edges.
pub(crate) fn source(name: &Pattern) -> String {
    format!("convention:{}", name.letters())
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn overridable_modules_and_managers() {
        let text = "Процедура Печать(М) Экспорт\nКонецПроцедуры\nПроцедура Тайная()\nКонецПроцедуры";
        let demo = demo()
            .module("CommonModule.СкладПереопределяемый", text)
            .module("CommonModule.Склад", text)
            .module("Document.Заказ.ManagerModule", text);
        assert_eq!(
            demo.edges("by_convention"),
            [
                "convention:Переопределяемый -> CommonModule.СкладПереопределяемый.Печать convention :1",
                "convention:Печать -> Document.Заказ.ManagerModule.Печать convention :1",
            ]
        );
    }
}
