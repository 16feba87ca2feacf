//! «Синтаксическая ошибка "ЛЕВОЕ"», «Ошибка в выражении»: of a query, or of an expression of the composition.

use std::ops::Range;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, expressions};
use crate::dcs::explain::causes::{Causes, Said};

pub(super) const KIND: Kind = Kind { code: "syntax", title: ("Синтаксическая ошибка", "A syntax error"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for query in ask.queries() {
        // The platform stops at the word that it can't take; what is missing stands before it.
        let Some(at) = ask.spot(query.text) else { continue };
        let end = at + query.text[at..].find(char::is_whitespace).unwrap_or(query.text.len() - at);
        // Without a fault of its own the file's query is not the one that failed, or the platform knows more than we do.
        let path = query.element.path();
        let own = ask.findings(&["dcs-query-syntax"]).find(|finding| finding.path == path);
        let is_wrong = own.is_some();
        let why = own.map_or_else(
            || {
                Text::new(
                    "Платформа не может читать запрос дальше этого слова: перед ним чего-то не хватает или оно здесь лишнее",
                    "The platform can't read the query beyond this word: something is missing before it, or it has no place here",
                )
            },
            |finding| finding.what.clone(),
        );
        causes.in_text(query.element, at..end, Said {
            sure: is_wrong,
            what: Text::new(format!("Запрос, «{}»", &query.text[at..end]), format!("The query, “{}”", &query.text[at..end])),
            why,
            nearest: Vec::new(),
            mend: Text::new(
                "Проверьте, что стоит перед этим словом: запятую, скобку, конец ВЫБОР, кавычку",
                "Check what stands before this word: a comma, a parenthesis, the end of CASE, a quote",
            ),
        });
    }
    let why = Text::new("Здесь текст запроса нарушает грамматику", "Here the query breaks the grammar");
    if causes.is_empty() {
        ask.findings(&["dcs-query-syntax", "dcs-query-empty"]).for_each(|finding| causes.finding(finding, why.clone()));
    }
    for (element, what) in ask.subject.scopes.iter().flat_map(expressions) {
        let text = element.text();
        if let Some((range, why)) = fault(&text) {
            causes.in_text(element, range, Said {
                sure: true,
                what: Text::new(capital(&what.ru), capital(&what.en)),
                why,
                nearest: Vec::new(),
                mend: Text::new("Исправьте выражение в этом месте", "Correct the expression at this place"),
            });
        }
    }
    if causes.is_empty() && !ask.name().is_empty() {
        // What platforms don't take in expressions, as calls of methods of values.
        for (element, what) in ask.subject.scopes.iter().flat_map(expressions) {
            let text = element.text();
            if let Some(at) = text.to_lowercase().find(&ask.name().to_lowercase()).filter(|at| text.is_char_boundary(*at)) {
                let end = (at + ask.name().len()).min(text.len());
                let range = if text.is_char_boundary(end) { at..end } else { 0..text.len() };
                causes.in_text(element, range, Said {
                    sure: false,
                    what: Text::new(capital(&what.ru), capital(&what.en)),
                    why: Text::new(
                        "В выражении стоит то, чего язык выражений компоновки не знает",
                        "The expression holds what the language of the composition doesn't know",
                    ),
                    nearest: Vec::new(),
                    mend: Text::new(
                        "Вызывайте экспортную функцию общего модуля: Модуль.Функция(…)",
                        "Call an exported function of a common module: Module.Function(…)",
                    ),
                });
            }
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What is wrong with an expression, as far as its brackets, quotes and operators show.
fn fault(text: &str) -> Option<(Range<usize>, Text)> {
    let mut open: Vec<usize> = Vec::new();
    // The last thing that isn't white space, and whether it is an operator that needs something behind it.
    let mut last: Option<(Range<usize>, bool)> = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        match c {
            '"' => {
                let Some(end) = text[next..].find('"').map(|end| next + end + 1) else {
                    let why = Text::new("У строки нет закрывающей кавычки", "The string has no closing quote");
                    return Some((at..text.len(), why));
                };
                last = Some((at..end, false));
                at = end;
                continue;
            }
            '(' => {
                open.push(at);
                last = Some((at..next, false));
            }
            ')' => {
                if let Some((range, true)) = &last {
                    return Some((range.clone(), hanging()));
                }
                if open.pop().is_none() {
                    return Some((at..next, Text::new("Лишняя закрывающая скобка", "A closing parenthesis too many")));
                }
                last = Some((at..next, false));
            }
            '+' | '-' | '*' | '/' | '=' | '<' | '>' | ',' => {
                if let Some((range, true)) = &last
                    && matches!(c, '*' | '/' | ',')
                {
                    return Some((range.start..next, hanging()));
                }
                last = Some((at..next, c != ','));
            }
            _ if c.is_whitespace() => {}
            _ => last = Some((at..next, false)),
        }
        at = next;
    }
    if let Some(open) = open.last() {
        return Some((*open..*open + 1, Text::new("Скобка не закрыта", "The parenthesis isn't closed")));
    }
    last.filter(|(_, hangs)| *hangs).map(|(range, _)| (range, hanging()))
}

fn hanging() -> Text {
    Text::new("За знаком операции нет значения", "Nothing stands behind the operator")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_expressions_are_shown_where_they_are() {
        for (text, place) in [
            ("Сумма(А", Some("(")),
            ("Сумма(А))", Some(")")),
            ("А + ", Some("+")),
            ("А * (Б -)", Some("-")),
            ("\"а", Some("\"а")),
            ("А * / Б", Some("* /")),
            ("А - -Б", None),
            ("А <> -1 И Ф(, Б)", None),
            ("ВЫБОР КОГДА А > 0 ТОГДА \"(\" ИНАЧЕ Null КОНЕЦ", None),
        ] {
            assert_eq!(fault(text).map(|(range, _)| &text[range]), place, "{text}");
        }
    }
}
