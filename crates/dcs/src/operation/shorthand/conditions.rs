//! Conditions in shorthand: `Сумма > 100 и (Товар заполнено или не Партнер = &Партнер)`.

use super::{closing, is_path, scan, split, wrong};
use crate::operation::refusal::{Refusal, Say};
use crate::operation::words::COMPARISONS;

/// Deeper conditions are refused.
const MAX_DEPTH: usize = 50;

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::operation) enum Condition {
    /// A field is compared with values.
    Comparison {
        /// The path of data.
        left: String,
        /// As files name it.
        comparison: &'static str,
        /// Values in shorthand.
        right: Vec<String>,
    },
    /// Several of them: `AndGroup`, `OrGroup`, `NotGroup`.
    Group(&'static str, Vec<Condition>),
}

/// Reads a condition; several that are joined by `и` at the outside are a list.
///
/// # Errors
/// If it is none: what, and how to mend it.
pub(in crate::operation) fn conditions(text: &str) -> Result<Vec<Condition>, Refusal> {
    Ok(match condition(text, 0)? {
        Condition::Group("AndGroup", all) => all,
        one => vec![one],
    })
}

fn condition(text: &str, depth: usize) -> Result<Condition, Refusal> {
    if depth > MAX_DEPTH {
        return Err(wrong("Слишком глубокое условие", "The condition is nested too deeply", "…", "", ""));
    }
    let text = text.trim();
    for (words, group) in [(["или", "or"], "OrGroup"), (["и", "and"], "AndGroup")] {
        let parts = split_at_words(text, &words)?;
        if parts.len() > 1 {
            let parts = parts.iter().map(|part| condition(part, depth + 1)).collect::<Result<_, _>>()?;
            return Ok(Condition::Group(group, parts));
        }
    }
    let folded = text.to_lowercase();
    for word in ["не ", "not "] {
        if folded.starts_with(word) {
            let inner = condition(&text[word.len()..], depth + 1)?;
            return Ok(Condition::Group("NotGroup", vec![inner]));
        }
    }
    if text.starts_with('(') && closing(text) == text.len() {
        return condition(&text[1..text.len() - 1], depth + 1);
    }
    comparison(text)
}

/// Splits at words that stand alone outside of quotes and parentheses.
fn split_at_words(text: &str, words: &[&str]) -> Result<Vec<String>, Refusal> {
    let mut tops = Vec::new();
    scan(text, |at, c| {
        tops.push((at, c));
        false
    })?;
    let (mut parts, mut from, mut number) = (Vec::new(), 0, 0);
    while number < tops.len() {
        let (at, c) = tops[number];
        let starts = c.is_alphabetic() && (number == 0 || tops[number - 1].1.is_whitespace());
        if starts {
            let end = text[at..].find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text.len(), |end| at + end);
            let word = text[at..end].to_lowercase();
            let is_alone = text[end..].starts_with([' ', '(', '\t', '\n']) && at > 0;
            if words.contains(&word.as_str()) && is_alone {
                parts.push(text[from..at].trim().to_owned());
                from = end;
            }
            while number < tops.len() && tops[number].0 < end {
                number += 1;
            }
        } else {
            number += 1;
        }
    }
    parts.push(text[from..].trim().to_owned());
    Ok(parts)
}

fn comparison(text: &str) -> Result<Condition, Refusal> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(text.len());
    let (left, rest) = (text[..end].trim(), text[end..].trim_start());
    let folded = rest.to_lowercase();
    let example = |what: (&str, &str)| {
        wrong(
            what.0,
            what.1,
            text,
            "Пример: Сумма > 100, Склад в списке (&Склад), Дата заполнено.",
            "Example: Сумма > 100.",
        )
    };
    if !is_path(left) {
        return Err(example(("В условии нет поля", "The condition has no field")));
    }
    for (comparison, all) in COMPARISONS {
        for word in *all {
            let Some(behind) = folded.strip_prefix(word) else { continue };
            let is_word = word.chars().next().is_some_and(char::is_alphabetic);
            if is_word && behind.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            // Lower case may have another length; then the letters are counted.
            let letters = word.chars().count();
            let at = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
            let values = rest[at..].trim();
            let takes_none = matches!(*comparison, "Filled" | "NotFilled");
            if takes_none != values.is_empty() {
                return Err(if takes_none {
                    example(("Значение здесь не нужно", "No value is wanted here"))
                } else {
                    example(("В условии нет значения", "The condition has no value"))
                });
            }
            let right = if values.starts_with('(') && closing(values) == values.len() {
                split(&values[1..values.len() - 1], ',')?
            } else if takes_none {
                Vec::new()
            } else {
                vec![values.to_owned()]
            };
            return Ok(Condition::Comparison { left: left.to_owned(), comparison, right });
        }
    }
    let all: Vec<&str> = COMPARISONS.iter().map(|(_, all)| all[0]).collect();
    let mut refusal = Refusal::unknown(("вид сравнения", "comparison"), rest, all);
    refusal.message = Say::new(format!("Нет вида сравнения в «{text}»"), format!("No comparison in \"{text}\""));
    Err(refusal)
}
