//! A text of the same length that the grammar can read, so that the tree's offsets are offsets of the original.
//!
//! The grammar is narrower than the language. What it lacks is written in other words here: comments, directives and
//! no-break spaces become blanks; a string becomes one line of blanks between its quotes; `?(…)` becomes a call of `_`;
//! letters it does not know become `ъ`. Names and values are always taken from the original text.

use super::keywords::classify;
use super::source::Tokens;
use super::token::{Token, TokenKind};

/// Buffers that are used again.
#[derive(Default)]
pub(crate) struct Normalizer {
    open: Vec<usize>,
}

impl Normalizer {
    /// Writes the normalised `text` into `out`.
    pub fn run(&mut self, text: &str, tokens: &Tokens, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(text.as_bytes());
        for &(start, end) in &tokens.blanks {
            fill(out, start, end, b' ');
        }
        self.open.clear();
        let code = &tokens.code;
        for (index, &token) in code.iter().enumerate() {
            let next = code.get(index + 1).map_or(TokenKind::End, |next| next.kind);
            let previous = index.checked_sub(1).and_then(|before| code.get(before));
            match token.kind {
                TokenKind::Ident | TokenKind::Execute => {
                    plain_letters(out, token);
                    if previous.is_none_or(|previous| previous.kind != TokenKind::Dot) {
                        rename_contextual(out, token);
                    }
                }
                TokenKind::String | TokenKind::OpenString => string(out, token, previous, next),
                TokenKind::Date => fill(out, token.start, token.end, b'0'),
                // `0.` has no place in the grammar.
                TokenKind::Number if out.get(token.end as usize - 1) == Some(&b'.') => {
                    fill(out, token.end - 1, token.end, b'0');
                }
                TokenKind::Question if next == TokenKind::LParen => {
                    // The sign moves up to its parenthesis and becomes a name.
                    fill(out, token.start, token.end, b' ');
                    if let Some(open) = code.get(index + 1) {
                        fill(out, open.start - 1, open.start, b'_');
                    }
                }
                TokenKind::LParen => self.open.push(index),
                TokenKind::RParen => {
                    let open = self.open.pop();
                    if matches!(next, TokenKind::Dot | TokenKind::LBracket)
                        && let Some(open) = open
                    {
                        name_parenthesis(out, code, open);
                    }
                }
                TokenKind::Ne | TokenKind::Le | TokenKind::Ge if token.end - token.start > 2 => {
                    // `< >`: the second sign moves up to the first.
                    let second = out.get(token.end as usize - 1).copied().unwrap_or(b' ');
                    fill(out, token.start + 1, token.end, b' ');
                    fill(out, token.start + 1, token.start + 2, second);
                }
                TokenKind::Raise if is_rethrow(next) => {
                    // The grammar has the bare form in one place only; `Break` is a statement of one word everywhere.
                    fill(out, token.start, token.end, b' ');
                    overwrite(out, token.start, b"Break");
                }
                _ => {}
            }
        }
    }
}

/// Whether `ВызватьИсключение` with this token behind it has no argument.
pub(crate) fn is_rethrow(next: TokenKind) -> bool {
    matches!(next, TokenKind::Semicolon | TokenKind::End) || next.starts_statement()
}

fn fill(out: &mut [u8], start: u32, end: u32, byte: u8) {
    if let Some(bytes) = out.get_mut(start as usize..end as usize) {
        // Line feeds inside strings and comments go too: lines are known from the tokens.
        bytes.fill(byte);
    }
}

fn overwrite(out: &mut [u8], start: u32, with: &[u8]) {
    if let Some(bytes) = out.get_mut(start as usize..start as usize + with.len()) {
        bytes.copy_from_slice(with);
    }
}

/// Letters that the grammar does not know (Ё and other alphabets) become letters that it knows and no keyword has.
fn plain_letters(out: &mut [u8], token: Token) {
    let Some(word) = out.get_mut(token.start as usize..token.end as usize) else { return };
    let mut rest = word;
    loop {
        match rest {
            [0xD0, 0x90..=0xBF, tail @ ..] | [0xD1, 0x80..=0x8F, tail @ ..] | [..0x80, tail @ ..] => rest = tail,
            [lead @ 0xC0..=0xDF, letter, tail @ ..] => {
                (*lead, *letter) = (0xD1, 0x8A);
                rest = tail;
            }
            [other, tail @ ..] => {
                *other = b'x';
                rest = tail;
            }
            [] => return,
        }
    }
}

/// The grammar reserves `Асинх` and `Ждать` everywhere: where they are names they get another first letter.
fn rename_contextual(out: &mut [u8], token: Token) {
    let Some(word) = out.get_mut(token.start as usize..token.end as usize) else { return };
    if !matches!(word.len(), 5 | 10) || !matches!(classify(word), TokenKind::Async | TokenKind::Await) {
        return;
    }
    match word {
        [lead @ 0xD0, letter, ..] => (*lead, *letter) = (0xD1, 0x8A),
        [first, ..] => *first = b'_',
        [] => {}
    }
}

/// A literal becomes quotes around blanks; adjacent literals one; before a member access it becomes a name.
fn string(out: &mut [u8], token: Token, previous: Option<&Token>, next: TokenKind) {
    if matches!(next, TokenKind::Dot | TokenKind::LBracket) {
        fill(out, token.start, token.end, b'_');
        return;
    }
    fill(out, token.start, token.end, b' ');
    match previous {
        Some(previous) if previous.kind.is_string() => fill(out, previous.end - 1, token.start, b' '),
        _ => fill(out, token.start, token.start + 1, b'"'),
    }
    fill(out, token.end - 1, token.end, b'"');
}

/// `(А).Б` becomes `_(А).Б`, a call: the grammar knows no member of a parenthesis. Needs a blank to write the name on.
fn name_parenthesis(out: &mut [u8], code: &[Token], open: usize) {
    let Some(paren) = code.get(open) else { return };
    let Some(place) = paren.start.checked_sub(1) else { return };
    if let Some(previous) = open.checked_sub(1).and_then(|before| code.get(before)) {
        let room = paren.start - previous.end;
        let glued = previous.kind.is_word() || matches!(previous.kind, TokenKind::Number | TokenKind::Date);
        if previous.kind.ends_value() || previous.kind == TokenKind::Question || room < 1 + u32::from(glued) {
            return;
        }
    }
    if out.get(place as usize).is_some_and(|byte| byte.is_ascii_whitespace()) {
        fill(out, place, paren.start, b'_');
    }
}
