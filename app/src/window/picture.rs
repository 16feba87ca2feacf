//! The picture of links: what surrounds a thing, drawn; each thing can be put in the centre.

use std::collections::HashMap;

use index::{Index, PictureLine as Edge, PictureNode as Thing};
use metadata::Language;

use super::controller::{Controller, replace};
use super::labels::{self, Pick as _};
use super::ui::{PictureLine, PictureNode};

/// Columns on each side.
const COLUMNS: u32 = 2;
/// Most things of a column.
const MOST: usize = 14;
/// Size of a node, in logical pixels; `ui/picture.slint` draws it so.
const WIDTH: f32 = 200.0;
const HEIGHT: f32 = 40.0;
/// Between two nodes of a column.
const GAP: f32 = 16.0;
/// Between two columns: room for the bends of the lines.
const BETWEEN: f32 = 90.0;
/// Around the picture.
const MARGIN: f32 = 20.0;
/// Pictures that one can go back to.
const KEPT: usize = 50;

/// A picture as the markup draws it.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    title: String,
    nodes: Vec<PictureNode>,
    lines: Vec<PictureLine>,
    width: f32,
    height: f32,
}

impl Controller {
    /// Draws a thing's surroundings; an empty name: what the panel of links is about.
    pub(super) fn draw(&self, name: &str) {
        let name = if name.is_empty() { self.state.borrow().subject.clone() } else { name.to_owned() };
        if name.is_empty() {
            return;
        }
        {
            let state = &mut self.state.borrow_mut().pictured;
            if !self.desk().get_picturing() {
                state.clear();
            }
            if state.last() != Some(&name) {
                state.push(name.clone());
            }
            if state.len() > KEPT {
                state.remove(0);
            }
        }
        self.ask_picture(name);
    }

    /// Draws what was in the centre before.
    pub(super) fn draw_back(&self) {
        let before = {
            let state = &mut self.state.borrow_mut().pictured;
            state.pop();
            state.last().cloned()
        };
        if let Some(name) = before {
            self.ask_picture(name);
        }
    }

    fn ask_picture(&self, name: String) {
        let language = self.language();
        self.about.ask(
            self.asked.picture.next(),
            move |index| drawn(index, &name, language),
            |me, drawn| {
                let desk = me.desk();
                desk.set_picture_subject(drawn.title.into());
                desk.set_picture_width(drawn.width);
                desk.set_picture_height(drawn.height);
                desk.set_picture_can_back(me.state.borrow().pictured.len() > 1);
                replace(&me.models.picture_nodes, drawn.nodes);
                replace(&me.models.picture_lines, drawn.lines);
                desk.set_picturing(true);
            },
        );
    }
}

fn drawn(index: &Index, name: &str, language: Language) -> index::Result<Drawn> {
    let named = index.require(name)?;
    let (things, edges) = index.picture(named.id, COLUMNS, MOST)?;
    Ok(Drawn { title: labels::spoken(&named.full_name, language), ..lay_out(&things, &edges, language) })
}

/// Places of nodes and lines: columns side by side, each in the middle of the height.
fn lay_out(things: &[Thing], edges: &[Edge], language: Language) -> Drawn {
    let mut counts: HashMap<i32, u32> = HashMap::new();
    for thing in things {
        *counts.entry(thing.column).or_default() += 1;
    }
    let first = things.iter().map(|thing| thing.column).min().unwrap_or(0);
    let last = things.iter().map(|thing| thing.column).max().unwrap_or(0);
    let tallest = column_height(counts.values().copied().max().unwrap_or(0));
    let x = |column: i32| MARGIN + to_f32(column - first) * (WIDTH + BETWEEN);
    let y = |thing: &Thing| {
        let own = column_height(counts.get(&thing.column).copied().unwrap_or(0));
        MARGIN + (tallest - own) / 2.0 + to_f32(i32::try_from(thing.row).unwrap_or(0)) * (HEIGHT + GAP)
    };
    let node = |thing: &Thing| {
        let spoken = labels::spoken(&thing.full_name, language);
        let (title, owner) = labels::split(&spoken);
        let hidden = match thing.hidden {
            0 => String::new(),
            more => format!("{} {more}", language.pick("и ещё", "and more:")),
        };
        PictureNode {
            x: x(thing.column),
            y: y(thing),
            title: title.into(),
            owner: owner.into(),
            target: thing.full_name.as_str().into(),
            column: thing.column,
            hidden: hidden.into(),
        }
    };
    // Each line of a gap bends at a place of its own, so that they can be told apart.
    let mut bends: HashMap<i32, (u32, u32)> = HashMap::new();
    for edge in edges {
        if let Some(from) = things.get(edge.from) {
            bends.entry(from.column).or_default().1 += 1;
        }
    }
    let mut line = |edge: &Edge| {
        let (from, to) = (things.get(edge.from)?, things.get(edge.to)?);
        let (used, all) = bends.get_mut(&from.column)?;
        *used += 1;
        let share = f64::from(*used) / f64::from(*all + 1);
        #[expect(clippy::cast_possible_truncation, reason = "a place in a picture")]
        let bend = x(from.column) + WIDTH + BETWEEN * share as f32;
        let (confidence, certainty) = labels::confidence(&edge.confidence, language);
        Some(PictureLine {
            from_x: x(from.column) + WIDTH,
            from_y: y(from) + HEIGHT / 2.0,
            bend,
            to_x: x(to.column),
            to_y: y(to) + HEIGHT / 2.0,
            certainty,
            label: slint::format!("{}, {confidence}", labels::channel(&edge.channel, language)),
        })
    };
    Drawn {
        title: String::new(),
        nodes: things.iter().map(node).collect(),
        lines: edges.iter().filter_map(&mut line).collect(),
        width: x(last) + WIDTH + MARGIN,
        height: tallest + 2.0 * MARGIN,
    }
}

fn column_height(nodes: u32) -> f32 {
    to_f32(i32::try_from(nodes).unwrap_or(0)) * (HEIGHT + GAP) - if nodes > 0 { GAP } else { 0.0 }
}

/// Small whole numbers are exact.
#[expect(clippy::cast_precision_loss, reason = "columns and rows are few")]
fn to_f32(number: i32) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(name: &str, column: i32, row: u32) -> Thing {
        Thing { full_name: name.to_owned(), column, row, hidden: 0 }
    }

    fn edge(from: usize, to: usize) -> Edge {
        Edge { from, to, channel: "direct".to_owned(), confidence: "exact".to_owned(), edges: 1 }
    }

    #[test]
    fn lines_run_from_left_to_right_and_bend_apart() {
        let things =
            [thing("CommonModule.А.Б", 0, 0), thing("CommonModule.А.В", -1, 0), thing("CommonModule.А.Г", -1, 1)];
        let drawn = lay_out(&things, &[edge(1, 0), edge(2, 0)], Language::Russian);
        assert_eq!(drawn.nodes.len(), 3);
        assert!(drawn.lines.iter().all(|line| line.from_x < line.bend && line.bend < line.to_x), "{:?}", drawn.lines);
        assert!((drawn.lines[0].bend - drawn.lines[1].bend).abs() > 1.0);
        let (centre, caller) = (&drawn.nodes[0], &drawn.nodes[1]);
        assert!(centre.x > caller.x + WIDTH && centre.y > caller.y, "the centre stands between its callers");
        assert!(drawn.width >= centre.x + WIDTH && drawn.height >= drawn.nodes[2].y + HEIGHT);
        assert_eq!((centre.title.as_str(), centre.owner.as_str()), ("Б", "ОбщийМодуль.А"));
    }
}
