//! An update: modules whose text changed are read, and those are derived anew that asked for something they changed.
//!
//! ```text
//! kept configuration and summaries ──┐
//! changed modules ──► new summaries ─┴─► World ──► fingerprint ──compared──► what changed
//! what changed ──looked up in what every module asked for──► modules to derive ──► rows, edges
//! ```
//!
//! The world is made whole, as a build makes it; what it was asked for decides who must ask again. So an update gives the same
//! rows as a build from scratch.

use super::code::{self, Derived, Read};
use super::files::Changes;
use super::full::Job;
use super::input::{self, Kept};
use super::insert::EdgeRows;
use super::numbers::Filled;
use super::relink::Metadata;
use super::replace::{Store, Stored};
use super::report::{Because, Clock, Phase, Scope};
use super::writer::{code_problem, problem_rows};
use super::{SPLITTER, overrides, wal_of};
use crate::location::Location;
use crate::text::Document;
use crate::{Error, Result};
use graph::{Fingerprint, ModuleSummary, World};
use metadata::{Configuration, FileId};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::path::Path;

/// Beyond this share of the modules, one in so many, everything is done anew: it takes hardly longer.
const SHARE: usize = 2;
/// So few modules are never too many.
const FEW: usize = 16;
/// Longest log that is still added to, in bytes.
const LONGEST_LOG: u64 = 256 << 20;

/// Why an update goes no further.
enum Halt {
    /// It takes a whole build.
    Whole(Because),
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

type Step<T> = std::result::Result<T, Halt>;

/// A module whose text changed.
struct Changed {
    number: usize,
    file: u32,
    stored: Stored,
    read: Read,
    summary: ModuleSummary,
    texts: Vec<Document>,
}

/// A module to derive.
struct Work {
    number: usize,
    file: u32,
    stored: Stored,
    read: Read,
    /// If its text changed.
    new: Option<NewText>,
}

/// What only the text of a module gives.
struct NewText {
    /// Full text of its methods.
    texts: Vec<Document>,
    problems: Vec<(u32, String)>,
}

/// What else a new world changes.
struct News {
    fingerprint: Fingerprint,
    /// Edges that metadata shows.
    edges: EdgeRows<i64>,
}

/// Brings an index up to date, from what was `kept` of its build. Gives [`Scope::Whole`], and leaves the index as it was, if that takes a whole build.
pub(super) fn update(
    job: &Job<'_>,
    location: &Location,
    file: &Path,
    changes: &Changes,
    kept: Option<Box<Kept>>,
    clock: &mut Clock,
) -> Result<Scope> {
    let done = accept(location, file, changes).and_then(|()| {
        let kept = kept.ok_or(Halt::Whole(Because::NothingKept))?;
        run(job, file, changes, *kept, clock)
    });
    match done {
        Ok(scope) => Ok(scope),
        Err(Halt::Whole(because)) => Ok(Scope::Whole { because }),
        // A build takes more room than an update.
        Err(Halt::Error(error)) if error.no_room().is_some() => Err(error),
        // What is damaged is no reason to give up: a build takes nothing from there.
        Err(Halt::Error(Error::Sqlite(_) | Error::Facts { .. })) => Ok(Scope::Whole { because: Because::NothingKept }),
        Err(Halt::Error(error)) => Err(error),
    }
}

/// Whether the changes are of those that an update is for.
fn accept(location: &Location, file: &Path, changes: &Changes) -> Step<()> {
    let is_module = |id: &u32| changes.files.get(*id as usize).is_some_and(|file| file.path.ends_with(".bsl"));
    // A database that somebody put in the place of the pointer isn't ours to change.
    if changes.others > 0 || !changes.changed.iter().all(is_module) || file == location.pointer() {
        return Err(Halt::Whole(Because::OtherFiles));
    }
    if std::fs::metadata(wal_of(file)).is_ok_and(|log| log.len() > LONGEST_LOG) {
        return Err(Halt::Whole(Because::LongLog));
    }
    Ok(())
}

fn run(job: &Job<'_>, file: &Path, changes: &Changes, mut kept: Kept, clock: &mut Clock) -> Step<Scope> {
    job.say(Phase::Kept, 0, 0);
    let store = Store::open(file)?;
    kept.configuration.files.clone_from(&changes.files);
    let most = (kept.configuration.modules.len() / SHARE).max(FEW);
    clock.lap(Phase::Kept);
    job.stop.check()?;

    job.say(Phase::Modules, 0, changes.changed.len());
    if changes.changed.len() > most {
        return Err(Halt::Whole(Because::ManyModules));
    }
    let mut changed = read(&store, &kept, changes)?;
    clock.lap(Phase::Modules);
    job.stop.check()?;
    if changed.is_empty() {
        store.put_files(changes)?;
        store.commit()?;
        clock.lap(Phase::Finish);
        return Ok(Scope::Modules { read: 0, derived: 0 });
    }

    job.say(Phase::World, 0, 0);
    let Kept { configuration, world, names } = kept;
    let mut is_same = true;
    for module in &changed {
        is_same &= store.summary(module.number)? == module.read.summary;
    }
    let (world, packed) = match is_same {
        true => (world.restored(names, &job.settings.graph), Vec::new()),
        false => new_world(job, &store, &configuration, &mut changed)?,
    };
    named_in_metadata(&store, &world, &changed)?;
    let mut numbers = Filled::new(&world);
    let old = input::edges(&store.connection)?.ok_or(Halt::Whole(Because::NothingKept))?;
    let mut concerned = FxHashSet::default();
    let news = if is_same { None } else { Some(look(&store, &world, &configuration, &mut numbers)?) };
    if let Some(news) = &news {
        concerned = concerned_by(&store, &configuration, news, &old)?;
    }
    let derived = concerned.iter().filter(|number| changed.iter().all(|module| module.number != **number)).count();
    let (read, derived) = (changed.len(), derived + changed.len());
    if derived > most {
        return Err(Halt::Whole(Because::ManyModules));
    }
    clock.lap(Phase::World);
    job.stop.check()?;

    job.say(Phase::Edges, 0, derived);
    let work = work(&store, &configuration, changed, concerned, &packed)?;
    drop(packed);
    let around = code::Around::new(&world, &configuration);
    let derive = |mut work: Work| {
        let read = std::mem::take(&mut work.read);
        code::derive(&around, work.number, read).map(|derived| (work, derived))
    };
    let (done, stored) = rayon::join(
        || work.into_par_iter().map(derive).collect::<Result<Vec<(Work, Derived)>>>(),
        || news.is_some().then(|| input::pack_world(&world)).transpose(),
    );
    let (done, stored) = (done?, stored?);
    clock.lap(Phase::Edges);
    job.stop.check()?;

    job.say(Phase::Finish, 0, 0);
    let edges = replace(&store, &configuration, done, &mut numbers, &old, news.as_ref())?;
    if let Some(news) = news {
        let problems = job.settings.problems.iter().cloned().chain(job.settings.missing(&world));
        store.put_problems(None, "settings", &problem_rows(problems), &mut numbers)?;
        for (name, packed) in stored.into_iter().flatten() {
            input::write(&store.connection, name, &packed)?;
        }
        input::write(&store.connection, input::FINGERPRINT, &news.fingerprint.to_bytes())?;
        input::write(&store.connection, input::METADATA_EDGES, &input::pack_edges(&news.edges)?)?;
    }
    overrides::write_problems(&store.connection)?;
    store.put_files(changes)?;
    store.put_counts(edges)?;
    job.stop.check()?;
    store.commit()?;
    clock.lap(Phase::Finish);
    Ok(Scope::Modules { read, derived })
}

/// Reads the modules of changed files; those whose text is the same all the same are left out.
fn read(store: &Store, kept: &Kept, changes: &Changes) -> Step<Vec<Changed>> {
    let mut modules = Vec::new();
    for &file in &changes.changed {
        let number = kept.configuration.modules.iter().position(|module| module.file.0 == file);
        let (Some(number), Some(stored)) = (number, store.module_of(file)?) else {
            return Err(Halt::Whole(Because::OtherFiles));
        };
        if store.was_unread(kept.configuration.path(FileId(file)))? {
            return Err(Halt::Whole(Because::UnreadModule));
        }
        modules.push((number, file, stored));
    }
    let read = modules.into_par_iter().map(|(number, file, stored)| {
        let (read, summary, texts) =
            SPLITTER.with_borrow_mut(|splitter| code::read(&kept.configuration, number, splitter))?;
        Ok(Changed { number, file, stored, read, summary, texts })
    });
    let mut changed = read.collect::<Result<Vec<_>>>()?;
    if changed.iter().any(|module| module.read.unread.is_some()) {
        return Err(Halt::Whole(Because::UnreadModule));
    }
    changed.retain(|module| module.read.hash != module.stored.hash);
    Ok(changed)
}

/// The world with the changed modules as they are now, and the summaries of all others, packed.
fn new_world(
    job: &Job<'_>,
    store: &Store,
    configuration: &Configuration,
    changed: &mut [Changed],
) -> Result<(World, Vec<Vec<u8>>)> {
    let packed = input::packed_summaries(&store.connection)?;
    let mut summaries = input::summaries(&packed)?;
    for module in changed {
        if let Some(slot) = summaries.get_mut(module.number) {
            *slot = std::mem::take(&mut module.summary);
        }
    }
    let world = World::new(configuration, &summaries, &job.settings.graph);
    // Half a million strings: nobody waits for them to go.
    rayon::spawn(move || drop(summaries));
    Ok((world, packed))
}

/// Halts if a method is gone, or written in another case, that metadata names: the rows of metadata would name it otherwise.
fn named_in_metadata(store: &Store, world: &World, changed: &[Changed]) -> Step<()> {
    for (id, name) in changed.iter().flat_map(|module| &module.stored.methods) {
        let is_kept = world.find(name).is_some_and(|node| world.name(node) == name);
        if !is_kept && store.is_named_in_metadata(*id)? {
            return Err(Halt::Whole(Because::NamedInMetadata));
        }
    }
    Ok(())
}

/// What there is to compare of a new world.
fn look(store: &Store, world: &World, configuration: &Configuration, numbers: &mut Filled<'_>) -> Result<News> {
    let edges = || {
        let edges = world.metadata_edges(configuration);
        let keys = input::keys(world, &edges);
        (edges, keys)
    };
    let (fingerprint, (edges, keys)) = rayon::join(|| world.fingerprint(), edges);
    Ok(News { fingerprint, edges: input::keyed(&store.connection, numbers, &edges, &keys)? })
}

/// Places of the modules that a new world concerns: they asked for what changed, or edges of metadata stand in their files.
fn concerned_by(
    store: &Store,
    configuration: &Configuration,
    news: &News,
    old: &EdgeRows<i64>,
) -> Step<FxHashSet<usize>> {
    let different = news.fingerprint.changed(&input::fingerprint(&store.connection)?);
    let mut concerned: FxHashSet<usize> = store.readers(&different)?.into_iter().collect();
    let files = old.differing_files(&news.edges);
    let shown = |(number, module): (usize, &metadata::Module)| files.contains(&module.file.0).then_some(number);
    concerned.extend(configuration.modules.iter().enumerate().filter_map(shown));
    Ok(concerned)
}

/// The modules to derive, those whose text changed first.
fn work(
    store: &Store,
    configuration: &Configuration,
    changed: Vec<Changed>,
    mut concerned: FxHashSet<usize>,
    packed: &[Vec<u8>],
) -> Step<Vec<Work>> {
    let mut work = Vec::with_capacity(changed.len() + concerned.len());
    for Changed { number, file, stored, read, texts, .. } in changed {
        concerned.remove(&number);
        let problems = read.problems.iter().map(|problem| (problem.line, problem.message.clone())).collect();
        work.push(Work { number, file, stored, read, new: Some(NewText { texts, problems }) });
    }
    let mut others: Vec<usize> = concerned.into_iter().collect();
    others.sort_unstable();
    for number in others {
        let nothing = || Halt::Whole(Because::NothingKept);
        let file = configuration.modules.get(number).ok_or_else(nothing)?.file.0;
        let stored = store.module_of(file)?.ok_or_else(nothing)?;
        let read = Read {
            packed: store.facts(stored.id)?,
            summary: packed.get(number).ok_or_else(nothing)?.clone(),
            hash: stored.hash,
            bytes: stored.bytes,
            ..Read::default()
        };
        work.push(Work { number, file, stored, read, new: None });
    }
    Ok(work)
}

/// Puts what was derived in the place of what stood there. Gives the number of edges.
fn replace(
    store: &Store,
    configuration: &Configuration,
    done: Vec<(Work, Derived)>,
    numbers: &mut Filled<'_>,
    old: &EdgeRows<i64>,
    news: Option<&News>,
) -> Result<u64> {
    let modules: Vec<(u32, &Stored)> = done.iter().map(|(work, _)| (work.file, &work.stored)).collect();
    let before = store.take_out(&modules, numbers)?;
    let files: FxHashSet<u32> = modules.iter().map(|(file, _)| *file).collect();
    let mut edges = EdgeRows::default();
    for (work, derived) in done {
        let methods = derived.methods.clone();
        store.put_in(derived, numbers, &mut edges)?;
        if let Some(NewText { texts, problems }) = work.new {
            store.put_texts(&work.stored, &methods, &texts, numbers)?;
            store.forget_names(&work.stored)?;
            let path = configuration.path(FileId(work.file));
            let problems = problems.into_iter().map(|(line, message)| code_problem(path, line, message));
            store.put_problems(Some(path), "code", &problem_rows(problems), numbers)?;
        }
    }
    let after = store.contexts()?;
    let moved = before.iter().filter(|(id, contexts)| after.get(*id).is_some_and(|now| now != *contexts));
    let moved: FxHashSet<u32> = moved.map(|(id, _)| *id).collect();
    let metadata = Metadata { old, new: news.map_or(old, |news| &news.edges), files: &files };
    store.put_edges(edges, &metadata, &moved)
}
