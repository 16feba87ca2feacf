//! What a method does with what it is given: the texts that it compares a parameter with, the calls that it hands a parameter
//! or its own form on to, the actions that it sets on items of a form.
//!
//! Links that stand in two modules need it: a form's handler that lets a common module compare the event's name, a common
//! module that sets actions of the form which it was given.

use bsl::code::BinaryOp;
use bsl::{Code, Expr, ExprId, Method, ModuleFacts, StatementKind, Symbol};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::sync::LazyLock;

use crate::names::{folded_hash, same};
use crate::summary::{DEEPEST, Reader, Recipe};
use crate::words::{self, Word};

/// Most comparisons, calls or actions of one method that are kept.
const MOST: usize = 200;
/// Longest chain of dots that is followed to its root.
const LONGEST_CHAIN: usize = 16;

/// What the methods of a module do with what they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// Calls that something is handed on to, each once and without its arguments.
    pub callees: Vec<Recipe>,
    /// Methods that do any of it, by their place in the module.
    pub methods: Vec<(u32, MethodUses)>,
    /// Hash of all of it. Edges from metadata depend on it, edges of other modules' code don't.
    pub hash: u64,
}

/// What one method does with what it is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MethodUses {
    /// Texts that parameters are compared with.
    pub compares: Vec<Compared>,
    /// Calls that parameters, or the module's own object, are handed on to.
    pub hands: Vec<Handed>,
    /// Values of its own that calls are given: what they are, the call, and the argument.
    pub gives: Vec<Gift>,
    /// Values that are kept under a key of a structure or in a property of that name.
    pub keeps: Vec<(String, Recipe)>,
    /// Names of procedures that are set as actions of items and commands of a form.
    pub actions: Vec<String>,
}

/// A value that a method gives to a call, as far as something can be called on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Gift {
    /// How the value comes about.
    pub value: Recipe,
    /// The call: its place in [`Uses::callees`].
    pub callee: u32,
    /// Which argument, from 0.
    pub arg: u16,
}

/// A parameter and a text that it is compared with, equal or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Compared {
    /// The parameter, from 0.
    pub param: u16,
    /// Which part of it.
    pub part: Part,
    /// The text.
    pub text: Recipe,
}

/// Which part of a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Part {
    /// All of it.
    Whole,
    /// What it starts with.
    Start,
    /// What it ends with.
    End,
    /// Anything in it.
    Any,
}

/// Something that a method hands on to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Handed {
    /// What.
    pub given: Given,
    /// The call: its place in [`Uses::callees`].
    pub callee: u32,
    /// Which argument, from 0.
    pub arg: u16,
}

/// What is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Given {
    /// A parameter as it is.
    Param(u16),
    /// Something that belongs to a parameter: `Форма.Элементы.Цена`.
    PartOf(u16),
    /// The module's own object or form.
    This,
}

/// What a name means here: a function of `data/comparisons.tsv`, or a word of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Fold,
    Starts,
    Ends,
    Find,
    Left,
    Right,
    This,
    SetAction,
    Action,
    Notification,
    Structure,
    Insert,
}

/// Names with a meaning, by their folded hash.
static MEANINGS: LazyLock<FxHashMap<u64, (Meaning, &'static str)>> = LazyLock::new(|| {
    let lines = include_str!("../data/comparisons.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let meaning = match cells.next()? {
            "fold" => Meaning::Fold,
            "starts" => Meaning::Starts,
            "ends" => Meaning::Ends,
            "find" => Meaning::Find,
            "left" => Meaning::Left,
            "right" => Meaning::Right,
            _ => return None,
        };
        Some((meaning, [cells.next()?, cells.next()?]))
    };
    let functions = lines.filter_map(row);
    let words = words::rows().filter_map(|(word, ru, en)| {
        let meaning = match word {
            Word::This => Meaning::This,
            Word::SetAction => Meaning::SetAction,
            Word::Action => Meaning::Action,
            Word::NotifyDescription => Meaning::Notification,
            Word::Structure => Meaning::Structure,
            Word::Insert => Meaning::Insert,
            _ => return None,
        };
        Some((meaning, [ru, en]))
    });
    let all = functions.chain(words).flat_map(|(meaning, names)| names.map(|name| (meaning, name)));
    all.map(|(meaning, name)| (folded_hash(name), (meaning, name))).collect()
});

/// The names of a module by their folded hashes, each hashed when it is asked for: most never are.
struct Symbols<'a> {
    facts: &'a ModuleFacts,
    hashes: Vec<Cell<Option<NonZeroU64>>>,
    /// Names of the module's own methods.
    methods: FxHashSet<NonZeroU64>,
}

impl<'a> Symbols<'a> {
    fn of(facts: &'a ModuleFacts) -> Self {
        let hashes = vec![Cell::new(None); facts.symbols.len()];
        let mut symbols = Self { facts, hashes, methods: FxHashSet::default() };
        symbols.methods = facts.methods.iter().map(|method| symbols.hash(method.name)).collect();
        symbols
    }

    /// The same number for all spellings of a name.
    fn hash(&self, symbol: Symbol) -> NonZeroU64 {
        let known = self.hashes.get(symbol.0 as usize);
        if let Some(hash) = known.and_then(Cell::get) {
            return hash;
        }
        let hash = NonZeroU64::new(folded_hash(self.facts.text(symbol))).unwrap_or(NonZeroU64::MIN);
        if let Some(slot) = known {
            slot.set(Some(hash));
        }
        hash
    }

    fn meaning(&self, symbol: Symbol) -> Option<Meaning> {
        let (meaning, name) = MEANINGS.get(&self.hash(symbol).get())?;
        same(name, self.facts.text(symbol)).then_some(*meaning)
    }
}

impl Uses {
    /// The uses of a module.
    pub(crate) fn of(facts: &ModuleFacts) -> Self {
        let mut uses = Self::default();
        let mut callees = FxHashMap::default();
        let symbols = Symbols::of(facts);
        for (place, method) in (0..).zip(&facts.methods) {
            let mut finder = Finder::new(facts, method, &symbols, callees);
            finder.look();
            let found = finder.found;
            callees = finder.callees;
            if found != MethodUses::default() {
                uses.methods.push((place, found));
            }
        }
        uses.callees = vec![Recipe::Param(0); callees.len()];
        for (callee, place) in callees {
            if let Some(slot) = uses.callees.get_mut(place as usize) {
                *slot = callee;
            }
        }
        let mut hasher = FxHasher::default();
        uses.callees.hash(&mut hasher);
        uses.methods.hash(&mut hasher);
        uses.hash = hasher.finish();
        uses
    }

    /// The uses of the method of that place.
    pub fn method(&self, place: u32) -> Option<&MethodUses> {
        let found = self.methods.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        self.methods.get(found).map(|(_, uses)| uses)
    }
}

/// Looks through one method.
struct Finder<'a> {
    reader: Reader<'a>,
    symbols: &'a Symbols<'a>,
    params: Vec<NonZeroU64>,
    assignments: Vec<(Symbol, ExprId)>,
    /// Variables that calls were made of.
    receivers: Vec<(NonZeroU64, Option<Recipe>)>,
    found: MethodUses,
    callees: FxHashMap<Recipe, u32>,
}

/// One side of a comparison.
enum Operand {
    Given(u16),
    Left(u16),
    Right(u16),
    Find(u16, ExprId),
}

impl<'a> Finder<'a> {
    fn new(
        facts: &'a ModuleFacts,
        method: &'a Method,
        symbols: &'a Symbols<'a>,
        callees: FxHashMap<Recipe, u32>,
    ) -> Self {
        let params = method.params.iter().map(|param| symbols.hash(param.name)).collect();
        let assignments = method.code.statements.iter().filter_map(|statement| match statement.kind {
            StatementKind::Assign(target, value) => match method.code.expr(target) {
                Expr::Name(name) => Some((name, value)),
                _ => None,
            },
            _ => None,
        });
        let (reader, assignments) = (Reader::new(facts, method), assignments.collect());
        Self { reader, symbols, params, assignments, receivers: Vec::new(), found: MethodUses::default(), callees }
    }

    fn code(&self) -> &'a Code {
        self.reader.code
    }

    fn text(&self, symbol: Symbol) -> &'a str {
        self.reader.facts.text(symbol)
    }

    fn param(&self, name: Symbol) -> Option<u16> {
        let name = self.symbols.hash(name);
        self.params.iter().position(|param| *param == name).map(|place| place as u16)
    }

    fn assigned(&self, name: Symbol) -> impl Iterator<Item = ExprId> + '_ {
        let hash = self.symbols.hash(name);
        self.assignments
            .iter()
            .filter(move |(target, _)| *target == name || self.symbols.hash(*target) == hash)
            .map(|(_, value)| *value)
    }

    fn look(&mut self) {
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
        if let Some(param) = self.given(side, DEEPEST) {
            return Some(Operand::Given(param));
        }
        let (function, args) = self.function(side)?;
        let param = self.given(*args.first()?, DEEPEST)?;
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
    fn function(&self, expr: ExprId) -> Option<(Meaning, &'a [ExprId])> {
        let Expr::Call { callee, first, count } = self.code().expr(expr) else { return None };
        let Expr::Name(name) = self.code().expr(callee) else { return None };
        Some((self.symbols.meaning(name)?, self.code().arguments(first, count)))
    }

    /// The parameter that an expression gives as it is, its case aside.
    fn given(&self, expr: ExprId, depth: usize) -> Option<u16> {
        let depth = depth.checked_sub(1)?;
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
                if let Some((part, param)) = part.zip(self.given(*arg, DEEPEST)) {
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

    fn pass(&mut self, given: Option<Given>, value: Option<Recipe>, callee: u32, arg: u16) {
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
    fn gift(&self, expr: ExprId) -> Option<Recipe> {
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
        let value = match self.given(value, DEEPEST) {
            Some(param) => Some(Recipe::Param(param)),
            None => self.gift(value),
        };
        if let Some(value) = value {
            let kept = (key.to_owned(), value);
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
        if given.is_some() || gift.is_some() {
            if let Some(callee) = self.callee(None, name) {
                self.pass(given, gift, callee, 1);
            }
        }
    }

    fn callee(&mut self, receiver: Option<ExprId>, name: Symbol) -> Option<u32> {
        let receiver = match receiver {
            Some(receiver) => Some(Box::new(self.receiver(receiver)?)),
            None => None,
        };
        let callee = Recipe::Call { receiver, name: self.text(name).to_owned(), args: Vec::new() };
        let next = self.callees.len() as u32;
        Some(*self.callees.entry(callee).or_insert(next))
    }

    /// How the module comes about that a call is made of.
    fn receiver(&mut self, receiver: ExprId) -> Option<Recipe> {
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

    /// Where an argument comes from; `parts`: whether parts of parameters count.
    fn origin(&self, expr: ExprId, parts: bool) -> Option<Given> {
        if let Expr::Name(name) = self.code().expr(expr)
            && self.symbols.meaning(name) == Some(Meaning::This)
        {
            return Some(Given::This);
        }
        match self.given(expr, DEEPEST) {
            Some(param) => Some(Given::Param(param)),
            None if parts => self.root(expr, DEEPEST).map(Given::PartOf),
            None => None,
        }
    }

    /// The parameter that something belongs to.
    fn root(&self, expr: ExprId, depth: usize) -> Option<u16> {
        let mut expr = expr;
        for _ in 0..LONGEST_CHAIN {
            match self.code().expr(expr) {
                Expr::Member(base, _) | Expr::Index(base, _) => expr = base,
                Expr::Call { callee, .. } if matches!(self.code().expr(callee), Expr::Member(..)) => expr = callee,
                Expr::Name(name) => {
                    let depth = depth.checked_sub(1)?;
                    let known = self.param(name);
                    return known.or_else(|| self.assigned(name).find_map(|value| self.root(value, depth)));
                }
                _ => return None,
            }
        }
        None
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
