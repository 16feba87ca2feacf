//! Expressions of a query.

use super::model::{Name, Run, SelectId, Span};

/// Number of an expression in [`Query::exprs`](super::Query::exprs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// An expression and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expr<'t> {
    /// What it is.
    pub kind: ExprKind<'t>,
    /// Where it stands.
    pub span: Span,
}

/// Expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExprKind<'t> {
    /// `NULL`
    Null,
    /// `НЕОПРЕДЕЛЕНО`
    Undefined,
    /// `ИСТИНА`, `ЛОЖЬ`
    Boolean(bool),
    /// A number as written.
    Number(&'t str),
    /// A string as written, with its quotes.
    String(&'t str),
    /// `&Имя`
    Parameter(Name<'t>),
    /// A field: its parts, the alias of the table among them.
    Field(Run),
    /// `ВЫРАЗИТЬ(…).Поле`: fields of a value.
    Member(ExprId, Run),
    /// `ИМЯ(…)`. With `*` as the only argument the list is empty and `star` is set.
    Call {
        /// The function as written.
        name: Name<'t>,
        /// Arguments.
        args: Run,
        /// `РАЗЛИЧНЫЕ` before the argument.
        distinct: bool,
        /// `КОЛИЧЕСТВО(*)`.
        star: bool,
    },
    /// `ВЫРАЗИТЬ(… КАК …)`: the value and the name of the type; qualifiers are not kept.
    Cast(ExprId, Run),
    /// `ЗНАЧЕНИЕ(…)`: the name in it.
    Value(Run),
    /// `ТИП(…)`: the name in it.
    Type(Run),
    /// A word for a period as an argument (`МЕСЯЦ`).
    Period(Name<'t>),
    /// `НЕ …`
    Not(ExprId),
    /// `-…`, `+…`
    Sign(ExprId),
    /// Two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `ВЫБОР … КОНЕЦ`: the value after `ВЫБОР`, conditions and values in turn, the value after `ИНАЧЕ`.
    Case(Option<ExprId>, Run, Option<ExprId>),
    /// `… В (…)`: the list holds the values, or one [`ExprKind::Subquery`].
    In {
        /// What is looked for.
        value: ExprId,
        /// Where.
        list: Run,
        /// `В ИЕРАРХИИ`.
        hierarchy: bool,
    },
    /// `… МЕЖДУ … И …`
    Between(ExprId, ExprId, ExprId),
    /// `… ПОДОБНО … [СПЕЦСИМВОЛ …]`
    Like(ExprId, ExprId, Option<ExprId>),
    /// `… ЕСТЬ NULL`
    IsNull(ExprId),
    /// `… ССЫЛКА Имя`
    Refs(ExprId, Run),
    /// `(…, …)`; also the alternatives of `#Если` within an expression.
    Tuple(Run),
    /// `(ВЫБРАТЬ …)`
    Subquery(SelectId),
    /// `#Имя(…)`: arguments.
    Macro(Name<'t>, Run),
    /// Nothing that could be read.
    Error,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    /// A placeholder stands between the operands.
    Unknown,
}
