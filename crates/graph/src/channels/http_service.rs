//! `http_service`: a method of a URL template -> its handler in the service's module.
//!
//! `HTTPService.X.URLTemplate.T.Method.M` -> `HTTPService.X.Module.H`.

use metadata::ModuleKind;

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("http_service");

/// The rule.
pub(super) struct HttpService;

impl Rule for HttpService {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        service_handlers(cx, CHANNEL, "HTTPService", "Method", "Handler", out);
    }
}

/// Edges from parts of services to the procedures that a property of theirs names.
pub(super) fn service_handlers(
    cx: &MetadataContext<'_>,
    channel: Channel,
    service: &str,
    part: &str,
    property: &str,
    out: &mut Edges,
) {
    for object in cx.configuration.objects.iter().filter(|object| object.kind.is(service)) {
        let module = cx.node(&object.full_name).and_then(|node| cx.world.owned_module(node, ModuleKind::Module));
        let Some(module) = module else { continue };
        for item in object.items.iter().filter(|item| item.kind.is(part)) {
            let Some(handler) = item.properties.iter().find(|p| &*p.name == property) else {
                continue;
            };
            if let Some(source) = cx.node(&item.full_name)
                && let Some(target) = cx.method(module, &handler.value)
            {
                let file = item.file.unwrap_or(object.file).0;
                out.edges.push(cx.edge(channel, source, target, file, handler.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_handler_of_the_services_module() {
        let demo = demo()
            .part("HTTPService.Склад", "URLTemplate.Остатки.Method.GET", "Handler", "ПолучитьОстатки")
            .part("HTTPService.Склад", "URLTemplate.Остатки.Method.PUT", "Handler", "НетТакой")
            .module("HTTPService.Склад.Module", "Функция ПолучитьОстатки(Запрос)\nКонецФункции");
        assert_eq!(
            demo.edges("http_service"),
            ["HTTPService.Склад.URLTemplate.Остатки.Method.GET -> HTTPService.Склад.Module.ПолучитьОстатки exact :12"]
        );
    }
}
