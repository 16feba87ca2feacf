//! Why an operation isn't carried out: what, where, and how to mend it.

use serde::Serialize;

use crate::document::Element;
use crate::edit::EditError;
use bsl::nearest;

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
        Self::new(format!("Не указано: {ru} (@{option})"), format!("Not given: {en} (@{option})"))
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

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Self {
        Self::new(format!("Правка невозможна: {error}"), format!("The edit can't be: {error}"))
    }
}
