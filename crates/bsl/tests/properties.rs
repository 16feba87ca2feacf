//! What must hold for any text.

use metascope_bsl::{Code, Engine, Expr, ModuleFacts, fold, highlight, read_module, read_module_with};
use proptest::prelude::*;

const SAMPLE: &str = concat!(
    include_str!("fixtures/headers.bsl"),
    include_str!("fixtures/statements.bsl"),
    include_str!("fixtures/expressions.bsl"),
    include_str!("fixtures/strings.bsl"),
    include_str!("fixtures/preprocessor.bsl"),
    include_str!("fixtures/extension.bsl"),
);

/// Places are in range, operands stand before what uses them, names are found on their lines.
fn check(source: &[u8], facts: &ModuleFacts) {
    let text = String::from_utf8_lossy(source);
    let lines: Vec<&str> = text.split('\n').collect();
    let line_has = |line: u32, name: &str| {
        lines.get(line as usize - 1).is_some_and(|text| text.contains(name) || name.contains('\u{1A}'))
    };
    for method in &facts.methods {
        assert!(method.line <= method.end_line && method.end_line as usize <= lines.len());
        assert!(method.bytes.0 < method.bytes.1 && method.bytes.1 as usize <= source.len());
        let piece = String::from_utf8_lossy(&source[method.bytes.0 as usize..method.bytes.1 as usize]);
        assert!(piece.contains(facts.text(method.name)) || facts.text(method.name).contains('\u{1A}'));
        assert!(method.region.is_none_or(|region| (region as usize) < facts.regions.len()));
    }
    for pair in facts.methods.windows(2) {
        assert!(pair[0].bytes.1 <= pair[1].bytes.0, "methods overlap");
    }
    for (_, code) in facts.codes() {
        check_code(code, lines.len() as u32);
        for call in code.calls() {
            assert!(line_has(call.line, facts.text(call.name)), "{} on {}", facts.text(call.name), call.line);
        }
    }
    for problem in &facts.problems {
        assert!(problem.line >= 1 && problem.line as usize <= lines.len() && problem.column >= 1);
    }
}

fn check_code(code: &Code, lines: u32) {
    for (index, node) in code.nodes.iter().enumerate() {
        assert!(node.line >= 1 && node.line <= lines);
        let before = |id: metascope_bsl::ExprId| assert!((id.0 as usize) < index, "an operand stands behind its user");
        match node.expr {
            Expr::Member(base, _) | Expr::Unary(_, base) => before(base),
            Expr::Index(a, b) | Expr::Binary(_, a, b) => [a, b].into_iter().for_each(before),
            Expr::Ternary(a, b, c) => [a, b, c].into_iter().for_each(before),
            Expr::Call { first, count, .. } | Expr::New { first, count, .. } => {
                let args = code.arguments(first, count);
                assert_eq!(args.len(), usize::from(count));
                args.iter().copied().for_each(before);
            }
            _ => {}
        }
    }
}

fn check_highlight(text: &str) {
    let mut end = 0;
    for token in highlight(text) {
        assert!(token.range.start >= end && token.range.start < token.range.end);
        assert!(text.get(token.range.clone()).is_some());
        end = token.range.end;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes(source in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&source, &read_module(&source));
    }

    #[test]
    fn any_tokens(words in proptest::collection::vec(prop::sample::select(vec![
        "Если", "Тогда", "КонецЕсли", "Процедура", "КонецПроцедуры", "Функция", "А", "Ждать", "Асинх", "Новый", "(", ")",
        "[", "]", ".", ",", ";", "=", "\"", "\"а\"", "|", "\n", "#Если", "#КонецЕсли", "#Удаление", "#КонецУдаления", "&",
        "НаКлиенте", "?", "~", ":", "'", "1", "1.", "ВызватьИсключение", "Не", "-", "//", "Ё", "\u{A0}", "< >", "Для",
        "Каждого", "Из", "Цикл", "Выполнить", "Перем", "Экспорт", "Знач", "<<<<<<< x", "\r",
    ]), 0..60), glue in any::<bool>()) {
        let source = words.join(if glue { "" } else { " " });
        let facts = read_module(source.as_bytes());
        check(source.as_bytes(), &facts);
        check_highlight(&source);
        let by_tree = read_module_with(source.as_bytes(), Engine::Tree).0;
        check(source.as_bytes(), &by_tree);
        prop_assert_eq!(facts.methods.len(), by_tree.methods.len());
    }

    #[test]
    fn truncated_and_changed_code(from in 0usize..SAMPLE.len(), length in 0usize..3000, at in 0usize..3000, byte in any::<u8>()) {
        let end = (from + length).min(SAMPLE.len());
        let mut source = SAMPLE.as_bytes()[from..end].to_vec();
        check(&source, &read_module(&source));
        if let Some(place) = source.get_mut(at) {
            *place = byte;
        }
        check(&source, &read_module(&source));
        check_highlight(&String::from_utf8_lossy(&source));
    }

    #[test]
    fn folding_is_stable(name in "\\PC{0,20}") {
        prop_assert_eq!(fold(&fold(&name)), fold(&name));
    }
}
