//! Sentences that several checks say, and names as code writes them.

use bsl::{Code, Expr, ExprId, ModuleFacts, nearest};

use super::report::Said;
use crate::Text;
use crate::dcs::words::{Kind, unknown_texts};

/// Longest path that is written out, in steps.
const LONGEST: usize = 6;
/// How many names are offered.
const OFFERED: usize = 3;

/// "There is no … of this name"; `written`: the name with what stands before it.
pub(crate) fn unknown<'n>(kind: Kind, written: String, wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Said {
    let names: Vec<&str> = names.into_iter().collect();
    let near = nearest(wrong, names.iter().copied(), OFFERED).into_iter().map(str::to_owned).collect();
    let (what, mend) = unknown_texts(kind, &written, []);
    let mend = if names.is_empty() { mend } else { unknown_texts(kind, wrong, names).1 };
    Said { name: written, what, mend, nearest: near }
}

/// A finding that no name is near to.
pub(crate) fn said(name: String, what: Text, mend: Text) -> Said {
    Said { name, what, mend, nearest: Vec::new() }
}

/// A path as written: `Справочники.Валюты.Найти`; `…` stands for what is no name.
pub(crate) fn path(facts: &ModuleFacts, code: &Code, expr: ExprId) -> String {
    let (mut parts, mut at) = (Vec::new(), expr);
    for _ in 0..LONGEST {
        match code.expr(at) {
            Expr::Name(name) => {
                parts.push(facts.text(name));
                parts.reverse();
                return parts.join(".");
            }
            Expr::Member(base, name) => {
                parts.push(facts.text(name));
                at = base;
            }
            _ => break,
        }
    }
    parts.push("…");
    parts.reverse();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use bsl::StatementKind;

    #[test]
    fn paths_are_written_out() {
        let facts = bsl::read_module("А = Б.В.Г; А = Б().В;".as_bytes());
        let code = &facts.body;
        let values = code.statements.iter().map(|statement| match statement.kind {
            StatementKind::Assign(_, value) => path(&facts, code, value),
            _ => String::new(),
        });
        assert_eq!(values.collect::<Vec<_>>(), ["Б.В.Г", "….В"]);
    }
}
