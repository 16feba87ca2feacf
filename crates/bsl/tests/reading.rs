//! Small modules and what is read from them.

use metascope_bsl::{Engine, read_module, read_module_with};

/// The facts; the grammar must agree.
fn dump(source: &str) -> String {
    let by_tokens = read_module(source.as_bytes());
    let by_tree = read_module_with(source.as_bytes(), Engine::Tree).0;
    assert_eq!(by_tree.dump(), by_tokens.dump(), "the two parsers differ on\n{source}");
    by_tree.dump()
}

macro_rules! snapshot {
    ($name:ident) => {
        #[test]
        fn $name() {
            let source = include_str!(concat!("fixtures/", stringify!($name), ".bsl"));
            insta::assert_snapshot!(dump(source));
        }
    };
}

snapshot!(headers);
snapshot!(statements);
snapshot!(expressions);
snapshot!(strings);
snapshot!(preprocessor);
snapshot!(extension);
snapshot!(damaged);
snapshot!(typography);

/// The same module in English has the same structure.
#[test]
fn english_gives_the_same_facts_as_russian() {
    let russian = include_str!("fixtures/twin_ru.bsl");
    let english = include_str!("fixtures/twin_en.bsl");
    let fold = |text: String| text.replace("Client", "Клиент").replace("Not (", "Не (");
    assert_eq!(fold(dump(russian)), fold(dump(english)));
}

#[test]
fn lone_carriage_returns_are_no_line_ends() {
    let source = "Процедура А()\r\r\n\tБ();\r\r\nКонецПроцедуры";
    let facts = read_module(source.as_bytes());
    assert_eq!((facts.methods[0].line, facts.methods[0].end_line, facts.lines), (1, 3, 3));
    assert_eq!(facts.methods[0].code.calls().count(), 1);
}

#[test]
fn bytes_that_are_not_utf8_are_reported_and_keep_their_place() {
    let mut source = "Процедура А()\n\tБ(\"".as_bytes().to_vec();
    source.extend([0xCF, 0xF0, 0xE8]);
    source.extend("\");\nКонецПроцедуры\n\nПроцедура В()\nКонецПроцедуры".as_bytes());
    let facts = read_module(&source);
    assert_eq!(facts.methods.len(), 2);
    assert_eq!(facts.methods[1].bytes.1 as usize, source.len());
    assert_eq!((facts.problems[0].line, facts.problems[0].column), (2, 5));
}

#[test]
fn an_empty_module_has_no_lines() {
    for source in ["", "\u{FEFF}"] {
        let facts = read_module(source.as_bytes());
        assert_eq!((facts.lines, facts.methods.len(), facts.problems.len()), (0, 0, 0));
    }
    assert_eq!(read_module("А();\n".as_bytes()).lines, 1);
}

#[test]
fn deep_nesting_and_long_sums_do_not_overflow() {
    let deep = format!("А = {}1{}; Б();", "(".repeat(50_000), ")".repeat(50_000));
    let facts = read_module(deep.as_bytes());
    assert!(facts.body.calls().any(|call| facts.text(call.name) == "Б"));
    assert!(!facts.problems.is_empty());
    let sum = format!("А = {}Б();", "\"х\" + ".repeat(5_000));
    let facts = read_module(sum.as_bytes());
    assert_eq!((facts.body.calls().count(), facts.problems.len()), (1, 0));
    let chain = format!("А{};", ".Б()".repeat(5_000));
    assert_eq!(read_module(chain.as_bytes()).body.calls().count(), 5_000);
    let blocks = format!("{}Б();{}", "Если А Тогда ".repeat(3_000), "КонецЕсли;".repeat(3_000));
    assert_eq!(read_module(blocks.as_bytes()).body.calls().count(), 1);
}
