//! What a conversation says: the question, its language and subject, and what the calls so far gave.

use serde_json::Value;
use tools::topics::is_name;

use super::{INVESTIGATIONS, Investigation, Speech, errors, investigate, search, what_is};
use crate::message::{Arguments, Message};
use crate::prompt::SYSTEM_MARK;

/// A question with what is known so far.
pub(super) struct Case {
    pub(super) investigation: &'static Investigation,
    pub(super) speech: Speech,
    /// As the person wrote it, without a long quotation that turned out to be a text in the code: its words ask for nothing.
    pub(super) question: String,
    /// As the person wrote it.
    pub(super) written: String,
    /// What is asked about: a name or a phrase.
    pub(super) subject: String,
    /// Results so far, in order.
    pub(super) results: Vec<Found>,
}

/// A result of a tool.
pub(super) struct Found {
    pub(super) tool: String,
    /// The result; `null` where it is none that can be read.
    pub(super) value: Value,
    pub(super) arguments: Value,
}

impl Case {
    pub(super) fn read(messages: &[Message]) -> Self {
        let is_question =
            |message: &Message| matches!(message, Message::User { content } if !content.starts_with(SYSTEM_MARK));
        let start = messages.iter().rposition(is_question).unwrap_or(0);
        let question = match messages.get(start) {
            Some(Message::User { content }) => content.as_str(),
            _ => "",
        };
        let mut calls = std::collections::HashMap::new();
        let mut results = Vec::new();
        for message in messages.get(start..).unwrap_or_default() {
            match message {
                Message::Assistant { calls: asked, .. } => {
                    calls.extend(asked.iter().map(|call| (call.id.as_str(), &call.arguments)));
                }
                Message::Tool { call_id, name, content } => {
                    let arguments = match calls.get(call_id.as_str()) {
                        Some(Arguments::Object(value)) => value.clone(),
                        _ => Value::Null,
                    };
                    let value = serde_json::from_str(content).unwrap_or(Value::Null);
                    results.push(Found { tool: name.clone(), value, arguments });
                }
                _ => {}
            }
        }
        let written = question;
        let question = errors::without_texts(question, &results);
        let question = question.as_str();
        let chosen = INVESTIGATIONS.iter().find_map(|investigation| {
            let fits = investigation
                .triggers
                .iter()
                .find_map(|(speech, trigger)| Some((*speech, remainder(question, trigger)?)));
            // Words that ask for more than what a thing is, or than who calls it, go before.
            let only = || match std::ptr::eq(*investigation, &what_is::INVESTIGATION) {
                true => !investigate::fits(question),
                false => !investigate::more_than_calls(question),
            };
            fits.filter(|_| only()).map(|(speech, rest)| (*investigation, speech, rest))
        });
        let (investigation, speech, rest) =
            chosen.unwrap_or_else(|| (&search::INVESTIGATION, language_of(question), question.to_owned()));
        Self {
            investigation,
            speech,
            question: question.to_owned(),
            written: written.to_owned(),
            subject: subject(&rest),
            results,
        }
    }

    /// Results of one tool.
    pub(super) fn of<'a>(&'a self, tool: &'a str) -> impl Iterator<Item = &'a Found> {
        self.results.iter().filter(move |found| found.tool == tool)
    }

    pub(super) fn say(&self, ru: &str, en: &str) -> String {
        match self.speech {
            Speech::Russian => ru.to_owned(),
            Speech::English => en.to_owned(),
        }
    }

    /// What to say when the turns are used up before the last step.
    pub(super) fn unfinished(&self) -> String {
        match (self.results.is_empty(), self.investigation.step) {
            (false, step) => match step(self) {
                super::Step::Answer(text) => text,
                super::Step::Call(_) => {
                    self.say("Ходов не хватило, ответ не закончен.", "The turns were used up before the answer.")
                }
            },
            (true, _) => self.say("Ходов не хватило, ничего не найдено.", "The turns were used up, nothing was found."),
        }
    }
}

/// The question without the words of a trigger; `None` if the trigger doesn't fit. `…` in a trigger stands for anything.
fn remainder(question: &str, trigger: &str) -> Option<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let plain: Vec<String> =
        words.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()).collect();
    let mut used = vec![false; words.len()];
    let mut from = 0;
    for part in trigger.split('…') {
        let part: Vec<&str> = part.split_whitespace().collect();
        let at = (from..=plain.len().checked_sub(part.len())?).find(|&at| {
            plain.get(at..at + part.len()).is_some_and(|window| window.iter().zip(&part).all(|(a, b)| a == b))
        })?;
        used.iter_mut().skip(at).take(part.len()).for_each(|used| *used = true);
        from = at + part.len();
    }
    Some(words.iter().zip(used).filter(|(_, used)| !used).map(|(word, _)| *word).collect::<Vec<_>>().join(" "))
}

/// Words that may stand around a name and are no part of it.
const FILLERS: &[&str] = &[
    "метод",
    "метода",
    "методы",
    "методом",
    "функция",
    "функцию",
    "функции",
    "процедура",
    "процедуру",
    "процедуры",
    "объект",
    "объекта",
    "этот",
    "эта",
    "это",
    "мне",
    "модуль",
    "модуля",
    "пожалуйста",
    "покажи",
    "скажи",
    "расскажи",
    "the",
    "a",
    "an",
    "method",
    "function",
    "procedure",
    "object",
    "module",
    "please",
    "me",
    "show",
    "tell",
    "is",
    "are",
];

/// What a question is about: what stands in quotes; else the word that looks most like an identifier; else its words.
fn subject(rest: &str) -> String {
    for (open, close) in [('«', '»'), ('`', '`'), ('"', '"'), ('“', '”'), ('\'', '\'')] {
        if let Some((_, after)) = rest.split_once(open)
            && let Some((inside, _)) = after.split_once(close)
            && !inside.trim().is_empty()
        {
            return without_call(inside.trim()).to_owned();
        }
    }
    let words: Vec<&str> = rest
        .split_whitespace()
        .map(|word| without_call(word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '(' | ')'))))
        .filter(|word| !word.is_empty())
        .collect();
    if let Some(identifier) = words.iter().filter(|word| is_name(word)).max_by_key(|word| word.matches('.').count()) {
        return (*identifier).to_owned();
    }
    let telling: Vec<&str> =
        words.iter().copied().filter(|word| !FILLERS.contains(&word.to_lowercase().as_str())).collect();
    telling.join(" ")
}

/// A name without the brackets of a call after it.
fn without_call(word: &str) -> &str {
    word.split('(').next().unwrap_or(word).trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Russian if the question has Cyrillic words beside identifiers, or nothing else to go by.
fn language_of(question: &str) -> Speech {
    let plain =
        || question.split_whitespace().filter(|word| !is_name(word.trim_matches(|c: char| !c.is_alphanumeric())));
    let latin = plain().filter(|word| word.chars().any(|c| c.is_ascii_alphabetic())).count();
    let cyrillic = plain().filter(|word| word.chars().any(|c| matches!(c, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё'))).count();
    if latin > cyrillic { Speech::English } else { Speech::Russian }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> (String, Speech, bool) {
        let case = Case::read(&[Message::user(question), Message::user("[СИСТЕМА] Ход 1 из 30, осталось 29")]);
        let fallback = std::ptr::eq(case.investigation, &search::INVESTIGATION);
        (case.subject, case.speech, fallback)
    }

    #[test]
    fn subjects_and_languages() {
        let cases = [
            ("Кто вызывает ОбщегоНазначения.ОбщийМодуль?", "ОбщегоНазначения.ОбщийМодуль", Speech::Russian, false),
            (
                "Who calls the method ОбщегоНазначения.ОбщийМодуль()?",
                "ОбщегоНазначения.ОбщийМодуль",
                Speech::English,
                false,
            ),
            ("Откуда вызывается процедура «ПриЗаписи»", "ПриЗаписи", Speech::Russian, false),
            ("Where is `Найти` called from?", "Найти", Speech::English, false),
            ("Что такое Справочник.Валюты?", "Справочник.Валюты", Speech::Russian, false),
            ("Что такое документ реализации товаров", "документ реализации товаров", Speech::Russian, false),
            ("What is Catalog.Валюты?", "Catalog.Валюты", Speech::English, false),
            ("как проверяется срок оплаты", "как проверяется срок оплаты", Speech::Russian, true),
            ("how are prices set", "how prices set", Speech::English, true),
        ];
        for (question, subject, speech, fallback) in cases {
            assert_eq!(read(question), (subject.to_owned(), speech, fallback), "{question}");
        }
    }

    #[test]
    fn the_question_is_the_last_message_of_the_person() {
        let messages = [
            Message::user("Что такое А.Б?"),
            Message::Assistant { content: "ничего".into(), calls: Vec::new() },
            Message::user("[СИСТЕМА] Уже проверено: …"),
            Message::user("Кто вызывает В.Г?"),
            Message::user("[СИСТЕМА] Ход 1 из 30, осталось 29"),
        ];
        assert_eq!(Case::read(&messages).subject, "В.Г");
    }
}
