//! `notify_changed`: the site that tells open lists of a change -> the forms whose dynamic list stands on that object, and the
//! procedures that give such a list its data.
//!
//! `ОповеститьОбИзменении(Объект.Ссылка)`, `ОповеститьОбИзменении(Тип("СправочникСсылка.Товары"))`: the argument's type says which
//! object. Stored as halves that meet in the object. A type that only run time knows leaves a dynamic site `changed`.

use bsl::{Expr, ExprId};

use super::{MetadataContext, Receiver, Rule, Site};
use crate::edge::{Channel, Confidence, Edges, Half, Side};
use crate::flow::Flow;
use crate::value::Value;
use crate::words::Word;

/// The channel.
pub const CHANNEL: Channel = Channel("notify_changed");

/// The event by which a dynamic list asks its form for data.
const GET_DATA: &str = "OnGetDataAtServer";

/// The rule.
pub(super) struct NotifyChanged;

impl Rule for NotifyChanged {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for form in &cx.configuration.forms {
            let Some(node) = cx.node(&form.full_name) else { continue };
            let file = form.content.unwrap_or(form.file).0;
            for attribute in &form.attributes {
                let table = attribute.dynamic_list.as_ref().map_or("", |list| &*list.main_table);
                let Some(object) = cx.node(table) else { continue };
                let mut add = |node, line| out.halves.push(half(cx.world.name(object), Side::Target, node, file, line));
                add(node, attribute.line);
                let tables = form.items.iter().filter(|item| item.data_path == attribute.name);
                for event in tables.flat_map(|table| &table.events).filter(|event| &*event.event == GET_DATA) {
                    let handler = cx.world.form_module(node).and_then(|module| cx.method(module, &event.handler));
                    if let Some(handler) = handler {
                        add(cx.world.method(handler).node, event.line);
                    }
                }
            }
        }
    }

    fn call(&self, flow: &Flow<'_>, site: &Site<'_>, out: &mut Edges) {
        let module = flow.cx.module;
        if module.world.word(site.name) != Some(Word::NotifyChanged)
            || !matches!(site.receiver, Receiver::None)
            || module.own_method(site.name).is_some()
        {
            return;
        }
        let Some(&changed) = site.args.first() else { return };
        let (objects, open) = objects(flow, changed);
        for object in objects {
            let object = module.world.name(object);
            out.halves.push(half(object, Side::Source, flow.cx.node, module.info.file, site.line));
        }
        if open {
            out.dynamic.push(flow.cx.dynamic("changed", "", site.line));
        }
    }
}

fn half(object: &str, side: Side, node: u32, file: u32, line: u32) -> Half {
    Half { hub: bsl::fold(object), side, node, channel: CHANNEL, confidence: Confidence::Typed, file, line }
}

/// The objects that a reference, a record key or a type stands for; whether it may stand for others.
fn objects(flow: &Flow<'_>, expr: ExprId) -> (Vec<u32>, bool) {
    let (code, world) = (flow.cx.code, flow.cx.module.world);
    if let Expr::Call { callee, first, count } = code.expr(expr)
        && let Expr::Name(function) = code.expr(callee)
        && let Some(&arg) = code.arguments(first, count).first()
    {
        match flow.cx.module.word(function) {
            Some(Word::Type) => {
                let texts = flow.texts(arg);
                let known = texts.iter().flatten().filter_map(|text| object_of(world.value_of_type(text)?));
                return (known.collect(), texts.contains(&None));
            }
            Some(Word::TypeOf) => return objects_of(flow, arg),
            _ => {}
        }
    }
    objects_of(flow, expr)
}

fn objects_of(flow: &Flow<'_>, expr: ExprId) -> (Vec<u32>, bool) {
    let values = flow.eval(expr);
    let known: Vec<u32> = values.iter().filter_map(object_of).collect();
    let open = values.open || known.is_empty();
    (known, open)
}

fn object_of(value: Value) -> Option<u32> {
    match value {
        Value::Instance { object, .. } => Some(object),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    fn base() -> Demo {
        demo()
            .object("Catalog.Товары")
            .object("InformationRegister.Цены")
            .form_with("Catalog.Товары.Form.Список", |form| {
                form.attributes.push(list("Список", "Catalog.Товары"));
                let mut table = item("Таблица", vec![handler("OnGetDataAtServer", "ПриПолучении", 20)]);
                table.data_path = "Список".into();
                form.items.push(table);
            })
            .form_with("CommonForm.Подбор", |form| {
                form.attributes.push(list("Список", "InformationRegister.Цены"))
            })
            .module("Catalog.Товары.Form.Список", "Процедура ПриПолучении(И, Н, С)\nКонецПроцедуры")
    }

    #[test]
    fn lists_on_the_object_and_their_handlers() {
        for text in [
            "ОповеститьОбИзменении(Тип(\"СправочникСсылка.Товары\"))",
            "NotifyChanged(Type(\"CatalogRef.Товары\"))",
            "ОповеститьОбИзменении(Объект.Ссылка)",
            "С = ThisObject.Объект.Ссылка;\tОповеститьОбИзменении(ТипЗнч(С))",
        ] {
            let demo = base()
                .form_with("Catalog.Товары.Form.Ф", |form| {
                    form.attributes.push(typed("Объект", "CatalogObject.Товары"))
                })
                .module("Catalog.Товары.Form.Ф", &format!("Процедура А()\n\t{text};\nКонецПроцедуры"));
            assert_eq!(
                demo.edges("notify_changed"),
                [
                    "Catalog.Товары.Form.Ф.А -> Catalog.Товары.Form.Список typed :2",
                    "Catalog.Товары.Form.Ф.А -> Catalog.Товары.Form.Список.ПриПолучении typed :2"
                ],
                "{text}"
            );
        }
    }

    #[test]
    fn record_keys_and_unknown_types() {
        let demo = base().module(
            "CommonModule.Х",
            "Процедура А(П) Экспорт\n\tОповеститьОбИзменении(Тип(\"РегистрСведенийКлючЗаписи.Цены\"));\n\tОповеститьОбИзменении(П);\nКонецПроцедуры",
        );
        assert_eq!(demo.edges("notify_changed"), ["CommonModule.Х.А -> CommonForm.Подбор typed :2"]);
        assert_eq!(demo.dynamic_sites("changed"), ["CommonModule.Х.А  :3"]);
    }
}
