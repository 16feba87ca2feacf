//! How two objects can be joined in a query: the tables of the database and their references, for [`graph::relations`].

use super::{Index, Named};
use crate::{Error, Result};
use graph::relations::query::{expression, query};
use graph::relations::{FieldKind, Path, Reference, Schema, Table, TableKind, paths};
use graph::world::layers::without_layer;
use metadata::Kind;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// A way to join two objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relation {
    /// Its steps, in order.
    pub steps: Vec<RelationStep>,
    /// What it costs: the lower, the more natural; comparable within one answer.
    pub cost: u32,
    /// The query that joins them.
    pub query: String,
    /// Where only references are followed: the same without a join (`Продажа.Контрагент`); empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub expression: String,
}

/// A step of a way: a field of one table that refers to the other one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RelationStep {
    /// Table that holds the field.
    pub table: String,
    /// The field.
    pub field: String,
    /// Table that it refers to.
    pub refers_to: String,
    /// What the field is: `attribute`, `owner`, `section`, `dimension`, `resource`, `recorder`.
    pub kind: &'static str,
    /// Number of types that the field can hold.
    pub types: u32,
    /// File that describes the field, relative to the root of the dump.
    pub file: String,
    /// 1-based line of the field; of one that the table has by itself, the table's.
    pub line: u32,
}

/// Kinds of objects with the field `Ссылка`.
const OBJECTS: [&str; 8] = [
    "Catalog",
    "Document",
    "ChartOfCharacteristicTypes",
    "ChartOfAccounts",
    "ChartOfCalculationTypes",
    "BusinessProcess",
    "Task",
    "ExchangePlan",
];
/// Kinds of registers.
const REGISTERS: [&str; 4] =
    ["InformationRegister", "AccumulationRegister", "AccountingRegister", "CalculationRegister"];

impl Index {
    /// Ways to join two objects in a query, the most natural first. Tabular sections stand for themselves.
    ///
    /// # Errors
    /// [`Error::NotATable`] if one of them is no table of the database; otherwise if the index can't be read.
    pub fn relation_paths(&self, from: &Named, to: &Named, limit: usize) -> Result<Vec<Relation>> {
        let ends = [&*from.full_name, &*to.full_name];
        let schema = self.relation_schema(&ends)?;
        let table = |named: &Named| {
            schema.find(&named.full_name).ok_or_else(|| Error::NotATable { name: named.full_name.clone() })
        };
        let (a, b) = (table(from)?, table(to)?);
        let mut relations: Vec<Relation> = paths(&schema, a, b, limit).iter().map(|path| row(&schema, path)).collect();
        for step in relations.iter_mut().flat_map(|relation| &mut relation.steps) {
            (step.file, step.line) = self.place_of_field(&step.table, &step.field)?;
        }
        Ok(relations)
    }

    /// Where a field of a table is described; the table's own place if the field has none.
    fn place_of_field(&self, table: &str, field: &str) -> Result<(String, u32)> {
        let Some(table) = self.by_key(table)? else { return Ok(Default::default()) };
        let fields = self.rows(
            "SELECT n.name, a.name, f.path, a.line FROM attribute a JOIN names n ON n.id = a.id JOIN object o ON o.id = a.object
             JOIN file f ON f.id = o.file WHERE a.holder = ?1 OR (a.object = ?1 AND a.holder IS NULL)",
            [table.id],
            |row| {
                let (full_name, name) = (row.get::<_, String>(0)?, row.get::<_, String>(1)?);
                Ok((full_name, name, row.get::<_, String>(2)?, row.get::<_, Option<u32>>(3)?.unwrap_or(0)))
            },
        )?;
        let named =
            |full_name: &str, name: &str| bsl::same_name(crate::names::standard_ru(full_name).unwrap_or(name), field);
        let place = fields.into_iter().find(|(full_name, name, _, line)| *line > 0 && named(full_name, name));
        match place {
            Some((.., file, line)) => Ok((file, line)),
            None => self.definition(&table).map(|place| (place.file, place.line)),
        }
    }

    /// The tables and their references. Fields that hold any reference, or any of a kind, refer to `ends` only.
    fn relation_schema(&self, ends: &[&str]) -> Result<Schema> {
        let mut schema = Schema::default();
        self.relation_tables(&mut schema)?;
        let types = self.types_of_fields()?;
        let sets = self.type_sets()?;
        let based = self.based_on()?;
        let fields = self.rows(
            "SELECT n.name, o.name, h.name, w.word, a.name FROM attribute a JOIN names n ON n.id = a.id
             JOIN names o ON o.id = a.object LEFT JOIN names h ON h.id = a.holder JOIN words w ON w.id = a.kind",
            [],
            |row| {
                let holder = row.get::<_, Option<String>>(2)?;
                let (kind, name) = (row.get::<_, String>(3)?, row.get::<_, String>(4)?);
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, holder, kind, name))
            },
        )?;
        for (full_name, object, holder, kind, name) in fields {
            let Some(from) = schema.find(holder.as_deref().unwrap_or(&object)) else { continue };
            let Some(kind) = field_kind(&kind, &name, &schema.table(from).kind) else { continue };
            let name = crate::names::standard_ru(&full_name).map_or(name, str::to_owned);
            let Some(held) = types.get(&full_name) else { continue };
            let mut seen = FxHashSet::default();
            let (mut targets, mut wide) = (Vec::new(), Vec::new());
            for word in held {
                expand(word, &sets, ends, &mut seen, &mut targets, &mut wide);
            }
            let count = u32::try_from(targets.len().max(held.len())).unwrap_or(u32::MAX);
            let all = targets.into_iter().map(|to| (to, false)).chain(wide.into_iter().map(|to| (to, true)));
            for (to, wide) in all {
                let Some(number) = schema.find(&to) else { continue };
                let basis = based.contains(&(object.clone(), to));
                schema.refer(Reference { from, field: name.clone(), to: number, kind, types: count, wide, basis });
            }
        }
        Ok(schema)
    }

    fn relation_tables(&self, schema: &mut Schema) -> Result<()> {
        let marked: FxHashSet<String> = self
            .rows(
                "SELECT o.name FROM attribute a JOIN names o ON o.id = a.object WHERE a.name = 'DeletionMark'
                 AND a.kind = (SELECT id FROM words WHERE word = 'StandardAttribute')",
                [],
                |row| row.get(0),
            )?
            .into_iter()
            .collect();
        let restricted: FxHashSet<String> = self
            .rows(
                "SELECT DISTINCT o.name FROM restriction r JOIN names o ON o.id = r.object JOIN words w ON w.id = r.right
                 WHERE w.word = 'Read'",
                [],
                |row| row.get(0),
            )?
            .into_iter()
            .collect();
        let mut shown: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for (object, name) in self.rows(
            "SELECT o.name, a.name FROM attribute a JOIN names o ON o.id = a.object
             WHERE a.kind = (SELECT id FROM words WHERE word = 'Resource') ORDER BY a.line",
            [],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
        )? {
            shown.entry(object).or_default().push(name);
        }
        let properties = self.rows(
            "SELECT n.name, w.word, t.text FROM property p JOIN names n ON n.id = p.owner JOIN words w ON w.id = p.name
             JOIN texts t ON t.id = p.value WHERE w.word IN ('InformationRegisterPeriodicity', 'RegisterType')",
            [],
            |row| Ok((row.get::<_, String>(0)?, (row.get::<_, String>(1)?, row.get::<_, String>(2)?))),
        )?;
        let properties: FxHashMap<String, (String, String)> = properties.into_iter().collect();
        let objects = self.rows(
            "SELECT n.name, w.word, o.name, p.name FROM object o JOIN names n ON n.id = o.id JOIN words w ON w.id = o.kind
             LEFT JOIN names p ON p.id = o.parent",
            [],
            |row| {
                let (name, kind): (String, String) = (row.get(0)?, row.get(1)?);
                Ok((name, kind, row.get::<_, String>(2)?, row.get::<_, Option<String>>(3)?))
            },
        )?;
        let mut sections = Vec::new();
        for (full_name, kind, name, parent) in objects {
            let table_kind = if OBJECTS.contains(&kind.as_str()) {
                TableKind::Object
            } else if REGISTERS.contains(&kind.as_str()) {
                register(&kind, properties.get(&full_name).map(|(_, value)| value.as_str()))
            } else if kind == "Enum" {
                TableKind::Enumeration
            } else if kind == "TabularSection" {
                sections.extend(parent.map(|parent| (full_name, parent, name)));
                continue;
            } else {
                continue;
            };
            let word = Kind::named(&kind).map_or("", |kind| kind.info().query_table_ru);
            schema.add(Table {
                query_name: format!("{word}.{name}"),
                kind: table_kind,
                deletion_mark: marked.contains(&full_name),
                restricted: restricted.contains(&full_name),
                shown: shown.remove(&full_name).unwrap_or_default(),
                full_name,
            });
        }
        for (full_name, parent, name) in sections {
            let Some(owner) = schema.find(&parent) else { continue };
            let query_name = format!("{}.{name}", schema.table(owner).query_name);
            let restricted = schema.table(owner).restricted;
            let kind = TableKind::Section;
            let section = schema.add(Table { full_name, query_name, kind, restricted, ..Table::default() });
            schema.refer(Reference {
                from: section,
                field: "Ссылка".to_owned(),
                to: owner,
                kind: FieldKind::SectionOwner,
                types: 1,
                wide: false,
                basis: false,
            });
        }
        Ok(())
    }

    /// By field: the words of its types.
    fn types_of_fields(&self) -> Result<FxHashMap<String, Vec<String>>> {
        let mut types: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let rows = self.rows("SELECT attribute, type FROM attribute_types", [], |row| {
            Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?))
        })?;
        for (field, word) in rows {
            if let (Some(field), Some(word)) = (field, word) {
                types.entry(field).or_default().push(word);
            }
        }
        Ok(types)
    }

    /// Defined types and charts of characteristic types, with the words of their types.
    fn type_sets(&self) -> Result<FxHashMap<String, Vec<String>>> {
        let mut sets: FxHashMap<String, Vec<String>> = FxHashMap::default();
        for (set, word) in self.rows(TYPE_SETS, [], type_set)? {
            sets.entry(set).or_default().push(word);
        }
        Ok(sets)
    }

    /// Pairs of objects of which the first is entered on the basis of the second.
    fn based_on(&self) -> Result<FxHashSet<(String, String)>> {
        let rows = self.rows(
            "SELECT o.name, t.name FROM link l JOIN names o ON o.id = l.owner JOIN names t ON t.id = l.target
             WHERE l.property = (SELECT id FROM words WHERE word = 'BasedOn')",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        Ok(rows.into_iter().collect())
    }
}

/// Members of defined types and of charts of characteristic types.
pub(super) const TYPE_SETS: &str = "SELECT o.name, w.word, k.word FROM type_of t JOIN object d ON d.id = t.owner
    JOIN names o ON o.id = d.id JOIN words w ON w.id = t.type JOIN words k ON k.id = d.kind
    WHERE k.word IN ('DefinedType', 'ChartOfCharacteristicTypes')";

/// A row of it: the type's word of the set (`DefinedType.X`, `Characteristic.X`), the word of a member.
pub(super) fn type_set(row: &rusqlite::Row<'_>) -> rusqlite::Result<(String, String)> {
    let (name, word, kind): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let own = crate::names::last_part(&name);
    let set = if kind == "DefinedType" { format!("DefinedType.{own}") } else { format!("Characteristic.{own}") };
    Ok((set, word))
}

/// What a field is to a join; None for what refers to nothing else.
fn field_kind(kind: &str, name: &str, table: &TableKind) -> Option<FieldKind> {
    let in_register = matches!(table, TableKind::Register { .. });
    Some(match (kind, name) {
        ("StandardAttribute", "Owner") => FieldKind::Owner,
        ("StandardAttribute", "Recorder") => FieldKind::Recorder,
        ("StandardAttribute", "Account" | "AccountDr" | "AccountCr" | "CalculationType") => FieldKind::Dimension,
        ("StandardAttribute", "HeadTask" | "BusinessProcess" | "Task") => FieldKind::Attribute,
        ("StandardAttribute", _) => return None,
        ("Dimension", _) => FieldKind::Dimension,
        ("Resource", _) => FieldKind::Resource,
        ("Attribute" | "AddressingAttribute", _) if in_register => FieldKind::Resource,
        ("Attribute" | "AddressingAttribute", _) => FieldKind::Attribute,
        _ => return None,
    })
}

/// The virtual table of a register for a join by its dimensions.
fn register(kind: &str, property: Option<&str>) -> TableKind {
    let (virtual_table, ending) = match (kind, property) {
        ("InformationRegister", Some("Nonperiodical") | None) => ("", ""),
        ("InformationRegister", _) => ("СрезПоследних", ""),
        ("AccumulationRegister", Some("Turnovers")) => ("Обороты", "Оборот"),
        ("AccumulationRegister" | "AccountingRegister", _) => ("Остатки", "Остаток"),
        _ => ("", ""),
    };
    TableKind::Register { virtual_table, ending }
}

/// The objects that a type's word stands for: `targets` by name, `wide` the ends of the way where it holds any reference.
fn expand(
    word: &str,
    sets: &FxHashMap<String, Vec<String>>,
    ends: &[&str],
    seen: &mut FxHashSet<String>,
    targets: &mut Vec<String>,
    wide: &mut Vec<String>,
) {
    // Sets hold sets: each is opened once, so this ends.
    let mut ahead = vec![word.to_owned()];
    while let Some(word) = ahead.pop() {
        if !seen.insert(word.clone()) {
            continue;
        }
        if let Some(inner) = sets.get(&word) {
            ahead.extend(inner.iter().cloned());
            continue;
        }
        match metadata::names::object_of_type(&word) {
            Some((kind, Some(own))) => {
                let plain = format!("{kind}.{own}");
                // Types have no layer: what an extension adds stands under its own.
                let of_layer = ends.iter().filter(|end| end.contains("::")).find(|end| without_layer(end) == plain);
                targets.push(of_layer.filter(|_| !ends.contains(&&*plain)).map_or(plain, |end| (*end).to_owned()));
            }
            other => {
                let any = matches!(word.as_str(), "AnyRef" | "AnyIBRef");
                let of_kind = |end: &&&str| match other {
                    Some((kind, None)) => crate::names::kind_word(end) == kind.en(),
                    _ => any,
                };
                wide.extend(ends.iter().filter(of_kind).map(|end| (*end).to_owned()));
            }
        }
    }
}

fn row(schema: &Schema, path: &Path) -> Relation {
    let step = |step: &graph::relations::Step| {
        let reference = schema.references.get(step.reference as usize)?;
        Some(RelationStep {
            table: schema.table(reference.from).full_name.clone(),
            field: reference.field.clone(),
            refers_to: schema.table(reference.to).full_name.clone(),
            kind: match reference.kind {
                FieldKind::Attribute => "attribute",
                FieldKind::Owner => "owner",
                FieldKind::SectionOwner => "section",
                FieldKind::Dimension => "dimension",
                FieldKind::Resource => "resource",
                FieldKind::Recorder => "recorder",
            },
            types: reference.types,
            file: String::new(),
            line: 0,
        })
    };
    Relation {
        steps: path.steps.iter().filter_map(step).collect(),
        cost: path.cost,
        query: query(schema, path),
        expression: expression(schema, path).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_expanded_once_and_wide_ones_reach_the_ends_only() {
        let sets = FxHashMap::from_iter([
            ("DefinedType.А".to_owned(), vec!["CatalogRef.Х".to_owned(), "DefinedType.Б".to_owned()]),
            ("DefinedType.Б".to_owned(), vec!["DefinedType.А".to_owned(), "DocumentRef".to_owned()]),
        ]);
        let (mut targets, mut wide) = (Vec::new(), Vec::new());
        let ends = ["Document.З", "Catalog.Т"];
        expand("DefinedType.А", &sets, &ends, &mut FxHashSet::default(), &mut targets, &mut wide);
        assert_eq!((targets, wide), (vec!["Catalog.Х".to_owned()], vec!["Document.З".to_owned()]));
    }

    #[test]
    fn registers_have_their_virtual_tables() {
        let table = |kind, property| match register(kind, property) {
            TableKind::Register { virtual_table, ending } => (virtual_table, ending),
            _ => ("?", "?"),
        };
        assert_eq!(table("InformationRegister", Some("Day")), ("СрезПоследних", ""));
        assert_eq!(table("InformationRegister", Some("Nonperiodical")), ("", ""));
        assert_eq!(table("AccumulationRegister", Some("Balance")), ("Остатки", "Остаток"));
        assert_eq!(table("AccumulationRegister", Some("Turnovers")), ("Обороты", "Оборот"));
    }
}
