//! The grammar: one parser a thread, and its kinds of nodes as numbers.

use std::sync::LazyLock;

use tree_sitter::{Language, Parser, Tree};

/// Kinds of nodes that lowering tells apart. Every name of the grammar that is not listed is [`Kind::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Other,
    /// Nodes that only wrap one other node.
    Wrapper,
    Paren,
    Unary,
    Binary,
    New,
    NewByType,
    MethodCall,
    /// `a.b()`, `a.b`, `a[b]` and what they begin with.
    Chain,
    Await,
    Index,
    Property,
    Arguments,
    Leaf,
    /// Statements whose parts are visited one by one.
    Block,
    Assignment,
    Call,
    Return,
    Raise,
    Var,
    For,
    ForEach,
    Break,
    Continue,
    Execute,
    Goto,
    Label,
    AddHandler,
    RemoveHandler,
    /// Reserved words that become markers.
    Keyword,
    /// Expressions below a block: conditions.
    Comma,
}

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_bsl::LANGUAGE.into());

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let language = &*LANGUAGE;
    (0..language.node_kind_count())
        .map(|id| language.node_kind_for_id(id as u16).map_or(Kind::Other, kind_of_name))
        .collect()
});

fn kind_of_name(name: &str) -> Kind {
    match name {
        "expression" | "const_expression" | "boolean" => Kind::Wrapper,
        "parenthesized_expression" => Kind::Paren,
        "unary_expression" => Kind::Unary,
        "binary_expression" => Kind::Binary,
        "new_expression" => Kind::New,
        "new_expression_method" => Kind::NewByType,
        "method_call" => Kind::MethodCall,
        "call_expression" | "property_access" | "access" => Kind::Chain,
        "await_expression" => Kind::Await,
        "index" => Kind::Index,
        "property" => Kind::Property,
        "arguments" => Kind::Arguments,
        "identifier" | "string" | "number" | "date" => Kind::Leaf,
        "TRUE_KEYWORD" | "FALSE_KEYWORD" | "UNDEFINED_KEYWORD" | "NULL_KEYWORD" => Kind::Leaf,
        "source_file" | "if_statement" | "elseif_clause" | "else_clause" | "while_statement" | "try_statement" => {
            Kind::Block
        }
        "assignment_statement" => Kind::Assignment,
        "call_statement" | "await_statement" => Kind::Call,
        "return_statement" => Kind::Return,
        "rise_error_statement" => Kind::Raise,
        "var_statement" | "var_definition" => Kind::Var,
        "for_statement" => Kind::For,
        "for_each_statement" => Kind::ForEach,
        "break_statement" => Kind::Break,
        "continue_statement" => Kind::Continue,
        "execute_statement" => Kind::Execute,
        "goto_statement" => Kind::Goto,
        "label_statement" => Kind::Label,
        "add_handler_statement" => Kind::AddHandler,
        "remove_handler_statement" => Kind::RemoveHandler,
        "IF_KEYWORD" | "ELSIF_KEYWORD" | "ELSE_KEYWORD" | "ENDIF_KEYWORD" | "WHILE_KEYWORD" | "ENDDO_KEYWORD"
        | "TRY_KEYWORD" | "EXCEPT_KEYWORD" | "ENDTRY_KEYWORD" => Kind::Keyword,
        "," | "omitted_argument" => Kind::Comma,
        _ => Kind::Other,
    }
}

/// The kind behind a node's number.
pub(crate) fn kind(id: u16) -> Kind {
    KINDS.get(usize::from(id)).copied().unwrap_or(Kind::Other)
}

/// The parser, made at first use. Without it (a grammar of another version) bodies are read from tokens.
#[derive(Default)]
pub(crate) struct Grammar {
    parser: Option<Parser>,
}

impl Grammar {
    /// The tree of some statements, if the grammar understood all of them.
    pub fn parse(&mut self, statements: &[u8]) -> Option<Tree> {
        if self.parser.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&LANGUAGE).ok()?;
            self.parser = Some(parser);
        }
        let tree = self.parser.as_mut()?.parse(statements, None)?;
        (!tree.root_node().has_error()).then_some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new version of the grammar may rename its nodes; then bodies would silently lose code.
    #[test]
    fn every_statement_and_expression_of_the_grammar_is_known() {
        let language = &*LANGUAGE;
        let known_elsewhere = ["preprocessor", "expression_statement"];
        for id in 0..language.node_kind_count() as u16 {
            let name = language.node_kind_for_id(id).unwrap_or("");
            if !language.node_kind_is_visible(id) || !language.node_kind_is_named(id) {
                continue;
            }
            let matters = name.ends_with("_statement") || name.ends_with("_expression") || name.ends_with("_clause");
            if matters && !known_elsewhere.contains(&name) && name != "ternary_expression" {
                assert_ne!(kind_of_name(name), Kind::Other, "{name}");
            }
        }
    }
}
