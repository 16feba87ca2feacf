//! `{…}`: what a query says to the composition of a report.

use super::expr::{ExprId, ExprKind};
use super::lexer::Kind;
use super::model::{BraceKind, BracePart, Branch, Column, ColumnValue, Name, SelectId, Source, Table};
use super::parser::Parser;
use super::problem::ProblemKind;
use super::words::{self, Word};

impl<'t> Parser<'t> {
    /// A part in braces among the parts of a select, at the brace.
    pub fn brace_part(&mut self, branch: &mut Branch<'t>) {
        if self.at_join() {
            self.joins(branch);
            return;
        }
        let first = self.bump();
        let kind = self.brace_kind();
        let mut part = BracePart { kind, items: Vec::new(), characteristics: Vec::new(), span: Default::default() };
        match kind {
            BraceKind::Characteristics => part.characteristics = self.characteristics(&mut part.items),
            BraceKind::Order => part.items = self.order_items().into_iter().map(|item| (item, None)).collect(),
            _ => part.items = self.brace_items(),
        }
        self.expect(Kind::RBrace, "a closing brace");
        part.span = self.span_from(first);
        branch.braces.push(part);
    }

    /// The word after the brace.
    fn brace_kind(&mut self) -> BraceKind {
        let kind = match self.word() {
            Some(Word::Select) => BraceKind::Select,
            Some(Word::Where) => BraceKind::Where,
            Some(Word::Having) => BraceKind::Having,
            Some(Word::Characteristics) => BraceKind::Characteristics,
            Some(Word::Group) => BraceKind::Group,
            Some(Word::Order) => BraceKind::Order,
            Some(Word::Totals) => BraceKind::Totals,
            _ => {
                self.problem(ProblemKind::Expected("a part of a query that may stand in braces"));
                return BraceKind::Other;
            }
        };
        self.bump();
        self.eat_word(Word::By);
        kind
    }

    /// Fields and conditions with commas between: `Поле.*`, `Поле КАК Имя`, `(Поле > &П)`.
    pub fn brace_items(&mut self) -> Vec<(ExprId, Option<Name<'t>>)> {
        let mut items = Vec::new();
        while !self.at_close() {
            let before = self.position();
            let first = self.peek(0);
            let value = if self.eat(Kind::Star) {
                self.add(first, ExprKind::Field(Default::default()))
            } else {
                self.expression()
            };
            if self.at(Kind::Dot) && self.peek(1).kind == Kind::Star {
                self.bump();
                self.bump();
            }
            items.push((value, self.alias()));
            if !self.eat(Kind::Comma) || self.position() == before {
                break;
            }
        }
        items
    }

    /// `ТИП(…) ВИДЫХАРАКТЕРИСТИК таблица ПОЛЕКЛЮЧА поле … ЗНАЧЕНИЯХАРАКТЕРИСТИК таблица ПОЛЕОБЪЕКТА поле …`, several with
    /// commas between. Each table becomes a select of the fields that are named behind it.
    fn characteristics(&mut self, types: &mut Vec<(ExprId, Option<Name<'t>>)>) -> Vec<SelectId> {
        let mut selects = Vec::new();
        while !self.at_close() {
            let before = self.position();
            if self.eat(Kind::Comma) {
                continue;
            }
            if !self.at_any_name() {
                self.problem(ProblemKind::Expected("a property of characteristics"));
                break;
            }
            if self.peek(1).kind == Kind::LParen && self.word_at(2) != Some(Word::Select) {
                types.push((self.call(), None));
                continue;
            }
            let property = self.bump();
            let names_table = matches!(words::characteristic(self.slice(property)), Some("Types" | "Values"));
            let is_table = names_table || self.at(Kind::LParen) || self.peek(1).kind == Kind::Dot;
            if is_table && (self.at(Kind::LParen) || self.at_any_name()) {
                selects.push(self.characteristic_table());
            } else if self.at_any_name() {
                let column = self.characteristic_field();
                let last = selects.last().copied();
                let select = last.and_then(|id: SelectId| self.query.selects.get_mut(id.0 as usize));
                if let Some(branch) = select.and_then(|select| select.branches.last_mut()) {
                    branch.columns.push(column);
                }
            } else if self.at(Kind::String) {
                self.bump();
            } else {
                self.problem(ProblemKind::Expected("a name"));
            }
            if self.position() == before {
                break;
            }
        }
        selects
    }

    fn characteristic_table(&mut self) -> SelectId {
        let first = self.peek(0);
        let id = self.open_select();
        let table = if self.eat(Kind::LParen) {
            let nested = self.deeper(Self::select);
            self.expect(Kind::RParen, "a closing parenthesis");
            nested.map_or(Table::Missing, Table::Nested)
        } else {
            Table::Named { name: self.path(), parameters: None }
        };
        let span = self.span_from(first);
        let source = Source { table, alias: None, join: None, optional: false, span };
        self.with_select(id, |select| {
            select.span = span;
            select.parent = None;
            select.branches.push(Branch { sources: vec![source], span, ..Branch::default() });
        });
        id
    }

    fn characteristic_field(&mut self) -> Column<'t> {
        let first = self.peek(0);
        let path = self.path();
        let value = self.add(first, ExprKind::Field(path));
        Column { value: ColumnValue::Expr(value), alias: None, span: self.span_from(first) }
    }
}
