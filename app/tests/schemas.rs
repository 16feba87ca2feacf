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
    let findings = report["findings"].as_array().unwrap();
    let broken_tag = findings.iter().find(|finding| finding["check"] == "dcs-well-formed").unwrap();
    assert!(broken_tag["line"].as_u64().unwrap() > 1, "{report}");
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

#[test]
fn trace_leads_to_the_table_and_offers_the_nearest_name() {
    let file = support::demo().join("Reports/АнализПродажТоваров/Templates/ОсновнаяСхема/Ext/Template.xml");
    let file = file.to_str().unwrap();
    let said = said(&["dcs", "trace", file, "Profit"]);
    assert!(said.contains("РегистрНакопления.ОборотыПродаж.Обороты.СуммаОборот"), "{said}");
    let output = run(&["--json", "dcs", "trace", file, "Прибыл"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Прибыль"));
}

#[test]
fn explain_shows_the_line_and_says_what_it_does_not_know() {
    let file = support::demo().join("Reports/АнализПродажТоваров/Templates/ОсновнаяСхема/Ext/Template.xml");
    let text = std::fs::read_to_string(&file).unwrap().replace("Сумма - Себестоимость<", "Сумма - Себестоимсть<");
    let folder = support::temp_dir();
    let broken = folder.path().join("Template.xml");
    std::fs::write(&broken, &text).unwrap();
    let broken = broken.to_str().unwrap();
    let why: Value =
        serde_json::from_str(&said(&["--json", "dcs", "explain", broken, "Field not found \"Себестоимсть\""])).unwrap();
    let line = text.lines().position(|line| line.contains("Себестоимсть")).unwrap() + 1;
    assert_eq!(
        (&why["causes"][0]["line"], &why["causes"][0]["nearest"][0]),
        (&Value::from(line), &Value::from("Себестоимость"))
    );
    assert!(said(&["dcs", "explain", broken, "Out of memory"]).contains("isn't known"));
}

#[test]
fn a_schema_is_edited_by_meaning_and_nothing_is_removed_silently() {
    let from = support::demo().join("Reports/АнализПродажТоваров/Templates/ОсновнаяСхема/Ext/Template.xml");
    let folder = support::temp_dir();
    let copy = folder.path().join("Template.xml");
    std::fs::copy(&from, &copy).unwrap();
    let file = copy.to_str().unwrap();
    for (operation, shown) in [
        ("добавить-поле Скидка: Число(15,2) \"Скидка\" @набор(Продажи) = 0", "+\t0 КАК Скидка"),
        ("добавить-итог Скидка", "+ totalField[Скидка]"),
        (
            "добавить-вариант Новый \"По менеджерам\" @группировки(Менеджер) @поля(Менеджер, Скидка)",
            "+ settingsVariant[Новый]",
        ),
        ("добавить-отбор МесяцПродажи >= НачалоЭтогоМесяца @вариант(Новый) @пользователь", "/filter"),
    ] {
        let said = said(&["dcs", "edit", file, operation]);
        assert!(said.contains(shown), "{operation}: {said}");
    }
    assert_eq!(said(&["dcs", "check", file]).trim(), "nothing found");
    let before = std::fs::read(&copy).unwrap();
    let refused = run(&["dcs", "edit", file, "remove-field Скидка @query"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("totalField[Скидка]"), "{}", text(&refused.stderr));
    said(&["dcs", "edit", file, "remove-field Скидка @query", "--cascade", "--dry-run"]);
    assert_eq!(std::fs::read(&copy).unwrap(), before);
    said(&["dcs", "edit", file, "remove-field Скидка @query", "remove-variant Новый", "--cascade"]);
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&from).unwrap());
    // A new one from a query, and operations from a file.
    let (query, batch, made) =
        (folder.path().join("q.txt"), folder.path().join("b.txt"), folder.path().join("New.xml"));
    std::fs::write(&query, "ВЫБРАТЬ Т.Код КАК Код ИЗ Справочник.Товары КАК Т").unwrap();
    std::fs::write(&batch, "# итоги\nadd-total Код = Количество(Код)\n").unwrap();
    let [query, batch, made] = [&query, &batch, &made].map(|path| path.to_str().unwrap());
    said(&["dcs", "edit", made, "--from-query", query, "--batch", batch]);
    assert!(said(&["dcs", "show", made, "--part", "resources"]).contains("Количество(Код)"));
    assert!(said(&["dcs", "edit", "--list"]).contains("add-field (добавить-поле)"));
}

#[test]
fn operations_are_listed_in_both_languages_with_an_example_each() {
    let output = Command::new(env!("CARGO_BIN_EXE_metascope")).args(["--lang", "ru", "dcs", "edit", "--list"]).output();
    let russian = text(&output.unwrap().stdout);
    let english = said(&["dcs", "edit", "--list"]);
    assert!(russian.contains("добавить-поле (add-field)\n") && russian.contains("@набор: Набор;"), "{russian}");
    assert!(english.contains("add-field (добавить-поле)\n") && english.contains("@set: The set;"), "{english}");
    let listed: Value = serde_json::from_str(&said(&["--json", "dcs", "edit", "--list"])).unwrap();
    let count = listed.as_array().unwrap().len();
    assert_eq!((russian.matches("    пример: ").count(), english.matches("    example: ").count()), (count, count));
}

#[test]
fn a_pending_edit_is_stored_as_a_batch() {
    let folder = support::temp_dir();
    let file = folder.path().join("Template.xml");
    std::fs::copy(schema(), &file).unwrap();
    let before = std::fs::read(&file).unwrap();
    let stored = folder.path().join("batch.json");
    let (path, batch) = (file.to_str().unwrap(), stored.to_str().unwrap());
    let lines = ["add-parameter Курс: Число(10,4) \"Курс\" = 1", "rename-parameter Курс -> Ставка"];
    said(&["dcs", "edit", path, lines[0], lines[1], "--dry-run", "--save-batch", batch]);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    said(&["dcs", "edit", path, "--batch", batch]);
    let edited = std::fs::read_to_string(&file).unwrap();
    assert!(edited.contains("<name>Ставка</name>") && !edited.contains("<name>Курс</name>"));
    // An operation that is refused stores nothing.
    let refused = folder.path().join("refused.json");
    let output = run(&["dcs", "edit", path, "remove-parameter НетТакого", "--save-batch", refused.to_str().unwrap()]);
    assert!(output.status.code() == Some(1) && !refused.exists(), "{}", text(&output.stderr));
}

/// The index that is named answers; without one, what needs it is said to be left out.
#[test]
fn the_index_stands_behind_checks_explanations_and_traces() {
    let folder = support::temp_dir();
    let index = folder.path().join("index.db");
    let index = index.to_str().unwrap();
    said(&["--index", index, "index", support::demo().to_str().unwrap()]);
    let from = support::demo().join("Reports/АнализПродажТоваров/Templates/ОсновнаяСхема/Ext/Template.xml");
    let wrong = std::fs::read_to_string(from).unwrap().replace("\tТовары.Артикул КАК", "\tТовары.Артикль КАК");
    let broken = folder.path().join("Template.xml");
    std::fs::write(&broken, wrong).unwrap();
    let broken = broken.to_str().unwrap();
    let checked = said(&["--index", index, "dcs", "check", broken]);
    assert!(checked.contains("dcs-query-attribute-unknown") && checked.contains("Артикул"), "{checked}");
    let without = run(&["dcs", "check", broken]);
    assert!(!text(&without.stdout).contains("dcs-query-attribute-unknown"));
    assert!(text(&without.stderr).contains("dcs-query-attribute-unknown"), "{}", text(&without.stderr));
    let why = said(&["--index", index, "dcs", "explain", broken, "Поле не найдено \"Товары.Артикль\""]);
    assert!(why.contains("Товары.Артикул"), "{why}");
    let traced = said(&["--index", index, "dcs", "trace", broken, "Артикул"]);
    assert!(traced.contains("«Артикль»; the nearest names: Артикул"), "{traced}");
}

/// An attribute that the files have and the index lacks isn't said to be missing: the check is left out, and says how to mend that.
#[test]
fn an_index_older_than_the_files_warns_of_nothing_that_they_decide() {
    let folder = support::temp_dir();
    let (dump, index) = (folder.path().join("cf"), folder.path().join("index.db"));
    support::copy_folder(&support::demo(), &dump);
    let (dump_path, index) = (dump.to_str().unwrap(), index.to_str().unwrap());
    let update = || said(&["--index", index, "index", dump_path, "--no-embeddings"]);
    update();
    let replace = |path: &str, from: &str, to: &str| {
        let path = dump.join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        std::fs::write(path, text.replace(from, to)).unwrap();
    };
    let schema = "Reports/АнализПродажТоваров/Templates/ОсновнаяСхема/Ext/Template.xml";
    replace("Catalogs/Товары.xml", "<Name>Артикул</Name>", "<Name>АртикулТовара</Name>");
    replace(schema, "Товары.Артикул КАК", "Товары.АртикулТовара КАК");
    let file = dump.join(schema);
    let file = file.to_str().unwrap();
    let mended = "metascope index";
    let edit = ["--index", index, "dcs", "edit", file, "add-parameter Курс = 1", "--dry-run"];
    for arguments in [&["--index", index, "dcs", "check", file][..], &edit] {
        let output = run(arguments);
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success() && !out.contains("АртикулТовара"), "{arguments:?}: {out}{error}");
        assert!(error.contains("Catalogs/Товары.xml") && error.contains(mended), "{arguments:?}: {error}");
    }
    let report: Value = serde_json::from_str(&said(&["--json", "--index", index, "dcs", "check", file])).unwrap();
    assert_eq!(report["outdated"], serde_json::json!(["Catalogs/Товары.xml"]));
    update();
    let output = run(&["--index", index, "dcs", "check", file]);
    assert_eq!((text(&output.stdout).trim(), text(&output.stderr).contains(mended)), ("nothing found", false));
    replace(schema, "Товары.АртикулТовара КАК", "Товары.Артикул КАК");
    let checked = said(&["--index", index, "dcs", "check", file]);
    assert!(checked.contains("dcs-query-attribute-unknown") && checked.contains("“Артикул”"), "{checked}");
}
