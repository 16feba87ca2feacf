//! Who calls the methods that a question names.

use serde_json::json;

use super::investigate::Job;

/// Callers that are asked for.
const CALLERS: u32 = 60;

pub(super) static JOB: Job = Job {
    name: "calls",
    calls: |_, things| {
        let called = things.iter().filter(|thing| matches!(thing.kind.as_str(), "method" | "CommonModule"));
        called.map(|thing| ("callers", json!({ "name": thing.name, "limit": CALLERS }))).collect()
    },
};
