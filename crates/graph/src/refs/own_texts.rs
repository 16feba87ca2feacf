//! Literals that speak of the module's own object: lists of its attributes in methods that are there to give them, restrictions of
//! access, paths to its data in messages and forms.

use super::fields::{Fields, objects_of};
use crate::flow::Flow;
use crate::names::{folded_hash, same};
use crate::scope::ModuleContext;
use crate::types::rows4;
use crate::value::Value;
use metadata::{Kind, ModuleKind};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Longest literal that is looked at, in bytes.
const LONGEST: usize = 64 << 10;
/// Longest path to data, in bytes.
const LONGEST_PATH: usize = 300;
/// What the object is called in paths of its messages: the main attribute of its forms, by convention.
const OBJECT: [&str; 2] = ["Объект", "Object"];
/// What restrictions of access call the restricted table.
const THIS_LIST: [&str; 2] = ["ЭтотСписок", "ThisList"];

/// What the literals of a method hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Names of the object's attributes.
    Attributes,
    /// A restriction of access to its records.
    Restriction,
}

struct Row {
    module: &'static str,
    ru: &'static str,
    en: &'static str,
    holds: Holds,
}

/// Methods by the hash of their name.
static METHODS: LazyLock<FxHashMap<u64, Vec<Row>>> = LazyLock::new(|| {
    let mut methods: FxHashMap<u64, Vec<Row>> = FxHashMap::default();
    for [module, ru, en, holds] in rows4(include_str!("../../data/own_texts.tsv")) {
        let holds = if holds == "restriction" { Holds::Restriction } else { Holds::Attributes };
        for name in [ru, en] {
            methods.entry(folded_hash(name)).or_default().push(Row { module, ru, en, holds });
        }
    }
    methods
});

/// What the literals of a method hold; None if they may say anything.
pub(super) fn held(module: &ModuleContext<'_>, method: &bsl::Method) -> Option<Holds> {
    let name = module.facts.text(method.name);
    let rows = METHODS.get(&folded_hash(name))?;
    let fits = |row: &&Row| row.module == module.info.kind.as_str() && (same(row.ru, name) || same(row.en, name));
    rows.iter().find(fits).map(|row| row.holds)
}

/// The attributes of the module's object that a literal lists, each with the lines below the literal's first one.
pub(super) fn attributes(fields: Fields<'_>, owner: u32, text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    if text.len() > LONGEST {
        return found;
    }
    let is_path = |item: &str| item.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    for (below, line) in (0..).zip(text.split('\n')) {
        for item in line.split([',', ';']).map(str::trim).filter(|item| !item.is_empty()) {
            if !is_path(item) {
                return Vec::new();
            }
            let mut targets = Vec::new();
            fields.walk(&[owner], item, &mut targets);
            found.extend(targets.into_iter().map(|target| (target, below)));
        }
    }
    found
}

/// The fields that a restriction of access names, each with the lines below the literal's first one.
pub(super) fn restriction(fields: Fields<'_>, owner: u32, text: &str) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    if text.len() > LONGEST {
        return found;
    }
    let paths = bsl::query::paths(text);
    let is_own = |name: &str| THIS_LIST.iter().any(|this| same(this, name));
    let table = |path: &bsl::query::PathUse| match &path.parts[..] {
        [only] if is_own(only) => Some(owner),
        [kind, name, rest @ ..] => {
            let kind = Kind::from_word(kind).filter(|kind| kind.is_top())?;
            let mut full_name = format!("{}.{name}", kind.en());
            if let [section] = rest {
                full_name = format!("{full_name}.TabularSection.{section}");
            }
            fields.world.find(&full_name)
        }
        _ => None,
    };
    let named = paths.iter().filter_map(|path| Some((path.alias.as_deref()?, table(path)?)));
    let aliases: Vec<(&str, u32)> = named.collect();
    for path in paths.iter().filter(|path| !path.called && !path.is_word && path.alias.is_none()) {
        let [first, rest @ ..] = &path.parts[..] else { continue };
        let of_alias = aliases.iter().find(|(alias, _)| same(alias, first)).map(|(_, table)| *table);
        let mut targets = Vec::new();
        match of_alias.or_else(|| is_own(first).then_some(owner)) {
            Some(table) => fields.walk(&[table], &rest.join("."), &mut targets),
            None => fields.walk(&[owner], &path.parts.join("."), &mut targets),
        }
        found.extend(targets.into_iter().map(|target| (target, path.line - 1)));
    }
    found
}

/// What a literal names that is a path to data of the module's form, or of the object whose module it is: `Объект.Товары`.
pub(super) fn data_path(fields: Fields<'_>, flow: &Flow<'_>, text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let module = flow.cx.module;
    let is_path = || text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if text.len() > LONGEST_PATH || !text.contains('.') || !is_path() {
        return found;
    }
    let Some((root, rest)) = text.split_once('.') else { return found };
    match module.info.kind {
        ModuleKind::ObjectModule if OBJECT.iter().any(|name| same(name, root)) => {
            fields.walk(&[module.info.owner], rest, &mut found);
        }
        ModuleKind::FormModule => {
            let world = fields.world;
            let values =
                world.ident(root).and_then(|root| world.attribute(module.info.owner, root)).unwrap_or_default();
            let holders: Vec<u32> = objects_of(&values).collect();
            fields.walk(&holders, rest, &mut found);
            let is_set = |value: Value| matches!(value, Value::Platform(of) if world.is_constants_set(of));
            if values.iter().any(is_set) {
                let name = rest.split('.').next().unwrap_or("");
                found.extend(Kind::named("Constant").and_then(|kind| fields.object(kind, name)));
            }
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::testing::{demo, typed};
    use crate::refs::testing::{in_module, of};
    use crate::types::lines;

    #[test]
    fn every_row_is_read() {
        let count = lines(include_str!("../../data/own_texts.tsv")).count();
        assert_eq!(METHODS.values().map(Vec::len).sum::<usize>(), count * 2);
        let kinds = || METHODS.values().flatten().map(|row| row.module);
        assert!(kinds().all(|module| ModuleKind::ALL.into_iter().any(|kind| kind.as_str() == module)));
    }

    #[test]
    fn lists_of_attributes_and_restrictions() {
        let goods = demo()
            .typed_part("Catalog.Товары", "Attribute.Цена", "Number")
            .typed_part("Catalog.Товары", "Attribute.Склад", "CatalogRef.Склады")
            .typed_part("Catalog.Склады", "Attribute.Адрес", "String");
        let code = "Функция РеквизитыРедактируемыеВГрупповойОбработке() Экспорт
            Результат = Новый Массив;
            Результат.Добавить(\"Цена;Цена\");
            Возврат Результат;
            КонецФункции
            Процедура OnFillAccessRestriction(R) Export
            R.Text = \"AllowRead
            |WHERE ValueAllowed(Склад)
            | AND ThisList.Цена > 0 AND Склад.Адрес = \"\"А\"\"\";
            КонецПроцедуры
            Процедура Другая() Сообщить(\"Цена\"); КонецПроцедуры";
        let found = in_module(goods, "Catalog.Товары.ManagerModule", code, 0);
        assert_eq!(of(&found, "Catalog.Товары.Attribute.Цена"), ["bsl_attribute_name_string :3", "bsl_rls_text :9"]);
        assert_eq!(of(&found, "Catalog.Товары.Attribute.Склад"), ["bsl_rls_text :8", "bsl_rls_text :9"]);
        assert_eq!(of(&found, "Catalog.Склады.Attribute.Адрес"), ["bsl_rls_text :9"]);
    }

    #[test]
    fn tables_that_a_restriction_joins() {
        let goods = demo().typed_part("Catalog.Товары", "Attribute.Склад", "CatalogRef.Склады").typed_part(
            "InformationRegister.Права",
            "Dimension.Место",
            "CatalogRef.Склады",
        );
        let code = "Процедура ПриЗаполненииОграниченияДоступа(О) Экспорт
            О.Текст = \"ПрисоединитьДополнительныеТаблицы ЭтотСписок КАК Т
            |ЛЕВОЕ СОЕДИНЕНИЕ РегистрСведений.Права КАК П ПО П.Место = Т.Склад\";
            КонецПроцедуры";
        let found = in_module(goods, "Catalog.Товары.ManagerModule", code, 0);
        assert_eq!(of(&found, "InformationRegister.Права.Dimension.Место"), ["bsl_rls_text :3"]);
        assert_eq!(of(&found, "Catalog.Товары.Attribute.Склад"), ["bsl_rls_text :3"]);
    }

    #[test]
    fn paths_to_data() {
        let goods = || demo().typed_part("Catalog.Товары", "Attribute.Цена", "Number").object("Constant.Валюта");
        let form = goods().form_with("Catalog.Товары.Form.Форма", |form| {
            form.attributes.push(typed("Объект", "CatalogObject.Товары"));
            form.attributes.push(typed("Набор", "ConstantsSet"));
        });
        let code = "Процедура П()\nА = \"Объект.Цена\";\nБ = \"Набор.Валюта\";\nВ = Набор.Валюта;\nКонецПроцедуры";
        let found = in_module(form, "Catalog.Товары.Form.Форма", code, 0);
        assert_eq!(of(&found, "Catalog.Товары.Attribute.Цена"), ["bsl_string :2"]);
        assert_eq!(of(&found, "Constant.Валюта"), ["bsl_string :3", "bsl_property :4"]);
        let code = "Процедура П()\nСообщить(\"Object.Цена\");\nКонецПроцедуры";
        let found = in_module(goods(), "Catalog.Товары.ObjectModule", code, 0);
        assert_eq!(of(&found, "Catalog.Товары.Attribute.Цена"), ["bsl_string :2"]);
    }
}
