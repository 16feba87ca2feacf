//! Topics by meaning: which descriptions a question is near to.

use std::sync::LazyLock;

use index::search::Meaning;

use super::rows;
use crate::tool::Topic;

/// Says how near texts are to a question.
pub trait Router {
    /// How near each text is, in the order of the texts; any scale on which more is nearer. `None`: nothing can say.
    fn similarity(&mut self, question: &str, texts: &[&str]) -> Option<Vec<f32>>;
}

impl Router for Meaning {
    fn similarity(&mut self, question: &str, texts: &[&str]) -> Option<Vec<f32>> {
        Meaning::similarity(self, question, texts).ok()
    }
}

static DESCRIPTIONS: LazyLock<Vec<(Topic, &'static str)>> = LazyLock::new(|| {
    let row = |line: &'static str| line.split_once('\t').and_then(|(word, text)| Some((Topic::from_word(word)?, text)));
    rows(include_str!("../../data/topics.tsv")).filter_map(row).collect()
});

/// Topics that a question is alike to within this are not told apart. Models of sentences call everything alike (cosines of 0.8): how
/// far apart topics are says more than how near one is. Chosen on half of the questions of the tests, as was [`MOST`].
const CLOSE: f32 = 0.015;

/// Topics that are guessed of a question whose words say none.
const MOST: usize = 2;

/// So many of a topic's texts say how near it is: the nearest alone may be so by chance.
const NEAREST: usize = 2;

/// Differences below this are noise: nothing stands out.
const FLAT: f32 = 1e-4;

/// The topics that a question whose words say none is nearest to.
pub(super) fn alone(question: &str, router: &mut dyn Router) -> Vec<Topic> {
    let near = scores(question, router);
    let best = near.first().map_or(0.0, |(_, score)| *score);
    near.into_iter().take(MOST).filter(|(_, score)| best - score <= CLOSE).map(|(topic, _)| topic).collect()
}

/// A topic that a question is clearly nearer to than to each of those that its words say.
pub(super) fn beside(question: &str, said: &[Topic], router: &mut dyn Router) -> Option<Topic> {
    let near = scores(question, router);
    let (topic, best) = *near.first()?;
    near.iter().all(|(other, score)| !said.contains(other) || best - score > CLOSE).then_some(topic)
}

/// How near each topic is, nearest first; empty if none stands out.
fn scores(question: &str, router: &mut dyn Router) -> Vec<(Topic, f32)> {
    let texts: Vec<&str> = DESCRIPTIONS.iter().map(|(_, text)| *text).collect();
    let Some(scores) = router.similarity(question, &texts).filter(|scores| scores.len() == texts.len()) else {
        return Vec::new();
    };
    let mut near: Vec<(Topic, f32)> = Vec::new();
    for topic in Topic::ALL {
        let own = DESCRIPTIONS.iter().zip(&scores).filter(|((of, _), _)| *of == topic).map(|(_, score)| *score);
        let mut own: Vec<f32> = own.collect();
        own.sort_by(|a, b| b.total_cmp(a));
        own.truncate(NEAREST);
        if !own.is_empty() {
            near.push((topic, own.iter().sum::<f32>() / own.len() as f32));
        }
    }
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    let is_flat = match (near.first(), near.last()) {
        (Some((_, best)), Some((_, worst))) => best - worst < FLAT,
        _ => true,
    };
    if is_flat { Vec::new() } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topics::{Question, choose};

    /// Near to the descriptions that hold a word.
    struct Near(&'static [&'static str]);

    impl Router for Near {
        fn similarity(&mut self, _question: &str, texts: &[&str]) -> Option<Vec<f32>> {
            let near = |text: &&str| self.0.iter().any(|word| text.contains(word));
            Some(texts.iter().map(|text| if near(text) { 0.88 } else { 0.8 }).collect())
        }
    }

    struct Silent;

    impl Router for Silent {
        fn similarity(&mut self, _question: &str, _texts: &[&str]) -> Option<Vec<f32>> {
            None
        }
    }

    #[test]
    fn what_stands_out_is_added_and_a_flat_field_says_nothing() {
        let topics = |text, router: &mut dyn Router| {
            choose(&Question { text, ..Question::default() }, Some(router)).topics().to_vec()
        };
        assert_eq!(topics("Кто это видит?", &mut Near(&["security"])), [Topic::General, Topic::Rights]);
        let both = [Topic::General, Topic::Forms, Topic::Rights];
        assert_eq!(topics("Что это?", &mut Near(&["security", "buttons"])), both);
        let one_more = [Topic::General, Topic::Code, Topic::Rights];
        assert_eq!(
            topics("Кто вызывает?", &mut Near(&["security"])),
            one_more,
            "words, and a guess that is clearly nearer"
        );
        let sure = [Topic::General, Topic::Code];
        assert_eq!(
            topics("Кто вызывает?", &mut Near(&["security", "procedure"])),
            sure,
            "one that is as near adds nothing"
        );
        let usual = [Topic::General, Topic::Code, Topic::Data];
        assert_eq!(topics("Что это?", &mut Near(&[])), usual);
        assert_eq!(topics("Что это?", &mut Silent), usual);
    }
}
