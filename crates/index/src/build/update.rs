//! An update: what changed is read, and those modules are derived anew that asked for something that changed.
//!
//! ```text
//! kept configuration, or metadata read anew ──┐
//! changed modules ──► new summaries ──────────┴─► World ──► fingerprint ──compared──► what changed
//! what changed ──looked up in what every module asked for──► modules to derive ──► rows, edges
//! metadata read anew ──► rows ──compared──► rows that go and come
//! ```
//!
//! The world is made whole, as a build makes it; what it was asked for decides who must ask again. So an update gives the same
//! rows as a build from scratch.

use super::code::{self, ModuleText, Read};
use super::files::Changes;
use super::full::Job;
use super::input::{self, Kept};
use super::replace::{Store, Stored};
use super::report::{Because, Clock, Phase, Scope};
use super::{SPLITTER, stored_world, wal_of};
use anew::Metadata;
use settle::Settle;

use crate::location::Location;
use crate::read::Roots;
use crate::text::Document;
use crate::{Error, Result};
use graph::World;
use metadata::{Configuration, FileId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

mod anew;
mod settle;

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

/// A module that is new, or whose text changed.
struct Changed {
    number: usize,
    file: u32,
    /// None for a new one.
    stored: Option<Stored>,
    read: Read,
    texts: Vec<Document>,
}

/// A module to derive.
struct Work {
    number: usize,
    file: u32,
    /// None for a new one.
    stored: Option<Stored>,
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

/// A module that is gone.
struct Gone {
    file: u32,
    stored: Stored,
}

/// Brings an index up to date. Gives [`Scope::Whole`], and leaves the index as it was, if that takes a whole build.
pub(super) fn update(
    job: &Job<'_>,
    location: &Location,
    file: &Path,
    changes: &Changes,
    clock: &mut Clock,
) -> Result<Scope> {
    match accept(location, file).and_then(|()| run(job, file, changes, clock)) {
        Ok(scope) => Ok(scope),
        Err(Halt::Whole(because)) => Ok(Scope::Whole { because }),
        // A build takes more room than an update.
        Err(Halt::Error(error)) if error.no_room().is_some() => Err(error),
        // What is damaged is no reason to give up: a build takes nothing from there.
        Err(Halt::Error(Error::Sqlite(_) | Error::Facts { .. })) => Ok(Scope::Whole { because: Because::NothingKept }),
        Err(Halt::Error(error)) => Err(error),
    }
}

/// Whether an index is one that can be updated.
fn accept(location: &Location, file: &Path) -> Step<()> {
    // A database that somebody put in the place of the pointer isn't ours to change.
    if file == location.pointer() {
        return Err(Halt::Whole(Because::NothingKept));
    }
    if std::fs::metadata(wal_of(file)).is_ok_and(|log| log.len() > LONGEST_LOG) {
        return Err(Halt::Whole(Because::LongLog));
    }
    Ok(())
}

fn run(job: &Job<'_>, file: &Path, changes: &Changes, clock: &mut Clock) -> Step<Scope> {
    job.say(Phase::Kept, 0, 0);
    let nothing = || Halt::Whole(Because::NothingKept);
    let store = Store::open(file)?;
    let is_code = |id: &u32| changes.path(*id).ends_with(".bsl");
    let mut texts: Vec<u32> = changes.changed.iter().chain(&changes.added).copied().collect();
    let others = texts.iter().filter(|id| !is_code(id)).count();
    let roots = Roots::of(&store.connection)?;
    let early = |file: &u32| is_code(file).then(|| (*file, ModuleText::read(&roots.path(changes.path(*file)))));
    let few = texts.get(..FEW).unwrap_or(&texts);
    let early = || few.par_iter().filter_map(early).collect::<FxHashMap<u32, ModuleText>>();
    let (mut kept, early) = input::read(&store.connection, early)?.ok_or_else(nothing)?;
    let most = (kept.configuration.modules.len() / SHARE).max(FEW);
    clock.lap(Phase::Kept);
    job.stop.check()?;

    let metadata = if others == 0 && changes.added.is_empty() && changes.gone.is_empty() {
        None
    } else {
        job.say(Phase::Metadata, 0, 0);
        let metadata = Metadata::read(job, &mut kept, changes, others)?;
        clock.lap(Phase::Metadata);
        job.stop.check()?;
        Some(metadata)
    };
    kept.configuration.files.clone_from(&changes.files);
    let modules: FxHashMap<u32, usize> =
        kept.configuration.modules.iter().map(|module| module.file.0).zip(0..).collect();
    // What is no module of the configuration is read with metadata, if at all.
    texts.retain(|file| modules.contains_key(file));
    let anew = metadata.as_ref().map(|metadata| metadata.anew.clone()).unwrap_or_default();
    let listed: FxHashSet<u32> = texts.iter().copied().collect();
    texts.extend(anew.difference(&listed));

    job.say(Phase::Modules, 0, texts.len());
    if texts.len() > most {
        return Err(Halt::Whole(Because::ManyModules));
    }
    let changed = read(&store, &kept, &modules, &texts, early, &anew)?;
    let gone = gone(&store, changes, metadata.as_ref())?;
    clock.lap(Phase::Modules);
    job.stop.check()?;
    if changed.is_empty() && metadata.is_none() {
        store.put_files(changes)?;
        store.commit()?;
        clock.lap(Phase::Finish);
        return Ok(Scope::Modules { read: 0, derived: 0 });
    }

    job.say(Phase::World, 0, 0);
    let Kept { mut configuration, edges: old } = kept;
    let mut is_same = metadata.is_none();
    for module in &changed {
        is_same &= module.stored.is_some() && store.summary(module.file)? == module.read.summary;
    }
    let stored = match is_same {
        true => input::stored(&store.connection, file, configuration.modules.len(), &job.settings.graph)?,
        false => None,
    };
    // One that is not where it should be is made as well.
    is_same = stored.is_some();
    let (world, packed) = match stored {
        Some(world) => (world, Vec::new()),
        None => new_world(job, &store, &configuration, &changed)?,
    };
    if metadata.is_none() {
        named_in_metadata(&store, &world, &changed)?;
    }
    let settle = Settle {
        job,
        changes,
        configuration: &configuration,
        world: &world,
        modules: &modules,
        metadata: metadata.as_ref(),
        gone: &gone,
        edges: &old,
        is_same,
        most,
    };
    // The world is packed beside everything that follows from it.
    let (settled, written) = rayon::join(
        || settle.run(store, changed, packed, clock),
        || (!is_same).then(|| stored_world::write(file, &world)).transpose(),
    );
    let ((store, scope), written) = (settled?, written?);
    let packed = metadata.is_some().then(|| input::pack_configuration(&mut configuration)).transpose()?;
    for (name, packed) in packed.into_iter().flatten() {
        input::write(&store.connection, name, &packed)?;
    }
    job.stop.check()?;
    if let Some(written) = written {
        input::write(&store.connection, input::WORLD, &written.mark)?;
        written.publish()?;
    }
    store.commit()?;
    clock.lap(Phase::Finish);
    // Half a million small things: nobody waits until they are gone.
    std::thread::spawn(move || drop((world, configuration, metadata)));
    Ok(scope)
}

/// Reads the modules of files. Those whose text is the same all the same are left out, but for those that are read `anew`.
fn read(
    store: &Store,
    kept: &Kept,
    numbers: &FxHashMap<u32, usize>,
    files: &[u32],
    mut early: FxHashMap<u32, ModuleText>,
    anew: &FxHashSet<u32>,
) -> Step<Vec<Changed>> {
    let mut modules = Vec::new();
    for &file in files {
        let Some(&number) = numbers.get(&file) else { continue };
        if store.was_unread(kept.configuration.path(FileId(file)))? {
            return Err(Halt::Whole(Because::UnreadModule));
        }
        modules.push((number, file, store.module_of(file)?, early.remove(&file)));
    }
    let read = modules.into_par_iter().map(|(number, file, stored, text)| {
        let (read, texts) =
            SPLITTER.with_borrow_mut(|splitter| code::read(&kept.configuration, number, text, splitter))?;
        Ok(Changed { number, file, stored, read, texts })
    });
    let mut changed = read.collect::<Result<Vec<_>>>()?;
    if changed.iter().any(|module| module.read.unread.is_some()) {
        return Err(Halt::Whole(Because::UnreadModule));
    }
    let is_other = |module: &Changed| module.stored.as_ref().is_none_or(|stored| stored.hash != module.read.hash);
    changed.retain(|module| is_other(module) || anew.contains(&module.file));
    Ok(changed)
}

/// The modules that are gone.
fn gone(store: &Store, changes: &Changes, metadata: Option<&Metadata>) -> Step<Vec<Gone>> {
    let mut gone = Vec::new();
    for &file in metadata.iter().flat_map(|metadata| &metadata.gone) {
        if store.was_unread(changes.path(file))? {
            return Err(Halt::Whole(Because::UnreadModule));
        }
        let stored = store.module_of(file)?.ok_or(Halt::Whole(Because::NothingKept))?;
        gone.push(Gone { file, stored });
    }
    Ok(gone)
}

/// The world with the changed modules as they are now, and the summaries of all others, packed.
fn new_world(
    job: &Job<'_>,
    store: &Store,
    configuration: &Configuration,
    changed: &[Changed],
) -> Step<(World, Vec<Vec<u8>>)> {
    let mut stored = input::packed_summaries(&store.connection)?;
    stored.extend(changed.iter().map(|module| (module.file, module.read.summary.clone())));
    let modules = configuration.modules.iter();
    let packed: Option<Vec<Vec<u8>>> = modules.map(|module| stored.remove(&module.file.0)).collect();
    let packed = packed.ok_or(Halt::Whole(Because::NothingKept))?;
    let summaries = packed.par_iter().map(Vec::as_slice);
    let world = input::world(configuration, summaries, &job.settings.graph)?;
    Ok((world, packed))
}

/// Halts if a method is gone, or written in another case, that metadata names: the rows of metadata would name it otherwise.
fn named_in_metadata(store: &Store, world: &World, changed: &[Changed]) -> Step<()> {
    let stored = changed.iter().filter_map(|module| module.stored.as_ref());
    for (id, name) in stored.flat_map(|stored| &stored.methods) {
        let is_kept = world.find(name).is_some_and(|node| world.name(node) == name);
        if !is_kept && store.is_named_in_metadata(*id)? {
            return Err(Halt::Whole(Because::NamedInMetadata));
        }
    }
    Ok(())
}
