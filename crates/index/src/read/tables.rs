//! The tables of the indexed configuration, as queries see them: what checks and explanations of queries ask.

use super::{Index, open_read_only};
use crate::{Location, Result, names};
use bsl::catalog::{Catalog, Names, Spelling};
use graph::tables::{self, Attribute, COMMON, Field, Leads, MAYBE_COMMON, Object, Table};
use graph::world::layers::{with_layer, without_layer};
use metadata::{Kind, Text, standard};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// Most names that are offered for one that isn't there.
const OFFERED: usize = 3;
/// The table of all constants.
const CONSTANTS: &str = "Constants";
/// Types that nothing can follow behind a dot. Of others that refer to no object it isn't known.
const PLAIN: &[&str] = &["String", "Number", "Boolean", "Date", "UUID", "ValueStorage", "BinaryData"];

/// The tables of an indexed configuration. What was looked up is kept; several threads may ask.
///
/// Everything is of the state that the index had when this was made.
pub struct Tables {
    connection: Mutex<Connection>,
    /// By folded canonical name.
    known: RwLock<FxHashMap<String, Arc<Known>>>,
    objects: RwLock<FxHashMap<String, Option<Arc<Whole>>>>,
    sets: OnceLock<FxHashMap<String, Vec<Text>>>,
    common: OnceLock<Vec<Common>>,
    base: OnceLock<Base>,
}

/// What is known of a table.
#[derive(Default)]
struct Known {
    exists: Option<bool>,
    table: Option<Table>,
    /// Nothing hides more fields.
    is_whole: bool,
    /// By field.
    targets: Vec<OnceLock<Option<Names>>>,
    russian: OnceLock<Names>,
    english: OnceLock<Names>,
}

/// An object, and whether all of it was read.
struct Whole {
    object: Object,
    is_whole: bool,
}

/// A common attribute.
struct Common {
    name: Text,
    types: Vec<Text>,
    /// Objects that the list doesn't name have it, too, unless their kind can't.
    is_auto: bool,
    /// `Use`, `DontUse`, `Auto`, by the key of an object's name.
    uses: FxHashMap<i64, String>,
}

/// What the index as a whole knows.
#[derive(Default)]
struct Base {
    /// Names of layers; the main one has none.
    layers: Vec<String>,
    /// The configuration itself is there, not only what extends it or works in it.
    has_main: bool,
    /// Files that hold metadata and were not read.
    unread: Vec<String>,
}

impl Index {
    /// The tables of the configuration. They read the file by themselves, so that other threads may ask them.
    ///
    /// # Errors
    /// If the file can't be opened.
    pub fn tables(&self) -> Result<Tables> {
        Tables::open_file(self.path())
    }
}

impl Tables {
    /// The tables of the index at a place.
    ///
    /// # Errors
    /// As [`Index::open`].
    pub fn open(location: &Location) -> Result<Self> {
        Index::open(location)?.tables()
    }

    fn open_file(path: &std::path::Path) -> Result<Self> {
        let connection = open_read_only(path)?;
        connection.execute_batch("BEGIN")?;
        Ok(Self {
            connection: Mutex::new(connection),
            known: RwLock::default(),
            objects: RwLock::default(),
            sets: OnceLock::new(),
            common: OnceLock::new(),
            base: OnceLock::new(),
        })
    }

    /// What is known of a table; looked up once.
    fn known(&self, table: &str) -> Arc<Known> {
        let folded = bsl::fold(table);
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&folded) {
            return Arc::clone(known);
        }
        // An index that can't be read says nothing.
        let known = Arc::new(self.look_up(table).unwrap_or_default());
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(folded, Arc::clone(&known));
        known
    }

    fn look_up(&self, name: &str) -> Result<Known> {
        let base = self.base()?;
        if name == CONSTANTS {
            return self.constants(base);
        }
        let Some((kind, rest)) = name.split_once('.') else { return Ok(Known::default()) };
        let (own, table) = rest.split_once('.').unwrap_or((rest, ""));
        let Some(whole) = self.object(kind, own)? else {
            // In an external processor's index, and in an extension's alone, the configuration isn't there.
            let may_be = !base.has_main || base.unread.iter().any(|file| may_hold(file, own));
            return Ok(Known { exists: (!may_be).then_some(false), ..Known::default() });
        };
        let exists = tables::has_table(&whole.object, table).filter(|exists| *exists || whole.is_whole);
        let table = tables::table(&whole.object, table).filter(|_| exists != Some(false));
        let targets = table.iter().flat_map(|table| &table.fields).map(|_| OnceLock::new()).collect();
        Ok(Known { exists, table, is_whole: whole.is_whole, targets, ..Known::default() })
    }

    fn constants(&self, base: &Base) -> Result<Known> {
        let rows = self.rows(
            "SELECT o.name, t.word FROM object o LEFT JOIN type_of y ON y.owner = o.id LEFT JOIN words t ON t.id = y.type
             WHERE o.kind = (SELECT id FROM words WHERE word = 'Constant') ORDER BY o.id",
            [],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)),
        )?;
        let mut constants: FxHashMap<String, Vec<Text>> = FxHashMap::default();
        for (name, of) in rows {
            constants.entry(name).or_default().extend(of.map(Text::from));
        }
        let table = tables::constants(constants.into_iter().map(|(name, types)| (name.into(), types)));
        let targets = table.fields.iter().map(|_| OnceLock::new()).collect();
        let is_whole = base.has_main && base.unread.is_empty();
        Ok(Known { exists: base.has_main.then_some(true), table: Some(table), is_whole, targets, ..Known::default() })
    }

    /// An object with what all layers say of it.
    fn object(&self, kind: &str, own: &str) -> Result<Option<Arc<Whole>>> {
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
                "SELECT n.id, n.name, k.word, f.path FROM names n JOIN object o ON o.id = n.id JOIN words k ON k.id = o.kind
                 LEFT JOIN file f ON f.id = o.file WHERE n.key = ?1",
                [key],
                |row| {
                    let file = row.get::<_, Option<String>>(3)?.unwrap_or_default();
                    Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, file))
                },
            )?;
            let Some((id, full_name, kind, file)) =
                found.into_iter().find(|(_, name, _, _)| bsl::same_name(without_layer(name), plain))
            else {
                continue;
            };
            let of = whole.get_or_insert_with(|| Whole {
                object: Object { kind, full_name: without_layer(&full_name).to_owned(), ..Object::default() },
                is_whole: base.has_main,
            });
            of.is_whole &= !base.unread.contains(&file);
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

    fn base(&self) -> Result<&Base> {
        if let Some(base) = self.base.get() {
            return Ok(base);
        }
        let layers = self.rows("SELECT name, kind FROM layer ORDER BY id", [], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })?;
        let unread = self.rows(
            "SELECT DISTINCT file FROM problem WHERE kind IN ('unreadable', 'malformed', 'unexpected_root', 'unknown_kind',
             'missing_file', 'not_read_yet', 'container') AND file NOT LIKE '%.bsl' AND file NOT LIKE '%/Ext/%'",
            [],
            |row| row.get::<_, String>(0),
        )?;
        let has_main = layers.iter().any(|(_, kind)| kind == "main");
        let base = Base { layers: layers.into_iter().map(|(name, _)| name).collect(), has_main, unread };
        Ok(self.base.get_or_init(|| base))
    }

    /// Defined types and charts of characteristic types, with the names of their types.
    fn sets(&self) -> Result<&FxHashMap<String, Vec<Text>>> {
        if let Some(sets) = self.sets.get() {
            return Ok(sets);
        }
        let rows = self.rows(super::relations::TYPE_SETS, [], super::relations::type_set)?;
        let mut sets: FxHashMap<String, Vec<Text>> = FxHashMap::default();
        for (set, of) in rows {
            sets.entry(set).or_default().push(of.into());
        }
        Ok(self.sets.get_or_init(|| sets))
    }

    /// Canonical names of what types refer to; None if that isn't known, or anything.
    fn referred(&self, types: &[Text]) -> Result<Option<Names>> {
        let sets = self.sets()?;
        let mut ahead: Vec<&Text> = types.iter().collect();
        let mut seen: Vec<&Text> = Vec::new();
        let mut targets: Vec<Box<str>> = Vec::new();
        while let Some(one) = ahead.pop() {
            if seen.contains(&one) {
                continue;
            }
            seen.push(one);
            if let Some(inner) = sets.get(&**one) {
                ahead.extend(inner);
            } else if let Some((word, own)) = one.split_once('.')
                && let Some((kind, made)) = Kind::from_type(word)
                && kind.type_ending("Ref") == Some(made)
            {
                targets.push(format!("{kind}.{own}").into());
            } else if !PLAIN.contains(&&**one) {
                return Ok(None);
            }
        }
        Ok(Some(targets.into()))
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        super::rows(&self.connection.lock().unwrap_or_else(PoisonError::into_inner), sql, params, read)
    }

    /// Objects of a kind, by name.
    fn objects_of(&self, kind: &str) -> Result<Vec<String>> {
        self.rows(
            "SELECT DISTINCT name FROM object WHERE kind = (SELECT id FROM words WHERE word = ?1) AND parent IS NULL",
            [kind],
            |row| row.get(0),
        )
    }

    fn near(&self, table: &str) -> Result<Vec<String>> {
        let Some((kind, rest)) = table.split_once('.') else { return Ok(Vec::new()) };
        let (own, part) = rest.split_once('.').unwrap_or((rest, ""));
        if let Some(whole) = self.object(kind, own)? {
            // The object is there, its table isn't.
            let others = tables::others(&whole.object);
            let last = names::last_part(part);
            let near = bsl::nearest(last, others.iter().map(|other| names::last_part(other)), OFFERED);
            let is_near = |other: &&String| near.is_empty() || near.contains(&names::last_part(other));
            let full = |other: &String| format!("{}.{other}", whole.object.full_name);
            return Ok(others.iter().filter(is_near).take(OFFERED).map(full).collect());
        }
        let behind = if part.is_empty() { String::new() } else { format!(".{part}") };
        let of_kind = self.objects_of(kind)?;
        let mut found: Vec<String> = bsl::nearest(own, of_kind.iter().map(String::as_str), OFFERED)
            .into_iter()
            .map(|near| format!("{kind}.{near}{behind}"))
            .filter(|near| behind.is_empty() || self.known(near).exists == Some(true))
            .collect();
        if found.is_empty() && part.is_empty() {
            // The right name, and the wrong kind.
            let others = self.rows(
                "SELECT w.word, o.name FROM object o JOIN words w ON w.id = o.kind WHERE o.parent IS NULL",
                [],
                |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
            )?;
            let is_it = |(kind, name): &(String, String)| {
                let is_table = Kind::named(kind).is_some_and(|kind| !kind.info().query_table_ru.is_empty());
                is_table && bsl::same_name(name, own)
            };
            found.extend(others.into_iter().filter(is_it).take(OFFERED).map(|(kind, name)| format!("{kind}.{name}")));
        }
        Ok(found)
    }
}

/// Whether a file that was not read may be that of an object, or tells which there are.
fn may_hold(file: &str, own: &str) -> bool {
    let is_it = |part: &str| {
        let stem = part.strip_suffix(".xml").or_else(|| part.strip_suffix(".mdo")).unwrap_or(part);
        bsl::same_name(stem, own) || stem == "Configuration"
    };
    file.split('/').any(is_it)
}

impl Catalog for Tables {
    fn has_table(&self, table: &str) -> Option<bool> {
        self.known(table).exists
    }

    fn has_field(&self, table: &str, field: &str) -> Option<bool> {
        let known = self.known(table);
        match known.table.as_ref()?.find(field) {
            Some(field) => field.sure.then_some(true),
            None => known.is_whole.then_some(false),
        }
    }

    fn fields(&self, table: &str, spelling: Spelling) -> Names {
        let known = self.known(table);
        let (names, name): (_, fn(&Field) -> &Text) = match spelling {
            Spelling::Russian => (&known.russian, |field| &field.ru),
            Spelling::English => (&known.english, |field| &field.en),
        };
        let fields = known.table.iter().flat_map(|table| &table.fields).filter(|field| field.sure);
        Arc::clone(names.get_or_init(|| fields.map(|field| Box::from(&**name(field))).collect()))
    }

    fn targets(&self, table: &str, field: &str) -> Option<Names> {
        let known = self.known(table);
        let of = known.table.as_ref()?;
        let field = of.find(field)?;
        let number = of.fields.iter().position(|one| std::ptr::eq(one, field))?;
        let found = known.targets.get(number)?.get_or_init(|| match &field.leads {
            Leads::Section(table) => Some([Box::from(&**table)].into()),
            Leads::Types(types) => self.referred(types).ok().flatten(),
            Leads::Unknown => None,
        });
        found.clone()
    }

    fn nearest(&self, table: &str) -> Vec<String> {
        self.near(table).unwrap_or_default()
    }
}
