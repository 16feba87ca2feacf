//! What refers to a thing by metadata and by edges.

use super::Direct;
use super::subject::Subject;
use crate::deadline::Looked;
use crate::names::kind_word;
use crate::read::{Index, NameId, Reason};
use crate::{Deadline, Result};
use graph::Confidence;
use graph::impact::Change;
use graph::impact::mentions::in_query;
use graph::impact::rules::link_kind;
use graph::paths::{Direction, rank};
use graph::world::layers::without_layer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

const EXACT: u8 = 1;

/// A reference between numbers, before the rest is filled in.
pub(super) fn reference(source: NameId, target: NameId, kind: &str, file: u32, line: u32) -> Direct {
    Direct {
        node: Some(source),
        name: None,
        target,
        kind: kind.into(),
        own: false,
        rank: EXACT,
        far: false,
        file,
        line,
        note: String::new(),
        loss: false,
        through: None,
    }
}

/// How sure a reference of a kind is.
fn certainty(kind: &str) -> Confidence {
    match kind {
        "bsl_property" | "bsl_enum_value_via_alias" => Confidence::Typed,
        _ if kind.ends_with("_string") || kind == "bsl_rls_text" => Confidence::String,
        _ => Confidence::Exact,
    }
}

impl Index {
    /// Everything that refers to the thing or to a part of it, and what refers to that where it starts the thing.
    /// How far the look at code and templates got is said beside.
    pub(crate) fn direct_references(
        &self,
        subject: &Subject,
        change: Change,
        until: Deadline,
    ) -> Result<(Vec<Direct>, Looked)> {
        let mut found = Vec::new();
        self.by_edges(subject, &mut found)?;
        if !subject.is_method() {
            self.by_links(subject, &mut found)?;
            self.by_types(subject, &mut found)?;
            self.by_roles(subject, &mut found)?;
            self.by_buttons(subject, &mut found)?;
            self.by_views(subject, &mut found)?;
            self.by_extensions(subject, &mut found)?;
            self.own_losses(subject, &mut found)?;
        }
        self.by_strings(subject, &mut found)?;
        let by_code = self.by_code(subject, until, &mut found)?;
        self.by_queries(subject, &mut found)?;
        let by_starters = self.by_starters(until, &mut found)?;
        if change == Change::Context {
            self.note_contexts(&mut found)?;
        }
        Self::without_doubles(&mut found);
        Ok((found, by_code.and(by_starters)))
    }

    fn by_edges(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        let graph = self.graph(Direction::Callers)?;
        let words = self.channel_words()?;
        // A call stands in its caller's file.
        let own_file = if subject.is_method() { Some(self.file_of(subject.id)?) } else { None };
        let mut targets: Vec<NameId> = subject.inside.iter().copied().collect();
        targets.sort_unstable();
        for target in targets {
            for arc in graph.at(target).iter().filter(|arc| !subject.inside.contains(&arc.source)) {
                let Some(word) = words.get(usize::from(arc.channel)) else { continue };
                let own = own_file == Some(arc.file);
                // An object is the source of its own events: it doesn't refer to what handles them.
                found.push(Direct {
                    kind: Rc::clone(word),
                    own,
                    rank: arc.confidence,
                    ..reference(arc.source, target, "", arc.file, arc.line)
                });
            }
        }
        Ok(())
    }

    fn by_links(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        for &target in &subject.inside {
            let rows = self.rows(
                "SELECT l.owner, w.word, l.file, l.line, n.name FROM link l JOIN words w ON w.id = l.property
                 JOIN names n ON n.id = l.owner WHERE l.target = ?1",
                [target],
                |row| {
                    let (file, line) = (row.get::<_, Option<u32>>(2)?, row.get::<_, Option<u32>>(3)?);
                    Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, file, line, row.get::<_, String>(4)?))
                },
            )?;
            for (owner, property, file, line, name) in rows {
                if subject.inside.contains(&owner) {
                    continue;
                }
                let kind = link_kind(&property, kind_word(&name));
                let (file, line) = (file.unwrap_or(0), line.unwrap_or(0));
                found.push(Direct { note: property, ..reference(owner, target, kind, file, line) });
            }
        }
        Ok(())
    }

    /// Attributes, defined types, subscriptions, forms' attributes of the types of an object.
    fn by_types(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        let (true, Some((kind, name))) = (subject.is_object(), subject.object()) else { return Ok(()) };
        let words: FxHashSet<String> = kind.info().types.iter().map(|(en, _)| format!("{en}.{name}")).collect();
        for word in &words {
            let rows = self.rows(
                "SELECT t.owner, n.name, coalesce(o.file, p.file), coalesce(a.line, o.line),
                        (SELECT count(*) FROM type_of x WHERE x.owner = t.owner)
                 FROM words w JOIN type_of t ON t.type = w.id JOIN names n ON n.id = t.owner
                 LEFT JOIN object o ON o.id = t.owner LEFT JOIN attribute a ON a.id = t.owner
                 LEFT JOIN object p ON p.id = a.object WHERE w.word = ?1",
                [word],
                |row| {
                    let (file, line) = (row.get::<_, Option<u32>>(2)?, row.get::<_, Option<u32>>(3)?);
                    Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, file, line, row.get::<_, u32>(4)?))
                },
            )?;
            for (owner, name, file, line, types) in rows.into_iter().filter(|row| !subject.inside.contains(&row.0)) {
                let kind = match kind_word(&name) {
                    "DefinedType" => "defined_type",
                    "EventSubscription" => "event_subscription_source",
                    _ => "metadata_type",
                };
                let note = if types > 1 { format!("{word} (1/{types})") } else { word.clone() };
                let (file, line) = (file.unwrap_or(0), line.unwrap_or(0));
                found.push(Direct { note, ..reference(owner, subject.id, kind, file, line) });
            }
        }
        let holds = |types: &str| types.split(", ").any(|one| words.contains(one.split('(').next().unwrap_or(one)));
        let rows = self.rows(
            "SELECT a.form, a.name, t.text, f.file, a.main_table FROM form_attribute a JOIN form f ON f.id = a.form
             LEFT JOIN texts t ON t.id = a.types WHERE instr(t.text, ?1) > 0 OR a.main_table = ?2",
            (name, subject.id),
            |row| {
                let text = |column| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
                let table = row.get::<_, Option<NameId>>(4)?;
                Ok((row.get::<_, NameId>(0)?, text(1)?, text(2)?, row.get::<_, Option<u32>>(3)?, table))
            },
        )?;
        for (form, attribute, types, file, table) in rows {
            if subject.inside.contains(&form) {
                continue;
            }
            let file = file.unwrap_or(0);
            let push = |kind: &str, rank: u8, found: &mut Vec<Direct>| {
                found.push(Direct { rank, note: attribute.clone(), ..reference(form, subject.id, kind, file, 0) });
            };
            if holds(&types) {
                push("form_attribute_type", EXACT, found);
            }
            if table == Some(subject.id) {
                push("form_main_table", EXACT, found);
            }
        }
        Ok(())
    }

    /// Rights of roles, and restrictions that name it.
    fn by_roles(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        for &target in &subject.inside {
            let rows = self.rows(
                "SELECT x.role, group_concat(CASE WHEN x.value THEN w.word END, ', ') FROM role_right x
                 JOIN words w ON w.id = x.right WHERE x.object = ?1 GROUP BY x.role",
                [target],
                |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, Option<String>>(1)?)),
            )?;
            for (role, rights) in rows.into_iter().filter(|(role, _)| !subject.inside.contains(role)) {
                let file = self.rights_file(role)?;
                // A role that only denies rights loses nothing.
                let kind = if rights.is_some() { "rights_object" } else { "rights_denied" };
                let note = rights.unwrap_or_default();
                found.push(Direct { note, ..reference(role, target, kind, file, 0) });
            }
        }
        let Some(name) = subject.wanted.first().map(|wanted| match &wanted.part {
            Some(part) => part.name.clone(),
            None => wanted.object.clone(),
        }) else {
            return Ok(());
        };
        let rows = self.rows(
            "SELECT r.role, r.object, t.text, r.line FROM restriction r JOIN texts t ON t.id = r.condition
             WHERE instr(t.text, ?1) > 0",
            [&name],
            |row| {
                let object = row.get::<_, Option<NameId>>(1)?;
                let line = row.get::<_, Option<u32>>(3)?.unwrap_or(0);
                Ok((row.get::<_, NameId>(0)?, object, row.get::<_, String>(2)?, line))
            },
        )?;
        let top = self.by_key(&subject.top)?.map(|named| named.id);
        for (role, object, condition, line) in rows {
            let file = self.rights_file(role)?;
            for (wanted, &target) in subject.wanted.iter().zip(&subject.wanted_ids) {
                let of_table = object.is_some() && object == top;
                if let Some((below, confidence)) = in_query(&condition, wanted, of_table).into_iter().next() {
                    let one = reference(role, target, "rights_rls", file, line + below);
                    found.push(Direct { rank: rank(confidence), ..one });
                }
            }
        }
        Ok(())
    }

    /// The file with the rights of a role: beside its description in both formats of a dump.
    fn rights_file(&self, role: NameId) -> Result<u32> {
        let described = self.file_of(role)?;
        let path = self.file(described)?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = path.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map_or("", |(name, _)| name);
        for path in [format!("{folder}/{name}/Ext/Rights.xml"), format!("{folder}/Rights.rights")] {
            let found = self.rows("SELECT id FROM file WHERE path = ?1", [path], |row| row.get(0))?;
            if let Some(&file) = found.first() {
                return Ok(file);
            }
        }
        Ok(described)
    }

    /// References that the build has found. Where another reader has found the same without its line, it is told.
    fn by_views(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        let mut targets: Vec<(NameId, NameId)> = subject.inside.iter().map(|&target| (target, target)).collect();
        if subject.kind == "predefined" {
            targets.extend(self.by_key(&subject.full_name)?.map(|named| (named.id, subject.id)));
        }
        targets.sort_unstable();
        let mut known: FxHashMap<(NameId, Rc<str>), usize> = FxHashMap::default();
        for (place, one) in found.iter().enumerate().filter(|(_, one)| !one.kind.starts_with("bsl_")) {
            known.extend(one.node.map(|node| ((node, Rc::clone(&one.kind)), place)));
        }
        for (stored, target) in targets {
            let rows = self.rows(
                "SELECT r.source, w.word, r.file, r.line FROM reference r JOIN words w ON w.id = r.kind WHERE r.target = ?1",
                [stored],
                |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?)),
            )?;
            for (source, kind, file, line) in rows.into_iter().filter(|(source, ..)| !subject.inside.contains(source)) {
                let one = reference(source, target, &kind, file, line);
                match known.get(&(source, Rc::clone(&one.kind))).and_then(|place| found.get_mut(*place)) {
                    Some(same) if same.line == 0 => (same.file, same.line) = (file, line),
                    Some(_) if kind != "rights_rls" => {}
                    _ => {
                        let note = if kind == "form_data_path" { self.item_at(source, line)? } else { String::new() };
                        found.push(Direct { rank: rank(certainty(&kind)), note, ..one });
                    }
                }
            }
        }
        if subject.is_object() {
            let rows = self.rows(
                "SELECT m.document, o.file FROM movement m LEFT JOIN object o ON o.id = m.document WHERE m.register = ?1",
                [subject.id],
                |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, Option<u32>>(1)?.unwrap_or(0))),
            )?;
            found.extend(
                rows.into_iter().map(|(document, file)| reference(document, subject.id, "register_movement", file, 0)),
            );
        }
        Ok(())
    }

    /// What extensions adopted of it: without its base an extension isn't connected, and what it adds there is lost with it.
    fn by_extensions(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        if subject.full_name.contains("::") || subject.kind == "predefined" {
            return Ok(());
        }
        let layers = self
            .rows("SELECT name FROM layer WHERE kind = 'extension' ORDER BY id", [], |row| row.get::<_, String>(0))?;
        for layer in layers {
            let own = format!("{layer}::{}", subject.full_name);
            // `/` comes right after `.`: all names that go on with a dot. Standard attributes are there in any case.
            let rows = self.rows(
                "SELECT n.id, n.name, coalesce(f.file, m.file, o.file, p.file, 0), coalesce(a.line, o.line, 0)
                 FROM names n LEFT JOIN object o ON o.id = n.id LEFT JOIN form f ON f.id = n.id
                 LEFT JOIN module m ON m.id = n.id LEFT JOIN attribute a ON a.id = n.id LEFT JOIN object p ON p.id = a.object
                 WHERE (n.name = ?1 OR n.name > ?1 || '.' AND n.name < ?1 || '/')
                   AND (o.id IS NOT NULL OR f.id IS NOT NULL OR m.id IS NOT NULL OR a.id IS NOT NULL AND a.kind IS NOT
                        (SELECT id FROM words WHERE word = 'StandardAttribute'))
                 ORDER BY n.name",
                [&own],
                |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?)),
            )?;
            for (node, name, file, line) in rows {
                let base = self.by_key(without_layer(&name))?.map(|base| base.id);
                let one = match base.filter(|base| subject.inside.contains(base)) {
                    Some(base) => reference(node, base, "adopted", file, line),
                    None => reference(node, subject.id, "extension_item", file, line),
                };
                found.push(Direct { note: layer.clone(), ..one });
            }
        }
        Ok(())
    }

    /// The file of a method, template or object.
    pub(super) fn file_of(&self, id: NameId) -> Result<u32> {
        // What no index finds comes last: the first row ends the search.
        let files = self.rows(
            "SELECT x.file FROM method m JOIN module x ON x.id = m.module WHERE m.id = ?1
             UNION ALL SELECT file FROM module WHERE id = ?1
             UNION ALL SELECT file FROM template WHERE id = ?1
             UNION ALL SELECT file FROM form WHERE id = ?1 UNION ALL SELECT file FROM object WHERE id = ?1
             UNION ALL SELECT o.file FROM attribute a JOIN object o ON o.id = a.object WHERE a.id = ?1
             UNION ALL SELECT file FROM module WHERE body = ?1 LIMIT 1",
            [id],
            |row| Ok(row.get::<_, Option<u32>>(0)?.unwrap_or(0)),
        )?;
        Ok(files.into_iter().next().unwrap_or(0))
    }

    /// What is lost with the thing itself: stored values, rights, events.
    fn own_losses(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        let file = self.file_of(subject.id)?;
        let lost = |one: NameId, of: NameId, kind: &str, note: String, line: u32| Direct {
            note,
            loss: true,
            ..reference(one, of, kind, file, line)
        };
        if subject.is_stored() {
            found.push(lost(subject.id, subject.id, "own_data", String::new(), 0));
        }
        match subject.kind.as_str() {
            "Role" => {
                let rows = self.rows(
                    "SELECT x.object, group_concat(w.word, ', ') FROM role_right x JOIN words w ON w.id = x.right
                     WHERE x.role = ?1 AND x.value GROUP BY x.object",
                    [subject.id],
                    |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?)),
                )?;
                found.extend(
                    rows.into_iter().map(|(object, rights)| lost(object, subject.id, "rights_object", rights, 0)),
                );
            }
            "EventSubscription" => {
                let rows = self.rows(
                    "SELECT x.object, e.word FROM subscription_source x JOIN subscription s ON s.id = x.subscription
                     JOIN words e ON e.id = s.event WHERE x.subscription = ?1",
                    [subject.id],
                    |row| Ok((row.get::<_, NameId>(0)?, row.get::<_, String>(1)?)),
                )?;
                let kind = "event_subscription_source";
                found.extend(rows.into_iter().map(|(object, event)| lost(object, subject.id, kind, event, 0)));
            }
            "Subsystem" | "FunctionalOption" => {
                let kind = link_kind("Content", &subject.kind);
                for &owner in &subject.inside {
                    let rows = self.rows(
                        "SELECT l.target, coalesce(l.file, 0), coalesce(l.line, 0) FROM link l WHERE l.owner = ?1
                         AND l.property = (SELECT id FROM words WHERE word = 'Content')",
                        [owner],
                        |row| Ok((row.get::<_, NameId>(0)?, row.get(1)?, row.get(2)?)),
                    )?;
                    found.extend(
                        rows.into_iter().map(|(item, file, line)| Direct {
                            loss: true,
                            ..reference(item, owner, kind, file, line)
                        }),
                    );
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Literals that hold a method's name and that no edge explains.
    fn by_strings(&self, subject: &Subject, found: &mut Vec<Direct>) -> Result<()> {
        if !subject.is_method() {
            return Ok(());
        }
        let key = crate::names::key(crate::names::last_part(&subject.full_name));
        for (method, line) in self.unexplained_strings(key)? {
            let file = self.file_of(method)?;
            let one = reference(method, subject.id, "bsl_string", file, line);
            found.push(Direct { rank: rank(Confidence::Candidate), far: true, ..one });
        }
        Ok(())
    }

    /// Says of each caller where it runs.
    fn note_contexts(&self, found: &mut [Direct]) -> Result<()> {
        for one in found.iter_mut() {
            let Some(node) = one.node else { continue };
            let bits = self.rows("SELECT contexts FROM method WHERE id = ?1", [node], |row| row.get::<_, u32>(0))?;
            if let Some(&bits) = bits.first() {
                one.note = graph::contexts::words(crate::build::method_place(bits).compiles).join(", ");
            }
        }
        Ok(())
    }

    /// Of references by the same thing at the same place the surest one counts, whichever part of the subject it is to.
    fn without_doubles(found: &mut Vec<Direct>) {
        found.sort_by(|a, b| {
            let place = |one: &Direct| (one.node, one.name.clone(), one.file, one.line);
            place(a).cmp(&place(b)).then_with(|| (a.rank, a.far, &a.kind).cmp(&(b.rank, b.far, &b.kind)))
        });
        let in_code = |kind: &str| kind.starts_with("bsl_");
        found.dedup_by(|later, kept| {
            let same =
                (later.node, later.file, later.line) == (kept.node, kept.file, kept.line) && later.name == kept.name;
            same && (later.kind == kept.kind || in_code(&later.kind) && later.line > 0)
        });
    }

    /// What could hide more breaks.
    pub(super) fn hidden_breaks(&self, subject: &Subject) -> Result<Vec<Reason>> {
        self.hidden_callers(subject.id)
    }
}
