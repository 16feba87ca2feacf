//! Fields of data locks: `Элемент = Блокировка.Добавить("РегистрСведений.Цены")`, `Элемент.УстановитьЗначение("Товар", …)`.

use super::code::ModuleReferences;
use super::described;
use crate::flow::Flow;
use crate::names::same;
use crate::words::Word;
use bsl::{Expr, ExprId, Symbol};

/// Methods of an element of a lock whose first argument is the name of a field. Source: the platform's help.
const NAMES_FIELD: [&str; 4] = ["УстановитьЗначение", "SetValue", "ИспользоватьИзИсточникаДанных", "UseFromDataSource"];

/// The fields that a call on an element of a lock names.
pub(super) fn targets(
    references: &ModuleReferences<'_>,
    flow: &Flow<'_>,
    base: Option<ExprId>,
    name: Symbol,
    args: &[ExprId],
) -> Vec<u32> {
    let code = flow.cx.code;
    let text = flow.cx.module.facts.text(name);
    let (Some(base), Some(field)) = (base, args.first().and_then(|arg| code.string(*arg))) else { return Vec::new() };
    if !NAMES_FIELD.iter().any(|known| same(known, text)) {
        return Vec::new();
    }
    let field = flow.cx.module.facts.text(field);
    let Some(table) = locked(flow, base) else { return Vec::new() };
    let fields = references.fields;
    let mut found = Vec::new();
    match code.string(table) {
        Some(table) => {
            let table = metadata::names::canonical(flow.cx.module.facts.text(table));
            let holder = table.and_then(|table| fields.table(&table));
            fields.walk(&holder.map(|(node, _)| node).into_iter().collect::<Vec<_>>(), field, &mut found);
        }
        None => {
            let part = fields.world.parts.name(field);
            found = part.map(|part| described::fields_of_full_name(fields, flow, table, part)).unwrap_or_default();
        }
    }
    found
}

/// What was given to `Добавить` where an element of a lock was set last, or is added in place.
fn locked(flow: &Flow<'_>, base: ExprId) -> Option<ExprId> {
    let code = flow.cx.code;
    let added = |expr: ExprId| match code.expr(expr) {
        Expr::Call { callee, first, count } => match code.expr(callee) {
            Expr::Member(_, name) if flow.cx.module.word(name) == Some(Word::Add) => {
                code.arguments(first, count).first().copied()
            }
            _ => None,
        },
        _ => None,
    };
    match code.expr(base) {
        Expr::Name(name) => flow.assigned(name).iter().rfind(|set| set.0 < base.0).and_then(|set| added(*set)),
        _ => added(base),
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::demo;
    use crate::refs::testing::{of, refs};

    #[test]
    fn fields_of_locks() {
        let prices = || {
            demo().typed_part("InformationRegister.Цены", "Dimension.Товар", "String").typed_part(
                "Catalog.Склады",
                "Attribute.Товар",
                "String",
            )
        };
        let code = "Б = Новый БлокировкаДанных;\nЭ = Б.Добавить(\"РегистрСведений.Цены\");
            Э.УстановитьЗначение(\"Товар\", 1);\nЭ = Б.Добавить(\"Справочник.Склады\");
            Э.ИспользоватьИзИсточникаДанных(\"Товар\", \"Товар\");";
        let found = refs(prices(), code);
        assert_eq!(of(&found, "InformationRegister.Цены.Dimension.Товар"), ["bsl_attribute_name_string :3"]);
        assert_eq!(of(&found, "Catalog.Склады.Attribute.Товар"), ["bsl_attribute_name_string :5"]);
        let english = "L.Add(\"InformationRegister.Цены\").SetValue(\"Товар\", 1);";
        assert_eq!(of(&refs(prices(), english), "InformationRegister.Цены.Dimension.Товар").len(), 1);
    }

    #[test]
    fn fields_of_each_object_of_a_kind() {
        let tasks = demo().typed_part("BusinessProcess.Задание", "Attribute.Главная", "String");
        let code = "Для Каждого М Из Метаданные.БизнесПроцессы Цикл
            Р = М.Реквизиты.Найти(\"Главная\");\nЭ = Б.Добавить(М.ПолноеИмя());
            Э.УстановитьЗначение(\"Главная\", 1);\nКонецЦикла;";
        let found = refs(tasks, code);
        let expected = ["bsl_string :2", "bsl_attribute_name_string :4"];
        assert_eq!(of(&found, "BusinessProcess.Задание.Attribute.Главная"), expected);
    }
}
