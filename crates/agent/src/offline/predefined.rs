//! The predefined items of an object.

use serde_json::json;

use super::investigate::Job;

/// Kinds of objects that have them.
const OWNERS: &[&str] = &["Catalog", "ChartOfAccounts", "ChartOfCharacteristicTypes", "ChartOfCalculationTypes"];

pub(super) static JOB: Job = Job {
    name: "predefined",
    calls: |_, things| {
        let owners = things.iter().filter(|thing| OWNERS.contains(&thing.kind.as_str()));
        owners.map(|thing| ("predefined_items", json!({ "name": thing.name }))).collect()
    },
};
