//! `form_event`: a form -> the procedures of its module that handle the form's own events.

use super::{MetadataContext, Rule, form_handlers};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("form_event");

/// The rule.
pub(super) struct FormEvent;

impl Rule for FormEvent {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        form_handlers::edges(cx, CHANNEL, |form, named| named(None, &form.events), out);
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn a_handler_of_the_forms_module() {
        let demo = demo()
            .form_with("CommonForm.Ф", |form| {
                form.events.push(handler("OnOpen", "ПРИОТКРЫТИИ", 4));
                form.events.push(handler("OnClose", "НетТакой", 5));
            })
            .module("CommonForm.Ф", "Процедура ПриОткрытии(Отказ)\nКонецПроцедуры");
        assert_eq!(demo.edges("form_event"), ["CommonForm.Ф -> CommonForm.Ф.ПриОткрытии exact :4"]);
    }
}
