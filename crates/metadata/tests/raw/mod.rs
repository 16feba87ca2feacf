//! What the raw files of a configuration hold, found by another XML library and by the layout of folders alone: what the
//! readers say is confirmed by it.

use roxmltree::{Document, Node};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const KINDS: &str = include_str!("../../data/kinds.tsv");

/// Format of the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Designer,
    Edt,
}

/// The files of one configuration.
pub struct Raw {
    pub side: Side,
    root: PathBuf,
    texts: HashMap<PathBuf, String>,
}

impl Raw {
    /// `root`: the folder of `Configuration.xml`, or the one of `src`.
    pub fn new(side: Side, root: &Path) -> Self {
        Self { side, root: root.to_path_buf(), texts: HashMap::new() }
    }

    fn text(&mut self, path: &str) -> Option<&str> {
        let path = self.root.join(path);
        if !self.texts.contains_key(&path) {
            let text = std::fs::read_to_string(&path).ok()?;
            self.texts.insert(path.clone(), text.trim_start_matches('\u{feff}').to_owned());
        }
        self.texts.get(&path).map(String::as_str)
    }

    /// True if the thing of that full name stands in the files.
    pub fn holds(&mut self, subject: &str) -> bool {
        self.with(subject, "object", |node| node.is_some())
    }

    /// The values of a property of a thing (or of what a kind of fact stands for): every text and name below it. None if the
    /// element isn't there.
    pub fn values(&mut self, subject: &str, kind: &str, what: &str) -> Option<Vec<String>> {
        let side = self.side;
        self.with(subject, kind, |node| values(side, node?, kind, what))
    }

    /// What an item of a form is, and below which item it stands: `InputField in Группа`. None if it isn't there.
    pub fn form_item(&mut self, subject: &str) -> Option<String> {
        let side = self.side;
        self.with(subject, "form item", |node| {
            let node = node?;
            let holder = node.ancestors().skip(1).find(|above| is_item(side, *above)).map_or("", own_name);
            Some(format!("{} in {holder}", element_of(side, node)))
        })
    }

    /// The folder of a thing, and which of the two is meant: its content in a Designer dump, or in a project of EDT.
    fn beside(&self, subject: &str, designer: &str, edt: &str) -> String {
        let words: Vec<&str> = subject.split('.').collect();
        let pairs = words.chunks(2).filter(|pair| pair.len() == 2);
        let path: Vec<String> = pairs.map(|pair| format!("{}/{}", column(pair[0], 5), pair[1])).collect();
        let path = path.join("/");
        if self.side == Side::Edt { format!("src/{path}/{edt}") } else { format!("{path}/Ext/{designer}") }
    }

    /// True if a thing has that file beside its description.
    pub fn has_file(&self, subject: &str, designer: &str, edt: &str) -> bool {
        self.root.join(self.beside(subject, designer, edt)).is_file()
    }

    /// True if a file beside a description (`designer`, `edt`: its name in each format) holds that text or name: within the
    /// elements of the name `within` that hold all of `beside`, if they are named.
    pub fn file_holds(
        &mut self,
        subject: &str,
        files: (&str, &str),
        within: &str,
        beside: &[&str],
        wanted: &str,
    ) -> bool {
        let path = self.beside(subject, files.0, files.1);
        let Some(text) = self.text(&path) else { return false };
        let Ok(document) = Document::parse(text) else { return false };
        let holds = |node: Node<'_, '_>, word: &str| {
            node.descendants().any(|n| {
                // The configuration goes by its name in rights.
                let is = |t: &str| t == word.trim() || (word == "Configuration" && t.starts_with("Configuration."));
                let text = n.is_text() && n.text().is_some_and(|t| is(&t.trim().replace("\r\n", "\n")));
                text || (n.is_element() && n.attribute("name") == Some(word))
            })
        };
        let all = document.descendants().filter(|n| within.is_empty() || same(n.tag_name().name(), within));
        all.filter(|n| beside.iter().all(|word| holds(*n, word))).any(|n| holds(n, wanted))
    }

    /// Calls back with the element of a thing: in its form if the fact is one of a form's content.
    fn with<T>(&mut self, subject: &str, kind: &str, f: impl FnOnce(Option<Node<'_, '_>>) -> T) -> T {
        let words: Vec<&str> = subject.split('.').collect();
        let Some((file, rest)) = self.file(&words, kind) else { return f(None) };
        let side = self.side;
        let Some(text) = self.text(&file) else { return f(None) };
        let Ok(document) = Document::parse(text) else { return f(None) };
        let root = document.root_element();
        let is_form = file.ends_with("Form.form") || file.ends_with("Form.xml");
        let top = if is_form || side == Side::Edt { Some(root) } else { root.first_element_child() };
        let node = top.and_then(|top| descend(side, top, &rest, is_form));
        f(node)
    }

    /// The file that holds a thing, and the words of its name that lead to it within the file.
    fn file<'w>(&self, words: &[&'w str], kind: &str) -> Option<(String, Vec<&'w str>)> {
        if words.first() == Some(&"Configuration") {
            let file = if self.side == Side::Edt { "src/Configuration/Configuration.mdo" } else { "Configuration.xml" };
            return Some((file.to_owned(), Vec::new()));
        }
        let mut path = String::new();
        let mut rest = words;
        let mut name = "";
        while let [word, own, below @ ..] = rest {
            if !path.is_empty() && *word != "Subsystem" {
                break;
            }
            path = format!("{path}{}{}/{own}", if path.is_empty() { "" } else { "/" }, column(word, 5));
            (name, rest) = (own, below);
        }
        let is_common = words.first() == Some(&"CommonForm");
        let described = matches!(kind, "synonym" | "comment" | "uuid") && rest.len() <= 2;
        let form = match rest {
            ["Form", form, below @ ..] => Some((format!("{path}/Forms/{form}"), below)),
            below if is_common => Some((path.clone(), below)),
            _ => None,
        };
        if let Some((folder, below)) = form.filter(|(_, below)| !below.is_empty() || !described) {
            // The object of a common form has properties of its own, beside those of its content.
            let of_content = kind != "object" || !below.is_empty() || !is_common;
            if of_content {
                let file = if self.side == Side::Edt {
                    format!("src/{folder}/Form.form")
                } else {
                    format!("{folder}/Ext/Form.xml")
                };
                return Some((file, below.to_vec()));
            }
        }
        let file = match (self.side, rest) {
            (Side::Edt, _) => format!("src/{path}/{name}.mdo"),
            (Side::Designer, ["Form", form]) => return Some((format!("{path}/Forms/{form}.xml"), Vec::new())),
            (Side::Designer, ["Template", own]) => return Some((format!("{path}/Templates/{own}.xml"), Vec::new())),
            (Side::Designer, _) => format!("{path}.xml"),
        };
        Some((file, rest.to_vec()))
    }
}

/// A cell of the table of kinds, by the English singular.
fn column(kind: &str, index: usize) -> &'static str {
    let row = KINDS.lines().find(|line| line.split('\t').nth(1) == Some(kind));
    row.and_then(|line| line.split('\t').nth(index)).unwrap_or("")
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

fn same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    elements(node).find(|n| same(n.tag_name().name(), name))
}

/// Own name of a part, item or attribute.
fn own_name<'a>(node: Node<'a, '_>) -> &'a str {
    let properties = named(node, "Properties").unwrap_or(node);
    let written = named(properties, "Name").and_then(|n| n.text()).map(str::trim);
    node.attribute("name").or(written).unwrap_or("")
}

/// The element that the words of a name lead to.
fn descend<'a, 'i>(side: Side, top: Node<'a, 'i>, words: &[&str], is_form: bool) -> Option<Node<'a, 'i>> {
    let [kind, name, rest @ ..] = words else { return words.is_empty().then_some(top) };
    let found = if is_form {
        let list = match (*kind, side) {
            ("Item", _) => return top.descendants().find(|n| is_item(side, *n) && own_name(*n) == *name),
            ("Command", Side::Edt) => "formCommands",
            (kind, _) => kind,
        };
        let holder = if side == Side::Edt { top } else { named(top, &format!("{list}s"))? };
        let tag = if side == Side::Edt && list != "formCommands" { format!("{list}s") } else { list.to_owned() };
        elements(holder).find(|n| same(n.tag_name().name(), &tag) && own_name(*n) == *name)?
    } else {
        let holder = if side == Side::Edt { top } else { named(top, "ChildObjects")? };
        let plural = column(kind, 2);
        let tag = if side == Side::Edt { plural } else { *kind };
        elements(holder)
            .find(|n| same(n.tag_name().name(), tag) && (own_name(*n) == *name || n.text() == Some(*name)))?
    };
    // A column: `Attribute.A.table.column`; the table may have dots of its own.
    if is_form && *kind == "Attribute" && !rest.is_empty() {
        let column = rest.last()?;
        return found
            .descendants()
            .find(|n| n.tag_name().name().to_lowercase().starts_with("column") && own_name(*n) == *column);
    }
    descend(side, found, rest, is_form)
}

fn is_item(side: Side, node: Node<'_, '_>) -> bool {
    let tag = node.tag_name().name();
    match side {
        Side::Designer => {
            node.attribute("id").is_some() && !matches!(tag, "Attribute" | "Command" | "Column" | "Parameter")
        }
        Side::Edt => {
            named(node, "id").is_some() && !matches!(tag, "attributes" | "formCommands" | "columns" | "parameters")
        }
    }
}

/// The element that an item is in a Designer dump. EDT has classes with a type, and leaves a type out that is the first of its
/// list; what belongs to another item is an element of its own there, too.
fn element_of(side: Side, node: Node<'_, '_>) -> String {
    let tag = node.tag_name().name();
    if side == Side::Designer {
        return tag.to_owned();
    }
    if tag != "items" {
        let mut letters = tag.chars();
        return letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    }
    let class = node.attributes().find(|a| a.name() == "type").map_or("", |a| a.value());
    let class = class.rsplit_once(':').map_or(class, |(_, local)| local);
    let kind = named(node, "type").and_then(|n| n.text()).map_or("", str::trim);
    match (class, kind) {
        ("Decoration", "") => "PictureDecoration".to_owned(),
        ("Decoration", kind) => format!("{kind}Decoration"),
        ("FormGroup", "") => "ButtonGroup".to_owned(),
        ("Addition", "") => "SearchStringAddition".to_owned(),
        ("FormGroup" | "FormField" | "Addition", kind) => kind.to_owned(),
        (class, _) => class.to_owned(),
    }
}

/// Elements that a property of a thing has. In EDT what a form's item has beyond others stands in `extInfo`.
fn own<'a, 'i>(side: Side, node: Node<'a, 'i>, property: &str) -> Vec<Node<'a, 'i>> {
    let holder = if side == Side::Designer { named(node, "Properties").unwrap_or(node) } else { node };
    let extension = named(node, "extInfo").filter(|_| side == Side::Edt);
    let all = elements(holder).chain(extension.into_iter().flat_map(elements));
    all.filter(|n| same(n.tag_name().name(), property)).collect()
}

fn values(side: Side, node: Node<'_, '_>, kind: &str, what: &str) -> Option<Vec<String>> {
    let edt = side == Side::Edt;
    let tags: Vec<&str> = match kind {
        "synonym" => vec!["Synonym"],
        "title" => vec!["Title"],
        "comment" => vec!["Comment"],
        "required" => vec!["FillChecking"],
        "indexing" => vec!["Indexing"],
        "data path" => vec!["DataPath"],
        "button command" => vec!["CommandName"],
        "type" if what == "values" => vec!["Settings", "itemValueType"],
        "type" if what == "parameter" => vec!["CommandParameterType"],
        "type" => vec!["Type", "valueType", "Source", "CommandParameterType"],
        "handler" if what == "Action" => vec!["Action"],
        "handler" => vec!["Events", "handlers"],
        "uuid" => return node.attribute("uuid").map(|uuid| vec![uuid.to_owned()]),
        "dynamic list" => vec!["Settings", "extInfo"],
        "command" => vec!["Group", "ParameterUseMode"],
        "property" | "reference" => vec![what],
        _ => return None,
    };
    let mut found: Vec<Node<'_, '_>> = tags.iter().flat_map(|tag| own(side, node, tag)).collect();
    if kind == "reference"
        && node.tag_name().name() == "Form"
        && let Some((designer_tag, edt_tag)) = OF_PARTS.iter().find(|(tag, _)| *tag == what)
    {
        // Of attributes and commands, but a reference of the form.
        let tag = if edt { edt_tag } else { designer_tag };
        found = node.descendants().filter(|n| n.tag_name().name() == *tag).collect();
    }
    let found: Vec<Node<'_, '_>> =
        found.into_iter().filter(|n| kind != "handler" || !edt || what == "Action" || event(*n) == what).collect();
    let mut all = Vec::new();
    for element in &found {
        for below in element.descendants().filter(|n| n.is_element() || n.is_text()) {
            if let Some(text) =
                below.text().map(|t| t.trim().replace("\r\n", "\n")).filter(|t| !t.is_empty() && below.is_text())
            {
                all.push(text);
            }
            all.extend(
                below
                    .attributes()
                    .filter(|a| matches!(a.name(), "name" | "from" | "ref" | "table"))
                    .map(|a| a.value().to_owned()),
            );
        }
    }
    (!found.is_empty()).then_some(all)
}

/// Properties of attributes and commands of a form that give references of the form: in a Designer dump, in EDT.
const OF_PARTS: [(&str, &str); 9] = [
    ("UseAlways", "notDefaultUseAlwaysAttributes"),
    ("Save", "settingsSavedData"),
    ("FunctionalOptions", "functionalOptions"),
    ("MainTable", "mainTable"),
    ("AdditionalColumns", "additionalColumns"),
    ("Picture", "picture"),
    ("View", "view"),
    ("Edit", "edit"),
    ("Use", "use"),
];

/// The event of a handler of EDT.
fn event<'a>(node: Node<'a, '_>) -> &'a str {
    named(node, "event").and_then(|e| e.text()).unwrap_or("")
}
