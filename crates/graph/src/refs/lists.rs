//! Names of attributes that are given as text to functions which take such names: `data/attribute_names.tsv` and a project's own.

use super::code::ModuleReferences;
use super::fields::{Fields, objects_of};
use super::lines_before;
use crate::flow::Flow;
use crate::names::same;
use crate::types::lines;
use crate::value::{Aspect, Origin, Value};
use bsl::{Expr, ExprId, Symbol};
use metadata::ModuleKind;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Longest list that is looked at, in bytes.
const LONGEST: usize = 4096;

/// A function that takes names of attributes as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamesAttributes {
    /// `Module.Function` of a common module, or `Function` for one of that name in any common module.
    pub function: String,
    /// Which argument holds the names, from 1.
    pub names: u16,
    /// Which argument is the object or reference that has the attributes, from 1.
    pub object: u16,
}

/// A method of the platform that takes names of attributes of what stands before the dot.
struct OfPlatform {
    of: Option<Aspect>,
    ru: &'static str,
    en: &'static str,
    names: usize,
}

static OF_PLATFORM: LazyLock<Vec<OfPlatform>> = LazyLock::new(|| {
    let row = |[of, ru, en, names, _]: [&'static str; 5]| {
        let of = if of == "Manager" { None } else { Some(Aspect::parse(of)?) };
        Some(OfPlatform { of, ru, en, names: names.parse().ok()? })
    };
    rows().filter(|[of, ..]| !of.is_empty()).filter_map(row).collect()
});

/// Folded names of all functions of the platform, for a quick look.
static WORDS: LazyLock<FxHashSet<String>> =
    LazyLock::new(|| OF_PLATFORM.iter().flat_map(|row| [row.ru, row.en]).map(bsl::fold).collect());

fn rows() -> impl Iterator<Item = [&'static str; 5]> {
    lines(include_str!("../../data/attribute_names.tsv")).map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or(""))
    })
}

impl NamesAttributes {
    /// The built-in list: functions of common modules.
    pub fn built_in() -> Vec<Self> {
        let row = |[_, function, _, names, object]: [&str; 5]| {
            Some(Self { function: function.to_owned(), names: names.parse().ok()?, object: object.parse().ok()? })
        };
        rows().filter(|[of, ..]| of.is_empty()).filter_map(row).collect()
    }

    /// A function as projects write it: `Module.Function#2`, the number of the argument with the names; the object is the other
    /// one of the first two. The number left out stands for the second. None if the number is no number, or 0.
    pub fn parse(written: &str) -> Option<Self> {
        let (function, names) = match written.split_once('#') {
            Some((function, names)) => (function, names.trim().parse().ok()?),
            None => (written, 2),
        };
        let function = function.trim().to_owned();
        let object = if names == 1 { 2 } else { 1 };
        (names > 0 && !function.is_empty()).then_some(Self { function, names, object })
    }
}

/// The attributes that a call is given the names of, each with the line of its name.
pub(super) fn targets(
    references: &ModuleReferences<'_>,
    flow: &Flow<'_>,
    base: Option<ExprId>,
    name: Symbol,
    args: &[ExprId],
    line: u32,
) -> Vec<(u32, u32)> {
    let module = flow.cx.module;
    let mut found = Vec::new();
    let mut targets = Vec::new();
    if args.is_empty() {
        return found;
    }
    let text = module.facts.text(name);
    // A manager's module calls its own manager without a dot.
    let own = base.is_none() && module.info.kind == ModuleKind::ManagerModule;
    if (base.is_some() || own) && text.len() < 48 && WORDS.contains(&bsl::fold(text)) {
        for row in OF_PLATFORM.iter().filter(|row| same(row.ru, text) || same(row.en, text)) {
            let Some(&arg) = args.get(row.names - 1) else { continue };
            let names = names(flow, arg, line);
            if names.is_empty() {
                continue;
            }
            let fits = |value: &Value| match (value, row.of) {
                (Value::Manager { .. }, None) => true,
                (Value::Instance { aspect, .. }, Some(of)) => *aspect == of,
                _ => false,
            };
            let values = match base {
                Some(base) => flow.surely(base),
                None => Value::Manager { object: module.info.owner, origin: Origin::Inferred }.into(),
            };
            let holders: Vec<u32> = values
                .iter()
                .filter(fits)
                .filter_map(|value| match value {
                    Value::Manager { object, .. } | Value::Instance { object, .. } => Some(object),
                    _ => None,
                })
                .collect();
            for (path, line) in &names {
                references.fields.walk(&holders, path, &mut targets);
                found.extend(targets.drain(..).map(|target| (target, *line)));
            }
        }
    }
    for row in module.world.names_attributes(module, name) {
        let (Some(&names_arg), Some(&object)) =
            (args.get(usize::from(row.names) - 1), args.get(usize::from(row.object.max(1)) - 1))
        else {
            continue;
        };
        if !is_called(flow, base, &row.function) {
            continue;
        }
        let names = names(flow, names_arg, line);
        let before = found.len();
        references.paths_of(flow, object, &names, &mut found);
        if found.len() == before && objects_of(&flow.surely(object)).next().is_none() {
            found.extend(names.iter().filter_map(|(name, line)| Some((only(references.fields, name)?, *line))));
        }
    }
    found
}

/// The only field of the configuration that bears a name: what it means of an object that is not known.
fn only(fields: Fields<'_>, name: &str) -> Option<u32> {
    match fields.world.parts.fields(fields.world.parts.name(name)?) {
        [only] => Some(*only),
        _ => None,
    }
}

/// Whether what stands before the dot fits a function as the list writes it.
pub(super) fn is_called(flow: &Flow<'_>, base: Option<ExprId>, function: &str) -> bool {
    let Some((module, _)) = function.rsplit_once('.') else { return true };
    let world = flow.cx.module.world;
    let wanted = world.ident(module).and_then(|name| world.common_module(name));
    match base {
        Some(base) => flow
            .surely(base)
            .iter()
            .any(|value| matches!(value, Value::Module { module, .. } if Some(module) == wanted)),
        None => wanted == Some(flow.cx.module.id),
    }
}

/// The names, or paths, that an argument holds, each with its line: a literal, or a variable that is one; the keys of a structure
/// made there. Where the text stands elsewhere, the line is the call's.
fn names(flow: &Flow<'_>, arg: ExprId, line: u32) -> Vec<(String, u32)> {
    let code = flow.cx.code;
    let literal = match code.expr(arg) {
        Expr::New { first, count, .. } => code.arguments(first, count).first().copied(),
        _ => Some(arg),
    };
    let literal = literal.and_then(|literal| Some((code.string(literal)?, code.line(literal))));
    let texts: Vec<(String, Option<u32>)> = match (literal, code.expr(arg)) {
        (Some((text, line)), _) => vec![(flow.cx.module.facts.text(text).to_owned(), Some(line))],
        (None, Expr::New { .. }) => Vec::new(),
        _ => flow.eval(arg).iter().filter_map(|value| Some((flow.text(value)?, None))).collect(),
    };
    let mut found = Vec::new();
    for (text, literal) in texts.iter().filter(|(text, _)| text.len() <= LONGEST) {
        let mut at = 0;
        for item in text.split(',') {
            let before = at + (item.len() - item.trim_start().len());
            at += item.len() + 1;
            // `Дата УБЫВ`: an order behind the name.
            let item = item.split_whitespace().next().unwrap_or("");
            if !item.is_empty() && item.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
                let line = literal.map_or(line, |first| first + lines_before(text, before));
                found.push((item.to_owned(), line));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let count = lines(include_str!("../../data/attribute_names.tsv")).count();
        assert_eq!(OF_PLATFORM.len() + NamesAttributes::built_in().len(), count);
    }

    #[test]
    fn a_project_writes_functions_in_short() {
        let parsed = |written| NamesAttributes::parse(written).map(|row| (row.function, row.names, row.object));
        assert_eq!(parsed("Общее.Значение"), Some(("Общее.Значение".to_owned(), 2, 1)));
        assert_eq!(parsed("Значение#1"), Some(("Значение".to_owned(), 1, 2)));
        assert_eq!((parsed("Общее.Значение#х"), parsed("#2")), (None, None));
    }
}
