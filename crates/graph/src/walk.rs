//! The one walk over a module's code that all channels share.

use bsl::{Code, Expr, ExprId, Statement, StatementKind};
use rustc_hash::FxHashMap;

use crate::channels::{self, AssignSite, LiteralSite, NewSite, Place, Receiver, Rule, Site};
use crate::edge::Edges;
use crate::flow::Flow;
use crate::names::Ident;
use crate::refs::{CodeContext, ModuleReferences};
use crate::scope::{Binding, Locals, MethodContext, ModuleContext};
use crate::settings::Gives;
use crate::value::{Origin, TextRef, Value, Values};
use crate::words::Word;

/// How often a module is walked anew because its own calls showed what parameters hold.
const ROUNDS: usize = 3;

/// What calls inside the module give to its methods' parameters, by the method's place.
pub(crate) type Seeds = FxHashMap<u32, Vec<(u16, Values)>>;

/// What one walk over a module shows of its parameters.
#[derive(Default)]
struct Passed {
    /// Method and parameter -> what calls inside the module give to it.
    given: FxHashMap<(u32, u16), Values>,
    /// Parameters that something depends on.
    wanted: Vec<(u32, u16)>,
}

/// The edges of one module.
pub(crate) fn walk(module: &ModuleContext<'_>) -> Edges {
    let mut references = ModuleReferences::new(module);
    let (_, mut out) = rounds(module, &mut references);
    for channel in channels::all() {
        channel.module(module, &mut out);
    }
    references.queries(module);
    out.references = references.finish();
    out
}

/// What calls inside a module give to its methods' parameters.
pub(crate) fn seeds(module: &ModuleContext<'_>) -> Seeds {
    rounds(module, &mut ModuleReferences::new(module)).0
}

/// Walks as often as that shows something new of parameters.
fn rounds<'a>(module: &'a ModuleContext<'a>, references: &mut ModuleReferences<'a>) -> (Seeds, Edges) {
    let mut seeds = Seeds::default();
    let mut out = Edges::default();
    for round in 1..=ROUNDS {
        let mut passed = Passed::default();
        out = Edges::default();
        references.clear();
        walk_once(module, &seeds, &mut passed, references, &mut out);
        if round == ROUNDS || !sow(module, &passed, &mut seeds) {
            break;
        }
    }
    (seeds, out)
}

/// Takes over what is known of parameters that matter; false if nothing is new.
fn sow(module: &ModuleContext<'_>, passed: &Passed, seeds: &mut Seeds) -> bool {
    let mut changed = false;
    for &(method, param) in &passed.wanted {
        let Some(&(mut values)) = passed.given.get(&(method, param)) else {
            continue;
        };
        if !values.iter().any(|value| may_resolve(module, value)) {
            continue;
        }
        // Others may call an exported method with something else.
        values.open |= module.facts.methods.get(method as usize).is_none_or(|method| method.export);
        let known = seeds.entry(method).or_default();
        if known.iter().all(|(seed, _)| *seed != param) {
            known.push((param, values.chosen()));
            changed = true;
        }
    }
    changed
}

/// Whether a value can resolve a call: a text must name something.
fn may_resolve(module: &ModuleContext<'_>, value: Value) -> bool {
    match value {
        Value::Text(TextRef::Symbol(symbol)) => {
            let own = module.ident(symbol).and_then(|name| module.own_method(name));
            let (world, text) = (module.world, module.facts.text(symbol));
            own.is_some()
                || world.named(Gives::Any, text, Origin::Named).is_some()
                || world.form_named(text).is_some()
                || world.is_heard(text)
        }
        Value::Text(_) | Value::Undefined => false,
        _ => true,
    }
}

fn walk_once(
    module: &ModuleContext<'_>,
    seeds: &Seeds,
    passed: &mut Passed,
    references: &mut ModuleReferences<'_>,
    out: &mut Edges,
) {
    let rules = channels::all();
    let mut locals = Locals::new(module);
    for (index, (method, code)) in module.facts.codes().enumerate() {
        if code.nodes.is_empty() {
            continue;
        }
        locals.enter(module, method, code);
        let index = method.map(|_| index as u32);
        let node = match method {
            Some(method) => match module.ident(method.name).and_then(|name| module.own_method(name)) {
                Some(id) => module.world.method(id).node,
                None => continue,
            },
            None => module.info.body,
        };
        let id = index.map(|index| module.world.method_at(module.id, index));
        let cx = MethodContext { module, method, index, id, code, node, locals: &locals };
        let seeds = index.and_then(|index| seeds.get(&index)).map_or(&[][..], Vec::as_slice);
        let mut flow = Flow::new(cx, seeds);
        let around = references.enter(module, index.map(|index| index as usize), code);
        let mut edging = Edging { code, rules, around: &around, passed, references, out };
        visit(&mut flow, code, &mut edging);
        if let Some(index) = index {
            passed.wanted.extend(flow.take_wanted().into_iter().map(|param| (index, param)));
        }
    }
}

/// What is done at each place of a method's code, with what is known of its variables there.
pub(crate) trait Visit {
    /// An expression; its operands came before it.
    fn node(&mut self, flow: &Flow<'_>, id: ExprId);

    /// A statement, behind its expressions.
    fn statement(&mut self, flow: &Flow<'_>, statement: Statement);
}

/// Statements in order; the nodes of a statement stand behind those of the statement before it.
pub(crate) fn visit(flow: &mut Flow<'_>, code: &Code, visitor: &mut impl Visit) {
    let mut next = 0;
    for (index, statement) in code.statements.iter().enumerate() {
        flow.enter(index, *statement);
        if let Some(last) = last_node(statement.kind) {
            for node in next..=last.0 {
                visitor.node(flow, ExprId(node));
            }
            next = next.max(last.0 + 1);
        }
        visitor.statement(flow, *statement);
        flow.leave(*statement);
    }
    for node in next..code.nodes.len() as u32 {
        visitor.node(flow, ExprId(node));
    }
}

/// What channels and references see of a method.
struct Edging<'w, 'm> {
    code: &'w Code,
    rules: &'w [&'w dyn Rule],
    around: &'w CodeContext,
    passed: &'w mut Passed,
    references: &'w mut ModuleReferences<'m>,
    out: &'w mut Edges,
}

impl Visit for Edging<'_, '_> {
    fn node(&mut self, flow: &Flow<'_>, id: ExprId) {
        look_at(flow, self.code, id, self.rules, self.passed, self.out);
        self.references.look_at(flow, self.around, id);
    }

    fn statement(&mut self, flow: &Flow<'_>, statement: Statement) {
        look_at_statement(flow, self.code, statement, self.rules, self.out);
    }
}

/// What a statement shows beside its expressions.
fn look_at_statement(flow: &Flow<'_>, code: &Code, statement: Statement, rules: &[&dyn Rule], out: &mut Edges) {
    match statement.kind {
        StatementKind::Assign(target, value) => {
            let place = match code.expr(target) {
                Expr::Member(base, name) => {
                    let site = AssignSite { base, name, value, line: statement.line };
                    for rule in rules {
                        rule.assign(flow, &site, out);
                    }
                    Place::Property { base, name }
                }
                Expr::Name(name) => Place::Variable(name),
                _ => return,
            };
            literal(flow, code, value, place, rules, out);
        }
        StatementKind::Execute(_) | StatementKind::AddHandler(..) | StatementKind::Return(Some(_)) => {
            for rule in rules {
                rule.statement(flow, statement, out);
            }
        }
        _ => {}
    }
}

/// Shows a literal that names methods to the channels.
fn literal(flow: &Flow<'_>, code: &Code, expr: ExprId, place: Place<'_>, rules: &[&dyn Rule], out: &mut Edges) {
    let Expr::String(symbol) = code.expr(expr) else { return };
    let module = flow.cx.module;
    let own = module.ident(symbol).and_then(|name| module.own_method(name));
    let (methods, bare) = match own {
        Some(own) => (vec![own], true),
        None => (module.world.methods_named(module.facts.text(symbol)), false),
    };
    if methods.is_empty() {
        return;
    }
    let site = LiteralSite { symbol, line: code.line(expr), methods: &methods, bare, place };
    for rule in rules {
        rule.literal(flow, &site, out);
    }
}

/// The last expression of a statement: nodes of a statement stand behind those of the statement before it.
pub(crate) fn last_node(kind: StatementKind) -> Option<ExprId> {
    use StatementKind as S;
    match kind {
        S::Assign(a, b) | S::For(_, a, b) | S::AddHandler(a, b) | S::RemoveHandler(a, b) => Some(a.max(b)),
        S::Call(a) | S::If(a) | S::ElseIf(a) | S::While(a) | S::ForEach(_, a) | S::Execute(a) => Some(a),
        S::Return(a) | S::Raise(a) => a,
        _ => None,
    }
}

fn look_at(flow: &Flow<'_>, code: &Code, id: ExprId, rules: &[&dyn Rule], passed: &mut Passed, out: &mut Edges) {
    let line = code.line(id);
    match code.expr(id) {
        Expr::Call { callee, first, count } => {
            let (base, name) = match code.expr(callee) {
                Expr::Name(name) => (None, name),
                Expr::Member(base, name) => (Some(base), name),
                _ => return,
            };
            let args = code.arguments(first, count);
            for (index, &arg) in args.iter().enumerate() {
                literal(flow, code, arg, Place::Argument { receiver: base, callee: name, args, index }, rules, out);
            }
            let Some(name) = flow.cx.module.ident(name) else {
                return;
            };
            let receiver = base.map_or(Receiver::None, |base| receiver(flow, code, base));
            let site = Site { name, base, receiver, args, line };
            pass(flow, &site, passed);
            for rule in rules {
                rule.call(flow, &site, out);
            }
        }
        Expr::New { type_name: Some(type_name), first, count } => {
            let Some(word) = flow.cx.module.word(type_name) else {
                return;
            };
            let site = NewSite { word, args: code.arguments(first, count), line };
            for rule in rules {
                rule.construct(flow, &site, out);
            }
        }
        _ => {}
    }
}

/// What stands before the dot of a call.
fn receiver(flow: &Flow<'_>, code: &Code, base: ExprId) -> Receiver {
    let world = flow.cx.module.world;
    match code.expr(base) {
        Expr::Name(name) => match flow.cx.binding(name) {
            Binding::Global(None) => Receiver::Unknown,
            Binding::Global(Some(ident)) => global_receiver(flow, base, ident),
            _ => Receiver::Value(flow.eval(base)),
        },
        Expr::Member(collection, name) => {
            let kind = match code.expr(collection) {
                Expr::Name(collection) => flow.collection(collection),
                _ => None,
            };
            match kind.zip(flow.cx.module.ident(name)).and_then(|(kind, name)| world.object(kind, name)) {
                Some(object) => Receiver::Manager(object),
                None => Receiver::Value(flow.eval(base)),
            }
        }
        Expr::Call { .. } | Expr::Index(..) | Expr::Ternary(..) | Expr::Unary(..) | Expr::New { .. } => {
            Receiver::Value(flow.eval(base))
        }
        _ => Receiver::Unknown,
    }
}

fn global_receiver(flow: &Flow<'_>, base: ExprId, ident: Ident) -> Receiver {
    let world = flow.cx.module.world;
    match world.common_module(ident) {
        Some(module) => Receiver::Module(module),
        None if world.word(ident) == Some(Word::This) => Receiver::This,
        None => Receiver::Value(flow.eval(base)),
    }
}

/// Notes what a call of an own method gives to its parameters.
fn pass(flow: &Flow<'_>, site: &Site<'_>, passed: &mut Passed) {
    if !matches!(site.receiver, Receiver::None | Receiver::This) {
        return;
    }
    let module = flow.cx.module;
    let own = module.world.declared_method(module.id, site.name);
    let Some(method) = own.and_then(|method| module.world.place(method)) else {
        return;
    };
    for (param, arg) in site.args.iter().enumerate() {
        let mut values = flow.eval(*arg);
        // A text that was put together exists in this method's walk only.
        if values.iter().any(|value| matches!(value, Value::Text(TextRef::Built(_)))) {
            values = Values::unknown();
        }
        passed.given.entry((method, param as u16)).or_default().join(&values);
    }
}
