//! Methods that nothing reaches.
//!
//! A method is listed only if there is no edge to it, no literal holds its name, no call bears its name without leading
//! elsewhere, the platform doesn't call it, and it is not offered to the outside. How sure that is depends on what could
//! still call it: see [`Doubt`].

use bsl::{Code, Expr, ExprId, ModuleFacts, StatementKind, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// What is used from outside: rows of `data/outside_use.tsv`, and a project's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideUse {
    regions: Vec<String>,
    module_suffixes: Vec<String>,
    method_prefixes: Vec<String>,
}

impl Default for OutsideUse {
    fn default() -> Self {
        let table = include_str!("../data/outside_use.tsv");
        let rows =
            || table.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(|line| line.split_once('\t'));
        let of = |what: &str| rows().filter(|(kind, _)| *kind == what).map(|(_, name)| bsl::fold(name)).collect();
        Self { regions: of("region"), module_suffixes: of("module_suffix"), method_prefixes: of("method_prefix") }
    }
}

impl OutsideUse {
    /// With more public regions.
    #[must_use]
    pub fn with_regions(mut self, names: &[String]) -> Self {
        self.regions.extend(names.iter().map(|name| bsl::fold(name)));
        self
    }

    /// Whether a method is offered to the outside; `module` is its module's own name, empty for other than common modules.
    pub fn covers(&self, facts: &ModuleFacts, method: &bsl::Method, module: &str) -> bool {
        let name = bsl::fold(facts.text(method.name));
        if self.method_prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            return true;
        }
        if !method.export {
            return false;
        }
        let module = bsl::fold(module);
        self.module_suffixes.iter().any(|suffix| module.ends_with(suffix)) || self.is_public(facts, method.region)
    }

    /// Whether a region, or one around it, is public.
    fn is_public(&self, facts: &ModuleFacts, region: Option<u32>) -> bool {
        let mut at = region;
        for _ in 0..=facts.regions.len() {
            let Some(region) = at.and_then(|place| facts.regions.get(place as usize)) else { return false };
            if self.regions.contains(&bsl::fold(facts.text(region.name))) {
                return true;
            }
            at = region.parent;
        }
        false
    }
}

/// Why a method that nothing reaches may be used all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "doubt", rename_all = "snake_case")]
pub enum Doubt {
    /// It is exported: an extension or an external processor may call it.
    Exported,
    /// Places whose target only run time knows, and that could be calls of it.
    DynamicSites {
        /// Number of places.
        count: usize,
    },
}

/// A call by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedCall {
    /// Which of the wanted names.
    pub name: u32,
    /// The calling method's place in its module; None: the module's body.
    pub method: Option<u32>,
    /// True if something stands before the dot.
    pub qualified: bool,
    /// 1-based line.
    pub line: u32,
}

/// Calls of some names in a module, whatever stands before the dot. `wanted` maps folded names to numbers.
pub fn calls(facts: &ModuleFacts, wanted: &FxHashMap<String, u32>) -> Vec<NamedCall> {
    // A look at the symbols, which are few, tells for most modules that there is none.
    let names: FxHashMap<Symbol, u32> = facts
        .symbols
        .iter()
        .filter(|(_, text)| text.len() < 512)
        .filter_map(|(symbol, text)| Some((symbol, *wanted.get(&bsl::fold(text))?)))
        .collect();
    let mut found = Vec::new();
    if names.is_empty() {
        return found;
    }
    let mut read = |method: Option<u32>, code: &Code| {
        for call in code.calls() {
            if let Some(&name) = names.get(&call.name) {
                found.push(NamedCall { name, method, qualified: call.receiver.is_some(), line: call.line });
            }
        }
    };
    for (place, method) in (0..).zip(&facts.methods) {
        read(Some(place), &method.code);
    }
    read(None, &facts.body);
    found
}

/// Common modules that a module hands on: by their name as a value (`Обработчики.Добавить(Склад)`), or by a literal that is
/// nothing but their name and is given to something else than one of `dispatchers` (folded names of functions that give back
/// a module, whose calls are followed). Whoever gets them may call any exported method. `modules` maps folded names to
/// numbers.
pub fn handed_on(facts: &ModuleFacts, modules: &FxHashMap<String, u32>, dispatchers: &FxHashSet<String>) -> Vec<u32> {
    let names: FxHashMap<Symbol, u32> = facts
        .symbols
        .iter()
        .filter(|(_, text)| text.len() < 512)
        .filter_map(|(symbol, text)| Some((symbol, *modules.get(&bsl::fold(text))?)))
        .collect();
    let mut found = Vec::new();
    if names.is_empty() {
        return found;
    }
    for (method, code) in facts.codes() {
        let is = |a: Symbol, b: Symbol| a == b || bsl::same_name(facts.text(a), facts.text(b));
        let set = |name: Symbol| {
            let assigned = code.statements.iter().any(|statement| match statement.kind {
                StatementKind::Assign(target, _) => matches!(code.expr(target), Expr::Name(other) if is(other, name)),
                StatementKind::Var(other) | StatementKind::For(other, ..) | StatementKind::ForEach(other, _) => {
                    is(other, name)
                }
                _ => false,
            });
            assigned
                || method.is_some_and(|method| method.params.iter().any(|param| is(param.name, name)))
                || facts.variables.iter().any(|variable| is(variable.name, name))
        };
        // What stands before a dot or is called is no value; what a dispatcher gets is followed.
        let mut used: FxHashSet<ExprId> = FxHashSet::default();
        for node in &code.nodes {
            match node.expr {
                Expr::Member(base, _) | Expr::Index(base, _) => drop(used.insert(base)),
                Expr::Call { callee, .. } => drop(used.insert(callee)),
                _ => {}
            }
        }
        for call in code.calls().filter(|call| dispatchers.contains(&bsl::fold(facts.text(call.name)))) {
            used.extend(call.args);
        }
        for (place, node) in (0..).zip(&code.nodes) {
            let number = match node.expr {
                Expr::Name(name) => names.get(&name).filter(|_| !set(name)),
                Expr::String(text) => names.get(&text),
                _ => None,
            };
            if let Some(&number) = number
                && !used.contains(&ExprId(place))
            {
                found.push(number);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(text: &str, module: &str) -> bool {
        let facts = bsl::read_module(text.as_bytes());
        OutsideUse::default().covers(&facts, &facts.methods[0], module)
    }

    #[test]
    fn exported_methods_of_public_regions_are_used() {
        let inside = "#Область ПрограммныйИнтерфейс\n#Область Прочее\nПроцедура А() Экспорт\nКонецПроцедуры\n#КонецОбласти\n#КонецОбласти";
        assert!(covered(inside, "Склад"));
        assert!(!covered(&inside.replace(" Экспорт", ""), "Склад"));
        assert!(!covered(&inside.replace("ПрограммныйИнтерфейс", "СлужебныйПрограммныйИнтерфейс"), "Склад"));
        assert!(covered("#Region public\nProcedure A() Export\nEndProcedure\n#EndRegion", ""));
    }

    #[test]
    fn conventions_of_names() {
        assert!(covered("Процедура А() Экспорт\nКонецПроцедуры", "СкладПереопределяемый"));
        assert!(!covered("Процедура А()\nКонецПроцедуры", "СкладПереопределяемый"));
        assert!(covered("Процедура Подключаемый_А()\nКонецПроцедуры", ""));
    }

    #[test]
    fn calls_are_found_by_their_names_in_any_case() {
        let facts = bsl::read_module("Процедура А()\nб();\nХ.Б().В();\nБ = 1;\nКонецПроцедуры\nБ();".as_bytes());
        let wanted = FxHashMap::from_iter([("б".to_owned(), 7)]);
        let found: Vec<_> = calls(&facts, &wanted).iter().map(|c| (c.name, c.method, c.qualified, c.line)).collect();
        assert_eq!(found, [(7, Some(0), false, 2), (7, Some(0), true, 3), (7, None, false, 6)]);
    }

    #[test]
    fn modules_that_are_handed_on() {
        let handed = |body: &str| {
            let facts = bsl::read_module(format!("Процедура А(П)\n{body}\nКонецПроцедуры").as_bytes());
            let modules = FxHashMap::from_iter([("склад".to_owned(), 3)]);
            handed_on(&facts, &modules, &FxHashSet::from_iter(["общиймодуль".to_owned()]))
        };
        for body in ["Список.Добавить(Склад);", "П.Обработчик = Склад;", "П.Вставить(\"Имя\", \"Склад\");"]
        {
            assert_eq!(handed(body), [3], "{body}");
        }
        for body in
            ["Склад.Остаток();", "М = Общее.ОбщийМодуль(\"Склад\");", "Склад = 1; Б(Склад);", "Б(\"Склад пуст\");"]
        {
            assert!(handed(body).is_empty(), "{body}");
        }
    }
}
