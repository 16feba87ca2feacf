//! How a user, a job or a service reaches a thing: chains from the ways in.

use serde_json::json;

use super::investigate::Job;

/// Ways in that are asked for.
pub(super) const WAYS: u32 = 10;

pub(super) static JOB: Job = Job {
    name: "reach",
    calls: |_, things| {
        things.iter().map(|thing| ("entry_points", json!({ "name": thing.name, "limit": WAYS }))).collect()
    },
};
