//! Who needs what: removing a thing asks all places that name it.

use rustc_hash::FxHashSet;

use super::At;
use super::draft::Draft;
use super::query::Query;
use super::refusal::{Need, Refusal, Say};
use super::target::{Fields, leads_from, same};
use super::user_field;
use super::uses::{Named, Use, uses};
use crate::document::Element;
use crate::view::{Schema, Variant};
use crate::xml::NodeId;

/// What an element stands for, whose text names something: what has to go if that isn't there any more. None: the element
/// can't be taken out by itself.
fn owner<'d>(element: Element<'d>, removed: &dyn Fn(Element<'d>) -> bool) -> Option<Element<'d>> {
    let remaining = |list: Element<'d>, without: Element<'d>| {
        list.all("item").filter(|item| *item != without && !removed(*item)).count()
    };
    let mut at = element;
    loop {
        // What holds the name is none itself, whatever its type is called (`cor:Parameter`).
        let of = at.of().filter(|_| at != element).map_or("", |of| of.name.local);
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
                return Some(element).filter(|element| {
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

/// A name that is gone.
struct Lost<'d> {
    named: Named,
    name: String,
    /// The settings that it was a name in; none: in all of the schema.
    settings: Option<Element<'d>>,
}

impl<'d> Lost<'d> {
    fn of(named: Named, name: String) -> Self {
        Self { named, name, settings: None }
    }

    /// Whether a place needs it. `left`: the fields that there are still.
    fn is_meant(&self, used: &Use<'d>, schema: Schema<'d>, left: &Fields) -> bool {
        used.named == self.named
            && match (self.named, self.settings) {
                (Named::Field, Some(settings)) => {
                    leads_from(&used.name, &self.name)
                        && user_field::is_meant(schema, settings, &self.name, used.element)
                }
                (Named::Field, None) => leads_from(&used.name, &self.name) && !left.has(&used.name),
                (Named::Parameter, _) => leads_from(&used.name, &self.name),
                _ => same(&used.name, &self.name),
            }
    }
}

/// Names that are gone if an element is.
fn lost<'d>(element: Element<'d>, schema: Schema<'d>, removed: &dyn Fn(Element<'d>) -> bool) -> Vec<Lost<'d>> {
    let of = element.of().map_or("", |of| of.name.local);
    let one = |named, child| vec![Lost::of(named, element.text_of(child).into_owned())];
    let user = |field: Element<'d>| Lost {
        settings: user_field::settings_of(field),
        ..Lost::of(Named::Field, field.text_of("dataPath").into_owned())
    };
    match of {
        "DataSetFieldField" | "DataSetFieldFolder" | "DataSetFieldNestedDataSet" | "CalculatedField" => {
            one(Named::Field, "dataPath")
        }
        "Parameter" => one(Named::Parameter, "name"),
        "DataSource" => one(Named::Source, "name"),
        "TemplateDefinition" => one(Named::Template, "name"),
        "NestedDataCompositionSchema" => one(Named::Nested, "name"),
        "UserFieldExpression" | "UserFieldCase" => vec![user(element)],
        "UserFields" => element.all("item").map(user).collect(),
        "DataSetQuery" | "DataSetObject" | "DataSetUnion" => {
            let mut all = one(Named::DataSet, "name");
            let mut only = Fields::of(schema, &|other: Element<'d>| {
                // The fields of this set alone.
                other.is("calculatedField") || (is_set(other) && other != element && !lies_in(other, element))
            });
            only.is_open = false;
            all.extend(only.names().map(|name| Lost::of(Named::Field, name.to_owned())));
            let inner = element.all("item").map(|item| Lost::of(Named::DataSet, item.text_of("name").into_owned()));
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
                .map(|name| Lost::of(Named::Group, name))
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
    let mut names: Vec<Lost<'d>> = dropped.iter().map(|(_, column)| Lost::of(Named::Field, column.clone())).collect();
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
        for lost in std::mem::take(&mut names) {
            let Lost { named, name, .. } = &lost;
            let is_left = *named == Named::Field && lost.settings.is_none() && left.has(name);
            if name.is_empty() || is_left {
                continue;
            }
            for used in all.iter().filter(|used| lost.is_meant(used, schema, &left)) {
                if is_gone(&gone, used.element) {
                    continue;
                }
                let owner = owner(used.element, &|other| is_gone(&gone, other));
                match owner {
                    Some(owner) => {
                        needs.push(Need::of(owner, named.words(), name, true));
                        gone.insert(owner.id());
                        list.push(owner);
                    }
                    None => {
                        let need = Need::of(used.element, named.words(), name, false);
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
