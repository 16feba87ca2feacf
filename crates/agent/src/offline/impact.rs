//! What uses a thing and what breaks without it: references and calls of every channel, and strings that hold its name.

use serde_json::json;

use super::investigate::Job;

/// Breaks that are asked for.
const BREAKS: u32 = 60;

pub(super) static JOB: Job = Job {
    name: "impact",
    calls: |_, things| {
        let mut calls = Vec::new();
        for thing in things {
            calls.push(("impact_analysis", json!({ "name": thing.name, "depth": 2, "limit": BREAKS })));
            // A name made of several words is seldom anything else's: strings that hold it may be uses.
            let last = thing.name.rsplit('.').next().unwrap_or_default();
            if thing.kind == "method" || last.chars().filter(|c| c.is_uppercase()).count() > 1 {
                calls.push(("literal_search", json!({ "text": last, "limit": 30 })));
            }
            if thing.kind == "FunctionalOption" {
                calls.push(super::investigate::about(thing));
            }
        }
        calls.dedup();
        calls
    },
};
