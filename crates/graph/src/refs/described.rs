//! Paths through the description of the configuration: `Метаданные.Справочники.Х.Реквизиты.А`,
//! `Объект.Метаданные().ТабличныеЧасти.Т.Реквизиты.А`.

use super::fields::{Fields, objects_of};
use crate::flow::Flow;
use crate::names::same;
use crate::words::Word;
use crate::world::parts::PartName;
use bsl::{Code, Expr, ExprId, StatementKind, Symbol};
use metadata::Kind;

/// How far a path is followed through locals.
const DEPTH: usize = 6;
/// Most things that a path means whose object is not known.
const MOST: usize = 6;

/// What an expression describes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Description {
    /// These objects or sections.
    Of(Vec<u32>),
    /// Some object.
    SomeObject,
}

/// Whether an expression is `Метаданные`.
pub(super) fn is_metadata(flow: &Flow<'_>, expr: ExprId) -> bool {
    match flow.cx.code.expr(expr) {
        Expr::Name(name) => flow.cx.module.word(name) == Some(Word::Metadata),
        _ => false,
    }
}

/// The kind whose descriptions an expression collects: `Метаданные.Справочники`.
pub(crate) fn collection(flow: &Flow<'_>, expr: ExprId) -> Option<Kind> {
    match flow.cx.code.expr(expr) {
        Expr::Member(root, collection) if is_metadata(flow, root) => {
            Kind::from_collection(flow.cx.module.facts.text(collection))
        }
        _ => None,
    }
}

/// The parts of that name that a collection of descriptions (`….Реквизиты`) holds; None if `base` is no such collection.
pub(super) fn members(fields: Fields<'_>, flow: &Flow<'_>, base: ExprId, part: PartName) -> Option<Vec<u32>> {
    let Expr::Member(of, collection) = flow.cx.code.expr(base) else { return None };
    let kind = part_collection(flow.cx.module.facts.text(collection))?;
    let description = description(fields, flow, of, DEPTH)?;
    let found = parts(fields, &description, part, kind);
    Some(if found.len() <= MOST { found } else { Vec::new() })
}

/// The kind of parts that a collection of descriptions holds: `Реквизиты`, `ТабличныеЧасти` …
fn part_collection(word: &str) -> Option<Kind> {
    let kind = Kind::from_word(word).filter(|kind| !kind.is_top())?;
    let info = kind.info();
    (same(info.ru_plural, word) || same(info.en_plural, word)).then_some(kind)
}

fn parts(fields: Fields<'_>, description: &Description, part: PartName, kind: Kind) -> Vec<u32> {
    let parts = &fields.world.parts;
    match description {
        Description::Of(holders) => {
            holders.iter().filter_map(|holder| fields.world.part(*holder, part)).map(|part| part.node).collect()
        }
        // An attribute of some object could be anything; a tabular section of a name is one of few.
        Description::SomeObject if kind.is("TabularSection") => parts.sections(part).to_vec(),
        Description::SomeObject => Vec::new(),
    }
}

/// What an expression describes; None if it is no description.
fn description(fields: Fields<'_>, flow: &Flow<'_>, expr: ExprId, depth: usize) -> Option<Description> {
    let depth = depth.checked_sub(1)?;
    let (code, module) = (flow.cx.code, flow.cx.module);
    match code.expr(expr) {
        Expr::Member(base, name) => {
            // `Метаданные.Справочники.Х`
            if let Expr::Member(root, collection) = code.expr(base)
                && is_metadata(flow, root)
            {
                let kind = Kind::from_collection(module.facts.text(collection))?;
                return Some(Description::Of(fields.object(kind, module.facts.text(name)).into_iter().collect()));
            }
            // `….ТабличныеЧасти.Т`
            let Expr::Member(of, collection) = code.expr(base) else { return None };
            let kind = part_collection(module.facts.text(collection)).filter(|kind| kind.is("TabularSection"))?;
            let part = fields.world.parts.name(module.facts.text(name))?;
            let description = description(fields, flow, of, depth)?;
            Some(Description::Of(parts(fields, &description, part, kind)))
        }
        // `Метаданные.Справочники[Имя]`
        Expr::Index(base, index) => {
            let Expr::Member(root, collection) = code.expr(base) else { return None };
            let kind = Kind::from_collection(module.facts.text(collection)).filter(|_| is_metadata(flow, root))?;
            match code.string(index) {
                Some(text) => Some(Description::Of(fields.object(kind, module.facts.text(text)).into_iter().collect())),
                None => Some(Description::SomeObject),
            }
        }
        Expr::Call { callee, .. } => {
            let Expr::Member(base, name) = code.expr(callee) else { return None };
            // `Объект.Метаданные()`
            if module.word(name) == Some(Word::Metadata) {
                let objects: Vec<u32> = objects_of(&flow.surely(base)).collect();
                return Some(if objects.is_empty() { Description::SomeObject } else { Description::Of(objects) });
            }
            // `Метаданные.НайтиПоТипу(…)`
            is_metadata(flow, base).then_some(Description::SomeObject)
        }
        Expr::Name(name) => {
            let mut all = Vec::new();
            for value in assigned(code, flow, name) {
                match description(fields, flow, value, depth)? {
                    Description::Of(holders) => {
                        all.extend(holders.into_iter().filter(|one| !all.contains(one)).collect::<Vec<_>>())
                    }
                    Description::SomeObject => return Some(Description::SomeObject),
                }
            }
            (!all.is_empty()).then_some(Description::Of(all))
        }
        _ => None,
    }
}

/// What a bare name is set to.
fn assigned<'c>(code: &'c Code, flow: &'c Flow<'_>, name: Symbol) -> impl Iterator<Item = ExprId> + 'c {
    let module = flow.cx.module;
    let name = module.first(name);
    code.statements.iter().filter_map(move |statement| match statement.kind {
        StatementKind::Assign(target, value) => match code.expr(target) {
            Expr::Name(other) if module.first(other) == name => Some(value),
            _ => None,
        },
        _ => None,
    })
}
