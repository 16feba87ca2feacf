//! `notify_error`: the site that makes a notification description -> the procedure that it calls on an error.
//!
//! `Новый ОписаниеОповещения("М", ЭтотОбъект, , "МОшибки", ЭтотОбъект)`: the fourth argument names a procedure of the module in the
//! fifth.

use super::notify::procedures;
use super::{NewSite, Rule};
use crate::edge::{Channel, Edges};
use crate::flow::Flow;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("notify_error");

/// The rule.
pub(super) struct NotifyError;

impl Rule for NotifyError {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn construct(&self, flow: &Flow<'_>, site: &NewSite<'_>, out: &mut Edges) {
        if site.word == Word::NotifyDescription
            && let &[_, _, _, procedure, module, ..] = site.args
        {
            procedures(flow, CHANNEL, procedure, module, site.line, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn the_fourth_and_fifth_arguments() {
        let demo = demo().module(
            "CommonForm.Ф",
            "Процедура А()\n\tО = Новый ОписаниеОповещения(\"После\", ЭтотОбъект, , \"Ошибка\", ЭтотОбъект);\n\
             \tО = Новый ОписаниеОповещения(\"Ошибка\", ЭтотОбъект, \"Ошибка\");\n\
             \tО = Новый ОписаниеОповещения(\"После\", ЭтотОбъект, , \"Ошибка\");\nКонецПроцедуры\n\
             Процедура После(Р, П) Экспорт\nКонецПроцедуры\nПроцедура Ошибка(И, С, П) Экспорт\nКонецПроцедуры",
        );
        assert_eq!(demo.edges("notify_error"), ["CommonForm.Ф.А -> CommonForm.Ф.Ошибка string :2"]);
    }
}
