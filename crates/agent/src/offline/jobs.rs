//! Which method a scheduled job runs; of a subsystem, the jobs in it.

use serde_json::json;

use super::investigate::Job;

pub(super) static JOB: Job = Job {
    name: "jobs",
    calls: |_, things| {
        let jobs = things.iter().filter(|thing| matches!(thing.kind.as_str(), "ScheduledJob" | "method"));
        let mut calls: Vec<_> = jobs.map(|job| ("scheduled_jobs", json!({ "name": job.name }))).collect();
        if calls.is_empty()
            && let Some(subsystem) = things.iter().find(|thing| thing.kind == "Subsystem")
        {
            calls.push(("list_objects", json!({ "kind": "ScheduledJob", "subsystem": subsystem.name, "limit": 100 })));
            calls.push(("scheduled_jobs", json!({ "limit": 300 })));
        }
        calls
    },
};
