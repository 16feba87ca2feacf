//! The tree of a query: flat lists that refer to each other by number, names as they stand in the text.

use super::expr::{Expr, ExprId};
use super::problem::Problem;

/// Bytes of a text, and the line of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// 1-based line of the first byte.
    pub line: u32,
}

impl Span {
    /// The bytes as a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text of the span; empty if it lies outside.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }
}

/// A name with its place. The text is as written; of a parameter without `&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name<'t> {
    /// The name.
    pub text: &'t str,
    /// Where it stands.
    pub span: Span,
}

impl Name<'_> {
    /// Whether it is a name, and no part of it is replaced before the query runs (`%1`, `#Имя`).
    pub fn is_known(&self) -> bool {
        self.text.chars().all(|c| c.is_alphanumeric() || c == '_')
    }
}

/// Number of a select in [`Query::selects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SelectId(pub u32);

/// A part of one of the lists of a [`Query`]: `first .. first + count`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Run {
    /// Number of the first.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl Run {
    /// The numbers as a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What was read of a text in the query language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query<'t> {
    /// The batch.
    pub statements: Vec<Statement<'t>>,
    /// All selects: of statements, of nested queries, of conditions. An outer one stands before its inner ones.
    pub selects: Vec<Select<'t>>,
    /// All expressions. An operand stands before what uses it.
    pub exprs: Vec<Expr<'t>>,
    /// Expressions that belong to a list: arguments, parts of `ВЫБОР`.
    pub lists: Vec<ExprId>,
    /// Parts of dotted names.
    pub names: Vec<Name<'t>>,
    /// Conditions after `#Если` of an access restriction.
    pub conditions: Vec<ExprId>,
    /// Templates that an access restriction calls (`#ПоЗначениям(…)`): name without `#`, arguments.
    pub macros: Vec<(Name<'t>, Run)>,
    /// Parts of the text are replaced before it runs: what is wrong with it can't be said, and `problems` is empty.
    pub placeholders: bool,
    /// What could not be read, in the order of the text.
    pub problems: Vec<Problem>,
}

impl<'t> Query<'t> {
    /// The expression of a number.
    pub fn expr(&self, id: ExprId) -> Option<&Expr<'t>> {
        self.exprs.get(id.0 as usize)
    }

    /// The select of a number.
    pub fn select(&self, id: SelectId) -> Option<&Select<'t>> {
        self.selects.get(id.0 as usize)
    }

    /// Expressions of a list.
    pub fn list(&self, run: Run) -> &[ExprId] {
        self.lists.get(run.range()).unwrap_or(&[])
    }

    /// Parts of a dotted name.
    pub fn path(&self, run: Run) -> &[Name<'t>] {
        self.names.get(run.range()).unwrap_or(&[])
    }
}

/// A part of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statement<'t> {
    /// What it is.
    pub kind: StatementKind<'t>,
    /// The whole statement, without the semicolon.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatementKind<'t> {
    /// `ВЫБРАТЬ …`, or a part of one if the text is a fragment.
    Select(SelectId),
    /// `УНИЧТОЖИТЬ Имя`.
    Drop(Name<'t>),
    /// One of the alternatives of an access restriction.
    Restriction(SelectId),
}

/// `ВЫБРАТЬ …`, joined with others by `ОБЪЕДИНИТЬ`, with what belongs to all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Select<'t> {
    /// The select and the number of its branch that this one is nested in.
    pub parent: Option<(SelectId, u32)>,
    /// The branches of the union, at least one.
    pub branches: Vec<Branch<'t>>,
    /// `УПОРЯДОЧИТЬ ПО`: expressions; directions are not kept.
    pub order: Vec<ExprId>,
    /// `ИТОГИ`: what is summed up, and by what.
    pub totals: Vec<TotalItem<'t>>,
    /// `ИНДЕКСИРОВАТЬ ПО`.
    pub index: Vec<ExprId>,
    /// `АВТОУПОРЯДОЧИВАНИЕ`.
    pub auto_order: bool,
    /// The whole text of it.
    pub span: Span,
}

/// An item of `ИТОГИ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TotalItem<'t> {
    /// The expression.
    pub expr: ExprId,
    /// The name after `КАК`.
    pub alias: Option<Name<'t>>,
    /// It stands after `ПО`.
    pub is_group: bool,
    /// `ПЕРИОДАМИ(МЕСЯЦ, …)`: what bounds the periods.
    pub periods: Run,
}

/// How a branch is added to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnionKind {
    /// `ОБЪЕДИНИТЬ`.
    Distinct,
    /// `ОБЪЕДИНИТЬ ВСЕ`.
    All,
}

/// One `ВЫБРАТЬ`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch<'t> {
    /// How it joins those before it; `None` for the first.
    pub union: Option<UnionKind>,
    /// `РАЗРЕШЕННЫЕ`.
    pub allowed: bool,
    /// `РАЗЛИЧНЫЕ`.
    pub distinct: bool,
    /// `ПЕРВЫЕ N`.
    pub top: Option<ExprId>,
    /// The columns in order.
    pub columns: Vec<Column<'t>>,
    /// From the first column to the end of the last one: what an edit of the list replaces.
    pub select_list: Span,
    /// `ПОМЕСТИТЬ` or `ДОБАВИТЬ`.
    pub into: Option<Into<'t>>,
    /// `ИЗ`: tables in order, joined ones as well.
    pub sources: Vec<Source<'t>>,
    /// From `ИЗ` to the end of the last table and its join; empty without tables.
    pub from: Span,
    /// `ГДЕ`.
    pub condition: Option<ExprId>,
    /// `СГРУППИРОВАТЬ ПО`; with grouping sets the fields of all sets.
    pub group_by: Vec<ExprId>,
    /// `ГРУППИРУЮЩИМ НАБОРАМ`.
    pub grouping_sets: bool,
    /// `ИМЕЮЩИЕ`.
    pub having: Option<ExprId>,
    /// Tables named after `ДЛЯ ИЗМЕНЕНИЯ`.
    pub for_update: Vec<Run>,
    /// `{ВЫБРАТЬ …}`, `{ГДЕ …}` and the like.
    pub braces: Vec<BracePart<'t>>,
    /// The whole branch, from `ВЫБРАТЬ`.
    pub span: Span,
}

/// The temporary table that a query fills.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Into<'t> {
    /// Its name.
    pub name: Name<'t>,
    /// `ДОБАВИТЬ`: rows are added to a table that is there.
    pub append: bool,
}

/// A column of a select list.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'t> {
    /// What it shows.
    pub value: ColumnValue<'t>,
    /// The name given to it.
    pub alias: Option<Name<'t>>,
    /// All of it, the alias included.
    pub span: Span,
}

/// What a column shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValue<'t> {
    /// An expression.
    Expr(ExprId),
    /// `*`, `Т.*`, `Т.Товары.*`: the names before the star.
    Star(Run),
    /// `Т.Товары.(Номенклатура, …)`.
    Nested {
        /// The names before the parenthesis.
        of: Run,
        /// The columns in it.
        columns: Vec<Column<'t>>,
    },
    /// `ПУСТАЯТАБЛИЦА.(А, Б)`: the names of the columns.
    EmptyTable(Run),
}

/// A table of `ИЗ`.
#[derive(Clone, Debug, PartialEq)]
pub struct Source<'t> {
    /// The table.
    pub table: Table,
    /// The name given to it.
    pub alias: Option<Name<'t>>,
    /// How it is joined to the tables before it; `None` for the first one and after a comma.
    pub join: Option<Join>,
    /// It stands in braces: the composition of a report leaves it out if nothing of it is used.
    pub optional: bool,
    /// Table and alias.
    pub span: Span,
}

/// What a source is.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// A name, with parameters if parentheses follow.
    Named {
        /// Its parts.
        name: Run,
        /// Parameters in order, `None` if there are no parentheses.
        parameters: Option<Vec<TableParameter>>,
    },
    /// `(ВЫБРАТЬ …)`.
    Nested(SelectId),
    /// `&Параметр`: the name without `&` is the only part.
    Parameter(Run),
    /// The table that an access restriction limits.
    Current,
    /// Nothing that could be read.
    Missing,
}

/// A parameter of a virtual table: what stands between two commas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableParameter {
    /// Its expressions; several only in braces, none if it is left out.
    pub exprs: Vec<ExprId>,
    /// Its text.
    pub span: Span,
}

/// How a table is joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    /// Which rows stay.
    pub kind: JoinKind,
    /// The condition.
    pub condition: Option<ExprId>,
}

/// Kinds of joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
}

/// A part of the query in braces: it is for the composition of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct BracePart<'t> {
    /// What it is for.
    pub kind: BraceKind,
    /// Fields and conditions; a star after a field is not kept.
    pub items: Vec<(ExprId, Option<Name<'t>>)>,
    /// Of `{ХАРАКТЕРИСТИКИ …}`: kinds and values as selects whose columns are the fields named.
    pub characteristics: Vec<SelectId>,
    /// From brace to brace.
    pub span: Span,
}

/// Kinds of parts in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BraceKind {
    Select,
    Where,
    Group,
    Having,
    Order,
    Totals,
    Characteristics,
    /// Something else.
    Other,
}
