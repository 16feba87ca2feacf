//! Methods that nothing reaches: see [`graph::dead`].

use super::honest::{Callable, OpenSites};
use super::{Answer, Index, NameId};
use crate::Result;
use crate::names::{key, last_part, words};
use graph::dead::{Doubt, OutsideUse, calls, handed_on};
use graph::paths::Direction;
use graph::world::layers::without_layer;
use metadata::ModuleKind;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// Largest template that is looked through, in bytes.
const LARGEST_TEMPLATE: u64 = 64 << 20;

/// A method that nothing reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeadMethod {
    /// Full name.
    pub full_name: String,
    /// `proven`: nothing can call it; `likely`: nothing was found, and `doubts` say what could.
    pub certainty: &'static str,
    /// Why it may be used all the same; empty if proven.
    pub doubts: Vec<Doubt>,
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based first line.
    pub line: u32,
    /// 1-based last line.
    pub end_line: u32,
}

/// What is known of a module while its methods are looked at.
struct ModuleInfo {
    kind: String,
    owner: String,
    file: String,
}

/// Own name of a common module, whatever its layer; None for what is no common module.
fn common_name(owner: &str) -> Option<&str> {
    without_layer(owner).strip_prefix("CommonModule.")
}

impl Index {
    /// Methods that nothing reaches, the surest first. `outside` says what is used by others than the configuration.
    ///
    /// # Errors
    /// If the index can't be read.
    pub fn dead_methods(&self, outside: &OutsideUse) -> Result<Answer<DeadMethod>> {
        let mut candidates = self.without_edges()?;
        let modules = self.module_infos()?;
        self.drop_named_in_strings(&mut candidates)?;
        candidates.retain(|method| {
            let info = modules.get(&method.module);
            !info.is_some_and(|info| is_handler(&info.kind, &info.owner, &method.name))
        });
        self.drop_called(&mut candidates, outside, &modules)?;
        self.drop_named_in_templates(&mut candidates)?;

        let open = self.open_sites(None)?;
        let mut rows = Vec::new();
        for method in &candidates {
            let Some(row) = self.method(method.id)? else { continue };
            let doubts = doubts(method, &open);
            rows.push(DeadMethod {
                full_name: row.full_name,
                certainty: if doubts.is_empty() { "proven" } else { "likely" },
                doubts,
                file: modules.get(&method.module).map(|info| info.file.clone()).unwrap_or_default(),
                line: row.line,
                end_line: row.end_line,
            });
        }
        let weight = |row: &DeadMethod| {
            let sites = row.doubts.iter().map(|doubt| match doubt {
                Doubt::Exported => 0,
                Doubt::DynamicSites { count } => *count,
            });
            (row.doubts.len(), sites.sum::<usize>())
        };
        rows.sort_by(|a, b| weight(a).cmp(&weight(b)).then_with(|| a.full_name.cmp(&b.full_name)));
        Ok(Answer::new(rows, self.unread()?))
    }

    /// Methods to which no edge leads but their own.
    fn without_edges(&self) -> Result<Vec<Callable>> {
        let graph = self.graph(Direction::Callers)?;
        let mut all = self.all_callables()?;
        all.retain(|method| graph.at(method.id).iter().all(|arc| arc.source == method.id));
        // An extension's method stands for the one that it is put before, after or around.
        let overrides: FxHashSet<NameId> = self
            .rows("SELECT id FROM method WHERE override_kind IS NOT NULL", [], |row| row.get(0))?
            .into_iter()
            .collect();
        all.retain(|method| !overrides.contains(&method.id));
        Ok(all)
    }

    fn module_infos(&self) -> Result<FxHashMap<NameId, ModuleInfo>> {
        let rows = self.rows(
            "SELECT m.id, k.word, o.name, f.path FROM module m JOIN words k ON k.id = m.kind
             JOIN names o ON o.id = m.object JOIN file f ON f.id = m.file",
            [],
            |row| Ok((row.get(0)?, ModuleInfo { kind: row.get(1)?, owner: row.get(2)?, file: row.get(3)? })),
        )?;
        Ok(rows.into_iter().collect())
    }

    /// Leaves out methods whose name stands in a literal that nothing explains.
    fn drop_named_in_strings(&self, candidates: &mut Vec<Callable>) -> Result<()> {
        let keys: FxHashSet<i64> = candidates.iter().map(|method| key(&method.name)).collect();
        let mut named = FxHashSet::default();
        for key in keys {
            if !self.unexplained_strings(key)?.is_empty() {
                named.insert(key);
            }
        }
        candidates.retain(|method| !named.contains(&key(&method.name)));
        Ok(())
    }

    /// Leaves out methods that are offered to the outside, those by whose name something is called that is not known to be
    /// another method, and exported ones of modules that are handed on to others.
    fn drop_called(
        &self,
        candidates: &mut Vec<Callable>,
        outside: &OutsideUse,
        modules: &FxHashMap<NameId, ModuleInfo>,
    ) -> Result<()> {
        let mut wanted: FxHashMap<String, u32> = FxHashMap::default();
        for method in candidates.iter() {
            let next = u32::try_from(wanted.len()).unwrap_or(u32::MAX);
            wanted.entry(bsl::fold(&method.name)).or_insert(next);
        }
        let mut own: FxHashMap<NameId, Vec<(NameId, &str)>> = FxHashMap::default();
        for method in candidates.iter() {
            own.entry(method.module).or_default().push((method.id, &method.name));
        }
        let mut methods: FxHashMap<NameId, Vec<NameId>> = FxHashMap::default();
        for (id, module) in self.rows("SELECT id, module FROM method ORDER BY module, line", [], |row| {
            Ok((row.get::<_, NameId>(0)?, row.get::<_, NameId>(1)?))
        })? {
            methods.entry(module).or_default().push(id);
        }
        let bodies = self.rows("SELECT id, body FROM module", [], |row| {
            Ok((row.get::<_, NameId>(0)?, row.get::<_, Option<NameId>>(1)?))
        })?;
        let bodies: FxHashMap<NameId, Option<NameId>> = bodies.into_iter().collect();
        // (module, name, caller, line, qualified)
        type Call = (NameId, u32, NameId, u32, bool);
        let mut called: Vec<Call> = Vec::new();
        let mut handed: FxHashSet<u32> = FxHashSet::default();
        let common: FxHashMap<String, u32> =
            modules.iter().filter_map(|(id, info)| Some((bsl::fold(common_name(&info.owner)?), *id))).collect();
        let dispatchers: FxHashSet<String> =
            graph::Settings::default().dispatchers.iter().map(|one| bsl::fold(last_part(&one.function))).collect();
        let mut offered: FxHashSet<NameId> = FxHashSet::default();
        self.for_facts(|module, facts| {
            let info = modules.get(&module);
            let own_name = info.and_then(|info| common_name(&info.owner)).unwrap_or("");
            let ids = methods.get(&module).map_or(&[][..], Vec::as_slice);
            let offered: Vec<NameId> = match own.get(&module) {
                Some(own) => ids
                    .iter()
                    .zip(&facts.methods)
                    .filter(|(id, method)| {
                        own.iter().any(|(one, _)| one == *id) && outside.covers(&facts, method, own_name)
                    })
                    .map(|(id, _)| *id)
                    .collect(),
                None => Vec::new(),
            };
            let calls = calls(&facts, &wanted).into_iter().filter_map(|call| {
                let caller = match call.method {
                    Some(place) => ids.get(place as usize).copied(),
                    None => bodies.get(&module).copied().flatten(),
                };
                Some((module, call.name, caller?, call.line, call.qualified))
            });
            (offered, calls.collect::<Vec<Call>>(), handed_on(&facts, &common, &dispatchers))
        })?
        .into_iter()
        .for_each(|(some, calls, modules)| {
            offered.extend(some);
            called.extend(calls);
            handed.extend(modules);
        });

        // A module that extensions extend is handed on with all of them.
        let names: FxHashSet<&str> = handed.iter().filter_map(|id| common_name(&modules.get(id)?.owner)).collect();
        let together = modules.iter().filter(|(_, info)| common_name(&info.owner).is_some_and(|n| names.contains(n)));
        let together: Vec<NameId> = together.map(|(id, _)| *id).collect();
        handed.extend(together);
        let graph = self.graph(Direction::Callees)?;
        let mut last_parts: FxHashMap<NameId, u32> = FxHashMap::default();
        let mut explained = |caller: NameId, line: u32, name: u32| -> Result<bool> {
            for arc in graph.at(caller).iter().filter(|arc| arc.line == line) {
                let last = match last_parts.get(&arc.target) {
                    Some(&last) => last,
                    None => {
                        let full = self.full_name(arc.target)?;
                        let last = wanted.get(&bsl::fold(last_part(&full))).copied().unwrap_or(u32::MAX);
                        last_parts.insert(arc.target, last);
                        last
                    }
                };
                if last == name {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        // Anywhere, by anything before the dot; and inside a module, by the bare name.
        let mut anywhere: FxHashSet<u32> = FxHashSet::default();
        let mut inside: FxHashSet<(NameId, u32)> = FxHashSet::default();
        for (module, name, caller, line, qualified) in called {
            if explained(caller, line, name)? {
                continue;
            }
            inside.insert((module, name));
            if qualified {
                anywhere.insert(name);
            }
        }
        candidates.retain(|method| {
            let Some(&name) = wanted.get(&bsl::fold(&method.name)) else { return true };
            let is_from_outside = anywhere.contains(&name) || handed.contains(&method.module);
            let reached = inside.contains(&(method.module, name)) || method.export && is_from_outside;
            !reached && !offered.contains(&method.id)
        });
        Ok(())
    }

    /// Leaves out exported methods whose names stand in a template: an expression of a report schema, a rule, a text.
    fn drop_named_in_templates(&self, candidates: &mut Vec<Callable>) -> Result<()> {
        let wanted: FxHashSet<String> =
            candidates.iter().filter(|method| method.export).map(|method| bsl::fold(&method.name)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let roots = self.layer_roots()?;
        let files = self.rows(
            "SELECT f.path FROM template t JOIN file f ON f.id = t.file WHERE f.size <= ?1",
            [i64::try_from(LARGEST_TEMPLATE).unwrap_or(i64::MAX)],
            |row| row.get::<_, String>(0),
        )?;
        let named: FxHashSet<String> = files
            .par_iter()
            .map(|file| {
                let Ok(bytes) = metadata::template_content(&roots.path(file)) else { return FxHashSet::default() };
                let text = String::from_utf8_lossy(&bytes);
                words(&text).map(bsl::fold).filter(|word| wanted.contains(word)).collect()
            })
            .reduce(FxHashSet::default, |mut all, some: FxHashSet<String>| {
                all.extend(some);
                all
            });
        candidates.retain(|method| !(method.export && named.contains(&bsl::fold(&method.name))));
        Ok(())
    }

    /// Does something with the facts of every module, in parallel, a bounded number of modules at a time.
    pub(crate) fn for_facts<T: Send>(&self, each: impl Fn(NameId, bsl::ModuleFacts) -> T + Sync) -> Result<Vec<T>> {
        const AT_A_TIME: usize = 256;
        let mut statement = self.connection.prepare_cached("SELECT module, facts FROM facts")?;
        let mut rows = statement.query([])?;
        let (mut found, mut batch) = (Vec::new(), Vec::with_capacity(AT_A_TIME));
        loop {
            let row = rows.next()?;
            let last = row.is_none();
            if let Some(row) = row {
                batch.push((row.get::<_, NameId>(0)?, row.get::<_, Vec<u8>>(1)?));
            }
            if batch.len() == AT_A_TIME || last {
                let done: Vec<std::result::Result<T, (NameId, String)>> = std::mem::take(&mut batch)
                    .into_par_iter()
                    .map(|(module, blob)| match crate::build::unpack(&blob) {
                        Ok(facts) => Ok(each(module, facts)),
                        Err(message) => Err((module, message)),
                    })
                    .collect();
                for one in done {
                    match one {
                        Ok(one) => found.push(one),
                        Err((module, message)) => {
                            return Err(crate::Error::Facts { module: self.full_name(module)?, message });
                        }
                    }
                }
            }
            if last {
                return Ok(found);
            }
        }
    }
}

/// Whether the platform calls a procedure of that name in a module of that kind.
fn is_handler(kind: &str, owner: &str, name: &str) -> bool {
    let kind = ModuleKind::ALL.into_iter().find(|one| one.as_str() == kind);
    let same = |handler: &graph::handlers::PredefinedHandler| {
        bsl::same_name(handler.ru, name) || bsl::same_name(handler.en, name)
    };
    kind.is_some_and(|kind| graph::handlers::of(kind, owner).any(same))
}

fn doubts(method: &Callable, open: &OpenSites) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    if method.export {
        doubts.push(Doubt::Exported);
    }
    let count = open.count(method);
    if count > 0 {
        doubts.push(Doubt::DynamicSites { count });
    }
    doubts
}
