//! The models that a user has set up, and the file that keeps them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::address::{self, Host};
use super::keys::is_variable;
use super::{BookError, KeyPlace, Keys, Region};
use crate::openai::{ProxyChoice, Settings};
use crate::price::Price;
use crate::secrets::{MASK, mask};

/// The models of a user, in the order in which they were added. Kept as JSON; holds no key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelBook {
    /// The model that answers when none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The models.
    #[serde(default)]
    pub models: Vec<ModelEntry>,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelEntry {
    /// How the user calls it.
    pub name: String,
    /// Address up to the version.
    pub base_url: String,
    /// Its name as the provider knows it.
    pub model: String,
    /// Where its key is.
    #[serde(default)]
    pub key: KeyPlace,
    /// Where it processes what it is sent.
    pub region: Region,
    /// Tokens that it takes.
    #[serde(default = "default_context")]
    pub context_tokens: u32,
    /// What it can do.
    #[serde(default)]
    pub abilities: Abilities,
    /// Step limit of a question.
    #[serde(default = "default_turns")]
    pub turns: u32,
    /// Further headers; `env:NAME` as a value stands for a variable.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// `direct`, an address, or `env:NAME` of one; the system's if it isn't said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// Left to the provider if it isn't said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// Limit of an answer in tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_tokens: Option<u32>,
    /// Whether token counts are asked for in the stream.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub stream_usage: bool,
    /// What tokens cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// The model that is asked if this one can't be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// What a model can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Abilities {
    /// Calls tools by itself.
    pub tools: bool,
    /// Takes images.
    pub images: bool,
    /// Shows its reasoning.
    pub reasoning: bool,
}

fn default_context() -> u32 {
    32_768
}

fn default_turns() -> u32 {
    30
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_true(value: &bool) -> bool {
    *value
}

/// Headers whose value is a secret by their meaning.
const SECRET_HEADERS: &[&str] =
    &["authorization", "proxy-authorization", "cookie", "api-key", "x-api-key", "x-auth-token", "x-goog-api-key"];
/// Names that mean something else in `--model`.
const TAKEN: &[&str] = &["offline", "env"];

impl ModelEntry {
    /// A model of which only the place is known.
    pub fn new(name: impl Into<String>, base_url: impl Into<String>, model: impl Into<String>, region: Region) -> Self {
        Self {
            name: name.into(),
            base_url: base_url.into(),
            model: model.into(),
            key: KeyPlace::None,
            region,
            context_tokens: default_context(),
            abilities: Abilities { tools: true, ..Abilities::default() },
            turns: default_turns(),
            headers: BTreeMap::new(),
            proxy: None,
            temperature: None,
            answer_tokens: None,
            stream_usage: true,
            price: None,
            fallback: None,
        }
    }

    /// Whether it can be used as it stands.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), BookError> {
        let name = || self.name.clone();
        let value = |what: String| BookError::Value { name: name(), what };
        if self.name.is_empty() || self.name.contains(char::is_whitespace) || TAKEN.contains(&self.name.as_str()) {
            return Err(BookError::Name { name: name() });
        }
        for (what, text) in [("model", &self.model), ("base_url", &self.base_url)] {
            if text.trim().is_empty() {
                return Err(value(format!("{what} is empty")));
            }
            if text.contains('{') {
                return Err(value(format!("{what}: {text}: what stands in braces is to be filled in")));
            }
        }
        if self.turns == 0 || self.context_tokens < 1024 {
            return Err(value("turns must be at least 1, context_tokens at least 1024".to_owned()));
        }
        let host = address::host(&self.name, &self.base_url)?;
        if let Host::Known { host, region } = &host
            && self.region != *region
        {
            let (region, known) = (self.region.code().to_owned(), region.code().to_owned());
            return Err(BookError::Elsewhere { name: name(), region, host: host.clone(), known });
        }
        if let Host::Public(host) = &host
            && self.region.is_local()
        {
            let (region, known) = (self.region.code().to_owned(), "a public address".to_owned());
            return Err(BookError::Elsewhere { name: name(), region, host: host.clone(), known });
        }
        if let Some(proxy) = self.proxy.as_deref().filter(|proxy| *proxy != "direct" && !is_reference(proxy)) {
            address::host(&self.name, proxy)?;
        }
        for (header, text) in &self.headers {
            let secret = SECRET_HEADERS.contains(&header.to_ascii_lowercase().as_str())
                || mask(&format!("{header}: '{text}'")).contains(MASK);
            if secret && !is_reference(text) {
                return Err(BookError::PlainSecret { name: name(), what: format!("header {header}") });
            }
        }
        Ok(())
    }

    /// What a client needs, with the key.
    ///
    /// # Errors
    /// [`BookError::NoKey`] for a key or variable that isn't there.
    pub fn settings(&self, keys: &dyn Keys) -> Result<Settings, BookError> {
        self.check()?;
        let resolve = |text: &str| match text.strip_prefix("env:") {
            Some(variable) => keys
                .variable(variable)
                .ok_or_else(|| BookError::NoKey { name: self.name.clone(), place: variable.to_owned() }),
            None => Ok(text.to_owned()),
        };
        let mut settings = Settings::new(&self.base_url, &self.model);
        settings.key = keys.key(&self.name, &self.key)?;
        for (header, text) in &self.headers {
            settings.headers.push((header.clone(), resolve(text)?));
        }
        settings.proxy = match self.proxy.as_deref() {
            None => ProxyChoice::System,
            Some("direct") => ProxyChoice::Direct,
            Some(proxy) => ProxyChoice::Url(resolve(proxy)?),
        };
        settings.temperature = self.temperature;
        settings.answer_tokens = self.answer_tokens;
        settings.stream_usage = self.stream_usage;
        settings.images = self.abilities.images;
        settings.context_tokens = Some(self.context_tokens);
        settings.region = Some(self.region.clone());
        Ok(settings)
    }
}

/// `env:NAME`.
fn is_reference(text: &str) -> bool {
    text.strip_prefix("env:").is_some_and(is_variable)
}

impl ModelBook {
    /// Reads the file; none at all is an empty book.
    ///
    /// # Errors
    /// [`BookError::File`] with the line, or what [`ModelBook::check`] finds.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let failed = |why: String| BookError::File { path: path.to_owned(), why };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(error.to_string())),
        };
        let book: Self = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        book.check()?;
        Ok(book)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// [`BookError::File`], or what [`ModelBook::check`] finds.
    pub fn write(&self, path: &Path) -> Result<(), BookError> {
        self.check()?;
        let failed = |why: String| BookError::File { path: path.to_owned(), why };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.to_string()))?;
        let write = || -> std::io::Result<()> {
            let folder = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            let beside = path.with_extension(format!("{}.tmp", std::process::id()));
            let mut file = std::fs::File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            std::fs::rename(&beside, path)
        };
        write().map_err(|error| failed(error.to_string()))
    }

    /// Whether every model can be used, and no second model leaves the region of the first.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), BookError> {
        for (position, entry) in self.models.iter().enumerate() {
            entry.check()?;
            if self.models.iter().take(position).any(|other| other.name.eq_ignore_ascii_case(&entry.name)) {
                return Err(BookError::Name { name: entry.name.clone() });
            }
            self.second(entry)?;
        }
        self.default.as_deref().map_or(Ok(()), |name| self.get(name).map(|_| ()))
    }

    /// A model by its name, in any case.
    ///
    /// # Errors
    /// [`BookError::Unknown`] with those that there are.
    pub fn get(&self, name: &str) -> Result<&ModelEntry, BookError> {
        let found = self.models.iter().find(|entry| entry.name.eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| BookError::Unknown {
            name: name.to_owned(),
            known: self.models.iter().map(|entry| entry.name.clone()).collect(),
        })
    }

    /// The model that is asked if this one can't be reached.
    ///
    /// # Errors
    /// [`BookError::Unknown`], [`BookError::Leaves`].
    pub fn second(&self, entry: &ModelEntry) -> Result<Option<&ModelEntry>, BookError> {
        let Some(name) = &entry.fallback else { return Ok(None) };
        let second = self.get(name)?;
        if second.name == entry.name {
            return Err(BookError::Name { name: name.clone() });
        }
        if !entry.region.covers(&second.region) {
            return Err(BookError::Leaves {
                name: entry.name.clone(),
                region: entry.region.code().to_owned(),
                second: second.name.clone(),
                other: second.region.code().to_owned(),
            });
        }
        Ok(Some(second))
    }

    /// The model to which an image may go with a question to `entry`: itself, or the first that takes images and doesn't leave its
    /// region.
    pub fn for_image<'a>(&'a self, entry: &'a ModelEntry) -> Option<&'a ModelEntry> {
        let takes = |other: &&ModelEntry| other.abilities.images && entry.region.covers(&other.region);
        Some(entry).filter(takes).or_else(|| self.models.iter().find(takes))
    }

    /// Adds a model, or puts it in the place of the one with its name.
    pub fn put(&mut self, entry: ModelEntry) {
        match self.models.iter_mut().find(|other| other.name.eq_ignore_ascii_case(&entry.name)) {
            Some(other) => *other = entry,
            None => self.models.push(entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openai::Secret;

    struct NoKeys;

    impl Keys for NoKeys {
        fn stored(&self, _model: &str) -> Result<Option<Secret>, BookError> {
            Ok(None)
        }
        fn store(&self, _model: &str, _key: &Secret) -> Result<(), BookError> {
            Ok(())
        }
        fn forget(&self, _model: &str) -> Result<(), BookError> {
            Ok(())
        }
        fn variable(&self, name: &str) -> Option<String> {
            (name == "PROXY").then(|| "http://user:qwerty@proxy:3128".to_owned())
        }
    }

    fn entry(name: &str, region: &str) -> ModelEntry {
        ModelEntry::new(name, format!("https://{name}.example.com/v1"), "m", Region::parse(region).unwrap())
    }

    fn book(models: Vec<ModelEntry>) -> ModelBook {
        ModelBook { default: None, models }
    }

    #[test]
    fn a_second_model_stays_in_the_region() {
        let falls = |region: &str, other: &str| {
            let first = ModelEntry { fallback: Some("b".to_owned()), ..entry("a", region) };
            let second = match other {
                "local" => ModelEntry { base_url: "http://localhost/v1".to_owned(), ..entry("b", "local") },
                other => entry("b", other),
            };
            book(vec![first, second]).check()
        };
        assert_eq!(falls("RU", "RU"), Ok(()));
        assert_eq!(falls("RU", "local"), Ok(()));
        assert!(matches!(falls("RU", "CN"), Err(BookError::Leaves { .. })));
        assert!(matches!(falls("RU", "any"), Err(BookError::Leaves { .. })));
        let itself = ModelEntry { fallback: Some("a".to_owned()), ..entry("a", "RU") };
        assert!(book(vec![itself]).check().is_err());
    }

    #[test]
    fn a_region_that_the_address_contradicts_is_refused() {
        let deepseek = ModelEntry { base_url: "https://api.deepseek.com/v1".to_owned(), ..entry("d", "RU") };
        assert!(matches!(deepseek.check(), Err(BookError::Elsewhere { .. })));
        assert!(matches!(entry("cloud", "local").check(), Err(BookError::Elsewhere { .. })));
    }

    #[test]
    fn no_secret_is_kept_in_plain_text() {
        let mut with = entry("a", "RU");
        with.headers.insert("Authorization".to_owned(), "Bearer abc".to_owned());
        assert!(matches!(with.check(), Err(BookError::PlainSecret { .. })));
        with.headers = BTreeMap::from([("X-Secret-Token".to_owned(), "qwerty1".to_owned())]);
        assert!(matches!(with.check(), Err(BookError::PlainSecret { .. })));
        with.headers = BTreeMap::from([("Authorization".to_owned(), "env:PROXY".to_owned())]);
        with.proxy = Some("env:PROXY".to_owned());
        assert_eq!(with.check(), Ok(()));
        let settings = with.settings(&NoKeys).unwrap();
        assert_eq!(settings.proxy, ProxyChoice::Url("http://user:qwerty@proxy:3128".to_owned()));
        with.proxy = Some("http://user:qwerty@proxy:3128".to_owned());
        let error = with.check().unwrap_err().to_string();
        assert!(!error.contains("qwerty"), "{error}");
        with.proxy = Some("env:ABSENT".to_owned());
        assert!(matches!(with.settings(&NoKeys), Err(BookError::NoKey { .. })));
    }

    #[test]
    fn the_file_keeps_everything_and_tells_what_is_wrong_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("models.json");
        assert_eq!(ModelBook::read(&path), Ok(ModelBook::default()));
        let mut first = entry("a", "RU");
        first.key = KeyPlace::Variable("A_KEY".to_owned());
        first.price = Some(Price { prompt: 1.0, cached: 0.1, completion: 2.0, currency: "RUB".to_owned() });
        let mut kept = ModelBook { default: Some("A".to_owned()), models: vec![first] };
        kept.put(entry("b", "EU"));
        kept.put(ModelEntry { turns: 6, ..entry("B", "EU") });
        kept.write(&path).unwrap();
        assert_eq!(ModelBook::read(&path), Ok(kept.clone()));
        assert_eq!((kept.models.len(), kept.get("b").unwrap().turns), (2, 6));
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");

        std::fs::write(&path, "{\"models\": [{\"name\": \"a\",\n \"key\": \"sk-0123456789abcdef0123\"}]}").unwrap();
        let error = ModelBook::read(&path).unwrap_err();
        assert!(error.to_string().contains("line 2") && !error.to_string().contains("sk-0"), "{error}");
        let unknown = kept.get("нет").unwrap_err();
        assert_eq!(unknown.hint(tools::Language::English).unwrap(), "offline, env, a, B");
        assert!(ModelBook { default: Some("c".to_owned()), ..kept }.check().is_err());
    }

    #[test]
    fn an_image_goes_to_a_model_that_takes_it_and_stays_in_the_region() {
        let sees = |name, region| {
            let mut entry = entry(name, region);
            entry.abilities.images = true;
            entry
        };
        let blind = entry("blind", "RU");
        let book = book(vec![blind.clone(), sees("cn", "CN"), sees("ru", "RU")]);
        assert_eq!(book.for_image(&blind).map(|entry| entry.name.as_str()), Some("ru"));
        assert_eq!(book.for_image(&book.models[1]).map(|entry| entry.name.as_str()), Some("cn"));
        assert_eq!(book.for_image(&entry("us", "US")), None);
    }
}
