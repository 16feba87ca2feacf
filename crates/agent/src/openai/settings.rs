//! How a model over HTTP is reached.

use std::fmt;
use std::time::Duration;

use crate::model::ModelError;

/// A model over HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address up to the version: `https://api.deepseek.com/v1`. A full `…/chat/completions` is taken as it is.
    pub base_url: String,
    /// The model's name as the provider knows it.
    pub model: String,
    /// The key; local servers need none.
    pub key: Option<Secret>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// Which proxy.
    pub proxy: ProxyChoice,
    /// Left to the provider if `None`.
    pub temperature: Option<f32>,
    /// Limit of an answer in tokens, left to the provider if `None`.
    pub answer_tokens: Option<u32>,
    /// Ask for token counts in the stream; a few servers refuse the field.
    pub stream_usage: bool,
    /// When to ask again.
    pub retry: RetryPolicy,
}

/// Which proxy requests go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyChoice {
    /// The system's, or that of `HTTPS_PROXY` and its kin.
    System,
    /// None.
    Direct,
    /// This one: `http://…`, `socks5://…`.
    Url(String),
}

/// When a request that got nothing is sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all.
    pub attempts: u32,
    /// Wait after the first failure; doubled with each further one.
    pub first_wait: Duration,
    /// No wait is longer. A provider that asks for more (`Retry-After`) ends the run with a message that says so.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 4, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(60) }
    }
}

/// A key that never shows in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text with every occurrence of the key masked.
    pub fn mask(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "***") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(***)")
    }
}

/// Variable that holds the address.
pub const URL_VARIABLE: &str = "METASCOPE_MODEL_URL";
/// Variable that holds the model's name.
pub const MODEL_VARIABLE: &str = "METASCOPE_MODEL";
/// Variable that holds the key.
pub const KEY_VARIABLE: &str = "METASCOPE_MODEL_KEY";

impl Settings {
    /// A model without a key, with every default.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: model.into(),
            key: None,
            headers: Vec::new(),
            proxy: ProxyChoice::System,
            temperature: None,
            answer_tokens: None,
            stream_usage: true,
            retry: RetryPolicy::default(),
        }
    }

    /// Reads `METASCOPE_MODEL_URL`, `METASCOPE_MODEL` and `METASCOPE_MODEL_KEY` through `variable`. `None` if no address is set.
    ///
    /// # Errors
    /// [`ModelError::Settings`] if an address is set and no model.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ModelError> {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let Some(url) = set(URL_VARIABLE) else { return Ok(None) };
        let model = set(MODEL_VARIABLE)
            .ok_or_else(|| ModelError::Settings(format!("{URL_VARIABLE} is set, {MODEL_VARIABLE} is not")))?;
        let mut settings = Self::new(url, model);
        settings.key = set(KEY_VARIABLE).map(Secret::new);
        Ok(Some(settings))
    }

    pub(super) fn endpoint(&self) -> String {
        let base = self.base_url.trim().trim_end_matches('/');
        if base.ends_with("/chat/completions") { base.to_owned() } else { format!("{base}/chat/completions") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_of_each_spelling() {
        for base in ["http://h/v1", "http://h/v1/", "http://h/v1/chat/completions"] {
            assert_eq!(Settings::new(base, "m").endpoint(), "http://h/v1/chat/completions");
        }
    }

    #[test]
    fn environment() {
        let read = |pairs: &'static [(&str, &str)]| {
            Settings::from_env(move |name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(read(&[]).unwrap().is_none());
        assert!(matches!(read(&[(URL_VARIABLE, "http://h")]), Err(ModelError::Settings(_))));
        let settings =
            read(&[(URL_VARIABLE, "http://h"), (MODEL_VARIABLE, "m"), (KEY_VARIABLE, "тайна")]).unwrap().unwrap();
        assert!(!format!("{settings:?}").contains("тайна"));
        assert_eq!(settings.key.unwrap().mask("bad key тайна"), "bad key ***");
    }
}
