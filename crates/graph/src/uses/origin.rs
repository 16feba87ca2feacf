//! Which parameter of a method an expression gives, or a part of which.

use bsl::{Expr, ExprId, Symbol};

use super::Given;
use super::finder::Finder;
use super::symbols::Meaning;
use crate::summary::DEEPEST;

/// Longest chain of dots that is followed to its root.
const LONGEST_CHAIN: usize = 16;
/// How many variables are followed for one expression.
const MOST_STEPS: usize = 64;

impl Finder<'_, '_> {
    /// Where an argument comes from; `parts`: whether parts of parameters count.
    pub(super) fn origin(&self, expr: ExprId, parts: bool) -> Option<Given> {
        if let Expr::Name(name) = self.code().expr(expr)
            && self.symbols.meaning(name) == Some(Meaning::This)
        {
            return Some(Given::This);
        }
        match self.whole(expr) {
            Some(param) => Some(Given::Param(param)),
            None if parts => self.owner(expr).map(Given::PartOf),
            None => None,
        }
    }

    /// The parameter that something belongs to.
    fn owner(&self, expr: ExprId) -> Option<u16> {
        self.steps.set(MOST_STEPS);
        self.root(expr, DEEPEST)
    }

    fn root(&self, expr: ExprId, depth: usize) -> Option<u16> {
        let mut expr = expr;
        for _ in 0..LONGEST_CHAIN {
            match self.code().expr(expr) {
                Expr::Member(base, _) | Expr::Index(base, _) => expr = base,
                Expr::Call { callee, .. } if matches!(self.code().expr(callee), Expr::Member(..)) => expr = callee,
                Expr::Name(name) => {
                    let depth = self.deeper(depth)?;
                    let known = self.param(name);
                    return known.or_else(|| self.assigned(name).find_map(|value| self.root(value, depth)));
                }
                _ => return None,
            }
        }
        None
    }

    /// The parameter that an expression gives as it is, its case aside.
    pub(super) fn whole(&self, expr: ExprId) -> Option<u16> {
        self.steps.set(MOST_STEPS);
        self.given(expr, DEEPEST)
    }

    /// One variable deeper; None where it goes too deep, or took too long already.
    fn deeper(&self, depth: usize) -> Option<usize> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    fn given(&self, expr: ExprId, depth: usize) -> Option<u16> {
        let depth = self.deeper(depth)?;
        match self.code().expr(expr) {
            Expr::Name(name) => {
                let mut values = self.assigned(name).peekable();
                match self.param(name) {
                    // An assignment that changes only its case leaves it what it was.
                    Some(param) => values.all(|value| self.given_again(value, name)).then_some(param),
                    None => {
                        let first = self.given(values.next()?, depth)?;
                        values.all(|value| self.given(value, depth) == Some(first)).then_some(first)
                    }
                }
            }
            Expr::Call { .. } => match self.function(expr)? {
                (Meaning::Fold, args) => self.given(*args.first()?, depth),
                _ => None,
            },
            _ => None,
        }
    }

    fn given_again(&self, value: ExprId, name: Symbol) -> bool {
        match self.function(value) {
            Some((Meaning::Fold, [arg, ..])) => {
                matches!(self.code().expr(*arg), Expr::Name(again) if self.symbols.hash(again) == self.symbols.hash(name))
            }
            _ => false,
        }
    }
}
