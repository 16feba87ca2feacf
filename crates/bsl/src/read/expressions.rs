//! Expressions from tokens, by operator precedence. Reads whatever it can; what is wrong is reported and becomes
//! [`Expr::Error`].

use super::builder::{Builder, MAX_DEPTH, NOT_STRENGTH, binary_operator};
use super::source::Report;
use super::token::{Token, TokenKind};
use crate::code::{Expr, ExprId, UnaryOp};

/// Reads tokens `next..end`.
pub(crate) struct TokenParser<'a, 'b, 'r> {
    pub builder: &'b mut Builder<'a>,
    pub report: &'b mut Report<'r>,
    pub next: usize,
    pub end: usize,
    pub depth: u32,
    /// Problems of this parser so far in the current statement: one is reported, others follow from it.
    pub troubled: bool,
}

impl TokenParser<'_, '_, '_> {
    pub fn peek(&self) -> Token {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> Token {
        let index = self.next + ahead;
        if index < self.end { self.builder.token(index) } else { self.builder.token(usize::MAX) }
    }

    pub fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.peek().kind == kind;
        self.next += usize::from(found);
        found
    }

    /// Takes a token that must stand here; reports it if it doesn't.
    pub fn expect(&mut self, kind: TokenKind, message: &str) {
        if !self.take(kind) {
            self.trouble(message);
        }
    }

    /// Reports a problem at the next token, or behind the body.
    pub fn trouble(&mut self, message: &str) {
        if !self.troubled {
            self.troubled = true;
            let here = if self.next < self.end {
                self.peek().start
            } else {
                self.end.checked_sub(1).map_or(0, |last| self.builder.token(last).end)
            };
            self.report.add(here, message);
        }
    }

    /// Whether the next token may begin an expression.
    pub fn at_expression(&self) -> bool {
        use TokenKind::*;
        let kind = self.peek().kind;
        kind.ends_value() && !matches!(kind, RParen | RBracket)
            || matches!(kind, LParen | Question | New | Not | Minus | Plus)
    }

    pub fn expression(&mut self) -> ExprId {
        self.binary(0)
    }

    /// An operand and the operators behind it that bind more strongly than `floor`.
    fn binary(&mut self, floor: u8) -> ExprId {
        let line = self.peek().line;
        if self.depth >= MAX_DEPTH {
            self.trouble("the expression is nested too deeply");
            self.next += usize::from(self.next < self.end);
            return self.builder.node(line, Expr::Error);
        }
        self.depth += 1;
        let mut left = if self.take(TokenKind::Not) {
            let operand = self.binary(NOT_STRENGTH);
            self.builder.node(line, Expr::Unary(UnaryOp::Not, operand))
        } else {
            self.unary()
        };
        while let Some((operator, strength)) = binary_operator(self.peek().kind) {
            if strength <= floor {
                break;
            }
            self.next += 1;
            let right = self.binary(strength);
            left = self.builder.node(line, Expr::Binary(operator, left, right));
        }
        self.depth -= 1;
        left
    }

    /// What a statement begins with: a value without operators.
    pub fn statement_head(&mut self) -> ExprId {
        self.unary()
    }

    fn unary(&mut self) -> ExprId {
        let mut signs = Vec::new();
        loop {
            let token = self.peek();
            let operator = match token.kind {
                TokenKind::Minus => UnaryOp::Minus,
                TokenKind::Plus => UnaryOp::Plus,
                TokenKind::Not if !signs.is_empty() => UnaryOp::Not,
                TokenKind::Await if self.await_has_operand() => UnaryOp::Await,
                _ => break,
            };
            signs.push((operator, token.line));
            self.next += 1;
        }
        let mut operand = self.postfix();
        for (operator, line) in signs.into_iter().rev() {
            operand = self.builder.node(line, Expr::Unary(operator, operand));
        }
        operand
    }

    /// `Ждать` is a name where no operand follows.
    fn await_has_operand(&self) -> bool {
        let next = self.peek_at(1).kind;
        next.ends_value() && !matches!(next, TokenKind::RParen | TokenKind::RBracket)
            || matches!(next, TokenKind::New | TokenKind::LParen | TokenKind::Question)
    }

    /// A value and the members, calls and indexes behind it.
    fn postfix(&mut self) -> ExprId {
        let mut value = self.primary();
        loop {
            match self.peek().kind {
                TokenKind::Dot => {
                    self.next += 1;
                    let member = self.peek();
                    // A word that was reserved before the dot was seen, or one on the next line: `Б.` cut off.
                    if member.kind.is_word() {
                        self.next += 1;
                        let name = self.builder.name(member);
                        value = self.builder.node(member.line, Expr::Member(value, name));
                    } else {
                        self.trouble("a member's name is missing after the dot");
                    }
                }
                TokenKind::LBracket => {
                    let line = self.peek().line;
                    self.next += 1;
                    let index = if self.at_expression() {
                        self.expression()
                    } else {
                        self.trouble("an index is missing");
                        self.builder.node(line, Expr::Error)
                    };
                    self.expect(TokenKind::RBracket, "`]` is missing");
                    value = self.builder.node(line, Expr::Index(value, index));
                }
                TokenKind::LParen if self.is_callable(value) => {
                    let line = self.builder.code.line(value);
                    let (first, count) = self.arguments();
                    value = self.builder.node(line, Expr::Call { callee: value, first, count });
                }
                _ => return value,
            }
        }
    }

    fn is_callable(&self, value: ExprId) -> bool {
        matches!(self.builder.code.expr(value), Expr::Name(_) | Expr::Member(..) | Expr::Index(..) | Expr::Call { .. })
    }

    fn primary(&mut self) -> ExprId {
        let token = self.peek();
        match token.kind {
            TokenKind::LParen => {
                self.next += 1;
                let value = if self.at_expression() {
                    self.expression()
                } else {
                    self.trouble("an expression is missing in the parentheses");
                    self.builder.node(token.line, Expr::Error)
                };
                self.skip_to_close();
                value
            }
            TokenKind::Question => {
                self.next += 1;
                let from = self.argument_list();
                self.builder.ternary(token.line, from)
            }
            TokenKind::New => self.new_object(),
            TokenKind::String | TokenKind::OpenString => {
                let last = self.builder.last_literal(self.next).min(self.end.saturating_sub(1));
                self.next = last + 1;
                let last = self.builder.token(last);
                self.builder.leaf(token, last)
            }
            kind if kind.ends_value() && !matches!(kind, TokenKind::RParen | TokenKind::RBracket) => {
                self.next += 1;
                self.builder.leaf(token, token)
            }
            _ => {
                self.trouble("an expression is missing");
                self.builder.node(token.line, Expr::Error)
            }
        }
    }

    fn new_object(&mut self) -> ExprId {
        let line = self.peek().line;
        self.next += 1;
        let name = self.peek();
        let type_name = name.kind.is_name().then(|| {
            self.next += 1;
            self.builder.name(name)
        });
        if type_name.is_none() && self.peek().kind != TokenKind::LParen {
            self.trouble("a type's name is missing after Новый");
        }
        let (first, count) = if self.peek().kind == TokenKind::LParen { self.arguments() } else { self.no_arguments() };
        self.builder.node(line, Expr::New { type_name, first, count })
    }

    fn no_arguments(&mut self) -> (u32, u16) {
        (self.builder.code.args.len() as u32, 0)
    }

    fn arguments(&mut self) -> (u32, u16) {
        let from = self.argument_list();
        self.builder.take_args(from)
    }

    /// Reads `(a, , b)`; leaves the arguments pending from the given place on.
    pub fn argument_list(&mut self) -> usize {
        let from = self.builder.pending.len();
        self.next += usize::from(self.peek().kind == TokenKind::LParen);
        if self.take(TokenKind::RParen) {
            return from;
        }
        loop {
            let token = self.peek();
            let argument = if self.at_expression() {
                self.expression()
            } else if matches!(token.kind, TokenKind::Comma | TokenKind::RParen) {
                self.builder.node(token.line, Expr::Omitted)
            } else {
                self.trouble("an argument cannot be read");
                self.builder.node(token.line, Expr::Error)
            };
            self.builder.pending.push(argument);
            if self.take(TokenKind::Comma) {
                continue;
            }
            if self.at_expression() {
                // `Ф(А Б)`: a comma is missing; what stands there is still read.
                self.trouble("a comma is missing between arguments");
                continue;
            }
            self.skip_to_close();
            return from;
        }
    }

    /// Takes the `)` that must stand here.
    fn skip_to_close(&mut self) {
        self.expect(TokenKind::RParen, "`)` is missing");
    }
}
