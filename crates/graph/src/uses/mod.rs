//! What a method does with what it is given: the texts that it compares a parameter with, the calls that it hands a parameter
//! or its own form on to, the actions that it sets on items of a form.
//!
//! Links that stand in two modules need it: a form's handler that lets a common module compare the event's name, a common
//! module that sets actions of the form which it was given.

mod finder;
mod origin;
mod symbols;

use bsl::ModuleFacts;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::summary::Recipe;
use finder::Finder;
use symbols::Symbols;

/// What the methods of a module do with what they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses<'a> {
    /// Calls that something is handed on to, each once and without its arguments.
    #[serde(borrow)]
    pub callees: Vec<Recipe<'a>>,
    /// Methods that do any of it, by their place in the module.
    pub methods: Vec<(u32, MethodUses<'a>)>,
}

/// What one method does with what it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MethodUses<'a> {
    /// Texts that parameters are compared with.
    #[serde(borrow)]
    pub compares: Vec<Compared<'a>>,
    /// Calls that parameters, or the module's own object, are handed on to.
    pub hands: Vec<Handed>,
    /// Values of its own that calls are given: what they are, the call, and the argument.
    pub gives: Vec<Gift<'a>>,
    /// Values that are kept under a key of a structure or in a property of that name.
    pub keeps: Vec<(&'a str, Recipe<'a>)>,
    /// Names of procedures that are set as actions of items and commands of a form.
    pub actions: Vec<&'a str>,
}

/// A value that a method gives to a call, as far as something can be called on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Gift<'a> {
    /// How the value comes about.
    #[serde(borrow)]
    pub value: Recipe<'a>,
    /// The call: its place in [`Uses::callees`].
    pub callee: u32,
    /// Which argument, from 0.
    pub arg: u16,
}

/// A parameter and a text that it is compared with, equal or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Compared<'a> {
    /// The parameter, from 0.
    pub param: u16,
    /// Which part of it.
    pub part: Part,
    /// The text.
    #[serde(borrow)]
    pub text: Recipe<'a>,
}

/// Which part of a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Part {
    /// All of it.
    Whole,
    /// What it starts with.
    Start,
    /// What it ends with.
    End,
    /// Anything in it.
    Any,
}

/// Something that a method hands on to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Handed {
    /// What.
    pub given: Given,
    /// The call: its place in [`Uses::callees`].
    pub callee: u32,
    /// Which argument, from 0.
    pub arg: u16,
}

/// What is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Given {
    /// A parameter as it is.
    Param(u16),
    /// Something that belongs to a parameter: `Форма.Элементы.Цена`.
    PartOf(u16),
    /// The module's own object or form.
    This,
}

impl<'a> Uses<'a> {
    /// The uses of a module.
    pub(crate) fn of(facts: &'a ModuleFacts) -> Self {
        let mut uses = Self::default();
        let mut callees = FxHashMap::default();
        let symbols = Symbols::of(facts);
        for (place, method) in (0..).zip(&facts.methods) {
            let mut finder = Finder::new(facts, method, &symbols, callees);
            finder.look();
            let found = finder.found;
            callees = finder.callees;
            if found != MethodUses::default() {
                uses.methods.push((place, found));
            }
        }
        uses.callees = vec![Recipe::Param(0); callees.len()];
        for (callee, place) in callees {
            if let Some(slot) = uses.callees.get_mut(place as usize) {
                *slot = callee;
            }
        }
        uses
    }

    /// The uses of the method of that place.
    pub fn method(&self, place: u32) -> Option<&MethodUses<'a>> {
        let found = self.methods.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        self.methods.get(found).map(|(_, uses)| uses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> ModuleFacts {
        bsl::read_module(text.as_bytes())
    }

    #[test]
    fn comparisons_calls_and_actions() {
        let facts = of(
            "Процедура А(Имя, Форма) Экспорт\n\tЕсли ВРег(имя) = \"X\" Или Лев(Имя, 1) <> \"Y\" Тогда\n\t\tБ(Форма.Элементы, Имя);\n\
             \t\tМ.Г(ЭтотОбъект);\n\tКонецЕсли;\nКонецПроцедуры\nПроцедура Б(Э, Имя)\n\tЭ.К.Действие = \"Д\";\nКонецПроцедуры",
        );
        let (uses, text) = (Uses::of(&facts), Recipe::Text);
        let first = uses.method(0).cloned().unwrap_or_default();
        let compared = |part, t| Compared { param: 0, part, text: text(t) };
        assert_eq!(first.compares, [compared(Part::Whole, "X"), compared(Part::Start, "Y")]);
        let handed = |given, callee, arg| Handed { given, callee, arg };
        let (part, whole) = (Given::PartOf(1), Given::Param(0));
        assert_eq!(first.hands, [handed(part, 0, 0), handed(whole, 0, 1), handed(Given::This, 1, 0)]);
        assert_eq!(uses.callees.len(), 2);
        assert_eq!(uses.method(1).map(|uses| uses.actions.clone()), Some(vec!["Д"]));
    }

    #[test]
    fn statements_that_use_nothing_are_no_uses() {
        let facts = |text: &str| of(&format!("Процедура А(Имя)\n\t{text}\nКонецПроцедуры"));
        let (one, same) = ("Если Имя = \"X\" Тогда КонецЕсли;", "Х = 1; Если \"X\" <> ИМЯ Тогда Х = 2; КонецЕсли;");
        let (one, same, other) = (facts(one), facts(same), facts("Если Имя = \"Y\" Тогда КонецЕсли;"));
        assert_eq!(Uses::of(&one), Uses::of(&same));
        assert_ne!(Uses::of(&one), Uses::of(&other));
    }

    #[test]
    fn variables_of_variables_take_no_time() {
        let mut text = "Процедура А(Имя)\n".to_owned();
        for (to, from) in [("Б", "Имя"), ("В", "Б"), ("Г", "В"), ("Д", "Г")] {
            text += &format!("{to} = {from};\n").repeat(500);
        }
        text += &"Если Д = \"X\" Тогда КонецЕсли; М.Г(Д);\n".repeat(100);
        let begun = std::time::Instant::now();
        let facts = of(&format!("{text}КонецПроцедуры"));
        let uses = Uses::of(&facts);
        assert!(uses.methods.len() <= 1 && begun.elapsed().as_secs() < 5);
    }
}
