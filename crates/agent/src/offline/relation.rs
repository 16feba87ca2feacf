//! How two objects can be joined in a query.

use serde_json::json;

use super::investigate::Job;

pub(super) static JOB: Job = Job {
    name: "relation",
    calls: |_, things| match things {
        [from, rest @ ..] => rest
            .iter()
            .take(2)
            .map(|to| ("relation_path", json!({ "from": from.name, "to": to.name, "limit": 5 })))
            .collect(),
        [] => Vec::new(),
    },
};
