//! Where keys are: in the system's key store or in the environment, never in a file.

use serde::{Deserialize, Serialize};

use super::BookError;
use crate::openai::Secret;

/// Where the key of a model is. As text: `none`, `store`, `env:NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum KeyPlace {
    /// None is needed.
    #[default]
    None,
    /// In the system's key store, under the model's name.
    Store,
    /// In a variable of the environment.
    Variable(String),
}

impl KeyPlace {
    /// Reads `none`, `store` or `env:NAME`.
    ///
    /// # Errors
    /// [`BookError::PlainSecret`] for anything else, which it doesn't repeat: a key may have been written in its place.
    pub fn parse(text: &str) -> Result<Self, BookError> {
        match text.trim() {
            "" | "none" => Ok(Self::None),
            "store" => Ok(Self::Store),
            other => match other.strip_prefix("env:").filter(|name| is_variable(name)) {
                Some(name) => Ok(Self::Variable(name.to_owned())),
                None => Err(BookError::PlainSecret { name: String::new(), what: "key".to_owned() }),
            },
        }
    }
}

/// Whether a text may name a variable.
pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl TryFrom<String> for KeyPlace {
    type Error = BookError;

    fn try_from(text: String) -> Result<Self, BookError> {
        Self::parse(&text)
    }
}

impl From<KeyPlace> for String {
    fn from(place: KeyPlace) -> Self {
        match place {
            KeyPlace::None => "none".to_owned(),
            KeyPlace::Store => "store".to_owned(),
            KeyPlace::Variable(name) => format!("env:{name}"),
        }
    }
}

/// What keeps keys. [`SystemKeys`] is the real one.
pub trait Keys: Send + Sync {
    /// The key of a model in the store; None if there is none.
    ///
    /// # Errors
    /// [`BookError::Store`].
    fn stored(&self, model: &str) -> Result<Option<Secret>, BookError>;

    /// Puts the key of a model into the store.
    ///
    /// # Errors
    /// [`BookError::Store`].
    fn store(&self, model: &str, key: &Secret) -> Result<(), BookError>;

    /// Takes the key of a model out of the store; one that isn't there is no error.
    ///
    /// # Errors
    /// [`BookError::Store`].
    fn forget(&self, model: &str) -> Result<(), BookError>;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// The key of a model.
    ///
    /// # Errors
    /// [`BookError::NoKey`] if it isn't where it should be, [`BookError::Store`].
    fn key(&self, model: &str, place: &KeyPlace) -> Result<Option<Secret>, BookError> {
        let absent = |place: String| BookError::NoKey { name: model.to_owned(), place };
        match place {
            KeyPlace::None => Ok(None),
            KeyPlace::Store => self.stored(model)?.ok_or_else(|| absent("store".to_owned())).map(Some),
            KeyPlace::Variable(name) => {
                let value = self.variable(name).filter(|value| !value.trim().is_empty());
                value.map(Secret::new).ok_or_else(|| absent(name.clone())).map(Some)
            }
        }
    }
}

/// The system's key store (Keychain, Credential Manager, Secret Service) and the process's environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemKeys;

/// The name under which the store shows our keys.
const SERVICE: &str = "metascope";

impl SystemKeys {
    fn entry(model: &str) -> Result<keyring::Entry, BookError> {
        if let Err(error) = keyring::Entry::store_status() {
            return Err(BookError::Store { why: error.to_string() });
        }
        keyring::Entry::new(SERVICE, model).map_err(failed)
    }
}

fn failed(error: keyring::Error) -> BookError {
    BookError::Store { why: error.to_string() }
}

impl Keys for SystemKeys {
    fn stored(&self, model: &str) -> Result<Option<Secret>, BookError> {
        match Self::entry(model)?.get_password() {
            Ok(key) => Ok(Some(Secret::new(key))),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn store(&self, model: &str, key: &Secret) -> Result<(), BookError> {
        Self::entry(model)?.set_password(key.expose()).map_err(failed)
    }

    fn forget(&self, model: &str) -> Result<(), BookError> {
        match Self::entry(model)?.delete_credential() {
            Ok(()) | Err(keyring::Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(error)),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Option<&'static str>);

    impl Keys for Fixed {
        fn stored(&self, _model: &str) -> Result<Option<Secret>, BookError> {
            Ok(self.0.map(Secret::new))
        }
        fn store(&self, _model: &str, _key: &Secret) -> Result<(), BookError> {
            Ok(())
        }
        fn forget(&self, _model: &str) -> Result<(), BookError> {
            Ok(())
        }
        fn variable(&self, name: &str) -> Option<String> {
            (name == "THERE").then(|| "v".to_owned())
        }
    }

    #[test]
    fn a_key_in_place_of_its_place_is_refused_and_not_repeated() {
        let error = KeyPlace::parse("sk-abcdef0123456789abcdef").unwrap_err();
        assert!(!error.to_string().contains("sk-"), "{error}");
        let read: Result<KeyPlace, _> = serde_json::from_str("\"sk-abcdef0123456789abcdef\"");
        assert!(!read.unwrap_err().to_string().contains("sk-"));
        for text in ["none", "store", "env:DEEPSEEK_API_KEY"] {
            assert_eq!(String::from(KeyPlace::parse(text).unwrap()), text);
        }
        assert!(KeyPlace::parse("env:ПЛОХО").is_err());
    }

    #[test]
    fn keys_are_found_where_they_should_be() {
        let place = |text| KeyPlace::parse(text).unwrap();
        assert_eq!(Fixed(None).key("m", &place("none")), Ok(None));
        assert_eq!(Fixed(Some("k")).key("m", &place("store")), Ok(Some(Secret::new("k"))));
        assert!(matches!(Fixed(None).key("m", &place("store")), Err(BookError::NoKey { .. })));
        assert_eq!(Fixed(None).key("m", &place("env:THERE")), Ok(Some(Secret::new("v"))));
        assert!(
            matches!(Fixed(None).key("m", &place("env:ABSENT")), Err(BookError::NoKey { place, .. }) if place == "ABSENT")
        );
    }
}
