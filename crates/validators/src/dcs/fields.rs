//! The paths of data that a schema has: what expressions and settings may name.

use bsl::fold;
use bsl::query::{BraceKind, ColumnKind, ExprKind};
use dcs::view::DataSetKind;
use rustc_hash::FxHashSet;

use super::subject::{Scope, SetQuery, Subject};

/// Fields of a schema.
#[derive(Default)]
pub(crate) struct Fields {
    /// Folded paths.
    paths: FxHashSet<String>,
    /// What paths begin with: `а` and `а.б` of `а.б.в`.
    folders: FxHashSet<String>,
    /// Paths as written, for messages.
    written: Vec<String>,
    /// There may be more: fields that are filled from a query that isn't known in full.
    pub(crate) is_open: bool,
}

impl Fields {
    /// What a query gives.
    pub(crate) fn of_query(query: &SetQuery<'_>) -> Self {
        let mut fields = Self::default();
        fields.add_columns(query);
        fields
    }

    pub(crate) fn of<'s>(subject: &Subject<'s>, scope: &Scope<'s>) -> Self {
        let mut fields = Self::default();
        for set in &scope.sets {
            for field in set.fields() {
                fields.add(&field.data_path());
            }
            match set.kind() {
                DataSetKind::Query if set.auto_fill() => match subject.query_of(*set) {
                    Some(query) => fields.add_columns(query),
                    None => fields.is_open = true,
                },
                // An external set may bring more than is described.
                DataSetKind::Query | DataSetKind::Object | DataSetKind::Union => {}
                DataSetKind::Unknown => fields.is_open = true,
            }
        }
        for field in scope.schema.calculated_fields() {
            fields.add(&field.data_path());
        }
        fields
    }

    fn add(&mut self, path: &str) {
        let folded = fold(path);
        for (dot, _) in folded.match_indices('.') {
            self.folders.insert(folded[..dot].to_owned());
        }
        if self.paths.insert(folded) {
            self.written.push(path.to_owned());
        }
    }

    fn add_columns(&mut self, query: &SetQuery<'_>) {
        let facts = query.facts();
        let result = query.result().and_then(|select| facts.selects.get(select as usize));
        let Some(branch) = result.and_then(|select| select.branches.first()).filter(|_| query.is_certain()) else {
            self.is_open = true;
            return;
        };
        for column in &branch.columns {
            match column.kind {
                ColumnKind::Star | ColumnKind::StarOf(_) => self.is_open = true,
                _ => self.add(&column.name),
            }
            for nested in &column.nested {
                self.add(&format!("{}.{}", column.name, nested.name));
            }
        }
        // `{ВЫБРАТЬ Поле.* КАК Имя}` offers more fields, in whichever select it stands.
        let tree = query.tree();
        for part in tree.selects.iter().flat_map(|select| &select.branches).flat_map(|branch| &branch.braces) {
            if !matches!(part.kind, BraceKind::Select | BraceKind::Where | BraceKind::Order | BraceKind::Group) {
                continue;
            }
            for (expression, alias) in &part.items {
                if let Some(alias) = alias {
                    self.add(alias.text);
                } else if let Some(ExprKind::Field(path)) = tree.expr(*expression).map(|expression| expression.kind) {
                    let names: Vec<&str> = tree.path(path).iter().map(|name| name.text).collect();
                    // With and without the table before it.
                    self.add(&names.join("."));
                    self.add(&names[1.min(names.len() - 1)..].join("."));
                    self.add(&names.concat());
                    self.add(&names[1.min(names.len() - 1)..].concat());
                }
            }
        }
    }

    /// Whether a path leads to a field, or behind one (`Контрагент.ИНН`), or to a folder of fields.
    pub(crate) fn has(&self, path: &str) -> bool {
        let folded = fold(path.trim());
        if dcs::is_of_system(path) || self.paths.contains(&folded) {
            return true;
        }
        let mut end = folded.len();
        while let Some(dot) = folded[..end].rfind('.') {
            if self.paths.contains(&folded[..dot]) {
                return true;
            }
            end = dot;
        }
        self.folders.contains(&folded)
    }

    /// All paths as written.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.written.iter().map(String::as_str)
    }
}
