//! Which roles may do what with an object, and what a role may.

use serde_json::json;

use super::investigate::Job;
use super::words::{first_held, plain};

/// Rights that a question's words name: each is a sort of word, and a right of the platform.
const RIGHTS: &[&str] = &["Delete", "Posting", "Insert", "Update", "Read"];

pub(super) static JOB: Job = Job {
    name: "rights",
    calls: |case, things| {
        let right = first_held(&plain(&case.question), RIGHTS);
        let mut calls = Vec::new();
        for thing in things.iter().filter(|thing| thing.kind != "method") {
            if let Some(right) = right.filter(|_| thing.kind != "Role") {
                calls.push(("role_rights", json!({ "name": thing.name, "right": right })));
            }
            calls.push(("role_rights", json!({ "name": thing.name })));
        }
        calls
    },
};
