//! Report schemas inside their configurations: checks that ask the index find nothing in genuine files, name what is broken on
//! purpose, and offer the real name.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

mod mutations;
mod places;

use std::path::Path;
use std::time::Instant;

use bsl::catalog::Catalog;
use dcs::Document;
use index::build::{Options as BuildOptions, Stop, build};
use index::{Location, Tables};
use support::SchemaFile;
use validators::dcs::explain::explain;
use validators::dcs::{CHECKS, Finding, Needs, Options, Severity, check};

/// A configuration with its index.
struct Configured {
    files: Vec<SchemaFile>,
    tables: Tables,
    _folder: tempfile::TempDir,
}

fn configured(dump: &Path) -> Configured {
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    build(dump, &location, &BuildOptions::default(), &Stop::default(), &|_| {}).unwrap();
    let started = Instant::now();
    let tables = Tables::open(&location).unwrap();
    println!("{}: opened in {:.2} ms", dump.display(), started.elapsed().as_secs_f64() * 1000.0);
    Configured { files: support::schemas_in(dump), tables, _folder: folder }
}

fn findings(text: impl Into<Vec<u8>>, tables: &Tables, all: bool) -> Vec<Finding> {
    let report = check(&Document::parse(text.into()), &Options { all, only: &[], catalog: Some(tables) });
    assert_eq!(report.skipped, [] as [&str; 0]);
    report.findings
}

/// Checks that ask the configuration.
fn asks(finding: &Finding) -> bool {
    CHECKS.iter().any(|check| check.code == finding.check && check.needs == Needs::Configuration)
}

/// What the checks that ask find in genuine files; nothing may block.
fn hits(of: &Configured) -> Vec<String> {
    let mut hits = Vec::new();
    for file in &of.files {
        for finding in findings(file.bytes.clone(), &of.tables, true) {
            assert_ne!(finding.severity, Severity::Blocking, "{}: {finding:#?}", file.path.display());
            let is_new = asks(&finding) || finding.check == "dcs-query-rows-multiplied";
            if is_new || finding.check == "dcs-query-field-ambiguous" {
                hits.push(format!("{}:{} [{}] {}", file.path.display(), finding.line, finding.check, finding.what.ru));
            }
        }
    }
    hits
}

/// Holds a configuration to what is promised. `broken`: reports that can't run, with what they name and the configuration lost.
fn hold(dump: &Path, most: usize, broken: &[(&str, &str)]) {
    let of = configured(dump);
    assert!(!of.files.is_empty(), "{}", dump.display());
    let hits = hits(&of);
    hits.iter().for_each(|hit| println!("{hit}"));
    let is_true = |hit: &&String| broken.iter().any(|(report, lost)| hit.contains(report) && hit.contains(lost));
    assert_eq!(
        hits.iter().filter(|hit| !is_true(hit)).count(),
        0,
        "checks that ask the configuration lie of genuine files"
    );
    println!("{} files", of.files.len());
    // A large configuration has places for all kinds.
    mutations::hold(&of, most, of.files.len() > 50);
}

#[test]
fn schemas_of_the_demo() {
    hold(&support::demo(), 1000, &[]);
}

#[test]
#[ignore = "corpus"]
fn schemas_of_the_library() {
    hold(&support::require_corpus("ssl_3_1"), 40, &[]);
}

#[test]
#[ignore = "corpus"]
fn schemas_of_a_small_configuration() {
    // The register is gone: neither its description nor the list of the configuration has it.
    let broken = [("ВедомостьПоЗапасамНаСкладах", "РегистрНакопления.Запасы")];
    hold(&support::require_corpus("barbershop"), 1000, &broken);
}

/// A variant of a report of the demo: what is replaced, the message, the nearest right name.
const BROKEN: &[(&str, &str, &str, &str, &str)] = &[
    (
        "АнализПродажТоваров",
        "Товары.Артикул КАК",
        "Товары.Артикль КАК",
        "{(17, 2)}: Поле не найдено \"Товары.Артикль\"",
        "Товары.Артикул",
    ),
    (
        "АнализПродажТоваров",
        "ОборотыПродажОбороты.СебестоимостьОборот КАК",
        "ОборотыПродажОбороты.Себестоимость КАК",
        "Поле не найдено \"ОборотыПродажОбороты.Себестоимость\"",
        "ОборотыПродажОбороты.СебестоимостьОборот",
    ),
    (
        "АнализПродажТоваров",
        "Товары.Родитель КАК",
        "Товары.Родитель.Наименованье КАК",
        "Поле не найдено \"Товары.Родитель.Наименованье\"",
        "Товары.Родитель.Наименование",
    ),
    (
        "ВедомостьТоваров",
        "ОстаткиТоваровОстаткиИОбороты.КоличествоПриход КАК",
        "ОстаткиТоваровОстаткиИОбороты.КоличествоПриходы КАК",
        "Field not found \"ОстаткиТоваровОстаткиИОбороты.КоличествоПриходы\"",
        "ОстаткиТоваровОстаткиИОбороты.КоличествоПриход",
    ),
    (
        "ВедомостьТоваров",
        "ПорогиОстатков.Минимум,",
        "ПорогиОстатков.Миниммум,",
        "Поле не найдено \"ПорогиОстатков.Миниммум\"",
        "ПорогиОстатков.Минимум",
    ),
    (
        "ДолгиПартнеров",
        "РасчетыСПартнерами.СрокОплаты) КАК",
        "РасчетыСПартнерами.СрокОплат) КАК",
        "Поле не найдено \"РасчетыСПартнерами.СрокОплат\"",
        "РасчетыСПартнерами.СрокОплаты",
    ),
    (
        "ДолгиПартнеров",
        "РегистрНакопления.РасчетыСПартнерами.Остатки(",
        "РегистрНакопления.РасчетыСПартнером.Остатки(",
        "Таблица не найдена \"РегистрНакопления.РасчетыСПартнером.Остатки\"",
        "РегистрНакопления.РасчетыСПартнерами.Остатки",
    ),
];

#[test]
fn a_message_leads_to_the_nearest_real_attribute() {
    let of = configured(&support::demo());
    for (report, right, wrong, message, nearest) in BROKEN {
        let file = of.files.iter().find(|file| file.path.iter().any(|part| part == *report)).unwrap();
        let text = String::from_utf8(file.bytes.clone()).unwrap();
        assert!(text.contains(right), "{right}");
        let why = explain(&Document::parse(text.replacen(right, wrong, 1)), message, Some(&of.tables));
        let cause = why.causes.first().unwrap_or_else(|| panic!("{message}: {why:#?}"));
        assert!(cause.sure, "{message}: {cause:#?}");
        assert_eq!(cause.nearest.first().map(String::as_str), Some(*nearest), "{message}: {cause:#?}");
        // In the unbroken report the message has no sure cause.
        let why = explain(&Document::parse(text), message, Some(&of.tables));
        assert!(!why.causes.iter().any(|cause| cause.sure), "{message}: {:#?}", why.causes);
    }
}

/// A question that was asked before is answered in microseconds.
#[test]
fn answers_are_kept() {
    let of = configured(&support::demo());
    let ask = || {
        let has = of.tables.has_field("Catalog.Товары", "Артикул");
        (has, of.tables.targets("Catalog.Товары", "Родитель").is_some())
    };
    assert_eq!(ask(), (Some(true), true));
    let started = Instant::now();
    for _ in 0..1000 {
        assert_eq!(ask(), (Some(true), true));
    }
    let micros = started.elapsed().as_secs_f64() * 1e6 / 2000.0;
    println!("{micros:.2} µs a look-up");
    assert!(micros < 100.0, "{micros} µs");
}
