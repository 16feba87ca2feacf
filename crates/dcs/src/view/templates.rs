//! Drawn areas, and what they are bound to.

use super::view;
use crate::document::Element;

view! {
    /// A drawn area with its parameters.
    Template {
        /// Its name.
        name: text "name";
        /// The area.
        area: element "template";
        /// Its parameters.
        parameters: many TemplateParameter "parameter";
    }
}

view! {
    /// A parameter of an area.
    TemplateParameter {
        /// Its name.
        name: text "name";
        /// Its expression, of one that shows something.
        expression: text "expression";
        /// What it opens, of a drill-down.
        action: text "mainAction";
    }
}

impl<'d> Template<'d> {
    /// Parameters that cells and appearance of the area name.
    pub fn used_parameters(self) -> impl Iterator<Item = Element<'d>> {
        self.area().into_iter().flat_map(|area| area.descendants()).filter(|element| {
            element.is("value")
                && element.xsi_type().is_some_and(|(ns, name)| ns == crate::xml::ns::CORE && name == "Parameter")
        })
    }
}

view! {
    /// The area of a field.
    FieldTemplate {
        /// The field.
        field: text "field";
        /// The area's name.
        template: text "template";
    }
}

view! {
    /// The area of a group.
    GroupTemplate {
        /// Names of the group's fields.
        fields: texts "groupField";
        /// The group's name.
        group: text "groupName";
        /// Which part of the group.
        kind: text "templateType";
        /// The area's name.
        template: text "template";
    }
}

view! {
    /// The area of totals where two groups cross.
    TotalTemplate {
        /// Name of the first group.
        group: text "groupName1";
        /// Name of the second group.
        other_group: text "groupName2";
        /// The area's name.
        template: text "template";
    }
}
