//! What checks look at: the document, and what more than one check needs of it, worked out once.

use std::borrow::Cow;
use std::cell::OnceCell;

use bsl::query::{ColumnFacts, ColumnKind, Query, QueryFacts, TableUse, TextKind, parse, read};
use bsl::{Catalog, fold, same_name};
use dcs::formal::{Deviation, conform};
use dcs::view::{DataSet, DataSetKind, Schema};
use dcs::{Document, Element};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fields::Fields;

/// Texts of queries, kept while the checks run.
pub(crate) struct Texts<'d>(Vec<(Element<'d>, Cow<'d, str>)>);

impl<'d> Texts<'d> {
    pub(crate) fn of(document: &'d Document) -> Self {
        let schemas = document.schema().map(Schema::with_nested).unwrap_or_default();
        let sets = schemas.into_iter().flat_map(|(_, schema)| schema.all_data_sets());
        let queries = sets.filter(|set| set.kind() == DataSetKind::Query).filter_map(DataSet::query_element);
        Self(queries.map(|element| (element, element.text())).collect())
    }
}

/// A query of a set.
pub(crate) struct SetQuery<'s> {
    pub(crate) element: Element<'s>,
    pub(crate) text: &'s str,
    tree: OnceCell<Query<'s>>,
    facts: OnceCell<QueryFacts>,
}

impl<'s> SetQuery<'s> {
    pub(crate) fn tree(&self) -> &Query<'s> {
        self.tree.get_or_init(|| parse(self.text, TextKind::Query))
    }

    pub(crate) fn facts(&self) -> &QueryFacts {
        self.facts.get_or_init(|| read(self.text, TextKind::Query))
    }

    /// Nothing certain can be said of a text of which parts are replaced, or that could not be read.
    pub(crate) fn is_certain(&self) -> bool {
        let facts = self.facts();
        !facts.placeholders && facts.problems.is_empty()
    }

    /// See [`columns_of`].
    pub(crate) fn columns_of(&self, table: &TableUse) -> Option<Vec<&str>> {
        columns_of(self.facts(), table)
    }

    /// The select that gives the set's rows: the last one that fills no temporary table.
    pub(crate) fn result(&self) -> Option<u32> {
        let facts = self.facts();
        let last = facts.statements.iter().rev().find(|one| one.select.is_some() && one.temp_table.is_none());
        last.and_then(|statement| statement.select)
    }
}

/// Columns of a table that the text itself shows: a nested query, a temporary table. None if there may be more.
pub(crate) fn columns_of<'f>(facts: &'f QueryFacts, table: &TableUse) -> Option<Vec<&'f str>> {
    let select = facts.selects.get(table.made_by? as usize)?;
    let columns = &select.branches.first()?.columns;
    let is_open = |column: &ColumnFacts| matches!(column.kind, ColumnKind::Star | ColumnKind::StarOf(_));
    if columns.iter().any(is_open) {
        return None;
    }
    Some(columns.iter().map(|column| &*column.name).collect())
}

/// A schema, or one nested in it.
pub(crate) struct Scope<'s> {
    pub(crate) schema: Schema<'s>,
    /// All sets, those of unions among them.
    pub(crate) sets: Vec<DataSet<'s>>,
    pub(crate) fields: OnceCell<Fields>,
}

/// What checks look at.
pub(crate) struct Subject<'s> {
    pub(crate) document: &'s Document,
    pub(crate) scopes: Vec<Scope<'s>>,
    pub(crate) queries: Vec<SetQuery<'s>>,
    by_element: FxHashMap<u32, usize>,
    pub(crate) catalog: Option<&'s dyn Catalog>,
    deviations: OnceCell<Vec<Deviation>>,
}

impl<'s> Subject<'s> {
    pub(crate) fn new(document: &'s Document, texts: &'s Texts<'s>, catalog: Option<&'s dyn Catalog>) -> Self {
        let schemas = document.schema().map(Schema::with_nested).unwrap_or_default();
        let scope = |(_, schema): (Vec<String>, Schema<'s>)| Scope {
            schema,
            sets: schema.all_data_sets(),
            fields: OnceCell::new(),
        };
        let query = |(element, text): &'s (Element<'s>, Cow<'s, str>)| SetQuery {
            element: *element,
            text,
            tree: OnceCell::new(),
            facts: OnceCell::new(),
        };
        let queries: Vec<SetQuery<'s>> = texts.0.iter().map(query).collect();
        let by_element = queries.iter().enumerate().map(|(number, query)| (query.element.id().0, number)).collect();
        let scopes = schemas.into_iter().map(scope).collect();
        Self { document, scopes, queries, by_element, catalog, deviations: OnceCell::new() }
    }

    /// Deviations from the formal model.
    pub(crate) fn deviations(&self) -> &[Deviation] {
        self.deviations.get_or_init(|| conform(self.document))
    }

    /// The query of a set.
    pub(crate) fn query_of(&self, set: DataSet<'s>) -> Option<&SetQuery<'s>> {
        self.by_element.get(&set.query_element()?.id().0).map(|&number| &self.queries[number])
    }

    /// The fields that a schema has.
    pub(crate) fn fields_of<'a>(&'a self, scope: &'a Scope<'s>) -> &'a Fields {
        scope.fields.get_or_init(|| Fields::of(self, scope))
    }
}

/// Names to look up, without regard to case.
#[derive(Default)]
pub(crate) struct Names {
    written: Vec<String>,
    folded: FxHashSet<String>,
}

impl Names {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.folded.contains(&fold(name))
    }

    /// As written, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.written.iter().map(String::as_str)
    }
}

impl<N: AsRef<str>> Extend<N> for Names {
    fn extend<I: IntoIterator<Item = N>>(&mut self, names: I) {
        for name in names {
            let name = name.as_ref();
            if self.folded.insert(fold(name)) {
                self.written.push(name.to_owned());
            }
        }
    }
}

impl<N: AsRef<str>> FromIterator<N> for Names {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut all = Self::default();
        all.extend(names);
        all
    }
}

/// Whether one of a few names is this one.
pub(crate) fn has_name<N: AsRef<str>>(names: &[N], name: &str) -> bool {
    names.iter().any(|other| same_name(other.as_ref(), name))
}
