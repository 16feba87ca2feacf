//! Types of parameters and results, and where each is known from: what passports show.

use bsl::{Doc, DocType, Method, MethodKind, ModuleFacts};
use metadata::Kind;

use crate::names::same;
use crate::value::{Aspect, Value};
use crate::world::{MethodId, ModuleId, World};

/// A type of a parameter or of a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeFact {
    /// The parameter, from 0; None: the result.
    pub param: Option<u16>,
    /// Canonical name of the type (`CatalogRef.X`, `String`, `ValueTable`), or the name that a comment writes.
    pub name: String,
    /// Where it is known from.
    pub source: TypeSource,
}

/// Where a type is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeSource {
    /// What the code of a function gives back.
    Code,
    /// The doc comment.
    Comment,
    /// What calls give.
    Calls,
    /// The default of an optional parameter.
    Default,
}

impl TypeSource {
    /// The word that views show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Comment => "comment",
            Self::Calls => "calls",
            Self::Default => "default",
        }
    }
}

impl World {
    /// Types of the parameters and results of a module's methods, by the methods' places: what its text and the calls of all
    /// modules show. The same type may be known from several sources.
    pub fn type_facts(&self, module: usize, facts: &ModuleFacts) -> Vec<Vec<TypeFact>> {
        let module = ModuleId(module as u32);
        let known = self.methods_of(module).len();
        let of = |(place, method): (u32, &Method)| self.of_method(self.method_at(module, place), facts, method);
        (0..).zip(&facts.methods).take(known).map(of).collect()
    }

    fn of_method(&self, id: MethodId, facts: &ModuleFacts, method: &Method) -> Vec<TypeFact> {
        let mut found = Vec::new();
        let mut add = |param, name: Option<String>, source| {
            let Some(name) = name.filter(|name| !name.is_empty()) else { return };
            let fact = TypeFact { param, name, source };
            if !found.contains(&fact) {
                found.push(fact);
            }
        };
        let doc = method.doc.map(|doc| Doc::parse(facts.text(doc))).unwrap_or_default();
        if method.kind == MethodKind::Function {
            for value in self.results(id) {
                add(None, self.type_name(value), TypeSource::Code);
            }
            for t in &doc.returns {
                add(None, self.documented_name(t), TypeSource::Comment);
            }
        }
        for (place, param) in (0..).zip(&method.params) {
            let name = facts.text(param.name);
            for t in doc.params.iter().filter(|known| same(&known.name, name)).flat_map(|known| &known.types) {
                add(Some(place), self.documented_name(t), TypeSource::Comment);
            }
            for value in self.given(id, place).into_iter().flat_map(|values| values.iter().collect::<Vec<_>>()) {
                add(Some(place), self.type_name(value), TypeSource::Calls);
            }
            let default = param.default.and_then(|default| type_of_default(facts.text(default.0)));
            add(Some(place), default.map(str::to_owned), TypeSource::Default);
        }
        found
    }

    fn documented_name(&self, t: &DocType) -> Option<String> {
        match t {
            DocType::Named(name) => match self.value_of_type(name) {
                Some(value) => self.type_name(value),
                None => Some(name.clone()),
            },
            DocType::See(target) => Some(format!("→ {target}")),
        }
    }

    /// The canonical name of a value's type; None for what has none.
    pub fn type_name(&self, value: Value) -> Option<String> {
        let own_name = |node: u32| self.name(node).rsplit('.').next().unwrap_or("").to_owned();
        let of = |object: u32, ending: &str| {
            let family = self.kind_of(object).and_then(|kind: Kind| kind.type_ending(ending))?;
            Some(format!("{family}.{}", own_name(object)))
        };
        match value {
            Value::Text(_) => Some("String".to_owned()),
            Value::Module { module, .. } | Value::Form(module) => Some(self.name(self.module(module).node).to_owned()),
            Value::Collection(kind) => kind.type_ending("Manager").map(|_| format!("{}Manager", kind.info().en_plural)),
            Value::Manager { object, .. } => of(object, "Manager"),
            Value::Instance { object, aspect, .. } => of(object, ending(aspect)),
            Value::Platform(t) => Some(self.types().english(t).to_owned()),
            Value::Procedure(_) => Some("NotifyDescription".to_owned()),
            Value::SomeModule => Some("CommonModule".to_owned()),
            Value::SomeManager(kind) => kind.and_then(|kind| kind.type_ending("Manager")).map(str::to_owned),
            Value::Query(_) | Value::Rows(_) | Value::Template(_) | Value::Undefined | Value::This => None,
        }
    }
}

fn ending(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Object => "Object",
        Aspect::Ref => "Ref",
        Aspect::Selection => "Selection",
        Aspect::List => "List",
        Aspect::RecordSet => "RecordSet",
        Aspect::Record => "Record",
        Aspect::RecordManager => "RecordManager",
        Aspect::RecordKey => "RecordKey",
        Aspect::ValueManager => "ValueManager",
        Aspect::Records | Aspect::Rows => "",
    }
}

/// The type of a default as written: `""`, `0`, `Ложь`, `'20200101'`.
fn type_of_default(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let first = text.chars().next()?;
    let boolean = ["Истина", "Ложь", "True", "False"];
    match first {
        '"' => Some("String"),
        '\'' => Some("Date"),
        '-' | '+' | '0'..='9' => Some("Number"),
        _ if boolean.iter().any(|word| same(word, text)) => Some("Boolean"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::channels::testing::*;

    #[test]
    fn from_code_comments_calls_and_defaults() {
        let text = "// Параметры:\n//  Заказ - ДокументОбъект.Заказ - что\n//  Настройки - см. Х.Настройки\n\
                    // Возвращаемое значение:\n//  Строка\nФункция А(Заказ, Настройки, Имя = \"\", Флаг = Ложь, Модуль) Экспорт\n\
                    \tВозврат Новый ТаблицаЗначений;\nКонецФункции\n\
                    Процедура Б()\n\tА(1, 2, , , Х);\nКонецПроцедуры";
        let demo = demo().object("Document.Заказ").module("CommonModule.Х", text);
        assert_eq!(
            demo.types("CommonModule.Х"),
            [
                "А : ValueTable (code)",
                "А : String (comment)",
                "А #0: DocumentObject.Заказ (comment)",
                "А #1: → Х.Настройки (comment)",
                "А #2: String (default)",
                "А #3: Boolean (default)",
                "А #4: CommonModule.Х (calls)",
            ]
        );
    }
}
