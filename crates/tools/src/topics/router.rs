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

/// How many standard deviations above the mean of all a topic must be. Models of sentences call everything similar
/// (cosines of 0.8): only what stands out says something.
const STANDS_OUT: f32 = 1.0;

/// Deviations below this are noise.
const FLAT: f32 = 1e-4;

/// The topics, at most `most`, that a question is clearly nearer to than to the others; nearest first.
pub(super) fn nearest(question: &str, router: &mut dyn Router, most: usize) -> Vec<Topic> {
    let texts: Vec<&str> = DESCRIPTIONS.iter().map(|(_, text)| *text).collect();
    let Some(scores) = router.similarity(question, &texts).filter(|scores| scores.len() == texts.len()) else {
        return Vec::new();
    };
    // A topic is as near as the nearest of its descriptions.
    let mut best: Vec<(Topic, f32)> = Vec::new();
    for ((topic, _), score) in DESCRIPTIONS.iter().zip(scores) {
        match best.iter_mut().find(|(known, _)| known == topic) {
            Some((_, known)) => *known = known.max(score),
            None => best.push((*topic, score)),
        }
    }
    let count = best.len().max(1) as f32;
    let mean = best.iter().map(|(_, score)| score).sum::<f32>() / count;
    let deviation = (best.iter().map(|(_, score)| (score - mean).powi(2)).sum::<f32>() / count).sqrt();
    best.retain(|(_, score)| deviation > FLAT && *score >= mean + STANDS_OUT * deviation);
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best.into_iter().take(most).map(|(topic, _)| topic).collect()
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
        assert_eq!(topics("Кто вызывает?", &mut Near(&["security", "buttons"])).len(), 3, "words, and one guess");
        let usual = [Topic::General, Topic::Code, Topic::Data];
        assert_eq!(topics("Что это?", &mut Near(&[])), usual);
        assert_eq!(topics("Что это?", &mut Silent), usual);
    }
}
