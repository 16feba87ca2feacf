//! From an error to the place: lines of a stack (`{Документ.Заказ.МодульОбъекта(231)}: …`), and messages whose parameters are
//! filled in already.

use super::{Index, NameId};
use crate::Result;
use metadata::names::canonical;
use serde::Serialize;

/// Most frames that are read of a text: a recursion may fill megabytes.
const FRAMES: usize = 200;
/// Fewest characters of a message that must be a text's own, not a parameter's.
const OWN: usize = 6;
/// The same of a text that is only a part of the message.
const PART: usize = 12;

/// A place that the platform names in an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorPlace {
    /// As it is written: `Документ.Заказ.МодульОбъекта(231)`.
    pub written: String,
    /// The method that the line belongs to, or the module's statements; empty if the module isn't in the index.
    pub full_name: String,
    /// File of the module; empty if it isn't in the index.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// The line's text, as far as the file can be read.
    pub text: String,
    /// What the error says after the place, on its line.
    pub message: String,
    /// The file changed after it was indexed: the line may have moved.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
}

/// A literal that a message may have come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessageSource {
    /// The method that holds the literal.
    pub method: String,
    /// Its file.
    pub file: String,
    /// 1-based line of the literal.
    pub line: u32,
    /// The text of the literal in the message's language, with its placeholders.
    pub template: String,
    /// What stands in the message for each placeholder, in order.
    pub parameters: Vec<String>,
    /// Whether the whole message is this text; else it is a part of it.
    pub whole: bool,
}

impl Index {
    /// The places that a text names as the platform's errors do, in its order: the last one is where it began.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn error_places(&self, text: &str) -> Result<Vec<ErrorPlace>> {
        frames(text).take(FRAMES).map(|frame| self.error_place(&frame)).collect()
    }

    fn error_place(&self, frame: &Frame<'_>) -> Result<ErrorPlace> {
        let mut place = ErrorPlace {
            written: frame.written.to_owned(),
            full_name: String::new(),
            file: String::new(),
            line: frame.line,
            text: String::new(),
            message: frame.message.to_owned(),
            stale: false,
        };
        let Some(module) = self.module_of_frame(frame)? else { return Ok(place) };
        let sql = "SELECT f.path, b.name FROM module x JOIN file f ON f.id = x.file LEFT JOIN names b ON b.id = x.body WHERE x.id = ?1";
        let found = self.rows(sql, [module], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?;
        let Some((file, body)) = found.into_iter().next() else { return Ok(place) };
        let sql = "SELECT n.name FROM method m JOIN names n ON n.id = m.id WHERE m.module = ?1 AND ?2 BETWEEN m.line AND m.end_line";
        let method = self.rows(sql, (module, frame.line), |row| row.get::<_, String>(0))?;
        place.full_name = method.into_iter().next().or(body).unwrap_or_default();
        // A file that is gone costs the text of the line, not the place.
        if let Ok(source) = self.lines(&file, frame.line, frame.line) {
            place.text = source.text.trim().to_owned();
            place.stale = source.stale;
        }
        place.file = file;
        Ok(place)
    }

    fn module_of_frame(&self, frame: &Frame<'_>) -> Result<Option<NameId>> {
        // Modules of the configuration itself stand alone: `МодульСеанса`.
        let names = [canonical(frame.module), canonical(&format!("Configuration.{}", frame.module))];
        for name in names.into_iter().flatten() {
            let name = if frame.layer.is_empty() { name } else { format!("{}::{name}", frame.layer) };
            let Some(named) = self.by_key(&name)? else { continue };
            let sql = "SELECT id FROM module WHERE id = ?1";
            if let Some(module) = self.rows(sql, [named.id], |row| row.get(0))?.into_iter().next() {
                return Ok(Some(module));
            }
        }
        Ok(None)
    }

    /// The literals that a message may have come from, the likeliest first: those whose text it is when the parameters are
    /// filled in, then those that it holds.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn message_sources(&self, message: &str, limit: usize) -> Result<Vec<MessageSource>> {
        let message = one_line(message);
        let mut statement =
            self.connection.prepare("SELECT id, text FROM texts WHERE id IN (SELECT value FROM string)")?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let Ok(literal) = row.get_ref(1)?.as_str() else { continue };
            if let Some(matched) = best(literal, &message) {
                found.push((row.get::<_, i64>(0)?, matched));
            }
        }
        found.sort_by_key(|(_, matched)| std::cmp::Reverse((matched.whole, matched.own)));
        // What only holds a word of the message says nothing where something explains much more of it.
        let most = found.iter().map(|(_, matched)| matched.own).max().unwrap_or(0);
        let length = message.chars().count();
        let explains = |matched: &Match| matched.own >= PART.min(length) && matched.own * 3 >= length;
        found.retain(|(_, matched)| matched.whole || (matched.own * 2 > most && explains(matched)));
        let mut sources = Vec::new();
        for (text, Match { template, parameters, whole, .. }) in found {
            let sql = "SELECT n.name, f.path, s.line FROM string s JOIN names n ON n.id = s.method
                       LEFT JOIN method m ON m.id = s.method JOIN module x ON x.id = m.module OR x.body = s.method
                       JOIN file f ON f.id = x.file WHERE s.value = ?1 ORDER BY n.name, s.line";
            for (method, file, line) in self.rows(sql, [text], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))? {
                let (template, parameters) = (template.clone(), parameters.clone());
                sources.push(MessageSource { method, file, line, template, parameters, whole });
                if sources.len() == limit {
                    return Ok(sources);
                }
            }
        }
        Ok(sources)
    }
}

/// A place as an error writes it.
#[derive(Debug, PartialEq, Eq)]
struct Frame<'t> {
    written: &'t str,
    /// Name of the extension; empty for the configuration.
    layer: &'t str,
    module: &'t str,
    line: u32,
    message: &'t str,
}

/// `{[Extension ]Module(line[,column])}[: message]`, wherever it stands.
fn frames(text: &str) -> impl Iterator<Item = Frame<'_>> {
    text.match_indices('{').filter_map(|(at, _)| {
        let (written, after) = text.get(at + 1..)?.split_once('}')?;
        let (module, numbers) = written.strip_suffix(')')?.rsplit_once('(')?;
        let line = numbers.split(',').next()?.trim().parse().ok()?;
        // No module has a name of several words: the first is the extension's.
        let (layer, module) = module.trim().split_once(' ').unwrap_or(("", module.trim()));
        let message = after.strip_prefix(':').unwrap_or("").lines().next().unwrap_or("").trim();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        (!module.is_empty() && module.chars().all(is_name)).then_some(Frame { written, layer, module, line, message })
    })
}

/// How a literal explains a message.
#[derive(Debug, PartialEq, Eq)]
struct Match {
    template: String,
    parameters: Vec<String>,
    /// Characters of the message that are the literal's own.
    own: usize,
    whole: bool,
}

/// The best way in which a literal, or one of its languages, explains a message.
fn best(literal: &str, message: &str) -> Option<Match> {
    let texts = localized(literal);
    let all: Vec<&str> = if texts.is_empty() { vec![literal] } else { texts.iter().map(String::as_str).collect() };
    let matches = all.into_iter().filter_map(|text| explain(&one_line(text), message));
    matches.max_by_key(|matched| (matched.whole, matched.own))
}

/// The texts of `НСтр`: `ru = 'Не указан %1'; en = 'No %1'`; a quote within is doubled. Empty for other literals.
fn localized(literal: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = literal.trim_start();
    loop {
        let language = rest.chars().take_while(char::is_ascii_alphabetic).count();
        let Some(after) = rest.get(language..).filter(|_| (2..=8).contains(&language)).map(str::trim_start) else {
            break;
        };
        let Some(quoted) = after.strip_prefix('=').map(str::trim_start) else { break };
        let Some(quote) = quoted.chars().next().filter(|c| matches!(c, '\'' | '"')) else { break };
        let Some(mut inside) = quoted.get(1..) else { break };
        let mut text = String::new();
        while let Some((before, after)) = inside.split_once(quote) {
            text.push_str(before);
            inside = after;
            match inside.strip_prefix(quote) {
                Some(doubled) => {
                    text.push(quote);
                    inside = doubled;
                }
                None => break,
            }
        }
        texts.push(text);
        rest = inside.trim_start().trim_start_matches(';').trim_start();
    }
    texts
}

/// Whether a message is a text with its placeholders filled in, or holds it.
fn explain(template: &str, message: &str) -> Option<Match> {
    let parts = fixed_parts(template);
    let own: usize = parts.iter().map(|part| part.trim().chars().count()).sum();
    if own < OWN.min(message.chars().count()) || own == 0 {
        return None;
    }
    let mut rest = message;
    let mut before = None;
    let mut parameters = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let is_last = number + 1 == parts.len();
        // The last part is looked for at the end first: a parameter may hold its text.
        let at = match is_last && number > 0 && rest.ends_with(part) {
            true => rest.len() - part.len(),
            false => rest.find(part)?,
        };
        if number == 0 {
            before = Some(&rest[..at]);
        } else {
            parameters.push(rest[..at].to_owned());
        }
        rest = &rest[at + part.len()..];
    }
    let whole = before.is_some_and(str::is_empty) && rest.is_empty();
    Some(Match { template: template.to_owned(), parameters, own, whole })
}

/// The texts between placeholders (`%1`, `%Имя%`, `[Имя]`), also the empty ones before the first and after the last.
fn fixed_parts(template: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(found) = template.get(at..).and_then(|rest| rest.find(['%', '['])) {
        let start = at + found;
        let length = placeholder(&template[start..]);
        at = start + length.max(1);
        if length > 0 {
            parts.push(&template[from..start]);
            from = at;
        }
    }
    parts.push(&template[from..]);
    parts
}

/// Length of the placeholder that a text begins with; 0 if it begins with none.
fn placeholder(text: &str) -> usize {
    let name = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if let Some(rest) = text.strip_prefix('[') {
        let length = name(rest);
        return if length > 0 && rest[length..].starts_with(']') { length + 2 } else { 0 };
    }
    let Some(rest) = text.strip_prefix('%') else { return 0 };
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let length = name(rest);
    match (digits, rest[length..].starts_with('%')) {
        (_, true) if length > digits => length + 2,
        (0, _) => 0,
        // `%1`, and `%10` at most: a digit behind them is the text's own.
        _ => 1 + digits.min(if rest.starts_with("10") { 2 } else { 1 }),
    }
}

/// A text with each run of blanks and line ends as one blank.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_a_stack() {
        let text = "{ОбщийМодуль.Обмен.Модуль(12)}: Ошибка при вызове метода контекста (Записать)\n\tА.Записать();\nпо причине:\n\
                    {Расш Документ.З.МодульОбъекта(231, 5)}: Не указан {склад}\n{МодульСеанса(3)}\n{не место} {А(x)} {(5)}";
        let found: Vec<_> = frames(text).map(|frame| (frame.layer, frame.module, frame.line, frame.message)).collect();
        assert_eq!(
            found,
            [
                ("", "ОбщийМодуль.Обмен.Модуль", 12, "Ошибка при вызове метода контекста (Записать)"),
                ("Расш", "Документ.З.МодульОбъекта", 231, "Не указан {склад}"),
                ("", "МодульСеанса", 3, ""),
            ]
        );
    }

    #[test]
    fn messages_with_their_parameters() {
        let literal = "ru = 'Не удалось записать %1 \"%2\": ''нет'' прав.'; en = 'Cannot write %1 \"%2\".'";
        let found = best(literal, "Не удалось записать Документ \"Заказ 5\": 'нет' прав.").unwrap();
        assert_eq!((found.parameters, found.whole), (vec!["Документ".to_owned(), "Заказ 5".to_owned()], true));
        let found = best(literal, "Cannot write Order \"a\".\".").unwrap();
        assert_eq!((found.parameters, found.whole), (vec!["Order".to_owned(), "a\".".to_owned()], true));
        assert_eq!(best(literal, "Не удалось прочитать"), None);
        let found = best("Поле [Имя] не заполнено", "Строка 3. Поле Цена не заполнено").unwrap();
        assert_eq!((found.parameters, found.whole), (vec!["Цена".to_owned()], false));
        assert_eq!(best("%1", "что угодно"), None);
        assert_eq!(fixed_parts("100% [а б] %Имя% %1%2"), ["100% [а б] ", " ", "", ""]);
    }

    #[test]
    fn nothing_panics_on_what_people_paste() {
        for text in
            ["{", "}{(", "{А(99999999999999999999)}", "%", "[", "[а", "%%%", "ru = '", "ru = 'а''", "я = 'б'", "{ (1)}"]
        {
            let _ = (frames(text).count(), best(text, text), best(text, "сообщение"), fixed_parts(text));
        }
    }
}
