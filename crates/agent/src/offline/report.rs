//! The anatomy of a report: data sets, queries, fields, parameters.

use serde_json::{Value, json};

use super::case::Case;
use super::covered;
use super::evidence::{list, text};
use super::investigate::{Ask, Job};
use super::things::{Thing, asks_for};

pub(super) static JOB: Job = Job { name: "report", calls };

/// The handlers in which a report's code makes its rows, in both languages of code.
const FILLS: [&str; 2] = ["ПриКомпоновкеРезультата", "OnComposeResult"];
/// Calls of a report's code that are asked for.
const CALLS: u32 = 60;
/// Reports that one question looks into.
const REPORTS: usize = 2;

fn calls(case: &Case, things: &[Thing]) -> Vec<Ask> {
    let mut reports: Vec<&str> =
        things.iter().filter(|thing| thing.kind == "Report").map(|thing| thing.name.as_str()).collect();
    if reports.is_empty() && !asks_for(&case.question, "Report") {
        return Vec::new();
    }
    if reports.is_empty() {
        // Words that stand in a report's name are surer than a search.
        if things.is_empty()
            && let Some(words) = covered::call(&case.question).filter(|_| !case.of("sql_select").any(covered::looks))
        {
            return vec![words];
        }
        let Some(found) = case.of("hybrid_search").next() else {
            return vec![("hybrid_search", json!({ "query": case.question, "kind": "object", "limit": 12 }))];
        };
        let hits = list(&found.value, "hits").iter().map(|hit| text(hit, "full_name"));
        reports = hits.filter(|name| name.starts_with("Report.") && name.matches('.').count() == 1).collect();
    }
    let mut asked = Vec::new();
    for report in reports.into_iter().take(REPORTS) {
        let arguments = json!({ "name": report });
        let Some(outline) = case.of("dcs_outline").find(|found| found.arguments == arguments) else {
            asked.push(("dcs_outline", arguments));
            continue;
        };
        let sets = list(&outline.value, "data_sets").iter();
        let queries = sets.filter(|set| text(set, "kind") == "query");
        let read = |part: &str| ("dcs_read", json!({ "name": report, "part": part }));
        asked.push(read("calculated"));
        asked.push(read("parameters"));
        asked.extend(
            queries
                .take(3)
                .map(|set: &Value| ("dcs_read", json!({ "name": report, "part": "query", "of": text(set, "name") }))),
        );
        asked.push(read("fields"));
        // Rows that no query reads come from the report's code.
        if list(&outline.value, "data_sets").iter().any(|set| text(set, "kind") == "object") {
            let fills = |name: &str| {
                ("callees", json!({ "name": format!("{report}.ObjectModule.{name}"), "depth": 2, "limit": CALLS }))
            };
            asked.extend(FILLS.map(fills));
        }
    }
    asked
}
