//! `integration_service`: a channel of an integration service -> the procedure that receives its messages.
//!
//! `IntegrationService.X.IntegrationServiceChannel.C` -> `IntegrationService.X.Module.M`. Channels that send have none.

use super::http_service::service_handlers;
use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("integration_service");

/// The rule.
pub(super) struct IntegrationService;

impl Rule for IntegrationService {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        let (service, part) = ("IntegrationService", "IntegrationServiceChannel");
        service_handlers(cx, CHANNEL, service, part, "ReceiveMessageProcessing", out);
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_channel_that_receives() {
        let demo = demo()
            .part("IntegrationService.Шина", "IntegrationServiceChannel.Заказы", "ReceiveMessageProcessing", "Получено")
            .part("IntegrationService.Шина", "IntegrationServiceChannel.Цены", "MessageDirection", "Send")
            .module("IntegrationService.Шина.Module", "Процедура Получено(С, О)\nКонецПроцедуры");
        assert_eq!(
            demo.edges("integration_service"),
            [
                "IntegrationService.Шина.IntegrationServiceChannel.Заказы -> IntegrationService.Шина.Module.Получено exact :12"
            ]
        );
    }
}
