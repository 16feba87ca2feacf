//! JSON as small models write it.

use serde_json::{Map, Number, Value};

/// How deep values may lie in each other.
const DEEPEST: usize = 64;

/// Reads the JSON value that a text begins with. Beside JSON proper: single and typographic quotes, keys without quotes, commas
/// too many, line ends within strings, `True`, `None`, comments to the end of a line, and brackets that were never closed.
pub(super) fn read(text: &str) -> Option<Value> {
    read_with_rest(text).map(|(value, _)| value)
}

/// As [`read`], with what follows the value.
pub(super) fn read_with_rest(text: &str) -> Option<(Value, &str)> {
    let text = text.trim_start();
    let mut strict = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = strict.next() {
        return Some((value, text.get(strict.byte_offset()..).unwrap_or_default()));
    }
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    Some((value, reader.rest))
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.blanks();
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            quote if closing(quote).is_some() => self.string().map(Value::String),
            _ => Some(self.word()).filter(|word| !word.is_empty()).map(|word| literal(&word)),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take('{');
        let mut map = Map::new();
        loop {
            self.blanks_and(',');
            match self.peek() {
                // An object that was never closed ends with the text.
                None => return Some(Value::Object(map)),
                Some('}') => {
                    self.take('}');
                    return Some(Value::Object(map));
                }
                Some(_) => {}
            }
            let key = if self.peek().and_then(closing).is_some() { self.string()? } else { self.word() };
            self.blanks();
            if key.is_empty() || !(self.take(':') || self.take('=')) {
                return None;
            }
            let value = self.value(depth + 1)?;
            map.insert(key, value);
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.take('[');
        let mut items = Vec::new();
        loop {
            self.blanks_and(',');
            match self.peek() {
                None => return Some(Value::Array(items)),
                Some(']') => {
                    self.take(']');
                    return Some(Value::Array(items));
                }
                Some('}' | ':') => return None,
                Some(_) => items.push(self.value(depth + 1)?),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let open = self.peek()?;
        let close = closing(open)?;
        self.take(open);
        let mut out = String::new();
        while let Some(c) = self.next() {
            if c == close {
                return Some(out);
            }
            if c != '\\' {
                out.push(c);
                continue;
            }
            match self.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('u') => {
                    let digits = self.rest.get(..4)?;
                    out.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                    self.rest = self.rest.get(4..)?;
                }
                Some(other) => out.push(other),
                None => {}
            }
        }
        // A string that was never closed: cut off, or lost. Nobody can say where it ended.
        None
    }

    /// What stands without quotes, up to the next sign of the notation.
    fn word(&mut self) -> String {
        let end = self.rest.find([',', ':', '=', '{', '}', '[', ']', '\n']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.trim().to_owned()
    }

    fn blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with("//") {
                return;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    fn blanks_and(&mut self, sign: char) {
        self.blanks();
        while self.take(sign) {
            self.blanks();
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    fn take(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

fn closing(quote: char) -> Option<char> {
    match quote {
        '"' | '\'' | '`' => Some(quote),
        '“' => Some('”'),
        '«' => Some('»'),
        _ => None,
    }
}

/// The value of a word without quotes.
pub(super) fn literal(word: &str) -> Value {
    match word {
        "true" | "True" | "Истина" => Value::Bool(true),
        "false" | "False" | "Ложь" => Value::Bool(false),
        "null" | "None" | "undefined" | "" => Value::Null,
        _ => word.parse::<Number>().map_or_else(|_| Value::String(word.to_owned()), Value::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_models_write() {
        let right = json!({"name": "А.Б", "depth": 2, "all": true});
        for text in [
            r#"{"name": "А.Б", "depth": 2, "all": true}"#,
            r#"{'name': 'А.Б', 'depth': 2, 'all': True}"#,
            r#"{name: "А.Б", depth: 2, all: true,}"#,
            r#"{“name”: “А.Б”, "depth": 2, "all": true"#,
            "{\"name\": \"А.Б\", // имя\n \"depth\": 2,, \"all\": true}",
            r#"{"name"="А.Б", "depth"=2, "all"=true}}"#,
        ] {
            assert_eq!(read(text), Some(right.clone()), "{text}");
        }
        assert_eq!(read("{\"a\": \"x\ny\\u0041\\\"\", b: [1, 'd',]"), Some(json!({"a": "x\nyA\"", "b": [1, "d"]})));
        assert_eq!(read_with_rest("{\"a\": 1} и текст"), Some((json!({"a": 1}), " и текст")));
    }

    #[test]
    fn what_nobody_can_read() {
        for text in ["", "{\"a\": \"б", "{\"a\" 1}", "{: 1}", "[}"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"[".repeat(100_000)), None);
    }
}
