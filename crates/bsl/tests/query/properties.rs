//! What must hold for any text.

use metascope_bsl::query::{QueryFacts, Span, TextKind, read};
use proptest::prelude::*;

use crate::cases::{QUERIES, RESTRICTIONS, cases};

const KINDS: [TextKind; 3] = [TextKind::Query, TextKind::Fragment, TextKind::Restriction];

/// Places lie within the text, numbers within their lists.
fn check(text: &str, facts: &QueryFacts) {
    let lines = text.matches('\n').count() as u32 + 1;
    let place = |span: Span| {
        assert!(span.start <= span.end && text.get(span.range()).is_some(), "{span:?}");
        assert!(span.line >= 1 && span.line <= lines, "{span:?}");
        assert_eq!(span.line as usize, text[..span.start as usize].matches('\n').count() + 1, "{span:?}");
    };
    facts.statements.iter().for_each(|statement| place(statement.span));
    for select in &facts.selects {
        assert!(!select.branches.is_empty());
        assert!(select.parent.is_none_or(|(parent, _)| (parent as usize) < facts.selects.len()));
        for branch in &select.branches {
            place(branch.span);
            assert!(branch.tables.iter().all(|&table| (table as usize) < facts.tables.len()));
            for column in &branch.columns {
                place(column.span);
                assert!(column.fields.range().end <= facts.fields.len());
                assert!(column.value.fields.iter().all(|&field| (field as usize) < facts.fields.len()));
            }
        }
    }
    for table in &facts.tables {
        place(table.span);
        assert!(table.made_by.is_none_or(|select| (select as usize) < facts.selects.len()));
        table.parameters.iter().for_each(|parameter| place(parameter.span));
    }
    for field in &facts.fields {
        place(field.span);
        assert!(field.table.is_none_or(|table| (table as usize) < facts.tables.len()));
        assert!(field.table_parts as usize <= field.parts.len());
        assert!(field.origins.iter().all(|origin| !origin.table.is_empty() && !origin.path.is_empty()));
        assert!(text[field.span.range()].contains(&*field.parts[0]));
    }
    facts.parameters.iter().for_each(|parameter| place(parameter.span));
    facts.names.iter().for_each(|name| place(name.span));
    facts.temp_tables.iter().for_each(|table| place(table.span));
    facts.problems.iter().for_each(|problem| place(problem.span));
    assert!(!facts.placeholders || facts.problems.is_empty());
}

fn check_all(text: &str) {
    for kind in KINDS {
        check(text, &read(text, kind));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        check_all(&text);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(prop::sample::select(vec![
        "ВЫБРАТЬ", "РАЗЛИЧНЫЕ", "ПЕРВЫЕ", "ИЗ", "КАК", "ПОМЕСТИТЬ", "ДОБАВИТЬ", "УНИЧТОЖИТЬ", "ЛЕВОЕ", "СОЕДИНЕНИЕ", "ПО", "ГДЕ",
        "СГРУППИРОВАТЬ", "ГРУППИРУЮЩИМ", "НАБОРАМ", "ИМЕЮЩИЕ", "ДЛЯ", "ИЗМЕНЕНИЯ", "ИНДЕКСИРОВАТЬ", "ОБЪЕДИНИТЬ", "ВСЕ",
        "УПОРЯДОЧИТЬ", "УБЫВ", "ИТОГИ", "ОБЩИЕ", "ИЕРАРХИЯ", "ПЕРИОДАМИ", "И", "ИЛИ", "НЕ", "В", "ЕСТЬ", "NULL", "ПОДОБНО",
        "МЕЖДУ", "ССЫЛКА", "ВЫБОР", "КОГДА", "ТОГДА", "ИНАЧЕ", "КОНЕЦ", "ВЫРАЗИТЬ", "ЗНАЧЕНИЕ", "ТИП", "ПУСТАЯТАБЛИЦА",
        "ХАРАКТЕРИСТИКИ", "ВТ", "Т", "А", "Справочник", "РегистрНакопления", "Остатки", "Товары", "&П", "#Если", "#Тогда",
        "#Иначе", "#КонецЕсли", "#Х", "%1", "[Х]", "1", "\"а\"", "\"", "(", ")", "{", "}", ".", ".", ",", ";", "*", "+", "-",
        "=", "<>", "//", "\n", "\u{FFFC}", "ё",
    ]), 0..70), glue in any::<bool>()) {
        check_all(&words.join(if glue { "" } else { " " }));
    }

    #[test]
    fn cut_and_changed_queries(case in 0usize..60, from in 0usize..400, length in 0usize..900, at in 0usize..900, with in "[(){}.,;а-я\"]") {
        let all: Vec<&str> = cases(QUERIES).chain(cases(RESTRICTIONS)).map(|(_, text)| text).collect();
        let text: Vec<char> = all[case % all.len()].chars().skip(from).take(length).collect();
        check_all(&text.iter().collect::<String>());
        let mut changed = text;
        if let (Some(place), Some(with)) = (changed.get_mut(at), with.chars().next()) {
            *place = with;
        }
        check_all(&changed.iter().collect::<String>());
    }
}

#[test]
fn every_cut_of_every_case_is_read() {
    for (_, text) in cases(QUERIES).chain(cases(RESTRICTIONS)) {
        for (at, _) in text.char_indices() {
            check_all(&text[..at]);
        }
    }
}
