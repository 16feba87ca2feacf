//! Rows of the views, for answers that list what metadata says.

use super::{Index, Reason};
use crate::Result;
use crate::sql::json;
use serde_json::{Map, Value};

/// A row of a view: values by column.
pub type ViewRow = Map<String, Value>;

impl Index {
    /// Rows of a query of ours over the views of the contract; `?1` … are texts. What people and models write goes through
    /// [`crate::sql::select`], which trusts nobody.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn view(&self, sql: &str, params: &[&str]) -> Result<Vec<ViewRow>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query(rusqlite::params_from_iter(params))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let value = |(at, name): (usize, &String)| Ok((name.clone(), json(row.get_ref(at)?).0));
            found.push(columns.iter().enumerate().map(value).collect::<Result<ViewRow>>()?);
        }
        Ok(found)
    }

    /// The channels that some edge of this index has.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn channels(&self) -> Result<Vec<String>> {
        Ok(self.channel_words()?.iter().map(|word| word.to_string()).collect())
    }

    /// Why a list of what metadata says could lack something: files that were not read, a base that is not there.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn unread_reasons(&self) -> Result<Vec<Reason>> {
        // A module without its text hides nothing of metadata.
        Ok(self.unread()?.into_iter().filter(|reason| !matches!(reason, Reason::ProtectedModules { .. })).collect())
    }
}
