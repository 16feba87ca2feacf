//! The queue: which texts lack a vector, and the worker processes that make them.
//!
//! There is no queue on disk. What is to be done is the texts of the index minus what the cache holds, so a killed
//! supervisor, a killed worker, a rebuilt index and a second configuration with the same library are all the same case:
//! look again, go on. Name texts come first: search works, if less well, when they are there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use rustc_hash::FxHashSet;

use super::cache::{Cache, CacheError, TextHash, text_hash};
use super::corpus::{Corpus, Item};
use super::file::{self, FileError, Head, Row};
use super::model::{Embed, ModelError};
use super::worker::Worker;
use crate::Index;

/// Vectors kept in one transaction of the cache.
const BATCH: usize = 64;
/// Longest time that a finished vector waits for its transaction: what a kill may cost.
const PATIENCE: Duration = Duration::from_secs(2);
/// A worker that dies more often than this in a row is not started again.
const RESTARTS: u32 = 3;
/// The file of vectors is written anew while the queue runs: not more often than this …
const REWRITE: Duration = Duration::from_secs(120);
/// … and only when this share of all texts has been embedded since.
const REWRITE_SHARE: usize = 10;

/// Why the queue stopped.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// No worker can be kept alive.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The cache failed.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The file of vectors cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The index cannot be read.
    #[error(transparent)]
    Index(#[from] crate::Error),
}

/// Which texts are being embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Texts that say what things are called.
    Names,
    /// Texts that say what they do, and help pages.
    Bodies,
}

impl Stage {
    /// Its word in the table of tasks.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Bodies => "bodies",
        }
    }
}

/// How far the queue came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is being embedded.
    pub stage: Stage,
    /// Distinct texts of both stages that have a vector.
    pub done: usize,
    /// Distinct texts of both stages.
    pub total: usize,
    /// Texts that the model refused or died of; they stay without a vector.
    pub failed: usize,
    /// Texts a second since the queue started.
    pub per_second: f64,
}

/// What the queue needs to know.
pub struct Queue<'a> {
    /// The index, one generation's file.
    pub index: &'a Path,
    /// Folder of the user's caches.
    pub cache_dir: &'a Path,
    /// Where the file of vectors goes: `index.vectors` beside the index.
    pub vectors: PathBuf,
    /// Id and SHA-256 of the model: what the workers must report, and what the file is labelled with.
    pub model: (&'a str, &'a str),
    /// Length of a vector.
    pub dimensions: usize,
    /// Number of worker processes; two are good on two cores and more.
    pub workers: usize,
    /// How a worker is started: the program itself with its hidden subcommand.
    pub command: &'a (dyn Fn() -> Command + Sync),
}

/// Progress is reported to this; it says false to stop the queue (what is done is kept).
pub type OnProgress<'p> = dyn FnMut(Progress) -> bool + 'p;

struct Plan {
    rows: Vec<Row>,
    names: FxHashSet<TextHash>,
    bodies: FxHashSet<TextHash>,
}

impl Queue<'_> {
    /// Embeds what has no vector yet and writes the file of vectors. Returns at once if nothing is left to do.
    ///
    /// # Errors
    /// No worker stays alive, or cache, index or file fail. Vectors that were made are kept in any case.
    pub fn run(&self, on_progress: &mut OnProgress<'_>) -> Result<Head, QueueError> {
        let mut cache = Cache::open(self.cache_dir, self.model.0)?;
        let plan = self.plan()?;
        let known = cache.known()?;
        let total = plan.names.union(&plan.bodies).count();
        let mut state = State {
            known: plan.names.union(&plan.bodies).filter(|hash| known.contains(*hash)).copied().collect(),
            failed: FxHashSet::default(),
            total,
            made: 0,
            started: Instant::now(),
        };
        drop(known);
        let mut head = None;
        for stage in [Stage::Names, Stage::Bodies] {
            let wanted = if stage == Stage::Names { &plan.names } else { &plan.bodies };
            if wanted.iter().all(|hash| state.known.contains(hash)) {
                continue;
            }
            let go_on = self.stage(stage, &plan, &mut cache, &mut state, on_progress)?;
            head = Some(self.write(&plan.rows, &cache)?);
            if !go_on {
                break;
            }
        }
        match head {
            Some(head) => Ok(head),
            None => self.write_if_changed(&plan.rows, &cache),
        }
    }

    fn write(&self, rows: &[Row], cache: &Cache) -> Result<Head, FileError> {
        file::write(&self.vectors, rows, cache, self.model, self.dimensions)
    }

    /// Nothing was to embed: the file is right already, unless the index or the model changed.
    fn write_if_changed(&self, rows: &[Row], cache: &Cache) -> Result<Head, QueueError> {
        if let Ok(head) = file::Vectors::open(&self.vectors) {
            let same = head.about().model == self.model.0
                && head.about().is_complete()
                && head.about().rows == rows.len()
                && head.about().bodies == rows.iter().map(|row| row.bodies.len()).sum::<usize>()
                && head.about().fingerprint == file::fingerprint(rows);
            if same {
                return Ok(head.about().clone());
            }
        }
        Ok(self.write(rows, cache)?)
    }

    fn plan(&self) -> Result<Plan, QueueError> {
        let mut plan = Plan { rows: Vec::new(), names: FxHashSet::default(), bodies: FxHashSet::default() };
        self.each(&mut |item| {
            let name = text_hash(&item.name_text);
            let bodies: Vec<TextHash> = item.body_texts.iter().map(|text| text_hash(text)).collect();
            plan.names.insert(name);
            plan.bodies.extend(&bodies);
            plan.rows.push(Row { full_name: item.full_name, class: item.class, name, bodies });
            true
        })?;
        Ok(plan)
    }

    /// Reads the index once more: a connection belongs to one thread, and opening one costs a millisecond.
    fn each(&self, take: &mut dyn FnMut(Item) -> bool) -> crate::Result<()> {
        let index = Index::open_file(self.index)?;
        Corpus::of(&index)?.each(take)?;
        Ok(())
    }

    /// Runs one stage; false if it was stopped.
    fn stage(
        &self,
        stage: Stage,
        plan: &Plan,
        cache: &mut Cache,
        state: &mut State,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<bool, QueueError> {
        let stop = AtomicBool::new(false);
        let fatal: Mutex<Option<ModelError>> = Mutex::new(None);
        // Texts wait in a short channel: they are made again from the sources, never all held at once.
        let (to_workers, texts) = bounded::<(TextHash, String)>(self.workers.max(1) * 16);
        let (to_us, results) = bounded::<(TextHash, Option<Vec<f32>>)>(BATCH * 2);
        let skip: FxHashSet<TextHash> = state.known.union(&state.failed).copied().collect();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (texts, to_us, fatal) = (texts.clone(), to_us.clone(), &fatal);
                scope.spawn(move || {
                    if let Err(error) = self.work(&texts, &to_us)
                        && let Ok(mut fatal) = fatal.lock()
                    {
                        *fatal = Some(error);
                    }
                });
            }
            drop((texts, to_us));
            let mut skip = skip;
            let feeder_stop = &stop;
            let feeder =
                scope.spawn(move || self.each(&mut |item| feed(item, stage, &mut skip, &to_workers, feeder_stop)));
            let collected = collect(&results, cache, state, stage, on_progress, &stop, &mut |cache| {
                if let Err(error) = self.write(&plan.rows, cache) {
                    tracing::warn!(%error, "the file of vectors is written later");
                }
            });
            // Workers that wait to hand in a result must not wait for ever.
            drop(results);
            let fed = match feeder.join() {
                Ok(fed) => fed,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            fed?;
            collected?;
            Ok::<(), QueueError>(())
        })?;
        if let Some(error) = fatal.into_inner().ok().flatten() {
            return Err(error.into());
        }
        Ok(!stop.load(Ordering::Relaxed))
    }

    /// One worker's life: takes texts until there are none. A text that a worker dies of is tried once more, then left.
    fn work(
        &self,
        texts: &Receiver<(TextHash, String)>,
        to_us: &Sender<(TextHash, Option<Vec<f32>>)>,
    ) -> Result<(), ModelError> {
        let mut worker = self.start()?;
        let mut deaths = 0;
        for (hash, text) in texts {
            let mut vector = worker.passage(&text);
            if let Err(ModelError::Worker(error)) = &vector {
                deaths += 1;
                if deaths > RESTARTS {
                    return Err(ModelError::Worker(error.clone()));
                }
                tracing::warn!(%error, "the embedding worker ended; it is started again");
                worker = self.start()?;
                vector = worker.passage(&text);
                if matches!(vector, Err(ModelError::Worker(_))) {
                    worker = self.start()?;
                }
            } else {
                deaths = 0;
            }
            if let Err(error) = &vector {
                tracing::warn!(%error, "a text stays without a vector");
            }
            if to_us.send((hash, vector.ok())).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn start(&self) -> Result<Worker, ModelError> {
        let worker = Worker::start((self.command)())?;
        if worker.model_id() != self.model.0 {
            return Err(ModelError::Worker(format!("it holds {}, not {}", worker.model_id(), self.model.0)));
        }
        Ok(worker)
    }
}

/// Sends the texts of an item that lack a vector; false if nobody takes them any more.
fn feed(
    item: Item,
    stage: Stage,
    skip: &mut FxHashSet<TextHash>,
    to_workers: &Sender<(TextHash, String)>,
    stop: &AtomicBool,
) -> bool {
    let texts = match stage {
        Stage::Names => vec![item.name_text],
        Stage::Bodies => item.body_texts,
    };
    for text in texts {
        let hash = text_hash(&text);
        if skip.insert(hash) && (stop.load(Ordering::Relaxed) || to_workers.send((hash, text)).is_err()) {
            return false;
        }
    }
    !stop.load(Ordering::Relaxed)
}

struct State {
    known: FxHashSet<TextHash>,
    failed: FxHashSet<TextHash>,
    total: usize,
    made: usize,
    started: Instant,
}

impl State {
    fn progress(&self, stage: Stage) -> Progress {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        Progress {
            stage,
            done: self.known.len(),
            total: self.total,
            failed: self.failed.len(),
            per_second: self.made as f64 / seconds,
        }
    }
}

/// Takes finished vectors into the cache, a batch a transaction.
fn collect(
    results: &Receiver<(TextHash, Option<Vec<f32>>)>,
    cache: &mut Cache,
    state: &mut State,
    stage: Stage,
    on_progress: &mut OnProgress<'_>,
    stop: &AtomicBool,
    rewrite: &mut dyn FnMut(&Cache),
) -> Result<(), CacheError> {
    let mut batch = Vec::with_capacity(BATCH);
    let (mut saved, mut written, mut made_then) = (Instant::now(), Instant::now(), state.made);
    loop {
        let result = results.recv_timeout(PATIENCE);
        let ended = matches!(result, Err(crossbeam_channel::RecvTimeoutError::Disconnected));
        match result {
            Ok((hash, Some(vector))) => batch.push((hash, vector)),
            Ok((hash, None)) => {
                state.failed.insert(hash);
            }
            Err(_) => {}
        }
        if batch.len() >= BATCH || saved.elapsed() >= PATIENCE || ended {
            cache.put(&batch).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            state.made += batch.len();
            state.known.extend(batch.drain(..).map(|(hash, _)| hash));
            saved = Instant::now();
            if !on_progress(state.progress(stage)) {
                stop.store(true, Ordering::Relaxed);
            }
            if !ended && written.elapsed() >= REWRITE && (state.made - made_then) * REWRITE_SHARE >= state.total {
                rewrite(cache);
                (written, made_then) = (Instant::now(), state.made);
            }
        }
        if ended {
            return Ok(());
        }
    }
}
