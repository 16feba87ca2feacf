//! Tokens for showing a module's text in colours.

use std::ops::Range;

use crate::read::{Lexer, Token, TokenKind};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HighlightKind {
    /// A reserved word.
    Keyword,
    /// A string literal, all its lines with the comments between.
    String,
    /// `//` up to the end of the line.
    Comment,
    /// A number or a date.
    Number,
    /// Any other name.
    Identifier,
    /// `#Если …`, `#Область …`; also lines that a merge left behind.
    Preprocessor,
    /// `&НаКлиенте`, `&Перед`.
    Directive,
    /// Signs: operators, parentheses, separators.
    Operator,
}

/// A piece of text and its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// What it is.
    pub kind: HighlightKind,
    /// Bytes of the text.
    pub range: Range<usize>,
}

/// The tokens of a text in order; white space lies between them. Never fails, whatever the text is.
///
/// ```
/// use metascope_bsl::{HighlightKind, highlight};
/// let kinds: Vec<_> = highlight("&НаКлиенте\nПроцедура А()").map(|token| token.kind).collect();
/// assert_eq!(kinds[..3], [HighlightKind::Directive, HighlightKind::Keyword, HighlightKind::Identifier]);
/// ```
pub fn highlight(text: &str) -> impl Iterator<Item = Highlight> + '_ {
    let mut lexer = Lexer::new(text).peekable();
    std::iter::from_fn(move || {
        let token = lexer.next()?;
        let mut end = token.end;
        let mut kind = kind_of(token);
        if token.kind == TokenKind::Ampersand
            && let Some(word) = lexer.next_if(|next| next.kind.is_word() && next.line == token.line)
        {
            kind = HighlightKind::Directive;
            end = word.end;
        }
        Some(Highlight { kind, range: token.start as usize..end as usize })
    })
}

fn kind_of(token: Token) -> HighlightKind {
    match token.kind {
        TokenKind::Ident => HighlightKind::Identifier,
        TokenKind::String | TokenKind::OpenString => HighlightKind::String,
        TokenKind::Number | TokenKind::Date => HighlightKind::Number,
        TokenKind::Comment => HighlightKind::Comment,
        TokenKind::Directive | TokenKind::Conflict => HighlightKind::Preprocessor,
        kind if kind.is_keyword() => HighlightKind::Keyword,
        _ => HighlightKind::Operator,
    }
}
