//! What names mean in a module and in one of its methods: symbols mapped to identifiers of the world once a module, local
//! names once a method.

use bsl::query::QueryFacts;
use bsl::{Code, Expr, Method, ModuleFacts, StatementKind, Symbol};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

use crate::edge::{Channel, Confidence, DynamicSite, Edge};
use crate::names::{Ident, folded_hash, same};
use crate::words::Word;
use crate::world::{MethodId, ModuleId, World, WorldModule};

/// Longest name that a symbol is looked up as, in bytes.
const LONGEST: usize = 256;

/// A module being resolved.
pub struct ModuleContext<'a> {
    /// The configuration around it.
    pub world: &'a World,
    /// What was read from it.
    pub facts: &'a ModuleFacts,
    /// Which it is.
    pub id: ModuleId,
    /// The module as the world sees it.
    pub info: WorldModule,
    /// By symbol: its identifier in the world.
    idents: Vec<Option<Ident>>,
    /// By symbol: the first symbol of the same name without case.
    first: Vec<Symbol>,
    /// By first symbol: a variable of the module, or an attribute of its form or object.
    own: Vec<bool>,
    /// Queries that something asked for, by their text.
    queries: RefCell<FxHashMap<Symbol, Rc<QueryFacts>>>,
}

impl<'a> ModuleContext<'a> {
    pub(crate) fn new(world: &'a World, id: ModuleId, facts: &'a ModuleFacts) -> Self {
        let count = facts.symbols.len();
        let mut idents = vec![None; count];
        let mut first: Vec<Symbol> = (0..count as u32).map(Symbol).collect();
        let mut table: HashTable<(u64, Symbol)> = HashTable::with_capacity(count);
        for (symbol, text) in facts.symbols.iter() {
            if !is_identifier(text) {
                continue;
            }
            let hash = folded_hash(text);
            let index = symbol.0 as usize;
            match table.find(hash, |(_, other)| same(facts.text(*other), text)) {
                Some(&(_, other)) => {
                    first[index] = other;
                    idents[index] = idents[other.0 as usize];
                }
                None => {
                    table.insert_unique(hash, (hash, symbol), |(hash, _)| *hash);
                    idents[index] = world.ident_hashed(hash, text);
                }
            }
        }
        let mut own = vec![false; count];
        for variable in &facts.variables {
            if let Some(first) = first.get(variable.name.0 as usize) {
                own[first.0 as usize] = true;
            }
        }
        let hidden = world.hidden(id);
        if !hidden.is_empty() {
            for (index, ident) in idents.iter().enumerate() {
                if ident.is_some_and(|ident| hidden.contains(&ident)) {
                    own[first[index].0 as usize] = true;
                }
            }
        }
        Self { world, facts, id, info: world.module(id), idents, first, own, queries: RefCell::default() }
    }

    /// The identifier of a symbol; None if nothing of the configuration or of what channels look for bears that name.
    pub fn ident(&self, symbol: Symbol) -> Option<Ident> {
        self.idents.get(symbol.0 as usize).copied().flatten()
    }

    /// The word of the platform that a symbol is.
    pub fn word(&self, symbol: Symbol) -> Option<Word> {
        self.ident(symbol).and_then(|ident| self.world.word(ident))
    }

    /// One symbol for all spellings of a name.
    pub fn first(&self, symbol: Symbol) -> Symbol {
        self.first.get(symbol.0 as usize).copied().unwrap_or(symbol)
    }

    /// Whether a name is a variable of the module, or an attribute of its form or object.
    pub fn is_own(&self, symbol: Symbol) -> bool {
        self.own.get(self.first(symbol).0 as usize).copied().unwrap_or(false)
    }

    /// The facts of a query, read once.
    pub(crate) fn query(&self, text: Symbol, read: impl FnOnce(&str) -> QueryFacts) -> Rc<QueryFacts> {
        let known = self.queries.borrow().get(&text).cloned();
        known.unwrap_or_else(|| {
            let facts = Rc::new(read(self.facts.text(text)));
            self.queries.borrow_mut().insert(text, Rc::clone(&facts));
            facts
        })
    }

    /// The method of that name in this module.
    pub fn own_method(&self, name: Ident) -> Option<MethodId> {
        self.world.own_method(self.id, name)
    }
}

fn is_identifier(text: &str) -> bool {
    text.len() <= LONGEST
        && text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What a bare name means at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A parameter of the method, by its number.
    Param(u16),
    /// A variable of the method.
    Local,
    /// A variable of the module, or an attribute of its form or object.
    Own,
    /// Neither: a common module, a collection of managers, something of the platform, or unknown.
    Global(Option<Ident>),
}

/// Local names of one method after another; one allocation for a whole module.
pub(crate) struct Locals {
    /// By first symbol: the method that declares it last, and its parameter's number + 1 (0: no parameter).
    marks: Vec<(u32, u16)>,
    current: u32,
}

impl Locals {
    pub(crate) fn new(cx: &ModuleContext<'_>) -> Self {
        Self { marks: vec![(0, 0); cx.facts.symbols.len()], current: 0 }
    }

    /// Takes the names of the next method.
    pub(crate) fn enter(&mut self, cx: &ModuleContext<'_>, method: Option<&Method>, code: &Code) {
        self.current += 1;
        for statement in &code.statements {
            match statement.kind {
                StatementKind::Var(name) => self.mark(cx, name, 0),
                StatementKind::For(name, ..) | StatementKind::ForEach(name, _) => self.mark_assigned(cx, name),
                StatementKind::Assign(target, _) => {
                    if let Expr::Name(name) = code.expr(target) {
                        self.mark_assigned(cx, name);
                    }
                }
                _ => {}
            }
        }
        for (index, param) in method.iter().flat_map(|method| &method.params).enumerate() {
            self.mark(cx, param.name, index as u16 + 1);
        }
    }

    /// An assignment makes a local variable unless the module has one of that name.
    fn mark_assigned(&mut self, cx: &ModuleContext<'_>, name: Symbol) {
        if !cx.is_own(name) {
            self.mark(cx, name, 0);
        }
    }

    fn mark(&mut self, cx: &ModuleContext<'_>, name: Symbol, param: u16) {
        if let Some(mark) = self.marks.get_mut(cx.first(name).0 as usize) {
            *mark = (self.current, param);
        }
    }

    pub(crate) fn binding(&self, cx: &ModuleContext<'_>, name: Symbol) -> Binding {
        match self.marks.get(cx.first(name).0 as usize) {
            Some(&(method, 0)) if method == self.current => Binding::Local,
            Some(&(method, param)) if method == self.current => Binding::Param(param - 1),
            _ if cx.is_own(name) => Binding::Own,
            _ => Binding::Global(cx.ident(name)),
        }
    }
}

/// A method being resolved, or the statements outside methods.
pub struct MethodContext<'a> {
    /// Its module.
    pub module: &'a ModuleContext<'a>,
    /// The method; None for the module's body.
    pub method: Option<&'a Method>,
    /// Its place among the module's methods; None for the body.
    pub index: Option<u32>,
    /// The method in the world; None for the body.
    pub id: Option<MethodId>,
    /// Its code.
    pub code: &'a Code,
    /// The node of its full name, the source of its edges.
    pub node: u32,
    pub(crate) locals: &'a Locals,
}

impl MethodContext<'_> {
    /// What a bare name means here.
    pub fn binding(&self, name: Symbol) -> Binding {
        self.locals.binding(self.module, name)
    }

    /// An edge from this method to another one.
    pub fn edge(&self, channel: Channel, target: MethodId, confidence: Confidence, line: u32) -> Edge {
        let target = self.module.world.method(target).node;
        Edge { source: self.node, target, channel, confidence, file: self.module.info.file, line }
    }

    /// A place in this method that stays open.
    pub fn dynamic(&self, kind: &'static str, known: impl Into<String>, line: u32) -> DynamicSite {
        DynamicSite { node: self.node, kind, known: known.into(), file: self.module.info.file, line }
    }
}
