//! What data a report has: sources, sets, fields, links, calculated fields, totals, parameters.

use super::{Schema, Settings, view};

view! {
    /// Where data come from.
    DataSource {
        /// Its name.
        name: text "name";
        /// `Local`, or an external one.
        kind: text "dataSourceType";
        /// How an external one is reached.
        connection: text "connectionString";
    }
}

/// Kinds of sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DataSetKind {
    Query,
    Object,
    Union,
    /// `xsi:type` names none of them.
    Unknown,
}

view! {
    /// A set of data.
    DataSet {
        /// Its name.
        name: text "name";
        /// The fields that are described; with automatic filling there are more.
        fields: many Field "field";
        /// The source's name.
        data_source: text "dataSource";
        /// The query.
        query: text "query";
        /// The element that holds the query.
        query_element: element "query";
        /// Fields are taken from the query.
        auto_fill: flag YES "autoFillFields";
        /// The name that an external set is handed over by.
        object_name: text "objectName";
        /// The sets of a union.
        items: many DataSet "item";
    }
}

const YES: bool = true;
const NO: bool = false;

impl DataSet<'_> {
    /// What kind of set it is.
    pub fn kind(self) -> DataSetKind {
        match self.0.xsi_type().map(|(_, name)| name) {
            Some("DataSetQuery") => DataSetKind::Query,
            Some("DataSetObject") => DataSetKind::Object,
            Some("DataSetUnion") => DataSetKind::Union,
            _ => DataSetKind::Unknown,
        }
    }
}

/// Kinds of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FieldKind {
    Field,
    Folder,
    NestedDataSet,
    /// `xsi:type` names none of them.
    Unknown,
}

view! {
    /// A field of a set.
    Field {
        /// The path that settings and expressions know it by.
        data_path: text "dataPath";
        /// The column of the query or of the handed-over set.
        source: text "field";
        /// Its title.
        title: localized "title";
        /// Where it can't be used.
        restriction: one Restriction "useRestriction";
        /// Where its attributes can't be used.
        attribute_restriction: one Restriction "attributeUseRestriction";
        /// Its role.
        role: one Role "role";
        /// The expression that shows it.
        presentation_expression: text "presentationExpression";
        /// Its type.
        value_type: element "valueType";
        /// The set that the hierarchy is found by.
        hierarchy_set: text "inHierarchyDataSet";
    }
}

impl Field<'_> {
    /// What kind of field it is.
    pub fn kind(self) -> FieldKind {
        match self.0.xsi_type().map(|(_, name)| name) {
            Some("DataSetFieldField") => FieldKind::Field,
            Some("DataSetFieldFolder") => FieldKind::Folder,
            Some("DataSetFieldNestedDataSet") => FieldKind::NestedDataSet,
            _ => FieldKind::Unknown,
        }
    }
}

view! {
    /// Where a field can't be used.
    Restriction {
        /// Not as a field.
        field: flag NO "field";
        /// Not in conditions.
        condition: flag NO "condition";
        /// Not in groups.
        group: flag NO "group";
        /// Not in the order.
        order: flag NO "order";
    }
}

view! {
    /// The role of a field.
    Role {
        /// A dimension.
        dimension: flag NO "dimension";
        /// A balance.
        balance: flag NO "balance";
        /// The group of balances.
        balance_group: text "balanceGroupName";
        /// `OpeningBalance`, `ClosingBalance`.
        balance_type: text "balanceType";
        /// An account.
        account: flag NO "account";
        /// Number of the period.
        period_number: text "periodNumber";
        /// `Main`, `Additional`.
        period_type: text "periodType";
        /// The dimension above it.
        parent_dimension: text "parentDimension";
    }
}

view! {
    /// A link of two sets.
    Link {
        /// The set that gives.
        source: text "sourceDataSet";
        /// The set that takes.
        destination: text "destinationDataSet";
        /// What of the first set.
        source_expression: text "sourceExpression";
        /// What of the second one.
        destination_expression: text "destinationExpression";
        /// The parameter that values are handed over in.
        parameter: text "parameter";
        /// The condition under which it holds.
        condition: text "linkConditionExpression";
    }
}

view! {
    /// A calculated field.
    CalculatedField {
        /// The path that settings know it by.
        data_path: text "dataPath";
        /// How it is calculated.
        expression: text "expression";
        /// Its title.
        title: localized "title";
        /// Its type.
        value_type: element "valueType";
        /// Where it can't be used.
        restriction: one Restriction "useRestriction";
    }
}

view! {
    /// A total: a resource of the report.
    Total {
        /// The field it belongs to.
        data_path: text "dataPath";
        /// How it is calculated.
        expression: text "expression";
        /// The groups it is calculated for; none: for all.
        groups: texts "group";
    }
}

view! {
    /// A parameter.
    Parameter {
        /// Its name.
        name: text "name";
        /// Its title.
        title: localized "title";
        /// Its type.
        value_type: element "valueType";
        /// Its value.
        value: element "value";
        /// The expression that gives the value.
        expression: text "expression";
        /// Hidden from the user.
        is_hidden: flag NO "useRestriction";
        /// A list of values.
        is_list: flag NO "valueListAllowed";
        /// `Auto`, `Always`.
        usage: text "use";
    }
}

view! {
    /// A schema inside a schema.
    NestedSchema {
        /// Its name.
        name: text "name";
        /// Its title.
        title: localized "title";
        /// The schema.
        schema: one Schema "schema";
        /// Its settings.
        settings: one Settings "settings";
    }
}
