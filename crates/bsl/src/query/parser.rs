//! The cursor that the rules of the grammar share: looking ahead, problems, names, the bound on depth.
//!
//! Time is linear: a rule looks at most four tokens ahead and never goes back, and every loop takes at least one token a
//! round. Depth is bounded: what is nested more deeply than [`MAX_DEPTH`] is left out as a whole.

use super::expr::{Expr, ExprId, ExprKind};
use super::lexer::{Kind, Token, tokens};
use super::model::{Name, Query, Run, SelectId, Span};
use super::problem::{Problem, ProblemKind};
use super::words::Word;
use crate::places::Places;

/// Parentheses, `ВЫБОР`, nested queries and alternatives within each other.
pub(crate) const MAX_DEPTH: u32 = 128;
/// More problems of one text tell nobody more.
const MAX_PROBLEMS: usize = 100;

/// Reads one text.
pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    places: Places,
    pub query: Query<'t>,
    /// `#Имя` calls a template and `#Если` chooses, as in the text of an access restriction; else `#Имя` is a placeholder.
    pub macros: bool,
    /// The branch that is being read.
    pub branch: Option<(SelectId, u32)>,
    /// Tokens looked at: what tests hold against the length of the text.
    #[cfg(test)]
    pub work: std::cell::Cell<usize>,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str, macros: bool) -> Self {
        let tokens = tokens(text);
        let is_placeholder = |token: &Token| token.kind == Kind::Placeholder || !macros && token.kind == Kind::Macro;
        let placeholders = tokens.iter().any(is_placeholder);
        Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            places: Places::default(),
            query: Query { placeholders, ..Query::default() },
            macros,
            branch: None,
            #[cfg(test)]
            work: std::cell::Cell::new(0),
        }
    }

    /// The tree, without problems if parts of the text are replaced before it runs.
    pub fn finish(mut self) -> Query<'t> {
        if self.query.placeholders {
            self.query.problems.clear();
        }
        self.query
    }

    // Looking.

    /// A token from here on; the last one for ever.
    pub fn peek(&self, ahead: usize) -> Token {
        #[cfg(test)]
        self.work.set(self.work.get() + 1);
        let last = self.tokens.last().copied();
        let end = Token { kind: Kind::End, word: None, start: 0, end: 0, line: 1 };
        self.tokens.get(self.at + ahead).copied().or(last).unwrap_or(end)
    }

    pub fn kind(&self) -> Kind {
        self.peek(0).kind
    }

    /// The word of the grammar that stands here.
    pub fn word(&self) -> Option<Word> {
        self.word_at(0)
    }

    pub fn word_at(&self, ahead: usize) -> Option<Word> {
        let token = self.peek(ahead);
        if token.kind == Kind::Word { token.word } else { None }
    }

    pub fn at(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    pub fn at_word(&self, word: Word) -> bool {
        self.word() == Some(word)
    }

    /// What follows `#` here, if that directs the reading of an access restriction.
    pub fn directive(&self) -> Option<Word> {
        let token = self.peek(0);
        let directs = matches!(token.word, Some(Word::If | Word::Then | Word::ElsIf | Word::Else | Word::EndIf));
        if self.macros && token.kind == Kind::Macro && directs { token.word } else { None }
    }

    /// A token that stands for a name or a part of the text that is not known.
    pub fn at_placeholder(&self) -> bool {
        match self.kind() {
            Kind::Placeholder => true,
            Kind::Macro => self.directive().is_none(),
            _ => false,
        }
    }

    /// A token that is a name after a dot or `КАК`.
    pub fn at_any_name(&self) -> bool {
        self.kind() == Kind::Word || self.at_placeholder()
    }

    /// Nothing more of the group that is being read.
    pub fn at_close(&self) -> bool {
        matches!(self.kind(), Kind::End | Kind::RParen | Kind::RBrace | Kind::Semicolon)
    }

    // Taking.

    pub fn bump(&mut self) -> Token {
        let token = self.peek(0);
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub fn eat(&mut self, kind: Kind) -> bool {
        let is_here = self.at(kind);
        if is_here {
            self.bump();
        }
        is_here
    }

    pub fn eat_word(&mut self, word: Word) -> bool {
        let is_here = self.at_word(word);
        if is_here {
            self.bump();
        }
        is_here
    }

    pub fn expect(&mut self, kind: Kind, what: &'static str) -> bool {
        let found = self.eat(kind);
        if !found {
            self.problem(ProblemKind::Expected(what));
        }
        found
    }

    pub fn expect_word(&mut self, word: Word, what: &'static str) -> bool {
        let found = self.eat_word(word);
        if !found {
            self.problem(ProblemKind::Expected(what));
        }
        found
    }

    /// How many tokens were taken: a loop that sees no other number goes no further.
    pub fn position(&self) -> usize {
        self.at
    }

    // Places and names.

    pub fn slice(&self, token: Token) -> &'t str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// From a token to the last one that was taken.
    pub fn span_from(&self, first: Token) -> Span {
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let end = last.map_or(first.start, |token| token.end).max(first.start);
        Span { start: first.start, end, line: first.line }
    }

    pub fn name_of(&self, token: Token) -> Name<'t> {
        let written = self.slice(token);
        let text = match token.kind {
            Kind::Parameter => written.get(1..).unwrap_or("").trim_start_matches(' '),
            Kind::Macro => written.get(1..).unwrap_or(""),
            _ => written,
        };
        Name { text, span: Span { start: token.start, end: token.end, line: token.line } }
    }

    /// `А.Б.В`, from a token that was checked to be a name. Stops before a dot that no name follows.
    pub fn path(&mut self) -> Run {
        let first = self.query.names.len();
        loop {
            let token = self.bump();
            let mut name = self.name_of(token);
            // A template stands for a name that is not known, which must not look like one.
            if token.kind == Kind::Macro {
                name.text = self.slice(token);
                self.query.placeholders = true;
            }
            self.query.names.push(name);
            let next = self.peek(1);
            let is_name = next.kind == Kind::Word || next.kind == Kind::Placeholder || next.kind == Kind::Macro;
            if !self.at(Kind::Dot) || !is_name {
                break;
            }
            self.bump();
        }
        Run { first: first as u32, count: (self.query.names.len() - first) as u32 }
    }

    /// The name after `КАК`, or one without it that no other part of the query begins with.
    pub fn alias(&mut self) -> Option<Name<'t>> {
        if self.eat_word(Word::As) {
            if self.at_any_name() {
                let token = self.bump();
                self.note_macro(token);
                return Some(self.name_of(token));
            }
            self.problem(ProblemKind::Expected("a name after AS"));
            return None;
        }
        let is_name = match self.kind() {
            Kind::Word => !self.word().is_some_and(Word::is_reserved) && !self.at_clause(),
            Kind::Placeholder => true,
            _ => false,
        };
        is_name.then(|| {
            let token = self.bump();
            self.name_of(token)
        })
    }

    /// A template in a place where its text is not known.
    pub fn note_macro(&mut self, token: Token) {
        if token.kind == Kind::Macro {
            self.query.placeholders = true;
        }
    }

    // Writing.

    pub fn problem(&mut self, kind: ProblemKind) {
        let token = self.peek(0);
        self.problem_at(kind, Span { start: token.start, end: token.end, line: token.line });
    }

    /// Adds a problem; one place has one problem, the first that was found.
    pub fn problem_at(&mut self, kind: ProblemKind, span: Span) {
        let known = self.query.problems.last().is_some_and(|last| last.span.start == span.start);
        if !known && self.query.problems.len() < MAX_PROBLEMS {
            let (_, column) = self.places.find(self.text, span.start as usize);
            self.query.problems.push(Problem { span, column, kind });
        }
    }

    pub fn add(&mut self, first: Token, kind: ExprKind<'t>) -> ExprId {
        let span = self.span_from(first);
        self.query.exprs.push(Expr { kind, span });
        ExprId(self.query.exprs.len() as u32 - 1)
    }

    pub fn add_list(&mut self, list: &[ExprId]) -> Run {
        let first = self.query.lists.len() as u32;
        self.query.lists.extend_from_slice(list);
        Run { first, count: list.len() as u32 }
    }

    // Depth.

    /// Reads something one step deeper; `None` if that is too deep, and the group that begins here was left out.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let first = self.peek(0);
            self.skip_group();
            let span = self.span_from(first);
            self.problem_at(ProblemKind::TooDeep, span);
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        Some(result)
    }

    /// Takes the rest of the group that this place belongs to, up to what closes it.
    fn skip_group(&mut self) {
        // What is open, innermost last: the token that closes it.
        let mut open: Vec<Kind> = Vec::new();
        loop {
            match self.kind() {
                Kind::LParen => open.push(Kind::RParen),
                Kind::LBrace => open.push(Kind::RBrace),
                Kind::Word if self.at_word(Word::Case) => open.push(Kind::Word),
                Kind::Word if self.at_word(Word::End) => match open.last() {
                    Some(Kind::Word) => drop(open.pop()),
                    None => return,
                    _ => {}
                },
                Kind::Macro if self.directive() == Some(Word::If) => open.push(Kind::Macro),
                Kind::Macro if self.directive() == Some(Word::EndIf) => match open.last() {
                    Some(Kind::Macro) => drop(open.pop()),
                    None => return,
                    _ => {}
                },
                Kind::End => return,
                close @ (Kind::RParen | Kind::RBrace) => {
                    // `ВЫБОР` without its end is closed by the parenthesis around it.
                    while open.last().is_some_and(|kind| matches!(kind, Kind::Word | Kind::Macro)) {
                        open.pop();
                    }
                    match open.last() {
                        Some(&expected) if expected == close => drop(open.pop()),
                        Some(_) => {}
                        None => return,
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Takes tokens up to the next part of the query or the end of the group; parentheses are taken as a whole.
    pub fn recover(&mut self) {
        let mut open = 0_u32;
        loop {
            match self.kind() {
                Kind::End => return,
                Kind::LParen | Kind::LBrace => open += 1,
                Kind::RParen | Kind::RBrace if open == 0 => return,
                Kind::RParen | Kind::RBrace => open -= 1,
                _ if open > 0 => {}
                Kind::Semicolon => return,
                Kind::Word if self.at_clause() => return,
                Kind::Macro if self.directive().is_some() => return,
                _ => {}
            }
            self.bump();
        }
    }
}
