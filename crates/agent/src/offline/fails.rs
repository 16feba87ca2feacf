//! Why a report fails: what in its schema causes a message of the platform.

use serde_json::{Value, json};

use super::investigate::Job;
use super::things::led_on;

/// Schemas of one report that are looked at.
const SCHEMAS: usize = 3;

pub(super) static JOB: Job = Job {
    name: "fails",
    calls: |case, things| {
        let with = |name: &str| ("dcs_validate", json!({ "name": name, "message": case.written }));
        let schemas = things.iter().filter(|thing| matches!(thing.kind.as_str(), "Report" | "Template"));
        let mut calls: Vec<_> = schemas.map(|thing| with(&thing.name)).collect();
        // A report with several schemas says which they are.
        let several = led_on(case, "dcs_validate").take(SCHEMAS);
        calls.extend(several.filter_map(|next| Some(with(next.get("name").and_then(Value::as_str)?))));
        calls
    },
};
