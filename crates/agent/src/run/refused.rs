//! What checks refuse again and again.

use std::collections::HashMap;

use crate::toolbox::Refusal;

/// Counts refusals of one question.
#[derive(Clone, Debug, Default)]
pub(super) struct Refused {
    times: HashMap<String, u32>,
    for_person: Vec<Refusal>,
}

/// So many refusals of the same element, and it goes to the person.
const PATIENCE: u32 = 2;

impl Refused {
    /// Takes the refusals of one call; gives those that are the person's business from now on or are so already.
    pub(super) fn take(&mut self, refusals: Vec<Refusal>) -> Vec<Refusal> {
        let mut over = Vec::new();
        for refusal in refusals {
            let times = self.times.entry(refusal.element.to_lowercase()).or_default();
            *times += 1;
            if *times == PATIENCE {
                self.for_person.push(refusal.clone());
            }
            if *times >= PATIENCE {
                over.push(refusal);
            }
        }
        over
    }

    /// What the person has to decide.
    pub(super) fn for_person(&self) -> &[Refusal] {
        &self.for_person
    }
}
