//! References in a module's code.

use super::fields::{Fields, objects_of};
use super::{Reference, areas, described, lists, queries, texts};
use crate::flow::Flow;
use crate::scope::{Binding, ModuleContext};
use crate::settings::Kept;
use crate::value::{Aspect, Value};
use crate::words::Word;
use crate::world::parts::{PartName, PartRole};
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
    queries: Vec<QueryText>,
    /// Literals that stand in them: by method and line.
    in_queries: FxHashSet<(Option<usize>, u32)>,
    file: u32,
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
    method: Option<usize>,
}

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

    /// Takes the references of the module's queries.
    pub fn queries(&mut self, module: &ModuleContext<'_>) {
        for text in std::mem::take(&mut self.queries) {
            let method = text.method.and_then(|place| module.facts.methods.get(place));
            let known = method.and_then(|method| module.own_method(module.ident(method.name)?));
            let source = known.map_or(module.info.body, |method| module.world.method(method).node);
            let facts = text.read();
            queries::read(self.fields, &facts, |target, place| {
                self.found.push(Reference {
                    target,
                    source,
                    kind: "bsl_query",
                    file: self.file,
                    line: text.line_of(place),
                });
            });
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
        CodeContext { callees: code.callees(), declared, keys, roles, method }
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
                if let Some(part) = self.part(name).filter(|_| !called) {
                    self.property(flow, base, part, line);
                }
            }
            Expr::Index(base, index) => {
                let Expr::String(text) = code.expr(index) else { return };
                let name = flow.cx.module.facts.text(text);
                if !self.of_collection(flow, base, name, line)
                    && let Some(part) = self.fields.world.parts.name(name)
                {
                    self.property(flow, base, part, line);
                }
            }
            Expr::Name(name) => self.bare(flow, cx, name, called, line),
            Expr::String(symbol) => self.literal(flow, cx, id, symbol, line),
            Expr::Call { callee, first, count } => {
                let args = code.arguments(first, count);
                self.call(flow, callee, args, line);
            }
            _ => {}
        }
    }

    fn part(&self, symbol: Symbol) -> Option<PartName> {
        self.parts.get(symbol.0 as usize).copied().flatten()
    }

    /// `Справочники.Имя`, `Метаданные.Справочники.Имя`: true if `base` is such a collection.
    fn of_collection(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        let (kind, of_metadata) = match flow.cx.code.expr(base) {
            Expr::Name(collection) => match flow.collection(collection) {
                Some(kind) => (kind, false),
                None => return false,
            },
            _ => match described::collection(flow, base) {
                Some(kind) => (kind, true),
                None => return false,
            },
        };
        if let Some(object) = self.fields.object(kind, name) {
            let word = match kind.en() {
                _ if of_metadata => "bsl_metadata",
                "Enum" => "bsl_enum",
                "SessionParameter" => "bsl_session_parameter",
                _ => "bsl_manager",
            };
            self.push(flow, object, word, line);
        }
        true
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
        let named = self.literals.entry(symbol).or_insert_with(|| texts::read(fields, text)).clone();
        for one in named {
            let other = one.bare && cx.keys.contains(&id) || one.right && !cx.roles.contains(&id);
            if !(in_query && one.in_text || other) {
                self.push(flow, one.target, one.kind, line + one.below);
            }
        }
    }

    fn call(&mut self, flow: &Flow<'_>, callee: ExprId, args: &[ExprId], line: u32) {
        let code = flow.cx.code;
        let (base, name) = match code.expr(callee) {
            Expr::Name(name) => (None, name),
            Expr::Member(base, name) => (Some(base), name),
            _ => return,
        };
        let word = flow.cx.module.word(name);
        let literal = args.first().and_then(|arg| code.string(*arg)).map(|text| flow.cx.module.facts.text(text));
        if word == Some(Word::Find)
            && let (Some(base), Some(text)) = (base, literal)
            && self.found_in_metadata(flow, base, text, line)
        {
            return;
        }
        match (word, base, literal, args.first()) {
            (Some(Word::GetArea), Some(base), Some(text), _) => {
                for target in areas::areas(self.fields, flow, base, text) {
                    self.push(flow, target, "print_area", line);
                }
            }
            (Some(Word::GetTemplate), _, _, Some(&arg)) => {
                for target in areas::got(self.fields, flow, base, arg) {
                    self.push(flow, target, "bsl_string", line);
                }
            }
            _ => {}
        }
        self.module_by_name(flow, args, line, callee);
        for target in lists::targets(self, flow, base, name, args) {
            self.push(flow, target, "bsl_attribute_name_string", line);
        }
    }

    /// `Метаданные.Роли.Найти("Имя")`, `….Реквизиты.Найти("Имя")`: true if `base` is such a collection.
    fn found_in_metadata(&mut self, flow: &Flow<'_>, base: ExprId, name: &str, line: u32) -> bool {
        if let Expr::Member(root, collection) = flow.cx.code.expr(base)
            && described::is_metadata(flow, root)
        {
            let kind = Kind::from_collection(flow.cx.module.facts.text(collection));
            if let Some(object) = kind.and_then(|kind| self.fields.object(kind, name)) {
                self.push(flow, object, "bsl_metadata", line);
            }
            return true;
        }
        let Some(part) = self.fields.world.parts.name(name) else { return false };
        let Some(targets) = described::members(self.fields, flow, base, part) else { return false };
        for target in targets {
            self.push(flow, target, "bsl_string", line);
        }
        true
    }

    /// A common module that a literal names to a function which gives modules by name.
    fn module_by_name(&mut self, flow: &Flow<'_>, args: &[ExprId], line: u32, callee: ExprId) {
        let world = self.fields.world;
        for &arg in args.iter().take(4) {
            let Expr::String(text) = flow.cx.code.expr(arg) else { continue };
            let Some(module) = flow.cx.module.ident(text).and_then(|name| world.common_module(name)) else { continue };
            let given = flow.call_gives(callee, args);
            let is_given = |value| matches!(value, Value::Module { module: given, .. } if given == module);
            if given.iter().any(is_given) {
                self.push(flow, world.module(module).node, "bsl_string", line);
            }
        }
    }

    /// Fields of an expression's value that paths name.
    pub(super) fn paths_of(&self, flow: &Flow<'_>, of: ExprId, paths: &[String], found: &mut Vec<u32>) {
        let own = flow.cx.module.info;
        let values = flow.surely(of);
        let this = values.iter().any(|value| value == Value::This) && own.kind == ModuleKind::ObjectModule;
        let holders: Vec<u32> = objects_of(&values).chain(this.then_some(own.owner)).collect();
        for path in paths {
            self.fields.walk(&holders, path, found);
        }
    }
}
