//! Secrets in a text: passwords, tokens, keys, connection strings.
//!
//! [`mask`] is the one function that stands between a conversation and the wire. What it looks for is data:
//! `data/secrets.tsv`. It hides values that are written out; an expression (`Пароль = Параметры.Пароль`), a name
//! (`ИмяПоля = "Пароль"`) and a text of the interface (`"Введите пароль"`) stay, since a model must see code as it is.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

/// What stands in place of a secret.
pub const MASK: &str = "***";

/// One kind of secret.
struct Pattern {
    kind: &'static str,
    test: Test,
    regex: Regex,
}

/// What a value must be to count as a secret.
#[derive(Clone, Copy)]
struct Test {
    digit: bool,
    name: bool,
}

fn rows() -> impl Iterator<Item = [&'static str; 5]> {
    let lines = include_str!("../data/secrets.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.filter_map(|line| line.split('\t').collect::<Vec<_>>().try_into().ok())
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let pattern = |[kind, test, regex, _, _]: [&'static str; 5]| {
        let test = Test { digit: test.starts_with("digit"), name: test.ends_with("name") };
        Some(Pattern { kind, test, regex: Regex::new(regex).ok()? })
    };
    rows().filter_map(pattern).collect()
});

/// How the name of a variable begins or ends that holds a text about a secret, not the secret: `ИмяПоляПароль`, `TokenType`.
const ABOUT: &[&str] = &[
    "имя",
    "имена",
    "текст",
    "заголовок",
    "подсказка",
    "путь",
    "представление",
    "сообщение",
    "вид",
    "тип",
    "формат",
    "шаблон",
    "описание",
    "поле",
    "элемент",
    "колонка",
    "реквизит",
    "параметр",
    "name",
    "title",
    "text",
    "type",
    "path",
    "label",
    "message",
    "hint",
    "prompt",
    "field",
    "column",
    "format",
];

/// The text with every secret in it masked.
///
/// ```
/// use metascope_agent::secrets::mask;
/// assert_eq!(mask("Пароль = \"qwerty\";"), "Пароль = \"***\";");
/// assert_eq!(mask("Пароль = Параметры.Пароль;"), "Пароль = Параметры.Пароль;");
/// ```
pub fn mask(text: &str) -> Cow<'_, str> {
    let found = find(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = 0;
    for (range, _) in found {
        masked.push_str(text.get(rest..range.start).unwrap_or_default());
        masked.push_str(MASK);
        rest = range.end;
    }
    masked.push_str(text.get(rest..).unwrap_or_default());
    Cow::Owned(masked)
}

/// Masks every text in a JSON value, the values of keys that name a secret among them.
pub fn mask_json(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(masked) = mask(text) {
                *text = masked;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_json),
        Value::Object(fields) => {
            for (key, field) in fields {
                mask_json(field);
                // The key belongs to the value: `{"password": "qwerty"}`.
                if let Value::String(text) = field
                    && !text.contains(['"', '\''])
                    && !find(&format!("\"{key}\": \"{text}\"")).is_empty()
                {
                    *text = MASK.to_owned();
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Where secrets stand, in order and without overlap, with their kinds. A text in quotes may stand within another one, of JSON in
/// JSON: quotes with backslashes before them count as quotes.
fn find(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = find_plain(text);
    if text.contains("\\\"") {
        let (plain, places) = without_backslashes(text);
        let place = |at: usize| places.get(at).copied().unwrap_or(text.len());
        found.extend(find_plain(&plain).into_iter().filter(|(range, _)| !range.is_empty()).map(|(range, kind)| {
            // The backslashes behind a value belong to the quote.
            (place(range.start)..place(range.end - 1) + 1, kind)
        }));
    }
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.retain(|(range, _)| {
        let apart = range.start >= end;
        end = end.max(range.end);
        apart
    });
    found
}

/// A text without the backslashes before its quotes, and where each byte of it stands.
fn without_backslashes(text: &str) -> (String, Vec<usize>) {
    let (mut plain, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut rest = 0;
    while let Some(length) = text.get(rest..).and_then(|rest| rest.find(['\\', '"'])) {
        let run = text[rest + length..].bytes().take_while(|byte| *byte == b'\\').count();
        let quoted = text[rest + length + run..].starts_with('"');
        let kept = if quoted { rest..rest + length } else { rest..rest + length + run };
        plain.push_str(&text[kept.clone()]);
        places.extend(kept);
        rest += length + run;
        if quoted {
            plain.push('"');
            places.push(rest);
            rest += 1;
        }
    }
    plain.push_str(text.get(rest..).unwrap_or_default());
    places.extend(rest..text.len());
    (plain, places)
}

/// Where secrets stand, by the text as it is.
fn find_plain(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found: Vec<(Range<usize>, &'static str)> = Vec::new();
    for pattern in PATTERNS.iter() {
        let mut from = 0;
        while let Some(captures) = pattern.regex.captures_at(text, from) {
            let (Some(whole), Some(secret)) = (captures.get(0), captures.name("secret")) else { break };
            if pattern.test.holds(&captures, secret.as_str()) {
                found.push((secret.range(), pattern.kind));
            }
            // What ends a value may begin the next pair.
            from = secret.end().max(whole.start() + 1);
            while !text.is_char_boundary(from) {
                from += 1;
            }
            if from >= text.len() {
                break;
            }
        }
    }
    found
}

impl Test {
    fn holds(self, captures: &Captures<'_>, secret: &str) -> bool {
        if is_placeholder(secret) || (self.digit && !secret.chars().any(|c| c.is_ascii_digit())) {
            return false;
        }
        let key = captures.name("key").map_or("", |key| key.as_str()).to_lowercase();
        let about = || ABOUT.iter().any(|about| key.starts_with(about) || key.ends_with(about));
        !self.name || !(about() || is_name(secret))
    }
}

/// `***`, `%1`, `<пароль>`, `{0}`, `&Параметр`, `…`: nothing that anybody could log in with.
fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    value.is_empty()
        || value.starts_with(['%', '<', '{', '&', '$', '#'])
        || value.chars().all(|c| matches!(c, '*' | '.' | '…' | 'x' | 'X' | '-' | '_' | '?' | '•'))
}

/// A text of the interface, a path, a dotted name, a name of several words, a word that names a secret: no secret itself.
fn is_name(value: &str) -> bool {
    let digit = value.chars().any(|c| c.is_ascii_digit());
    if value.contains(char::is_whitespace) || value.starts_with('/') {
        return true;
    }
    if digit {
        return false;
    }
    let lower = value.to_lowercase();
    let names_one =
        ["парол", "секрет", "токен", "ключ", "password", "passwd", "secret", "token", "key", "string", "строка"];
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let humps = value.chars().zip(value.chars().skip(1)).filter(|(a, b)| a.is_lowercase() && b.is_uppercase()).count();
    names_one.iter().any(|name| lower.contains(name))
        || (value.contains('.') && value.split('.').all(word))
        || (humps > 0 && word(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn every_row_masks_its_example_and_keeps_the_other() {
        assert_eq!(PATTERNS.len(), rows().count(), "a pattern is no regular expression");
        assert_eq!(
            rows().count(),
            include_str!("../data/secrets.tsv").lines().filter(|l| !l.starts_with('#')).count() - 1
        );
        for [kind, _, _, masked, kept] in rows() {
            let found = find(masked);
            assert!(found.iter().any(|(_, of)| *of == kind), "{kind}: {masked} -> {found:?}");
            assert!(mask(masked).contains(MASK), "{kind}");
            assert_eq!(mask(kept), kept, "{kind}");
        }
    }

    #[test]
    fn code_stays_readable_around_a_secret() {
        let code = "\tСоединение.Пароль = \"Qwe!23\"; // временно\r\n\tАдрес = \"ftp://user:pass@host/\";\r\n\tЕсли Пароль = \"\" Тогда";
        let masked = "\tСоединение.Пароль = \"***\"; // временно\r\n\tАдрес = \"ftp://user:***@host/\";\r\n\tЕсли Пароль = \"\" Тогда";
        assert_eq!(mask(code), masked);
        let pairs = r#"{"login": "admin", "password": "qwerty", "token": "abcdef"}"#;
        assert_eq!(mask(pairs), r#"{"login": "admin", "password": "***", "token": "***"}"#);
        let string = "СтрокаСоединения = \"Srvr=\"\"srv\"\";Ref=\"\"ut\"\";Usr=\"\"adm\"\";Pwd=\"\"12 3\"\";\";";
        assert!(mask(string).contains("Pwd=\"\"***\"\""), "{}", mask(string));
    }

    #[test]
    fn secrets_in_json_within_json_are_masked_and_it_stays_json() {
        for depth in 0..3 {
            let mut text = "Пароль = \"Qwe!23\"; Токен = \"abc123def\"".to_owned();
            for _ in 0..depth {
                text = json!({ "код": text, "путь": "C:\\Temp\\" }).to_string();
            }
            let masked = mask(&text).into_owned();
            assert!(!masked.contains("Qwe!23") && !masked.contains("abc123def"), "{depth}: {masked}");
            if depth > 0 {
                assert!(serde_json::from_str::<Value>(&masked).is_ok(), "{masked}");
            }
        }
    }

    #[test]
    fn ordinary_lines_of_configurations_stay() {
        for line in [
            "Пароль = Параметры.Пароль;",
            "Элементы.Пароль.Видимость = Ложь;",
            "ТекстОшибки = НСтр(\"ru = 'Неверный пароль: проверьте раскладку'; en = 'Wrong password: check the layout'\");",
            "Структура = Новый Структура(\"Логин, Пароль, Токен\", Логин, Пароль, Токен);",
            "ЗаписьПароля.Вставить(\"Пароль\", Пароль);",
            "Настройки.Токен = Ответ.Получить(\"access_token\");",
            "Если ВидДоступа = \"ТокенДоступа\" Тогда",
            "//  * Пароль - Строка - пароль пользователя: не менее 8 символов.",
            "КлючДоступа = \"Справочник.Пользователи\";",
            "TokenType = \"bearer\"; ИмяПараметраПароль = \"pwd1\";",
            "ВЫБРАТЬ Пользователи.Пароль КАК Пароль ИЗ Справочник.Пользователи КАК Пользователи ГДЕ Пароль = &Пароль",
            "<PasswordMode>false</PasswordMode>",
            "Токен = ПолучитьТокен(Адрес, 30); Пароль = Пароль1;",
        ] {
            assert_eq!(mask(line), line);
        }
    }

    #[test]
    fn json_is_masked_by_key_and_by_text() {
        let mut value = json!({"password": "qwerty", "note": ["Пароль = \"qwerty\""], "name": "Пароль", "n": 1});
        mask_json(&mut value);
        assert_eq!(value, json!({"password": "***", "note": ["Пароль = \"***\""], "name": "Пароль", "n": 1}));
    }

    fn identifier() -> impl Strategy<Value = String> {
        prop::sample::select(vec![
            "Пароль",
            "ПарольПользователя",
            "Токен",
            "Password",
            "Секрет",
            "Объект",
            "Форма",
            "КлючДоступа",
            "Ссылка",
            "Адрес",
            "Token1",
        ])
        .prop_map(str::to_owned)
    }

    fn statement() -> impl Strategy<Value = String> {
        let path = || prop::collection::vec(identifier(), 1..4).prop_map(|parts| parts.join("."));
        prop_oneof![
            (path(), path()).prop_map(|(to, from)| format!("{to} = {from};")),
            (path(), path(), path()).prop_map(|(to, function, of)| format!("{to} = {function}({of}, \"\");")),
            (path(), path()).prop_map(|(a, b)| format!("Если {a} = {b} И Не ПустаяСтрока({a}) Тогда")),
            (path(), identifier(), path()).prop_map(|(of, name, value)| format!("{of}.Вставить(\"{name}\", {value});")),
            (path(), path()).prop_map(|(of, text)| format!("{of} = НСтр(\"ru = 'Укажите {text}'\");")),
            (identifier(), path()).prop_map(|(name, value)| format!("\"{name}=\" + {value} + \";\"")),
            (path(), identifier()).prop_map(|(of, name)| format!("Возврат {of}.Свойство(\"{name}\"); // {name}")),
        ]
    }

    proptest! {
        #[test]
        fn ordinary_code_stays_as_it_is(lines in prop::collection::vec(statement(), 0..12), crlf in any::<bool>()) {
            let code = lines.join(if crlf { "\r\n" } else { "\n" });
            prop_assert_eq!(mask(&code), code.as_str());
        }

        #[test]
        fn a_secret_among_code_is_hidden_and_nothing_else(
            before in prop::collection::vec(statement(), 0..4),
            after in prop::collection::vec(statement(), 0..4),
            secret in "[A-Za-z][A-Za-z0-9!]{4,10}[0-9]",
            shape in prop::sample::select(vec![
                "ПарольАдминистратора = \"@\";", "token: '@'", "Адрес = \"http://user:@@host/\";", "{\"api_key\": \"@\"}",
                "Srvr=\"s\";Ref=\"r\";Usr=\"u\";Pwd=\"@\";", "<Пароль>@</Пароль>", "curl --token @",
            ]),
        ) {
            let line = |value: &str| [before.as_slice(), &[shape.replacen('@', value, 1)], after.as_slice()].concat().join("\n");
            let text = line(&secret);
            let masked = mask(&text);
            prop_assert_eq!(masked.as_ref(), line(MASK));
        }

        #[test]
        fn masking_is_stable_and_keeps_lines_and_json(text in "(?s)([а-яa-z \"'=:;,@/\\\\\n]|пароль|token|Pwd|0){0,60}") {
            let once = mask(&text).into_owned();
            prop_assert_eq!(mask(&once), once.as_str());
            prop_assert_eq!(once.lines().count(), text.lines().count());
            let mut value = json!({ "password": text, "list": [text] });
            mask_json(&mut value);
            prop_assert!(serde_json::from_str::<Value>(&value.to_string()).is_ok());
        }
    }
}
