//! Which table a name belongs to.

use rustc_hash::FxHashMap;

use super::facts::{FieldUse, Origin, QueryFacts, TableKind, ValueType};
use super::tables;
use crate::fold;

/// More tables of one branch are not searched for a field without its table's name.
const MAX_TABLES: usize = 16;
/// Most origins of one field: a union of many branches gives no more.
const MAX_ORIGINS: usize = 16;
/// Longest path of an origin in bytes: chains of temporary tables make it longer and longer.
const MAX_PATH: usize = 400;
/// How often `*` of a table made of `*` of a table … is followed.
const MAX_STARS: usize = 8;

/// The tables that a branch's names may belong to.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Numbers of tables, in order.
    pub tables: Vec<u32>,
    /// By alias, folded; also by the first two parts of the full name (`справочник.валюты`).
    by_alias: FxHashMap<String, u32>,
}

impl Scope {
    /// Adds a table. Of several with one name the first is meant.
    pub fn add(&mut self, number: u32, facts: &QueryFacts) {
        self.tables.push(number);
        let Some(table) = facts.tables.get(number as usize) else { return };
        if !table.alias.is_empty() {
            self.by_alias.entry(fold(&table.alias)).or_insert(number);
        }
        if !table.explicit
            && let Some(last) = table.parts.last()
        {
            self.by_alias.entry(fold(last)).or_insert(number);
        }
        if table.kind == TableKind::Current {
            // The restricted table has this name beside the one that the text gives it.
            for name in ["текущаятаблица", "currenttable"] {
                self.by_alias.entry(name.to_owned()).or_insert(number);
            }
        }
        if table.kind != TableKind::Temporary
            && let [kind, name, ..] = &table.parts[..]
        {
            self.by_alias.entry(fold(&format!("{kind}.{name}"))).or_insert(number);
        }
    }

    /// The table of an alias, folded.
    pub fn by_alias(&self, folded: &str) -> Option<u32> {
        self.by_alias.get(folded).copied()
    }
}

/// The columns of a select whose parts were read, by name.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    columns: FxHashMap<String, u32>,
    /// Tables whose columns all belong to the result.
    stars: Vec<u32>,
    /// Origins of each column, of all branches.
    origins: Vec<Vec<Origin>>,
    /// Objects that the text itself says a column refers to (`ВЫРАЗИТЬ(… КАК Справочник.Х)`), of all branches.
    typed: Vec<Vec<Box<str>>>,
}

/// What a name is in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lookup {
    /// A column of a select.
    Column(u32, u32),
    /// A field of this table: its columns are not known.
    Field(u32),
    /// All columns are known, and none is called so.
    Absent,
}

/// What the text says of tables so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Of each select that was read.
    shapes: FxHashMap<u32, Shape>,
    /// Scopes, innermost last.
    pub scopes: Vec<Scope>,
    /// Parts of the text are not known: there may be more tables and columns than one sees.
    uncertain: bool,
}

impl Names {
    /// No names yet. `uncertain`: parts of the text are not known.
    pub fn new(uncertain: bool) -> Self {
        Self { uncertain, ..Self::default() }
    }

    /// Notes the columns of a select; its fields are resolved by now.
    pub fn close_select(&mut self, select: u32, facts: &QueryFacts) {
        let Some(read) = facts.selects.get(select as usize) else { return };
        let mut shape = Shape::default();
        let Some(first) = read.branches.first() else { return };
        for (place, column) in (0_u32..).zip(&first.columns) {
            if !column.name.is_empty() {
                shape.columns.entry(fold(&column.name)).or_insert(place);
            }
            match column.kind {
                super::facts::ColumnKind::Star => shape.stars.extend(first.tables.iter().take(MAX_TABLES)),
                super::facts::ColumnKind::StarOf(table) => shape.stars.push(table),
                _ => {}
            }
            shape.origins.push(Vec::new());
            shape.typed.push(Vec::new());
        }
        for branch in &read.branches {
            for (place, column) in branch.columns.iter().enumerate() {
                let Some(origins) = shape.origins.get_mut(place) else { break };
                let typed = column.value.types.iter().filter_map(referred);
                if let Some(known) = shape.typed.get_mut(place) {
                    for object in typed {
                        if !known.contains(&object) {
                            known.push(object);
                        }
                    }
                }
                for &field in &column.value.fields {
                    let Some(field) = facts.fields.get(field as usize) else { continue };
                    for origin in &field.origins {
                        if origins.len() < MAX_ORIGINS && !origins.contains(origin) {
                            origins.push(origin.clone());
                        }
                    }
                }
            }
        }
        self.shapes.insert(select, shape);
    }

    /// What a name is in a table.
    fn look(&self, table: u32, folded: &str, facts: &QueryFacts) -> Lookup {
        let mut table = table;
        for _ in 0..MAX_STARS {
            let Some(read) = facts.tables.get(table as usize) else { return Lookup::Field(table) };
            let shape = read.made_by.and_then(|select| Some((select, self.shapes.get(&select)?)));
            let Some((select, shape)) = shape else { return Lookup::Field(table) };
            if let Some(&column) = shape.columns.get(folded) {
                return Lookup::Column(select, column);
            }
            match shape.stars[..] {
                [] if self.uncertain => return Lookup::Field(table),
                [] => return Lookup::Absent,
                [only] => table = only,
                // One of several tables: which, only metadata says.
                _ => return Lookup::Field(table),
            }
        }
        Lookup::Field(table)
    }

    /// The only table of a scope that may have a field.
    fn find(&self, scope: &Scope, folded: &str, facts: &QueryFacts) -> Option<u32> {
        let tables = &scope.tables;
        if let [only] = tables[..] {
            return (self.look(only, folded, facts) != Lookup::Absent).then_some(only);
        }
        if tables.len() > MAX_TABLES {
            return None;
        }
        let mut known = Vec::new();
        let mut open = Vec::new();
        for &table in tables {
            match self.look(table, folded, facts) {
                Lookup::Column(..) => known.push(table),
                Lookup::Field(_) => open.push(table),
                Lookup::Absent => {}
            }
        }
        match (&known[..], &open[..]) {
            ([only], _) | ([], [only]) => Some(*only),
            _ => None,
        }
    }

    /// The table of a path and how many parts name it.
    fn table_of(&self, field: &FieldUse, facts: &QueryFacts) -> (Option<u32>, u32) {
        let Some(first) = field.parts.first() else { return (None, 0) };
        let folded = fold(first);
        if field.parts.len() > 1 {
            let full = field.parts.len() > 2 && tables::kind_of(first).is_some();
            let full = full.then(|| fold(&format!("{first}.{}", field.parts.get(1).map_or("", |part| part))));
            for scope in self.scopes.iter().rev() {
                if let Some(&table) = scope.by_alias.get(&folded) {
                    return (Some(table), 1);
                }
                if let Some(&table) = full.as_ref().and_then(|full| scope.by_alias.get(full)) {
                    return (Some(table), 2);
                }
            }
        }
        // `Т` of `Т.Код` may be a table that is not seen.
        if self.uncertain && field.parts.len() > 1 {
            return (None, 0);
        }
        for scope in self.scopes.iter().rev().filter(|scope| !scope.tables.is_empty()) {
            if let Some(table) = self.find(scope, &folded, facts) {
                return (Some(table), 0);
            }
            // Several tables may have it: no table around them is meant.
            if scope.tables.len() > 1 {
                break;
            }
        }
        (None, 0)
    }

    /// Fills in what a path belongs to. `columns_of`: a select whose own columns may be meant (in an order, in totals).
    pub fn resolve(&self, field: &mut FieldUse, columns_of: Option<u32>, facts: &QueryFacts) {
        let Some(first) = field.parts.first() else { return };
        if let Some(select) = columns_of
            && let Some(&column) = self.shapes.get(&select).and_then(|shape| shape.columns.get(&fold(first)))
        {
            field.column = Some((select, column));
            field.origins = self.origins(select, column, field.parts.get(1..).unwrap_or(&[]));
            return;
        }
        (field.table, field.table_parts) = self.table_of(field, facts);
        let Some(table) = field.table else { return };
        let rest = field.parts.get(field.table_parts as usize..).unwrap_or(&[]);
        let Some(first) = rest.first() else { return };
        match self.look(table, &fold(first), facts) {
            Lookup::Column(select, column) => {
                field.column = Some((select, column));
                field.origins = self.origins(select, column, rest.get(1..).unwrap_or(&[]));
            }
            Lookup::Field(end) => {
                let owner = facts.tables.get(end as usize);
                if let Some(owner) = owner.filter(|owner| !owner.name.is_empty() && is_known(rest)) {
                    let path = rest.join(".");
                    let fits = path.len() <= MAX_PATH;
                    field.origins.extend(fits.then(|| Origin { table: owner.name.clone(), path: path.into() }));
                }
            }
            Lookup::Absent => {}
        }
    }

    fn origins(&self, select: u32, column: u32, rest: &[Box<str>]) -> Vec<Origin> {
        let Some(shape) = self.shapes.get(&select) else { return Vec::new() };
        let Some(known) = shape.origins.get(column as usize) else { return Vec::new() };
        if rest.is_empty() {
            return known.clone();
        }
        let typed = shape.typed.get(column as usize).map_or(&[][..], Vec::as_slice);
        let rest = rest.join(".");
        let fits = known.iter().filter(|origin| origin.path.len() + rest.len() < MAX_PATH);
        let longer =
            |origin: &Origin| Origin { table: origin.table.clone(), path: format!("{}.{rest}", origin.path).into() };
        let of_type = |object: &str| Origin { table: object.into(), path: rest.as_str().into() };
        fits.map(longer).chain(typed.iter().map(|object| of_type(object))).take(MAX_ORIGINS).collect()
    }
}

/// The object of a reference's type: `CatalogRef.X` → `Catalog.X`.
fn referred(known: &ValueType) -> Option<Box<str>> {
    let ValueType::Named(name) = known else { return None };
    let (kind, own) = name.split_once('.')?;
    let kind = kind.strip_suffix("Ref")?;
    (!kind.ends_with("RoutePoint")).then(|| format!("{kind}.{own}").into())
}

/// Whether no part is replaced before the query runs.
pub(crate) fn is_known(parts: &[Box<str>]) -> bool {
    parts.iter().all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// The name that a table has without an alias: `Справочник.Валюты` → `Валюты`, `РегистрСведений.К.СрезПоследних` →
/// `КСрезПоследних`.
pub(crate) fn implied_alias(kind: TableKind, parts: &[&str]) -> String {
    match (kind, parts) {
        (TableKind::Physical | TableKind::TabularSection | TableKind::Virtual, [_, rest @ ..]) if !rest.is_empty() => {
            rest.concat()
        }
        _ => parts.last().map_or(String::new(), |&last| last.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::query::{TextKind, read};

    /// Origins of the last field of a query.
    fn origins(text: &str) -> Vec<String> {
        let facts = read(text, TextKind::Query);
        let last = facts.fields.last().map_or(&[][..], |field| &field.origins);
        last.iter().map(|origin| format!("{} {}", origin.table, origin.path)).collect()
    }

    #[test]
    fn a_column_is_what_its_cast_says() {
        let text = "ВЫБРАТЬ ВЫРАЗИТЬ(Т.В КАК Справочник.Х) КАК П ПОМЕСТИТЬ ВТ ИЗ РегистрСведений.Р КАК Т;
            ВЫБРАТЬ ВТ.П КАК П2 ПОМЕСТИТЬ ВТ2 ИЗ ВТ КАК ВТ; ВЫБРАТЬ Т2.П2.Код ИЗ ВТ2 КАК Т2";
        assert_eq!(origins(text), ["Catalog.Х Код"]);
        assert_eq!(origins(&text.replace("П2.Код", "П2")), [""; 0]);
        let english = "SELECT CAST(T.A AS Document.D) AS P INTO TT FROM Catalog.X AS T; SELECT TT.P.Date FROM TT";
        assert_eq!(origins(english), ["Document.D Date"]);
    }

    #[test]
    fn a_word_behind_an_unknown_part_is_a_word() {
        let text = "\u{FFFC}ВЫБРАТЬ Т.Код ИЗ Справочник.Х КАК Т";
        assert_eq!(origins(text), ["Catalog.Х Код"]);
        assert_eq!(origins("ВЫБРАТЬ Т.А ИЗ \u{FFFC}Имя КАК Т"), [""; 0]);
    }
}
