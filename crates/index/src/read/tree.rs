//! The tree of the whole configuration, one level at a time.

use super::{Index, NameId};
use crate::Result;
use serde::{Deserialize, Serialize};

/// A place in the tree whose children can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NodeKey {
    /// The configuration.
    Root,
    /// All objects of a kind of the top level (English singular).
    Kind(String),
    /// An object, form, template, command or subsystem.
    Object(NameId),
    /// Parts of one kind of an object: attributes, dimensions, values … (English singular).
    Parts(NameId, String),
    /// What an object holds of one kind, of that have rows of their own: forms, templates, commands, tabular sections.
    Children(NameId, String),
    /// A module with its methods.
    Module(NameId),
    /// A leaf: a method, an attribute.
    Leaf(NameId),
}

/// A row of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    /// What to ask for its children.
    pub key: NodeKey,
    /// What to show: own name; for a group, the kind (English singular), which the window translates.
    pub label: String,
    /// Full name; empty for a group.
    pub full_name: String,
    /// Kind of thing: a kind of metadata, `module`, `method`, `group`.
    pub kind: String,
    /// Synonym, or a method's parameters; empty if none.
    pub detail: String,
    /// Number of children, 0 for a leaf.
    pub children: u32,
}

impl Index {
    /// The children of a node, in the order of the tree.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn tree(&self, of: &NodeKey) -> Result<Vec<TreeNode>> {
        match of {
            NodeKey::Root => self.kinds(),
            NodeKey::Kind(kind) => self.object_nodes("k.word = ?1 AND o.parent IS NULL", (kind,)),
            NodeKey::Object(id) => self.groups(*id),
            NodeKey::Children(id, kind) => self.object_nodes("o.parent = ?1 AND k.word = ?2", (id, kind)),
            NodeKey::Parts(id, kind) => self.parts(*id, kind),
            NodeKey::Module(id) => self.method_nodes(*id),
            NodeKey::Leaf(_) => Ok(Vec::new()),
        }
    }

    fn kinds(&self) -> Result<Vec<TreeNode>> {
        let mut rows = self.rows(
            "SELECT k.word, count(*) FROM object o JOIN words k ON k.id = o.kind WHERE o.parent IS NULL AND k.word <> 'Configuration'
             GROUP BY o.kind",
            [],
            |row| {
                let kind: String = row.get(0)?;
                Ok(TreeNode {
                    key: NodeKey::Kind(kind.clone()),
                    label: kind,
                    full_name: String::new(),
                    kind: "group".to_owned(),
                    detail: String::new(),
                    children: row.get(1)?,
                })
            },
        )?;
        // The platform's own order of kinds is the order of our table.
        let order = |node: &TreeNode| metadata::Kind::all().position(|kind| kind.is(&node.label));
        rows.sort_by_key(order);
        let own = self.modules_of_configuration()?;
        rows.splice(0..0, own);
        Ok(rows)
    }

    fn modules_of_configuration(&self) -> Result<Vec<TreeNode>> {
        // Each layer has its own.
        let sql =
            "SELECT o.id FROM object o JOIN words k ON k.id = o.kind WHERE k.word = 'Configuration' ORDER BY o.layer";
        let mut nodes = Vec::new();
        for configuration in self.rows(sql, [], |row| row.get(0))? {
            nodes.extend(self.module_nodes(configuration)?);
        }
        Ok(nodes)
    }

    fn object_nodes(&self, condition: &str, params: impl rusqlite::Params) -> Result<Vec<TreeNode>> {
        let sql = format!(
            "SELECT o.id, o.name, n.name, k.word, coalesce(o.synonym, ''),
                    (SELECT count(*) FROM object c WHERE c.parent = o.id)
                    + (SELECT count(*) FROM attribute a WHERE a.object = o.id AND a.holder IS NULL OR a.holder = o.id)
                    + (SELECT count(*) FROM module m WHERE m.object = o.id)
             FROM object o JOIN names n ON n.id = o.id JOIN words k ON k.id = o.kind WHERE {condition} ORDER BY o.name"
        );
        self.rows(&sql, params, |row| {
            let (name, full_name): (String, String) = (row.get(1)?, row.get(2)?);
            // What an extension adopted bears the same name as what it extends.
            let label = match full_name.split_once("::") {
                Some((layer, _)) => format!("{layer}::{name}"),
                None => name,
            };
            Ok(TreeNode {
                key: NodeKey::Object(row.get(0)?),
                label,
                full_name,
                kind: row.get(3)?,
                detail: row.get(4)?,
                children: row.get(5)?,
            })
        })
    }

    /// What an object consists of: its modules, then a group a kind of part.
    fn groups(&self, id: NameId) -> Result<Vec<TreeNode>> {
        let mut nodes = self.module_nodes(id)?;
        let parts = self.rows(
            "SELECT k.word, count(*) FROM attribute a JOIN words k ON k.id = a.kind
             WHERE a.object = ?1 AND a.holder IS NULL GROUP BY a.kind ORDER BY min(a.line)",
            [id],
            |row| Ok((row.get::<_, String>(0)?, row.get(1)?)),
        )?;
        let children = self.rows(
            "SELECT k.word, count(*) FROM object o JOIN words k ON k.id = o.kind WHERE o.parent = ?1 GROUP BY o.kind
             ORDER BY k.word = 'TabularSection' DESC, k.word",
            [id],
            |row| Ok((row.get::<_, String>(0)?, row.get(1)?)),
        )?;
        let group = |key, label, children| TreeNode {
            key,
            label,
            full_name: String::new(),
            kind: "group".to_owned(),
            detail: String::new(),
            children,
        };
        nodes.extend(parts.into_iter().map(|(kind, n)| group(NodeKey::Parts(id, kind.clone()), kind, n)));
        nodes.extend(children.into_iter().map(|(kind, n)| group(NodeKey::Children(id, kind.clone()), kind, n)));
        // The columns of a tabular section belong to the object, and hang here.
        nodes.extend(self.attribute_nodes("a.holder = ?1", (id,))?);
        Ok(nodes)
    }

    fn module_nodes(&self, object: NameId) -> Result<Vec<TreeNode>> {
        self.rows(
            "SELECT m.id, k.word, n.name, (SELECT count(*) FROM method x WHERE x.module = m.id)
             FROM module m JOIN words k ON k.id = m.kind JOIN names n ON n.id = m.id WHERE m.object = ?1 ORDER BY n.name",
            [object],
            |row| {
                Ok(TreeNode {
                    key: NodeKey::Module(row.get(0)?),
                    label: row.get(1)?,
                    full_name: row.get(2)?,
                    kind: "module".to_owned(),
                    detail: String::new(),
                    children: row.get(3)?,
                })
            },
        )
    }

    fn method_nodes(&self, module: NameId) -> Result<Vec<TreeNode>> {
        let node = |method: super::MethodRow| TreeNode {
            key: NodeKey::Leaf(method.id),
            label: method.name,
            full_name: method.full_name,
            kind: "method".to_owned(),
            detail: method.params,
            children: 0,
        };
        Ok(self.methods_of(module)?.into_iter().map(node).collect())
    }

    fn parts(&self, id: NameId, kind: &str) -> Result<Vec<TreeNode>> {
        self.attribute_nodes("a.object = ?1 AND a.holder IS NULL AND k.word = ?2", (id, kind))
    }

    fn attribute_nodes(&self, condition: &str, params: impl rusqlite::Params) -> Result<Vec<TreeNode>> {
        let sql = format!(
            "SELECT a.id, a.name, n.name, k.word, coalesce(t.text, '') FROM attribute a JOIN names n ON n.id = a.id
             JOIN words k ON k.id = a.kind LEFT JOIN texts t ON t.id = a.types WHERE {condition} ORDER BY a.line, a.id"
        );
        self.rows(&sql, params, |row| {
            Ok(TreeNode {
                key: NodeKey::Leaf(row.get(0)?),
                label: row.get(1)?,
                full_name: row.get(2)?,
                kind: row.get(3)?,
                detail: row.get(4)?,
                children: 0,
            })
        })
    }
}
