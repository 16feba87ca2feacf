//! A tree of the grammar -> [`Code`](crate::Code).
//!
//! The tree gives structure only: which token a node is, what it says and where it stands come from the tokens of the
//! original text. Nothing here recurses along what may be long in genuine code (chains of calls, sums of many parts).

use tree_sitter::{Node, Tree, TreeCursor};

use super::builder::{Builder, MAX_DEPTH, NOT_STRENGTH, binary_operator};
use super::token::{Token, TokenKind};
use super::tree::{Kind, kind};
use crate::code::{Expr, ExprId, StatementKind, UnaryOp};

/// Appends the statements of a tree that has no errors. `offset` is where the parsed bytes begin in the module, `first`
/// the first of their tokens. False: the tree is nested too deeply, what was appended is of no use.
pub(crate) fn lower(builder: &mut Builder<'_>, tree: &Tree, offset: u32, first: usize) -> bool {
    let mut cursor = tree.walk();
    let mut lowering = Lowering { builder, offset, hint: first, depth: 0, failed: false, spine: Vec::new() };
    lowering.statements(&mut cursor);
    lowering.builder.pending.clear();
    !lowering.failed
}

struct Lowering<'a, 'b> {
    builder: &'b mut Builder<'a>,
    offset: u32,
    /// Index of a token near the last one asked for: nodes come nearly in order.
    hint: usize,
    depth: u32,
    failed: bool,
    /// Steps to go up for each operator of the sums being read.
    spine: Vec<u32>,
}

impl Lowering<'_, '_> {
    /// The index of the token at or behind a node's first byte.
    fn index_of(&mut self, node: Node<'_>) -> usize {
        let start = self.offset + node.start_byte() as u32;
        let tokens = self.builder.tokens;
        let mut index = self.hint.min(tokens.len().saturating_sub(1));
        while index > 0 && tokens.get(index).is_some_and(|token| token.start > start) {
            index -= 1;
        }
        while tokens.get(index).is_some_and(|token| token.end <= start) {
            index += 1;
        }
        self.hint = index;
        index
    }

    fn token_of(&mut self, node: Node<'_>) -> Token {
        let index = self.index_of(node);
        self.builder.token(index)
    }

    fn line_of(&mut self, node: Node<'_>) -> u32 {
        self.token_of(node).line
    }

    fn statements(&mut self, cursor: &mut TreeCursor<'_>) {
        loop {
            let node = cursor.node();
            let opens = match kind(node.kind_id()) {
                Kind::Block => true,
                Kind::Keyword => {
                    self.marker(cursor, node);
                    false
                }
                Kind::Other | Kind::Wrapper | Kind::Comma => false,
                statement => self.statement(cursor, node, statement),
            };
            if opens && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// A reserved word below a block, with the condition that stands behind it. Loops `Для` are blocks too: their
    /// heads were read when they were met.
    fn marker(&mut self, cursor: &mut TreeCursor<'_>, node: Node<'_>) {
        let token = self.token_of(node);
        let statement = match token.kind {
            TokenKind::If | TokenKind::ElsIf | TokenKind::While => {
                if !cursor.goto_next_sibling() {
                    return;
                }
                let condition = self.expression(cursor);
                match token.kind {
                    TokenKind::If => StatementKind::If(condition),
                    TokenKind::ElsIf => StatementKind::ElseIf(condition),
                    _ => StatementKind::While(condition),
                }
            }
            TokenKind::Else => StatementKind::Else,
            TokenKind::EndIf => StatementKind::EndIf,
            TokenKind::EndDo => StatementKind::EndLoop,
            TokenKind::Try => StatementKind::Try,
            TokenKind::Except => StatementKind::Except,
            TokenKind::EndTry => StatementKind::EndTry,
            _ => return,
        };
        self.builder.statement(token.line, statement);
    }

    /// Reads a statement; true if its children are statements to be visited (loops).
    fn statement(&mut self, cursor: &mut TreeCursor<'_>, node: Node<'_>, statement: Kind) -> bool {
        let token = self.token_of(node);
        let line = token.line;
        match statement {
            Kind::Assignment | Kind::AddHandler | Kind::RemoveHandler => {
                let parts = self.operands(cursor, 2);
                let kind = match (statement, parts) {
                    (Kind::Assignment, [Some(target), Some(value)]) => StatementKind::Assign(target, value),
                    (Kind::AddHandler, [Some(event), Some(handler)]) => StatementKind::AddHandler(event, handler),
                    (_, [Some(event), Some(handler)]) => StatementKind::RemoveHandler(event, handler),
                    _ => return false,
                };
                self.builder.statement(line, kind);
            }
            Kind::Call => {
                if let [Some(call), _] = self.operands(cursor, 1) {
                    self.builder.statement(line, StatementKind::Call(call));
                }
            }
            Kind::Return => {
                let [value, _] = self.operands(cursor, 1);
                self.builder.statement(line, StatementKind::Return(value));
            }
            Kind::Raise => {
                let value = self.raised(cursor);
                self.builder.statement(line, StatementKind::Raise(value));
            }
            Kind::Execute => {
                if let [Some(text), _] = self.operands(cursor, 1) {
                    self.builder.statement(line, StatementKind::Execute(text));
                }
            }
            // A bare `ВызватьИсключение` was written in this word, see `normalize`.
            Kind::Break if token.kind == TokenKind::Raise => self.builder.statement(line, StatementKind::Raise(None)),
            Kind::Break => self.builder.statement(line, StatementKind::Break),
            Kind::Continue => self.builder.statement(line, StatementKind::Continue),
            Kind::Var => self.variables(cursor, line),
            Kind::Goto | Kind::Label => self.label(line, statement),
            Kind::For | Kind::ForEach => return self.loop_head(cursor, line, statement),
            // An expression where a statement should be: the condition of a block, read with its word.
            _ => {}
        }
        false
    }

    /// The first expressions among a node's children. Leaves the cursor at the node.
    fn operands(&mut self, cursor: &mut TreeCursor<'_>, wanted: usize) -> [Option<ExprId>; 2] {
        let mut found = [None, None];
        let mut count = 0;
        if !cursor.goto_first_child() {
            return found;
        }
        loop {
            if is_expression(kind(cursor.node().kind_id())) && count < wanted {
                let value = self.expression(cursor);
                if let Some(slot) = found.get_mut(count) {
                    *slot = Some(value);
                }
                count += 1;
            }
            if count == wanted || !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
        found
    }

    fn raised(&mut self, cursor: &mut TreeCursor<'_>) -> Option<ExprId> {
        if !cursor.goto_first_child() {
            return None;
        }
        let mut value = None;
        loop {
            match kind(cursor.node().kind_id()) {
                Kind::Arguments => {
                    let from = self.arguments(cursor);
                    value = self.builder.pending.get(from).copied();
                    self.builder.pending.truncate(from);
                }
                part if is_expression(part) => value = Some(self.expression(cursor)),
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
        value
    }

    /// Names between `Перем` and the end of the statement.
    fn variables(&mut self, cursor: &mut TreeCursor<'_>, line: u32) {
        let end = self.offset + cursor.node().end_byte() as u32;
        let mut index = self.hint + 1;
        while self.builder.token(index).kind != TokenKind::End && self.builder.token(index).start < end {
            let token = self.builder.token(index);
            if token.kind.is_name() {
                let name = self.builder.name(token);
                self.builder.statement(line, StatementKind::Var(name));
            }
            index += 1;
        }
    }

    /// `Перейти ~М` or `~М:`: the name stands behind the tilde.
    fn label(&mut self, line: u32, statement: Kind) {
        let skip = if statement == Kind::Goto { 2 } else { 1 };
        let token = self.builder.token(self.hint + skip);
        let name = self.builder.name(token);
        let kind = if statement == Kind::Goto { StatementKind::Goto(name) } else { StatementKind::Label(name) };
        self.builder.statement(line, kind);
    }

    /// The head of `Для`; leaves the cursor at the loop, whose children are then visited.
    fn loop_head(&mut self, cursor: &mut TreeCursor<'_>, line: u32, statement: Kind) -> bool {
        let skip = if statement == Kind::ForEach { 2 } else { 1 };
        let variable = self.builder.token(self.hint + skip);
        let name = self.builder.name(variable);
        let mut bounds = [None, None];
        let mut count = 0;
        if !cursor.goto_first_child() {
            return false;
        }
        loop {
            // The loop variable is a bare identifier, the bounds are wrapped.
            if kind(cursor.node().kind_id()) == Kind::Wrapper {
                let value = self.expression(cursor);
                if let Some(slot) = bounds.get_mut(count) {
                    *slot = Some(value);
                }
                count += 1;
            }
            if count == bounds.len() || !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
        let kind = match (statement, bounds) {
            (Kind::For, [Some(from), Some(to)]) => StatementKind::For(name, from, to),
            (Kind::ForEach, [Some(collection), _]) => StatementKind::ForEach(name, collection),
            _ => return true,
        };
        self.builder.statement(line, kind);
        true
    }

    /// The expression at the cursor, which comes back to where it stood.
    fn expression(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        if self.depth >= MAX_DEPTH {
            self.failed = true;
        }
        if self.failed {
            return self.builder.node(0, Expr::Error);
        }
        self.depth += 1;
        let steps = unwrap(cursor);
        let node = cursor.node();
        let value = match kind(node.kind_id()) {
            Kind::Binary | Kind::Unary => self.operators(cursor),
            Kind::Paren => self.child(cursor, 1),
            Kind::MethodCall | Kind::Chain => self.chain(cursor),
            Kind::New => self.new_object(cursor),
            Kind::NewByType => self.new_by_type(cursor),
            Kind::Await => {
                let line = self.line_of(node);
                let operand = self.child(cursor, 1);
                self.builder.node(line, Expr::Unary(UnaryOp::Await, operand))
            }
            Kind::Leaf => self.leaf(node),
            _ => {
                self.failed = true;
                self.builder.node(0, Expr::Error)
            }
        };
        climb(cursor, steps);
        self.depth -= 1;
        value
    }

    fn leaf(&mut self, node: Node<'_>) -> ExprId {
        let index = self.index_of(node);
        let token = self.builder.token(index);
        let last = self.builder.last_literal(index);
        let last = self.builder.token(last);
        self.builder.leaf(token, last)
    }

    /// The expression that is the child with a number.
    fn child(&mut self, cursor: &mut TreeCursor<'_>, number: usize) -> ExprId {
        if !cursor.goto_first_child() {
            self.failed = true;
            return self.builder.node(0, Expr::Error);
        }
        for _ in 0..number {
            cursor.goto_next_sibling();
        }
        let value = self.expression(cursor);
        cursor.goto_parent();
        value
    }

    /// Operators of one and two operands. A sum of a thousand parts is a thousand levels deep on its left side, so that
    /// side is walked, not recursed into. The grammar binds `Не` most strongly, the platform less than a comparison.
    fn operators(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let base = self.spine.len();
        let mut negations = 0u32;
        let first_line = self.line_of(cursor.node());
        // Down the left side.
        let mut steps = 0;
        loop {
            let node = cursor.node();
            match kind(node.kind_id()) {
                Kind::Binary => {
                    self.spine.push(steps);
                    cursor.goto_first_child();
                    steps = 1 + unwrap(cursor);
                }
                Kind::Unary if self.token_of(node).kind == TokenKind::Not => {
                    negations += 1;
                    cursor.goto_first_child();
                    cursor.goto_next_sibling();
                    steps += 1 + unwrap(cursor);
                }
                _ => break,
            }
        }
        let node = cursor.node();
        let line = self.line_of(node);
        let mut left = match kind(node.kind_id()) {
            Kind::Unary => {
                let operator =
                    if self.token_of(node).kind == TokenKind::Minus { UnaryOp::Minus } else { UnaryOp::Plus };
                let operand = self.child(cursor, 1);
                self.builder.node(line, Expr::Unary(operator, operand))
            }
            _ => self.expression(cursor),
        };
        let mut left_line = line;
        climb(cursor, steps);
        // Up again, operator by operator. The cursor stands at the binary node itself.
        while self.spine.len() > base {
            let up = self.spine.pop().unwrap_or(0);
            cursor.goto_first_child();
            cursor.goto_next_sibling();
            let operator = self.token_of(cursor.node()).kind;
            let Some((operator, strength)) = binary_operator(operator) else {
                self.failed = true;
                return left;
            };
            if strength < NOT_STRENGTH && negations > 0 {
                left = self.negate(left, first_line, negations);
                negations = 0;
                left_line = first_line;
            }
            cursor.goto_next_sibling();
            let right = self.expression(cursor);
            cursor.goto_parent();
            left = self.builder.node(left_line, Expr::Binary(operator, left, right));
            climb(cursor, up);
        }
        self.negate(left, first_line, negations)
    }

    fn negate(&mut self, mut value: ExprId, line: u32, times: u32) -> ExprId {
        for _ in 0..times {
            value = self.builder.node(line, Expr::Unary(UnaryOp::Not, value));
        }
        value
    }

    /// Members, calls and indexes behind one another. Each is a level of its own in the tree, the first the deepest.
    fn chain(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let mut levels = 0u32;
        while kind(cursor.node().kind_id()) == Kind::Chain {
            if !cursor.goto_first_child() {
                break;
            }
            levels += 1;
        }
        let mut value = match kind(cursor.node().kind_id()) {
            Kind::MethodCall => self.first_call(cursor),
            _ => self.leaf(cursor.node()),
        };
        for _ in 0..levels {
            while cursor.goto_next_sibling() {
                value = self.link(cursor, value);
            }
            cursor.goto_parent();
        }
        value
    }

    /// One link of a chain behind `base`.
    fn link(&mut self, cursor: &mut TreeCursor<'_>, base: ExprId) -> ExprId {
        let node = cursor.node();
        match kind(node.kind_id()) {
            Kind::Property => {
                let token = self.token_of(node);
                let name = self.builder.name(token);
                self.builder.node(token.line, Expr::Member(base, name))
            }
            Kind::MethodCall => {
                let token = self.token_of(node);
                let name = self.builder.name(token);
                let callee = self.builder.node(token.line, Expr::Member(base, name));
                self.call(cursor, callee, token.line)
            }
            Kind::Index => {
                let bracket = self.index_of(node).saturating_sub(1);
                let line = self.builder.token(bracket).line;
                let index = self.child(cursor, 0);
                self.builder.node(line, Expr::Index(base, index))
            }
            Kind::Arguments => {
                let line = self.builder.code.line(base);
                let from = self.arguments(cursor);
                let (first, count) = self.builder.take_args(from);
                self.builder.node(line, Expr::Call { callee: base, first, count })
            }
            _ => base,
        }
    }

    /// A call without a base. `?(…)` and a parenthesis before a member were written as calls, see `normalize`.
    fn first_call(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let node = cursor.node();
        let token = self.token_of(node);
        let starts_here = token.start == self.offset + node.start_byte() as u32;
        let before = self.hint.checked_sub(1).map_or(TokenKind::End, |before| self.builder.token(before).kind);
        if token.kind == TokenKind::Question || (token.kind == TokenKind::LParen && before == TokenKind::Question) {
            let line =
                if token.kind == TokenKind::Question { token.line } else { self.builder.token(self.hint - 1).line };
            let from = self.call_arguments(cursor);
            return self.builder.ternary(line, from);
        }
        if token.kind == TokenKind::LParen && !starts_here {
            let from = self.call_arguments(cursor);
            let value = self.builder.pending.get(from).copied();
            self.failed |= self.builder.pending.len() != from + 1;
            self.builder.pending.truncate(from);
            return value.unwrap_or(ExprId(u32::MAX));
        }
        let name = self.builder.name(token);
        let callee = self.builder.node(token.line, Expr::Name(name));
        self.call(cursor, callee, token.line)
    }

    fn call(&mut self, cursor: &mut TreeCursor<'_>, callee: ExprId, line: u32) -> ExprId {
        let from = self.call_arguments(cursor);
        let (first, count) = self.builder.take_args(from);
        self.builder.node(line, Expr::Call { callee, first, count })
    }

    /// Arguments of the `method_call` at the cursor, pending from the given place on.
    fn call_arguments(&mut self, cursor: &mut TreeCursor<'_>) -> usize {
        let mut from = self.builder.pending.len();
        if cursor.goto_first_child() {
            loop {
                if kind(cursor.node().kind_id()) == Kind::Arguments {
                    from = self.arguments(cursor);
                    break;
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
            cursor.goto_parent();
        }
        from
    }

    /// The `arguments` at the cursor. Each comma begins an argument; one that has no expression is omitted.
    fn arguments(&mut self, cursor: &mut TreeCursor<'_>) -> usize {
        let from = self.builder.pending.len();
        if !cursor.goto_first_child() {
            return from;
        }
        let mut filled = false;
        let mut commas = false;
        loop {
            let node = cursor.node();
            match kind(node.kind_id()) {
                Kind::Comma => {
                    if !filled {
                        self.omitted(node);
                    }
                    filled = false;
                    commas = true;
                }
                part if is_expression(part) => {
                    let value = self.expression(cursor);
                    self.builder.pending.push(value);
                    filled = true;
                }
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        // The last child is the closing parenthesis.
        if commas && !filled {
            self.omitted(cursor.node());
        }
        cursor.goto_parent();
        from
    }

    fn omitted(&mut self, place: Node<'_>) {
        let line = self.line_of(place);
        let argument = self.builder.node(line, Expr::Omitted);
        self.builder.pending.push(argument);
    }

    fn new_object(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let index = self.index_of(cursor.node());
        let line = self.builder.token(index).line;
        let type_token = self.builder.token(index + 1);
        let type_name = Some(self.builder.name(type_token));
        let from = self.call_arguments(cursor);
        let (first, count) = self.builder.take_args(from);
        self.builder.node(line, Expr::New { type_name, first, count })
    }

    /// `Новый(type, arguments)`.
    fn new_by_type(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let line = self.line_of(cursor.node());
        let from = self.arguments(cursor);
        let (first, count) = self.builder.take_args(from);
        self.builder.node(line, Expr::New { type_name: None, first, count })
    }
}

fn is_expression(part: Kind) -> bool {
    matches!(
        part,
        Kind::Wrapper
            | Kind::Paren
            | Kind::Unary
            | Kind::Binary
            | Kind::New
            | Kind::NewByType
            | Kind::MethodCall
            | Kind::Chain
            | Kind::Await
            | Kind::Index
            | Kind::Leaf
    )
}

/// Goes down through nodes that only wrap another one; gives the number of steps.
fn unwrap(cursor: &mut TreeCursor<'_>) -> u32 {
    let mut steps = 0;
    while matches!(kind(cursor.node().kind_id()), Kind::Wrapper | Kind::Index) && cursor.goto_first_child() {
        steps += 1;
    }
    steps
}

fn climb(cursor: &mut TreeCursor<'_>, steps: u32) {
    for _ in 0..steps {
        cursor.goto_parent();
    }
}
