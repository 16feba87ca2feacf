//! What doc comments say of parameters.

use bsl::{Doc, DocType, Expr, ExprId, Symbol};
use metadata::Kind;

use super::Flow;
use crate::names::same;
use crate::scope::Binding;
use crate::value::Values;
use crate::world::DEFINED;

/// A type that has no members.
const NOTHING: [&str; 2] = ["Неопределено", "Undefined"];

/// The kinds of which types name some object: `ДокументОбъект`, `СправочникСсылка`.
fn kinds_of(types: &[DocType]) -> Vec<Kind> {
    let named = types.iter().filter_map(|t| match t {
        DocType::Named(name) => Kind::from_type(name).map(|(kind, _)| kind),
        DocType::See(_) => None,
    });
    named.filter(|kind| !kind.is("DefinedType")).collect()
}

/// What a doc comment says of a parameter. It is no proof: something else may come.
#[derive(Default)]
pub(super) struct Documented {
    values: Values,
    /// What its elements may be, if it is a collection.
    pub elements: Values,
    /// What its properties or keys may be.
    keys: Vec<(String, Values)>,
    /// Kinds of which it may be some object: `ДокументОбъект`.
    kinds: Vec<Kind>,
    /// Kinds of which its properties or keys may be some object.
    keys_kinds: Vec<(String, Vec<Kind>)>,
}

impl Flow<'_> {
    /// What the doc comment says of a parameter may be.
    pub(super) fn documented(&self, param: u16) -> Values {
        self.docs_of(param).map_or_else(Values::unknown, |documented| documented.values)
    }

    /// What the doc comment says of a property or key of a parameter; None if it says nothing that is followed.
    pub(super) fn documented_key(&self, base: ExprId, name: Symbol) -> Option<Values> {
        let Expr::Name(param) = self.cx.code.expr(base) else { return None };
        let Binding::Param(param) = self.cx.binding(param) else { return None };
        let keys = &self.docs_of(param)?.keys;
        if keys.is_empty() {
            return None;
        }
        let name = self.cx.module.facts.text(name);
        keys.iter().find(|(key, _)| same(key, name)).map(|(_, values)| *values)
    }

    /// The kinds of which a parameter, or a property of one, is some object by its doc comment, where nothing else is known of it.
    pub(crate) fn documented_kinds(&self, expr: ExprId) -> Vec<Kind> {
        let code = self.cx.code;
        let docs = |name: Symbol| match self.cx.binding(name) {
            Binding::Param(param) => self.docs_of(param),
            _ => None,
        };
        let kinds = match code.expr(expr) {
            Expr::Name(name) => docs(name).map(|docs| &docs.kinds),
            Expr::Member(base, key) => match code.expr(base) {
                Expr::Name(name) => docs(name).and_then(|docs| {
                    let key = self.cx.module.facts.text(key);
                    docs.keys_kinds.iter().find(|(known, _)| same(known, key)).map(|(_, kinds)| kinds)
                }),
                _ => None,
            },
            _ => None,
        };
        kinds.filter(|kinds| !kinds.is_empty() && self.surely(expr).is_empty()).cloned().unwrap_or_default()
    }

    pub(super) fn docs_of(&self, param: u16) -> Option<&Documented> {
        let method = self.cx.method?;
        let facts = self.cx.module.facts;
        let docs = self.docs.get_or_init(|| {
            let doc = method.doc.map(|doc| Doc::parse(facts.text(doc))).unwrap_or_default();
            let of = |param: &bsl::Param| {
                let name = facts.text(param.name);
                let Some(known) = doc.params.iter().find(|known| same(&known.name, name)) else {
                    return Documented { values: Values::unknown(), ..Documented::default() };
                };
                let keys = known.keys.iter().map(|(key, types)| (key.clone(), self.of_types(types)));
                let elements: Vec<DocType> = known.elements.iter().cloned().map(DocType::Named).collect();
                Documented {
                    values: self.of_types(&known.types),
                    elements: self.of_types(&elements),
                    keys: keys.filter(|(_, values)| !values.is_empty()).collect(),
                    kinds: kinds_of(&known.types),
                    keys_kinds: known.keys.iter().map(|(key, types)| (key.clone(), kinds_of(types))).collect(),
                }
            };
            method.params.iter().map(of).collect()
        });
        docs.get(usize::from(param))
    }

    /// What types of a comment stand for.
    fn of_types(&self, types: &[DocType]) -> Values {
        let mut values = Values::with_open(true);
        for t in types {
            match t {
                DocType::Named(name) => match self.cx.module.world.value_of_type(name) {
                    Some(value) => values.add(value),
                    None => values.join(&self.of_defined_type(name)),
                },
                DocType::See(_) => values.open = true,
            }
        }
        if values.is_empty() { Values::unknown() } else { values }
    }

    /// What `ОпределяемыйТип.Имя` stands for.
    fn of_defined_type(&self, name: &str) -> Values {
        let world = self.cx.module.world;
        let of = || {
            let (word, own) = name.split_once('.')?;
            let (kind, _) = Kind::from_type(word).filter(|(kind, _)| kind.is("DefinedType"))?;
            world.attribute(world.object(kind, world.ident(own)?)?, world.ident(DEFINED)?)
        };
        of().unwrap_or_else(|| Values::with_open(!NOTHING.iter().any(|nothing| same(nothing, name))))
    }
}
