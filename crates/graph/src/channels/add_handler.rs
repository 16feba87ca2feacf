//! `add_handler`: the site that adds a handler to an event of an object -> the procedure.
//!
//! `ДобавитьОбработчик Соединение.ПриЧтении, ОбработатьЧтение` and `…, Общий.ОбработатьЧтение`: a procedure of the own module, or
//! an exported one of the module that stands before the dot. Removing a handler calls nothing, so it is no edge.

use bsl::{Expr, Statement, StatementKind};

use super::Rule;
use crate::edge::{Channel, Confidence, Edges};
use crate::flow::Flow;
use crate::value::Value;

/// The channel.
pub const CHANNEL: Channel = Channel("add_handler");

/// The rule.
pub(super) struct AddHandler;

impl Rule for AddHandler {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn statement(&self, flow: &Flow<'_>, statement: Statement, out: &mut Edges) {
        let StatementKind::AddHandler(_, handler) = statement.kind else { return };
        let (code, module) = (flow.cx.code, flow.cx.module);
        let line = code.line(handler);
        match code.expr(handler) {
            Expr::Name(name) => {
                let own = module.ident(name).and_then(|name| module.own_method(name));
                out.edges.extend(own.map(|own| flow.cx.edge(CHANNEL, own, Confidence::Exact, line)));
            }
            Expr::Member(base, name) => {
                let (values, Some(name)) = (flow.eval(base), module.ident(name)) else { return };
                for value in values.iter() {
                    let target = match value {
                        Value::This => module.own_method(name),
                        known => module.world.method_of(known, name),
                    };
                    out.edges.extend(target.map(|target| flow.cx.edge(CHANNEL, target, Confidence::Typed, line)));
                }
                if values.open || values.is_empty() {
                    out.dynamic.push(flow.cx.dynamic("handler", module.world.ident_text(name), line));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn own_procedures_and_those_of_modules() {
        let demo = demo()
            .module("CommonModule.Общий", "Процедура Прочитано() Экспорт\nКонецПроцедуры")
            .module(
                "CommonForm.Ф",
                "Процедура А(П)\n\tДобавитьОбработчик Порт.ПриЧтении, Прочитано;\n\tДобавитьОбработчик Порт.ПриЧтении, Общий.Прочитано;\n\
                 \tДобавитьОбработчик Порт.ПриЧтении, ЭтотОбъект.Прочитано;\n\tУдалитьОбработчик Порт.ПриЧтении, Прочитано;\n\
                 \tДобавитьОбработчик Порт.ПриЧтении, П.Прочитано;\n\tДобавитьОбработчик Порт.ПриЧтении, Нет;\nКонецПроцедуры\n\
                 Процедура Прочитано()\nКонецПроцедуры",
            );
        assert_eq!(
            demo.edges("add_handler"),
            [
                "CommonForm.Ф.А -> CommonForm.Ф.Прочитано exact :2",
                "CommonForm.Ф.А -> CommonModule.Общий.Прочитано typed :3",
                "CommonForm.Ф.А -> CommonForm.Ф.Прочитано typed :4",
            ]
        );
        assert_eq!(demo.dynamic_sites("handler"), ["CommonForm.Ф.А Прочитано :6"]);
    }

    #[test]
    fn in_english() {
        let demo = demo().module(
            "CommonForm.F",
            "Procedure A()\n\tAddHandler Port.OnRead, Done;\n\tRemoveHandler Port.OnRead, Done;\nEndProcedure\nProcedure Done()\nEndProcedure",
        );
        assert_eq!(demo.edges("add_handler"), ["CommonForm.F.A -> CommonForm.F.Done exact :2"]);
    }
}
