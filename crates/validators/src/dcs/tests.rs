//! The examples beside the checks, as tests; and what holds for all checks.

use dcs::Document;

use super::*;

const HEAD: &str = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
    xmlns:s=\"http://v8.1c.ru/8.1/data-composition-system/settings\" xmlns:c=\"http://v8.1c.ru/8.1/data-composition-system/core\" \
    xmlns:com=\"http://v8.1c.ru/8.1/data-composition-system/common\" \
    xmlns:at=\"http://v8.1c.ru/8.1/data-composition-system/area-template\" xmlns:v8=\"http://v8.1c.ru/8.1/data/core\" \
    xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">";

pub(super) fn document(body: &str) -> Document {
    let is_whole = body.starts_with("<?") || body.starts_with("<!");
    Document::parse(if is_whole { body.to_owned() } else { format!("{HEAD}{body}</DataCompositionSchema>") })
}

/// What one check finds: texts of the places.
fn found(check: &Check, document: &Document) -> Vec<String> {
    let only = [check.code.to_owned()];
    let catalog = testing::Small;
    let options = Options { all: true, only: &only, catalog: Some(&catalog) };
    let report = super::check(document, &options);
    assert_eq!(report.skipped, [] as [&str; 0]);
    report.findings.into_iter().map(|finding| document.text()[finding.start..finding.end].to_owned()).collect()
}

#[test]
fn every_check_finds_its_invalid_examples_and_nothing_in_its_valid_ones() {
    for check in CHECKS {
        let code = check.code;
        assert!(!check.examples.valid.is_empty() && !check.examples.invalid.is_empty(), "{code}");
        for body in check.examples.valid {
            assert_eq!(found(check, &document(body)), [] as [&str; 0], "{code}: {body}");
        }
        for (body, place) in check.examples.invalid {
            let found = found(check, &document(body));
            assert!(found.iter().any(|text| text == place), "{code}: {body}: {found:?}");
        }
    }
}

/// An example shows its own fault: of a check that lies above the model, it conforms to the model.
#[test]
fn examples_have_no_other_fault_that_blocks() {
    for check in CHECKS {
        let invalid =
            check.examples.invalid.iter().map(|(body, _)| body).filter(|_| check.severity == Severity::Advisory);
        for body in check.examples.valid.iter().chain(invalid) {
            let report = super::check(&document(body), &Options::default());
            let blocking: Vec<_> =
                report.findings.iter().filter(|finding| finding.severity == Severity::Blocking).collect();
            assert!(blocking.is_empty(), "{}: {body}: {blocking:#?}", check.code);
        }
    }
}

#[test]
fn checks_have_names_of_their_own_and_say_what_they_are_for() {
    let mut codes: Vec<&str> = CHECKS.iter().map(|check| check.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), CHECKS.len());
    for check in CHECKS {
        let is_code =
            check.code.starts_with("dcs-") && check.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(is_code && (1..=4).contains(&check.level), "{}", check.code);
        assert!(!check.title.0.is_empty() && !check.title.1.is_empty() && !check.source.is_empty(), "{}", check.code);
        // What blocks says on whose word.
        assert!(check.severity == Severity::Advisory || check.is_on, "{}", check.code);
    }
}

#[test]
fn a_finding_says_where_and_how_to_mend_it() {
    let document = document("\n<parameter><name>П</name><use>Alwys</use></parameter>");
    let report = super::check(&document, &Options::default());
    let [finding] = &report.findings[..] else { panic!("{:#?}", report.findings) };
    assert_eq!(
        (finding.check, finding.path.as_str(), finding.line, finding.column),
        ("dcs-unknown-value", "parameter[П]/use", 2, 31)
    );
    assert_eq!(finding.mend.ru, "Возможные значения: Always");
    assert!(report.blocks());
}

/// Without a configuration the checks that need one say that they were skipped.
#[test]
fn checks_that_need_a_configuration_are_skipped_without_one() {
    let report = super::check(&document(""), &Options { all: true, ..Options::default() });
    let expected: Vec<&str> =
        CHECKS.iter().filter(|check| check.needs == Needs::Configuration).map(|check| check.code).collect();
    assert_eq!(report.skipped, expected);
}

/// Whatever bytes there are, checks end.
#[test]
fn broken_files_are_checked_as_far_as_they_go() {
    let whole =
        document("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><query>ВЫБРАТЬ</query></dataSet>").text().to_owned();
    for length in (0..whole.len()).filter(|&at| whole.is_char_boundary(at)) {
        let report = super::check(&Document::parse(&whole[..length]), &Options { all: true, ..Options::default() });
        assert!(report.blocks(), "{length}");
    }
}

/// Large and deep files take time in proportion to their size.
#[test]
fn hostile_files_are_checked_soon() {
    let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    let parameters = many(10_000, &|n| format!("<parameter><name>П{n}</name></parameter>"));
    let values = many(10_000, &|n| format!("<c:item><c:parameter>Х{n}</c:parameter></c:item>"));
    let deep = "<s:item xsi:type=\"s:StructureItemGroup\">".repeat(50_000) + &"</s:item>".repeat(50_000);
    let totals =
        many(10_000, &|n| format!("<totalField><dataPath>А{n}</dataPath><expression>Б{n}</expression></totalField>"));
    let variant =
        |inner: &str| format!("<settingsVariant><s:name>О</s:name><s:settings>{inner}</s:settings></settingsVariant>");
    let bodies = [
        format!("{parameters}{}", variant(&format!("<s:dataParameters>{values}</s:dataParameters>"))),
        variant(&deep),
        totals,
        "<a>".repeat(100_000),
    ];
    for body in bodies {
        let started = std::time::Instant::now();
        let document = document(&body);
        super::check(&document, &Options { all: true, ..Options::default() });
        let seconds = started.elapsed().as_secs_f64();
        println!("{seconds:.2} s for {} bytes", body.len());
        assert!(seconds < 30.0, "{seconds} s for {} bytes: {}", body.len(), &body[..60]);
    }
}

pub(super) mod testing {
    //! A small configuration.

    use bsl::{Catalog, Names, Spelling, same_name};

    pub(in crate::dcs) struct Small;

    fn names(table: &str) -> Option<&'static [&'static str]> {
        Some(match table {
            "Catalog.Товары" => &["Ссылка", "Код", "Наименование", "Цена"],
            "Document.Счет" => &["Ссылка", "Дата", "Номер", "Товар", "Сумма", "Строки", "Скидки"],
            "Document.Счет.TabularSection.Строки" => &["Ссылка", "НомерСтроки", "Товар", "Сумма"],
            "Document.Счет.TabularSection.Скидки" => &["Ссылка", "НомерСтроки", "Процент"],
            _ => return None,
        })
    }

    impl Catalog for Small {
        fn has_table(&self, table: &str) -> Option<bool> {
            Some(names(table).is_some())
        }

        fn has_field(&self, table: &str, field: &str) -> Option<bool> {
            names(table).map(|names| names.iter().any(|name| same_name(name, field)))
        }

        fn fields(&self, table: &str, _: Spelling) -> Names {
            names(table).unwrap_or_default().iter().map(|name| Box::from(*name)).collect()
        }

        fn targets(&self, table: &str, field: &str) -> Option<Names> {
            let targets: &[&str] = match (table, field) {
                (_, "Товар") => &["Catalog.Товары"],
                ("Document.Счет", "Строки") => &["Document.Счет.TabularSection.Строки"],
                ("Document.Счет", "Скидки") => &["Document.Счет.TabularSection.Скидки"],
                ("Catalog.Товары", "Ссылка") => &["Catalog.Товары"],
                (_, "Ссылка") => &["Document.Счет"],
                _ => &[],
            };
            Some(targets.iter().map(|name| Box::from(*name)).collect())
        }

        fn nearest(&self, _table: &str) -> Vec<String> {
            vec!["Catalog.Товары".to_owned()]
        }
    }
}
