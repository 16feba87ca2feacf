//! What texts of modules are judged on: the world of names that the index was derived with, outlines of the modules around.

use super::{AbsentModule, Index, open_read_only};
use crate::build::unpack;
use crate::{Error, Result, names};
use bsl::ModuleFacts;
use graph::World;
use graph::contexts::ModulePlace;
use graph::outline::{Outline, Outlines};
use graph::world::ModuleId;
use metadata::{Configuration, Details, FileId, LayerKind, Module};
use rusqlite::{Connection, OptionalExtension};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The world that the rows of an index are of, and its modules. Large: who judges many texts keeps it. What was looked up is
/// kept; several threads may ask.
///
/// Everything is of the state that the index had when this was made.
pub struct Grounds {
    world: World,
    configuration: Configuration,
    places: Vec<ModulePlace>,
    connection: Mutex<Connection>,
    outlines: RwLock<FxHashMap<ModuleId, Option<Arc<Outline>>>>,
    version: String,
}

impl Index {
    /// What texts of modules are judged on.
    ///
    /// # Errors
    /// If the index can't be read, or is damaged.
    pub fn grounds(&self) -> Result<Grounds> {
        let (world, configuration) = self.world_and_configuration()?;
        let connection = open_read_only(self.path())?;
        connection.execute_batch("BEGIN")?;
        Ok(Grounds {
            places: crate::build::places(&configuration),
            world,
            configuration,
            connection: Mutex::new(connection),
            outlines: RwLock::default(),
            version: self.version()?,
        })
    }
}

impl Grounds {
    /// The same with one more module, which is empty; and its place.
    #[must_use]
    pub fn with_module(mut self, absent: &AbsentModule) -> (Self, usize) {
        let owner = &absent.file.owner;
        let flags = self.configuration.objects.iter().find(|object| *object.full_name == **owner);
        let flags = flags.and_then(|object| match object.details {
            Details::CommonModule(flags) => Some(flags),
            _ => None,
        });
        let place = self.configuration.modules.len();
        self.configuration.modules.push(Module {
            full_name: absent.full_name.as_str().into(),
            owner: owner.as_str().into(),
            kind: absent.kind,
            // No file of the index.
            file: FileId(u32::MAX),
            flags,
        });
        self.places = crate::build::places(&self.configuration);
        self.world = self.world.with_empty_module(&self.configuration);
        let outline = Some(Arc::new(Outline::default()));
        let id = ModuleId(u32::try_from(place).unwrap_or(u32::MAX));
        self.outlines.get_mut().unwrap_or_else(PoisonError::into_inner).insert(id, outline);
        (self, place)
    }

    /// Names and modules.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The part of the configuration that the world was made of.
    #[must_use]
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// What each module is.
    #[must_use]
    pub fn places(&self) -> &[ModulePlace] {
        &self.places
    }

    /// The state of the index that it is of: see [`Index::version`].
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether the main configuration is there. What extends another one, or works in one, names what nobody sees here.
    #[must_use]
    pub fn has_main(&self) -> bool {
        self.configuration.layers.iter().any(|layer| layer.kind == LayerKind::Main)
    }

    /// The place of a module by its full name, in any case.
    #[must_use]
    pub fn module(&self, full_name: &str) -> Option<usize> {
        let node = self.world.find(full_name)?;
        self.world.modules().iter().position(|module| module.node == node)
    }

    /// The place of the module of a file, by its path relative to the root of the dump.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn module_of_file(&self, path: &str) -> Result<Option<usize>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection.prepare_cached("SELECT id FROM file WHERE path = ?1")?;
        let file: Option<u32> = statement.query_row([path], |row| row.get(0)).optional()?;
        Ok(file.and_then(|file| self.world.modules().iter().position(|module| module.file == file)))
    }

    /// The path of a module's file, relative to the root of the dump.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn file_of(&self, module: usize) -> Result<Option<String>> {
        let Some(module) = self.world.modules().get(module) else { return Ok(None) };
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection.prepare_cached("SELECT path FROM file WHERE id = ?1")?;
        Ok(statement.query_row([module.file], |row| row.get(0)).optional()?)
    }

    /// The facts of a module; None if its text was not read.
    ///
    /// # Errors
    /// If the index can't be read, or is damaged.
    pub fn facts(&self, module: usize) -> Result<Option<ModuleFacts>> {
        let Some(module) = self.world.modules().get(module) else { return Ok(None) };
        let name = self.world.name(module.node);
        let found = {
            let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
            let mut statement = connection.prepare_cached(
                "SELECT f.facts, m.bytes, x.size FROM names n JOIN module m ON m.id = n.id JOIN facts f ON f.module = n.id
                 JOIN file x ON x.id = m.file WHERE n.key = ?1",
            )?;
            let row =
                |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
            statement.query_row([names::key(name)], row).optional()?
        };
        // A file of which nothing could be read: it is protected, or damaged.
        let Some((packed, _, _)) = found.filter(|(_, read, size)| *read > 0 || *size == 0) else { return Ok(None) };
        unpack(&packed).map(Some).map_err(|message| Error::Facts { module: name.to_owned(), message })
    }
}

impl Outlines for Grounds {
    fn outline(&self, module: ModuleId) -> Option<Arc<Outline>> {
        let known = self.outlines.read().unwrap_or_else(PoisonError::into_inner).get(&module).cloned();
        known.unwrap_or_else(|| {
            // An index that can't be read says nothing.
            let facts = self.facts(module.0 as usize).ok().flatten();
            let outline = facts.map(|facts| Arc::new(Outline::of(&facts)));
            self.outlines.write().unwrap_or_else(PoisonError::into_inner).insert(module, outline.clone());
            outline
        })
    }
}
