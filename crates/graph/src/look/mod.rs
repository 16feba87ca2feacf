//! What is known of an expression or a variable of a method, for people who ask: the same flow that edges come from, with what
//! it rests on.
//!
//! - [`types`]: what an expression may be at a place, and behind what it is;
//! - [`variable`]: where a variable gets its values, and where they go.

mod types;
mod variable;

pub use types::{Behind, Seen, SeenType};
pub use variable::{UseKind, VariableUse};

use bsl::{Code, Expr, ExprId, ModuleFacts, Statement};

use crate::flow::Flow;
use crate::scope::{Locals, MethodContext, ModuleContext};
use crate::walk::{self, Seeds};
use crate::world::{MethodId, ModuleId, World};

/// Whether a statement was walked over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Before,
    After,
}

/// A module that is looked at.
struct Looked<'a> {
    module: ModuleContext<'a>,
    /// What calls inside the module give to parameters.
    seeds: Seeds,
}

impl<'a> Looked<'a> {
    /// None if the world has no module of that place, or of other methods than the facts.
    fn new(world: &'a World, module: usize, facts: &'a ModuleFacts) -> Option<Self> {
        let id = ModuleId(u32::try_from(module).ok()?);
        world.modules().get(module)?;
        if world.methods_of(id).len() != facts.methods.len() {
            return None;
        }
        let module = ModuleContext::new(world, id, facts);
        let seeds = walk::seeds(&module);
        Some(Self { module, seeds })
    }

    /// Walks over one method, or over the statements outside methods, and shows each moment.
    fn replay(&self, method: Option<usize>, mut each: impl FnMut(&Flow<'_>, usize, Statement, Moment)) {
        let facts = self.module.facts;
        let (method, index) = match method {
            Some(place) => (facts.methods.get(place), u32::try_from(place).ok()),
            None => (None, None),
        };
        let code = method.map_or(&facts.body, |method| &method.code);
        let mut locals = Locals::new(&self.module);
        locals.enter(&self.module, method, code);
        let id = index.map(|index| self.module.world.method_at(self.module.id, index));
        let node = id.map_or(self.module.info.body, |id| self.module.world.method(id).node);
        let cx = MethodContext { module: &self.module, method, index, id, code, node, locals: &locals };
        let seeds = index.and_then(|index| self.seeds.get(&index)).map_or(&[][..], Vec::as_slice);
        let mut flow = Flow::new(cx, seeds);
        for (index, statement) in code.statements.iter().enumerate() {
            flow.enter(index, *statement);
            each(&flow, index, *statement, Moment::Before);
            flow.leave(*statement);
            each(&flow, index, *statement, Moment::After);
        }
    }
}

/// The methods of the configuration that a call may mean.
fn called(flow: &Flow<'_>, callee: ExprId) -> Vec<MethodId> {
    let (module, code) = (flow.cx.module, flow.cx.code);
    match code.expr(callee) {
        Expr::Name(name) => {
            let Some(name) = module.ident(name) else { return Vec::new() };
            module.own_method(name).or_else(|| module.world.global_method(name)).into_iter().collect()
        }
        Expr::Member(base, name) => {
            let Some(name) = module.ident(name) else { return Vec::new() };
            let mut found: Vec<MethodId> = Vec::new();
            for value in flow.eval(base).iter() {
                found.extend(flow.method_of(value, name).filter(|method| !found.contains(method)));
            }
            found
        }
        _ => Vec::new(),
    }
}

/// The called name as written, with what stands before it: `Модуль.Метод`.
fn called_text(facts: &ModuleFacts, code: &Code, callee: ExprId) -> String {
    /// Deepest chain of names that is shown.
    const DEEPEST: usize = 8;
    let (mut parts, mut at) = (Vec::new(), Some(callee));
    while let Some(id) = at.take()
        && parts.len() < DEEPEST
    {
        match code.expr(id) {
            Expr::Name(name) => parts.push(facts.text(name).to_owned()),
            Expr::Member(base, name) => {
                parts.push(facts.text(name).to_owned());
                at = Some(base);
            }
            Expr::Call { callee, .. } => {
                let last = parts.len();
                parts.push("()".to_owned());
                // `А().Б`: the parentheses belong to the name before them.
                if let Expr::Name(name) | Expr::Member(_, name) = code.expr(callee)
                    && let Some(part) = parts.get_mut(last)
                {
                    *part = format!("{}()", facts.text(name));
                }
                at = match code.expr(callee) {
                    Expr::Member(base, _) => Some(base),
                    _ => None,
                };
            }
            Expr::Index(base, _) => {
                parts.push("[]".to_owned());
                at = Some(base);
            }
            _ => parts.push("…".to_owned()),
        }
    }
    parts.reverse();
    parts.join(".").replace(".[]", "[]")
}
