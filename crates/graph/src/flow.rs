//! What a variable may hold at a place: a walk over a method's statements in order, branches joined, loops widened.
//!
//! Only values that a call can be resolved by are followed; everything else is *open* (anything may stand there).

use bsl::code::{BinaryOp, UnaryOp};
use bsl::{Condition, Contexts, Expr, ExprId, Statement, StatementKind, Symbol};
use metadata::Kind;
use std::cell::RefCell;

use crate::names::Ident;
use crate::scope::{Binding, MethodContext};
use crate::settings::Gives;
use crate::value::{Origin, TextRef, Value, Values};
use crate::words::Word;
use crate::world::MethodId;

/// Deepest expression that is evaluated.
const DEEPEST: usize = 32;
/// Deepest nesting of blocks in which a loop's body is looked through before it is walked.
const DEEPEST_BLOCK: usize = 64;
/// Most patterns that one expression gives.
const MOST_PATTERNS: usize = 16;
/// Longest text that is looked at as code.
const LONGEST_CODE: usize = 1 << 16;
/// Longest text that is put together from parts.
const LONGEST_TEXT: usize = 200;

/// Stands in a [pattern](Flow::patterns) for a part of a text that nothing is known of. An identifier, so that the rest reads as
/// code.
pub const HOLE: &str = "__hole__";

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
        };
        for statement in &flow.cx.code.statements {
            if let StatementKind::Assign(target, value) = statement.kind
                && let Expr::Name(name) = flow.cx.code.expr(target)
                && flow.may_matter(value)
            {
                let name = flow.cx.module.first(name);
                if !flow.tracked.contains(&name) {
                    flow.tracked.push(name);
                }
            }
        }
        if !flow.tracked.is_empty() {
            flow.ahead = flow.conditions_within();
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

    /// Whether an expression may give a value that is followed, by its looks.
    fn may_matter(&self, expr: ExprId) -> bool {
        let code = self.cx.code;
        match code.expr(expr) {
            Expr::String(_) | Expr::Ternary(..) | Expr::Index(..) => true,
            Expr::Name(name) => match self.cx.binding(name) {
                Binding::Global(ident) => ident.is_some(),
                _ => true,
            },
            Expr::Member(base, _) => {
                matches!(code.expr(base), Expr::Name(name) if self.collection(name).is_some())
            }
            Expr::Call { callee, .. } => match code.expr(callee) {
                Expr::Name(name) | Expr::Member(_, name) => self.cx.module.ident(name).is_some(),
                _ => false,
            },
            Expr::Binary(BinaryOp::Add, left, _) => {
                matches!(code.expr(left), Expr::String(_) | Expr::Name(_))
            }
            Expr::Unary(UnaryOp::Await, value) => self.may_matter(value),
            _ => false,
        }
    }

    /// The collection of managers that a bare name means here.
    pub fn collection(&self, name: Symbol) -> Option<Kind> {
        match self.cx.binding(name) {
            Binding::Global(Some(ident)) => self.cx.module.world.collection(ident),
            _ => None,
        }
    }

    /// The text of a value, if it is one.
    pub fn text(&self, value: Value) -> Option<String> {
        match value {
            Value::Text(TextRef::Symbol(symbol)) => Some(self.cx.module.facts.text(symbol).to_owned()),
            Value::Text(TextRef::World(number)) => Some(self.cx.module.world.returned_text(number).to_owned()),
            Value::Text(TextRef::Built(number)) => self.built.borrow().get(number as usize).cloned(),
            _ => None,
        }
    }

    /// The identifiers that an expression may name as text: what a literal or a followed variable says.
    pub fn named_idents(&self, expr: ExprId) -> impl Iterator<Item = Ident> + '_ {
        let values = self.eval(expr);
        let found: Vec<Ident> = values
            .iter()
            .filter_map(|value| match value {
                Value::Text(TextRef::Symbol(symbol)) => self.cx.module.ident(symbol),
                _ => self.text(value).and_then(|text| self.cx.module.world.ident(&text)),
            })
            .collect();
        found.into_iter()
    }

    /// Texts that an expression may give, with [`HOLE`] for each part that is not known. Empty if all of it is unknown.
    pub fn patterns(&self, expr: ExprId) -> Vec<String> {
        let known = |expr| -> Vec<String> {
            let values = self.eval(expr);
            let mut texts: Vec<String> = values.iter().filter_map(|value| self.text(value)).collect();
            if values.open && !texts.is_empty() {
                texts.push(HOLE.to_owned());
            }
            texts
        };
        let (mut parts, mut ahead) = (Vec::new(), vec![expr]);
        while let Some(part) = ahead.pop() {
            match self.cx.code.expr(part) {
                Expr::Binary(BinaryOp::Add, left, right) => ahead.extend([right, left]),
                _ => parts.push(known(part)),
            }
        }
        if parts.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut patterns = vec![String::new()];
        for part in &parts {
            // Several variables with several values each would multiply.
            let several = part.len() * patterns.len() <= MOST_PATTERNS;
            match part.as_slice() {
                texts if several && !texts.is_empty() => {
                    let joined = |text: &String| patterns.iter().map(|p| format!("{p}{text}")).collect::<Vec<_>>();
                    patterns = texts.iter().flat_map(joined).collect();
                }
                _ => patterns.iter_mut().for_each(|pattern| pattern.push_str(HOLE)),
            }
        }
        patterns.retain(|pattern| pattern.len() <= LONGEST_CODE);
        patterns
    }

    /// Whether a known part of a text that is put together is a parameter: callers choose it.
    pub fn is_passed(&self, expr: ExprId) -> bool {
        let mut ahead = vec![expr];
        while let Some(part) = ahead.pop() {
            match self.cx.code.expr(part) {
                Expr::Binary(BinaryOp::Add, left, right) => ahead.extend([right, left]),
                Expr::Name(name) if matches!(self.cx.binding(name), Binding::Param(_)) && !self.eval(part).is_empty() => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// What an expression may give at the current statement.
    pub fn eval(&self, expr: ExprId) -> Values {
        self.eval_to(expr, DEEPEST)
    }

    fn eval_to(&self, expr: ExprId, depth: usize) -> Values {
        let Some(depth) = depth.checked_sub(1) else {
            return Values::unknown();
        };
        let code = self.cx.code;
        match code.expr(expr) {
            Expr::String(symbol) => Value::Text(TextRef::Symbol(symbol)).into(),
            Expr::Undefined | Expr::Null => Values::default(),
            Expr::Name(name) => self.eval_name(name),
            Expr::Member(base, name) => self.member(&self.eval_to(base, depth), |_| self.cx.module.ident(name)),
            Expr::Index(base, index) => {
                let names = self.eval_to(index, depth);
                let mut values = Values::with_open(names.open);
                let bases = self.eval_to(base, depth);
                for text in names.iter().filter_map(|name| self.text(name)) {
                    values.join(&self.member(&bases, |flow| flow.cx.module.world.ident(&text)));
                }
                if values.is_empty() { Values::unknown() } else { values }
            }
            Expr::Ternary(_, yes, no) => {
                let mut values = self.eval_to(yes, depth);
                values.join(&self.eval_to(no, depth));
                values
            }
            Expr::Unary(UnaryOp::Await, value) => self.eval_to(value, depth),
            Expr::Binary(BinaryOp::Add, left, right) => self.concat(left, right, depth),
            Expr::Call { callee, first, count } => self.eval_call(callee, code.arguments(first, count), depth),
            _ => Values::unknown(),
        }
    }

    fn eval_name(&self, name: Symbol) -> Values {
        let world = self.cx.module.world;
        let binding = self.cx.binding(name);
        match binding {
            Binding::Global(None) => Values::unknown(),
            Binding::Global(Some(ident)) => {
                if let Some(module) = world.common_module(ident) {
                    Value::Module { module, origin: Origin::Written }.into()
                } else if let Some(kind) = world.collection(ident) {
                    Value::Collection(kind).into()
                } else if world.word(ident) == Some(Word::This) {
                    Value::This.into()
                } else {
                    Values::unknown()
                }
            }
            _ => self.get(&self.state, self.cx.module.first(name), binding),
        }
    }

    /// What a variable holds in a state.
    fn get(&self, state: &State, name: Symbol, binding: Binding) -> Values {
        if let Some((_, values)) = state.vars.iter().find(|(known, _)| *known == name) {
            return *values;
        }
        match binding {
            Binding::Param(param) => match self.seeds.iter().find(|(seed, _)| *seed == param) {
                Some((_, values)) => *values,
                None => {
                    let mut wanted = self.wanted.borrow_mut();
                    if !wanted.contains(&param) {
                        wanted.push(param);
                    }
                    Values::unknown()
                }
            },
            Binding::Local if self.tracked.contains(&name) => Values::default(),
            _ => Values::unknown(),
        }
    }

    /// `base.name` for a collection of managers.
    fn member(&self, bases: &Values, name: impl Fn(&Self) -> Option<Ident>) -> Values {
        let mut values = Values::with_open(bases.open);
        for base in bases.iter() {
            let object = match base {
                Value::Collection(kind) => name(self).and_then(|name| self.cx.module.world.object(kind, name)),
                _ => None,
            };
            match object {
                Some(object) => values.add(Value::Manager { object, origin: Origin::Written }),
                None => values.open = true,
            }
        }
        values
    }

    fn concat(&self, left: ExprId, right: ExprId, depth: usize) -> Values {
        let lefts = self.eval_to(left, depth);
        if lefts.is_empty() {
            return Values::unknown();
        }
        let rights = self.eval_to(right, depth);
        let mut values = Values::with_open(lefts.open || rights.open);
        for left in lefts.iter().filter_map(|value| self.text(value)) {
            for right in rights.iter().filter_map(|value| self.text(value)) {
                if left.len() + right.len() <= LONGEST_TEXT {
                    let mut built = self.built.borrow_mut();
                    built.push(format!("{left}{right}"));
                    values.add(Value::Text(TextRef::Built(built.len() as u32 - 1)));
                } else {
                    values.open = true;
                }
            }
        }
        if values.is_empty() { Values::unknown() } else { values }
    }

    fn eval_call(&self, callee: ExprId, args: &[ExprId], depth: usize) -> Values {
        let world = self.cx.module.world;
        let (receiver, name) = match self.cx.code.expr(callee) {
            Expr::Name(name) => (None, name),
            Expr::Member(base, name) => (Some(base), name),
            _ => return Values::unknown(),
        };
        let Some(name) = self.cx.module.ident(name) else {
            return Values::unknown();
        };
        let mut values = Values::default();
        match receiver {
            None if world.word(name) == Some(Word::Eval) => {
                let texts = args.first().map_or_else(Values::unknown, |arg| self.eval_to(*arg, depth));
                values.open |= texts.open;
                for text in texts.iter().filter_map(|value| self.text(value)) {
                    match world.named(Gives::Any, &text, Origin::Evaluated) {
                        Some(value) => values.add(value),
                        None => values.open = true,
                    }
                }
            }
            None => match self.cx.module.own_method(name).or_else(|| world.global_method(name)) {
                Some(method) => values.join(&self.result(method, args, depth)),
                None => return Values::unknown(),
            },
            Some(receiver) => {
                let receivers = self.eval_to(receiver, depth);
                values.open |= receivers.open;
                for receiver in receivers.iter() {
                    let method = match receiver {
                        Value::Module { module, .. } => world.exported_method(module, name),
                        Value::This => self.cx.module.own_method(name),
                        _ => None,
                    };
                    match method {
                        Some(method) => values.join(&self.result(method, args, depth)),
                        None => values.open = true,
                    }
                }
            }
        }
        if values.is_empty() { Values::unknown() } else { values }
    }

    fn result(&self, method: MethodId, args: &[ExprId], depth: usize) -> Values {
        let mut arg = |index: u16| match args.get(usize::from(index)) {
            Some(arg) => self.eval_to(*arg, depth),
            None => Values::unknown(),
        };
        let values = self.cx.module.world.call_result(method, &mut arg, &|value| self.text(value));
        if values.is_empty() { Values::unknown() } else { values }
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
                }
            }
            StatementKind::If(_) => {
                let before = self.state.clone();
                self.frames.push(Frame::If { before, joined: None, has_else: false });
            }
            StatementKind::EndIf => {
                if let Some(Frame::If { before, joined, has_else }) = self.frames.pop() {
                    let state = self.join_option(joined, &self.state);
                    self.state = if has_else { state } else { self.join(before, &state) };
                }
            }
            StatementKind::While(_) => self.enter_loop(),
            StatementKind::For(name, ..) | StatementKind::ForEach(name, _) => {
                self.set(name, Values::unknown());
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
