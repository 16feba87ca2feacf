//! Who refers to a thing: of code the calls, of metadata the references, with counts by kind.

use serde_json::json;

use super::investigate::Job;

/// Places that are asked for.
const PLACES: u32 = 80;

pub(super) static JOB: Job = Job {
    name: "refers",
    calls: |_, things| {
        things.iter().map(|thing| ("find_usages", json!({ "name": thing.name, "limit": PLACES }))).collect()
    },
};
