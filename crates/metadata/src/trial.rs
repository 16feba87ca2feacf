//! Reading the bytes of one file as if they stood in a dump: how readers are tried with what no dump holds.

use crate::container::is_container;
use crate::intern::Texts;
use crate::model::FileId;
use crate::model::configuration::Format;
use crate::model::module::ModuleKind;
use crate::model::problem::{Language, Problem};
use crate::place::{Layout, Part, Place};
use crate::read::{Bytes, Content, Piece, context, read_file};
use crate::source::{text_of_module, uncover};

/// What reading one file gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// The text of the module that the file holds.
    pub module: Option<Vec<u8>>,
    /// Rules that hold of everything that is read, and don't hold of this: none, or a reader is wrong.
    pub broken: Vec<&'static str>,
}

/// Reads the bytes of a file at that path of a dump, with every reader that gets to see such a file. None if a dump has no such file.
///
/// ```
/// use metascope_metadata::{Format, try_file};
/// let trial = try_file(Format::Designer, "Roles/Р/Ext/Rights.xml", b"<Rights><object>").expect("a file of a dump");
/// assert_eq!((trial.problems.len(), trial.problems[0].line, trial.broken.len()), (1, 1, 0));
/// ```
#[must_use]
pub fn try_file(format: Format, path: &str, bytes: &[u8]) -> Option<Trial> {
    let texts = Texts::default();
    let place = match format {
        Format::Designer => Place::of(path)?,
        Format::Edt => Place::of_edt(path)?,
    };
    let Piece { contents, problems } =
        read_file(format, Layout::Other, path, &Bytes::Here(bytes), context(&texts, FileId(0), &path.into()));
    let mut trial = Trial { problems, ..Trial::default() };
    // What stands in a container has lines of its own.
    let contained = is_container(bytes);
    let lines = if contained { usize::MAX } else { memchr::memchr_iter(b'\n', bytes).count() + 1 };
    for content in &contents {
        check(content, lines, &mut trial.broken);
    }
    let silent = |problem: &Problem| {
        [Language::Russian, Language::English].into_iter().any(|language| problem.message(language).is_empty())
    };
    if trial.problems.iter().any(silent) {
        trial.broken.push("a problem without words");
    }
    if trial.problems.iter().any(|problem| problem.line as usize > lines) {
        trial.broken.push("a problem beyond the end");
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let holds_module = contents.iter().any(|content| {
        matches!(content, Content::OrdinaryForm(_, Some(_)) | Content::Module(_, _, ModuleKind::FormModule, _))
    });
    if holds_module {
        trial.module = text_of_module(name, bytes.to_vec()).ok();
    }
    match &place.part {
        Part::Content(part) if part.starts_with("Help/") => drop(crate::help_text(&String::from_utf8_lossy(bytes))),
        Part::Content(part) if contained && part.starts_with("Template.") => drop(uncover(bytes.to_vec())),
        _ => {}
    }
    Some(trial)
}

/// Adds the rules that something that was read breaks; `lines` is the number of lines of its text.
pub(crate) fn check(content: &Content, lines: usize, broken: &mut Vec<&'static str>) {
    let mut rule = |holds: bool, what: &'static str| {
        if !holds {
            broken.push(what);
        }
    };
    let before = |(place, parent): (usize, Option<u32>)| parent.is_none_or(|parent| (parent as usize) < place);
    let within = |line: u32| line as usize <= lines;
    match content {
        Content::Description(_, read) => {
            let items = read.object.iter().map(|o| &o.items).chain(read.attached.iter().map(|a| &a.items));
            for items in items {
                rule(
                    items.iter().map(|item| item.parent).enumerate().all(before),
                    "a part stands before what holds it",
                );
                rule(items.iter().all(|item| within(item.line)), "a part beyond the end");
            }
            let objects = read.object.iter();
            let numbers = |object: &crate::model::object::Object| {
                object.links.iter().filter_map(|link| link.item).all(|item| (item as usize) < object.items.len())
            };
            rule(objects.clone().all(numbers), "a reference of a part that is not there");
            rule(objects.flat_map(|object| &object.links).all(|link| within(link.line)), "a reference beyond the end");
        }
        Content::Form(form) | Content::OrdinaryForm(form, _) => {
            rule(
                form.items.iter().map(|item| item.parent).enumerate().all(before),
                "an item stands before what holds it",
            );
            let items = form.items.iter().map(|item| item.line);
            let attributes = form.attributes.iter().map(|attribute| attribute.line);
            let commands = form.commands.iter().map(|command| command.line);
            let events = form.events.iter().chain(form.items.iter().flat_map(|item| &item.events));
            let events = events.map(|event| event.line);
            rule(
                items.chain(attributes).chain(commands).chain(events).all(within),
                "something of a form beyond the end",
            );
            rule(form.links.iter().all(|link| within(link.line)), "a reference of a form beyond the end");
        }
        Content::Role(role) => {
            let rights = role.objects.iter().flat_map(|object| &object.rights);
            rule(rights.into_iter().all(|right| within(right.line)), "a right beyond the end");
        }
        Content::Predefined(items) => {
            rule(items.iter().map(|item| item.parent).enumerate().all(before), "an item of a folder before it");
            rule(items.iter().all(|item| within(item.line)), "a predefined item beyond the end");
        }
        Content::Flowchart(chart) => {
            rule(chart.points.iter().all(|point| within(point.line)), "a point of a route beyond the end");
            rule(chart.links.iter().all(|link| within(link.line)), "a reference of a route beyond the end");
        }
        Content::Template(_, template) => {
            rule(template.expressions.iter().all(|e| within(e.line)), "an expression beyond the end");
            rule(template.parts.iter().all(|part| within(part.line)), "an area beyond the end");
        }
        Content::FormLinks(_, _, links) => {
            rule(links.iter().all(|link| within(link.line)), "a reference beyond the end");
        }
        Content::Interface(links) => {
            rule(links.iter().all(|link| within(link.line)), "a reference of an interface beyond the end");
        }
        Content::ExchangePlan(rows) => {
            rule(rows.iter().all(|row| within(row.line)), "a row of an exchange plan beyond the end");
        }
        Content::None | Content::Schedule(..) | Content::Module(..) | Content::Support(_) | Content::Help(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::container::narrow;

    #[test]
    fn files_of_both_formats_and_none() {
        let whole =
            try_file(Format::Edt, "src/Catalogs/А/А.mdo", b"<mdclass:Catalog xmlns:mdclass='u'/>").expect("a file");
        assert_eq!(whole, Trial::default());
        assert_eq!(try_file(Format::Designer, "README.md", b""), None);
        assert_eq!(try_file(Format::Edt, "Catalogs/А.xml", b""), None);
    }

    #[test]
    fn the_module_of_a_container() {
        let form = narrow(&[("form", b"{27}"), ("module", b"A = 1;")]);
        let trial = try_file(Format::Designer, "CommonForms/Ф/Ext/Form.bin", &form).expect("a file");
        assert_eq!(trial.module.as_deref(), Some(&b"A = 1;"[..]));
        let cut = form.get(..60).unwrap_or_default();
        let trial = try_file(Format::Designer, "CommonForms/Ф/Ext/Form.bin", cut).expect("a file");
        assert_eq!((trial.problems.len(), trial.module), (1, None));
    }

    #[test]
    fn what_breaks_a_rule_is_told() {
        let mut form = crate::Form::empty("CommonForm.Ф".into(), None, "Ф".into(), FileId(0));
        form.links.push(crate::Link { item: None, property: "".into(), target: "".into(), value: "".into(), line: 3 });
        let mut broken = Vec::new();
        check(&Content::Form(Box::new(form)), 2, &mut broken);
        assert_eq!(broken, ["a reference of a form beyond the end"]);
    }
}
