//! What others must know of a module to judge what they write of it: its methods with their parameters, its variables.

use std::sync::Arc;

use bsl::{Context, Contexts, Method, MethodKind, ModuleFacts};

use rustc_hash::FxHashMap;

use crate::names::{folded, same};
use crate::world::ModuleId;

/// A module as its text declares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Methods in source order. Under `#Если` there may be two of one name.
    pub methods: Vec<OutlineMethod>,
    /// Variables, with whether others see them.
    pub variables: Vec<(String, bool)>,
    /// Places of methods by their folded names: a module of a thousand methods is asked for each of its calls.
    by_name: FxHashMap<String, Vec<u32>>,
}

/// A method of an [`Outline`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineMethod {
    /// Name as written.
    pub name: String,
    /// `Экспорт`.
    pub export: bool,
    /// True for a function.
    pub function: bool,
    /// The least number of arguments that a call gives.
    pub least: u16,
    /// Parameters as written, without defaults.
    pub params: Vec<String>,
    /// Compilation directive.
    pub directive: Option<Context>,
    /// Where the `#Если` around it let it compile.
    pub contexts: Contexts,
}

/// Outlines of the modules of a configuration.
pub trait Outlines {
    /// The outline of a module; None if its text could not be read, is protected, or if there is no such module.
    fn outline(&self, module: ModuleId) -> Option<Arc<Outline>>;
}

impl Outline {
    /// Of a module that was read.
    pub fn of(facts: &ModuleFacts) -> Self {
        let method = |method: &Method| {
            let required = method.params.iter().rposition(|param| param.default.is_none());
            OutlineMethod {
                name: facts.text(method.name).to_owned(),
                export: method.export,
                function: method.kind == MethodKind::Function,
                least: required.map_or(0, |last| last as u16 + 1),
                params: method.params.iter().map(|param| facts.text(param.name).to_owned()).collect(),
                directive: method.context,
                contexts: facts.contexts_at(method.line),
            }
        };
        let variables = facts.variables.iter().map(|variable| (facts.text(variable.name).to_owned(), variable.export));
        let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (place, method) in (0..).zip(&facts.methods) {
            by_name.entry(folded(facts.text(method.name))).or_default().push(place);
        }
        Self { methods: facts.methods.iter().map(method).collect(), variables: variables.collect(), by_name }
    }

    /// The methods of a name, in source order.
    pub fn named<'o>(&'o self, name: &str) -> impl Iterator<Item = &'o OutlineMethod> + use<'o> {
        let places = self.by_name.get(&folded(name)).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|&place| self.methods.get(place as usize))
    }

    /// Whether it declares a variable; `exported`: one that others see.
    pub fn has_variable(&self, name: &str, exported: bool) -> bool {
        self.variables.iter().any(|(known, export)| (*export || !exported) && same(known, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_and_variables() {
        let twice = "#Если Сервер Тогда\nПроцедура Ж()\nКонецПроцедуры\n#Иначе\nПроцедура Ё()\nКонецПроцедуры\nПроцедура ж(А)\nКонецПроцедуры\n#КонецЕсли";
        let outline = Outline::of(&bsl::read_module(twice.as_bytes()));
        assert_eq!(outline.named("Ж").map(|method| method.params.len()).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(outline.named("Е").count(), 0);
        let text = "Перем А; Перем Б Экспорт;\n&НаКлиенте\nПроцедура Д(В, Г = 1, Е, Ж = 2) Экспорт\nКонецПроцедуры";
        let outline = Outline::of(&bsl::read_module(text.as_bytes()));
        let method = outline.named("д").next().unwrap();
        assert_eq!((method.least, method.params.len(), method.export, method.function), (3, 4, true, false));
        assert_eq!(method.directive, Some(Context::AtClient));
        assert!(
            outline.has_variable("а", false) && !outline.has_variable("а", true) && outline.has_variable("Б", true)
        );
    }
}
