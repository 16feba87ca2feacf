//! The select list.

use super::expr::ExprKind;
use super::lexer::Kind;
use super::model::{Branch, Column, ColumnValue, Run};
use super::parser::Parser;
use super::words::Word;

impl<'t> Parser<'t> {
    /// The columns of a branch, and where they stand.
    pub fn select_list(&mut self, branch: &mut Branch<'t>) {
        let first = self.peek(0);
        branch.columns = self.columns();
        branch.select_list = self.span_from(first);
    }

    fn columns(&mut self) -> Vec<Column<'t>> {
        let mut columns = Vec::new();
        loop {
            let before = self.position();
            if self.directive() == Some(Word::If) {
                self.conditional(|p| columns.extend(p.columns()));
            } else {
                columns.push(self.column());
            }
            // A placeholder may stand for further columns, with or without a comma.
            while self.at_placeholder() && !matches!(self.peek(1).kind, Kind::Dot | Kind::LParen) {
                let token = self.bump();
                self.note_macro(token);
            }
            if !self.eat(Kind::Comma) || self.position() == before {
                return columns;
            }
        }
    }

    fn column(&mut self) -> Column<'t> {
        let first = self.peek(0);
        let value = self.column_value();
        let alias = self.alias();
        Column { value, alias, span: self.span_from(first) }
    }

    fn column_value(&mut self) -> ColumnValue<'t> {
        if self.eat(Kind::Star) {
            return ColumnValue::Star(Run::default());
        }
        if self.at_word(Word::EmptyTable) && self.peek(1).kind == Kind::Dot && self.peek(2).kind == Kind::LParen {
            return self.empty_table();
        }
        let expr = self.expression();
        let field = match self.query.expr(expr).map(|expr| expr.kind) {
            Some(ExprKind::Field(run)) => run,
            _ => return ColumnValue::Expr(expr),
        };
        match (self.kind(), self.peek(1).kind) {
            (Kind::Dot, Kind::Star) => {
                self.bump();
                self.bump();
                ColumnValue::Star(field)
            }
            (Kind::Dot, Kind::LParen) => {
                self.bump();
                self.bump();
                let columns = self.deeper(Self::columns).unwrap_or_default();
                self.expect(Kind::RParen, "a closing parenthesis");
                ColumnValue::Nested { of: field, columns }
            }
            _ => ColumnValue::Expr(expr),
        }
    }

    /// `ПУСТАЯТАБЛИЦА.(А, Б)`
    fn empty_table(&mut self) -> ColumnValue<'t> {
        for _ in 0..3 {
            self.bump();
        }
        let first = self.query.names.len() as u32;
        while self.at_any_name() {
            self.eat_word(Word::As);
            if !self.at_any_name() {
                break;
            }
            let token = self.bump();
            let name = self.name_of(token);
            self.query.names.push(name);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RParen, "a closing parenthesis");
        ColumnValue::EmptyTable(Run { first, count: self.query.names.len() as u32 - first })
    }
}
