//! The world that the edges of an index were derived with.

use super::Index;
use crate::build::input;
use crate::settings::ProjectSettings;
use crate::{Error, Result};
use graph::{Settings, World};
use metadata::Configuration;

impl Index {
    /// The world.
    pub(crate) fn world(&self) -> Result<World> {
        let modules = self.rows("SELECT count(*) FROM module_input", [], |row| super::count(row, 0))?;
        let modules = modules.first().and_then(|&count| usize::try_from(count).ok()).unwrap_or(0);
        let settings = ProjectSettings::of(&self.root()?).graph;
        match input::stored(&self.connection, self.path(), modules, &settings)? {
            Some(world) => Ok(world),
            None => self.made(&self.stored_configuration()?, &settings),
        }
    }

    /// The same, and what of the configuration it is made of. A world that is not stored, or by now is that of a later state, is
    /// made of the summaries that this state has.
    pub(crate) fn world_and_configuration(&self) -> Result<(World, Configuration)> {
        let configuration = self.stored_configuration()?;
        let settings = ProjectSettings::of(&self.root()?).graph;
        let stored = input::stored(&self.connection, self.path(), configuration.modules.len(), &settings)?;
        let world = match stored {
            Some(world) => world,
            None => self.made(&configuration, &settings)?,
        };
        Ok((world, configuration))
    }

    fn stored_configuration(&self) -> Result<Configuration> {
        input::configuration(&self.connection)?.ok_or_else(|| damaged("configuration"))
    }

    fn made(&self, configuration: &Configuration, settings: &Settings) -> Result<World> {
        input::made(&self.connection, configuration, settings)?.ok_or_else(|| damaged("summaries"))
    }
}

fn damaged(what: &str) -> Error {
    Error::Facts { module: what.to_owned(), message: "a part is not there".to_owned() }
}
