//! An XML file as a tree with lines: for formats whose order differs from the one that the readers go by.

use crate::xml::{Element, Failure, Xml};

/// An element with everything below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Name without prefix.
    pub name: String,
    /// Attributes as written, with prefixes.
    pub attributes: Vec<(String, String)>,
    /// Own text; empty if it has child elements and nothing but blanks beside them.
    pub text: String,
    /// 1-based line of its start.
    pub line: u32,
    /// Child elements, in file order.
    pub children: Vec<Self>,
}

impl Node {
    /// An element without content.
    pub fn new(name: impl Into<String>, line: u32) -> Self {
        Self { name: name.into(), line, ..Self::default() }
    }

    /// An element with a text.
    pub fn leaf(name: impl Into<String>, text: impl Into<String>, line: u32) -> Self {
        Self { name: name.into(), text: text.into(), line, ..Self::default() }
    }

    /// The same element with an attribute more.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    /// The same element with these children more.
    pub fn holding(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// Reads a file: its root element, and where it stopped being well-formed. What stood before that place is kept.
    pub fn parse(source: &str) -> (Option<Self>, Option<Failure>) {
        let mut xml = Xml::new(source);
        let mut root = None;
        xml.children(|xml, e| {
            let node = Self::read(xml, e);
            root.get_or_insert(node);
        });
        (root, xml.failure().cloned())
    }

    /// Depth is bounded by the cursor.
    fn read(xml: &mut Xml<'_>, e: &Element<'_>) -> Self {
        let mut node = Self::new(e.name(), xml.line());
        node.attributes = e.attributes();
        let mut children = Vec::new();
        node.text = xml.content(|xml, e| children.push(Self::read(xml, e)));
        if !children.is_empty() && node.text.trim().is_empty() {
            node.text = String::new();
        }
        node.children = children;
        node
    }

    /// Value of an attribute, by name with or without prefix.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let local = |key: &str| key.rsplit_once(':').is_some_and(|(_, local)| local == name);
        self.attributes.iter().find(|(key, _)| key == name || local(key)).map(|(_, value)| value.as_str())
    }

    /// What it is an instance of (`xsi:type`), without prefix; empty if it doesn't say.
    pub fn class(&self) -> &str {
        let class = self.attributes.iter().find(|(key, _)| key.ends_with(":type")).map_or("", |(_, value)| value);
        class.rsplit_once(':').map_or(class, |(_, local)| local)
    }

    /// The first child of that name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|c| c.name == name)
    }

    /// Every child of that name.
    pub fn all<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Self> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// The text of a child without surrounding blanks; empty if there is none.
    pub fn word(&self, name: &str) -> &str {
        self.child(name).map_or("", |c| c.text.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_classes_texts_and_lines() {
        let source = "<m:A xmlns:m=\"u\" xmlns:xsi=\"v\" uuid=\"1\">\n  <b xsi:type=\"core:StringValue\">\n    <value>  x &amp; y</value>\n  </b>\n</m:A>";
        let (root, failure) = Node::parse(source);
        let root = root.expect("a root");
        assert_eq!((root.name.as_str(), root.attribute("uuid"), failure), ("A", Some("1"), None));
        let b = root.child("b").expect("a child");
        assert_eq!((b.class(), b.word("value"), b.line, b.text.as_str()), ("StringValue", "x & y", 2, ""));
        assert_eq!(b.child("value").map(|v| v.text.as_str()), Some("  x & y"));
    }

    #[test]
    fn what_stands_before_an_error_is_kept() {
        let (root, failure) = Node::parse("<a>\n<b>1</b>\n<c></d></a>");
        assert_eq!(root.map(|r| r.word("b").to_owned()).as_deref(), Some("1"));
        assert_eq!(failure.map(|f| f.line), Some(3));
        assert_eq!(Node::parse("").0, None);
    }
}
