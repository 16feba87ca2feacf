//! What an index needs of a text in the query language: plain data that outlives the text. Numbers refer to the lists of
//! [`QueryFacts`]; `select` and `branch` are numbers of [`QueryFacts::selects`] and of its branches.

use super::model::{JoinKind, Run, Span, UnionKind};
use super::problem::Problem;

/// Everything read from one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryFacts {
    /// The batch.
    pub statements: Vec<StatementFacts>,
    /// All selects: of statements, of nested queries, of conditions. An outer one stands before its inner ones.
    pub selects: Vec<SelectFacts>,
    /// Tables wherever they are used.
    pub tables: Vec<TableUse>,
    /// Field paths wherever they stand.
    pub fields: Vec<FieldUse>,
    /// Parameters wherever they stand.
    pub parameters: Vec<ParameterUse>,
    /// Names of metadata and types in `ЗНАЧЕНИЕ`, `ТИП`, `ВЫРАЗИТЬ`, `ССЫЛКА`.
    pub names: Vec<NameUse>,
    /// Temporary tables made, extended, read and dropped, in the order of the batch.
    pub temp_tables: Vec<TempTableUse>,
    /// Templates that an access restriction calls.
    pub templates: Vec<TemplateCall>,
    /// Parts of the text are replaced before it runs; then `problems` is empty.
    pub placeholders: bool,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A statement of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementFacts {
    /// The select; `None` for `УНИЧТОЖИТЬ`.
    pub select: Option<u32>,
    /// The temporary table that it fills or drops.
    pub temp_table: Option<Box<str>>,
    /// The whole statement.
    pub span: Span,
}

/// A select with all branches of its union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectFacts {
    /// The select and branch that it is nested in.
    pub parent: Option<(u32, u32)>,
    /// The branches. The columns of the first one name the result.
    pub branches: Vec<BranchFacts>,
    /// The whole text of it.
    pub span: Span,
}

/// One `ВЫБРАТЬ`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchFacts {
    /// How it joins those before it; `None` for the first.
    pub union: Option<UnionKind>,
    /// Its tables in order: numbers in [`QueryFacts::tables`].
    pub tables: Vec<u32>,
    /// Its columns in order.
    pub columns: Vec<ColumnFacts>,
    /// From the first column to the end of the last one.
    pub select_list: Span,
    /// The whole branch.
    pub span: Span,
}

/// A column of a select list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnFacts {
    /// The name that the result's column has: the alias, else what the platform makes of the path (`Т.Владелец.Код` →
    /// `ВладелецКод`) or, for other expressions, `Поле` with a number. Empty for `*`.
    pub name: Box<str>,
    /// The alias is written.
    pub explicit: bool,
    /// What it shows.
    pub kind: ColumnKind,
    /// Field paths in the expression: numbers in [`QueryFacts::fields`].
    pub fields: Run,
    /// What its values may be.
    pub value: ValueFacts,
    /// Columns of a nested table.
    pub nested: Vec<ColumnFacts>,
    /// All of it, the alias included.
    pub span: Span,
}

/// What a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// An expression.
    Expr,
    /// All columns of all tables.
    Star,
    /// All columns of one table of [`QueryFacts::tables`].
    StarOf(u32),
    /// A nested table of [`QueryFacts::tables`].
    Nested(u32),
    /// `ПУСТАЯТАБЛИЦА.(…)`.
    EmptyTable,
}

/// What a value may be, without metadata: one of `types`, or what one of the fields holds, or more if `open`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueFacts {
    /// Types that the text names, without repetition.
    pub types: Vec<ValueType>,
    /// Fields whose value it may be: numbers in [`QueryFacts::fields`]. They belong to physical tables, or to tables that
    /// are not known; nested queries and temporary tables of the text are followed.
    pub fields: Vec<u32>,
    /// It may be something else (a parameter, an unknown function).
    pub open: bool,
}

/// A type that the text of a query names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ValueType {
    Null,
    Undefined,
    Boolean,
    Number,
    String,
    Date,
    /// A type as a value.
    Type,
    Uuid,
    /// `CatalogRef.X`, or the name of a system enumeration as written.
    Named(Box<str>),
}

/// What a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// The table of an object (`Справочник.Х`), or one that belongs to it and is no other kind.
    Physical,
    /// `Документ.Х.Товары`, also as a nested table of a column.
    TabularSection,
    /// `РегистрНакопления.Х.Остатки(…)`.
    Virtual,
    /// A name alone: a temporary table, of this batch or of another.
    Temporary,
    /// `(ВЫБРАТЬ …)`.
    Nested,
    /// `&Параметр`: a table of values, or a name that is put in its place.
    Parameter,
    /// The table that an access restriction limits.
    Current,
    /// Not known.
    Unknown,
}

/// A use of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableUse {
    /// What it is.
    pub kind: TableKind,
    /// The parts of its name as written; empty for a nested query.
    pub parts: Vec<Box<str>>,
    /// Canonical full name (`Document.X.TabularSection.Y`, `AccumulationRegister.R.Balance`); empty if it names no metadata.
    pub name: Box<str>,
    /// The name that its fields are written with: the alias, or what the platform takes for it.
    pub alias: Box<str>,
    /// The alias is written.
    pub explicit: bool,
    /// How it is joined; `None` for the first one and after a comma.
    pub join: Option<JoinKind>,
    /// It stands in braces: a report may leave it out.
    pub optional: bool,
    /// Parameters of a virtual table in order, with their English names.
    pub parameters: Vec<TableParameterFacts>,
    /// The nested query, or the query of this text that fills the temporary table.
    pub made_by: Option<u32>,
    /// Where it is used.
    pub select: u32,
    /// Where it is used.
    pub branch: u32,
    /// Table and alias.
    pub span: Span,
}

/// A parameter of a virtual table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableParameterFacts {
    /// English name (`Period`, `Condition`), if the platform has such a table.
    pub name: Option<&'static str>,
    /// Its text; empty if it is left out.
    pub span: Span,
}

/// Where in a query something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Clause {
    Select,
    From,
    TableParameter,
    Join,
    Where,
    Group,
    Having,
    Order,
    Totals,
    Index,
    /// A part in braces.
    Braces,
    /// A condition of `#Если`.
    Directive,
}

/// A path to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldUse {
    /// Its parts as written, the alias among them.
    pub parts: Vec<Box<str>>,
    /// How many of the parts name the table.
    pub table_parts: u32,
    /// The table of the branch that it belongs to; `None` if the text alone doesn't say.
    pub table: Option<u32>,
    /// The column that the first part behind the table names: select and place in its first branch. The table is then a
    /// nested query or a temporary table of this text, or it is a column of the result itself (in an order, in totals).
    pub column: Option<(u32, u32)>,
    /// Where the value comes from in the end: fields of tables of metadata. Nested queries and temporary tables of the text
    /// are followed; a union gives several.
    pub origins: Vec<Origin>,
    /// Where it stands.
    pub clause: Clause,
    /// Where it stands.
    pub select: u32,
    /// Where it stands.
    pub branch: u32,
    /// Where it stands.
    pub span: Span,
}

/// A field of a table that metadata describes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Canonical name of the table (or, after `ВЫРАЗИТЬ`, of the object).
    pub table: Box<str>,
    /// The path from there, with dots.
    pub path: Box<str>,
}

/// A use of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterUse {
    /// Its name without `&`.
    pub name: Box<str>,
    /// Where it stands.
    pub clause: Clause,
    /// Where it stands.
    pub span: Span,
}

/// What a name of metadata is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameRole {
    /// `ЗНАЧЕНИЕ(…)`
    Value,
    /// `ТИП(…)`
    Type,
    /// `ВЫРАЗИТЬ(… КАК …)`
    Cast,
    /// `… ССЫЛКА …`
    Refs,
    /// `ДЛЯ ИЗМЕНЕНИЯ …`
    ForUpdate,
}

/// A name of metadata in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// What it is for.
    pub role: NameRole,
    /// Its parts as written.
    pub parts: Vec<Box<str>>,
    /// The type (`CatalogRef.X`, `String`; of a value of a system enumeration its name as written), empty if not known.
    pub type_name: Box<str>,
    /// Canonical name of the object (`Catalog.X`), empty if there is none.
    pub object: Box<str>,
    /// The predefined item, value of the enumeration, route point; empty for an empty reference and for types.
    pub item: Box<str>,
    /// Where it stands.
    pub span: Span,
}

/// What happens to a temporary table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TempTableAction {
    /// `ПОМЕСТИТЬ`
    Made,
    /// `ДОБАВИТЬ`
    Extended,
    /// It stands after `ИЗ`.
    Read,
    /// `УНИЧТОЖИТЬ`
    Dropped,
}

/// A use of a temporary table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TempTableUse {
    /// Its name as written.
    pub name: Box<str>,
    /// What happens to it.
    pub action: TempTableAction,
    /// The query of this text that fills it; `None` if it comes from elsewhere.
    pub made_by: Option<u32>,
    /// Where.
    pub span: Span,
}

/// A call of a template of an access restriction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateCall {
    /// Its name without `#`.
    pub name: Box<str>,
    /// Arguments as written, strings without their quotes.
    pub args: Vec<Box<str>>,
    /// Where the name stands.
    pub span: Span,
}
