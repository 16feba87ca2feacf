//! XML as EDT writes it: two blanks a level, one element a line.

use roxmltree::Node;

/// An element to write.
#[derive(Debug, Clone, Default)]
pub struct El {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// None: `<x/>` if it has no children; an empty text: `<x></x>`.
    pub text: Option<String>,
    pub children: Vec<El>,
}

impl El {
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub fn leaf(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: Some(text.into()), ..Self::default() }
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    pub fn class(self, class: &str) -> Self {
        self.with("xsi:type", class)
    }

    pub fn holding(mut self, children: impl IntoIterator<Item = El>) -> Self {
        self.children.extend(children);
        self
    }

    /// The whole file.
    pub fn document(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        self.write(0, &mut text);
        text
    }

    fn write(&self, depth: usize, to: &mut String) {
        let indent = "  ".repeat(depth);
        to.push_str(&format!("{indent}<{}", self.name));
        for (name, value) in &self.attributes {
            to.push_str(&format!(" {name}=\"{}\"", escaped(value)));
        }
        match (&self.text, self.children.is_empty()) {
            (Some(text), true) => to.push_str(&format!(">{}</{}>\n", escaped(text), self.name)),
            (_, true) => to.push_str("/>\n"),
            (_, false) => {
                to.push_str(">\n");
                self.children.iter().for_each(|child| child.write(depth + 1, to));
                to.push_str(&format!("{indent}</{}>\n", self.name));
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Child elements.
pub fn children<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

/// The first child element of that local name.
pub fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node).find(|c| c.tag_name().name() == name)
}

/// An element's own text.
pub fn text<'a>(node: Node<'a, '_>) -> &'a str {
    node.text().unwrap_or("")
}

/// Text of a child element; empty if there is none.
pub fn word<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    child(node, name).map_or("", |c| text(c).trim())
}

/// `xsi:type` without prefix.
pub fn class<'a>(node: Node<'a, '_>) -> &'a str {
    let class = node.attribute(("http://www.w3.org/2001/XMLSchema-instance", "type")).unwrap_or("");
    class.rsplit_once(':').map_or(class, |(_, local)| local)
}

/// A name in EDT: its first letter, or the abbreviation it begins with, in lower case (`XDTOPackages` -> `xdtoPackages`).
pub fn feature(name: &str) -> String {
    let capitals = name.chars().take_while(char::is_ascii_uppercase).count();
    let lower = if capitals > 1 && capitals < name.len() { capitals - 1 } else { capitals };
    name.chars().enumerate().map(|(i, c)| if i < lower { c.to_ascii_lowercase() } else { c }).collect()
}

/// Settings of data composition: a file of their own in EDT, with their namespace as the default one.
pub fn settings(name: &str, node: Node<'_, '_>) -> El {
    let root = El::new(name)
        .with("xmlns", "http://v8.1c.ru/8.1/data-composition-system/settings")
        .with("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
        .with("xmlns:dcscor", "http://v8.1c.ru/8.1/data-composition-system/core");
    root.holding(children(node).map(inner))
}

fn inner(node: Node<'_, '_>) -> El {
    let is_core = node.tag_name().namespace() == Some("http://v8.1c.ru/8.1/data-composition-system/core");
    let name = node.tag_name().name();
    let mut element = El::new(if is_core { format!("dcscor:{name}") } else { name.to_owned() });
    let written = node.attribute(("http://www.w3.org/2001/XMLSchema-instance", "type"));
    if let Some(class) = written {
        element = element.class(class.strip_prefix("dcsset:").unwrap_or(class));
    }
    element.children = children(node).map(inner).collect();
    element.text = element.children.is_empty().then(|| text(node).to_owned()).filter(|t| !t.is_empty());
    element
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_edt() {
        for (designer, edt) in [("CodeLength", "codeLength"), ("XDTOPackages", "xdtoPackages"), ("RootURL", "rootURL")]
        {
            assert_eq!(feature(designer), edt);
        }
    }

    #[test]
    fn files() {
        let element = El::new("a").with("b", "\"").holding([El::leaf("c", "1 < 2"), El::leaf("d", ""), El::new("e")]);
        assert_eq!(
            element.document(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&quot;\">\n  <c>1 &lt; 2</c>\n  <d></d>\n  <e/>\n</a>\n"
        );
    }
}
