//! `update_handler`: a method named in a list of update handlers.
//!
//! `Обработчик.Процедура = "Склад.ПерейтиНаВерсию2"` in a procedure that fills in such a list; which procedures do is data
//! (`data/registrations.tsv`, settings of the project). The special case of `string_named` that the window shows by its own name.

use super::{LiteralSite, Rule, string_named};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;

/// The channel.
pub const CHANNEL: Channel = Channel("update_handler");

/// The rule.
pub(super) struct UpdateHandler;

impl Rule for UpdateHandler {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn literal(&self, flow: &Flow<'_>, site: &LiteralSite<'_>, out: &mut Edges) {
        if !site.bare && string_named::in_update_handlers(flow, site) && string_named::is_kept(flow, site) {
            for &target in site.methods {
                out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, site.line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn in_a_list_of_update_handlers() {
        let text = "Процедура ПриДобавленииОбработчиковОбновления(О) Экспорт\n\tО.Процедура = \"Склад.М\";\n\
                    \tПриоритет = О.ПриоритетыВыполнения.Добавить();\n\tПриоритет.Процедура = \"Склад.М\";\nКонецПроцедуры\n\
                    Процедура Б(О)\n\tО.Процедура = \"Склад.М\";\nКонецПроцедуры";
        let demo =
            demo().module("CommonModule.Склад", "Процедура М() Экспорт\nКонецПроцедуры").module("CommonModule.Х", text);
        let from = "CommonModule.Х.ПриДобавленииОбработчиковОбновления";
        assert_eq!(demo.edges("update_handler"), [format!("{from} -> CommonModule.Склад.М string :2")]);
        assert_eq!(demo.edges("string_named"), ["CommonModule.Х.Б -> CommonModule.Склад.М string :7"]);
    }
}
