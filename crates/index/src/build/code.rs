//! Modules: text -> facts, packed -> rows and edges.

use super::names::Name;
use super::pack::{pack, unpack};
use super::queries::QueryRows;
use super::rows::{Cell, Rows, Table};
use crate::text::{Document, Splitter};
use crate::{Error, Result};
use bsl::{Code, Expr, ModuleFacts, Symbol};
use graph::contexts::{MethodPlace, ModulePlace};
use graph::{Edges, ModuleSummary, World};
use metadata::{Configuration, LayerId, Module, ModuleFlags};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;
use std::path::Path;

/// Shortest literal that is kept, in characters.
const SHORTEST_STRING: usize = 3;
/// Longest literal that is kept, in bytes; what is longer is data.
const LONGEST_STRING: usize = 256 << 10;
/// The function that stops an idle handler, in both languages: the name that it is given keeps nothing in use.
const DETACH: [&str; 2] = ["ОтключитьОбработчикОжидания", "DetachIdleHandler"];

/// A module that was read. Its facts are packed: only one module a thread is unpacked at a time.
#[derive(Default)]
pub(crate) struct Read {
    pub packed: Vec<u8>,
    /// Its summary, packed.
    pub summary: Vec<u8>,
    pub hash: i64,
    pub bytes: usize,
    pub problems: Vec<bsl::Problem>,
    /// Why its text could not be read.
    pub unread: Option<metadata::SourceError>,
}

/// A module that was read, with its text.
pub(crate) struct ModuleText {
    bytes: Vec<u8>,
    facts: ModuleFacts,
    /// An error if the facts can't be packed.
    read: std::result::Result<Read, String>,
}

impl ModuleText {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let (bytes, unread) = match metadata::module_text(path) {
            Ok(bytes) => (bytes, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let mut facts = bsl::read_module(&bytes);
        let packed = pack(&facts).and_then(|packed| Ok((packed, pack(&ModuleSummary::of(&facts))?)));
        let read = packed.map(|(packed, summary)| Read {
            packed,
            summary,
            hash: crate::names::hash64(&bytes).cast_signed(),
            bytes: bytes.len(),
            problems: std::mem::take(&mut facts.problems),
            unread,
        });
        Self { bytes, facts, read }
    }
}

/// Reads a module: its facts, what others need to know of it, and the texts of its methods for the full-text table; `text`: of its
/// file, if that was read already.
pub(crate) fn read(
    configuration: &Configuration,
    number: usize,
    text: Option<ModuleText>,
    splitter: &mut Splitter,
) -> Result<(Read, Vec<Document>)> {
    let Some(module) = configuration.modules.get(number) else { return Err(Error::Stopped) };
    let text = text.unwrap_or_else(|| ModuleText::read(&configuration.full_path(module.file)));
    let ModuleText { bytes, facts, read } = text;
    let owner = owner_text(configuration, module);
    let document = |method: &bsl::Method| {
        let mut document = Document::default();
        splitter.short(facts.text(method.name), &mut document.name);
        splitter.short(&owner, &mut document.owner);
        if let Some(doc) = method.doc {
            splitter.short(facts.text(doc), &mut document.doc);
        }
        let (from, to) = method.bytes;
        let body = bytes.get(from as usize..to as usize).unwrap_or(&[]);
        match std::str::from_utf8(body) {
            Ok(body) => splitter.long(body, &mut document.body),
            Err(_) => splitter.long(&String::from_utf8_lossy(body), &mut document.body),
        }
        document
    };
    let documents = facts.methods.iter().map(document).collect();
    let read = read.map_err(|message| Error::Facts { module: module.full_name.to_string(), message })?;
    Ok((read, documents))
}

/// What a module belongs to, in words: own names along its full name, and the object's synonym.
pub(crate) fn owner_text(configuration: &Configuration, module: &Module) -> String {
    let mut text: String = module.owner.split('.').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    let object: Vec<&str> = module.owner.splitn(3, '.').take(2).collect();
    if let Some(object) = configuration.object(&object.join(".")) {
        let _ = write!(text, " {}", object.synonym.first());
    }
    text
}

/// What rows of code depend on beside the module itself.
pub(crate) struct Around<'a> {
    /// Names and modules.
    pub world: &'a World,
    /// By module.
    pub places: Vec<ModulePlace>,
    /// By module.
    pub layers: Vec<LayerId>,
}

impl<'a> Around<'a> {
    pub fn new(world: &'a World, configuration: &Configuration) -> Self {
        let layers = configuration.modules.iter().map(|module| configuration.layer_of(module.file)).collect();
        Self { world, places: places(configuration), layers }
    }
}

/// What each module is.
pub(crate) fn places(configuration: &Configuration) -> Vec<ModulePlace> {
    let ordinary = configuration.forms.iter().filter(|form| form.kind == metadata::FormKind::Ordinary);
    let ordinary: FxHashSet<&str> = ordinary.map(|form| &*form.full_name).collect();
    let place = |module: &Module| {
        let ordinary_form = ordinary.contains(&*module.owner);
        ModulePlace { kind: module.kind, flags: module.flags, ordinary_form }
    };
    configuration.modules.iter().map(place).collect()
}

/// What deriving a module gives.
pub(crate) struct Derived {
    /// Its place among the modules.
    pub number: usize,
    /// Its file.
    pub file: u32,
    /// Its methods in source order.
    pub methods: Vec<u32>,
    pub rows: Vec<Rows>,
    pub edges: Edges,
}

/// Rows and edges of a module, and with them a row of what they depend on.
pub(crate) fn derive(around: &Around<'_>, number: usize, mut read: Read) -> Result<Derived> {
    let summary = std::mem::take(&mut read.summary);
    let (derived, reads) = around.world.watch(|| derive_watched(around, number, read));
    let mut derived = derived?;
    let mut inputs = Rows::new(Table::ModuleInput);
    inputs.push([derived.file.into(), Cell::Blob(summary), Cell::Blob(reads.to_bytes())]);
    derived.rows.push(inputs);
    Ok(derived)
}

fn derive_watched(around: &Around<'_>, number: usize, read: Read) -> Result<Derived> {
    let world = around.world;
    let (Some(module), Some(place)) = (world.modules().get(number), around.places.get(number)) else {
        return Err(Error::Stopped);
    };
    let flags = place.flags;
    let id = graph::world::ModuleId(u32::try_from(number).unwrap_or(u32::MAX));
    let layer = around.layers.get(number).map_or(Cell::Int(0), |layer| Cell::Int(layer.0.into()));
    let facts: ModuleFacts =
        unpack(&read.packed).map_err(|message| Error::Facts { module: world.name(module.node).to_owned(), message })?;
    let known = world.methods_of(id);
    let nodes: Vec<u32> = known.iter().map(|method| method.node).collect();
    let mut edges = world.module_edges(number, &facts);
    let mut references = Rows::new(Table::Reference);
    for one in std::mem::take(&mut edges.references) {
        let (target, source) = (Cell::Node(one.target), Cell::Node(one.source));
        references.push([target, source, Cell::Known(one.kind), one.file.into(), one.line.into()]);
    }

    let mut modules = Rows::new(Table::Module);
    modules.push([
        Cell::Node(module.node),
        Cell::Node(module.holder),
        Cell::Known(module.kind.as_str()),
        module.file.into(),
        facts.lines.into(),
        Cell::Int(i64::try_from(read.bytes).unwrap_or(i64::MAX)),
        layer.clone(),
        flags.map_or(Cell::Null, |flags| Cell::Int(flag_bits(flags))),
        flags.map_or(Cell::Null, |flags| Cell::Known(flags.return_values_reuse.as_str())),
        Cell::Node(module.body),
        context_bits(MethodPlace {
            compiles: place.contexts() & facts.contexts_at(facts.body_line),
            server_call: false,
        }),
    ]);
    let mut methods = Rows::new(Table::Method);
    let mut literals =
        Literals { facts: &facts, around, strings: Rows::new(Table::Strings), names: Rows::new(Table::StringName) };
    let mut types = Rows::new(Table::MethodType);
    let known_types = world.type_facts(number, &facts);
    for ((method, &node), known) in facts.methods.iter().zip(&nodes).zip(&known_types) {
        let place = place.method(method.context, method.export, facts.contexts_at(method.line));
        let extended = method.annotations.first();
        let extended = extended.and_then(|annotation| world.extended_method(id, facts.text(annotation.target)));
        let extended = extended.map_or(Cell::Null, |method| Cell::Node(world.node_of(method)));
        let ends = [Cell::Node(node), Cell::Node(module.node), extended, layer.clone()];
        methods.push(method_row(&facts, method, ends, place, &result_types(known)));
        for fact in known {
            let param = fact.param.map_or(Cell::Null, |param| Cell::Int(i64::from(param)));
            let name = Cell::word(&fact.name.as_str().into());
            types.push([Cell::Node(node), param, name, Cell::Known(fact.source.as_str())]);
        }
        literals.read(node, &method.code);
    }
    literals.read(module.body, &facts.body);
    let mut packed = Rows::new(Table::Facts);
    packed.push([Cell::Node(module.node), Cell::Int(read.hash), Cell::Blob(read.packed)]);
    let Literals { strings, names, .. } = literals;
    let mut words = Rows::new(Table::ModuleWords);
    words.push([Cell::Node(module.node), Cell::Blob(module_words(&facts))]);
    let mut queries = QueryRows::new();
    for query in bsl::query_texts(&facts) {
        let owner = query.method.and_then(|place| nodes.get(place)).copied().unwrap_or(module.body);
        queries.add(Name(owner), query.line, &query.text, &query.read(), |place| query.line_of(place));
    }
    let conditions = conditions(&facts, module.node);
    let mut rows = vec![modules, methods, packed, words, conditions, types, strings, names, references];
    rows.extend(queries.finish());
    Ok(Derived { number, file: module.file, methods: nodes, rows, edges })
}

/// Flags in the order of the columns of the view `modules`.
fn flag_bits(flags: ModuleFlags) -> i64 {
    let all = [
        flags.server,
        flags.server_call,
        flags.client_managed,
        flags.external_connection,
        flags.client_ordinary,
        flags.privileged,
        flags.global,
    ];
    all.iter().enumerate().map(|(bit, &set)| i64::from(set) << bit).sum()
}

/// Types of a result, each once, as the column `returns` shows them.
fn result_types(known: &[graph::TypeFact]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for fact in known.iter().filter(|fact| fact.param.is_none()) {
        if !names.contains(&&*fact.name) {
            names.push(&fact.name);
        }
    }
    names.join(", ")
}

/// Hashes of all words of a module, those of its literals among them.
fn module_words(facts: &ModuleFacts) -> Vec<u8> {
    let texts = facts.symbols.iter().filter(|(_, text)| text.len() <= LONGEST_STRING);
    let mut hashes: Vec<u32> = texts
        .flat_map(|(_, text)| {
            let folded = bsl::fold(text);
            crate::names::words(&folded).map(crate::names::word_hash).collect::<Vec<_>>()
        })
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Contexts in the low bits, and bit 8: a client may call it on the server.
fn context_bits(place: MethodPlace) -> Cell {
    Cell::Int(i64::from(place.compiles.bits()) | i64::from(place.server_call) << 8)
}

/// Conditions that begin inside a method: those around whole methods are part of the methods' contexts.
fn conditions(facts: &ModuleFacts, module: u32) -> Rows {
    let mut rows = Rows::new(Table::Condition);
    let mut seen = FxHashSet::default();
    for condition in &facts.conditions {
        let inside = |method: &bsl::Method| method.line < condition.line && condition.line <= method.end_line;
        let bits = u32::from(condition.contexts.bits());
        if facts.methods.iter().any(inside) && seen.insert((condition.line, condition.end_line, bits)) {
            rows.push([Cell::Node(module), condition.line.into(), condition.end_line.into(), bits.into()]);
        }
    }
    rows
}

fn method_row(
    facts: &ModuleFacts,
    method: &bsl::Method,
    [node, module, extended, layer]: [Cell; 4],
    place: MethodPlace,
    returns: &str,
) -> [Cell; 15] {
    let flags = i64::from(method.kind == bsl::MethodKind::Function)
        | i64::from(method.export) << 1
        | i64::from(method.is_async) << 2;
    let region = method.region.and_then(|region| facts.regions.get(region as usize));
    let annotation = method.annotations.first();
    [
        node,
        module,
        Cell::Text(facts.text(method.name).to_owned()),
        Cell::Int(flags),
        method.context.map_or(Cell::Null, |context| Cell::Known(context.ru())),
        Cell::shared(&params(facts, method)),
        Cell::shared(returns),
        method.doc.map_or(Cell::Null, |doc| Cell::shared(facts.text(doc))),
        method.line.into(),
        method.end_line.into(),
        region.map_or(Cell::Null, |region| Cell::word(&facts.text(region.name).into())),
        extended,
        annotation.map_or(Cell::Null, |annotation| Cell::Known(kind_of(annotation.kind))),
        layer,
        context_bits(place),
    ]
}

fn kind_of(annotation: bsl::AnnotationKind) -> &'static str {
    match annotation {
        bsl::AnnotationKind::Before => "before",
        bsl::AnnotationKind::After => "after",
        bsl::AnnotationKind::Around => "around",
        bsl::AnnotationKind::ChangeAndValidate => "change_and_validate",
    }
}

/// Parameters as code writes them.
fn params(facts: &ModuleFacts, method: &bsl::Method) -> String {
    let mut out = String::new();
    for param in &method.params {
        if !out.is_empty() {
            out.push_str(", ");
        }
        if param.by_value {
            out.push_str("Знач ");
        }
        out.push_str(facts.text(param.name));
        if let Some(default) = param.default {
            let _ = write!(out, " = {}", facts.text(default.0));
        }
    }
    out
}

/// Strings of a module.
struct Literals<'a> {
    facts: &'a ModuleFacts,
    around: &'a Around<'a>,
    strings: Rows,
    names: Rows,
}

impl Literals<'_> {
    fn read(&mut self, node: u32, code: &Code) {
        let facts = self.facts;
        let detaches = |call: &bsl::code::CallSite<'_>| {
            call.receiver.is_none() && DETACH.iter().any(|name| bsl::same_name(name, facts.text(call.name)))
        };
        let detached: FxHashSet<_> =
            code.calls().filter(detaches).filter_map(|call| call.args.first().copied()).collect();
        for (place, expression) in (0..).zip(&code.nodes) {
            if let Expr::String(symbol) = expression.expr {
                let names = !detached.contains(&bsl::ExprId(place));
                self.string(node, expression.line, symbol, names);
            }
        }
    }

    /// Keeps a literal; `names`: the methods that its words could name, too.
    fn string(&mut self, node: u32, line: u32, symbol: Symbol, names: bool) {
        let text = self.facts.text(symbol);
        if text.len() > LONGEST_STRING || text.chars().take(SHORTEST_STRING).count() < SHORTEST_STRING {
            return;
        }
        self.strings.push([Cell::Node(node), line.into(), Cell::shared(text)]);
        if !names {
            return;
        }
        let mut seen = FxHashSet::default();
        for word in crate::names::words(text) {
            let world = self.around.world;
            let ident = world.ident(word).filter(|ident| world.is_method(*ident));
            if ident.is_some_and(|ident| seen.insert(ident)) {
                self.names.push([Cell::Int(crate::names::key(word)), Cell::Node(node), line.into()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_stand_as_written() {
        let facts = bsl::read_module("Функция А(Знач Б, В = Неопределено, Г = \"х\")\nКонецФункции".as_bytes());
        assert_eq!(params(&facts, &facts.methods[0]), "Знач Б, В = Неопределено, Г = \"х\"");
    }
}
