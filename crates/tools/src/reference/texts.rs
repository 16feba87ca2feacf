//! Short texts on the platform, one a file in `data/reference`; adding one touches that file and its row here.

use crate::tool::Topic;

/// A text on one subject.
#[derive(Debug)]
pub struct ReferenceText {
    /// Its name in calls.
    pub name: &'static str,
    /// Words that ask for it, folded; parts of words count.
    pub words: &'static [&'static str],
    /// Topics of questions that it is sent along with.
    pub topics: &'static [Topic],
    /// Markdown, in Russian; the first line is its title.
    pub text: &'static str,
}

impl ReferenceText {
    /// Its title.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

/// All texts.
pub const TEXTS: &[ReferenceText] = &[
    ReferenceText {
        name: "queries",
        words: &["запрос", "query", "queries", "соединени", "временн", "виртуальн"],
        topics: &[Topic::Queries],
        text: include_str!("../../data/reference/queries.md"),
    },
    ReferenceText {
        name: "forms",
        words: &["форм", "form", "реквизиты формы", "динамическ"],
        topics: &[Topic::Forms],
        text: include_str!("../../data/reference/forms.md"),
    },
    ReferenceText {
        name: "posting",
        words: &["проведени", "posting", "движени", "провест"],
        topics: &[Topic::Data],
        text: include_str!("../../data/reference/posting.md"),
    },
    ReferenceText {
        name: "registers",
        words: &["регистр", "register", "остатк", "срез"],
        topics: &[Topic::Data],
        text: include_str!("../../data/reference/registers.md"),
    },
    ReferenceText {
        name: "locks",
        words: &["блокиров", "lock"],
        topics: &[Topic::Data],
        text: include_str!("../../data/reference/locks.md"),
    },
    ReferenceText {
        name: "transactions",
        words: &["транзакц", "transaction"],
        topics: &[Topic::Data],
        text: include_str!("../../data/reference/transactions.md"),
    },
    ReferenceText {
        name: "dcs",
        words: &["скд", "компоновк", "отчет", "отчёт", "dcs", "report", "composition"],
        topics: &[Topic::Reports],
        text: include_str!("../../data/reference/dcs.md"),
    },
    ReferenceText {
        name: "extensions",
        words: &["расширени", "extension", "&вместо", "&перед", "&после", "изменениеиконтроль"],
        topics: &[Topic::Extensions],
        text: include_str!("../../data/reference/extensions.md"),
    },
    ReferenceText {
        name: "exchange",
        words: &["обмен", "exchange", "план обмена", "http", "веб-сервис", "интеграци"],
        topics: &[Topic::Integration],
        text: include_str!("../../data/reference/exchange.md"),
    },
    ReferenceText {
        name: "client_server",
        words: &["клиент", "сервер", "client", "server", "директив", "контекст"],
        topics: &[Topic::Code, Topic::Forms],
        text: include_str!("../../data/reference/client_server.md"),
    },
    ReferenceText {
        name: "background_jobs",
        words: &["фонов", "регламентн", "background", "scheduled", "длительн"],
        topics: &[Topic::Integration],
        text: include_str!("../../data/reference/background_jobs.md"),
    },
    ReferenceText {
        name: "rights",
        words: &["прав", "рол", "rls", "ограничени", "доступ", "right", "access"],
        topics: &[Topic::Rights],
        text: include_str!("../../data/reference/rights.md"),
    },
];

/// The texts that go with a topic.
pub fn texts_of(topic: Topic) -> impl Iterator<Item = &'static ReferenceText> {
    TEXTS.iter().filter(move |text| text.topics.contains(&topic))
}

/// The text that some words ask for: by its name, else by the earliest word of it that stands there.
pub fn text_for(asked: &str) -> Option<&'static ReferenceText> {
    let folded = bsl::fold(asked.trim());
    let by_name = TEXTS.iter().find(|text| text.name == folded || text.name.replace('_', " ") == folded);
    let place = |text: &ReferenceText| {
        let starts = |word: &&str| {
            // At the beginning of a word: `форм` is no part of «информация».
            folded.match_indices(*word).map(|(at, _)| at).find(|&at| {
                folded.get(..at).is_some_and(|before| !before.chars().next_back().is_some_and(char::is_alphanumeric))
            })
        };
        text.words.iter().filter_map(starts).min()
    };
    by_name.or_else(|| {
        TEXTS.iter().filter_map(|text| Some((place(text)?, text))).min_by_key(|(at, _)| *at).map(|(_, text)| text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_short_and_have_titles() {
        for text in TEXTS {
            let lines = text.text.lines().count();
            assert!((25..=60).contains(&lines), "{}: {lines} lines", text.name);
            assert!(text.text.starts_with("# ") && !text.title().is_empty(), "{}", text.name);
            let longest = text.text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(longest <= 320, "{}: a line of {longest} characters", text.name);
        }
    }

    #[test]
    fn words_lead_to_texts() {
        let name = |asked: &str| text_for(asked).map(|text| text.name);
        assert_eq!(name("Как написать запрос к регистру"), Some("queries"));
        assert_eq!(name("dcs"), Some("dcs"));
        assert_eq!(name("background jobs"), Some("background_jobs"));
        assert_eq!(name("блокировки"), Some("locks"));
        assert_eq!(name("информация"), None);
        assert_eq!(texts_of(Topic::Reports).map(|text| text.name).collect::<Vec<_>>(), ["dcs"]);
    }
}
