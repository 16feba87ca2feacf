//! Why an operation isn't carried out: what, where, and how to mend it.

use bsl::nearest;
use serde::Serialize;

use super::words::option_in_russian;
use crate::document::Element;
use crate::edit::EditError;

/// A sentence in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Say {
    /// In Russian.
    pub ru: String,
    /// In English.
    pub en: String,
}

impl Say {
    /// A sentence in both languages.
    pub fn new(ru: impl Into<String>, en: impl Into<String>) -> Self {
        Self { ru: ru.into(), en: en.into() }
    }
}

/// Something that needs what was to be removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// Where it is, as paths of differences are written.
    pub path: String,
    /// 1-based line.
    pub line: u32,
    /// What it needs.
    pub needs: Say,
    /// It can be removed with it; a query, for one, can't.
    pub removable: bool,
}

impl Need {
    pub(super) fn of(element: Element<'_>, kind: (&str, &str), name: &str, removable: bool) -> Self {
        let needs = Say::new(format!("{} «{name}»", kind.0), format!("the {} \"{name}\"", kind.1));
        Self { path: element.path(), line: element.line(), needs, removable }
    }
}

/// Why an operation isn't carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The sentence.
    pub message: Say,
    /// Names that may have been meant, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<String>,
    /// What needs the thing that was to be removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needed_by: Vec<Need>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(false))
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// A refusal that says no more than its sentence.
    pub fn new(ru: impl Into<String>, en: impl Into<String>) -> Self {
        Self { message: Say::new(ru, en), ..Self::default() }
    }

    /// There is no such thing; which ones there are.
    pub(super) fn unknown<'n>(kind: (&str, &str), name: &str, there: impl IntoIterator<Item = &'n str>) -> Self {
        let all: Vec<&str> = there.into_iter().filter(|other| !other.is_empty()).collect();
        let near = nearest(name, all.iter().copied(), 3);
        let mut offered: Vec<String> = near.into_iter().map(str::to_owned).collect();
        if offered.is_empty() && all.len() <= 12 {
            offered = all.into_iter().map(str::to_owned).collect();
        }
        offered.dedup();
        let message =
            Say::new(format!("Нет такого: {} «{name}»", kind.0), format!("There is no {} \"{name}\"", kind.1));
        Self { message, nearest: offered, needed_by: Vec::new() }
    }

    /// There is one already.
    pub(super) fn exists(kind: (&str, &str), name: &str) -> Self {
        Self::new(format!("Уже есть: {} «{name}»", kind.0), format!("There is already a {} \"{name}\"", kind.1))
    }

    /// An option lacks.
    pub(super) fn missing(option: &str, ru: &str, en: &str) -> Self {
        Self::new(format!("Не указано: {ru} (@{})", option_in_russian(option)), format!("Not given: {en} (@{option})"))
    }

    /// The whole of it as text: the sentence, names that may have been meant, what needs the thing.
    pub fn text(&self, russian: bool) -> String {
        let say = |ru: &'static str, en: &'static str| if russian { ru } else { en };
        let mut out = if russian { self.message.ru.clone() } else { self.message.en.clone() };
        if !self.nearest.is_empty() {
            out.push_str(say(". Есть: ", ". There are: "));
            out.push_str(&self.nearest.join(", "));
        }
        for need in &self.needed_by {
            let needs = if russian { &need.needs.ru } else { &need.needs.en };
            out.push_str(&format!("\n  {}:{}: {needs}", need.path, need.line));
        }
        out
    }
}

/// Why an edit can't be, in both languages.
fn said(error: &EditError) -> Say {
    let ru = match error {
        EditError::Malformed { line } => format!("файл — не правильный XML (строка {line})"),
        EditError::Overlap { at } => format!("две правки приходятся на одно место (байт {at})"),
        EditError::OutOfRange { at } => format!("такого места в файле нет (байт {at})"),
        EditError::NoPlace { child, parent } => format!("элементу {child} нет места в {parent}"),
        EditError::HoldsElements { element } => format!("в {element} стоят элементы, а не текст"),
        EditError::BadCharacter { code } => format!("символ U+{code:04X} не может стоять в XML"),
        EditError::OtherDocument => "элемент — из другого документа".to_owned(),
    };
    Say::new(ru, error.to_string())
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Self {
        let Say { ru, en } = said(&error);
        Self::new(format!("Правка невозможна: {ru}"), format!("The edit can't be: {en}"))
    }
}

/// A text that should be JSON isn't.
pub(super) fn not_json(error: &serde_json::Error) -> Refusal {
    let (line, column) = (error.line(), error.column());
    let what = if error.is_eof() {
        ("текст обрывается", "it ends too early")
    } else {
        ("ошибка", "a mistake")
    };
    Refusal::new(
        format!("Это не JSON: {} (строка {line}, символ {column})", what.0),
        format!("This is no JSON: {} (line {line}, character {column})", what.1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_cannot_be_are_said_in_russian_too() {
        let all = [
            EditError::Malformed { line: 3 },
            EditError::Overlap { at: 7 },
            EditError::OutOfRange { at: 7 },
            EditError::NoPlace { child: "a".to_owned(), parent: "b".to_owned() },
            EditError::HoldsElements { element: "a".to_owned() },
            EditError::BadCharacter { code: 1 },
            EditError::OtherDocument,
        ];
        for error in all {
            let Refusal { message, .. } = error.clone().into();
            assert!(!message.ru.contains(&error.to_string()) && message.en.contains(&error.to_string()), "{message:?}");
        }
    }
}
