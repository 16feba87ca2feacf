//! What a question is about, and which tools are sent with it.
//!
//! A question gets its topics from its words (`data/topic_words.tsv`), from what is open in the editor and what it names
//! in full (`data/topic_places.tsv`), and, where there is a model, from the descriptions that it is near to
//! (`data/topics.tsv`). A tool is sent if it is a general one, if one of its topics (`data/tool_topics.tsv`) is among
//! those, or if a word asks for it. Which tools are sent is no promise: what was left out can be asked for by name.

mod places;
mod router;
mod words;

use std::sync::LazyLock;

pub use router::Router;
pub use words::is_name;

use crate::tool::{Tool, Topic};

/// What is asked, and where.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question<'a> {
    /// The question.
    pub text: &'a str,
    /// The question before it: what a question is about that says nothing of it ("and who else?").
    pub before: Option<&'a str>,
    /// Full names or files that are open in the editor.
    pub open: &'a [String],
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    topics: Vec<Topic>,
    asked: Vec<&'static str>,
}

impl Choice {
    /// Its topics, in the order of [`Topic::ALL`]; the general one is among them.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Whether a tool is sent with the question.
    pub fn takes(&self, tool: &Tool) -> bool {
        self.takes_named(tool.name)
    }

    /// As [`Choice::takes`], for the name of a tool of the contract.
    pub fn takes_named(&self, tool: &str) -> bool {
        let of_topic = || of_tool(tool).unwrap_or_default().iter().any(|topic| self.topics.contains(topic));
        self.asked.contains(&tool) || of_topic()
    }
}

/// What most questions are about, where nothing else is known.
const USUAL: [Topic; 2] = [Topic::Code, Topic::Data];

/// Topics whose own tools do what another's would: a report is changed by operations on its schema, its queries and data
/// are looked at there.
const COVERS: &[(Topic, &[Topic])] = &[(Topic::Reports, &[Topic::Edits, Topic::Queries, Topic::Data])];

/// Words of a question that is too short to say what it is about ("and who else?"): what went before it, or is open, says more.
const SHORT: usize = 3;

/// What a question is about. With a router it may load a model: seconds, the first time.
pub fn choose(question: &Question<'_>, mut router: Option<&mut dyn Router>) -> Choice {
    let mut near = |text: &str, said: &[Topic]| match &mut router {
        Some(router) if said.is_empty() => router::alone(text, *router),
        Some(router) => router::beside(text, said, *router).into_iter().collect(),
        None => Vec::new(),
    };
    // What words say is sure, what is near is a guess: it adds to the words, and stands alone only without them.
    let mut said = words::of(question.text);
    let mut guessed: Vec<Topic> = Vec::new();
    let is_short = question.text.split_whitespace().count() <= SHORT;
    if !said.topics.is_empty() || !is_short {
        guessed = near(question.text, &said.topics);
    }
    if let Some(before) = question.before
        && said.topics.is_empty()
        && guessed.is_empty()
    {
        let earlier = words::of(before);
        said.topics = earlier.topics;
        said.tools.extend(earlier.tools);
        if said.topics.is_empty() {
            guessed = near(before, &[]);
        }
    }
    if said.topics.is_empty() && guessed.is_empty() {
        said.topics.extend(question.open.iter().flat_map(|place| places::of(place)));
    }
    if said.topics.is_empty() && guessed.is_empty() {
        guessed = near(question.text, &[]);
    }
    let mut topics = [said.topics.as_slice(), &guessed].concat();
    if topics.is_empty() {
        topics.extend(USUAL);
    }
    // A guess takes nothing away.
    for (_, covered) in COVERS.iter().filter(|(topic, _)| said.topics.contains(topic)) {
        topics.retain(|other| !covered.contains(other));
    }
    topics.push(Topic::General);
    let topics = Topic::ALL.into_iter().filter(|topic| topics.contains(topic)).collect();
    Choice { topics, asked: said.tools }
}

/// The topics of a tool of the contract; `None`: no such tool.
pub fn of_tool(name: &str) -> Option<&'static [Topic]> {
    TOOLS.iter().find(|(tool, _)| *tool == name).map(|(_, topics)| topics.as_slice())
}

/// Names of the tools of the contract, in its order.
pub fn tools() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|(tool, _)| *tool)
}

static TOOLS: LazyLock<Vec<(&'static str, Vec<Topic>)>> = LazyLock::new(|| {
    let row = |line: &'static str| line.split_once('\t').map(|(tool, topics)| (tool, topics_of(topics)));
    rows(include_str!("../../data/tool_topics.tsv")).filter_map(row).collect()
});

/// Rows of a data file, without comments and the head.
fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1)
}

/// Topics between blanks.
fn topics_of(words: &str) -> Vec<Topic> {
    words.split_whitespace().filter_map(Topic::from_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn topics(question: &Question<'_>) -> Vec<Topic> {
        choose(question, None).topics
    }

    #[test]
    fn every_tool_has_a_row_with_known_topics() {
        assert_eq!(TOOLS.len(), 71);
        for tool in Registry::default().iter() {
            assert!(of_tool(tool.name).is_some(), "{}: no row in tool_topics.tsv", tool.name);
        }
        for line in rows(include_str!("../../data/tool_topics.tsv")) {
            let (tool, words) = line.split_once('\t').unwrap();
            let known = words.split_whitespace().filter(|word| Topic::from_word(word).is_some()).count();
            assert!(words == "-" || known == words.split_whitespace().count(), "{tool}: {words}");
        }
    }

    #[test]
    fn words_then_the_question_before_then_what_is_open_then_the_usual() {
        let open = ["Role.Администратор".to_owned()];
        let asks = |text, before, open| topics(&Question { text, before, open });
        assert_eq!(asks("Кто вызывает этот метод?", None, &open), [Topic::General, Topic::Code]);
        assert_eq!(asks("А ещё?", Some("В каких ролях он есть?"), &[]), [Topic::General, Topic::Rights]);
        assert_eq!(asks("Добавь поле в отчёт", None, &[]), [Topic::General, Topic::Reports]);
        assert_eq!(asks("Что это?", None, &open), [Topic::General, Topic::Rights]);
        assert_eq!(asks("Что это?", None, &[]), [Topic::General, Topic::Code, Topic::Data]);
    }

    #[test]
    fn a_word_asks_for_a_tool_beyond_its_topics() {
        let choice = choose(
            &Question {
                text: "Покажи методы, которые работают по расписанию", ..Question::default()
            },
            None,
        );
        assert!(choice.takes_named("scheduled_jobs") && choice.takes_named("callers"));
        assert!(!choice.takes_named("dcs_outline") && !choice.takes_named("no_such_tool"));
    }
}
