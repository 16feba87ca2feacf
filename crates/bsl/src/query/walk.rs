//! Expressions: fields, parameters and names in them.

use super::expr::{ExprId, ExprKind};
use super::facts::{Clause, FieldUse, NameRole, NameUse, Origin, ParameterUse};
use super::model::{Run, Span};
use super::resolve::Resolver;
use super::tables;

impl Resolver<'_, '_> {
    /// Notes what an expression names, from left to right. Operands are kept on a stack of its own; only nested queries are
    /// read by recursion.
    pub fn expr(&mut self, root: ExprId, clause: Clause) {
        let query = self.query;
        let mut waiting = vec![root];
        let add = |waiting: &mut Vec<ExprId>, list: &[ExprId]| waiting.extend(list.iter().rev());
        while let Some(id) = waiting.pop() {
            let Some(expr) = query.expr(id) else { continue };
            match expr.kind {
                ExprKind::Field(path) => {
                    if let Some(field) = self.field(path, clause, expr.span) {
                        self.fields.set(id, field);
                    }
                }
                ExprKind::Member(value, path) => {
                    let field = self.member(value, path, clause, expr.span);
                    self.fields.set(id, field);
                    waiting.push(value);
                }
                ExprKind::Parameter(name) => {
                    self.facts.parameters.push(ParameterUse { name: name.text.into(), clause, span: name.span });
                }
                ExprKind::Call { args, .. } | ExprKind::Macro(_, args) => add(&mut waiting, query.list(args)),
                ExprKind::Cast(value, name) => {
                    self.name(name, NameRole::Cast, self.path_span(name));
                    waiting.push(value);
                }
                ExprKind::Value(name) => self.name(name, NameRole::Value, self.path_span(name)),
                ExprKind::Type(name) => self.name(name, NameRole::Type, self.path_span(name)),
                ExprKind::Refs(value, name) => {
                    self.name(name, NameRole::Refs, self.path_span(name));
                    waiting.push(value);
                }
                ExprKind::Not(value) | ExprKind::Sign(value) | ExprKind::IsNull(value) => waiting.push(value),
                ExprKind::Binary(_, left, right) => add(&mut waiting, &[left, right]),
                ExprKind::Like(value, pattern, escape) => {
                    waiting.extend(escape);
                    add(&mut waiting, &[value, pattern]);
                }
                ExprKind::Between(value, from, to) => add(&mut waiting, &[value, from, to]),
                ExprKind::Case(subject, parts, otherwise) => {
                    waiting.extend(otherwise);
                    add(&mut waiting, query.list(parts));
                    waiting.extend(subject);
                }
                ExprKind::In { value, list, .. } => {
                    add(&mut waiting, query.list(list));
                    waiting.push(value);
                }
                ExprKind::Tuple(list) => add(&mut waiting, query.list(list)),
                ExprKind::Subquery(select) => self.select(select),
                ExprKind::Null
                | ExprKind::Undefined
                | ExprKind::Boolean(_)
                | ExprKind::Number(_)
                | ExprKind::String(_)
                | ExprKind::Period(_)
                | ExprKind::Error => {}
            }
        }
    }

    /// Adds a field path and what it belongs to; gives its number.
    pub fn field(&mut self, path: Run, clause: Clause, span: Span) -> Option<u32> {
        if path.count == 0 {
            return None;
        }
        let mut field = self.blank_field(path, clause, span);
        self.names.resolve(&mut field, self.columns_of, &self.facts);
        self.facts.fields.push(field);
        Some(self.facts.fields.len() as u32 - 1)
    }

    /// A field of a value: after `ВЫРАЗИТЬ(… КАК Тип)` and `ЗНАЧЕНИЕ(…)` its object is known.
    fn member(&mut self, value: ExprId, path: Run, clause: Clause, span: Span) -> u32 {
        let mut field = self.blank_field(path, clause, span);
        let object = match self.query.expr(value).map(|expr| expr.kind) {
            Some(ExprKind::Cast(_, name)) => self.object_of(name),
            Some(ExprKind::Value(name)) => tables::value_of(&self.texts(name)).1,
            _ => String::new(),
        };
        let known = self.query.path(path).iter().all(super::model::Name::is_known);
        if !object.is_empty() && known {
            field.origins.push(Origin { table: object.into(), path: field.parts.join(".").into() });
        }
        self.facts.fields.push(field);
        self.facts.fields.len() as u32 - 1
    }

    fn blank_field(&self, path: Run, clause: Clause, span: Span) -> FieldUse {
        FieldUse {
            parts: self.query.path(path).iter().map(|part| part.text.into()).collect(),
            table_parts: 0,
            table: None,
            column: None,
            origins: Vec::new(),
            clause,
            select: self.place.select,
            branch: self.place.branch,
            span,
        }
    }

    pub fn texts(&self, path: Run) -> Vec<&str> {
        self.query.path(path).iter().map(|part| part.text).collect()
    }

    /// The canonical name of the object that a type's name stands for.
    fn object_of(&self, name: Run) -> String {
        match self.query.path(name) {
            [kind, own, ..] if own.is_known() => {
                tables::kind_of(kind.text).map_or(String::new(), |kind| format!("{kind}.{}", own.text))
            }
            _ => String::new(),
        }
    }

    /// Adds a name of metadata.
    pub fn name(&mut self, name: Run, role: NameRole, span: Span) {
        let path = self.query.path(name);
        if path.is_empty() || path.iter().any(|part| !part.is_known()) {
            return;
        }
        let texts = self.texts(name);
        let (type_name, object, item) = match role {
            NameRole::Value => tables::value_of(&texts),
            NameRole::ForUpdate => (String::new(), tables::table_of(&texts).1, String::new()),
            _ => (tables::type_of(&texts), self.object_of(name), String::new()),
        };
        let parts = texts.into_iter().map(Box::from).collect();
        let (type_name, object, item) = (type_name.into(), object.into(), item.into());
        self.facts.names.push(NameUse { role, parts, type_name, object, item, span });
    }

    /// From the first part of a name to the last.
    pub fn path_span(&self, path: Run) -> Span {
        match self.query.path(path) {
            [first, .., last] => Span { end: last.span.end, ..first.span },
            [only] => only.span,
            [] => Span::default(),
        }
    }
}
