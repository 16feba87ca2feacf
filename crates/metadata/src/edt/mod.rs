//! Projects of 1C:EDT. Each of its formats is translated into the tree that the Designer would have written, with the
//! lines of the file it was read from; the readers of [`crate::designer`] read that tree. So both formats give one model, and
//! what a property means is said once.
//!
//! Translation goes by tables (`data/edt_properties.tsv`, `data/edt_form_properties.tsv`) and by shapes, not by kinds: EDT
//! leaves out what stands at its default, the Designer writes it; EDT repeats an element, the Designer puts a list around.
//! Rights, routes, report schemas and modules are the same files in both formats.

mod description;
mod form;
mod form_items;
mod predefined;
mod schedule;
mod table;
mod values;

use crate::designer::{
    self, Context, exchange_plan, flowchart, form as designer_form, form_attributes, interface, rights,
};
use crate::model::Text;
use crate::model::form::Form;
use crate::model::problem::ProblemKind;
use crate::place::Place;
use crate::read::Content;
use crate::tree::Node;

/// Reads a description (`Catalogs/X/X.mdo`): the object, and everything that the Designer keeps in files beside it.
pub fn describe(context: &mut Context<'_>, source: &str, place: &Place<'_>) -> Vec<Content> {
    let kind = place.kind().map_or("", |kind| kind.en());
    let Some(root) = parse(context, source, kind) else { return Vec::new() };
    let mut contents = Vec::new();
    for (owner, document) in description::documents(&root, place) {
        let place = Place { owner: owner.iter().map(|(k, n)| (*k, n.as_str())).collect(), part: place.part.clone() };
        let name = context.text(&place.full_name());
        let described = designer::description::read(context, &document, &place);
        contents.push(Content::Description(name, Box::new(described)));
    }
    let name = context.text(&place.full_name());
    if let Some(document) = predefined::document(&root) {
        contents.push(Content::Predefined(designer::predefined::read(context, &document, &name)));
    }
    if kind == "ExchangePlan" {
        let document = description::exchange_plan_content(&root);
        contents.push(Content::ExchangePlan(exchange_plan::read(context, &document, &name)));
    }
    contents
}

/// Reads a file beside a description; `file` is its name in a Designer dump, or its own if the Designer has no such file.
pub fn content(context: &mut Context<'_>, source: &str, name: Text, file: &str) -> Content {
    let id = context.file;
    if let Some((_, element)) = interface::FILES.iter().find(|(known, _)| *known == file) {
        let Some(root) = parse(context, source, element) else { return Content::None };
        let document = interface_document(&root);
        return Content::Interface(interface::read(context, &document, element, &name));
    }
    match file {
        "Form.xml" => {
            let Some(root) = parse(context, source, "Form") else { return Content::None };
            let document = form::document(&root);
            let mut form = Form::empty(name, None, context.text(""), id);
            designer_form::read(context, &document, &mut form);
            form.content = Some(id);
            Content::Form(Box::new(form))
        }
        "Rights.xml" => Content::Role(Box::new(rights::read(context, source, name))),
        "Flowchart.xml" => Content::Flowchart(flowchart::read(context, source, name)),
        "Schedule.xml" => {
            let Some(root) = parse(context, source, "Schedule") else { return Content::None };
            Content::Schedule(name, designer::schedule::read(context, &schedule::document(&root)))
        }
        APPEARANCE => {
            let mut links = Vec::new();
            context.root(source, "ConditionalAppearance", |context, xml, _| {
                form_attributes::fields(context, xml, "ConditionalAppearance", "", &mut links);
            });
            Content::FormLinks(name, id, links)
        }
        _ => {
            let mut links = Vec::new();
            context.root(source, "Settings", |context, xml, _| {
                form_attributes::fields(context, xml, "ListSettings", list_of(file).unwrap_or(""), &mut links);
            });
            Content::FormLinks(name, id, links)
        }
    }
}

/// Conditional appearance of a form: a file of its own in EDT.
const APPEARANCE: &str = "ConditionalAppearance.dcssca";

/// True for files of a form that the Designer keeps within the form: conditional appearance, settings of dynamic lists.
pub fn is_part_of_form(file: &str) -> bool {
    file == APPEARANCE || list_of(file).is_some()
}

/// The attribute, a dynamic list, whose settings a file of a form holds.
fn list_of(file: &str) -> Option<&str> {
    let attribute = file.strip_prefix("Attributes/")?.strip_suffix("/ExtInfo/ListSettings.dcss")?;
    (!attribute.contains('/')).then_some(attribute)
}

/// The root element, if it has the name that belongs there; what is wrong is listed.
fn parse(context: &mut Context<'_>, source: &str, name: &str) -> Option<Node> {
    let (root, failure) = Node::parse(source);
    if let Some(failure) = failure {
        context.problem(failure.line, ProblemKind::Malformed(failure.message.as_str().into()));
    } else if root.is_none() {
        context.problem(1, ProblemKind::UnexpectedRoot("(empty file)".into()));
    }
    let root = root?;
    if root.name != name {
        context.problem(root.line, ProblemKind::UnexpectedRoot(root.name.as_str().into()));
        return None;
    }
    Some(root)
}

/// A command interface differs in the spelling of its sections only: what they refer to are texts.
fn interface_document(root: &Node) -> Node {
    let sections =
        root.children.iter().map(|section| Node { name: values::capitalised(&section.name), ..section.clone() });
    Node::new(root.name.clone(), root.line).holding(sections)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::designer::testing::with_context;

    #[test]
    fn sections_of_a_command_interface() {
        let source = "<cmi:CommandInterface xmlns:cmi=\"u\"><commandsVisibility><visibilityFragments>\n\
            <command>Report.О.StandardCommand.Open</command><visible><for><role>Role.Р</role></for></visible></visibilityFragments>\
            </commandsVisibility></cmi:CommandInterface>";
        let (content, problems) =
            with_context(|context| content(context, source, "Subsystem.П".into(), "CommandInterface.xml"));
        assert_eq!(problems, []);
        let Content::Interface(links) = content else { panic!("no links") };
        let rows: Vec<_> = links.iter().map(|l| (&*l.section, &*l.target, l.line)).collect();
        assert_eq!(
            rows,
            [("CommandsVisibility", "Report.О.StandardCommand.Open", 2), ("CommandsVisibility", "Role.Р", 2)]
        );
    }

    #[test]
    fn parts_of_forms_by_their_path() {
        assert!(is_part_of_form("ConditionalAppearance.dcssca"));
        assert!(is_part_of_form("Attributes/Список/ExtInfo/ListSettings.dcss"));
        assert!(!is_part_of_form("Attributes/Список/ExtInfo/SpreadsheetData.mxlx") && !is_part_of_form("Form.xml"));
    }

    #[test]
    fn a_damaged_file_is_listed_and_read_up_to_there() {
        let place = Place::of_edt("src/Enums/В/В.mdo").expect("a place");
        let source = "<mdclass:Enum xmlns:mdclass=\"u\"><name>В</name><enumValues uuid=\"1\"><name>Да</name></enumValues>\n<enumValues></mdclass:Enum>";
        let (contents, problems) = with_context(|context| describe(context, source, &place));
        assert!(matches!(problems.first().map(|p| (&p.kind, p.line)), Some((ProblemKind::Malformed(_), 2))));
        let Some(Content::Description(_, description)) = contents.first() else { panic!("nothing read") };
        assert!(description.object.as_ref().is_some_and(|o| o.items.iter().any(|i| &*i.name == "Да")));
    }
}
