//! `scheduled_job`: a scheduled job -> its method.
//!
//! `ScheduledJob.J` -> method of a common module, as metadata says, whether the job is switched on or not.

use metadata::Details;

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("scheduled_job");

/// The rule.
pub(super) struct ScheduledJob;

impl Rule for ScheduledJob {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for object in &cx.configuration.objects {
            if let Details::ScheduledJob { method, method_line, .. } = &object.details
                && let Some(source) = cx.node(&object.full_name)
                && let Some(target) = cx.common_method(method)
            {
                out.edges.push(cx.edge(CHANNEL, source, target, object.file.0, *method_line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_method_that_is_there() {
        let demo = demo()
            .module("CommonModule.Обмен", "Процедура Запуск() Экспорт\nКонецПроцедуры")
            .job("Ночной", "CommonModule.Обмен.Запуск")
            .job("Пустой", "CommonModule.Нет.Запуск");
        assert_eq!(demo.edges("scheduled_job"), ["ScheduledJob.Ночной -> CommonModule.Обмен.Запуск exact :9"]);
    }
}
