//! A model without a network: a vector is the counts of letters, so that texts with the same words are near each other.

use std::path::Path;

use index::Index;
use index::vectors::cache::{Cache, text_hash};
use index::vectors::corpus::Corpus;
use index::vectors::file::{Row, write};
use index::vectors::model::{Embed, ModelError};
use index::vectors::path_beside;

const DIMENSIONS: usize = 16;

pub struct Letters;

fn vector(text: &str) -> Vec<f32> {
    ::support::counts_of_letters::<DIMENSIONS>(text)
}

impl Embed for Letters {
    fn model_id(&self) -> &str {
        "letters@1"
    }

    fn passage(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        Ok(vector(text))
    }

    fn query(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        Ok(vector(text))
    }
}

/// Writes the vectors of all texts of an index beside it; the cache lies in a folder.
pub fn write_vectors(index: &Index, folder: &Path) {
    let mut cache = Cache::open(&folder.join("cache"), "letters@1").expect("a cache");
    let mut rows = Vec::new();
    let mut texts = Vec::new();
    let mut take = |item: index::vectors::corpus::Item| {
        let bodies: Vec<_> = item.body_texts.iter().map(|text| text_hash(text)).collect();
        texts.push((text_hash(&item.name_text), vector(&item.name_text)));
        texts.extend(item.body_texts.iter().map(|text| (text_hash(text), vector(text))));
        let name = text_hash(&item.name_text);
        rows.push(Row { full_name: item.full_name, class: item.class, name, bodies });
        true
    };
    Corpus::of(index).expect("the corpus").each(&mut take).expect("the texts");
    cache.put(&texts).expect("the cache takes them");
    write(&path_beside(index.path()), &rows, &cache, ("letters@1", "none"), DIMENSIONS).expect("the file");
}
