//! The world that the edges of an index were derived with.

use super::Index;
use crate::build::input;
use crate::settings::ProjectSettings;
use crate::{Error, Result};
use graph::World;
use metadata::Configuration;

impl Index {
    /// The world.
    pub(crate) fn world(&self) -> Result<World> {
        let modules = self.rows("SELECT count(*) FROM module_input", [], |row| super::count(row, 0))?;
        let modules = modules.first().and_then(|&count| usize::try_from(count).ok()).unwrap_or(0);
        let settings = ProjectSettings::of(&self.root()?).graph;
        match input::stored(&self.connection, self.path(), modules, &settings)? {
            Some(world) => Ok(world),
            None => Ok(self.world_and_configuration()?.0),
        }
    }

    /// The same, and what of the configuration it is made of. A world that is not stored, or by now is that of a later state, is
    /// made of the summaries that this state has.
    pub(crate) fn world_and_configuration(&self) -> Result<(World, Configuration)> {
        let damaged = || Error::Facts { module: "configuration".to_owned(), message: "it is not there".to_owned() };
        let configuration = input::configuration(&self.connection)?.ok_or_else(damaged)?;
        let settings = ProjectSettings::of(&self.root()?).graph;
        let stored = input::stored(&self.connection, self.path(), configuration.modules.len(), &settings)?;
        let world = match stored {
            Some(world) => world,
            None => input::made(&self.connection, &configuration, &settings)?.ok_or_else(damaged)?,
        };
        Ok((world, configuration))
    }
}
