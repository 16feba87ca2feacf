//! `notify_execute`: a site that executes a notification -> every procedure that the description may hold.
//!
//! `ВыполнитьОбработкуОповещения(О, Результат)`. A description that nothing is known of stays open.

use super::{Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::Value;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("notify_execute");

/// The rule.
pub(super) struct NotifyExecute;

impl Rule for NotifyExecute {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let Some(&description) = site.args.first() else { return };
        if !matches!(site.receiver, Receiver::None)
            || flow.cx.module.world.word(site.name) != Some(Word::RunNotifyProcessing)
        {
            return;
        }
        let values = flow.eval(description);
        let confidence = if values.is_certain() { Confidence::Typed } else { Confidence::Candidate };
        let mut open = values.open;
        for value in values.iter() {
            match value {
                Value::Procedure(target) => out.edges.push(flow.cx.edge(CHANNEL, target, confidence, site.line)),
                _ => open = true,
            }
        }
        if open {
            out.dynamic.push(flow.cx.dynamic("notify_execute", "", site.line));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn own_variables_and_parameters() {
        let demo = demo().module(
            "CommonForm.Ф",
            "Процедура А()\n\tО = Новый ОписаниеОповещения(\"После\", ЭтотОбъект);\n\tВыполнитьОбработкуОповещения(О, 1);\n\
             \tБ(О);\nКонецПроцедуры\nПроцедура Б(Описание)\n\tВыполнитьОбработкуОповещения(Описание);\nКонецПроцедуры\n\
             Процедура В(Описание) Экспорт\n\tВыполнитьОбработкуОповещения(Описание);\nКонецПроцедуры\n\
             Процедура После(Р, П) Экспорт\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("notify_execute"),
            ["CommonForm.Ф.А -> CommonForm.Ф.После typed :3", "CommonForm.Ф.Б -> CommonForm.Ф.После typed :7"]
        );
        assert_eq!(demo.dynamic(), [("notify_execute", String::new())]);
    }
}
