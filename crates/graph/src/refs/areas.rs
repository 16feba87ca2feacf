//! Areas and parameters of spreadsheet templates that code which prints names: `Макет.ПолучитьОбласть("Шапка")`,
//! `Область.Параметры.Номер`.
//!
//! A template is followed back to where it was got: through locals, through parameters to the calls in the same module, and by
//! the flow of values through results, parameters and keys over all modules.

use super::fields::Fields;
use crate::flow::Flow;
use crate::scope::ModuleContext;
use crate::value::{Value, Values};
use crate::words::Word;
use crate::world::parts::{PartName, PartRole};
use bsl::{Code, Expr, ExprId, Method, StatementKind, Symbol};
use metadata::{Kind, ModuleKind};

/// How far a template is followed.
const DEPTH: usize = 6;
/// Most templates that one variable may hold.
const MOST: usize = 6;

/// The areas that a call of `ПолучитьОбласть` names; of `Строки|Колонки` both.
pub(super) fn areas(fields: Fields<'_>, flow: &Flow<'_>, of: ExprId, text: &str) -> Vec<u32> {
    let names: Vec<PartName> = text.split('|').filter_map(|name| fields.world.parts.name(name.trim())).collect();
    if names.is_empty() {
        return Vec::new();
    }
    parts(fields, &templates(fields, flow, of), &names, PartRole::Area)
}

/// The parameters that `of.Параметры.Имя` names; `parameters` is what stands before the last dot.
pub(super) fn parameters(fields: Fields<'_>, flow: &Flow<'_>, parameters: ExprId, name: PartName) -> Vec<u32> {
    let Expr::Member(of, word) = flow.cx.code.expr(parameters) else { return Vec::new() };
    if flow.cx.module.word(word) != Some(Word::Parameters) {
        return Vec::new();
    }
    parts(fields, &templates(fields, flow, of), &[name], PartRole::Parameter)
}

/// The templates that an expression may be, or may be an area of. What is only known to be kept somewhere under the same name
/// counts if nothing else is kept under it.
fn templates(fields: Fields<'_>, flow: &Flow<'_>, of: ExprId) -> Vec<u32> {
    let found = Search::at(fields, flow).templates(of, DEPTH);
    if !found.is_empty() {
        return found;
    }
    let of_values = |values: Values| -> Vec<u32> {
        let templates = values.iter().filter_map(|value| match value {
            Value::Template(template) => Some(template),
            _ => None,
        });
        templates.collect()
    };
    let found = of_values(flow.surely(of));
    if !found.is_empty() {
        return found;
    }
    let kept = flow.eval(of);
    if kept.iter().len() == 1 { of_values(kept) } else { Vec::new() }
}

/// The templates that the argument of `ПолучитьМакет` names: `Объект.ПолучитьМакет("Имя")`, `ПолучитьМакет("Имя")` of the
/// module's own object, `ПолучитьОбщийМакет("Имя")`.
pub(super) fn got(fields: Fields<'_>, flow: &Flow<'_>, base: Option<ExprId>, arg: ExprId) -> Vec<u32> {
    Search::at(fields, flow).got(base, arg)
}

/// The template of that own name of an object.
pub(super) fn template_of(fields: Fields<'_>, object: u32, name: &str) -> Option<u32> {
    fields.world.template(object, name)
}

fn parts(fields: Fields<'_>, templates: &[u32], names: &[PartName], role: PartRole) -> Vec<u32> {
    let found = |template: &u32| {
        let of_one = names.iter().filter_map(|name| fields.world.parts.of_template(*template, *name, role));
        of_one.collect::<Vec<_>>()
    };
    templates.iter().flat_map(found).collect()
}

/// Where a template is looked for: one method's code.
struct Search<'a, 'f> {
    fields: Fields<'a>,
    module: &'a ModuleContext<'a>,
    method: Option<&'a Method>,
    code: &'a Code,
    /// The walk, if it stands in this code.
    flow: Option<&'f Flow<'a>>,
}

impl<'a, 'f> Search<'a, 'f> {
    fn at(fields: Fields<'a>, flow: &'f Flow<'a>) -> Self {
        let cx = &flow.cx;
        Self { fields, module: cx.module, method: cx.method, code: cx.code, flow: Some(flow) }
    }

    /// The templates that an expression may be, or may be an area of.
    fn templates(&self, expr: ExprId, depth: usize) -> Vec<u32> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        match self.code.expr(expr) {
            Expr::Name(name) => self.held(name, depth),
            Expr::Call { callee, first, count } => {
                let args = self.code.arguments(first, count);
                let (base, name) = match self.code.expr(callee) {
                    Expr::Name(name) => (None, name),
                    Expr::Member(base, name) => (Some(base), name),
                    _ => return Vec::new(),
                };
                match self.module.word(name) {
                    Some(Word::GetArea) => base.map_or_else(Vec::new, |base| self.templates(base, depth)),
                    Some(Word::GetTemplate) => args.first().map_or_else(Vec::new, |arg| self.got(base, *arg)),
                    // A function that gives a template by its full name.
                    _ => {
                        let texts = args.iter().filter_map(|arg| self.code.string(*arg));
                        texts
                            .filter_map(|text| self.fields.world.template_named(self.module.facts.text(text)))
                            .take(1)
                            .collect()
                    }
                }
            }
            _ => Vec::new(),
        }
    }

    /// What a variable may hold: what it is set to; of a parameter what calls in the module give it.
    fn held(&self, name: Symbol, depth: usize) -> Vec<u32> {
        let name = self.module.first(name);
        let mut found = Vec::new();
        for statement in &self.code.statements {
            let StatementKind::Assign(target, value) = statement.kind else { continue };
            if matches!(self.code.expr(target), Expr::Name(other) if self.module.first(other) == name) {
                found.extend(self.templates(value, depth));
            }
        }
        let param = self.method.and_then(|method| {
            let place = method.params.iter().position(|param| self.module.first(param.name) == name)?;
            Some((self.module.first(method.name), place))
        });
        if let (Some((method, place)), true) = (param, found.is_empty()) {
            for (caller, code) in self.module.facts.codes() {
                let search = Search { method: caller, code, flow: None, ..*self };
                let calls = code.calls().filter(|call| call.receiver.is_none());
                for call in calls.filter(|call| self.module.first(call.name) == method) {
                    found.extend(call.args.get(place).map_or_else(Vec::new, |arg| search.templates(*arg, depth)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST);
        found
    }

    fn got(&self, base: Option<ExprId>, arg: ExprId) -> Vec<u32> {
        let texts: Vec<String> = match (self.code.string(arg), self.flow) {
            (Some(text), _) => vec![self.module.facts.text(text).to_owned()],
            (None, Some(flow)) => flow.eval(arg).iter().filter_map(|value| flow.text(value)).collect(),
            (None, None) => Vec::new(),
        };
        let own = matches!(self.module.info.kind, ModuleKind::ObjectModule | ModuleKind::ManagerModule);
        let owners: Vec<u32> = match (base, self.flow) {
            (Some(base), Some(flow)) => flow
                .surely(base)
                .iter()
                .filter_map(|value| match value {
                    Value::Manager { object, .. } | Value::Instance { object, .. } => Some(object),
                    Value::This if own => Some(self.module.info.owner),
                    _ => None,
                })
                .collect(),
            (Some(base), None) => self.manager(base).into_iter().collect(),
            (None, _) if own => vec![self.module.info.owner],
            (None, _) => Vec::new(),
        };
        let mut found = Vec::new();
        for text in &texts {
            found.extend(owners.iter().filter_map(|owner| template_of(self.fields, *owner, text)));
            if base.is_none() {
                found.extend(self.fields.world.common_template(text));
            }
        }
        found
    }

    /// `Документы.Счет`, by its looks alone.
    fn manager(&self, base: ExprId) -> Option<u32> {
        let Expr::Member(collection, name) = self.code.expr(base) else { return None };
        let Expr::Name(collection) = self.code.expr(collection) else { return None };
        let kind = Kind::from_collection(self.module.facts.text(collection))?;
        self.fields.object(kind, self.module.facts.text(name))
    }
}
