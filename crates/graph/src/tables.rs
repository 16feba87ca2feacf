//! The tables that queries name, made of an object of metadata: which there are, and their fields.
//!
//! Pure: [`Object`] is what metadata says of an object, [`table`] makes one of its tables. What the platform adds beside attributes
//! is data (`query_fields.tsv`).

use metadata::standard;
use metadata::{Kind, Text};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

use crate::types::lines;

/// An object, as far as its tables are made of it. Of the layers of a project: all that they say together.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Kind (`Catalog`).
    pub kind: String,
    /// Canonical full name.
    pub full_name: String,
    /// Properties by name.
    pub properties: FxHashMap<String, String>,
    /// Types of its value: of a constant.
    pub types: Vec<Text>,
    /// Attributes, those of its tabular sections among them.
    pub attributes: Vec<Attribute>,
    /// Names of its tabular sections.
    pub sections: Vec<Text>,
}

/// An attribute, dimension, resource …
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    /// The tabular section that it belongs to.
    pub section: Option<Text>,
    /// Kind (`Attribute`); [`COMMON`] and [`MAYBE_COMMON`] for common attributes.
    pub kind: String,
    /// Its name; of a standard attribute the English one.
    pub name: Text,
    /// The Russian name of a standard attribute.
    pub name_ru: Option<Text>,
    /// Names of its types.
    pub types: Vec<Text>,
}

/// Kind of a common attribute that an object has.
pub const COMMON: &str = "CommonAttribute";
/// Kind of a common attribute that an object may have.
pub const MAYBE_COMMON: &str = "MaybeCommonAttribute";

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its fields.
    pub fields: Vec<Field>,
    by_name: FxHashMap<String, u32>,
}

/// A field of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// English name.
    pub en: Text,
    /// Russian name; the same for what a configuration names.
    pub ru: Text,
    /// What may follow behind a dot.
    pub leads: Leads,
    /// The table certainly has it. If not, it depends on what isn't known here.
    pub sure: bool,
}

/// What may follow behind a field and a dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// Fields of what these types refer to.
    Types(Vec<Text>),
    /// Fields of this table: the field is a tabular section.
    Section(Text),
    /// Not known.
    Unknown,
}

/// A row of `query_fields.tsv`.
struct Row {
    kinds: Vec<&'static str>,
    tables: Vec<&'static str>,
    from: &'static str,
    en: &'static str,
    ru: &'static str,
    leads: &'static str,
    sure: bool,
    when: &'static str,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let row = |line: &'static str| match line.split('\t').collect::<Vec<_>>()[..] {
        [kinds, tables, from, en, ru, leads, sure, when] => Some(Row {
            kinds: kinds.split(',').collect(),
            tables: tables.split([',', '|']).collect(),
            from,
            en,
            ru,
            leads,
            sure: sure == "yes",
            when,
        }),
        _ => None,
    };
    lines(include_str!("../data/query_fields.tsv")).filter_map(row).collect()
});

/// The object's own table, where a row names one.
const OWN: &str = "-";

/// The rows of a table of an object, whose conditions hold.
fn rows<'o>(object: &'o Object, table: &'o str) -> impl Iterator<Item = &'static Row> + 'o {
    let property = move |name: &str| object.properties.get(name).map(String::as_str);
    let is_row = move |row: &&Row| {
        row.kinds.contains(&&*object.kind) && row.tables.iter().any(|name| bsl::same_name(name, table))
    };
    ROWS.iter().filter(is_row).filter(move |row| standard::holds(row.when, &property, &|_| false))
}

/// Whether an object has a table; `table` is what stands behind the object's name (empty for its own one). None: it isn't known.
pub fn has_table(object: &Object, table: &str) -> Option<bool> {
    if table.is_empty() {
        return Some(true);
    }
    let may_be = ROWS.iter().any(|row| {
        let names = || row.tables.iter().any(|name| bsl::same_name(name, table));
        row.from == "Exists" && row.kinds.contains(&&*object.kind) && names()
    });
    if may_be {
        return Some(rows(object, table).any(|row| row.from == "Exists"));
    }
    // What is none has no line of its own: `Изменения`, a table of a kind that isn't described.
    let section = table.strip_prefix("TabularSection.");
    section.map(|section| object.sections.iter().any(|one| bsl::same_name(one, section)))
}

/// The other tables of an object that certainly exist, as they stand behind its name.
pub fn others(object: &Object) -> Vec<String> {
    let sections = object.sections.iter().map(|section| format!("TabularSection.{section}"));
    let mut all: Vec<String> = sections.collect();
    for row in ROWS.iter().filter(|row| row.from == "Exists" && row.kinds.contains(&&*object.kind)) {
        all.extend(
            row.tables.first().filter(|table| has_table(object, table) == Some(true)).map(|table| (*table).to_owned()),
        );
    }
    all
}

/// A table of an object; None if its fields aren't known.
pub fn table(object: &Object, table: &str) -> Option<Table> {
    let mut made = Table::default();
    if let Some(section) = table.strip_prefix("TabularSection.") {
        let section = object.sections.iter().find(|one| bsl::same_name(one, section))?;
        made.add("Ref", "Ссылка", Leads::Types(reference(object).into_iter().collect()), true);
        for one in object.attributes.iter().filter(|one| one.section.as_ref() == Some(section)) {
            made.attribute(one, "*", "*", one.leads(), true);
        }
        return Some(made);
    }
    let name = if table.is_empty() { OWN } else { table };
    let mut is_described = false;
    for row in rows(object, name).filter(|row| row.from != "Exists") {
        is_described = true;
        match row.from {
            "-" => made.add(row.en, row.ru, row.leads_of(object), row.sure),
            "All" => {
                for field in self::table(object, "")?.fields {
                    made.add(&field.en, &field.ru, field.leads, field.sure && row.sure);
                }
            }
            kind => {
                for one in object.attributes.iter().filter(|one| one.section.is_none() && one.kind == kind) {
                    let leads = match row.leads {
                        "attribute" => one.leads(),
                        _ => row.leads_of(object),
                    };
                    made.attribute(one, row.en, row.ru, leads, row.sure);
                }
            }
        }
    }
    if !is_described {
        return None;
    }
    for one in object.attributes.iter().filter(|one| one.section.is_none()) {
        if one.kind == COMMON || one.kind == MAYBE_COMMON {
            // What divides data is no field of every virtual table.
            made.attribute(one, "*", "*", one.leads(), one.kind == COMMON && table.is_empty());
        }
    }
    if table.is_empty() {
        for section in &object.sections {
            let target = format!("{}.TabularSection.{section}", object.full_name);
            made.add(section, section, Leads::Section(target.into()), true);
        }
        // What the kind may have: whether this object does is told by properties that a dump may leave out.
        for row in Kind::named(&object.kind).map(standard::of_kind).unwrap_or_default() {
            made.add(row.name, row.name_ru, Leads::Unknown, false);
        }
    }
    Some(made)
}

/// The table of all constants.
pub fn constants(constants: impl IntoIterator<Item = (Text, Vec<Text>)>) -> Table {
    let mut made = Table::default();
    for (name, types) in constants {
        made.add(&name, &name, Leads::Types(types), true);
    }
    made
}

impl Row {
    fn leads_of(&self, object: &Object) -> Leads {
        match self.leads {
            "none" => Leads::Types(Vec::new()),
            "own" => Leads::Types(object.types.clone()),
            named => {
                let name = named.strip_prefix('=');
                let is_it = |one: &&Attribute| one.kind == "StandardAttribute" && Some(&*one.name) == name;
                object.attributes.iter().find(is_it).map_or(Leads::Unknown, Attribute::leads)
            }
        }
    }
}

impl Attribute {
    fn leads(&self) -> Leads {
        // Every attribute has a type: none was read.
        if self.types.is_empty() { Leads::Unknown } else { Leads::Types(self.types.clone()) }
    }
}

/// The reference type of an object.
fn reference(object: &Object) -> Option<Text> {
    let own = object.full_name.split_once('.')?.1;
    Some(format!("{}.{own}", Kind::named(&object.kind)?.type_ending("Ref")?).into())
}

impl Table {
    /// A field by its name in any language, any case.
    pub fn find(&self, name: &str) -> Option<&Field> {
        let folded = bsl::fold(name);
        if let Some(&number) = self.by_name.get(&folded) {
            return self.fields.get(number as usize);
        }
        // `Субконто1`: the line says `Субконто#`.
        let stem = folded.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = self.by_name.get(&format!("{stem}#")).filter(|_| stem.len() < folded.len())?;
        self.fields.get(*number as usize)
    }

    fn attribute(&mut self, one: &Attribute, en: &str, ru: &str, leads: Leads, sure: bool) {
        let name_ru = one.name_ru.as_deref().unwrap_or(&one.name);
        self.add(&en.replace('*', &one.name), &ru.replace('*', name_ru), leads, sure);
    }

    /// Adds a field. One that is there already is known better.
    fn add(&mut self, en: &str, ru: &str, leads: Leads, sure: bool) {
        let number = self.fields.len() as u32;
        let names = [bsl::fold(en), bsl::fold(ru)];
        if let Some(&known) = names.iter().find_map(|name| self.by_name.get(name)) {
            if let Some(known) = self.fields.get_mut(known as usize)
                && let (true, Leads::Types(mine), Leads::Types(more)) = (sure, &mut known.leads, leads)
            {
                // An extension may give an attribute more types.
                for one in more {
                    if !mine.contains(&one) {
                        mine.push(one);
                    }
                }
            }
            return;
        }
        for name in names {
            self.by_name.insert(name, number);
        }
        self.fields.push(Field { en: en.into(), ru: ru.into(), leads, sure });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(kind: &str, name: &str, types: &[&str]) -> Attribute {
        let types = types.iter().map(|one| (*one).into()).collect();
        Attribute { kind: kind.into(), name: name.into(), types, ..Attribute::default() }
    }

    fn register(kind: &str, properties: &[(&str, &str)]) -> Object {
        Object {
            kind: kind.into(),
            full_name: format!("{kind}.Р"),
            properties: properties.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            attributes: vec![
                attribute("Dimension", "Товар", &["CatalogRef.Товары"]),
                attribute("Resource", "Сумма", &["Number"]),
                attribute("Attribute", "Причина", &["String"]),
                Attribute {
                    name_ru: Some("Регистратор".into()),
                    ..attribute("StandardAttribute", "Recorder", &["DocumentRef.Д"])
                },
            ],
            ..Object::default()
        }
    }

    fn has(object: &Object, name: &str, field: &str) -> Option<bool> {
        table(object, name)?.find(field).map(|field| field.sure)
    }

    #[test]
    fn every_row_is_read_and_names_kinds() {
        let count = lines(include_str!("../data/query_fields.tsv")).count();
        assert_eq!((ROWS.len(), ROWS.len() > 100), (count, true));
        for row in ROWS.iter() {
            assert!(row.kinds.iter().all(|kind| Kind::named(kind).is_some()), "{:?}", row.kinds);
            let is_known = row.leads.starts_with('=') || ["", "attribute", "own", "none", "?"].contains(&row.leads);
            assert!(is_known, "{}", row.leads);
            let is_kind = ["-", "All", "Exists"].contains(&row.from) || Kind::named(row.from).is_some();
            assert!(is_kind, "{}", row.from);
        }
    }

    #[test]
    fn tables_of_an_accumulation_register() {
        let balances = register("AccumulationRegister", &[("RegisterType", "Balances")]);
        assert_eq!(has(&balances, "Balance", "суммаОстаток"), Some(true));
        assert_eq!(has(&balances, "Balance", "СуммаBalance"), Some(true));
        assert_eq!(has(&balances, "Balance", "Сумма"), None);
        assert_eq!(has(&balances, "Balance", "Причина"), None);
        assert_eq!(has(&balances, "Turnovers", "СуммаПриход"), Some(true));
        assert_eq!(has(&balances, "", "Причина"), Some(true));
        assert_eq!(has_table(&balances, "BalanceAndTurnovers"), Some(true));
        let turnovers = register("AccumulationRegister", &[("RegisterType", "Turnovers")]);
        assert_eq!(has(&turnovers, "Turnovers", "СуммаПриход"), None);
        assert_eq!(has(&turnovers, "Turnovers", "СуммаОборот"), Some(true));
        assert_eq!((has_table(&turnovers, "Balance"), has_table(&turnovers, "Changes")), (Some(false), None));
        let recorder = table(&turnovers, "Turnovers").and_then(|table| table.find("Регистратор").cloned());
        assert_eq!(recorder.map(|field| field.leads), Some(Leads::Types(vec!["DocumentRef.Д".into()])));
    }

    #[test]
    fn what_depends_on_more_is_neither_wrong_nor_offered() {
        let accounting = register("AccountingRegister", &[("Correspondence", "true")]);
        assert_eq!(has(&accounting, "", "СуммаДт"), Some(false));
        assert_eq!(has(&accounting, "Balance", "Субконто3"), Some(false));
        assert_eq!(has(&accounting, "Balance", "Субконто"), None);
        assert_eq!(has(&accounting, "Balance", "СуммаРазвернутыйОстатокДт"), Some(true));
        assert!(table(&register("CalculationRegister", &[]), "ScheduleData").is_none());
    }

    #[test]
    fn sections_are_fields_and_tables() {
        let document = Object {
            kind: "Document".into(),
            full_name: "Document.Д".into(),
            attributes: vec![
                Attribute { section: Some("Товары".into()), ..attribute("Attribute", "Цена", &["Number"]) },
                attribute(COMMON, "Область", &["Number"]),
            ],
            sections: vec!["Товары".into()],
            ..Object::default()
        };
        let own = table(&document, "").expect("a table");
        let section = own.find("товары").map(|field| field.leads.clone());
        assert_eq!(section, Some(Leads::Section("Document.Д.TabularSection.Товары".into())));
        assert!(own.find("Цена").is_none() && own.find("Область").is_some_and(|field| field.sure));
        let rows = table(&document, "TabularSection.товары").expect("a table");
        assert_eq!(
            rows.find("Ссылка").map(|field| field.leads.clone()),
            Some(Leads::Types(vec!["DocumentRef.Д".into()]))
        );
        assert!(rows.find("Цена").is_some());
        assert_eq!(has_table(&document, "TabularSection.Услуги"), Some(false));
    }
}
