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

use super::code::{self, Derived, ModuleText, Read};
use super::files::Changes;
use super::full::{self, Job};
use super::input::{self, Kept};
use super::insert::EdgeRows;
use super::names::{Name, NameTable};
use super::numbers::Filled;
use super::relink::EdgesOfMetadata;
use super::replace::{Store, Stored};
use super::report::{Because, Clock, Phase, Scope};
use super::rows::Rows;
use super::writer::{Message, code_problem, problem_rows};
use super::{SPLITTER, overrides, rewrite, wal_of};
use crate::location::Location;
use crate::read::Roots;
use crate::text::Document;
use crate::{Error, Result};
use graph::{Fingerprint, World};
use metadata::{Configuration, FileId, Form, Module};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
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

/// Metadata that was read anew.
struct Metadata {
    configuration: Configuration,
    /// How many files of it changed.
    files: usize,
    /// Modules of other flags than before, and of forms that are not what they were.
    placed: Vec<usize>,
    /// Modules of things that are called otherwise: the full text of their methods says what they belong to.
    renamed: Vec<usize>,
}

/// What else a new world changes.
struct News {
    fingerprint: Fingerprint,
    /// Edges that metadata shows.
    edges: EdgeRows<i64>,
}

/// Brings an index up to date. Gives [`Scope::Whole`], and leaves the index as it was, if that takes a whole build.
pub(super) fn update(
    job: &Job<'_>,
    location: &Location,
    file: &Path,
    changes: &Changes,
    clock: &mut Clock,
) -> Result<Scope> {
    match accept(location, file, changes).and_then(|()| run(job, file, changes, clock)) {
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
    // A database that somebody put in the place of the pointer isn't ours to change.
    if changes.others > 0 || file == location.pointer() {
        return Err(Halt::Whole(Because::OtherFiles));
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
    let is_module = |id: &&u32| changes.files.get(**id as usize).is_some_and(|file| file.path.ends_with(".bsl"));
    let mut texts: Vec<u32> = changes.changed.iter().filter(is_module).copied().collect();
    let roots = Roots::of(&store.connection)?;
    let early = |file: &u32| Some((*file, ModuleText::read(&roots.path(&changes.files.get(*file as usize)?.path))));
    let few = texts.get(..FEW).unwrap_or(&texts);
    let early = || few.par_iter().filter_map(early).collect::<FxHashMap<u32, ModuleText>>();
    let (mut kept, early) = input::read(&store.connection, early)?.ok_or_else(nothing)?;
    let most = (kept.configuration.modules.len() / SHARE).max(FEW);
    clock.lap(Phase::Kept);
    job.stop.check()?;

    let metadata = match changes.changed.len() - texts.len() {
        0 => None,
        files => {
            job.say(Phase::Metadata, 0, 0);
            let metadata = Metadata::read(job, &mut kept, changes, files)?;
            clock.lap(Phase::Metadata);
            job.stop.check()?;
            Some(metadata)
        }
    };
    kept.configuration.files.clone_from(&changes.files);
    let file_of = |number: &usize| kept.configuration.modules.get(*number).map(|module| module.file.0);
    let renamed = metadata.iter().flat_map(|metadata| metadata.renamed.iter().filter_map(file_of));
    let renamed: FxHashSet<u32> = renamed.filter(|file| !texts.contains(file)).collect();
    texts.extend(&renamed);

    job.say(Phase::Modules, 0, texts.len());
    if texts.len() > most {
        return Err(Halt::Whole(Because::ManyModules));
    }
    let changed = read(&store, &kept, &texts, early, &renamed)?;
    clock.lap(Phase::Modules);
    job.stop.check()?;
    if changed.is_empty() && metadata.is_none() {
        store.put_files(changes)?;
        store.commit()?;
        clock.lap(Phase::Finish);
        return Ok(Scope::Modules { read: 0, derived: 0 });
    }

    job.say(Phase::World, 0, 0);
    let Kept { configuration, edges: old } = kept;
    let mut is_same = metadata.is_none();
    for module in &changed {
        is_same &= store.summary(module.number)? == module.read.summary;
    }
    let (world, packed) = match is_same {
        true => {
            let modules = configuration.modules.len();
            let world = input::stored_world(&store.connection, modules, &job.settings.graph)?.ok_or_else(nothing)?;
            (world, Vec::new())
        }
        false => new_world(job, &store, &configuration, &changed)?,
    };
    if metadata.is_none() {
        named_in_metadata(&store, &world, &changed)?;
    }
    let mut numbers = Filled::new(&world);
    let mut concerned = FxHashSet::default();
    let news = if is_same { None } else { Some(look(&store, &world, &configuration, &mut numbers)?) };
    if let Some(news) = &news {
        concerned = concerned_by(&store, &configuration, news, &old)?;
    }
    concerned.extend(metadata.iter().flat_map(|metadata| &metadata.placed));
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
    let ((done, rows), stored) = rayon::join(
        || {
            rayon::join(
                || work.into_par_iter().map(derive).collect::<Result<Vec<(Work, Derived)>>>(),
                || metadata.as_ref().map(|metadata| metadata.rows(&world)).transpose(),
            )
        },
        || news.is_some().then(|| input::pack_world(&world)).transpose(),
    );
    let (done, rows, stored) = (done?, rows?, stored?);
    clock.lap(Phase::Edges);
    job.stop.check()?;

    job.say(Phase::Finish, 0, 0);
    if let Some(MetadataRows { rows, objects, more }) = rows {
        numbers.know_names(&store.connection, more)?;
        rewrite::put(&store.connection, rows, &mut numbers)?;
        store.put_objects(&objects, &mut numbers)?;
        numbers.put_names(&store.connection)?;
    }
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
    if let Some(metadata) = &metadata {
        input::write(&store.connection, input::CONFIGURATION, &input::pack_configuration(&configuration)?)?;
        store.put_meta(full::meta_of(&metadata.configuration))?;
        let unread = store.unread_modules()?;
        let unread = full::unread_files(&metadata.configuration).into_iter().chain(unread.iter().map(String::as_str));
        store.put_meta([("unread_files", unread.collect::<FxHashSet<_>>().len().to_string())])?;
        store.count_again()?;
    }
    store.put_counts(edges)?;
    job.stop.check()?;
    store.commit()?;
    clock.lap(Phase::Finish);
    Ok(match metadata {
        None => Scope::Modules { read, derived },
        Some(metadata) => Scope::Metadata { files: metadata.files, read, derived },
    })
}

/// Rows of metadata.
struct MetadataRows {
    rows: Vec<Rows>,
    /// Full text of objects.
    objects: Vec<(Name, Document)>,
    /// Names behind those of the world, and whether each is a ghost.
    more: Vec<(String, bool)>,
}

impl Metadata {
    /// Reads metadata, and puts what edges are derived from in the place of what was kept of it.
    fn read(job: &Job<'_>, kept: &mut Kept, changes: &Changes, files: usize) -> Step<Self> {
        let of_container = |module: &Module| {
            changes.changed.contains(&module.file.0)
                && !changes.files.get(module.file.0 as usize).is_some_and(|file| file.path.ends_with(".bsl"))
        };
        if kept.configuration.modules.iter().any(of_container) {
            return Err(Halt::Whole(Because::OtherFiles));
        }
        let configuration = metadata::read_layers(job.sources.layers.clone()).map_err(Error::from)?;
        let same_files =
            configuration.files.iter().map(|file| &file.path).eq(changes.files.iter().map(|file| &file.path));
        let place = |module: &Module| (module.full_name.clone(), module.kind, module.file);
        let (old, new) = (&kept.configuration.modules, &configuration.modules);
        if !same_files || !old.iter().map(place).eq(new.iter().map(place)) {
            return Err(Halt::Whole(Because::OtherFiles));
        }
        let differ = |(old, new): &(bool, usize)| old.then_some(*new);
        let places = code::places(&kept.configuration).into_iter().zip(code::places(&configuration));
        let mut placed: Vec<usize> =
            places.map(|(old, new)| old != new).zip(0..).filter_map(|pair| differ(&pair)).collect();
        let sight = graph::sight(&configuration);
        let forms: FxHashMap<&str, &Form> =
            kept.configuration.forms.iter().map(|form| (&*form.full_name, form)).collect();
        let is_other = |form: &&Form| forms.get(&*form.full_name).is_none_or(|old| old != form);
        let others: FxHashSet<&str> = sight.forms.iter().filter(is_other).map(|form| &*form.full_name).collect();
        placed.extend((0..).zip(new).filter(|(_, module)| others.contains(&*module.owner)).map(|(number, _)| number));
        let renamed = old
            .iter()
            .zip(new)
            .map(|(old, new)| code::owner_text(&kept.configuration, old) != code::owner_text(&configuration, new));
        let renamed = renamed.zip(0..).filter_map(|pair| differ(&pair)).collect();
        kept.configuration = sight;
        Ok(Self { configuration, files, placed, renamed })
    }

    /// All rows of it, in a world that is made of it.
    fn rows(&self, world: &World) -> Result<MetadataRows> {
        let Self { configuration, .. } = self;
        let mut names = NameTable::new(world, configuration);
        let (mut rows, mut objects) = (Vec::new(), Vec::new());
        let mut take = |message| {
            match message {
                Message::Rows(more) => rows.extend(more),
                Message::Objects(texts) => objects.extend(texts),
                _ => {}
            }
            Ok(())
        };
        full::write_metadata(configuration, world, &mut names, &mut take)?;
        Ok(MetadataRows { rows, objects, more: names.more() })
    }
}

/// Reads the modules of files; those whose text is the same all the same are left out, but for those of things that are `renamed`.
fn read(
    store: &Store,
    kept: &Kept,
    files: &[u32],
    mut early: FxHashMap<u32, ModuleText>,
    renamed: &FxHashSet<u32>,
) -> Step<Vec<Changed>> {
    let mut modules = Vec::new();
    for &file in files {
        let number = kept.configuration.modules.iter().position(|module| module.file.0 == file);
        let (Some(number), Some(stored)) = (number, store.module_of(file)?) else {
            return Err(Halt::Whole(Because::OtherFiles));
        };
        if store.was_unread(kept.configuration.path(FileId(file)))? {
            return Err(Halt::Whole(Because::UnreadModule));
        }
        modules.push((number, file, stored, early.remove(&file)));
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
    changed.retain(|module| module.read.hash != module.stored.hash || renamed.contains(&module.file));
    Ok(changed)
}

/// The world with the changed modules as they are now, and the summaries of all others, packed.
fn new_world(
    job: &Job<'_>,
    store: &Store,
    configuration: &Configuration,
    changed: &[Changed],
) -> Result<(World, Vec<Vec<u8>>)> {
    let mut packed = input::packed_summaries(&store.connection)?;
    for module in changed {
        if let Some(slot) = packed.get_mut(module.number) {
            slot.clone_from(&module.read.summary);
        }
    }
    let summaries = packed.par_iter().map(Vec::as_slice);
    let world = input::world(configuration, summaries, &job.settings.graph)?;
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
    let metadata = EdgesOfMetadata { old, new: news.map_or(old, |news| &news.edges), files: &files };
    store.put_edges(edges, &metadata, &moved)
}
