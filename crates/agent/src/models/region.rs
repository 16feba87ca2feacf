//! Where a model processes what it is sent.

use serde::{Deserialize, Serialize};
use tools::Language;

use super::BookError;

/// A country by its two letters, a group of them (`EU`), `local` or `any`.
///
/// What a person chose is never left: a model stands in for another only if it [`Region::covers`] it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Region(String);

/// Names of regions that have one beside their code: code, Russian, English.
const NAMES: &[(&str, &str, &str)] = &[
    ("local", "на этой машине или в вашей сети", "on this machine or in your network"),
    ("any", "где угодно: выбирает провайдер", "anywhere: the provider chooses"),
    ("RU", "Россия", "Russia"),
    ("CN", "Китай", "China"),
    ("US", "США", "the United States"),
    ("SG", "Сингапур", "Singapore"),
    ("EU", "Евросоюз", "the European Union"),
    ("BY", "Беларусь", "Belarus"),
    ("KZ", "Казахстан", "Kazakhstan"),
];

impl Region {
    /// On this machine or in the local network.
    pub fn local() -> Self {
        Self("local".to_owned())
    }

    /// Wherever the provider likes.
    pub fn any() -> Self {
        Self("any".to_owned())
    }

    /// Reads a code, in any case.
    ///
    /// # Errors
    /// [`BookError::Region`] for what is none.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        if lower == "local" || lower == "any" {
            return Ok(Self(lower));
        }
        if text.len() == 2 && text.chars().all(|c| c.is_ascii_alphabetic()) {
            return Ok(Self(text.to_ascii_uppercase()));
        }
        Err(BookError::Region { text: text.to_owned() })
    }

    /// The code.
    pub fn code(&self) -> &str {
        &self.0
    }

    /// Whether text that may go here may go there too: the same region, or a model of one's own machine.
    pub fn covers(&self, other: &Self) -> bool {
        self == other || other.is_local()
    }

    /// Whether nothing leaves the local network.
    pub fn is_local(&self) -> bool {
        self.0 == "local"
    }

    /// As people see it.
    pub fn name(&self, language: Language) -> String {
        match NAMES.iter().find(|(code, _, _)| *code == self.0) {
            Some((code, ru, en)) if code.len() == 2 => format!("{} ({code})", super::say(language, ru, en)),
            Some((_, ru, en)) => super::say(language, ru, en).to_owned(),
            None => self.0.clone(),
        }
    }
}

impl TryFrom<String> for Region {
    type Error = BookError;

    fn try_from(text: String) -> Result<Self, BookError> {
        Self::parse(&text)
    }
}

impl From<Region> for String {
    fn from(region: Region) -> Self {
        region.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_covers_itself_and_ones_own_machine() {
        let region = |text| Region::parse(text).unwrap();
        assert!(region("ru").covers(&region("RU")) && region("ru").covers(&Region::local()));
        for (from, to) in [("RU", "CN"), ("local", "RU"), ("local", "any"), ("RU", "any"), ("any", "US"), ("EU", "US")]
        {
            assert!(!region(from).covers(&region(to)), "{from} -> {to}");
        }
        assert!(Region::any().covers(&Region::any()));
    }

    #[test]
    fn codes_and_names() {
        assert!(Region::parse("Россия").is_err() && Region::parse("").is_err());
        assert_eq!(Region::parse("LOCAL").unwrap(), Region::local());
        assert_eq!(Region::parse("ru").unwrap().name(Language::Russian), "Россия (RU)");
        assert_eq!(Region::parse("nz").unwrap().name(Language::English), "NZ");
        assert_eq!(serde_json::from_str::<Region>("\"cn\"").unwrap().code(), "CN");
    }
}
