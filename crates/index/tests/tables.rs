//! The tables of the demo configuration, as queries see them.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::path::Path;

use bsl::catalog::{Catalog, Followed, Spelling, follow};
use metascope_index::build::{Options, Stop, build};
use metascope_index::{Location, Tables};
use support::{description, put};

fn tables_of(dump: &Path) -> (tempfile::TempDir, Tables) {
    let folder = support::temp_dir();
    let location = Location::at(folder.path().join("index.db"));
    build(dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    let tables = Tables::open(&location).unwrap();
    (folder, tables)
}

fn targets(tables: &Tables, table: &str, field: &str) -> Option<Vec<String>> {
    Some(tables.targets(table, field)?.iter().map(|name| name.to_string()).collect())
}

#[test]
fn tables_of_the_demo() {
    let (_folder, tables) = tables_of(&support::demo());
    for (table, exists) in [
        ("Catalog.Товары", Some(true)),
        ("catalog.ТОВАРЫ", Some(true)),
        ("Catalog.Тавары", Some(false)),
        ("Document.ПродажаТоваров.TabularSection.Товары", Some(true)),
        ("Document.ПродажаТоваров.TabularSection.Тавары", Some(false)),
        ("AccumulationRegister.ОстаткиТоваров.Balance", Some(true)),
        // A register of turnovers has no balance.
        ("AccumulationRegister.ОборотыПродаж.Balance", Some(false)),
        ("AccumulationRegister.ОборотыПродаж.Turnovers", Some(true)),
        ("InformationRegister.ЦеныТоваров.SliceLast", Some(true)),
        ("InformationRegister.ПорогиОстатков.SliceLast", Some(false)),
        ("Constants", Some(true)),
        // Whether a plan of exchange registers it isn't looked at.
        ("Catalog.Товары.Changes", None),
    ] {
        assert_eq!(tables.has_table(table), exists, "{table}");
    }
    for (table, field, has) in [
        ("Catalog.Товары", "Артикул", Some(true)),
        ("Catalog.Товары", "Ссылка", Some(true)),
        ("Catalog.Товары", "Description", Some(true)),
        ("Catalog.Товары", "Артикль", Some(false)),
        ("Document.ПродажаТоваров", "Товары", Some(true)),
        ("Document.ПродажаТоваров.TabularSection.Товары", "НомерСтроки", Some(true)),
        ("AccumulationRegister.ОстаткиТоваров.BalanceAndTurnovers", "КоличествоНачальныйОстаток", Some(true)),
        ("AccumulationRegister.ОстаткиТоваров.BalanceAndTurnovers", "Количество", Some(false)),
        ("AccountingRegister.ПроводкиУправленческие.Balance", "Субконто1", None),
        ("Catalog.НетТакого", "Код", None),
    ] {
        assert_eq!(tables.has_field(table, field), has, "{table}.{field}");
    }
    assert_eq!(targets(&tables, "Catalog.Товары", "Родитель"), Some(vec!["Catalog.Товары".into()]));
    assert_eq!(targets(&tables, "Catalog.Товары", "Артикул"), Some(vec![]));
    let section = "Document.ПродажаТоваров.TabularSection.Товары";
    assert_eq!(targets(&tables, "Document.ПродажаТоваров", "Товары"), Some(vec![section.into()]));
    assert_eq!(targets(&tables, section, "Ссылка"), Some(vec!["Document.ПродажаТоваров".into()]));
    assert_eq!(tables.nearest("Catalog.Тавары"), ["Catalog.Товары"]);
    assert_eq!(tables.nearest("Catalog.ПродажаТоваров"), ["Document.ПродажаТоваров"]);
    assert_eq!(tables.nearest("Document.ПродажаТоваров.TabularSection.Тавары"), [section]);
    let offered = tables.fields("Catalog.Товары", Spelling::English);
    assert!(
        offered.iter().any(|name| &**name == "Description") && !offered.iter().any(|name| &**name == "Наименование")
    );
}

#[test]
fn a_path_is_followed_along_references() {
    let (_folder, tables) = tables_of(&support::demo());
    let lost = |path: &[&str]| match follow(&tables, "AccumulationRegister.ОстаткиТоваров", path) {
        Followed::Missing(number, _) => Some(number),
        Followed::Whole | Followed::Unknown => None,
    };
    assert_eq!(follow(&tables, "AccumulationRegister.ОстаткиТоваров", &["Товар", "Родитель", "Код"]), Followed::Whole);
    assert_eq!(lost(&["Товар", "Родитель", "Кот"]), Some(2));
    assert_eq!(lost(&["Товар", "Код", "Имя"]), Some(2));
    // Several documents make its records: one of them has the attribute.
    assert_eq!(follow(&tables, "AccumulationRegister.ОстаткиТоваров", &["Регистратор", "Дата"]), Followed::Whole);
    assert_eq!(lost(&["Регистратор", "НетТакого"]), Some(1));
}

/// An extension without the configuration that it extends: what it adopted isn't known in full, and nothing is missing.
#[test]
fn an_extension_alone_says_nothing_of_its_base() {
    let folder = support::temp_dir();
    let root = folder.path();
    let listed = "<Catalog>Свой</Catalog><Catalog>Чужой</Catalog>";
    let purpose = "<ObjectBelonging>Adopted</ObjectBelonging><ConfigurationExtensionPurpose>Customization</ConfigurationExtensionPurpose>";
    put(root, "Configuration.xml", &description("Configuration", "Расш", purpose, listed));
    put(root, "Catalogs/Свой.xml", &description("Catalog", "Свой", "", ""));
    let adopted = "<ObjectBelonging>Adopted</ObjectBelonging>";
    put(root, "Catalogs/Чужой.xml", &description("Catalog", "Чужой", adopted, ""));
    let (_folder, tables) = tables_of(root);
    assert_eq!((tables.has_table("Catalog.Свой"), tables.has_table("Catalog.НетТакого")), (Some(true), None));
    assert_eq!((tables.has_table("Catalog.Чужой"), tables.has_field("Catalog.Чужой", "Что")), (Some(true), None));
}

/// What a file that changed since decides isn't said; what others decide is.
#[test]
fn files_that_changed_since_decide_nothing() {
    let dump = support::temp_dir();
    support::copy_folder(&support::demo(), dump.path());
    let (folder, tables) = tables_of(dump.path());
    let again = || Tables::open(&Location::at(folder.path().join("index.db"))).unwrap();
    let touch = |path: &str| {
        let path = dump.path().join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{text}\n")).unwrap();
    };
    assert_eq!(tables.has_field("Catalog.Товары", "Артикль"), Some(false));
    assert!(tables.outdated().is_empty());

    touch("Catalogs/Товары.xml");
    let tables = again();
    assert_eq!(
        (tables.has_field("Catalog.Товары", "Артикль"), targets(&tables, "Catalog.Товары", "Родитель")),
        (None, None)
    );
    assert_eq!(tables.has_field("Catalog.Партнеры", "Артикль"), Some(false));
    assert_eq!(tables.has_table("Catalog.Тавары"), Some(false));
    let path = ["Товар", "Артикль"];
    assert_eq!(follow(&tables, "AccumulationRegister.ОстаткиТоваров", &path), Followed::Unknown);
    // What may be offered is offered.
    assert!(tables.fields("Catalog.Товары", Spelling::Russian).iter().any(|name| &**name == "Артикул"));
    assert_eq!(tables.outdated(), ["Catalogs/Товары.xml"]);

    // A defined type says what its attributes lead to.
    let based = || targets(&again(), "Document.ОплатаПартнера", "Основание");
    assert!(based().is_some());
    touch("DefinedTypes/ТорговыйДокумент.xml");
    assert_eq!(based(), None);

    // The list of objects: whatever it lacked may be there now, and a common attribute with it.
    touch("Configuration.xml");
    let tables = again();
    assert_eq!((tables.has_table("Catalog.Тавары"), tables.has_table("Catalog.Партнеры")), (None, Some(true)));
    assert_eq!(tables.has_field("Catalog.Партнеры", "Артикль"), None);
    assert_eq!(tables.has_field("Catalog.Партнеры", "Наименование"), Some(true));
    assert_eq!(tables.outdated(), ["Configuration.xml"]);

    // A dump that is gone: the index is all there is.
    drop(dump);
    assert_eq!(again().has_field("Catalog.Товары", "Артикль"), Some(false));
}

#[test]
fn attributes_have_synonyms() {
    let (_folder, tables) = tables_of(&support::demo());
    let synonym = |table: &str, field: &str| tables.synonym(table, field).map(String::from);
    assert_eq!(synonym("Catalog.Товары", "артикул").as_deref(), Some("Артикул"));
    let section = "Document.ПродажаТоваров.TabularSection.Товары";
    assert_eq!(synonym(section, "процентскидки").as_deref(), Some("Скидка, %"));
    assert_eq!(synonym("Document.ПродажаТоваров", "ТипЦен").as_deref(), Some("Тип цен"));
    assert_eq!(synonym("Document.ПродажаТоваров", "ПроцентСкидки"), None);
    // A virtual table has the dimensions of its register; what it works out has no synonym of its own.
    assert_eq!(synonym("AccumulationRegister.ОстаткиТоваров.Balance", "Товар").as_deref(), Some("Товар"));
    assert_eq!(synonym("AccumulationRegister.ОстаткиТоваров.Balance", "КоличествоОстаток"), None);
    assert_eq!((synonym("Catalog.Товары", "НетТакого"), synonym("Catalog.Нет", "Код")), (None, None));
}
