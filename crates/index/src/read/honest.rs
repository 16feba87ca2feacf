//! What could hide more than an answer shows: the reasons of a [`State`](super::State).

use super::{Index, NameId, Reason};
use crate::Result;
use crate::build::method_place;
use graph::contexts::MethodPlace;
use graph::dynamic::{Site, Target};
use graph::paths::Direction;
use rustc_hash::FxHashSet;

/// Places that a reason names.
const PLACES: usize = 3;
/// Lines between a literal and the edge that explains it: a call's arguments may go over several lines.
const NEAR: u32 = 20;

/// A method as dynamic code could call it.
pub(crate) struct Callable {
    pub id: NameId,
    pub module: NameId,
    pub name: String,
    pub qualifier: String,
    pub export: bool,
    pub global: bool,
    pub function: bool,
    pub notified: bool,
    pub form_handler: bool,
    pub place: MethodPlace,
}

/// A place that stays open, with where it runs.
pub(crate) struct OpenSite {
    kind: String,
    known: String,
    module: NameId,
    place: MethodPlace,
    file: u32,
    line: u32,
}

/// All places that stay open, and what tells their targets apart.
pub(crate) struct OpenSites {
    sites: Vec<OpenSite>,
    /// Folded names of the common modules.
    modules: FxHashSet<String>,
}

const CALLABLE: &str = "\
    SELECT m.id, m.module, m.name, m.flags, m.contexts, k.word, o.name, x.flags
    FROM method m JOIN module x ON x.id = m.module JOIN words k ON k.id = x.kind JOIN names o ON o.id = x.object";

impl Index {
    /// What could hide callers of a thing, whether some were found or not.
    pub(crate) fn hidden_callers(&self, of: NameId) -> Result<Vec<Reason>> {
        let mut reasons = self.unread()?;
        let missing = self.meta("unfilled_channels")?.unwrap_or_default();
        if !missing.is_empty() {
            reasons.push(Reason::ChannelsNotBuilt { channels: missing.split(' ').map(str::to_owned).collect() });
        }
        let mut methods = self.callables(
            &format!(
                "{CALLABLE} WHERE m.id IN (
                   SELECT ?1 UNION SELECT id FROM method WHERE module = ?1
                   UNION SELECT y.id FROM module z JOIN method y ON y.module = z.id WHERE z.object = ?1)
                 ORDER BY m.module, m.line"
            ),
            [of],
        )?;
        let graph = self.graph(Direction::Callers)?;
        let notifies = self.channel_filter(&["notify", "notify_error"])?;
        let handles = self.channel_filter(&["form_event", "form_element_event"])?;
        for method in &mut methods {
            let by = |filter: &[bool]| {
                let is = |arc: &graph::paths::Arc| filter.get(usize::from(arc.channel)).copied().unwrap_or(false);
                graph.at(method.id).iter().any(is)
            };
            (method.notified, method.form_handler) = (by(&notifies), by(&handles));
        }
        reasons.extend(self.named_in_strings(&methods)?);
        let open = self.open_sites(Some(&methods))?;
        reasons.extend(self.could_be_called(&open, &methods)?);
        Ok(reasons)
    }

    /// What could hide callees: places in the things themselves that stay open.
    pub(crate) fn hidden_callees(&self, nodes: &[NameId]) -> Result<Vec<Reason>> {
        let mut places = Vec::new();
        for &node in nodes {
            places.extend(self.rows("SELECT file, line FROM dynamic_site WHERE method = ?1", [node], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?);
        }
        self.dynamic_reason(places)
    }

    /// Files that were not read, modules without a text, a base that is not there.
    pub(crate) fn unread(&self) -> Result<Vec<Reason>> {
        let mut reasons = Vec::new();
        let sql = "SELECT count(DISTINCT file) FROM problem WHERE kind = ?1";
        let protected = self.rows(sql, [crate::build::PROTECTED], |row| super::count(row, 0))?;
        let protected = protected.into_iter().next().map_or(0, |count| usize::try_from(count).unwrap_or(usize::MAX));
        let unread: usize = self.meta("unread_files")?.and_then(|count| count.parse().ok()).unwrap_or(0);
        if unread > protected {
            reasons.push(Reason::UnreadFiles { count: unread - protected });
        }
        if protected > 0 {
            reasons.push(Reason::ProtectedModules { count: protected });
        }
        let layers = self.rows("SELECT kind FROM layer", [], |row| row.get::<_, String>(0))?;
        if layers.iter().any(|kind| kind == "extension") && !layers.iter().any(|kind| kind == "main") {
            reasons.push(Reason::BaseAbsent);
        }
        Ok(reasons)
    }

    pub(crate) fn callables(&self, sql: &str, params: impl rusqlite::Params) -> Result<Vec<Callable>> {
        self.rows(sql, params, |row| {
            let flags: u32 = row.get(3)?;
            let (kind, object): (String, String) = (row.get(5)?, row.get(6)?);
            let global = row.get::<_, Option<u32>>(7)?.unwrap_or(0) >> 6 & 1 == 1;
            Ok(Callable {
                id: row.get(0)?,
                module: row.get(1)?,
                name: row.get(2)?,
                qualifier: qualifier(&kind, &object),
                export: flags & 2 != 0,
                global: global && flags & 2 != 0,
                function: flags & 1 != 0,
                notified: false,
                form_handler: false,
                place: method_place(row.get(4)?),
            })
        })
    }

    /// All methods as dynamic code could call them.
    pub(crate) fn all_callables(&self) -> Result<Vec<Callable>> {
        self.callables(&format!("{CALLABLE} ORDER BY m.module, m.line"), [])
    }

    /// The places that stay open; `methods`: only those that could be calls of these, as far as a name tells.
    pub(crate) fn open_sites(&self, methods: Option<&[Callable]>) -> Result<OpenSites> {
        const SITES: &str = "\
            SELECT w.word, s.known, coalesce(m.module, b.id), coalesce(m.contexts, b.contexts), s.file, s.line
            FROM dynamic_site s JOIN words w ON w.id = s.kind LEFT JOIN method m ON m.id = s.method
            LEFT JOIN module b ON m.id IS NULL AND b.file = s.file";
        let read = |row: &rusqlite::Row<'_>| {
            let (module, contexts) = (row.get::<_, Option<NameId>>(2)?, row.get::<_, Option<u32>>(3)?);
            Ok(OpenSite {
                kind: row.get(0)?,
                known: row.get(1)?,
                module: module.unwrap_or(NameId::MAX),
                place: method_place(contexts.unwrap_or(0xff)),
                file: row.get(4)?,
                line: row.get(5)?,
            })
        };
        let sites = match methods {
            None => self.rows(SITES, [], read)?,
            Some(methods) => {
                let keys: FxHashSet<i64> = methods.iter().map(|method| crate::names::key(&method.name)).collect();
                let mut sites = self.rows(&format!("{SITES} WHERE s.name_key IS NULL"), [], read)?;
                for key in keys {
                    sites.extend(self.rows(&format!("{SITES} WHERE s.name_key = ?1"), [key], read)?);
                }
                sites
            }
        };
        let modules = self.rows(
            "SELECT o.name FROM object o WHERE o.kind = (SELECT id FROM words WHERE word = 'CommonModule')",
            [],
            |row| row.get::<_, String>(0),
        )?;
        Ok(OpenSites { sites, modules: modules.iter().map(|name| bsl::fold(name)).collect() })
    }

    /// Places that could call one of some methods.
    fn could_be_called(&self, open: &OpenSites, methods: &[Callable]) -> Result<Vec<Reason>> {
        let mut places: Vec<(u32, u32)> = Vec::new();
        for site in &open.sites {
            if methods.iter().any(|method| open.could_call(site, method)) {
                places.push((site.file, site.line));
            }
        }
        self.dynamic_reason(places)
    }

    /// The reason that some open places are.
    pub(crate) fn dynamic_reason(&self, mut places: Vec<(u32, u32)>) -> Result<Vec<Reason>> {
        places.sort_unstable();
        places.dedup();
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let count = places.len();
        let place = |&(file, line): &(u32, u32)| Ok(format!("{}:{line}", self.file(file)?));
        Ok(vec![Reason::DynamicSites { count, places: places.iter().take(PLACES).map(place).collect::<Result<_>>()? }])
    }

    /// Literals that hold the name of one of some methods and that no edge nearby explains.
    fn named_in_strings(&self, methods: &[Callable]) -> Result<Vec<Reason>> {
        let keys: FxHashSet<i64> = methods.iter().map(|method| crate::names::key(&method.name)).collect();
        let mut places = Vec::new();
        for key in keys {
            places.extend(self.unexplained_strings(key)?);
        }
        places.sort_unstable();
        places.dedup();
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let count = places.len();
        let mut shown = Vec::new();
        for (method, line) in places.into_iter().take(PLACES) {
            let file = self.rows(
                "SELECT f.path FROM method m JOIN module x ON x.id = m.module JOIN file f ON f.id = x.file WHERE m.id = ?1
                 UNION ALL SELECT f.path FROM module x JOIN file f ON f.id = x.file WHERE x.body = ?1",
                [method],
                |row| row.get::<_, String>(0),
            )?;
            shown.extend(file.into_iter().next().map(|file| format!("{file}:{line}")));
        }
        Ok(vec![Reason::NamedInStrings { places: shown, count }])
    }

    /// Places, as method and line, whose literal holds the name of that key, if no edge from there leads to a thing of that
    /// name.
    pub(crate) fn unexplained_strings(&self, key: i64) -> Result<Vec<(NameId, u32)>> {
        let places = self.rows("SELECT DISTINCT method, line FROM string_name WHERE key = ?1", [key], |row| {
            Ok((row.get::<_, NameId>(0)?, row.get::<_, u32>(1)?))
        })?;
        let mut left = Vec::new();
        for (method, line) in places {
            let targets = self.rows(
                "SELECT n.name FROM edge e JOIN names n ON n.id = e.target WHERE e.source = ?1 AND e.line BETWEEN ?2 AND ?3
                 UNION ALL
                 SELECT n.name FROM half a JOIN half b ON b.channel = a.channel AND b.hub = a.hub AND b.side = 1
                 JOIN names n ON n.id = b.node WHERE a.node = ?1 AND a.side = 0 AND a.line BETWEEN ?2 AND ?3",
                (method, line.saturating_sub(NEAR), line.saturating_add(NEAR)),
                |row| row.get::<_, String>(0),
            )?;
            if !targets.iter().any(|name| crate::names::key(crate::names::last_part(name)) == key) {
                left.push((method, line));
            }
        }
        Ok(left)
    }
}

impl OpenSites {
    /// Number of the places that could call a method.
    pub fn count(&self, method: &Callable) -> usize {
        self.sites.iter().filter(|site| self.could_call(site, method)).count()
    }

    fn could_call(&self, site: &OpenSite, method: &Callable) -> bool {
        let target = Target {
            name: &method.name,
            qualifier: &method.qualifier,
            export: method.export,
            global: method.global,
            function: method.function,
            notified: method.notified,
            form_handler: method.form_handler,
        };
        let open = Site { kind: &site.kind, known: &site.known, same_module: site.module == method.module };
        open.could_call(&target, |name| self.modules.contains(name))
            && !method.place.called_from(site.place.compiles).impossible
    }
}

/// How code writes a module before a dot; empty for a module that it has no name for.
fn qualifier(kind: &str, object: &str) -> String {
    let Some((word, name)) = graph::world::layers::without_layer(object).split_once('.') else { return String::new() };
    match (kind, metadata::Kind::named(word)) {
        ("Module", Some(_)) if word == "CommonModule" => name.to_owned(),
        ("ManagerModule", Some(kind)) => format!("{}.{name}", kind.info().ru_plural),
        _ => String::new(),
    }
}
