//! Report schemas inside their configurations: checks that ask the index find nothing in genuine files, name every attribute that is
//! misspelt on purpose, and offer the real one.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use bsl::catalog::{Catalog, Followed, Spelling, follow};
use bsl::query::{FieldUse, TextKind, read};
use dcs::view::DataSetKind;
use dcs::{Document, Element};
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

/// A part of a path in a query that names an attribute: the query, the bytes of its text, the name, the field that it belongs to.
struct Place<'d> {
    query: Element<'d>,
    text: String,
    range: Range<usize>,
    name: String,
    field: FieldUse,
    /// Where the whole path leads from.
    origin: (String, Vec<String>),
}

/// Every part of every path that the configuration certainly has.
fn places<'d>(document: &'d Document, tables: &Tables) -> Vec<Place<'d>> {
    let sets = document.schema().map(|schema| schema.all_data_sets()).unwrap_or_default();
    let queries = sets.into_iter().filter(|set| set.kind() == DataSetKind::Query).filter_map(|set| set.query_element());
    let mut found = Vec::new();
    for query in queries {
        let text = query.text().into_owned();
        let facts = read(&text, TextKind::Query);
        if facts.placeholders || !facts.problems.is_empty() {
            continue;
        }
        for field in &facts.fields {
            let [origin] = &field.origins[..] else { continue };
            let path: Vec<String> = origin.path.split('.').map(str::to_owned).collect();
            let written: Vec<&str> = field.span.of(&text).split('.').collect();
            let is_plain = written.len() == field.parts.len()
                && written.iter().zip(&field.parts).all(|(one, part)| *one == &**part);
            if !is_plain || follow(tables, &origin.table, &path) != Followed::Whole {
                continue;
            }
            let first = field.table_parts as usize + usize::from(field.column.is_some());
            for number in first..written.len() {
                let before: usize = written[..number].iter().map(|part| part.len() + 1).sum();
                let start = field.span.range().start + before;
                found.push(Place {
                    query,
                    text: text.clone(),
                    range: start..start + written[number].len(),
                    name: written[number].to_owned(),
                    field: field.clone(),
                    origin: (origin.table.to_string(), path.clone()),
                });
            }
        }
    }
    found
}

/// A misspelt name: a letter of the middle is doubled or left out.
fn misspelt(name: &str, number: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    let at = letters.len() / 2;
    let mut wrong = letters.clone();
    if number.is_multiple_of(2) && letters.len() > 3 {
        wrong.remove(at);
    } else {
        wrong.insert(at, letters[at]);
    }
    wrong.into_iter().collect()
}

/// The document with other bytes in one of its queries.
fn with_query(document: &Document, query: Element<'_>, text: &str) -> Document {
    let inner = query.inner_range();
    let whole = document.text();
    Document::parse(format!("{}{}{}", &whole[..inner.start], dcs::xml::escape_text(text), &whole[inner.end..]))
}

fn replaced(place: &Place<'_>, with: &str) -> String {
    format!("{}{with}{}", &place.text[..place.range.start], &place.text[place.range.end..])
}

/// Misspells attributes at several places of each file; those of one file stand apart. Gives how many were made and caught, and
/// those that were missed.
fn rename(of: &Configured, most: usize) -> (usize, usize, Vec<String>) {
    let (mut made, mut caught, mut missed) = (0, 0, Vec::new());
    let only = ["dcs-query-attribute-unknown".to_owned()];
    for (number, file) in of.files.iter().enumerate() {
        let document = Document::parse(file.bytes.clone());
        let places = places(&document, &of.tables);
        let step = (places.len() / most.max(1)).max(1);
        for (at, place) in places.iter().enumerate().skip(number % step).step_by(step) {
            let wrong = misspelt(&place.name, number + at);
            let changed = with_query(&document, place.query, &replaced(place, &wrong));
            let found = check(&changed, &Options { all: true, only: &only, catalog: Some(&of.tables) }).findings;
            made += 1;
            let names = |finding: &&Finding| finding.what.ru.contains(&format!("«{wrong}»"));
            if found.iter().filter(names).any(|finding| offers(&finding.mend.ru, &place.name)) {
                caught += 1;
            } else {
                let said: Vec<_> =
                    found.iter().map(|finding| format!("{} {}", finding.what.ru, finding.mend.ru)).collect();
                missed.push(format!(
                    "{}: {} ({:?}): {wrong}: {said:?}",
                    file.path.display(),
                    place.field.parts.join("."),
                    place.field.clause
                ));
            }
        }
    }
    (made, caught, missed)
}

/// Whether a sentence that lists names holds one.
fn offers(sentence: &str, name: &str) -> bool {
    sentence.split([':', ',', ' ']).any(|word| bsl::same_name(word, name))
}

/// Paths that end at a reference, led on into a tabular section of what it refers to.
fn into_sections(of: &Configured) -> (usize, usize) {
    let (mut made, mut caught) = (0, 0);
    let only = ["dcs-query-section-through-reference".to_owned()];
    for file in &of.files {
        let document = Document::parse(file.bytes.clone());
        for place in places(&document, &of.tables) {
            let is_last = place.range.end == place.field.span.range().end;
            let clause = place.field.clause;
            if !is_last
                || place.origin.1.len() > 3
                || !matches!(clause, bsl::query::Clause::Select | bsl::query::Clause::Group)
            {
                continue;
            }
            let Some(behind) = section_behind(&of.tables, &place.origin) else { continue };
            let changed = with_query(&document, place.query, &replaced(&place, &format!("{}.{behind}", place.name)));
            let options = Options { all: true, only: &only, catalog: Some(&of.tables) };
            made += 1;
            caught += usize::from(check(&changed, &options).findings.iter().any(|one| one.path.ends_with("query")));
        }
    }
    (made, caught)
}

/// A tabular section of the only table that a path leads to, with a field of it.
fn section_behind(tables: &Tables, (table, path): &(String, Vec<String>)) -> Option<String> {
    let mut table: Box<str> = table.as_str().into();
    for part in path {
        let targets = tables.targets(&table, part)?;
        let [only] = &targets[..] else { return None };
        table = only.clone();
    }
    let fields = tables.fields(&table, Spelling::Russian);
    let section = fields.iter().find(|field| {
        let targets = tables.targets(&table, field).unwrap_or_else(|| [].into());
        targets.first().is_some_and(|target| target.contains(".TabularSection."))
    })?;
    Some(format!("{section}.НомерСтроки"))
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
    let (made, caught, missed) = rename(&of, most);
    println!("{} files, {made} attributes misspelt, {caught} named with the real one", of.files.len());
    missed.iter().take(20).for_each(|one| println!("missed: {one}"));
    assert!(made > 0 && caught * 100 >= made * 99, "{caught} of {made}");
    let (made, caught) = into_sections(&of);
    println!("{made} paths led into a tabular section, {caught} found");
    assert!(caught * 100 >= made * 99, "{caught} of {made}");
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
