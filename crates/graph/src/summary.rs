//! What other modules need to know of a module.

use bsl::code::BinaryOp;
use bsl::{Code, Doc, DocType, Expr, ExprId, Method, MethodKind, ModuleFacts, StatementKind, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::sync::LazyLock;

use crate::names::{folded_hash, same};
use crate::settings::{Kept, Settings};
use crate::uses::Uses;
use crate::words::{self, Word};

/// Longest text that a [`Recipe`] keeps: longer ones name nothing.
pub(crate) const LONGEST_NAME: usize = 200;
/// How far a [`Recipe`] follows variables and nested calls.
pub(crate) const DEEPEST: usize = 4;
/// How many expressions of one function are looked at.
const MOST_STEPS: usize = 500;
/// How many results of one function are kept.
const MOST_RECIPES: usize = 8;

/// A module as others see it: small, made from its text alone. Its words are those of what it was read from: [`ModuleFacts`], or
/// the bytes that it was stored as.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleSummary<'a> {
    /// Methods in source order, those that are not exported too: metadata and the platform call them by name.
    #[serde(borrow)]
    pub methods: Vec<MethodSummary<'a>>,
    /// Names of methods and modules that the module keeps in properties and collections: what computed calls may reach.
    pub registers: Vec<Registered<'a>>,
    /// What its methods do with what they are given.
    pub uses: Uses<'a>,
}

/// A name that a module keeps for others to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Registered<'a> {
    /// `Модуль.Метод`, `Справочники.Х.Метод` in a property or a collection.
    Method(&'a str),
    /// The name of a module in a property that is called so.
    Module(&'a str),
}

/// A method as others see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MethodSummary<'a> {
    /// Name as written.
    pub name: &'a str,
    /// `Экспорт`.
    pub export: bool,
    /// True for a function.
    pub function: bool,
    /// Number of parameters. What they are called concerns nobody else, with one exception.
    pub params: u16,
    /// The parameter that bears the platform's name for the name of an event: forms may hand one on to it.
    pub event_name: Option<u16>,
    /// What a function may give back, as far as its own text shows something that a call can be resolved by.
    pub returns: Vec<Recipe<'a>>,
}

/// How a value comes about, in words of the text: names are not resolved yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Recipe<'a> {
    /// A literal.
    Text(&'a str),
    /// The argument of that number, from 0.
    Param(u16),
    /// A name that is neither a parameter nor a variable of the method: a common module, a collection of managers …
    Global(&'a str),
    /// `base.name`.
    Member(Box<Recipe<'a>>, &'a str),
    /// `left + right`.
    Joined(Box<Recipe<'a>>, Box<Recipe<'a>>),
    /// `Вычислить(text)`.
    Evaluated(Box<Recipe<'a>>),
    /// A value of that type: `Новый Массив`, or what the doc comment says.
    Typed(#[serde(borrow)] Cow<'a, str>),
    /// A notification description: the name of its procedure, and the module; None: the own one.
    Notification(&'a str, Option<Box<Recipe<'a>>>),
    /// A call; no receiver: of the own module, or of a global one.
    Call {
        /// What stands before the dot.
        receiver: Option<Box<Recipe<'a>>>,
        /// The function's name as written.
        name: &'a str,
        /// Arguments; None for what is not known.
        args: Vec<Option<Recipe<'a>>>,
    },
}

impl<'a> ModuleSummary<'a> {
    /// The summary of a module.
    pub fn of(facts: &'a ModuleFacts) -> Self {
        let methods = facts.methods.iter().map(|method| MethodSummary::of(facts, method)).collect();
        Self { methods, registers: registers(facts), uses: Uses::of(facts) }
    }
}

static SETTINGS: LazyLock<Settings> = LazyLock::new(Settings::default);

/// What a module keeps for others to call.
fn registers(facts: &ModuleFacts) -> Vec<Registered<'_>> {
    let mut found = Vec::new();
    let mut add = |registered| {
        if !found.contains(&registered) {
            found.push(registered);
        }
    };
    for (_, code) in facts.codes() {
        for statement in &code.statements {
            if let StatementKind::Assign(target, value) = statement.kind
                && let (Expr::Member(_, name), Expr::String(text)) = (code.expr(target), code.expr(value))
            {
                kept(facts.text(name), facts.text(text), &mut add);
            }
        }
        for call in code.calls().filter(|call| call.receiver.is_some()) {
            let (first, last) = match *call.args {
                [only] => (None, only),
                [key, value] => (Some(key), value),
                _ => continue,
            };
            match (code.expr(last), first.map(|first| code.expr(first))) {
                (Expr::String(text), Some(Expr::String(key))) => kept(facts.text(key), facts.text(text), &mut add),
                (Expr::String(text), _) => kept("", facts.text(text), &mut add),
                _ => {}
            }
        }
    }
    found
}

/// A literal under a name.
fn kept<'a>(name: &str, text: &'a str, add: &mut dyn FnMut(Registered<'a>)) {
    if text.len() > LONGEST_NAME || !text.split('.').all(is_identifier) {
        return;
    }
    if (2..=4).contains(&text.split('.').count()) {
        add(Registered::Method(text));
    }
    if !name.is_empty() && SETTINGS.keeps(Kept::Module, name) {
        add(Registered::Module(text));
    }
}

fn is_identifier(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

impl<'a> MethodSummary<'a> {
    fn of(facts: &'a ModuleFacts, method: &'a Method) -> Self {
        let function = method.kind == MethodKind::Function;
        let mut params = (0..).zip(&method.params);
        let event_name = params.find(|(_, param)| words::is(facts.text(param.name), Word::EventName));
        Self {
            name: facts.text(method.name),
            export: method.export,
            function,
            params: u16::try_from(method.params.len()).unwrap_or(u16::MAX),
            event_name: event_name.map(|(place, _)| place),
            returns: if function { returns(facts, method) } else { Vec::new() },
        }
    }
}

fn returns<'a>(facts: &'a ModuleFacts, method: &'a Method) -> Vec<Recipe<'a>> {
    let reader = Reader::new(facts, method);
    let mut found = Vec::new();
    for statement in &method.code.statements {
        if let StatementKind::Return(Some(value)) = statement.kind {
            reader.read(value, DEEPEST, &mut found);
        }
    }
    if let Some(doc) = method.doc {
        found.extend(documented(facts.text(doc)));
    }
    found
}

/// The types of a result that a doc comment names.
fn documented<'a>(comment: &str) -> impl Iterator<Item = Recipe<'a>> + use<'a> {
    Doc::parse(comment).returns.into_iter().filter_map(|t| match t {
        DocType::Named(name) => Some(Recipe::Typed(Cow::Owned(name))),
        DocType::See(_) => None,
    })
}

/// Reads recipes off one method, without regard to the order of its statements.
pub(crate) struct Reader<'a> {
    pub(crate) facts: &'a ModuleFacts,
    pub(crate) method: &'a Method,
    pub(crate) code: &'a Code,
    /// Variables by their folded hashes, once asked for.
    variables: OnceCell<Variables>,
    steps: Cell<usize>,
}

/// The variables of one method.
#[derive(Default)]
struct Variables {
    /// What is assigned to each, in source order.
    assigned: FxHashMap<u64, Vec<ExprId>>,
    /// Those that nothing is known of: of the module, declared, of loops.
    others: FxHashSet<u64>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(facts: &'a ModuleFacts, method: &'a Method) -> Self {
        Self { facts, method, code: &method.code, variables: OnceCell::new(), steps: Cell::new(MOST_STEPS) }
    }

    fn hash(&self, name: Symbol) -> u64 {
        folded_hash(self.facts.text(name))
    }

    fn variables(&self) -> &Variables {
        self.variables.get_or_init(|| {
            let mut variables = Variables::default();
            variables.others.extend(self.facts.variables.iter().map(|variable| self.hash(variable.name)));
            for statement in &self.code.statements {
                match statement.kind {
                    StatementKind::Assign(target, value) => {
                        if let Expr::Name(name) = self.code.expr(target) {
                            variables.assigned.entry(self.hash(name)).or_default().push(value);
                        }
                    }
                    StatementKind::Var(v) | StatementKind::For(v, ..) | StatementKind::ForEach(v, _) => {
                        variables.others.insert(self.hash(v));
                    }
                    _ => {}
                }
            }
            variables
        })
    }

    /// The recipes of an expression.
    pub(crate) fn all(&self, expr: ExprId) -> Vec<Recipe<'a>> {
        self.steps.set(MOST_STEPS);
        let mut found = Vec::new();
        self.read(expr, DEEPEST, &mut found);
        found
    }

    /// The recipe of an expression that has exactly one.
    pub(crate) fn only(&self, expr: ExprId) -> Option<Recipe<'a>> {
        self.steps.set(MOST_STEPS);
        self.one(expr, DEEPEST)
    }

    /// What is assigned to a variable anywhere in the method.
    fn assigned(&self, name: Symbol) -> impl Iterator<Item = ExprId> + '_ {
        self.variables().assigned.get(&self.hash(name)).into_iter().flatten().copied()
    }

    fn read(&self, expr: ExprId, depth: usize, found: &mut Vec<Recipe<'a>>) {
        let Some(left) = self.steps.get().checked_sub(1).filter(|_| depth > 0) else { return };
        self.steps.set(left);
        let recipe = match self.code.expr(expr) {
            Expr::String(text) => {
                let text = self.facts.text(text);
                (text.len() <= LONGEST_NAME).then_some(Recipe::Text(text))
            }
            Expr::Name(name) => {
                let mut local = false;
                for value in self.assigned(name) {
                    local = true;
                    self.read(value, depth - 1, found);
                }
                match self.param(name) {
                    Some(param) => Some(Recipe::Param(param)),
                    None if local || self.is_variable(name) => None,
                    None => Some(Recipe::Global(self.facts.text(name))),
                }
            }
            Expr::Member(base, name) => {
                self.one(base, depth - 1).map(|base| Recipe::Member(Box::new(base), self.facts.text(name)))
            }
            Expr::Binary(BinaryOp::Add, left, right) => {
                let parts = self.one(left, depth - 1).zip(self.one(right, depth - 1));
                parts.map(|(left, right)| Recipe::Joined(Box::new(left), Box::new(right)))
            }
            Expr::Ternary(_, yes, no) => {
                self.read(yes, depth - 1, found);
                self.read(no, depth - 1, found);
                None
            }
            Expr::New { type_name: Some(name), first, count } => {
                self.construct(name, self.code.arguments(first, count), depth)
            }
            Expr::Call { callee, first, count } => self.call(callee, self.code.arguments(first, count), depth),
            _ => None,
        };
        if let Some(recipe) = recipe
            && found.len() < MOST_RECIPES
            && !found.contains(&recipe)
        {
            found.push(recipe);
        }
    }

    fn call(&self, callee: ExprId, args: &[ExprId], depth: usize) -> Option<Recipe<'a>> {
        let (receiver, name) = match self.code.expr(callee) {
            Expr::Name(name) => (None, name),
            Expr::Member(base, name) => (Some(Box::new(self.one(base, depth - 1)?)), name),
            _ => return None,
        };
        let name = self.facts.text(name);
        if receiver.is_none() && words::is(name, Word::Eval) {
            return self.one(*args.first()?, depth - 1).map(|text| Recipe::Evaluated(Box::new(text)));
        }
        let args = args.iter().map(|arg| self.one(*arg, depth - 1)).collect();
        Some(Recipe::Call { receiver, name, args })
    }

    /// The recipe of an expression that has exactly one.
    fn one(&self, expr: ExprId, depth: usize) -> Option<Recipe<'a>> {
        let mut found = Vec::new();
        self.read(expr, depth, &mut found);
        let only = found.pop()?;
        found.is_empty().then_some(only)
    }

    fn construct(&self, type_name: Symbol, args: &[ExprId], depth: usize) -> Option<Recipe<'a>> {
        let name = self.facts.text(type_name);
        if !words::is(name, Word::NotifyDescription) {
            return Some(Recipe::Typed(Cow::Borrowed(name)));
        }
        let &[procedure, module, ..] = args else { return None };
        let procedure = self.facts.text(self.code.string(procedure)?);
        let own = matches!(self.code.expr(module), Expr::Name(name) if words::is(self.facts.text(name), Word::This));
        let module = if own { None } else { Some(Box::new(self.one(module, depth - 1)?)) };
        Some(Recipe::Notification(procedure, module))
    }

    fn param(&self, name: Symbol) -> Option<u16> {
        self.method.params.iter().position(|param| self.same_name(param.name, name)).map(|index| index as u16)
    }

    /// Whether a name is a variable of the module or of the method that nothing is known of.
    fn is_variable(&self, name: Symbol) -> bool {
        self.variables().others.contains(&self.hash(name))
    }

    fn same_name(&self, a: Symbol, b: Symbol) -> bool {
        a == b || same(self.facts.text(a), self.facts.text(b))
    }
}
