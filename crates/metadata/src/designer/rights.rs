//! Rights of a role: `Ext/Rights.xml`. A right may hold several restrictions, a restriction several fields.

use super::{Context, is_true};
use crate::model::Text;
use crate::model::role::{ObjectRights, Restriction, RestrictionTemplate, Right, Role};
use crate::xml::Xml;

/// Reads the rights of the role of that full name.
pub fn read<'x>(context: &mut Context<'_>, source: impl Into<Xml<'x>>, full_name: Text) -> Role {
    let mut role = Role {
        full_name,
        file: context.file,
        set_for_new_objects: false,
        set_for_attributes_by_default: false,
        independent_rights_of_child_objects: false,
        objects: Vec::new(),
        templates: Vec::new(),
    };
    context.root(source, "Rights", |context, xml, _| {
        xml.children(|xml, e| match e.name() {
            "setForNewObjects" => role.set_for_new_objects = is_true(&context.word(xml)),
            "setForAttributesByDefault" => role.set_for_attributes_by_default = is_true(&context.word(xml)),
            "independentRightsOfChildObjects" => {
                role.independent_rights_of_child_objects = is_true(&context.word(xml));
            }
            "object" => role.objects.push(object(context, xml)),
            "restrictionTemplate" => role.templates.push(template(context, xml)),
            _ => {}
        });
    });
    role
}

fn object(context: &Context<'_>, xml: &mut Xml<'_>) -> ObjectRights {
    let mut object = ObjectRights { object: context.text(""), line: xml.line(), rights: Vec::new() };
    xml.children(|xml, e| match e.name() {
        "name" => {
            object.line = xml.line();
            object.object = object_name(context, &context.word(xml));
        }
        "right" => object.rights.push(right(context, xml)),
        _ => {}
    });
    object
}

/// Rights to the configuration itself carry its name (`Configuration.X`); there is only one.
fn object_name(context: &Context<'_>, written: &Text) -> Text {
    if written.starts_with("Configuration.") { context.text("Configuration") } else { written.clone() }
}

fn right(context: &Context<'_>, xml: &mut Xml<'_>) -> Right {
    let mut right = Right { name: context.text(""), value: false, restrictions: Vec::new(), line: xml.line() };
    xml.children(|xml, e| match e.name() {
        "name" => right.name = context.word(xml),
        "value" => right.value = is_true(&context.word(xml)),
        "restrictionByCondition" => {
            let (fields, field_lines) = (Vec::new(), Vec::new());
            let mut restriction = Restriction { fields, field_lines, condition: context.text(""), line: xml.line() };
            xml.children(|xml, e| match e.name() {
                "field" => {
                    restriction.field_lines.push(xml.line());
                    restriction.fields.push(context.word(xml));
                }
                "condition" => {
                    restriction.line = xml.line();
                    restriction.condition = context.text(&xml.text());
                }
                _ => {}
            });
            right.restrictions.push(restriction);
        }
        _ => {}
    });
    right
}

fn template(context: &Context<'_>, xml: &mut Xml<'_>) -> RestrictionTemplate {
    let mut template = RestrictionTemplate { name: context.text(""), condition: context.text(""), line: xml.line() };
    xml.children(|xml, e| match e.name() {
        "name" => template.name = context.word(xml),
        "condition" => {
            template.line = xml.line();
            template.condition = context.text(&xml.text());
        }
        _ => {}
    });
    template
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_context;
    use super::*;

    #[test]
    fn rights_restrictions_and_templates() {
        let source = "<Rights xmlns=\"http://v8.1c.ru/8.2/roles\"><setForNewObjects>true</setForNewObjects>\n<object><name>Configuration.Х</name>\
            <right><name>ThinClient</name><value>true</value></right></object>\n<object><name>Catalog.Т</name><right><name>Read</name><value>true</value>\
            <restrictionByCondition><field>Код</field><field>Имя</field><condition>ГДЕ А &lt;&gt; Б</condition></restrictionByCondition>\
            <restrictionByCondition>\n<condition>#ДляОбъекта(\"\")</condition></restrictionByCondition></right></object>\
            <restrictionTemplate><name>ДляОбъекта(М)</name><condition>ГДЕ ИСТИНА</condition></restrictionTemplate></Rights>";
        let (role, problems) = with_context(|context| read(context, source, "Role.Р".into()));
        assert_eq!(problems, []);
        assert!(role.set_for_new_objects && !role.set_for_attributes_by_default);
        assert_eq!(role.objects.iter().map(|o| &*o.object).collect::<Vec<_>>(), ["Configuration", "Catalog.Т"]);
        let source = "<Rights><object>\n<name>Catalog.Т</name></object></Rights>";
        let (other, _) = with_context(|context| read(context, source, "Role.Р".into()));
        assert_eq!(other.objects[0].line, 2, "the line of the name");
        assert_eq!(role.objects[1].rights[0].restrictions[0].field_lines, [3, 3]);
        let right = role.objects[1].rights.first().expect("a right");
        let restrictions: Vec<_> = right.restrictions.iter().map(|r| (r.fields.len(), &*r.condition, r.line)).collect();
        assert_eq!(restrictions, [(2, "ГДЕ А <> Б", 3), (0, "#ДляОбъекта(\"\")", 4)]);
        assert_eq!(role.templates.first().map(|t| &*t.name), Some("ДляОбъекта(М)"));
    }
}
