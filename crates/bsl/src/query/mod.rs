//! The query language: text -> tree -> facts. Never fails, in linear time and bounded depth, whatever the text is.
//!
//! [`parse`] gives the tree, for tools that show or edit a query; [`read`] gives what an index needs: the tables, columns,
//! fields and parameters of a text, with names resolved as far as the text alone allows.
//!
//! Words of both languages may be mixed. A text of which parts are replaced before it runs ([`Query::placeholders`]) is read
//! as far as it can be known; nothing in it counts as wrong.

mod braces;
mod columns;
mod expr;
mod expressions;
mod facts;
mod functions;
#[cfg(test)]
mod hostile;
mod lexer;
mod model;
mod naming;
mod parser;
mod paths;
mod problem;
mod resolve;
mod restriction;
mod scope;
mod sources;
mod statements;
mod tables;
mod value;
mod walk;
mod words;

pub use expr::{BinaryOp, Expr, ExprId, ExprKind};
pub use facts::{
    BranchFacts, Clause, ColumnFacts, ColumnKind, FieldUse, NameRole, NameUse, Origin, ParameterUse, QueryFacts,
    SelectFacts, StatementFacts, TableKind, TableParameterFacts, TableUse, TempTableAction, TempTableUse, TemplateCall,
    ValueFacts, ValueType,
};
pub use model::{
    BraceKind, BracePart, Branch, Column, ColumnValue, Into, Join, JoinKind, Name, Query, Run, Select, SelectId,
    Source, Span, Statement, StatementKind, Table, TableParameter, TotalItem, UnionKind,
};
pub use paths::{PathUse, paths};
pub use problem::{Problem, ProblemKind};
pub use tables::{virtual_tables_instead, written_table};

/// Tokens of the language, for readers of texts that hold parts of it.
pub(crate) mod tokens {
    pub(crate) use super::lexer::{Kind, Token, tokens};
    pub(crate) use super::words::Word;
}

use lexer::Kind;
use parser::Parser;
use words::Word;

/// Directives of restrictions of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    If,
    Then,
    ElsIf,
    Else,
    EndIf,
}

/// Whether the word behind `#` in a restriction is a directive, not the name of a template; in any case and language.
pub fn is_directive(word: &str) -> bool {
    directive(word).is_some()
}

/// The directive that the word behind `#` is, in any case and language.
pub(crate) fn directive(word: &str) -> Option<Directive> {
    match words::word(word)? {
        Word::If => Some(Directive::If),
        Word::Then => Some(Directive::Then),
        Word::ElsIf => Some(Directive::ElsIf),
        Word::Else => Some(Directive::Else),
        Word::EndIf => Some(Directive::EndIf),
        _ => None,
    }
}

/// What a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// A whole query, or a batch.
    #[default]
    Query,
    /// A part of a query that is added to another one (`ЛЕВОЕ СОЕДИНЕНИЕ …`, `ОБЪЕДИНИТЬ ВСЕ …`).
    Fragment,
    /// A restriction of access in a role: `Т ГДЕ …`, a condition alone, templates (`#ПоЗначениям(…)`), `#Если`.
    Restriction,
}

/// Reads a query into its tree.
///
/// ```
/// use metascope_bsl::query::{TextKind, parse};
/// let text = "ВЫБРАТЬ Т.Код КАК К, Т.Ссылка ИЗ Справочник.Валюты КАК Т";
/// let query = parse(text, TextKind::Query);
/// let branch = &query.selects[0].branches[0];
/// assert_eq!(branch.select_list.of(text), "Т.Код КАК К, Т.Ссылка");
/// assert_eq!(query.problems, []);
/// ```
pub fn parse(text: &str, kind: TextKind) -> Query<'_> {
    let mut parser = Parser::new(text, kind == TextKind::Restriction);
    match kind {
        TextKind::Restriction => parser.restriction(),
        TextKind::Query => parser.batch(false),
        TextKind::Fragment => {
            parser.query.placeholders = true;
            parser.batch(true);
        }
    }
    parser.finish()
}

/// Reads what an index needs of a query.
///
/// ```
/// use metascope_bsl::query::{TextKind, read};
/// let facts = read("ВЫБРАТЬ Т.Валюта.Код ИЗ Документ.Счет КАК Т", TextKind::Query);
/// assert_eq!(&*facts.tables[0].name, "Document.Счет");
/// assert_eq!(&*facts.fields[0].origins[0].path, "Валюта.Код");
/// assert_eq!(&*facts.selects[0].branches[0].columns[0].name, "ВалютаКод");
/// ```
pub fn read(text: &str, kind: TextKind) -> QueryFacts {
    resolve::facts_of(&parse(text, kind))
}

/// Whether a text ends where a query can't: it is continued by other code.
pub(crate) fn breaks_off(text: &str) -> bool {
    let tokens = lexer::tokens(text);
    let Some(last) = tokens.len().checked_sub(2).and_then(|last| tokens.get(last)) else { return true };
    match (last.kind, last.word) {
        (Kind::Word, Some(word)) => {
            let may_end = matches!(word, Word::Null | Word::True | Word::False | Word::Undefined | Word::End);
            let named = tokens.len().checked_sub(3).and_then(|before| tokens.get(before));
            let is_name = named.is_some_and(|before| before.kind == Kind::Dot || before.word == Some(Word::As));
            word.is_reserved() && !may_end && !is_name
        }
        (Kind::Word | Kind::Parameter | Kind::Placeholder | Kind::Macro | Kind::Number | Kind::String, _) => false,
        (Kind::RParen | Kind::RBrace | Kind::Semicolon | Kind::Star, _) => false,
        _ => true,
    }
}
