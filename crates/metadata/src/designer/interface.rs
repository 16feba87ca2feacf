//! Command interfaces and the home page: `Ext/CommandInterface.xml`, `Ext/MainSectionCommandInterface.xml`,
//! `Ext/HomePageWorkArea.xml`. Only what they refer to is kept.

use super::Context;
use crate::model::Text;
use crate::model::object::InterfaceLink;
use crate::names::is_full_name;
use crate::xml::Xml;

/// The files of this format, and their root elements.
pub const FILES: [(&str, &str); 3] = [
    ("CommandInterface.xml", "CommandInterface"),
    ("MainSectionCommandInterface.xml", "CommandInterface"),
    ("HomePageWorkArea.xml", "HomePageWorkArea"),
];

/// Reads the references of the subsystem (or configuration) of that full name.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, root: &str, owner: &Text) -> Vec<InterfaceLink> {
    let mut all = Vec::new();
    context.root(source, root, |context, xml, _| {
        xml.children(|xml, section| {
            let section = context.text(if root == "HomePageWorkArea" { "HomePage" } else { section.name() });
            walk(context, xml, owner, &section, &mut all);
        });
    });
    all
}

fn walk(context: &Context<'_>, xml: &mut Xml<'_>, owner: &Text, section: &Text, all: &mut Vec<InterfaceLink>) {
    let line = xml.line();
    let text = xml.content(|xml, e| {
        if let Some(name) = e.attribute("name").filter(|n| is_full_name(n)) {
            let line = xml.line();
            push(context, owner, section, &name, line, all);
        }
        walk(context, xml, owner, section, all);
    });
    if is_full_name(text.trim()) {
        push(context, owner, section, text.trim(), line, all);
    }
}

fn push(context: &Context<'_>, owner: &Text, section: &Text, target: &str, line: u32, all: &mut Vec<InterfaceLink>) {
    all.push(InterfaceLink {
        owner: owner.clone(),
        section: section.clone(),
        target: context.text(target),
        file: context.file,
        line,
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn commands_subsystems_and_removed_ones() {
        let source = "<CommandInterface xmlns:xr=\"u\"><CommandsVisibility>\n<Command name=\"Catalog.А.StandardCommand.OpenList\">\
            <Visibility><xr:Common>false</xr:Common></Visibility></Command></CommandsVisibility><SubsystemsOrder>\
            <Subsystem>4891325a-d40a-4a41-8e2a-55a0e57908e0</Subsystem><Subsystem>Subsystem.Б</Subsystem></SubsystemsOrder></CommandInterface>";
        let (all, problems) = with_context(|context| read(context, source, "CommandInterface", &"Subsystem.П".into()));
        assert_eq!(problems, []);
        let rows: Vec<_> = all.iter().map(|l| (&*l.section, &*l.target, l.line)).collect();
        assert_eq!(
            rows,
            [("CommandsVisibility", "Catalog.А.StandardCommand.OpenList", 2), ("SubsystemsOrder", "Subsystem.Б", 2)]
        );
    }
}
