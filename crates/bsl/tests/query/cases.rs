//! One query a construct.

use metascope_bsl::query::{TextKind, read};

use crate::dump::dump;

/// Names and texts of a file of cases.
pub fn cases(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.split("=== ").skip(1).filter_map(|case| case.split_once('\n'))
}

pub const QUERIES: &str = include_str!("cases.txt");
pub const RESTRICTIONS: &str = include_str!("restrictions.txt");

fn dump_all(file: &'static str, kind: TextKind) -> String {
    let one = |(name, text)| format!("=== {name}\n{}", dump(text, &read(text, kind)));
    cases(file).map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn queries() {
    insta::assert_snapshot!("queries", dump_all(QUERIES, TextKind::Query));
}

#[test]
fn restrictions() {
    insta::assert_snapshot!("restrictions", dump_all(RESTRICTIONS, TextKind::Restriction));
}

#[test]
fn only_the_case_of_problems_has_problems() {
    for (file, kind) in [(QUERIES, TextKind::Query), (RESTRICTIONS, TextKind::Restriction)] {
        for (name, text) in cases(file) {
            let facts = read(text, kind);
            assert_eq!(facts.problems.is_empty(), name != "problems", "{name}: {:?}", facts.problems);
            let replaced = matches!(name, "placeholders" | "the text of a template");
            assert_eq!(facts.placeholders, replaced, "{name}");
        }
    }
}

/// A parser that finds nothing wrong with anything would pass the test before this one.
#[test]
fn what_is_taken_away_is_missed() {
    let mut noticed = 0;
    for (name, text) in
        cases(QUERIES).filter(|(name, _)| !matches!(*name, "problems" | "placeholders" | "comments and texts"))
    {
        for (piece, with) in [(")", " "), ("КОНЕЦ", " "), ("ТОГДА", " "), (" ПО ", " "), ("ИЗ ", " "), ("ВЫБРАТЬ ", "")]
        {
            for (at, _) in text.match_indices(piece) {
                let inside_name = piece != ")" && text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
                if inside_name || text[..at].matches('"').count() % 2 == 1 {
                    continue;
                }
                let changed = format!("{}{with}{}", &text[..at], &text[at + piece.len()..]);
                let facts = read(&changed, TextKind::Query);
                assert!(!facts.problems.is_empty(), "{name}: nothing wrong without {piece}:\n{changed}");
                noticed += 1;
            }
        }
    }
    assert!(noticed > 150, "{noticed}");
}

#[test]
fn fragments_are_read_from_the_middle() {
    let facts = |text| read(text, TextKind::Fragment);
    let join = facts("\nЛЕВОЕ СОЕДИНЕНИЕ РегистрСведений.Курсы КАК К\nПО К.Валюта = Т.Валюта\nГДЕ К.Курс > &Курс");
    assert_eq!(&*join.tables[0].name, "InformationRegister.Курсы");
    assert_eq!(join.fields.iter().filter(|field| field.table == Some(0)).count(), 2);
    assert!(join.fields.iter().any(|field| field.table.is_none() && &*field.parts[0] == "Т"));
    assert!(join.problems.is_empty() && join.placeholders);
    let union = facts("ОБЪЕДИНИТЬ ВСЕ\nВЫБРАТЬ Т.Код ИЗ Справочник.Банки КАК Т");
    assert_eq!(union.selects[0].branches.len(), 2);
    assert_eq!(&*union.fields[0].origins[0].table, "Catalog.Банки");
    let condition = facts("И Т.Х = ЗНАЧЕНИЕ(Справочник.Банки.Главный) УПОРЯДОЧИТЬ ПО Т.Код");
    assert!(condition.problems.is_empty());
    assert_eq!(read("ГДЕ Т.А = 1", TextKind::Query).problems.len(), 1);
}

#[test]
fn places_are_those_of_the_text() {
    let text = "ВЫБРАТЬ\n\tТ.Код КАК К,\n\tСУММА(Т.Цена)\nИЗ\n\tСправочник.Товары КАК Т;\nУНИЧТОЖИТЬ ВТ";
    let facts = read(text, TextKind::Query);
    let branch = &facts.selects[0].branches[0];
    assert_eq!(branch.select_list.of(text), "Т.Код КАК К,\n\tСУММА(Т.Цена)");
    assert_eq!((branch.columns[0].span.of(text), branch.columns[0].span.line), ("Т.Код КАК К", 2));
    assert_eq!((facts.fields[1].span.of(text), facts.fields[1].span.line), ("Т.Цена", 3));
    assert_eq!((facts.tables[0].span.of(text), facts.tables[0].span.line), ("Справочник.Товары КАК Т", 5));
    assert_eq!((facts.statements[1].span.of(text), facts.statements[1].span.line), ("УНИЧТОЖИТЬ ВТ", 6));
    let wrong = read("ВЫБРАТЬ\n\tА Б В", TextKind::Query);
    let problem = wrong.problems[0];
    assert_eq!((problem.span.line, problem.column, problem.span.of("ВЫБРАТЬ\n\tА Б В")), (2, 6, "В"));
}
