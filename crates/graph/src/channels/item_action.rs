//! `item_action`: the site that sets what an item or a command of a form calls -> the procedure.
//!
//! `Элемент.УстановитьДействие("ПриИзменении", "Подключаемый_Цена")`, `Команда.Действие = "Подключаемый_Выполнить"`. In a form: its
//! own procedure. In a module that was given the form: the procedure of every form that hands itself to the method, through
//! however many calls; stored as halves. A name that only one form of the configuration bears is a candidate; else the place
//! stays open (`action`, with the name). `"Модуль.Метод"` is a method of that module. A property `Действие` of something that is
//! no command, set to what no such form has a procedure for, is none of these.
//! In a form also the literal under the name of an item's event (`data/item_events.tsv`) in a structure, which the form goes through
//! later: `Новый Структура("ПриИзменении", "Подключаемый_Цена")`.

use bsl::{Expr, ExprId, StatementKind};
use metadata::ModuleKind;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

use super::{AssignSite, MetadataContext, NewSite, Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges, Half, Side};
use crate::flow::Flow;
use crate::names::{Ident, folded};
use crate::types::lines;
use crate::words::Word;
use crate::world::{MethodId, World};

/// The channel.
pub const CHANNEL: Channel = Channel("item_action");

/// The rule.
pub(super) struct ItemAction;

impl Rule for ItemAction {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        let mut all: Vec<_> = cx.world.all_actions().collect();
        all.sort_unstable();
        for (setter, name, procedures) in all {
            let hub = hub(cx.world, setter, name);
            for &procedure in procedures {
                let procedure = cx.world.method(procedure);
                let (file, side) = (cx.world.module(procedure.module).file, Side::Target);
                out.halves.push(half(hub.clone(), side, procedure.node, Confidence::String, file, 0));
            }
        }
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let is_item = !matches!(site.receiver, Receiver::None | Receiver::Module(_) | Receiver::Manager(_));
        if flow.cx.module.world.word(site.name) == Some(Word::SetAction)
            && is_item
            && let &[_, procedure, ..] = site.args
        {
            set(flow, procedure, true, site.line, out);
        }
        if flow.cx.module.world.word(site.name) == Some(Word::Insert)
            && let &[key, procedure] = site.args
            && let Expr::String(key) = flow.cx.code.expr(key)
        {
            of_event(flow, flow.cx.module.facts.text(key), procedure, out);
        }
    }

    fn construct(&self, flow: &Flow<'_>, site: &NewSite<'_>, out: &mut Edges) {
        if site.word == Word::Structure
            && let Some((&keys, values)) = site.args.split_first()
            && let Expr::String(keys) = flow.cx.code.expr(keys)
        {
            for (key, &procedure) in flow.cx.module.facts.text(keys).split(',').zip(values) {
                of_event(flow, key, procedure, out);
            }
        }
    }

    fn assign(&self, flow: &Flow<'_>, site: &AssignSite, out: &mut Edges) {
        if flow.cx.module.word(site.name) == Some(Word::Action) {
            set(flow, site.value, is_command(flow, site.base), site.line, out);
        }
    }
}

static EVENTS: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
    let names = lines(include_str!("../../data/item_events.tsv")).flat_map(|line| line.split('\t'));
    names.map(folded).collect()
});

/// The edge to a procedure of the form whose name stands under the name of an item's event.
fn of_event(flow: &Flow<'_>, event: &str, procedure: ExprId, out: &mut Edges) {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let Expr::String(procedure_name) = code.expr(procedure) else { return };
    if module.info.kind == ModuleKind::FormModule
        && let Some(target) = module.ident(procedure_name).and_then(|name| module.own_method(name))
        && EVENTS.contains(&folded(event.trim()))
    {
        out.edges.push(flow.cx.edge(CHANNEL, target, Confidence::String, code.line(procedure)));
    }
}

/// Edges to the procedures that a name means; `is_action`: whether the place can hold nothing but a procedure's name.
fn set(flow: &Flow<'_>, name: ExprId, is_action: bool, line: u32, out: &mut Edges) {
    let module = flow.cx.module;
    let world = module.world;
    let texts = flow.texts(name);
    let confidence = if texts.len() == 1 { Confidence::String } else { Confidence::Candidate };
    for text in texts {
        let Some(text) = text else {
            if is_action {
                out.dynamic.push(flow.cx.dynamic("action", flow.pattern(name), line));
            }
            continue;
        };
        if text.contains('.') {
            let methods = world.methods_named(&text).into_iter();
            out.edges.extend(methods.map(|method| flow.cx.edge(CHANNEL, method, confidence, line)));
            continue;
        }
        let ident = world.ident(&text);
        let own = ident.and_then(|name| module.own_method(name));
        let setter = this_method(flow).zip(ident).filter(|(setter, name)| !world.actions(*setter, *name).is_empty());
        if let Some(own) = own.filter(|_| module.info.kind == ModuleKind::FormModule) {
            out.edges.push(flow.cx.edge(CHANNEL, own, confidence, line));
        } else if let Some((setter, name)) = setter {
            let hub = hub(world, setter, name);
            out.halves.push(half(hub, Side::Source, flow.cx.node, confidence, module.info.file, line));
        } else if is_action && !text.trim().is_empty() {
            match ident.and_then(|name| world.procedures_named(name)) {
                Some((only, 1)) => out.edges.push(flow.cx.edge(CHANNEL, only, Confidence::Candidate, line)),
                _ => out.dynamic.push(flow.cx.dynamic("action", text, line)),
            }
        }
    }
}

fn half(hub: String, side: Side, node: u32, confidence: Confidence, file: u32, line: u32) -> Half {
    Half { hub, side, node, channel: CHANNEL, confidence, file, line }
}

/// What the place that sets an action and the procedures of forms meet in.
fn hub(world: &World, setter: MethodId, name: Ident) -> String {
    bsl::fold(&format!("{}#{}", world.name(world.method(setter).node), world.ident_text(name)))
}

fn this_method(flow: &Flow<'_>) -> Option<MethodId> {
    let module = flow.cx.module;
    module.own_method(module.ident(flow.cx.method?.name)?)
}

/// Whether something is a command of a form by its looks, or by what is assigned to the variable: `Форма.Команды.Добавить("К")`,
/// `Команды.К`.
fn is_command(flow: &Flow<'_>, base: ExprId) -> bool {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let Expr::Name(variable) = code.expr(base) else { return of_commands(flow, base) };
    code.statements.iter().any(|statement| match statement.kind {
        StatementKind::Assign(target, value) => {
            matches!(code.expr(target), Expr::Name(name) if module.first(name) == module.first(variable))
                && of_commands(flow, value)
        }
        StatementKind::ForEach(name, collection) => {
            module.first(name) == module.first(variable) && is_collection(flow, collection)
        }
        _ => false,
    })
}

/// Whether an expression is an element of the commands of a form.
fn of_commands(flow: &Flow<'_>, expr: ExprId) -> bool {
    let code = flow.cx.code;
    match code.expr(expr) {
        Expr::Member(base, _) | Expr::Index(base, _) => is_collection(flow, base),
        Expr::Call { callee, .. } => {
            matches!(code.expr(callee), Expr::Member(base, _) if is_collection(flow, base))
        }
        _ => false,
    }
}

fn is_collection(flow: &Flow<'_>, expr: ExprId) -> bool {
    matches!(flow.cx.code.expr(expr), Expr::Member(_, name) | Expr::Name(name)
        if flow.cx.module.word(name) == Some(Word::Commands))
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn in_the_form_itself() {
        let demo = demo().module(
            "CommonForm.Ф",
            "Процедура А()\n\tЭлементы.Цена.УстановитьДействие(\"ПриИзменении\", \"ЦенаПри\");\n\tК = Команды.Добавить(\"К\");\n\
             \tК.Действие = \"Выполнить_К\";\n\tИмя = \"ценапри\";\n\tItems.Цена.SetAction(\"OnChange\", Имя);\n\tК.Action = \"Нет\";\n\
             \tЦенаПри(К);\nКонецПроцедуры\nПроцедура ЦенаПри(Э)\nКонецПроцедуры\nПроцедура Выполнить_К(К)\nКонецПроцедуры",
        );
        assert_eq!(
            demo.edges("item_action"),
            [
                "CommonForm.Ф.А -> CommonForm.Ф.ЦенаПри string :2",
                "CommonForm.Ф.А -> CommonForm.Ф.Выполнить_К string :4",
                "CommonForm.Ф.А -> CommonForm.Ф.ЦенаПри string :6",
            ]
        );
        // The procedure isn't there: another form, or an extension, may have it.
        assert_eq!(demo.dynamic_sites("action"), ["CommonForm.Ф.А Нет :7"]);
    }

    #[test]
    fn under_the_name_of_an_event_in_a_structure() {
        let text = "Процедура А()\n\tД = Новый Структура(\"ПриИзменении, Имя\", \"М\", \"Н\");\n\
                    \tД.Insert(\"OnChange\", \"Н\");\n\tД.Вставить(\"Имя\", \"М\");\n\tД.Вставить(\"Нажатие\", \"Нет\");\n\
                    КонецПроцедуры\nПроцедура М(Э)\nКонецПроцедуры\nПроцедура Н(Э)\nКонецПроцедуры";
        let demo = demo().module("CommonForm.Ф", text).module("CommonModule.Х", text);
        assert_eq!(
            demo.edges("item_action"),
            ["CommonForm.Ф.А -> CommonForm.Ф.М string :2", "CommonForm.Ф.А -> CommonForm.Ф.Н string :3"]
        );
    }

    fn given(form: &str) -> Demo {
        let procedure = "Процедура Подключаемый_К(К)\nКонецПроцедуры";
        demo()
            .module(
                "CommonModule.Общий",
                "Процедура Создать(Форма, П) Экспорт\n\tДобавить(П, Форма.Команды);\nКонецПроцедуры\n\
                 Процедура Добавить(П, Команды)\n\tК = Команды.Добавить(\"К\");\n\tК.Действие = \"Подключаемый_К\";\nКонецПроцедуры",
            )
            .module("CommonModule.Дальше", "Процедура М(Форма) Экспорт\n\tОбщий.Создать(Форма, 1);\nКонецПроцедуры")
            .module("CommonForm.Первая", &format!("Процедура А()\n\t{form}\nКонецПроцедуры\n{procedure}"))
            .module("CommonForm.Вторая", procedure)
    }

    #[test]
    fn in_a_module_that_was_given_the_form() {
        for form in ["Общий.Создать(ЭтотОбъект, 2);", "М = Общий; М.Создать(ThisForm, 2);", "Дальше.М(ЭтаФорма);"]
        {
            assert_eq!(
                given(form).edges("item_action"),
                ["CommonModule.Общий.Добавить -> CommonForm.Первая.Подключаемый_К string :6"],
                "{form}"
            );
        }
    }

    #[test]
    fn the_form_is_not_known() {
        let demo = given("Общий.Создать(П, 2);");
        assert!(demo.edges("item_action").is_empty());
        assert_eq!(demo.dynamic_sites("action"), ["CommonModule.Общий.Добавить Подключаемый_К :6"]);
    }

    #[test]
    fn a_name_that_one_form_bears() {
        let demo = demo()
            .module(
                "CommonModule.Общий",
                "Процедура М(П) Экспорт\n\tП.Элемент.УстановитьДействие(\"Нажатие\", \"Своя\");\nКонецПроцедуры",
            )
            .module("CommonForm.Ф", "Процедура Своя(К)\nКонецПроцедуры");
        assert_eq!(demo.edges("item_action"), ["CommonModule.Общий.М -> CommonForm.Ф.Своя candidate :2"]);
    }

    #[test]
    fn another_property_of_that_name() {
        let demo = demo()
            .module(
                "CommonModule.Общий",
                "Процедура М(П) Экспорт\n\tП.Действие = \"Удалить\";\n\tП.Действие = П.Имя;\nКонецПроцедуры",
            )
            .module("CommonForm.Ф", "Процедура Удалить(К)\nКонецПроцедуры");
        assert!(demo.edges("item_action").is_empty() && demo.dynamic_sites("action").is_empty());
    }

    #[test]
    fn a_method_of_a_module_and_what_only_run_time_knows() {
        let demo = demo().module("CommonModule.Печать", "Процедура М(К) Экспорт\nКонецПроцедуры").module(
            "CommonModule.Общий",
            "Процедура М(Форма, Имя) Экспорт\n\tК = Форма.Команды.Добавить(\"К\");\n\tК.Действие = \"Печать.М\";\n\
             \tК.Действие = \"Подключаемый_\" + Имя;\n\tПараметры.Действие = Имя;\nКонецПроцедуры",
        );
        assert_eq!(demo.edges("item_action"), ["CommonModule.Общий.М -> CommonModule.Печать.М string :3"]);
        assert_eq!(demo.dynamic_sites("action"), ["CommonModule.Общий.М Подключаемый_* :4"]);
    }
}
