//! What is known of a text that no single literal gives: `"Запись_" + Имя` is `Запись_*`.

use bsl::code::BinaryOp;
use bsl::{Expr, ExprId};

use crate::flow::Flow;

/// Most operands of one concatenation that are looked at.
const MOST: usize = 32;

impl Flow<'_> {
    /// The texts that an expression may give; None in place of those that are not known.
    pub fn texts(&self, expr: ExprId) -> Vec<Option<String>> {
        let values = self.eval(expr);
        let mut texts: Vec<_> = values.iter().map(|value| self.text(value)).collect();
        if values.open || texts.is_empty() {
            texts.push(None);
        }
        texts
    }

    /// What is known of a text: it, with `*` for each part that is not known. `*` alone: nothing is.
    pub fn pattern(&self, expr: ExprId) -> String {
        let mut pattern = String::new();
        let mut ahead = vec![expr];
        for _ in 0..MOST {
            let Some(expr) = ahead.pop() else { return pattern };
            match self.cx.code.expr(expr) {
                Expr::Binary(BinaryOp::Add, left, right) => ahead.extend([right, left]),
                _ => match self.texts(expr).as_slice() {
                    [Some(text)] => pattern.push_str(text),
                    _ if pattern.ends_with('*') => {}
                    _ => pattern.push('*'),
                },
            }
        }
        if !pattern.ends_with('*') {
            pattern.push('*');
        }
        pattern
    }
}
