//! Where code refers to a piece of metadata: by a manager, by a property of a value, in a query, by name in a literal.
//!
//! What a property belongs to is read off the code around it, as far as that goes: the object that the module belongs to,
//! the form's main attribute, a local that a manager fills. A property of a value that nothing is known of is a candidate.

mod receiver;
mod texts;

use crate::edge::Confidence;
use bsl::{Code, Expr, ExprId, ModuleFacts, StatementKind, Symbol};
use metadata::{Kind, ModuleKind};
use receiver::{Receiver, Receivers};
use rustc_hash::FxHashMap;
use texts::{Reader, Texts};

/// A piece of metadata that code may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Kind of the object of the top level.
    pub kind: Kind,
    /// Its own name.
    pub object: String,
    /// A part of it; None: the object itself.
    pub part: Option<Part>,
    /// True if nothing else of the configuration has a part of that name: a property of it is likely this one.
    pub unique: bool,
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is to code.
    pub role: Role,
    /// Its own name; of a standard attribute the Russian one.
    pub name: String,
    /// The English name of a standard attribute.
    pub name_en: Option<String>,
    /// Of a row's field: its tabular section.
    pub section: Option<String>,
    /// Of a form, a template, a command: its kind, which stands before the name in full names.
    pub kind: Option<Kind>,
}

/// What a part is to code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A field of the object: attribute, dimension, resource, tabular section.
    Field,
    /// A field of a row of a tabular section.
    RowField,
    /// An enum value or a predefined item: a property of the manager.
    Value,
    /// Something that is named in texts only: a form, a template, a command.
    Named,
}

impl Role {
    /// Whether it is a field: of an object, or of a row.
    #[must_use]
    pub fn is_field(self) -> bool {
        matches!(self, Self::Field | Self::RowField)
    }
}

/// Where a module stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Here {
    /// Kind of the module.
    pub kind: ModuleKind,
    /// Full name of its object of the top level (`Catalog.X`); of a form's module the form's object.
    pub owner: String,
    /// Of a form's module: name and object (`Catalog.X`) of the main attribute.
    pub main: Option<(String, String)>,
}

/// A place that refers to a piece of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Which of the wanted pieces.
    pub wanted: usize,
    /// The method's place in its module; None: the module's body.
    pub method: Option<u32>,
    /// 1-based line.
    pub line: u32,
    /// Kind of reference.
    pub kind: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
    /// The object is named in the same module.
    pub near: bool,
}

/// A search for some pieces of metadata, in one module after the other.
pub struct Search<'w> {
    readers: Vec<Reader<'w>>,
}

impl<'w> Search<'w> {
    /// A search for these.
    pub fn new(wanted: &'w [Wanted]) -> Self {
        Self { readers: wanted.iter().map(Reader::new).collect() }
    }

    /// All places of a module that refer to one of them.
    pub fn mentions(&self, facts: &ModuleFacts, here: &Here) -> Vec<Mention> {
        mentions(facts, here, &self.readers)
    }
}

fn mentions(facts: &ModuleFacts, here: &Here, readers: &[Reader<'_>]) -> Vec<Mention> {
    let mut found = Vec::new();
    for (number, reader) in readers.iter().enumerate() {
        let finder = Finder::new(facts, here, reader, number);
        if finder.names.is_empty() && finder.texts.is_empty() {
            continue;
        }
        let first = found.len();
        for (place, method) in (0_u32..).zip(&facts.methods) {
            finder.read(Some((place, method)), &method.code, &mut found);
        }
        finder.read(None, &facts.body, &mut found);
        let near = finder.near();
        for mention in found.iter_mut().skip(first) {
            mention.near = near;
        }
    }
    found.sort_by_key(|m: &Mention| (m.wanted, m.method.map_or(u32::MAX, |place| place), m.line, m.kind));
    found.dedup_by_key(|m| (m.wanted, m.method, m.line, m.kind));
    found
}

/// Lines, from 0, of a query or a restriction outside code that name the piece, each with how sure it is. `of_table`: the
/// text stands for the object's own table, as a restriction of its records does.
pub fn in_query(text: &str, wanted: &Wanted, of_table: bool) -> Vec<(u32, Confidence)> {
    texts::in_query(text, wanted, of_table)
}

struct Finder<'a> {
    facts: &'a ModuleFacts,
    here: &'a Here,
    wanted: &'a Wanted,
    number: usize,
    /// Symbols that are the name of the part, or of the object if no part is wanted.
    names: Vec<Symbol>,
    /// Symbols that are the object's name.
    objects: Vec<Symbol>,
    /// Literals that name it.
    texts: Texts,
    /// The part's name is a key of a structure here.
    is_key: bool,
}

impl<'a> Finder<'a> {
    fn new(facts: &'a ModuleFacts, here: &'a Here, reader: &Reader<'a>, number: usize) -> Self {
        let wanted = reader.wanted();
        let is = |text: &str, name: &str| text.len() <= name.len() * 2 + 8 && bsl::same_name(text, name);
        let held = reader.held(&facts.symbols);
        let mut names = Vec::new();
        let mut objects = Vec::new();
        for &symbol in &held {
            let text = facts.text(symbol);
            if is(text, &wanted.object) {
                objects.push(symbol);
            }
            match &wanted.part {
                Some(part) => {
                    let english = part.name_en.as_ref().is_some_and(|name| is(text, name));
                    if english || is(text, &part.name) {
                        names.push(symbol);
                    }
                }
                None => names.clone_from(&objects),
            }
        }
        let texts = Texts::new(facts, reader, &held);
        let mut finder = Self { facts, here, wanted, number, names, objects, texts, is_key: false };
        // It is asked for a unique name only.
        finder.is_key = wanted.unique && facts.codes().any(|(_, code)| finder.fills_key(code));
        finder
    }

    /// Whether the object is named in this module, or the module is its own.
    fn near(&self) -> bool {
        self.is_own() || !self.objects.is_empty() && self.wanted.part.is_some() || self.texts.names_object
    }

    fn is_own(&self) -> bool {
        let name = |owner: &str| match owner.split_once('.') {
            Some((kind, name)) => kind == self.wanted.kind.en() && bsl::same_name(name, &self.wanted.object),
            None => false,
        };
        name(&self.here.owner) || self.here.main.as_ref().is_some_and(|(_, object)| name(object))
    }

    /// `Структура.Вставить("Имя", …)`, `Новый Структура("Имя", …)`: properties of that name are keys here.
    fn fills_key(&self, code: &Code) -> bool {
        let holds = |expr: Option<&ExprId>| {
            expr.and_then(|expr| code.string(*expr)).is_some_and(|text| self.texts.is_list(text))
        };
        let inserts = |name: Symbol| {
            let name = self.facts.text(name);
            ["Вставить", "Insert"].iter().any(|word| bsl::same_name(word, name))
        };
        let structure = |name: Symbol| {
            let name = self.facts.text(name);
            ["Структура", "Structure", "ФиксированнаяСтруктура", "FixedStructure"]
                .iter()
                .any(|word| bsl::same_name(word, name))
        };
        code.calls().any(|call| inserts(call.name) && holds(call.args.first()))
            || code.nodes.iter().any(|node| match node.expr {
                Expr::New { type_name: Some(name), first, count } => {
                    structure(name) && holds(code.arguments(first, count).first())
                }
                _ => false,
            })
    }

    fn read(&self, method: Option<(u32, &bsl::Method)>, code: &Code, out: &mut Vec<Mention>) {
        let mut push = |line: u32, kind: &'static str, confidence: Confidence| {
            let method = method.map(|(place, _)| place);
            out.push(Mention { wanted: self.number, method, line, kind, confidence, near: false });
        };
        let is_named = |node: &bsl::Node| match node.expr {
            Expr::Member(_, name) | Expr::Name(name) => self.names.contains(&name),
            _ => false,
        };
        // Most methods of a module that names the piece don't: what stands before a dot is nothing to them.
        if !code.nodes.iter().any(is_named) {
            for node in &code.nodes {
                if let Expr::String(symbol) = node.expr {
                    self.texts.at(symbol, node.line, &mut push);
                }
            }
            return;
        }
        let called = callees(code);
        let section = self.wanted.part.as_ref().and_then(|part| part.section.as_deref());
        let receivers = Receivers::new(self.facts, self.here, method.map(|(_, method)| method), code, section);
        for (place, node) in (0_u32..).zip(&code.nodes) {
            let id = ExprId(place);
            match node.expr {
                Expr::String(symbol) => self.texts.at(symbol, node.line, &mut push),
                Expr::Member(base, name) if self.names.contains(&name) => {
                    // A call bears the name of a method, unless what is called is a property that holds a manager.
                    let is_call = called.contains_key(&id);
                    if let Some((kind, confidence)) = self.member(&receivers, code, base, is_call) {
                        push(node.line, kind, confidence);
                    }
                }
                Expr::Name(name) if self.names.contains(&name) && !called.contains_key(&id) => {
                    if let Some(kind) = self.bare(&receivers, code, id, name) {
                        push(node.line, kind, Confidence::Exact);
                    }
                }
                _ => {}
            }
        }
    }

    /// What `base.Имя` refers to.
    fn member(
        &self,
        receivers: &Receivers<'_>,
        code: &Code,
        base: ExprId,
        is_call: bool,
    ) -> Option<(&'static str, Confidence)> {
        let Some(part) = &self.wanted.part else {
            return self.object_member(code, base).map(|kind| (kind, Confidence::Exact));
        };
        if is_call {
            return None;
        }
        // `Константы.Имя`, `Справочники.Имя`: objects, whatever has a part of that name.
        if let Expr::Name(collection) = code.expr(base)
            && !receivers.is_local(collection)
            && Kind::from_collection(self.facts.text(collection)).is_some()
        {
            return None;
        }
        let manager = receivers.manager(base);
        if let Some((kind, name)) = manager {
            let ours = kind == self.wanted.kind && self.same(name, &self.wanted.object);
            let word = if kind.is("Enum") { "bsl_enum_value" } else { "bsl_predefined_value" };
            return (ours && part.role == Role::Value).then_some((word, Confidence::Exact));
        }
        if let Some((kind, object)) = receivers.described(base) {
            let ours = kind == self.wanted.kind && self.same(object, &self.wanted.object);
            return ours.then_some(("bsl_metadata", Confidence::Exact));
        }
        match part.role {
            Role::Value => {
                let alias = receivers.alias(base)?;
                let ours = alias.0 == self.wanted.kind && self.same(alias.1, &self.wanted.object);
                ours.then_some(("bsl_enum_value_via_alias", Confidence::Typed))
            }
            Role::Named => None,
            Role::Field | Role::RowField => match receivers.of(base) {
                Receiver::Object(kind, name) => {
                    let ours = kind == self.wanted.kind && bsl::same_name(&name, &self.wanted.object);
                    ours.then_some(("bsl_property", Confidence::Typed))
                }
                Receiver::Other => None,
                Receiver::Unknown => {
                    let sure = self.wanted.unique && !self.is_key;
                    Some(("bsl_property", if sure { Confidence::Typed } else { Confidence::Candidate }))
                }
            },
        }
    }

    /// `Справочники.Имя`, `Метаданные.Справочники.Имя`.
    fn object_member(&self, code: &Code, base: ExprId) -> Option<&'static str> {
        let collection = |name: Symbol| Kind::from_collection(self.facts.text(name)) == Some(self.wanted.kind);
        match code.expr(base) {
            Expr::Name(name) if collection(name) => Some(match self.wanted.kind.en() {
                "Enum" => "bsl_enum",
                "SessionParameter" => "bsl_session_parameter",
                _ => "bsl_manager",
            }),
            Expr::Member(root, name) if collection(name) => match code.expr(root) {
                Expr::Name(root) if receiver::is_metadata(self.facts.text(root)) => Some("bsl_metadata"),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a bare name refers to: a common module before a dot, an own field in the object's module.
    fn bare(&self, receivers: &Receivers<'_>, code: &Code, id: ExprId, name: Symbol) -> Option<&'static str> {
        if receivers.is_local(name) {
            return None;
        }
        match &self.wanted.part {
            None if self.wanted.kind.is("CommonModule") => {
                let before_dot = code.nodes.iter().any(|node| matches!(node.expr, Expr::Member(base, _) if base == id));
                before_dot.then_some("bsl_module_call")
            }
            Some(part) if part.role == Role::Field && self.here.kind == ModuleKind::ObjectModule && self.is_own() => {
                Some("bsl_property")
            }
            _ => None,
        }
    }

    fn same(&self, symbol: Symbol, name: &str) -> bool {
        bsl::same_name(self.facts.text(symbol), name)
    }
}

/// Expressions that are called, each with its call.
fn callees(code: &Code) -> FxHashMap<ExprId, ExprId> {
    let call = |(place, node): (u32, &bsl::Node)| match node.expr {
        Expr::Call { callee, .. } => Some((callee, ExprId(place))),
        _ => None,
    };
    (0..).zip(&code.nodes).filter_map(call).collect()
}

/// Names that a method declares: parameters, `Перем`, loop variables.
fn declared(facts: &ModuleFacts, method: Option<&bsl::Method>, code: &Code) -> Vec<Symbol> {
    let params = method.into_iter().flat_map(|method| method.params.iter().map(|param| param.name));
    let own = facts.variables.iter().map(|variable| variable.name);
    let locals = code.statements.iter().filter_map(|statement| match statement.kind {
        StatementKind::Var(name) | StatementKind::For(name, ..) | StatementKind::ForEach(name, _) => Some(name),
        _ => None,
    });
    params.chain(own).chain(locals).collect()
}

#[cfg(test)]
mod tests;
