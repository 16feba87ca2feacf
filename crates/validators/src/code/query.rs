//! What is wrong with a query: how it reads, and against the configuration the tables, fields, values and types that it names.

use bsl::Catalog;
use bsl::query::{FieldUse, NameRole, NameUse, ProblemKind, QueryFacts, Span, TableUse, virtual_tables_instead};
use graph::World;
use metadata::Kind;

use super::report::{Findings, Said};
use super::subject::Subject;
use super::words::unknown;
use crate::Text;
use crate::dcs::paths::{Verdict, verdict_on};
use crate::dcs::subject::columns_of;
use crate::dcs::words as said;

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryFaultKind {
    /// The text can't be read.
    Syntax,
    /// There is no such table.
    Table,
    /// There is no such field.
    Field,
    /// There is no such value, or type.
    Value,
}

/// Something wrong with a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryFault {
    /// What kind.
    pub kind: QueryFaultKind,
    /// Where in the text.
    pub span: Span,
    /// The name that is wrong, as written; empty where no name is.
    pub name: String,
    /// What is wrong.
    pub what: Text,
    /// How to mend it.
    pub mend: Text,
    /// The nearest names that are right, best first.
    pub nearest: Vec<String>,
}

/// What is wrong with a query, in the order of the kinds; without `world` and `catalog` only how it reads. In a text of which parts are
/// replaced before it runs nothing counts as wrong but slips of the names of tables.
pub fn query_faults(facts: &QueryFacts, world: Option<&World>, catalog: Option<&dyn Catalog>) -> Vec<QueryFault> {
    let mut faults: Vec<QueryFault> = facts.problems.iter().map(syntax).collect();
    if !faults.is_empty() {
        return faults;
    }
    if facts.placeholders {
        let slips = world.zip(catalog).map(|(world, catalog)| slips(facts, world, catalog));
        return slips.into_iter().flatten().collect();
    }
    if let Some(catalog) = catalog {
        faults.extend(tables(facts, catalog));
        faults.extend(facts.fields.iter().filter_map(|field| wrong_field(facts, catalog, field)));
    }
    if let Some(world) = world {
        faults.extend(facts.names.iter().filter_map(|name| wrong_value(world, name)));
    }
    faults
}

fn syntax(problem: &bsl::query::Problem) -> QueryFault {
    let (line, column, why) = (problem.span.line, problem.column, problem.kind);
    QueryFault {
        kind: QueryFaultKind::Syntax,
        span: problem.span,
        name: String::new(),
        what: Text::new(
            format!("Запрос не читается, строка {line}, позиция {column}: {}", in_russian(why)),
            format!("The query can't be read, line {line}, column {column}: {why}"),
        ),
        mend: Text::new("Исправьте текст запроса в этом месте", "Correct the query at this place"),
        nearest: Vec::new(),
    }
}

/// What the reader of queries says, in Russian.
pub(crate) fn in_russian(kind: ProblemKind) -> String {
    match kind {
        ProblemKind::Expected(what) => format!("ожидается {what}"),
        ProblemKind::Unexpected => "здесь это стоять не может".to_owned(),
        ProblemKind::OpenString => "у строки нет закрывающей кавычки".to_owned(),
        ProblemKind::JoinWithoutCondition => "у соединения нет условия".to_owned(),
        ProblemKind::TooDeep => "слишком глубокая вложенность".to_owned(),
    }
}

fn tables<'f>(facts: &'f QueryFacts, catalog: &'f dyn Catalog) -> impl Iterator<Item = QueryFault> + 'f {
    let absent = |table: &&TableUse| {
        !table.name.is_empty() && table.made_by.is_none() && catalog.has_table(&table.name) == Some(false)
    };
    facts.tables.iter().filter_map(move |table| {
        let nearest = match virtual_tables_instead(&table.parts) {
            Some(names) => said::names_near(table, &names),
            None => absent(&table).then(|| said::near_tables(catalog, table))?,
        };
        let name = table.parts.join(".");
        Some(QueryFault {
            kind: QueryFaultKind::Table,
            span: table.span,
            what: Text::new(format!("Таблицы «{name}» нет"), format!("There is no table “{name}”")),
            mend: said::nearest_names(&nearest),
            name,
            nearest,
        })
    })
}

/// Tables of a text that is replaced in parts. A name in it may be such a part, so only one counts that nothing in the configuration bears
/// and that comes near to an object of its kind.
fn slips<'f>(
    facts: &'f QueryFacts,
    world: &'f World,
    catalog: &'f dyn Catalog,
) -> impl Iterator<Item = QueryFault> + 'f {
    let is_slip = |fault: &QueryFault| {
        let mut parts = fault.name.split('.');
        let (kind, own) = (parts.next().and_then(Kind::from_word), parts.next().unwrap_or_default());
        let is_name = own.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let names = kind.map(|kind| world.names_of_kind(kind)).unwrap_or_default();
        is_name && world.ident(own).is_none() && !bsl::nearest(own, names, 1).is_empty()
    };
    tables(facts, catalog).filter(is_slip)
}

fn wrong_field(facts: &QueryFacts, catalog: &dyn Catalog, field: &FieldUse) -> Option<QueryFault> {
    let name = field.parts.join(".");
    let fault = |wrong: &str, names: &[&str]| {
        let Said { name, what, mend, nearest } = unknown(("поля", "field"), name.clone(), wrong, names.iter().copied());
        QueryFault { kind: QueryFaultKind::Field, span: field.span, name, what, mend, nearest }
    };
    if let Verdict::Wrong(wrong) = verdict_on(catalog, facts, field) {
        let part = field.parts.get(wrong.number).map_or("", |part| part);
        return Some(fault(part, &wrong.names.iter().map(|name| &**name).collect::<Vec<_>>()));
    }
    // A column of a nested query or a temporary table of the text.
    let table = field.table.and_then(|table| facts.tables.get(table as usize)).filter(|_| field.table_parts > 0)?;
    let first = field.parts.get(field.table_parts as usize)?;
    let columns = columns_of(facts, table)?;
    let is_there = field.column.is_some() || columns.iter().any(|column| bsl::same_name(column, first));
    (!is_there).then(|| fault(first, &columns))
}

/// Ends of names of values that stand for an empty reference or a route point, not for an item.
const TAIL: [&str; 2] = ["ПустаяСсылка", "EmptyRef"];
/// Kinds of objects whose items are listed in full.
const LISTED: [&str; 5] =
    ["Enum", "Catalog", "ChartOfCharacteristicTypes", "ChartOfAccounts", "ChartOfCalculationTypes"];

fn wrong_value(world: &World, name: &NameUse) -> Option<QueryFault> {
    let (kind, own) = name.object.split_once('.')?;
    let kind = Kind::named(kind).filter(|kind| kind.is_top() && !kind.is("ExternalDataSource"))?;
    let (written, span) = (name.parts.join("."), name.span);
    let fault = |words, wrong: &str, names: Vec<&str>| {
        let Said { name, what, mend, nearest } = unknown(words, written.clone(), wrong, names);
        Some(QueryFault { kind: QueryFaultKind::Value, span, name, what, mend, nearest })
    };
    let Some(object) = world.ident(own).and_then(|own| world.object(kind, own)) else {
        return fault(("объекта метаданных", "metadata object"), own, world.names_of_kind(kind));
    };
    let is_item = name.role == NameRole::Value && !name.item.is_empty() && LISTED.contains(&kind.en());
    if is_item && !TAIL.iter().any(|tail| bsl::same_name(tail, &name.item)) && !world.has_value(object, &name.item) {
        return fault(("значения", "value"), &name.item, world.names_in(object, false));
    }
    None
}

/// Reports the faults of one kind of all queries of a text.
pub(crate) fn report(subject: &Subject<'_>, findings: &mut Findings<'_>, kind: QueryFaultKind) {
    let ground = subject.ground;
    for query in subject.queries() {
        for fault in query.faults(ground.as_ref()).iter().filter(|fault| fault.kind == kind) {
            let QueryFault { span, name, what, mend, nearest, .. } = fault.clone();
            findings.at(query.text.line_of(span), 0, Said { name, what, mend, nearest });
        }
    }
}
