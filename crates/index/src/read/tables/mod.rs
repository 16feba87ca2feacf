//! The tables of the indexed configuration, as queries see them: what checks and explanations of queries ask.

mod objects;

use self::objects::{Common, Whole};
use super::stamps::{Relied, Stamp, Stamps};
use super::{Index, Roots, open_read_only};
use crate::{Location, Result, names};
use bsl::catalog::{Catalog, Names, Spelling};
use graph::tables::{self, Field, Leads, Table};
use metadata::{Kind, Text};
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
/// Everything is of the state that the index had when this was made. What a file says that changed since isn't said
/// ([`Catalog::outdated`]).
pub struct Tables {
    connection: Mutex<Connection>,
    stamps: Stamps,
    /// By folded canonical name.
    known: RwLock<FxHashMap<String, Arc<Known>>>,
    objects: RwLock<FxHashMap<String, Option<Arc<Whole>>>>,
    sets: OnceLock<FxHashMap<String, Set>>,
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
    /// The files that all of this is known from.
    files: Relied,
    /// By field.
    targets: Vec<OnceLock<Option<Referred>>>,
    russian: OnceLock<Names>,
    english: OnceLock<Names>,
}

/// What a field refers to, and the files of defined types and charts of characteristics that say so.
struct Referred {
    names: Names,
    files: Relied,
}

/// A type that stands for others.
#[derive(Default)]
struct Set {
    types: Vec<Text>,
    file: Option<Arc<Stamp>>,
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
    /// The files that list the objects of the layers.
    lists: Relied,
    /// Those and the ones of common attributes: whatever lacks a field lacks it by them, too.
    common: Relied,
}

impl Index {
    /// The tables of the configuration. They read the file by themselves, so that other threads may ask them.
    ///
    /// # Errors
    /// If the file can't be opened.
    pub fn tables(&self) -> Result<Tables> {
        Tables::open_file(self.path(), self.layer_roots()?)
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

    fn open_file(path: &std::path::Path, roots: Roots) -> Result<Self> {
        let connection = open_read_only(path)?;
        connection.execute_batch("BEGIN")?;
        Ok(Self {
            connection: Mutex::new(connection),
            stamps: Stamps::new(roots),
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
            let files = base.lists.clone();
            return Ok(Known { exists: (!may_be).then_some(false), files, ..Known::default() });
        };
        let exists = tables::has_table(&whole.object, table).filter(|exists| *exists || whole.is_whole);
        let table = tables::table(&whole.object, table).filter(|_| exists != Some(false));
        let targets = table.iter().flat_map(|table| &table.fields).map(|_| OnceLock::new()).collect();
        let files = whole.files.clone();
        Ok(Known { exists, table, is_whole: whole.is_whole, files, targets, ..Known::default() })
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
        let (exists, files) = (base.has_main.then_some(true), base.lists.clone());
        Ok(Known { exists, table: Some(table), is_whole, files, targets, ..Known::default() })
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
        let files = self.rows(
            "SELECT k.word, f.path, f.size, f.modified FROM object o JOIN words k ON k.id = o.kind JOIN file f ON f.id = o.file
             WHERE k.word IN ('Configuration', 'CommonAttribute')",
            [],
            |row| Ok((row.get::<_, String>(0)? == "Configuration", stamp(row, 1)?)),
        )?;
        let lists = files.iter().filter(|(is_list, _)| *is_list).filter_map(|(_, file)| file.clone()).collect();
        let common = files.into_iter().filter_map(|(_, file)| file).collect();
        let layers = layers.into_iter().map(|(name, _)| name).collect();
        let base = Base { layers, has_main, unread, lists, common };
        Ok(self.base.get_or_init(|| base))
    }

    /// Defined types and charts of characteristic types, with the names of their types.
    fn sets(&self) -> Result<&FxHashMap<String, Set>> {
        if let Some(sets) = self.sets.get() {
            return Ok(sets);
        }
        let rows = self.rows(super::relations::TYPE_SETS, [], super::relations::type_set)?;
        let mut sets: FxHashMap<String, Set> = FxHashMap::default();
        for (set, of) in rows {
            sets.entry(set).or_default().types.push(of.into());
        }
        let files = "SELECT o.name, k.word, f.path, f.size, f.modified FROM object o JOIN words k ON k.id = o.kind
             JOIN file f ON f.id = o.file WHERE k.word IN ('DefinedType', 'ChartOfCharacteristicTypes')";
        for (name, kind, file) in
            self.rows(files, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, stamp(row, 2)?)))?
        {
            let word = if kind == "DefinedType" { "DefinedType" } else { "Characteristic" };
            if let Some(set) = sets.get_mut(&format!("{word}.{name}")) {
                set.file = file;
            }
        }
        Ok(self.sets.get_or_init(|| sets))
    }

    /// Canonical names of what types refer to; None if that isn't known, or anything.
    fn referred(&self, types: &[Text]) -> Result<Option<Referred>> {
        let sets = self.sets()?;
        let mut ahead: Vec<&Text> = types.iter().collect();
        let mut seen: Vec<&Text> = Vec::new();
        let mut targets: Vec<Box<str>> = Vec::new();
        let mut files = Relied::new();
        while let Some(one) = ahead.pop() {
            if seen.contains(&one) {
                continue;
            }
            seen.push(one);
            if let Some(inner) = sets.get(&**one) {
                ahead.extend(&inner.types);
                files.extend(inner.file.clone());
            } else if let Some((word, own)) = one.split_once('.')
                && let Some((kind, made)) = Kind::from_type(word)
                && kind.type_ending("Ref") == Some(made)
            {
                targets.push(format!("{kind}.{own}").into());
            } else if !PLAIN.contains(&&**one) {
                return Ok(None);
            }
        }
        Ok(Some(Referred { names: targets.into(), files }))
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

/// The file that stands in a row from this column on: path, size, time.
fn stamp(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<Option<Arc<Stamp>>> {
    let Some(path) = row.get::<_, Option<String>>(at)? else { return Ok(None) };
    Ok(Some(Arc::new(Stamp { path, size: super::count(row, at + 1)?, modified: row.get(at + 2)? })))
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
        let known = self.known(table);
        known.exists.filter(|_| self.stamps.are_current(&known.files))
    }

    fn has_field(&self, table: &str, field: &str) -> Option<bool> {
        let known = self.known(table);
        let has = match known.table.as_ref()?.find(field) {
            Some(field) => field.sure.then_some(true),
            None => known.is_whole.then_some(false),
        };
        let is_current = |has: &bool| {
            let common = self.base().map_or(&[][..], |base| &base.common);
            self.stamps.are_current(&known.files) && (*has || self.stamps.are_current(common))
        };
        has.filter(is_current)
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
            Leads::Section(table) => Some(Referred { names: [Box::from(&**table)].into(), files: Relied::new() }),
            Leads::Types(types) => self.referred(types).ok().flatten(),
            Leads::Unknown => None,
        });
        let is_current =
            |found: &&Referred| self.stamps.are_current(&known.files) && self.stamps.are_current(&found.files);
        found.as_ref().filter(is_current).map(|found| Arc::clone(&found.names))
    }

    fn nearest(&self, table: &str) -> Vec<String> {
        self.near(table).unwrap_or_default()
    }

    fn synonym(&self, table: &str, field: &str) -> Option<Box<str>> {
        self.synonym_of(table, field).ok().flatten()
    }

    fn outdated(&self) -> Vec<String> {
        self.stamps.outdated()
    }
}
