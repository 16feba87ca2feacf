//! Builds and updates that are killed at random moments, with a reader beside them throughout.

use super::{MODULE, all_of, make, write};
use crate::edits::Dice;
use metascope_index::build::{Options, Stop, build};
use metascope_index::{Index, Location, Resolution};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many are killed.
const KILLS: u64 = 50;
/// A method that only one of the two states has.
const NEW: &str = "Функция ТолькоВНовом(А) Экспорт\n\tВозврат А;\nКонецФункции\n";

/// Not a test of its own: the process that the next test kills.
#[test]
#[ignore = "run by kills_leave_the_old_state_or_the_new_one"]
fn child_that_builds_or_updates() {
    let (Some(index), Some(dump)) = (std::env::var_os("METASCOPE_TEST_INDEX"), std::env::var_os("METASCOPE_TEST_DUMP"))
    else {
        return;
    };
    let options = Options { rebuild: std::env::var_os("METASCOPE_TEST_REBUILD").is_some(), ..Options::default() };
    let _ = build(&PathBuf::from(dump), &Location::at(index), &options, &Stop::default(), &|_| {});
}

fn child(location: &Location, dump: &std::path::Path, rebuild: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "kills::child_that_builds_or_updates", "--ignored", "--nocapture"])
        .env("METASCOPE_TEST_INDEX", location.pointer())
        .env("METASCOPE_TEST_DUMP", dump)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if rebuild {
        command.env("METASCOPE_TEST_REBUILD", "1");
    }
    command.spawn().unwrap()
}

/// All that an index says, but for the times of files: the same text is written again and again.
fn timeless(location: &Location) -> BTreeMap<String, Vec<String>> {
    let mut all = all_of(location);
    all.remove("files");
    all
}

/// Which of the two states an index has, told by three views that must agree.
fn is_new(index: &Index) -> bool {
    let found = matches!(index.resolve("ОстаткиСкладов.ТолькоВНовом").unwrap(), Resolution::Found(_));
    let module = index.require("CommonModule.ОстаткиСкладов").unwrap();
    let outline = index.outline(module.id).unwrap().unwrap();
    assert_eq!(outline.methods.iter().any(|method| method.name == "ТолькоВНовом"), found);
    found
}

#[test]
fn kills_leave_the_old_state_or_the_new_one() {
    let dir = support::temp_dir();
    let dump = dir.path().join("dump");
    support::copy_folder(&support::demo(), &dump);
    let file = dump.join(MODULE);
    let old = std::fs::read_to_string(&file).unwrap();
    let texts = [old.clone(), format!("{old}\n{NEW}")];
    let states = texts.clone().map(|text| {
        write(&file, &text);
        let location = Location::at(dir.path().join(format!("state-{}.db", text.len())));
        make(&dump, &location);
        timeless(&location)
    });
    let location = Location::at(dir.path().join("index.db"));
    make(&dump, &location);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) {
                let index = Index::open(&location).unwrap();
                let first = is_new(&index);
                std::thread::sleep(Duration::from_millis(3));
                // What it opened stays as it was, whatever is written meanwhile.
                assert_eq!(is_new(&index), first);
                reads += 1;
            }
            reads
        });
        let mut dice = Dice(50);
        for kill in 0..KILLS {
            write(&file, &texts[(kill % 2) as usize]);
            let mut child = child(&location, &dump, dice.below(3) == 0);
            std::thread::sleep(Duration::from_millis(5 + dice.next() % 400));
            child.kill().unwrap();
            child.wait().unwrap();
            let current = location.current().unwrap().unwrap();
            let connection = rusqlite::Connection::open(&current).unwrap();
            let check: String = connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
            assert_eq!(check, "ok", "kill {kill}");
            let state = timeless(&location);
            assert!(states.contains(&state), "kill {kill}: neither the old state nor the new one");
        }
        done.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > KILLS as usize);
    });
    // And the next build makes it right.
    write(&file, &texts[1]);
    make(&dump, &location);
    assert!(timeless(&location) == states[1]);
}
