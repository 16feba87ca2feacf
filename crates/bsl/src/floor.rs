//! The floor that benchmarks compare with: the grammar alone.

use std::cell::RefCell;

use tree_sitter::Parser;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = RefCell::new(new_parser());
}

fn new_parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bsl::LANGUAGE.into()).ok()?;
    Some(parser)
}

/// Parses a whole module with the grammar and drops the tree: what reading a module can't be faster than.
/// False if there is no tree.
pub fn parse_alone(source: &[u8]) -> bool {
    PARSER.with_borrow_mut(|parser| parser.as_mut().is_some_and(|parser| parser.parse(source, None).is_some()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_text_has_a_tree() {
        assert!(super::parse_alone("Процедура А()\nКонецПроцедуры".as_bytes()));
        assert!(super::parse_alone(&[0xFF, b'(', 0]));
    }
}
