//! What a variable may hold at a place: a walk over a method's statements in order, branches joined, loops widened.
//!
//! Only values that a call can be resolved by are followed; everything else is *open* (anything may stand there). What an
//! expression gives is in [`eval`].

mod documented;
mod eval;
mod forms;
mod guard;
mod named;
mod query;

pub use eval::HOLE;

use bsl::{Condition, Contexts, Expr, ExprId, Statement, StatementKind, Symbol};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};

use documented::Documented;

use crate::scope::{Binding, MethodContext};
use crate::value::{Value, Values};
use crate::words::Word;

/// Deepest nesting of blocks in which a loop's body is looked through before it is walked.
const DEEPEST_BLOCK: usize = 64;

/// The variables that something may be known of, at one place.
#[derive(Clone, Debug, Default)]
struct State {
    vars: Vec<(Symbol, Values)>,
    /// The place is behind a return, a raise or a break.
    dead: bool,
}

enum Frame {
    If { before: State, joined: Option<State>, has_else: bool },
    Loop { entry: State, exits: Option<State> },
    Try { before: State, tried: Option<State> },
}

/// A branch of the preprocessor that the walk stands in.
struct Conditional {
    before: State,
    joined: Option<State>,
    /// Where this branch and those before it compile.
    covered: Contexts,
    end_line: u32,
}

/// The walk over one method: what its variables may hold at the current statement.
pub struct Flow<'a> {
    /// The method.
    pub cx: MethodContext<'a>,
    state: State,
    frames: Vec<Frame>,
    /// Branches of the preprocessor around the current statement, outer first.
    conditionals: Vec<Conditional>,
    /// Conditions within the method that the walk has not come to, the next one last.
    ahead: Vec<&'a Condition>,
    /// Variables worth following, by first symbol.
    tracked: Vec<Symbol>,
    /// What callers in the same module give to parameters.
    seeds: &'a [(u16, Values)],
    built: RefCell<Vec<String>>,
    /// Parameters whose values something depends on.
    wanted: RefCell<Vec<u16>>,
    /// What the doc comment says of the parameters, once asked for.
    docs: OnceCell<Vec<Documented>>,
    /// What is assigned to variables, once asked for.
    assigned: OnceCell<FxHashMap<Symbol, Vec<ExprId>>>,
    /// Only what the value's own origin tells counts, not what is kept elsewhere under the same name.
    strict: Cell<bool>,
    /// Only what is certain counts: see [`Flow::certain`].
    certain: bool,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(cx: MethodContext<'a>, seeds: &'a [(u16, Values)]) -> Self {
        let mut flow = Self {
            cx,
            state: State::default(),
            frames: Vec::new(),
            conditionals: Vec::new(),
            ahead: Vec::new(),
            tracked: Vec::new(),
            seeds,
            built: RefCell::default(),
            wanted: RefCell::default(),
            docs: OnceCell::new(),
            assigned: OnceCell::new(),
            strict: Cell::new(false),
            certain: false,
        };
        for statement in &flow.cx.code.statements {
            let name = match statement.kind {
                StatementKind::Assign(target, value) => match flow.cx.code.expr(target) {
                    Expr::Name(name) if flow.may_matter(value) => name,
                    _ => continue,
                },
                StatementKind::ForEach(name, collection)
                    if flow.is_filled(collection) || flow.may_matter(collection) =>
                {
                    name
                }
                _ => continue,
            };
            let name = flow.cx.module.first(name);
            if !flow.tracked.contains(&name) {
                flow.tracked.push(name);
            }
        }
        if !flow.tracked.is_empty() {
            flow.ahead = flow.conditions_within();
        }
        flow
    }

    /// A walk for those who say that something can't be: a set of values that isn't open is all that may stand there. What
    /// functions give back, what collections hold and what the code of a text may do is then not taken for known.
    pub(crate) fn certain(cx: MethodContext<'a>) -> Self {
        let runs_text = cx.code.statements.iter().any(|one| matches!(one.kind, StatementKind::Execute(_)));
        let mut flow = Self::new(cx, &[]);
        flow.strict = Cell::new(true);
        flow.certain = true;
        if runs_text {
            flow.tracked.clear();
        }
        flow
    }

    /// Conditions of the preprocessor that lie within the code, in reverse order of their lines.
    fn conditions_within(&self) -> Vec<&'a Condition> {
        let statements = &self.cx.code.statements;
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return Vec::new();
        };
        let facts = self.cx.module.facts;
        let (first, last) = match self.cx.method {
            Some(method) => (method.line, method.end_line),
            None => (first.line.saturating_sub(1), last.line + 1),
        };
        let within = |condition: &&Condition| first < condition.line && condition.end_line < last;
        let mut found: Vec<_> = facts.conditions.iter().filter(within).collect();
        found.sort_by_key(|condition| (std::cmp::Reverse(condition.line), condition.end_line));
        found
    }

    /// Brings branches of the preprocessor up to a line: `#Если А … #Иначе … #КонецЕсли` are branches like any other, except
    /// that each compiles somewhere.
    fn preprocess(&mut self, line: u32) {
        loop {
            let next = self.ahead.last().copied();
            let ended = self
                .conditionals
                .last()
                .is_some_and(|branch| branch.end_line < line && next.is_none_or(|next| next.line > branch.end_line));
            if ended && let Some(branch) = self.conditionals.pop() {
                // One line, the directive, lies between branches of one `#Если`.
                let follows = next.filter(|next| next.line == branch.end_line + 2);
                let Conditional { before, joined, covered, .. } = branch;
                let joined = self.join_option(joined, &self.state);
                if let Some(next) = follows {
                    self.ahead.pop();
                    self.state = before.clone();
                    let (covered, end_line) = (covered | next.contexts, next.end_line);
                    self.conditionals.push(Conditional { before, joined: Some(joined), covered, end_line });
                } else {
                    self.state = if covered.is_all() { joined } else { self.join(before, &joined) };
                }
            } else if let Some(next) = next.filter(|next| next.line <= line) {
                self.ahead.pop();
                let (before, covered, end_line) = (self.state.clone(), next.contexts, next.end_line);
                self.conditionals.push(Conditional { before, joined: None, covered, end_line });
            } else {
                return;
            }
        }
    }

    /// Parameters that something depends on and that no caller's values are known of.
    pub(crate) fn take_wanted(&self) -> Vec<u16> {
        self.wanted.take()
    }

    /// What a variable holds in a state.
    fn get(&self, state: &State, name: Symbol, binding: Binding) -> Values {
        if let Some((_, values)) = state.vars.iter().find(|(known, _)| *known == name) {
            return *values;
        }
        match binding {
            Binding::Param(param) => match self.seeds.iter().find(|(seed, _)| *seed == param) {
                Some((_, values)) => *values,
                None if let Some(mut values) = self.cx.module.world.handled(self.cx.node, param) => {
                    // Code may call a handler, too.
                    values.open |= self.certain;
                    values
                }
                None => {
                    let mut wanted = self.wanted.borrow_mut();
                    if !wanted.contains(&param) {
                        wanted.push(param);
                    }
                    let mut values = self.documented(param);
                    if let Some(given) = self.cx.id.and_then(|id| self.cx.module.world.given(id, param)) {
                        // An exported method has callers that nobody sees, and a value may come from where nobody looks.
                        let mut given = given.all_chosen();
                        given.open = true;
                        values.join(&given);
                    }
                    values
                }
            },
            Binding::Local if self.tracked.contains(&name) => Values::default(),
            _ => Values::unknown(),
        }
    }

    /// Whether a collection is a variable of the method that the method itself fills.
    fn is_filled(&self, collection: ExprId) -> bool {
        self.added(collection).next().is_some()
    }

    /// What the method adds to a variable: arguments of `X.Добавить(…)`.
    fn added(&self, collection: ExprId) -> impl Iterator<Item = ExprId> + '_ {
        let code = self.cx.code;
        let name = match code.expr(collection) {
            Expr::Name(name) if self.cx.binding(name) == Binding::Local => Some(self.cx.module.first(name)),
            _ => None,
        };
        let calls = name.into_iter().flat_map(move |name| code.calls().map(move |call| (name, call)));
        calls.filter_map(move |(name, call)| {
            let (Some(receiver), &[only]) = (call.receiver, call.args) else { return None };
            let Expr::Name(receiver) = code.expr(receiver) else { return None };
            let adds = self.cx.module.first(receiver) == name && self.cx.module.word(call.name) == Some(Word::Add);
            adds.then_some(only)
        })
    }

    /// What the elements of a collection may be: of one that the method fills itself, rows of a query's result.
    fn elements(&self, collection: ExprId) -> Values {
        let rows = self.eval(collection);
        if rows.iter().any(|value| matches!(value, Value::Rows(_))) {
            return rows;
        }
        let mut values = Values::default();
        for element in rows.iter().filter_map(|value| self.element(value)) {
            values.add(element);
        }
        if !values.is_empty() {
            values.open = rows.open;
            return values;
        }
        for added in self.added(collection) {
            values.join(&self.eval(added));
        }
        if let Expr::Name(name) = self.cx.code.expr(collection)
            && let Binding::Param(param) = self.cx.binding(name)
            && let Some(documented) = self.docs_of(param).filter(|documented| !documented.elements.is_empty())
        {
            values.join(&documented.elements);
        }
        // Others may have put something else into it.
        values.open |= self.certain;
        if values.is_empty() { Values::unknown() } else { values.all_chosen() }
    }

    fn set(&mut self, name: Symbol, values: Values) {
        let name = self.cx.module.first(name);
        match self.state.vars.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = values,
            None if self.tracked.contains(&name) => self.state.vars.push((name, values)),
            None => {}
        }
    }

    fn join(&self, mut a: State, b: &State) -> State {
        if b.dead {
            return a;
        }
        if a.dead {
            return b.clone();
        }
        for (name, values) in &mut a.vars {
            values.join(&self.get(b, *name, self.cx.binding(*name)));
        }
        for (name, values) in &b.vars {
            if !a.vars.iter().any(|(known, _)| known == name) {
                let mut joined = self.get(&a, *name, self.cx.binding(*name));
                joined.join(values);
                a.vars.push((*name, joined));
            }
        }
        a
    }

    fn join_option(&self, a: Option<State>, b: &State) -> State {
        match a {
            Some(a) => self.join(a, b),
            None => b.clone(),
        }
    }

    /// Before the expressions of a statement are looked at.
    pub(crate) fn enter(&mut self, index: usize, statement: Statement) {
        if !(self.ahead.is_empty() && self.conditionals.is_empty()) {
            self.preprocess(statement.line);
        }
        match statement.kind {
            StatementKind::ElseIf(_) => self.next_branch(false),
            StatementKind::Else => self.next_branch(true),
            StatementKind::While(_) | StatementKind::For(..) | StatementKind::ForEach(..) => self.widen(index),
            _ => {}
        }
    }

    /// After the expressions of a statement were looked at.
    pub(crate) fn leave(&mut self, statement: Statement) {
        match statement.kind {
            StatementKind::Assign(target, value) => {
                if let Expr::Name(name) = self.cx.code.expr(target)
                    && self.tracked.contains(&self.cx.module.first(name))
                {
                    let values = self.eval(value);
                    self.set(name, values);
                } else {
                    self.set_query_text(target, value);
                }
            }
            StatementKind::If(condition) => {
                let before = self.state.clone();
                self.frames.push(Frame::If { before, joined: None, has_else: false });
                self.guard(condition);
            }
            StatementKind::ElseIf(condition) => self.guard(condition),
            StatementKind::EndIf => {
                if let Some(Frame::If { before, joined, has_else }) = self.frames.pop() {
                    let state = self.join_option(joined, &self.state);
                    self.state = if has_else { state } else { self.join(before, &state) };
                }
            }
            StatementKind::While(_) => self.enter_loop(),
            StatementKind::For(name, ..) => {
                self.set(name, Values::unknown());
                self.enter_loop();
            }
            StatementKind::ForEach(name, collection) => {
                let values = self.elements(collection);
                self.set(name, values);
                self.enter_loop();
            }
            StatementKind::EndLoop => {
                if let Some(Frame::Loop { entry, exits }) = self.frames.pop() {
                    let state = self.join(entry, &self.state);
                    self.state = match exits {
                        Some(exits) => self.join(state, &exits),
                        None => state,
                    };
                }
            }
            StatementKind::Break => {
                let frame = self.frames.iter().rposition(|frame| matches!(frame, Frame::Loop { .. }));
                if let Some(index) = frame
                    && let Frame::Loop { exits, .. } = &mut self.frames[index]
                {
                    let exits = exits.take();
                    let joined = self.join_option(exits, &self.state);
                    if let Frame::Loop { exits, .. } = &mut self.frames[index] {
                        *exits = Some(joined);
                    }
                }
                self.state.dead = true;
            }
            StatementKind::Return(_) | StatementKind::Raise(_) | StatementKind::Continue | StatementKind::Goto(_) => {
                self.state.dead = true
            }
            StatementKind::Try => self.frames.push(Frame::Try { before: self.state.clone(), tried: None }),
            StatementKind::Except => {
                if let Some(Frame::Try { before, .. }) = self.frames.pop() {
                    let tried = std::mem::take(&mut self.state);
                    self.state = self.join(before.clone(), &tried);
                    self.frames.push(Frame::Try { before, tried: Some(tried) });
                }
            }
            StatementKind::EndTry => {
                if let Some(Frame::Try { tried: Some(tried), .. }) = self.frames.pop() {
                    self.state = self.join(tried, &self.state);
                }
            }
            StatementKind::Label(_) => {
                self.state.dead = false;
                self.forget();
            }
            _ => {}
        }
    }

    /// From here on every variable may hold anything.
    fn forget(&mut self) {
        self.state.vars = self.tracked.iter().map(|name| (*name, Values::unknown())).collect();
    }

    fn next_branch(&mut self, last: bool) {
        if let Some(Frame::If { before, joined, .. }) = self.frames.pop() {
            let joined = Some(self.join_option(joined, &self.state));
            self.state = before.clone();
            self.frames.push(Frame::If { before, joined, has_else: last });
        }
    }

    fn enter_loop(&mut self) {
        self.frames.push(Frame::Loop { entry: self.state.clone(), exits: None });
    }

    /// What a loop's own assignments may have left behind when its body begins again.
    fn widen(&mut self, start: usize) {
        if self.tracked.is_empty() {
            return;
        }
        if self.frames.len() > DEEPEST_BLOCK {
            self.forget();
            return;
        }
        let code = self.cx.code;
        let mut depth = 0_usize;
        for statement in code.statements.get(start..).unwrap_or(&[]) {
            match statement.kind {
                StatementKind::While(_) | StatementKind::For(..) | StatementKind::ForEach(..) => depth += 1,
                StatementKind::EndLoop => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                StatementKind::Assign(target, value) => {
                    if let Expr::Name(name) = code.expr(target) {
                        let first = self.cx.module.first(name);
                        if self.tracked.contains(&first) {
                            let mut values = self.get(&self.state, first, self.cx.binding(first));
                            values.join(&self.eval(value));
                            self.set(name, values);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
