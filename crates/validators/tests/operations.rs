//! Every operation at random places of every schema: it changes what it declares and nothing else.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

mod lines;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dcs::Document;
use dcs::edit::Splice;
use dcs::formal::{DeviationKind, conform};
use dcs::meaning::{diff, meaning};
use dcs::operation::{KINDS, Operation, Plan, batch, run, write_batch};
use lines::{Dice, some_line};
use rayon::prelude::*;
use support::{SchemaFile, demo_schemas, genuine_schemas};

/// How often each kind was carried out and refused.
type Counts = BTreeMap<String, (usize, usize)>;

/// Deviations from the model, counted by kind.
fn deviations(document: &Document) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for deviation in conform(document).into_iter().filter(|found| found.kind != DeviationKind::UnusualType) {
        *found.entry(format!("{:?}", deviation.kind)).or_default() += 1;
    }
    found
}

/// Findings that block, counted by check.
fn blocking(document: &Document) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let report = metascope_validators::dcs::check(document, &metascope_validators::dcs::Options::default());
    for finding in
        report.findings.into_iter().filter(|finding| finding.severity == metascope_validators::dcs::Severity::Blocking)
    {
        *found.entry(finding.check.to_owned()).or_default() += 1;
    }
    found
}

/// Lines at the beginning and at the end of a splice that are as they were.
fn is_minimal(text: &str, splice: &Splice) -> bool {
    let old: Vec<&str> = text[splice.range.clone()].split_inclusive('\n').collect();
    let new: Vec<&str> = splice.text.split_inclusive('\n').collect();
    let whole = |line: &&str| line.ends_with('\n') && !line.trim().is_empty();
    let is_same = |pair: Option<(&&str, &&str)>| pair.is_some_and(|(old, new)| old == new && whole(old));
    !is_same(old.first().zip(new.first())) && !is_same(old.last().zip(new.last()))
}

/// Deviations and findings that block: what there may be no more of.
fn wrongs(document: &Document) -> BTreeMap<String, usize> {
    let mut all = deviations(document);
    all.extend(blocking(document));
    all
}

/// Holds what a plan did against what it declared; `before`: what was wrong already.
fn check(document: &Document, before: &BTreeMap<String, usize>, plan: &Plan, what: &str) -> Document {
    let applied = document.apply(&plan.patch).unwrap_or_else(|error| panic!("{what}: {error}"));
    let after = applied.document;
    assert_eq!(after.problems(), [], "{what}");
    let changes = diff(&meaning(document).unwrap(), &meaning(&after).unwrap());
    assert_eq!(changes, plan.declared, "{what}");
    for (kind, count) in wrongs(&after) {
        assert!(count <= before.get(&kind).copied().unwrap_or(0), "{what}: {kind}");
    }
    for splice in plan.patch.splices() {
        assert!(is_minimal(document.text(), splice), "{what}: {splice:?}");
    }
    let undone = after.apply(&plan.undo).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(undone.document.bytes() == document.bytes(), "{what}: undo");
    after
}

/// One operation of a kind at a random place.
fn once(
    document: &Document,
    before: &BTreeMap<String, usize>,
    kind: &str,
    dice: &mut Dice,
    path: &str,
    counts: &mut Counts,
) {
    let Some(line) = some_line(kind, document, dice) else { return };
    let what = format!("{path}: {line}");
    let operation = Operation::parse(&line).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
    let written = write_batch(std::slice::from_ref(&operation));
    assert_eq!(batch(&written).as_deref(), Ok(std::slice::from_ref(&operation)), "{what}: {written}");
    let entry = counts.entry(kind.to_owned()).or_default();
    match operation.plan(document, dice.roll(2) == 0) {
        Ok(plan) => {
            entry.0 += 1;
            check(document, before, &plan, &what);
        }
        Err(refusal) => {
            entry.1 += 1;
            assert!(!refusal.message.ru.is_empty() && !refusal.message.en.is_empty(), "{what}");
            if std::env::var_os("SHOW_REFUSALS").is_some() {
                eprintln!("{what}: {}", refusal.text(true));
            }
        }
    }
}

fn merge(mut one: Counts, other: Counts) -> Counts {
    for (kind, (done, refused)) in other {
        let entry = one.entry(kind).or_default();
        entry.0 += done;
        entry.1 += refused;
    }
    one
}

/// A document with fields of the user and places that name them, in a variant of it: few genuine files have such.
fn user_fields(document: &Document, dice: &mut Dice) -> Document {
    let variants = document.schema().unwrap().variants().map(|variant| variant.name().into_owned());
    let Some(variant) = dice.pick(&variants.collect::<Vec<_>>()) else { return document.clone() };
    let lines = [
        "add-user-field ПользовательскиеПоля.Первое \"Первое поле\" = 1 + 2 @total(3)",
        "add-user-field ПользовательскиеПоля.Второе = ПользовательскиеПоля.Первое * ВычислитьВыражение(\"ПользовательскиеПоля.Первое\", \"ОбщийИтог\")",
        "add-user-field ПользовательскиеПоля.Третье @cases(ПользовательскиеПоля.Первое > 1 -> \"а\" \"А\"; иначе -> ПользовательскиеПоля.Второе)",
        "add-selection ПользовательскиеПоля.Третье, ПользовательскиеПоля.Первое",
        "add-order ПользовательскиеПоля.Первое убыв",
        "add-filter ПользовательскиеПоля.Первое > 1 и ПользовательскиеПоля.Второе заполнено",
        "add-appearance ЦветТекста = #FF0000 @fields(ПользовательскиеПоля.Третье) @where(ПользовательскиеПоля.Первое < 0)",
        "add-group ПользовательскиеПоля.Третье",
    ];
    let operations: Vec<Operation> =
        lines.iter().map(|line| Operation::parse(&format!("{line} @variant({variant})")).unwrap()).collect();
    run(document, &operations, false).unwrap_or_else(|(at, refusal)| panic!("{}: {refusal}", lines[at])).document
}

/// Each kind `rounds` times in every file.
fn each(files: &[SchemaFile], rounds: usize) -> Counts {
    let of_file = |(number, file): (usize, &SchemaFile)| {
        let document = Document::parse(file.bytes.clone());
        let mut dice = Dice::of(number as u64 + 1);
        let mut counts = Counts::new();
        let before = wrongs(&document);
        // No genuine file has nested schemas: one is put in for what needs one.
        let add = Operation::parse("add-nested ВложеннаяСхема = ВЫБРАТЬ 1 КАК А").unwrap();
        let nested = add.plan(&document, false).and_then(|plan| Ok(document.apply(&plan.patch)?.document)).unwrap();
        let with_fields = user_fields(&document, &mut dice);
        for kind in KINDS {
            let document = match kind.name {
                "remove-nested" => &nested,
                "modify-user-field" | "rename-user-field" | "remove-user-field" => &with_fields,
                _ => &document,
            };
            for _ in 0..rounds {
                once(document, &before, kind.name, &mut dice, &file.path.display().to_string(), &mut counts);
            }
        }
        counts
    };
    files.par_iter().enumerate().map(of_file).reduce(Counts::new, merge)
}

/// What random sequences came to.
#[derive(Default)]
struct Sequences {
    /// Those that had five operations.
    whole: usize,
    counts: Counts,
    /// The number of each sequence that failed, and why.
    failures: Vec<String>,
}

impl Sequences {
    fn and(mut self, other: Self) -> Self {
        self.failures.extend(other.failures);
        Self { whole: self.whole + other.whole, counts: merge(self.counts, other.counts), failures: self.failures }
    }
}

/// A random sequence of five operations, each applied to what the one before it left; undone in the end.
fn sequence(file: &SchemaFile, number: usize) -> Sequences {
    let document = Document::parse(file.bytes.clone());
    let mut dice = Dice::of(number as u64 + 77);
    let mut now = document.clone();
    let (mut operations, mut tries, mut counts) = (Vec::new(), 0, Counts::new());
    let what = file.path.display().to_string();
    let before = wrongs(&document);
    while operations.len() < 5 && tries < 60 {
        tries += 1;
        let kind = KINDS[dice.roll(KINDS.len())].name;
        let Some(line) = some_line(kind, &now, &mut dice) else { continue };
        let operation = Operation::parse(&line).unwrap_or_else(|refusal| panic!("{what}: {line}: {refusal}"));
        let entry = counts.entry(kind.to_owned()).or_default();
        match operation.plan(&now, true) {
            Ok(plan) => {
                entry.0 += 1;
                let said: Vec<String> = operations.iter().map(|(line, _)| format!("{line}; ")).collect();
                now = check(&now, &before, &plan, &format!("{what}: {}{line}", said.concat()));
                operations.push((line, operation));
            }
            Err(_) => entry.1 += 1,
        }
    }
    let operations: Vec<Operation> = operations.into_iter().map(|(_, operation)| operation).collect();
    let ran = run(&document, &operations, true).unwrap_or_else(|(at, refusal)| panic!("{what}: {at}: {refusal}"));
    assert!(ran.document.bytes() == now.bytes(), "{what}");
    let mut back = ran.document;
    for plan in ran.plans.iter().rev() {
        back = back.apply(&plan.undo).unwrap().document;
    }
    assert!(back.bytes() == document.bytes(), "{what}");
    Sequences { whole: usize::from(operations.len() == 5), counts, failures: Vec::new() }
}

/// The sequences of these numbers; one that fails doesn't keep the others from running.
fn sequences(files: &[SchemaFile], numbers: Range<usize>) -> Sequences {
    let one = |number: usize| {
        let ran = catch_unwind(AssertUnwindSafe(|| sequence(&files[number % files.len()], number)));
        ran.unwrap_or_else(|why| {
            let why = why.downcast_ref::<String>().map_or("a panic without words", String::as_str);
            Sequences { failures: vec![format!("{number}: {why}")], ..Sequences::default() }
        })
    };
    numbers.into_par_iter().map(one).reduce(Sequences::default, Sequences::and)
}

/// Shows what sequences came to, and holds them to it: none failed, so many of 100 had five operations.
fn hold(ran: &Sequences, count: usize, percent: usize) {
    show(&ran.counts);
    let sum = |of: fn(&(usize, usize)) -> usize| ran.counts.values().map(of).sum::<usize>();
    let (done, refused) = (sum(|count| count.0), sum(|count| count.1));
    println!("{count} sequences, {} whole: {done} operations carried out, {refused} refused", ran.whole);
    assert!(ran.failures.is_empty(), "{} failed:\n{}", ran.failures.len(), ran.failures.join("\n"));
    assert!(ran.whole * 100 >= count * percent, "{} of {count} sequences had five operations", ran.whole);
}

fn show(counts: &Counts) {
    for (kind, (done, refused)) in counts {
        println!("{kind}: {done} carried out, {refused} refused");
    }
}

#[test]
fn every_operation_in_the_demo() {
    let counts = each(&demo_schemas(), 3);
    show(&counts);
    let done = counts.values().filter(|(done, _)| *done > 0).count();
    assert!(done * 10 >= KINDS.len() * 8, "{done} of {} kinds were carried out", KINDS.len());
}

#[test]
fn sequences_in_the_demo() {
    hold(&sequences(&demo_schemas(), 0..200), 200, 97);
}

#[test]
#[ignore = "corpus"]
fn every_operation_in_every_genuine_schema() {
    let counts = each(&genuine_schemas(), 1);
    show(&counts);
    for kind in KINDS {
        assert!(counts.get(kind.name).is_some_and(|(done, _)| *done > 0), "{} was never carried out", kind.name);
    }
}

#[test]
#[ignore = "corpus"]
fn ten_thousand_sequences_in_genuine_schemas() {
    // `SEQUENCES=500` for a look in between, `FIRST=4711 SEQUENCES=1` for one that failed.
    let asked = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let (first, count) = (asked("FIRST").unwrap_or(0), asked("SEQUENCES").unwrap_or(10_000));
    hold(&sequences(&genuine_schemas(), first..first + count), count, 99);
}
