//! What runs when a method is called: the method of the main configuration, and what extensions put before, after and around it.
//!
//! Extensions apply in the order of the layers; each stands around what applied before it. So a call begins with what the last
//! extension puts before the method, goes inwards, and ends with what the last one puts after it. A method that stands instead
//! (`&Вместо`) lets what it stands around run by `ПродолжитьВызов`; a changed method (`&ИзменениеИКонтроль`) runs in its place.

use super::{Index, NameId};
use crate::Result;
use serde::Serialize;

/// A method that takes part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EffectiveStep {
    /// Full name.
    pub full_name: String,
    /// Name of the extension, empty for the main configuration.
    pub layer: String,
    /// `before`, `after`, `around`, `change_and_validate`; `base` for the method of the main configuration.
    pub kind: String,
    /// File.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// How many methods that stand around it are running when it runs.
    pub depth: u32,
    /// False if what stands around it never lets it run.
    pub runs: bool,
    /// True for a method under control whose base is another than it was made for.
    pub drifted: bool,
}

/// A method of an extension that overrides another one.
struct Override {
    step: EffectiveStep,
    /// The place of its layer.
    layer: i64,
    /// It lets the method run that it stands around.
    proceeds: bool,
}

impl Index {
    /// What runs in place of a method, in the order in which it begins; the method alone if no extension overrides it. For a
    /// method that overrides another one, what runs in place of that one.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn effective(&self, method: NameId) -> Result<Vec<EffectiveStep>> {
        let base = self.overridden_by(method)?.unwrap_or(method);
        let Some(own) = self.step(base)? else { return Ok(Vec::new()) };
        let overrides = self.overrides(base)?;
        let mut layers: Vec<i64> = overrides.iter().map(|one| one.layer).collect();
        layers.sort_unstable();
        layers.dedup();
        let mut steps = Vec::new();
        let mut after = Vec::new();
        let (mut depth, mut runs) = (0, true);
        for layer in layers.into_iter().rev() {
            let of = |kind: &'static str| overrides.iter().filter(move |o| o.layer == layer && o.step.kind == kind);
            let at = |one: &Override, depth: u32, runs: bool| EffectiveStep { depth, runs, ..one.step.clone() };
            steps.extend(of("before").map(|one| at(one, depth, runs)));
            // Layers come from the outermost inwards, but what stands after the method runs from the innermost outwards.
            after.splice(0..0, of("after").map(|one| at(one, depth, runs)));
            for kind in ["around", "change_and_validate"] {
                for one in of(kind) {
                    steps.push(at(one, depth, runs));
                    runs &= one.proceeds;
                    depth += 1;
                }
            }
        }
        steps.push(EffectiveStep { depth, runs, ..own });
        steps.extend(after);
        Ok(steps)
    }

    /// The method of the main configuration that a method overrides.
    pub(super) fn overridden_by(&self, method: NameId) -> Result<Option<NameId>> {
        let sql = "SELECT e.target FROM edge e JOIN words w ON w.id = e.channel
                   WHERE e.source = ?1 AND w.word = 'extension_override' ORDER BY e.line LIMIT 1";
        Ok(self.rows(sql, [method], |row| row.get(0))?.into_iter().next())
    }

    fn step(&self, method: NameId) -> Result<Option<EffectiveStep>> {
        let sql = "SELECT n.name, l.name, f.path, m.line FROM method m JOIN names n ON n.id = m.id
                   JOIN module x ON x.id = m.module JOIN file f ON f.id = x.file JOIN layer l ON l.id = m.layer WHERE m.id = ?1";
        let steps = self.rows(sql, [method], |row| {
            Ok(EffectiveStep {
                full_name: row.get(0)?,
                layer: row.get(1)?,
                kind: "base".to_owned(),
                file: row.get(2)?,
                line: row.get(3)?,
                depth: 0,
                runs: true,
                drifted: false,
            })
        })?;
        Ok(steps.into_iter().next())
    }

    /// The methods that override a method, by layer and line.
    fn overrides(&self, base: NameId) -> Result<Vec<Override>> {
        // An edge in a line of the method itself is a call of `ПродолжитьВызов`.
        let sql = "SELECT m.id, m.layer, coalesce(k.word, ''), max(e.line BETWEEN m.line AND m.end_line AND e.file = x.file),
                          EXISTS (SELECT 1 FROM problem p WHERE p.kind = 'drifted_control' AND p.file = f.path
                                  AND p.line BETWEEN m.line AND m.end_line)
                   FROM edge e JOIN words w ON w.id = e.channel JOIN method m ON m.id = e.source
                   JOIN module x ON x.id = m.module JOIN file f ON f.id = x.file LEFT JOIN words k ON k.id = m.override_kind
                   WHERE e.target = ?1 AND w.word = 'extension_override' GROUP BY m.id ORDER BY m.layer, m.line";
        let found = self.rows(sql, [base], |row| {
            Ok((
                row.get::<_, NameId>(0)?,
                row.get::<_, i64>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, bool>(3)?,
                row.get::<_, bool>(4)?,
            ))
        })?;
        let mut overrides = Vec::with_capacity(found.len());
        for (method, layer, kind, proceeds, drifted) in found {
            let Some(step) = self.step(method)? else { continue };
            overrides.push(Override { step: EffectiveStep { kind, drifted, ..step }, layer, proceeds });
        }
        Ok(overrides)
    }
}
