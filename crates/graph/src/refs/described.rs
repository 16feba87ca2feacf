//! Paths through the description of the configuration: `Метаданные.Справочники.Х.Реквизиты.А`,
//! `Объект.Метаданные().ТабличныеЧасти.Т.Реквизиты.А`.

use super::fields::{Fields, objects_of};
use crate::flow::Flow;
use crate::names::same;
use crate::value::Value;
use crate::words::Word;
use crate::world::parts::PartName;
use bsl::{Code, Expr, ExprId, StatementKind, Symbol};
use metadata::{Kind, ModuleKind};

/// How far a path is followed through locals.
const DEPTH: usize = 6;
/// Most things that a path means whose object is not known.
const MOST: usize = 6;
/// Most fields that a name means of which not even the kind of object is known.
const MOST_OF_ANY: usize = 3;

/// What an expression describes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Description {
    /// These objects or sections.
    Of(Vec<u32>),
    /// Some object, of this kind if that is known.
    Some(Option<Kind>),
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

/// The full name of the subsystem that `….Подсистемы.Имя` describes, `base` being `….Подсистемы`; None if it is no such collection
/// of a known subsystem. Subsystems are nested: `Метаданные.Подсистемы.А.Подсистемы.Б`.
pub(super) fn subsystem(flow: &Flow<'_>, base: ExprId, name: &str) -> Option<String> {
    within_subsystem(flow, base, name, DEPTH)
}

fn within_subsystem(flow: &Flow<'_>, base: ExprId, name: &str, depth: usize) -> Option<String> {
    let (code, module) = (flow.cx.code, flow.cx.module);
    let Expr::Member(of, collection) = code.expr(base) else { return None };
    Kind::from_collection(module.facts.text(collection)).filter(|kind| kind.is("Subsystem"))?;
    match is_metadata(flow, of) {
        true => Some(format!("Subsystem.{name}")),
        false => Some(format!("{}.Subsystem.{name}", described_subsystem(flow, of, depth)?)),
    }
}

/// The full name of the subsystem that an expression describes: `….Подсистемы.А`, `….Подсистемы.Найти("А")`, a variable that was
/// set to one.
fn described_subsystem(flow: &Flow<'_>, expr: ExprId, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let (code, module) = (flow.cx.code, flow.cx.module);
    match code.expr(expr) {
        Expr::Member(collection, own) => within_subsystem(flow, collection, module.facts.text(own), depth),
        Expr::Call { callee, first, count } => {
            let Expr::Member(collection, method) = code.expr(callee) else { return None };
            let own = code.string(*code.arguments(first, count).first()?)?;
            let finds = module.word(method) == Some(Word::Find);
            finds.then(|| within_subsystem(flow, collection, module.facts.text(own), depth))?
        }
        Expr::Name(name) => flow.assigned(name).iter().find_map(|value| described_subsystem(flow, *value, depth)),
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

/// The part with a file of its own (a form, a template, a command) that a collection of descriptions holds under a name
/// (`Метаданные.Обработки.Х.Формы.Имя`); None if `base` is no such collection.
pub(super) fn own_part(fields: Fields<'_>, flow: &Flow<'_>, base: ExprId, name: &str) -> Option<Vec<u32>> {
    let code = flow.cx.code;
    let Expr::Member(of, collection) = code.expr(base) else { return None };
    // A look at the expression first: this is asked of every property.
    let is_described = match code.expr(of) {
        Expr::Member(objects, _) => matches!(code.expr(objects), Expr::Member(root, _) if is_metadata(flow, root)),
        Expr::Call { callee, .. } => matches!(code.expr(callee), Expr::Member(_, name) | Expr::Name(name)
            if flow.cx.module.word(name) == Some(Word::Metadata)),
        _ => false,
    };
    let kind = part_collection(is_described.then(|| flow.cx.module.facts.text(collection))?)?;
    if !["Form", "Template", "Command"].contains(&kind.en()) {
        return None;
    }
    let Description::Of(holders) = description(fields, flow, of, DEPTH)? else { return Some(Vec::new()) };
    let part = |holder: u32| fields.world.find(&format!("{}.{}.{name}", fields.world.name(holder), kind.en()));
    Some(holders.into_iter().filter_map(part).collect())
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
        // Of some object a name means what few objects have that bears it.
        Description::Some(of) => {
            let named = if kind.is("TabularSection") { parts.sections(part) } else { parts.fields(part) };
            let fits = |node: &u32| of.is_none() || fields.world.kind_of(*node) == *of;
            let found: Vec<u32> = named.iter().copied().filter(fits).collect();
            let most = if of.is_none() && !kind.is("TabularSection") { MOST_OF_ANY } else { MOST };
            if found.len() <= most { found } else { Vec::new() }
        }
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
                None => Some(Description::Some(Some(kind))),
            }
        }
        Expr::Call { callee, .. } => {
            let (base, name) = match code.expr(callee) {
                Expr::Member(base, name) => (base, name),
                // `Метаданные()` of the module's own object.
                Expr::Name(name) if module.word(name) == Some(Word::Metadata) => return own_object(flow),
                _ => return None,
            };
            // `Объект.Метаданные()`
            if module.word(name) == Some(Word::Metadata) {
                let values = flow.surely(base);
                let this = values.iter().any(|value| value == Value::This);
                let mut objects: Vec<u32> = objects_of(&values).collect();
                if let Some(Description::Of(own)) = own_object(flow).filter(|_| this) {
                    objects.extend(own);
                }
                return Some(if objects.is_empty() { Description::Some(None) } else { Description::Of(objects) });
            }
            // `Метаданные.НайтиПоТипу(…)`
            is_metadata(flow, base).then_some(Description::Some(None))
        }
        Expr::Name(name) => {
            let mut all = Vec::new();
            for &value in flow.assigned(name) {
                match description(fields, flow, value, depth)? {
                    Description::Of(holders) => {
                        all.extend(holders.into_iter().filter(|one| !all.contains(one)).collect::<Vec<_>>())
                    }
                    some => return Some(some),
                }
            }
            if all.is_empty() {
                return runs_over(code, flow, name).map(|kind| Description::Some(Some(kind)));
            }
            Some(Description::Of(all))
        }
        _ => None,
    }
}

/// The module's own object.
fn own_object(flow: &Flow<'_>) -> Option<Description> {
    let info = flow.cx.module.info;
    let of_object = matches!(
        info.kind,
        ModuleKind::ObjectModule
            | ModuleKind::RecordSetModule
            | ModuleKind::ManagerModule
            | ModuleKind::ValueManagerModule
    );
    of_object.then(|| Description::Of(vec![info.owner]))
}

/// The kind of `Для Каждого Имя Из Метаданные.Справочники`.
fn runs_over(code: &Code, flow: &Flow<'_>, name: Symbol) -> Option<Kind> {
    let module = flow.cx.module;
    let name = module.first(name);
    code.statements.iter().find_map(|statement| match statement.kind {
        StatementKind::ForEach(each, of) if module.first(each) == name => collection(flow, of),
        _ => None,
    })
}

/// The fields of a name of that description's objects whose full name an expression is.
pub(super) fn fields_of_full_name(fields: Fields<'_>, flow: &Flow<'_>, expr: ExprId, part: PartName) -> Vec<u32> {
    let Expr::Call { callee, .. } = flow.cx.code.expr(expr) else { return Vec::new() };
    let Expr::Member(base, name) = flow.cx.code.expr(callee) else { return Vec::new() };
    if flow.cx.module.word(name) != Some(Word::FullName) {
        return Vec::new();
    }
    let Some(kind) = Kind::named("Attribute") else { return Vec::new() };
    let description = description(fields, flow, base, DEPTH);
    description.map(|description| parts(fields, &description, part, kind)).unwrap_or_default()
}
