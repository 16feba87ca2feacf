//! Calls of functions, and the table of those that the language has.

use std::sync::LazyLock;

use super::expr::{ExprId, ExprKind};
use super::lexer::Kind;
use super::model::{Name, Run};
use super::parser::Parser;
use super::problem::ProblemKind;
use super::words::Word;
use crate::words::{WordTable, rows};

const FUNCTIONS: &str = include_str!("../../data/query_functions.tsv");

/// A function of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// English name.
    pub name: &'static str,
    /// The type of its value, as in the data file.
    pub result: &'static str,
    /// What its arguments are, a letter each.
    arguments: &'static str,
}

static TABLE: LazyLock<WordTable<Function>> = LazyLock::new(|| {
    let known = rows(FUNCTIONS).filter_map(|row| match row[..] {
        [name, russian, english, result, arguments, ..] => {
            Some([russian, english].map(|written| (written, Function { name, result, arguments })))
        }
        _ => None,
    });
    WordTable::new(known.flatten())
});

/// The function of a name in either language.
pub(crate) fn function(name: &str) -> Option<Function> {
    TABLE.get(name)
}

impl<'t> Parser<'t> {
    /// `Имя(…)`, at the name.
    pub fn call(&mut self) -> ExprId {
        let first = self.bump();
        let name = self.name_of(first);
        let known = function(name.text);
        let kind = match known.map(|function| function.arguments) {
            Some("c") => self.cast(),
            Some("n") => {
                self.bump();
                let path = self.type_name();
                self.expect(Kind::RParen, "a closing parenthesis");
                if known.is_some_and(|function| function.name == "Type") {
                    ExprKind::Type(path)
                } else {
                    ExprKind::Value(path)
                }
            }
            arguments => self.plain_call(name, arguments.unwrap_or("")),
        };
        let value = self.add(first, kind);
        self.members_of(first, value)
    }

    fn plain_call(&mut self, name: Name<'t>, arguments: &'static str) -> ExprKind<'t> {
        self.bump();
        let distinct = self.eat_word(Word::Distinct);
        let star = self.at(Kind::Star) && self.peek(1).kind == Kind::RParen;
        if star {
            self.bump();
        }
        let mut list = Vec::new();
        let mut letters = arguments.bytes();
        while !self.at_close() {
            let before = self.position();
            list.push(self.argument(letters.next()));
            if !self.eat(Kind::Comma) || self.position() == before {
                break;
            }
        }
        self.expect(Kind::RParen, "a closing parenthesis");
        let args = self.add_list(&list);
        ExprKind::Call { name, args, distinct, star }
    }

    fn argument(&mut self, letter: Option<u8>) -> ExprId {
        let first = self.peek(0);
        let ends = matches!(self.peek(1).kind, Kind::Comma | Kind::RParen);
        if letter == Some(b'p') && first.kind == Kind::Word && ends {
            self.bump();
            return self.add(first, ExprKind::Period(self.name_of(first)));
        }
        if self.at_word(Word::Select) {
            let select = self.select();
            return self.add(first, ExprKind::Subquery(select));
        }
        self.expression()
    }

    /// Arguments of a template, at the parenthesis.
    pub fn arguments(&mut self) -> Run {
        self.bump();
        let list = self.deeper(|p| p.list()).unwrap_or_default();
        self.expect(Kind::RParen, "a closing parenthesis");
        self.add_list(&list)
    }

    /// `(… КАК Тип[(длина, точность)])`, at the parenthesis.
    fn cast(&mut self) -> ExprKind<'t> {
        self.bump();
        let value = self.expression();
        self.expect_word(Word::As, "AS and a type");
        let path = self.type_name();
        if self.eat(Kind::LParen) {
            self.list();
            self.expect(Kind::RParen, "a closing parenthesis");
        }
        self.expect(Kind::RParen, "a closing parenthesis");
        ExprKind::Cast(value, path)
    }

    /// The name of a type or of a value: words with dots between; `Справочник.Х.` is an empty reference.
    pub fn type_name(&mut self) -> Run {
        if self.at(Kind::Parameter) && self.peek(1).kind == Kind::RParen {
            // The platform takes no parameter here: it is replaced by a name before the query runs.
            self.bump();
            self.query.placeholders = true;
            return Run { first: self.query.names.len() as u32, count: 0 };
        }
        if !self.at_any_name() {
            self.problem(ProblemKind::Expected("a name"));
            return Run { first: self.query.names.len() as u32, count: 0 };
        }
        let path = self.path();
        if self.at(Kind::Dot) && self.peek(1).kind == Kind::RParen {
            self.bump();
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_in_both_languages() {
        for row in rows(FUNCTIONS) {
            for written in [row[1], row[2], &row[1].to_lowercase()] {
                assert_eq!(function(written).map(|function| function.name), Some(row[0]), "{written}");
            }
            let results = ["number", "string", "date", "type", "uuid", "name", "cast", "arguments", "unknown"];
            assert!(results.contains(&row[3]), "{}", row[3]);
        }
        assert_eq!(function("Номенклатура"), None);
    }
}
