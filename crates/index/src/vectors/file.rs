//! The file of vectors beside an index (`index.vectors`): written whole, read in one go, scanned.
//!
//! ```text
//! magic, length of the head, the head as JSON (counts, model, how far the queue came)
//! means          4 x D f32   name texts and body texts of methods, the same of objects
//! name offsets   (rows + 1) u32, then the full names in one run of UTF-8
//! classes        rows u8
//! body starts    (rows + 1) u32: the body vectors of a row
//! scales         one f32 a vector; negative: not computed yet
//! coarse         one D x i8 a vector: the name vectors of all rows, then the body vectors
//! fine           one D x f16 a vector, in the same order; read only for the best rows
//! ```
//!
//! All numbers are little-endian. Vectors are centred (the mean of their class and kind of text taken off) and brought
//! to unit length: texts of one configuration resemble each other, and what all share says nothing of any.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use half::f16;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::cache::{Cache, CacheError, TextHash};
use super::corpus::Class;

const MAGIC: &[u8; 8] = b"MSVECT01";
/// The scale of a vector that is not computed yet.
const MISSING: f32 = -1.0;
/// The mean of fewer vectors says nothing of what they share: it is not taken off.
const FEW: u32 = 16;
/// A head is small; more than this is no file of ours.
const LONGEST_HEAD: u64 = 1 << 16;

/// Why a file of vectors cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// There is none yet.
    #[error("no vectors yet")]
    Missing,
    /// It cannot be written or read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no file of vectors, was cut off, or is of another version.
    #[error("{path} is no file of vectors of this version: {what}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The cache that it is written from.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// What a file of vectors says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Id of the model, its hashes included.
    pub model: String,
    /// SHA-256 of the model's network.
    pub model_sha256: String,
    /// Length of a vector.
    pub dimensions: usize,
    /// Methods and objects.
    pub rows: usize,
    /// Body texts of all rows.
    pub bodies: usize,
    /// Name vectors that are there.
    pub names_done: usize,
    /// Body vectors that are there.
    pub bodies_done: usize,
    /// [`fingerprint`] of the rows.
    pub fingerprint: String,
}

impl Head {
    /// Whether every text has its vector.
    pub fn is_complete(&self) -> bool {
        self.names_done == self.rows && self.bodies_done == self.bodies
    }
}

/// A row of the file: what it stands for, and the hashes of its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Full name as in the contract.
    pub full_name: String,
    /// Method or object.
    pub class: Class,
    /// Hash of its name text.
    pub name: TextHash,
    /// Hashes of its body texts.
    pub bodies: Vec<TextHash>,
}

/// A hash of what the rows are and which texts they have: equal exactly when the file would hold the same.
pub fn fingerprint(rows: &[Row]) -> String {
    let mut hasher = Sha256::new();
    for row in rows {
        hasher.update(row.full_name.as_bytes());
        hasher.update([0, row.class as u8]);
        hasher.update(row.name);
        hasher.update((row.bodies.len() as u64).to_le_bytes());
        row.bodies.iter().for_each(|hash| hasher.update(hash));
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Which mean belongs to a vector.
fn group(class: Class, is_body: bool) -> usize {
    class as usize * 2 + usize::from(is_body)
}

/// Writes the file from what the cache holds; vectors that are missing there are marked as such.
///
/// It is written beside its place and renamed: a reader sees the old file or the new one.
///
/// # Errors
/// The cache cannot be read, or the file not written.
pub fn write(
    path: &Path,
    rows: &[Row],
    cache: &Cache,
    model: (&str, &str),
    dimensions: usize,
) -> Result<Head, FileError> {
    let order: Vec<(usize, &TextHash)> = rows
        .iter()
        .map(|row| (group(row.class, false), &row.name))
        .chain(rows.iter().flat_map(|row| row.bodies.iter().map(|hash| (group(row.class, true), hash))))
        .collect();
    let means = means(&order, cache, dimensions)?;
    let mut scales = Vec::with_capacity(order.len());
    let (mut coarse, mut fine) =
        (Vec::with_capacity(order.len() * dimensions), Vec::with_capacity(order.len() * dimensions * 2));
    for (group, hash) in &order {
        let (centred, is_there) = match (cache.get(hash)?, means.get(*group)) {
            (Some(vector), Some(mean)) if vector.len() == dimensions => {
                (centre(vector.iter().map(|x| x.to_f32()), mean), true)
            }
            _ => (vec![0.0; dimensions], false),
        };
        let scale = centred.iter().fold(0.0_f32, |most, x| most.max(x.abs())) / 127.0;
        let inverse = if scale > 0.0 { scale.recip() } else { 0.0 };
        scales.push(if is_there { scale } else { MISSING });
        coarse.extend(centred.iter().map(|x| (x * inverse).round() as i8 as u8));
        fine.extend(centred.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()));
    }
    let done =
        |range: std::ops::Range<usize>| scales.get(range).unwrap_or_default().iter().filter(|s| **s >= 0.0).count();
    let head = Head {
        model: model.0.to_owned(),
        model_sha256: model.1.to_owned(),
        dimensions,
        rows: rows.len(),
        bodies: order.len() - rows.len(),
        names_done: done(0..rows.len()),
        bodies_done: done(rows.len()..order.len()),
        fingerprint: fingerprint(rows),
    };
    let part = path.with_extension(format!("vectors-{}", std::process::id()));
    let save = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&part)?);
        let json = serde_json::to_vec(&head)?;
        out.write_all(MAGIC)?;
        out.write_all(&(json.len() as u64).to_le_bytes())?;
        out.write_all(&json)?;
        for mean in &means {
            out.write_all(&mean.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())?;
        }
        let mut end = 0_u32;
        out.write_all(&end.to_le_bytes())?;
        for row in rows {
            end += row.full_name.len() as u32;
            out.write_all(&end.to_le_bytes())?;
        }
        for row in rows {
            out.write_all(row.full_name.as_bytes())?;
        }
        out.write_all(&rows.iter().map(|row| row.class as u8).collect::<Vec<u8>>())?;
        let mut end = 0_u32;
        out.write_all(&end.to_le_bytes())?;
        for row in rows {
            end += row.bodies.len() as u32;
            out.write_all(&end.to_le_bytes())?;
        }
        out.write_all(&scales.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())?;
        out.write_all(&coarse)?;
        out.write_all(&fine)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(&part, path)
    };
    save().map_err(|source| {
        let _ = std::fs::remove_file(&part);
        FileError::Io { path: path.to_path_buf(), source }
    })?;
    Ok(head)
}

fn means(order: &[(usize, &TextHash)], cache: &Cache, dimensions: usize) -> Result<Vec<Vec<f32>>, FileError> {
    let mut sums = vec![vec![0.0_f64; dimensions]; 4];
    let mut counts = [0_u32; 4];
    for (group, hash) in order {
        let (Some(vector), Some(sum), Some(count)) = (cache.get(hash)?, sums.get_mut(*group), counts.get_mut(*group))
        else {
            continue;
        };
        *count += 1;
        sum.iter_mut().zip(&vector).for_each(|(sum, x)| *sum += f64::from(x.to_f32()));
    }
    Ok(sums
        .into_iter()
        .zip(counts)
        .map(|(sum, count)| {
            let share = if count < FEW { 0.0 } else { f64::from(count).recip() };
            sum.into_iter().map(|x| (x * share) as f32).collect()
        })
        .collect())
}

/// A vector without its mean, of unit length.
fn centre(vector: impl Iterator<Item = f32>, mean: &[f32]) -> Vec<f32> {
    let mut centred: Vec<f32> = vector.zip(mean).map(|(x, mean)| x - mean).collect();
    let length = centred.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 1e-9 {
        centred.iter_mut().for_each(|x| *x /= length);
    }
    centred
}

/// A row and how near it is to a query: the sum of two cosines, -2 to 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Number of the row.
    pub row: u32,
    /// Cosine of the name text plus the best cosine of the body texts.
    pub score: f32,
}

/// An open file of vectors.
pub struct Vectors {
    head: Head,
    path: PathBuf,
    file: File,
    means: Vec<Vec<f32>>,
    name_ends: Vec<u32>,
    names: String,
    classes: Vec<u8>,
    body_starts: Vec<u32>,
    scales: Vec<f32>,
    coarse: Vec<u8>,
    fine_at: u64,
}

impl Vectors {
    /// What the file says of itself.
    ///
    /// # Errors
    /// [`FileError::Missing`] if there is none.
    pub fn head(path: &Path) -> Result<Head, FileError> {
        Ok(Source::open(path)?.0)
    }

    /// Reads the file, all but the fine vectors.
    ///
    /// # Errors
    /// [`FileError::Missing`] if there is none; a file that was cut or is of another version.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let (head, mut source) = Source::open(path)?;
        let (rows, vectors) = (head.rows, head.rows + head.bodies);
        let means = (0..4).map(|_| source.floats(head.dimensions)).collect::<Result<_, _>>()?;
        let name_ends = source.numbers(rows + 1)?;
        let length = name_ends.last().copied().unwrap_or(0) as usize;
        let names = String::from_utf8(source.bytes(length)?).map_err(|_| source.format("names"))?;
        let classes = source.bytes(rows)?;
        let body_starts = source.numbers(rows + 1)?;
        let scales = source.floats(vectors)?;
        let coarse = source.bytes(vectors * head.dimensions)?;
        let fine_at = source.position;
        let Source { file, path, length, .. } = source;
        if length != fine_at + (vectors * head.dimensions * 2) as u64 {
            return Err(FileError::Format { path, what: "length" });
        }
        Ok(Self { head, path, file, means, name_ends, names, classes, body_starts, scales, coarse, fine_at })
    }

    /// What the file says of itself.
    pub fn about(&self) -> &Head {
        &self.head
    }

    /// The full name of a row; empty for one that is not there.
    pub fn full_name(&self, row: u32) -> &str {
        let row = row as usize;
        match (self.name_ends.get(row), self.name_ends.get(row + 1)) {
            (Some(start), Some(end)) => self.names.get(*start as usize..*end as usize).unwrap_or(""),
            _ => "",
        }
    }

    /// How near every row of a class is to a query, by the coarse vectors, in order of rows.
    /// `wanted` leaves rows out by their full name. Rows without any vector are left out.
    pub fn scan(&self, query: &[f32], class: Class, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Vec<Near> {
        let names = self.prepare(query, group(class, false));
        let bodies = self.prepare(query, group(class, true));
        (0..self.head.rows as u32)
            .filter(|row| self.classes.get(*row as usize) == Some(&(class as u8)) && wanted(self.full_name(*row)))
            .filter_map(|row| {
                let name = self.coarse_cosine(row as usize, &names);
                let body = self.bodies_of(row).filter_map(|at| self.coarse_cosine(at, &bodies)).reduce(f32::max);
                sum_of_cosines(name, body).map(|score| Near { row, score })
            })
            .collect()
    }

    /// How near every other row of a class is to the row of that name, by the coarse vectors. Empty if no row has the name.
    pub fn near_to(&self, full_name: &str, class: Class) -> Vec<Near> {
        let of_class = |row: &u32| self.classes.get(*row as usize) == Some(&(class as u8));
        let rows = || (0..self.head.rows as u32).filter(of_class);
        let Some(own) = rows().find(|row| self.full_name(*row) == full_name) else { return Vec::new() };
        let others = rows().filter(|row| *row != own);
        let near = others.filter_map(|row| {
            let name = self.between(own as usize, row as usize);
            let bodies = self.bodies_of(own).flat_map(|a| self.bodies_of(row).map(move |b| (a, b)));
            let body = bodies.filter_map(|(a, b)| self.between(a, b)).reduce(f32::max);
            sum_of_cosines(name, body).map(|score| Near { row, score })
        });
        near.collect()
    }

    /// The cosine of two coarse vectors; None if one of them is not computed yet.
    fn between(&self, a: usize, b: usize) -> Option<f32> {
        let one = |at: usize| {
            let scale = self.scales.get(at).copied().filter(|scale| *scale >= 0.0)?;
            Some((scale, self.coarse.get(at * self.head.dimensions..(at + 1) * self.head.dimensions)?))
        };
        let ((scale_a, a), (scale_b, b)) = (one(a)?, one(b)?);
        let dot: i32 = a.iter().zip(b).map(|(x, y)| i32::from(*x as i8) * i32::from(*y as i8)).sum();
        Some(dot as f32 * scale_a * scale_b)
    }

    /// Scores rows again by their fine vectors.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn rescore(&mut self, query: &[f32], near: &mut [Near]) -> Result<(), FileError> {
        for near in near {
            let class = if self.classes.get(near.row as usize) == Some(&(Class::Object as u8)) {
                Class::Object
            } else {
                Class::Method
            };
            let name = self.fine_cosine(near.row as usize, query, group(class, false))?;
            let mut body = None;
            for at in self.bodies_of(near.row) {
                let cosine = self.fine_cosine(at, query, group(class, true))?;
                body = [body, cosine].into_iter().flatten().reduce(f32::max);
            }
            near.score = sum_of_cosines(name, body).unwrap_or(near.score);
        }
        Ok(())
    }

    /// Numbers of the body vectors of a row, among all vectors.
    fn bodies_of(&self, row: u32) -> std::ops::Range<usize> {
        let at = |row: usize| self.body_starts.get(row).map_or(0, |start| self.head.rows + *start as usize);
        at(row as usize)..at(row as usize + 1)
    }

    /// The query for a group of vectors, in 16 bits: fine enough, and the product with 8 bits is fast.
    fn prepare(&self, query: &[f32], group: usize) -> (Vec<i16>, f32) {
        let centred = self.means.get(group).map(|mean| centre(query.iter().copied(), mean)).unwrap_or_default();
        let scale = centred.iter().fold(0.0_f32, |most, x| most.max(x.abs())) / 2047.0;
        let inverse = if scale > 0.0 { scale.recip() } else { 0.0 };
        (centred.iter().map(|x| (x * inverse).round() as i16).collect(), scale)
    }

    fn coarse_cosine(&self, at: usize, (query, scale): &(Vec<i16>, f32)) -> Option<f32> {
        let own = self.scales.get(at).copied().filter(|own| *own >= 0.0)?;
        let vector = self.coarse.get(at * self.head.dimensions..(at + 1) * self.head.dimensions)?;
        let dot: i32 = vector.iter().zip(query).map(|(x, q)| i32::from(*x as i8) * i32::from(*q)).sum();
        Some(dot as f32 * own * scale)
    }

    fn fine_cosine(&mut self, at: usize, query: &[f32], group: usize) -> Result<Option<f32>, FileError> {
        if self.scales.get(at).is_none_or(|scale| *scale < 0.0) {
            return Ok(None);
        }
        let Some(mean) = self.means.get(group) else { return Ok(None) };
        let mut bytes = vec![0; self.head.dimensions * 2];
        let place = SeekFrom::Start(self.fine_at + (at * bytes.len()) as u64);
        self.file
            .seek(place)
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(|source| FileError::Io { path: self.path.clone(), source })?;
        let vector = bytes.as_chunks::<2>().0.iter().map(|pair| f16::from_le_bytes(*pair).to_f32());
        Ok(Some(centre(query.iter().copied(), mean).iter().zip(vector).map(|(a, b)| a * b).sum()))
    }
}

/// The sum of both cosines; one that is missing is taken to be like the other.
fn sum_of_cosines(name: Option<f32>, body: Option<f32>) -> Option<f32> {
    match (name, body) {
        (Some(name), Some(body)) => Some(name + body),
        (Some(one), None) | (None, Some(one)) => Some(2.0 * one),
        (None, None) => None,
    }
}

/// A file that is read from front to back, with its length known.
struct Source {
    file: File,
    path: PathBuf,
    length: u64,
    position: u64,
}

impl Source {
    fn open(path: &Path) -> Result<(Head, Self), FileError> {
        let failed = |source: std::io::Error| match source.kind() {
            std::io::ErrorKind::NotFound => FileError::Missing,
            _ => FileError::Io { path: path.to_path_buf(), source },
        };
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut source = Self { file, path: path.to_path_buf(), length, position: 0 };
        if source.bytes(MAGIC.len())? != MAGIC {
            return Err(source.format("magic"));
        }
        let size = source.bytes(8)?.try_into().map_or(u64::MAX, u64::from_le_bytes);
        if size > LONGEST_HEAD {
            return Err(source.format("head"));
        }
        let json = source.bytes(size as usize)?;
        let head = serde_json::from_slice(&json).map_err(|_| source.format("head"))?;
        Ok((head, source))
    }

    fn format(&self, what: &'static str) -> FileError {
        FileError::Format { path: self.path.clone(), what }
    }

    /// A count that a damaged head made up is refused before memory is taken for it.
    fn bytes(&mut self, count: usize) -> Result<Vec<u8>, FileError> {
        if count as u64 > self.length - self.position {
            return Err(self.format("length"));
        }
        let mut bytes = vec![0; count];
        self.file.read_exact(&mut bytes).map_err(|source| FileError::Io { path: self.path.clone(), source })?;
        self.position += count as u64;
        Ok(bytes)
    }

    fn numbers(&mut self, count: usize) -> Result<Vec<u32>, FileError> {
        Ok(self
            .bytes(count.saturating_mul(4))?
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes))
            .collect())
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, FileError> {
        Ok(self
            .bytes(count.saturating_mul(4))?
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::cache::text_hash;
    use super::*;

    const D: usize = 64;

    fn vector(seed: u32) -> Vec<f32> {
        let mut x = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
        let raw: Vec<f32> = (0..D)
            .map(|_| {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (x >> 8) as f32 / (1 << 24) as f32 - 0.3
            })
            .collect();
        let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt();
        raw.into_iter().map(|x| x / length).collect()
    }

    fn row(name: &str, class: Class, bodies: &[&str]) -> Row {
        Row {
            full_name: name.into(),
            class,
            name: text_hash(name),
            bodies: bodies.iter().map(|body| text_hash(body)).collect(),
        }
    }

    fn sample(dir: &Path) -> (PathBuf, Vec<Row>) {
        let mut cache = Cache::open(dir, "m").unwrap();
        let mut rows = Vec::new();
        let mut vectors = Vec::new();
        for number in 0..40_u32 {
            let name = format!("CommonModule.Модуль.Метод{number}");
            let body = format!("тело {number}");
            vectors.push((text_hash(&name), vector(number)));
            vectors.push((text_hash(&body), vector(number + 1000)));
            rows.push(row(&name, Class::Method, &[&body]));
        }
        rows.push(row("Catalog.Валюты", Class::Object, &["a", "b"]));
        vectors.push((text_hash("Catalog.Валюты"), vector(5000)));
        vectors.push((text_hash("b"), vector(5001)));
        rows.push(row("Catalog.Нет", Class::Object, &[]));
        cache.put(&vectors).unwrap();
        let path = dir.join("index.vectors");
        write(&path, &rows, &cache, ("m", "sha"), D).unwrap();
        (path, rows)
    }

    #[test]
    fn what_was_written_is_read_and_counted() {
        let dir = tempfile::tempdir().unwrap();
        let (path, rows) = sample(dir.path());
        let vectors = Vectors::open(&path).unwrap();
        let head = vectors.about();
        assert_eq!((head.rows, head.bodies, head.names_done, head.bodies_done), (42, 42, 41, 41));
        assert!(!head.is_complete());
        for (number, row) in (0..).zip(&rows) {
            assert_eq!(vectors.full_name(number), row.full_name);
        }
        assert_eq!(vectors.full_name(4_000_000), "");
        // The row that has no vector yet is not in the answer; the class keeps methods and objects apart.
        let objects = vectors.scan(&vector(1), Class::Object, &|_| true);
        assert_eq!(objects.iter().map(|near| near.row).collect::<Vec<_>>(), [40]);
        assert_eq!(vectors.scan(&vector(1), Class::Method, &|name| name.ends_with("Метод7")).len(), 1);
    }

    #[test]
    fn coarse_scores_are_near_the_fine_ones() {
        let dir = tempfile::tempdir().unwrap();
        let (path, _) = sample(dir.path());
        let mut vectors = Vectors::open(&path).unwrap();
        for seed in 0..20 {
            let query = vector(seed * 7 + 3);
            let coarse = vectors.scan(&query, Class::Method, &|_| true);
            let mut fine = coarse.clone();
            vectors.rescore(&query, &mut fine).unwrap();
            for (coarse, fine) in coarse.iter().zip(&fine) {
                assert!((coarse.score - fine.score).abs() < 0.03, "{coarse:?} {fine:?}");
                assert!(fine.score.abs() <= 2.01);
            }
        }
    }

    #[test]
    fn a_text_finds_itself() {
        let dir = tempfile::tempdir().unwrap();
        let (path, rows) = sample(dir.path());
        let mut vectors = Vectors::open(&path).unwrap();
        let mut near = vectors.scan(&vector(11), Class::Method, &|_| true);
        vectors.rescore(&vector(11), &mut near).unwrap();
        let best = near.iter().max_by(|a, b| a.score.total_cmp(&b.score)).unwrap();
        assert_eq!(vectors.full_name(best.row), rows[11].full_name);
    }

    #[test]
    fn rows_near_to_a_row() {
        let dir = tempfile::tempdir().unwrap();
        let (path, rows) = sample(dir.path());
        let vectors = Vectors::open(&path).unwrap();
        let near = vectors.near_to(&rows[11].full_name, Class::Method);
        assert_eq!(near.len(), 39, "all methods but itself");
        assert!(near.iter().all(|near| near.row != 11 && near.score.abs() < 2.01));
        // Nearness is mutual.
        let back = vectors.near_to(&rows[near[5].row as usize].full_name, Class::Method);
        let mutual = back.iter().find(|near| near.row == 11).unwrap();
        assert!((mutual.score - near[5].score).abs() < 1e-5);
        assert!(vectors.near_to("CommonModule.Нет", Class::Method).is_empty());
        assert!(vectors.near_to(&rows[11].full_name, Class::Object).is_empty());
    }

    #[test]
    fn a_cut_or_foreign_file_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let (path, _) = sample(dir.path());
        let bytes = std::fs::read(&path).unwrap();
        for length in [0, 5, 12, 200, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(matches!(Vectors::open(&path), Err(FileError::Format { .. })), "{length}");
        }
        std::fs::write(&path, b"SQLite format 3\0 something else").unwrap();
        assert!(matches!(Vectors::open(&path), Err(FileError::Format { what: "magic", .. })));
        let _ = std::fs::remove_file(&path);
        assert!(matches!(Vectors::open(&path), Err(FileError::Missing)));
    }

    #[test]
    fn one_missing_cosine_is_taken_from_the_other() {
        assert_eq!(sum_of_cosines(Some(0.5), Some(0.25)), Some(0.75));
        assert_eq!(sum_of_cosines(Some(0.5), None), Some(1.0));
        assert_eq!(sum_of_cosines(None, None), None);
    }
}
