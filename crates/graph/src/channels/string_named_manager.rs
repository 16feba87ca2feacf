//! `string_named_manager`: a literal `"Справочники.Х.Метод"` that something keeps to call it later.
//!
//! As `string_named`, of a method of a manager module, or of another module that the name says.

use metadata::ModuleKind;

use super::{LiteralSite, Rule, string_named};
use crate::edge::{Channel, Edges};
use crate::flow::Flow;

/// The channel.
pub const CHANNEL: Channel = Channel("string_named_manager");

/// The rule.
pub(super) struct StringNamedManager;

impl Rule for StringNamedManager {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn literal(&self, flow: &Flow<'_>, site: &LiteralSite<'_>, out: &mut Edges) {
        string_named::keep(flow, CHANNEL, site, |kind| kind != ModuleKind::Module, out);
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn of_a_manager_module() {
        let demo = demo()
            .module("Catalog.Товары.ManagerModule", "Процедура М() Экспорт\nКонецПроцедуры")
            .module("CommonModule.Х", "Процедура А(О)\n\tО.Процедура = \"Справочники.Товары.М\";\nКонецПроцедуры");
        let expected = ["CommonModule.Х.А -> Catalog.Товары.ManagerModule.М string :2"];
        assert_eq!(demo.edges("string_named_manager"), expected);
        assert!(demo.edges("string_named").is_empty());
    }
}
