//! The leg that searches by meaning: the query's vector, and the nearest rows of the file of vectors.

use std::path::{Path, PathBuf};

use half::f16;
use rustc_hash::FxHashMap;

use super::{Note, holds_data};
use crate::Result;
use crate::read::{Index, NameId};
use crate::vectors::cache::{Cache, text_hash};
use crate::vectors::corpus::Class;
use crate::vectors::file::{FileError, Vectors};
use crate::vectors::model::{Embed, Model, ModelError};
use crate::vectors::{file, path_beside};

/// Marks the vectors of queries in the cache.
const AS_QUERY: &str = "query: ";

type Load = Box<dyn FnOnce() -> std::result::Result<Box<dyn Embed>, ModelError> + Send>;

/// Turns queries into vectors. The model is loaded when it is first needed, and stays loaded as long as this lives, as
/// do the vectors of the index that was asked last.
pub struct Meaning {
    load: Option<Load>,
    model: Option<std::result::Result<Box<dyn Embed>, String>>,
    vectors: Option<(PathBuf, std::time::SystemTime, Vectors)>,
    last: Option<(String, Vec<f32>)>,
    /// Vectors of texts that others are held against, outside any index.
    known: FxHashMap<String, Vec<f32>>,
    /// The folder of caches that such vectors are kept in from one run of the program to the next.
    cache_dir: Option<PathBuf>,
}

impl Meaning {
    /// With this user's model, in this process. `runtime` is ONNX Runtime's library, if the settings name one.
    #[must_use]
    pub fn of_user(runtime: Option<PathBuf>) -> Self {
        let load: Load = Box::new(move || Ok(Box::new(Model::of_user(runtime.as_deref())?) as Box<dyn Embed>));
        let places = paths::Places::of_user();
        Self { cache_dir: places.map(|places| places.cache_dir().to_path_buf()), ..Self::new(load) }
    }

    /// Keeps the vectors of texts that others are held against in a folder of caches.
    #[must_use]
    pub fn with_cache(self, cache_dir: PathBuf) -> Self {
        Self { cache_dir: Some(cache_dir), ..self }
    }

    /// With a model that is made when it is first needed: a worker process, for one.
    #[must_use]
    pub fn new(load: Load) -> Self {
        Self { load: Some(load), model: None, vectors: None, last: None, known: FxHashMap::default(), cache_dir: None }
    }

    /// Without any model: everything but the search by meaning works.
    #[must_use]
    pub fn none(reason: &str) -> Self {
        let model = Some(Err(reason.to_owned()));
        Self { load: None, model, vectors: None, last: None, known: FxHashMap::default(), cache_dir: None }
    }

    /// How alike a text is to each of a few others of its kind (questions to questions): cosines, in their order. Their vectors
    /// are made once: they are kept here, and in the cache for the next run of the program.
    ///
    /// # Errors
    /// Why there is no model.
    pub fn similarity(&mut self, text: &str, others: &[&str]) -> std::result::Result<Vec<f32>, String> {
        let (_, vector) = self.query(text)?;
        self.know(others)?;
        let alike = |other: &&str| {
            let other = self.known.get(*other).map_or(&[][..], Vec::as_slice);
            vector.iter().zip(other).map(|(a, b)| a * b).sum()
        };
        Ok(others.iter().map(alike).collect())
    }

    /// Finds the vectors of texts that others are held against: in the cache, else by the model.
    fn know(&mut self, texts: &[&str]) -> std::result::Result<(), String> {
        let unknown: Vec<&str> = texts.iter().copied().filter(|text| !self.known.contains_key(*text)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let Some(Ok(model)) = &mut self.model else { return Err("no model".to_owned()) };
        // Without the cache it is as slow as the first time, and nothing else.
        let mut cache = self.cache_dir.as_deref().and_then(|folder| Cache::open(folder, model.model_id()).ok());
        let mut made = Vec::new();
        for text in unknown {
            // Beside passages of the same words, whose vectors are others.
            let hash = text_hash(&format!("{AS_QUERY}{text}"));
            let kept = cache.as_ref().and_then(|cache| cache.get(&hash).ok().flatten());
            let halves = match kept {
                Some(halves) => halves,
                None => {
                    let vector = model.query(text).map_err(|error| error.to_string())?;
                    // As it will be read: the same question has the same answer the next time.
                    let halves = vector.iter().map(|x| f16::from_f32(*x)).collect();
                    made.push((hash, vector));
                    halves
                }
            };
            self.known.insert(text.to_owned(), halves.into_iter().map(f16::to_f32).collect());
        }
        if let Some(cache) = cache.as_mut().filter(|_| !made.is_empty())
            && let Err(error) = cache.put(&made)
        {
            tracing::debug!(%error, "these vectors are made again the next time");
        }
        Ok(())
    }

    /// The nearest things of a class, scored; empty, with a note, if there are no vectors or no model.
    pub(super) fn nearest(
        &mut self,
        index: &Index,
        query: &str,
        class: Class,
        most: usize,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<(NameId, f64)>> {
        if !self.opened(index, notes) {
            return Ok(Vec::new());
        }
        let (model, query) = match self.query(query) {
            Ok(query) => query,
            Err(reason) => {
                note(notes, Note::NoModel { reason });
                return Ok(Vec::new());
            }
        };
        let Some((_, _, vectors)) = &mut self.vectors else { return Ok(Vec::new()) };
        if vectors.about().model != model {
            let vectors = vectors.about().model.clone();
            note(notes, Note::OtherModel { vectors, installed: model });
            return Ok(Vec::new());
        }
        note_unfinished(vectors, notes);
        let mut near = vectors.scan(&query, class, &|name| class == Class::Method || holds_data(name));
        best(&mut near, most);
        if let Err(error) = vectors.rescore(&query, &mut near) {
            tracing::warn!(%error, "the coarse scores stand");
        }
        best(&mut near, most);
        numbered(index, vectors, &near)
    }

    /// The things of a class nearest to one of them, without it; no model is needed. Empty, with a note, if there are no vectors
    /// or none of that thing.
    pub(super) fn near_to(
        &mut self,
        index: &Index,
        full_name: &str,
        class: Class,
        most: usize,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<(NameId, f64)>> {
        if !self.opened(index, notes) {
            return Ok(Vec::new());
        }
        let Some((_, _, vectors)) = &self.vectors else { return Ok(Vec::new()) };
        note_unfinished(vectors, notes);
        let mut near = vectors.near_to(full_name, class);
        best(&mut near, most);
        numbered(index, vectors, &near)
    }

    /// Opens the vectors of an index; if there are none, that is noted.
    fn opened(&mut self, index: &Index, notes: &mut Vec<Note>) -> bool {
        let Err(error) = self.open(&path_beside(index.path())) else { return true };
        let reason = if matches!(error, FileError::Missing) { String::new() } else { error.to_string() };
        note(notes, Note::NoVectors { reason });
        false
    }

    /// How many of the things that were searched last have a vector, from 0 to 1: what is missing can't be near.
    pub(super) fn share(&self) -> f64 {
        let Some((_, _, vectors)) = &self.vectors else { return 1.0 };
        let head = vectors.about();
        if head.rows == 0 { 1.0 } else { head.names_done as f64 / head.rows as f64 }
    }

    fn open(&mut self, path: &Path) -> std::result::Result<(), FileError> {
        let modified = std::fs::metadata(path).and_then(|meta| meta.modified()).map_err(|_| FileError::Missing)?;
        if self.vectors.as_ref().is_none_or(|(open, time, _)| open != path || *time != modified) {
            self.vectors = Some((path.to_path_buf(), modified, Vectors::open(path)?));
        }
        Ok(())
    }

    fn query(&mut self, text: &str) -> std::result::Result<(String, Vec<f32>), String> {
        if self.model.is_none() {
            let load = self.load.take().ok_or("no model")?;
            self.model = Some(load().map_err(|error| error.to_string()));
        }
        let model = match &mut self.model {
            Some(Ok(model)) => model,
            Some(Err(reason)) => return Err(reason.clone()),
            None => return Err("no model".into()),
        };
        let vector = match &self.last {
            Some((known, vector)) if known == text => vector.clone(),
            _ => model.query(text).map_err(|error| error.to_string())?,
        };
        self.last = Some((text.to_owned(), vector.clone()));
        Ok((model.model_id().to_owned(), vector))
    }
}

fn note_unfinished(vectors: &Vectors, notes: &mut Vec<Note>) {
    let head = vectors.about();
    if !head.is_complete() {
        let (done, total) = (head.names_done + head.bodies_done, head.rows + head.bodies);
        note(notes, Note::VectorsUnfinished { done, total });
    }
}

/// The nearest ones, in order.
fn best(near: &mut Vec<file::Near>, most: usize) {
    let by_score = |a: &file::Near, b: &file::Near| b.score.total_cmp(&a.score);
    if near.len() > most {
        near.select_nth_unstable_by(most, by_score);
        near.truncate(most);
    }
    near.sort_by(by_score);
}

/// Rows as numbers of the index. A row whose thing is gone since is left out: the vectors are older than the index.
fn numbered(index: &Index, vectors: &Vectors, near: &[file::Near]) -> Result<Vec<(NameId, f64)>> {
    let mut found = Vec::with_capacity(near.len());
    for near in near {
        if let Some(id) = by_full_name(index, vectors.full_name(near.row))? {
            found.push((id, f64::from(near.score)));
        }
    }
    Ok(found)
}

fn note(notes: &mut Vec<Note>, new: Note) {
    if !notes.contains(&new) {
        notes.push(new);
    }
}

fn by_full_name(index: &Index, full_name: &str) -> Result<Option<NameId>> {
    Ok(index
        .rows("SELECT id FROM names WHERE name = ?1 AND NOT ghost", [full_name], |row| row.get(0))?
        .into_iter()
        .next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts the texts that it is given.
    struct Counting(Arc<AtomicUsize>);

    impl Embed for Counting {
        fn model_id(&self) -> &str {
            "counting@1"
        }

        fn passage(&mut self, text: &str) -> std::result::Result<Vec<f32>, ModelError> {
            Err(ModelError::Inference(format!("{text} is no passage")))
        }

        fn query(&mut self, text: &str) -> std::result::Result<Vec<f32>, ModelError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(if text.is_ascii() { vec![text.len() as f32 / 8.0, 1.0] } else { vec![1.0, 0.5] })
        }
    }

    #[test]
    fn texts_that_others_are_held_against_are_embedded_once_for_all_runs() {
        let folder = tempfile::tempdir().unwrap();
        let made = Arc::new(AtomicUsize::new(0));
        let run = || {
            let made = Arc::clone(&made);
            let meaning = Meaning::new(Box::new(move || Ok(Box::new(Counting(made)) as Box<dyn Embed>)));
            meaning.with_cache(folder.path().to_path_buf())
        };
        let mut first = run();
        let near = first.similarity("вопрос", &["a", "bc"]).unwrap();
        assert_eq!(near, [0.625, 0.75]);
        assert_eq!(first.similarity("другой", &["bc", "a"]).unwrap(), [0.75, 0.625]);
        assert_eq!(made.load(Ordering::Relaxed), 4, "two questions and two texts");
        // The next run of the program, with one text that is new.
        assert_eq!(run().similarity("вопрос", &["a", "bc", "def"]).unwrap(), [0.625, 0.75, 0.875]);
        assert_eq!(made.load(Ordering::Relaxed), 6, "the question and the new text");
        // Where nothing can be kept, vectors are made all the same.
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(run().with_cache(file).similarity("вопрос", &["a"]).unwrap(), [0.625]);
    }
}
