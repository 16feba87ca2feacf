//! How two objects can be joined in a query; with a method among them, the chain of calls from one to the other.

use serde_json::json;

use super::investigate::{Ask, Job};
use super::things::Thing;

/// Ways that are asked for.
const WAYS: u32 = 5;

pub(super) static JOB: Job = Job {
    name: "relation",
    calls: |_, things| match things {
        [from, rest @ ..] => rest.iter().take(2).map(|to| way(from, to)).collect(),
        [] => Vec::new(),
    },
};

fn way(from: &Thing, to: &Thing) -> Ask {
    let ends = json!({ "from": from.name, "to": to.name });
    if from.kind == "method" || to.kind == "method" {
        return ("call_path", ends);
    }
    ("relation_path", json!({ "from": from.name, "to": to.name, "limit": WAYS }))
}
