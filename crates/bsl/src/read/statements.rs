//! Statements from tokens: reads the bodies that the grammar does not understand.
//!
//! Every statement stands for itself and blocks are markers, so a missing `КонецЕсли` or an `Если` in two branches of
//! `#Если` harms nothing around it. What cannot be a statement is searched for calls and skipped.

use super::builder::Builder;
use super::expressions::TokenParser;
use super::normalize::is_rethrow;
use super::source::Report;
use super::token::TokenKind;
use crate::code::{Expr, ExprId, StatementKind};

/// Reads tokens `start..end` into the builder's code.
pub(crate) fn read(builder: &mut Builder<'_>, report: &mut Report<'_>, start: usize, end: usize) {
    let mut parser = TokenParser { builder, report, next: start, end, depth: 0, troubled: false };
    while parser.next < end {
        let before = parser.next;
        parser.troubled = false;
        parser.depth = 0;
        parser.statement();
        if parser.troubled {
            parser.resume();
        }
        // Nothing may stop the reading.
        if parser.next == before {
            parser.trouble("this cannot be read");
            parser.next += 1;
        }
    }
    parser.builder.pending.clear();
}

impl TokenParser<'_, '_, '_> {
    fn statement(&mut self) {
        use TokenKind as T;
        let token = self.peek();
        let line = token.line;
        match token.kind {
            T::Semicolon => self.next += 1,
            T::If | T::ElsIf | T::While => {
                self.next += 1;
                let condition = self.expression();
                let (kind, closing) = match token.kind {
                    T::If => (StatementKind::If(condition), T::Then),
                    T::ElsIf => (StatementKind::ElseIf(condition), T::Then),
                    _ => (StatementKind::While(condition), T::Do),
                };
                self.builder.statement(line, kind);
                self.expect(closing, if closing == T::Then { "Тогда is missing" } else { "Цикл is missing" });
            }
            T::Else => self.marker(StatementKind::Else),
            T::EndIf => self.marker(StatementKind::EndIf),
            T::EndDo => self.marker(StatementKind::EndLoop),
            T::Break => self.marker(StatementKind::Break),
            T::Continue => self.marker(StatementKind::Continue),
            T::Try => self.marker(StatementKind::Try),
            T::Except => self.marker(StatementKind::Except),
            T::EndTry => self.marker(StatementKind::EndTry),
            T::For => self.for_loop(line),
            T::Return => {
                self.next += 1;
                let value = self.at_expression().then(|| self.expression());
                self.builder.statement(line, StatementKind::Return(value));
            }
            T::Raise => self.raise(line),
            T::Var => self.variables(line),
            T::AddHandler | T::RemoveHandler => {
                self.next += 1;
                let event = self.expression();
                self.expect(T::Comma, "a comma is missing between event and handler");
                let handler = self.expression();
                let adds = token.kind == T::AddHandler;
                let kind = if adds { StatementKind::AddHandler } else { StatementKind::RemoveHandler };
                self.builder.statement(line, kind(event, handler));
            }
            T::Goto => {
                self.next += 1;
                self.take(T::Tilde);
                self.label(line, StatementKind::Goto);
            }
            T::Tilde => {
                self.next += 1;
                self.label(line, StatementKind::Label);
                self.expect(T::Colon, "a colon is missing after the label");
            }
            T::Execute if !matches!(self.peek_at(1).kind, T::Eq | T::Dot | T::LBracket) => {
                self.next += 1;
                let text = self.expression();
                self.builder.statement(line, StatementKind::Execute(text));
            }
            _ if self.at_expression() => self.assignment_or_call(line),
            _ => self.trouble("a statement is expected"),
        }
        let follows = self.peek();
        let separated = follows.kind == T::Semicolon
            || follows.kind == T::End
            || follows.kind.starts_statement()
            || follows.kind == T::Tilde
            || !matches!(
                token.kind,
                T::Return | T::Raise | T::Goto | T::AddHandler | T::RemoveHandler | T::Execute | T::Ident | T::Var
            );
        // The platform wants `;` between statements; the grammar does not. Two names in a row are a mistake on one line only.
        if !separated && follows.line == self.builder.token(self.next.saturating_sub(1)).line {
            self.trouble("`;` is missing");
        }
    }

    fn marker(&mut self, kind: StatementKind) {
        let line = self.peek().line;
        self.next += 1;
        self.builder.statement(line, kind);
    }

    fn label(&mut self, line: u32, kind: fn(crate::Symbol) -> StatementKind) {
        let name = self.peek();
        if name.kind.is_word() {
            self.next += 1;
            let name = self.builder.name(name);
            self.builder.statement(line, kind(name));
        } else {
            self.trouble("a label's name is missing");
        }
    }

    fn for_loop(&mut self, line: u32) {
        self.next += 1;
        let each = self.take(TokenKind::Each);
        let variable = self.peek();
        if variable.kind.is_word() {
            self.next += 1;
        } else {
            self.trouble("a loop variable is missing");
        }
        let name = self.builder.name(variable);
        let kind = if each {
            self.expect(TokenKind::In, "Из is missing");
            StatementKind::ForEach(name, self.expression())
        } else {
            self.expect(TokenKind::Eq, "`=` is missing");
            let from = self.expression();
            self.expect(TokenKind::To, "По is missing");
            StatementKind::For(name, from, self.expression())
        };
        self.builder.statement(line, kind);
        self.expect(TokenKind::Do, "Цикл is missing");
    }

    fn variables(&mut self, line: u32) {
        self.next += 1;
        loop {
            let name = self.peek();
            if !name.kind.is_name() {
                self.trouble("a variable's name is missing");
                return;
            }
            self.next += 1;
            let name = self.builder.name(name);
            self.builder.statement(line, StatementKind::Var(name));
            self.take(TokenKind::Export);
            if !self.take(TokenKind::Comma) {
                return;
            }
        }
    }

    /// `ВызватьИсключение x`, or the form of a call with category, code and cause, of which the first is the value.
    fn raise(&mut self, line: u32) {
        self.next += 1;
        let value = if is_rethrow(self.peek().kind) {
            None
        } else if self.peek().kind == TokenKind::LParen && self.list_ends_statement() {
            let from = self.argument_list();
            let first = self.builder.pending.get(from).copied();
            self.builder.pending.truncate(from);
            first
        } else {
            Some(self.expression())
        };
        self.builder.statement(line, StatementKind::Raise(value));
    }

    /// Whether the parenthesis that opens here closes right before the statement ends.
    fn list_ends_statement(&self) -> bool {
        let mut depth = 0u32;
        for ahead in 0..self.end.saturating_sub(self.next) {
            match self.peek_at(ahead).kind {
                TokenKind::LParen => depth += 1,
                TokenKind::RParen => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return is_rethrow(self.peek_at(ahead + 1).kind);
                    }
                }
                TokenKind::Semicolon => return false,
                kind if kind.starts_statement() => return false,
                _ => {}
            }
        }
        false
    }

    fn assignment_or_call(&mut self, line: u32) {
        // `А = Б = В` assigns a comparison: the target is what stands before the first sign.
        let target = self.statement_head();
        if self.take(TokenKind::Eq) {
            let value = self.expression();
            self.builder.statement(line, StatementKind::Assign(target, value));
        } else {
            self.call_statement(line, target);
        }
    }

    fn call_statement(&mut self, line: u32, value: ExprId) {
        use crate::code::UnaryOp::Await;
        let is_call = match self.builder.code.expr(value) {
            Expr::Call { .. } | Expr::Unary(Await, _) => true,
            Expr::Error => return,
            _ => false,
        };
        if !is_call {
            self.trouble("a call or an assignment is expected");
        }
        self.builder.statement(line, StatementKind::Call(value));
    }

    /// After a mistake: reads every expression up to the end of the statement, so that its calls are known.
    fn resume(&mut self) {
        while self.next < self.end {
            let token = self.peek();
            if token.kind == TokenKind::Semicolon || token.kind.starts_statement() {
                return;
            }
            let before = self.next;
            if self.at_expression() {
                self.depth = 0;
                let value = self.expression();
                if matches!(self.builder.code.expr(value), Expr::Call { .. }) {
                    self.builder.statement(token.line, StatementKind::Call(value));
                }
            }
            if self.next == before {
                self.next += 1;
            }
        }
    }
}
