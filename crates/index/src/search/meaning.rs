//! The leg that searches by meaning: the query's vector, and the nearest rows of the file of vectors.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::{Note, holds_data};
use crate::Result;
use crate::read::{Index, NameId};
use crate::vectors::corpus::Class;
use crate::vectors::file::{FileError, Vectors};
use crate::vectors::model::{Embed, Model, ModelError};
use crate::vectors::{file, path_beside};

type Load = Box<dyn FnOnce() -> std::result::Result<Box<dyn Embed>, ModelError> + Send>;

/// Turns queries into vectors. The model is loaded when it is first needed, and stays loaded as long as this lives, as
/// do the vectors of the index that was asked last.
pub struct Meaning {
    load: Option<Load>,
    model: Option<std::result::Result<Box<dyn Embed>, String>>,
    vectors: Option<(PathBuf, std::time::SystemTime, Vectors)>,
    last: Option<(String, Vec<f32>)>,
    /// Vectors of texts that queries are held against, outside any index.
    passages: FxHashMap<String, Vec<f32>>,
}

impl Meaning {
    /// With this user's model, in this process. `runtime` is ONNX Runtime's library, if the settings name one.
    #[must_use]
    pub fn of_user(runtime: Option<PathBuf>) -> Self {
        Self::new(Box::new(move || Ok(Box::new(Model::of_user(runtime.as_deref())?) as Box<dyn Embed>)))
    }

    /// With a model that is made when it is first needed: a worker process, for one.
    #[must_use]
    pub fn new(load: Load) -> Self {
        Self { load: Some(load), model: None, vectors: None, last: None, passages: FxHashMap::default() }
    }

    /// Without any model: everything but the search by meaning works.
    #[must_use]
    pub fn none(reason: &str) -> Self {
        let model = Some(Err(reason.to_owned()));
        Self { load: None, model, vectors: None, last: None, passages: FxHashMap::default() }
    }

    /// How near each of a few texts is to a query: cosines, in the order of the texts. The vectors of the texts are kept.
    ///
    /// # Errors
    /// Why there is no model.
    pub fn similarity(&mut self, query: &str, passages: &[&str]) -> std::result::Result<Vec<f32>, String> {
        let (_, query) = self.query(query)?;
        let Some(Ok(model)) = &mut self.model else { return Err("no model".to_owned()) };
        let mut near = Vec::with_capacity(passages.len());
        for &passage in passages {
            if !self.passages.contains_key(passage) {
                let vector = model.passage(passage).map_err(|error| error.to_string())?;
                self.passages.insert(passage.to_owned(), vector);
            }
            let vector = self.passages.get(passage).map_or(&[][..], Vec::as_slice);
            near.push(query.iter().zip(vector).map(|(a, b)| a * b).sum());
        }
        Ok(near)
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
