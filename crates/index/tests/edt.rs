//! The demo as a project of 1C:EDT: its index is the one of the Designer's dump, row by row.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Stop, build};
use metascope_index::schema::all_views;
use metascope_index::sql::{SqlLimits, select};
use metascope_index::{Index, Location};
use std::path::Path;

/// Views that are about files, not about the configuration.
const OF_FILES: [&str; 3] = ["files", "problems", "meta"];

/// Columns that are about the place of a fact.
const PLACES: [&str; 4] = ["file", "line", "query_line", "bytes"];

/// Views whose lines are of modules, which are the same text in both formats.
const OF_MODULES: [&str; 2] = ["methods", "strings"];

fn rows(index: &Index, view: &str, columns: &[&str]) -> Vec<String> {
    let is_place = |column: &str| PLACES.contains(&column) && !(column == "line" && OF_MODULES.contains(&view));
    let columns: Vec<String> = columns.iter().filter(|c| !is_place(c)).map(|c| format!("\"{c}\"")).collect();
    let limits = SqlLimits { rows: 1_000_000, ..SqlLimits::default() };
    let sql = format!("SELECT {} FROM {view}", columns.join(", "));
    let answer = select(index.path(), &sql, limits).unwrap();
    assert!(!answer.truncated, "{view}");
    let mut rows: Vec<String> = answer.rows.iter().map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows
}

fn open(dump: &Path, location: &Location) -> Index {
    build(dump, location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    Index::open(location).unwrap()
}

#[test]
fn every_view_of_the_demo_has_the_same_rows_in_both_formats() {
    let dir = support::temp_dir();
    let designer = open(&support::demo(), &Location::at(dir.path().join("designer.db")));
    let edt = open(&support::demo_edt(), &Location::at(dir.path().join("edt.db")));
    let mut compared = 0;
    for view in all_views().filter(|view| !OF_FILES.contains(&view.name)) {
        let (first, second) = (rows(&designer, view.name, view.columns), rows(&edt, view.name, view.columns));
        let missing: Vec<&String> = first.iter().filter(|row| second.binary_search(row).is_err()).collect();
        let more: Vec<&String> = second.iter().filter(|row| first.binary_search(row).is_err()).collect();
        assert!(missing.is_empty() && more.is_empty(), "{}: missing {missing:#?}, more {more:#?}", view.name);
        assert_eq!(first.len(), second.len(), "{}", view.name);
        compared += first.len();
    }
    assert!(compared > 4_000, "{compared} rows");
    let problems = rows(&edt, "problems", &["kind", "message_en"]);
    assert_eq!(problems, rows(&designer, "problems", &["kind", "message_en"]));
}
