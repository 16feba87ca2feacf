//! Programs that are killed while they apply proposed changes: the next `index` or `watch` finds all files old or all new.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use index::{Index, Location};
use tools::edits::{Draft, EditId, EditState, Revision};
use tools::{Context, Edits, Language, Meaning, Stop};

/// What is put into every file.
const ADDED: &str = "\n// добавлено\n";
/// Kills that are tried: one in the middle of the renames among them.
const KILLS: u32 = 100;

struct Project {
    _folder: tempfile::TempDir,
    dump: PathBuf,
    location: Location,
    /// Modules, with their texts as they were.
    files: Vec<(String, String)>,
}

impl Project {
    fn new() -> Self {
        let folder = support::temp_dir();
        let dump = folder.path().join("dump");
        support::copy_folder(&support::demo(), &dump);
        let location = Location::at(folder.path().join("index.db"));
        let mut project = Self { _folder: folder, dump, location, files: Vec::new() };
        project.indexed();
        let index = Index::open(&project.location).unwrap();
        let sql = "SELECT file FROM modules WHERE file LIKE 'CommonModules/%.bsl' OR file LIKE 'Catalogs/%.bsl' ORDER BY file";
        let found = index::sql::select(index.path(), sql, index::sql::SqlLimits::default()).unwrap();
        let names = found.rows.iter().map(|row| row[0].as_str().unwrap().to_owned());
        project.files = names.map(|name| (project.text(&name), name)).map(|(text, name)| (name, text)).collect();
        assert!(project.files.len() > 8, "{}", project.files.len());
        project
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metascope"));
        command.arg("--index").arg(self.location.pointer()).args(["--lang", "en"]).args(arguments);
        command
    }

    fn indexed(&self) {
        let output = self.command(&["index", self.dump.to_str().unwrap(), "--no-embeddings"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.dump.join(file)).unwrap()
    }

    /// One change of all files.
    fn propose(&self) -> EditId {
        let index = Index::open(&self.location).unwrap();
        let edits = Edits::of(&self.location);
        let (stop, meaning) = (Stop::default(), Mutex::new(Meaning::none("")));
        let context = Context {
            index: &index,
            edits: &edits,
            language: Language::English,
            stop: &stop,
            until: index::Deadline::NEVER,
            meaning: &meaning,
            web: None,
        };
        let files = self.files.iter().map(|(path, _)| {
            let mut revision = Revision::new(edits.text(&index, path).unwrap());
            let end = revision.text().len();
            revision.replace(end..end, ADDED).unwrap();
            (path.clone(), revision)
        });
        let draft =
            Draft { title: "all".to_owned(), tool: "test", arguments: serde_json::json!({}), files: files.collect() };
        edits.propose(&context, draft).unwrap().id
    }

    /// Files that are as they were, and files with the change in them.
    fn old_and_new(&self) -> [usize; 2] {
        let is = |wanted: &dyn Fn(&str) -> String| {
            self.files.iter().filter(|(name, old)| self.text(name) == wanted(old)).count()
        };
        [is(&|old| old.to_owned()), is(&|old| format!("{old}{ADDED}"))]
    }

    fn journal(&self) -> PathBuf {
        self.location.sibling("edits").join("journal.json")
    }

    /// Starts to apply a change, and kills that as soon as the first file was replaced, or later. True: files are left of both kinds.
    fn killed_while_applying(&self, edit: EditId, later: Duration) -> bool {
        let mut applying = self.command(&["edits", "apply", &edit.to_string()]);
        let mut applying = applying.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let first = self.dump.join(&self.files[0].0);
        let length = self.files[0].1.len() as u64;
        while applying.try_wait().unwrap().is_none() && std::fs::metadata(&first).map_or(0, |meta| meta.len()) == length
        {
        }
        std::thread::sleep(later);
        let _ = applying.kill();
        applying.wait().unwrap();
        let [old, new] = self.old_and_new();
        old > 0 && new > 0 && self.journal().exists()
    }

    /// All files are old or all are new, as the record says, and nothing lies beside them. Then all are made old.
    fn assert_whole(&self, edit: EditId) {
        let [old, new] = self.old_and_new();
        let all = self.files.len();
        assert!([old, new] == [all, 0] || [old, new] == [0, all], "{old} old, {new} new");
        assert!(!self.journal().exists());
        let index = Index::open(&self.location).unwrap();
        let edits = Edits::of(&self.location);
        assert_eq!(edits.get(edit).unwrap().state == EditState::Applied, new == all);
        for (name, _) in &self.files {
            let folder = self.dump.join(name);
            let folder = folder.parent().unwrap();
            let strange = |path: &Path| {
                path.extension().is_none_or(|end| !["bsl", "xml", "bin"].contains(&end.to_str().unwrap()))
            };
            let beside = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let left: Vec<PathBuf> = beside.filter(|path| path.is_file() && strange(path)).collect();
            assert!(left.is_empty(), "{left:?}");
        }
        if new == all {
            edits.undo(&index, edit).unwrap();
        } else {
            edits.discard(&index, edit).unwrap();
        }
        assert_eq!(self.old_and_new(), [all, 0]);
    }
}

#[test]
fn index_mends_what_a_kill_left_half_applied() {
    let project = Project::new();
    let mut torn = 0;
    for kill in 0..KILLS {
        let edit = project.propose();
        let was_torn = project.killed_while_applying(edit, Duration::from_micros(u64::from(kill % 5) * 200));
        torn += u32::from(was_torn);
        project.indexed();
        project.assert_whole(edit);
        if torn == 2 {
            break;
        }
    }
    assert!(torn > 0, "no kill came in the middle of the renames");
}

#[test]
fn watch_mends_it_too() {
    let project = Project::new();
    for kill in 0..KILLS {
        let edit = project.propose();
        if !project.killed_while_applying(edit, Duration::from_micros(u64::from(kill % 5) * 200)) {
            project.indexed();
            project.assert_whole(edit);
            continue;
        }
        let mut watch = project.command(&["watch", project.dump.to_str().unwrap(), "--no-embeddings"]);
        let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // Its first line comes after the first build.
        let mut line = String::new();
        BufReader::new(watch.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let begun = Instant::now();
        while project.journal().exists() && begun.elapsed() < Duration::from_secs(10) {}
        let _ = watch.kill();
        watch.wait().unwrap();
        project.assert_whole(edit);
        return;
    }
    panic!("no kill came in the middle of the renames");
}
