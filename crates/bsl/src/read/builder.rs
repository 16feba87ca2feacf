//! What both parsers share: making nodes of the arena from tokens.

use super::literal;
use super::source::text_of;
use super::token::{Token, TokenKind};
use crate::code::{BinaryOp, Code, Expr, ExprId, Node, Statement, StatementKind};
use crate::symbols::{Symbol, SymbolTableBuilder};

/// Appends to the code of one method.
pub(crate) struct Builder<'a> {
    pub text: &'a str,
    /// All tokens of the module; a method's body is a range of them.
    pub tokens: &'a [Token],
    pub symbols: &'a mut SymbolTableBuilder,
    pub code: &'a mut Code,
    /// Arguments of the calls that are being read.
    pub pending: &'a mut Vec<ExprId>,
    /// For string values.
    pub value: &'a mut String,
}

impl Builder<'_> {
    /// The token at an index; an end token behind the last.
    pub fn token(&self, index: usize) -> Token {
        self.tokens.get(index).copied().unwrap_or_else(|| {
            let (end, line) = self.tokens.last().map_or((0, 1), |last| (last.end, last.line));
            Token { start: end, end, line, kind: TokenKind::End, first_on_line: false }
        })
    }

    pub fn node(&mut self, line: u32, expr: Expr) -> ExprId {
        let id = ExprId(self.code.nodes.len() as u32);
        self.code.nodes.push(Node { line, expr });
        id
    }

    pub fn statement(&mut self, line: u32, kind: StatementKind) {
        self.code.statements.push(Statement { line, kind });
    }

    pub fn name(&mut self, token: Token) -> Symbol {
        self.symbols.intern(text_of(self.text, token))
    }

    /// A literal or a name. `last` is the last of adjacent string literals, otherwise the token itself.
    pub fn leaf(&mut self, token: Token, last: Token) -> ExprId {
        let expr = match token.kind {
            TokenKind::String | TokenKind::OpenString => {
                self.value.clear();
                let written = self.text.get(token.start as usize..last.end as usize).unwrap_or("");
                literal::unquote(written, self.value);
                Expr::String(self.symbols.intern(self.value))
            }
            TokenKind::Number | TokenKind::Date => Expr::Number(self.name(token)),
            TokenKind::True => Expr::Bool(true),
            TokenKind::False => Expr::Bool(false),
            TokenKind::Undefined => Expr::Undefined,
            TokenKind::Null => Expr::Null,
            kind if kind.is_word() => Expr::Name(self.name(token)),
            _ => Expr::Error,
        };
        self.node(token.line, expr)
    }

    /// The index of the last of adjacent string literals that begin at `index`.
    pub fn last_literal(&self, index: usize) -> usize {
        let mut last = index;
        while self.token(last).kind.is_string() && self.token(last + 1).kind.is_string() {
            last += 1;
        }
        last
    }

    /// Moves the arguments from `from` on into the arena: their place and number.
    pub fn take_args(&mut self, from: usize) -> (u32, u16) {
        let first = self.code.args.len() as u32;
        let args = self.pending.get(from..).unwrap_or(&[]);
        let count = args.len().min(usize::from(u16::MAX));
        self.code.args.extend_from_slice(args.get(..count).unwrap_or(&[]));
        self.pending.truncate(from);
        (first, count as u16)
    }

    /// `?(a, b, c)` of the arguments from `from` on; missing operands are omitted ones.
    pub fn ternary(&mut self, line: u32, from: usize) -> ExprId {
        while self.pending.len() < from + 3 {
            let omitted = self.node(line, Expr::Omitted);
            self.pending.push(omitted);
        }
        let operand = |index: usize| self.pending.get(from + index).copied().unwrap_or(ExprId(u32::MAX));
        let expr = Expr::Ternary(operand(0), operand(1), operand(2));
        self.pending.truncate(from);
        self.node(line, expr)
    }
}

/// The operator a token stands for, and how strongly it binds: the platform puts `Не` between `И` and comparisons.
pub(crate) fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::Or => (BinaryOp::Or, 1),
        TokenKind::And => (BinaryOp::And, 2),
        TokenKind::Eq => (BinaryOp::Eq, 4),
        TokenKind::Ne => (BinaryOp::Ne, 4),
        TokenKind::Lt => (BinaryOp::Lt, 4),
        TokenKind::Le => (BinaryOp::Le, 4),
        TokenKind::Gt => (BinaryOp::Gt, 4),
        TokenKind::Ge => (BinaryOp::Ge, 4),
        TokenKind::Plus => (BinaryOp::Add, 5),
        TokenKind::Minus => (BinaryOp::Sub, 5),
        TokenKind::Star => (BinaryOp::Mul, 6),
        TokenKind::Slash => (BinaryOp::Div, 6),
        TokenKind::Percent => (BinaryOp::Mod, 6),
        _ => return None,
    })
}

/// How strongly `Не` binds.
pub(crate) const NOT_STRENGTH: u8 = 3;

/// How deep expressions may nest before they are given up.
pub(crate) const MAX_DEPTH: u32 = 200;
