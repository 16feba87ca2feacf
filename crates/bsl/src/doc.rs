//! Doc comments: what the comment above a method says of its parameters and its result, by the conventions of 1C's code
//! standard ("Описание процедур и функций", its.1c.ru, standard 453).
//!
//! ```text
//! Описание.
//!
//! Параметры:
//!  Заказ - ДокументОбъект.Заказ, Неопределено - что записать.
//!  Настройки - см. Модуль.НовыеНастройки
//!  * Ключ - Строка - a key of the structure above
//!
//! Возвращаемое значение:
//!  Булево - записан ли.
//! ```

/// What a doc comment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doc {
    /// Parameters, in the order of the comment.
    pub params: Vec<DocParam>,
    /// Types of the result.
    pub returns: Vec<DocType>,
}

/// A parameter in a doc comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocParam {
    /// Name as the comment writes it.
    pub name: String,
    /// Its types.
    pub types: Vec<DocType>,
    /// Types of its elements, if it is a collection: `Массив из ДокументСсылка.Заказ`.
    pub elements: Vec<String>,
    /// Its keys or properties, with the types of each: lines that begin with one `*`.
    pub keys: Vec<(String, Vec<DocType>)>,
}

/// What a line that begins with a dash goes on with.
#[derive(Clone, Copy, PartialEq)]
enum Above {
    Param,
    Key,
    /// A key of a key.
    Deeper,
}

/// A type in a doc comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocType {
    /// A type by its name: `СправочникСсылка.Валюты`, `Строка`; of `Массив из Строка` the outer one.
    Named(String),
    /// `см. Модуль.Метод`: what that method gives, or what its parameter of that name is.
    See(String),
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    Other,
    Params,
    Returns,
}

const PARAMS: [&str; 2] = ["параметры:", "parameters:"];
const RETURNS: [&str; 4] = ["возвращаемое значение:", "returns:", "returned value:", "return value:"];
const OTHERS: [&str; 10] = [
    "пример:",
    "примеры:",
    "example:",
    "examples:",
    "варианты вызова:",
    "call options:",
    "описание:",
    "description:",
    "примечание:",
    "note:",
];
const SEE: [&str; 2] = ["см.", "see"];
const OF: [&str; 2] = [" из ", " of "];

impl Doc {
    /// Reads a comment (its `//` taken off, lines joined by LF, as [`Method::doc`](crate::Method::doc) is).
    pub fn parse(comment: &str) -> Self {
        let mut doc = Self::default();
        let mut section = Section::Other;
        let mut above = Above::Param;
        for line in comment.lines() {
            let line = line.trim();
            let lower = line.to_lowercase();
            if PARAMS.contains(&&*lower) {
                section = Section::Params;
            } else if RETURNS.contains(&&*lower) {
                section = Section::Returns;
            } else if OTHERS.contains(&&*lower) {
                section = Section::Other;
            } else if let Some(key) = line.strip_prefix('*') {
                above = if key.starts_with('*') { Above::Deeper } else { Above::Key };
                if section == Section::Params && above == Above::Key {
                    doc.key(key.trim());
                }
            } else {
                match section {
                    Section::Params => above = doc.param(line, above),
                    Section::Returns => doc.result(line),
                    Section::Other => {}
                }
            }
        }
        doc
    }

    /// `Имя - Тип, Тип - описание`; a line that begins with a dash goes on with types of what stands above.
    fn param(&mut self, line: &str, above: Above) -> Above {
        if let Some(rest) = line.strip_prefix("- ") {
            match (above, self.params.last_mut()) {
                (Above::Param, Some(param)) => {
                    param.types.extend(types(rest));
                    param.elements.extend(elements(rest));
                }
                (Above::Key, Some(param)) => {
                    if let Some((_, known)) = param.keys.last_mut() {
                        known.extend(types(rest));
                    }
                }
                _ => {}
            }
            return above;
        }
        let Some((name, rest)) = named(line) else { return above };
        let (types, elements) = (types(rest), elements(rest));
        self.params.push(DocParam { name: name.to_owned(), types, elements, keys: Vec::new() });
        Above::Param
    }

    /// `* Ключ - Тип - описание`.
    fn key(&mut self, line: &str) {
        if let (Some(param), Some((name, rest))) = (self.params.last_mut(), named(line)) {
            param.keys.push((name.to_owned(), types(rest)));
        }
    }

    /// `Тип - описание`, first line or a line after a dash.
    fn result(&mut self, line: &str) {
        let dashed = line.strip_prefix("- ");
        if self.returns.is_empty() || dashed.is_some() {
            self.returns.extend(types(dashed.unwrap_or(line)));
        }
    }
}

/// A name, and what stands behind its dash.
fn named(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" - ").or_else(|| line.split_once(" – "))?;
    let name = name.trim();
    is_name(name).then_some((name, rest))
}

/// Types of the elements of collections: `Массив из Строка`.
fn elements(text: &str) -> Vec<String> {
    let text = text.split(" - ").next().unwrap_or(text).split(" – ").next().unwrap_or(text);
    let of = |part: &str| {
        let (_, inner) = OF.iter().find_map(|of| part.split_once(of))?;
        let inner = inner.trim().trim_end_matches([':', '.', ';']);
        inner.split('.').all(is_name).then(|| inner.to_owned())
    };
    text.split(',').filter_map(of).collect()
}

/// Types before the description. No types if what stands there is prose.
fn types(text: &str) -> Vec<DocType> {
    let text = text.split(" - ").next().unwrap_or(text).split(" – ").next().unwrap_or(text);
    let text = text.trim().trim_end_matches([':', '.', ';', ',']);
    let mut found = Vec::new();
    for part in text.split(',') {
        let part = part.trim().trim_end_matches(':');
        let see = SEE.iter().find_map(|see| {
            let head = part.get(..see.len()).filter(|head| head.to_lowercase() == **see)?;
            Some(part[head.len()..].trim())
        });
        if let Some(target) = see {
            let target = target.split_whitespace().next().unwrap_or("").trim_end_matches(['.', ',', ';']);
            if target.split('.').all(is_name) {
                found.push(DocType::See(target.to_owned()));
            }
            continue;
        }
        let outer = OF.iter().find_map(|of| part.split_once(of)).map_or(part, |(outer, _)| outer.trim());
        if outer.split('.').all(is_name) {
            found.push(DocType::Named(outer.to_owned()));
        } else {
            return Vec::new();
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types_of(names: &[&str]) -> Vec<DocType> {
        names.iter().map(|name| DocType::Named((*name).to_owned())).collect()
    }

    #[test]
    fn parameters_and_result() {
        let doc = Doc::parse(
            " Записывает заказ - с проверкой.\n\n Параметры:\n  Заказ - ДокументОбъект.Заказ, Неопределено - что записать:\n   \
             * Ключ - Строка - ключ\n  Список - Массив из Строка\n  Настройки - см. Склад.Настройки\n  Прочее - Структура:\n     \
             - Соответствие - или так\n\n Возвращаемое значение:\n  Булево - записан ли\n  и ещё строка - прозы\n\n Пример:\n  А - Б",
        );
        let params: Vec<_> = doc.params.iter().map(|p| (&*p.name, p.types.clone())).collect();
        assert_eq!(
            params,
            [
                ("Заказ", types_of(&["ДокументОбъект.Заказ", "Неопределено"])),
                ("Список", types_of(&["Массив"])),
                ("Настройки", vec![DocType::See("Склад.Настройки".to_owned())]),
                ("Прочее", types_of(&["Структура", "Соответствие"])),
            ]
        );
        assert_eq!(doc.returns, types_of(&["Булево"]));
        assert_eq!(doc.params[0].keys, [("Ключ".to_owned(), types_of(&["Строка"]))]);
        assert_eq!(doc.params[1].elements, ["Строка"]);
    }

    #[test]
    fn types_behind_a_dash_are_of_what_stands_above() {
        let doc = Doc::parse(
            "Параметры:\n Форма - Форма\n   - Расширение - форма, где:\n  * Объект - Произвольный\n    - ЗадачаОбъект.З - задача
             ** Ключ - Строка\n   - Число\n Ссылки - Array of CatalogRef.X",
        );
        let form = &doc.params[0];
        assert_eq!(form.types, types_of(&["Форма", "Расширение"]));
        assert_eq!(form.keys, [("Объект".to_owned(), types_of(&["Произвольный", "ЗадачаОбъект.З"]))]);
        assert_eq!(doc.params[1].elements, ["CatalogRef.X"]);
    }

    #[test]
    fn english_and_prose() {
        let doc = Doc::parse("Parameters:\n Order - DocumentObject.Order - what to write\nReturns:\n Boolean");
        assert_eq!(doc.params[0].types, types_of(&["DocumentObject.Order"]));
        assert_eq!(doc.returns, types_of(&["Boolean"]));
        let doc = Doc::parse("Параметры:\n Имя - это имя того, что ищут\n без тире\n - и так");
        assert!(doc.params[0].types.is_empty());
        assert_eq!(Doc::parse("Параметры - Строка"), Doc::default());
    }
}
