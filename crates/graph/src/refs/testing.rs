//! References of the code of a small configuration.

use crate::channels::testing::Demo;

/// References of a procedure's body, as (target, `kind :line`), lines of the body from 1.
pub(super) fn refs(demo: Demo, body: &str) -> Vec<(String, String)> {
    in_module(demo, "CommonModule.Проверка", &format!("Процедура П(Параметр)\n{body}\nКонецПроцедуры"), 1)
}

/// References of a module, lines less some.
pub(super) fn in_module(demo: Demo, full_name: &str, text: &str, less: u32) -> Vec<(String, String)> {
    let (world, edges) = demo.module(full_name, text).last_module();
    let name = |node| world.name(node).to_owned();
    let row = |one: &super::Reference| format!("{} :{}", one.kind, one.line.saturating_sub(less));
    edges.references.iter().map(|one| (name(one.target), row(one))).collect()
}

/// Those to one thing.
pub(super) fn of<'r>(found: &'r [(String, String)], target: &str) -> Vec<&'r str> {
    let mut rows: Vec<(u32, &str)> = found
        .iter()
        .filter(|(name, _)| name == target)
        .map(|(_, row)| (row.rsplit(':').next().and_then(|line| line.parse().ok()).unwrap_or(0), &**row))
        .collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, row)| row).collect()
}
