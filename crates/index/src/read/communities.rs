//! Groups of modules that call each other more than the rest.

use super::{Community, Index, NameId};
use crate::Result;
use graph::paths::Direction;
use graph::paths::communities::{Link, communities};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Modules that a group shows.
const MEMBERS: usize = 5;
/// Fewest modules of a group.
const LEAST: usize = 3;

/// A group while it is counted.
#[derive(Default)]
struct Group {
    /// Module and the calls that touch it.
    modules: Vec<(u64, u32)>,
    inside: u64,
    outside: u64,
}

impl Index {
    /// The largest groups, at most `limit`.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn communities(&self, limit: usize) -> Result<Vec<Community>> {
        let (numbers, modules) = self.module_numbers()?;
        let graph = self.graph(Direction::Callers)?;
        let mut weights: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for arc in graph.arcs() {
            if let (Some(&a), Some(&b)) = (numbers.get(&arc.source), numbers.get(&arc.target))
                && a != b
            {
                *weights.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
        // What everything calls relates nothing: a call says the less, the more modules its ends touch.
        let mut neighbours: FxHashMap<u32, u32> = FxHashMap::default();
        for &(a, b) in weights.keys() {
            *neighbours.entry(a).or_default() += 1;
            *neighbours.entry(b).or_default() += 1;
        }
        let touches = |module: u32| f64::from(neighbours.get(&module).copied().unwrap_or(1));
        let mut links: Vec<Link> = weights
            .iter()
            .map(|(&(a, b), &weight)| Link { a, b, weight: f64::from(weight) / touches(a).max(touches(b)) })
            .collect();
        links.sort_unstable_by_key(|link| (link.a, link.b));
        let group_of = communities(u32::try_from(modules.len()).unwrap_or(u32::MAX), &links);
        let mut groups: FxHashMap<u32, Group> = FxHashMap::default();
        let mut touched: FxHashMap<u32, u64> = FxHashMap::default();
        for (&(a, b), &weight) in &weights {
            let weight = u64::from(weight);
            let of = |module: u32| group_of.get(module as usize).copied().unwrap_or(u32::MAX);
            for module in [a, b] {
                *touched.entry(module).or_default() += weight;
            }
            if of(a) == of(b) {
                groups.entry(of(a)).or_default().inside += weight;
            } else {
                groups.entry(of(a)).or_default().outside += weight;
                groups.entry(of(b)).or_default().outside += weight;
            }
        }
        for (module, group) in (0_u32..).zip(&group_of) {
            let calls = touched.get(&module).copied().unwrap_or(0);
            if calls > 0 {
                groups.entry(*group).or_default().modules.push((calls, module));
            }
        }
        let mut groups: Vec<Group> = groups.into_values().filter(|group| group.modules.len() >= LEAST).collect();
        for group in &mut groups {
            group.modules.sort_unstable_by_key(|&(calls, module)| (Reverse(calls), module));
        }
        groups.sort_by_key(|group| (Reverse(group.modules.len()), group.modules.first().map(|&(_, module)| module)));
        groups.iter().take(limit).map(|group| self.community(group, &modules)).collect()
    }

    fn community(&self, group: &Group, modules: &[NameId]) -> Result<Community> {
        let name = |module: u32| self.full_name(modules.get(module as usize).copied().unwrap_or(NameId::MAX));
        let members =
            group.modules.iter().take(MEMBERS).map(|&(_, module)| name(module)).collect::<Result<Vec<_>>>()?;
        let mut subsystems: FxHashMap<NameId, usize> = FxHashMap::default();
        for &(_, module) in &group.modules {
            let of = self.rows(
                "SELECT o.subsystem FROM module m JOIN object o ON o.id = m.object WHERE m.id = ?1 AND o.subsystem IS NOT NULL",
                [modules.get(module as usize).copied().unwrap_or(NameId::MAX)],
                |row| row.get::<_, NameId>(0),
            )?;
            for subsystem in of {
                *subsystems.entry(subsystem).or_default() += 1;
            }
        }
        let most = subsystems.into_iter().max_by_key(|&(subsystem, count)| (count, Reverse(subsystem)));
        let calls = (group.inside + group.outside).max(1);
        Ok(Community {
            centre: members.first().cloned().unwrap_or_default(),
            subsystem: most.map_or(Ok(String::new()), |(subsystem, _)| self.full_name(subsystem))?,
            modules: u32::try_from(group.modules.len()).unwrap_or(u32::MAX),
            inside: u32::try_from(group.inside * 100 / calls).unwrap_or(100),
            members,
        })
    }

    /// Methods and bodies with the numbers of their modules, from 0; the modules by number.
    fn module_numbers(&self) -> Result<(FxHashMap<NameId, u32>, Vec<NameId>)> {
        let modules = self.rows("SELECT id FROM module ORDER BY id", [], |row| row.get::<_, NameId>(0))?;
        let number: FxHashMap<NameId, u32> = modules.iter().copied().zip(0..).collect();
        let rows = self.rows(
            "SELECT id, module FROM method UNION ALL SELECT body, id FROM module WHERE body IS NOT NULL",
            [],
            |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, NameId>(1)?)),
        )?;
        let of = |(id, module): (NameId, NameId)| Some((id, *number.get(&module)?));
        Ok((rows.into_iter().filter_map(of).collect(), modules))
    }
}
