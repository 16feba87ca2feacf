//! The index of the Standard Subsystems Library: counts, sizes and times.

use metascope_index::build::{Options, Outcome, Stop, build};
use metascope_index::scan::{Limits, Pattern};
use metascope_index::sql::{SqlLimits, select};
use metascope_index::{Index, Location, Walk};
use std::time::Instant;

#[test]
#[ignore = "corpus"]
fn counts_of_the_library() {
    let dump = support::require_corpus("ssl_3_1");
    let dir = support::temp_dir();
    let location = Location::at(dir.path().join("index.db"));
    let report = build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    assert!(report.bytes < 150_000_000, "{} bytes", report.bytes);
    let index = Index::open(&location).unwrap();
    for (expected, sql) in [
        (2197, "SELECT count(*) FROM modules"),
        (38_310, "SELECT count(*) FROM methods"),
        (91, "SELECT count(DISTINCT name) FROM event_subscriptions"),
        (51, "SELECT count(*) FROM scheduled_jobs"),
        (874, "SELECT count(*) FROM forms"),
        (107, "SELECT count(*) FROM objects WHERE kind = 'Role'"),
        (104, "SELECT count(*) FROM objects WHERE kind = 'Enum'"),
        (72, "SELECT count(DISTINCT owner) FROM defined_types"),
        (173, "SELECT count(*) FROM objects WHERE kind = 'Constant'"),
        (1921, "SELECT count(*) FROM form_handlers WHERE element IS NULL"),
        (3154, "SELECT count(*) FROM form_handlers WHERE element IS NOT NULL"),
        (2611, "SELECT count(action) FROM form_commands"),
        (152, "SELECT count(*) FROM rls_effective"),
        // Every template is there, every parameter is replaced, no condition is decided that a session decides.
        (
            0,
            "SELECT count(*) FROM rls_effective WHERE condition LIKE '%#П%' OR condition LIKE '%#ДляОбъекта%' OR condition LIKE '%#ДляРегистра%'",
        ),
        (1, "SELECT count(*) FROM rls_effective WHERE lets = 'none' AND field = 'ВерсияОбъекта'"),
        (151, "SELECT count(*) FROM rls_effective WHERE lets = 'some'"),
    ] {
        let answer = select(index.path(), sql, SqlLimits::default()).unwrap();
        assert_eq!(answer.rows[0][0], expected, "{sql}");
    }
    let start = Instant::now();
    let again = build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    assert_eq!(again.outcome, Outcome::Unchanged);
    assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());

    // A field that a template is given by name, at the line of the argument; the table that the template reads.
    let found = select(
        index.path(),
        "SELECT count(*) FROM refs WHERE kind = 'rights_rls' AND source = 'Role.ДобавлениеИзменениеВзаимодействий' AND line = 1253
         AND target IN ('Catalog.ПравилаОбработкиЭлектроннойПочты.StandardAttribute.Owner',
           'Catalog.УчетныеЗаписиЭлектроннойПочты.Attribute.ВладелецУчетнойЗаписи')",
        SqlLimits::default(),
    );
    assert!(found.unwrap().rows[0][0].as_i64() > Some(0));
    let object = index.require("Справочник.ВариантыОтчетов").unwrap();
    let roles = |names: &[&str]| -> Vec<_> { names.iter().map(|name| index.require(name).unwrap().id).collect() };
    let lets = |names: &[&str]| {
        let rows = index.access(object.id, &roles(names)).unwrap();
        rows.into_iter()
            .find(|row| row.right == "Read")
            .map(|row| (row.lets.clone(), row.conditions.len(), row.unrestricted))
    };
    assert_eq!(lets(&["Роль.БазовыеПраваБСП"]), Some(("some".to_owned(), 1, vec![])));
    let full = vec!["Role.ПолныеПрава".to_owned()];
    assert_eq!(lets(&["Роль.БазовыеПраваБСП", "Роль.ПолныеПрава"]), Some(("all".to_owned(), 1, full)));

    let hub = index.overview().unwrap().hubs[0].full_name.clone();
    let walk = Walk { depth: 3, limit: 100_000, ..Walk::default() };
    assert!(index.callers(index.require(&hub).unwrap().id, &walk).unwrap().rows.len() > 100);
    let pattern = Pattern {
        text: "ЗначениеРеквизитаОбъекта".to_owned(), regex: false, case_sensitive: false
    };
    let found = index.scan(&pattern, Limits::default()).unwrap();
    assert!(found.truncated && found.hits.len() == 200 && found.unread == 0);
}
