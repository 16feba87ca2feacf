//! Rows of report schemas: sets of data with their queries, fields, parameters, variants.

use super::names::{Name, NameTable};
use super::objects::language;
use super::queries::QueryRows;
use super::rows::{Cell, Rows, Table};
use super::writer::Message;
use crate::Result;
use bsl::query::{QueryFacts, TextKind};
use dcs::view::{DataSet, DataSetKind, types};
use dcs::{Document, Element, localized};
use metadata::{Configuration, TemplateKind};
use rayon::prelude::*;

/// Sends the rows. What can't be read is a problem that reading metadata found.
pub(crate) fn write(
    configuration: &Configuration,
    names: &mut NameTable<'_>,
    send: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<()> {
    let language = language(configuration);
    let schemas =
        configuration.templates.iter().filter(|template| template.kind == TemplateKind::DataCompositionSchema);
    let schemas: Vec<_> = schemas.map(|template| (names.id(&template.full_name), template.content)).collect();
    let rows: Vec<Vec<Rows>> = schemas
        .into_par_iter()
        .filter_map(|(name, file)| {
            let bytes = metadata::template_content(&configuration.full_path(file?)).ok()?;
            Some(rows_of(name, &Document::parse(bytes), language))
        })
        .collect();
    rows.into_iter().try_for_each(|rows| send(Message::Rows(rows)))
}

/// The rows of one schema.
fn rows_of(name: Name, document: &Document, language: &str) -> Vec<Rows> {
    let mut rows = SchemaRows {
        name,
        language,
        data_sets: Rows::new(Table::SchemaDataSet),
        fields: Rows::new(Table::SchemaField),
        parameters: Rows::new(Table::SchemaParameter),
        variants: Rows::new(Table::SchemaVariant),
        queries: QueryRows::new(),
    };
    for (path, schema) in document.schema().map(dcs::view::Schema::with_nested).unwrap_or_default() {
        // What stands in a nested schema is named with the schema before it.
        let inside = |name: &str| path.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/");
        for set in schema.all_data_sets() {
            rows.data_set(set, &inside);
        }
        for field in schema.calculated_fields() {
            let text = Cell::text(&field.expression());
            rows.field(None, &inside(&field.data_path()), text, field.element());
        }
        for parameter in schema.parameters() {
            let element = parameter.element();
            rows.parameters.push([
                name.into(),
                Cell::Text(inside(&parameter.name())),
                Cell::text(&rows.title(element)),
                Cell::shared(&types_text(element)),
                parameter.value().map_or(Cell::Null, |value| Cell::shared(&value_text(value))),
            ]);
        }
        for variant in schema.variants() {
            let title = variant.element().child("presentation").map(|title| localized(title, language).into_owned());
            let title = Cell::text(&title.unwrap_or_default());
            rows.variants.push([name.into(), Cell::Text(inside(&variant.name())), title]);
        }
    }
    let SchemaRows { data_sets, fields, parameters, variants, queries, .. } = rows;
    let mut all = vec![data_sets, fields, parameters, variants];
    all.extend(queries.finish());
    all
}

struct SchemaRows<'a> {
    name: Name,
    language: &'a str,
    data_sets: Rows,
    fields: Rows,
    parameters: Rows,
    variants: Rows,
    queries: QueryRows,
}

impl SchemaRows<'_> {
    fn data_set(&mut self, set: DataSet<'_>, inside: &impl Fn(&str) -> String) {
        let own = inside(&set.name());
        let kind = match set.kind() {
            DataSetKind::Query => "query",
            DataSetKind::Object => "object",
            DataSetKind::Union => "union",
            DataSetKind::Unknown => "unknown",
        };
        let query = set.query();
        let union = set.element().parent().filter(|_| set.element().is("item"));
        let union = union.map_or(Cell::Null, |union| Cell::Text(inside(&union.text_of("name"))));
        self.data_sets.push([
            self.name.into(),
            Cell::Text(own.clone()),
            Cell::Known(kind),
            union,
            Cell::shared(&query),
        ]);
        if let Some(element) = set.query_element().filter(|_| !query.is_empty()) {
            let facts: QueryFacts = bsl::query::read(&query, TextKind::Query);
            let before = element.line().saturating_sub(1);
            self.queries.add(self.name, element.line(), &query, &facts, |place| before + place.line);
        }
        for field in set.fields() {
            self.field(Some(&own), &field.data_path(), Cell::text(&field.source()), field.element());
        }
    }

    fn field(&mut self, set: Option<&str>, path: &str, field: Cell, element: Element<'_>) {
        let set = set.map_or(Cell::Null, |set| Cell::Text(set.to_owned()));
        let title = Cell::text(&self.title(element));
        let types = Cell::shared(&types_text(element));
        self.fields.push([self.name.into(), set, Cell::Text(path.to_owned()), field, title, types]);
    }

    fn title(&self, element: Element<'_>) -> String {
        element.child("title").map(|title| localized(title, self.language).into_owned()).unwrap_or_default()
    }
}

/// The types of a field or a parameter, as the view `attributes` shows them.
fn types_text(element: Element<'_>) -> String {
    let one = |of: dcs::view::ValueType| match of.qualifiers.is_empty() {
        true => of.name,
        false => format!("{}({})", of.name, of.qualifiers),
    };
    element
        .child("valueType")
        .map(|types_of| types(types_of).into_iter().map(one).collect::<Vec<_>>().join(", "))
        .unwrap_or_default()
}

/// A value as text: of a compound one, the texts of its parts.
fn value_text(value: Element<'_>) -> String {
    let leaves = std::iter::once(value).chain(value.descendants()).filter(|part| part.children().next().is_none());
    let texts = leaves.map(|part| part.text().trim().to_owned()).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_fields_parameters_variants_and_queries() {
        let text = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\"\n\
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\"\n\
            xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n\
            <dataSet xsi:type=\"DataSetUnion\"><name>Все</name>\n\
            <item xsi:type=\"DataSetQuery\"><name>Один</name><field xsi:type=\"DataSetFieldField\"><dataPath>Товар</dataPath>\
            <field>Номенклатура</field></field>\n<query>ВЫБРАТЬ Т.Код\nИЗ Справочник.Товары КАК Т</query></item></dataSet>\n\
            <calculatedField><dataPath>Итого</dataPath><expression>Цена * 2</expression></calculatedField>\n\
            <parameter><name>Дата</name><valueType><v8:Type>xs:dateTime</v8:Type></valueType></parameter>\n\
            <settingsVariant><name>Основной</name></settingsVariant></DataCompositionSchema>";
        let rows = rows_of(Name(1), &Document::parse(text), "ru");
        let cell = |cell: &Cell| match cell {
            Cell::Null => "-".to_owned(),
            Cell::Text(text) => text.clone(),
            Cell::Shared(text) => text.replace('\n', " "),
            Cell::Known(word) => (*word).to_owned(),
            Cell::Word(word) => word.to_string(),
            Cell::Int(number) => number.to_string(),
            Cell::Node(node) => format!("#{node}"),
            Cell::Blob(_) => "bytes".to_owned(),
        };
        let shown: Vec<String> = rows
            .iter()
            .flat_map(|rows| rows.chunks().map(move |row| (rows.table.name(), row)))
            .map(|(table, row)| format!("{table}: {}", row.iter().map(cell).collect::<Vec<_>>().join(" | ")))
            .collect();
        assert_eq!(
            shown,
            [
                "dcs_dataset: #1 | Все | union | - | -",
                "dcs_dataset: #1 | Один | query | Все | ВЫБРАТЬ Т.Код ИЗ Справочник.Товары КАК Т",
                "dcs_field: #1 | Один | Товар | Номенклатура | - | -",
                "dcs_field: #1 | - | Итого | Цена * 2 | - | -",
                "dcs_parameter: #1 | Дата | - | Date | -",
                "dcs_variant: #1 | Основной | -",
                "query: #1 | 6 | ВЫБРАТЬ Т.Код ИЗ Справочник.Товары КАК Т",
                "query_table: #1 | 7 | Catalog.Товары | physical | 6",
                "query_field: #1 | 6 | Catalog.Товары | Код | 6",
            ]
        );
    }
}
