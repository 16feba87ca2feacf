//! `event_subscription`: a subscription -> its handler.
//!
//! `EventSubscription.S` -> method of a common module, as metadata says. A handler that isn't there gives no edge.

use metadata::Details;

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("event_subscription");

/// The rule.
pub(super) struct EventSubscription;

impl Rule for EventSubscription {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for object in &cx.configuration.objects {
            if let Details::EventSubscription { handler, handler_line, .. } = &object.details
                && let Some(source) = cx.node(&object.full_name)
                && let Some(target) = cx.common_method(handler)
            {
                out.edges.push(cx.edge(CHANNEL, source, target, object.file.0, *handler_line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_handler_that_is_there() {
        let demo = demo()
            .module("CommonModule.События", "Процедура ПередЗаписью(И, О) Экспорт\nКонецПроцедуры")
            .subscription("Проверка", "CommonModule.События.передзаписью", &["CatalogObject.Товары"])
            .subscription("Пустая", "CommonModule.События.Нет", &["CatalogObject.Товары"]);
        assert_eq!(
            demo.edges("event_subscription"),
            ["EventSubscription.Проверка -> CommonModule.События.ПередЗаписью exact :7"]
        );
    }
}
