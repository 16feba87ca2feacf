//! The settings of a project reach the edges, and an index notices when they change.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Outcome, Stop, build};
use metascope_index::{Index, Location, Walk};
use std::fs;
use std::path::Path;

/// Nothing in the code says what `Достать` gives back.
const MODULES: [(&str, &str); 2] = [
    (
        "Кладовая",
        "Функция Достать(Полка, Имя) Экспорт\n\tВозврат ПараметрыСеанса.Склад[Имя];\nКонецФункции\n\nПроцедура Учесть() Экспорт\nКонецПроцедуры\n",
    ),
    ("Зов", "Процедура Позвать() Экспорт\n\tКладовая.Достать(1, \"Кладовая\").Учесть();\nКонецПроцедуры\n"),
];

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn write_dump(root: &Path) {
    let mut children = String::new();
    for (name, text) in MODULES {
        children += &format!("<CommonModule>{name}</CommonModule>");
        let description = format!(
            "<MetaDataObject><CommonModule><Properties><Name>{name}</Name><Server>true</Server></Properties></CommonModule></MetaDataObject>"
        );
        put(&root.join(format!("CommonModules/{name}.xml")), &description);
        put(&root.join(format!("CommonModules/{name}/Ext/Module.bsl")), text);
    }
    let configuration = format!(
        "<MetaDataObject><Configuration><Properties><Name>Проба</Name></Properties><ChildObjects>{children}</ChildObjects></Configuration></MetaDataObject>"
    );
    put(&root.join("Configuration.xml"), &configuration);
}

fn make(root: &Path, location: &Location) -> (Outcome, Index) {
    let report = build(root, location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
    (report.outcome, Index::open(location).unwrap())
}

fn callers(index: &Index) -> Vec<String> {
    let called = index.require("CommonModule.Кладовая.Учесть").unwrap();
    index.callers(called.id, &Walk::default()).unwrap().rows.into_iter().map(|edge| edge.source).collect()
}

fn problems(index: &Index) -> Vec<(String, u32, String)> {
    let rows = index.problems(100).unwrap().into_iter().filter(|problem| problem.kind == "settings");
    rows.map(|problem| (problem.file, problem.line, problem.message_en)).collect()
}

#[test]
fn a_dispatcher_of_the_project_gives_edges_and_a_change_of_the_file_is_noticed() {
    let project = tempfile::tempdir().unwrap();
    let root = project.path().join("src/cf");
    write_dump(&root);
    let location = Location::at(project.path().join("index/index.db"));
    let (_, index) = make(&root, &location);
    assert_eq!(callers(&index), [""; 0]);
    assert_eq!(index.status().unwrap().changed_files, Some(0));

    let file = project.path().join("metascope.toml");
    fs::write(&file, "[dispatchers]\ncommon_module_by_name = [\"кладовая.достать#2\"]\n").unwrap();
    assert_eq!(index.status().unwrap().changed_files, Some(1));
    let (outcome, index) = make(&root, &location);
    assert_eq!(outcome, Outcome::Rebuilt);
    assert_eq!(callers(&index), ["CommonModule.Зов.Позвать"]);
    assert_eq!(problems(&index), []);
    assert_eq!(index.meta("settings_file").unwrap().as_deref(), Some("../../metascope.toml"));
    assert_eq!(make(&root, &location).0, Outcome::Unchanged);

    fs::remove_file(&file).unwrap();
    let (outcome, index) = make(&root, &location);
    assert_eq!((outcome, callers(&index).len()), (Outcome::Rebuilt, 0));
}

#[test]
fn what_is_wrong_in_the_file_is_listed_and_the_rest_counts() {
    let project = tempfile::tempdir().unwrap();
    write_dump(project.path());
    let text = "[dispatchers]\ncommon_module_by_name = [\n\t\"Кладовая.Достать#2\",\n\t\"Кладовая.Потерять\",\n\t\"Кладовая.Достать#x\",\n]\n\n[dispatcher]\n";
    fs::write(project.path().join("metascope.toml"), text).unwrap();
    let (_, index) = make(project.path(), &Location::at(project.path().join(".index/index.db")));
    assert_eq!(callers(&index), ["CommonModule.Зов.Позвать"]);
    let found = problems(&index);
    let lines: Vec<_> = found.iter().map(|(file, line, _)| (file.as_str(), *line)).collect();
    assert_eq!(lines, [("metascope.toml", 4), ("metascope.toml", 5), ("metascope.toml", 8)]);
    assert!(found[0].2.contains("Кладовая.Потерять") && found[1].2.contains("#2"), "{found:?}");
}
