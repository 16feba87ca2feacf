//! What the configuration is, and what a subsystem holds.

use serde_json::json;

use super::investigate::{Job, about};
use super::things::names_something;
use super::words::{holds, plain};

pub(super) static JOB: Job = Job {
    name: "overview",
    calls: |case, things| {
        let whole = holds(&plain(&case.question), "Configuration");
        if things.is_empty() && whole && !names_something(&case.question) {
            return vec![("configuration_overview", json!({ "section": "all" }))];
        }
        things.iter().filter(|thing| matches!(thing.kind.as_str(), "Subsystem" | "Configuration")).map(about).collect()
    },
};
