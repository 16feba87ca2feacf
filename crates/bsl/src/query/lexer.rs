//! Text -> tokens. Knows nothing of the grammar; never fails.

use memchr::memchr;

use super::words::{self, Word};
use crate::queries::UNKNOWN_PART;

/// Longest `[Имя]` in bytes: no bracket is searched for further.
const LONGEST_BRACKET: usize = 256;

/// A token's kind and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    /// The word of the grammar that a [`Kind::Word`] or [`Kind::Macro`] is.
    pub word: Option<Word>,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// 1-based line of the first byte.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// `&Имя`
    Parameter,
    /// A part that is replaced before the query runs: `%1`, `[Имя]`, `@Имя`, `Имя?`, a part that was no literal; with the word it is
    /// glued to.
    Placeholder,
    /// `#Имя`
    Macro,
    Number,
    String,
    /// A string whose closing quote is missing.
    OpenString,
    LParen,
    RParen,
    LBrace,
    RBrace,
    Dot,
    Comma,
    Semicolon,
    Star,
    Plus,
    Minus,
    Slash,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// A character that has no place in the language.
    Unknown,
    /// After the last token.
    End,
}

/// All tokens of a text, the last one [`Kind::End`]. Texts of 4 GiB and more are read up to that limit.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut end = text.len().min(u32::MAX as usize - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text.get(..end).unwrap_or("");
    let mut lexer = Lexer { text, bytes: text.as_bytes(), position: 0, line: 1 };
    let mut tokens = Vec::with_capacity(text.len() / 8 + 1);
    while let Some(token) = lexer.next_token() {
        tokens.push(token);
    }
    let end = lexer.position as u32;
    tokens.push(Token { kind: Kind::End, word: None, start: end, end, line: lexer.line });
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    position: usize,
    line: u32,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    fn char(&self) -> Option<char> {
        self.text.get(self.position..)?.chars().next()
    }

    /// White space and comments.
    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => self.position += 1,
                b'/' if self.byte(1) == b'/' => {
                    let rest = self.bytes.get(self.position..).unwrap_or(&[]);
                    self.position += memchr(b'\n', rest).unwrap_or(rest.len());
                }
                0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF => match self.char() {
                    Some(space) if crate::read::is_odd_space(space) => self.position += space.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    fn skip_word(&mut self) {
        while let Some(&byte) = self.bytes.get(self.position) {
            match byte {
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.position += 1,
                0xD0 | 0xD1 => self.position += 2,
                0x80.. => match self.char() {
                    Some(letter) if letter.is_alphanumeric() => self.position += letter.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// Takes a placeholder that begins here; false if none does.
    fn placeholder(&mut self) -> bool {
        let start = self.position;
        match self.byte(0) {
            b'%' | b'@' | b'$' | b'?' => {
                self.position += 1;
                self.skip_word();
                if self.byte(0) == b'%' && self.position > start + 1 {
                    self.position += 1;
                }
            }
            b'[' => {
                let ahead = self.bytes.get(start..).unwrap_or(&[]);
                let ahead = ahead.get(..LONGEST_BRACKET).unwrap_or(ahead);
                let end = memchr::memchr2(b']', b'\n', ahead).filter(|&end| ahead.get(end) == Some(&b']'));
                self.position += end.map_or(1, |end| end + 1);
            }
            0xEF if self.char() == Some(UNKNOWN_PART) => self.position += UNKNOWN_PART.len_utf8(),
            _ => return false,
        }
        true
    }

    /// Whether a literal begins here that is joined to something unknown: what the code adds to a text (`Текст + "ВЫБРАТЬ …"`)
    /// begins with a word of the language, and goes on from nothing but the unknown part.
    fn is_joint(&self, start: usize, word: usize) -> bool {
        let before = self.text.get(..word).unwrap_or("");
        let unknown = self.text.get(start.min(word)..word).unwrap_or("");
        let only_unknown = unknown.chars().all(|c| c == UNKNOWN_PART) && before.ends_with(UNKNOWN_PART);
        let written = self.text.get(word..self.position).unwrap_or("");
        only_unknown && words::word(written).is_some_and(Word::is_reserved)
    }

    /// A word, with placeholders that stand right before, within or behind it.
    fn name(&mut self, mut kind: Kind) -> Kind {
        let start = self.position;
        loop {
            let before = self.position;
            self.skip_word();
            if kind == Kind::Placeholder && self.is_joint(start, before) {
                self.position = before;
                return kind;
            }
            if self.placeholder() {
                kind = Kind::Placeholder;
            } else if kind != Kind::Macro && self.byte(0) == b'#' && is_name_byte(self.byte(1)) {
                // `ВТ_#Имя`: glued to a word, it is a part of the name.
                self.position += 1;
                kind = Kind::Placeholder;
            }
            if self.position == before {
                return kind;
            }
        }
    }

    fn number(&mut self) {
        while self.byte(0).is_ascii_digit() {
            self.position += 1;
        }
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            self.position += 1;
            while self.byte(0).is_ascii_digit() {
                self.position += 1;
            }
        }
    }

    fn string(&mut self) -> Kind {
        self.position += 1;
        loop {
            let rest = self.bytes.get(self.position..).unwrap_or(&[]);
            let end = memchr(b'"', rest);
            let within = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
            self.line += memchr::memchr_iter(b'\n', within).count() as u32;
            self.position += within.len();
            if end.is_none() {
                return Kind::OpenString;
            }
            self.position += 1;
            if self.byte(0) != b'"' {
                return Kind::String;
            }
            self.position += 1;
        }
    }

    fn sign(&mut self, length: usize, kind: Kind) -> Kind {
        self.position += length;
        kind
    }

    fn next_token(&mut self) -> Option<Token> {
        self.skip_blanks();
        let (start, line, byte) = (self.position, self.line, *self.bytes.get(self.position)?);
        let kind = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.name(Kind::Word),
            b'0'..=b'9' => {
                self.number();
                Kind::Number
            }
            b'"' => self.string(),
            b'&' => self.parameter(),
            b'#' => {
                self.position += 1;
                self.name(Kind::Macro)
            }
            b'(' => self.sign(1, Kind::LParen),
            b')' => self.sign(1, Kind::RParen),
            b'{' => self.sign(1, Kind::LBrace),
            b'}' => self.sign(1, Kind::RBrace),
            b'.' => self.sign(1, Kind::Dot),
            b',' => self.sign(1, Kind::Comma),
            b';' => self.sign(1, Kind::Semicolon),
            b'*' => self.sign(1, Kind::Star),
            b'+' => self.sign(1, Kind::Plus),
            b'-' => self.sign(1, Kind::Minus),
            b'/' => self.sign(1, Kind::Slash),
            b'=' => self.sign(1, Kind::Eq),
            b'<' if self.byte(1) == b'>' => self.sign(2, Kind::Ne),
            b'<' if self.byte(1) == b'=' => self.sign(2, Kind::Le),
            b'<' => self.sign(1, Kind::Lt),
            b'>' if self.byte(1) == b'=' => self.sign(2, Kind::Ge),
            b'>' => self.sign(1, Kind::Gt),
            _ => match self.char() {
                Some(letter) if letter.is_alphabetic() => self.name(Kind::Word),
                _ if self.placeholder() => self.name(Kind::Placeholder),
                other => self.sign(other.map_or(1, char::len_utf8), Kind::Unknown),
            },
        };
        let written = self.text.get(start..self.position).unwrap_or("");
        let word = match kind {
            Kind::Word => words::word(written),
            Kind::Macro => written.get(1..).and_then(words::word),
            _ => None,
        };
        Some(Token { kind, word, start: start as u32, end: self.position as u32, line })
    }

    fn parameter(&mut self) -> Kind {
        self.position += 1;
        while self.byte(0) == b' ' {
            self.position += 1;
        }
        let start = self.position;
        let kind = self.name(Kind::Parameter);
        if self.position == start { Kind::Unknown } else { kind }
    }
}

/// A byte that an identifier may begin with (any letter beyond ASCII counts).
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let all = tokens(text);
        all.iter().map(|token| (token.kind, &text[token.start as usize..token.end as usize])).collect()
    }

    #[test]
    fn words_signs_and_literals() {
        use Kind::*;
        assert_eq!(
            kinds("Выбрать Т.А<>1.5, \"а\"\"б\" // нет\n<= &П*"),
            [
                (Word, "Выбрать"),
                (Word, "Т"),
                (Dot, "."),
                (Word, "А"),
                (Ne, "<>"),
                (Number, "1.5"),
                (Comma, ","),
                (String, "\"а\"\"б\""),
                (Le, "<="),
                (Parameter, "&П"),
                (Star, "*"),
                (End, "")
            ]
        );
        assert_eq!(tokens("\"а\nб\" В")[1].line, 2);
        assert_eq!(kinds("\"а"), [(OpenString, "\"а"), (End, "")]);
        assert_eq!(kinds("& ,")[0].0, Unknown);
    }

    #[test]
    fn placeholders_are_one_token_with_what_they_are_glued_to() {
        use Kind::*;
        for text in
            ["%1", "%Имя%", "ВТ_%1_А", "[Имя]", "А[Имя]Б", "@А", "\u{FFFC}", "А\u{FFFC}", "ВТ#Имя", "&П%1", "Т?"]
        {
            assert_eq!(kinds(text), [(Placeholder, text), (End, "")], "{text}");
        }
        assert_eq!(kinds("#Если"), [(Macro, "#Если"), (End, "")]);
        assert_eq!(tokens("#Если")[0].word, Some(super::Word::If));
        assert_eq!(kinds("[\n"), [(Placeholder, "["), (End, "")]);
    }
}
