//! Names: what a user types -> canonical full names; types -> objects.
//!
//! This module knows the grammar of names, not a configuration: whether an object exists is for its caller to look up.

use crate::kinds::{Kind, fold};
use crate::model::configuration::Configuration;
use crate::model::module::ModuleKind;
use crate::model::object::Object;
use crate::model::types::Types;
use crate::place::{Place, module_name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// True if a text is a canonical full name as dumps write it: `Catalog.X`, `Catalog.X.Attribute.A`.
#[must_use]
pub fn is_full_name(text: &str) -> bool {
    let Some((kind, rest)) = text.split_once('.') else { return false };
    kind.bytes().next().is_some_and(|c| c.is_ascii_uppercase())
        && Kind::named(kind).is_some_and(Kind::is_top)
        && rest.split('.').all(|word| !word.is_empty() && !word.contains(char::is_whitespace))
}

/// Whether a reference of that full name may be to something of the platform's own that looks like a thing of the configuration:
/// items of the style (`style:FormBackColor`). Only one that is there is a reference.
#[must_use]
pub fn may_be_platforms(full_name: &str) -> bool {
    full_name.starts_with("StyleItem.")
}

/// The canonical full name of what a user typed; own names keep their spelling. None if it names no kind.
///
/// Understood: both languages, singular and plural, any case (`справочники.Валюты`); type names (`СправочникСсылка.Валюты`,
/// `cfg:CatalogRef.Валюты`); parts (`Справочник.Валюты.Реквизит.Курс`); modules and their methods
/// (`Справочник.Валюты.МодульОбъекта.ПриЗаписи`, `ОбщийМодуль.М.Модуль`); `Метаданные.` in front; the layer of an
/// extension (`Расш::ОбщийМодуль.М`).
///
/// ```
/// use metascope_metadata::names::canonical;
/// assert_eq!(canonical("справочники.Валюты").as_deref(), Some("Catalog.Валюты"));
/// assert_eq!(canonical("ОбщийМодуль.Обмен.Загрузить").as_deref(), Some("CommonModule.Обмен.Загрузить"));
/// assert_eq!(canonical("Документ.Заказ.Форма.Список.Форма").as_deref(), Some("Document.Заказ.Form.Список"));
/// assert_eq!(canonical("Валюты"), None);
/// ```
#[must_use]
pub fn canonical(typed: &str) -> Option<String> {
    let typed = typed.trim();
    if let Some((layer, rest)) = typed.split_once("::") {
        return canonical(rest).map(|name| format!("{layer}::{name}"));
    }
    let typed = typed.rsplit_once(':').map_or(typed, |(_, local)| local);
    let mut words: Vec<&str> = typed.split('.').map(str::trim).collect();
    if words.iter().any(|w| w.is_empty()) {
        return None;
    }
    if words.len() > 1 && words.first().is_some_and(|w| matches!(fold(w).as_str(), "метаданные" | "metadata"))
    {
        words.remove(0);
    }
    let (first, mut rest) = words.split_first()?;
    let kind =
        Kind::from_word(first).filter(|k| k.is_top()).or_else(|| Kind::from_type(first).map(|(kind, _)| kind))?;
    let mut name = if kind == Kind::configuration() {
        kind.en().to_owned()
    } else {
        let (own, after) = rest.split_first()?;
        rest = after;
        format!("{}.{own}", kind.en())
    };
    let mut holder = kind;
    while let Some((word, after)) = rest.split_first() {
        if let Some(module) = module_word(word, holder) {
            name = module_name(&name, module);
            rest = after;
            if let Some((method, nothing)) = rest.split_first() {
                name = format!("{name}.{method}");
                rest = nothing;
            }
            break;
        }
        let (Some(part), Some((own, after))) = (part_word(word, holder), after.split_first()) else { break };
        name = format!("{name}.{part}.{own}");
        holder = Kind::named(part).unwrap_or(holder);
        rest = after;
    }
    for word in rest {
        name = format!("{name}.{word}");
    }
    Some(name)
}

/// The kind of module that a word of a full name stands for, in a thing of that kind.
fn module_word(word: &str, holder: Kind) -> Option<ModuleKind> {
    let word = fold(word);
    let is_form = holder.is("Form") || holder.is("CommonForm");
    if is_form && matches!(word.as_str(), "модуль" | "module" | "форма" | "form") {
        return Some(ModuleKind::FormModule);
    }
    let kinds = || {
        ModuleKind::ALL.into_iter().filter(|m| *m != ModuleKind::Module || holder.info().modules.contains(&"Module"))
    };
    kinds().find(|m| fold(m.as_str()) == word || fold(m.ru()) == word)
}

/// The canonical word of a part (`Реквизит` -> `Attribute`) in a thing of that kind.
fn part_word(word: &str, holder: Kind) -> Option<&'static str> {
    if holder.is("CommonModule") {
        return None;
    }
    if matches!(fold(word).as_str(), "item" | "элемент") && (holder.is("Form") || holder.is("CommonForm")) {
        return Some("Item");
    }
    if matches!(fold(word).as_str(), "реквизит" | "attribute") && holder.is("Table") {
        return Some("Field");
    }
    let kind = Kind::from_word(word)?;
    let nested = holder.info().children.contains(&kind.en());
    (nested || !kind.is_top()).then(|| kind.en())
}

/// The canonical full name of the module whose file that is; `path` is relative to the root of a Designer dump or of a
/// project of EDT, with `/`.
#[must_use]
pub fn module_of_path(path: &str) -> Option<String> {
    Place::of(path).or_else(|| Place::of_edt(path))?.module_name()
}

/// The path, relative to the root of a Designer dump, of the module of that canonical full name.
#[must_use]
pub fn path_of_module(full_name: &str) -> Option<String> {
    let (owner, kind) = owner_of_module(full_name)?;
    crate::place::path_of_module(owner, kind)
}

/// The path, relative to the root of a project of EDT, of the module of that canonical full name.
#[must_use]
pub fn edt_path_of_module(full_name: &str) -> Option<String> {
    let (owner, kind) = owner_of_module(full_name)?;
    crate::place::edt_path_of_module(owner, kind)
}

/// The canonical full name of the module of that kind of the thing of that full name.
#[must_use]
pub fn name_of_module(owner: &str, kind: ModuleKind) -> String {
    module_name(owner, kind)
}

/// Whose module bears that canonical full name, and which of its modules it is; a name that ends in no kind of module is that of a
/// common module or of a form, which are named as what they belong to.
#[must_use]
pub fn owner_of_module(full_name: &str) -> Option<(&str, ModuleKind)> {
    let (owner, last) = full_name.rsplit_once('.')?;
    if let Some(kind) = ModuleKind::ALL.into_iter().find(|m| m.as_str() == last)
        && kind != ModuleKind::FormModule
        && (owner == "Configuration" || is_full_name(owner))
    {
        return Some((owner, kind));
    }
    let is_common = full_name.starts_with("CommonModule.");
    Some((full_name, if is_common { ModuleKind::Module } else { ModuleKind::FormModule }))
}

/// The kind and the object that a type belongs to: `CatalogRef.X` -> (Catalog, X); a kind-wide set has no object.
#[must_use]
pub fn object_of_type(name: &str) -> Option<(Kind, Option<&str>)> {
    let (word, own) = name.split_once('.').map_or((name, None), |(word, own)| (word, Some(own)));
    Kind::from_type(word).map(|(kind, _)| (kind, own))
}

/// Resolves type sets over a configuration: defined types, characteristics, whole kinds, any reference.
pub struct Expander<'c> {
    /// By full name without layer: types have none.
    by_name: FxHashMap<&'c str, &'c Object>,
    /// Each object once, by name: what an extension adopted is the base's.
    objects: Vec<&'c Object>,
}

impl<'c> Expander<'c> {
    /// Prepares a configuration.
    #[must_use]
    pub fn new(configuration: &'c Configuration) -> Self {
        let mut by_name: FxHashMap<&str, &Object> = FxHashMap::default();
        let mut objects: Vec<&Object> = Vec::with_capacity(configuration.objects.len());
        let (of_layers, main): (Vec<&Object>, Vec<&Object>) =
            configuration.objects.iter().partition(|object| object.full_name.contains("::"));
        for object in main.into_iter().chain(of_layers) {
            let name = object.full_name.split_once("::").map_or(&*object.full_name, |(_, name)| name);
            if let Entry::Vacant(vacant) = by_name.entry(name) {
                vacant.insert(object);
                objects.push(object);
            }
        }
        Self { by_name, objects }
    }

    /// The objects that types stand for, each once, in the order of the types (whole kinds by name). Types of objects
    /// that the configuration doesn't hold, and types of the platform, give nothing.
    #[must_use]
    pub fn objects(&self, types: &Types) -> Vec<&'c Object> {
        let mut result = Vec::new();
        self.add(types, &mut FxHashSet::default(), &mut FxHashSet::default(), &mut result);
        result
    }

    fn add(
        &self,
        types: &Types,
        sets: &mut FxHashSet<&'c str>,
        seen: &mut FxHashSet<&'c str>,
        result: &mut Vec<&'c Object>,
    ) {
        let mut push = |object: &'c Object, result: &mut Vec<_>| {
            if seen.insert(&object.full_name) {
                result.push(object);
            }
        };
        let mut nested = Vec::new();
        for t in types.iter() {
            if &*t.name == "AnyRef" {
                let all = self.objects.iter().filter(|o| o.kind.type_ending("Ref").is_some());
                all.for_each(|o| push(o, result));
                continue;
            }
            match object_of_type(&t.name) {
                Some((kind, Some(own))) => {
                    let Some(object) = self.by_name.get(format!("{kind}.{own}").as_str()) else { continue };
                    let is_set = t.name.starts_with("DefinedType.") || t.name.starts_with("Characteristic.");
                    if !is_set {
                        push(object, result);
                    } else if sets.insert(&object.full_name) {
                        nested.push(&object.types);
                    }
                }
                Some((kind, None)) => {
                    self.objects.iter().filter(|o| o.kind == kind).for_each(|o| push(o, result));
                }
                None => {}
            }
        }
        for types in nested {
            self.add(types, sets, seen, result);
        }
    }
}

/// The objects that types stand for: see [`Expander::objects`], which is faster for many types.
#[must_use]
pub fn expand<'c>(configuration: &'c Configuration, types: &Types) -> Vec<&'c Object> {
    Expander::new(configuration).objects(types)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[(&str, &str)]) {
        for (typed, expected) in rows {
            assert_eq!(canonical(typed).as_deref(), Some(*expected), "{typed}");
        }
    }

    #[test]
    fn objects_in_any_spelling() {
        check(&[
            ("Справочник.Валюты", "Catalog.Валюты"),
            ("СПРАВОЧНИКИ.Валюты", "Catalog.Валюты"),
            ("catalogs.Валюты", "Catalog.Валюты"),
            ("СправочникСсылка.Валюты", "Catalog.Валюты"),
            ("cfg:CatalogRef.Валюты", "Catalog.Валюты"),
            ("РегистрСведенийНаборЗаписей.Курсы", "InformationRegister.Курсы"),
            ("Метаданные.Документы.Заказ", "Document.Заказ"),
            ("Расш::ОбщийМодуль.М", "Расш::CommonModule.М"),
            ("Подсистема.А.Подсистема.Б", "Subsystem.А.Subsystem.Б"),
            ("Конфигурация", "Configuration"),
        ]);
        for typed in ["", "Валюты", "Справочник", "Справочник.", "Нечто.Валюты"] {
            assert_eq!(canonical(typed), None, "{typed}");
        }
    }

    #[test]
    fn parts_modules_and_methods() {
        check(&[
            ("Справочник.Валюты.Реквизит.Курс", "Catalog.Валюты.Attribute.Курс"),
            ("Справочник.В.ТабличнаяЧасть.Т.Реквизит.Р", "Catalog.В.TabularSection.Т.Attribute.Р"),
            ("Перечисление.П.ЗначениеПеречисления.З", "Enum.П.EnumValue.З"),
            ("Справочник.В.СтандартныйРеквизит.Код", "Catalog.В.StandardAttribute.Код"),
            ("Справочник.В.МодульОбъекта.ПриЗаписи", "Catalog.В.ObjectModule.ПриЗаписи"),
            ("Справочник.В.МодульМенеджера", "Catalog.В.ManagerModule"),
            ("ОбщийМодуль.М.Модуль", "CommonModule.М"),
            ("ОбщийМодуль.М.Модуль.Метод", "CommonModule.М.Метод"),
            ("ОбщийМодуль.М.Форма", "CommonModule.М.Форма"),
            ("Документ.Д.Форма.Ф.ПриОткрытии", "Document.Д.Form.Ф.ПриОткрытии"),
            ("Документ.Д.Форма.Ф.Форма.ПриОткрытии", "Document.Д.Form.Ф.ПриОткрытии"),
            ("ОбщаяФорма.Ф.МодульФормы", "CommonForm.Ф"),
            ("Документ.Д.Форма.Ф.Элемент.Поле", "Document.Д.Form.Ф.Item.Поле"),
            ("HTTPСервис.С.Модуль.Получить", "HTTPService.С.Module.Получить"),
            ("HTTPСервис.С.ШаблонURL.Ш.Метод.get", "HTTPService.С.URLTemplate.Ш.Method.get"),
            ("Конфигурация.МодульСеанса.Установка", "Configuration.SessionModule.Установка"),
            ("ОбщаяКоманда.К.МодульКоманды", "CommonCommand.К.CommandModule"),
        ]);
    }

    #[test]
    fn canonical_names_stay_as_they_are() {
        for name in [
            "Catalog.А.Attribute.Б",
            "Catalog.А.Form.Ф.Item.И",
            "Document.Д.Command.К.CommandModule.М",
            "CommonModule.М.Метод",
            "CommonModule.М.$body",
            "Constant.К.ValueManagerModule.М",
            "WebService.С.Operation.О",
            "ExternalDataSource.И.Table.Т.Field.П",
            "IntegrationService.С.IntegrationServiceChannel.К",
        ] {
            assert_eq!(canonical(name).as_deref(), Some(name));
        }
    }

    #[test]
    fn modules_and_paths() {
        for (name, path) in [
            ("CommonModule.М", "CommonModules/М/Ext/Module.bsl"),
            ("Catalog.А.Form.Ф", "Catalogs/А/Forms/Ф/Ext/Form/Module.bsl"),
            ("Catalog.А.ObjectModule", "Catalogs/А/Ext/ObjectModule.bsl"),
            ("Configuration.SessionModule", "Ext/SessionModule.bsl"),
        ] {
            assert_eq!(module_of_path(path).as_deref(), Some(name));
            assert_eq!(path_of_module(name).as_deref(), Some(path));
        }
        let edt = edt_path_of_module("Catalog.А.Form.Ф");
        assert_eq!(edt.as_deref(), Some("src/Catalogs/А/Forms/Ф/Module.bsl"));
        assert_eq!(module_of_path("src/Catalogs/А/Forms/Ф/Module.bsl").as_deref(), Some("Catalog.А.Form.Ф"));
    }

    #[test]
    fn full_names_of_dumps() {
        for name in ["Catalog.А", "Catalog.А.StandardCommand.OpenList", "Enum.А.EmptyRef"] {
            assert!(is_full_name(name), "{name}");
        }
        for text in ["Catalog", "Catalog.", "Объект.Код", "Version8_3_27", "Attribute.А", "Report is. ready", ""]
        {
            assert!(!is_full_name(text), "{text}");
        }
    }
}
