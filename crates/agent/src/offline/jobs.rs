//! Which method a scheduled job runs, which job runs a method, itself or through others; of a subsystem, the jobs in it; all jobs
//! where nothing is named.

use serde_json::json;

use super::evidence::{list, text};
use super::investigate::Job;
use super::things::names_something;

/// Ways in that are asked for.
const WAYS: u32 = 10;
/// Jobs of a subsystem that are asked for.
const JOBS: u32 = 20;

pub(super) static JOB: Job = Job {
    name: "jobs",
    calls: |case, things| {
        let jobs = things.iter().filter(|thing| matches!(thing.kind.as_str(), "ScheduledJob" | "method"));
        let mut calls: Vec<_> = jobs.map(|job| ("scheduled_jobs", json!({ "name": job.name }))).collect();
        let methods = things.iter().filter(|thing| thing.kind == "method");
        calls.extend(methods.map(|method| ("entry_points", json!({ "name": method.name, "limit": WAYS }))));
        if calls.is_empty()
            && let Some(subsystem) = things.iter().find(|thing| thing.kind == "Subsystem")
        {
            let inside = json!({ "kind": "ScheduledJob", "subsystem": subsystem.name, "limit": JOBS });
            match case.of("list_objects").next() {
                None => calls.push(("list_objects", inside)),
                Some(found) => calls.extend(
                    list(&found.value, "objects")
                        .iter()
                        .map(|job| ("scheduled_jobs", json!({ "name": text(job, "full_name") }))),
                ),
            }
        }
        if things.is_empty() && !names_something(&case.question) {
            calls.push(("scheduled_jobs", json!({})));
        }
        calls
    },
};
