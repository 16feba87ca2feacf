//! The shape of a piece of code: what stays when variables, numbers and texts get other names and values.
//!
//! Runs of a few tokens, as hashes. Two methods that do the same with other variables share most of their runs, wherever lines were
//! put between.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::fold::fold;
use crate::read::{Lexer, Token, TokenKind};

/// Tokens of a run.
const RUN: usize = 4;

/// The runs of a text, sorted, each once. Comments and instructions of the preprocessor don't count; a name counts where it is called
/// or stands behind a dot, as a word of either language does.
///
/// ```
/// use metascope_bsl::shape::{likeness, shape};
/// let a = shape("Для Каждого Строка Из Товары Цикл Строка.Цена = Цена(Строка.Товар, 1); КонецЦикла;");
/// let b = shape("For Each С In Список Do С.Цена = Цена(С.Товар, 2); EndDo; // так");
/// assert!(likeness(&a, &b) > 0.99);
/// ```
#[must_use]
pub fn shape(text: &str) -> Vec<u64> {
    let mut tokens: Vec<u64> = Vec::new();
    let mut lexer = Lexer::new(text).filter(|token| counts(*token)).peekable();
    let mut before = None;
    while let Some(token) = lexer.next() {
        let next = lexer.peek().map(|next| next.kind);
        let is_named = before == Some(TokenKind::Dot) || next == Some(TokenKind::LParen);
        before = Some(token.kind);
        tokens.push(match token.kind {
            TokenKind::Ident if is_named => {
                let name = text.get(token.start as usize..token.end as usize).unwrap_or("");
                FxBuildHasher.hash_one(fold(name))
            }
            kind => FxBuildHasher.hash_one(kind),
        });
    }
    let mut runs: Vec<u64> =
        tokens.windows(RUN.min(tokens.len().max(1))).map(|run| FxBuildHasher.hash_one(run)).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

fn counts(token: Token) -> bool {
    !matches!(token.kind, TokenKind::Comment | TokenKind::Directive | TokenKind::Conflict | TokenKind::End)
}

/// The share of runs that two shapes have in common, of all that one of them has: 0 to 1.
#[must_use]
pub fn likeness(a: &[u64], b: &[u64]) -> f64 {
    let common = common(a, b);
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// The share of the runs of a part that a whole has: 0 to 1.
#[must_use]
pub fn share(part: &[u64], whole: &[u64]) -> f64 {
    if part.is_empty() { 0.0 } else { common(part, whole) as f64 / part.len() as f64 }
}

fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut count = 0;
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        match one.cmp(other) {
            std::cmp::Ordering::Less => drop(a.next()),
            std::cmp::Ordering::Greater => drop(b.next()),
            std::cmp::Ordering::Equal => {
                count += 1;
                a.next();
                b.next();
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_variables_are_the_same_shape_and_other_calls_are_not() {
        let one = shape("Запрос = Новый Запрос(Текст); Возврат Запрос.Выполнить().Выбрать();");
        let renamed = shape("З = Новый Запрос(Т);\n// так\nВозврат З.выполнить().Выбрать();");
        let other = shape("Запрос = Новый Запрос(Текст); Возврат Запрос.ВыполнитьПакет().Количество();");
        assert!(likeness(&one, &renamed) > 0.99);
        assert!(likeness(&one, &other) < 0.6);
        let part = shape("Возврат Запрос.Выполнить().Выбрать();");
        assert!(share(&part, &one) > 0.99 && likeness(&part, &one) < 0.9);
    }

    #[test]
    fn any_text_has_a_shape() {
        for text in ["", "А", "А =", "\"незакрытая", "((((", "#Если\n|"] {
            let shape = shape(text);
            assert!(likeness(&shape, &shape) == 1.0 || shape.is_empty(), "{text}");
        }
        assert!(likeness(&[], &[]) == 0.0 && share(&[], &[1]) == 0.0);
    }
}
