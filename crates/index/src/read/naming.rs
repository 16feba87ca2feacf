//! Where a method is named: what a new name must reach.

use super::{Index, NameId};
use crate::Result;
use crate::names::last_part;

/// A place that leads to a method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamingPlace {
    /// File, as the views show it.
    pub file: String,
    /// 1-based line; 0 where a whole file is the proof.
    pub line: u32,
    /// Channel of the edge.
    pub channel: String,
    /// Its confidence.
    pub confidence: String,
}

impl Index {
    /// The places that lead to a method: of edges that fan out through a hub, those between hub and method.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn naming_places(&self, method: NameId) -> Result<Vec<NamingPlace>> {
        let mut places = self.rows(
            "SELECT f.path, e.line, c.word, w.word FROM (
               SELECT file, line, channel, confidence FROM edge WHERE target = ?1
               UNION SELECT file, line, channel, confidence FROM half WHERE node = ?1 AND side = 1
             ) e JOIN file f ON f.id = e.file JOIN words c ON c.id = e.channel JOIN words w ON w.id = e.confidence",
            [method],
            |row| {
                Ok(NamingPlace { file: row.get(0)?, line: row.get(1)?, channel: row.get(2)?, confidence: row.get(3)? })
            },
        )?;
        places.sort();
        Ok(places)
    }

    /// Lines of a module's file from which edges lead to other things of the same name as a method's.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn namesakes(&self, file: &str, method: NameId) -> Result<Vec<u32>> {
        let name = self.full_name(method)?;
        let others = self.rows(
            "SELECT e.line, n.name FROM file f JOIN module x ON x.file = f.id
             JOIN (SELECT id, module FROM method UNION ALL SELECT body, id FROM module) m ON m.module = x.id
             JOIN edge e ON e.source = m.id AND e.file = f.id JOIN names n ON n.id = e.target
             WHERE f.path = ?1 AND e.target <> ?2",
            (file, method),
            |row| Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?)),
        )?;
        let mut lines: Vec<u32> = others
            .into_iter()
            .filter(|(_, other)| bsl::same_name(last_part(other), last_part(&name)))
            .map(|(line, _)| line)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        Ok(lines)
    }

    /// Names of a form's attributes: what its module calls without a qualifier.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn form_attribute_names(&self, form: NameId) -> Result<Vec<String>> {
        self.rows("SELECT name FROM form_attribute WHERE form = ?1 ORDER BY number", [form], |row| row.get(0))
    }
}
