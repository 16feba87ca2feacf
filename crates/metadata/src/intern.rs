//! Equal strings are kept once, whichever thread reads them.

use crate::model::Text;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use std::sync::Mutex;

/// Longer strings hardly ever repeat: they aren't looked up.
const LONGEST: usize = 160;
const SHARDS: usize = 64;

/// The strings seen so far.
pub struct Texts(Vec<Mutex<FxHashSet<Text>>>);

impl Default for Texts {
    fn default() -> Self {
        Self((0..SHARDS).map(|_| Mutex::default()).collect())
    }
}

impl Texts {
    /// The shared copy of a string.
    pub fn get(&self, s: &str) -> Text {
        if s.len() > LONGEST {
            return Text::from(s);
        }
        let hash = usize::try_from(FxBuildHasher.hash_one(s) >> 40).unwrap_or(0);
        let Some(Ok(mut shard)) = self.0.get(hash % SHARDS).map(Mutex::lock) else { return Text::from(s) };
        if let Some(known) = shard.get(s) {
            return Text::clone(known);
        }
        let text = Text::from(s);
        shard.insert(Text::clone(&text));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_one() {
        let texts = Texts::default();
        assert!(Text::ptr_eq(&texts.get("Справочник"), &texts.get("Справочник")));
        assert_eq!(&*texts.get(&"я".repeat(LONGEST)), "я".repeat(LONGEST));
    }
}
