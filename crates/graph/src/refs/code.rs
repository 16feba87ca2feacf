//! References in a module's code.

use super::fields::{Fields, objects_of};
use super::own_texts::{self, Holds};
use super::{Reference, areas, described, lists, locks, names, texts};
use crate::flow::Flow;
use crate::names::{Ident, same};
use crate::scope::{Binding, ModuleContext};
use crate::settings::Kept;
use crate::value::{Aspect, Value};
use crate::words::Word;
use crate::world::parts::{PartName, PartRole};
use bsl::code::BinaryOp;
use bsl::{Code, Expr, ExprId, QueryText, StatementKind, Symbol};
use metadata::{Kind, ModuleKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// References of one module, gathered while it is walked.
pub(crate) struct ModuleReferences<'a> {
    pub(super) fields: Fields<'a>,
    /// By symbol: the part whose name it is.
    parts: Vec<Option<PartName>>,
    /// What literals name, each read once.
    literals: FxHashMap<Symbol, Vec<texts::Named>>,
    /// The module's queries.
    pub(super) queries: Vec<QueryText>,
    /// Literals that stand in them: by method and line.
    in_queries: FxHashSet<(Option<usize>, u32)>,
    pub(super) file: u32,
    pub(super) found: Vec<Reference>,
}

/// The code of one method, as far as it must be known before it is walked.
pub(crate) struct CodeContext {
    /// By node: it is what a call calls.
    callees: Vec<bool>,
    /// Parameters and declared variables: they hide attributes of the module's own object.
    declared: FxHashSet<Symbol>,
    /// Literals that are keys of structures and maps.
    keys: FxHashSet<ExprId>,
    /// Literals that are given to something that speaks of roles.
    roles: FxHashSet<ExprId>,
    /// What literals of the method say of the module's own object.
    own: Option<Holds>,
    method: Option<usize>,
}

/// Most fields that a name means of some object of a kind.
const MOST_OF_SOME: usize = 3;
/// What names of methods that speak of roles have in them.
const ROLE_WORDS: [&str; 2] = ["рол", "role"];

impl<'a> ModuleReferences<'a> {
    pub fn new(module: &'a ModuleContext<'a>) -> Self {
        let (world, facts) = (module.world, module.facts);
        let mut parts = vec![None; facts.symbols.len()];
        for (symbol, text) in facts.symbols.iter() {
            let first = module.first(symbol);
            let known = if first == symbol {
                if text.len() <= 256 && !text.contains(['.', ' ', '\n']) { world.parts.name(text) } else { None }
            } else {
                parts.get(first.0 as usize).copied().flatten()
            };
            if let Some(part) = parts.get_mut(symbol.0 as usize) {
                *part = known;
            }
        }
        let queries = bsl::query_texts(facts);
        let lines = |text: &QueryText| text.parts.iter().map(|part| (text.method, part.line)).collect::<Vec<_>>();
        Self {
            fields: Fields::new(world),
            parts,
            literals: FxHashMap::default(),
            in_queries: queries.iter().flat_map(lines).collect(),
            queries,
            file: module.info.file,
            found: Vec::new(),
        }
    }

    /// Forgets what was found: the module is walked anew.
    pub fn clear(&mut self) {
        self.found.clear();
    }

    /// What was found, each place once.
    pub fn finish(mut self) -> Vec<Reference> {
        self.found.sort_unstable();
        self.found.dedup();
        self.found
    }

    /// Prepares a method, or the module's body, to be walked.
    pub fn enter(&self, module: &ModuleContext<'_>, method: Option<usize>, code: &Code) -> CodeContext {
        let mut declared = FxHashSet::default();
        for statement in &code.statements {
            if let StatementKind::Var(name) = statement.kind {
                declared.insert(module.first(name));
            }
        }
        let params = method.and_then(|place| module.facts.methods.get(place)).into_iter().flat_map(|m| &m.params);
        declared.extend(params.map(|param| module.first(param.name)));
        declared.extend(module.facts.variables.iter().map(|variable| module.first(variable.name)));
        let registers = method.and_then(|place| module.facts.methods.get(place)).is_some_and(|method| {
            module.world.settings().keeps(Kept::SessionParameters, module.facts.text(method.name))
        });
        let (mut keys, mut roles) = (FxHashSet::default(), FxHashSet::default());
        for call in code.calls() {
            let strings = || call.args.iter().copied().filter(|arg| code.string(*arg).is_some());
            if strings().next().is_none() {
                continue;
            }
            if module.word(call.name) == Some(Word::Insert) && !registers {
                keys.extend(call.args.first());
            }
            let speaks = |name: Symbol| {
                let name = crate::names::folded(module.facts.text(name));
                ROLE_WORDS.iter().any(|word| name.contains(word))
            };
            let receiver = call.receiver.is_some_and(|receiver| match code.expr(receiver) {
                Expr::Name(name) | Expr::Member(_, name) => speaks(name),
                _ => false,
            });
            if receiver || speaks(call.name) {
                roles.extend(strings());
            }
        }
        for node in &code.nodes {
            if let Expr::New { type_name: Some(name), first, count } = node.expr
                && module.word(name) == Some(Word::Structure)
            {
                keys.extend(code.arguments(first, count).first());
            }
        }
        let own =
            method.and_then(|place| module.facts.methods.get(place)).and_then(|method| own_texts::held(module, method));
        CodeContext { callees: code.callees(), declared, keys, roles, own, method }
    }

    pub(super) fn push(&mut self, flow: &Flow<'_>, target: u32, kind: &'static str, line: u32) {
        self.found.push(Reference { target, source: flow.cx.node, kind, file: self.file, line });
    }

    /// Looks at one expression, at the statement that the walk has come to.
    pub fn look_at(&mut self, flow: &Flow<'_>, cx: &CodeContext, id: ExprId) {
        let code = flow.cx.code;
        let line = code.line(id);
        let called = cx.callees.get(id.0 as usize).copied().unwrap_or(false);
        match code.expr(id) {
            Expr::Member(base, name) => {
                if self.of_collection(flow, base, flow.cx.module.facts.text(name), line) {
                    return;
                }
                let part = self.part(name).filter(|_| !called);
                if let Some(part) = part {
                    self.property(flow, base, part, line);
                }
                if let Some(name) = flow.cx.module.ident(name).filter(|_| !called) {
                    self.of_constants(flow, base, name, line);
                }
            }
            Expr::Index(base, index) => {
                let literals = match code.expr(index) {
                    Expr::Ternary(_, yes, no) => vec![yes, no],
                    _ => vec![index],
                };
                for literal in literals {
                    if let Expr::String(text) = code.expr(literal) {
                        self.indexed(flow, base, text, code.line(literal));
                    }
                }
            }
            Expr::Name(name) => self.bare(flow, cx, name, called, line),
            Expr::String(symbol) => self.literal(flow, cx, id, symbol, line),
            Expr::Binary(BinaryOp::Add, left, right) => self.joined(flow, id, left, right),
            Expr::Call { callee, first, count } => {
                let args = code.arguments(first, count);
                self.call(flow, cx, callee, args, line);
            }
            _ => {}
        }
    }

    /// `base["Имя"]`
    fn indexed(&mut self, flow: &Flow<'_>, base: ExprId, text: Symbol, line: u32) {
        let name = flow.cx.module.facts.text(text);
        if self.of_collection(flow, base, name, line) {
            return;
        }
        if let Some(part) = self.fields.world.parts.name(name) {
            self.property(flow, base, part, line);
        }
        if let Some(name) = flow.cx.module.ident(text) {
            self.of_constants(flow, base, name, line);
        }
    }

    /// `Начало + "ФормаСписка"`: a full name that is put together, the last part of which stands here.
    fn joined(&mut self, flow: &Flow<'_>, id: ExprId, left: ExprId, right: ExprId) {
        let code = flow.cx.code;
        let Some(end) = code.string(right).filter(|_| matches!(code.expr(left), Expr::Name(_))) else { return };
        let end = flow.cx.module.facts.text(end);
        if end.len() < 3 || !end.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
            return;
        }
        let line = code.line(right);
        for text in flow.surely(id).iter().filter_map(|value| flow.text(value)) {
            let mut named = Vec::new();
            texts::full_name(self.fields, &text, |target, kind| named.push((target, kind)));
            // What the beginning names stands where the beginning is written.
            let own = |target: u32| {
                let name = self.fields.world.name(target).rsplit('.').next().unwrap_or("");
                end.rsplit('.').next().is_some_and(|end| same(end, name))
            };
            named.retain(|(target, _)| own(*target));
            for (target, kind) in named {
                self.push(flow, target, kind, line);
            }
        }
    }

    fn part(&self, symbol: Symbol) -> Option<PartName> {
        self.parts.get(symbol.0 as usize).copied().flatten()
    }

    /// `base.Имя`, where some part of the configuration bears that name.
    fn property(&mut self, flow: &Flow<'_>, base: ExprId, part: PartName, line: u32) {
        if let Some(targets) = described::members(self.fields, flow, base, part) {
            for target in targets {
                self.push(flow, target, "bsl_metadata", line);
            }
            return;
        }
        for target in areas::parameters(self.fields, flow, base, part) {
            self.push(flow, target, "print_area", line);
        }
        let world = self.fields.world;
        let direct = matches!(flow.cx.code.expr(base), Expr::Member(..) | Expr::Index(..));
        let own = flow.cx.module.info;
        for value in self.known(flow, base) {
            let (holder, is_manager) = match value {
                Value::Manager { object, .. } => (object, true),
                Value::Instance { aspect: Aspect::Records, .. } => continue,
                Value::Instance { object, .. } => (object, false),
                Value::This => match own.kind {
                    ModuleKind::ObjectModule | ModuleKind::ValueManagerModule => (own.owner, false),
                    ModuleKind::ManagerModule => (own.owner, true),
                    _ => continue,
                },
                _ => continue,
            };
            let fits = |role: PartRole| if is_manager { role == PartRole::Value } else { role.is_field() };
            let Some(found) = world.part(holder, part).filter(|part| fits(part.role)) else { continue };
            let kind = match is_manager {
                false => "bsl_property",
                true if !world.kind_of(holder).is_some_and(|kind| kind.is("Enum")) => "bsl_predefined_value",
                true if direct => "bsl_enum_value",
                true => "bsl_enum_value_via_alias",
            };
            self.push(flow, found.node, kind, line);
        }
        self.of_some(flow, base, part, line);
    }

    /// A field of some object of a kind, as a comment says: those few that have such a field.
    fn of_some(&mut self, flow: &Flow<'_>, base: ExprId, part: PartName, line: u32) {
        let world = self.fields.world;
        let fields = world.parts.fields(part);
        if fields.is_empty() {
            return;
        }
        let kinds = flow.documented_kinds(base);
        let of = |node: &u32| world.kind_of(*node).is_some_and(|kind| kinds.contains(&kind));
        let own: Vec<u32> = fields.iter().copied().filter(of).take(MOST_OF_SOME + 1).collect();
        if own.len() <= MOST_OF_SOME {
            own.into_iter().for_each(|target| self.push(flow, target, "bsl_property", line));
        }
    }

    /// `Набор.Имя`: a constant of a set of constants.
    fn of_constants(&mut self, flow: &Flow<'_>, base: ExprId, name: Ident, line: u32) {
        let world = self.fields.world;
        let Some(constant) = Kind::named("Constant").and_then(|kind| world.object(kind, name)) else { return };
        let is_set = |value: Value| matches!(value, Value::Platform(of) if world.is_constants_set(of));
        if self.known(flow, base).into_iter().any(is_set) {
            self.push(flow, constant, "bsl_property", line);
        }
    }

    /// What an expression is, as far as its own type tells: what is only kept somewhere under the same name doesn't count.
    pub(super) fn known(&self, flow: &Flow<'_>, expr: ExprId) -> Vec<Value> {
        flow.surely(expr).iter().collect()
    }

    /// A bare name: a common module, an attribute of the module's own object.
    fn bare(&mut self, flow: &Flow<'_>, cx: &CodeContext, name: Symbol, called: bool, line: u32) {
        if called {
            return;
        }
        let (module, world) = (flow.cx.module, self.fields.world);
        match flow.cx.binding(name) {
            Binding::Global(Some(ident)) => {
                if let Some(common) = world.common_module(ident) {
                    self.push(flow, world.module(common).node, "bsl_module_call", line);
                    return;
                }
            }
            Binding::Param(_) => return,
            _ => {}
        }
        let info = module.info;
        if info.kind != ModuleKind::ObjectModule || cx.declared.contains(&module.first(name)) {
            return;
        }
        let part = self.part(name).and_then(|part| world.part(info.owner, part));
        if let Some(part) = part.filter(|part| part.role.is_field()) {
            self.push(flow, part.node, "bsl_property", line);
        }
    }

    /// Full names, types, roles and session parameters in a literal.
    fn literal(&mut self, flow: &Flow<'_>, cx: &CodeContext, id: ExprId, symbol: Symbol, line: u32) {
        let fields = self.fields;
        let text = flow.cx.module.facts.text(symbol);
        let in_query = self.in_queries.contains(&(cx.method, line));
        if cx.own == Some(Holds::Restriction) {
            for (target, below) in own_texts::restriction(fields, flow.cx.module.info.owner, text) {
                self.push(flow, target, "bsl_rls_text", line + below);
            }
        }
        for target in own_texts::data_path(fields, flow, text) {
            self.push(flow, target, "bsl_string", line);
        }
        let named = self.literals.entry(symbol).or_insert_with(|| texts::read(fields, text)).clone();
        for one in named {
            let elsewhere = one.bare && cx.keys.contains(&id) || one.other && !cx.roles.contains(&id);
            if !(in_query && one.in_text || elsewhere) {
                self.push(flow, one.target, one.kind, line + one.below);
            }
        }
    }

    fn call(&mut self, flow: &Flow<'_>, cx: &CodeContext, callee: ExprId, args: &[ExprId], line: u32) {
        let code = flow.cx.code;
        if cx.own == Some(Holds::Attributes) {
            self.own_attributes(flow, args);
        }
        let (base, name) = match code.expr(callee) {
            Expr::Name(name) => (None, name),
            Expr::Member(base, name) => (Some(base), name),
            _ => return,
        };
        let word = flow.cx.module.word(name);
        let literal = args.first().and_then(|arg| code.string(*arg)).map(|text| flow.cx.module.facts.text(text));
        // What is named in a literal stands where the literal does, which may be below the call.
        let below = args.first().filter(|_| literal.is_some()).map_or(line, |arg| code.line(*arg));
        if word == Some(Word::Find)
            && let (Some(base), Some(text)) = (base, literal)
            && self.found_in_metadata(flow, base, text, below)
        {
            return;
        }
        match (word, base, literal, args.first()) {
            (Some(Word::GetArea), Some(base), Some(text), _) => {
                for target in areas::areas(self.fields, flow, base, text) {
                    self.push(flow, target, "print_area", below);
                }
            }
            (Some(Word::GetTemplate), _, _, Some(&arg)) => {
                for target in areas::got(self.fields, flow, base, arg) {
                    self.push(flow, target, "bsl_string", below);
                }
            }
            _ => {}
        }
        self.module_by_name(flow, args, callee);
        for (target, line) in names::targets(self, flow, base, name, args) {
            self.push(flow, target, "bsl_string", line);
        }
        for target in locks::targets(self, flow, base, name, args) {
            self.push(flow, target, "bsl_attribute_name_string", line);
        }
        for (target, line) in lists::targets(self, flow, base, name, args, line) {
            self.push(flow, target, "bsl_attribute_name_string", line);
        }
    }

    /// Attributes of the module's own object, in a method that is there to list them.
    fn own_attributes(&mut self, flow: &Flow<'_>, args: &[ExprId]) {
        let module = flow.cx.module;
        for &arg in args {
            let Some(text) = flow.cx.code.string(arg) else { continue };
            for (target, below) in own_texts::attributes(self.fields, module.info.owner, module.facts.text(text)) {
                self.push(flow, target, "bsl_attribute_name_string", flow.cx.code.line(arg) + below);
            }
        }
    }

    /// A common module that a literal names to a function which gives modules by name.
    fn module_by_name(&mut self, flow: &Flow<'_>, args: &[ExprId], callee: ExprId) {
        let world = self.fields.world;
        for &arg in args.iter().take(4) {
            let Expr::String(text) = flow.cx.code.expr(arg) else { continue };
            let Some(module) = flow.cx.module.ident(text).and_then(|name| world.common_module(name)) else { continue };
            let given = flow.call_gives(callee, args);
            let is_given = |value| matches!(value, Value::Module { module: given, .. } if given == module);
            if given.iter().any(is_given) {
                self.push(flow, world.module(module).node, "bsl_string", flow.cx.code.line(arg));
            }
        }
    }

    /// Fields of an expression's value that paths name.
    pub(super) fn paths_of(&self, flow: &Flow<'_>, of: ExprId, paths: &[(String, u32)], found: &mut Vec<(u32, u32)>) {
        let own = flow.cx.module.info;
        let values = flow.surely(of);
        let this = values.iter().any(|value| value == Value::This) && own.kind == ModuleKind::ObjectModule;
        let holders: Vec<u32> = objects_of(&values).chain(this.then_some(own.owner)).collect();
        let mut targets = Vec::new();
        for (path, line) in paths {
            self.fields.walk(&holders, path, &mut targets);
            found.extend(targets.drain(..).map(|target| (target, *line)));
        }
    }
}
