//! `metascope watch` beside other programs that write and read the same index.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use index::{Index, Location, Resolution};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const MODULE: &str = "CommonModules/ОстаткиСкладов/Ext/Module.bsl";
/// Longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

struct Watch {
    process: Child,
    notes: Receiver<String>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Watch {
    fn start(dump: &Path, location: &Location) -> Self {
        let mut process = metascope(location);
        let process =
            process.arg("watch").arg(dump).arg("--no-embeddings").stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = process.spawn().unwrap();
        let (sender, notes) = channel();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { process, notes }
    }

    /// Waits until it notes something that holds that text.
    fn notes(&self, text: &str) -> String {
        let started = Instant::now();
        while let Ok(line) = self.notes.recv_timeout(LONG.saturating_sub(started.elapsed())) {
            if line.contains(text) {
                return line;
            }
        }
        panic!("nothing was said of `{text}`");
    }
}

fn metascope(location: &Location) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_metascope"));
    command.arg("--index").arg(location.pointer()).args(["--lang", "en"]);
    command
}

fn add(dump: &Path, method: &str) {
    let file = dump.join(MODULE);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}\nПроцедура {method}() Экспорт\nКонецПроцедуры\n")).unwrap();
}

/// Waits until an index knows a method.
fn wait_for(location: &Location, method: &str) {
    let started = Instant::now();
    let name = format!("ОстаткиСкладов.{method}");
    while !matches!(Index::open(location).unwrap().resolve(&name).unwrap(), Resolution::Found(_)) {
        assert!(started.elapsed() < LONG, "{method} is not in the index");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn watch_waits_for_others_and_misses_nothing() {
    let folder = support::temp_dir();
    let dump = folder.path().join("dump");
    support::copy_folder(&support::demo(), &dump);
    let location = Location::at(folder.path().join("index.db"));
    let mut watch = Watch::start(&dump, &location);
    watch.notes("watching");

    // What changes while another program writes is indexed when that is done.
    let lock = location.lock().unwrap();
    add(&dump, "ПокаПишутДругие");
    let said = watch.notes("waiting");
    assert!(said.contains("another program"), "{said}");
    drop(lock);
    wait_for(&location, "ПокаПишутДругие");

    // A build by hand at the same moment: one of the two does it, the other one says so or finds nothing to do.
    for round in 0..4 {
        let method = format!("Вместе{round}");
        add(&dump, &method);
        let output = metascope(&location).arg("index").arg(&dump).arg("--no-embeddings").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let busy = output.status.code() == Some(2) && said.contains("another program");
        assert!(output.status.success() || busy, "{said}");
        assert!(!busy || said.contains("→"), "how to mend it is not said: {said}");
        wait_for(&location, &method);
    }
    assert!(watch.process.try_wait().unwrap().is_none(), "it goes on watching");
}
