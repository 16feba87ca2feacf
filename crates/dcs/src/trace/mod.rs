//! From a column on the screen back to where its values come from: expression, field of a set, column of the query in each branch
//! of its unions, table and attribute.
//!
//! A name may mean several columns (a title that two fields bear, a nested schema): each is an answer of its own. What the file
//! shows is followed; a configuration, if there is one, says whose field a name without its table is, and whether it exists.

mod headers;
mod names;
mod queries;
mod synonyms;
#[cfg(test)]
mod tests;

use bsl::catalog::{Followed, follow};
use bsl::query::written_table;
use bsl::{Catalog, Spelling, fold};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::document::{Document, Element};
use crate::expression;
use crate::is_of_system;
use crate::view::{DataSet, DataSetKind, Field, FieldKind, Schema};
use bsl::nearest;
use names::Named;
use queries::Queries;

/// Most steps of an answer: a file may be made to branch without end.
const MAX_STEPS: usize = 400;
/// Deepest step.
const MAX_DEPTH: usize = 40;
/// Names that are offered if nothing is found.
const NEAREST: usize = 5;

/// What a column leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// What was asked for.
    pub column: String,
    /// The columns of this name; empty if there is none.
    pub answers: Vec<Answer>,
    /// If there is none: the nearest names.
    pub nearest: Vec<String>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// Name of the nested schema that it belongs to, after those around it; empty for the outermost one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub nested: String,
    /// The path of data; of a parameter of a drawn area its name, of a text without one the area's.
    pub path: String,
    /// What bears the name that was asked for.
    pub named_by: Vec<NamedBy>,
    /// The way back, each step behind the one that it belongs to.
    pub steps: Vec<Step>,
}

/// What bears a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedBy {
    /// The path of data.
    Path,
    /// A title, in some language.
    Title,
    /// A title that settings give.
    SettingsTitle,
    /// A field of the user.
    UserField,
    /// A parameter of a drawn area.
    TemplateParameter,
    /// A text drawn in an area, above a parameter.
    TemplateText,
    /// The synonym of the attribute that a column without a title takes.
    Synonym,
}

/// A step of the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// How far it lies from the column: each step belongs to the last one before it that lies nearer.
    pub depth: usize,
    /// What it is.
    pub kind: StepKind,
    /// Its name: path of data, alias of a column, table as written.
    pub name: String,
    /// Its expression; of a table the attribute, of a field the column that it takes.
    pub text: String,
    /// The set of data that it belongs to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub set: String,
    /// Of a table: its canonical name (`Catalog.Товары`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub object: String,
    /// Of a table: the table, or the part of the attribute's path, that the configuration doesn't have.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub absent: String,
    /// What it has instead, nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<String>,
    /// The element: names and keys from the root on.
    pub path: String,
    /// 1-based line of the file.
    pub line: u32,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A field of the user in settings.
    UserField,
    /// A total.
    Total,
    /// A parameter of a drawn area.
    TemplateParameter,
    /// A text drawn in an area, with no parameter in its column.
    TemplateText,
    /// A calculated field.
    Calculated,
    /// A field of a set.
    Field,
    /// The expression that shows a field.
    Presentation,
    /// A column of a query, in one branch of a union.
    Column,
    /// A table of metadata with its attribute.
    Table,
    /// A set that code hands over.
    Object,
    /// A field of a query whose table the text alone doesn't tell.
    Open,
    /// Nothing in the schema has this path.
    Missing,
}

/// Follows a column back: by its title in any language, its path of data, the name of a field of the user or of a parameter of a
/// drawn area, the text that is drawn above one. Case doesn't count.
///
/// ```
/// use metascope_dcs::{Document, trace::{StepKind, trace}};
/// let text = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
///     xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dataSet xsi:type=\"DataSetQuery\"><name>Н</name>\
///     <query>ВЫБРАТЬ Т.Код КАК Шифр ИЗ Справочник.Валюты КАК Т</query></dataSet></DataCompositionSchema>";
/// let trace = trace(&Document::parse(text), "шифр");
/// let [column, table] = &trace.answers[0].steps[..] else { panic!("{trace:#?}") };
/// assert_eq!((column.kind, column.text.as_str()), (StepKind::Column, "Т.Код"));
/// assert_eq!((table.object.as_str(), table.text.as_str()), ("Catalog.Валюты", "Код"));
/// ```
pub fn trace(document: &Document, column: &str) -> Trace {
    trace_in(document, column, None)
}

/// [`trace`] in a configuration: a column without a title is found by the synonym of its attribute, too.
pub fn trace_in(document: &Document, column: &str, catalog: Option<&dyn Catalog>) -> Trace {
    let mut out = Trace { column: column.to_owned(), ..Trace::default() };
    let queries = Queries::default();
    let mut all_names = Vec::new();
    for (nested, schema) in document.schema().map(Schema::with_nested).unwrap_or_default() {
        let mut walk = Walk::new(schema, &queries, catalog);
        let known = names::of_schema(schema, &queries);
        for (path, named_by, via) in names::matching(&known, column) {
            walk.steps.clear();
            walk.seen.clear();
            walk.answer(&path, via);
            let mut steps = std::mem::take(&mut walk.steps);
            if let Some(catalog) = catalog {
                steps.iter_mut().filter(|step| step.kind == StepKind::Table).for_each(|step| step.look_up(catalog));
            }
            out.answers.push(Answer { nested: nested.join("/"), path, named_by, steps });
        }
        all_names.extend(known);
    }
    // What the schema itself says of a name comes first.
    let mut synonyms = Vec::new();
    if let Some(catalog) = catalog.filter(|_| out.answers.is_empty()) {
        for (nested, schema) in document.schema().map(Schema::with_nested).unwrap_or_default() {
            let (found, others): (Vec<_>, Vec<_>) =
                synonyms::shown(schema, &queries, catalog).into_iter().partition(|one| one.is(column));
            out.answers.extend(found.into_iter().map(|one| one.answer(&nested.join("/"))));
            synonyms.extend(others.into_iter().map(|one| one.synonym));
        }
    }
    if out.answers.is_empty() {
        let names = all_names.iter().map(|named: &Named<'_>| &*named.name);
        let names = names.chain(synonyms.iter().map(String::as_str));
        out.nearest = nearest(column.trim(), names, NEAREST).into_iter().map(str::to_owned).collect();
    }
    out
}

/// The way back from one column.
struct Walk<'d, 'q> {
    schema: Schema<'d>,
    queries: &'q Queries<'d>,
    catalog: Option<&'q dyn Catalog>,
    steps: Vec<Step>,
    /// Paths of data that are followed already, folded.
    seen: FxHashSet<String>,
}

impl Step {
    /// A step that stands in an element.
    fn at(depth: usize, kind: StepKind, name: &str, text: &str, element: Element<'_>, line: u32) -> Self {
        let (name, text) = (name.to_owned(), text.trim().to_owned());
        let (set, object, absent) = (String::new(), String::new(), String::new());
        Self { depth, kind, name, text, set, object, absent, nearest: Vec::new(), path: element.path(), line }
    }

    /// Notes what a configuration lacks.
    fn look_up(&mut self, catalog: &dyn Catalog) {
        let spelling = Spelling::of(&self.name);
        if catalog.has_table(&self.object) == Some(false) {
            self.absent.clone_from(&self.name);
            self.nearest = catalog.nearest(&self.object).iter().map(|near| written_table(near, spelling)).collect();
            return;
        }
        let path: Vec<&str> = self.text.split('.').collect();
        if let Followed::Missing(number, tables) = follow(catalog, &self.object, &path) {
            let wrong = path.get(number).copied().unwrap_or("");
            let names: Vec<_> = tables.iter().map(|table| catalog.fields(table, Spelling::of(wrong))).collect();
            let names = names.iter().flat_map(|names| names.iter().map(|name| &**name));
            self.nearest = nearest(wrong, names, NEAREST).into_iter().map(str::to_owned).collect();
            self.absent = wrong.to_owned();
        }
    }
}

impl<'d, 'q> Walk<'d, 'q> {
    fn new(schema: Schema<'d>, queries: &'q Queries<'d>, catalog: Option<&'q dyn Catalog>) -> Self {
        Self { schema, queries, catalog, steps: Vec::new(), seen: FxHashSet::default() }
    }

    fn push(&mut self, depth: usize, kind: StepKind, element: Element<'d>, name: &str, text: &str) {
        self.push_step(Step::at(depth, kind, name, text, element, element.line()));
    }

    fn push_step(&mut self, step: Step) {
        if self.steps.len() < MAX_STEPS {
            self.steps.push(step);
        }
    }

    /// All steps of a column. `via`: the element that holds its expression, of fields of the user and parameters of areas.
    fn answer(&mut self, path: &str, via: Option<(NamedBy, Element<'d>)>) {
        match via {
            Some((NamedBy::UserField, element)) => return self.user_field(path, element),
            Some((NamedBy::TemplateText, element)) if element.is("value") => {
                let text = names::titles(Some(element)).join(", ");
                return self.push(0, StepKind::TemplateText, element, path, &text);
            }
            Some((_, element)) => {
                let expression = element.text_of("expression");
                self.push(0, StepKind::TemplateParameter, element, path, &expression);
                return self.expression(&expression, 1);
            }
            None => {}
        }
        let totals: Vec<_> = self.schema.totals().filter(|total| same(&total.data_path(), path)).collect();
        for total in &totals {
            self.push(0, StepKind::Total, total.element(), path, &total.expression());
        }
        let parameters = self
            .schema
            .templates()
            .flat_map(|template| template.parameters().map(|parameter| parameter.element()).collect::<Vec<_>>());
        for parameter in parameters.collect::<Vec<_>>() {
            let expression = parameter.text_of("expression");
            if expression::names(&expression).paths.iter().any(|name| same(&name.path, path)) {
                self.push(0, StepKind::TemplateParameter, parameter, &parameter.text_of("name"), &expression);
            }
        }
        self.path(path, 0);
        // What only the total names stands behind the column's own way.
        for total in &totals {
            self.expression(&total.expression(), 1);
        }
    }

    fn user_field(&mut self, path: &str, element: Element<'d>) {
        let mut has_expression = false;
        for part in ["detailExpression", "totalExpression"].into_iter().filter_map(|part| element.child(part)) {
            has_expression = true;
            self.push(0, StepKind::UserField, part, path, &part.text());
            self.expression(&part.text(), 1);
        }
        if !has_expression {
            self.push(0, StepKind::UserField, element, path, "");
            for field in crate::view::field_uses(element).collect::<Vec<_>>() {
                self.path(&field.text(), 1);
            }
        }
    }

    /// The paths that an expression names.
    fn expression(&mut self, text: &str, depth: usize) {
        for name in expression::names(text).paths {
            self.path(&name.path, depth);
        }
    }

    /// What a path of data leads to.
    fn path(&mut self, path: &str, depth: usize) {
        if depth > MAX_DEPTH || self.steps.len() >= MAX_STEPS || !self.seen.insert(fold(path.trim())) {
            return;
        }
        let before = self.steps.len();
        // What lies behind a field (`Товар.Код`) is an attribute of its value.
        let mut end = path.len();
        loop {
            self.exactly(&path[..end], &path[end..], depth);
            if self.steps.len() > before {
                return;
            }
            match path[..end].rfind('.') {
                Some(dot) => end = dot,
                None => break,
            }
        }
        if depth > 0 && !is_of_system(path) {
            let root = self.schema.element();
            self.push(depth, StepKind::Missing, root, path, "");
        }
    }

    /// Calculated fields and fields of sets of just this path; `behind` follows it.
    fn exactly(&mut self, path: &str, behind: &str, depth: usize) {
        for field in self.schema.calculated_fields().filter(|field| same(&field.data_path(), path)).collect::<Vec<_>>()
        {
            let expression = field.expression();
            self.push(depth, StepKind::Calculated, field.element(), path, &expression);
            self.expression(&expression, depth + 1);
        }
        for set in self.schema.data_sets().collect::<Vec<_>>() {
            self.in_set(set, path, behind, depth);
        }
    }

    /// The field of a set, and where the set takes it from.
    fn in_set(&mut self, set: DataSet<'d>, path: &str, behind: &str, depth: usize) {
        if depth > MAX_DEPTH || self.steps.len() >= MAX_STEPS {
            return;
        }
        let is_it = |field: &Field<'_>| field.kind() != FieldKind::Folder && same(&field.data_path(), path);
        let fields: Vec<Field<'d>> = set.fields().filter(is_it).collect();
        for field in &fields {
            let source = field.source();
            self.push(depth, StepKind::Field, field.element(), path, &source);
            if let Some(step) = self.steps.last_mut() {
                step.set = set.name().into_owned();
            }
            if let Some(element) = field.element().child("presentationExpression").filter(|one| !one.text().is_empty())
            {
                self.push(depth + 1, StepKind::Presentation, element, path, &element.text());
                self.expression(&element.text(), depth + 2);
            }
            let source = if source.is_empty() { field.data_path() } else { source };
            self.source(set, &source, behind, depth + 1);
        }
        if fields.is_empty() && set.kind() == DataSetKind::Query && set.auto_fill() {
            self.columns(set, path, behind, depth);
        }
    }

    /// What a set has under the name that a field takes.
    fn source(&mut self, set: DataSet<'d>, source: &str, behind: &str, depth: usize) {
        match set.kind() {
            DataSetKind::Query => self.columns(set, source, behind, depth),
            DataSetKind::Union => {
                for item in set.items().collect::<Vec<_>>() {
                    self.in_set(item, source, behind, depth);
                }
            }
            DataSetKind::Object => {
                self.push(depth, StepKind::Object, set.element(), &set.object_name(), source);
                if let Some(step) = self.steps.last_mut() {
                    step.set = set.name().into_owned();
                }
            }
            DataSetKind::Unknown => {}
        }
    }

    fn columns(&mut self, set: DataSet<'d>, column: &str, behind: &str, depth: usize) {
        let Some(query) = self.queries.of(set) else { return };
        let name = set.name();
        for mut step in query.steps(column, behind, depth, self.catalog) {
            step.set.push_str(&name);
            self.push_step(step);
        }
    }
}

fn same(one: &str, other: &str) -> bool {
    bsl::same_name(one.trim(), other.trim())
}
