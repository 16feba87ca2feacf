//! Code of two configurations, method by method.

use super::{Change, Difference, What};
use crate::Result;
use crate::read::Index;
use bsl::control::same_code;
use std::collections::BTreeMap;

/// Adds the methods whose statements differ to the differences of their declarations.
pub(super) fn compare(
    old: &Index,
    new: &Index,
    differences: &mut Vec<Difference>,
    unread: &mut Vec<String>,
) -> Result<()> {
    let (before, after) = (modules(old)?, modules(new)?);
    let mut changed = BTreeMap::new();
    for (key, module) in &before {
        let Some(now) = after.get(key).filter(|now| now.hash != module.hash) else { continue };
        match (texts(old, module)?, texts(new, now)?) {
            (Some(old), Some(new)) => {
                for (key, (name, text)) in old {
                    if let Some((_, now)) = new.get(&key).filter(|(_, now)| !same_code(now, &text)) {
                        changed.insert(name, (text, now.clone()));
                    }
                }
            }
            _ => unread.push(module.name.clone()),
        }
    }
    let change = |(old, new)| Change { property: "code", old, new };
    for difference in differences.iter_mut().filter(|difference| difference.what == What::Changed) {
        if let Some(texts) = changed.remove(&difference.name) {
            difference.changes.push(change(texts));
        }
    }
    differences.extend(changed.into_iter().map(|(name, texts)| Difference {
        area: "methods",
        what: What::Changed,
        name,
        changes: vec![change(texts)],
    }));
    Ok(())
}

struct Module {
    name: String,
    id: u32,
    hash: i64,
    path: String,
}

/// Modules by their folded names.
fn modules(index: &Index) -> Result<BTreeMap<String, Module>> {
    let sql = "SELECT n.name, m.id, t.text_hash, f.path FROM module m JOIN names n ON n.id = m.id
               JOIN facts t ON t.module = m.id JOIN file f ON f.id = m.file";
    let rows = index
        .rows(sql, [], |row| Ok(Module { name: row.get(0)?, id: row.get(1)?, hash: row.get(2)?, path: row.get(3)? }))?;
    Ok(rows.into_iter().map(|module| (bsl::fold(&module.name), module)).collect())
}

/// The texts of a module's methods by their folded full names; None if the file isn't there, or isn't the one that was indexed.
fn texts(index: &Index, module: &Module) -> Result<Option<BTreeMap<String, (String, String)>>> {
    let Ok(source) = index.lines(&module.path, 1, u32::MAX) else { return Ok(None) };
    if source.stale {
        return Ok(None);
    }
    let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
    let sql = "SELECT n.name, m.line, m.end_line FROM method m JOIN names n ON n.id = m.id WHERE m.module = ?1";
    let methods = index.rows(sql, [module.id], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)? as usize, row.get::<_, u32>(2)? as usize))
    })?;
    let text = |(name, line, end_line): (String, usize, usize)| {
        let text = lines.get(line.saturating_sub(1)..end_line.min(lines.len())).unwrap_or_default().concat();
        (bsl::fold(&name), (name, text))
    };
    Ok(Some(methods.into_iter().map(text).collect()))
}
