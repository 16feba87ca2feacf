//! Tree -> facts: walks the batch in order, each select after what it is made of.

use rustc_hash::FxHashMap;

use super::expr::ExprKind;
use super::facts::*;
use super::model::{
    BraceKind, BracePart, Branch, Column, ColumnValue, Name, Query, Run, Select, SelectId, Source, Span, StatementKind,
    Table,
};
use super::naming::Naming;
use super::scope::{Names, Scope, implied_alias};
use super::tables;
use super::value::{self, FieldNumbers};
use crate::fold;

/// Facts of a tree.
pub(crate) fn facts_of(query: &Query<'_>) -> QueryFacts {
    let facts = QueryFacts {
        placeholders: query.placeholders,
        problems: query.problems.clone(),
        selects: vec![SelectFacts::default(); query.selects.len()],
        ..QueryFacts::default()
    };
    let place = Place { select: 0, branch: 0 };
    let fields = FieldNumbers::new(query.exprs.len());
    let names = Names::new(query.placeholders);
    let mut resolver = Resolver { query, facts, names, temp: FxHashMap::default(), place, fields, columns_of: None };
    resolver.batch();
    resolver.facts
}

/// Whether columns of the result may be named in a part in braces.
fn names_columns(kind: BraceKind) -> bool {
    matches!(kind, BraceKind::Select | BraceKind::Group | BraceKind::Order | BraceKind::Totals)
}

#[derive(Clone, Copy)]
pub(super) struct Place {
    pub select: u32,
    pub branch: u32,
}

pub(super) struct Resolver<'q, 't> {
    pub query: &'q Query<'t>,
    pub facts: QueryFacts,
    pub names: Names,
    /// Temporary tables that are there by now, folded, with the selects that fill them.
    temp: FxHashMap<String, u32>,
    pub place: Place,
    pub fields: FieldNumbers,
    /// The select whose own columns may be named.
    pub columns_of: Option<u32>,
}

impl<'t> Resolver<'_, 't> {
    fn batch(&mut self) {
        for statement in &self.query.statements {
            let (select, temp_table) = match statement.kind {
                StatementKind::Drop(name) => {
                    let made_by = self.temp.remove(&fold(name.text));
                    self.temp_table(name, TempTableAction::Dropped, made_by);
                    (None, Some(name.text.into()))
                }
                StatementKind::Select(id) | StatementKind::Restriction(id) => {
                    self.select(id);
                    (Some(id.0), self.fill_temp_table(id))
                }
            };
            self.facts.statements.push(StatementFacts { select, temp_table, span: statement.span });
        }
        for &condition in &self.query.conditions {
            self.expr(condition, Clause::Directive);
        }
        for &(name, args) in &self.query.macros {
            let texts = self.query.list(args).iter().map(|&arg| match self.query.expr(arg).map(|expr| expr.kind) {
                Some(ExprKind::String(text)) => text.trim_matches('"').replace("\"\"", "\"").into(),
                _ => Box::from(""),
            });
            let args = texts.collect();
            self.facts.templates.push(TemplateCall { name: name.text.into(), args, span: name.span });
        }
    }

    fn temp_table(&mut self, name: Name<'t>, action: TempTableAction, made_by: Option<u32>) {
        self.facts.temp_tables.push(TempTableUse { name: name.text.into(), action, made_by, span: name.span });
    }

    /// Notes the temporary table that a statement fills.
    fn fill_temp_table(&mut self, id: SelectId) -> Option<Box<str>> {
        let into = self.query.select(id)?.branches.iter().find_map(|branch| branch.into)?;
        let action = if into.append { TempTableAction::Extended } else { TempTableAction::Made };
        let known = self.temp.get(&fold(into.name.text)).copied().filter(|_| into.append);
        let made_by = known.unwrap_or(id.0);
        if into.name.is_known() {
            self.temp.insert(fold(into.name.text), made_by);
        }
        self.temp_table(into.name, action, Some(made_by));
        Some(into.name.text.into())
    }

    /// Reads a select. Recursion is as deep as the parser lets selects be nested.
    pub fn select(&mut self, id: SelectId) {
        let query = self.query;
        let Some(select) = query.select(id) else { return };
        let (outer, outer_columns) = (self.place, self.columns_of.take());
        if let Some(facts) = self.facts.selects.get_mut(id.0 as usize) {
            facts.parent = select.parent.map(|(parent, branch)| (parent.0, branch));
            facts.span = select.span;
        }
        let mut first_scope = None;
        for (number, branch) in (0_u32..).zip(&select.branches) {
            self.place = Place { select: id.0, branch: number };
            let facts = self.branch(branch);
            if let Some(select) = self.facts.selects.get_mut(id.0 as usize) {
                select.branches.push(facts);
            }
            let scope = self.names.scopes.pop();
            first_scope = first_scope.or(scope);
        }
        self.names.close_select(id.0, &self.facts);
        self.names.scopes.push(first_scope.unwrap_or_default());
        self.place = Place { select: id.0, branch: 0 };
        self.columns_of = Some(id.0);
        self.result(select);
        self.names.scopes.pop();
        (self.place, self.columns_of) = (outer, outer_columns);
    }

    /// What belongs to the result as a whole.
    fn result(&mut self, select: &Select<'t>) {
        for &item in &select.order {
            self.expr(item, Clause::Order);
        }
        for item in &select.totals {
            self.expr(item.expr, Clause::Totals);
            for &bound in self.query.list(item.periods) {
                self.expr(bound, Clause::Totals);
            }
        }
        for &item in &select.index {
            self.expr(item, Clause::Index);
        }
        for branch in &select.branches {
            for part in branch.braces.iter().filter(|part| names_columns(part.kind)) {
                self.braces(part);
            }
        }
    }

    fn braces(&mut self, part: &BracePart<'t>) {
        for &(item, _) in &part.items {
            self.expr(item, Clause::Braces);
        }
        for &id in &part.characteristics {
            self.select(id);
        }
    }

    /// Reads a branch; its scope stays on the stack.
    fn branch(&mut self, branch: &Branch<'t>) -> BranchFacts {
        let mut tables = Vec::new();
        for source in &branch.sources {
            let number = self.source(source);
            tables.push(number);
        }
        let mut scope = Scope::default();
        for &table in &tables {
            scope.add(table, &self.facts);
        }
        self.names.scopes.push(scope);
        for (source, &table) in branch.sources.iter().zip(&tables) {
            self.table_parameters(source, table);
        }
        let mut facts = BranchFacts {
            union: branch.union,
            tables,
            columns: Vec::new(),
            select_list: branch.select_list,
            span: branch.span,
        };
        facts.columns = self.columns(&branch.columns);
        for condition in branch.sources.iter().filter_map(|source| source.join?.condition) {
            self.expr(condition, Clause::Join);
        }
        let parts = [(branch.top, Clause::Select), (branch.condition, Clause::Where), (branch.having, Clause::Having)];
        for (expr, clause) in parts {
            if let Some(expr) = expr {
                self.expr(expr, clause);
            }
        }
        for &item in &branch.group_by {
            self.expr(item, Clause::Group);
        }
        for part in branch.braces.iter().filter(|part| !names_columns(part.kind)) {
            self.braces(part);
        }
        for &name in &branch.for_update {
            let span = self.path_span(name);
            self.name(name, NameRole::ForUpdate, span);
        }
        facts
    }

    /// Adds a table; nested queries are read first.
    fn source(&mut self, source: &Source<'t>) -> u32 {
        let mut made_by = None;
        let (kind, name, virtual_table, parts) = match source.table {
            Table::Named { name, .. } => {
                let path = self.query.path(name);
                let parts: Vec<&str> = path.iter().map(|part| part.text).collect();
                let (mut kind, mut canonical, found) = tables::table_of(&parts);
                if path.iter().any(|part| !part.is_known()) {
                    (kind, canonical) = (TableKind::Unknown, String::new());
                }
                if let (TableKind::Temporary, [part]) = (kind, path) {
                    made_by = self.temp.get(&fold(part.text)).copied();
                    self.temp_table(*part, TempTableAction::Read, made_by);
                }
                (kind, canonical, found, parts)
            }
            Table::Nested(id) => {
                self.select(id);
                made_by = Some(id.0);
                (TableKind::Nested, String::new(), None, Vec::new())
            }
            Table::Parameter(name) => {
                let path = self.query.path(name);
                for part in path {
                    let name = part.text.into();
                    self.facts.parameters.push(ParameterUse { name, clause: Clause::From, span: part.span });
                }
                (TableKind::Parameter, String::new(), None, path.iter().map(|part| part.text).collect())
            }
            Table::Current => (TableKind::Current, String::new(), None, Vec::new()),
            Table::Missing => (TableKind::Unknown, String::new(), None, Vec::new()),
        };
        let alias = source.alias.map_or_else(|| implied_alias(kind, &parts), |alias| alias.text.to_owned());
        let parameters = match &source.table {
            Table::Named { parameters: Some(parameters), .. } => &parameters[..],
            _ => &[],
        };
        let parameters = parameters.iter().enumerate().map(|(place, parameter)| TableParameterFacts {
            name: virtual_table.and_then(|table| table.parameter(place)),
            span: parameter.span,
        });
        self.facts.tables.push(TableUse {
            kind,
            parts: parts.into_iter().map(Box::from).collect(),
            name: name.into(),
            alias: alias.into(),
            explicit: source.alias.is_some(),
            join: source.join.map(|join| join.kind),
            optional: source.optional,
            parameters: parameters.collect(),
            made_by,
            select: self.place.select,
            branch: self.place.branch,
            span: source.span,
        });
        self.facts.tables.len() as u32 - 1
    }

    /// Conditions among the parameters of a virtual table name its own fields.
    fn table_parameters(&mut self, source: &Source<'t>, table: u32) {
        let Table::Named { parameters: Some(parameters), .. } = &source.table else { return };
        let mut scope = Scope::default();
        scope.add(table, &self.facts);
        self.names.scopes.push(scope);
        for (place, parameter) in parameters.iter().enumerate() {
            let known = self.facts.tables.get(table as usize).and_then(|table| table.parameters.get(place)?.name);
            for &expr in &parameter.exprs {
                // `МЕСЯЦ`, `ДвиженияИГраницыПериода`: words, no fields.
                let is_field = matches!(self.query.expr(expr).map(|expr| expr.kind), Some(ExprKind::Field(_)));
                if !(is_field && matches!(known, Some("Periodicity" | "FillMethod"))) {
                    self.expr(expr, Clause::TableParameter);
                }
            }
        }
        self.names.scopes.pop();
    }

    // Columns.

    fn columns(&mut self, columns: &[Column<'t>]) -> Vec<ColumnFacts> {
        let mut facts = Vec::with_capacity(columns.len());
        let mut naming = Naming::new(columns);
        for column in columns {
            facts.push(self.column(column, &mut naming));
        }
        facts
    }

    fn column(&mut self, column: &Column<'t>, naming: &mut Naming) -> ColumnFacts {
        let before = self.facts.fields.len();
        let mut value = ValueFacts::default();
        let mut nested = Vec::new();
        let mut path = None;
        let kind = match &column.value {
            ColumnValue::Expr(expr) => {
                self.expr(*expr, Clause::Select);
                path = self.fields.get(*expr);
                value = value::value_of(self.query, *expr, &self.fields, &self.facts);
                ColumnKind::Expr
            }
            ColumnValue::Star(of) if of.count == 0 => ColumnKind::Star,
            ColumnValue::Star(of) => match self.star_table(*of) {
                Some(table) => ColumnKind::StarOf(table),
                None => ColumnKind::Star,
            },
            ColumnValue::Nested { of, columns } => {
                let span = self.path_span(*of);
                path = self.field(*of, Clause::Select, span);
                let table = self.nested_table(path, *of, span);
                let mut scope = Scope::default();
                scope.add(table, &self.facts);
                self.names.scopes.push(scope);
                nested = self.columns(columns);
                self.names.scopes.pop();
                ColumnKind::Nested(table)
            }
            ColumnValue::EmptyTable(_) => ColumnKind::EmptyTable,
        };
        let is_star = matches!(kind, ColumnKind::Star | ColumnKind::StarOf(_));
        let name = match column.alias {
            Some(alias) => alias.text.into(),
            None if is_star => Box::default(),
            None => naming.derive(path.and_then(|field| self.facts.fields.get(field as usize))),
        };
        let count = (self.facts.fields.len() - before) as u32;
        let fields = Run { first: before as u32, count };
        ColumnFacts { name, explicit: column.alias.is_some(), kind, fields, value, nested, span: column.span }
    }

    /// The table before `.*`: one of the branch, or a nested table of one.
    fn star_table(&mut self, of: Run) -> Option<u32> {
        let query = self.query;
        if let [only] = query.path(of) {
            let folded = fold(only.text);
            return self.names.scopes.last()?.by_alias(&folded);
        }
        let span = self.path_span(of);
        let field = self.field(of, Clause::Select, span);
        Some(self.nested_table(field, of, span))
    }

    /// A nested table as a use of a tabular section.
    fn nested_table(&mut self, field: Option<u32>, of: Run, span: Span) -> u32 {
        let parts: Vec<Box<str>> = self.query.path(of).iter().map(|part| part.text.into()).collect();
        let field = field.and_then(|field| self.facts.fields.get(field as usize));
        let section = field.and_then(|field| match &field.origins[..] {
            [origin] if origin.table.matches('.').count() == 1 && !origin.path.contains('.') => {
                Some(format!("{}.TabularSection.{}", origin.table, origin.path))
            }
            _ => None,
        });
        let kind = if section.is_some() { TableKind::TabularSection } else { TableKind::Unknown };
        let alias = parts.last().cloned().unwrap_or_default();
        self.facts.tables.push(TableUse {
            kind,
            parts,
            name: section.unwrap_or_default().into(),
            alias,
            explicit: false,
            join: None,
            optional: false,
            parameters: Vec::new(),
            made_by: None,
            select: self.place.select,
            branch: self.place.branch,
            span,
        });
        self.facts.tables.len() as u32 - 1
    }
}
