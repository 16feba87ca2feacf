//! What prefixes are bound to, and what that makes of the names of attributes.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Attribute, Binding, ElementData, KNOWN, NsId, Parser, XmlProblemKind, ns};
use crate::xml::escape::unescape;

/// From here on repeated attributes are looked for by hash.
const MANY_ATTRIBUTES: usize = 8;

impl<'t> Parser<'t> {
    pub(super) fn slice(&self, range: &Range<u32>) -> &'t str {
        &self.text[range.start as usize..range.end as usize]
    }

    /// Binds the prefixes that a start tag declares.
    pub(super) fn bind(&mut self, first_attribute: u32) {
        for number in first_attribute as usize..self.attributes.len() {
            let Attribute { name, value, .. } = self.attributes[number].clone();
            let prefix = match self.slice(&name) {
                "xmlns" => name.end..name.end,
                other if other.starts_with("xmlns:") => name.start + 6..name.end,
                _ => continue,
            };
            let uri = unescape(self.slice(&value));
            if uri.is_empty() && !prefix.is_empty() {
                self.problem(name.start as usize..value.end as usize, XmlProblemKind::UnboundPrefix);
            }
            let ns = self.intern(&uri);
            self.bound.entry(self.slice(&prefix)).or_default().push(ns);
            self.bindings.push(Binding { prefix, ns, outer: self.scope });
            self.scope = self.bindings.len() as u32 - 1;
        }
    }

    pub(super) fn intern(&mut self, uri: &str) -> NsId {
        if let Some(&known) = self.interned.get(uri) {
            return known;
        }
        let ns = NsId((KNOWN.len() + self.namespaces.len()) as u32);
        self.namespaces.push(uri.into());
        self.interned.insert(uri.into(), ns);
        ns
    }

    pub(super) fn lookup(&mut self, prefix: &str, place: Range<usize>) -> NsId {
        match self.bound.get(prefix).and_then(|bound| bound.last()) {
            Some(&ns) => ns,
            None if prefix.is_empty() => ns::NONE,
            None if prefix == "xml" => ns::XML,
            None => {
                self.problem(place, XmlProblemKind::UnboundPrefix);
                ns::UNBOUND
            }
        }
    }

    /// Namespaces of the attributes of a start tag; which of them say what the element is.
    pub(super) fn attribute_names(&mut self, element: &mut ElementData) {
        let numbers = element.attributes.start as usize..element.attributes.end as usize;
        let mut seen: FxHashSet<(NsId, &str)> = FxHashSet::default();
        for number in numbers.clone() {
            let Attribute { name, prefix, value, .. } = self.attributes[number].clone();
            let place = name.start as usize..name.end as usize;
            let whole = self.slice(&name);
            let (prefix, local) = whole.split_at(prefix as usize);
            let ns = match prefix.trim_end_matches(':') {
                "" if local == "xmlns" => ns::XMLNS,
                "" => ns::NONE,
                "xmlns" => ns::XMLNS,
                prefix => self.lookup(prefix, place.clone()),
            };
            self.attributes[number].ns = ns;
            let is_repeated = if numbers.len() <= MANY_ATTRIBUTES {
                self.attributes[numbers.start..number]
                    .iter()
                    .any(|other| other.ns == ns && &self.slice(&other.name)[other.prefix as usize..] == local)
            } else {
                !seen.insert((ns, local))
            };
            if is_repeated {
                self.problem(place, XmlProblemKind::RepeatedAttribute);
                continue;
            }
            if ns == ns::XSI && local == "type" {
                self.type_of(element, number as u32, &value);
            } else if ns == ns::XSI && local == "nil" {
                element.nil = matches!(self.slice(&value).trim(), "true" | "1");
            }
        }
    }

    /// `xsi:type="v8:StandardPeriod"`. A prefix that is bound to nothing is a matter of the model, not of XML.
    pub(super) fn type_of(&mut self, element: &mut ElementData, number: u32, value: &Range<u32>) {
        let text = self.slice(value);
        let start = value.start + (text.len() - text.trim_start().len()) as u32;
        let text = text.trim();
        let prefix_length = text.find(':').map_or(0, |colon| colon + 1);
        let prefix = text[..prefix_length].trim_end_matches(':');
        element.type_attribute = number;
        element.type_local = start + prefix_length as u32..start + text.len() as u32;
        element.type_ns = match self.bound.get(prefix).and_then(|bound| bound.last()) {
            Some(&ns) => ns,
            None if prefix.is_empty() => ns::NONE,
            None => ns::UNBOUND,
        };
    }
    pub(super) fn leave_scope(&mut self, outer: u32) {
        while self.scope != outer {
            let Some(binding) = self.bindings.get(self.scope as usize) else { break };
            let prefix = &self.text[binding.prefix.start as usize..binding.prefix.end as usize];
            if let Some(bound) = self.bound.get_mut(prefix) {
                bound.pop();
            }
            self.scope = binding.outer;
        }
    }
}
