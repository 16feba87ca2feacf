//! `ИЗ`: tables and joins.

use super::lexer::Kind;
use super::model::{Branch, Join, JoinKind, Source, Table, TableParameter};
use super::parser::Parser;
use super::problem::ProblemKind;
use super::words::Word;

impl<'t> Parser<'t> {
    /// Tables with commas and joins between, behind `ИЗ`.
    pub fn from(&mut self, branch: &mut Branch<'t>) {
        loop {
            self.source(branch, None);
            self.joins(branch);
            if !self.eat(Kind::Comma) {
                return;
            }
        }
    }

    /// Whether a join begins here, in braces or not.
    pub fn at_join(&self) -> bool {
        let word = |ahead: usize| self.word_at(ahead);
        let at = usize::from(self.at(Kind::LBrace));
        match word(at) {
            Some(Word::Join) => at == 1 || self.peek(1).kind != Kind::Dot,
            Some(Word::Left | Word::Right | Word::Full | Word::Inner) => {
                word(at + 1) == Some(Word::Join)
                    || word(at + 1) == Some(Word::Outer) && word(at + 2) == Some(Word::Join)
            }
            _ => false,
        }
    }

    /// Joins of the tables before. `А ЛЕВОЕ СОЕДИНЕНИЕ Б ЛЕВОЕ СОЕДИНЕНИЕ В ПО … ПО …`: a condition belongs to the last
    /// join that has none yet. Braces around joins, or parts of them, say that the composition of a report may leave them
    /// out.
    pub fn joins(&mut self, branch: &mut Branch<'t>) {
        let mut waiting: Vec<usize> = Vec::new();
        let mut braces = 0_u32;
        loop {
            if self.at_join() {
                if self.eat(Kind::LBrace) {
                    braces += 1;
                }
                let kind = self.join_kind();
                if braces > 0 && self.at(Kind::RBrace) {
                    // `{ЛЕВОЕ СОЕДИНЕНИЕ} Т ПО …`
                    self.bump();
                    braces -= 1;
                    waiting.push(branch.sources.len());
                    self.source(branch, Some(Join { kind, condition: None }));
                    if let Some(source) = branch.sources.last_mut() {
                        source.optional = true;
                    }
                    continue;
                }
                waiting.push(branch.sources.len());
                self.source(branch, Some(Join { kind, condition: None }));
                if let Some(source) = branch.sources.last_mut() {
                    source.optional = braces > 0;
                }
            } else if self.at_condition() && !waiting.is_empty() {
                let braced = self.eat(Kind::LBrace);
                self.bump();
                if braced {
                    self.eat(Kind::RBrace);
                }
                let condition = self.expression();
                let join = waiting.pop().and_then(|place| branch.sources.get_mut(place)?.join.as_mut());
                if let Some(join) = join {
                    join.condition = Some(condition);
                }
            } else if braces > 0 && self.at(Kind::RBrace) {
                self.bump();
                braces -= 1;
            } else {
                break;
            }
        }
        if braces > 0 {
            self.problem(ProblemKind::Expected("a closing brace"));
        }
        if !waiting.is_empty() {
            self.problem(ProblemKind::JoinWithoutCondition);
        }
    }

    /// `ПО`, or `{ПО}`.
    fn at_condition(&self) -> bool {
        let braced = self.at(Kind::LBrace) && self.word_at(1) == Some(Word::By) && self.peek(2).kind == Kind::RBrace;
        self.at_word(Word::By) || braced
    }

    fn join_kind(&mut self) -> JoinKind {
        let kind = match self.word() {
            Some(Word::Left) => JoinKind::Left,
            Some(Word::Right) => JoinKind::Right,
            Some(Word::Full) => JoinKind::Full,
            _ => JoinKind::Inner,
        };
        while !self.at_word(Word::Join) && matches!(self.kind(), Kind::Word) {
            self.bump();
        }
        self.eat_word(Word::Join);
        kind
    }

    /// One table with its alias.
    fn source(&mut self, branch: &mut Branch<'t>, join: Option<Join>) {
        let first = self.peek(0);
        let mut closing = 0_u32;
        // `(Справочник.Х) КАК Х`: parentheses around a table alone.
        while self.at(Kind::LParen) && self.word_at(1) != Some(Word::Select) {
            self.bump();
            closing += 1;
        }
        let table = self.table();
        let mut alias = self.alias();
        while closing > 0 && self.eat(Kind::RParen) {
            closing -= 1;
            alias = alias.or_else(|| self.alias());
        }
        if closing > 0 {
            self.problem(ProblemKind::Expected("a closing parenthesis"));
        }
        branch.sources.push(Source { table, alias, join, optional: false, span: self.span_from(first) });
    }

    fn table(&mut self) -> Table {
        match self.kind() {
            Kind::LParen => {
                self.bump();
                let select = self.deeper(Self::select);
                self.expect(Kind::RParen, "a closing parenthesis");
                select.map_or(Table::Missing, Table::Nested)
            }
            Kind::Parameter => {
                let token = self.bump();
                let name = self.name_of(token);
                self.query.names.push(name);
                Table::Parameter(super::model::Run { first: self.query.names.len() as u32 - 1, count: 1 })
            }
            Kind::Word if self.peek(1).kind == Kind::Dot || !self.word().is_some_and(Word::is_reserved) => self.named(),
            Kind::Placeholder | Kind::Macro if self.at_placeholder() => self.named(),
            _ => {
                self.problem(ProblemKind::Expected("a table"));
                Table::Missing
            }
        }
    }

    fn named(&mut self) -> Table {
        let name = self.path();
        let parameters = self.eat(Kind::LParen).then(|| {
            let parameters = self.deeper(Self::table_parameters).unwrap_or_default();
            self.expect(Kind::RParen, "a closing parenthesis");
            parameters
        });
        Table::Named { name, parameters }
    }

    /// Parameters of a virtual table: expressions that may be left out, with braces around them or behind them.
    fn table_parameters(&mut self) -> Vec<TableParameter> {
        let mut parameters = Vec::new();
        if self.at(Kind::RParen) {
            return parameters;
        }
        loop {
            let first = self.peek(0);
            let mut parameter = TableParameter::default();
            while !self.at(Kind::Comma) && !self.at_close() {
                let before = self.position();
                if self.eat(Kind::LBrace) {
                    parameter.exprs.extend(self.brace_items().into_iter().map(|(value, _)| value));
                    self.expect(Kind::RBrace, "a closing brace");
                } else if parameter.exprs.is_empty() || self.at_placeholder() {
                    parameter.exprs.push(self.expression());
                } else {
                    break;
                }
                if self.position() == before {
                    break;
                }
            }
            parameter.span = if parameter.exprs.is_empty() {
                super::model::Span { start: first.start, end: first.start, line: first.line }
            } else {
                self.span_from(first)
            };
            parameters.push(parameter);
            if !self.eat(Kind::Comma) {
                return parameters;
            }
        }
    }
}
