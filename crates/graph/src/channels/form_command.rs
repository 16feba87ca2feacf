//! `form_command`: a command of a form -> every procedure that it calls (`Action`; forms of extensions may have several).

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("form_command");

/// The rule.
pub(super) struct FormCommand;

impl Rule for FormCommand {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for form in &cx.configuration.forms {
            let Some(module) = cx.node(&form.full_name).and_then(|form| cx.world.form_module(form)) else {
                continue;
            };
            let file = form.content.unwrap_or(form.file).0;
            for command in &form.commands {
                let Some(source) = cx.node(&format!("{}.Command.{}", form.full_name, command.name)) else {
                    continue;
                };
                for action in &command.actions {
                    if let Some(target) = cx.method(module, &action.handler) {
                        out.edges.push(cx.edge(CHANNEL, source, target, file, action.line));
                    }
                }
            }
        }
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
