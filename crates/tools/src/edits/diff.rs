//! What differs between two texts, for people: lines with their surroundings, and within changed lines the words.

use serde::Serialize;
use similar::algorithms::{Capture, Replace, diff_slices};
use similar::{Algorithm, DiffOp, DiffTag, group_diff_ops};

/// The differences of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileDiff {
    /// Its path.
    pub path: String,
    /// The file is a new one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub creates: bool,
    /// Lines that go.
    pub removed: usize,
    /// Lines that come.
    pub added: usize,
    /// Places, in order.
    pub hunks: Vec<Hunk>,
}

/// A place with its surroundings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hunk {
    /// 1-based first line before, and how many.
    pub old: (usize, usize),
    /// 1-based first line after, and how many.
    pub new: (usize, usize),
    /// The lines.
    pub rows: Vec<Row>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// ` `, `-` or `+`.
    pub sign: char,
    /// Its 1-based number: after the change, for `-` before it.
    pub line: usize,
    /// Its text in pieces, with whether each differs.
    pub parts: Vec<(bool, String)>,
}

impl Row {
    /// The text of the line.
    pub fn text(&self) -> String {
        self.parts.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// Compares two texts; `around` lines are shown around each difference.
pub fn diff(path: &str, before: &str, after: &str, around: usize) -> FileDiff {
    let lines = |text: &str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
    let (old, new) = (lines(before), lines(after));
    let ops = compare(&old, &new);
    let count = |tag: DiffTag, length: fn(&DiffOp) -> usize| -> usize {
        ops.iter().filter(|op| op.tag() == tag || op.tag() == DiffTag::Replace).map(length).sum()
    };
    let removed = count(DiffTag::Delete, |op| op.old_range().len());
    let added = count(DiffTag::Insert, |op| op.new_range().len());
    let hunks = group_diff_ops(ops, around).iter().map(|ops| hunk(ops, &old, &new)).collect();
    FileDiff { path: path.to_owned(), creates: false, removed, added, hunks }
}

/// What leads from one list to the other, in order and without gaps.
pub(crate) fn compare<T: Eq + std::hash::Hash + Ord>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    // `similar` can also move differences to where they read better; places are then not always right.
    let mut hook = Replace::new(Capture::new());
    let compared = diff_slices(Algorithm::Myers, &mut hook, old, new);
    let ops = hook.into_inner().into_ops();
    let (mut from, mut to) = (0, 0);
    let fits = |op: &DiffOp| {
        let (olds, news) = (op.old_range(), op.new_range());
        let fits = (olds.start, news.start) == (from, to)
            && (op.tag() != DiffTag::Equal || old.get(olds.clone()) == new.get(news.clone()));
        (from, to) = (olds.end, news.end);
        fits
    };
    if compared.is_ok() && ops.iter().all(fits) && (from, to) == (old.len(), new.len()) {
        return ops;
    }
    vec![DiffOp::Replace { old_index: 0, old_len: old.len(), new_index: 0, new_len: new.len() }]
}

fn hunk(ops: &[DiffOp], old: &[String], new: &[String]) -> Hunk {
    let mut rows = Vec::new();
    let (mut from, mut to) = ((usize::MAX, 0), (usize::MAX, 0));
    for op in ops {
        let (olds, news) = (op.old_range(), op.new_range());
        from = (from.0.min(olds.start), from.1 + olds.len());
        to = (to.0.min(news.start), to.1 + news.len());
        let (of_old, of_new) = (old.get(olds.clone()).unwrap_or_default(), new.get(news.clone()).unwrap_or_default());
        if op.tag() == DiffTag::Equal {
            rows.extend(news.zip(of_new).map(|(line, text)| Row {
                sign: ' ',
                line: line + 1,
                parts: vec![(false, shown(text))],
            }));
            continue;
        }
        let (old_parts, new_parts) = words(&of_old.concat(), &of_new.concat());
        let row = |sign, line, parts| Row { sign, line: line + 1, parts };
        rows.extend(olds.zip(old_parts).map(|(line, parts)| row('-', line, parts)));
        rows.extend(news.zip(new_parts).map(|(line, parts)| row('+', line, parts)));
    }
    // A place without lines is named by the line before it, as other programs do.
    let place = |(start, count): (usize, usize)| (if count == 0 { start } else { start + 1 }, count);
    Hunk { old: place(from), new: place(to), rows }
}

fn shown(line: &str) -> String {
    line.trim_end_matches('\n').trim_end_matches('\r').trim_start_matches('\u{feff}').to_owned()
}

type Parts = Vec<(bool, String)>;

/// Two texts, line by line in pieces that are the same in both or not.
fn words(old: &str, new: &str) -> (Vec<Parts>, Vec<Parts>) {
    let (old_words, new_words) = (split(old), split(new));
    let ops = compare(&old_words, &new_words);
    let (mut olds, mut news): (Parts, Parts) = Default::default();
    for op in &ops {
        let changed = op.tag() != DiffTag::Equal;
        let piece = |words: &[&str]| (changed, words.concat());
        olds.push(piece(old_words.get(op.old_range()).unwrap_or_default()));
        news.push(piece(new_words.get(op.new_range()).unwrap_or_default()));
    }
    (by_line(&olds), by_line(&news))
}

fn by_line(parts: &[(bool, String)]) -> Vec<Parts> {
    let mut lines: Vec<Parts> = vec![Vec::new()];
    for (changed, text) in parts {
        for piece in text.split_inclusive('\n') {
            let piece_shown = shown(piece);
            if let Some(line) = lines.last_mut().filter(|_| !piece_shown.is_empty()) {
                line.push((*changed, piece_shown));
            }
            if piece.ends_with('\n') {
                lines.push(Vec::new());
            }
        }
    }
    if lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

/// Words, blanks and signs of a text.
fn split(text: &str) -> Vec<&str> {
    let kind = |letter: char| match letter {
        '\n' => 0,
        _ if letter.is_alphanumeric() || letter == '_' => 1,
        _ if letter.is_whitespace() => 2,
        _ => 3,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, letter) in text.char_indices() {
        let now = kind(letter);
        if last.is_some_and(|last| last != now || now == 0 || now == 3) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

impl FileDiff {
    /// As `diff -u` prints it. With `words`, changed lines of the same number are one line with `[-…-]` and `{+…+}` in it.
    pub fn unified(&self, words: bool) -> String {
        let before = if self.creates { "/dev/null" } else { &self.path };
        let mut text = format!("--- {before}\n+++ {}\n", self.path);
        for hunk in &self.hunks {
            let (old, new) = (hunk.old, hunk.new);
            text.push_str(&format!("@@ -{},{} +{},{} @@\n", old.0, old.1, new.0, new.1));
            for row in if words { merged(&hunk.rows) } else { hunk.rows.clone() } {
                text.push(row.sign);
                text.push_str(&row.text());
                text.push('\n');
            }
        }
        text
    }
}

/// Lines that go and come as many are one each.
fn merged(rows: &[Row]) -> Vec<Row> {
    let mut result = Vec::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        let run = |sign: char, from: usize| rows.iter().skip(from).take_while(|row| row.sign == sign).count();
        let removed = run('-', at);
        let added = run('+', at + removed);
        if row.sign != '-' || removed != added {
            let length = if row.sign == '-' { removed + added } else { 1 };
            result.extend(rows.iter().skip(at).take(length).cloned());
            at += length;
            continue;
        }
        let pairs = rows.iter().skip(at).take(removed).zip(rows.iter().skip(at + removed));
        result.extend(pairs.map(|(old, new)| Row { sign: '~', line: new.line, parts: vec![(true, both(old, new))] }));
        at += removed * 2;
    }
    result
}

fn both(old: &Row, new: &Row) -> String {
    let (old, new) = (old.text(), new.text());
    let (old_words, new_words) = (split(&old), split(&new));
    let mut text = String::new();
    for op in compare(&old_words, &new_words) {
        let (gone, came) = (
            old_words.get(op.old_range()).unwrap_or_default().concat(),
            new_words.get(op.new_range()).unwrap_or_default().concat(),
        );
        if op.tag() == DiffTag::Equal {
            text.push_str(&came);
            continue;
        }
        if !gone.is_empty() {
            text.push_str(&format!("[-{gone}-]"));
        }
        if !came.is_empty() {
            text.push_str(&format!("{{+{came}+}}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_words() {
        let before = "\u{feff}А\r\nБ\r\nЦена = Товар.Цена;\r\nВ\r\nГ\r\n";
        let after = "\u{feff}А\r\nБ\r\nЦена = Товар.Скидка;\r\nВ\r\nГ\r\nД\r\n";
        let found = diff("М.bsl", before, after, 1);
        assert_eq!((found.removed, found.added), (1, 2));
        assert_eq!(
            found.unified(false),
            "--- М.bsl\n+++ М.bsl\n@@ -2,4 +2,5 @@\n Б\n-Цена = Товар.Цена;\n+Цена = Товар.Скидка;\n В\n Г\n+Д\n"
        );
        assert!(found.unified(true).contains("~Цена = Товар.[-Цена-]{+Скидка+};\n"), "{}", found.unified(true));
        let row = &found.hunks[0].rows[2];
        let changed: Vec<&str> = row.parts.iter().filter(|(changed, _)| *changed).map(|(_, text)| &**text).collect();
        assert_eq!((row.sign, row.line, changed), ('+', 3, vec!["Скидка"]));
    }

    #[test]
    fn a_new_place_is_named_by_the_line_before_it() {
        let found = diff("М", "а\nб\n", "а\nх\nб\n", 0);
        assert_eq!(found.unified(false), "--- М\n+++ М\n@@ -1,0 +2,1 @@\n+х\n");
        assert!(diff("М", "а", "а", 3).hunks.is_empty());
    }
}
