//! Designer XML. One file a format: [`description`] reads every kind of object by the table of kinds; the others read
//! what has a format of its own. Each reader takes a cursor and a [`Context`] and never fails as a whole.

pub mod description;
pub mod exchange_plan;
pub mod flowchart;
pub mod form;
pub mod form_attributes;
#[cfg(test)]
mod fuzz;
pub mod interface;
pub mod ordinary_form;
pub mod predefined;
pub mod properties;
pub mod rights;
pub mod schedule;
pub mod schema;
pub mod spreadsheet;
pub mod template;
pub mod types;

use crate::intern::Texts;
use crate::model::object::Link;
use crate::model::problem::{Problem, ProblemKind};
use crate::model::{FileId, Localized, Text};
use crate::names::is_full_name;
use crate::xml::{Element, Space, Xml};
use std::borrow::Cow;

/// Attributes whose values may refer to something: a font's item of the style, an addressing attribute, a role.
const REFERRING: [&str; 3] = ["ref", "name", "from"];

/// What every reader needs: where it is, shared strings, and a place for problems.
pub struct Context<'a> {
    /// Shared strings.
    pub texts: &'a Texts,
    /// The file.
    pub file: FileId,
    /// Its path relative to the root.
    pub path: Text,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Context<'_> {
    /// Lists a problem of this file.
    pub fn problem(&mut self, line: u32, kind: ProblemKind) {
        self.problems.push(Problem { path: self.path.clone(), line, kind });
    }

    /// The shared copy of a string.
    pub fn text(&self, s: &str) -> Text {
        self.texts.get(s)
    }

    /// The current element's text without surrounding blanks.
    pub fn word(&self, xml: &mut Xml<'_>) -> Text {
        self.texts.get(xml.text().trim())
    }

    /// The current element's localized text (`v8:item` with `v8:lang` and `v8:content`).
    pub fn localized(&self, xml: &mut Xml<'_>) -> Localized {
        self.localized_at(xml, |_, _| {})
    }

    /// The same; each text goes with its line to `seen`, too.
    pub fn localized_at(&self, xml: &mut Xml<'_>, mut seen: impl FnMut(u32, &str)) -> Localized {
        let mut all = Localized::default();
        xml.children(|xml, item| {
            if item.name() == "item" {
                all.0.extend(self.item_at(xml, &mut seen));
            }
        });
        all
    }

    /// One `v8:item`.
    pub fn localized_item(&self, xml: &mut Xml<'_>) -> Option<(Text, Text)> {
        self.item_at(xml, |_, _| {})
    }

    fn item_at(&self, xml: &mut Xml<'_>, mut seen: impl FnMut(u32, &str)) -> Option<(Text, Text)> {
        let (mut language, mut text) = (None, None);
        xml.children(|xml, e| match e.name() {
            "lang" => language = Some(self.word(xml)),
            "content" => {
                let line = xml.line();
                let content = xml.text();
                seen(line, &content);
                text = Some(self.text(&content));
            }
            _ => {}
        });
        Some((language?, text?))
    }

    /// A reference.
    pub fn link(&self, item: Option<u32>, property: &str, target: &str, line: u32) -> Link {
        Link { item, property: self.text(property), target: self.text(target), value: self.text(""), line }
    }

    /// Runs a reader on the root element if it has the name that belongs there, and lists what is wrong otherwise.
    pub fn root<'x>(
        &mut self,
        source: impl Into<Xml<'x>>,
        name: &str,
        read: impl FnOnce(&mut Self, &mut Xml<'x>, &Element<'x>),
    ) {
        let mut xml = source.into();
        let mut read = Some(read);
        let mut found = None;
        xml.children(|xml, root| {
            if root.name() == name {
                if let Some(read) = read.take() {
                    read(self, xml, root);
                }
            } else {
                found.get_or_insert((root.name().to_owned(), xml.line()));
            }
        });
        if let Some(failure) = xml.failure() {
            self.problem(failure.line, ProblemKind::Malformed(failure.message.as_str().into()));
        } else if read.is_some() {
            let (name, line) = found.unwrap_or_else(|| ("(empty file)".to_owned(), 1));
            self.problem(line, ProblemKind::UnexpectedRoot(name.into()));
        }
    }
}

/// What a text of an element refers to: a full name says so itself, `style:Важный` means an item of the style.
pub fn referred<'t>(xml: &Xml<'_>, e: &Element<'_>, text: &'t str) -> Option<Cow<'t, str>> {
    if is_full_name(text) { Some(Cow::Borrowed(text)) } else { style(xml, e, text).map(Cow::Owned) }
}

/// The item of the style that a text of an element means. The platform's own items look the same, and one file doesn't tell
/// which ones the configuration has: who takes the reference asks [`names::may_be_platforms`](crate::names::may_be_platforms).
pub fn style(xml: &Xml<'_>, e: &Element<'_>, text: &str) -> Option<String> {
    let (prefix, name) = text.split_once(':')?;
    let is_name = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name(name) || !is_name(prefix) {
        return None;
    }
    // A tree has no namespaces.
    let is_style = xml.space_at(e, prefix).map_or(prefix == "style", |space| space == Space::Style);
    is_style.then(|| format!("StyleItem.{name}"))
}

/// What the attributes of an element refer to.
pub fn referred_by_attributes(xml: &Xml<'_>, e: &Element<'_>) -> impl Iterator<Item = String> {
    let values = REFERRING.iter().filter_map(|name| e.attribute(name));
    values.filter_map(|value| referred(xml, e, &value).map(Cow::into_owned))
}

/// True for the word `true`.
pub fn is_true(word: &str) -> bool {
    word == "true"
}

#[cfg(test)]
pub mod testing {
    //! Helpers for the readers' tests.

    use super::*;

    /// The namespaces that a Designer file declares at its root, as far as values use them.
    pub const SPACES: &str = concat!(
        r#" xmlns="http://v8.1c.ru/8.3/MDClasses" xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config""#,
        r#" xmlns:v8="http://v8.1c.ru/8.1/data/core" xmlns:xr="http://v8.1c.ru/8.3/xcf/readable""#,
        r#" xmlns:app="http://v8.1c.ru/8.2/managed-application/core""#,
        r#" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#,
    );

    /// So many cases of a property, or as many as `PROPTEST_CASES` says.
    pub fn cases(number: u32) -> proptest::test_runner::Config {
        let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
        proptest::test_runner::Config::with_cases(wanted.unwrap_or(number))
    }

    /// Runs a test with a context; gives what the test gives, and the problems.
    pub fn with_context<T>(f: impl FnOnce(&mut Context<'_>) -> T) -> (T, Vec<Problem>) {
        let texts = Texts::default();
        let mut context = Context { texts: &texts, file: FileId(7), path: "file.xml".into(), problems: Vec::new() };
        let result = f(&mut context);
        (result, context.problems)
    }
}
