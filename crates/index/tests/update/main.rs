//! An update gives what a build from scratch gives: over random edits of the demo, and over a few edits of the library.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

mod descriptions;
mod edits;
mod files;
mod kills;

use descriptions::Contents;
use edits::{Dice, Pool, edit};
use files::Shelf;
use metascope_index::build::{Because, LayerPaths, Options, Outcome, Report, Scope, Stop, build};
use metascope_index::schema::all_views;
use metascope_index::{Error, Index, Location, Resolution, Walk};
use rusqlite::types::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn make(dump: &Path, location: &Location) -> Report {
    make_with(dump, location, None)
}

fn make_with(dump: &Path, location: &Location, layers: Option<LayerPaths>) -> Report {
    build(dump, location, &Options { layers, ..Options::default() }, &Stop::default(), &|_| {}).unwrap()
}

fn scope(report: &Report) -> Scope {
    match &report.outcome {
        Outcome::Updated { scope, .. } => *scope,
        other => panic!("{other:?}"),
    }
}

/// Writes a file anew, so that what was linked keeps its content, with a time of its own.
fn write(path: &Path, text: &str) {
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, text).unwrap();
}

fn modules(roots: &[PathBuf]) -> Vec<PathBuf> {
    roots.iter().flat_map(|root| files_of(root, "bsl")).collect()
}

fn descriptions(roots: &[PathBuf]) -> Vec<PathBuf> {
    roots.iter().flat_map(|root| files_of(root, "xml")).collect()
}

/// All files below a folder with that extension.
fn files_of(root: &Path, wanted: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut ahead = vec![root.to_path_buf()];
    while let Some(folder) = ahead.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                ahead.push(path);
            } else if path.extension().is_some_and(|extension| extension == wanted) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The name of the common module that a file is of; empty for other modules.
fn common(path: &Path) -> &str {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let place = parts.iter().position(|part| *part == "CommonModules");
    place.and_then(|place| parts.get(place + 1)).copied().unwrap_or("")
}

/// Most methods whose callers are compared.
const WALKS: usize = 2000;

/// Everything that an index says, as sorted lines by what says it.
fn all_of(location: &Location) -> BTreeMap<String, Vec<String>> {
    let file = location.current().unwrap().unwrap();
    let connection = rusqlite::Connection::open(file).unwrap();
    let mut all = BTreeMap::new();
    let mut read = |name: &str, sql: &str| {
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cells = (0..columns).map(|column| match row.get::<_, Value>(column) {
                Ok(Value::Text(text)) => text,
                other => format!("{:?}", other.unwrap()),
            });
            Ok(cells.collect::<Vec<_>>().join(" | "))
        });
        let mut rows: Vec<String> = rows.unwrap().map(Result::unwrap).collect();
        rows.sort();
        all.insert(name.to_owned(), rows);
    };
    for view in all_views().filter(|view| view.name != "meta") {
        read(view.name, &format!("SELECT * FROM \"{}\"", view.name));
    }
    read("meta", "SELECT key, value FROM meta WHERE key NOT IN ('built_at', 'updates')");
    read("names that are borne", "SELECT name FROM names WHERE NOT ghost");
    read("names in literals", "SELECT s.key, n.name, s.line FROM string_name s JOIN names n ON n.id = s.method");
    read("words of modules", "SELECT n.name, w.words FROM module_words w JOIN names n ON n.id = w.module");
    read("places of methods", "SELECT n.name, m.contexts, m.flags FROM method m JOIN names n ON n.id = m.id");
    read(
        "conditions",
        "SELECT n.name, c.line, c.end_line, c.contexts FROM condition c JOIN names n ON n.id = c.module",
    );
    connection
        .execute_batch("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'fulltext', 'instance')")
        .unwrap();
    read(
        "full text",
        "SELECT t.term, n.name, d.is_object, t.col, t.offset FROM terms t LEFT JOIN doc d ON d.id = t.doc LEFT JOIN names n ON n.id = d.name",
    );
    read("full text, sizes", "SELECT count(*) FROM fulltext_docsize");
    // The graph as walks read it.
    let index = Index::open(location).unwrap();
    let mut walks = Vec::new();
    // Of a library some thousand methods, evenly: all of them take more than ten minutes in a debug build.
    let every = all["methods"].len().div_ceil(WALKS).max(1);
    for name in all["methods"].iter().step_by(every) {
        let name = name.split(" | ").next().unwrap();
        let Resolution::Found(named) = index.resolve(name).unwrap() else { continue };
        for edge in index.callers(named.id, &Walk { limit: 100_000, ..Walk::default() }).unwrap().rows {
            walks.push(format!("{edge:?}"));
        }
    }
    walks.sort();
    all.insert("walks".to_owned(), walks);
    all
}

/// Compares an updated index with one that is built from scratch.
fn compare(dump: &Path, updated: &Location, what: &str) {
    compare_with(dump, updated, &LayerPaths::default(), what);
}

fn compare_with(dump: &Path, updated: &Location, layers: &LayerPaths, what: &str) {
    let dir = support::temp_dir();
    let fresh = Location::at(dir.path().join("index.db"));
    make_with(dump, &fresh, Some(layers.clone()));
    let (updated, fresh) = (all_of(updated), all_of(&fresh));
    for (name, rows) in &fresh {
        let there = &updated[name];
        if rows == there {
            continue;
        }
        let missing: Vec<&String> = rows.iter().filter(|row| there.binary_search(row).is_err()).take(10).collect();
        let extra: Vec<&String> = there.iter().filter(|row| rows.binary_search(row).is_err()).take(10).collect();
        panic!("{what}\n{name}: {} rows, not {}\nmissing: {missing:#?}\ntoo many: {extra:#?}", there.len(), rows.len());
    }
}

/// A copy of the demo whose files are edited.
struct Edited {
    roots: Vec<PathBuf>,
    modules: Vec<PathBuf>,
    descriptions: Vec<PathBuf>,
    pool: Pool,
    contents: Contents,
    shelf: Shelf,
    dice: Dice,
    /// What was done, for messages.
    done: Vec<String>,
}

impl Edited {
    fn of<'a>(roots: impl Iterator<Item = &'a PathBuf>, seed: u64) -> Self {
        let roots: Vec<PathBuf> = roots.cloned().collect();
        let (modules, descriptions) = (modules(&roots), descriptions(&roots));
        let texts: Vec<String> = modules.iter().map(|file| read(file)).collect();
        let pool = Pool::of(modules.iter().map(|file| common(file)).zip(texts.iter().map(String::as_str)));
        let texts: Vec<String> = descriptions.iter().map(|file| read(file)).collect();
        let contents = Contents::of(texts.iter().map(String::as_str));
        let (shelf, dice) = (Shelf::default(), Dice(seed));
        Self { roots, modules, descriptions, pool, contents, shelf, dice, done: Vec::new() }
    }

    /// Files come, go, or get another name.
    fn files(&mut self) {
        let root = self.dice.one(&self.roots).clone();
        self.done.push(self.shelf.change(&root, &mut self.dice));
        (self.modules, self.descriptions) = (modules(&self.roots), descriptions(&self.roots));
    }

    fn module(&mut self) {
        let file = self.dice.one(&self.modules).clone();
        let text = read(&file);
        let new = edit(&text, &mut self.pool, &mut self.dice);
        self.put(&file, &text, &new);
    }

    fn description(&mut self) {
        let file = self.dice.one(&self.descriptions).clone();
        let text = read(&file);
        let new = descriptions::edit(&text, &mut self.contents, &mut self.dice);
        self.put(&file, &text, &new);
    }

    fn put(&mut self, file: &Path, old: &str, new: &str) {
        self.done.push(format!("{}: {} -> {} bytes", file.display(), old.len(), new.len()));
        write(file, new);
    }
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// After each round of edits an update says what a build says; more than half of the updates are `partly` ones. `layers` makes what
/// is indexed beside the dump, in a folder of its own.
fn rounds_of_edits(
    seed: u64,
    rounds: usize,
    layers: impl Fn(&Path, &Path) -> LayerPaths,
    partly: impl Fn(Scope) -> bool,
    round_of: impl Fn(&mut Edited),
) {
    let dir = support::temp_dir();
    let dump = dir.path().join("dump");
    support::copy_folder(&support::demo(), &dump);
    let location = Location::at(dir.path().join("index.db"));
    let layers = layers(&dump, &dir.path().join("extension"));
    make_with(&dump, &location, Some(layers.clone()));
    let mut edited = Edited::of(std::iter::once(&dump).chain(&layers.extensions), seed);
    let mut count = 0;
    for round in 0..rounds {
        round_of(&mut edited);
        let report = build(&dump, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
        if let Outcome::Updated { scope, .. } = &report.outcome {
            count += usize::from(partly(*scope));
            edited.done.push(format!("round {round}: {scope:?}"));
        }
        compare_with(&dump, &location, &layers, &format!("seed {seed}, round {round}\n{}", edited.done.join("\n")));
    }
    assert!(count * 2 > rounds, "{count} of {rounds} rounds were updates in part\n{}", edited.done.join("\n"));
}

fn no_layers(_: &Path, _: &Path) -> LayerPaths {
    LayerPaths::default()
}

/// Edits of modules.
fn random_edits(seed: u64, rounds: usize, layers: impl Fn(&Path, &Path) -> LayerPaths) {
    let partly = |scope| matches!(scope, Scope::Modules { .. });
    rounds_of_edits(seed, rounds, layers, partly, |edited| {
        for _ in 0..=edited.dice.below(3) {
            edited.module();
        }
    });
}

/// Edits of metadata, now and then with one of a module.
fn random_edits_of_metadata(seed: u64, rounds: usize, layers: impl Fn(&Path, &Path) -> LayerPaths) {
    let partly = |scope| matches!(scope, Scope::Metadata { .. });
    rounds_of_edits(seed, rounds, layers, partly, |edited| {
        for _ in 0..=edited.dice.below(4) {
            edited.description();
        }
        if edited.dice.below(3) == 0 {
            edited.module();
        }
    });
}

#[test]
fn random_edits_of_metadata_give_what_a_build_gives() {
    for seed in 0..4 {
        random_edits_of_metadata(seed, 10, no_layers);
    }
}

#[test]
fn random_edits_of_metadata_of_an_extension_give_what_a_build_gives() {
    for seed in 10..12 {
        random_edits_of_metadata(seed, 10, an_extension(seed));
    }
}

/// Makes an extension of the demo.
fn an_extension(seed: u64) -> impl Fn(&Path, &Path) -> LayerPaths {
    move |dump, extension| {
        let plan = support::extension::Plan { methods: 12, forms: 5, controls: 10, seed: seed + 1 };
        support::extension::generate(dump, extension, plan).unwrap();
        LayerPaths { extensions: vec![extension.to_path_buf()], external: Vec::new() }
    }
}

#[test]
fn random_edits_of_the_demo_give_what_a_build_gives() {
    for seed in 0..4 {
        random_edits(seed, 12, no_layers);
    }
}

#[test]
fn random_edits_of_the_demo_and_of_an_extension_give_what_a_build_gives() {
    for seed in 0..2 {
        random_edits(seed, 10, an_extension(seed));
    }
}

/// The same, for as long as somebody likes: `METASCOPE_ROUNDS`.
#[test]
#[ignore = "slow"]
fn many_random_edits_of_the_demo_give_what_a_build_gives() {
    let rounds = std::env::var("METASCOPE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    for seed in 100..100 + rounds {
        random_edits(seed, 30, no_layers);
        random_edits_of_metadata(seed, 30, no_layers);
    }
}

/// A copy of the demo with its index.
struct Demo {
    _dir: tempfile::TempDir,
    dump: PathBuf,
    location: Location,
}

fn demo() -> Demo {
    let dir = support::temp_dir();
    let (dump, location) = (dir.path().join("dump"), Location::at(dir.path().join("index.db")));
    support::copy_folder(&support::demo(), &dump);
    make(&dump, &location);
    Demo { _dir: dir, dump, location }
}

impl Demo {
    fn change(&self, file: &str, change: impl Fn(&str) -> String) -> Report {
        let path = self.dump.join(file);
        write(&path, &change(&std::fs::read_to_string(&path).unwrap()));
        let report = make(&self.dump, &self.location);
        compare(&self.dump, &self.location, file);
        report
    }
}

const MODULE: &str = "CommonModules/ОстаткиСкладов/Ext/Module.bsl";

#[test]
fn a_change_of_a_body_concerns_nobody_else() {
    let demo = demo();
    let report = demo.change(MODULE, |text| format!("// Пояснение\n\n{text}"));
    assert_eq!(scope(&report), Scope::Modules { read: 1, derived: 1 });
    let again = make(&demo.dump, &demo.location);
    assert_eq!(again.outcome, Outcome::Unchanged);
}

#[test]
fn a_file_that_was_only_touched_is_read_and_nothing_else() {
    let demo = demo();
    let report = demo.change(MODULE, str::to_owned);
    assert_eq!(scope(&report), Scope::Modules { read: 0, derived: 0 });
    assert_eq!(make(&demo.dump, &demo.location).outcome, Outcome::Unchanged);
}

#[test]
fn a_change_of_what_others_see_travels_to_those_who_name_it() {
    let demo = demo();
    let call = "Процедура Зовет()\n\tОстаткиСкладов.ТакогоНет(1);\nКонецПроцедуры\n";
    demo.change("CommonModules/ФоновыеРаботы/Ext/Module.bsl", |text| format!("{text}\n{call}"));
    let report = demo.change(MODULE, |text| format!("{text}\nПроцедура ТакогоНет(А) Экспорт\nКонецПроцедуры\n"));
    assert_eq!(scope(&report), Scope::Modules { read: 1, derived: 2 });
    let index = Index::open(&demo.location).unwrap();
    let method = index.require("ОстаткиСкладов.ТакогоНет").unwrap();
    let callers = index.callers(method.id, &Walk::default()).unwrap().rows;
    assert_eq!(callers.len(), 1);
    assert_eq!(callers[0].source, "CommonModule.ФоновыеРаботы.Зовет");
    // And back again.
    let report = demo.change(MODULE, |text| text.replace("Процедура ТакогоНет(А) Экспорт\nКонецПроцедуры\n", ""));
    assert_eq!(scope(&report), Scope::Modules { read: 1, derived: 2 });
    let index = Index::open(&demo.location).unwrap();
    assert!(matches!(index.resolve("ОстаткиСкладов.ТакогоНет").unwrap(), Resolution::Unknown { .. }));
}

#[test]
fn a_change_of_metadata_is_an_update() {
    let demo = demo();
    let touched = demo.change("Configuration.xml", |text| format!("{text}\n"));
    assert_eq!(scope(&touched), Scope::Metadata { files: 1, read: 0, derived: 0 });
    assert_eq!(make(&demo.dump, &demo.location).outcome, Outcome::Unchanged);
}

#[test]
fn what_an_update_can_not_do_a_build_does_and_says_why() {
    let demo = demo();
    let because = |report: &Report| match scope(report) {
        Scope::Whole { because } => because,
        other => panic!("{other:?}"),
    };
    let subscription = std::fs::read_dir(demo.dump.join("EventSubscriptions")).unwrap().next().unwrap().unwrap();
    let text = std::fs::read_to_string(subscription.path()).unwrap();
    let handler = text.split("<Handler>CommonModule.").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    let (module, method) = handler.split_once('.').unwrap();
    let renamed = demo.change(&format!("CommonModules/{module}/Ext/Module.bsl"), |text| {
        text.replace(&format!("Процедура {method}("), "Процедура ДругоеИмяОбработчика(")
    });
    assert_eq!(because(&renamed), Because::NamedInMetadata);
    for file in files_of(&demo.dump, "bsl") {
        write(&file, &format!("// Пояснение\n{}", std::fs::read_to_string(&file).unwrap()));
    }
    let many = make(&demo.dump, &demo.location);
    assert_eq!(because(&many), Because::ManyModules);
    compare(&demo.dump, &demo.location, "many");
}

#[test]
fn files_that_come_and_go_are_an_update() {
    let demo = demo();
    let step = |what: &str| {
        let report = make(&demo.dump, &demo.location);
        compare(&demo.dump, &demo.location, what);
        assert_eq!(make(&demo.dump, &demo.location).outcome, Outcome::Unchanged, "{what}");
        scope(&report)
    };
    let text = std::fs::read(demo.dump.join(MODULE)).unwrap();
    std::fs::remove_file(demo.dump.join(MODULE)).unwrap();
    assert!(matches!(step("a module is gone"), Scope::Metadata { files: 1, read: 0, derived: 1.. }));
    std::fs::write(demo.dump.join(MODULE), text).unwrap();
    assert!(matches!(step("and is there again"), Scope::Metadata { files: 0, read: 1, derived: 2.. }));
    std::fs::write(demo.dump.join("Ext/Что-то.txt"), "").unwrap();
    assert_eq!(step("a file of no meaning"), Scope::Metadata { files: 1, read: 0, derived: 0 });
}

#[test]
fn files_that_come_and_go_at_random_give_what_a_build_gives() {
    let partly = |scope| matches!(scope, Scope::Metadata { .. });
    for seed in 20..24 {
        rounds_of_edits(seed, 8, no_layers, partly, |edited| {
            for _ in 0..=edited.dice.below(3) {
                edited.files();
            }
            if edited.dice.below(3) == 0 {
                edited.module();
            }
        });
    }
    rounds_of_edits(30, 8, an_extension(30), partly, Edited::files);
}

#[test]
fn a_damaged_start_is_a_reason_to_build_and_no_more() {
    let demo = demo();
    let file = demo.location.current().unwrap().unwrap();
    for sql in ["UPDATE input SET data = x'00'", "DELETE FROM module_input", "DROP TABLE input"] {
        rusqlite::Connection::open(demo.location.current().unwrap().unwrap()).unwrap().execute_batch(sql).unwrap();
        let report = demo.change(MODULE, |text| format!("// {sql}\n{text}"));
        assert_eq!(scope(&report), Scope::Whole { because: Because::NothingKept }, "{sql}");
    }
    assert_ne!(demo.location.current().unwrap().unwrap(), file);
}

#[test]
fn readers_keep_the_state_that_they_opened() {
    let demo = demo();
    let before = Index::open(&demo.location).unwrap();
    let methods = before.overview().unwrap().methods;
    for number in 0..3 {
        demo.change(MODULE, |text| format!("{text}\nПроцедура Новая{number}() Экспорт\nКонецПроцедуры\n"));
        assert_eq!(before.overview().unwrap().methods, methods);
        assert_eq!(Index::open(&demo.location).unwrap().overview().unwrap().methods, methods + number + 1);
    }
    assert!(matches!(before.resolve("ОстаткиСкладов.Новая0").unwrap(), Resolution::Unknown { .. }));
}

#[test]
fn an_update_that_is_stopped_leaves_the_index_as_it_was() {
    use metascope_index::build::Phase;
    let demo = demo();
    let before = all_of(&demo.location);
    let path = demo.dump.join(MODULE);
    write(
        &path,
        &format!("{}\nПроцедура ТакойНигдеНет() Экспорт\nКонецПроцедуры\n", std::fs::read_to_string(&path).unwrap()),
    );
    for phase in [Phase::Kept, Phase::Modules, Phase::World, Phase::Edges, Phase::Finish] {
        let stop = Stop::default();
        let result = build(&demo.dump, &demo.location, &Options::default(), &stop, &|progress| {
            if progress.phase == phase {
                stop.stop();
            }
        });
        assert!(matches!(result, Err(Error::Stopped)), "{phase:?}: {result:?}");
        assert!(all_of(&demo.location) == before, "{phase:?}");
    }
    assert!(matches!(scope(&make(&demo.dump, &demo.location)), Scope::Modules { read: 1, .. }));
}

#[test]
#[ignore = "corpus"]
fn a_few_edits_of_the_library_give_what_a_build_gives() {
    let root = metadata::detect(&support::require_corpus("ssl_3_1")).unwrap().root;
    let dir = support::temp_dir();
    let dump = dir.path().join("dump");
    support::link_folder(&root, &dump);
    let location = Location::at(dir.path().join("index.db"));
    make(&dump, &location);
    let files = files_of(&dump, "bsl");
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let mut pool = Pool::of(files.iter().map(|file| common(file)).zip(texts.iter().map(String::as_str)));
    drop(texts);
    let mut dice = Dice(31);
    let mut done = Vec::new();
    for round in 0..1 {
        for _ in 0..4 {
            let file = dice.one(&files);
            let text = std::fs::read_to_string(file).unwrap();
            write(file, &edit(&text, &mut pool, &mut dice));
            done.push(file.display().to_string());
        }
        let report = make(&dump, &location);
        done.push(format!("round {round}: {:?}", report.outcome));
        eprintln!("{:?} {:?} {:.3} s", report.outcome, report.phases, report.seconds);
        compare(&dump, &location, &done.join("\n"));
    }
}
