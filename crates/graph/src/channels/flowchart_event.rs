//! `flowchart_event`: a business process -> the procedures of its object module that handle events of its route points.

use metadata::ModuleKind;

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("flowchart_event");

/// The rule.
pub(super) struct FlowchartEvent;

impl Rule for FlowchartEvent {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for flowchart in &cx.configuration.flowcharts {
            let Some(source) = cx.node(&flowchart.owner) else {
                continue;
            };
            let Some(module) = cx.world.owned_module(source, ModuleKind::ObjectModule) else {
                continue;
            };
            for event in flowchart.points.iter().flat_map(|point| &point.events) {
                if let Some(target) = cx.method(module, &event.handler) {
                    out.edges.push(cx.edge(CHANNEL, source, target, flowchart.file.0, event.line));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_handler_of_the_object_module() {
        let demo = demo()
            .route("BusinessProcess.Согласование", &[("OnCreateTask", "ПриСоздании"), ("OnExecute", "Нет")])
            .module("BusinessProcess.Согласование.ObjectModule", "Процедура ПриСоздании(Т, З, О)\nКонецПроцедуры");
        assert_eq!(
            demo.edges("flowchart_event"),
            ["BusinessProcess.Согласование -> BusinessProcess.Согласование.ObjectModule.ПриСоздании exact :60"]
        );
    }
}
