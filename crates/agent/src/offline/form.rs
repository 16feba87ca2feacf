//! What a form consists of, and what handles its events and commands.

use serde_json::{Value, json};

use super::evidence::text;
use super::investigate::Job;
use super::things::led_on;

/// Forms of one object that are looked at.
const FORMS: usize = 3;
/// Parts of a form that are told, and how many entries of each.
const PARTS: &[(&str, u32)] = &[("commands", 80), ("handlers", 200), ("attributes", 80)];

pub(super) static JOB: Job = Job {
    name: "form",
    calls: |case, things| {
        let objects = things.iter().filter(|thing| thing.kind != "method");
        let mut forms: Vec<String> = objects.map(|thing| thing.name.clone()).collect();
        // An object with several forms says which they are.
        let several: Vec<Value> = led_on(case, "form_structure").collect();
        for form in several.iter().map(|arguments| text(arguments, "name")) {
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
