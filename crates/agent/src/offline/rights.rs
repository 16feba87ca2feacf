//! Which roles may do what with an object, and what a role may.

use serde_json::json;

use super::investigate::Job;

pub(super) static JOB: Job = Job {
    name: "rights",
    calls: |_, things| things.iter().map(|thing| ("role_rights", json!({ "name": thing.name }))).collect(),
};
