//! What a configuration is, on one page.

use super::{Index, NameId};
use crate::Result;
use serde::Serialize;

/// The configuration at a glance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// Properties of the configuration (name, synonym, vendor, version, compatibility …).
    pub properties: Vec<(String, String)>,
    /// Objects by kind, the most numerous first.
    pub kinds: Vec<KindCount>,
    /// Number of modules.
    pub modules: u32,
    /// Number of methods.
    pub methods: u32,
    /// Lines of code.
    pub lines: u64,
    /// Number of edges, each half counted once.
    pub edges: u64,
    /// Edges by channel, the most numerous first: (channel, number).
    pub channels: Vec<(String, u64)>,
    /// Methods that most others call.
    pub hubs: Vec<Hub>,
    /// Groups of modules that call each other more than the rest, the largest first.
    pub communities: Vec<Community>,
    /// Ways in, by channel.
    pub entries: Vec<EntryCount>,
    /// What talks to other systems: services, exchange plans, references to web services.
    pub integrations: Vec<String>,
    /// Subsystems of the top level with what they hold.
    pub subsystems: Vec<SubsystemNode>,
    /// The largest modules.
    pub largest: Vec<ModuleSize>,
}

/// Number of objects of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// Kind, English singular.
    pub kind: String,
    /// Number.
    pub count: u32,
}

/// A method that many others call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hub {
    /// Full name.
    pub full_name: String,
    /// Number of callers.
    pub callers: u32,
}

/// Modules that call each other more than the rest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Community {
    /// Full name of its module that most of the group's calls touch.
    pub centre: String,
    /// The subsystem that holds most of its objects; empty if none does.
    pub subsystem: String,
    /// Number of its modules.
    pub modules: u32,
    /// Share of its calls that stay inside, in percent.
    pub inside: u32,
    /// Its modules that most of its calls touch: full names, at most five.
    pub members: Vec<String>,
}

/// Number of ways in by one channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryCount {
    /// Channel.
    pub channel: String,
    /// Number of different methods that are reached so.
    pub methods: u32,
}

/// A subsystem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubsystemNode {
    /// Full name.
    pub full_name: String,
    /// Own name.
    pub name: String,
    /// Synonym, empty if none.
    pub synonym: String,
    /// Number of objects in its own content.
    pub content: u32,
    /// Nested subsystems.
    pub children: Vec<SubsystemNode>,
}

/// A module's size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModuleSize {
    /// Full name.
    pub full_name: String,
    /// Lines.
    pub lines: u32,
    /// Number of methods.
    pub methods: u32,
}

impl Index {
    /// The overview.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn overview(&self) -> Result<Overview> {
        let count = |sql: &str| -> Result<u64> {
            Ok(self.rows(sql, [], |row| super::count(row, 0))?.into_iter().next().unwrap_or(0))
        };
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(Overview {
            properties: self.rows(
                "SELECT w.word, t.text FROM property p JOIN names n ON n.id = p.owner JOIN words w ON w.id = p.name
                 JOIN texts t ON t.id = p.value WHERE n.name = 'Configuration' ORDER BY p.rowid",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?,
            kinds: self.rows(
                "SELECT w.word, count(*) FROM object o JOIN words w ON w.id = o.kind GROUP BY o.kind ORDER BY 2 DESC, 1",
                [],
                |row| Ok(KindCount { kind: row.get(0)?, count: row.get(1)? }),
            )?,
            modules: small(count("SELECT count(*) FROM module")?),
            methods: small(count("SELECT count(*) FROM method")?),
            lines: count("SELECT coalesce(sum(lines), 0) FROM module")?,
            edges: count("SELECT (SELECT count(*) FROM edge) + (SELECT count(*) FROM half)")?,
            channels: self.rows(
                "SELECT w.word, count(*) FROM (SELECT channel FROM edge UNION ALL SELECT channel FROM half) e
                 JOIN words w ON w.id = e.channel GROUP BY e.channel ORDER BY 2 DESC, 1",
                [],
                |row| Ok((row.get(0)?, super::count(row, 1)?)),
            )?,
            hubs: self.rows(
                "SELECT n.name, x.callers FROM (SELECT target, count(DISTINCT source) AS callers FROM edge
                 GROUP BY target ORDER BY 2 DESC LIMIT 20) x JOIN names n ON n.id = x.target",
                [],
                |row| Ok(Hub { full_name: row.get(0)?, callers: row.get(1)? }),
            )?,
            communities: self.communities(20)?,
            entries: self.entry_counts()?,
            integrations: self.rows(
                "SELECT n.name FROM object o JOIN words k ON k.id = o.kind JOIN names n ON n.id = o.id
                 WHERE k.word IN ('HTTPService', 'WebService', 'IntegrationService', 'WSReference', 'ExchangePlan', 'Bot',
                                  'ExternalDataSource', 'WebSocketClient') ORDER BY n.name",
                [],
                |row| row.get(0),
            )?,
            subsystems: self.subsystems(None)?,
            largest: self.rows(
                "SELECT n.name, m.lines, (SELECT count(*) FROM method x WHERE x.module = m.id)
                 FROM module m JOIN names n ON n.id = m.id ORDER BY m.lines DESC LIMIT 10",
                [],
                |row| Ok(ModuleSize { full_name: row.get(0)?, lines: row.get(1)?, methods: row.get(2)? }),
            )?,
        })
    }

    /// The tree of subsystems below one, or from the top.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn subsystems(&self, of: Option<NameId>) -> Result<Vec<SubsystemNode>> {
        let rows = self.rows(
            "SELECT o.id, n.name, o.name, coalesce(o.synonym, ''),
                    (SELECT count(*) FROM link l WHERE l.owner = o.id
                     AND l.property = (SELECT id FROM words WHERE word = 'Content'))
             FROM object o JOIN names n ON n.id = o.id
             WHERE o.kind = (SELECT id FROM words WHERE word = 'Subsystem') AND o.parent IS ?1 ORDER BY n.name",
            [of],
            |row| {
                let node = SubsystemNode {
                    full_name: row.get(1)?,
                    name: row.get(2)?,
                    synonym: row.get(3)?,
                    content: row.get(4)?,
                    children: Vec::new(),
                };
                Ok((row.get::<_, NameId>(0)?, node))
            },
        )?;
        let nested = |(id, node)| Ok(SubsystemNode { children: self.subsystems(Some(id))?, ..node });
        rows.into_iter().map(nested).collect()
    }

    fn entry_counts(&self) -> Result<Vec<EntryCount>> {
        let outside = self.outside_channels()?;
        let rows = self.rows(
            "SELECT channel, count(DISTINCT node) FROM (SELECT channel, target AS node FROM edge
             UNION ALL SELECT channel, node FROM half WHERE side = 1) GROUP BY channel ORDER BY 2 DESC",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)),
        )?;
        let entries = rows.into_iter().filter(|(channel, _)| outside.contains(channel));
        entries.map(|(channel, methods)| Ok(EntryCount { channel: self.word(channel)?.to_string(), methods })).collect()
    }
}
