//! Expressions of the composition (`Сумма(Количество * Цена)`): which paths of data they name.
//!
//! Only names are found; what an expression means is not worked out. Names in strings are not looked at: what functions as
//! `Вычислить` do with them is known at run time only.

use std::ops::Range;

/// A path of data in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathUse {
    /// The path, without brackets around its parts.
    pub path: String,
    /// Bytes of the expression.
    pub range: Range<usize>,
}

/// A parameter in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterUse {
    /// The name without `&`.
    pub name: String,
    /// Bytes of the expression.
    pub range: Range<usize>,
}

/// What an expression names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Paths of data, in order.
    pub paths: Vec<PathUse>,
    /// Parameters (`&Имя`), in order.
    pub parameters: Vec<ParameterUse>,
}

/// Words of the language that stand where a path could.
const WORDS: &[&str] = &[
    "выбор",
    "когда",
    "тогда",
    "иначе",
    "конец",
    "и",
    "или",
    "не",
    "есть",
    "подобно",
    "между",
    "в",
    "истина",
    "ложь",
    "неопределено",
    "null",
    "различные",
    "как",
    "спецсимвол",
    "возр",
    "убыв",
    "по",
    "case",
    "when",
    "then",
    "else",
    "end",
    "and",
    "or",
    "not",
    "is",
    "like",
    "between",
    "in",
    "true",
    "false",
    "undefined",
    "distinct",
    "as",
    "escape",
    "asc",
    "desc",
    "ссылка",
    "refs",
    "иерархии",
    "hierarchy",
    "of",
    "by",
];

/// Functions whose arguments are names of metadata or types.
const NAMING: &[&str] = &["значение", "value", "тип", "type"];

/// Finds the names.
///
/// ```
/// use metascope_dcs::expression::names;
/// let found = names("Сумма(Товар.Цена * [Кол во]) + &Курс + \"Текст\"");
/// let paths: Vec<_> = found.paths.iter().map(|path| path.path.as_str()).collect();
/// assert_eq!((paths, found.parameters[0].name.as_str()), (vec!["Товар.Цена", "Кол во"], "Курс"));
/// ```
pub fn names(expression: &str) -> Names {
    let mut found = Names::default();
    let mut at = 0;
    // How many parentheses are open inside of a function that takes names.
    let mut naming = 0_usize;
    let mut after_as = false;
    while let Some(c) = expression[at..].chars().next() {
        let rest = &expression[at..];
        if c == '"' {
            at += 1 + rest[1..].find('"').map_or(rest.len() - 1, |end| end + 1);
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if c == '&' {
            let name = word(&rest[1..]);
            if !name.is_empty() {
                found.parameters.push(ParameterUse { name: name.to_owned(), range: at..at + 1 + name.len() });
            }
            at += 1 + name.len();
        } else if c.is_alphabetic() || c == '_' || c == '[' {
            let length = path_length(rest);
            let path = &rest[..length];
            let behind = rest[length..].trim_start();
            let folded = path.to_lowercase();
            if behind.starts_with('(') {
                if naming > 0 || NAMING.contains(&folded.as_str()) {
                    naming += 1;
                    // The parenthesis is counted here.
                    at += length + (rest[length..].len() - behind.len()) + 1;
                    continue;
                }
            } else if matches!(folded.as_str(), "как" | "as") {
                after_as = true;
                at += length;
                continue;
            } else if naming == 0 && !after_as && !WORDS.contains(&folded.as_str()) {
                let clean: String = path.chars().filter(|c| !matches!(c, '[' | ']')).collect();
                found.paths.push(PathUse { path: clean, range: at..at + length });
            }
            after_as = false;
            at += length;
        } else if c.is_ascii_digit() {
            at += rest.find(|c: char| !(c.is_alphanumeric() || c == '.')).unwrap_or(rest.len());
        } else {
            match c {
                '(' if naming > 0 => naming += 1,
                ')' => naming = naming.saturating_sub(1),
                _ => {}
            }
            at += c.len_utf8();
        }
    }
    found
}

fn word(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// Length of the path that a text begins with: names, or texts in brackets, with dots between them.
fn path_length(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let part = match rest.strip_prefix('[') {
            Some(inner) => inner.find(']').map_or(rest.len(), |end| end + 2),
            None => word(rest).len(),
        };
        if part == 0 {
            // A dot that leads nowhere doesn't belong to the path.
            return if at > 0 { at - 1 } else { text.chars().next().map_or(0, char::len_utf8) };
        }
        at += part;
        if !text[at..].starts_with('.') {
            return at;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paths(expression: &str) -> Vec<String> {
        names(expression).paths.into_iter().map(|path| path.path).collect()
    }

    #[test]
    fn paths_are_what_is_no_word_function_or_literal() {
        for (expression, expected) in [
            ("Сумма(Количество)", vec!["Количество"]),
            ("ВЫБОР КОГДА А.Б > 1 ТОГДА В ИНАЧЕ \"Г\" КОНЕЦ", vec!["А.Б"]),
            ("Значение(Справочник.Валюты.ПустаяСсылка) = Валюта", vec!["Валюта"]),
            ("ВЫРАЗИТЬ(А КАК Справочник.Валюты).Код", vec!["А", "Код"]),
            ("ОбщийМодуль.Курс(Дата, &Валюта) // Имя", vec!["Дата"]),
            ("[Поле один].Код + 1.5", vec!["Поле один.Код"]),
            ("А. + [Б", vec!["А", "Б"]),
            ("ЕстьNULL(А, 0) И НЕ Б ЕСТЬ NULL", vec!["А", "Б"]),
        ] {
            assert_eq!(paths(expression), expected, "{expression}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "[а-в(). \\[\\]\"&1/\n]{0,40}") {
            for path in names(&text).paths {
                prop_assert!(text.get(path.range).is_some());
            }
        }
    }
}
