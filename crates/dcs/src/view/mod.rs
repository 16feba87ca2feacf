//! Typed views: an element of a document as what it is.
//!
//! A view is an element with a name for each of its children; it holds nothing of its own. A child that is absent is an empty text, the
//! default, or no view. Views don't check anything: a view over something else gives empty texts.

mod data;
mod settings;
mod templates;
mod types;

pub use data::{
    CalculatedField, DataSet, DataSetKind, DataSource, Field, FieldKind, Link, NestedSchema, Parameter, Restriction,
    Role, Total,
};
pub use settings::{
    AppearanceItem, Filter, FilterItem, GroupField, OrderItem, ParameterValue, SelectedItem, Settings, StructureItem,
    StructureKind, Variant,
};
pub use templates::{FieldTemplate, GroupTemplate, Template, TemplateParameter, TotalTemplate};
pub use types::{ValueType, types};

use crate::document::{Document, Element};

/// Makes a view: `method: kind "child"`. Kinds: `text`, `localized` (in Russian, else the first language), `flag DEFAULT`,
/// `one VIEW`, `many VIEW`, `element`, `texts`.
macro_rules! view {
    ($(#[$doc:meta])* $name:ident { $($(#[$method_doc:meta])* $method:ident: $kind:ident $($argument:ident)? $child:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<'d>(pub $crate::Element<'d>);

        impl<'d> $name<'d> {
            /// The element.
            pub fn element(self) -> $crate::Element<'d> {
                self.0
            }

            $($crate::view::view!(@$kind $($argument)? $(#[$method_doc])* $method $child);)*
        }
    };
    (@text $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> std::borrow::Cow<'d, str> {
            self.0.text_of($child)
        }
    };
    (@localized $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> std::borrow::Cow<'d, str> {
            self.0.child($child).map_or(std::borrow::Cow::Borrowed(""), |child| $crate::localized(child, "ru"))
        }
    };
    (@flag $default:ident $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> bool {
            self.0.flag($child, $default)
        }
    };
    (@one $view:ident $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> Option<$view<'d>> {
            self.0.child($child).map($view)
        }
    };
    (@many $view:ident $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> impl Iterator<Item = $view<'d>> {
            self.0.all($child).map($view)
        }
    };
    (@element $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> Option<$crate::Element<'d>> {
            self.0.child($child)
        }
    };
    (@texts $(#[$doc:meta])* $method:ident $child:literal) => {
        $(#[$doc])*
        pub fn $method(self) -> impl Iterator<Item = std::borrow::Cow<'d, str>> {
            self.0.all($child).map($crate::Element::text)
        }
    };
}
pub(crate) use view;

view! {
    /// A report schema.
    Schema {
        /// Where data come from.
        data_sources: many DataSource "dataSource";
        /// The sets of data, without those inside unions.
        data_sets: many DataSet "dataSet";
        /// How sets are linked.
        links: many Link "dataSetLink";
        /// Calculated fields.
        calculated_fields: many CalculatedField "calculatedField";
        /// Totals (resources).
        totals: many Total "totalField";
        /// Parameters.
        parameters: many Parameter "parameter";
        /// Schemas inside it.
        nested_schemas: many NestedSchema "nestedSchema";
        /// Drawn areas.
        templates: many Template "template";
        /// Which area shows a field.
        field_templates: many FieldTemplate "fieldTemplate";
        /// Which area shows a group.
        group_templates: many GroupTemplate "groupTemplate";
        /// Which area stands above a group.
        group_header_templates: many GroupTemplate "groupHeaderTemplate";
        /// Which area shows totals at a crossing of groups.
        total_templates: many TotalTemplate "totalFieldsTemplate";
        /// Settings without a variant.
        default_settings: one Settings "defaultSettings";
        /// The variants.
        variants: many Variant "settingsVariant";
    }
}

impl Document {
    /// The schema, if the document is one.
    pub fn schema(&self) -> Option<Schema<'_>> {
        if self.is_schema() { self.root().map(Schema) } else { None }
    }
}

impl<'d> Schema<'d> {
    /// All sets of data, those inside unions behind their union.
    pub fn all_data_sets(self) -> Vec<DataSet<'d>> {
        let mut found = Vec::new();
        let mut open: Vec<DataSet<'d>> = self.data_sets().collect();
        open.reverse();
        while let Some(set) = open.pop() {
            found.push(set);
            let inner = open.len();
            open.extend(set.items());
            open[inner..].reverse();
        }
        found
    }

    /// The schema and all schemas nested in it, each with the path of names that leads there.
    pub fn with_nested(self) -> Vec<(Vec<String>, Self)> {
        let mut found = Vec::new();
        let mut open = vec![(Vec::new(), self)];
        while let Some((path, schema)) = open.pop() {
            for nested in schema.nested_schemas() {
                if let Some(inner) = nested.schema() {
                    let mut path = path.clone();
                    path.push(nested.name().into_owned());
                    open.push((path, inner));
                }
            }
            found.push((path, schema));
        }
        found
    }

    /// All settings: of the variants, and those without one; each with the variant's name.
    pub fn all_settings(self) -> Vec<(String, Settings<'d>)> {
        let default = self.default_settings().map(|settings| (String::new(), settings));
        let of_variants = self.variants().filter_map(|v| Some((v.name().into_owned(), v.settings()?)));
        default.into_iter().chain(of_variants).collect()
    }
}

/// Elements that stand for a path of data (`cor:Field`), in the order of the text.
pub fn field_uses<'d>(inside: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let field = crate::formal::Formal::get().find(crate::xml::ns::CORE, "Field");
    inside.descendants().filter(move |element| Some(element.type_id()) == field)
}

#[cfg(test)]
mod tests;
