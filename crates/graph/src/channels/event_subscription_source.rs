//! `event_subscription_source`: every object of a subscription's source -> the handler.
//!
//! Stored as halves that meet in the subscription: sources are many, and every one leads to the same handler. Defined types and
//! whole kinds (`CatalogObject`) are expanded to their objects.

use metadata::names::Expander;
use metadata::{Details, Types};
use rustc_hash::FxHashSet;

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Confidence, Edges, Half, Side};

/// The channel.
pub const CHANNEL: Channel = Channel("event_subscription_source");

/// The rule.
pub(super) struct EventSubscriptionSource;

impl Rule for EventSubscriptionSource {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        let expander = Expander::new(cx.configuration);
        for object in &cx.configuration.objects {
            let Details::EventSubscription { handler, handler_line, .. } = &object.details else {
                continue;
            };
            let Some(target) = cx.common_method(handler) else {
                continue;
            };
            let hub = bsl::fold(&object.full_name);
            let mut add = |side, node, line| {
                let (channel, confidence, file) = (CHANNEL, Confidence::Exact, object.file.0);
                out.halves.push(Half { hub: hub.clone(), side, node, channel, confidence, file, line });
            };
            add(Side::Target, cx.world.method(target).node, *handler_line);
            let mut seen = FxHashSet::default();
            for written in object.types.iter() {
                for source in expander.objects(&Types(vec![written.clone()])) {
                    if let Some(node) = cx.node(&source.full_name).filter(|node| seen.insert(*node)) {
                        add(Side::Source, node, written.line);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn sets_and_defined_types_are_expanded() {
        let demo = demo()
            .module("CommonModule.События", "Процедура М(И, О) Экспорт\nКонецПроцедуры")
            .object("Catalog.Товары")
            .object("Catalog.Склады")
            .object("Document.Заказ")
            .defined_type("Владелец", &["DocumentObject.Заказ"])
            .subscription("Все", "CommonModule.События.М", &["CatalogObject"])
            .subscription("Один", "CommonModule.События.М", &["CatalogObject.Товары", "DefinedType.Владелец"]);
        assert_eq!(
            demo.edges("event_subscription_source"),
            [
                "Catalog.Склады -> CommonModule.События.М exact :3",
                "Catalog.Товары -> CommonModule.События.М exact :3",
                "Catalog.Товары -> CommonModule.События.М exact :3",
                "Document.Заказ -> CommonModule.События.М exact :4",
            ]
        );
    }
}
