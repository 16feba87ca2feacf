//! Event subscriptions of an object, or those that a method handles; all of them where nothing is named.

use serde_json::json;

use super::investigate::Job;
use super::things::names_something;

pub(super) static JOB: Job = Job {
    name: "subscriptions",
    calls: |case, things| {
        if things.is_empty() && !names_something(&case.question) {
            return vec![("event_subscriptions", json!({}))];
        }
        things.iter().map(|thing| ("event_subscriptions", json!({ "name": thing.name }))).collect()
    },
};
