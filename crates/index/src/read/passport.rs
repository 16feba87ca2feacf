//! Passports: what an object, or a method, is.

use super::{AccessRow, Answer, EdgeRow, EffectiveStep, Index, MethodRow, NameId, RestrictionRow, Walk};
use crate::Result;
use crate::build::method_place;
use serde::Serialize;

/// An object in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ObjectRow {
    /// Its number.
    #[serde(skip)]
    pub id: NameId,
    /// Full name.
    pub full_name: String,
    /// Kind.
    pub kind: String,
    /// Own name.
    pub name: String,
    /// Synonym, empty if none.
    pub synonym: String,
    /// Comment, empty if none.
    pub comment: String,
    /// What holds it, empty if nothing.
    pub parent: String,
    /// The subsystem it belongs to, empty if none.
    pub subsystem: String,
    /// Support by a vendor: `locked`, `editable`, `removed`, `own`.
    pub support: String,
    /// File that describes it, relative to the root of the dump.
    pub file: String,
    /// 1-based line in it.
    pub line: u32,
}

/// An attribute, dimension, resource, enum value …
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttributeRow {
    /// Full name.
    pub full_name: String,
    /// Tabular section, empty if it is the object's own.
    pub section: String,
    /// Kind.
    pub kind: String,
    /// Own name.
    pub name: String,
    /// Synonym, empty if none.
    pub synonym: String,
    /// Types, joined by commas.
    pub types: String,
    /// True if the platform checks that it is filled.
    pub required: bool,
}

/// A form of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormRow {
    /// Full name.
    pub form: String,
    /// `managed` or `ordinary`.
    pub kind: String,
    /// Number of items.
    pub items: u32,
    /// Number of event handlers.
    pub handlers: u32,
}

/// A subscription that listens to an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubscriptionRow {
    /// Full name.
    pub name: String,
    /// Event.
    pub event: String,
    /// Full name of the method.
    pub handler: String,
}

/// Rights that a role gives to an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RightRow {
    /// Full name of the role.
    pub role: String,
    /// Granted rights.
    pub rights: Vec<String>,
    /// True if records are restricted.
    pub restricted: bool,
}

/// What an object is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ObjectPassport {
    /// The object itself.
    pub object: ObjectRow,
    /// Simple properties: (name, value).
    pub properties: Vec<(String, String)>,
    /// Its own types (constant, defined type, session parameter …).
    pub types: Vec<String>,
    /// Attributes, dimensions, resources, tabular sections' attributes, enum values …
    pub attributes: Vec<AttributeRow>,
    /// What it holds beside them: tabular sections, templates, commands, operations …
    pub children: Vec<ObjectRow>,
    /// Forms.
    pub forms: Vec<FormRow>,
    /// Modules: full names.
    pub modules: Vec<String>,
    /// What stands for it in extensions that adopted it: full names.
    pub adopted_in: Vec<String>,
    /// Subscriptions to its events.
    pub subscriptions: Vec<SubscriptionRow>,
    /// Roles with the rights they give.
    pub rights: Vec<RightRow>,
    /// What its rights come to where some role restricts its records.
    pub access: Vec<AccessRow>,
    /// Of a role: its restrictions of records.
    pub restrictions: Vec<RestrictionRow>,
    /// Registers that it moves (of a document), documents that move it (of a register).
    pub movements: Vec<String>,
    /// Subsystems whose content it is.
    pub subsystems: Vec<String>,
    /// References from its properties: (property, full name).
    pub links: Vec<(String, String)>,
    /// Who refers to it from properties: (full name, property).
    pub linked_from: Vec<(String, String)>,
    /// Predefined items.
    pub predefined: Vec<String>,
    /// Attributes elsewhere that have its type: full names, at most 50.
    pub used_as_type: Vec<String>,
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParamRow {
    /// Name.
    pub name: String,
    /// `Знач`.
    pub by_value: bool,
    /// Default as written; None if it must be given.
    pub default: Option<String>,
    /// Types that it may have.
    pub types: Vec<TypeRow>,
}

/// A type of a parameter or a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TypeRow {
    /// Canonical name, or what a comment writes.
    pub name: String,
    /// Where it is known from: `code`, `comment`, `calls`, `default`.
    pub source: String,
}

/// Types as people read them: `CatalogRef.Валюты (code, calls), String (comment)`.
#[must_use]
pub fn types_text(types: &[TypeRow], russian: bool) -> String {
    let source = |source: &str| match (source, russian) {
        ("code", true) => "код".to_owned(),
        ("comment", true) => "комментарий".to_owned(),
        ("calls", true) => "вызовы".to_owned(),
        ("default", true) => "умолчание".to_owned(),
        (other, _) => other.to_owned(),
    };
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for row in types {
        match groups.iter_mut().find(|(name, _)| *name == row.name) {
            Some((_, sources)) => sources.push(source(&row.source)),
            None => groups.push((&row.name, vec![source(&row.source)])),
        }
    }
    groups.iter().map(|(name, sources)| format!("{name} ({})", sources.join(", "))).collect::<Vec<_>>().join(", ")
}

/// An event and its handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HandlerRow {
    /// Item of the form; empty: the form itself.
    pub element: String,
    /// Event.
    pub event: String,
    /// Name of the procedure.
    pub handler: String,
    /// 1-based line in the form's file; 0 if it is not known.
    pub line: u32,
}

/// What a method is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MethodPassport {
    /// The method itself.
    pub method: MethodRow,
    /// Full name of the module.
    pub module: String,
    /// Kind of module.
    pub module_kind: String,
    /// File, relative to the root of the dump.
    pub file: String,
    /// Header as code writes it (`Функция М(А, Знач Б = 1) Экспорт`).
    pub signature: String,
    /// Parameters.
    pub params: Vec<ParamRow>,
    /// Types of the result; empty for a procedure, and where nothing is known.
    pub returns: Vec<TypeRow>,
    /// Comment above it, empty if none.
    pub doc: String,
    /// Where it compiles: `server`, `thin_client`, `ordinary`, `external_connection` …
    pub contexts: Vec<String>,
    /// True if code of a client may call it although it compiles on the server only.
    pub server_call: bool,
    /// Flags of its common module that say how it runs: `privileged`, `global`.
    pub module_flags: Vec<String>,
    /// What runs when it is called, extensions among it; empty if no extension overrides it.
    pub effective: Vec<EffectiveStep>,
    /// Direct callers.
    pub callers: Answer<EdgeRow>,
    /// Direct callees.
    pub callees: Answer<EdgeRow>,
    /// Texts of queries in it: (line, text).
    pub queries: Vec<(u32, String)>,
}

/// Bits of `module.flags` that say more than contexts do, with the names of the view's columns.
const MODULE_FLAGS: [(u32, &str); 2] = [(5, "privileged"), (6, "global")];

const OBJECTS: &str = "\
    SELECT o.id, n.name, k.word, o.name, o.synonym, o.comment, p.name, s.name, f.path, o.line, u.word
    FROM object o JOIN names n ON n.id = o.id JOIN words k ON k.id = o.kind LEFT JOIN names p ON p.id = o.parent
    LEFT JOIN names s ON s.id = o.subsystem LEFT JOIN file f ON f.id = o.file
    LEFT JOIN words u ON u.id = o.support";

impl Index {
    /// One object, form, template, command, subsystem …
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn object(&self, id: NameId) -> Result<Option<ObjectRow>> {
        Ok(self.rows(&format!("{OBJECTS} WHERE o.id = ?1"), [id], read_object)?.into_iter().next())
    }

    /// Objects of a kind, by name; empty kind: all of the top level.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn objects(&self, kind: &str) -> Result<Vec<ObjectRow>> {
        if kind.is_empty() {
            return self.rows(&format!("{OBJECTS} WHERE o.parent IS NULL ORDER BY n.name"), [], read_object);
        }
        self.rows(&format!("{OBJECTS} WHERE k.word = ?1 ORDER BY n.name"), [kind], read_object)
    }

    /// What an object directly holds: forms, commands, templates, tabular sections, nested subsystems …
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn children(&self, of: NameId) -> Result<Vec<ObjectRow>> {
        self.rows(&format!("{OBJECTS} WHERE o.parent = ?1 ORDER BY k.word, o.line, n.name"), [of], read_object)
    }

    /// Attributes of an object, in the order of its description.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn attributes(&self, of: NameId) -> Result<Vec<AttributeRow>> {
        self.rows(
            "SELECT n.name, h.name, k.word, a.name, a.synonym, t.text, a.required FROM attribute a
             JOIN names n ON n.id = a.id JOIN words k ON k.id = a.kind LEFT JOIN texts t ON t.id = a.types
             LEFT JOIN object h ON h.id = a.holder WHERE a.object = ?1 ORDER BY a.holder IS NOT NULL, a.line, a.id",
            [of],
            |row| {
                let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
                Ok(AttributeRow {
                    full_name: row.get(0)?,
                    section: text(1)?,
                    kind: row.get(2)?,
                    name: row.get(3)?,
                    synonym: text(4)?,
                    types: text(5)?,
                    required: row.get(6)?,
                })
            },
        )
    }

    /// Handlers of a form's events, the form's own first.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn form_handlers(&self, form: NameId) -> Result<Vec<HandlerRow>> {
        self.rows(
            "SELECT h.element, e.word, h.handler, h.line FROM form_handler h JOIN words e ON e.id = h.event WHERE h.form = ?1
             ORDER BY h.number",
            [form],
            |row| {
                let element = row.get::<_, Option<String>>(0)?.unwrap_or_default();
                let line = row.get::<_, Option<u32>>(3)?.unwrap_or(0);
                Ok(HandlerRow { element, event: row.get(1)?, handler: row.get(2)?, line })
            },
        )
    }

    /// The passport of an object; None if the number is no object's.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn object_passport(&self, id: NameId) -> Result<Option<ObjectPassport>> {
        let Some(object) = self.object(id)? else { return Ok(None) };
        let described = self.described(id)?;
        let pair = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let one = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let children = self.children(id)?.into_iter().filter(|child| child.kind != "Form").collect();
        Ok(Some(ObjectPassport {
            properties: described.properties,
            types: described.types,
            attributes: self.attributes(id)?,
            children,
            forms: self.rows(
                "SELECT n.name, k.word, (SELECT count(*) FROM form_item i WHERE i.form = f.id),
                        (SELECT count(*) FROM form_handler h WHERE h.form = f.id)
                 FROM form f JOIN names n ON n.id = f.id JOIN words k ON k.id = f.kind
                 WHERE f.object = ?1 OR f.id = ?1 ORDER BY n.name",
                [id],
                |row| Ok(FormRow { form: row.get(0)?, kind: row.get(1)?, items: row.get(2)?, handlers: row.get(3)? }),
            )?,
            modules: self.rows(
                "SELECT n.name FROM module m JOIN names n ON n.id = m.id WHERE m.object = ?1 ORDER BY n.name",
                [id],
                one,
            )?,
            adopted_in: self.adopted(id)?.into_iter().map(|(_, name)| name).collect(),
            subscriptions: self.rows(
                "SELECT n.name, e.word, coalesce(h.name, '') FROM subscription_source x
                 JOIN subscription s ON s.id = x.subscription JOIN names n ON n.id = s.id
                 JOIN words e ON e.id = s.event LEFT JOIN names h ON h.id = s.handler WHERE x.object = ?1 ORDER BY n.name",
                [id],
                |row| Ok(SubscriptionRow { name: row.get(0)?, event: row.get(1)?, handler: row.get(2)? }),
            )?,
            rights: self.rights_on(id)?,
            access: self.access(id, &[])?,
            restrictions: self.restrictions(id)?,
            movements: self.rows(
                "SELECT n.name FROM movement m JOIN names n ON n.id = m.register WHERE m.document = ?1
                 UNION SELECT n.name FROM movement m JOIN names n ON n.id = m.document WHERE m.register = ?1",
                [id],
                one,
            )?,
            subsystems: self.rows(
                "SELECT n.name FROM link l JOIN object s ON s.id = l.owner JOIN names n ON n.id = l.owner
                 WHERE l.target = ?1 AND l.property = (SELECT id FROM words WHERE word = 'Content')
                 AND s.kind = (SELECT id FROM words WHERE word = 'Subsystem') ORDER BY n.name",
                [id],
                one,
            )?,
            links: described.links,
            linked_from: self.rows(
                "SELECT DISTINCT o.name, w.word FROM link l JOIN words w ON w.id = l.property
                 JOIN names o ON o.id = l.owner WHERE l.target = ?1 ORDER BY w.word, o.name",
                [id],
                pair,
            )?,
            predefined: self.rows("SELECT name FROM predefined_item WHERE owner = ?1 ORDER BY position", [id], one)?,
            used_as_type: self.used_as_type(&object)?,
            object,
        }))
    }

    /// The passport of a method; None if the number is no method's.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn method_passport(&self, id: NameId) -> Result<Option<MethodPassport>> {
        let Some(method) = self.method(id)? else { return Ok(None) };
        let modules = self.rows(
            "SELECT n.name, k.word, f.path, x.flags, d.text, x.id, m.contexts FROM method m JOIN module x ON x.id = m.module
             JOIN names n ON n.id = x.id JOIN words k ON k.id = x.kind JOIN file f ON f.id = x.file
             LEFT JOIN texts d ON d.id = m.doc WHERE m.id = ?1",
            [id],
            |row| {
                let flags = row.get::<_, Option<u32>>(3)?.unwrap_or(0);
                let doc = row.get::<_, Option<String>>(4)?.unwrap_or_default();
                let place = method_place(row.get(6)?);
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, flags, doc, row.get::<_, NameId>(5)?, place))
            },
        )?;
        let Some((module, module_kind, file, flags, doc, module_id, place)) = modules.into_iter().next() else {
            return Ok(None);
        };
        let flags = MODULE_FLAGS.iter().filter(|(bit, _)| flags >> bit & 1 != 0);
        let word = if method.is_function { "Функция" } else { "Процедура" };
        let signature = format!(
            "{}{word} {}({}){}",
            if method.is_async { "Асинх " } else { "" },
            method.name,
            method.params,
            if method.is_export { " Экспорт" } else { "" }
        );
        Ok(Some(MethodPassport {
            params: self.params_of(module_id, id, &method)?,
            returns: self.types_of(id, None)?,
            callers: self.callers(id, &Walk::default())?,
            callees: self.callees(id, &Walk::default())?,
            queries: self.rows(
                "SELECT q.line, t.text FROM query q JOIN texts t ON t.id = q.text WHERE q.owner = ?1 ORDER BY q.line",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?,
            contexts: graph::contexts::words(place.compiles).into_iter().map(str::to_owned).collect(),
            server_call: place.server_call,
            module_flags: flags.map(|(_, name)| (*name).to_owned()).collect(),
            effective: Some(self.effective(id)?).filter(|steps| steps.len() > 1).unwrap_or_default(),
            method,
            module,
            module_kind,
            file,
            signature,
            doc,
        }))
    }

    pub(super) fn params_of(&self, module: NameId, id: NameId, method: &MethodRow) -> Result<Vec<ParamRow>> {
        let Some(facts) = self.facts(module)? else { return Ok(Vec::new()) };
        let Some(found) = facts.methods.iter().find(|m| m.line == method.line) else { return Ok(Vec::new()) };
        let row = |(place, param): (u32, &bsl::Param)| {
            Ok(ParamRow {
                name: facts.text(param.name).to_owned(),
                by_value: param.by_value,
                default: param.default.map(|default| facts.text(default.0).to_owned()),
                types: self.types_of(id, Some(place))?,
            })
        };
        (0..).zip(&found.params).map(row).collect()
    }

    /// Types of a parameter, or of the result.
    pub(super) fn types_of(&self, method: NameId, param: Option<u32>) -> Result<Vec<TypeRow>> {
        self.rows(
            "SELECT w.word, x.word FROM method_type t JOIN words w ON w.id = t.type JOIN words x ON x.id = t.source
             WHERE t.method = ?1 AND t.param IS ?2 ORDER BY t.rowid",
            rusqlite::params![method, param],
            |row| Ok(TypeRow { name: row.get(0)?, source: row.get(1)? }),
        )
    }

    fn rights_on(&self, object: NameId) -> Result<Vec<RightRow>> {
        let rows = self.rows(
            "SELECT r.name, w.word, EXISTS (SELECT 1 FROM restriction y WHERE y.role = x.role AND y.object = x.object)
             FROM role_right x JOIN names r ON r.id = x.role JOIN words w ON w.id = x.right
             WHERE x.object = ?1 AND x.value ORDER BY r.name, w.word",
            [object],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get(2)?)),
        )?;
        let mut rights: Vec<RightRow> = Vec::new();
        for (role, right, restricted) in rows {
            match rights.last_mut().filter(|last| last.role == role) {
                Some(last) => last.rights.push(right),
                None => rights.push(RightRow { role, rights: vec![right], restricted }),
            }
        }
        Ok(rights)
    }

    fn used_as_type(&self, object: &ObjectRow) -> Result<Vec<String>> {
        let types = [format!("{}Ref.{}", object.kind, object.name), format!("{}.{}", object.kind, object.name)];
        self.rows(
            "SELECT n.name FROM words w JOIN type_of t ON t.type = w.id JOIN names n ON n.id = t.owner
             WHERE w.word IN (?1, ?2) ORDER BY n.name LIMIT 50",
            types,
            |row| row.get(0),
        )
    }
}

pub(crate) fn read_object(row: &rusqlite::Row<'_>) -> rusqlite::Result<ObjectRow> {
    let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    Ok(ObjectRow {
        id: row.get(0)?,
        full_name: row.get(1)?,
        kind: row.get(2)?,
        name: row.get(3)?,
        synonym: text(4)?,
        comment: text(5)?,
        parent: text(6)?,
        subsystem: text(7)?,
        support: text(10)?,
        file: text(8)?,
        line: row.get::<_, Option<u32>>(9)?.unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_one_type_stand_together() {
        let row = |name: &str, source: &str| TypeRow { name: name.into(), source: source.into() };
        let types = [row("String", "code"), row("Number", "comment"), row("String", "calls")];
        assert_eq!(types_text(&types, false), "String (code, calls), Number (comment)");
        assert_eq!(types_text(&types, true), "String (код, вызовы), Number (комментарий)");
    }
}
