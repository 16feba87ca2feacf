//! How two tables of the database can be joined in a query: by references, through tabular sections, registers and tables
//! that both refer to.
//!
//! Pure: [`Schema`] holds tables and the references of their fields; [`paths`] finds the ways between two of them, the
//! cheapest first; [`query`] writes the fragment of the query language.

pub mod query;
mod search;

pub use search::paths;

use rustc_hash::FxHashMap;

/// Tables of a database and the references between them.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The tables.
    pub tables: Vec<Table>,
    /// References, each from a field of a table to the table of an object.
    pub references: Vec<Reference>,
    /// By table: its references, those to it included, as places in `references`.
    at: Vec<Vec<u32>>,
    by_name: FxHashMap<String, u32>,
}

/// A table that a query can name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Canonical full name: `Catalog.X`, `Document.X.TabularSection.T`.
    pub full_name: String,
    /// Name in a query: `Справочник.X`, `Документ.X.Т`.
    pub query_name: String,
    /// What kind of table it is.
    pub kind: TableKind,
    /// Has the field `ПометкаУдаления`.
    pub deletion_mark: bool,
    /// Some role restricts which of its records are read.
    pub restricted: bool,
    /// Fields that are worth selecting: resources of a register, by their names in a query.
    pub shown: Vec<String>,
}

/// What kind of table it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// Catalog, document and the like: has the field `Ссылка`.
    #[default]
    Object,
    /// Tabular section; its field `Ссылка` is its object.
    Section,
    /// Register: the virtual table for a join by dimensions (`СрезПоследних`, `Остатки`), empty if the plain one serves,
    /// and the ending that it puts behind resources.
    Register {
        /// Its Russian name.
        virtual_table: &'static str,
        /// Ending of a resource's name in it.
        ending: &'static str,
    },
    /// Enumeration: many tables refer to one without being related by it.
    Enumeration,
}

/// A field that refers to objects of another table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The field's table.
    pub from: u32,
    /// Name of the field in a query.
    pub field: String,
    /// The table it refers to.
    pub to: u32,
    /// What the field is.
    pub kind: FieldKind,
    /// Number of the types that the field can hold.
    pub types: u32,
    /// The table it refers to is one of a whole kind, or of any reference.
    pub wide: bool,
    /// The object is entered on the basis of the other one.
    pub basis: bool,
}

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// An attribute.
    Attribute,
    /// The owner of a subordinate catalog's item.
    Owner,
    /// `Ссылка` of a tabular section: its object.
    SectionOwner,
    /// A dimension of a register.
    Dimension,
    /// A resource or an attribute of a register.
    Resource,
    /// The document that made a register's record.
    Recorder,
}

/// A step of a way between two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The reference that joins the two tables.
    pub reference: u32,
    /// True if the step goes from the field's table to what it refers to.
    pub forward: bool,
}

/// A way between two tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Where it starts.
    pub start: u32,
    /// Its steps.
    pub steps: Vec<Step>,
    /// What it costs: the lower, the more natural.
    pub cost: u32,
}

impl Schema {
    /// Adds a table.
    pub fn add(&mut self, table: Table) -> u32 {
        let number = self.tables.len() as u32;
        self.by_name.insert(bsl::fold(&table.full_name), number);
        self.tables.push(table);
        self.at.push(Vec::new());
        number
    }

    /// Adds a reference between tables that are there.
    pub fn refer(&mut self, reference: Reference) {
        let number = self.references.len() as u32;
        let ends = [reference.from, reference.to];
        if ends.iter().any(|end| *end as usize >= self.tables.len()) {
            return;
        }
        for end in if ends[0] == ends[1] { &ends[..1] } else { &ends[..] } {
            if let Some(at) = self.at.get_mut(*end as usize) {
                at.push(number);
            }
        }
        self.references.push(reference);
    }

    /// The table of a full name.
    pub fn find(&self, full_name: &str) -> Option<u32> {
        self.by_name.get(&bsl::fold(full_name)).copied()
    }

    /// A table; an empty one for a number that was not given out.
    pub fn table(&self, number: u32) -> &Table {
        static NONE: Table = Table {
            full_name: String::new(),
            query_name: String::new(),
            kind: TableKind::Object,
            deletion_mark: false,
            restricted: false,
            shown: Vec::new(),
        };
        self.tables.get(number as usize).unwrap_or(&NONE)
    }

    /// The references at a table, in both directions.
    fn at(&self, table: u32) -> impl Iterator<Item = (u32, &Reference)> {
        let numbers = self.at.get(table as usize).map_or(&[][..], Vec::as_slice);
        numbers.iter().filter_map(|&number| Some((number, self.references.get(number as usize)?)))
    }
}

impl Path {
    /// The tables along the way, both ends included.
    pub fn tables(&self, schema: &Schema) -> Vec<u32> {
        let mut tables = vec![self.start];
        for step in &self.steps {
            let Some(reference) = schema.references.get(step.reference as usize) else { continue };
            tables.push(if step.forward { reference.to } else { reference.from });
        }
        tables
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A small trade: orders and sales with goods, both of a customer; stock moved by sales; prices by goods.
    pub fn trade() -> Schema {
        let mut schema = Schema::default();
        let mut table = |full: &str, query: &str, kind: TableKind| {
            let object = kind == TableKind::Object;
            schema.add(Table {
                full_name: full.to_owned(),
                query_name: query.to_owned(),
                kind,
                deletion_mark: object,
                restricted: full == "Document.Заказ",
                shown: Vec::new(),
            })
        };
        let stock = TableKind::Register { virtual_table: "Остатки", ending: "Остаток" };
        let price = TableKind::Register { virtual_table: "СрезПоследних", ending: "" };
        let order = table("Document.Заказ", "Документ.Заказ", TableKind::Object);
        let sale = table("Document.Продажа", "Документ.Продажа", TableKind::Object);
        let goods = table("Catalog.Товары", "Справочник.Товары", TableKind::Object);
        let customer = table("Catalog.Контрагенты", "Справочник.Контрагенты", TableKind::Object);
        let rows = table("Document.Продажа.TabularSection.Товары", "Документ.Продажа.Товары", TableKind::Section);
        let stock = table("AccumulationRegister.Запасы", "РегистрНакопления.Запасы", stock);
        let prices = table("InformationRegister.Цены", "РегистрСведений.Цены", price);
        let lone = table("Catalog.Одинокий", "Справочник.Одинокий", TableKind::Object);
        assert_eq!(lone, 7);
        schema.tables[stock as usize].shown = vec!["Количество".to_owned()];
        schema.tables[prices as usize].shown = vec!["Цена".to_owned()];
        let mut refer = |from, field: &str, to, kind, types| {
            schema.refer(Reference { from, field: field.to_owned(), to, kind, types, wide: false, basis: false });
        };
        refer(order, "Контрагент", customer, FieldKind::Attribute, 1);
        refer(sale, "Контрагент", customer, FieldKind::Attribute, 1);
        refer(sale, "Основание", order, FieldKind::Attribute, 3);
        refer(rows, "Ссылка", sale, FieldKind::SectionOwner, 1);
        refer(rows, "Товар", goods, FieldKind::Attribute, 1);
        refer(stock, "Товар", goods, FieldKind::Dimension, 1);
        refer(stock, "Регистратор", sale, FieldKind::Recorder, 1);
        refer(prices, "Товар", goods, FieldKind::Dimension, 1);
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::testing::trade;
    use super::*;

    fn names(from: &str, to: &str) -> Vec<Vec<String>> {
        let schema = trade();
        let (from, to) = (schema.find(from).unwrap(), schema.find(to).unwrap());
        let own = |table: u32| schema.table(table).query_name.split_once('.').map_or("", |(_, own)| own).to_owned();
        paths(&schema, from, to, 5).iter().map(|path| path.tables(&schema).into_iter().map(own).collect()).collect()
    }

    #[test]
    fn the_natural_way_comes_first() {
        assert_eq!(names("Document.Продажа", "Document.Заказ")[0], ["Продажа", "Заказ"]);
        assert_eq!(names("Document.Продажа", "Document.Заказ")[1], ["Продажа", "Контрагенты", "Заказ"]);
        assert_eq!(names("Document.Продажа", "Catalog.Товары")[0], ["Продажа", "Продажа.Товары", "Товары"]);
        assert_eq!(names("Document.Продажа", "AccumulationRegister.Запасы")[0], ["Продажа", "Запасы"]);
        assert_eq!(names("InformationRegister.Цены", "AccumulationRegister.Запасы")[0], ["Цены", "Товары", "Запасы"]);
    }

    #[test]
    fn ways_never_go_in_circles_and_what_is_apart_has_none() {
        for way in names("Document.Заказ", "InformationRegister.Цены") {
            let mut seen = way.clone();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), way.len(), "{way:?}");
        }
        assert!(names("Catalog.Одинокий", "Catalog.Товары").is_empty());
        assert!(names("Catalog.Товары", "catalog.товары").is_empty());
    }
}
