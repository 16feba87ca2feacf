//! Queries of genuine schemas, broken on purpose so that only the configuration shows it: a check must name what is wrong and, where
//! there is one, offer the real name.

use std::ops::Range;

use bsl::catalog::{Catalog, Spelling};
use bsl::query::{Clause, TableKind, TableUse, TextKind, parse};
use dcs::Document;
use index::Tables;
use validators::dcs::{CHECKS, Options, Severity, check};

use crate::Configured;
use crate::places::{Place, Read, misspelt, places, queries, replaced, with_query};

/// What a query becomes.
struct Broken {
    text: String,
    /// The finding says this,
    says: String,
    /// and offers this name; empty: there is none.
    offers: String,
}

impl Broken {
    /// A name that is misspelt.
    fn name(query: &Read<'_>, range: Range<usize>, name: &str, number: usize) -> Self {
        let wrong = misspelt(name, number);
        Self { text: replaced(&query.text, range, &wrong), says: format!("«{wrong}»"), offers: name.to_owned() }
    }
}

type Break = fn(&Read<'_>, &Tables) -> Vec<Broken>;

/// A kind of mutation: what it is called, the check that must name it, how it is known to be wrong, what makes it.
struct Kind(&'static str, &'static str, &'static str, Break);

const ATTRIBUTE: &str = "dcs-query-attribute-unknown";
const TABLE: &str = "dcs-query-table-unknown";
const SECTION: &str = "dcs-query-section-through-reference";
const MULTIPLIED: &str = "dcs-query-rows-multiplied";
const NO_FIELD: &str = "the platform: «Поле не найдено»";
const NO_TABLE: &str = "the platform: «Таблица не найдена»";
const LANGUAGE: &str = "the query language";

const KINDS: &[Kind] = &[
    Kind("attribute misspelt", ATTRIBUTE, NO_FIELD, |query, tables| {
        names(query, tables, |place| place.at == 0 && place.field.clause != Clause::TableParameter)
    }),
    Kind("attribute misspelt behind a reference", ATTRIBUTE, NO_FIELD, |query, tables| {
        names(query, tables, |place| place.at > 0 && place.field.clause != Clause::TableParameter)
    }),
    Kind("name misspelt in the condition of a virtual table", ATTRIBUTE, NO_FIELD, in_condition),
    Kind("field behind a value that is no reference", ATTRIBUTE, NO_FIELD, behind_a_value),
    Kind("object misspelt in the name of a table", TABLE, NO_TABLE, |query, tables| table_names(query, tables, 1)),
    Kind("tabular section misspelt", TABLE, NO_TABLE, |query, tables| table_names(query, tables, 2)),
    Kind("kind of object mistaken", TABLE, NO_TABLE, other_kind),
    Kind("tabular section through a reference", SECTION, LANGUAGE, through_reference),
    Kind("rows multiplied by a tabular section", MULTIPLIED, LANGUAGE, multiplied),
];

fn names(query: &Read<'_>, tables: &Tables, is_wanted: fn(&Place<'_>) -> bool) -> Vec<Broken> {
    let places = places(query, tables).into_iter().filter(is_wanted).enumerate();
    places.map(|(number, place)| Broken::name(query, place.range, place.name, number)).collect()
}

/// Conditions that virtual tables have get one more, on a field of theirs.
fn in_condition(query: &Read<'_>, tables: &Tables) -> Vec<Broken> {
    let mut found = Vec::new();
    for (number, table) in query.facts.tables.iter().enumerate() {
        let fields = tables.fields(&table.name, Spelling::Russian);
        // What a virtual table works out isn't known in its condition; what refers to something is a dimension.
        let is_dimension = |field: &str| tables.targets(&table.name, field).is_some_and(|to| !to.is_empty());
        let Some(name) = fields.iter().find(|field| is_dimension(field)) else { continue };
        for parameter in table.parameters.iter().filter(|parameter| parameter.name == Some("Condition")) {
            let (wrong, before) = (misspelt(name, number), parameter.span.of(&query.text));
            let condition = format!("{wrong} = НЕОПРЕДЕЛЕНО");
            let with = if before.is_empty() { condition } else { format!("({before}) И {condition}") };
            let text = replaced(&query.text, parameter.span.range(), &with);
            found.push(Broken { text, says: format!("«{wrong}»"), offers: name.to_string() });
        }
    }
    found
}

/// Last parts of paths, with something behind them.
fn ends<'q>(query: &'q Read<'_>, tables: &Tables) -> Vec<Place<'q>> {
    let is_end = |place: &Place<'_>| place.range.end == place.field.span.range().end;
    places(query, tables).into_iter().filter(is_end).collect()
}

fn behind_a_value(query: &Read<'_>, tables: &Tables) -> Vec<Broken> {
    let is_value =
        |place: &Place<'_>| place.at == 0 && tables.targets(place.table, place.name).is_some_and(|to| to.is_empty());
    let behind = |place: Place<'_>| Broken {
        text: replaced(&query.text, place.range.end..place.range.end, ".Владелец"),
        says: format!("«{}» — не ссылка", place.name),
        offers: String::new(),
    };
    ends(query, tables).into_iter().filter(is_value).map(behind).collect()
}

/// Tables of the configuration, with the bytes of each part of their names.
fn named_tables<'q>(query: &'q Read<'_>, tables: &Tables) -> Vec<(&'q TableUse, Vec<Range<usize>>)> {
    let mut found = Vec::new();
    for table in query.facts.tables.iter().filter(|table| tables.has_table(&table.name) == Some(true)) {
        let start = table.span.range().start;
        if !query.text[start..].starts_with(&table.parts.join(".")) {
            continue;
        }
        let mut at = start;
        let mut range = |part: &str| {
            let range = at..at + part.len();
            at = range.end + 1;
            range
        };
        found.push((table, table.parts.iter().map(|part| range(part)).collect()));
    }
    found
}

fn table_names(query: &Read<'_>, tables: &Tables, part: usize) -> Vec<Broken> {
    // What virtual tables there are the reader of queries knows: it gives one that there isn't no name.
    let is_wanted = |table: &TableUse| part < 2 || table.kind == TableKind::TabularSection;
    let all = named_tables(query, tables).into_iter().filter(|(table, _)| is_wanted(table)).enumerate();
    let broken = |(number, (table, ranges)): (usize, (&TableUse, Vec<Range<usize>>))| {
        let (name, range) = (table.parts.get(part)?, ranges.get(part)?);
        let wrong = misspelt(name, number);
        let mut parts: Vec<&str> = table.parts.iter().map(|part| &**part).collect();
        let right = parts.join(".");
        parts[part] = &wrong;
        let says = format!("«{}»", parts.join("."));
        Some(Broken { text: replaced(&query.text, range.clone(), &wrong), says, offers: right })
    };
    all.filter_map(broken).collect()
}

/// Catalogs called documents, and the other way round.
fn other_kind(query: &Read<'_>, tables: &Tables) -> Vec<Broken> {
    let other = |written: &str| match written {
        "Справочник" => Some(("Документ", "Document")),
        "Документ" => Some(("Справочник", "Catalog")),
        _ => None,
    };
    let broken = |(table, ranges): (&TableUse, Vec<Range<usize>>)| {
        let [kind, name] = &table.parts[..] else { return None };
        let (wrong, canonical) = other(kind)?;
        let text = replaced(&query.text, ranges.first()?.clone(), wrong);
        let is_absent = tables.has_table(&format!("{canonical}.{name}")) == Some(false);
        is_absent.then(|| Broken { text, says: format!("«{wrong}.{name}»"), offers: format!("{kind}.{name}") })
    };
    named_tables(query, tables).into_iter().filter_map(broken).collect()
}

/// A tabular section of a table, with a field of it.
fn section_of(tables: &Tables, table: &str) -> Option<Box<str>> {
    let fields = tables.fields(table, Spelling::Russian);
    let is_section = |field: &str| {
        let targets = tables.targets(table, field);
        targets.is_some_and(|to| to.first().is_some_and(|to| to.contains(".TabularSection.")))
    };
    fields.iter().find(|field| is_section(field)).cloned()
}

fn through_reference(query: &Read<'_>, tables: &Tables) -> Vec<Broken> {
    let broken = |place: Place<'_>| {
        let mut table: Box<str> = place.table.into();
        for part in &place.path {
            let targets = tables.targets(&table, part)?;
            let [only] = &targets[..] else { return None };
            table = only.clone();
        }
        let section = section_of(tables, &table)?;
        let end = place.range.end;
        let text = replaced(&query.text, end..end, &format!(".{section}.НомерСтроки"));
        Some(Broken { text, says: format!("«{section}»"), offers: section.to_string() })
    };
    // Elsewhere it isn't established what the platform makes of it.
    let is_wrong_in = |place: &Place<'_>| matches!(place.field.clause, Clause::Select | Clause::Group);
    ends(query, tables).into_iter().filter(is_wrong_in).filter_map(broken).collect()
}

/// A branch of one object's table gets a section of the object beside it, and a sum over a field of the object.
fn multiplied(query: &Read<'_>, tables: &Tables) -> Vec<Broken> {
    let tree = parse(&query.text, TextKind::Query);
    let mut found = Vec::new();
    for (select, facts) in tree.selects.iter().zip(&query.facts.selects) {
        for (branch, known) in select.branches.iter().zip(&facts.branches) {
            let [table] = known.tables[..] else { continue };
            let Some(table) = query.facts.tables.get(table as usize) else { continue };
            let is_object = table.kind == TableKind::Physical
                && ["Catalog.", "Document."].iter().any(|kind| table.name.starts_with(kind));
            let Some(section) = section_of(tables, &table.name).filter(|_| is_object) else { continue };
            let is_value = |field: &str| tables.targets(&table.name, field).is_some_and(|to| to.is_empty());
            let fields = tables.fields(&table.name, Spelling::Russian);
            let Some(field) = fields.iter().find(|field| is_value(field)) else { continue };
            let (list, from) = (branch.select_list.range().end, branch.from.range().end);
            let (alias, name) = (&table.alias, table.parts.join("."));
            let sum = format!("СУММА({alias}.{field})");
            let join =
                format!(" ЛЕВОЕ СОЕДИНЕНИЕ {name}.{section} КАК НекиеСтроки ПО {alias}.Ссылка = НекиеСтроки.Ссылка");
            let text = &query.text;
            let text = format!("{}, {sum} КАК НекийИтог{}{join}{}", &text[..list], &text[list..from], &text[from..]);
            found.push(Broken { text, says: format!("«{sum}»"), offers: "НекиеСтроки".to_owned() });
        }
    }
    found
}

/// What a kind came to.
#[derive(Default)]
struct Tally {
    made: usize,
    named: usize,
    missed: Vec<String>,
}

/// Breaks several places of each file; those of one file stand apart.
fn tally(of: &Configured, kind: &Kind, most: usize) -> Tally {
    let mut tally = Tally::default();
    let only = [kind.1.to_owned()];
    let options = Options { all: true, only: &only, catalog: Some(&of.tables) };
    for (number, file) in of.files.iter().enumerate() {
        let document = Document::parse(file.bytes.clone());
        let queries = queries(&document);
        let all: Vec<(&Read<'_>, Broken)> = queries
            .iter()
            .flat_map(|query| kind.3(query, &of.tables).into_iter().map(move |broken| (query, broken)))
            .collect();
        let step = (all.len() / most.max(1)).max(1);
        for (query, broken) in all.iter().skip(number % step).step_by(step) {
            let changed = with_query(&document, query.element, &broken.text);
            let (findings, path) = (check(&changed, &options).findings, query.element.path());
            let is_named = findings.iter().any(|finding| {
                finding.path == path
                    && finding.what.ru.contains(&broken.says)
                    && offers(&finding.mend.ru, &broken.offers)
            });
            tally.made += 1;
            tally.named += usize::from(is_named);
            if !is_named {
                let said: Vec<String> =
                    findings.iter().map(|one| format!("{} → {}", one.what.ru, one.mend.ru)).collect();
                let file = file.path.display();
                tally.missed.push(format!("{file}: {path}: {} → {}: {said:?}", broken.says, broken.offers));
            }
        }
    }
    tally
}

/// Whether a sentence holds a name.
fn offers(sentence: &str, name: &str) -> bool {
    let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'));
    name.is_empty()
        || sentence.split(is_end).any(|word| bsl::same_name(word, name) || word.ends_with(&format!(".{name}")))
}

/// Holds each kind to what is promised: of 100 that are made, 99 are named. `all`: none can be without a place.
pub fn hold(of: &Configured, most: usize, all: bool) {
    let mut weak = Vec::new();
    println!("{:<50} {:>6} {:>6}  verdict", "kind", "made", "named");
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let threads: Vec<_> = KINDS.iter().map(|kind| scope.spawn(move || tally(of, kind, most))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (kind, tally) in KINDS.iter().zip(tallies) {
        let severity = CHECKS.iter().find(|check| check.code == kind.1).map(|check| check.severity);
        assert_eq!(severity, Some(Severity::Advisory), "{}: references that lead nowhere are warnings", kind.1);
        println!("{:<50} {:>6} {:>6}  {} ({})", kind.0, tally.made, tally.named, kind.1, kind.2);
        tally.missed.iter().take(10).for_each(|one| println!("    missed: {one}"));
        if tally.named * 100 < tally.made * 99 {
            weak.push(format!("{}: {} of {}", kind.0, tally.named, tally.made));
        }
        if all && tally.made == 0 {
            weak.push(format!("{}: never made", kind.0));
        }
    }
    assert!(weak.is_empty(), "{}", weak.join("\n"));
}
