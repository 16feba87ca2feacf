//! The surroundings of a thing, laid out to be drawn: see [`graph::paths::picture`].

use super::compact::Rows;
use super::{Index, NameId};
use crate::Result;
use graph::paths::Direction;
use graph::paths::picture::{Frame, picture};
use serde::Serialize;

/// A node of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PictureNode {
    /// Full name.
    pub full_name: String,
    /// Its column: 0 the centre, below it callers, above it callees.
    pub column: i32,
    /// Its place in the column, from 0.
    pub row: u32,
    /// Linked things further out that the picture leaves out.
    pub hidden: u32,
}

/// A line of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PictureLine {
    /// Place of the caller among the nodes.
    pub from: usize,
    /// Place of the target among the nodes.
    pub to: usize,
    /// Channel of the surest edge.
    pub channel: String,
    /// Its confidence.
    pub confidence: String,
    /// Number of edges between the two.
    pub edges: u32,
}

impl Index {
    /// Who leads to a thing and what it leads to, `columns` deep on each side, at most `most` things a column. A module or
    /// an object stands for all its methods.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn picture(&self, of: NameId, columns: u32, most: usize) -> Result<(Vec<PictureNode>, Vec<PictureLine>)> {
        let (callers, callees) = (self.graph(Direction::Callers)?, self.graph(Direction::Callees)?);
        let drawn = picture(&callers, &callees, &self.with_parts(of)?, Frame { columns, most });
        let rows = Rows::new(self)?;
        let node = |one: &graph::paths::picture::Node| {
            let full_name = rows.name(one.node)?.to_string();
            Ok(PictureNode { full_name, column: one.column, row: one.row, hidden: one.hidden })
        };
        let line = |one: &graph::paths::picture::Line| {
            let confidence = rows.confidence(one.arc.confidence)?.to_string();
            let channel = rows.channel(&one.arc).to_owned();
            Ok(PictureLine { from: one.from, to: one.to, channel, confidence, edges: one.edges })
        };
        Ok((drawn.nodes.iter().map(node).collect::<Result<_>>()?, drawn.lines.iter().map(line).collect::<Result<_>>()?))
    }
}
