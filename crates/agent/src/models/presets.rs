//! Known places where a chat model can be asked: `data/model_presets.tsv`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use tools::Language;

use super::{Abilities, KeyPlace, ModelEntry, Region};

/// A place that is known.
#[derive(Clone, Debug)]
pub struct Preset {
    /// How it is called in a command: `deepseek`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What a model there starts from.
    pub entry: ModelEntry,
    note_ru: &'static str,
    note_en: &'static str,
}

impl Preset {
    /// What one must know to use it.
    pub fn note(&self, language: Language) -> &'static str {
        super::say(language, self.note_ru, self.note_en)
    }
}

static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| rows().filter_map(read).collect());

/// All of them, in the order of the data.
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

/// One by its name, in any case.
pub fn preset(name: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.name.eq_ignore_ascii_case(name.trim()))
}

fn rows() -> impl Iterator<Item = &'static str> {
    include_str!("../../data/model_presets.tsv").lines().filter(|line| !line.starts_with('#')).skip(1)
}

fn read(line: &'static str) -> Option<Preset> {
    let cells: [&'static str; 12] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let [name, title, base_url, region, key, model, context, abilities, turns, headers, note_ru, note_en] = cells;
    let can = |what: &str| abilities.split(',').any(|ability| ability == what);
    let headers: BTreeMap<String, String> = headers
        .split(';')
        .filter_map(|header| header.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let entry = ModelEntry {
        key: KeyPlace::parse(key).ok()?,
        context_tokens: context.parse().ok()?,
        abilities: Abilities { tools: can("tools"), images: can("images"), reasoning: can("reasoning") },
        turns: turns.parse().ok()?,
        headers,
        ..ModelEntry::new(name, base_url, model, Region::parse(region).ok()?)
    };
    Some(Preset { name, title, entry, note_ru, note_en })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::ModelBook;

    #[test]
    fn every_row_is_read_and_makes_a_valid_model() {
        assert_eq!(presets().len(), rows().count());
        for preset in presets() {
            let mut entry = preset.entry.clone();
            entry.model = entry.model.replace("{folder}", "b1g").replace("{author}", "a").replace("{model}", "m");
            let book = ModelBook { models: vec![entry], ..ModelBook::default() };
            assert_eq!(book.check().map_err(|error| error.to_string()), Ok(()), "{}", preset.name);
            assert!(!preset.note(Language::Russian).is_empty() && !preset.note(Language::English).is_empty());
        }
        let named: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
        for needed in ["deepseek", "glm", "yandex", "openai", "openrouter", "ollama", "lmstudio", "llamacpp"] {
            assert!(named.contains(&needed), "{needed}");
        }
    }

    #[test]
    fn a_place_to_fill_in_is_refused_until_it_is_filled() {
        let entry = preset("Yandex").unwrap().entry.clone();
        assert_eq!(entry.headers["x-data-logging-enabled"], "false");
        let book = ModelBook { models: vec![entry], ..ModelBook::default() };
        assert!(book.check().unwrap_err().to_string().contains("{folder}"));
    }
}
