//! Text -> tokens. Knows nothing of statements; never fails.

use memchr::{memchr, memchr2};

use super::keywords::{self, Directive};
use super::token::{Token, TokenKind};

/// The lexer. Gives comments, directives and merge-conflict lines as tokens too.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    line: u32,
    /// No token of the current line has been given yet.
    line_is_new: bool,
    previous: TokenKind,
    /// White space other than ASCII (no-break spaces, byte-order marks): the grammar must not see it.
    pub odd_spaces: Vec<(u32, u32)>,
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of a text. Texts of 4 GiB and more are read up to that limit.
    pub fn new(text: &'a str) -> Self {
        let mut end = text.len().min(u32::MAX as usize - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end).unwrap_or("");
        Self {
            text,
            bytes: text.as_bytes(),
            position: 0,
            line: 1,
            line_is_new: true,
            previous: TokenKind::End,
            odd_spaces: Vec::new(),
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// The character at a byte offset.
    fn char_at(&self, position: usize) -> Option<char> {
        self.text.get(position..)?.chars().next()
    }

    fn skip_spaces(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.line_is_new = true;
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => self.position += 1,
                0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF => match self.char_at(self.position) {
                    Some(space) if is_odd_space(space) => {
                        let start = self.position as u32;
                        self.position += space.len_utf8();
                        self.odd_spaces.push((start, self.position as u32));
                    }
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// End of the current line, before its LF and a CR that stands right before that.
    fn line_end(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or(&[]);
        let end = from + memchr(b'\n', rest).unwrap_or(rest.len());
        if end > from && self.bytes.get(end - 1) == Some(&b'\r') { end - 1 } else { end }
    }

    fn skip_word(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.position += 1,
                0xD0 | 0xD1 => self.position += 2,
                0x80.. => match self.char_at(self.position) {
                    Some(letter) if letter.is_alphanumeric() => self.position += letter.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn number(&mut self) {
        while self.peek(0).is_ascii_digit() {
            self.position += 1;
        }
        if self.peek(0) == b'.' {
            self.position += 1;
            while self.peek(0).is_ascii_digit() {
                self.position += 1;
            }
        }
    }

    /// From the opening quote up to the closing one. A line that goes on begins with `|`; before it blank lines,
    /// comments and directives may stand (built-in language guide, "String constants").
    fn string(&mut self) -> TokenKind {
        self.position += 1;
        loop {
            let rest = self.bytes.get(self.position..).unwrap_or(&[]);
            let Some(found) = memchr2(b'"', b'\n', rest) else {
                self.position = self.bytes.len();
                return TokenKind::OpenString;
            };
            self.position += found;
            if self.peek(0) == b'"' {
                self.position += 1;
                if self.peek(0) != b'"' {
                    return TokenKind::String;
                }
                self.position += 1;
                continue;
            }
            match continuation(self.bytes, self.position) {
                Some((bar, lines)) => {
                    self.position = bar + 1;
                    self.line += lines;
                }
                None => {
                    if self.bytes.get(self.position.wrapping_sub(1)) == Some(&b'\r') {
                        self.position -= 1;
                    }
                    return TokenKind::OpenString;
                }
            }
        }
    }

    fn date(&mut self) -> TokenKind {
        let line_end = self.line_end(self.position);
        let rest = self.bytes.get(self.position + 1..line_end).unwrap_or(&[]);
        match memchr(b'\'', rest) {
            Some(length) => {
                self.position += length + 2;
                TokenKind::Date
            }
            None => {
                self.position += 1;
                TokenKind::Unknown
            }
        }
    }

    /// `#` and as much of the line as belongs to it: code may follow `#Если … Тогда` or `#Иначе` on the same line.
    fn directive(&mut self) -> TokenKind {
        let start = self.position;
        let line_end = self.line_end(start);
        self.position += 1;
        while matches!(self.peek(0), b' ' | b'\t') {
            self.position += 1;
        }
        let word_start = self.position;
        self.skip_word();
        let word = self.text.get(word_start..self.position).unwrap_or("");
        match keywords::directive(word) {
            Some(Directive::If | Directive::ElsIf) => {
                let after = self.position;
                self.position = self.end_of_condition(after, line_end).unwrap_or(line_end);
            }
            Some(Directive::Region | Directive::EndRegion) | None => self.position = line_end,
            Some(_) => {}
        }
        self.position = self.position.max(start + 1);
        TokenKind::Directive
    }

    /// Byte after `Тогда`.
    fn end_of_condition(&self, from: usize, line_end: usize) -> Option<usize> {
        let mut offset = from;
        let rest = self.text.get(from..line_end)?;
        for piece in rest.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_')) {
            let word = piece.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
            if keywords::classify(word.as_bytes()) == TokenKind::Then {
                return Some(offset + word.len());
            }
            if piece.ends_with('/') && self.bytes.get(offset + piece.len()) == Some(&b'/') {
                return Some(offset + piece.len() - 1);
            }
            offset += piece.len();
        }
        None
    }

    /// `first` was read; takes a second sign if it follows, spaces allowed between (`< >`).
    fn two(&mut self, second: &[(u8, TokenKind)], single: TokenKind) -> TokenKind {
        self.position += 1;
        let mut ahead = 0;
        while matches!(self.peek(ahead), b' ' | b'\t') {
            ahead += 1;
        }
        for &(sign, kind) in second {
            if self.peek(ahead) == sign {
                self.position += ahead + 1;
                return kind;
            }
        }
        single
    }

    fn one(&mut self, kind: TokenKind) -> TokenKind {
        self.position += 1;
        kind
    }

    fn scan(&mut self, byte: u8) -> TokenKind {
        use TokenKind::*;
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | 0xD0 | 0xD1 => self.word(),
            b'0'..=b'9' => {
                self.number();
                Number
            }
            b'"' => self.string(),
            b'\'' => self.date(),
            b'/' if self.peek(1) == b'/' => {
                self.position = self.line_end(self.position);
                Comment
            }
            b'#' => self.directive(),
            b'.' => self.one(Dot),
            b',' => self.one(Comma),
            b';' => self.one(Semicolon),
            b'(' => self.one(LParen),
            b')' => self.one(RParen),
            b'=' => self.one(Eq),
            b'+' => self.one(Plus),
            b'-' => self.one(Minus),
            b'[' => self.one(LBracket),
            b']' => self.one(RBracket),
            b'<' => self.two(&[(b'>', Ne), (b'=', Le)], Lt),
            b'>' => self.two(&[(b'=', Ge)], Gt),
            b'*' => self.one(Star),
            b'/' => self.one(Slash),
            b'%' => self.one(Percent),
            b'?' => self.one(Question),
            b'&' => self.one(Ampersand),
            b':' => self.one(Colon),
            b'~' => self.one(Tilde),
            _ => match self.char_at(self.position) {
                Some(letter) if letter.is_alphabetic() => self.word(),
                Some(other) => {
                    self.position += other.len_utf8();
                    Unknown
                }
                None => self.one(Unknown),
            },
        }
    }

    fn word(&mut self) -> TokenKind {
        let start = self.position;
        self.skip_word();
        // After a dot every word names a member.
        if self.previous == TokenKind::Dot {
            return TokenKind::Ident;
        }
        keywords::classify(self.bytes.get(start..self.position).unwrap_or(&[]))
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_spaces();
        let &byte = self.bytes.get(self.position)?;
        let (start, line, first_on_line) = (self.position, self.line, self.line_is_new);
        let kind = if first_on_line && is_conflict_line(self.bytes, start) {
            self.position = self.line_end(start);
            TokenKind::Conflict
        } else {
            self.scan(byte)
        };
        self.line_is_new = false;
        if !matches!(kind, TokenKind::Comment | TokenKind::Directive | TokenKind::Conflict) {
            self.previous = kind;
        }
        Some(Token { start: start as u32, end: self.position as u32, line, kind, first_on_line })
    }
}

/// White space that is not ASCII.
pub(crate) fn is_odd_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{FEFF}' | '\u{200B}'..='\u{200F}' | '\u{2060}')
}

/// A line that a merge tool leaves: seven signs at the very beginning, then a blank or the end of the line.
fn is_conflict_line(bytes: &[u8], start: usize) -> bool {
    let Some(sign @ (b'<' | b'>' | b'=' | b'|')) = bytes.get(start) else { return false };
    let at_line_start = start == 0 || bytes.get(start - 1) == Some(&b'\n');
    at_line_start
        && bytes.get(start..start + 7).is_some_and(|signs| signs.iter().all(|other| other == sign))
        && bytes.get(start + 7).is_none_or(|next| matches!(next, b' ' | b'\r' | b'\n' | b'\t'))
}

/// Where a string goes on that was cut by the LF at `line_feed`: the offset of the next `|`, and the lines passed.
pub(crate) fn continuation(bytes: &[u8], line_feed: usize) -> Option<(usize, u32)> {
    let mut position = line_feed;
    let mut lines = 0;
    loop {
        match *bytes.get(position)? {
            b'\n' => {
                lines += 1;
                position += 1;
                if is_conflict_line(bytes, position) {
                    position += memchr(b'\n', bytes.get(position..)?)?;
                }
            }
            b' ' | b'\t' | b'\r' | 0x0B | 0x0C => position += 1,
            0xC2 if bytes.get(position + 1) == Some(&0xA0) => position += 2,
            b'|' => return Some((position, lines)),
            b'/' if bytes.get(position + 1) == Some(&b'/') => position += memchr(b'\n', bytes.get(position..)?)?,
            b'#' => position += memchr(b'\n', bytes.get(position..)?)?,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        Lexer::new(text).map(|token| (token.kind, &text[token.start as usize..token.end as usize])).collect()
    }

    #[test]
    fn words_after_a_dot_are_names() {
        use TokenKind::*;
        assert_eq!(
            kinds("Если А.Если Тогда"),
            [(If, "Если"), (Ident, "А"), (Dot, "."), (Ident, "Если"), (Then, "Тогда")]
        );
    }

    #[test]
    fn a_string_goes_on_over_comments_blank_lines_and_directives() {
        let text = "А = \"раз\n// нет\n\n#Вставка\n\t|два\"\"\" + Б;";
        let tokens: Vec<_> = Lexer::new(text).collect();
        assert_eq!(tokens[2].kind, TokenKind::String);
        assert_eq!((tokens[2].line, tokens[3].line), (1, 5));
        assert_eq!(tokens.len(), 6);
    }

    #[test]
    fn an_open_string_ends_with_its_line() {
        let text = "А = \"раз\r\nБ();";
        let tokens = kinds(text);
        assert_eq!(tokens[2], (TokenKind::OpenString, "\"раз"));
        assert_eq!(tokens[3], (TokenKind::Ident, "Б"));
    }

    #[test]
    fn code_may_follow_a_directive() {
        use TokenKind::*;
        assert_eq!(
            kinds("# Если Не Клиент Тогда Б(); // x\n#Область А Б"),
            [
                (Directive, "# Если Не Клиент Тогда"),
                (Ident, "Б"),
                (LParen, "("),
                (RParen, ")"),
                (Semicolon, ";"),
                (Comment, "// x"),
                (Directive, "#Область А Б")
            ]
        );
    }
}
