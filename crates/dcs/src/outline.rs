//! What a schema holds, as plain data for people and programs: an outline of the document.

use serde::Serialize;

use crate::document::{Document, Element, localized};
use crate::view::{DataSet, DataSetKind, FieldKind, Schema, Settings, StructureItem};

/// An outline of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Outline {
    /// Name of a nested schema, after those around it; empty for the outermost one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub nested: String,
    pub data_sources: Vec<DataSourceOutline>,
    pub data_sets: Vec<DataSetOutline>,
    pub links: Vec<LinkOutline>,
    pub calculated_fields: Vec<FieldOutline>,
    pub totals: Vec<TotalOutline>,
    pub parameters: Vec<ParameterOutline>,
    pub templates: Vec<TemplateOutline>,
    pub variants: Vec<VariantOutline>,
}

/// A source of data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct DataSourceOutline {
    pub name: String,
    pub kind: String,
    pub line: u32,
}

/// A set of data; those of a union follow it, with a greater depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct DataSetOutline {
    pub name: String,
    /// `query`, `object`, `union`.
    pub kind: &'static str,
    /// How many unions it lies in.
    pub depth: usize,
    pub data_source: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub query: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// Fields are taken from the query.
    pub auto_fill: bool,
    pub fields: Vec<FieldOutline>,
    pub line: u32,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct FieldOutline {
    pub path: String,
    /// The column, if it has another name; of a calculated field its expression.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// `dimension`, `balance`, `account`, `period 1` …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub role: Vec<String>,
    /// What it can't be used for: `field`, `condition`, `group`, `order`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub restricted: Vec<&'static str>,
    pub line: u32,
}

/// A link of two sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct LinkOutline {
    pub source: String,
    pub destination: String,
    pub source_expression: String,
    pub destination_expression: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameter: String,
    pub line: u32,
}

/// A total.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct TotalOutline {
    pub path: String,
    pub expression: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    pub line: u32,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct ParameterOutline {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub types: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub value: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub expression: String,
    /// Hidden from the user.
    pub hidden: bool,
    /// It takes a list.
    pub list: bool,
    pub line: u32,
}

/// A drawn area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct TemplateOutline {
    pub name: String,
    pub parameters: Vec<String>,
    pub line: u32,
}

/// A variant of the settings; that of settings without a variant has no name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct VariantOutline {
    pub name: String,
    pub title: String,
    /// Selected fields, the filter and the order of the whole report.
    pub selection: Vec<String>,
    pub filter: Vec<String>,
    pub order: Vec<String>,
    pub structure: Vec<StructureOutline>,
    pub line: u32,
}

/// An item of the structure; inner ones follow it, with a greater depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct StructureOutline {
    pub depth: usize,
    /// `group`, `table`, `column`, `row`, `chart`, `point`, `series`, `nested`.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What it groups by; none of a group: detail records.
    pub fields: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selection: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// It is switched off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
    pub line: u32,
}

/// Outlines of a schema and of the schemas nested in it; none of another file.
pub fn outline(document: &Document) -> Vec<Outline> {
    let schemas = document.schema().map(Schema::with_nested).unwrap_or_default();
    schemas.into_iter().map(|(path, schema)| of_schema(path.join("/"), schema)).collect()
}

fn of_schema(nested: String, schema: Schema<'_>) -> Outline {
    let source = |source: crate::view::DataSource<'_>| DataSourceOutline {
        name: source.name().into_owned(),
        kind: source.kind().into_owned(),
        line: source.element().line(),
    };
    let link = |link: crate::view::Link<'_>| LinkOutline {
        source: link.source().into_owned(),
        destination: link.destination().into_owned(),
        source_expression: link.source_expression().into_owned(),
        destination_expression: link.destination_expression().into_owned(),
        parameter: link.parameter().into_owned(),
        line: link.element().line(),
    };
    let total = |total: crate::view::Total<'_>| TotalOutline {
        path: total.data_path().into_owned(),
        expression: total.expression().into_owned(),
        groups: total.groups().map(|group| group.into_owned()).collect(),
        line: total.element().line(),
    };
    let calculated = |field: crate::view::CalculatedField<'_>| FieldOutline {
        path: field.data_path().into_owned(),
        source: field.expression().into_owned(),
        title: field.title().into_owned(),
        types: types(field.value_type()),
        role: Vec::new(),
        restricted: restricted(field.restriction()),
        line: field.element().line(),
    };
    let parameter = |parameter: crate::view::Parameter<'_>| ParameterOutline {
        name: parameter.name().into_owned(),
        title: parameter.title().into_owned(),
        types: types(parameter.value_type()),
        value: parameter.value().map(value).unwrap_or_default(),
        expression: parameter.expression().into_owned(),
        hidden: parameter.is_hidden(),
        list: parameter.is_list(),
        line: parameter.element().line(),
    };
    let template = |template: crate::view::Template<'_>| TemplateOutline {
        name: template.name().into_owned(),
        parameters: template.parameters().map(|parameter| parameter.name().into_owned()).collect(),
        line: template.element().line(),
    };
    let variant = |variant: crate::view::Variant<'_>| {
        let (name, title) = (variant.name().into_owned(), variant.presentation().into_owned());
        variant_outline(name, title, variant.settings(), variant.element().line())
    };
    let default = schema.default_settings();
    let default = default
        .map(|settings| variant_outline(String::new(), String::new(), Some(settings), settings.element().line()));
    Outline {
        nested,
        data_sources: schema.data_sources().map(source).collect(),
        data_sets: schema.all_data_sets().into_iter().map(data_set).collect(),
        links: schema.links().map(link).collect(),
        calculated_fields: schema.calculated_fields().map(calculated).collect(),
        totals: schema.totals().map(total).collect(),
        parameters: schema.parameters().map(parameter).collect(),
        templates: schema.templates().map(template).collect(),
        variants: default.into_iter().chain(schema.variants().map(variant)).collect(),
    }
}

fn data_set(set: DataSet<'_>) -> DataSetOutline {
    let around = std::iter::successors(set.element().parent(), |element| element.parent());
    let kind = match set.kind() {
        DataSetKind::Query => "query",
        DataSetKind::Object => "object",
        DataSetKind::Union => "union",
        DataSetKind::Unknown => "unknown",
    };
    let field = |field: crate::view::Field<'_>| {
        let (path, source) = (field.data_path().into_owned(), field.source().into_owned());
        let role = field.role().map(|role| {
            let mut said = Vec::new();
            let mut flag = |is_set: bool, word: &str| said.extend(is_set.then(|| word.to_owned()));
            flag(role.dimension(), "dimension");
            flag(role.balance(), "balance");
            flag(role.account(), "account");
            let number = role.period_number();
            flag(!number.is_empty(), &format!("period {number}"));
            said
        });
        FieldOutline {
            source: if source == path || field.kind() == FieldKind::Folder { String::new() } else { source },
            path,
            title: field.title().into_owned(),
            types: types(field.value_type()),
            role: role.unwrap_or_default(),
            restricted: restricted(field.restriction()),
            line: field.element().line(),
        }
    };
    DataSetOutline {
        name: set.name().into_owned(),
        kind,
        depth: around.filter(|element| matches!(element.local(), "dataSet" | "item")).count(),
        data_source: set.data_source().into_owned(),
        query: set.query().into_owned(),
        object: set.object_name().into_owned(),
        auto_fill: set.kind() == DataSetKind::Query && set.auto_fill(),
        fields: set.fields().map(field).collect(),
        line: set.element().line(),
    }
}

fn restricted(restriction: Option<crate::view::Restriction<'_>>) -> Vec<&'static str> {
    let Some(one) = restriction else { return Vec::new() };
    let all = [(one.field(), "field"), (one.condition(), "condition"), (one.group(), "group"), (one.order(), "order")];
    all.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect()
}

/// Names of types, as the file writes them, without prefix: `string`, `CatalogRef.Валюты`.
fn types(description: Option<Element<'_>>) -> Vec<String> {
    let named = description
        .into_iter()
        .flat_map(|of| of.children().filter(|child| matches!(child.local(), "Type" | "TypeSet")));
    named.map(|element| element.text().trim().rsplit(':').next().unwrap_or("").to_owned()).collect()
}

/// A value in a few words.
fn value(element: Element<'_>) -> String {
    if element.is_nil() {
        return String::new();
    }
    if element.is_of("LocalStringType") {
        return localized(element, "ru").into_owned();
    }
    let text = element.text();
    if element.children().next().is_none() {
        return text.trim().to_owned();
    }
    let texts = element.descendants().filter(|one| one.children().next().is_none());
    texts.map(|one| one.text().trim().to_owned()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

fn variant_outline(name: String, title: String, settings: Option<Settings<'_>>, line: u32) -> VariantOutline {
    let structure = |(depth, item): (usize, StructureItem<'_>)| {
        let field = |field: crate::view::GroupField<'_>| {
            if field.is_auto() { "*".to_owned() } else { field.field().into_owned() }
        };
        StructureOutline {
            depth,
            kind: item.kind().word(),
            name: if item.name().is_empty() { item.object().into_owned() } else { item.name().into_owned() },
            fields: item.group_fields().map(field).collect(),
            selection: fields_of(item.selection()),
            filter: conditions(item.filter().map(|filter| filter.element())),
            order: fields_of(item.order()),
            off: !item.is_used(),
            line: item.element().line(),
        }
    };
    VariantOutline {
        name,
        title,
        selection: fields_of(settings.and_then(Settings::selection)),
        filter: conditions(settings.and_then(Settings::filter).map(|filter| filter.element())),
        order: fields_of(settings.and_then(Settings::order)),
        structure: settings.map(Settings::all_structure).unwrap_or_default().into_iter().map(structure).collect(),
        line,
    }
}

/// Fields of a selection or an order; `*` for those that the composition chooses. Fields of folders are among them.
fn fields_of(list: Option<Element<'_>>) -> Vec<String> {
    let Some(list) = list else { return Vec::new() };
    let items = list.descendants().skip(1).filter(|element| element.local() == "item");
    let field = |item: Element<'_>| {
        if item.is_of("SelectedItemAuto") || item.is_of("OrderItemAuto") {
            return Some("*".to_owned());
        }
        let field = item.text_of("field");
        let direction = if item.text_of("orderType") == "Desc" { " ↓" } else { "" };
        (!field.is_empty()).then(|| format!("{field}{direction}"))
    };
    items.filter_map(field).collect()
}

/// Conditions of a filter, groups opened.
fn conditions(filter: Option<Element<'_>>) -> Vec<String> {
    let Some(filter) = filter else { return Vec::new() };
    let items = filter.descendants().skip(1).filter(|element| element.is_of("FilterItemComparison"));
    let condition = |item: Element<'_>| {
        let right: Vec<String> = item.all("right").map(value).collect();
        let left = item.child("left").map(value).unwrap_or_default();
        let parts = [left, item.text_of("comparisonType").into_owned(), right.join(", ")];
        let off = (!item.flag("use", true)).then(|| "(off)".to_owned());
        parts.into_iter().chain(off).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    items.map(condition).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_says_what_there_is() {
        let text = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
            xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:c=\"http://v8.1c.ru/8.1/data-composition-system/core\" \
            xmlns:com=\"http://v8.1c.ru/8.1/data-composition-system/common\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\
            <dataSet xsi:type=\"DataSetUnion\"><name>О</name><item xsi:type=\"DataSetQuery\"><name>А</name>\
            <field xsi:type=\"DataSetFieldField\"><dataPath>Дата</dataPath><field>Период</field><useRestriction><group>true</group>\
            </useRestriction><role><com:periodNumber>1</com:periodNumber></role>\
            <valueType><v8:Type>v8:Date</v8:Type></valueType></field></item></dataSet>\
            <settingsVariant><s:name>О</s:name><s:settings><s:selection><s:item xsi:type=\"s:SelectedItemField\"><s:field>Дата</s:field>\
            </s:item></s:selection><s:filter><s:item xsi:type=\"s:FilterItemComparison\"><s:use>false</s:use>\
            <s:left xsi:type=\"c:Field\">Дата</s:left><s:comparisonType>Filled</s:comparisonType></s:item></s:filter>\
            <s:order><s:item xsi:type=\"s:OrderItemField\"><s:field>Дата</s:field><s:orderType>Desc</s:orderType></s:item></s:order>\
            <s:item xsi:type=\"s:StructureItemGroup\"><s:use>false</s:use></s:item></s:settings></settingsVariant>\
            </DataCompositionSchema>";
        let outline = outline(&Document::parse(text)).remove(0);
        let [union, query] = &outline.data_sets[..] else { panic!("{outline:#?}") };
        assert_eq!((union.kind, union.depth, query.depth, query.auto_fill), ("union", 0, 1, true));
        let field = &query.fields[0];
        assert_eq!(
            (field.path.as_str(), field.source.as_str(), &field.types[..]),
            ("Дата", "Период", &["Date".to_owned()][..])
        );
        assert_eq!((&field.role[..], &field.restricted[..]), (&["period 1".to_owned()][..], &["group"][..]));
        let variant = &outline.variants[0];
        assert_eq!((variant.selection.join(","), variant.order.join(",")), ("Дата".to_owned(), "Дата ↓".to_owned()));
        assert_eq!(variant.filter, ["Дата Filled (off)"]);
        assert!(variant.structure[0].off && variant.structure[0].kind == "group");
    }
}
