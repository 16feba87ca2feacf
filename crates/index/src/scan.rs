//! Literal and regular-expression search: the sources themselves, scanned in parallel.
//!
//! A trigram index would cost 99 MB and still miss what two letters find; reading 80 MB takes a tenth of a second.

use crate::deadline::Tour;
use crate::read::{Index, NameId, Sources};
use crate::{Deadline, Error, Result};
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Largest compiled expression, in bytes.
const LARGEST_EXPRESSION: usize = 4 << 20;
/// Longest pattern, in bytes.
const LONGEST_PATTERN: usize = 4096;
/// Longest snippet, in characters.
const LONGEST_SNIPPET: usize = 240;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The text, or the expression.
    pub text: String,
    /// True for a regular expression (syntax of the `regex` crate: linear time, no look-around).
    pub regex: bool,
    /// True if case matters; otherwise case is folded in Unicode.
    pub case_sensitive: bool,
}

/// Limits of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most hits.
    pub hits: usize,
    /// When it has to stop.
    pub until: Deadline,
}

impl Default for Limits {
    fn default() -> Self {
        Self { hits: 200, until: Deadline::after(Duration::from_secs(10)) }
    }
}

/// A line that holds the pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScanHit {
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// The method around it, or the module's body.
    pub full_name: String,
    /// Number of the method; None outside methods.
    #[serde(skip)]
    pub method: Option<NameId>,
    /// The line, blanks around it taken off.
    pub snippet: String,
}

/// What a scan found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Scan {
    /// Hits by file and line, at most one a line.
    pub hits: Vec<ScanHit>,
    /// Lines that hold the pattern, in all that was scanned.
    pub total: usize,
    /// True if there are more hits than shown.
    pub truncated: bool,
    /// True if time ran out before all files were scanned.
    pub timed_out: bool,
    /// Files that were scanned.
    pub scanned: usize,
    /// All files.
    pub files: usize,
    /// Files that could not be read.
    pub unread: usize,
}

enum Matcher {
    Literal(Box<memchr::memmem::Finder<'static>>),
    Regex(Regex),
}

impl Matcher {
    fn new(pattern: &Pattern) -> Result<Self> {
        if pattern.text.is_empty() {
            return Err(Error::Pattern("empty".to_owned()));
        }
        if pattern.text.len() > LONGEST_PATTERN {
            return Err(Error::Pattern(format!("longer than {LONGEST_PATTERN} bytes")));
        }
        if !pattern.regex && pattern.case_sensitive {
            let finder = memchr::memmem::Finder::new(pattern.text.as_bytes()).into_owned();
            return Ok(Self::Literal(Box::new(finder)));
        }
        let text = if pattern.regex { pattern.text.clone() } else { regex::escape(&pattern.text) };
        let regex = RegexBuilder::new(&text)
            .case_insensitive(!pattern.case_sensitive)
            .multi_line(true)
            .crlf(true)
            .size_limit(LARGEST_EXPRESSION)
            .dfa_size_limit(LARGEST_EXPRESSION)
            .build()
            .map_err(|error| Error::Pattern(error.to_string()))?;
        Ok(Self::Regex(regex))
    }

    /// Byte offset of the first match at or after a place.
    fn find(&self, text: &[u8], from: usize) -> Option<usize> {
        match self {
            Self::Literal(finder) => finder.find(text.get(from..)?).map(|at| from + at),
            Self::Regex(regex) => regex.find_at(text, from).map(|found| found.start()),
        }
    }
}

/// A hit before its method is looked up.
struct Place {
    line: u32,
    column: u32,
    snippet: String,
}

impl Index {
    /// Scans all modules.
    ///
    /// # Errors
    /// [`Error::Pattern`] if the pattern can't be used; otherwise if the index can't be read.
    pub fn scan(&self, pattern: &Pattern, limits: Limits) -> Result<Scan> {
        self.scan_files(pattern, &self.module_files()?, limits)
    }

    /// Scans the modules of a thing: of an object all of its own and its forms', of a method the module that it stands in.
    ///
    /// # Errors
    /// As [`Index::scan`].
    pub fn scan_within(&self, pattern: &Pattern, owner: &str, limits: Limits) -> Result<Scan> {
        let inside = |name: &str, owner: &str| {
            name.strip_prefix(owner).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let names = self.rows("SELECT m.id, n.name FROM module m JOIN names n ON n.id = m.id", [], |row| {
            Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?))
        })?;
        let wanted: FxHashSet<NameId> = names
            .into_iter()
            .filter(|(_, name)| inside(name, owner) || inside(owner, name))
            .map(|(module, _)| module)
            .collect();
        let mut files = self.module_files()?;
        files.retain(|file| wanted.contains(&file.module));
        self.scan_files(pattern, &files, limits)
    }

    fn scan_files(&self, pattern: &Pattern, files: &[Sources], limits: Limits) -> Result<Scan> {
        let matcher = Matcher::new(pattern)?;
        let tour = Tour::new(limits.until);
        let (unread, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found: Vec<Vec<Place>> = files
            .par_iter()
            .map(|file| {
                if !tour.goes_on() {
                    return Vec::new();
                }
                let Ok(text) = metadata::module_text(&file.full_path) else {
                    unread.fetch_add(1, Ordering::Relaxed);
                    return Vec::new();
                };
                let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
                let (places, count) = scan_text(&matcher, text, limits.hits, limits.until);
                total.fetch_add(count, Ordering::Relaxed);
                places
            })
            .collect();
        let total = total.into_inner();
        let mut hits = Vec::new();
        for (file, mut places) in files.iter().zip(found) {
            places.truncate(limits.hits - hits.len());
            if !places.is_empty() {
                self.scan_hits(file, places, &mut hits)?;
            }
        }
        let looked = tour.looked(files.len());
        Ok(Scan {
            truncated: total > hits.len(),
            hits,
            total,
            // A text that was begun may have been left in its middle.
            timed_out: looked.sources < looked.of || limits.until.is_over(),
            scanned: looked.sources,
            files: looked.of,
            unread: unread.into_inner(),
        })
    }

    fn scan_hits(&self, file: &Sources, places: Vec<Place>, hits: &mut Vec<ScanHit>) -> Result<()> {
        let methods = self.methods_of(file.module)?;
        let body = format!("{}.$body", self.full_name(file.module)?);
        for Place { line, column, snippet } in places {
            let before = methods.partition_point(|method| method.line <= line);
            let method = methods.get(..before).and_then(<[_]>::last).filter(|method| line <= method.end_line);
            hits.push(ScanHit {
                file: file.path.clone(),
                line,
                column,
                full_name: method.map_or_else(|| body.clone(), |method| method.full_name.clone()),
                method: method.map(|method| method.id),
                snippet,
            });
        }
        Ok(())
    }
}

/// Lines of a text that match: the first ones, and how many there are.
fn scan_text(matcher: &Matcher, text: &[u8], most: usize, until: Deadline) -> (Vec<Place>, usize) {
    let mut places = Vec::new();
    let (mut count, mut from, mut line, mut counted) = (0, 0, 1_u32, 0);
    while let Some(at) = matcher.find(text, from) {
        count += 1;
        let stop = memchr::memchr(b'\n', text.get(at..).unwrap_or(&[])).map_or(text.len(), |n| at + n);
        if places.len() < most {
            let passed = memchr::memchr_iter(b'\n', text.get(counted..at).unwrap_or(&[])).count();
            line += u32::try_from(passed).unwrap_or(u32::MAX);
            counted = at;
            let start = memchr::memrchr(b'\n', text.get(..at).unwrap_or(&[])).map_or(0, |n| n + 1);
            let before = String::from_utf8_lossy(text.get(start..at).unwrap_or(&[]));
            let whole = String::from_utf8_lossy(text.get(start..stop).unwrap_or(&[]));
            let column = before.chars().count() + 1;
            let snippet = whole.trim().chars().take(LONGEST_SNIPPET).collect();
            places.push(Place { line, column: u32::try_from(column).unwrap_or(u32::MAX), snippet });
        }
        from = stop + 1;
        if from >= text.len() || (count % 1024 == 0 && until.is_over()) {
            break;
        }
    }
    (places, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str, pattern: &str, regex: bool, case_sensitive: bool) -> Vec<(u32, u32, String)> {
        let pattern = Pattern { text: pattern.to_owned(), regex, case_sensitive };
        let matcher = Matcher::new(&pattern).unwrap();
        let (places, count) = scan_text(&matcher, text.as_bytes(), 100, Deadline::NEVER);
        assert_eq!(places.len(), count);
        places.into_iter().map(|p| (p.line, p.column, p.snippet)).collect()
    }

    #[test]
    fn lines_and_columns() {
        let text = "Валюта\r\n\tА = Валюта + Валюта;\r\n\r\nвалюта";
        let hits = places(text, "Валюта", false, true);
        assert_eq!(hits, [(1, 1, "Валюта".to_owned()), (2, 6, "А = Валюта + Валюта;".to_owned())]);
        assert_eq!(places(text, "вАЛюта", false, false).len(), 3);
        assert_eq!(places(text, r"^валюта$", true, false).len(), 2);
        assert_eq!(places(text, "a.c", false, true), []);
    }

    #[test]
    fn patterns_that_can_not_be_used_are_refused_with_a_reason() {
        let refused =
            |text: &str| Matcher::new(&Pattern { text: text.to_owned(), regex: true, case_sensitive: true }).err();
        assert!(refused("").is_some());
        assert!(refused("(").unwrap().to_string().contains("unclosed"));
        assert!(refused(r"(\w{500}){20}").is_some());
        assert!(refused(&"x".repeat(LONGEST_PATTERN + 1)).is_some());
    }

    #[test]
    fn an_empty_match_ends() {
        assert_eq!(places("а\nб\n\nв", "x*", true, true).len(), 4);
    }
}
