//! `platform_handler`: an object -> the procedures of its modules that the platform calls by name.
//!
//! Predefined events of object, manager, record set and value manager modules start at the object; those of the application, session
//! and external connection modules at the module itself. Forms, commands, services and jobs have channels of their own.

use metadata::ModuleKind;

use super::command::predefined;
use super::{Rule, extension_override};
use crate::edge::{Channel, Confidence, Edge, Edges};
use crate::scope::ModuleContext;

/// The channel.
pub const CHANNEL: Channel = Channel("platform_handler");

/// The rule.
pub(super) struct PlatformHandler;

impl Rule for PlatformHandler {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn module(&self, cx: &ModuleContext<'_>, out: &mut Edges) {
        use ModuleKind as K;
        let source = match cx.info.kind {
            K::ObjectModule | K::ManagerModule | K::RecordSetModule | K::ValueManagerModule => cx.info.owner,
            K::ManagedApplicationModule
            | K::OrdinaryApplicationModule
            | K::SessionModule
            | K::ExternalConnectionModule => cx.info.node,
            K::Module | K::CommandModule | K::FormModule => return,
        };
        predefined(cx, CHANNEL, source, out);
        extended(cx, source, out);
    }
}

/// Methods of an extension by which it handles an event that the module which it extends doesn't handle.
fn extended(cx: &ModuleContext<'_>, source: u32, out: &mut Edges) {
    if cx.info.owner == cx.info.holder {
        return;
    }
    for method in &cx.facts.methods {
        let handles = |annotation: &bsl::Annotation| {
            let name = cx.facts.text(annotation.target);
            extension_override::is_event(cx, name) && cx.world.extended_method(cx.id, name).is_none()
        };
        let own = cx.ident(method.name).and_then(|name| cx.own_method(name));
        if let Some(own) = own.filter(|_| method.annotations.iter().any(handles)) {
            let (target, confidence) = (cx.world.method(own).node, Confidence::Convention);
            out.edges.push(Edge {
                source,
                target,
                channel: CHANNEL,
                confidence,
                file: cx.info.file,
                line: method.line,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn by_kind_of_module_and_object() {
        let text = "Процедура ПередЗаписью(Отказ)\nКонецПроцедуры\nПроцедура ОбработкаПроведения(О, Р)\nКонецПроцедуры";
        let demo = demo()
            .module("Document.Заказ.ObjectModule", text)
            .module("Catalog.Товары.ObjectModule", text)
            .module("CommonModule.Х", text)
            .module("CommonForm.Ф", text)
            .module("Configuration.SessionModule", "Procedure SessionParametersSetting(Names)\nEndProcedure");
        assert_eq!(
            demo.edges("platform_handler"),
            [
                "Document.Заказ -> Document.Заказ.ObjectModule.ПередЗаписью convention :1",
                "Document.Заказ -> Document.Заказ.ObjectModule.ОбработкаПроведения convention :3",
                "Catalog.Товары -> Catalog.Товары.ObjectModule.ПередЗаписью convention :1",
                "Configuration.SessionModule -> Configuration.SessionModule.SessionParametersSetting convention :1",
            ]
        );
    }
}
