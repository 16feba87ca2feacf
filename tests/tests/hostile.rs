//! Damaged and hostile input: never a panic, always a message with its place, and nothing lost beside what was damaged.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::fs;
use std::path::{Path, PathBuf};

use index::build::{Options, Stop, build};
use index::sql::{SqlLimits, select};
use index::{Index, Location};
use serde_json::{Value, json};
use tools::Toolset;

/// What is done to a file.
enum Damage {
    /// Cut after this share of its bytes.
    Cut(f64),
    /// Emptied.
    Empty,
    /// Replaced.
    Replace(Vec<u8>),
    /// Bytes put in after this share.
    Insert(f64, Vec<u8>),
    /// A text replaced wherever it stands.
    Swap(&'static str, &'static str),
}

const CATALOG: &str = "Catalogs/Товары.xml";
const FORM: &str = "Catalogs/Товары/Forms/ФормаЭлемента/Ext/Form.xml";
const MODULE: &str = "Catalogs/Товары/Ext/ObjectModule.bsl";
const PREDEFINED: &str = "Catalogs/Товары/Ext/Predefined.xml";

impl Damage {
    fn apply(&self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        let at = |share: f64| (bytes.len() as f64 * share) as usize;
        match self {
            Self::Cut(share) => bytes.truncate(at(*share)),
            Self::Empty => bytes.clear(),
            Self::Replace(new) => bytes.clone_from(new),
            Self::Insert(share, new) => {
                let at = at(*share);
                bytes.splice(at..at, new.iter().copied());
            }
            Self::Swap(old, new) => {
                let text = String::from_utf8(bytes).unwrap();
                assert!(text.contains(old), "{old} does not stand in {}", path.display());
                bytes = text.replace(old, new).into_bytes();
            }
        }
        fs::write(path, bytes).unwrap();
    }
}

struct Built {
    _folder: tempfile::TempDir,
    root: PathBuf,
    location: Location,
}

impl Built {
    fn of(damages: &[(&str, Damage)]) -> Self {
        let folder = support::temp_dir();
        let root = folder.path().join("dump");
        support::copy_folder(&support::demo(), &root);
        for (path, damage) in damages {
            damage.apply(&root.join(path));
        }
        let location = Location::at(folder.path().join("index.db"));
        build(&root, &location, &Options::default(), &Stop::default(), &|_| {})
            .expect("a damaged file costs itself alone");
        Self { _folder: folder, root, location }
    }

    fn index(&self) -> Index {
        Index::open(&self.location).unwrap()
    }

    fn count(&self, sql: &str) -> i64 {
        select(self.index().path(), sql, SqlLimits::default()).unwrap().rows[0][0].as_i64().unwrap()
    }
}

/// Damaged XML with the least that must be said of it: a problem in that file, with a line unless the file has none.
fn damaged_xml() -> Vec<(&'static str, &'static str, Damage)> {
    let nested = [b"<a>".repeat(50_000), b"</a>".repeat(50_000)].concat();
    let entities = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]><a>&b;&b;</a>";
    vec![
        ("catalog cut at the start", CATALOG, Damage::Cut(0.01)),
        ("catalog cut early", CATALOG, Damage::Cut(0.3)),
        ("catalog cut in the middle", CATALOG, Damage::Cut(0.5)),
        ("catalog cut late", CATALOG, Damage::Cut(0.97)),
        ("catalog empty", CATALOG, Damage::Empty),
        ("catalog of zeros", CATALOG, Damage::Replace(vec![0; 4096])),
        ("catalog not UTF-8", CATALOG, Damage::Insert(0.5, vec![0xFF, 0xFE, 0xC3])),
        ("catalog with garbage tags", CATALOG, Damage::Insert(0.5, b"<<>></".to_vec())),
        ("catalog with an unclosed tag", CATALOG, Damage::Insert(0.5, b"<Lost>".to_vec())),
        ("catalog of another root", CATALOG, Damage::Replace(b"<html><body>Not found</body></html>".to_vec())),
        ("catalog of entities", CATALOG, Damage::Replace(entities.as_bytes().to_vec())),
        ("catalog nested deep", CATALOG, Damage::Replace(nested.clone())),
        ("catalog is text", CATALOG, Damage::Replace("просто текст".as_bytes().to_vec())),
        ("form cut", FORM, Damage::Cut(0.6)),
        ("form empty", FORM, Damage::Empty),
        ("form nested deep", FORM, Damage::Replace(nested)),
        ("form with a bare ampersand", FORM, Damage::Insert(0.5, b"<x>&</y>".to_vec())),
        ("predefined cut", PREDEFINED, Damage::Cut(0.5)),
        ("predefined of another root", PREDEFINED, Damage::Replace(b"<x/>".to_vec())),
    ]
}

#[test]
fn damaged_xml_costs_that_file_alone() {
    let whole = Built::of(&[]);
    let objects = "SELECT count(*) FROM objects WHERE full_name NOT LIKE 'Catalog.Товары%'";
    let methods = "SELECT count(*) FROM methods WHERE full_name NOT LIKE 'Catalog.Товары%'";
    let (expected_objects, expected_methods) = (whole.count(objects), whole.count(methods));
    assert_eq!(whole.count("SELECT count(*) FROM problems"), 0);
    for (name, path, damage) in damaged_xml() {
        let damaged = Built::of(&[(path, damage)]);
        let problems = damaged.index().problems(100).unwrap();
        let told = problems.iter().find(|problem| problem.file == path);
        let told = told.unwrap_or_else(|| panic!("{name}: nothing is said of {path}: {problems:?}"));
        assert!(!told.message_ru.is_empty() && !told.message_en.is_empty(), "{name}: {told:?}");
        assert_eq!(damaged.count(objects), expected_objects, "{name}: objects of other files");
        assert_eq!(damaged.count(methods), expected_methods, "{name}: methods of other files");
    }
}

#[test]
fn damaged_code_costs_its_method_alone() {
    let whole = Built::of(&[]);
    let others =
        "SELECT count(*) FROM edges WHERE source NOT LIKE 'Catalog.Товары%' AND target NOT LIKE 'Catalog.Товары%'";
    let expected = whole.count(others);
    let cases: Vec<(&str, Damage)> = vec![
        ("cut", Damage::Cut(0.5)),
        ("cut in a name", Damage::Cut(0.333)),
        ("empty", Damage::Empty),
        ("zeros", Damage::Replace(vec![0; 4096])),
        ("not UTF-8", Damage::Insert(0.4, vec![0xD0, 0xFF, 0xD0])),
        ("a string that never ends", Damage::Insert(0.4, b"\"".to_vec())),
        ("a hundred thousand brackets", Damage::Insert(0.4, b"(".repeat(100_000))),
        ("a hundred thousand ifs", Damage::Insert(0.4, "Если А Тогда ".repeat(100_000).into_bytes())),
        ("marks of a merge", Damage::Insert(0.4, "\n<<<<<<< HEAD\nА = 1;\n=======\n>>>>>>> b\n".as_bytes().to_vec())),
        ("a million of one letter", Damage::Insert(0.4, "я".repeat(1_000_000).into_bytes())),
        ("no end of a method", Damage::Swap("КонецПроцедуры", "")),
        ("a directive of nothing", Damage::Insert(0.0, "&".repeat(1000).into_bytes())),
    ];
    for (name, damage) in cases {
        let damaged = Built::of(&[(MODULE, damage)]);
        assert_eq!(damaged.count(others), expected, "{name}: edges of other modules");
        assert_eq!(damaged.count(&format!("SELECT count(*) FROM modules WHERE file = '{MODULE}'")), 1, "{name}");
    }
}

#[test]
fn tools_answer_hostile_arguments_with_what_is_wrong() {
    let demo = Built::of(&[]);
    let tools = Toolset::new(demo.location.clone(), tools::Language::English, "test");
    let long = "а".repeat(1_000_000);
    let cases: Vec<(&str, Value)> = vec![
        ("callers", json!({})),
        ("callers", json!([])),
        ("callers", json!({"name": null})),
        ("callers", json!({"name": {"a": [1, 2]}})),
        ("callers", json!({"name": long})),
        ("callers", json!({"name": "../../etc/passwd"})),
        ("read_method", json!({"name": "/etc/passwd"})),
        ("read_method", json!({"name": "Catalog.Товары.ObjectModule.НетТакого"})),
        ("sql_select", json!({"query": "DROP TABLE names"})),
        ("sql_select", json!({"query": "ATTACH 'x.db' AS x"})),
        ("literal_search", json!({"text": ""})),
        ("no_such_tool", json!({})),
    ];
    for (tool, arguments) in cases {
        let result = tools.call(tool, &arguments, &tools::Stop::default());
        let shown: String = arguments.to_string().chars().take(80).collect();
        assert!(!result.ok, "{tool} {shown}: {}", result.content);
        let error: Value = serde_json::from_str(&result.content).unwrap();
        assert!(error["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{tool} {shown}: {error}");
        assert!(result.content.chars().count() < 5000, "{tool} {shown}: an error of {} bytes", result.content.len());
    }
    let broken = tools.call_broken("callers", "{\"name\": \"А", "EOF");
    assert!(!broken.ok && broken.content.contains("error"));
    assert!(demo.root.join(MODULE).exists());
}

#[test]
fn sql_that_is_no_reading_is_refused_with_a_hint() {
    let demo = Built::of(&[]);
    let file = demo.index().path().to_path_buf();
    let before = fs::read(&file).unwrap();
    for sql in [
        "",
        "SELECT",
        "SELECT * FROM no_such_view",
        "SELECT no_such_column FROM methods",
        "SELECT 1; DELETE FROM names",
        "DELETE FROM names",
        "WITH x AS (SELECT 1) DELETE FROM names",
        "PRAGMA journal_mode = DELETE",
        "VACUUM INTO '/tmp/metascope-stolen.db'",
        "SELECT load_extension('x')",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
    ] {
        let limits = SqlLimits { time: std::time::Duration::from_millis(300), ..SqlLimits::default() };
        let error = select(&file, sql, limits).expect_err(sql);
        assert_eq!(error.code(), "sql", "{sql}: {error}");
        assert!(!error.message(tools::Language::Russian).is_empty());
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    assert!(!Path::new("/tmp/metascope-stolen.db").exists());
}
