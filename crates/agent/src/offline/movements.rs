//! Which documents move a register, and which registers a document moves.

use serde_json::json;

use super::investigate::Job;

pub(super) static JOB: Job = Job {
    name: "movements",
    calls: |_, things| {
        let moves = things.iter().filter(|thing| thing.kind == "Document" || thing.kind.ends_with("Register"));
        moves.map(|thing| ("register_movements", json!({ "name": thing.name }))).collect()
    },
};
