//! What a new world, or changed modules, change in the rows of an index.

use super::anew::{Metadata, MetadataRows};
use super::{Changed, Gone, Halt, NewText, Step, Work};
use crate::Result;
use crate::build::code::{self, Derived, Read};
use crate::build::files::Changes;
use crate::build::full::{self, Job};
use crate::build::insert::EdgeRows;
use crate::build::numbers::Filled;
use crate::build::relink::EdgesOfMetadata;
use crate::build::replace::{Store, Stored};
use crate::build::report::{Because, Clock, Phase, Scope};
use crate::build::writer::{code_problem, problem_rows};
use crate::build::{input, overrides, rewrite};
use graph::World;
use metadata::Configuration;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What else a new world changes.
struct News {
    /// Hashes of what is different.
    changed: Vec<u32>,
    /// Edges that metadata shows.
    edges: EdgeRows<i64>,
}

/// What an update goes by once the world is there.
pub(super) struct Settle<'a> {
    pub job: &'a Job<'a>,
    pub changes: &'a Changes,
    pub configuration: &'a Configuration,
    pub world: &'a World,
    /// Places of modules by their files.
    pub modules: &'a FxHashMap<u32, usize>,
    /// If it was read anew.
    pub metadata: Option<&'a Metadata>,
    pub gone: &'a [Gone],
    /// The edges that metadata showed.
    pub edges: &'a EdgeRows<i64>,
    /// The world is the one that the rows are of.
    pub is_same: bool,
    /// So many modules may be derived.
    pub most: usize,
}

impl Settle<'_> {
    /// Derives what must be derived, and makes the rows what they are now, all but the stored world. `packed`: the summaries of
    /// all modules, if the world is a new one.
    pub fn run(
        &self,
        store: Store,
        changed: Vec<Changed>,
        packed: Vec<Vec<u8>>,
        clock: &mut Clock,
    ) -> Step<(Store, Scope)> {
        let Self { job, changes, configuration, world, metadata, .. } = *self;
        let mut numbers = Filled::new(world);
        let mut concerned = FxHashSet::default();
        let news = if self.is_same { None } else { Some(self.look(&store, &mut numbers)?) };
        if let Some(news) = &news {
            concerned = self.concerned_by(&store, news)?;
        }
        concerned.extend(metadata.iter().flat_map(|metadata| &metadata.placed));
        let derived = concerned.iter().filter(|number| changed.iter().all(|module| module.number != **number)).count();
        let (read, derived) = (changed.len(), derived + changed.len());
        if derived > self.most {
            return Err(Halt::Whole(Because::ManyModules));
        }
        clock.lap(Phase::World);
        job.stop.check()?;

        job.say(Phase::Edges, 0, derived);
        let work = self.work(&store, changed, concerned, &packed)?;
        drop(packed);
        let around = code::Around::new(world, configuration);
        let derive = |mut work: Work| {
            let read = std::mem::take(&mut work.read);
            code::derive(&around, work.number, read).map(|derived| (work, derived))
        };
        let (done, rows) = rayon::join(
            || work.into_par_iter().map(derive).collect::<Result<Vec<(Work, Derived)>>>(),
            || metadata.map(|metadata| metadata.rows(world)).transpose(),
        );
        let (done, rows) = (done?, rows?);
        clock.lap(Phase::Edges);
        job.stop.check()?;

        job.say(Phase::Finish, 0, 0);
        if let Some(MetadataRows { rows, objects, more }) = rows {
            numbers.know_names(&store.connection, more)?;
            rewrite::put(&store.connection, rows, &mut numbers)?;
            store.put_objects(&objects, &mut numbers)?;
            numbers.put_names(&store.connection)?;
        }
        let edges = self.replace(&store, done, &mut numbers, news.as_ref())?;
        if let Some(news) = news {
            let problems = job.settings.problems.iter().cloned().chain(job.settings.missing(world));
            store.put_problems(None, "settings", &problem_rows(problems), &mut numbers)?;
            if news.edges != *self.edges {
                input::write(&store.connection, input::METADATA_EDGES, &input::pack_edges(&news.edges)?)?;
            }
        }
        overrides::write_problems(&store.connection)?;
        store.put_files(changes)?;
        if let Some(Metadata { configuration: whole, .. }) = metadata {
            store.put_meta(full::meta_of(whole))?;
            let unread = store.unread_modules()?;
            let unread = full::unread_files(whole).into_iter().chain(unread.iter().map(String::as_str));
            store.put_meta([("unread_files", unread.collect::<FxHashSet<_>>().len().to_string())])?;
            store.count_again()?;
        }
        store.put_counts(edges)?;
        let scope = match metadata {
            None => Scope::Modules { read, derived },
            Some(metadata) => Scope::Metadata { files: metadata.files + changes.gone.len(), read, derived },
        };
        Ok((store, scope))
    }

    /// What there is to compare of a new world; puts its fingerprint in the place of the old one's.
    fn look(&self, store: &Store, numbers: &mut Filled<'_>) -> Result<News> {
        let edges = || self.world.metadata_edges(self.configuration);
        let (fingerprint, edges) = rayon::join(|| self.world.fingerprint(), edges);
        let changed = input::put_fingerprint(&store.connection, &fingerprint)?;
        Ok(News {
            changed,
            edges: input::keyed(&store.connection, numbers, &edges, |node| input::key(self.world, node))?,
        })
    }

    /// Places of the modules that a new world concerns: they asked for what changed, or edges of metadata stand in their files.
    fn concerned_by(&self, store: &Store, news: &News) -> Step<FxHashSet<usize>> {
        let files = store.readers(&news.changed)?.into_iter().chain(self.edges.differing_files(&news.edges));
        Ok(files.filter_map(|file| self.modules.get(&file).copied()).collect())
    }

    /// The modules to derive, those whose text changed first.
    fn work(
        &self,
        store: &Store,
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
            let file = self.configuration.modules.get(number).ok_or_else(nothing)?.file.0;
            let stored = store.module_of(file)?.ok_or_else(nothing)?;
            let read = Read {
                packed: store.facts(stored.id)?,
                summary: packed.get(number).ok_or_else(nothing)?.clone(),
                hash: stored.hash,
                bytes: stored.bytes,
                ..Read::default()
            };
            work.push(Work { number, file, stored: Some(stored), read, new: None });
        }
        Ok(work)
    }

    /// Puts what was derived in the place of what stood there. Gives the number of edges.
    fn replace(
        &self,
        store: &Store,
        done: Vec<(Work, Derived)>,
        numbers: &mut Filled<'_>,
        news: Option<&News>,
    ) -> Result<u64> {
        let Self { changes, gone, edges: old, .. } = *self;
        let replaced = done.iter().map(|(work, _)| (work.file, work.stored.as_ref()));
        let modules: Vec<(u32, Option<&Stored>)> =
            replaced.chain(gone.iter().map(|gone| (gone.file, Some(&gone.stored)))).collect();
        let before = store.take_out(&modules, numbers)?;
        let files: FxHashSet<u32> = modules.iter().map(|(file, _)| *file).collect();
        let mut edges = EdgeRows::default();
        let put_problems = |file: u32, problems: Vec<(u32, String)>, numbers: &mut Filled<'_>| {
            let path = changes.path(file);
            let problems = problems.into_iter().map(|(line, message)| code_problem(path, line, message));
            store.put_problems(Some(path), "code", &problem_rows(problems), numbers)
        };
        for (work, derived) in done {
            let methods = derived.methods.clone();
            store.put_in(derived, numbers, &mut edges)?;
            if let Some(NewText { texts, problems }) = work.new {
                if let Some(stored) = &work.stored {
                    store.take_out_texts(stored)?;
                    store.forget_names(stored)?;
                }
                store.put_texts(&methods, &texts, numbers)?;
                put_problems(work.file, problems, numbers)?;
            }
        }
        for Gone { file, stored } in gone {
            store.take_out_texts(stored)?;
            put_problems(*file, Vec::new(), numbers)?;
        }
        let after = store.contexts()?;
        let moved = before.iter().filter(|(id, contexts)| after.get(*id).is_some_and(|now| now != *contexts));
        let moved: FxHashSet<u32> = moved.map(|(id, _)| *id).collect();
        let metadata = EdgesOfMetadata { old, new: news.map_or(old, |news| &news.edges), files: &files };
        store.put_edges(edges, &metadata, &moved)
    }
}
