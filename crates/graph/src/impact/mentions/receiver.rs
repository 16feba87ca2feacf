//! What stands before a dot, as far as the code around it tells.

use super::{Here, declared};
use bsl::{Code, Expr, ExprId, ModuleFacts, StatementKind, Symbol};
use metadata::{Kind, ModuleKind};
use std::sync::LazyLock;

/// How far a value is followed.
const DEPTH: usize = 6;

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    /// A reference to, an object, a selection, a record or a row of an object of the configuration.
    Object(Kind, String),
    /// Something that has no fields of metadata.
    Other,
    /// Nothing is known.
    Unknown,
}

/// Receivers in one method.
pub(super) struct Receivers<'a> {
    facts: &'a ModuleFacts,
    here: &'a Here,
    code: &'a Code,
    /// The tabular section of the row field that is looked for.
    section: Option<&'a str>,
    declared: Vec<Symbol>,
    /// Parameters and variables of the module: others set them, too.
    open: Vec<Symbol>,
    /// Loop variables with what they run over.
    loops: Vec<(Symbol, ExprId)>,
    /// Assignments to bare names.
    assigned: Vec<(Symbol, ExprId)>,
}

/// Properties and methods that lead from a value to another of the same object.
const SAME: [&str; 16] = [
    "Ссылка",
    "Ref",
    "ПолучитьОбъект",
    "GetObject",
    "Отбор",
    "Filter",
    "Скопировать",
    "Copy",
    "Добавить",
    "Add",
    "Выгрузить",
    "Unload",
    "Получить",
    "Get",
    "Выбрать",
    "Select",
];

/// Methods of managers that give a value of their own object.
static MANAGER_VALUES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/manager_values.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.flat_map(|line| line.split('\t')).filter(|word| !word.is_empty()).collect()
});

/// `Метаданные`.
pub(super) fn is_metadata(name: &str) -> bool {
    ["Метаданные", "Metadata"].iter().any(|word| bsl::same_name(word, name))
}

impl<'a> Receivers<'a> {
    pub fn new(
        facts: &'a ModuleFacts,
        here: &'a Here,
        method: Option<&bsl::Method>,
        code: &'a Code,
        section: Option<&'a str>,
    ) -> Self {
        let mut loops = Vec::new();
        let mut assigned = Vec::new();
        for statement in &code.statements {
            match statement.kind {
                StatementKind::ForEach(name, collection) => loops.push((name, collection)),
                StatementKind::Assign(target, value) => {
                    if let Expr::Name(name) = code.expr(target) {
                        assigned.push((name, value));
                    }
                }
                _ => {}
            }
        }
        let params = method.into_iter().flat_map(|method| method.params.iter().map(|param| param.name));
        let open = params.chain(facts.variables.iter().map(|variable| variable.name)).collect();
        Self { facts, here, code, section, declared: declared(facts, method, code), open, loops, assigned }
    }

    /// Whether a name is declared here: a parameter, a loop variable, a variable of the module.
    pub fn is_local(&self, name: Symbol) -> bool {
        self.declared.iter().any(|other| self.same(*other, name))
    }

    /// `Справочники.Имя`, `Справочники["Имя"]`: kind and name of the object.
    pub fn manager(&self, expr: ExprId) -> Option<(Kind, Symbol)> {
        let (base, name) = match self.code.expr(expr) {
            Expr::Member(base, name) => (base, name),
            Expr::Index(base, index) => (base, self.code.string(index)?),
            _ => return None,
        };
        match self.code.expr(base) {
            Expr::Name(collection) if !self.is_local(collection) => {
                Some((Kind::from_collection(self.facts.text(collection))?, name))
            }
            _ => None,
        }
    }

    /// `Метаданные.Справочники.Имя.Реквизиты`: kind and name of the object.
    pub fn described(&self, expr: ExprId) -> Option<(Kind, Symbol)> {
        let mut at = expr;
        for _ in 0..DEPTH {
            let Expr::Member(base, name) = self.code.expr(at) else { return None };
            if let Expr::Member(root, collection) = self.code.expr(base)
                && let Expr::Name(root) = self.code.expr(root)
                && is_metadata(self.facts.text(root))
            {
                return Some((Kind::from_collection(self.facts.text(collection))?, name));
            }
            at = base;
        }
        None
    }

    /// The manager that a local stands for, if it is set to that one alone.
    pub fn alias(&self, expr: ExprId) -> Option<(Kind, Symbol)> {
        let Expr::Name(name) = self.code.expr(expr) else { return None };
        let mut managers = self.values(name).map(|value| self.manager(value));
        let first = managers.next().flatten()?;
        managers
            .all(|other| other.is_some_and(|other| other.0 == first.0 && self.same(other.1, first.1)))
            .then_some(first)
    }

    /// What a value is.
    pub fn of(&self, expr: ExprId) -> Receiver {
        self.follow(expr, DEPTH)
    }

    fn follow(&self, expr: ExprId, depth: usize) -> Receiver {
        let Some(depth) = depth.checked_sub(1) else { return Receiver::Unknown };
        if let Some((kind, name)) = self.manager(expr) {
            return Receiver::Object(kind, self.facts.text(name).to_owned());
        }
        match self.code.expr(expr) {
            Expr::Name(name) => self.name(name, depth),
            Expr::Call { callee, first, count } => match self.code.expr(callee) {
                // A manager's own methods give its values; what a method of the configuration gives is not known.
                Expr::Member(base, method) => match self.manager(base) {
                    Some((kind, name)) if self.is_of_platform(method) => {
                        Receiver::Object(kind, self.facts.text(name).to_owned())
                    }
                    Some(_) => Receiver::Unknown,
                    None if self.leads_on(method) => self.follow(base, depth),
                    None => Receiver::Unknown,
                },
                Expr::Name(function) => self.converted(function, self.code.arguments(first, count)),
                _ => Receiver::Unknown,
            },
            Expr::Member(base, name) if self.leads_on(name) => self.follow(base, depth),
            Expr::Index(base, _) => self.follow(base, depth),
            Expr::New { .. } | Expr::String(_) | Expr::Number(_) | Expr::Bool(_) => Receiver::Other,
            _ => Receiver::Unknown,
        }
    }

    fn name(&self, name: Symbol, depth: usize) -> Receiver {
        let text = self.facts.text(name);
        if ["ЭтотОбъект", "ThisObject"].iter().any(|word| bsl::same_name(word, text)) {
            return match self.here.kind {
                ModuleKind::ObjectModule | ModuleKind::RecordSetModule | ModuleKind::ValueManagerModule => {
                    object_of(&self.here.owner)
                }
                _ => Receiver::Other,
            };
        }
        if let Some((main, object)) = &self.here.main
            && bsl::same_name(main, text)
            && !self.is_local(name)
        {
            return object_of(object);
        }
        let mut found: Option<Receiver> = None;
        let loops = self.loops.iter().filter(|(other, _)| self.same(*other, name)).map(|(_, value)| *value);
        for value in self.values(name).chain(loops) {
            let one = self.follow(value, depth);
            match &found {
                Some(known) if *known != one => return Receiver::Unknown,
                _ => found = Some(one),
            }
        }
        // A structure that is made here may be filled with anything; what its keys are is known to its own kind of lookup.
        found.unwrap_or(Receiver::Unknown)
    }

    /// `РеквизитФормыВЗначение("Объект")`, `ДанныеФормыВЗначение(Объект, …)`.
    fn converted(&self, function: Symbol, args: &[ExprId]) -> Receiver {
        let name = self.facts.text(function);
        let is = |words: [&str; 2]| words.iter().any(|word| bsl::same_name(word, name));
        let Some(first) = args.first() else { return Receiver::Unknown };
        if is(["РеквизитФормыВЗначение", "FormAttributeToValue"]) {
            let attribute = self.code.string(*first).map(|text| self.facts.text(text));
            return match (&self.here.main, attribute) {
                (Some((main, object)), Some(attribute)) if bsl::same_name(main, attribute) => object_of(object),
                _ => Receiver::Unknown,
            };
        }
        if is(["ДанныеФормыВЗначение", "FormDataToValue"]) {
            return self.follow(*first, 1);
        }
        Receiver::Unknown
    }

    /// What a bare name is set to; nothing for what others may set, too.
    fn values(&self, name: Symbol) -> impl Iterator<Item = ExprId> {
        let open = self.open.iter().any(|other| self.same(*other, name));
        self.assigned.iter().filter(move |(other, _)| !open && self.same(*other, name)).map(|(_, value)| *value)
    }

    fn leads_on(&self, name: Symbol) -> bool {
        let name = self.facts.text(name);
        self.section.is_some_and(|section| bsl::same_name(section, name))
            || SAME.iter().any(|word| bsl::same_name(word, name))
    }

    /// A method that the platform gives managers, and that gives a value of their object.
    fn is_of_platform(&self, method: Symbol) -> bool {
        let name = self.facts.text(method);
        MANAGER_VALUES.iter().any(|word| bsl::same_name(word, name))
    }

    fn same(&self, a: Symbol, b: Symbol) -> bool {
        a == b || bsl::same_name(self.facts.text(a), self.facts.text(b))
    }
}

fn object_of(full_name: &str) -> Receiver {
    match full_name.split_once('.') {
        Some((kind, name)) => match Kind::named(kind) {
            Some(kind) => Receiver::Object(kind, name.to_owned()),
            None => Receiver::Unknown,
        },
        None => Receiver::Unknown,
    }
}
