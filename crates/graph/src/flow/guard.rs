//! What a condition tells of a variable: `Если ТипЗнч(Х) = Тип("СправочникОбъект.Валюты") Тогда`.

use bsl::code::BinaryOp;
use bsl::{Expr, ExprId, Symbol};

use super::Flow;
use crate::scope::Binding;
use crate::value::Values;
use crate::words::Word;

impl Flow<'_> {
    /// Takes over what holds where a condition is true.
    pub(super) fn guard(&mut self, condition: ExprId) {
        let mut ahead = vec![condition];
        while let Some(expr) = ahead.pop() {
            match self.cx.code.expr(expr) {
                Expr::Binary(BinaryOp::And, left, right) => ahead.extend([left, right]),
                Expr::Binary(BinaryOp::Or, ..) => {
                    if let Some((name, values)) = self.one_of(expr) {
                        self.assume(name, values);
                    }
                }
                Expr::Binary(BinaryOp::Eq, left, right) => {
                    if let Some((name, values)) = self.type_test(left, right) {
                        self.assume(name, values);
                    }
                }
                _ => {}
            }
        }
    }

    /// `ТипЗнч(Х) = А Или ТипЗнч(Х) = Б`, all of one variable.
    fn one_of(&self, condition: ExprId) -> Option<(Symbol, Values)> {
        let (mut found, mut ahead) = (None::<(Symbol, Values)>, vec![condition]);
        while let Some(expr) = ahead.pop() {
            let (name, values) = match self.cx.code.expr(expr) {
                Expr::Binary(BinaryOp::Or, left, right) => {
                    ahead.extend([left, right]);
                    continue;
                }
                Expr::Binary(BinaryOp::Eq, left, right) => self.type_test(left, right)?,
                _ => return None,
            };
            match &mut found {
                None => found = Some((name, values)),
                Some((known, all)) if self.cx.module.first(*known) == self.cx.module.first(name) => all.join(&values),
                Some(_) => return None,
            }
        }
        found
    }

    /// `ТипЗнч(Х) = Тип("…")`, either way round.
    fn type_test(&self, left: ExprId, right: ExprId) -> Option<(Symbol, Values)> {
        let pair = |test, t| Some((self.argument_of(test, Word::TypeOf)?, self.argument_of(t, Word::Type)?));
        let (test, t) = pair(left, right).or_else(|| pair(right, left))?;
        let (Expr::Name(name), Expr::String(text)) = (self.cx.code.expr(test), self.cx.code.expr(t)) else {
            return None;
        };
        let local = matches!(self.cx.binding(name), Binding::Param(_) | Binding::Local);
        let value = self.cx.module.world.value_of_type(self.cx.module.facts.text(text))?;
        local.then(|| (name, value.into()))
    }

    /// The only argument of a call of a function of the platform.
    pub(super) fn argument_of(&self, call: ExprId, word: Word) -> Option<ExprId> {
        let Expr::Call { callee, first, count } = self.cx.code.expr(call) else { return None };
        let Expr::Name(name) = self.cx.code.expr(callee) else { return None };
        let found = self.cx.module.word(name) == Some(word);
        found.then(|| self.cx.code.arguments(first, count).first().copied()).flatten()
    }

    fn assume(&mut self, name: Symbol, values: Values) {
        let name = self.cx.module.first(name);
        match self.state.vars.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = values,
            None => self.state.vars.push((name, values)),
        }
    }
}
