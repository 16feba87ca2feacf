//! The intermediate form of a method's statements: what is needed to find call sites, strings and data flow, and no more.
//!
//! Expressions stand in one arena ([`Code::nodes`]); children come before their parents, so a pass over the arena sees
//! operands first. Statements are a flat list in source order; blocks open and close by markers, which keeps nesting
//! without boxes (a `Если` is [`StatementKind::If`] … [`StatementKind::EndIf`]).

use serde::{Deserialize, Serialize};

use crate::symbols::Symbol;

/// Number of an expression in [`Code::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// The code of one method, or of a module's statements outside methods (`$body`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The arena of expressions.
    pub nodes: Vec<Node>,
    /// Argument lists: `Call` and `New` name a range in here.
    pub args: Vec<ExprId>,
    /// Statements in source order.
    pub statements: Vec<Statement>,
}

/// An expression and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// 1-based line, counted by LF. Of a call: the line of the called name; of a string: the line of its opening quote.
    pub line: u32,
    /// The expression.
    pub expr: Expr,
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// An omitted argument: `Метод(, 1)`.
    Omitted,
    /// A bare identifier as written.
    Name(Symbol),
    /// A string literal: quotes undone, `|` lines joined by LF.
    String(Symbol),
    /// A number or date literal as written.
    Number(Symbol),
    /// `Истина` or `Ложь`.
    Bool(bool),
    /// `Неопределено`.
    Undefined,
    /// `NULL`.
    Null,
    /// `base.name`.
    Member(ExprId, Symbol),
    /// `base[index]`.
    Index(ExprId, ExprId),
    /// `callee(args)`: the callee is a `Name` or a `Member`.
    Call {
        /// What is called.
        callee: ExprId,
        /// First argument in [`Code::args`].
        first: u32,
        /// Number of arguments.
        count: u16,
    },
    /// `Новый Тип(args)`, or `Новый(type, args)` with no type name.
    New {
        /// The type's name as written.
        type_name: Option<Symbol>,
        /// First argument in [`Code::args`].
        first: u32,
        /// Number of arguments.
        count: u16,
    },
    /// `?(condition, then, else)`.
    Ternary(ExprId, ExprId, ExprId),
    /// A binary operation.
    Binary(BinaryOp, ExprId, ExprId),
    /// `Не x`, `-x`, `+x`, `Ждать x`.
    Unary(UnaryOp, ExprId),
    /// What the parser could not read.
    Error,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Not,
    Minus,
    Plus,
    Await,
}

/// A statement and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// 1-based line of the statement's first token.
    pub line: u32,
    /// What it does.
    pub kind: StatementKind,
}

/// What a statement does. Block statements are markers in a flat list.
///
/// Markers need not balance: branches of `#Если` may each open a block that is closed once, and damaged code lacks ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum StatementKind {
    /// `target = value`.
    Assign(ExprId, ExprId),
    /// A call that stands as a statement; `Ждать` around it is kept. In damaged code also what should have been one.
    Call(ExprId),
    /// `Перем X` inside a method.
    Var(Symbol),
    Return(Option<ExprId>),
    /// `ВызватьИсключение x`; of the form with category and cause in parentheses the first argument.
    Raise(Option<ExprId>),
    If(ExprId),
    ElseIf(ExprId),
    Else,
    EndIf,
    While(ExprId),
    /// `Для v = from По to`.
    For(Symbol, ExprId, ExprId),
    /// `Для Каждого v Из collection`.
    ForEach(Symbol, ExprId),
    EndLoop,
    Break,
    Continue,
    Try,
    Except,
    EndTry,
    /// `Выполнить(text)`.
    Execute(ExprId),
    /// `ДобавитьОбработчик event, handler`.
    AddHandler(ExprId, ExprId),
    /// `УдалитьОбработчик event, handler`.
    RemoveHandler(ExprId, ExprId),
    Goto(Symbol),
    Label(Symbol),
}

/// A call seen as a whole: `receiver.name(args)`.
#[derive(Clone, Copy, Debug)]
pub struct CallSite<'code> {
    /// The call's own expression.
    pub id: ExprId,
    /// What stands before the dot, if anything.
    pub receiver: Option<ExprId>,
    /// The called name as written.
    pub name: Symbol,
    /// Arguments in order; omitted ones are [`Expr::Omitted`].
    pub args: &'code [ExprId],
    /// 1-based line of the called name.
    pub line: u32,
}

impl Code {
    /// The expression of a number; [`Expr::Error`] for a number of another arena.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.nodes.get(id.0 as usize).map_or(Expr::Error, |node| node.expr)
    }

    /// The line of an expression.
    pub fn line(&self, id: ExprId) -> u32 {
        self.nodes.get(id.0 as usize).map_or(0, |node| node.line)
    }

    /// The arguments of a `Call` or `New`.
    pub fn arguments(&self, first: u32, count: u16) -> &[ExprId] {
        let first = first as usize;
        self.args.get(first..first + usize::from(count)).unwrap_or(&[])
    }

    /// By expression: whether a call calls it.
    pub fn callees(&self) -> Vec<bool> {
        let mut callees = vec![false; self.nodes.len()];
        for node in &self.nodes {
            if let Expr::Call { callee, .. } = node.expr
                && let Some(called) = callees.get_mut(callee.0 as usize)
            {
                *called = true;
            }
        }
        callees
    }

    /// The string a literal expression holds.
    pub fn string(&self, id: ExprId) -> Option<Symbol> {
        match self.expr(id) {
            Expr::String(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// All calls, operands before the calls that use them.
    pub fn calls(&self) -> impl Iterator<Item = CallSite<'_>> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| match node.expr {
            Expr::Call { callee, first, count } => {
                let (receiver, name) = match self.expr(callee) {
                    Expr::Name(name) => (None, name),
                    Expr::Member(base, name) => (Some(base), name),
                    _ => return None,
                };
                let args = self.arguments(first, count);
                Some(CallSite { id: ExprId(index as u32), receiver, name, args, line: node.line })
            }
            _ => None,
        })
    }
}
