//! The header of a method, from tokens: name, parameters, `Экспорт`.

use super::source::{Report, text_of};
use super::token::{Token, TokenKind};
use crate::facts::{DefaultValue, MethodKind, Param};
use crate::symbols::{Symbol, SymbolTableBuilder};

/// What a header says.
pub(crate) struct Header {
    pub name: Symbol,
    pub kind: MethodKind,
    pub params: Vec<Param>,
    pub export: bool,
    /// Index of the first token behind the header.
    pub body: usize,
}

/// Whether a method begins at a token: `Процедура` or `Функция` and a name.
pub(crate) fn starts_at(tokens: &[Token], index: usize) -> bool {
    let is = |index: usize, check: fn(TokenKind) -> bool| tokens.get(index).is_some_and(|token| check(token.kind));
    is(index, |kind| matches!(kind, TokenKind::Procedure | TokenKind::Function)) && is(index + 1, TokenKind::is_word)
}

/// Reads the header whose `Процедура` or `Функция` is the token `index`.
pub(crate) fn read(
    tokens: &[Token],
    index: usize,
    report: &mut Report<'_>,
    symbols: &mut SymbolTableBuilder,
) -> Header {
    let text = report.text;
    let kind_at = |index: usize| tokens.get(index).map_or(TokenKind::End, |token| token.kind);
    let word_at = |index: usize| tokens.get(index).map_or("", |&token| text_of(text, token));
    let is_function = kind_at(index) == TokenKind::Function;
    let kind = if is_function { MethodKind::Function } else { MethodKind::Procedure };
    let mut header =
        Header { name: symbols.intern(word_at(index + 1)), kind, params: Vec::new(), export: false, body: index + 2 };
    let mut next = index + 2;
    if kind_at(next) != TokenKind::LParen {
        report.add(tokens.get(index).map_or(0, |token| token.start), "the method's parameters are missing");
        return header;
    }
    next += 1;
    loop {
        // An attribute of a parameter (`&Повторяемый`) is no part of the language of 1C, but of its kin.
        while kind_at(next) == TokenKind::Ampersand {
            next += 2;
            if kind_at(next) == TokenKind::LParen {
                next = skip_value(tokens, next + 1) + 1;
            }
        }
        let by_value = kind_at(next) == TokenKind::Val;
        next += usize::from(by_value);
        if kind_at(next).is_word() {
            let name = symbols.intern(word_at(next));
            next += 1;
            let mut default = None;
            if kind_at(next) == TokenKind::Eq {
                let end = skip_value(tokens, next + 1);
                let written = (tokens.get(next + 1), end.checked_sub(1).and_then(|last| tokens.get(last)));
                if let (true, (Some(first), Some(last))) = (end > next + 1, written) {
                    let value = text.get(first.start as usize..last.end as usize).unwrap_or("");
                    default = Some(DefaultValue(symbols.intern(value)));
                }
                next = end;
            }
            header.params.push(Param { name, by_value, default });
        }
        match kind_at(next) {
            TokenKind::Comma => next += 1,
            TokenKind::RParen => {
                next += 1;
                break;
            }
            _ => {
                report.add(tokens.get(next).map_or(0, |token| token.start), "the parameters cannot be read");
                // The parenthesis may still close on the header's lines; if not, the body begins here.
                next = closing(tokens, next).unwrap_or(next);
                break;
            }
        }
    }
    header.export = kind_at(next) == TokenKind::Export;
    header.body = next + usize::from(header.export);
    header
}

/// The index of the token that ends a default value: `,` or `)` outside parentheses, or one that cannot belong to it.
fn skip_value(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0u32;
    let mut index = from;
    while let Some(token) = tokens.get(index) {
        match token.kind {
            TokenKind::LParen => depth += 1,
            TokenKind::RParen if depth == 0 => break,
            TokenKind::RParen => depth -= 1,
            TokenKind::Comma if depth == 0 => break,
            TokenKind::Semicolon => break,
            kind if kind.starts_statement() => break,
            _ => {}
        }
        index += 1;
    }
    index
}

/// The index behind the next `)`, unless a statement ends or begins before it.
fn closing(tokens: &[Token], from: usize) -> Option<usize> {
    let mut depth = 0u32;
    for (offset, token) in tokens.get(from..)?.iter().enumerate() {
        match token.kind {
            TokenKind::LParen => depth += 1,
            TokenKind::RParen if depth > 0 => depth -= 1,
            TokenKind::RParen => return Some(from + offset + 1),
            TokenKind::Semicolon => return None,
            kind if kind.starts_statement() => return None,
            _ => {}
        }
    }
    None
}
