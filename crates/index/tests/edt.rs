//! The demo as a project of 1C:EDT: its index is the one of the Designer's dump, row by row.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Stop, build};
use metascope_index::schema::all_views;
use metascope_index::sql::{SqlLimits, select};
use metascope_index::{Index, Location};
use std::collections::HashSet;
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

/// Handlers that forms name and their modules don't have. Methods of an extension go by its name (`Расш::…`).
fn lost_handlers(index: &Index) -> Vec<String> {
    let own = |name: &str| name.rsplit_once("::").map_or(name, |(_, name)| name).to_lowercase();
    let methods: HashSet<String> =
        selected(index, "SELECT full_name FROM methods").iter().map(|name| own(name)).collect();
    let handlers = selected(index, "SELECT form || '.' || handler FROM form_handlers");
    handlers.into_iter().filter(|handler| !methods.contains(&own(handler))).collect()
}

/// The first column of a query, as text.
fn selected(index: &Index, sql: &str) -> Vec<String> {
    let answer = select(index.path(), sql, SqlLimits { rows: 1_000_000, ..SqlLimits::default() }).unwrap();
    assert!(!answer.truncated, "{sql}");
    answer.rows.iter().map(|row| row[0].as_str().unwrap_or_default().to_owned()).collect()
}

fn count(index: &Index, table: &str) -> i64 {
    let answer = select(index.path(), &format!("SELECT count(*) FROM {table}"), SqlLimits::default()).unwrap();
    answer.rows[0][0].as_i64().unwrap()
}

#[test]
#[ignore = "corpus"]
fn the_library_as_a_project_is_indexed_whole() {
    let dir = support::temp_dir();
    let index = open(&support::require_corpus("ssl_3_1_edt"), &Location::at(dir.path().join("library.db")));
    assert_eq!(selected(&index, "SELECT file || message_en FROM problems"), Vec::<String>::new());
    assert_eq!(count(&index, "modules"), 2044);
    assert!(count(&index, "edges") > 100_000);
    assert_eq!(lost_handlers(&index), Vec::<String>::new());
}

#[test]
#[ignore = "corpus"]
fn the_projects_of_yaxunit_are_indexed_and_only_ordinary_forms_are_problems() {
    let found = metadata::detect(&support::require_corpus("yaxunit")).unwrap();
    let repository = found.root.ancestors().nth(2).unwrap();
    for project in ["fixtures/demo-configuration", "exts/yaxunit", "exts/smoke", "tests"] {
        let dir = support::temp_dir();
        let index = open(&repository.join(project), &Location::at(dir.path().join("project.db")));
        let problems = selected(&index, "SELECT file || message_en FROM problems WHERE file NOT LIKE '%.oform'");
        assert_eq!(problems, Vec::<String>::new(), "{project}");
        assert!(count(&index, "methods") > 0, "{project}");
        assert_eq!(lost_handlers(&index), Vec::<String>::new(), "{project}");
    }
}
