//! The text of an access restriction: `Т ГДЕ …`, `ГДЕ …`, a bare condition, templates, and `#Если` between them.

use super::lexer::Kind;
use super::model::{Branch, Name, Source, Statement, StatementKind, Table};
use super::parser::Parser;
use super::problem::ProblemKind;
use super::words::Word;
use crate::same_name;

impl<'t> Parser<'t> {
    /// Alternatives up to the end of the text, or up to the directive that ends this one.
    pub fn restriction(&mut self) {
        loop {
            let before = self.position();
            match self.directive() {
                Some(Word::If) => self.conditional(Self::restriction),
                Some(Word::Else | Word::ElsIf | Word::EndIf) => return,
                Some(_) => {
                    self.problem(ProblemKind::Unexpected);
                    self.bump();
                }
                None if self.at(Kind::End) => return,
                None if self.at(Kind::Macro) && self.peek(1).kind == Kind::LParen => self.template(),
                None => self.restriction_text(),
            }
            if self.position() == before {
                self.problem(ProblemKind::Unexpected);
                self.bump();
            }
        }
    }

    /// `#Имя(…)`: the whole restriction is made by a template.
    fn template(&mut self) {
        let token = self.bump();
        let args = self.arguments();
        self.query.macros.push((self.name_of(token), args));
    }

    /// `#Если условие #Тогда … #ИначеЕсли условие #Тогда … #Иначе … #КонецЕсли`: `read` reads each alternative.
    pub fn conditional(&mut self, mut read: impl FnMut(&mut Self)) {
        let first = self.bump();
        let read_all = |p: &mut Self| {
            loop {
                let condition = p.expression();
                p.query.conditions.push(condition);
                if p.directive() == Some(Word::Then) {
                    p.bump();
                } else {
                    p.problem(ProblemKind::Expected("#THEN"));
                }
                read(p);
                match p.directive() {
                    Some(Word::ElsIf) => drop(p.bump()),
                    Some(Word::Else) => {
                        p.bump();
                        read(p);
                        break;
                    }
                    _ => break,
                }
            }
        };
        self.deeper(read_all);
        if self.directive() == Some(Word::EndIf) {
            self.bump();
        } else {
            let span = self.span_from(first);
            self.problem_at(ProblemKind::Expected("#ENDIF"), span);
        }
    }

    /// `[Имя] [ИЗ …] ГДЕ условие`, or a condition alone.
    fn restriction_text(&mut self) {
        let first = self.peek(0);
        let id = self.open_select();
        let outer = self.branch.replace((id, 0));
        let mut branch = Branch::default();
        let is_alias = |word: Option<Word>| matches!(word, Some(Word::Where | Word::From | Word::As));
        let named = self.at_any_name() && !self.at_clause() && (is_alias(self.word_at(1)) || self.at_join_after_name());
        let mut alias = None;
        if named {
            let token = self.bump();
            self.note_macro(token);
            alias = Some(self.name_of(token));
            if self.at_word(Word::As) {
                alias = self.alias();
            }
        }
        if named || self.at_clause() {
            if !self.at_word(Word::From) {
                let span = self.span_from(first);
                branch.sources.push(Source { table: Table::Current, alias, join: None, optional: false, span });
            }
            self.clauses(id, &mut branch);
            self.own_name(alias, &mut branch);
        } else {
            let span = self.span_from(first);
            branch.sources.push(Source { table: Table::Current, alias, join: None, optional: false, span });
            branch.condition = Some(self.expression());
        }
        if !self.at(Kind::End) && self.directive().is_none() {
            self.problem(ProblemKind::Unexpected);
            while !self.at(Kind::End) && self.directive().is_none() {
                self.bump();
            }
        }
        branch.span = self.span_from(first);
        let span = branch.span;
        if let Some(select) = self.query.selects.get_mut(id.0 as usize) {
            select.span = span;
            select.branches.push(branch);
        }
        self.branch = outer;
        self.query.statements.push(Statement { kind: StatementKind::Restriction(id), span });
    }

    /// `Т ИЗ Т`: the table of that name is the restricted one.
    fn own_name(&self, own: Option<Name<'t>>, branch: &mut Branch<'t>) {
        let Some(own) = own else { return };
        for source in &mut branch.sources {
            if let Table::Named { name, parameters: None } = &source.table
                && let [only] = self.query.path(*name)
                && same_name(only.text, own.text)
            {
                source.alias.get_or_insert(*only);
                source.table = Table::Current;
            }
        }
    }

    fn at_join_after_name(&self) -> bool {
        let next = self.word_at(1);
        let sided = matches!(next, Some(Word::Left | Word::Right | Word::Full | Word::Inner));
        next == Some(Word::Join) || sided && matches!(self.word_at(2), Some(Word::Join | Word::Outer))
    }
}
