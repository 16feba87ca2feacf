//! What a module names, place by place: calls, members and bare names, with what is certain of what stands before the dot.
//!
//! Made for those who say that a name can't be there, so only what is certain counts: a place whose receiver may be something
//! else is left out. The text may be another one than the world was made of: an edit that was not applied yet.

use bsl::{Code, Expr, ExprId, ModuleFacts, Statement, StatementKind, Symbol};
use metadata::{Kind, ModuleKind};

use crate::flow::Flow;
use crate::refs::described_collection;
use crate::scope::{Binding, Locals, MethodContext, ModuleContext};
use crate::value::{Aspect, Value, Values};
use crate::walk::{Visit, visit};
use crate::world::{ModuleId, World};

/// A place that names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The method, by its place among those of the text; None: the statements outside methods.
    pub method: Option<u32>,
    /// The expression.
    pub expr: ExprId,
    /// 1-based line.
    pub line: u32,
    /// The name as written.
    pub name: Symbol,
    /// How it is used.
    pub using: Using,
    /// What it is looked up in.
    pub of: Of,
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Using {
    /// Its value is read, or set.
    Value,
    /// It is called with so many arguments, those that are left out among them.
    Call(u16),
    /// It is named to be called later: `ДобавитьОбработчик Событие, Обработчик`.
    Handler,
}

/// What a name is looked up in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// Nothing stands before it, and it is no parameter and no variable.
    Bare,
    /// One of these, and nothing else.
    Values(Vec<Holder>),
    /// The descriptions of all objects of a kind: `Метаданные.Справочники`.
    Described(Kind),
}

/// What stands before a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A common module.
    Module(ModuleId),
    /// The module's own object or form: `ЭтотОбъект`.
    This,
    /// The managers of all objects of a kind: `Справочники`.
    Collection(Kind),
    /// The manager of an object, by its node.
    Manager(u32),
    /// An object, a reference to one, a record set …
    Instance {
        /// Node of the object or tabular section.
        object: u32,
        /// What of it.
        aspect: Aspect,
    },
}

impl World {
    /// The places of a text that names something; `module`: whose text it is or will be, by its place among the modules. Empty for
    /// a place that isn't there.
    pub fn sites(&self, module: usize, facts: &ModuleFacts) -> Vec<Site> {
        let id = ModuleId(module as u32);
        let mut sites = Vec::new();
        if self.modules().get(module).is_none() {
            return sites;
        }
        let cx = ModuleContext::new(self, id, facts);
        let mut locals = Locals::new(&cx);
        for (index, (method, code)) in facts.codes().enumerate() {
            if code.nodes.is_empty() {
                continue;
            }
            locals.enter(&cx, method, code);
            let index = method.map(|_| index as u32);
            let known = method.and_then(|method| self.declared_method(id, cx.ident(method.name)?));
            let node = known.map_or(cx.info.body, |known| self.node_of(known));
            let around = MethodContext { module: &cx, method, index, id: known, code, node, locals: &locals };
            let mut flow = Flow::certain(around);
            let mut finder = Finder { code, method: index, named: named(code), sites: &mut sites };
            visit(&mut flow, code, &mut finder);
        }
        sites
    }

    /// Whether an object or a tabular section has a field or a section of that name, in either language.
    pub fn has_field(&self, holder: u32, name: &str) -> bool {
        let part = self.parts.name(name).and_then(|name| self.part(holder, name));
        part.is_some_and(|part| part.role.is_field())
    }

    /// Whether an enumeration has a value, or another object a predefined item, of that name.
    pub fn has_value(&self, object: u32, name: &str) -> bool {
        let part = self.parts.name(name).and_then(|name| self.part(object, name));
        part.is_some_and(|part| !part.role.is_field())
    }

    /// Names of the fields and sections of an object or a tabular section, or else of its values and predefined items.
    pub fn names_in(&self, holder: u32, fields: bool) -> Vec<&str> {
        self.parts_of(holder).filter(|(_, part)| part.role.is_field() == fields).map(|(name, _)| name).collect()
    }

    /// Own names of the objects of a kind.
    pub fn names_of_kind(&self, kind: Kind) -> Vec<&str> {
        let own = |node: u32| self.name(node).rsplit('.').next().unwrap_or("");
        self.objects_of_kind(kind).map(own).collect()
    }

    /// Own names of the common modules.
    pub fn names_of_common_modules(&self) -> Vec<&str> {
        let common = self.modules().iter().filter(|module| module.common);
        common.map(|module| self.name(module.node).rsplit('.').next().unwrap_or("")).collect()
    }

    /// The modules in which methods of a thing stand, the extended one first; empty if it has none.
    pub fn modules_behind(&self, of: Holder, own: ModuleId) -> Vec<ModuleId> {
        let first = match of {
            Holder::Module(module) => Some(module),
            Holder::This => Some(own),
            Holder::Collection(_) => None,
            Holder::Manager(object) => self.owned_module(object, ModuleKind::ManagerModule),
            Holder::Instance { object, aspect } => aspect.module().and_then(|kind| self.owned_module(object, kind)),
        };
        let first = first.into_iter().flat_map(|first| std::iter::once(first).chain(self.layers().one_with(first)));
        first.collect()
    }
}

/// Expressions that are named to be called: callees, handlers.
fn named(code: &Code) -> Vec<bool> {
    let mut named = code.callees();
    for statement in &code.statements {
        if let StatementKind::AddHandler(_, handler) | StatementKind::RemoveHandler(_, handler) = statement.kind
            && let Some(named) = named.get_mut(handler.0 as usize)
        {
            *named = true;
        }
    }
    named
}

struct Finder<'f> {
    code: &'f Code,
    method: Option<u32>,
    named: Vec<bool>,
    sites: &'f mut Vec<Site>,
}

impl Visit for Finder<'_> {
    fn node(&mut self, flow: &Flow<'_>, id: ExprId) {
        match self.code.expr(id) {
            Expr::Call { callee, count, .. } => self.look_at(flow, callee, Using::Call(count)),
            Expr::Name(_) | Expr::Member(..) if !self.named.get(id.0 as usize).copied().unwrap_or(false) => {
                self.look_at(flow, id, Using::Value);
            }
            _ => {}
        }
    }

    fn statement(&mut self, flow: &Flow<'_>, statement: Statement) {
        if let StatementKind::AddHandler(_, handler) | StatementKind::RemoveHandler(_, handler) = statement.kind
            && !matches!(self.code.expr(handler), Expr::Call { .. })
        {
            self.look_at(flow, handler, Using::Handler);
        }
    }
}

impl Finder<'_> {
    fn look_at(&mut self, flow: &Flow<'_>, expr: ExprId, using: Using) {
        let (name, of) = match self.code.expr(expr) {
            // A method may be called as a variable is.
            Expr::Name(name) if using != Using::Value || matches!(flow.cx.binding(name), Binding::Global(_)) => {
                (name, Of::Bare)
            }
            Expr::Member(base, name) => match described_collection(flow, base) {
                Some(kind) => (name, Of::Described(kind)),
                None => match holders(&flow.eval(base)) {
                    Some(holders) => (name, Of::Values(holders)),
                    None => return,
                },
            },
            _ => return,
        };
        let line = self.code.line(expr);
        self.sites.push(Site { method: self.method, expr, line, name, using, of });
    }
}

/// What values are, if all of them are known; None if something else may be there.
fn holders(values: &Values) -> Option<Vec<Holder>> {
    if values.open || values.is_empty() {
        return None;
    }
    let holder = |value| match value {
        Value::Module { module, .. } => Some(Holder::Module(module)),
        Value::This => Some(Holder::This),
        Value::Collection(kind) => Some(Holder::Collection(kind)),
        Value::Manager { object, .. } => Some(Holder::Manager(object)),
        Value::Instance { object, aspect, .. } => Some(Holder::Instance { object, aspect }),
        _ => None,
    };
    values.iter().map(holder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::testing::demo;

    fn sites(module: &str, text: &str) -> Vec<String> {
        let demo = demo()
            .module(
                "CommonModule.Общий",
                "Функция Найти() Экспорт\n\tВозврат Справочники.Валюты.ПустаяСсылка();\nКонецФункции",
            )
            .object("Catalog.Валюты")
            .attribute("Catalog.Валюты", "Курс")
            .module(module, "");
        let (world, place) = demo.world_and_place(module);
        let facts = bsl::read_module(text.as_bytes());
        let show = |site: Site| {
            let of = match site.of {
                Of::Bare => "bare".to_owned(),
                Of::Described(kind) => format!("described {}", kind.en()),
                Of::Values(holders) => format!("{holders:?}").replace(|c: char| c.is_ascii_digit(), "N"),
            };
            format!("{} {:?}: {of}", facts.text(site.name), site.using)
        };
        world.sites(place, &facts).into_iter().map(show).collect()
    }

    #[test]
    fn calls_members_and_names_with_what_is_certain() {
        let text = "Процедура Нов(П)\n\tОбщий.Нет(1, );\n\tС = Справочники.Валюты.НайтиПоКоду(П);\n\tА = С.Курсы;\nКонецПроцедуры";
        assert_eq!(
            sites("CommonModule.Х", text),
            [
                "Общий Value: bare",
                "Нет Call(2): [Module(ModuleId(N))]",
                "Справочники Value: bare",
                "Валюты Value: [Collection(Catalog)]",
                "НайтиПоКоду Call(1): [Manager(N)]",
                "Курсы Value: [Instance { object: N, aspect: Ref }]",
            ]
        );
    }

    #[test]
    fn what_may_be_something_else_is_left_out() {
        // A parameter, the result of a function, a table that got columns.
        let text = "Процедура А(П)\n\tБ = П.Х;\n\tВ = Общий.Найти();\n\tГ = В.Курсы;\nКонецПроцедуры";
        assert_eq!(sites("CommonModule.Х", text), ["Общий Value: bare", "Найти Call(0): [Module(ModuleId(N))]"]);
    }

    #[test]
    fn handlers_and_descriptions() {
        let text = "ДобавитьОбработчик П.Событие, Обработчик;\nА = Метаданные.Справочники.Нет;";
        let found = sites("CommonModule.Х", text);
        assert!(found.contains(&"Обработчик Handler: bare".to_owned()), "{found:?}");
        assert!(found.contains(&"Нет Value: described Catalog".to_owned()), "{found:?}");
    }
}
