//! Texts of elements: only what differs is touched.

use std::ops::Range;

use super::layout::Layout;
use super::{EditError, Splice};
use crate::document::Element;
use crate::xml::{NodeKind, escape_text};

/// Sets the text of an element.
pub(super) fn set(layout: &Layout, element: Element<'_>, text: &str) -> Result<Option<Splice>, EditError> {
    holds_text(element)?;
    let old = element.text();
    if *old == *text {
        return Ok(None);
    }
    if element.is_self_closing() {
        let end = element.range().end;
        let text = format!(">{}</{}>", escape_text(text), element.name());
        return Ok(Some(Splice { range: end - 2..end, text }));
    }
    if text.is_empty() && layout.self_closing {
        return Ok(Some(Splice { range: element.start_tag().end - 1..element.range().end, text: "/>".to_owned() }));
    }
    // What both texts begin and end with stays as it is written.
    let start = common(old.chars(), text.chars());
    let end = common(old[start..].chars().rev(), text[start..].chars().rev());
    patch(element, start..old.len() - end, &text[start..text.len() - end]).map(Some)
}

/// Length in bytes of what two texts have in common.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).map(|(c, _)| c.len_utf8()).sum()
}

fn holds_text(element: Element<'_>) -> Result<(), EditError> {
    match element.children().next() {
        Some(_) => Err(EditError::HoldsElements { element: element.full_name() }),
        None => Ok(()),
    }
}

/// Replaces a part of the text of an element; `range` counts bytes of what the text means.
pub(super) fn patch(element: Element<'_>, range: Range<usize>, with: &str) -> Result<Splice, EditError> {
    holds_text(element)?;
    let meant = element.text();
    let outside = EditError::OutOfRange { at: range.start };
    if meant.get(range.clone()).is_none() {
        return Err(outside);
    }
    let tree = element.document().tree();
    let is_plain = tree.children(element.id()).all(|child| tree.kind(child) == NodeKind::Text);
    if element.is_self_closing() || !is_plain {
        // Sections and comments in a text: the platform writes none, so the text is written anew.
        let text = format!("{}{with}{}", &meant[..range.start], &meant[range.end..]);
        if element.is_self_closing() {
            let end = element.range().end;
            let text = format!(">{}</{}>", escape_text(&text), element.name());
            return Ok(Splice { range: end - 2..end, text });
        }
        return Ok(Splice { range: element.inner_range(), text: escape_text(&text).into_owned() });
    }
    let start = element.byte_of_text(range.start).ok_or_else(|| outside.clone())?;
    let end = element.byte_of_text(range.end).ok_or(outside)?;
    let written = &element.document().text()[element.inner_range()];
    let mut text = escape_text(with).into_owned();
    // A text with CR LF keeps them; most have LF inside, whatever stands between elements.
    if written.contains("\r\n") {
        text = text.replace('\n', "\r\n");
    }
    Ok(Splice { range: start..end.max(start), text })
}

/// Larger texts are replaced but for the lines that they begin and end with.
const MAX_TABLE: usize = 1 << 20;

/// The splices that make one text of another and leave lines that are the same.
pub(super) fn lines_that_differ(start: usize, old: &str, new: &str) -> Vec<Splice> {
    let olds: Vec<&str> = old.split_inclusive('\n').collect();
    let news: Vec<&str> = new.split_inclusive('\n').collect();
    let first = olds.iter().zip(&news).take_while(|(old, new)| old == new).count();
    let rest = olds[first..].iter().rev().zip(news[first..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (olds, tail) = olds.split_at(olds.len() - rest);
    let (news, _) = news.split_at(news.len() - rest);
    let (head, olds) = olds.split_at(first);
    let news = &news[first..];
    let mut at = start + head.iter().map(|line| line.len()).sum::<usize>();
    debug_assert_eq!(
        at + olds.iter().chain(tail).map(|line| line.len()).sum::<usize>(),
        start + old.len(),
        "the parts are all of the text"
    );
    let mut found: Vec<Splice> = Vec::new();
    let mut put = |range: Range<usize>, text: &str| match found.last_mut().filter(|last| last.range.end == range.start)
    {
        Some(last) => {
            last.range.end = range.end;
            last.text.push_str(text);
        }
        None => found.push(Splice { range, text: text.to_owned() }),
    };
    if olds.len().saturating_mul(news.len()) > MAX_TABLE {
        let length = olds.iter().map(|line| line.len()).sum::<usize>();
        put(at..at + length, &news.concat());
        return found;
    }
    // Lengths of the longest common runs of the rests.
    let width = news.len() + 1;
    let mut lengths = vec![0_u32; (olds.len() + 1) * width];
    for one in (0..olds.len()).rev() {
        for other in (0..news.len()).rev() {
            lengths[one * width + other] = if olds[one] == news[other] {
                lengths[(one + 1) * width + other + 1] + 1
            } else {
                lengths[(one + 1) * width + other].max(lengths[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    while one < olds.len() || other < news.len() {
        let is_left = one < olds.len();
        if is_left && other < news.len() && olds[one] == news[other] {
            at += olds[one].len();
            one += 1;
            other += 1;
        } else if is_left
            && (other == news.len() || lengths[(one + 1) * width + other] >= lengths[one * width + other + 1])
        {
            put(at..at + olds[one].len(), "");
            at += olds[one].len();
            one += 1;
        } else {
            put(at..at, news[other]);
            other += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::edit::Patch;

    proptest! {
        #[test]
        fn lines_that_are_the_same_stay(old in "([а-в]\n){0,8}[а-в]?", new in "([а-в]\n){0,8}[а-в]?") {
            let splices = lines_that_differ(0, &old, &new);
            for splice in &splices {
                let first = (old[splice.range.clone()].lines().next(), splice.text.lines().next());
                prop_assert!(splice.range.is_empty() || splice.text.is_empty() || first.0 != first.1 || splice.range.end == old.len());
            }
            let (made, _) = Patch::new(splices).unwrap().apply(&old).unwrap();
            prop_assert_eq!(made, new);
        }
    }
}
