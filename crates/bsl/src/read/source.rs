//! Bytes of a file -> text of the same length, and what the lexer found in it.

use std::borrow::Cow;

use super::keywords::{self, Directive};
use super::lexer::Lexer;
use super::token::{Token, TokenKind};
use crate::facts::Problem;
use crate::places::Places;

/// Stands for a byte that is not UTF-8.
const NOT_UTF8: u8 = 0x1A;

/// The text of a module. Bytes that are not UTF-8 become one control character each, so that offsets stay true.
pub(crate) fn decode(source: &[u8]) -> (Cow<'_, str>, Option<usize>) {
    let error = match std::str::from_utf8(source) {
        Ok(text) => return (Cow::Borrowed(text), None),
        Err(error) => error,
    };
    let mut text = String::with_capacity(source.len());
    for chunk in source.utf8_chunks() {
        text.push_str(chunk.valid());
        for _ in chunk.invalid() {
            text.push(char::from(NOT_UTF8));
        }
    }
    (Cow::Owned(text), Some(error.valid_up_to()))
}

/// Tokens of a module, sorted into what the parser sees and what stands between.
#[derive(Default)]
pub(crate) struct Tokens {
    /// What the parser sees.
    pub code: Vec<Token>,
    /// Comments in order.
    pub comments: Vec<Token>,
    /// Preprocessor directives in order, with their kind if it is known.
    pub directives: Vec<(Token, Option<Directive>)>,
    /// Byte ranges that the grammar must not see.
    pub blanks: Vec<(u32, u32)>,
}

impl Tokens {
    /// Reads a text; the buffers are used again.
    pub fn fill(&mut self, report: &mut Report<'_>) {
        let text = report.text;
        self.code.clear();
        self.comments.clear();
        self.directives.clear();
        self.blanks.clear();
        let mut lexer = Lexer::new(text);
        // Code under `#Удаление` is the base method's code that the extension takes away: it does not run.
        let mut delete_from: Option<usize> = None;
        let mut in_async = false;
        for token in lexer.by_ref() {
            if let Some(last) = self.code.last_mut().filter(|last| is_contextual(last.kind)) {
                settle(last, token.kind, &mut in_async);
            }
            match token.kind {
                TokenKind::Comment => self.comments.push(token),
                TokenKind::Conflict => {
                    report.add(token.start, "a line left by a merge conflict");
                    self.blanks.push((token.start, token.end));
                }
                TokenKind::Directive => {
                    let kind = directive_kind(text, token);
                    match kind {
                        Some(Directive::Delete) => delete_from = Some(self.code.len()),
                        Some(Directive::EndDelete) => {
                            if let Some(from) = delete_from.take() {
                                self.blanks.extend(self.code.drain(from..).map(|token| (token.start, token.end)));
                            }
                        }
                        _ => {}
                    }
                    self.directives.push((token, kind));
                }
                TokenKind::Procedure | TokenKind::Function | TokenKind::EndProcedure | TokenKind::EndFunction => {
                    if delete_from.take().is_some() {
                        report.add(token.start, "#Удаление is not closed");
                    }
                    in_async &= !matches!(token.kind, TokenKind::EndProcedure | TokenKind::EndFunction);
                    self.code.push(token);
                }
                TokenKind::OpenString => {
                    report.add(token.start, "the closing quote is missing");
                    self.code.push(token);
                }
                _ => self.code.push(token),
            }
        }
        self.blanks.append(&mut lexer.odd_spaces);
        self.blanks.extend(self.comments.iter().map(|token| (token.start, token.end)));
        self.blanks.extend(self.directives.iter().map(|(token, _)| (token.start, token.end)));
    }
}

fn is_contextual(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Async | TokenKind::Await)
}

/// `Асинх` is reserved before a method only, `Ждать` in asynchronous methods only: elsewhere they are names, and
/// `Ждать(5)` calls a method of that name.
fn settle(word: &mut Token, next: TokenKind, in_async: &mut bool) {
    if matches!(next, TokenKind::Comment | TokenKind::Directive | TokenKind::Conflict) {
        return;
    }
    let reserved = match word.kind {
        TokenKind::Async => {
            *in_async = matches!(next, TokenKind::Procedure | TokenKind::Function);
            *in_async
        }
        _ => *in_async || next.is_word(),
    };
    if !reserved {
        word.kind = TokenKind::Ident;
    }
}

fn directive_kind(text: &str, token: Token) -> Option<Directive> {
    let written = text.get(token.start as usize + 1..token.end as usize)?.trim_start();
    let word = written.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    keywords::directive(word)
}

/// The text of a token.
pub(crate) fn text_of(text: &str, token: Token) -> &str {
    text.get(token.start as usize..token.end as usize).unwrap_or("")
}

/// Collects problems with their places. A hostile text has as many as it has bytes: the list is cut at [`Report::LIMIT`].
pub(crate) struct Report<'a> {
    pub text: &'a str,
    pub problems: Vec<Problem>,
    places: Places,
}

impl<'a> Report<'a> {
    const LIMIT: usize = 200;

    pub fn new(text: &'a str) -> Self {
        Self { text, problems: Vec::new(), places: Places::default() }
    }

    /// Adds a problem at a byte offset.
    pub fn add(&mut self, offset: u32, message: &str) {
        if self.problems.len() >= Self::LIMIT {
            return;
        }
        let (line, column) = self.places.find(self.text, offset as usize);
        self.problems.push(Problem { line, column, message: message.to_owned() });
    }

    /// The problems in the order of their places.
    pub fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
        self.problems
    }
}

/// Lines of a text: LF + 1, a last empty line not counted.
pub(crate) fn count_lines(text: &str) -> u32 {
    let feeds = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32;
    let body = text.trim_start_matches('\u{FEFF}');
    if body.is_empty() {
        0
    } else if body.ends_with('\n') {
        feeds
    } else {
        feeds + 1
    }
}
