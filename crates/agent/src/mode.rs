//! What an agent may do with a question.

/// What an agent may do with a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Looks and answers: read tools only.
    #[default]
    Question,
    /// Looks, and ends in a plan that a person can follow: read tools only.
    Plan,
    /// May propose edits. They stay pending until a person applies them.
    Agent,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Question, Self::Plan, Self::Agent];

    /// Its word on the command line and in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Plan => "plan",
            Self::Agent => "agent",
        }
    }

    /// The mode of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// Whether write tools may be called.
    pub fn may_write(self) -> bool {
        self == Self::Agent
    }
}

/// Whether an answer ends in a plan: two numbered steps at least.
pub(crate) fn has_plan(answer: &str) -> bool {
    let numbered = |line: &&str| {
        let rest = line.trim_start().trim_start_matches(['#', '*', ' ']);
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        after.len() < rest.len() && after.starts_with(['.', ')'])
    };
    answer.lines().filter(numbered).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_back() {
        assert!(Mode::ALL.into_iter().all(|mode| Mode::from_word(mode.word()) == Some(mode)));
        assert_eq!(Mode::from_word("edit"), None);
        assert!(Mode::Agent.may_write() && !Mode::Plan.may_write() && !Mode::Question.may_write());
    }

    #[test]
    fn what_counts_as_a_plan() {
        assert!(has_plan("План:\n1. Изменить метод\n2. Проверить вызовы"));
        assert!(has_plan("### 1) Один\nтекст\n**2.** Два"));
        assert!(!has_plan("1. Один шаг"));
        assert!(!has_plan("В 2 местах, строки 10.\n- раз\n- два"));
    }
}
