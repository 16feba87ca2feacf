//! Finding what an operation is about; who isn't found is refused with the nearest names.

use rustc_hash::FxHashMap;

use super::query::Query;
use super::refusal::Refusal;
use super::user_field;
use crate::document::{Document, Element};
use crate::edit::Place;
use crate::is_of_system;
use crate::view::{DataSet, DataSetKind, FieldKind, Parameter, Schema};

/// Names are compared as the platform does: case doesn't count.
pub(super) fn same(one: &str, other: &str) -> bool {
    one == other || (one.len() <= other.len() * 2 && one.to_lowercase() == other.to_lowercase())
}

/// Whether a path is another one or leads on from it.
pub(super) fn leads_from(path: &str, field: &str) -> bool {
    let (path, field) = (path.to_lowercase(), field.to_lowercase());
    path.strip_prefix(field.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

pub(super) fn required<'o>(text: &'o str, option: &str, ru: &str, en: &str) -> Result<&'o str, Refusal> {
    let text = text.trim();
    if text.is_empty() { Err(Refusal::missing(option, ru, en)) } else { Ok(text) }
}

/// The schema, or one nested in it.
pub(super) fn schema<'d>(document: &'d Document, path: &[String]) -> Result<Schema<'d>, Refusal> {
    let mut schema =
        document.schema().ok_or_else(|| Refusal::new("Это не схема компоновки данных", "This is no report schema"))?;
    for name in path {
        let found =
            schema.nested_schemas().find(|nested| same(&nested.name(), name)).and_then(|nested| nested.schema());
        schema = found.ok_or_else(|| {
            let names: Vec<String> = schema.nested_schemas().map(|nested| nested.name().into_owned()).collect();
            Refusal::unknown(("вложенная схема", "nested schema"), name, names.iter().map(String::as_str))
        })?;
    }
    Ok(schema)
}

/// The thing of a name among others.
pub(super) fn named<'d>(
    all: impl IntoIterator<Item = (String, Element<'d>)>,
    name: &str,
    kind: (&str, &str),
) -> Result<Element<'d>, Refusal> {
    let all: Vec<(String, Element<'d>)> = all.into_iter().collect();
    let exact = all.iter().find(|(other, _)| other == name);
    exact
        .or_else(|| all.iter().find(|(other, _)| same(other, name)))
        .map(|(_, element)| *element)
        .ok_or_else(|| Refusal::unknown(kind, name, all.iter().map(|(other, _)| other.as_str())))
}

pub(super) fn data_set<'d>(schema: Schema<'d>, name: &str) -> Result<DataSet<'d>, Refusal> {
    let all = schema.all_data_sets().into_iter().map(|set| (set.name().into_owned(), set.element()));
    named(all, name, ("набор данных", "data set")).map(DataSet)
}

pub(super) fn parameter<'d>(schema: Schema<'d>, name: &str) -> Result<Parameter<'d>, Refusal> {
    let all = schema.parameters().map(|parameter| (parameter.name().into_owned(), parameter.element()));
    named(all, name.trim_start_matches('&'), ("параметр", "parameter")).map(Parameter)
}

/// A place among neighbours: `before`, `after`, or behind the last one.
pub(super) fn place<'d>(
    before: &str,
    after: &str,
    find: impl Fn(&str) -> Result<Element<'d>, Refusal>,
) -> Result<Place<'d>, Refusal> {
    Ok(match (before.trim(), after.trim()) {
        ("", "") => Place::InOrder,
        (before, "") => Place::Before(find(before)?),
        (_, after) => Place::After(find(after)?),
    })
}

/// The fields that a schema has.
pub(super) struct Fields {
    /// As they are written, by lower case.
    names: FxHashMap<String, String>,
    /// Fields of the user that the settings have, if it is settings that name fields.
    user: Option<Vec<String>>,
    /// There may be more than could be found out.
    pub(super) is_open: bool,
}

impl Fields {
    /// The fields of a schema, without those that `removed` leaves out.
    pub(super) fn of<'d>(schema: Schema<'d>, removed: &dyn Fn(Element<'d>) -> bool) -> Self {
        Self::without(schema, removed, &[])
    }

    /// The fields that a place in settings may name: those of the schema, and the user's in these settings.
    pub(super) fn in_settings<'d>(schema: Schema<'d>, around: Element<'d>) -> Self {
        let settings = user_field::settings_of(around);
        let user = settings.into_iter().flat_map(user_field::all).map(|field| field.text_of("dataPath").into_owned());
        Self { user: Some(user.collect()), ..Self::of(schema, &|_| false) }
    }

    /// The fields that new settings may name: those of the schema.
    pub(super) fn in_new_settings(schema: Schema<'_>) -> Self {
        Self { user: Some(Vec::new()), ..Self::of(schema, &|_| false) }
    }

    /// The same, without columns that queries lose.
    pub(super) fn without<'d>(
        schema: Schema<'d>,
        removed: &dyn Fn(Element<'d>) -> bool,
        dropped: &[(Element<'d>, String)],
    ) -> Self {
        let mut fields = Self { names: FxHashMap::default(), user: None, is_open: false };
        for set in schema.all_data_sets().into_iter().filter(|set| !removed(set.element())) {
            fields.add_set(set, removed, dropped);
        }
        for field in schema.calculated_fields().filter(|field| !removed(field.element())) {
            fields.add(&field.data_path());
        }
        fields
    }

    fn add(&mut self, name: &str) {
        self.names.insert(name.to_lowercase(), name.to_owned());
    }

    fn add_set<'d>(
        &mut self,
        set: DataSet<'d>,
        removed: &dyn Fn(Element<'d>) -> bool,
        dropped: &[(Element<'d>, String)],
    ) {
        for field in set.fields().filter(|field| !removed(field.element())) {
            self.add(&field.data_path());
            self.is_open |= field.kind() == FieldKind::NestedDataSet;
        }
        if set.kind() == DataSetKind::Query && set.auto_fill() {
            let described = set.fields().filter(|field| !removed(field.element()));
            let described: Vec<String> = described.map(|field| field.source().to_lowercase()).collect();
            let text = set.query();
            let query = Query::of(&text);
            self.is_open |= query.is_open();
            for column in query.columns() {
                // A column that a field with another path describes has that path only.
                let is_dropped = dropped.iter().any(|(of, name)| *of == set.element() && same(name, &column));
                if !is_dropped && !described.contains(&column.to_lowercase()) {
                    self.add(&column);
                }
            }
        }
    }

    /// Whether a path begins with a field.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let ends = path.char_indices().filter(|(_, c)| *c == '.').map(|(at, _)| at).chain([path.len()]);
        self.is_open || ends.into_iter().any(|end| self.names.contains_key(&path[..end]))
    }

    /// Whether this very path is a field.
    pub(super) fn has_exactly(&self, path: &str) -> bool {
        self.names.contains_key(&path.to_lowercase())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// Refuses a path that begins with no field.
    pub(super) fn require(&self, path: &str) -> Result<(), Refusal> {
        if let Some(user) = self.user.as_ref().filter(|_| user_field::is_path_of_user(path)) {
            return match user.iter().any(|own| leads_from(path, own)) {
                true => Ok(()),
                false => Err(Refusal::unknown(
                    ("пользовательское поле этих настроек", "user field of these settings"),
                    path,
                    user.iter().map(String::as_str),
                )),
            };
        }
        if self.has(path) || is_of_system(path) {
            return Ok(());
        }
        let mut names: Vec<&str> = self.names().collect();
        names.sort_unstable();
        Err(Refusal::unknown(("поле", "field"), path, names))
    }

    /// Refuses an expression that names what there isn't.
    pub(super) fn require_all(&self, schema: Schema<'_>, expression: &str) -> Result<(), Refusal> {
        for used in paths(expression) {
            self.require(&used.path)?;
        }
        for used in &crate::expression::names(expression).parameters {
            parameter(schema, &used.name)?;
        }
        Ok(())
    }
}

/// Puts an element at another place among its neighbours. Without a place: the first or the last one.
pub(super) fn move_among<'d>(
    draft: &mut super::draft::Draft<'d>,
    element: Element<'d>,
    all: &[Element<'d>],
    place: Place<'d>,
    is_first: bool,
) -> Result<(), Refusal> {
    let nothing = || Refusal::new("Менять нечего: всё уже так", "Nothing to change: all is so already");
    let at = all.iter().position(|other| *other == element).ok_or_else(nothing)?;
    let parent = element.parent().ok_or_else(nothing)?;
    let place = match place {
        Place::InOrder if is_first => Place::Before(*all.first().ok_or_else(nothing)?),
        Place::InOrder => Place::After(*all.last().ok_or_else(nothing)?),
        other => other,
    };
    let wanted = match place {
        Place::Before(other) => all.iter().position(|one| *one == other),
        Place::After(other) => all.iter().position(|one| *one == other).map(|at| at + 1),
        Place::InOrder => None,
    };
    if wanted == Some(at) || wanted == Some(at + 1) {
        return Err(nothing());
    }
    draft.move_to(element, parent, place)
}

/// Paths of data in an expression; what leads on from a parameter or a parenthesis is none.
pub(super) fn paths(expression: &str) -> Vec<crate::expression::PathUse> {
    let mut found = crate::expression::names(expression).paths;
    found.retain(|used| !expression[..used.range.start].trim_end().ends_with('.'));
    found
}
