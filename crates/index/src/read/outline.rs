//! What a module consists of.

use super::compact::Rows;
use super::{Index, NameId};
use crate::Result;
use graph::paths::Direction;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A module's methods and regions, in source order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModuleOutline {
    /// Full name.
    pub full_name: String,
    /// Kind of module.
    pub kind: String,
    /// File, relative to the root of the dump.
    pub file: String,
    /// Number of lines.
    pub lines: u32,
    /// Its methods.
    pub methods: Vec<MethodRow>,
    /// Its regions: outer before inner.
    pub regions: Vec<RegionRow>,
}

/// A method in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MethodRow {
    /// Its number.
    #[serde(skip)]
    pub id: NameId,
    /// Full name.
    pub full_name: String,
    /// Own name.
    pub name: String,
    /// Function or procedure.
    pub is_function: bool,
    /// `Экспорт`.
    pub is_export: bool,
    /// `Асинх`.
    pub is_async: bool,
    /// Compilation directive (`НаКлиенте` …), empty if none.
    pub context: String,
    /// Parameters as written (`А, Знач Б = 1`).
    pub params: String,
    /// Innermost region, empty if none.
    pub region: String,
    /// 1-based first line.
    pub line: u32,
    /// 1-based last line.
    pub end_line: u32,
}

/// A region of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RegionRow {
    /// Name.
    pub name: String,
    /// 1-based first line.
    pub line: u32,
    /// 1-based last line.
    pub end_line: u32,
}

/// How a method is reached along one channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arrival {
    /// Channel.
    pub channel: String,
    /// Number of edges.
    pub count: usize,
    /// What stands at the other end of the first.
    pub first: String,
    /// The platform comes in here: an event, a command, a job, a service.
    pub from_outside: bool,
}

const METHODS: &str = "\
    SELECT m.id, n.name, m.name, m.flags, c.word, p.text, r.word, m.line, m.end_line
    FROM method m JOIN names n ON n.id = m.id LEFT JOIN words c ON c.id = m.context LEFT JOIN texts p ON p.id = m.params
    LEFT JOIN words r ON r.id = m.region";

impl Index {
    /// The outline of a module; None if the thing has no module of its own.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn outline(&self, module: NameId) -> Result<Option<ModuleOutline>> {
        let found = self.rows(
            "SELECT n.name, k.word, f.path, m.lines FROM module m JOIN names n ON n.id = m.id
             JOIN words k ON k.id = m.kind JOIN file f ON f.id = m.file WHERE m.id = ?1",
            [module],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
        let Some((full_name, kind, file, lines)) = found.into_iter().next() else { return Ok(None) };
        let methods = self.methods_of(module)?;
        let regions = self.facts(module)?.map_or_else(Vec::new, |facts| {
            let row = |region: &bsl::Region| RegionRow {
                name: facts.text(region.name).to_owned(),
                line: region.line,
                end_line: region.end_line,
            };
            facts.regions.iter().map(row).collect()
        });
        Ok(Some(ModuleOutline { full_name, kind, file, lines, methods, regions }))
    }

    /// The methods of a module, in source order.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn methods_of(&self, module: NameId) -> Result<Vec<MethodRow>> {
        self.rows(&format!("{METHODS} WHERE m.module = ?1 ORDER BY m.line"), [module], read_method)
    }

    /// How methods of a module are reached, by their numbers: channel by channel, what comes from outside the code first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn arrivals(&self, methods: &[MethodRow]) -> Result<FxHashMap<NameId, Vec<Arrival>>> {
        let graph = self.graph(Direction::Callers)?;
        let rows = Rows::new(self)?;
        let outside: Vec<&str> = graph::channels::is_from_outside().map(|channel| channel.0).collect();
        let mut found: FxHashMap<NameId, Vec<Arrival>> = FxHashMap::default();
        for method in methods {
            let mut arrivals: Vec<Arrival> = Vec::new();
            for arc in graph.at(method.id) {
                let channel = rows.channel(arc);
                match arrivals.iter_mut().find(|known| known.channel == channel) {
                    Some(known) => known.count += 1,
                    None => {
                        let first = rows.name(arc.source)?.to_string();
                        let from_outside = outside.contains(&channel);
                        arrivals.push(Arrival { channel: channel.to_owned(), count: 1, first, from_outside });
                    }
                }
            }
            arrivals.sort_by_key(|one| (!one.from_outside, std::cmp::Reverse(one.count)));
            found.insert(method.id, arrivals);
        }
        Ok(found)
    }

    /// One method.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn method(&self, method: NameId) -> Result<Option<MethodRow>> {
        let rows = self.rows(&format!("{METHODS} WHERE m.id = ?1"), [method], read_method)?;
        Ok(rows.into_iter().next())
    }

    /// The stored facts of a module.
    ///
    /// # Errors
    /// If they can't be decoded.
    pub fn facts(&self, module: NameId) -> Result<Option<bsl::ModuleFacts>> {
        let blobs = self.rows("SELECT facts FROM facts WHERE module = ?1", [module], |row| row.get::<_, Vec<u8>>(0))?;
        let Some(blob) = blobs.into_iter().next() else { return Ok(None) };
        match crate::build::unpack(&blob) {
            Ok(facts) => Ok(Some(facts)),
            Err(message) => Err(crate::Error::Facts { module: self.full_name(module)?, message }),
        }
    }
}

fn read_method(row: &rusqlite::Row<'_>) -> rusqlite::Result<MethodRow> {
    let flags: u32 = row.get(3)?;
    let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    Ok(MethodRow {
        id: row.get(0)?,
        full_name: row.get(1)?,
        name: row.get(2)?,
        is_function: flags & 1 != 0,
        is_export: flags & 2 != 0,
        is_async: flags & 4 != 0,
        context: text(4)?,
        params: text(5)?,
        region: text(6)?,
        line: row.get(7)?,
        end_line: row.get(8)?,
    })
}
