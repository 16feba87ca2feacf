//! `&ИзменениеИКонтроль`: whether the text of an extension's method, its marked changes aside, is still the extended method's.
//!
//! The platform takes out what stands under `#Вставка`, keeps what stands under `#Удаление`, and compares the rest with the
//! extended method; if they differ, the extension isn't connected. What is compared is code: comments and blanks don't count,
//! nor does the case of words. The method's own name differs by design.

use crate::fold::same_name;
use crate::read::{Directive, Lexer, Token, TokenKind, directive_of_line};

/// The first place where two methods differ: lines from 0, of the first text and of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// Line in the extended method.
    pub base: u32,
    /// Line in the extension's method.
    pub extension: u32,
}

/// Compares the text of an extended method, from its `Процедура` or `Функция` to its end, with that of the method which changes it
/// under control. None: the extension's is still made for it.
///
/// ```
/// use metascope_bsl::control::drift;
/// let base = "Процедура А()\n\tБ();\nКонецПроцедуры";
/// assert_eq!(drift(base, "Процедура Р_А()\n\t#Удаление\n\tБ();\n\t#КонецУдаления\n\t#Вставка\n\tВ();\n\t#КонецВставки\nКонецПроцедуры"), None);
/// assert!(drift(base, "Процедура Р_А()\n\tВ();\nКонецПроцедуры").is_some());
/// ```
#[must_use]
pub fn drift(base: &str, extension: &str) -> Option<Drift> {
    let unmarked = unmarked(extension);
    first_difference(Code::of(base), Code::of(&unmarked))
}

/// Whether two texts are the same code: comments, blanks and the case of words aside.
///
/// ```
/// use metascope_bsl::control::same_code;
/// assert!(same_code("А = Б(\"в\"); // так", "а=б(\"в\");"));
/// assert!(!same_code("А = \"в\";", "А = \"В\";"));
/// ```
#[must_use]
pub fn same_code(a: &str, b: &str) -> bool {
    first_difference(Code::whole(a), Code::whole(b)).is_none()
}

fn first_difference(mut base: Code<'_>, mut extension: Code<'_>) -> Option<Drift> {
    loop {
        match (base.next(), extension.next()) {
            (None, None) => return None,
            (a, b) if a.is_some_and(|a| b.is_some_and(|b| base.text_is(a, &extension, b))) => {}
            (a, b) => {
                // Lines of tokens count from 1; where one text has ended, its last line counts.
                let line = |token: Option<Token>, code: &Code<'_>| token.map_or(code.last_line, |t| t.line).max(1) - 1;
                return Some(Drift { base: line(a, &base), extension: line(b, &extension) });
            }
        }
    }
}

/// The text without inserted lines and without the marks; every line keeps its number.
fn unmarked(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut inserting = false;
    for line in text.split_inclusive('\n') {
        let mark = directive_of_line(line);
        match mark {
            Some(Directive::Insert) => inserting = true,
            Some(Directive::EndInsert) => inserting = false,
            _ => {}
        }
        let is_mark =
            matches!(mark, Some(Directive::Insert | Directive::EndInsert | Directive::Delete | Directive::EndDelete));
        if inserting || is_mark {
            result.push_str(if line.ends_with('\n') { "\n" } else { "" });
        } else {
            result.push_str(line);
        }
    }
    result
}

/// The tokens of a text, comments left out.
struct Code<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    last_line: u32,
}

impl<'a> Code<'a> {
    /// All of a text.
    fn whole(text: &'a str) -> Self {
        Self { text, lexer: Lexer::new(text), last_line: 1 }
    }

    /// A method behind its name.
    fn of(text: &'a str) -> Self {
        let mut code = Self::whole(text);
        let is_header = |token: Token| matches!(token.kind, TokenKind::Procedure | TokenKind::Function);
        // A function that became a procedure is another one: that shows in the last word.
        if std::iter::from_fn(|| code.next()).any(is_header) {
            code.next();
        }
        code
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.lexer.find(|token| token.kind != TokenKind::Comment)?;
        self.last_line = token.line;
        Some(token)
    }

    fn text(&self, token: Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    fn text_is(&self, token: Token, other: &Code<'_>, of_other: Token) -> bool {
        if token.kind != of_other.kind {
            return false;
        }
        let (a, b) = (self.text(token), other.text(of_other));
        match token.kind {
            // Lines of a literal: blanks before `|`, and comments between, are no part of it.
            TokenKind::String | TokenKind::OpenString => lines(a).eq(lines(b)),
            TokenKind::Number | TokenKind::Date => a == b,
            _ => same_name(a.trim_end(), b.trim_end()),
        }
    }
}

fn lines(literal: &str) -> impl Iterator<Item = &str> {
    let lines = literal.split('\n').map(|line| line.trim_end_matches('\r'));
    let first_or_bar = lines.enumerate().map(|(place, line)| if place == 0 { line } else { line.trim_start() });
    first_or_bar.filter(|line| !line.is_empty() && !line.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "Функция Цена(Товар, Знач Дата = '20240101') Экспорт\n\t// Комментарий\n\tЗапрос = \"ВЫБРАТЬ\n\t|\tА\n\t|ИЗ Б\";\n\
        \tВозврат 5; // Конец\nКонецФункции";

    fn changed(from: &str, to: &str) -> Option<Drift> {
        assert!(BASE.contains(from), "{from}");
        drift(BASE, &BASE.replace("Цена", "Р_Цена").replace(from, to))
    }

    #[test]
    fn blanks_comments_and_case_dont_count() {
        assert_eq!(changed("", ""), None);
        assert_eq!(changed("// Комментарий", "\r\n"), None);
        assert_eq!(changed("Возврат 5;", "ВОЗВРАТ  5 ;"), None);
        assert_eq!(changed("\t|\tА", "|\tА\n// между строками"), None);
    }

    #[test]
    fn marked_changes_dont_count() {
        let marked = "#Удаление\n\tВозврат 5; // Конец\n\t#КонецУдаления\n#Вставка\nВозврат 6;\n  #КонецВставки";
        assert_eq!(changed("\tВозврат 5; // Конец", marked), None);
        assert_eq!(changed("\t|\tА", "#Delete\n\t|\tА\n#EndDelete\n#Insert\n|\tВ\n#EndInsert"), None);
    }

    #[test]
    fn anything_else_does() {
        for (from, to, base, extension) in [
            ("Возврат 5;", "Возврат 6;", 5, 5),
            ("\tА\n", "\tВ\n", 2, 2),
            ("Знач Дата", "Дата", 0, 0),
            (" Экспорт", "", 0, 2),
            ("Возврат 5; // Конец\n", "", 5, 5),
            ("Возврат 5;", "#Вставка\nБ();\n#КонецВставки\nВозврат 6;", 5, 8),
        ] {
            assert_eq!(changed(from, to), Some(Drift { base, extension }), "{from}");
        }
    }

    #[test]
    fn comments_blanks_and_case_are_no_change() {
        let one = "Процедура А()\n\tБ = 1; // так\nКонецПроцедуры";
        assert!(same_code(one, "процедура  А()\n// иначе\nБ=1;\n\nКОНЕЦПРОЦЕДУРЫ"));
        assert!(!same_code(one, "Процедура А()\n\tБ = 2;\nКонецПроцедуры"));
        assert!(!same_code("Б = \"а\";", "Б = \"А\";"));
        assert!(same_code("Б = \"а\n\t|б\";", "Б = \"а\n// между\n|б\";"));
    }
}
