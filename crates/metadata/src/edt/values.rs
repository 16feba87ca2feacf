//! Values of EDT in the Designer's shape, whatever property holds them.

use crate::tree::Node;

/// A name with its first letter in upper case.
pub fn capitalised(name: &str) -> String {
    // Links of choice parameters write it so, everything else `dataPath`.
    if name == "datapath" {
        return "DataPath".to_owned();
    }
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Children in groups of equal name, in the order of their first.
pub fn groups<'n>(children: impl IntoIterator<Item = &'n Node>) -> Vec<(&'n str, Vec<&'n Node>)> {
    let mut groups: Vec<(&str, Vec<&Node>)> = Vec::new();
    for child in children {
        match groups.iter_mut().find(|(name, _)| *name == child.name) {
            Some((_, group)) => group.push(child),
            None => groups.push((&child.name, vec![child])),
        }
    }
    groups
}

/// A property: all elements of its name. `list`: it holds elements even if there is but one.
pub fn property(name: &str, group: &[&Node], list: bool) -> Node {
    let line = group.first().map_or(0, |node| node.line);
    let empty = Node::new(name, line);
    if group.iter().all(|node| is_localized(node)) {
        return empty.holding(localized(group));
    }
    match group {
        [one] if one.child("types").is_some() => empty.holding(types(one)),
        [one] if name.ends_with("ValueType") && one.child("nsUri").is_some() => Node::leaf(name, xdto_type(one), line),
        [one] if !list && one.children.is_empty() && one.class().is_empty() => Node::leaf(name, text(name, one), line),
        [one] if !list && is_value(one) => value(name, one),
        _ => empty.holding(group.iter().map(|node| item(node))),
    }
}

/// The text of an element, in the Designer's words.
fn text(name: &str, node: &Node) -> String {
    let versioned = name.ends_with("CompatibilityMode") && node.text.starts_with(|c: char| c.is_ascii_digit());
    if versioned { format!("Version{}", node.text.trim().replace('.', "_")) } else { node.text.clone() }
}

/// `<key>ru</key><value>…</value>`.
fn is_localized(node: &Node) -> bool {
    node.child("key").is_some() && node.children.iter().all(|c| c.name == "key" || c.name == "value")
}

fn localized<'n>(group: &'n [&'n Node]) -> impl Iterator<Item = Node> + 'n {
    group.iter().flat_map(|node| node.all("key").zip(node.all("value"))).map(|(key, value)| {
        let (lang, content) =
            (Node::leaf("lang", key.text.trim(), key.line), Node::leaf("content", value.text.clone(), value.line));
        Node::new("item", key.line).holding([lang, content])
    })
}

/// A type description: names and qualifiers.
pub fn types(node: &Node) -> Vec<Node> {
    let types = node.all("types").filter(|t| !is_uuid(t.text.trim()));
    let mut all: Vec<Node> = types.map(|t| Node::leaf("Type", t.text.trim(), t.line)).collect();
    let word = |node: &Node, name: &str, otherwise: &str| {
        let word = node.word(name);
        if word.is_empty() { otherwise.to_owned() } else { word.to_owned() }
    };
    let flag = |node: &Node, name: &str, yes: &'static str, no: &'static str| {
        if node.word(name) == "true" { yes } else { no }
    };
    for q in &node.children {
        let new = |name: &str, cells: [(&str, String); 3]| {
            let cells = cells.into_iter().filter(|(name, _)| !name.is_empty());
            Node::new(name, q.line).holding(cells.map(|(name, text)| Node::leaf(name, text, q.line)))
        };
        let none = || ("", String::new());
        match q.name.as_str() {
            "stringQualifiers" | "binaryQualifiers" | "binaryDataQualifiers" => {
                let name = if q.name == "stringQualifiers" { "StringQualifiers" } else { "BinaryDataQualifiers" };
                let fixed = flag(q, "fixed", "Fixed", "Variable").to_owned();
                all.push(new(name, [("Length", word(q, "length", "0")), ("AllowedLength", fixed), none()]));
            }
            "numberQualifiers" => {
                let sign = flag(q, "nonNegative", "Nonnegative", "Any").to_owned();
                let digits = ("Digits", word(q, "precision", "0"));
                let fraction = ("FractionDigits", word(q, "scale", "0"));
                all.push(new("NumberQualifiers", [digits, fraction, ("AllowedSign", sign)]));
            }
            "dateQualifiers" => {
                let fractions = ("DateFractions", word(q, "dateFractions", "DateTime"));
                all.push(new("DateQualifiers", [fractions, none(), none()]));
            }
            _ => {}
        }
    }
    all
}

/// A type that EDT couldn't name.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// A type of XDTO as the Designer writes it; prefixes other than those of the schema and of the platform's core say nothing.
fn xdto_type(node: &Node) -> String {
    let name = node.word("name");
    match node.word("nsUri") {
        "http://www.w3.org/2001/XMLSchema" => format!("xs:{name}"),
        "http://v8.1c.ru/8.1/data/core" => format!("v8:{name}"),
        _ => name.to_owned(),
    }
}

/// True for one value with a class: number, reference, color …
fn is_value(node: &Node) -> bool {
    matches!(
        node.class(),
        "UndefinedValue"
            | "NullValue"
            | "StringValue"
            | "NumberValue"
            | "DateValue"
            | "BooleanValue"
            | "ReferenceValue"
            | "EnumValue"
            | "FixedArrayValue"
            | "ColorValue"
            | "FontValue"
            | "BorderValue"
            | "ColorRef"
            | "ColorDef"
            | "AutoColor"
            | "FontRef"
            | "FontDef"
            | "AutoFont"
            | "DataPath"
            | "MultiLanguageDataPath"
    )
}

/// One value with a class.
pub fn value(name: &str, node: &Node) -> Node {
    let inner = node.child("value");
    let text = inner.map_or("", |v| v.text.as_str());
    let line = inner.map_or(node.line, |v| v.line);
    match node.class() {
        "StringValue" => Node::leaf(name, text, line).with("xsi:type", "xs:string"),
        "NumberValue" | "DateValue" | "ReferenceValue" | "EnumValue" => Node::leaf(name, text, line),
        "BooleanValue" => Node::leaf(name, if text.trim() == "true" { "true" } else { "false" }, line),
        "FixedArrayValue" => Node::new(name, node.line).holding(node.all("values").map(|v| value("Value", v))),
        "ColorValue" | "FontValue" => match inner {
            Some(own) => value(name, own),
            None => Node::new(name, line),
        },
        "ColorRef" => Node::leaf(name, style(node.word("color")), line_of(node, "color")),
        "FontRef" => Node::new(name, line_of(node, "font")).with("ref", style(node.word("font"))),
        "ColorDef" => Node::leaf(name, rgb(node), node.line),
        "AutoColor" => Node::leaf(name, "auto", node.line),
        "DataPath" | "MultiLanguageDataPath" => path_leaf(name, node),
        _ => Node::new(name, node.line),
    }
}

/// A path: its segments joined.
pub fn data_path(node: &Node) -> String {
    let segments: Vec<&str> = node.all("segments").map(|s| s.text.trim()).collect();
    segments.join(".")
}

/// An element with a path, at the line of its text.
pub fn path_leaf(name: &str, node: &Node) -> Node {
    Node::leaf(name, data_path(node), line_of(node, "segments"))
}

/// The line of a child, which holds the text that counts; the element's own if it has none.
pub fn line_of(node: &Node, child: &str) -> u32 {
    node.child(child).map_or(node.line, |child| child.line)
}

/// `Style.Важный` -> `style:Важный`.
fn style(color: &str) -> String {
    color.split_once('.').map_or_else(|| color.to_owned(), |(space, name)| format!("{}:{name}", space.to_lowercase()))
}

fn rgb(node: &Node) -> String {
    let part = |name: &str| node.word(name).parse::<u8>().unwrap_or(0);
    format!("#{:02X}{:02X}{:02X}", part("red"), part("green"), part("blue"))
}

/// An element of a list: a value, a text or a structure.
pub fn item(node: &Node) -> Node {
    if is_value(node) {
        return value("Value", node);
    }
    let mut all = Node::leaf("Item", node.text.clone(), node.line);
    all.children = structure(node);
    all
}

/// The children of a structure. Depth is bounded by the tree's.
pub fn structure(node: &Node) -> Vec<Node> {
    groups(&node.children).into_iter().map(|(name, group)| property(&capitalised(name), &group, false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(name: &str, source: &str, list: bool) -> Node {
        let source = format!("<r xmlns:xsi=\"x\">{source}</r>");
        let root = Node::parse(&source).0.expect("a root");
        let group: Vec<&Node> = root.children.iter().collect();
        property(name, &group, list)
    }

    fn shown(node: &Node) -> String {
        let inner: String = node.children.iter().map(shown).collect();
        format!("<{}>{}{inner}</{}>", node.name, node.text, node.name)
    }

    #[test]
    fn texts_languages_and_lists() {
        let synonym =
            "<synonym><key>ru</key><value>А</value></synonym><synonym><key>en</key><value>B</value></synonym>";
        assert_eq!(
            shown(&translated("Synonym", synonym, false)),
            "<Synonym><item><lang>ru</lang><content>А</content></item><item><lang>en</lang><content>B</content></item></Synonym>"
        );
        assert_eq!(
            shown(&translated("CompatibilityMode", "<a>8.3.21</a>", false)),
            "<CompatibilityMode>Version8_3_21</CompatibilityMode>"
        );
        assert_eq!(shown(&translated("Owners", "<a>Catalog.А</a>", true)), "<Owners><Item>Catalog.А</Item></Owners>");
        assert_eq!(
            shown(&translated("Owners", "<a>B</a><a>C</a>", false)),
            "<Owners><Item>B</Item><Item>C</Item></Owners>"
        );
    }

    #[test]
    fn types_with_qualifiers() {
        let source = "<type><types>Number</types><types>89432067-978f-4e8e-a7dc-cb87badd9341</types>\
            <numberQualifiers><precision>10</precision><nonNegative>true</nonNegative></numberQualifiers></type>";
        assert_eq!(
            shown(&translated("Type", source, false)),
            "<Type><Type>Number</Type><NumberQualifiers><Digits>10</Digits><FractionDigits>0</FractionDigits>\
             <AllowedSign>Nonnegative</AllowedSign></NumberQualifiers></Type>"
        );
    }

    #[test]
    fn values_with_a_class() {
        let one = |source: &str| shown(&translated("V", source, false));
        assert_eq!(one("<v xsi:type=\"core:UndefinedValue\"/>"), "<V></V>");
        assert_eq!(one("<v xsi:type=\"core:BooleanValue\"/>"), "<V>false</V>");
        assert_eq!(
            one("<v xsi:type=\"core:ReferenceValue\"><value>Enum.А.EmptyRef</value></v>"),
            "<V>Enum.А.EmptyRef</V>"
        );
        assert_eq!(one("<v xsi:type=\"core:ColorRef\"><color>Style.Важный</color></v>"), "<V>style:Важный</V>");
        assert_eq!(one("<v xsi:type=\"core:ColorDef\"><red>255</red><blue>1</blue></v>"), "<V>#FF0001</V>");
        let text = translated("V", "<v xsi:type=\"core:StringValue\"><value>Catalog.А</value></v>", false);
        assert_eq!((text.text.as_str(), text.attribute("xsi:type")), ("Catalog.А", Some("xs:string")));
    }

    #[test]
    fn structures() {
        let source = "<choiceParameters><name>Отбор.Вид</name><value xsi:type=\"core:FixedArrayValue\">\
            <values xsi:type=\"core:ReferenceValue\"><value>Enum.А.EnumValue.Б</value></values></value></choiceParameters>";
        assert_eq!(
            shown(&translated("ChoiceParameters", source, true)),
            "<ChoiceParameters><Item><Name>Отбор.Вид</Name><Value><Value>Enum.А.EnumValue.Б</Value></Value></Item></ChoiceParameters>"
        );
    }
}
