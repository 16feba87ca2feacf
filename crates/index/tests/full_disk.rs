//! A disk that is full, and files that may not grow: a clear error, and the old index whole and readable.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metadata::Language;
use metascope_index::build::{Options, Stop, build};
use metascope_index::{Error, Index, Location};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODULE: &str = "CommonModules/ОстаткиСкладов/Ext/Module.bsl";
const NEW: &str = "\nФункция ТолькоВНовом(А) Экспорт\n\tВозврат А;\nКонецФункции\n";
/// The variable that tells a process of this test what to do, and where.
const FOLDER: &str = "METASCOPE_TEST_FULL_DISK";

fn options(rebuild: bool) -> Options {
    Options { rebuild, threads: 2, ..Options::default() }
}

fn try_build(dump: &Path, location: &Location, rebuild: bool) -> Result<(), Error> {
    build(dump, location, &options(rebuild), &Stop::default(), &|_| {}).map(drop)
}

/// All rows of the views that a search, a graph and an outline stand on.
fn state(location: &Location) -> Vec<(String, i64, i64)> {
    let index = Index::open(location).unwrap();
    let count = |view: &str| {
        let sql = format!("SELECT count(*) FROM {view}");
        metascope_index::sql::select(index.path(), &sql, metascope_index::sql::SqlLimits::default()).unwrap().rows[0][0]
            .as_i64()
            .unwrap()
    };
    let names = "SELECT total(length(full_name)) FROM methods";
    let names = metascope_index::sql::select(index.path(), names, metascope_index::sql::SqlLimits::default()).unwrap();
    ["methods", "edges", "objects", "strings", "files"]
        .map(|view| (view.to_owned(), count(view), names.rows[0][0].as_f64().unwrap() as i64))
        .into()
}

/// What must be said: that there is no room, where, and how to mend it, in both languages.
fn assert_clear(error: &Error, folder: &Path) {
    assert_eq!(error.code(), "disk_full", "{error:?}");
    for (language, word) in [(Language::English, "no room"), (Language::Russian, "нет места")] {
        let (message, hint) = (error.message(language), error.hint(language).unwrap());
        assert!(message.contains(word) && message.contains(&*folder.to_string_lossy()), "{message}");
        assert!(hint.contains("MB") || hint.contains("МБ"), "{hint}");
    }
}

fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    names.sort();
    names
}

/// This program again, in a shell that prepares what it meets.
fn child(test: &str, prepare: &str, folder: &Path) -> Output {
    let script = format!("{prepare} && exec \"$0\" --exact {test} --ignored --nocapture");
    Command::new("sh").arg("-c").arg(script).arg(std::env::current_exe().unwrap()).env(FOLDER, folder).output().unwrap()
}

fn assert_passed(output: &Output) {
    let texts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(output.status.success() && texts[0].contains("1 passed"), "{}\n{}", texts[0], texts[1]);
}

/// A copy of the demo, and an index of it.
fn demo(folder: &Path, index: &Path) -> (PathBuf, Location) {
    let dump = folder.join("dump");
    support::copy_folder(&support::demo(), &dump);
    let location = Location::at(index.join("index.db"));
    try_build(&dump, &location, false).unwrap();
    (dump, location)
}

fn change(dump: &Path) {
    let module = dump.join(MODULE);
    let text = std::fs::read_to_string(&module).unwrap();
    std::fs::write(&module, text + NEW).unwrap();
}

#[test]
fn files_that_may_not_grow() {
    let folder = support::temp_dir();
    let index = folder.path().join("index");
    let (dump, location) = demo(folder.path(), &index);
    let before = (state(&location), files_in(&index));
    change(&dump);
    // An index whose last update stands in its log, as a program that was killed leaves it.
    {
        let file = location.current().unwrap().unwrap();
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.execute("UPDATE meta SET value = 'из журнала' WHERE key = 'vendor'", []).unwrap();
        let copy = folder.path().join("copy");
        std::fs::create_dir(&copy).unwrap();
        for suffix in ["", "-wal"] {
            let from = format!("{}{suffix}", file.display());
            std::fs::copy(from, copy.join(format!("index.db{suffix}"))).unwrap();
        }
        connection.execute("UPDATE meta SET value = '' WHERE key = 'vendor'", []).unwrap();
    }
    // Blocks of 512 bytes: far less than the index has. A signal that is ignored makes it an error of the write.
    for blocks in [0, 16, 100] {
        let prepare = format!("trap '' XFSZ && ulimit -f {blocks}");
        assert_passed(&child("child_without_room", &prepare, folder.path()));
        assert_eq!((state(&location), files_in(&index)), before, "{blocks} blocks");
    }
    try_build(&dump, &location, false).unwrap();
    assert_ne!(state(&location), before.0);
}

/// Not a test of its own: what the one above starts.
#[test]
#[ignore = "run by files_that_may_not_grow"]
fn child_without_room() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let index = folder.join("index");
    let location = Location::at(index.join("index.db"));
    for rebuild in [false, true] {
        assert_clear(&try_build(&folder.join("dump"), &location, rebuild).unwrap_err(), &index);
        state(&location);
    }
    let copy = Location::at(folder.join("copy").join("index.db"));
    assert_eq!(Index::open(&copy).unwrap().meta("vendor").unwrap().as_deref(), Some("из журнала"));
}

#[test]
fn a_disk_that_is_full() {
    let folder = support::temp_dir();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    // A small disk in memory that nobody else sees.
    let mount = "mount -t tmpfs -o size=24m metascope-test \"$METASCOPE_TEST_FULL_DISK/disk\"";
    let wrap = |namespace: &str, then: &str| format!("unshare {namespace} sh -c '{mount} && {then}'");
    let allowed = |namespace: &&&str| {
        let probe = Command::new("sh").arg("-c").arg(wrap(namespace, "true")).env(FOLDER, folder.path()).output();
        probe.is_ok_and(|output| output.status.success())
    };
    let Some(namespace) = ["-m", "-rm"].iter().find(allowed) else {
        eprintln!("not tried: no disk can be mounted here");
        return;
    };
    let run = "exec \"$METASCOPE_TEST_PROGRAM\" --exact child_on_a_full_disk --ignored --nocapture";
    let output = Command::new("sh")
        .arg("-c")
        .arg(wrap(namespace, run))
        .env(FOLDER, folder.path())
        .env("METASCOPE_TEST_PROGRAM", std::env::current_exe().unwrap())
        .output()
        .unwrap();
    assert_passed(&output);
}

/// Takes all of the disk but so many bytes.
fn fill(disk: &Path, leave: usize) {
    let ballast = disk.join("ballast");
    let _ = std::fs::remove_file(&ballast);
    let mut file = std::fs::File::create(&ballast).unwrap();
    let block = [7; 4096];
    while std::io::Write::write_all(&mut file, &block).is_ok() {}
    let length = file.metadata().unwrap().len();
    file.set_len(length.saturating_sub(leave as u64)).unwrap();
}

/// Not a test of its own: what the one above starts.
#[test]
#[ignore = "run by a_disk_that_is_full"]
fn child_on_a_full_disk() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let (disk, index) = (folder.join("disk"), folder.join("disk").join("index"));
    let (dump, location) = demo(&folder, &index);
    let (before, files) = (state(&location), files_in(&index));
    for leave in [0, 4 << 10, 64 << 10, 1 << 20] {
        fill(&disk, leave);
        assert_eq!(state(&location), before, "{leave} bytes left: the index is read");
        assert_clear(&try_build(&dump, &location, true).unwrap_err(), &index);
        assert_eq!(
            (state(&location), files_in(&index)),
            (before.clone(), files.clone()),
            "{leave} bytes left: a build"
        );
    }
    change(&dump);
    for leave in [0, 4 << 10, 64 << 10] {
        fill(&disk, leave);
        assert_clear(&try_build(&dump, &location, false).unwrap_err(), &index);
        assert_eq!(
            (state(&location), files_in(&index)),
            (before.clone(), files.clone()),
            "{leave} bytes left: an update"
        );
    }
    // A first index: there is nothing to keep, and nothing half-made is left.
    fill(&disk, 256 << 10);
    let other = disk.join("other");
    assert_clear(&try_build(&dump, &Location::at(other.join("index.db")), false).unwrap_err(), &other);
    assert!(Location::at(other.join("index.db")).current().unwrap().is_none());
    std::fs::remove_file(disk.join("ballast")).unwrap();
    try_build(&dump, &location, false).unwrap();
    assert_ne!(state(&location), before);
}
