//! `web_service`: an operation of a web service -> its procedure in the service's module.
//!
//! `WebService.X.Operation.O` -> `WebService.X.Module.M`.

use super::http_service::service_handlers;
use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("web_service");

/// The rule.
pub(super) struct WebService;

impl Rule for WebService {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        service_handlers(cx, CHANNEL, "WebService", "Operation", "ProcedureName", out);
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_procedure_of_the_services_module() {
        let demo = demo()
            .part("WebService.Обмен", "Operation.Ping", "ProcedureName", "Проверка")
            .module("WebService.Обмен.Module", "Функция Проверка()\nКонецФункции");
        assert_eq!(
            demo.edges("web_service"),
            ["WebService.Обмен.Operation.Ping -> WebService.Обмен.Module.Проверка exact :12"]
        );
    }
}
