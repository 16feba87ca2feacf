//! `dcs …` and `calibrate`, as people and scripts run them, on the schemas of the demo configuration.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn schema() -> PathBuf {
    support::demo().join("Reports/ВедомостьТоваров/Templates/ОсновнаяСхема/Ext/Template.xml")
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_metascope")).args(["--lang", "en"]).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn every_part_of_a_schema_is_shown() {
    let file = schema();
    let file = file.to_str().unwrap();
    for part in ["overview", "query", "fields", "links", "resources", "parameters", "variants", "structure"] {
        said(&["dcs", "show", file, "--part", part]);
    }
    assert!(said(&["dcs", "show", file, "--part", "query"]).contains("ВЫБРАТЬ"));
    let outline: Value = serde_json::from_str(&said(&["--json", "dcs", "show", file])).unwrap();
    assert_eq!(outline[0]["data_sets"][0]["kind"], "query");
    let output = run(&["dcs", "show", file, "--part", "structure", "--name", "НетТакого"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn a_good_schema_has_no_findings_and_a_broken_one_names_the_place() {
    let file = schema();
    assert_eq!(said(&["dcs", "check", file.to_str().unwrap()]).trim(), "nothing found");
    let folder = support::temp_dir();
    let broken = folder.path().join("Template.xml");
    std::fs::write(&broken, std::fs::read_to_string(&file).unwrap().replace("<dataSourceType>", "<dataSourceKind>"))
        .unwrap();
    let output = run(&["--json", "dcs", "check", broken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"][0]["check"], "dcs-well-formed");
    assert!(report["findings"][0]["line"].as_u64().unwrap() > 1);
    let output = run(&["dcs", "check", broken.to_str().unwrap(), "--check", "dcs-ordr"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("dcs-order"), "{}", text(&output.stderr));
}

#[test]
fn two_schemas_differ_by_meaning() {
    let designer = schema();
    let edt = support::demo_edt().join("src/Reports/ВедомостьТоваров/Templates/ОсновнаяСхема/Template.dcs");
    let other = support::demo().join("Reports/ДолгиПартнеров/Templates/ОсновнаяСхема/Ext/Template.xml");
    let [designer, edt, other] = [&designer, &edt, &other].map(|path| path.to_str().unwrap());
    assert_eq!(said(&["dcs", "diff", designer, edt]).trim(), "no differences");
    assert!(said(&["dcs", "diff", designer, other]).contains("+ dataSet"));
    let output = run(&["dcs", "diff", designer, support::demo().join("Configuration.xml").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn calibration_counts_files_and_writes_the_ledger() {
    let folder = support::temp_dir();
    let ledger = folder.path().join("ledger.tsv");
    std::fs::write(&ledger, "dcs-old\t3\tretired\t1\t1\t2\t2\n").unwrap();
    let demo = support::demo();
    let answer = said(&["--json", "calibrate", demo.to_str().unwrap(), "--ledger", ledger.to_str().unwrap()]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((answer["distinct"].as_u64(), answer["lying"].as_array().unwrap().len()), (Some(3), 0));
    let written = std::fs::read_to_string(&ledger).unwrap();
    assert!(
        written.contains("dcs-well-formed\t1\tblocking\t0\t0\t3\t1\n")
            && written.ends_with("dcs-old\t3\tretired\t1\t1\t2\t2\n")
    );
    // A broken file among them: a check that blocks fires.
    let broken = folder.path().join("A");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("Template.xml"), "<DataCompositionSchema>").unwrap();
    assert_eq!(run(&["calibrate", folder.path().to_str().unwrap()]).status.code(), Some(1));
}
