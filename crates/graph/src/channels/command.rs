//! `command`: a command -> `ОбработкаКоманды` of its module.
//!
//! `CommonCommand.C`, `Catalog.X.Command.C` -> `….CommandModule.ОбработкаКоманды`. The platform calls the procedure by its name.

use metadata::ModuleKind;

use super::Rule;
use crate::edge::{Channel, Confidence, Edge, Edges};
use crate::handlers;
use crate::scope::ModuleContext;

/// The channel.
pub const CHANNEL: Channel = Channel("command");

/// The rule.
pub(super) struct Command;

impl Rule for Command {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn module(&self, cx: &ModuleContext<'_>, out: &mut Edges) {
        if cx.info.kind == ModuleKind::CommandModule {
            predefined(cx, CHANNEL, cx.info.owner, out);
        }
    }
}

/// Edges from a source to the procedures of a module that bear the names of its predefined events.
pub(super) fn predefined(cx: &ModuleContext<'_>, channel: Channel, source: u32, out: &mut Edges) {
    for handler in handlers::of(cx.info.kind, cx.world.name(cx.info.owner)) {
        for name in [handler.ru, handler.en] {
            let Some(id) = cx.world.ident(name).and_then(|name| cx.world.declared_method(cx.id, name)) else {
                continue;
            };
            let target = cx.world.method(id).node;
            let place = cx.world.place(id).and_then(|place| cx.facts.methods.get(place as usize));
            let line = place.map_or(0, |method| method.line);
            let (confidence, file) = (Confidence::Convention, cx.info.file);
            out.edges.push(Edge { source, target, channel, confidence, file, line });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn commands_of_objects_and_common_ones() {
        let demo = demo()
            .module(
                "Catalog.Товары.Command.Печать.CommandModule",
                "Процедура Другая()\nКонецПроцедуры\n&НаКлиенте\nПроцедура ОбработкаКоманды(П, В)\nКонецПроцедуры",
            )
            .module("CommonCommand.Open.CommandModule", "Procedure CommandProcessing(P, E)\nEndProcedure");
        assert_eq!(
            demo.edges("command"),
            [
                "Catalog.Товары.Command.Печать -> Catalog.Товары.Command.Печать.CommandModule.ОбработкаКоманды convention :4",
                "CommonCommand.Open -> CommonCommand.Open.CommandModule.CommandProcessing convention :1",
            ]
        );
    }
}
