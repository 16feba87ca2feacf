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
