//! Every edge, one at a time.

use super::{EdgeRow, Index};
use crate::Result;

/// Calls a function with every edge, joined halves included, in the order of source names' numbers; stops when it
/// returns false.
///
/// # Errors
/// If the file can't be read.
pub fn for_each_edge(index: &Index, mut each: impl FnMut(&EdgeRow) -> bool) -> Result<()> {
    let mut statement =
        index.connection.prepare("SELECT source, target, channel, confidence, file, line FROM edges")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
        let edge = EdgeRow {
            source: text(0)?,
            target: text(1)?,
            channel: text(2)?,
            confidence: text(3)?,
            file: text(4)?,
            line: row.get(5)?,
            depth: 1,
            ..EdgeRow::default()
        };
        if !each(&edge) {
            break;
        }
    }
    Ok(())
}
