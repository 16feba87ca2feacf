//! A whole build: everything is read, and a new file is written.

use super::code;
use super::files;
use super::input;
use super::names::NameTable;
use super::report::{Clock, Phase, Progress};
use super::sources::{Sources, format_word, kind_word};
use super::spool::{Place, Spool};
use super::stored_world;
use super::writer::{Message, Writer, code_problem, unread_problem};
use super::{SPLITTER, Stop, objects, references, schemas, things};
use crate::read::ProblemRow;
use crate::settings::ProjectSettings;
use crate::{Error, Result};
use graph::World;
use metadata::Configuration;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Batches that may wait for the writer: enough to keep it busy, few enough to bound memory.
const WAITING: usize = 32;

/// What a build works on.
pub(super) struct Job<'a> {
    pub sources: &'a Sources,
    pub settings: &'a ProjectSettings,
    pub stop: &'a Stop,
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Job<'_> {
    /// Writes a whole index into a new file.
    pub fn run(&self, file: &Path, clock: &mut Clock) -> Result<()> {
        self.say(Phase::Metadata, 0, 0);
        let configuration = metadata::read_layers(self.sources.layers.clone())?;
        self.stop.check()?;
        clock.lap(Phase::Metadata);
        let (sender, receiver) = crossbeam_channel::bounded::<Message>(WAITING);
        std::thread::scope(|scope| {
            let writer = std::thread::Builder::new().name("index-writer".to_owned()).spawn_scoped(scope, || {
                let mut writer = Writer::create(file)?;
                // An error closes the channel, which stops the readers.
                for message in receiver {
                    writer.take(message)?;
                }
                Ok::<_, Error>(writer)
            });
            let writer = writer.map_err(Error::io(file))?;
            let spool = Spool::new(file.parent().unwrap_or(Path::new(".")));
            let made = spool.and_then(|spool| self.produce(configuration, file, &spool, &sender, clock));
            drop(sender);
            let writer = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let facts = made?;
            self.say(Phase::Finish, 0, 0);
            self.stop.check()?;
            writer.finish(self.sources, &facts)?;
            clock.lap(Phase::Finish);
            Ok(())
        })
    }

    fn produce(
        &self,
        mut configuration: Configuration,
        file: &Path,
        spool: &Spool,
        sender: &crossbeam_channel::Sender<Message>,
        clock: &mut Clock,
    ) -> Result<Made> {
        send(sender, Message::Folders(std::mem::take(&mut configuration.folders)))?;
        let total = configuration.modules.len();
        let done = AtomicUsize::new(0);
        let step = |phase| {
            self.stop.check()?;
            self.say(phase, done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok::<_, Error>(())
        };
        let modules: Vec<(code::Read, Place)> = (0..total)
            .into_par_iter()
            .map(|module| {
                let (mut read, texts) =
                    SPLITTER.with_borrow_mut(|splitter| code::read(&configuration, module, None, splitter))?;
                send(sender, Message::Texts { module, texts })?;
                step(Phase::Modules)?;
                let facts = spool.put(&std::mem::take(&mut read.packed))?;
                Ok((read, facts))
            })
            .collect::<Result<_>>()?;
        let (modules, facts): (Vec<code::Read>, Vec<Place>) = modules.into_iter().unzip();
        clock.lap(Phase::Modules);
        self.say(Phase::World, 0, 0);
        let mut made = Made::of(&configuration, &modules);
        let mut sight = graph::sight(&configuration);
        let summaries = modules.par_iter().map(|module| &*module.summary);
        let world = input::world(&sight, summaries, &self.settings.graph)?;
        made.settings(self.settings, &world);
        let (stored, fingerprint) = rayon::join(|| stored_world::write(file, &world), || world.fingerprint());
        let stored = stored?;
        stored.publish()?;
        send(sender, Message::Input(input::WORLD, stored.mark.to_vec()))?;
        for (name, packed) in input::pack_configuration(&mut sight)? {
            send(sender, Message::Input(name, packed))?;
        }
        send(sender, Message::Fingerprint(fingerprint))?;
        let edges = world.metadata_edges(&sight);
        let keys = input::keys(&world, &edges);
        send(sender, Message::Edges(edges, keys))?;
        drop(sight);
        let around = code::Around::new(&world, &configuration);
        clock.lap(Phase::World);

        done.store(0, Ordering::Relaxed);
        let mut names = NameTable::new(&world, &configuration);
        write_metadata(&configuration, &world, &mut names, &mut |message| send(sender, message))?;
        drop(configuration);
        send(sender, Message::Names(names.finish()))?;
        modules.into_par_iter().zip(facts).enumerate().try_for_each(|(number, (mut module, facts))| {
            module.packed = spool.get(facts)?;
            send(sender, Message::Module(code::derive(&around, number, module)?))?;
            step(Phase::Edges)
        })?;
        clock.lap(Phase::Edges);
        Ok(made)
    }

    pub fn say(&self, phase: Phase, done: usize, total: usize) {
        (self.progress)(Progress { phase, done, total });
    }
}

/// What the last step must know of a build.
pub(crate) struct Made {
    /// Name, synonym and so on of the configuration.
    pub meta: Vec<(String, String)>,
    /// Files that could not be read, wholly or in part.
    pub unread_files: usize,
    /// Problems found in modules.
    pub code_problems: Vec<ProblemRow>,
    /// Problems of the project's settings.
    pub settings_problems: Vec<ProblemRow>,
}

impl Made {
    fn of(configuration: &Configuration, modules: &[code::Read]) -> Self {
        let mut unread = unread_files(configuration);
        let mut code_problems = Vec::new();
        for (read, module) in modules.iter().zip(&configuration.modules) {
            let path = configuration.path(module.file);
            code_problems.extend(read.problems.iter().map(|p| code_problem(path, p.line, p.message.clone())));
            if let Some(error) = &read.unread
                && unread.insert(path)
            {
                code_problems.push(unread_problem(path, error));
            }
        }
        Self {
            meta: meta_of(configuration).map(|(key, value)| (key.to_owned(), value)).collect(),
            unread_files: unread.len(),
            code_problems,
            settings_problems: Vec::new(),
        }
    }

    /// Notes by what settings the index was built, and what is wrong with them.
    fn settings(&mut self, settings: &ProjectSettings, world: &World) {
        let mut meta = |key: &str, value: String| self.meta.push((key.to_owned(), value));
        meta("settings", settings.key());
        meta("settings_file", settings.file.clone().unwrap_or_default());
        self.settings_problems.clone_from(&settings.problems);
        self.settings_problems.extend(settings.missing(world));
    }
}

/// Sends all rows of metadata, and the full text of objects.
pub(super) fn write_metadata(
    configuration: &Configuration,
    world: &World,
    names: &mut NameTable<'_>,
    send: &mut dyn FnMut(Message) -> Result<()>,
) -> Result<()> {
    SPLITTER.with_borrow_mut(|splitter| objects::write(configuration, names, splitter, send))?;
    things::write(configuration, names, send)?;
    schemas::write(configuration, names, send)?;
    references::write(configuration, world, names, send)
}

/// What `meta` says of a configuration.
pub(super) fn meta_of(configuration: &Configuration) -> impl Iterator<Item = (&'static str, String)> {
    let properties = &configuration.properties;
    let first = configuration.layers.first();
    let values = [
        ("configuration", &*properties.name),
        ("configuration_synonym", properties.synonym.first()),
        ("configuration_version", &*properties.version),
        ("vendor", &*properties.vendor),
        ("compatibility_mode", &*properties.compatibility_mode),
        ("script_variant", &*properties.script_variant),
        ("source_format", first.map_or("", |layer| format_word(layer.format))),
        ("export_version", &*properties.export_version),
        ("layer", first.map_or("", |layer| kind_word(layer.kind))),
    ];
    values.map(|(key, value)| (key, value.to_owned())).into_iter()
}

/// Files of metadata that could not be read, wholly or in part.
pub(super) fn unread_files(configuration: &Configuration) -> FxHashSet<&str> {
    configuration.problems.iter().filter(|problem| files::hides(&problem.kind)).map(|problem| &*problem.path).collect()
}

/// Hands a message to the writer. If it is gone, its own error is the one to report: this one only stops the readers.
fn send(sender: &crossbeam_channel::Sender<Message>, message: Message) -> Result<()> {
    sender.send(message).map_err(|_| Error::Stopped)
}
