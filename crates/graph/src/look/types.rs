//! What an expression may be at a place of a method.

use bsl::code::{BinaryOp, UnaryOp};
use bsl::{Code, Expr, ExprId, ModuleFacts, Statement, StatementKind, Symbol};
use metadata::ModuleKind;

use super::{Looked, Moment, called};
use crate::flow::Flow;
use crate::scope::{Binding, ModuleContext};
use crate::value::{Aspect, Origin, Value, Values};
use crate::walk::last_node;
use crate::words::Word;
use crate::world::World;

/// Deepest expression that is looked at.
const DEEPEST: usize = 32;
/// What the text itself shows.
const LITERAL: &str = "literal";
/// Most assignments of a variable that are shown.
const MOST_ASSIGNED: usize = 40;

/// What is known of an expression at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What it may be.
    pub types: Vec<SeenType>,
    /// Whether something else may stand there too.
    pub open: bool,
    /// What it is, so that more can be looked up.
    pub behind: Behind,
}

/// One type that an expression may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenType {
    /// Canonical name of the type (`CatalogRef.X`, `ValueTable`, `String`), or the full name of a module.
    pub name: String,
    /// How it is known: `written`, `named`, `evaluated`, `inferred`, `chosen` among several, `literal`, `assigned` somewhere in the method.
    pub how: &'static str,
    /// Node of the object of the configuration, if it is of one.
    pub object: Option<u32>,
}

/// What an expression is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Behind {
    /// Nothing that more is known of.
    #[default]
    Nothing,
    /// A literal, or an operation that always gives the same type.
    Written,
    /// A parameter of the method, by its place.
    Param(u16),
    /// A variable of the method: its assignments by line.
    Assigned(Vec<(u32, Seen)>),
    /// A call of methods of the configuration: their nodes.
    Result(Vec<u32>),
    /// A property: nodes of what may hold it, and its name. Of a form's own attribute the form's node.
    Property(Vec<u32>, String),
    /// A variable of the module.
    Variable,
}

impl World {
    /// What an expression of a method's code may be: in the statement of a line, what it assigns counting as assigned; without
    /// a line, anywhere in the method. `method` is the method's place, None the statements outside methods; an expression that
    /// nobody wrote is made by [`ModuleFacts::add_expression`]. None if facts and world don't belong together.
    pub fn look_at(
        &self,
        module: usize,
        facts: &ModuleFacts,
        method: Option<usize>,
        line: Option<u32>,
        expr: ExprId,
    ) -> Option<Seen> {
        let looked = Looked::new(self, module, facts)?;
        let code = method.map_or(Some(&facts.body), |place| facts.methods.get(place).map(|method| &method.code))?;
        let moment = line.and_then(|line| moment_of(code, line));
        let mut values: Option<Values> = None;
        let mut behind = Behind::Nothing;
        let root = root(code, expr);
        let mut assigned: Vec<(u32, Seen)> = Vec::new();
        looked.replay(method, |flow, index, statement, at| {
            let here = moment.is_none_or(|moment| moment == (index, at));
            if here && (at == Moment::After || moment.is_some()) {
                let now = flow.eval(expr);
                match &mut values {
                    Some(known) => known.join(&now),
                    None => values = Some(now),
                }
                if behind == Behind::Nothing {
                    behind = self.behind(flow, expr);
                }
            }
            if at == Moment::After
                && assigned.len() < MOST_ASSIGNED
                && let Some(seen) = root.and_then(|name| self.assignment(flow, statement, name))
            {
                assigned.push((statement.line, seen));
            }
        });
        let values = values.unwrap_or_else(Values::unknown);
        let mut seen = Seen { types: self.types_of(&looked.module, &values), open: values.open, behind };
        if let Some(name) = plain(facts, code, expr) {
            seen = Seen { types: vec![literal(name)], open: false, behind: Behind::Written };
        }
        if seen.behind == Behind::Assigned(Vec::new()) {
            let from_flow = !seen.types.is_empty();
            // The flow follows what calls can be resolved by; a number or a date it does not keep.
            for t in assigned.iter().flat_map(|(_, one)| &one.types).filter(|t| t.how == LITERAL) {
                if seen.types.iter().all(|known| known.name != t.name) {
                    seen.types.push(SeenType { how: "assigned", ..t.clone() });
                }
            }
            if !from_flow {
                seen.open = assigned.is_empty() || assigned.iter().any(|(_, one)| one.open);
            }
            seen.behind = Behind::Assigned(assigned);
        }
        Some(seen)
    }

    /// What a statement assigns to a variable; None for one that doesn't.
    pub(super) fn assignment(&self, flow: &Flow<'_>, statement: Statement, name: Symbol) -> Option<Seen> {
        let (module, code) = (flow.cx.module, flow.cx.code);
        let is = |other: Symbol| module.first(other) == module.first(name);
        match statement.kind {
            StatementKind::Assign(target, value) if matches!(code.expr(target), Expr::Name(own) if is(own)) => {
                Some(self.seen(flow, value))
            }
            StatementKind::For(own, ..) if is(own) => {
                Some(Seen { types: vec![literal("Number")], open: false, behind: Behind::Written })
            }
            StatementKind::ForEach(own, _) if is(own) => {
                let values = flow.eval_name(own);
                Some(Seen { types: self.types_of(flow.cx.module, &values), open: values.open, behind: Behind::Nothing })
            }
            _ => None,
        }
    }

    /// What an expression is at the flow's place.
    pub(super) fn seen(&self, flow: &Flow<'_>, expr: ExprId) -> Seen {
        if let Some(name) = plain(flow.cx.module.facts, flow.cx.code, expr) {
            return Seen { types: vec![literal(name)], open: false, behind: Behind::Written };
        }
        let values = flow.eval(expr);
        Seen { types: self.types_of(flow.cx.module, &values), open: values.open, behind: self.behind(flow, expr) }
    }

    fn behind(&self, flow: &Flow<'_>, expr: ExprId) -> Behind {
        let (module, code) = (flow.cx.module, flow.cx.code);
        match code.expr(expr) {
            Expr::Name(name) => match flow.cx.binding(name) {
                Binding::Param(place) => Behind::Param(place),
                Binding::Local => Behind::Assigned(Vec::new()),
                Binding::Own => {
                    let is_variable = module.facts.variables.iter().any(|v| module.first(v.name) == module.first(name));
                    if is_variable {
                        Behind::Variable
                    } else {
                        Behind::Property(vec![module.info.owner], module.facts.text(name).to_owned())
                    }
                }
                Binding::Global(ident) => {
                    let means = |ident| {
                        self.common_module(ident).is_some()
                            || self.collection(ident).is_some()
                            || self.word(ident) == Some(Word::This)
                    };
                    let holds = matches!(
                        module.info.kind,
                        ModuleKind::ObjectModule | ModuleKind::FormModule | ModuleKind::RecordSetModule
                    );
                    // An attribute of the module's own object or form, if it has one of that name.
                    match holds && !ident.is_some_and(means) {
                        true => Behind::Property(vec![module.info.owner], module.facts.text(name).to_owned()),
                        false => Behind::Nothing,
                    }
                }
            },
            Expr::Member(base, name) => {
                let mut holders: Vec<u32> = Vec::new();
                for value in flow.eval(base).iter() {
                    let holder = match value {
                        Value::Instance { object, .. } => Some(object),
                        Value::This => Some(module.info.owner),
                        _ => None,
                    };
                    holders.extend(holder.filter(|holder| !holders.contains(holder)));
                }
                Behind::Property(holders, module.facts.text(name).to_owned())
            }
            Expr::Call { callee, .. } => {
                Behind::Result(called(flow, callee).into_iter().map(|method| self.node_of(method)).collect())
            }
            Expr::Unary(UnaryOp::Await, value) => self.behind(flow, value),
            _ => Behind::Nothing,
        }
    }

    /// The types of values in a module.
    fn types_of(&self, module: &ModuleContext<'_>, values: &Values) -> Vec<SeenType> {
        let mut types: Vec<SeenType> = Vec::new();
        for t in values.iter().filter_map(|value| self.seen_type(module.info.kind, module.info.owner, value)) {
            if types.iter().all(|known| known.name != t.name) {
                types.push(t);
            }
        }
        types
    }

    /// The type of a value, in a module of that kind and owner.
    fn seen_type(&self, kind: ModuleKind, owner: u32, value: Value) -> Option<SeenType> {
        let (origin, object) = match value {
            Value::Module { origin, .. } => (Some(origin), None),
            Value::Manager { object, origin } | Value::Instance { object, origin, .. } => (Some(origin), Some(object)),
            _ => (None, None),
        };
        let how = match origin {
            Some(Origin::Written) => "written",
            Some(Origin::Named) => "named",
            Some(Origin::Evaluated) => "evaluated",
            Some(Origin::Inferred) => "inferred",
            Some(Origin::Chosen) => "chosen",
            None => match value {
                Value::Text(_) => LITERAL,
                _ => "inferred",
            },
        };
        let name = match value {
            Value::This => return self.own_type(kind, owner),
            Value::Query(_) => "Query".to_owned(),
            Value::Rows(_) => "QueryResult".to_owned(),
            Value::Template(node) => self.name(node).to_owned(),
            Value::Instance { object, aspect: Aspect::Records, .. } => format!("{}.RegisterRecords", self.name(object)),
            Value::Instance { object, aspect: Aspect::Rows, .. } => self.name(object).to_owned(),
            Value::Instance { object, .. } => self.type_name(value).unwrap_or_else(|| self.name(object).to_owned()),
            other => self.type_name(other)?,
        };
        Some(SeenType { name, how, object })
    }

    /// What `ЭтотОбъект` and `ЭтаФорма` are.
    fn own_type(&self, kind: ModuleKind, owner: u32) -> Option<SeenType> {
        let instance = |aspect| self.type_name(Value::Instance { object: owner, aspect, origin: Origin::Written });
        let name = match kind {
            ModuleKind::ObjectModule => instance(Aspect::Object),
            ModuleKind::RecordSetModule => instance(Aspect::RecordSet),
            ModuleKind::ValueManagerModule => instance(Aspect::ValueManager),
            ModuleKind::ManagerModule => self.type_name(Value::Manager { object: owner, origin: Origin::Written }),
            _ => None,
        };
        let name = name.unwrap_or_else(|| self.name(owner).to_owned());
        Some(SeenType { name, how: "written", object: Some(owner) })
    }
}

fn literal(name: &str) -> SeenType {
    SeenType { name: name.to_owned(), how: LITERAL, object: None }
}

/// The name that an expression begins with.
fn root(code: &Code, expr: ExprId) -> Option<Symbol> {
    match code.expr(expr) {
        Expr::Name(name) => Some(name),
        _ => None,
    }
}

/// The type that an expression has by its looks alone.
fn plain(facts: &ModuleFacts, code: &Code, expr: ExprId) -> Option<&'static str> {
    plain_to(facts, code, expr, DEEPEST)
}

fn plain_to(facts: &ModuleFacts, code: &Code, expr: ExprId, depth: usize) -> Option<&'static str> {
    let depth = depth.checked_sub(1)?;
    let of = |expr| plain_to(facts, code, expr, depth);
    match code.expr(expr) {
        Expr::String(_) => Some("String"),
        Expr::Bool(_) | Expr::Unary(UnaryOp::Not, _) => Some("Boolean"),
        Expr::Unary(UnaryOp::Minus | UnaryOp::Plus, _) => Some("Number"),
        Expr::Undefined => Some("Undefined"),
        Expr::Null => Some("Null"),
        Expr::Number(text) => Some(if facts.text(text).starts_with('\'') { "Date" } else { "Number" }),
        Expr::Ternary(_, yes, no) => of(yes).filter(|yes| of(no) == Some(yes)),
        Expr::Binary(op, left, right) => match op {
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => Some("Number"),
            // A date minus a number is a date, a date minus a date a number.
            BinaryOp::Sub => of(left).filter(|_| of(right) == Some("Number")),
            BinaryOp::Add => of(left),
            _ => Some("Boolean"),
        },
        _ => None,
    }
}

/// The moment of a walk that a line means: behind a statement that assigns, before any other one, behind the last one above a
/// line on which nothing stands. None: there are no statements.
fn moment_of(code: &Code, line: u32) -> Option<(usize, Moment)> {
    let Some(last) = code.statements.iter().rposition(|statement| statement.line <= line) else {
        return (!code.statements.is_empty()).then_some((0, Moment::Before));
    };
    let statement = code.statements.get(last)?;
    let before = code.statements.iter().take(last).filter_map(|one| last_node(one.kind)).max();
    let nodes = before.map_or(0, |id| id.0 + 1)..last_node(statement.kind).map_or(0, |id| id.0 + 1);
    let end = nodes.map(|id| code.line(ExprId(id))).max().unwrap_or(0);
    if line > statement.line.max(end) {
        return Some((last, Moment::After));
    }
    let here = || code.statements.iter().enumerate().filter(|(_, one)| one.line == statement.line);
    let assigns = |kind: StatementKind| match kind {
        StatementKind::Assign(target, _) => matches!(code.expr(target), Expr::Name(_)),
        StatementKind::For(..) | StatementKind::ForEach(..) => true,
        _ => false,
    };
    match here().rfind(|(_, one)| assigns(one.kind)) {
        Some((place, _)) => Some((place, Moment::After)),
        None => here().next().map(|(place, _)| (place, Moment::Before)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::testing::*;

    const MODULE: &str = "\
Функция Найти(Имя) Экспорт
\tВозврат Справочники.Товары.НайтиПоКоду(Имя);
КонецФункции
Процедура А(Параметр, Товар)
\tСумма = 1;
\tХ = Найти(\"1\");
\tЕсли Сумма > 0 Тогда
\t\tХ = Документы.Заказ.СоздатьДокумент();
\tКонецЕсли;
\tДата = '20200101' + 1;
\tДля Каждого Строка Из Х.Строки Цикл
\t\tБ(Строка,
\t\t\tХ);
\tКонецЦикла;
КонецПроцедуры";

    fn looked(method: usize, text: &str, line: Option<u32>) -> String {
        let demo = demo().object("Catalog.Товары").object("Document.Заказ").module("CommonModule.Х", MODULE);
        let (world, mut facts) = demo.world_of("CommonModule.Х");
        let expr = facts.add_expression(Some(method), text, line.unwrap_or(0)).unwrap();
        let seen = world.look_at(0, &facts, Some(method), line, expr).unwrap();
        let types: Vec<String> = seen.types.iter().map(|t| format!("{} ({})", t.name, t.how)).collect();
        let behind = match seen.behind {
            Behind::Assigned(list) => format!("{:?}", list.iter().map(|(line, _)| *line).collect::<Vec<_>>()),
            Behind::Result(nodes) => nodes.iter().map(|node| world.name(*node)).collect::<Vec<_>>().join(" "),
            Behind::Property(of, name) => {
                format!("{name} of {:?}", of.iter().map(|n| world.name(*n)).collect::<Vec<_>>())
            }
            other => format!("{other:?}"),
        };
        format!("{}{} <- {behind}", types.join(", "), if seen.open { ", …" } else { "" })
    }

    #[test]
    fn a_variable_at_a_place_and_anywhere() {
        assert_eq!(looked(1, "Х", Some(6)), "CatalogRef.Товары (inferred) <- [6, 8]");
        assert_eq!(looked(1, "Х", Some(8)), "DocumentObject.Заказ (written) <- [6, 8]");
        let both = "CatalogRef.Товары (inferred), DocumentObject.Заказ (written) <- [6, 8]";
        assert_eq!(looked(1, "Х", Some(13)), both);
        assert_eq!(looked(1, "Х", None), both);
        assert_eq!(looked(1, "Сумма", Some(14)), "Number (assigned) <- [5]");
        assert_eq!(looked(1, "Дата", None), "Date (assigned) <- [10]");
    }

    #[test]
    fn other_expressions() {
        assert_eq!(looked(1, "Найти(1)", Some(5)), "CatalogRef.Товары (inferred) <- CommonModule.Х.Найти");
        assert_eq!(looked(1, "Х.Ссылка", Some(6)), "CatalogRef.Товары (inferred) <- Ссылка of [\"Catalog.Товары\"]");
        assert_eq!(looked(1, "Параметр", Some(5)), ", … <- Param(0)");
        assert_eq!(looked(1, "Новый ТаблицаЗначений", Some(5)), "ValueTable (inferred) <- Nothing");
        assert_eq!(looked(1, "Сумма > 1", Some(5)), "Boolean (literal) <- Written");
        assert_eq!(looked(1, "?(Сумма > 1, \"а\", \"б\")", None), "String (literal) <- Written");
        assert_eq!(looked(1, "Неведомое.Поле", None), ", … <- Поле of []");
    }

    #[test]
    fn facts_of_another_module_are_refused() {
        let demo = demo().module("CommonModule.Х", MODULE);
        let (world, _) = demo.world_of("CommonModule.Х");
        let mut facts = bsl::read_module("Процедура А()\n\tБ();\nКонецПроцедуры".as_bytes());
        let expr = facts.add_expression(Some(0), "А", 1).unwrap();
        assert_eq!(world.look_at(0, &facts, Some(0), None, expr), None);
        assert_eq!(world.look_at(9, &facts, Some(0), None, expr), None);
    }
}
