//! Looks a method through for what it does with what it is given.

use bsl::code::BinaryOp;
use bsl::{Code, Expr, ExprId, Method, ModuleFacts, StatementKind, Symbol};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::num::NonZeroU64;

use super::symbols::{Meaning, Symbols};
use super::{Compared, Gift, Given, Handed, MethodUses, Part};
use crate::summary::{Reader, Recipe};

/// Most comparisons, calls or actions of one method that are kept.
const MOST: usize = 200;

/// Looks through one method.
pub(super) struct Finder<'a, 's> {
    reader: Reader<'a>,
    pub(super) symbols: &'s Symbols<'a>,
    params: Vec<NonZeroU64>,
    /// What is assigned to variables, sorted by their names.
    assignments: Vec<(NonZeroU64, ExprId)>,
    /// Variables that calls were made of.
    receivers: Vec<(NonZeroU64, Option<Recipe<'a>>)>,
    /// Variables that may still be followed for one expression.
    pub(super) steps: Cell<usize>,
    pub(super) found: MethodUses<'a>,
    pub(super) callees: FxHashMap<Recipe<'a>, u32>,
}

/// One side of a comparison.
enum Operand {
    Given(u16),
    Left(u16),
    Right(u16),
    Find(u16, ExprId),
}

impl<'a, 's> Finder<'a, 's> {
    pub(super) fn new(
        facts: &'a ModuleFacts,
        method: &'a Method,
        symbols: &'s Symbols<'a>,
        callees: FxHashMap<Recipe<'a>, u32>,
    ) -> Self {
        let params = method.params.iter().map(|param| symbols.hash(param.name)).collect();
        let assignments = method.code.statements.iter().filter_map(|statement| match statement.kind {
            StatementKind::Assign(target, value) => match method.code.expr(target) {
                Expr::Name(name) => Some((symbols.hash(name), value)),
                _ => None,
            },
            _ => None,
        });
        let (reader, mut assignments) = (Reader::new(facts, method), assignments.collect::<Vec<_>>());
        assignments.sort_by_key(|(target, _)| *target);
        Self {
            reader,
            symbols,
            params,
            assignments,
            receivers: Vec::new(),
            steps: Cell::new(0),
            found: MethodUses::default(),
            callees,
        }
    }

    pub(super) fn code(&self) -> &'a Code {
        self.reader.code
    }

    pub(super) fn text(&self, symbol: Symbol) -> &'a str {
        self.reader.facts.text(symbol)
    }

    pub(super) fn param(&self, name: Symbol) -> Option<u16> {
        let name = self.symbols.hash(name);
        self.params.iter().position(|param| *param == name).map(|place| place as u16)
    }

    pub(super) fn assigned(&self, name: Symbol) -> impl Iterator<Item = ExprId> + '_ {
        let name = self.symbols.hash(name);
        let first = self.assignments.partition_point(|(target, _)| *target < name);
        let of_name = self.assignments.iter().skip(first).take_while(move |(target, _)| *target == name);
        of_name.map(|(_, value)| *value)
    }

    pub(super) fn look(&mut self) {
        let code = self.code();
        for node in &code.nodes {
            match node.expr {
                Expr::Binary(op, left, right) => {
                    self.compare(op, left, right);
                    self.compare(op, right, left);
                }
                Expr::Call { callee, first, count } => self.call(callee, code.arguments(first, count)),
                Expr::New { type_name: Some(name), first, count } => {
                    let args = code.arguments(first, count);
                    self.notify(name, args);
                    self.structure(name, args);
                }
                _ => {}
            }
        }
        for statement in &code.statements {
            if let StatementKind::Assign(target, value) = statement.kind
                && let Expr::Member(_, name) = code.expr(target)
            {
                if self.symbols.meaning(name) == Some(Meaning::Action) {
                    self.action(value);
                }
                let key = self.text(name);
                self.keep(key, value);
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, side: ExprId, other: ExprId) {
        use BinaryOp as B;
        if !matches!(op, B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge) || self.params.is_empty() {
            return;
        }
        let equality = matches!(op, B::Eq | B::Ne);
        match self.operand(side) {
            Some(Operand::Given(param)) if equality => self.compared(param, Part::Whole, other),
            Some(Operand::Left(param)) if equality => self.compared(param, Part::Start, other),
            Some(Operand::Right(param)) if equality => self.compared(param, Part::End, other),
            Some(Operand::Find(param, text)) => {
                let first = equality && matches!(self.code().expr(other), Expr::Number(n) if self.text(n) == "1");
                self.compared(param, if first { Part::Start } else { Part::Any }, text);
            }
            _ => {}
        }
    }

    fn operand(&self, side: ExprId) -> Option<Operand> {
        if let Some(param) = self.whole(side) {
            return Some(Operand::Given(param));
        }
        let (function, args) = self.function(side)?;
        let param = self.whole(*args.first()?)?;
        match function {
            Meaning::Left => Some(Operand::Left(param)),
            Meaning::Right => Some(Operand::Right(param)),
            Meaning::Find => Some(Operand::Find(param, *args.get(1)?)),
            _ => None,
        }
    }

    fn compared(&mut self, param: u16, part: Part, text: ExprId) {
        let text = match self.function(text) {
            Some((Meaning::Fold, args)) => args.first().copied().unwrap_or(text),
            _ => text,
        };
        if !matches!(
            self.code().expr(text),
            Expr::String(_) | Expr::Call { .. } | Expr::Name(_) | Expr::Binary(BinaryOp::Add, ..)
        ) {
            return;
        }
        for text in self.reader.all(text) {
            // An empty text names nothing; a parameter's own text is not known here.
            let named = !matches!(&text, Recipe::Text(text) if text.trim().is_empty())
                && matches!(text, Recipe::Text(_) | Recipe::Call { .. } | Recipe::Joined(..));
            let compared = Compared { param, part, text };
            if named && self.found.compares.len() < MOST && !self.found.compares.contains(&compared) {
                self.found.compares.push(compared);
            }
        }
    }

    /// A function of `data/comparisons.tsv` that an expression calls.
    pub(super) fn function(&self, expr: ExprId) -> Option<(Meaning, &'a [ExprId])> {
        let Expr::Call { callee, first, count } = self.code().expr(expr) else { return None };
        let Expr::Name(name) = self.code().expr(callee) else { return None };
        Some((self.symbols.meaning(name)?, self.code().arguments(first, count)))
    }

    fn call(&mut self, callee: ExprId, args: &[ExprId]) {
        let (receiver, name) = match self.code().expr(callee) {
            Expr::Name(name) => (None, name),
            Expr::Member(base, name) => (Some(base), name),
            _ => return,
        };
        match (receiver, args) {
            (None, [arg, text, ..]) => {
                let part = match self.symbols.meaning(name) {
                    Some(Meaning::Starts) => Some(Part::Start),
                    Some(Meaning::Ends) => Some(Part::End),
                    _ => None,
                };
                if let Some((part, param)) = part.zip(self.whole(*arg)) {
                    self.compared(param, part, *text);
                }
            }
            (Some(_), [_, action, ..]) if self.symbols.meaning(name) == Some(Meaning::SetAction) => {
                self.action(*action);
            }
            (Some(_), [key, value]) if self.symbols.meaning(name) == Some(Meaning::Insert) => {
                if let Expr::String(key) = self.code().expr(*key) {
                    let key = self.text(key);
                    self.keep(key, *value);
                }
            }
            _ => {}
        }
        self.hand(receiver, name, args);
    }

    fn hand(&mut self, receiver: Option<ExprId>, name: Symbol, args: &[ExprId]) {
        // Outside the module and common modules by name there is nothing that a call could be resolved to.
        let own = receiver.is_none();
        if args.is_empty() || own && !self.symbols.methods.contains(&self.symbols.hash(name)) {
            return;
        }
        let mut to = None;
        for (arg, &expr) in (0..).zip(args) {
            let (given, value) = match self.origin(expr, own) {
                Some(given) => (Some(given), None),
                None => (None, self.gift(expr)),
            };
            if given.is_none() && value.is_none() {
                continue;
            }
            if self.found.hands.len() >= MOST || self.found.gives.len() >= MOST {
                return;
            }
            let callee = match to {
                Some(callee) => callee,
                None => {
                    let Some(callee) = self.callee(receiver, name) else { return };
                    *to.insert(callee)
                }
            };
            self.pass(given, value, callee, arg);
        }
    }

    fn pass(&mut self, given: Option<Given>, value: Option<Recipe<'a>>, callee: u32, arg: u16) {
        if let Some(given) = given {
            let handed = Handed { given, callee, arg };
            if !self.found.hands.contains(&handed) {
                self.found.hands.push(handed);
            }
        }
        if let Some(value) = value {
            let gift = Gift { value, callee, arg };
            if !self.found.gives.contains(&gift) {
                self.found.gives.push(gift);
            }
        }
    }

    /// What an argument is, if something can be called on it or it can be executed.
    fn gift(&self, expr: ExprId) -> Option<Recipe<'a>> {
        if !matches!(self.code().expr(expr), Expr::Name(_) | Expr::New { .. } | Expr::Member(..) | Expr::Call { .. }) {
            return None;
        }
        self.reader.only(expr).filter(|value| {
            matches!(
                value,
                Recipe::Notification(..)
                    | Recipe::Call { .. }
                    | Recipe::Member(..)
                    | Recipe::Global(_)
                    | Recipe::Evaluated(_)
            )
        })
    }

    /// `Новый Структура("А, Б", Х, У)`.
    fn structure(&mut self, type_name: Symbol, args: &[ExprId]) {
        let Some((&keys, values)) = args.split_first() else { return };
        if self.symbols.meaning(type_name) != Some(Meaning::Structure) {
            return;
        }
        let Expr::String(keys) = self.code().expr(keys) else { return };
        for (key, &value) in self.text(keys).split(',').zip(values) {
            self.keep(key.trim(), value);
        }
    }

    /// Notes what stands under a key, if something can be called on it or it can be executed.
    fn keep(&mut self, key: &'a str, value: ExprId) {
        if self.found.keeps.len() >= MOST {
            return;
        }
        let value = match self.whole(value) {
            Some(param) => Some(Recipe::Param(param)),
            None => self.gift(value),
        };
        if let Some(value) = value {
            let kept = (key, value);
            if !self.found.keeps.contains(&kept) {
                self.found.keeps.push(kept);
            }
        }
    }

    /// `Новый ОписаниеОповещения("М", ЭтотОбъект, Х)`: the procedure gets `Х` as its second argument.
    fn notify(&mut self, type_name: Symbol, args: &[ExprId]) {
        let &[procedure, _, value, ..] = args else { return };
        if self.symbols.meaning(type_name) != Some(Meaning::Notification) {
            return;
        }
        let Expr::String(name) = self.code().expr(procedure) else { return };
        if !self.symbols.methods.contains(&self.symbols.hash(name)) {
            return;
        }
        let (given, gift) = match self.origin(value, false) {
            Some(given) => (Some(given), None),
            None => (None, self.gift(value)),
        };
        if (given.is_some() || gift.is_some())
            && let Some(callee) = self.callee(None, name)
        {
            self.pass(given, gift, callee, 1);
        }
    }

    fn callee(&mut self, receiver: Option<ExprId>, name: Symbol) -> Option<u32> {
        let receiver = match receiver {
            Some(receiver) => Some(Box::new(self.receiver(receiver)?)),
            None => None,
        };
        let callee = Recipe::Call { receiver, name: self.text(name), args: Vec::new() };
        let next = self.callees.len() as u32;
        Some(*self.callees.entry(callee).or_insert(next))
    }

    /// How the module comes about that a call is made of.
    fn receiver(&mut self, receiver: ExprId) -> Option<Recipe<'a>> {
        let variable = match self.code().expr(receiver) {
            Expr::Name(name) if self.param(name).is_some() => return None,
            Expr::Name(name) => Some(self.symbols.hash(name)),
            Expr::Call { .. } => None,
            _ => return None,
        };
        if let Some(variable) = variable
            && let Some((_, known)) = self.receivers.iter().find(|(known, _)| *known == variable)
        {
            return known.clone();
        }
        let read = self.reader.only(receiver).filter(|known| matches!(known, Recipe::Global(_) | Recipe::Call { .. }));
        self.receivers.extend(variable.map(|variable| (variable, read.clone())));
        read
    }

    fn action(&mut self, value: ExprId) {
        if !matches!(self.code().expr(value), Expr::String(_) | Expr::Name(_)) {
            return;
        }
        for recipe in self.reader.all(value) {
            if let Recipe::Text(name) = recipe
                && !name.is_empty()
                && self.found.actions.len() < MOST
                && !self.found.actions.contains(&name)
            {
                self.found.actions.push(name);
            }
        }
    }
}
