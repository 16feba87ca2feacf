//! What texts are made of, as far as it helps to damage them where it hurts.

use std::ops::Range;

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Elements and texts.
    Xml,
    /// The language of modules.
    Module,
    /// The query language.
    Query,
    /// The bracket notation of the platform.
    Brackets,
    /// Numbers and addresses.
    Binary,
}

/// Words and signs that matter to a syntax and that a seed may lack.
#[must_use]
pub fn words(syntax: Syntax) -> &'static [&'static str] {
    match syntax {
        Syntax::Xml => &[
            "<!DOCTYPE a [<!ENTITY b \"b\">]>",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "<?",
            "?>",
            "<?xml version=\"1.1\"?>",
            "&#x0;",
            "&#1114112;",
            "&#xD800;",
            "&lt;",
            "&nbsp;",
            "&",
            "<",
            ">",
            "/>",
            "</",
            "\"",
            "'",
            "<a",
            "<a/>",
            " xmlns:a=\"\"",
            " xmlns=\"u\"",
            " xsi:nil=\"true\"",
            " xsi:type=\"xs:string\"",
            "\u{feff}",
            "\u{0}",
            "<a:b:c>",
            "true",
            "false",
            ".",
            "..",
            "Catalog.",
            "\u{FFFF}",
            "\u{85}",
            "\u{2028}",
        ],
        Syntax::Module => &[
            "Процедура",
            "Функция",
            "КонецПроцедуры",
            "КонецФункции",
            "Если",
            "Тогда",
            "ИначеЕсли",
            "Иначе",
            "КонецЕсли",
            "Для",
            "Каждого",
            "Из",
            "Цикл",
            "КонецЦикла",
            "Пока",
            "Попытка",
            "Исключение",
            "КонецПопытки",
            "Новый",
            "Возврат",
            "Экспорт",
            "Знач",
            "Перем",
            "Асинх",
            "Ждать",
            "Выполнить",
            "ДобавитьОбработчик",
            "Перейти",
            "~",
            ":",
            "?",
            "(",
            ")",
            "[",
            "]",
            ".",
            ",",
            ";",
            "=",
            "<>",
            "\"",
            "\"\"",
            "|",
            "\n|",
            "//",
            "// см. ",
            "#Если Сервер Тогда",
            "#КонецЕсли",
            "#ИначеЕсли",
            "#Область А",
            "#КонецОбласти",
            "#Вставка",
            "#КонецВставки",
            "#Удаление",
            "#КонецУдаления",
            "&НаКлиенте",
            "&Вместо(\"А\")",
            "&ИзменениеИКонтроль(\"",
            "<<<<<<< HEAD",
            "=======",
            ">>>>>>> b",
            "'20260101'",
            "'",
            "1.5",
            "1.",
            "\u{A0}",
            "\u{feff}",
            "\u{0}",
            "ё",
            "İ",
            "ß",
            "\r",
            "\u{2028}",
            "ВЫБРАТЬ А ИЗ Б",
            "\"ВЫБРАТЬ \" + ",
            "If",
            "Then",
            "EndIf",
            "Procedure",
            "EndProcedure",
            "Not",
            "И",
            "Или",
            "Не",
        ],
        Syntax::Query => &[
            "ВЫБРАТЬ",
            "РАЗЛИЧНЫЕ",
            "ПЕРВЫЕ",
            "РАЗРЕШЕННЫЕ",
            "КАК",
            "ИЗ",
            "ГДЕ",
            "ПО",
            "СОЕДИНЕНИЕ",
            "ЛЕВОЕ",
            "ПОЛНОЕ",
            "ВНУТРЕННЕЕ",
            "СГРУППИРОВАТЬ",
            "ИМЕЮЩИЕ",
            "УПОРЯДОЧИТЬ",
            "ИТОГИ",
            "АВТОУПОРЯДОЧИВАНИЕ",
            "ОБЪЕДИНИТЬ",
            "ВСЕ",
            "ПОМЕСТИТЬ",
            "УНИЧТОЖИТЬ",
            "ИНДЕКСИРОВАТЬ",
            "ДЛЯ ИЗМЕНЕНИЯ",
            "ВЫБОР",
            "КОГДА",
            "ТОГДА",
            "ИНАЧЕ",
            "КОНЕЦ",
            "ВЫРАЗИТЬ",
            "В ИЕРАРХИИ",
            "МЕЖДУ",
            "ЕСТЬ NULL",
            "ПОДОБНО",
            "СПЕЦСИМВОЛ",
            "ЗНАЧЕНИЕ(",
            "ССЫЛКА",
            "ТИП(",
            "{",
            "}",
            "{ГДЕ",
            "(",
            ")",
            ".",
            ",",
            ";",
            "*",
            "&",
            "&А",
            "%1",
            "#Имя",
            "#Если",
            "#Тогда",
            "#КонецЕсли",
            "\"",
            "\"\"",
            "//",
            "\u{FFFC}",
            "\n",
            "\r",
            "=",
            "<>",
            "-",
            "НЕ",
            "И",
            "ИЛИ",
            "SELECT",
            "FROM",
            "AS",
            "1.5",
            "\u{0}",
            "ДАТАВРЕМЯ(1,1,1",
            "ИЗ (",
            "ПЕРИОДАМИ(",
            "ОБЩИЕ",
            "СГРУППИРОВАТЬ ПО ГРУППИРУЮЩИМ НАБОРАМ ((",
            "[",
            "]",
        ],
        Syntax::Brackets => &[
            "{",
            "}",
            ",",
            "\"",
            "\"\"",
            "{0}",
            "{#base64:",
            "{\"ru\",\"А\"}",
            "\u{feff}",
            "\r\n",
            "\r",
            "00000000-0000-0000-0000-000000000000",
            "e1692cc2-605b-4535-84dd-28440238746c",
            "{}",
            "\u{0}",
        ],
        Syntax::Binary => &[
            "\r\n",
            "\r\n00000200 00000200 7fffffff \r\n",
            "7fffffff",
            "ffffffff",
            "00000000",
            "00000010",
            "0000001f",
            "ffffffffffffffff",
            "\r\nffffffff ffffffff 00000010 \r\n",
            "+0000010",
            "        ",
        ],
    }
}

/// What opens and what closes a level.
#[must_use]
pub fn pairs(syntax: Syntax) -> &'static [(&'static str, &'static str)] {
    match syntax {
        Syntax::Xml => {
            &[("<a>", "</a>"), ("<Item>", "</Item>"), ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<a b=\"", "\">")]
        }
        Syntax::Module => &[
            ("(", ")"),
            ("[", "]"),
            ("А(", ")"),
            ("А[", "]"),
            ("?(А, ", ", 1)"),
            ("Если А Тогда\n", "КонецЕсли;\n"),
            ("Пока А Цикл\n", "КонецЦикла;\n"),
            ("Попытка\n", "Исключение КонецПопытки;\n"),
            ("#Если Сервер Тогда\n", "#КонецЕсли\n"),
            ("#Область А\n", "#КонецОбласти\n"),
            ("Новый А(", ")"),
            ("Не ", ""),
            ("- ", ""),
            ("А.", ""),
            ("А + ", "А"),
            ("Процедура А()\n", "КонецПроцедуры\n"),
            ("#Вставка\n", "#КонецВставки\n"),
            ("ИначеЕсли А Тогда\n", ""),
        ],
        Syntax::Query => &[
            ("(", ")"),
            ("{", "}"),
            ("[", "]"),
            ("ВЫБРАТЬ А ИЗ (", ") КАК Т"),
            ("ВЫБОР КОГДА А ТОГДА ", " КОНЕЦ"),
            ("А В (ВЫБРАТЬ ", ")"),
            ("СУММА(", ")"),
            ("НЕ ", ""),
            ("- ", ""),
            ("А.", ""),
            ("Т.А.(", ")"),
            ("А + ", ""),
            ("ВЫРАЗИТЬ(", " КАК ЧИСЛО)"),
            (" ЛЕВОЕ СОЕДИНЕНИЕ А", " ПО А"),
            ("#Если А #Тогда ", "#КонецЕсли "),
            ("\"", "\""),
            ("ВЫБРАТЬ А ПОМЕСТИТЬ Т ИЗ Т;", ""),
        ],
        Syntax::Brackets => &[("{", "}"), ("{0,", "}"), ("\"\"", "\"\""), ("{{", "},1}")],
        Syntax::Binary => &[],
    }
}

/// The pieces of a text, one after the other, without gaps.
#[must_use]
pub fn tokens(syntax: Syntax, text: &[u8]) -> Vec<Range<usize>> {
    let end_of: fn(&[u8], usize) -> usize = match syntax {
        Syntax::Xml => end_of_xml,
        Syntax::Module | Syntax::Query => end_of_code,
        Syntax::Brackets => end_of_brackets,
        Syntax::Binary => |text, at| (at + 4).min(text.len()),
    };
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = end_of(text, at).max(at + 1);
        tokens.push(at..end);
        at = end;
    }
    tokens
}

/// The next of some bytes from a place on, behind it; the end if there is none.
fn behind(text: &[u8], from: usize, byte: u8) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    memchr::memchr(byte, rest).map_or(text.len(), |found| from + found + 1)
}

fn while_(text: &[u8], from: usize, holds: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| holds(**byte)).count()
}

fn end_of_xml(text: &[u8], at: usize) -> usize {
    if text.get(at) == Some(&b'<') { behind(text, at, b'>') } else { while_(text, at, |byte| byte != b'<') }
}

fn is_word(byte: u8) -> bool {
    byte >= 0x80 || byte.is_ascii_alphanumeric() || byte == b'_'
}

fn end_of_code(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => {
            let end = while_(text, at + 1, |byte| byte != b'"' && byte != b'\n');
            (end + 1).min(text.len())
        }
        Some(b'/') if text.get(at + 1) == Some(&b'/') => while_(text, at, |byte| byte != b'\n'),
        Some(byte) if is_word(*byte) => while_(text, at, is_word),
        Some(b' ' | b'\t') => while_(text, at, |byte| byte == b' ' || byte == b'\t'),
        _ => at + 1,
    }
}

fn end_of_brackets(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b'"') => behind(text, at + 1, b'"'),
        Some(b'{' | b'}' | b',') => at + 1,
        _ => while_(text, at, |byte| !matches!(byte, b'{' | b'}' | b',' | b'"')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(syntax: Syntax, text: &str) -> Vec<String> {
        let piece = |range: Range<usize>| String::from_utf8_lossy(&text.as_bytes()[range]).into_owned();
        tokens(syntax, text.as_bytes()).into_iter().map(piece).collect()
    }

    #[test]
    fn pieces_follow_each_other_without_gaps() {
        assert_eq!(pieces(Syntax::Xml, "<a b='1'>x</a>y<"), ["<a b='1'>", "x", "</a>", "y", "<"]);
        assert_eq!(
            pieces(Syntax::Module, "А = \"б в\" + 1.5; // г\nД"),
            ["А", " ", "=", " ", "\"б в\"", " ", "+", " ", "1", ".", "5", ";", " ", "// г", "\n", "Д"]
        );
        assert_eq!(pieces(Syntax::Query, "\"а\n\""), ["\"а\n", "\""]);
        assert_eq!(pieces(Syntax::Brackets, "{1,\"а,{\"}"), ["{", "1", ",", "\"а,{\"", "}"]);
        assert_eq!(pieces(Syntax::Binary, "abcdef"), ["abcd", "ef"]);
    }
}
