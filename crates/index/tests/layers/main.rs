//! Layers: extensions and external processors beside the demo, alone, and over real configurations.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

mod adopted;
mod corpus;
mod generated;

use metascope_index::build::{LayerPaths, Options, Outcome, Report, Scope, Stop, build};
use metascope_index::{Index, Location, Reason, Walk};
use rusqlite::types::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{description, put};

/// An index in a folder of its own.
struct Built {
    _dir: tempfile::TempDir,
    location: Location,
    report: Report,
}

impl Built {
    fn of(project: &Path, extensions: &[&Path], external: &[&Path]) -> Self {
        let dir = support::temp_dir();
        let location = Location::at(dir.path().join("index.db"));
        let report = make(project, &location, Some(layers(extensions, external)));
        Self { _dir: dir, location, report }
    }

    fn open(&self) -> Index {
        Index::open(&self.location).unwrap()
    }

    /// Rows of a query, cells joined by ` | `.
    fn rows(&self, sql: &str) -> Vec<String> {
        rows(&self.location, sql)
    }
}

fn rows(location: &Location, sql: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(location.current().unwrap().unwrap()).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cells = (0..columns).map(|column| match row.get::<_, Value>(column) {
            Ok(Value::Text(text)) => text,
            Ok(Value::Integer(number)) => number.to_string(),
            other => format!("{:?}", other.unwrap()),
        });
        Ok(cells.collect::<Vec<_>>().join(" | "))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn layers(extensions: &[&Path], external: &[&Path]) -> LayerPaths {
    let paths = |paths: &[&Path]| paths.iter().map(|path| path.to_path_buf()).collect();
    LayerPaths { extensions: paths(extensions), external: paths(external) }
}

fn make(project: &Path, location: &Location, layers: Option<LayerPaths>) -> Report {
    let options = Options { layers, ..Options::default() };
    build(project, location, &options, &Stop::default(), &|_| {}).unwrap()
}

const ADOPTED: &str = "<ObjectBelonging>Adopted</ObjectBelonging>";

/// A small configuration and an extension of it.
struct Small {
    dir: tempfile::TempDir,
}

impl Small {
    fn new() -> Self {
        let dir = support::temp_dir();
        let base = dir.path().join("base");
        let listed = "<CommonModule>Склад</CommonModule><CommonModule>События</CommonModule><Catalog>Товары</Catalog>\
                      <EventSubscription>Запись</EventSubscription>";
        put(&base, "Configuration.xml", &description("Configuration", "База", "", listed));
        put(&base, "CommonModules/Склад.xml", &description("CommonModule", "Склад", "<Server>true</Server>", ""));
        put(
            &base,
            "CommonModules/Склад/Ext/Module.bsl",
            "Функция Остаток(Товар) Экспорт\n\tВозврат Внутренний(Товар);\nКонецФункции\n\nФункция Внутренний(Товар)\n\tЦена = 1;\n\
             \tВозврат Цена;\nКонецФункции\n\nПроцедура Списать(Товар) Экспорт\n\tОстаток(Товар);\nКонецПроцедуры\n",
        );
        put(&base, "CommonModules/События.xml", &description("CommonModule", "События", "<Server>true</Server>", ""));
        put(
            &base,
            "CommonModules/События/Ext/Module.bsl",
            "Процедура ПриЗаписи(Источник, Отказ) Экспорт\n\tСклад.Списать(Источник);\nКонецПроцедуры\n",
        );
        put(
            &base,
            "Catalogs/Товары.xml",
            &description(
                "Catalog",
                "Товары",
                "",
                "<Attribute uuid=\"\"><Properties><Name>Артикул</Name></Properties></Attribute>",
            ),
        );
        put(&base, "Catalogs/Товары/Ext/ObjectModule.bsl", "Процедура ПередЗаписью(Отказ)\nКонецПроцедуры\n");
        let subscription = "<Source><v8:Type>cfg:CatalogObject.Товары</v8:Type></Source><Event>OnWrite</Event>\
                            <Handler>CommonModule.События.ПриЗаписи</Handler>";
        put(&base, "EventSubscriptions/Запись.xml", &description("EventSubscription", "Запись", subscription, ""));

        let extension = dir.path().join("extension");
        let listed = "<CommonModule>Склад</CommonModule><CommonModule>Р_Свой</CommonModule><Catalog>Товары</Catalog>\
                      <Catalog>Р_Марки</Catalog><EventSubscription>Запись</EventSubscription>";
        let purpose = "<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose>";
        put(
            &extension,
            "Configuration.xml",
            &description("Configuration", "Расш", &format!("{ADOPTED}{purpose}"), listed),
        );
        put(&extension, "CommonModules/Склад.xml", &description("CommonModule", "Склад", ADOPTED, ""));
        put(
            &extension,
            "CommonModules/Склад/Ext/Module.bsl",
            "Процедура Р_Добавленный(Товар) Экспорт\n\tВнутренний(Товар);\nКонецПроцедуры\n\n\
             &Вместо(\"Остаток\")\nФункция Р_Остаток(Товар)\n\tВозврат ПродолжитьВызов(Товар) + 1;\nКонецФункции\n\n\
             &Перед(\"Списать\")\nПроцедура Р_Списать(Товар)\nКонецПроцедуры\n\n\
             &После(\"Списать\")\nПроцедура Р_СписатьПосле(Товар)\nКонецПроцедуры\n\n\
             &ИзменениеИКонтроль(\"Внутренний\")\nФункция Р_Внутренний(Товар)\n#Удаление\n\tЦена = 1;\n#КонецУдаления\n#Вставка\n\
             \tЦена = 2;\n#КонецВставки\n\tВозврат Цена;\nКонецФункции\n\n\
             &После(\"НетТакого\")\nПроцедура Р_Лишний()\nКонецПроцедуры\n",
        );
        put(
            &extension,
            "CommonModules/Р_Свой.xml",
            &description("CommonModule", "Р_Свой", "<Server>true</Server>", ""),
        );
        put(
            &extension,
            "CommonModules/Р_Свой/Ext/Module.bsl",
            "Процедура Начать() Экспорт\n\tСклад.Р_Добавленный(1);\n\tСклад.Списать(1);\n\tО = Справочники.Товары.СоздатьЭлемент();\n\
             \tО.Записать();\n\tМарка = Справочники.Р_Марки.Найти(1);\nКонецПроцедуры\n",
        );
        let attribute = "<Attribute uuid=\"\"><Properties><Name>Р_Марка</Name><Type><v8:Type>cfg:CatalogRef.Р_Марки</v8:Type></Type>\
                         </Properties></Attribute>";
        put(&extension, "Catalogs/Товары.xml", &description("Catalog", "Товары", ADOPTED, attribute));
        put(
            &extension,
            "Catalogs/Товары/Ext/ObjectModule.bsl",
            "&После(\"ПриЗаписи\")\nПроцедура Р_ПриЗаписи(Отказ)\nКонецПроцедуры\n",
        );
        put(&extension, "Catalogs/Р_Марки.xml", &description("Catalog", "Р_Марки", "", ""));
        put(
            &extension,
            "Catalogs/Р_Марки/Ext/ManagerModule.bsl",
            "Функция Найти(Код) Экспорт\n\tВозврат Склад.Остаток(Код);\nКонецФункции\n",
        );
        put(
            &extension,
            "EventSubscriptions/Запись.xml",
            &description("EventSubscription", "Запись", &format!("{ADOPTED}{subscription}"), ""),
        );

        let processor = dir.path().join("tools");
        put(&processor, "Файл.xml", &description("ExternalDataProcessor", "Загрузка", "", "<Form>Форма</Form>"));
        put(
            &processor,
            "Файл/Ext/ObjectModule.bsl",
            "Процедура Загрузить() Экспорт\n\tСклад.Списать(1);\nКонецПроцедуры\n",
        );
        put(&processor, "Файл/Forms/Форма.xml", &description("Form", "Форма", "", ""));
        put(
            &processor,
            "Файл/Forms/Форма/Ext/Form.xml",
            "<Form><Events><Event name=\"OnOpen\">ПриОткрытии</Event></Events></Form>",
        );
        put(
            &processor,
            "Файл/Forms/Форма/Ext/Form/Module.bsl",
            "&НаКлиенте\nПроцедура ПриОткрытии(Отказ)\nКонецПроцедуры\n",
        );
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn together(&self) -> Built {
        Built::of(&self.path("base"), &[&self.path("extension")], &[&self.path("tools")])
    }
}

#[test]
fn every_thing_knows_its_layer() {
    let small = Small::new();
    let built = small.together();
    assert_eq!(
        built.rows("SELECT name, kind, purpose FROM layers"),
        [" | main | ", "Расш | extension | AddOn", "Загрузка | external | "]
    );
    assert_eq!(
        built.rows("SELECT full_name, layer, file FROM objects WHERE kind = 'Catalog' ORDER BY full_name"),
        [
            "Catalog.Товары |  | Catalogs/Товары.xml",
            "Расш::Catalog.Р_Марки | Расш | Расш::Catalogs/Р_Марки.xml",
            "Расш::Catalog.Товары | Расш | Расш::Catalogs/Товары.xml",
        ]
    );
    assert_eq!(
        built.rows("SELECT full_name, types, layer FROM attributes WHERE kind = 'Attribute' ORDER BY full_name"),
        [
            "Catalog.Товары.Attribute.Артикул | Null | ",
            "Расш::Catalog.Товары.Attribute.Р_Марка | CatalogRef.Р_Марки | Расш",
        ]
    );
    assert_eq!(
        built.rows("SELECT full_name, object, layer FROM modules WHERE layer = 'Загрузка' ORDER BY full_name"),
        [
            "Загрузка::ExternalDataProcessor.Загрузка.Form.Форма | Загрузка::ExternalDataProcessor.Загрузка.Form.Форма | Загрузка",
            "Загрузка::ExternalDataProcessor.Загрузка.ObjectModule | Загрузка::ExternalDataProcessor.Загрузка | Загрузка",
        ]
    );
    assert_eq!(
        built.rows("SELECT name, handler, source_object FROM event_subscriptions ORDER BY name"),
        [
            "EventSubscription.Запись | CommonModule.События.ПриЗаписи | Catalog.Товары",
            "Расш::EventSubscription.Запись | CommonModule.События.ПриЗаписи | Catalog.Товары",
        ]
    );
    let index = built.open();
    let base = index.require("Справочник.Товары").unwrap();
    assert_eq!(index.object_passport(base.id).unwrap().unwrap().adopted_in, ["Расш::Catalog.Товары"]);
    let method = index.require("Загрузка::ВнешняяОбработка.Загрузка.МодульОбъекта.Загрузить").unwrap();
    assert!(index.method_source(method.id).unwrap().text.contains("Склад.Списать(1)"));
}

#[test]
fn names_resolve_over_the_layers() {
    let built = Small::new().together();
    let edges = built.rows(
        "SELECT source, target, channel, confidence FROM edges WHERE channel <> 'extension_override' AND (source LIKE '%::%' OR target LIKE '%::%')
         ORDER BY source, target",
    );
    for edge in [
        // An extension calls what it adds to an adopted module, and the extended module's own methods.
        "Расш::CommonModule.Р_Свой.Начать | Расш::CommonModule.Склад.Р_Добавленный | direct | exact",
        "Расш::CommonModule.Р_Свой.Начать | CommonModule.Склад.Списать | direct | exact",
        "Расш::CommonModule.Склад.Р_Добавленный | CommonModule.Склад.Внутренний | direct | exact",
        "Расш::CommonModule.Р_Свой.Начать | Расш::Catalog.Р_Марки.ManagerModule.Найти | manager_call | exact",
        "Расш::Catalog.Р_Марки.ManagerModule.Найти | CommonModule.Склад.Остаток | direct | exact",
        // Writing an object of the base reaches its handlers.
        "Расш::CommonModule.Р_Свой.Начать | Catalog.Товары.ObjectModule.ПередЗаписью | object_event | typed",
        "Расш::CommonModule.Р_Свой.Начать | CommonModule.События.ПриЗаписи | object_event | typed",
        // An event that only the extension handles.
        "Catalog.Товары | Расш::Catalog.Товары.ObjectModule.Р_ПриЗаписи | platform_handler | convention",
        "Загрузка::ExternalDataProcessor.Загрузка.ObjectModule.Загрузить | CommonModule.Склад.Списать | direct | exact",
        "Загрузка::ExternalDataProcessor.Загрузка.Form.Форма | Загрузка::ExternalDataProcessor.Загрузка.Form.Форма.ПриОткрытии | form_event | exact",
    ] {
        assert!(edges.iter().any(|known| known == edge), "{edge}\n{edges:#?}");
    }
}

#[test]
fn what_runs_and_what_is_missing() {
    let small = Small::new();
    let built = small.together();
    assert_eq!(
        built.rows(
            "SELECT full_name, override_of, override_kind FROM methods WHERE override_kind IS NOT NULL ORDER BY line"
        ),
        [
            "Расш::Catalog.Товары.ObjectModule.Р_ПриЗаписи | Null | after",
            "Расш::CommonModule.Склад.Р_Остаток | CommonModule.Склад.Остаток | around",
            "Расш::CommonModule.Склад.Р_Списать | CommonModule.Склад.Списать | before",
            "Расш::CommonModule.Склад.Р_СписатьПосле | CommonModule.Склад.Списать | after",
            "Расш::CommonModule.Склад.Р_Внутренний | CommonModule.Склад.Внутренний | change_and_validate",
            "Расш::CommonModule.Склад.Р_Лишний | Null | after",
        ]
    );
    let problems = "SELECT kind, file, line, message_en FROM problems ORDER BY line";
    let absent = "absent_base | Расш::CommonModules/Склад/Ext/Module.bsl | 29 | base object not in this configuration: \
                  CommonModule.Склад.НетТакого";
    assert_eq!(built.rows(problems), [absent]);
    let index = built.open();
    let runs = |name: &str| {
        let steps = index.effective(index.require(name).unwrap().id).unwrap();
        let show = |s: metascope_index::EffectiveStep| format!("{} {} {} {}", s.full_name, s.kind, s.depth, s.runs);
        steps.into_iter().map(show).collect::<Vec<_>>()
    };
    let around = ["Расш::CommonModule.Склад.Р_Остаток around 0 true", "CommonModule.Склад.Остаток base 1 true"];
    assert_eq!(runs("CommonModule.Склад.Остаток"), around);
    assert_eq!(runs("Расш::CommonModule.Склад.Р_Остаток"), around);
    assert_eq!(
        runs("CommonModule.Склад.Списать"),
        [
            "Расш::CommonModule.Склад.Р_Списать before 0 true",
            "CommonModule.Склад.Списать base 0 true",
            "Расш::CommonModule.Склад.Р_СписатьПосле after 0 true",
        ]
    );
    assert_eq!(
        runs("CommonModule.Склад.Внутренний"),
        [
            "Расш::CommonModule.Склад.Р_Внутренний change_and_validate 0 true",
            "CommonModule.Склад.Внутренний base 1 false",
        ]
    );
    // What overrides a method is reached by those who call that one, and never unused.
    let after = index.require("Расш::CommonModule.Склад.Р_СписатьПосле").unwrap();
    let callers = index.callers(after.id, &Walk::default()).unwrap();
    assert!(callers.rows.iter().any(|edge| edge.source == "CommonModule.События.ПриЗаписи"), "{:?}", callers.rows);
    let dead = index.dead_methods(&graph::dead::OutsideUse::default()).unwrap();
    assert!(dead.rows.iter().all(|row| !row.full_name.contains("Склад.Р_")), "{:?}", dead.rows);

    // The base changes: the method under control was made for another text, and an update tells so.
    let module = small.path("base").join("CommonModules/Склад/Ext/Module.bsl");
    let text = fs::read_to_string(&module).unwrap();
    fs::write(&module, text.replace("Возврат Цена;", "Возврат Цена + 10;")).unwrap();
    let report = make(&small.path("base"), &built.location, None);
    assert!(
        matches!(report.outcome, Outcome::Updated { scope: Scope::Modules { read: 1, .. }, .. }),
        "{:?}",
        report.outcome
    );
    let drifted = rows(&built.location, "SELECT file, line FROM problems WHERE kind = 'drifted_control'");
    assert_eq!(drifted, ["Расш::CommonModules/Склад/Ext/Module.bsl | 26"]);
    assert_eq!(rows(&built.location, "SELECT count(*) FROM problems"), ["2"]);
    let index = built.open();
    let steps = index.effective(index.require("CommonModule.Склад.Внутренний").unwrap().id).unwrap();
    assert_eq!(steps.iter().map(|step| step.drifted).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn an_extension_alone_says_that_its_base_is_absent() {
    let small = Small::new();
    let built = Built::of(&small.path("extension"), &[], &[]);
    assert_eq!(built.rows("SELECT count(*) FROM problems"), ["0"], "{:?}", built.rows("SELECT * FROM problems"));
    assert_eq!(built.rows("SELECT DISTINCT layer FROM objects"), ["Расш"]);
    let index = built.open();
    let own = index.require("Расш::CommonModule.Р_Свой.Начать").unwrap();
    let callees = index.callees(own.id, &Walk::default()).unwrap();
    let targets: Vec<&str> = callees.rows.iter().map(|edge| edge.target.as_str()).collect();
    assert_eq!(targets, ["Расш::Catalog.Р_Марки.ManagerModule.Найти", "Расш::CommonModule.Склад.Р_Добавленный"]);
    let callers = index.callers(own.id, &Walk::default()).unwrap();
    assert!(callers.state.reasons.contains(&Reason::BaseAbsent), "{:?}", callers.state);
}

#[test]
fn an_external_processor_alone() {
    let small = Small::new();
    for path in ["tools", "tools/Файл.xml"] {
        let built = Built::of(&small.path(path), &[], &[]);
        assert_eq!(built.rows("SELECT name, kind FROM layers"), ["Загрузка | external"]);
        assert_eq!(built.rows("SELECT file FROM modules ORDER BY 1").len(), 2);
        assert_eq!(built.rows("SELECT * FROM problems"), Vec::<String>::new());
        let again = make(&small.path(path), &built.location, None);
        assert_eq!(again.outcome, Outcome::Unchanged);
    }
}

#[test]
fn an_index_remembers_its_layers() {
    let small = Small::new();
    let built = small.together();
    assert_eq!(built.report.outcome, Outcome::Built);
    let count = |location: &Location| rows(location, "SELECT count(*) FROM layers");
    let base = small.path("base");
    assert_eq!(make(&base, &built.location, None).outcome, Outcome::Unchanged);

    // A file of any layer that changes is updated; what is there then is what a build gives.
    let module = small.path("extension").join("CommonModules/Р_Свой/Ext/Module.bsl");
    fs::write(&module, "Процедура Начать() Экспорт\n\tСклад.Остаток(1);\nКонецПроцедуры\n").unwrap();
    let report = make(&base, &built.location, None);
    assert!(
        matches!(report.outcome, Outcome::Updated { changed: 1, scope: Scope::Modules { .. } }),
        "{:?}",
        report.outcome
    );
    let edges = "SELECT * FROM edges ORDER BY 1, 2, 3, 4, 5, 6";
    assert_eq!(rows(&built.location, edges), small.together().rows(edges));

    put(&small.path("tools"), "Файл/Ext/Новый.txt", "");
    let report = make(&base, &built.location, None);
    let scope = Scope::Metadata { files: 1, read: 0, derived: 0 };
    assert_eq!(report.outcome, Outcome::Updated { changed: 1, scope });
    assert_eq!(count(&built.location), ["3"]);

    // Other layers make another index.
    assert_eq!(make(&base, &built.location, Some(LayerPaths::default())).outcome, Outcome::Rebuilt);
    assert_eq!(count(&built.location), ["1"]);
    let with = layers(&[&small.path("extension")], &[]);
    assert_eq!(make(&base, &built.location, Some(with)).outcome, Outcome::Rebuilt);
    assert_eq!(make(&base, &built.location, None).outcome, Outcome::Unchanged);
    assert_eq!(count(&built.location), ["2"]);
}
