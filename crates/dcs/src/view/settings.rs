//! Settings: variants, structure, selection, filter, order, appearance, parameters.

use super::view;
use crate::document::Element;

const YES: bool = true;

view! {
    /// A variant of the settings.
    Variant {
        /// Its name.
        name: text "name";
        /// What the user sees.
        presentation: localized "presentation";
        /// Its settings.
        settings: one Settings "settings";
    }
}

view! {
    /// Settings of a variant, or of a nested schema.
    Settings {
        /// Fields of the user.
        user_fields: element "userFields";
        /// Selected fields.
        selection: element "selection";
        /// The filter.
        filter: one Filter "filter";
        /// Values of parameters.
        data_parameters: element "dataParameters";
        /// The order.
        order: element "order";
        /// Conditional appearance.
        conditional_appearance: element "conditionalAppearance";
        /// Parameters of output.
        output_parameters: element "outputParameters";
        /// The structure.
        structure: many StructureItem "item";
    }
}

impl<'d> Settings<'d> {
    /// Values that are set for the schema's parameters.
    pub fn parameter_values(self) -> impl Iterator<Item = ParameterValue<'d>> {
        self.data_parameters().into_iter().flat_map(|values| values.all("item")).map(ParameterValue)
    }

    /// All items of the structure with their depth, outer ones first: groups, tables with their columns and rows, charts with
    /// their points and series.
    pub fn all_structure(self) -> Vec<(usize, StructureItem<'d>)> {
        let mut found = Vec::new();
        let mut open: Vec<(usize, StructureItem<'d>)> = self.structure().map(|item| (0, item)).collect();
        open.reverse();
        while let Some((depth, item)) = open.pop() {
            found.push((depth, item));
            let start = open.len();
            open.extend(item.inner().map(|inner| (depth + 1, inner)));
            open[start..].reverse();
        }
        found
    }
}

/// Kinds of items of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StructureKind {
    Group,
    Table,
    Column,
    Row,
    Chart,
    Point,
    Series,
    /// Settings of a nested schema.
    Nested,
    Unknown,
}

impl StructureKind {
    /// The word that commands and paths use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Table => "table",
            Self::Column => "column",
            Self::Row => "row",
            Self::Chart => "chart",
            Self::Point => "point",
            Self::Series => "series",
            Self::Nested => "nested",
            Self::Unknown => "unknown",
        }
    }
}

view! {
    /// An item of the structure.
    StructureItem {
        /// Its name; most have none.
        name: text "name";
        /// It is switched on.
        is_used: flag YES "use";
        /// Selected fields.
        selection: element "selection";
        /// The filter.
        filter: one Filter "filter";
        /// The order.
        order: element "order";
        /// Conditional appearance.
        conditional_appearance: element "conditionalAppearance";
        /// Parameters of output.
        output_parameters: element "outputParameters";
        /// Name of the nested schema whose settings it holds.
        object: text "objectID";
        /// Settings of a nested schema.
        settings: one Settings "settings";
    }
}

impl<'d> StructureItem<'d> {
    /// What kind of item it is: by its type, or by its place in a table or chart.
    pub fn kind(self) -> StructureKind {
        let by_type = self.0.xsi_type().map(|(_, name)| name);
        let by_place = || match self.0.local() {
            "column" => StructureKind::Column,
            "row" => StructureKind::Row,
            "point" => StructureKind::Point,
            "series" => StructureKind::Series,
            // Inside of a group of a table or chart: what that is.
            "item" => match self.0.of().map(|of| of.name.local) {
                Some("TableGroup" | "ChartGroup") => StructureKind::Group,
                _ => StructureKind::Unknown,
            },
            _ => StructureKind::Unknown,
        };
        match by_type {
            Some("StructureItemGroup") => StructureKind::Group,
            Some("StructureItemTable") => StructureKind::Table,
            Some("StructureItemChart") => StructureKind::Chart,
            Some("StructureItemNestedObject") => StructureKind::Nested,
            _ => by_place(),
        }
    }

    /// Fields that it groups by.
    pub fn group_fields(self) -> impl Iterator<Item = GroupField<'d>> {
        self.0.child("groupItems").into_iter().flat_map(|items| items.all("item")).map(GroupField)
    }

    /// The items inside.
    pub fn inner(self) -> impl Iterator<Item = Self> {
        let is_structure =
            |element: &Element<'d>| matches!(element.local(), "item" | "column" | "row" | "point" | "series");
        self.0.children().filter(is_structure).map(Self)
    }
}

view! {
    /// A field that is grouped by.
    GroupField {
        /// The path of data.
        field: text "field";
        /// `Items`, `Hierarchy`, `HierarchyOnly`.
        kind: text "groupType";
        /// It is switched on.
        is_used: flag YES "use";
    }
}

impl GroupField<'_> {
    /// It stands for the fields that the user chooses.
    pub fn is_auto(self) -> bool {
        self.0.is_of("GroupItemAuto")
    }
}

view! {
    /// A filter.
    Filter {
        /// Conditions and groups of them.
        items: many FilterItem "item";
    }
}

view! {
    /// A condition of a filter, or a group of conditions.
    FilterItem {
        /// It is switched on.
        is_used: flag YES "use";
        /// The field.
        left: element "left";
        /// How it is compared.
        comparison: text "comparisonType";
        /// What it is compared with: several for lists.
        right: many Value "right";
        /// Of a group: `AndGroup`, `OrGroup`, `NotGroup`.
        group: text "groupType";
        /// Conditions of a group.
        items: many FilterItem "item";
    }
}

view! {
    /// A value.
    Value {
    }
}

view! {
    /// A selected field, a folder of them, or those that the composition chooses.
    SelectedItem {
        /// It is switched on.
        is_used: flag YES "use";
        /// The path of data.
        field: text "field";
        /// Its title.
        title: localized "lwsTitle";
        /// What a folder holds.
        items: many SelectedItem "item";
    }
}

view! {
    /// A field of the order.
    OrderItem {
        /// It is switched on.
        is_used: flag YES "use";
        /// The path of data.
        field: text "field";
        /// `Asc`, `Desc`.
        direction: text "orderType";
    }
}

view! {
    /// An item of conditional appearance.
    AppearanceItem {
        /// It is switched on.
        is_used: flag YES "use";
        /// Fields that it concerns; none: all.
        selection: element "selection";
        /// When it holds.
        filter: one Filter "filter";
        /// What it does.
        appearance: element "appearance";
    }
}

view! {
    /// A parameter with its value, of data, output or appearance.
    ParameterValue {
        /// It is switched on.
        is_used: flag YES "use";
        /// The parameter.
        parameter: text "parameter";
        /// Its value.
        value: element "value";
        /// Parameters that belong to it.
        items: many ParameterValue "item";
        /// The user may change it.
        user_setting: text "userSettingID";
    }
}
