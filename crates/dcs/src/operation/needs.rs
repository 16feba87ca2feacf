//! Who needs what: everything in a schema that names a field, a parameter, a set of data, a source, a template or a group.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::At;
use super::draft::Draft;
use super::query::Query;
use super::refusal::{Need, Refusal, Say};
use super::target::{Fields, leads_from, paths, same};
use crate::document::Element;
use crate::expression::names;
use crate::formal::{Formal, TypeId};
use crate::view::{Schema, Variant};
use crate::xml::{NodeId, ns};

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
    fn words(self) -> (&'static str, &'static str) {
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

/// What an element stands for, whose text names something: what has to go if that isn't there any more. None: the element
/// can't be taken out by itself.
fn owner<'d>(element: Element<'d>, removed: &dyn Fn(Element<'d>) -> bool) -> Option<Element<'d>> {
    let remaining = |list: Element<'d>, without: Element<'d>| {
        list.all("item").filter(|item| *item != without && !removed(*item)).count()
    };
    let mut at = element;
    loop {
        let of = at.of().map_or("", |of| of.name.local);
        let parent = at.parent()?;
        match of {
            "TotalField"
            | "CalculatedField"
            | "DataSetLink"
            | "SelectedItemField"
            | "OrderItemField"
            | "FieldTemplate"
            | "GroupTemplate"
            | "TotalFieldsTemplate"
            | "UserFieldExpression"
            | "ChoiceParameterLink"
            | "DetailsAreaTemplateParameterFieldExpression"
            | "OrderExpression"
            | "StructureItemNestedObject"
            | "ConditionalAppearanceItem"
            | "CaseItem"
            | "SettingsParameterValue"
            | "ParameterValue" => return Some(at),
            "SelectedItemFolder" if at.child("field").is_some_and(|field| field == element) => return Some(at),
            "FilterItemComparison" | "FilterItemGroup" => {
                // Without its last condition the item would hold always.
                let around = std::iter::successors(Some(parent), |at| at.parent())
                    .find(|at| !at.is("filter") && at.of().is_none_or(|of| of.name.local != "FilterItemGroup"));
                let is_last = remaining(parent, at) == 0;
                match around {
                    Some(around)
                        if is_last
                            && matches!(
                                around.of().map_or("", |of| of.name.local),
                                "ConditionalAppearanceItem" | "CaseItem"
                            ) =>
                    {
                        return Some(around);
                    }
                    _ if is_last && parent.of().is_some_and(|of| of.name.local == "FilterItemGroup") => {}
                    _ => return Some(at),
                }
            }
            "AppearanceField" if remaining(parent, at) > 0 => return Some(at),
            "GroupItemField" => {
                // A group without fields would show details.
                if remaining(parent, at) > 0 {
                    return Some(at);
                }
                return parent.parent();
            }
            "ExpressionAreaTemplateParameter" => {
                // Cells of the area show it.
                return Some(parent);
            }
            "Parameter" | "DataSetQuery" | "DataSetObject" | "TemplateDefinition" | "DataCompositionSchema" => {
                return None;
            }
            "DataSetFieldRole" | "DataSetFieldField" => {
                // An expression or a role's part: the field can be without it.
                return (at != element).then_some(element).filter(|element| {
                    matches!(
                        element.local(),
                        "presentationExpression"
                            | "parentDimension"
                            | "accountField"
                            | "accountTypeExpression"
                            | "inHierarchyDataSet"
                            | "inHierarchyDataSetParameter"
                    )
                });
            }
            _ => {}
        }
        // A child that is a part of one of these: the parent is looked at.
        at = parent;
    }
}

/// Names that are gone if an element is.
fn lost<'d>(element: Element<'d>, schema: Schema<'d>, removed: &dyn Fn(Element<'d>) -> bool) -> Vec<(Named, String)> {
    let of = element.of().map_or("", |of| of.name.local);
    let one = |named, child| vec![(named, element.text_of(child).into_owned())];
    match of {
        "DataSetFieldField" | "DataSetFieldFolder" | "DataSetFieldNestedDataSet" | "CalculatedField" => {
            one(Named::Field, "dataPath")
        }
        "Parameter" => one(Named::Parameter, "name"),
        "DataSource" => one(Named::Source, "name"),
        "TemplateDefinition" => one(Named::Template, "name"),
        "NestedDataCompositionSchema" => one(Named::Nested, "name"),
        "UserFieldExpression" | "UserFieldCase" => one(Named::Field, "dataPath"),
        "DataSetQuery" | "DataSetObject" | "DataSetUnion" => {
            let mut all = one(Named::DataSet, "name");
            let mut only = Fields::of(schema, &|other: Element<'d>| {
                // The fields of this set alone.
                other.is("calculatedField") || (is_set(other) && other != element && !lies_in(other, element))
            });
            only.is_open = false;
            all.extend(only.names().map(|name| (Named::Field, name.to_owned())));
            let inner = element.all("item").map(|item| (Named::DataSet, item.text_of("name").into_owned()));
            all.extend(inner);
            all
        }
        "StructureItemGroup" | "StructureItemTable" | "StructureItemChart" | "TableGroup" | "ChartGroup"
        | "SettingsVariant" => {
            let is_group = |inner: &Element<'d>| {
                let of = inner.of().map_or("", |of| of.name.local);
                matches!(
                    of,
                    "StructureItemGroup" | "TableGroup" | "ChartGroup" | "StructureItemTable" | "StructureItemChart"
                )
            };
            let names = |root: Element<'d>| {
                root.descendants()
                    .filter(is_group)
                    .filter(|inner| !removed(*inner))
                    .map(|inner| inner.text_of("name").into_owned())
            };
            let gone: Vec<String> = element
                .descendants()
                .filter(is_group)
                .map(|inner| inner.text_of("name").into_owned())
                .filter(|name| !name.is_empty())
                .collect();
            let left: Vec<String> = schema.variants().map(Variant::element).flat_map(names).collect();
            gone.into_iter()
                .filter(|name| !left.iter().any(|other| same(other, name)))
                .map(|name| (Named::Group, name))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn is_set(element: Element<'_>) -> bool {
    element.of().is_some_and(|of| matches!(of.name.local, "DataSetQuery" | "DataSetObject" | "DataSetUnion"))
}

fn lies_in(element: Element<'_>, outer: Element<'_>) -> bool {
    outer.range().start <= element.range().start && element.range().end <= outer.range().end
}

/// Removes things. What needs them is named, and removed too if that is wanted.
pub(super) fn remove<'d>(at: &mut At<'d>, draft: &mut Draft<'d>, what: &[Element<'d>]) -> Result<(), Refusal> {
    remove_with(at, draft, what, &[])
}

/// The same, and queries lose columns: sets, each with a column.
pub(super) fn remove_with<'d>(
    at: &mut At<'d>,
    draft: &mut Draft<'d>,
    what: &[Element<'d>],
    dropped: &[(Element<'d>, String)],
) -> Result<(), Refusal> {
    let schema = at.schema;
    let mut gone: FxHashSet<NodeId> = what.iter().map(|element| element.id()).collect();
    let mut list: Vec<Element<'d>> = what.to_vec();
    let all = uses(schema);
    let mut needs: Vec<Need> = Vec::new();
    let is_gone = |gone: &FxHashSet<NodeId>, element: Element<'_>| {
        std::iter::successors(Some(element), |element| element.parent()).any(|element| gone.contains(&element.id()))
    };
    // Columns that were fields by themselves.
    let mut names: Vec<(Named, String)> = dropped.iter().map(|(_, column)| (Named::Field, column.clone())).collect();
    let mut next = 0;
    loop {
        while let (true, Some(&element)) = (names.is_empty(), list.get(next)) {
            next += 1;
            names = lost(element, schema, &|other| is_gone(&gone, other));
        }
        if names.is_empty() {
            break;
        }
        let left = Fields::without(schema, &|other| is_gone(&gone, other), dropped);
        for (named, name) in std::mem::take(&mut names) {
            if name.is_empty() || (named == Named::Field && left.has(&name)) {
                continue;
            }
            let is_meant = |used: &&Use<'d>| {
                used.named == named
                    && match named {
                        Named::Field => leads_from(&used.name, &name) && !left.has(&used.name),
                        Named::Parameter => leads_from(&used.name, &name),
                        _ => same(&used.name, &name),
                    }
            };
            for used in all.iter().filter(is_meant) {
                if is_gone(&gone, used.element) {
                    continue;
                }
                let owner = owner(used.element, &|other| is_gone(&gone, other));
                match owner {
                    Some(owner) => {
                        needs.push(Need::of(owner, named.words(), &name, true));
                        gone.insert(owner.id());
                        list.push(owner);
                    }
                    None => {
                        let need = Need::of(used.element, named.words(), &name, false);
                        if !needs.contains(&need) {
                            needs.push(need);
                        }
                    }
                }
            }
        }
    }
    let is_blocked = needs.iter().any(|need| !need.removable);
    if is_blocked || (!needs.is_empty() && !at.cascade) {
        needs.sort_by_key(|need| need.removable);
        let message = if is_blocked && at.cascade {
            Say::new(
                "Удалить нельзя: нужно тому, что само не удаляется; сначала измените первые из списка",
                "Can't be removed: it is needed by what can't be removed itself; change the first of the list before",
            )
        } else {
            Say::new(
                format!("Удалить нельзя: используется ({}). Удалить вместе с ними: --cascade", needs.len()),
                format!("Can't be removed: it is used ({}). To remove them too: --cascade", needs.len()),
            )
        };
        return Err(Refusal { message, nearest: Vec::new(), needed_by: needs });
    }
    for element in list {
        draft.remove(element)?;
    }
    at.removed_too = needs;
    Ok(())
}

/// Removes fields of a set. With automatic filling a column of the query remains a field without its description, unless the
/// column goes too.
pub(super) fn remove_field<'d>(
    at: &mut At<'d>,
    draft: &mut Draft<'d>,
    what: &[Element<'d>],
    with_column: bool,
) -> Result<(), Refusal> {
    let keeps = |field: &Element<'d>| {
        let set = field.parent().map(crate::view::DataSet);
        !with_column
            && set.is_some_and(|set| {
                let path = field.text_of("dataPath");
                set.auto_fill()
                    && same(&path, &field.text_of("field"))
                    && Query::of(&set.query()).columns().iter().any(|column| same(column, &path))
            })
    };
    let (kept, gone): (Vec<Element<'d>>, Vec<Element<'d>>) = what.iter().copied().partition(keeps);
    for field in kept {
        draft.remove(field)?;
    }
    let mut dropped = Vec::new();
    if with_column {
        for field in what {
            dropped.extend(field.parent().map(|set| (set, field.text_of("field").into_owned())));
        }
    }
    remove_with(at, draft, &gone, &dropped)
}
