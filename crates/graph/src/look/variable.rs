//! Where a variable of a method gets its values, and where they go.

use bsl::code::UnaryOp;
use bsl::{Code, Expr, ExprId, ModuleFacts, Statement, StatementKind, Symbol};

use super::{Looked, Moment, Seen, called, called_text};
use crate::flow::Flow;
use crate::names::same;
use crate::scope::Binding;
use crate::walk::last_node;
use crate::world::World;

/// A place where a variable gets a value, or where its value goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableUse {
    /// Place of the method in which it stands; None: the statements outside methods.
    pub method: Option<usize>,
    /// 1-based line.
    pub line: u32,
    /// What happens there.
    pub kind: UseKind,
    /// What gives or takes the value, as written: the called name, the property, the other variable. Empty if nothing does.
    pub what: String,
    /// Of an argument: its place from 0, and the nodes of the methods that the call may mean.
    pub argument: Option<(u16, Vec<u32>)>,
    /// What the variable may be there: of a place that gives a value, that value.
    pub seen: Seen,
}

/// What happens with a variable at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// It is a parameter of the method.
    Parameter,
    /// It is declared.
    Declared,
    /// It is assigned a value.
    Assigned,
    /// A loop gives it one value after another.
    Loop,
    /// It is given to a call; a method may change what it gets, unless the parameter is by value.
    Argument,
    /// The method gives it back.
    Returned,
    /// It is kept in a property or element of something.
    Stored,
    /// Another variable gets it.
    Copied,
    /// A method of it is called.
    Called,
    /// One of its properties is set.
    Changed,
    /// A property, element or the value itself is read.
    Read,
    /// It decides on a branch or a loop.
    Condition,
}

impl UseKind {
    /// The word that answers show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::Declared => "declared",
            Self::Assigned => "assigned",
            Self::Loop => "loop",
            Self::Argument => "argument",
            Self::Returned => "returned",
            Self::Stored => "stored",
            Self::Copied => "copied",
            Self::Called => "called",
            Self::Changed => "changed",
            Self::Read => "read",
            Self::Condition => "condition",
        }
    }

    /// Whether the variable gets a value here.
    pub fn is_source(self) -> bool {
        matches!(self, Self::Parameter | Self::Declared | Self::Assigned | Self::Loop)
    }
}

impl World {
    /// Every place of a variable in a method, in source order; of a variable of the module, in all of its methods. `method` is the
    /// method's place, None the statements outside methods. None if facts and world don't belong together; empty if the method
    /// has no such variable.
    pub fn variable(
        &self,
        module: usize,
        facts: &ModuleFacts,
        method: Option<usize>,
        name: &str,
    ) -> Option<Vec<VariableUse>> {
        let looked = Looked::new(self, module, facts)?;
        let name = facts.symbols.iter().find(|(_, text)| same(text, name)).map(|(symbol, _)| symbol);
        let Some(name) = name else { return Some(Vec::new()) };
        let name = looked.module.first(name);
        let mut found = Vec::new();
        let is_own = self.uses(&looked, method, name, false, &mut found);
        if is_own {
            found.clear();
            for variable in facts.variables.iter().filter(|variable| looked.module.first(variable.name) == name) {
                found.push(VariableUse {
                    method: None,
                    line: variable.line,
                    kind: UseKind::Declared,
                    what: String::new(),
                    argument: None,
                    seen: Seen::default(),
                });
            }
            for place in (0..facts.methods.len()).map(Some).chain([None]) {
                self.uses(&looked, place, name, true, &mut found);
            }
        }
        Some(found)
    }

    /// The places in one method; true if the name is no local one there. Those of another binding than `own` are left out.
    fn uses(
        &self,
        looked: &Looked<'_>,
        method: Option<usize>,
        name: Symbol,
        own: bool,
        found: &mut Vec<VariableUse>,
    ) -> bool {
        let facts = looked.module.facts;
        let code = method.and_then(|place| facts.methods.get(place)).map_or(&facts.body, |method| &method.code);
        let parents = parents(code);
        let mut next = 0;
        let mut is_own = false;
        if let Some(known) = method.and_then(|place| facts.methods.get(place))
            && !own
            && known.params.iter().any(|param| looked.module.first(param.name) == name)
        {
            found.push(VariableUse {
                method,
                line: known.line,
                kind: UseKind::Parameter,
                what: String::new(),
                argument: None,
                seen: Seen::default(),
            });
        }
        looked.replay(method, |flow, _, statement, at| {
            let is_own_here = match flow.cx.binding(name) {
                Binding::Param(_) | Binding::Local => false,
                Binding::Own => true,
                Binding::Global(_) => return,
            };
            is_own |= is_own_here;
            if is_own_here != own {
                return;
            }
            match at {
                Moment::Before => {
                    let last = last_node(statement.kind).map_or(next, |id| id.0 + 1);
                    for id in (next..last).map(ExprId) {
                        let is = matches!(code.expr(id), Expr::Name(one) if flow.cx.module.first(one) == name);
                        if is && let Some(one) = self.taken(flow, &parents, statement, id) {
                            found.push(VariableUse { method, ..one });
                        }
                    }
                    next = next.max(last);
                }
                Moment::After => {
                    found.extend(self.given_value(flow, statement, name).map(|one| VariableUse { method, ..one }));
                }
            }
        });
        is_own
    }

    /// What gives the variable a value in a statement.
    fn given_value(&self, flow: &Flow<'_>, statement: Statement, name: Symbol) -> Option<VariableUse> {
        let (module, code) = (flow.cx.module, flow.cx.code);
        let is = |other: Symbol| module.first(other) == name;
        let (kind, from) = match statement.kind {
            StatementKind::Var(own) if is(own) => (UseKind::Declared, None),
            StatementKind::Assign(target, value) if matches!(code.expr(target), Expr::Name(own) if is(own)) => {
                (UseKind::Assigned, Some(value))
            }
            StatementKind::For(own, ..) if is(own) => (UseKind::Loop, None),
            StatementKind::ForEach(own, collection) if is(own) => (UseKind::Loop, Some(collection)),
            _ => return None,
        };
        let seen = self.assignment(flow, statement, name).unwrap_or_default();
        let what = match from.map(|from| (from, code.expr(from))) {
            Some((_, Expr::Call { callee, .. })) => called_text(module.facts, code, callee),
            Some((from, Expr::Name(_) | Expr::Member(..))) => called_text(module.facts, code, from),
            Some((_, Expr::New { type_name: Some(name), .. })) => module.facts.text(name).to_owned(),
            _ => String::new(),
        };
        Some(VariableUse { method: None, line: statement.line, kind, what, argument: None, seen })
    }

    /// What takes the variable where it stands; None where it is given a value.
    fn taken(
        &self,
        flow: &Flow<'_>,
        parents: &[Option<ExprId>],
        statement: Statement,
        id: ExprId,
    ) -> Option<VariableUse> {
        let (facts, code) = (flow.cx.module.facts, flow.cx.code);
        let parent = |id: ExprId| parents.get(id.0 as usize).copied().flatten();
        let seen = self.seen(flow, id);
        let make = |kind, what: String, argument| {
            Some(VariableUse { method: None, line: code.line(id), kind, what, argument, seen: seen.clone() })
        };
        // A choice, or waiting, hands the value on as it is.
        let mut at = id;
        while let Some(up) = parent(at)
            && match code.expr(up) {
                Expr::Ternary(condition, ..) => condition != at,
                Expr::Unary(UnaryOp::Await, _) => true,
                _ => false,
            }
        {
            at = up;
        }
        let Some(up) = parent(at) else {
            return match statement.kind {
                StatementKind::Assign(target, _) if target == at => None,
                StatementKind::Assign(target, _) => match code.expr(target) {
                    Expr::Name(other) => make(UseKind::Copied, facts.text(other).to_owned(), None),
                    _ => make(UseKind::Stored, called_text(facts, code, target), None),
                },
                StatementKind::Return(_) => make(UseKind::Returned, String::new(), None),
                StatementKind::If(_) | StatementKind::ElseIf(_) | StatementKind::While(_) => {
                    make(UseKind::Condition, String::new(), None)
                }
                _ => make(UseKind::Read, String::new(), None),
            };
        };
        let is_condition =
            || matches!(statement.kind, StatementKind::If(_) | StatementKind::ElseIf(_) | StatementKind::While(_));
        match code.expr(up) {
            Expr::Call { callee, first, count } if callee != at => {
                let place = code.arguments(first, count).iter().position(|arg| *arg == at);
                let nodes = called(flow, callee).into_iter().map(|method| self.node_of(method)).collect();
                let place = place.and_then(|place| u16::try_from(place).ok()).unwrap_or(0);
                make(UseKind::Argument, called_text(facts, code, callee), Some((place, nodes)))
            }
            Expr::New { type_name, first, count } => {
                let place = code.arguments(first, count).iter().position(|arg| *arg == at);
                let place = place.and_then(|place| u16::try_from(place).ok()).unwrap_or(0);
                let name = type_name.map_or("", |name| facts.text(name));
                make(UseKind::Argument, format!("Новый {name}"), Some((place, Vec::new())))
            }
            Expr::Member(_, name) => {
                let name = facts.text(name).to_owned();
                match (parent(up), statement.kind) {
                    (Some(call), _) if matches!(code.expr(call), Expr::Call { callee, .. } if callee == up) => {
                        make(UseKind::Called, name, None)
                    }
                    (None, StatementKind::Assign(target, _)) if target == up => make(UseKind::Changed, name, None),
                    _ => make(UseKind::Read, name, None),
                }
            }
            Expr::Index(base, _) if base == at => match statement.kind {
                StatementKind::Assign(target, _) if target == up => make(UseKind::Changed, "[]".to_owned(), None),
                _ => make(UseKind::Read, "[]".to_owned(), None),
            },
            _ if is_condition() => make(UseKind::Condition, String::new(), None),
            _ => make(UseKind::Read, String::new(), None),
        }
    }
}

/// The expression around each one.
fn parents(code: &Code) -> Vec<Option<ExprId>> {
    let mut parents = vec![None; code.nodes.len()];
    for id in (0..code.nodes.len() as u32).map(ExprId) {
        let mut put = |child: ExprId| {
            if let Some(slot) = parents.get_mut(child.0 as usize) {
                *slot = Some(id);
            }
        };
        match code.expr(id) {
            Expr::Member(base, _) => put(base),
            Expr::Index(a, b) | Expr::Binary(_, a, b) => [a, b].into_iter().for_each(put),
            Expr::Call { callee, first, count } => {
                put(callee);
                code.arguments(first, count).iter().copied().for_each(put);
            }
            Expr::New { first, count, .. } => code.arguments(first, count).iter().copied().for_each(put),
            Expr::Ternary(a, b, c) => [a, b, c].into_iter().for_each(put),
            Expr::Unary(_, value) => put(value),
            _ => {}
        }
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::testing::*;

    const MODULE: &str = "\
Перем Кэш;
Процедура А(Товар) Экспорт
\tПерем Данные;
\tДанные = Новый Структура;
\tДанные.Вставить(\"Товар\", Товар);
\tБ(Данные, Товар);
\tЕсли Товар.Пустая() Тогда
\t\tВозврат;
\tКонецЕсли;
\tДля Каждого Строка Из Товар.Состав Цикл
\t\tСтрока.Цена = ?(Товар = Неопределено, 0, Товар);
\tКонецЦикла;
\tКэш = Данные;
\tКопия = Товар;
КонецПроцедуры
Функция Б(Д, Т)
\tКэш.Вставить(\"Т\", Т);
\tВозврат Т;
КонецФункции
Кэш = Новый Соответствие;";

    fn uses(method: Option<usize>, name: &str) -> Vec<String> {
        let demo = demo().module("CommonModule.Х", MODULE);
        let (world, facts) = demo.world_of("CommonModule.Х");
        let show = |one: VariableUse| {
            let argument = one.argument.map_or(String::new(), |(place, nodes)| {
                let names: Vec<&str> = nodes.iter().map(|node| world.name(*node)).collect();
                format!(" #{place} {}", names.join(" ")).trim_end().to_owned()
            });
            format!("{} {} {}{argument}", one.line, one.kind.as_str(), one.what).trim_end().to_owned()
        };
        world.variable(0, &facts, method, name).unwrap().into_iter().map(show).collect()
    }

    #[test]
    fn a_parameter() {
        assert_eq!(
            uses(Some(0), "товар"),
            [
                "2 parameter",
                "5 argument Данные.Вставить #1",
                "6 argument Б #1 CommonModule.Х.Б",
                "7 called Пустая",
                "10 read Состав",
                "11 read",
                "11 stored Строка.Цена",
                "14 copied Копия",
            ]
        );
    }

    #[test]
    fn a_local_and_a_loop() {
        assert_eq!(
            uses(Some(0), "Данные"),
            [
                "3 declared",
                "4 assigned Структура",
                "5 called Вставить",
                "6 argument Б #0 CommonModule.Х.Б",
                "13 copied Кэш",
            ]
        );
        assert_eq!(uses(Some(0), "Строка"), ["10 loop Товар.Состав", "11 changed Цена"]);
        assert_eq!(uses(Some(1), "Т"), ["16 parameter", "17 argument Кэш.Вставить #1", "18 returned"]);
    }

    #[test]
    fn a_variable_of_the_module_in_all_methods() {
        let all = ["1 declared", "13 assigned Данные", "17 called Вставить", "20 assigned Соответствие"];
        assert_eq!(uses(Some(0), "Кэш"), all);
        assert_eq!(uses(None, "кэш"), all);
        assert!(uses(Some(0), "НетТакой").is_empty());
        assert!(uses(Some(1), "Данные").is_empty());
    }
}
