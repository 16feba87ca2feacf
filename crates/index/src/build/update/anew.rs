//! Metadata, read anew by an update, and what differs from what was kept of it.

use super::{Halt, Step};
use crate::build::code;
use crate::build::files::Changes;
use crate::build::full::{self, Job};
use crate::build::input::Kept;
use crate::build::names::{Name, NameTable};
use crate::build::report::Because;
use crate::build::rows::Rows;
use crate::build::writer::Message;
use crate::text::Document;
use crate::{Error, Result};
use graph::World;
use graph::contexts::ModulePlace;
use metadata::{Configuration, Form, Module};
use rustc_hash::{FxHashMap, FxHashSet};

/// Metadata that was read anew.
pub(super) struct Metadata {
    pub configuration: Configuration,
    /// How many of its files came or changed.
    pub files: usize,
    /// Places of modules of other flags than before, and of forms that are not what they were.
    pub placed: Vec<usize>,
    /// Files of the modules whose text is read, whether it changed or not: those that came; those that are another thing's; those
    /// of things that are called otherwise, as the full text of their methods says what they belong to.
    pub anew: FxHashSet<u32>,
    /// Files of the modules that are gone.
    pub gone: Vec<u32>,
}

/// Rows of metadata.
pub(super) struct MetadataRows {
    pub rows: Vec<Rows>,
    /// Full text of objects.
    pub objects: Vec<(Name, Document)>,
    /// Names behind those of the world, and whether each is a ghost.
    pub more: Vec<(String, bool)>,
}

impl Metadata {
    /// Reads metadata, and puts what edges are derived from in the place of what was kept of it.
    pub fn read(job: &Job<'_>, kept: &mut Kept, changes: &Changes, files: usize) -> Step<Self> {
        let configuration = metadata::read_layers(job.sources.layers.clone()).map_err(Error::from)?;
        // A file came after the files had been listed: the next update takes it.
        let configuration = configuration.with_files(changes.files.clone()).ok_or(Halt::Whole(Because::Moving))?;
        let old: FxHashMap<u32, (&Module, ModulePlace)> = by_file(&kept.configuration);
        let sight = graph::sight(&configuration);
        let forms: FxHashMap<&str, &Form> =
            kept.configuration.forms.iter().map(|form| (&*form.full_name, form)).collect();
        let is_other = |form: &&Form| forms.get(&*form.full_name).is_none_or(|old| old != form);
        let others: FxHashSet<&str> = sight.forms.iter().filter(is_other).map(|form| &*form.full_name).collect();
        let (mut placed, mut anew) = (Vec::new(), FxHashSet::default());
        for ((number, module), place) in (0..).zip(&configuration.modules).zip(code::places(&configuration)) {
            let same = old.get(&module.file.0).filter(|(old, _)| {
                let text = |configuration, module| code::owner_text(configuration, module);
                (&old.full_name, old.kind) == (&module.full_name, module.kind)
                    && text(&kept.configuration, old) == text(&configuration, module)
            });
            match same {
                None => {
                    anew.insert(module.file.0);
                }
                Some((_, old)) if *old != place || others.contains(&*module.owner) => placed.push(number),
                Some(_) => {}
            }
        }
        let there: FxHashSet<u32> = configuration.modules.iter().map(|module| module.file.0).collect();
        let mut gone: Vec<u32> = old.into_keys().filter(|file| !there.contains(file)).collect();
        gone.sort_unstable();
        kept.configuration = sight;
        Ok(Self { configuration, files, placed, anew, gone })
    }

    /// All rows of it, in a world that is made of it.
    pub fn rows(&self, world: &World) -> Result<MetadataRows> {
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

/// The modules of a configuration, and what each is, by their files.
fn by_file(configuration: &Configuration) -> FxHashMap<u32, (&Module, ModulePlace)> {
    let modules = configuration.modules.iter().zip(code::places(configuration));
    modules.map(|(module, place)| (module.file.0, (module, place))).collect()
}
