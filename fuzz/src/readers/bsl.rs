//! `bsl`: modules; the texts of queries in them; colours; comparison of text under control; comments.

use super::{Reader, ends_in};
use crate::seeds::Seed;
use crate::syntax::Syntax;
use bsl::{Code, Doc, Expr, ExprId, ModuleFacts};
use metadata::Format;

/// The reader.
pub struct Bsl;

impl Reader for Bsl {
    fn name(&self) -> &'static str {
        "bsl"
    }

    fn wants(&self, _: Format, path: &str) -> bool {
        ends_in(path, &["bsl"])
    }

    fn seeds(&self, _: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed> {
        vec![Seed::whole(path, Syntax::Module, bytes)]
    }

    /// The texts of queries are read as well, and the text is compared with its seed and itself.
    fn passes(&self) -> u32 {
        12
    }

    fn read(&self, seed: &Seed, input: &[u8]) -> Vec<String> {
        let mut broken = Vec::new();
        let facts = bsl::read_module(input);
        check(input, &facts, &mut broken);
        for text in bsl::query_texts(&facts) {
            let read = text.read();
            if read.tables.iter().any(|table| text.line_of(table.span) == 0) {
                broken.push("a table of a query on line 0".to_owned());
            }
        }
        let text = String::from_utf8_lossy(input);
        check_colours(&text, &mut broken);
        let base = String::from_utf8_lossy(&seed.bytes);
        if bsl::control::drift(&text, &text).is_some() && !text.contains('#') {
            broken.push("a text differs from itself".to_owned());
        }
        let _ = bsl::control::drift(&base, &text);
        let _ = bsl::control::same_code(&base, &text);
        let _ = Doc::parse(&text);
        broken
    }
}

/// Places are in range, operands stand before what uses them.
pub(super) fn check(source: &[u8], facts: &ModuleFacts, broken: &mut Vec<String>) {
    let lines = memchr::memchr_iter(b'\n', source).count() as u32 + 1;
    let mut rule = |holds: bool, what: &str| {
        if !holds {
            broken.push(what.to_owned());
        }
    };
    for method in &facts.methods {
        rule(method.line <= method.end_line && method.end_line <= lines, "lines of a method");
        rule(method.bytes.0 < method.bytes.1 && method.bytes.1 as usize <= source.len(), "bytes of a method");
        rule(method.region.is_none_or(|region| (region as usize) < facts.regions.len()), "region of a method");
    }
    let apart = facts.methods.windows(2).all(|pair| matches!(pair, [a, b] if a.bytes.1 <= b.bytes.0));
    rule(apart, "methods overlap");
    for (_, code) in facts.codes() {
        rule(is_in_order(code, lines), "an operand behind its user, or a line beyond the end");
        rule(code.calls().all(|call| call.line >= 1 && call.line <= lines), "line of a call");
    }
    rule(facts.problems.iter().all(|p| p.line >= 1 && p.line <= lines && p.column >= 1), "place of a problem");
}

fn is_in_order(code: &Code, lines: u32) -> bool {
    code.nodes.iter().enumerate().all(|(index, node)| {
        let before = |id: ExprId| (id.0 as usize) < index;
        let operands = match node.expr {
            Expr::Member(base, _) | Expr::Unary(_, base) => before(base),
            Expr::Index(a, b) | Expr::Binary(_, a, b) => before(a) && before(b),
            Expr::Ternary(a, b, c) => before(a) && before(b) && before(c),
            Expr::Call { first, count, .. } | Expr::New { first, count, .. } => {
                let arguments = code.arguments(first, count);
                arguments.len() == usize::from(count) && arguments.iter().copied().all(before)
            }
            _ => true,
        };
        operands && node.line >= 1 && node.line <= lines
    })
}

/// Coloured ranges follow each other, on borders of characters.
fn check_colours(text: &str, broken: &mut Vec<String>) {
    let mut end = 0;
    for token in bsl::highlight(text) {
        let follows = token.range.start >= end && token.range.start < token.range.end;
        if !follows || text.get(token.range.clone()).is_none() {
            broken.push("a coloured range out of order".to_owned());
            return;
        }
        end = token.range.end;
    }
}
