//! Comparing two configurations: exactly what was changed is told, and what of ours it touches.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_index::build::{Options, Stop, build};
use metascope_index::compare::{What, compare, touched};
use metascope_index::{Index, Location};
use std::path::PathBuf;

struct Dump {
    _dir: tempfile::TempDir,
    root: PathBuf,
    location: Location,
}

impl Dump {
    fn of_demo() -> Self {
        let dir = support::temp_dir();
        let root = dir.path().join("dump");
        support::copy_folder(&support::demo(), &root);
        let location = Location::at(dir.path().join("index.db"));
        Self { _dir: dir, root, location }
    }

    fn change(&self, file: &str, from: &str, to: &str) {
        let path = self.root.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
    }

    fn index(&self) -> Index {
        build(&self.root, &self.location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
        Index::open(&self.location).unwrap()
    }
}

const MODULE: &str = "CommonModules/ОстаткиСкладов/Ext/Module.bsl";

#[test]
fn a_configuration_does_not_differ_from_its_copy_nor_by_comments() {
    let (one, other) = (Dump::of_demo(), Dump::of_demo());
    let path = other.root.join(MODULE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace('\n', "\n// Пояснение\n")).unwrap();
    let comparison = compare(&one.index(), &other.index()).unwrap();
    assert_eq!(comparison.differences, []);
    assert_eq!(comparison.unread, Vec::<String>::new());
}

#[test]
fn what_was_changed_is_told_and_nothing_else_and_whom_of_ours_it_touches() {
    let (ours, theirs) = (Dump::of_demo(), Dump::of_demo());
    let module = std::fs::read_to_string(ours.root.join(MODULE)).unwrap();
    let method = module.lines().find(|line| line.starts_with("Функция ") && line.contains("Экспорт")).unwrap();
    let name = method.trim_start_matches("Функция ").split('(').next().unwrap();
    // We call it from a method of our own; they take a parameter in.
    let call = format!("Процедура НашаПроцедура() Экспорт\n\tА = ОстаткиСкладов.{name}();\nКонецПроцедуры\n");
    let file = ours.root.join("CommonModules/ФоновыеРаботы/Ext/Module.bsl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}\n{call}")).unwrap();
    theirs.change(MODULE, &format!("Функция {name}("), &format!("Функция {name}(НовыйПараметр, "));
    let (ours, theirs) = (ours.index(), theirs.index());
    let comparison = compare(&ours, &theirs).unwrap();
    let told: Vec<_> = comparison
        .differences
        .iter()
        .filter(|d| d.area != "edges")
        .map(|d| (d.area, d.what, d.name.as_str()))
        .collect();
    let changed = format!("CommonModule.ОстаткиСкладов.{name}");
    assert_eq!(
        told,
        [
            ("methods", What::Changed, changed.as_str()),
            ("methods", What::Removed, "CommonModule.ФоновыеРаботы.НашаПроцедура"),
        ]
    );
    let change = comparison.differences.iter().find(|d| d.name == changed).unwrap();
    assert!(change.changes.iter().any(|change| change.property == "parameters"), "{change:?}");
    let touched = touched(&ours, &theirs, &comparison).unwrap();
    let by: Vec<_> = touched.iter().filter(|row| row.is_ours).map(|row| (&*row.thing, &*row.by)).collect();
    assert_eq!(by, [(changed.as_str(), "CommonModule.ФоновыеРаботы.НашаПроцедура")]);
}
