//! The demo configuration, its code turned into English: keywords, directives, names of the platform and of its events. The graph
//! is the same.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use metadata::{Configuration, FileId, ModuleKind};
use metascope_graph::{Edges, ModuleSummary, Settings, Side, World, handlers};

type Row = (String, String, String, String);

#[test]
fn english_code_has_the_same_edges() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/demo");
    let configuration = metadata::read(&root).unwrap();
    let russian: Vec<String> = configuration.modules.iter().map(|module| text_of(&configuration, module)).collect();
    let words = dictionary(&configuration, &russian);
    let events = events(&configuration);
    let english: Vec<String> = configuration
        .modules
        .iter()
        .zip(&russian)
        .map(|(module, text)| {
            let own = events.get(&module.kind).cloned().unwrap_or_default();
            translate(text, |word| own.get(word).or_else(|| words.get(word)).copied())
        })
        .collect();
    assert!(english.iter().filter(|text| text.contains("EndProcedure")).count() > 20);
    assert!(english.iter().all(|text| !text.contains("КонецПроцедуры") && !text.contains("Сообщить(")));
    let (of_russian, of_english) = (edges(&configuration, &russian), edges(&configuration, &english));
    // Handlers in modules of objects bear the events' English names now.
    let in_english = |name: &str| {
        let (owner, last) = name.rsplit_once('.').unwrap_or(("", name));
        let kind = ModuleKind::ALL.into_iter().find(|kind| owner.rsplit('.').next() == Some(kind.as_str()));
        match kind.and_then(|kind| events.get(&kind)?.get(&bsl::fold(last))) {
            Some(event) => format!("{owner}.{event}"),
            None => name.to_owned(),
        }
    };
    let expected: BTreeSet<Row> = of_russian
        .into_iter()
        .map(|(channel, source, target, place)| (channel, in_english(&source), in_english(&target), place))
        .collect();
    let lost: Vec<_> = expected.difference(&of_english).collect();
    let new: Vec<_> = of_english.difference(&expected).collect();
    assert!(expected.len() > 300 && lost.is_empty() && new.is_empty(), "lost {lost:#?}\nnew {new:#?}");
}

fn text_of(configuration: &Configuration, module: &metadata::Module) -> String {
    let bytes = std::fs::read(configuration.full_path(module.file)).unwrap();
    String::from_utf8(bytes).unwrap().trim_start_matches('\u{feff}').to_owned()
}

/// Rows of a table of the crates, without comments and head.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') || line.starts_with("#\t"))
        .skip(1)
        .map(|l| l.split('\t').collect())
}

/// Russian words (folded) and their English twins: all that the platform names, but no name of the configuration.
fn dictionary(configuration: &Configuration, texts: &[String]) -> HashMap<String, &'static str> {
    let tables: [(&'static str, usize); 9] = [
        (include_str!("../../bsl/data/keywords.tsv"), 1),
        (include_str!("../../bsl/data/directives.tsv"), 2),
        (include_str!("../../bsl/data/preprocessor_symbols.tsv"), 0),
        (include_str!("../data/words.tsv"), 1),
        (include_str!("../data/comparisons.tsv"), 1),
        (include_str!("../data/members.tsv"), 1),
        (include_str!("../data/object_events.tsv"), 1),
        (include_str!("../data/platform_types.tsv"), 0),
        (include_str!("../data/platform_types.tsv"), 3),
    ];
    let mut words: HashMap<String, &'static str> = HashMap::new();
    for (table, column) in tables {
        for row in rows(table) {
            if let (Some(ru), Some(en)) = (row.get(column), row.get(column + 1))
                && !ru.is_empty()
                && !en.is_empty()
            {
                words.entry(bsl::fold(ru)).or_insert(en);
            }
        }
    }
    for kind in metadata::Kind::all() {
        words.entry(bsl::fold(kind.info().ru_plural)).or_insert(kind.info().en_plural);
    }
    words.insert(bsl::fold("Сообщить"), "Message");
    for name in own_names(configuration, texts) {
        words.remove(&name);
    }
    words
}

/// Names that the configuration gives, and words of its literals: they stay as they are.
fn own_names(configuration: &Configuration, texts: &[String]) -> HashSet<String> {
    let keywords: HashSet<String> = rows(include_str!("../../bsl/data/keywords.tsv"))
        .filter_map(|row| row.get(1).map(|ru| bsl::fold(ru)))
        .collect();
    let mut names: HashSet<String> = HashSet::new();
    for object in &configuration.objects {
        names.insert(bsl::fold(&object.name));
        let items = object.items.iter().filter(|item| item.name_ru.is_none());
        names.extend(items.map(|item| bsl::fold(&item.name)));
    }
    for form in &configuration.forms {
        names.extend(form.attributes.iter().map(|attribute| bsl::fold(&attribute.name)));
        names.extend(form.items.iter().map(|item| bsl::fold(&item.name)));
    }
    for text in texts {
        let facts = bsl::read_module(text.as_bytes());
        names.extend(facts.methods.iter().map(|method| bsl::fold(facts.text(method.name))));
        for node in facts.codes().flat_map(|(_, code)| &code.nodes) {
            if let bsl::Expr::String(literal) = node.expr {
                let words = facts.text(literal).split(|c: char| !c.is_alphanumeric() && c != '_');
                names.extend(words.map(bsl::fold));
            }
        }
    }
    &names - &keywords
}

/// By kind of module: names of predefined handlers (folded) and the English ones.
fn events(configuration: &Configuration) -> HashMap<ModuleKind, HashMap<String, &'static str>> {
    let mut events: HashMap<ModuleKind, HashMap<String, &'static str>> = HashMap::new();
    for handler in handlers::all().iter().filter(|handler| handler.module != ModuleKind::CommandModule) {
        events.entry(handler.module).or_default().insert(bsl::fold(handler.ru), handler.en);
    }
    // Handlers that metadata names keep their names.
    for flowchart in &configuration.flowcharts {
        for event in flowchart.points.iter().flat_map(|point| &point.events) {
            for names in events.values_mut() {
                names.remove(&bsl::fold(&event.handler));
            }
        }
    }
    events
}

/// Words of a text put through a dictionary; literals and comments stay.
fn translate(text: &str, word: impl Fn(&str) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c.is_alphabetic() || c == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        let is_word = c.is_alphabetic();
        out.push_str(is_word.then(|| word(&bsl::fold(token))).flatten().unwrap_or(token));
        rest = after;
    }
    out
}

fn edges(configuration: &Configuration, texts: &[String]) -> BTreeSet<Row> {
    let facts: Vec<_> = texts.iter().map(|text| bsl::read_module(text.as_bytes())).collect();
    let problems: Vec<_> = facts.iter().flat_map(|facts| &facts.problems).collect();
    assert!(problems.is_empty(), "{problems:?}");
    let summaries: Vec<_> = facts.iter().map(ModuleSummary::of).collect();
    let world = World::new(configuration, &summaries, &Settings::default());
    let mut all = vec![world.metadata_edges(configuration)];
    all.extend(facts.iter().enumerate().map(|(module, facts)| world.module_edges(module, facts)));
    rows_of(configuration, &world, &all)
}

fn rows_of(configuration: &Configuration, world: &World, all: &[Edges]) -> BTreeSet<Row> {
    let row = |channel: &str, source, target, file, line| {
        let place = format!("{}:{line}", configuration.path(FileId(file)));
        (channel.to_owned(), world.name(source).to_owned(), world.name(target).to_owned(), place)
    };
    let mut found: BTreeSet<Row> = all
        .iter()
        .flat_map(|edges| &edges.edges)
        .map(|edge| row(edge.channel.0, edge.source, edge.target, edge.file, edge.line))
        .collect();
    let halves = |side| all.iter().flat_map(|edges| &edges.halves).filter(move |half| half.side == side);
    for source in halves(Side::Source) {
        for target in halves(Side::Target).filter(|half| half.channel == source.channel && half.hub == source.hub) {
            found.insert(row(source.channel.0, source.node, target.node, source.file, source.line));
        }
    }
    found
}
