//! Which records roles let through: restrictions with their templates put in, joined over roles.
//!
//! A user who has several roles may do what any of them allows: restrictions of roles that grant a right are joined by `ИЛИ`,
//! and a role that grants it without a restriction lifts those of all others. A restriction that names fields holds for those
//! fields; one that names none holds for all others. (Source: the platform's developer guide, "Restrictions of access to data".)

use super::{Index, NameId};
use crate::Result;
use crate::build::SET_FOR_NEW_OBJECTS;
use serde::Serialize;
use std::collections::BTreeSet;

/// What one right to an object comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AccessRow {
    /// `Read`, `Insert`, `Update` or `Delete`.
    pub right: String,
    /// The field that it is about; empty: all other fields.
    pub field: String,
    /// Which records a user with all these roles gets: `all`, `none`, `some`.
    pub lets: String,
    /// Roles that grant the right to all records: each of them lifts the restrictions of all others.
    pub unrestricted: Vec<String>,
    /// What the other roles let through, each condition once.
    pub conditions: Vec<ConditionRow>,
}

/// A condition with the roles that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionRow {
    /// Full names of the roles.
    pub roles: Vec<String>,
    /// The template that it is made of, empty if none.
    pub template: String,
    /// Effective text.
    pub condition: String,
    /// Which records it lets through: `none`, `some`.
    pub lets: String,
    /// File of the first role's condition, relative to the root of the dump.
    pub file: String,
    /// 1-based line in it.
    pub line: u32,
}

impl AccessRow {
    /// The conditions joined: what a user with all these roles is let through by. Empty if the right isn't restricted.
    #[must_use]
    pub fn union(&self) -> String {
        if self.lets != "some" {
            return String::new();
        }
        let some: Vec<&str> =
            self.conditions.iter().filter(|one| one.lets == "some").map(|one| one.condition.as_str()).collect();
        match some.as_slice() {
            [only] => (*only).to_owned(),
            all => all.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join("\nИЛИ\n"),
        }
    }
}

/// A restriction of a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RestrictionRow {
    /// Full name of the object whose records are restricted.
    pub object: String,
    /// Right.
    pub right: String,
    /// The field that it holds for; empty: all other fields.
    pub field: String,
    /// The template that it calls, empty if none.
    pub template: String,
    /// Effective text.
    pub condition: String,
    /// Which records it lets through: `all`, `none`, `some`.
    pub lets: String,
    /// File, relative to the root of the dump.
    pub file: String,
    /// 1-based line.
    pub line: u32,
}

impl Index {
    /// What roles let through of an object's records, by right; `roles`: those of a user, none for all roles of the
    /// configuration. A role takes along what extensions made of it. Rights that no role restricts are not listed.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn access(&self, object: NameId, roles: &[NameId]) -> Result<Vec<AccessRow>> {
        let restrictions =
            self.rows(&format!("{RESTRICTIONS} WHERE x.object = ?1 ORDER BY r.name, x.line"), [object], |row| {
                Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(8)?, read_restriction(row)?))
            })?;
        if restrictions.is_empty() {
            return Ok(Vec::new());
        }
        let granted: Vec<(NameId, String, String)> = self.rows(
            "SELECT x.role, r.name, w.word FROM role_right x JOIN names r ON r.id = x.role JOIN words w ON w.id = x.right
             WHERE x.object = ?1 AND x.value ORDER BY r.name",
            [object],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        // A role with all rights lists those only that it doesn't have.
        let mut granted = granted;
        granted.extend(self.rows(
            "SELECT p.owner, r.name, w.word FROM property p JOIN names r ON r.id = p.owner JOIN words n ON n.id = p.name
             JOIN words w ON w.id IN (SELECT right FROM restriction WHERE object = ?1)
             WHERE n.word = ?2 AND NOT EXISTS (
               SELECT 1 FROM role_right x WHERE x.role = p.owner AND x.object = ?1 AND x.right = w.id
             )",
            rusqlite::params![object, SET_FOR_NEW_OBJECTS],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?);
        let mut wanted = roles.to_vec();
        for role in roles {
            wanted.extend(self.adopted(*role)?.into_iter().map(|(id, _)| id));
        }
        let granted: Vec<_> = granted.into_iter().filter(|(id, ..)| roles.is_empty() || wanted.contains(id)).collect();
        let mut found = Vec::new();
        for right in bsl::restriction::restricted_rights() {
            let of_right: Vec<_> = restrictions.iter().filter(|(.., one)| one.right == right).collect();
            let mut fields: BTreeSet<&str> = of_right.iter().map(|(.., one)| one.field.as_str()).collect();
            let holders = || granted.iter().filter(|(.., granted)| granted == right);
            if fields.is_empty() || holders().next().is_none() {
                continue;
            }
            fields.insert("");
            for field in fields {
                let mut row = AccessRow {
                    right: right.to_owned(),
                    field: field.to_owned(),
                    lets: String::new(),
                    unrestricted: Vec::new(),
                    conditions: Vec::new(),
                };
                for (role, name, _) in holders() {
                    let of_role = |wanted: &str| {
                        let held = of_right.iter().filter(|(id, _, one)| id == role && one.field == wanted);
                        held.map(|(.., one)| one).collect::<Vec<_>>()
                    };
                    let own = of_role(field);
                    let held = if own.is_empty() { of_role("") } else { own };
                    row.add(name, &held);
                }
                row.lets = match (row.unrestricted.is_empty(), row.conditions.iter().any(|one| one.lets == "some")) {
                    (false, _) => "all",
                    (true, true) => "some",
                    (true, false) => "none",
                }
                .to_owned();
                found.push(row);
            }
        }
        Ok(found)
    }

    /// What stands for a thing in extensions that adopted it, in the order in which they apply: numbers and full names.
    pub(super) fn adopted(&self, id: NameId) -> Result<Vec<(NameId, String)>> {
        self.rows(
            "SELECT n.id, n.name FROM layer l JOIN names o ON o.id = ?1 JOIN names n ON n.name = l.name || '::' || o.name
             JOIN object x ON x.id = n.id WHERE l.kind = 'extension' ORDER BY l.id",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// The restrictions of a role, by object.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn restrictions(&self, role: NameId) -> Result<Vec<RestrictionRow>> {
        let query = format!("{RESTRICTIONS} WHERE x.role = ?1 AND x.object IS NOT NULL ORDER BY o.name, x.line");
        self.rows(&query, [role], read_restriction)
    }
}

impl AccessRow {
    /// A role that grants the right, with its restrictions for the field: all of them must hold.
    fn add(&mut self, role: &str, held: &[&RestrictionRow]) {
        let limiting: Vec<&&RestrictionRow> = held.iter().filter(|one| one.lets != "all").collect();
        let Some(first) = limiting.first() else { return self.unrestricted.push(role.to_owned()) };
        let texts: Vec<&str> = limiting.iter().map(|one| one.condition.as_str()).collect();
        let condition = match texts.as_slice() {
            [only] => (*only).to_owned(),
            all => all.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join("\nИ\n"),
        };
        if let Some(same) = self.conditions.iter_mut().find(|one| one.condition == condition) {
            return same.roles.push(role.to_owned());
        }
        let none = limiting.iter().any(|one| one.lets == "none");
        self.conditions.push(ConditionRow {
            roles: vec![role.to_owned()],
            template: first.template.clone(),
            condition,
            lets: if none { "none" } else { "some" }.to_owned(),
            file: first.file.clone(),
            line: first.line,
        });
    }
}

const RESTRICTIONS: &str = "\
    SELECT x.role, o.name, w.word, x.field, x.template, t.text, l.word, f.path, r.name, x.line FROM restriction x
    JOIN names r ON r.id = x.role JOIN names o ON o.id = x.object JOIN words w ON w.id = x.right
    LEFT JOIN texts t ON t.id = x.effective LEFT JOIN words l ON l.id = x.lets LEFT JOIN file f ON f.id = x.file";

fn read_restriction(row: &rusqlite::Row<'_>) -> rusqlite::Result<RestrictionRow> {
    let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    Ok(RestrictionRow {
        object: row.get(1)?,
        right: row.get(2)?,
        field: text(3)?,
        template: text(4)?,
        condition: text(5)?,
        lets: text(6)?,
        file: text(7)?,
        line: row.get::<_, Option<u32>>(9)?.unwrap_or(0),
    })
}
