//! Expressions and conditions.

use super::expr::{BinaryOp, ExprId, ExprKind};
use super::lexer::{Kind, Token};
use super::model::Run;
use super::parser::Parser;
use super::problem::ProblemKind;
use super::words::Word;

/// How strongly operators bind: an operand of one takes only operators that bind more strongly.
mod power {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARE: u8 = 4;
    pub const ADD: u8 = 5;
    pub const MUL: u8 = 6;
}

impl<'t> Parser<'t> {
    /// An expression; a condition is one too.
    pub fn expression(&mut self) -> ExprId {
        self.expression_above(0)
    }

    /// Operands and operators that bind more strongly than `floor`.
    fn expression_above(&mut self, floor: u8) -> ExprId {
        let first = self.peek(0);
        let mut left = match self.deeper(|p| p.prefixed()) {
            Some(operand) => operand,
            None => self.add(first, ExprKind::Error),
        };
        while let Some(kind) = self.operation(left, floor) {
            left = self.add(first, kind);
        }
        left
    }

    /// An operand with `НЕ` and signs before it.
    fn prefixed(&mut self) -> ExprId {
        let first = self.peek(0);
        let mut count = 0_u32;
        if self.at_word(Word::Not) {
            while self.eat_word(Word::Not) {
                count += 1;
            }
            let mut value = self.expression_above(power::NOT);
            for _ in 0..count {
                value = self.add(first, ExprKind::Not(value));
            }
            return value;
        }
        while matches!(self.kind(), Kind::Minus | Kind::Plus) {
            self.bump();
            count += 1;
        }
        let mut value = self.operand();
        if count > 0 {
            value = self.add(first, ExprKind::Sign(value));
        }
        value
    }

    /// The operation that an operator here makes of the operand before it; `None` if there is no operator that binds
    /// strongly enough.
    fn operation(&mut self, left: ExprId, floor: u8) -> Option<ExprKind<'t>> {
        let binary = |op, power: u8| (power > floor).then_some((op, power));
        let (op, power) = match self.kind() {
            Kind::Plus => binary(BinaryOp::Add, power::ADD)?,
            Kind::Minus => binary(BinaryOp::Sub, power::ADD)?,
            Kind::Star => binary(BinaryOp::Mul, power::MUL)?,
            Kind::Slash => binary(BinaryOp::Div, power::MUL)?,
            Kind::Eq => binary(BinaryOp::Eq, power::COMPARE)?,
            Kind::Ne => binary(BinaryOp::Ne, power::COMPARE)?,
            Kind::Lt => binary(BinaryOp::Lt, power::COMPARE)?,
            Kind::Le => binary(BinaryOp::Le, power::COMPARE)?,
            Kind::Gt => binary(BinaryOp::Gt, power::COMPARE)?,
            Kind::Ge => binary(BinaryOp::Ge, power::COMPARE)?,
            Kind::Word => match self.word()? {
                Word::Or => binary(BinaryOp::Or, power::OR)?,
                Word::And => binary(BinaryOp::And, power::AND)?,
                _ if power::COMPARE > floor => return self.comparison(left),
                _ => return None,
            },
            _ if self.directive() == Some(Word::If) && floor == 0 => return Some(self.conditional_operations(left)),
            _ if self.at_placeholder() => return self.unknown_operator(left),
            _ => return None,
        };
        self.bump();
        let right = self.expression_above(power);
        Some(ExprKind::Binary(op, left, right))
    }

    /// `В`, `МЕЖДУ`, `ПОДОБНО`, `ЕСТЬ`, `ССЫЛКА`, with `НЕ` before the first three.
    fn comparison(&mut self, left: ExprId) -> Option<ExprKind<'t>> {
        let negated = self.at_word(Word::Not);
        let word = self.word_at(usize::from(negated))?;
        if negated && !matches!(word, Word::In | Word::Between | Word::Like) {
            return None;
        }
        if !matches!(word, Word::In | Word::Between | Word::Like | Word::Is) && !self.at_refs() {
            return None;
        }
        let first = self.bump();
        if negated {
            self.bump();
        }
        let kind = match word {
            Word::In => {
                let hierarchy = self.eat_word(Word::Hierarchy);
                let list = self.members();
                ExprKind::In { value: left, list, hierarchy }
            }
            Word::Between => {
                let from = self.expression_above(power::COMPARE);
                self.expect_word(Word::And, "AND of BETWEEN");
                let to = self.expression_above(power::COMPARE);
                ExprKind::Between(left, from, to)
            }
            Word::Like => {
                let pattern = self.expression_above(power::COMPARE);
                let escape = self.eat_word(Word::Escape).then(|| self.expression_above(power::COMPARE));
                ExprKind::Like(left, pattern, escape)
            }
            Word::Is => {
                let negated = self.eat_word(Word::Not);
                self.expect_word(Word::Null, "NULL");
                let kind = ExprKind::IsNull(left);
                if negated { ExprKind::Not(self.add(first, kind)) } else { kind }
            }
            _ => ExprKind::Refs(left, self.path()),
        };
        Some(if negated { ExprKind::Not(self.add(first, kind)) } else { kind })
    }

    /// `ССЫЛКА Документ.Х`: a dotted name must follow, else the word is a name itself.
    fn at_refs(&self) -> bool {
        let next = self.peek(1).kind;
        let is_path = next == Kind::Word && self.peek(2).kind == Kind::Dot;
        self.at_word(Word::Refs) && (is_path || matches!(next, Kind::Placeholder | Kind::Macro))
    }

    /// What follows `В`: a list or a query in parentheses, or a parameter.
    fn members(&mut self) -> Run {
        let first = self.peek(0);
        if !self.at(Kind::LParen) {
            let value = self.expression_above(power::COMPARE);
            return self.add_list(&[value]);
        }
        self.bump();
        let list = self.deeper(|p| p.list_or_query()).unwrap_or_default();
        self.expect(Kind::RParen, "a closing parenthesis");
        if list.is_empty() {
            let nothing = self.add(first, ExprKind::Error);
            return self.add_list(&[nothing]);
        }
        self.add_list(&list)
    }

    /// Expressions with commas between, or one nested query.
    pub fn list_or_query(&mut self) -> Vec<ExprId> {
        let first = self.peek(0);
        if self.at_word(Word::Select) {
            let select = self.select();
            return vec![self.add(first, ExprKind::Subquery(select))];
        }
        self.list()
    }

    /// Expressions with commas between, up to what closes the group.
    pub fn list(&mut self) -> Vec<ExprId> {
        let mut list = Vec::new();
        while !self.at_close() {
            let before = self.position();
            list.push(self.expression());
            if !self.eat(Kind::Comma) || self.position() == before {
                break;
            }
        }
        list
    }

    /// A placeholder where an operator may stand: it is one, or several with operands, or a part of the query.
    fn unknown_operator(&mut self, left: ExprId) -> Option<ExprKind<'t>> {
        let token = self.bump();
        self.note_macro(token);
        let is_operand = match self.kind() {
            Kind::Word => {
                !self.word().is_some_and(|word| word.is_reserved() && word != Word::Case) && !self.at_clause()
            }
            Kind::Number | Kind::String | Kind::Parameter | Kind::LParen => true,
            _ => false,
        };
        let right = if is_operand { self.expression_above(power::COMPARE) } else { self.add(token, ExprKind::Error) };
        Some(ExprKind::Binary(BinaryOp::Unknown, left, right))
    }

    /// `#Если … #Тогда И … #Иначе И … #КонецЕсли` after an operand: each alternative goes on with the expression.
    fn conditional_operations(&mut self, left: ExprId) -> ExprKind<'t> {
        let first = self.peek(0);
        let mut alternatives = vec![left];
        self.conditional(|p| {
            let mut value = p.add(first, ExprKind::Error);
            while let Some(kind) = p.operation(value, 0) {
                value = p.add(first, kind);
            }
            alternatives.push(value);
        });
        ExprKind::Tuple(self.add_list(&alternatives))
    }

    fn operand(&mut self) -> ExprId {
        let first = self.peek(0);
        match first.kind {
            Kind::Number => {
                self.bump();
                self.add(first, ExprKind::Number(self.slice(first)))
            }
            Kind::String | Kind::OpenString => {
                while matches!(self.kind(), Kind::String | Kind::OpenString) {
                    if self.at(Kind::OpenString) {
                        self.problem(ProblemKind::OpenString);
                    }
                    self.bump();
                }
                self.add(first, ExprKind::String(self.slice(first)))
            }
            Kind::Parameter => {
                self.bump();
                let parameter = self.add(first, ExprKind::Parameter(self.name_of(first)));
                self.members_of(first, parameter)
            }
            Kind::LParen => {
                self.bump();
                let list = self.list_or_query();
                if list.is_empty() {
                    self.problem(ProblemKind::Expected("an expression"));
                }
                self.expect(Kind::RParen, "a closing parenthesis");
                let value = match list[..] {
                    [one] => one,
                    _ => {
                        let run = self.add_list(&list);
                        self.add(first, ExprKind::Tuple(run))
                    }
                };
                self.members_of(first, value)
            }
            Kind::LBrace => {
                self.bump();
                let items = self.brace_items();
                self.expect(Kind::RBrace, "a closing brace");
                let list: Vec<ExprId> = items.into_iter().map(|(value, _)| value).collect();
                let run = self.add_list(&list);
                self.add(first, ExprKind::Tuple(run))
            }
            Kind::Word => self.word_operand(),
            Kind::Macro if self.directive() == Some(Word::If) => {
                let mut alternatives = Vec::new();
                self.conditional(|p| alternatives.push(p.expression()));
                let run = self.add_list(&alternatives);
                self.add(first, ExprKind::Tuple(run))
            }
            Kind::Macro if self.macros && self.directive().is_none() => {
                self.query.placeholders = true;
                if self.peek(1).kind != Kind::LParen {
                    let path = self.path();
                    return self.add(first, ExprKind::Field(path));
                }
                self.bump();
                let args = self.arguments();
                let value = self.add(first, ExprKind::Macro(self.name_of(first), args));
                self.members_of(first, value)
            }
            Kind::Placeholder | Kind::Macro if self.at_placeholder() => {
                if self.peek(1).kind == Kind::LParen {
                    return self.call();
                }
                let path = self.path();
                self.add(first, ExprKind::Field(path))
            }
            _ => self.missing_operand(),
        }
    }

    fn missing_operand(&mut self) -> ExprId {
        let first = self.peek(0);
        self.problem(ProblemKind::Expected("an expression"));
        self.add(first, ExprKind::Error)
    }

    fn word_operand(&mut self) -> ExprId {
        let first = self.peek(0);
        let next = self.peek(1).kind;
        let literal = match first.word {
            // A word before a dot is a name, whatever else it is.
            _ if next == Kind::Dot => None,
            Some(Word::Null) => Some(ExprKind::Null),
            Some(Word::Undefined) => Some(ExprKind::Undefined),
            Some(Word::True) => Some(ExprKind::Boolean(true)),
            Some(Word::False) => Some(ExprKind::Boolean(false)),
            Some(Word::Case) => return self.case(),
            Some(word) if word.is_reserved() => return self.missing_operand(),
            _ if next == Kind::LParen => return self.call(),
            Some(_) if self.at_clause() => return self.missing_operand(),
            _ => None,
        };
        match literal {
            Some(kind) => {
                self.bump();
                self.add(first, kind)
            }
            None => {
                let path = self.path();
                self.add(first, ExprKind::Field(path))
            }
        }
    }

    /// `.Поле` after a value in parentheses.
    pub fn members_of(&mut self, first: Token, value: ExprId) -> ExprId {
        let next = self.peek(1).kind;
        if !self.at(Kind::Dot) || !matches!(next, Kind::Word | Kind::Placeholder | Kind::Macro) {
            return value;
        }
        self.bump();
        let path = self.path();
        self.add(first, ExprKind::Member(value, path))
    }

    /// `ВЫБОР [значение] КОГДА … ТОГДА … [ИНАЧЕ …] КОНЕЦ`
    fn case(&mut self) -> ExprId {
        let first = self.bump();
        let subject = (!self.at_word(Word::When)).then(|| self.expression());
        let mut parts = Vec::new();
        if !self.at_word(Word::When) {
            self.problem(ProblemKind::Expected("WHEN"));
        }
        while self.eat_word(Word::When) {
            parts.push(self.expression());
            self.expect_word(Word::Then, "THEN");
            parts.push(self.expression());
        }
        let otherwise = self.eat_word(Word::Else).then(|| self.expression());
        self.expect_word(Word::End, "END of CASE");
        let parts = self.add_list(&parts);
        self.add(first, ExprKind::Case(subject, parts, otherwise))
    }
}
