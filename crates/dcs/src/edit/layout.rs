//! How a document is laid out: line ends, indentation, the form of empty elements.

use crate::document::{Document, Element};
use crate::xml::NodeKind;

/// What new elements of a document look like.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Between elements; empty if they stand in one line.
    pub(super) line_end: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// Empty elements are written as `<a/>`.
    pub(super) self_closing: bool,
}

impl Layout {
    /// As the first elements of the document show it; of the platform's own files if there are none.
    pub(super) fn of(document: &Document) -> Self {
        let first = document.root().and_then(|root| root.children().next());
        let lead = first.and_then(|first| white_space_before(first));
        let (line_end, unit) = match (first, lead) {
            (Some(_), None) => ("", String::new()),
            (Some(_), Some(lead)) => {
                let line_end = match lead {
                    lead if lead.contains("\r\n") => "\r\n",
                    lead if lead.contains('\n') => "\n",
                    _ => "",
                };
                (line_end, lead.rsplit('\n').next().unwrap_or("").to_owned())
            }
            (None, _) => {
                let has_crlf = document.text().contains("\r\n");
                (if has_crlf { "\r\n" } else { "\n" }, "\t".to_owned())
            }
        };
        let is_empty = |element: &Element<'_>| element.inner_range().is_empty();
        let shown = document.root().and_then(|root| root.descendants().skip(1).find(is_empty));
        Self { line_end, unit, self_closing: shown.is_none_or(Element::is_self_closing) }
    }

    /// White space between the beginning of a line and an element.
    pub(super) fn indent_of(&self, element: Element<'_>) -> String {
        indent_before(element)
    }

    /// What stands between an element and a new one inside it, by its children or else by its own indentation.
    pub(super) fn lead_in(&self, parent: Element<'_>, beside: Option<Element<'_>>) -> String {
        match beside.or_else(|| parent.children().next()) {
            Some(child) => match white_space_before(child) {
                // A blank line between two neighbours belongs to them.
                Some(lead) => {
                    let at = lead.rfind('\n').map_or(0, |at| at - usize::from(lead[..at].ends_with('\r')));
                    lead[at..].to_owned()
                }
                None => String::new(),
            },
            None if self.line_end.is_empty() => String::new(),
            None => format!("{}{}{}", self.line_end, self.indent_of(parent), self.unit),
        }
    }

    /// What stands before the end tag of an element that held nothing.
    pub(super) fn tail_of(&self, parent: Element<'_>) -> String {
        if self.line_end.is_empty() { String::new() } else { format!("{}{}", self.line_end, self.indent_of(parent)) }
    }
}

/// White space between the beginning of a line and an element.
pub(super) fn indent_before(element: Element<'_>) -> String {
    let lead = white_space_before(element).unwrap_or("");
    lead.rsplit_once('\n').map_or("", |(_, indent)| indent).to_owned()
}

/// The text right before an element, if it is nothing but white space.
pub(super) fn white_space_before<'d>(element: Element<'d>) -> Option<&'d str> {
    let tree = element.document().tree();
    let before = tree.previous(element.id())?;
    let text = &tree.text()[tree.range(before)];
    (tree.kind(before) == NodeKind::Text && text.trim().is_empty()).then_some(text)
}
