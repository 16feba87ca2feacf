//! SEARCH/REPLACE: a piece of a text is found by what it says, and another one is put in its place.
//!
//! A block must match once. It is compared letter by letter; if that finds nothing, without regard to how lines end; then line by
//! line without regard to blanks. Several blocks are each held against the text that those before them left; all are done, or none.
//! What a block doesn't change keeps every byte: line ends are the file's own, and lines that stand in both halves of a block are not
//! written anew.

use std::collections::HashSet;
use std::ops::Range;

use metadata::Language;
use serde_json::{Value, json};

use super::files::line_at;
use super::splice::Revision;
use crate::tool::say;

/// What is looked for, and what is put in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Stands in the text once.
    pub search: String,
    /// Comes in its place; empty: it goes.
    pub replace: String,
}

/// How closely a block matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Letter by letter.
    Exact,
    /// Lines end in another way.
    LineEnds,
    /// Blanks differ.
    Blanks,
}

/// Why blocks can't be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// No block, or half of one.
    #[error("the blocks can't be read: {why}")]
    Malformed {
        /// What is missing.
        why: &'static str,
    },
    /// A block looks for nothing.
    #[error("block {block}: the text to look for is empty")]
    Empty {
        /// Number of the block, from 1.
        block: usize,
    },
    /// A block matches nothing.
    #[error("block {block}: no match")]
    NoMatch {
        /// Number of the block, from 1.
        block: usize,
        /// The lines that come nearest, each with its number.
        near: Vec<String>,
    },
    /// A block matches several times.
    #[error("block {block}: {} matches, at lines {}", lines.len(), list(lines))]
    Several {
        /// Number of the block, from 1.
        block: usize,
        /// 1-based lines at which they begin.
        lines: Vec<u32>,
    },
}

impl PatchError {
    /// A short word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "bad_patch",
            Self::Empty { .. } => "empty_search",
            Self::NoMatch { .. } => "no_match",
            Self::Several { .. } => "several_matches",
        }
    }

    /// The message in the user's language.
    pub fn message(&self, language: Language) -> String {
        if language == Language::English {
            return self.to_string();
        }
        match self {
            Self::Malformed { why } => format!("блоки не читаются: {why}"),
            Self::Empty { block } => format!("блок {block}: искомый текст пуст"),
            Self::NoMatch { block, .. } => format!("блок {block}: совпадений нет"),
            Self::Several { block, lines } => {
                format!("блок {block}: совпадений {}, строки {}", lines.len(), list(lines))
            }
        }
    }

    /// How to mend it.
    pub fn hint(&self, language: Language) -> Option<String> {
        Some(match self {
            Self::Malformed { .. } => "<<<<<<< SEARCH\n…\n=======\n…\n>>>>>>> REPLACE".to_owned(),
            Self::Empty { .. } => say(language, "вставляет propose_insert", "propose_insert inserts").to_owned(),
            Self::NoMatch { near, .. } if near.is_empty() => return None,
            Self::NoMatch { near, .. } => {
                format!("{}:\n{}", say(language, "ближайшее место", "the nearest place"), near.join("\n"))
            }
            Self::Several { .. } => say(
                language,
                "возьмите больше строк вокруг или назовите метод",
                "take more lines around it, or name the method",
            )
            .to_owned(),
        })
    }

    pub(crate) fn details(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::NoMatch { near, .. } => Some(("near", json!(near))),
            Self::Several { lines, .. } => Some(("lines", json!(lines))),
            _ => None,
        }
    }
}

fn list(lines: &[u32]) -> String {
    let more = if lines.len() > 10 { " …" } else { "" };
    lines.iter().take(10).map(ToString::to_string).collect::<Vec<_>>().join(", ") + more
}

/// Reads blocks from a text: each begins at a line `<<<<<<< SEARCH`, is parted by `=======` and ends at `>>>>>>> REPLACE`. What stands
/// between blocks is not read.
///
/// # Errors
/// [`PatchError::Malformed`] if there is none, or one isn't whole.
///
/// ```
/// use metascope_tools::edits::patch;
/// let blocks = patch::parse("<<<<<<< SEARCH\nА = 1;\n=======\nА = 2;\n>>>>>>> REPLACE").unwrap();
/// assert_eq!((&*blocks[0].search, &*blocks[0].replace), ("А = 1;", "А = 2;"));
/// ```
pub fn parse(text: &str) -> Result<Vec<Block>, PatchError> {
    let is = |line: &str, sign: char| line.trim_end().chars().take_while(|&letter| letter == sign).count() >= 5;
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !is(line, '<') {
            continue;
        }
        let mut half = |sign, why| {
            let mut half: Vec<&str> = Vec::new();
            loop {
                match lines.next() {
                    None => return Err(PatchError::Malformed { why }),
                    Some(line) if is(line, sign) => return Ok(half.join("\n")),
                    Some(line) => half.push(line),
                }
            }
        };
        let search = half('=', "=======")?;
        blocks.push(Block { search, replace: half('>', ">>>>>>> REPLACE")? });
    }
    if blocks.is_empty() { Err(PatchError::Malformed { why: "<<<<<<< SEARCH" }) } else { Ok(blocks) }
}

/// Carries blocks out within a range of bytes of the present text; tells how closely each matched.
///
/// # Errors
/// Which block can't be carried out, and why; then nothing is changed.
pub fn apply(revision: &mut Revision, within: Range<usize>, blocks: &[Block]) -> Result<Vec<Level>, PatchError> {
    let mut changed = revision.clone();
    let mut within = within;
    let mut levels = Vec::new();
    for (number, block) in (1..).zip(blocks) {
        if bare(&block.search).is_empty() {
            return Err(PatchError::Empty { block: number });
        }
        let text = changed.text();
        let scope = text.get(within.clone()).unwrap_or_default();
        let found = find(scope, block);
        let (level, range, new) = match found.as_slice() {
            [one] => one.clone(),
            [] => {
                let near = nearest_place(scope, line_at(text, within.start), &block.search);
                return Err(PatchError::NoMatch { block: number, near });
            }
            several => {
                let lines = several.iter().map(|(_, range, _)| line_at(text, within.start + range.start)).collect();
                return Err(PatchError::Several { block: number, lines });
            }
        };
        let before = changed.text().len();
        let moved = within.start + range.start..within.start + range.end;
        // Matches lie on borders of characters.
        if changed.replace(moved, &new).is_err() {
            return Err(PatchError::NoMatch { block: number, near: Vec::new() });
        }
        within.end = (within.end + changed.text().len()).saturating_sub(before);
        levels.push(level);
    }
    *revision = changed;
    Ok(levels)
}

type Match = (Level, Range<usize>, String);

/// All matches of the first level that has any.
fn find(text: &str, block: &Block) -> Vec<Match> {
    let search = block.search.trim_start_matches('\u{feff}');
    let as_written = |level, range: Range<usize>| {
        let mut new = with_line_ends(&block.replace, line_end_at(text, range.start));
        // Lines that were looked for whole are replaced by whole lines.
        if search.ends_with('\n') && !new.is_empty() && !new.ends_with('\n') {
            new.push_str(line_end_at(text, range.start));
        }
        (level, range, new)
    };
    let exact: Vec<Match> = whole_words(text, search).map(|range| as_written(Level::Exact, range)).collect();
    if !exact.is_empty() {
        return exact;
    }
    let (plain, places) = without_returns(text);
    let (wanted, _) = without_returns(search);
    let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
    let line_ends: Vec<Match> = whole_words(&plain, &wanted)
        .map(|range| as_written(Level::LineEnds, place(range.start)..place(range.end)))
        .collect();
    if line_ends.is_empty() { by_lines(text, search, &block.replace) } else { line_ends }
}

/// Where a text stands in another one; not in the middle of a word.
fn whole_words<'a>(text: &'a str, wanted: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let (first, last) = (is_word(wanted.chars().next()), is_word(wanted.chars().next_back()));
    text.match_indices(wanted).map(|(at, found)| at..at + found.len()).filter(move |range| {
        let before = text.get(..range.start).and_then(|before| before.chars().next_back());
        let after = text.get(range.end..).and_then(|after| after.chars().next());
        !(first && is_word(before) || last && is_word(after))
    })
}

/// The text with LF alone, and where each of its bytes begins in the text.
fn without_returns(text: &str) -> (String, Vec<usize>) {
    let mut plain = Vec::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len() + 1);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        places.push(at);
        if byte == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            at += 1;
        }
        plain.push(bytes.get(at).copied().unwrap_or(byte));
        at += 1;
    }
    places.push(text.len());
    // Whole characters are kept, so this is a text.
    (String::from_utf8(plain).unwrap_or_default(), places)
}

/// A text with lines that end as those of a file.
pub(crate) fn with_line_ends(text: &str, end: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    if end == "\n" { plain } else { plain.replace('\n', end) }
}

/// How lines end around a byte: as the line there does; the one before it, if it is the last.
pub(crate) fn line_end_at(text: &str, at: usize) -> &'static str {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let ends = |text: &str, at: usize| if text[..at].ends_with('\r') { "\r\n" } else { "\n" };
    match (after.find('\n'), before.rfind('\n')) {
        // The sign CR may stand before the place already.
        (Some(0), _) => ends(text, at),
        (Some(there), _) => ends(after, there),
        (None, Some(there)) => ends(before, there),
        (None, None) => "\n",
    }
}

/// The line without blanks.
fn bare(line: &str) -> String {
    line.chars().filter(|letter| !letter.is_whitespace() && *letter != '\u{feff}').collect()
}

fn indent(line: &str) -> &str {
    let content = line.trim_start();
    &line[..line.len() - content.len()]
}

/// Lines of a text with their bytes, without their ends and a byte order mark.
fn lines_of(text: &str) -> Vec<Range<usize>> {
    let content = text.trim_start_matches('\u{feff}');
    let mut at = text.len() - content.len();
    let mut lines = Vec::new();
    for line in content.split_inclusive('\n') {
        lines.push(at..at + line.trim_end_matches('\n').trim_end_matches('\r').len());
        at += line.len();
    }
    lines
}

/// Drops empty lines at both ends.
fn trimmed(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let full = |line: &&str| !line.trim().is_empty();
    let first = lines.iter().position(full).unwrap_or(lines.len());
    let last = lines.iter().rposition(full).map_or(first, |last| last + 1);
    lines.get(first..last).unwrap_or_default().to_vec()
}

/// Matches line by line, blanks aside.
fn by_lines(text: &str, search: &str, replace: &str) -> Vec<Match> {
    let wanted = trimmed(search);
    let bare_wanted: Vec<String> = wanted.iter().map(|line| bare(line)).collect();
    let lines = lines_of(text);
    let bare_lines: Vec<String> = lines.iter().map(|line| bare(&text[line.clone()])).collect();
    let mut found = Vec::new();
    for (first, window) in bare_lines.windows(bare_wanted.len().max(1)).enumerate() {
        if window != bare_wanted {
            continue;
        }
        let own: Vec<&str> = lines[first..first + wanted.len()].iter().map(|line| &text[line.clone()]).collect();
        let (Some(start), Some(end)) = (lines.get(first), lines.get(first + wanted.len() - 1)) else { continue };
        let new = rewritten(&own, &wanted, &trimmed(replace)).join(line_end_at(text, start.start));
        // A line that goes takes its end along.
        let end =
            if new.is_empty() { lines.get(first + wanted.len()).map_or(end.end, |next| next.start) } else { end.end };
        found.push((Level::Blanks, start.start..end, new));
    }
    found
}

/// The lines that replace `own`, which `wanted` means and `new` follows from: what stands in both is as it stands in the file, and
/// the rest is indented as the file is.
fn rewritten(own: &[&str], wanted: &[&str], new: &[&str]) -> Vec<String> {
    let indents: Vec<(&str, &str)> = wanted
        .iter()
        .zip(own)
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(line, own)| (indent(line), indent(own)))
        .collect();
    let tabs = own.iter().any(|line| line.starts_with('\t')) || own.iter().all(|line| !line.starts_with(' '));
    let converted = |given: &str| {
        if let Some((_, own)) = indents.iter().find(|(wanted, _)| *wanted == given) {
            return (*own).to_owned();
        }
        let near =
            indents.iter().filter(|(wanted, _)| given.starts_with(wanted)).max_by_key(|(wanted, _)| wanted.len());
        let (known, own) = near.copied().unwrap_or(("", ""));
        let rest = &given[known.len()..];
        let rest = if tabs { rest.replace("    ", "\t") } else { rest.to_owned() };
        format!("{own}{rest}")
    };
    let (old_bare, new_bare): (Vec<String>, Vec<String>) =
        (wanted.iter().map(|line| bare(line)).collect(), new.iter().map(|line| bare(line)).collect());
    let mut lines = Vec::new();
    for op in super::diff::compare(&old_bare, &new_bare) {
        let equal = op.tag() == similar::DiffTag::Equal;
        for (offset, number) in op.new_range().enumerate() {
            let Some(line) = new.get(number) else { continue };
            let kept = equal.then(|| op.old_range().start + offset);
            let kept = kept.and_then(|kept| Some((own.get(kept)?, wanted.get(kept)?)));
            lines.push(match kept {
                Some((own, wanted)) if indent(wanted) == indent(line) => (*own).to_owned(),
                Some((own, _)) => format!("{}{}", converted(indent(line)), own.trim_start()),
                None if line.trim().is_empty() => String::new(),
                None => format!("{}{}", converted(indent(line)), line.trim_start()),
            });
        }
    }
    lines
}

/// Lines shown of the nearest place.
const SHOWN: usize = 14;

/// The lines that have most in common with a text, each with its number.
pub(crate) fn nearest_place(text: &str, first_line: u32, search: &str) -> Vec<String> {
    let words = |text: &str| -> HashSet<String> {
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| word.chars().count() > 1)
            .map(bsl::fold)
            .collect()
    };
    let wanted = trimmed(search);
    let (bare_wanted, words_wanted): (HashSet<String>, HashSet<String>) =
        (wanted.iter().map(|line| bare(line)).filter(|line| line.len() > 2).collect(), words(search));
    let lines: Vec<&str> = text.lines().collect();
    // A line that is there as a whole says more than words of it.
    let scores: Vec<usize> = lines
        .iter()
        .map(|line| {
            let whole = if bare_wanted.contains(&bare(line)) { 10 } else { 0 };
            whole + words(line).intersection(&words_wanted).count()
        })
        .collect();
    let length = wanted.len().clamp(1, lines.len().max(1));
    let mut sum: usize = scores.iter().take(length).sum();
    let (mut best, mut best_at) = (sum, 0);
    for start in 1..=lines.len().saturating_sub(length) {
        sum += scores.get(start + length - 1).copied().unwrap_or(0);
        sum -= scores.get(start - 1).copied().unwrap_or(0);
        if sum > best {
            (best, best_at) = (sum, start);
        }
    }
    if best == 0 {
        return Vec::new();
    }
    let from = best_at.saturating_sub(1);
    let shown = lines.iter().skip(from).take((length + 2).min(SHOWN));
    shown.zip(from..).map(|(line, number)| format!("{}: {line}", first_line as usize + number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn block(search: &str, replace: &str) -> Block {
        Block { search: search.to_owned(), replace: replace.to_owned() }
    }

    fn patched(text: &str, blocks: &[Block]) -> Result<(String, Vec<Level>), PatchError> {
        let mut revision = Revision::new(text);
        let levels = apply(&mut revision, 0..text.len(), blocks)?;
        assert_eq!(revision.splices().apply(text).unwrap(), revision.text());
        Ok((revision.text().to_owned(), levels))
    }

    #[test]
    fn levels_are_tried_one_after_another() {
        let text = "\u{feff}Процедура А()\r\n\tБ = 1;\r\n\tВ = 2;\r\nКонецПроцедуры\r\n";
        let (new, levels) = patched(text, &[block("Б = 1;", "Б = 3;")]).unwrap();
        assert_eq!((new, levels), (text.replace("Б = 1", "Б = 3"), vec![Level::Exact]));
        let (new, levels) = patched(text, &[block("\tБ = 1;\n\tВ = 2;", "\tБ = 1;\n\tГ = 5;\n\tВ = 2;")]).unwrap();
        assert_eq!((new, levels), (text.replace("\tВ", "\tГ = 5;\r\n\tВ"), vec![Level::LineEnds]));
        let (new, levels) = patched(
            text,
            &[block("    Б=1;\n    В=2;", "    Б=1;\n    Если Б Тогда\n        Г = 7;\n    КонецЕсли;\n    В=2;")],
        )
        .unwrap();
        let wanted = text.replace("\tВ", "\tЕсли Б Тогда\r\n\t\tГ = 7;\r\n\tКонецЕсли;\r\n\tВ");
        assert_eq!((new, levels), (wanted, vec![Level::Blanks]));
    }

    #[test]
    fn a_line_that_is_only_indented_anew_keeps_what_it_says() {
        let text = "\tА  =  1;\n\tБ = 2;\n";
        let (new, _) =
            patched(text, &[block("А = 1;\nБ = 2;", "Если Истина Тогда\n    А = 1;\nКонецЕсли;\nБ = 2;")]).unwrap();
        assert_eq!(new, "\tЕсли Истина Тогда\n\t\tА  =  1;\n\tКонецЕсли;\n\tБ = 2;\n");
    }

    #[test]
    fn a_block_sees_what_those_before_it_left_and_all_or_none_are_done() {
        let text = "А = 1;\nБ = 2;\n";
        let (new, _) = patched(text, &[block("А = 1;", "А = 5;"), block("А = 5;\nБ = 2;", "В = 0;")]).unwrap();
        assert_eq!(new, "В = 0;\n");
        let mut revision = Revision::new(text);
        let error = apply(&mut revision, 0..text.len(), &[block("А = 1;", "А = 5;"), block("А = 1;", "")]);
        assert!(matches!(error, Err(PatchError::NoMatch { block: 2, .. })), "{error:?}");
        assert_eq!(revision.text(), text);
    }

    #[test]
    fn errors_say_which_block_how_often_and_where_it_nearly_is() {
        let text = "Процедура А()\n\tЦена = Товар.Цена;\nКонецПроцедуры\nПроцедура Б()\n\tЦена = 0;\nКонецПроцедуры\n";
        let error = patched(text, &[block("КонецПроцедуры", "")]).unwrap_err();
        assert_eq!(error, PatchError::Several { block: 1, lines: vec![3, 6] });
        assert_eq!(error.message(Language::Russian), "блок 1: совпадений 2, строки 3, 6");
        let error = patched(text, &[block("Цена = Товар.Цена * 2;", "")]).unwrap_err();
        let near = ["1: Процедура А()", "2: \tЦена = Товар.Цена;", "3: КонецПроцедуры"].map(str::to_owned).to_vec();
        assert_eq!(error, PatchError::NoMatch { block: 1, near });
        assert_eq!(patched(text, &[block(" \n", "х")]).unwrap_err(), PatchError::Empty { block: 1 });
        let error = patched(text, &[block("ена = 0;", "")]).unwrap_err();
        assert!(matches!(error, PatchError::NoMatch { .. }), "the middle of a word is no match");
        assert!(matches!(patched(text, &[block("zzz", "")]), Err(PatchError::NoMatch { near, .. }) if near.is_empty()));
    }

    #[test]
    fn a_range_bounds_the_search() {
        let text = "А = 1;\nА = 1;\n";
        let mut revision = Revision::new(text);
        let half = text.len() / 2;
        apply(&mut revision, half..text.len(), &[block("А = 1;", "А = 22;"), block("А = 22;", "Б = 3;")]).unwrap();
        assert_eq!(revision.text(), "А = 1;\nБ = 3;\n");
    }

    #[test]
    fn blocks_are_read_from_text() {
        let text = "Вот правка:\n```\n<<<<<<< SEARCH\nа\n\nб\n=======\n>>>>>>> REPLACE\n```\n<<<<<<< SEARCH\nв\n=======\nг\n>>>>>>> REPLACE";
        assert_eq!(parse(text).unwrap(), [block("а\n\nб", ""), block("в", "г")]);
        assert_eq!(parse("<<<<<<< SEARCH\nа\n"), Err(PatchError::Malformed { why: "=======" }));
        assert_eq!(parse("а"), Err(PatchError::Malformed { why: "<<<<<<< SEARCH" }));
    }

    #[test]
    fn whole_lines_are_replaced_by_whole_lines() {
        assert_eq!(patched("а;\r\nб;\r\n", &[block("а;\n", "в;")]).unwrap().0, "в;\r\nб;\r\n");
        assert_eq!(patched("а;\r\nб;\r\n", &[block("а;\n", "")]).unwrap().0, "б;\r\n");
    }

    proptest! {
        /// Whatever stands around a line keeps every byte, however its lines end.
        #[test]
        fn every_other_byte_is_kept(
            before in prop::collection::vec(("[а-г\t ;]{0,8}", prop::bool::ANY), 0..8),
            after in prop::collection::vec(("[а-г\t ;]{0,8}", prop::bool::ANY), 0..8),
            mark in prop::bool::ANY,
            level in 0..3_usize,
        ) {
            let lines = |lines: &[(String, bool)]| -> String {
                lines.iter().map(|(line, crlf)| format!("{line}{}", if *crlf { "\r\n" } else { "\n" })).collect()
            };
            let (before, after) = (lines(&before), lines(&after));
            let before = if mark { format!("\u{feff}{before}") } else { before };
            let text = format!("{before}\tЦель = 1;\r\n\tЕщё();\r\n{after}");
            let search = ["\tЦель = 1;\r\n\tЕщё();", "\tЦель = 1;\n\tЕщё();", "  Цель=1;\n  Ещё( );"][level];
            let (new, levels) = patched(&text, &[block(search, &search.replace('1', "2"))]).unwrap();
            let changed = if level == 2 { "\tЦель=2;\r\n\tЕщё();\r\n" } else { "\tЦель = 2;\r\n\tЕщё();\r\n" };
            prop_assert_eq!(&new, &format!("{before}{changed}{after}"));
            prop_assert_eq!(levels, vec![[Level::Exact, Level::LineEnds, Level::Blanks][level]]);
            let mut revision = Revision::new(&*text);
            revision.become_text(&new);
            prop_assert_eq!(revision.splices().inverse().apply(&new).unwrap(), text);
        }

        #[test]
        fn no_input_fails_otherwise_than_by_an_error(text in "[а-в =\t\r\n]{0,40}", search in "[а-в =\t\r\n]{0,8}", new in "[а-в\r\n]{0,5}") {
            let _ = patched(&text, &[block(&search, &new)]);
        }
    }
}
