//! The queue of texts to embed: worker processes, kills, restarts, the cache.
//!
//! The worker and the supervisor that get killed are this test program itself, started with `--ignored --exact NAME`.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use metascope_index::build::{Options, Stop, build};
use metascope_index::search::{self, Meaning, Mode, Note};
use metascope_index::vectors::cache::{Cache, text_hash};
use metascope_index::vectors::corpus::{Class, Corpus};
use metascope_index::vectors::file::{Head, Vectors};
use metascope_index::vectors::model::{Embed, Model, ModelError, locate};
use metascope_index::vectors::supervise::{Progress, Queue, QueueError};
use metascope_index::vectors::{path_beside, worker};
use metascope_index::{Index, Location};

const DIMENSIONS: usize = 16;
const LOG: &str = "METASCOPE_TEST_WORKER_LOG";
const SLOW: &str = "METASCOPE_TEST_WORKER_SLOW";
const DIES_ON: &str = "METASCOPE_TEST_WORKER_DIES_ON";
const DIES_AFTER: &str = "METASCOPE_TEST_WORKER_DIES_AFTER";
const HOME: &str = "METASCOPE_TEST_SUPERVISOR_HOME";

/// A model without a network: a vector is the counts of letters, so that texts with the same words are near each other.
struct Letters {
    served: usize,
}

impl Letters {
    fn vector(text: &str) -> Vec<f32> {
        support::counts_of_letters::<DIMENSIONS>(text)
    }
}

impl Embed for Letters {
    fn model_id(&self) -> &str {
        "letters@1"
    }

    fn passage(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        self.served += 1;
        let number = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
        let dies_on = std::env::var(DIES_ON).is_ok_and(|part| text.contains(&part));
        if dies_on || number(DIES_AFTER).is_some_and(|after: usize| self.served > after) {
            std::process::abort();
        }
        if let Ok(path) = std::env::var(LOG) {
            let line = text.replace('\n', " ");
            OpenOptions::new()
                .append(true)
                .create(true)
                .open(path)
                .unwrap()
                .write_all(format!("{line}\n").as_bytes())
                .unwrap();
        }
        std::thread::sleep(Duration::from_millis(number(SLOW).unwrap_or(0) as u64));
        Ok(Self::vector(text))
    }

    fn query(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        Ok(Self::vector(text))
    }
}

/// Where a test keeps its index, cache and log.
struct Home {
    dir: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    fn at(dir: &Path) -> Self {
        Self { dir: dir.to_path_buf(), variables: Vec::new() }
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn location(&self) -> Location {
        Location::at(self.dir.join("index.db"))
    }

    fn build(&self, rebuild: bool) {
        let options = Options { rebuild, ..Options::default() };
        build(&support::demo(), &self.location(), &options, &Stop::default(), &|_| {}).unwrap();
    }

    fn log(&self) -> Vec<String> {
        std::fs::read_to_string(self.dir.join("log")).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    fn run(&self, on_progress: &mut dyn FnMut(Progress) -> bool) -> Result<Head, QueueError> {
        let generation = self.location().current().unwrap().unwrap();
        let command = || {
            let mut command = process("worker_process");
            command.env(LOG, self.dir.join("log")).envs(self.variables.iter().cloned());
            command
        };
        let queue = Queue {
            index: &generation,
            cache_dir: &self.dir.join("cache"),
            vectors: path_beside(&generation),
            model: ("letters@1", "none"),
            dimensions: DIMENSIONS,
            workers: 2,
            command: &command,
        };
        queue.run(on_progress)
    }

    /// Distinct texts of the index.
    fn texts(&self) -> usize {
        let index = Index::open(&self.location()).unwrap();
        let mut texts = std::collections::HashSet::new();
        Corpus::of(&index)
            .unwrap()
            .each(&mut |item| {
                texts.insert(item.name_text);
                texts.extend(item.body_texts);
                true
            })
            .unwrap();
        texts.len()
    }
}

/// This program, as one of the processes below.
fn process(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", name, "--nocapture"])
        .env("METASCOPE_TEST_PROCESS", name)
        .stderr(Stdio::null());
    command
}

fn is_process(name: &str) -> bool {
    std::env::var("METASCOPE_TEST_PROCESS").is_ok_and(|process| process == name)
}

#[test]
#[ignore = "a process that the other tests start"]
fn worker_process() {
    if is_process("worker_process") {
        println!();
        worker::serve(Ok(Letters { served: 0 }), std::io::stdin().lock(), std::io::stdout().lock()).unwrap();
    }
}

#[test]
#[ignore = "a process that the other tests start"]
fn supervisor_process() {
    if is_process("supervisor_process") {
        let home = Home::at(Path::new(&std::env::var(HOME).unwrap())).with(SLOW, "15");
        home.run(&mut |_| true).unwrap();
    }
}

#[test]
fn each_text_is_embedded_once_and_a_rebuild_finds_all_in_the_cache() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path());
    home.build(false);
    let mut last = None;
    let head = home.run(&mut |progress| {
        last = Some(progress);
        true
    });
    let head = head.unwrap();
    assert!(head.is_complete(), "{head:?}");
    assert!(head.rows > 100, "{head:?}");
    let log = home.log();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    log.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    assert_eq!(counts.values().max(), Some(&1));
    assert_eq!(log.len(), home.texts());
    let last = last.unwrap();
    assert_eq!((last.done, last.total, last.failed), (log.len(), log.len(), 0));

    // The same index again, the index built anew, and the file of vectors lost: no text is embedded a second time.
    assert_eq!(home.run(&mut |_| true).unwrap(), head);
    home.build(true);
    assert_eq!(home.run(&mut |_| true).unwrap(), head);
    let file = path_beside(&home.location().current().unwrap().unwrap());
    std::fs::remove_file(&file).unwrap();
    assert_eq!(home.run(&mut |_| true).unwrap(), head);
    assert_eq!(home.log().len(), log.len());
}

#[test]
fn names_come_before_bodies_and_a_stop_keeps_what_is_done() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path()).with(SLOW, "2");
    home.build(false);
    let head = home.run(&mut |progress| progress.done < 60).unwrap();
    assert!(!head.is_complete() && head.names_done >= 60 && head.bodies_done < head.names_done, "{head:?}");
    let index = Index::open(&home.location()).unwrap();
    let mut meaning = Meaning::new(Box::new(|| Ok(Box::new(Letters { served: 0 }) as Box<dyn Embed>)));
    let options =
        search::Options { mode: Mode::Vector, kind: Some(Class::Method), limit: 5, ..search::Options::default() };
    let found = search::search(&index, "проведение документа", options, &mut meaning).unwrap();
    assert!(
        matches!(found.notes.as_slice(), [Note::VectorsUnfinished { done, total }] if done < total),
        "{:?}",
        found.notes
    );

    let head = home.run(&mut |_| true).unwrap();
    assert!(head.is_complete());
    assert_eq!(home.log().len(), home.texts());
    let found = search::search(&index, "проведение документа", options, &mut meaning).unwrap();
    assert_eq!((found.hits.len(), found.notes.len()), (5, 0));
}

#[test]
fn a_worker_that_dies_is_started_again() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path()).with(DIES_AFTER, "40");
    home.build(false);
    let mut failed = 0;
    let head = home.run(&mut |progress| {
        failed = progress.failed;
        true
    });
    assert!(head.unwrap().is_complete());
    assert_eq!(failed, 0);
}

#[test]
fn a_text_that_kills_the_worker_is_left_out_and_the_rest_goes_on() {
    let dir = support::temp_dir();
    let index = Home::at(dir.path());
    index.build(false);
    let poison = {
        let index = Index::open(&index.location()).unwrap();
        let mut poison = None;
        Corpus::of(&index)
            .unwrap()
            .each(&mut |item| {
                poison = (item.class == Class::Method).then_some(item.name_text);
                poison.is_none()
            })
            .unwrap();
        poison.unwrap()
    };
    let home = Home::at(dir.path()).with(DIES_ON, &poison);
    let mut failed = 0;
    let head = home.run(&mut |progress| {
        failed = progress.failed;
        true
    });
    let head = head.unwrap();
    assert!(failed >= 1 && head.names_done + 1 >= head.rows && head.names_done < head.rows, "{failed} {head:?}");
}

#[test]
fn a_worker_that_never_lives_is_an_error_and_not_a_hang() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path()).with(DIES_AFTER, "0");
    home.build(false);
    let started = Instant::now();
    assert!(matches!(home.run(&mut |_| true), Err(QueueError::Model(ModelError::Worker(_)))));
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_killed_supervisor_leaves_what_it_did_and_no_worker() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path());
    home.build(false);
    let mut supervisor =
        process("supervisor_process").env(HOME, dir.path()).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    while home.log().len() < 200 {
        assert!(started.elapsed() < Duration::from_secs(120), "the supervisor does nothing");
        std::thread::sleep(Duration::from_millis(20));
    }
    supervisor.kill().unwrap();
    supervisor.wait().unwrap();
    // Workers end with their input: soon nothing is logged any more.
    std::thread::sleep(Duration::from_millis(800));
    let before = home.log().len();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(home.log().len(), before);
    let kept = Cache::open(&dir.path().join("cache"), "letters@1").unwrap().known().unwrap().len();
    assert!(kept >= 64, "{kept} of {before}");

    assert!(home.run(&mut |_| true).unwrap().is_complete());
    // Only what was not in the cache yet is embedded again.
    assert_eq!(home.log().len() - before, home.texts() - kept);
}

#[test]
fn the_answer_says_that_there_are_no_vectors_or_that_they_are_of_another_model() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path());
    home.build(false);
    let index = Index::open(&home.location()).unwrap();
    let ask = |meaning: &mut Meaning| {
        search::search(&index, "проведение документа", search::Options::default(), meaning).unwrap()
    };
    let found = ask(&mut Meaning::none("x"));
    assert!(!found.hits.is_empty(), "full text needs no vectors");
    assert!(matches!(found.notes.as_slice(), [Note::NoVectors { .. }]), "{:?}", found.notes);
    home.run(&mut |_| true).unwrap();
    assert!(matches!(ask(&mut Meaning::none("x")).notes.as_slice(), [Note::NoModel { reason }] if reason == "x"));

    struct Other;
    impl Embed for Other {
        fn model_id(&self) -> &str {
            "other@1"
        }
        fn passage(&mut self, _: &str) -> Result<Vec<f32>, ModelError> {
            Ok(vec![1.0])
        }
        fn query(&mut self, _: &str) -> Result<Vec<f32>, ModelError> {
            Ok(vec![1.0])
        }
    }
    let found = ask(&mut Meaning::new(Box::new(|| Ok(Box::new(Other) as Box<dyn Embed>))));
    assert!(matches!(found.notes.as_slice(), [Note::OtherModel { .. }]), "{:?}", found.notes);
}

#[test]
fn a_text_is_near_to_what_says_the_same() {
    if let Err(error) = locate(None) {
        println!("skipped: no embedding model ({error})");
        return;
    }
    let mut model = Model::of_user(None).unwrap();
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let query = model.query("курс валюты на дату").unwrap();
    assert_eq!(query.len(), paths_dimensions());
    assert!((near(&query, &query) - 1.0).abs() < 1e-3);
    let right = model.passage("получить курс валюты. работа с курсами валют. Возвращает курс валюты на дату").unwrap();
    let wrong = model.passage("удалить каталог. файловая система. Удаляет временный каталог вместе с файлами").unwrap();
    assert!(near(&query, &right) > near(&query, &wrong));
    // Another text before it changes nothing: texts are embedded one by one.
    assert_eq!(model.query("курс валюты на дату").unwrap(), query);
    assert_ne!(text_hash("а"), text_hash("б"));
}

fn paths_dimensions() -> usize {
    paths::MODEL.dimensions
}

#[test]
fn vectors_are_read_back_as_they_were_made() {
    let dir = support::temp_dir();
    let home = Home::at(dir.path());
    home.build(false);
    home.run(&mut |_| true).unwrap();
    let file = path_beside(&home.location().current().unwrap().unwrap());
    let mut vectors = Vectors::open(&file).unwrap();
    let index = Index::open(&home.location()).unwrap();
    let mut checked = 0;
    Corpus::of(&index)
        .unwrap()
        .each(&mut |item| {
            let query = Letters::vector(&item.name_text);
            let mut all = vectors.scan(&query, item.class, &|_| true);
            vectors.rescore(&query, &mut all).unwrap();
            all.sort_by(|a, b| b.score.total_cmp(&a.score));
            let place = all.iter().position(|near| vectors.full_name(near.row) == item.full_name).unwrap();
            // Its own name text is at distance 0; a body text of another may still be nearer than its own.
            assert!(place < all.len() / 2, "{} at {place} of {}", item.full_name, all.len());
            checked += 1;
            checked < 40
        })
        .unwrap();
    assert_eq!(checked, 40);
}
