//! `form_command`: a command of a form -> every procedure that it calls (`Action`; forms of extensions may have several).

use super::{MetadataContext, Rule, form_handlers};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("form_command");

/// The rule.
pub(super) struct FormCommand;

impl Rule for FormCommand {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn is_from_outside(&self) -> bool {
        true
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        form_handlers::edges(
            cx,
            CHANNEL,
            |form, named| {
                form.commands.iter().for_each(|command| named(Some(("Command", &command.name)), &command.actions));
            },
            out,
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn every_action() {
        let demo = demo()
            .form_with("CommonForm.Ф", |form| {
                form.commands.push(form_command("Заполнить", &["Первая", "Вторая", "Нет"]))
            })
            .module("CommonForm.Ф", "Процедура Первая(К)\nКонецПроцедуры\nПроцедура Вторая(К)\nКонецПроцедуры");
        assert_eq!(
            demo.edges("form_command"),
            [
                "CommonForm.Ф.Command.Заполнить -> CommonForm.Ф.Первая exact :50",
                "CommonForm.Ф.Command.Заполнить -> CommonForm.Ф.Вторая exact :51",
            ]
        );
    }
}
