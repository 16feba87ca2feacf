//! Texts that are made to cost time or stack: work grows as the text does, and depth is bounded.

use super::parser::{MAX_DEPTH, Parser};
use super::problem::ProblemKind;
use super::{TextKind, read};

/// What is repeated, and a text that repeats it so often.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("parentheses", |n| format!("ВЫБРАТЬ {}1{} КАК А ИЗ Т", "(".repeat(n), ")".repeat(n))),
    ("open parentheses", |n| format!("ВЫБРАТЬ {}", "(".repeat(n))),
    ("closing parentheses", |n| format!("ВЫБРАТЬ 1 {}", ")".repeat(n))),
    ("braces", |n| format!("ВЫБРАТЬ 1 {{ГДЕ {}", "{".repeat(n))),
    ("square brackets", |n| format!("ВЫБРАТЬ 1 {}", "[".repeat(n))),
    ("CASE in WHEN", |n| format!("ВЫБРАТЬ {}", "ВЫБОР КОГДА ".repeat(n))),
    ("CASE in ELSE", |n| format!("ВЫБРАТЬ {}1{} КАК А", "ВЫБОР КОГДА А ТОГДА 1 ИНАЧЕ ".repeat(n), " КОНЕЦ".repeat(n))),
    ("nested queries", |n| format!("{}ВЫБРАТЬ 1 КАК А{}", "ВЫБРАТЬ Т.А ИЗ (".repeat(n), ") КАК Т".repeat(n))),
    ("queries in conditions", |n| {
        format!("ВЫБРАТЬ 1 ИЗ Т ГДЕ {}1{}", "А В (ВЫБРАТЬ 1 ИЗ Т ГДЕ ".repeat(n), ")".repeat(n))
    }),
    ("nested tables", |n| format!("ВЫБРАТЬ {}А{} ИЗ Документ.Х КАК Т", "Т.А.(".repeat(n), ")".repeat(n))),
    ("negations", |n| format!("ВЫБРАТЬ {} А ИЗ Т", "НЕ ".repeat(n))),
    ("signs and negations", |n| format!("ВЫБРАТЬ {} А ИЗ Т", "- НЕ ".repeat(n))),
    ("sums", |n| format!("ВЫБРАТЬ А{} КАК А ИЗ Т", " + А".repeat(n))),
    ("conditions", |n| format!("ВЫБРАТЬ 1 ИЗ Т ГДЕ А{}", " И А = А ИЛИ А".repeat(n))),
    ("joins without conditions", |n| format!("ВЫБРАТЬ 1 ИЗ А{}", " ЛЕВОЕ СОЕДИНЕНИЕ А".repeat(n))),
    ("joins with conditions at the end", |n| {
        format!("ВЫБРАТЬ 1 ИЗ А{}{}", " ЛЕВОЕ СОЕДИНЕНИЕ А".repeat(n), " ПО А".repeat(n))
    }),
    ("unions", |n| format!("ВЫБРАТЬ А ИЗ Т{}", " ОБЪЕДИНИТЬ ВЫБРАТЬ А ИЗ Т".repeat(n))),
    ("temporary tables", |n| {
        let one = |i: usize| format!("ВЫБРАТЬ Т.А.А КАК А, * ПОМЕСТИТЬ Т{} ИЗ Т{i} КАК Т;", i + 1);
        (0..n).map(one).collect()
    }),
    ("many tables and fields", |n| {
        let tables: Vec<String> = (0..n).map(|i| format!("Справочник.Т{i} КАК Т{i}")).collect();
        format!("ВЫБРАТЬ {} ИЗ {}", vec!["А, Т0.Б, Т9.В"; n].join(", "), tables.join(", "))
    }),
    ("a long path", |n| format!("ВЫБРАТЬ А{} ИЗ Документ.Х КАК А", ".А".repeat(n))),
    ("a long name of a table", |n| format!("ВЫБРАТЬ 1 ИЗ ВнешнийИсточникДанных.И{}", ".Таблица.А".repeat(n))),
    ("strings", |n| format!("ВЫБРАТЬ {}", "\"а\n".repeat(n))),
    ("names without aliases", |n| format!("ВЫБРАТЬ А{}", ", А, 1".repeat(n))),
    ("alternatives", |n| format!("{} ГДЕ А", "#Если А #Тогда ".repeat(n))),
    ("alternatives in a condition", |n| format!("ГДЕ А {}", "#Если А #Тогда И А ".repeat(n))),
    ("rubbish", |n| "КАК ) ИЗ ( ВЫБРАТЬ } , ПО { = ".repeat(n)),
];

/// Tokens looked at, and those there are.
fn work(text: &str, kind: TextKind) -> (usize, usize) {
    let mut parser = Parser::new(text, kind == TextKind::Restriction);
    match kind {
        TextKind::Restriction => parser.restriction(),
        _ => parser.batch(kind == TextKind::Fragment),
    }
    (parser.work.get(), super::lexer::tokens(text).len())
}

#[test]
fn the_parser_looks_at_each_token_a_bounded_number_of_times() {
    for (name, text) in SHAPES {
        for kind in [TextKind::Query, TextKind::Fragment, TextKind::Restriction] {
            let text = text(2_000);
            let (looked_at, tokens) = work(&text, kind);
            assert!(looked_at <= 60 * tokens, "{name}, {kind:?}: {looked_at} looks at {tokens} tokens");
        }
    }
}

#[test]
fn facts_of_hostile_texts_stay_small() {
    for (name, text) in SHAPES {
        for kind in [TextKind::Query, TextKind::Restriction] {
            let text = text(3_000);
            let facts = read(&text, kind);
            let size: usize = facts.fields.iter().map(|field| 1 + field.origins.len() + field.parts.len()).sum();
            let size = size + facts.tables.len() + facts.selects.len() + facts.problems.len();
            assert!(size <= text.len() + 1_000, "{name}: {size}");
        }
    }
}

#[test]
fn what_is_nested_too_deeply_is_left_out_and_the_rest_is_read() {
    for (open, close) in [("(", ")"), ("ВЫБОР КОГДА А ТОГДА ", " КОНЕЦ"), ("А В (ВЫБРАТЬ ", ")")]
    {
        let depth = 4 * MAX_DEPTH as usize;
        let text =
            format!("ВЫБРАТЬ {}1{} КАК А, Т.Б КАК Б ИЗ Справочник.Х КАК Т", open.repeat(depth), close.repeat(depth));
        let facts = read(&text, TextKind::Query);
        let columns = &facts.selects[0].branches[0].columns;
        let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["А", "Б"], "{open}");
        assert!(facts.fields.iter().any(|field| !field.origins.is_empty()), "{open}");
        assert_eq!(facts.problems[0].kind, ProblemKind::TooDeep, "{open}");
    }
    let allowed = format!("ВЫБРАТЬ {}1{} КАК А", "(".repeat(100), ")".repeat(100));
    assert_eq!(read(&allowed, TextKind::Query).problems, []);
}
