//! Methods near to a method, or to a piece of code: by vectors where there are some, else by the shape of their code.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Found, Hit, Meaning, Note, describe};
use crate::deadline::Tour;
use crate::read::{Index, NameId};
use crate::vectors::corpus::Class;
use crate::{Deadline, Result};
use bsl::shape::{likeness, shape, share};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like<'a> {
    /// A method.
    Method(NameId),
    /// A piece of code.
    Code(&'a str),
}

/// By what things are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Vectors: what methods are called and do, in other words too.
    Vectors,
    /// The shape of the code.
    Tokens,
}

/// Below this, code that is alike by its shape is so by chance.
const LEAST: f64 = 0.2;
/// Methods with less or more lines than this many times those of the given one are not like it as a whole.
const TIMES: u32 = 3;

/// Methods near to one, or to a piece of code, nearest first. `only`: compare by that; None: by vectors if there are some. Says by what
/// they were compared.
///
/// # Errors
/// If the index can't be read.
pub fn similar(
    index: &Index,
    to: Like<'_>,
    only: Option<By>,
    limit: usize,
    until: Deadline,
    meaning: &mut Meaning,
) -> Result<(Found, By)> {
    let mut found = Found::default();
    if only != Some(By::Tokens) {
        let ranked = match to {
            Like::Method(id) => {
                meaning.near_to(index, &index.full_name(id)?, Class::Method, limit, &mut found.notes)?
            }
            Like::Code(text) => meaning.nearest(index, text, Class::Method, limit, &mut found.notes)?,
        };
        for (id, score) in ranked {
            found.hits.extend(describe(index, id, Class::Method, score)?);
        }
        if !found.hits.is_empty() || only == Some(By::Vectors) {
            return Ok((found, By::Vectors));
        }
    }
    Ok((by_shape(index, to, limit, until, found.notes)?, By::Tokens))
}

/// A method's place in its file.
struct Place {
    id: NameId,
    line: u32,
    end_line: u32,
}

fn by_shape(index: &Index, to: Like<'_>, limit: usize, until: Deadline, mut notes: Vec<Note>) -> Result<Found> {
    let (wanted, own, lines) = match to {
        Like::Method(id) => {
            let source = index.method_source(id)?;
            (shape(&source.text), Some(id), Some(source.end_line.saturating_sub(source.line) + 1))
        }
        Like::Code(text) => (shape(text), None, None),
    };
    let mut places: FxHashMap<NameId, Vec<Place>> = FxHashMap::default();
    let rows = index.rows("SELECT module, id, line, end_line FROM method ORDER BY module, line", [], |row| {
        Ok((row.get::<_, NameId>(0)?, Place { id: row.get(1)?, line: row.get(2)?, end_line: row.get(3)? }))
    })?;
    for (module, place) in rows {
        let length = place.end_line.saturating_sub(place.line) + 1;
        let comparable = lines.is_none_or(|lines| length <= lines * TIMES && lines <= length * TIMES);
        if comparable && Some(place.id) != own {
            places.entry(module).or_default().push(place);
        }
    }
    let files = index.module_files()?;
    let of = files.iter().filter(|file| places.contains_key(&file.module)).count();
    let (tour, unread) = (Tour::new(until), AtomicUsize::new(0));
    let near: Vec<Vec<(NameId, f64)>> = files
        .par_iter()
        .map(|file| {
            let Some(places) = places.get(&file.module) else { return Vec::new() };
            if !tour.goes_on() {
                return Vec::new();
            }
            let Ok(text) = metadata::module_text(&file.full_path) else {
                unread.fetch_add(1, Ordering::Relaxed);
                return Vec::new();
            };
            let text = String::from_utf8_lossy(&text);
            let starts = line_starts(&text);
            let compare = |place: &Place| {
                let shape = shape(lines_of(&text, &starts, place));
                let score = if own.is_some() { likeness(&wanted, &shape) } else { share(&wanted, &shape) };
                (score >= LEAST).then_some((place.id, score))
            };
            places.iter().filter_map(compare).collect()
        })
        .collect();
    let mut near: Vec<(NameId, f64)> = near.into_iter().flatten().collect();
    near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut hits: Vec<Hit> = Vec::new();
    for (id, score) in near.into_iter().take(limit) {
        hits.extend(describe(index, id, Class::Method, score)?);
    }
    let looked = tour.looked(of);
    if looked.sources < looked.of {
        notes.push(Note::TimedOut { scanned: looked.sources, of });
    }
    let unread = unread.into_inner();
    if unread > 0 {
        notes.push(Note::UnreadFiles { count: unread });
    }
    Ok(Found { hits, notes })
}

/// Where each line begins.
fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1)).collect()
}

fn lines_of<'a>(text: &'a str, starts: &[usize], place: &Place) -> &'a str {
    let at = |line: u32| starts.get(line as usize).copied().unwrap_or(text.len());
    text.get(at(place.line.saturating_sub(1))..at(place.end_line)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_out_whole() {
        let text = "а\nбв\nг";
        let starts = line_starts(text);
        let cut = |line, end_line| lines_of(text, &starts, &Place { id: 0, line, end_line });
        assert_eq!((cut(1, 1), cut(2, 3), cut(3, 9), cut(7, 9)), ("а\n", "бв\nг", "г", ""));
    }
}
