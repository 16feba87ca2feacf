//! What a form consists of, and what handles its events and commands.

use serde_json::{Value, json};

use super::evidence::text;
use super::investigate::Job;
use super::things::led_on;
use super::words::{stems, telling};

/// Forms of one object that are looked at.
const FORMS: usize = 3;
/// Parts of a form that are told, and how many entries of each.
const PARTS: &[(&str, u32)] = &[("commands", 80), ("handlers", 200), ("attributes", 80)];

pub(super) static JOB: Job = Job {
    name: "form",
    calls: |case, things| {
        let objects = things.iter().filter(|thing| thing.kind != "method");
        let mut forms: Vec<String> = objects.clone().map(|thing| thing.name.clone()).collect();
        // An object with several forms says which they are.
        let several: Vec<Value> = led_on(case, "form_structure").collect();
        let several: Vec<&str> = several.iter().map(|arguments| text(arguments, "name")).collect();
        // Of many forms those that the question speaks of; if it speaks of none, their list says more than what is in some.
        let words = telling(&case.question);
        let spoken = |form: &&str| {
            let stems = stems(form.rsplit('.').next().unwrap_or_default());
            words.iter().filter(|word| stems.iter().any(|stem| word.is(stem))).count()
        };
        let most = several.iter().map(spoken).max().unwrap_or_default();
        let meant: Vec<&str> =
            several.iter().copied().filter(|form| several.len() <= FORMS || spoken(form) == most).collect();
        let is_list = several.len() > FORMS && meant.len() > FORMS;
        if is_list {
            return objects.map(|thing| ("read_metadata", json!({ "name": thing.name }))).collect();
        }
        for form in meant {
            if forms.len() <= FORMS && !forms.iter().any(|known| known == form) {
                forms.push(form.to_owned());
            }
        }
        let part = |form: &str, (part, limit): &(&str, u32)| {
            ("form_structure", json!({ "name": form, "part": part, "limit": limit }))
        };
        forms.iter().flat_map(|form| PARTS.iter().map(move |one| part(form, one))).collect()
    },
};
