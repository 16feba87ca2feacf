//! Objects of the index as [`graph::tables`] takes them.

use super::{Base, Tables, stamp};
use crate::read::stamps::Relied;
use crate::{Result, names};
use graph::tables::{Attribute, COMMON, MAYBE_COMMON, Object};
use graph::world::layers::{with_layer, without_layer};
use metadata::{Kind, Text, standard};
use rustc_hash::FxHashMap;
use std::sync::{Arc, PoisonError};

/// An object, and whether all of it was read.
pub(super) struct Whole {
    pub object: Object,
    pub is_whole: bool,
    /// One a layer that has it.
    pub files: Relied,
}

/// A common attribute.
pub(super) struct Common {
    name: Text,
    types: Vec<Text>,
    /// Objects that the list doesn't name have it, too, unless their kind can't.
    is_auto: bool,
    /// `Use`, `DontUse`, `Auto`, by the key of an object's name.
    uses: FxHashMap<i64, String>,
}

impl Tables {
    /// An object with what all layers say of it.
    pub(super) fn object(&self, kind: &str, own: &str) -> Result<Option<Arc<Whole>>> {
        let plain = format!("{kind}.{own}");
        let folded = bsl::fold(&plain);
        if let Some(known) = self.objects.read().unwrap_or_else(PoisonError::into_inner).get(&folded) {
            return Ok(known.clone());
        }
        let read = self.read_object(&plain)?.map(Arc::new);
        self.objects.write().unwrap_or_else(PoisonError::into_inner).insert(folded, read.clone());
        Ok(read)
    }

    fn read_object(&self, plain: &str) -> Result<Option<Whole>> {
        let base = self.base()?;
        let mut whole: Option<Whole> = None;
        for layer in &base.layers {
            let key = names::key(&with_layer(layer, plain));
            let found = self.rows(
                "SELECT n.id, n.name, k.word, f.path, f.size, f.modified FROM names n JOIN object o ON o.id = n.id
                 JOIN words k ON k.id = o.kind LEFT JOIN file f ON f.id = o.file WHERE n.key = ?1",
                [key],
                |row| Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, stamp(row, 3)?)),
            )?;
            let Some((id, full_name, kind, file)) =
                found.into_iter().find(|(_, name, _, _)| bsl::same_name(without_layer(name), plain))
            else {
                continue;
            };
            let of = whole.get_or_insert_with(|| Whole {
                object: Object { kind, full_name: without_layer(&full_name).to_owned(), ..Object::default() },
                is_whole: base.has_main,
                files: Relied::new(),
            });
            of.is_whole &= file.as_ref().is_none_or(|file| !base.unread.contains(&file.path));
            of.files.extend(file);
            self.read_parts(id, &mut of.object)?;
        }
        if let Some(whole) = &mut whole {
            self.add_common(base, &mut whole.object)?;
            // What an extension adopted stands for what isn't there.
            let is_adopted = whole.object.properties.get("ObjectBelonging").is_some_and(|value| value == "Adopted");
            whole.is_whole &= !is_adopted;
        }
        Ok(whole)
    }

    /// The synonym of an attribute, in the language of the configuration; the first layer that gives one counts.
    pub(super) fn synonym_of(&self, table: &str, field: &str) -> Result<Option<Box<str>>> {
        let mut parts = table.splitn(3, '.');
        let (Some(kind), Some(own)) = (parts.next(), parts.next()) else { return Ok(None) };
        let section = parts.next().and_then(|rest| rest.strip_prefix("TabularSection."));
        let known = self.known(table);
        let Some(field) = known.table.as_ref().and_then(|table| table.find(field)) else { return Ok(None) };
        let plain = format!("{kind}.{own}");
        for layer in &self.base()?.layers {
            let found = self.rows(
                "SELECT a.name, h.name, a.synonym FROM attribute a JOIN names n ON n.id = a.object
                 LEFT JOIN object h ON h.id = a.holder WHERE n.key = ?1 AND a.synonym <> ''",
                [names::key(&with_layer(layer, &plain))],
                |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, String>(2)?)),
            )?;
            let is_it = |(name, holder, _): &(String, Option<String>, String)| {
                let is_there = match (holder, section) {
                    (Some(holder), Some(section)) => bsl::same_name(holder, section),
                    (None, None) => true,
                    _ => false,
                };
                is_there && (bsl::same_name(name, &field.ru) || bsl::same_name(name, &field.en))
            };
            if let Some((_, _, synonym)) = found.into_iter().find(is_it) {
                return Ok(Some(synonym.into()));
            }
        }
        Ok(None)
    }

    /// Adds what a layer says of an object. What an earlier layer says of a property holds.
    fn read_parts(&self, id: u32, object: &mut Object) -> Result<()> {
        let pair = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let properties = self.rows(
            "SELECT w.word, t.text FROM property p JOIN words w ON w.id = p.name JOIN texts t ON t.id = p.value WHERE p.owner = ?1",
            [id],
            pair,
        )?;
        if object.properties.is_empty() {
            object.properties.extend(properties);
        }
        let types = "SELECT w.word FROM type_of t JOIN words w ON w.id = t.type WHERE t.owner = ?1";
        object.types.extend(self.rows(types, [id], |row| row.get::<_, String>(0))?.into_iter().map(Text::from));
        let sections = self.rows(
            "SELECT name FROM object WHERE parent = ?1 AND kind = (SELECT id FROM words WHERE word = 'TabularSection') ORDER BY line",
            [id],
            |row| row.get::<_, String>(0),
        )?;
        for section in sections {
            if !object.sections.iter().any(|known| bsl::same_name(known, &section)) {
                object.sections.push(section.into());
            }
        }
        let mut types: FxHashMap<u32, Vec<Text>> = FxHashMap::default();
        for (attribute, name) in self.rows(
            "SELECT a.id, w.word FROM attribute a JOIN type_of t ON t.owner = a.id JOIN words w ON w.id = t.type WHERE a.object = ?1",
            [id],
            |row| Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?)),
        )? {
            types.entry(attribute).or_default().push(name.into());
        }
        let attributes = self.rows(
            "SELECT a.id, k.word, a.name, h.name FROM attribute a JOIN words k ON k.id = a.kind LEFT JOIN object h ON h.id = a.holder
             WHERE a.object = ?1 ORDER BY a.line, a.id",
            [id],
            |row| {
                let section = row.get::<_, Option<String>>(3)?;
                Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, section))
            },
        )?;
        for (id, kind, name, section) in attributes {
            let section = section.map(|name| {
                let known = object.sections.iter().find(|known| bsl::same_name(known, &name));
                known.cloned().unwrap_or_else(|| name.into())
            });
            let holder = if section.is_some() { "TabularSection" } else { &object.kind };
            let mut standard = Kind::named(holder).map(standard::of_kind).unwrap_or_default().iter();
            let is_standard = kind == "StandardAttribute";
            let name_ru = standard.find(|one| is_standard && one.name == name).map(|one| one.name_ru.into());
            let types = types.remove(&id).unwrap_or_default();
            object.attributes.push(Attribute { section, kind, name: name.into(), name_ru, types });
        }
        Ok(())
    }

    fn add_common(&self, base: &Base, object: &mut Object) -> Result<()> {
        for common in self.common()? {
            let keys = base.layers.iter().map(|layer| names::key(&with_layer(layer, &object.full_name)));
            let said = keys.filter_map(|key| common.uses.get(&key)).next().map(String::as_str);
            let kind = match said {
                Some("DontUse") => continue,
                Some("Use") => COMMON,
                _ if common.is_auto => MAYBE_COMMON,
                _ => continue,
            };
            let (name, types) = (common.name.clone(), common.types.clone());
            object.attributes.push(Attribute { kind: kind.to_owned(), name, types, ..Attribute::default() });
        }
        Ok(())
    }

    fn common(&self) -> Result<&[Common]> {
        if let Some(common) = self.common.get() {
            return Ok(common);
        }
        let found = self.rows(
            "SELECT o.id, o.name, (SELECT t.text FROM property p JOIN texts t ON t.id = p.value WHERE p.owner = o.id
                                   AND p.name = (SELECT id FROM words WHERE word = 'AutoUse'))
             FROM object o WHERE o.kind = (SELECT id FROM words WHERE word = 'CommonAttribute')",
            [],
            |row| Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?)),
        )?;
        let mut all = Vec::new();
        for (id, name, auto) in found {
            let uses = self.rows(
                "SELECT n.key, w.word FROM link l JOIN names n ON n.id = l.target LEFT JOIN words w ON w.id = l.value
                 WHERE l.owner = ?1 AND l.property = (SELECT id FROM words WHERE word = 'Content')",
                [id],
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default())),
            )?;
            let types = "SELECT w.word FROM type_of t JOIN words w ON w.id = t.type WHERE t.owner = ?1";
            let types = self.rows(types, [id], |row| row.get::<_, String>(0))?.into_iter().map(Text::from).collect();
            let is_auto = auto.as_deref() != Some("DontUse");
            all.push(Common { name: name.into(), types, is_auto, uses: uses.into_iter().collect() });
        }
        Ok(self.common.get_or_init(|| all))
    }
}
