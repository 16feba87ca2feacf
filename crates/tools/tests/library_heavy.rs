//! The heaviest calls of every tool on the Standard Subsystems Library: their ceilings, and scans that time cuts short. How long they take
//! is measured by `metascope bench tools`.

mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use metascope_tools::heavy::{HeavyCall, Work, heavy_calls};
use metascope_tools::{Class, Registry, Stop};
use serde_json::Value;
use support::Project;

/// Makes the calls, each on changes that are empty else; the ceiling is checked by `call`.
fn results(project: &Project, calls: &[HeavyCall]) -> Vec<(bool, Option<&'static str>, Value)> {
    let edits = project.tools().location().sibling("edits");
    let result = |call: &HeavyCall| {
        let _ = std::fs::remove_dir_all(&edits);
        if let Some((tool, arguments)) = &call.before {
            project.call(tool, arguments.clone());
        }
        let result = project.call(call.tool, call.arguments.clone());
        let content = serde_json::from_str(&result.content);
        (result.ok, result.code, content.unwrap_or_else(|error| panic!("{}: no JSON: {error}", call.tool)))
    };
    calls.iter().map(result).collect()
}

#[test]
#[ignore = "corpus"]
fn every_tool_keeps_its_ceiling_on_the_heaviest_calls_and_a_scan_stops_at_its_limit() {
    let project = Project::library();
    let heavy = heavy_calls(&project.index()).expect("the calls are chosen");
    assert_eq!(heavy.absent, [], "the library has everything");
    let class = |tool: &str| Registry::default().get(tool).expect("a tool").class;
    for (call, (ok, code, content)) in heavy.calls.iter().zip(results(project, &heavy.calls)) {
        // The vendor locks the library: what would change it is refused after everything was looked at.
        let refused = class(call.tool) == Class::Write || call.before.is_some();
        assert!(ok || refused || call.tool == "sql_select", "{} {}: {code:?} {content}", call.tool, call.arguments);
    }

    // Without any time every scan answers at once, with a state that says how far it got.
    let hasty = project.tools().with_scan_time(Duration::ZERO);
    let mut stopped = BTreeSet::new();
    for call in &heavy.calls {
        let result = hasty.call(call.tool, &call.arguments, &Stop::default());
        let content: Value = serde_json::from_str(&result.content).expect("JSON");
        let reasons = content["state"]["reasons"].as_array().cloned().unwrap_or_default();
        let late = |reason: &Value| reason.as_str().is_some_and(|reason| reason.starts_with("время вышло"));
        if reasons.iter().any(late) || result.code == Some("sql") {
            assert_eq!(Work::of_tool(call.tool), Some(Work::Scan), "{}: {content}", call.tool);
            assert_ne!(content["state"]["complete"], true, "{}", call.tool);
            stopped.insert(call.tool);
        }
    }
    // A change of a part of the places would be a wrong one: it is looked for to the end.
    let scans = Registry::default().iter().filter(|tool| tool.class == Class::Read);
    let scans: BTreeSet<&str> =
        scans.map(|tool| tool.name).filter(|name| Work::of_tool(name) == Some(Work::Scan)).collect();
    assert_eq!(stopped, scans);
}
