//! The model of the tree: a flat list of the rows that are open. Children are asked for when a row is opened.

use std::cell::{Cell, RefCell};

use index::{NodeKey, TreeNode};
use metadata::Language;
use slint::{Model, ModelNotify, ModelTracker};

use super::labels;
use super::ui::TreeRow;

/// A row: a node and how it stands.
#[derive(Clone, Debug)]
struct Row {
    node: TreeNode,
    depth: u16,
    expanded: bool,
}

/// What a click on the handle of a row needs.
#[derive(Debug, PartialEq, Eq)]
pub enum Toggle {
    /// Nothing: it has no children, or is gone.
    Done,
    /// Closed: so many rows below it are gone.
    Closed(usize),
    /// The children of this node: hand them to [`TreeModel::insert`].
    Load(NodeKey),
}

/// The rows of the tree.
pub struct TreeModel {
    rows: RefCell<Vec<Row>>,
    /// The rows of the whole tree while a filter is on.
    whole: RefCell<Option<Vec<Row>>>,
    language: Cell<Language>,
    notify: ModelNotify,
}

impl TreeModel {
    /// An empty tree.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self {
            rows: RefCell::default(),
            whole: RefCell::default(),
            language: Cell::new(language),
            notify: ModelNotify::default(),
        }
    }

    /// Names kinds in another language.
    pub fn set_language(&self, language: Language) {
        self.language.set(language);
        self.notify.reset();
    }

    /// Another configuration: its top level.
    pub fn set_root(&self, nodes: Vec<TreeNode>) {
        *self.whole.borrow_mut() = None;
        self.replace(nodes.into_iter().map(|node| Row { node, depth: 0, expanded: false }).collect());
    }

    fn replace(&self, rows: Vec<Row>) {
        *self.rows.borrow_mut() = rows;
        self.notify.reset();
    }

    /// Shows only these groups, opened.
    pub fn filter(&self, groups: Vec<(TreeNode, Vec<TreeNode>)>) {
        let mut rows = Vec::new();
        for (group, children) in groups {
            rows.push(Row { node: group, depth: 0, expanded: true });
            rows.extend(children.into_iter().map(|node| Row { node, depth: 1, expanded: false }));
        }
        let mut whole = self.whole.borrow_mut();
        if whole.is_none() {
            *whole = Some(std::mem::take(&mut self.rows.borrow_mut()));
        }
        drop(whole);
        self.replace(rows);
    }

    /// Shows the whole tree again, as it was before the filter.
    pub fn unfilter(&self) {
        let whole = self.whole.borrow_mut().take();
        if let Some(rows) = whole {
            self.replace(rows);
        }
    }

    /// The node of a row.
    #[must_use]
    pub fn node(&self, row: usize) -> Option<TreeNode> {
        self.rows.borrow().get(row).map(|row| row.node.clone())
    }

    /// The row that shows a thing, if one is open.
    #[must_use]
    pub fn row_of(&self, full_name: &str) -> Option<usize> {
        self.rows
            .borrow()
            .iter()
            .position(|row| !full_name.is_empty() && bsl::same_name(&row.node.full_name, full_name))
    }

    /// Closes an open row, or says what is needed to open it.
    pub fn toggle(&self, at: usize) -> Toggle {
        let mut rows = self.rows.borrow_mut();
        let Some(row) = rows.get_mut(at) else { return Toggle::Done };
        if row.node.children == 0 {
            return Toggle::Done;
        }
        if !row.expanded {
            return Toggle::Load(row.node.key.clone());
        }
        row.expanded = false;
        let depth = row.depth;
        let count = rows.iter().skip(at + 1).take_while(|below| below.depth > depth).count();
        rows.drain(at + 1..at + 1 + count);
        drop(rows);
        self.notify.row_changed(at);
        self.notify.row_removed(at + 1, count);
        Toggle::Closed(count)
    }

    /// Opens the closed row of a node with these children: its place, and how many rows there are more. Nothing happens if it
    /// is gone, or open already.
    pub fn insert(&self, key: &NodeKey, children: Vec<TreeNode>) -> Option<(usize, usize)> {
        let mut rows = self.rows.borrow_mut();
        let at = rows.iter().position(|row| row.node.key == *key && !row.expanded)?;
        let count = children.len();
        let row = rows.get_mut(at)?;
        row.expanded = true;
        let depth = row.depth + 1;
        rows.splice(at + 1..at + 1, children.into_iter().map(|node| Row { node, depth, expanded: false }));
        drop(rows);
        self.notify.row_changed(at);
        self.notify.row_added(at + 1, count);
        Some((at, count))
    }
}

impl Model for TreeModel {
    type Data = TreeRow;

    fn row_count(&self) -> usize {
        self.rows.borrow().len()
    }

    fn row_data(&self, at: usize) -> Option<TreeRow> {
        let rows = self.rows.borrow();
        let Row { node, depth, expanded } = rows.get(at)?;
        let language = self.language.get();
        let (badge, tint) = labels::badge(node, language);
        let group = node.kind == "group";
        Some(TreeRow {
            label: labels::label(node, language).into(),
            detail: if group { slint::format!("{}", node.children) } else { node.detail.as_str().into() },
            badge: badge.into(),
            tint,
            depth: i32::from(*depth),
            expandable: node.children > 0,
            expanded: *expanded,
            name: node.full_name.as_str().into(),
        })
    }

    fn model_tracker(&self) -> &dyn ModelTracker {
        &self.notify
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(key: NodeKey, label: &str, children: u32) -> TreeNode {
        let kind = if matches!(key, NodeKey::Kind(_)) { "group" } else { "Catalog" };
        let full_name = if kind == "group" { String::new() } else { format!("Catalog.{label}") };
        TreeNode { key, label: label.to_owned(), full_name, kind: kind.to_owned(), detail: String::new(), children }
    }

    fn tree() -> TreeModel {
        let tree = TreeModel::new(Language::Russian);
        tree.set_root(vec![
            node(NodeKey::Kind("Catalog".into()), "Catalog", 2),
            node(NodeKey::Kind("Document".into()), "Document", 1),
        ]);
        tree
    }

    fn labels(tree: &TreeModel) -> Vec<String> {
        (0..tree.row_count()).filter_map(|row| tree.row_data(row)).map(|row| row.label.to_string()).collect()
    }

    #[test]
    fn children_come_when_a_row_is_opened_and_go_with_all_below() {
        let tree = tree();
        let catalogs = NodeKey::Kind("Catalog".into());
        assert_eq!(tree.toggle(0), Toggle::Load(catalogs.clone()));
        tree.insert(&catalogs, vec![node(NodeKey::Object(1), "Валюты", 3), node(NodeKey::Object(2), "Банки", 0)]);
        tree.insert(&NodeKey::Object(1), vec![node(NodeKey::Leaf(3), "Код", 0)]);
        assert_eq!(labels(&tree), ["Справочники", "Валюты", "Код", "Банки", "Документы"]);
        assert_eq!(tree.row_data(2).map(|row| row.depth), Some(2));
        assert_eq!(tree.toggle(3), Toggle::Done);
        assert_eq!(tree.toggle(0), Toggle::Closed(3));
        assert_eq!(labels(&tree), ["Справочники", "Документы"]);
    }

    #[test]
    fn late_children_of_a_closed_or_vanished_row_do_no_harm() {
        let tree = tree();
        let catalogs = NodeKey::Kind("Catalog".into());
        tree.insert(&catalogs, vec![node(NodeKey::Object(1), "Валюты", 0)]);
        tree.insert(&catalogs, vec![node(NodeKey::Object(1), "Валюты", 0)]);
        tree.insert(&NodeKey::Object(77), vec![node(NodeKey::Object(1), "Валюты", 0)]);
        assert_eq!(labels(&tree), ["Справочники", "Валюты", "Документы"]);
    }

    #[test]
    fn a_filter_comes_and_goes() {
        let tree = tree();
        for _ in 0..2 {
            tree.filter(vec![(
                node(NodeKey::Kind("Catalog".into()), "Catalog", 1),
                vec![node(NodeKey::Object(2), "Банки", 0)],
            )]);
            assert_eq!(labels(&tree), ["Справочники", "Банки"]);
        }
        assert_eq!(tree.row_of("catalog.банки"), Some(1));
        tree.unfilter();
        assert_eq!(labels(&tree), ["Справочники", "Документы"]);
        tree.set_language(Language::English);
        assert_eq!(labels(&tree), ["Catalogs", "Documents"]);
    }
}
