//! What users read, in Russian and English.

use serde::Serialize;

/// A sentence in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Text {
    /// Russian.
    pub ru: String,
    /// English.
    pub en: String,
}

impl Text {
    /// A sentence.
    pub fn new(ru: impl Into<String>, en: impl Into<String>) -> Self {
        Self { ru: ru.into(), en: en.into() }
    }
}
