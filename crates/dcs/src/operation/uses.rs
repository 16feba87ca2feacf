//! Everything in a schema that names a field, a parameter, a set of data, a source, a template or a group.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::draft::Draft;
use super::query::Query;
use super::refusal::Refusal;
use super::target::paths;
use crate::document::Element;
use crate::expression::names;
use crate::formal::{Formal, TypeId};
use crate::view::Schema;
use crate::xml::ns;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Named {
    Field,
    Parameter,
    DataSet,
    Source,
    Template,
    Group,
    Nested,
}

impl Named {
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Field => ("поле", "field"),
            Self::Parameter => ("параметр", "parameter"),
            Self::DataSet => ("набор данных", "data set"),
            Self::Source => ("источник данных", "data source"),
            Self::Template => ("макет", "template"),
            Self::Group => ("группировка", "group"),
            Self::Nested => ("вложенная схема", "nested schema"),
        }
    }
}

/// A place that names something.
#[derive(Clone, Debug)]
pub(super) struct Use<'d> {
    pub(super) named: Named,
    pub(super) name: String,
    /// The element whose text names it.
    pub(super) element: Element<'d>,
    /// The bytes of the text that name it.
    pub(super) range: Range<usize>,
}

/// Expressions of the composition.
const EXPRESSIONS: &[&str] = &[
    "expression",
    "presentationExpression",
    "accountTypeExpression",
    "detailExpression",
    "totalExpression",
    "sourceExpression",
    "destinationExpression",
    "linkConditionExpression",
    "startExpression",
];

/// Functions whose argument is an expression as a text.
const EVALUATING: &[&str] = &[
    "вычислить",
    "eval",
    "вычислитьвыражение",
    "evalexpression",
    "вычислитьвыражениесгруппировкоймассив",
    "evalexpressionwithgrouparray",
    "вычислитьвыражениесгруппировкойтаблицазначений",
    "evalexpressionwithgroupvaluetable",
];

/// What is before the name of a parameter in a path of data.
const PARAMETERS: &[&str] = &["параметрыданных.", "dataparameters."];

/// All places of a schema that name something; those in nested schemas aren't its own.
pub(super) fn uses<'d>(schema: Schema<'d>) -> Vec<Use<'d>> {
    let mut found = Vec::new();
    let field = Formal::get().find(ns::CORE, "Field");
    let root = schema.element();
    let mut open: Vec<Element<'d>> = root.children().collect();
    open.reverse();
    while let Some(element) = open.pop() {
        if element.is("nestedSchema") {
            continue;
        }
        let start = open.len();
        open.extend(element.children());
        open[start..].reverse();
        use_of(element, field, &mut found);
    }
    found
}

fn use_of<'d>(element: Element<'d>, field: Option<TypeId>, found: &mut Vec<Use<'d>>) {
    if element.children().next().is_some() {
        return;
    }
    let text = element.text();
    if text.is_empty() {
        return;
    }
    let all = 0..text.len();
    let mut add = |named, name: &str, range: Range<usize>| {
        found.push(Use { named, name: name.to_owned(), element, range });
    };
    if Some(element.type_id()) == field {
        match parameter_in(&text) {
            Some(name) => add(Named::Parameter, name, text.len() - name.len()..text.len()),
            None => add(Named::Field, &text, all),
        }
        return;
    }
    let of = element.parent().and_then(|parent| parent.of()).map_or("", |of| of.name.local);
    match (of, element.local()) {
        ("TotalField", "dataPath" | "group") | ("DataSetFieldRole", "parentDimension" | "accountField") => {
            add(Named::Field, &text, all);
        }
        ("DataSetFieldField", "inHierarchyDataSet") | ("DataSetLink", "sourceDataSet" | "destinationDataSet") => {
            add(Named::DataSet, &text, all);
        }
        ("DataSetFieldField", "inHierarchyDataSetParameter") | ("DataSetLink", "parameter") => {
            add(Named::Parameter, &text, all);
        }
        ("DataSetQuery" | "DataSetObject", "dataSource") => add(Named::Source, &text, all),
        ("FieldTemplate" | "GroupTemplate" | "TotalFieldsTemplate", "template") => add(Named::Template, &text, all),
        ("GroupTemplate", "groupName") | ("TotalFieldsTemplate", "groupName1" | "groupName2") => {
            add(Named::Group, &text, all);
        }
        ("StructureItemNestedObject", "objectID") => add(Named::Nested, &text, all),
        ("SettingsParameterValue", "parameter") => {
            let is_data = element.parent().and_then(|item| item.parent());
            if is_data.is_some_and(|values| values.is("dataParameters")) {
                add(Named::Parameter, &text, all);
            }
        }
        ("DataSetQuery", "query") => {
            let query = Query::of(&text);
            let mut seen = FxHashSet::default();
            for name in query.parameters().filter(|name| seen.insert(name.to_lowercase())) {
                for range in query.parameter_uses(name) {
                    add(Named::Parameter, name, range);
                }
            }
        }
        (_, local) if EXPRESSIONS.contains(&local) => in_expression(&text, 0, 0, &mut add),
        _ => {}
    }
}

fn parameter_in(path: &str) -> Option<&str> {
    let folded = path.to_lowercase();
    let prefix = PARAMETERS.iter().find(|prefix| folded.starts_with(**prefix))?;
    path.get(prefix.len()..).filter(|name| !name.is_empty())
}

/// Names in an expression, and in texts that are evaluated.
fn in_expression(text: &str, offset: usize, depth: usize, add: &mut impl FnMut(Named, &str, Range<usize>)) {
    for used in paths(text) {
        let range = used.range.start + offset..used.range.end + offset;
        match parameter_in(&used.path) {
            Some(name) if text[used.range.clone()].ends_with(name) => {
                add(Named::Parameter, name, range.end - name.len()..range.end)
            }
            Some(name) => add(Named::Parameter, name, range),
            None => add(Named::Field, &used.path, range),
        }
    }
    for used in names(text).parameters {
        add(Named::Parameter, &used.name, used.range.start + 1 + offset..used.range.end + offset);
    }
    if depth > 3 {
        return;
    }
    // The first argument of the functions that evaluate a text.
    let mut at = 0;
    while let Some(quote) = text[at..].find('"').map(|quote| at + quote) {
        let mut end = quote + 1;
        while let Some(next) = text[end..].find('"') {
            end += next;
            if !text[end + 1..].starts_with('"') {
                break;
            }
            end += 2;
        }
        let before = text[..quote].trim_end();
        let function = before.strip_suffix('(').map(str::trim_end).unwrap_or("");
        let start = function
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + function[at..].chars().next().map_or(1, char::len_utf8));
        let inner = text.get(quote + 1..end.min(text.len())).unwrap_or("");
        if EVALUATING.contains(&function[start..].to_lowercase().as_str()) && !inner.is_empty() {
            in_expression(inner, offset + quote + 1, depth + 1, add);
        }
        at = (end + 1).min(text.len());
    }
}

/// Replaces a part of a text that names something. What the user sees of an expression follows it, if it reads the same.
pub(super) fn rewrite<'d>(
    draft: &mut Draft<'d>,
    element: Element<'d>,
    range: Range<usize>,
    with: &str,
) -> Result<(), Refusal> {
    let shown = match element.local() {
        "detailExpression" => "detailExpressionPresentation",
        "totalExpression" => "totalExpressionPresentation",
        _ => "",
    };
    let shown = element.parent().and_then(|of| of.child(shown)).filter(|shown| shown.text() == element.text());
    if let Some(shown) = shown {
        draft.patch_text(shown, range.clone(), with)?;
    }
    draft.patch_text(element, range, with)
}
