//! The program as people and scripts run it: the demo configuration is indexed, then asked.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

struct Demo {
    folder: tempfile::TempDir,
}

impl Demo {
    fn get() -> &'static Self {
        static DEMO: OnceLock<Demo> = OnceLock::new();
        DEMO.get_or_init(|| {
            let demo = Demo { folder: support::temp_dir() };
            let dump = support::demo();
            let output = demo.run(&["index", dump.to_str().unwrap(), "--no-embeddings"]);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            demo
        })
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index.db")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(arguments, Some(&self.index()))
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&["--json"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
    }
}

fn run(arguments: &[&str], index: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_metascope"));
    if let Some(index) = index {
        command.arg("--index").arg(index);
    }
    if !arguments.contains(&"--lang") {
        command.args(["--lang", "en"]);
    }
    command.args(arguments).env_remove("METASCOPE_MODEL_URL").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn callers_have_channel_confidence_and_evidence() {
    let answer = Demo::get().json(&["callers", "справочники.товары.модульобъекта.передзаписью"]);
    let edge = &answer["edges"][0];
    assert_eq!(edge["target"], "Catalog.Товары.ObjectModule.ПередЗаписью");
    for key in ["source", "channel", "confidence", "file", "line"] {
        assert!(!edge[key].is_null(), "{key}: {edge}");
    }
    assert!(answer["state"]["complete"].is_boolean());
}

#[test]
fn an_unknown_name_offers_the_nearest_and_exits_with_1() {
    let output = Demo::get().run(&["--json", "callers", "Справочник.Тавары"]);
    assert_eq!(output.status.code(), Some(1));
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["error"]["code"], "unknown_name");
    assert!(error["error"]["hint"].as_str().unwrap().contains("Catalog.Товары"), "{error}");
}

#[test]
fn sql_reads_and_never_writes() {
    let demo = Demo::get();
    let answer = demo.json(&["sql", "SELECT count(*) AS n FROM modules"]);
    assert_eq!((&answer["rows"][0]["n"], &answer["truncated"]), (&Value::from(70), &Value::from(false)));
    let output = demo.run(&["sql", "DELETE FROM names"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn every_subcommand_answers_on_the_demo() {
    let demo = Demo::get();
    let method = "CommonModule.ОбщиеСредства.МодульПоИмени";
    for arguments in [
        &["status"][..],
        &["overview"],
        &["show", "Catalog.Товары"],
        &["show", method],
        &["show", "CommonModule.ОбщиеСредства"],
        &["show", "Catalog.Товары.StandardAttribute.Code"],
        &["callers", method],
        &["callees", "CommonModule.ПроведениеТорговли"],
        &["dead"],
        &["impact", method],
        &["impact", "Справочник.Товары.Реквизит.Артикул", "--change", "name", "--depth", "0"],
        &["search", "цена", "--mode", "fulltext"],
        &["search", "ВЫБРАТЬ", "--mode", "literal"],
        &["search", "Товар[ыа]", "--mode", "regex", "--kind", "method"],
        &["graph", "export", "--format", "graphml"],
        &["graph", "export", "--format", "dot"],
        &["graph", "export", "--format", "jsonl"],
        &["tools"],
        &["tool", "callers", r#"{"name": "ОбщиеСредства.МодульПоИмени"}"#],
        &["tool", "impact_analysis", r#"{"name": "ОбщиеСредства.МодульПоИмени"}"#],
        &["tool", "relation_path", r#"{"from": "Документ.ПродажаТоваров", "to": "Справочник.Товары"}"#],
        &["ask", "Кто вызывает ОбщиеСредства.МодульПоИмени?", "--model", "offline"],
        &["ask", "Что такое Справочник.Товары?", "--model", "offline"],
    ] {
        let output = demo.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_breaks_comes_in_groups_with_chains_and_an_order() {
    let answer = Demo::get().json(&["impact", "Справочник.Товары.Реквизит.Артикул"]);
    assert_eq!((&answer["target"], &answer["change"]), (&"Catalog.Товары.Attribute.Артикул".into(), &"delete".into()));
    for row in answer["breaks"].as_array().unwrap() {
        assert!(["build", "runtime", "data", "looks"].contains(&row["severity"].as_str().unwrap()), "{row}");
        assert!(!row["chain"].as_array().unwrap().is_empty(), "{row}");
    }
    assert!(answer["order"].as_array().unwrap().len() > 1 && answer["state"]["complete"].is_boolean());
}

#[test]
fn graphml_declares_each_node_once_before_its_edges() {
    let export = text(&Demo::get().run(&["graph", "export", "--format", "graphml"]).stdout);
    let mut nodes = std::collections::HashSet::new();
    for line in export.lines() {
        let attribute = |name: &str| line.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        if line.starts_with("<node") {
            assert!(nodes.insert(attribute("id").unwrap().to_owned()), "{line}");
        } else if line.starts_with("<edge") {
            assert!(
                nodes.contains(attribute("source").unwrap()) && nodes.contains(attribute("target").unwrap()),
                "{line}"
            );
        }
    }
    assert!(!nodes.is_empty());
}

#[test]
fn the_export_has_the_contracts_header_and_every_edge() {
    let demo = Demo::get();
    let export = text(&demo.run(&["graph", "export"]).stdout);
    let mut lines = export.lines();
    assert_eq!(lines.next(), Some("channel\tsource\ttarget\tconfidence\tevidence"));
    let count = demo.json(&["sql", "SELECT count(*) AS n FROM edges"])["rows"][0]["n"].as_u64().unwrap();
    assert_eq!(lines.count() as u64, count);
}

#[test]
fn the_answer_of_the_agent_goes_to_stdout_and_its_steps_to_stderr() {
    let output = Demo::get().run(&["ask", "Кто вызывает ОбщиеСредства.МодульПоИмени?", "--model", "offline"]);
    assert!(text(&output.stdout).contains("CommonModule.ОбщиеСредства.МодульПоИмени"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("→ callers"), "{}", text(&output.stderr));
}

#[test]
fn a_name_that_is_not_there_is_answered_so() {
    let output = Demo::get().run(&["ask", "Кто вызывает ОбщиеСредства.МодульПоЕмени?", "--model", "offline", "-q"]);
    let answer = text(&output.stdout);
    assert!(answer.contains("CommonModule.ОбщиеСредства.МодульПоИмени"), "{answer}");
    assert!(!answer.contains('⚠'), "a name from the question is not marked: {answer}");
}

#[test]
fn no_index_and_no_dump_say_what_to_do() {
    let folder = support::temp_dir();
    let missing = run(&["callers", "А"], Some(&folder.path().join("none.db")));
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("metascope index"), "{}", text(&missing.stderr));
    let empty = run(&["index", folder.path().to_str().unwrap()], Some(&folder.path().join("i.db")));
    assert_eq!(empty.status.code(), Some(2));
    assert!(text(&empty.stderr).contains("Configuration.xml"), "{}", text(&empty.stderr));
    let usage = run(&["--json", "callers"], None);
    assert_eq!(usage.status.code(), Some(2));
    assert!(serde_json::from_slice::<Value>(&usage.stderr).is_ok(), "{}", text(&usage.stderr));
}

#[test]
fn without_a_path_the_demo_is_indexed_and_answers() {
    let folder = support::temp_dir();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metascope"));
        command.args(arguments).args(["--lang", "en"]).current_dir(folder.path());
        let output = command.env(paths::DATA_DIR_VARIABLE, folder.path().join("data")).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, error) = run(&["status"]);
    assert!(code == Some(2) && error.contains("without a path"), "{error}");
    let (code, _, error) = run(&["index", "--no-embeddings"]);
    assert!(code == Some(0) && error.contains("demo"), "{error}");
    let (code, out, error) = run(&["status"]);
    assert_eq!(code, Some(0), "{error}");
    let shown = |part: &str| assert!(out.contains(part), "{part}: {out}");
    shown("metascope.toml");
    shown(&paths::MODEL.id());
    let (code, out, error) = run(&["callers", "ОбщиеСредства.МодульПоИмени", "--json"]);
    assert!(code == Some(0) && out.contains("edges"), "{error}");
}

#[test]
fn help_speaks_russian() {
    let output = run(&["--lang", "ru", "callers", "--help"], None);
    assert!(text(&output.stdout).contains("Кто вызывает"), "{}", text(&output.stdout));
}

#[test]
fn a_change_is_proposed_shown_applied_and_undone() {
    let folder = support::temp_dir();
    let (root, index) = (folder.path().join("cf"), folder.path().join("index.db"));
    support::copy_folder(&support::demo(), &root);
    let run = |arguments: &[&str]| run(arguments, Some(&index));
    let ok = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    ok(&["index", root.to_str().unwrap(), "--no-embeddings"]);
    let file = root.join("CommonModules/ЦеныИСкидки/Ext/Module.bsl");
    let before = std::fs::read(&file).unwrap();
    let patch =
        r#"{"name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "Возврат 2;", "title": "Two"}"#;
    ok(&["tool", "propose_patch", patch]);
    assert!(ok(&["edits", "list"]).contains("Two"));
    let shown = ok(&["edits", "show", "1"]);
    assert!(shown.contains("-\tВозврат 1;\n+\tВозврат 2;"), "{shown}");
    assert!(ok(&["edits", "show", "1", "--words"]).contains("[-1-]{+2+}"));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(ok(&["edits", "apply", "--all"]).contains("ЦеныИСкидки/Ext/Module.bsl"));
    assert!(text(&std::fs::read(&file).unwrap()).contains("Возврат 2;"));
    let list: Value = serde_json::from_str(&ok(&["--json", "edits", "list", "--all"])).unwrap();
    assert_eq!((&list[0]["edit"], &list[0]["status"]), (&Value::from(1), &Value::from("applied")));
    ok(&["edits", "undo", "1"]);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let output = run(&["--json", "edits", "apply", "9"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("unknown_edit"));
}
