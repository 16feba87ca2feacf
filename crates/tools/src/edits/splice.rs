//! Changes of a text as splices: pieces that are removed, and what is put in their place.
//!
//! A list of splices knows what it removes, so it refuses another text than it was made for, and its inverse is worked out
//! from it alone.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One piece of a text that becomes another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Byte at which it begins, in the text before the change; a byte order mark counts.
    pub at: usize,
    /// What stands there.
    pub removed: String,
    /// What is to stand there.
    pub inserted: String,
}

/// Splices of one text, in order; none overlaps the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Splices(Vec<Splice>);

/// The text is not the one that the splices were made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the text differs at byte {at} from what was to be changed")]
pub struct Mismatch {
    /// Byte of the first splice that doesn't fit.
    pub at: usize,
}

impl Splice {
    /// The bytes that it takes away, in the text before.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.removed.len()
    }
}

impl Splices {
    /// The splices, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Splice> {
        self.0.iter()
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each splice with the bytes that it takes in the text after the change.
    pub fn placed(&self) -> impl Iterator<Item = (&Splice, Range<usize>)> {
        let mut moved = Shift::default();
        self.0.iter().map(move |splice| {
            let start = moved.of(splice.at);
            moved.add(splice);
            (splice, start..start + splice.inserted.len())
        })
    }

    /// The text after the change.
    ///
    /// # Errors
    /// [`Mismatch`] if what is to be removed doesn't stand there.
    pub fn apply(&self, text: &str) -> Result<String, Mismatch> {
        let mut result = String::with_capacity(text.len());
        let mut copied = 0;
        for splice in &self.0 {
            let range = splice.range();
            let mismatch = Mismatch { at: splice.at };
            if text.get(range.clone()) != Some(&*splice.removed) {
                return Err(mismatch);
            }
            result.push_str(text.get(copied..range.start).ok_or(mismatch)?);
            result.push_str(&splice.inserted);
            copied = range.end;
        }
        result.push_str(text.get(copied..).ok_or(Mismatch { at: copied })?);
        Ok(result)
    }

    /// The change that takes this one back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = |(splice, range): (&Splice, Range<usize>)| Splice {
            at: range.start,
            removed: splice.inserted.clone(),
            inserted: splice.removed.clone(),
        };
        Self(self.placed().map(back).collect())
    }

    /// Changes the order of two changes: `self` and then `second` is the same as the first and then the second of the result.
    /// None if `second` changes, or goes on, what `self` put in: then it can't come first.
    #[must_use]
    pub fn exchange(&self, second: &Self) -> Option<(Self, Self)> {
        let mut firsts = self.placed().peekable();
        let (mut back, mut forth) = (Shift::default(), Shift::default());
        let (mut early, mut late) = (Vec::new(), Vec::new());
        for splice in &second.0 {
            let range = splice.range();
            // What the first change put in before this place stays before it.
            while let Some((first, _)) = firsts.next_if(|(_, placed)| placed.end < range.start) {
                back.add(first);
                late.push(Splice { at: forth.of(first.at), ..first.clone() });
            }
            if firsts.peek().is_some_and(|(_, placed)| placed.start <= range.end) {
                return None;
            }
            let at = back.undone(range.start);
            early.push(Splice { at, ..splice.clone() });
            forth.add(splice);
        }
        late.extend(firsts.map(|(first, _)| Splice { at: forth.of(first.at), ..first.clone() }));
        Some((Self(early), Self(late)))
    }
}

/// How far the bytes behind some splices moved.
#[derive(Clone, Copy, Debug, Default)]
struct Shift {
    removed: usize,
    inserted: usize,
}

impl Shift {
    fn add(&mut self, splice: &Splice) {
        self.removed += splice.removed.len();
        self.inserted += splice.inserted.len();
    }

    fn of(self, at: usize) -> usize {
        (at + self.inserted).saturating_sub(self.removed)
    }

    fn undone(self, at: usize) -> usize {
        (at + self.removed).saturating_sub(self.inserted)
    }
}

/// A text that is being changed, with the splices that lead to it.
#[derive(Clone, Debug)]
pub struct Revision {
    original: String,
    text: String,
    splices: Splices,
}

impl Revision {
    /// A text that nothing was changed of yet.
    pub fn new(original: impl Into<String>) -> Self {
        let original = original.into();
        Self { text: original.clone(), original, splices: Splices::default() }
    }

    /// The text as it was.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The text as it is by now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What leads from the one to the other.
    pub fn splices(&self) -> &Splices {
        &self.splices
    }

    /// Puts a text in place of some bytes of the text as it is by now. What stays the same at both ends is left alone.
    ///
    /// # Errors
    /// [`Mismatch`] if the range is none of the text, or cuts a character.
    pub fn replace(&mut self, range: Range<usize>, new: &str) -> Result<(), Mismatch> {
        let old = self.text.get(range.clone()).ok_or(Mismatch { at: range.start })?;
        let head = common_head(old, new);
        let tail = common_head_of_ends(&old[head..], &new[head..]);
        let range = range.start + head..range.end - tail;
        let new = &new[head..new.len() - tail];
        if range.is_empty() && new.is_empty() {
            return Ok(());
        }
        self.note(range.clone(), new);
        self.text.replace_range(range, new);
        Ok(())
    }

    /// Makes the text another one; what is changed is found line by line.
    pub fn become_text(&mut self, new: &str) {
        let old = self.text.clone();
        let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let starts = |lines: &[&str]| {
            let mut starts = vec![0];
            starts.extend(lines.iter().scan(0, |at, line| {
                *at += line.len();
                Some(*at)
            }));
            starts
        };
        let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
        let ops = super::diff::compare(&old_lines, &new_lines);
        // From the end, so that places before stay where they are.
        for op in ops.iter().rev().filter(|op| op.tag() != similar::DiffTag::Equal) {
            let of = |starts: &[usize], range: Range<usize>| {
                let at = |line: usize| starts.get(line).copied().unwrap_or_default();
                at(range.start)..at(range.end)
            };
            let (from, to) = (of(&old_starts, op.old_range()), of(&new_starts, op.new_range()));
            // Borders of lines are borders of characters: this can't fail.
            let _ = self.replace(from, &new[to]);
        }
    }

    /// Adds a change of the present text to the list, which speaks of the original one.
    fn note(&mut self, range: Range<usize>, new: &str) {
        let mut before = Shift::default();
        let (mut from, mut to) = (0, 0);
        let mut behind = Shift::default();
        let mut touched: Vec<Range<usize>> = Vec::new();
        for (number, (splice, placed)) in self.splices.placed().enumerate() {
            if placed.end < range.start {
                before.add(splice);
                behind = before;
                (from, to) = (number + 1, number + 1);
            } else if placed.start <= range.end {
                behind.add(splice);
                touched.push(placed);
                to = number + 1;
            }
        }
        let first = touched.first().map_or(range.start, |placed| placed.start.min(range.start));
        let last = touched.last().map_or(range.end, |placed| placed.end.max(range.end));
        let (at, end) = (before.undone(first), behind.undone(last));
        let inserted = format!("{}{new}{}", &self.text[first..range.start], &self.text[range.end..last]);
        let removed = self.original[at..end].to_owned();
        let splice = (inserted != removed).then_some(Splice { at, removed, inserted });
        self.splices.0.splice(from..to, splice);
    }
}

/// Bytes, on a border of characters, that two texts begin with alike.
fn common_head(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    same.map(|(letter, _)| letter.len_utf8()).sum()
}

fn common_head_of_ends(a: &str, b: &str) -> usize {
    let same = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b);
    same.map(|(letter, _)| letter.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "[а-в\n ]{0,40}";

    fn cut(text: &str, from: usize, length: usize) -> Range<usize> {
        let mut borders: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        borders.push(text.len());
        let from = from % borders.len();
        borders[from]..borders[(from + length).min(borders.len() - 1)]
    }

    fn changed(text: &str, changes: &[(usize, usize, String)]) -> Revision {
        let mut revision = Revision::new(text);
        for (from, length, new) in changes {
            let range = cut(revision.text(), *from, *length);
            revision.replace(range, new).unwrap();
        }
        revision
    }

    fn changes() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
        prop::collection::vec((0..60_usize, 0..6_usize, "[а-вx]{0,4}"), 0..8)
    }

    proptest! {
        #[test]
        fn splices_lead_there_and_back(text in TEXT, changes in changes()) {
            let revision = changed(&text, &changes);
            prop_assert_eq!(revision.splices().apply(&text).unwrap(), revision.text());
            prop_assert_eq!(revision.splices().inverse().apply(revision.text()).unwrap(), text.as_str());
            let ends: Vec<_> = revision.splices().iter().map(Splice::range).collect();
            prop_assert!(ends.windows(2).all(|two| two[0].end < two[1].start), "{:?}", ends);
        }

        #[test]
        fn exchanged_changes_give_the_same_text(text in TEXT, one in changes(), two in changes()) {
            let first = changed(&text, &one);
            let second = changed(first.text(), &two);
            if let Some((early, late)) = first.splices().exchange(second.splices()) {
                let between = early.apply(&text).unwrap();
                prop_assert_eq!(late.apply(&between).unwrap(), second.text());
            }
        }

        #[test]
        fn any_text_becomes_any_other(text in TEXT, other in TEXT) {
            let mut revision = Revision::new(&*text);
            revision.become_text(&other);
            prop_assert_eq!(revision.text(), &*other);
            prop_assert_eq!(revision.splices().apply(&text).unwrap(), other);
        }
    }

    #[test]
    fn changes_of_different_places_change_their_order() {
        let first = changed("один два три", &[(0, 4, "1".into())]);
        let second = changed(first.text(), &[(6, 3, "3".into())]);
        assert_eq!(second.text(), "1 два 3");
        let (early, late) = first.splices().exchange(second.splices()).unwrap();
        assert_eq!(early.apply("один два три").unwrap(), "один два 3");
        assert_eq!(late.apply("один два 3").unwrap(), "1 два 3");
        let onto = changed(first.text(), &[(0, 1, "2".into())]);
        assert_eq!(first.splices().exchange(onto.splices()), None);
    }

    #[test]
    fn another_text_is_refused() {
        let revision = changed("абв", &[(1, 1, "x".into())]);
        assert_eq!(revision.splices().apply("аав"), Err(Mismatch { at: 2 }));
        assert_eq!(revision.splices().apply("а"), Err(Mismatch { at: 2 }));
        assert_eq!(Revision::new("а").replace(1..2, ""), Err(Mismatch { at: 1 }));
    }
}
