//! What is wrong with a text.

use super::model::Span;

/// Something in a text that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// 1-based column in characters.
    pub column: u32,
    /// What.
    pub kind: ProblemKind,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// This was expected and something else stands there.
    Expected(&'static str),
    /// Nothing of this kind may stand there.
    Unexpected,
    /// A string without its closing quote.
    OpenString,
    /// A join without a condition.
    JoinWithoutCondition,
    /// It was left out: nested more deeply than is read.
    TooDeep,
}

impl std::fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "{what} expected"),
            Self::Unexpected => f.write_str("this has no place here"),
            Self::OpenString => f.write_str("the string has no closing quote"),
            Self::JoinWithoutCondition => f.write_str("the join has no condition"),
            Self::TooDeep => f.write_str("nested too deeply: left out"),
        }
    }
}
