//! Dotted names of a text that is a part of a query, or written in a language close to it, without reading its grammar.

use super::lexer::{Kind, Token, tokens};
use super::words::Word;

/// A dotted name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathUse {
    /// Its parts as written.
    pub parts: Vec<Box<str>>,
    /// 1-based line of the text.
    pub line: u32,
    /// A parenthesis follows: it is the name of a function.
    pub called: bool,
    /// It is what another name stands for: `Справочник.Валюты КАК В`.
    pub alias: Option<Box<str>>,
    /// It is a word of the language, if it stands alone.
    pub is_word: bool,
}

/// The dotted names of a text, in order; what stands in strings and comments is none, an alias is part of what it stands for.
///
/// ```
/// use metascope_bsl::query::paths;
/// let found = paths("ИЗ Справочник.Валюты КАК Т ГДЕ Т.Код = \"А.Б\"");
/// let names: Vec<String> = found.iter().filter(|one| !one.is_word).map(|one| one.parts.join(".")).collect();
/// assert_eq!(names, ["Справочник.Валюты", "Т.Код"]);
/// assert_eq!(found[1].alias.as_deref(), Some("Т"));
/// ```
pub fn paths(text: &str) -> Vec<PathUse> {
    let tokens = tokens(text);
    let kind = |at: usize| tokens.get(at).map_or(Kind::End, |token: &Token| token.kind);
    let written = |at: usize| -> &str {
        tokens.get(at).and_then(|token| text.get(token.start as usize..token.end as usize)).unwrap_or("")
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.kind != Kind::Word {
            // What goes on behind an unknown part (`%1.Код`) has no first name.
            at += 1;
            if token.kind != Kind::Dot {
                continue;
            }
            while matches!(kind(at), Kind::Word | Kind::Dot) {
                at += 1;
            }
            continue;
        }
        let mut parts = vec![Box::from(written(at))];
        at += 1;
        while kind(at) == Kind::Dot && kind(at + 1) == Kind::Word {
            parts.push(written(at + 1).into());
            at += 2;
        }
        let is_word = parts.len() == 1 && token.word.is_some_and(Word::is_reserved);
        let named = tokens.get(at).is_some_and(|next| next.word == Some(Word::As)) && kind(at + 1) == Kind::Word;
        let alias = (named && !is_word).then(|| written(at + 1).into());
        let called = kind(at) == Kind::LParen;
        at += if alias.is_some() { 2 } else { 0 };
        found.push(PathUse { parts, line: token.line, called, alias, is_word });
    }
    found
}
