//! Calls whose target only run time knows: what can be read off them, and which methods they could reach.
//!
//! What is known of such a call is a *pattern*: code in which `*` stands for what is computed. `Выполнить(Имя + "()")`
//! gives `*()`, `Вычислить("Склад." + Имя + "(А)")` gives `Склад.*(А)`.

use bsl::code::BinaryOp;
use bsl::{Code, Expr, ExprId, Method, ModuleFacts, StatementKind, Symbol};

/// How far a variable is followed to the one place that sets it.
const DEPTH: usize = 4;
/// Longest pattern that is kept, in bytes; what is longer says nothing.
const LONGEST: usize = 2048;
/// Functions that fill `%1` … of a literal: what they put in is not known.
const TEMPLATES: [&str; 4] = ["СтрШаблон", "StrTemplate", "ПодставитьПараметрыВСтроку", "SubstituteParametersToString"];

/// A method that a dynamic call may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'a> {
    /// Its own name.
    pub name: &'a str,
    /// How code writes its module before a dot: `Склад`, `Справочники.Товары`; empty for a module that code has no name
    /// for (an object's, a form's).
    pub qualifier: &'a str,
    /// `Экспорт`.
    pub export: bool,
    /// True for an exported method of a global common module: code calls it without its module's name.
    pub global: bool,
    /// Function or procedure.
    pub function: bool,
}

/// What is known of the code that an expression holds.
pub fn pattern(facts: &ModuleFacts, method: Option<&Method>, code: &Code, expr: ExprId) -> String {
    let mut out = String::new();
    Reader { facts, method, code }.read(expr, DEPTH, &mut out);
    if out.len() > LONGEST { "*".to_owned() } else { out }
}

struct Reader<'a> {
    facts: &'a ModuleFacts,
    method: Option<&'a Method>,
    code: &'a Code,
}

impl Reader<'_> {
    fn read(&self, expr: ExprId, depth: usize, out: &mut String) {
        // Children stand before their parents, so a left-leaning chain of `+` is walked without recursion on its length.
        let mut parts = Vec::new();
        let mut at = expr;
        while let Expr::Binary(BinaryOp::Add, left, right) = self.code.expr(at) {
            parts.push(right);
            at = left;
        }
        parts.push(at);
        for part in parts.into_iter().rev() {
            match self.code.expr(part) {
                Expr::String(text) => out.push_str(&self.facts.text(text).replace('*', "×")),
                Expr::Binary(BinaryOp::Add, ..) if depth > 0 => self.read(part, depth - 1, out),
                Expr::Name(name) if depth > 0 => match self.only_value(name) {
                    Some(value) if value < part => self.read(value, depth - 1, out),
                    _ => unknown(out),
                },
                Expr::Call { callee, first, count } => match self.template(callee, self.code.arguments(first, count)) {
                    Some(text) => out.push_str(&text),
                    None => unknown(out),
                },
                _ => unknown(out),
            }
            if out.len() > LONGEST {
                return;
            }
        }
    }

    /// What a local is set to, if one statement sets it and nothing else can.
    fn only_value(&self, name: Symbol) -> Option<ExprId> {
        let same = |other: Symbol| other == name || bsl::same_name(self.facts.text(other), self.facts.text(name));
        let method = self.method?;
        if method.params.iter().any(|param| same(param.name)) || self.facts.variables.iter().any(|var| same(var.name)) {
            return None;
        }
        let mut value = None;
        for statement in &self.code.statements {
            match statement.kind {
                StatementKind::Assign(target, set) if matches!(self.code.expr(target), Expr::Name(n) if same(n)) => {
                    if value.replace(set).is_some() {
                        return None;
                    }
                }
                StatementKind::For(n, ..) | StatementKind::ForEach(n, _) if same(n) => return None,
                _ => {}
            }
        }
        value
    }

    /// The text of a template call with `*` for what it puts in.
    fn template(&self, callee: ExprId, args: &[ExprId]) -> Option<String> {
        let name = match self.code.expr(callee) {
            Expr::Name(name) | Expr::Member(_, name) => self.facts.text(name),
            _ => return None,
        };
        if !TEMPLATES.iter().any(|known| bsl::same_name(known, name)) {
            return None;
        }
        let text = self.facts.text(self.code.string(*args.first()?)?);
        let mut out = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c == '%' && chars.peek().is_some_and(char::is_ascii_digit) {
                while chars.peek().is_some_and(char::is_ascii_digit) {
                    chars.next();
                }
                unknown(&mut out);
            } else {
                out.push(c);
            }
        }
        Some(out)
    }
}

/// Two unknown pieces in a row are one.
fn unknown(out: &mut String) {
    if !out.ends_with('*') {
        out.push('*');
    }
}

/// Whether a call of that pattern could be a call of the target. `kind` is the kind of the site (`evaluate` can call
/// functions only), `same_module`: the site stands in the target's module, `is_module`: whether a bare name is a common
/// module's.
///
/// What is computed inside the parentheses of a call that is known is taken for a value: no code is built there.
pub fn could_call(
    kind: &str,
    pattern: &str,
    target: &Target<'_>,
    same_module: bool,
    is_module: impl Fn(&str) -> bool,
) -> bool {
    if kind == "evaluate" && !target.function || !same_module && !target.export {
        return false;
    }
    let name = bsl::fold(target.name);
    callees(&bsl::fold(pattern)).any(|callee| match callee.rsplit_once('.') {
        // The dot itself may be part of what is computed: `*` alone names anything.
        None if callee.starts_with('*') => glob(callee, &name) || glob(callee, &format!(".{name}")),
        None => (same_module || target.global) && glob(callee, &name),
        Some((before, last)) if glob(last, &name) => {
            let first = before.split('.').next().unwrap_or(before);
            let qualifier = bsl::fold(target.qualifier);
            glob(before, &qualifier) || before.contains('*') || !(is_module(first) || is_collection(first))
        }
        Some(_) => false,
    })
}

fn is_collection(word: &str) -> bool {
    metadata::Kind::from_collection(word).is_some()
}

/// The names that a pattern calls or may call: runs of letters, dots and `*` outside the parentheses of a known call.
fn callees(pattern: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*');
    let mut found = Vec::new();
    let (mut depth, mut start, mut known) = (0_usize, None, false);
    for (at, c) in pattern.char_indices().chain(std::iter::once((pattern.len(), ' '))) {
        if is_part(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            let run = pattern.get(from..at).unwrap_or("");
            let called = c == '(';
            // A run that is no call and no unknown is a variable or a keyword.
            if (called || run.contains('*')) && !(depth > 0 && known && !called) {
                found.push(run);
            }
            if called && depth == 0 {
                known = !run.contains('*') || run.contains('.');
            }
        }
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found.into_iter()
}

/// Whether a text fits a pattern in which `*` is any text.
fn glob(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut left) = text.strip_prefix(first) else { return false };
    let mut pieces = rest.split('*').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return left.ends_with(piece);
        }
        match left.find(piece) {
            Some(at) => left = &left[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(body: &str) -> String {
        let text = format!("Процедура П(Имя)\n{body}\nКонецПроцедуры");
        let facts = bsl::read_module(text.as_bytes());
        let method = &facts.methods[0];
        let code = &method.code;
        let run = code.statements.iter().find_map(|statement| match statement.kind {
            StatementKind::Execute(expr) => Some(expr),
            _ => None,
        });
        let evaluated = || code.calls().find(|call| facts.text(call.name) == "Вычислить").map(|call| call.args[0]);
        pattern(&facts, Some(method), code, run.or_else(evaluated).unwrap())
    }

    #[test]
    fn what_is_known_of_computed_code() {
        assert_eq!(known("Выполнить(Имя + \"()\");"), "*()");
        assert_eq!(known("А = Вычислить(\"Склад.\" + Имя + \"(Б)\");"), "Склад.*(Б)");
        assert_eq!(known("Код = \"Склад.Остаток()\"; Выполнить(Код);"), "Склад.Остаток()");
        assert_eq!(known("Код = \"А()\"; Код = Код + Имя; Выполнить(Код);"), "*");
        assert_eq!(known("Выполнить(СтрШаблон(\"%1.%2(П)\", Имя, Имя));"), "*.*(П)");
        assert_eq!(known("Выполнить(Имя);"), "*");
        assert_eq!(known("А = А + Б; Выполнить(А);"), "*");
    }

    #[test]
    fn a_variable_that_sets_itself_ends() {
        assert_eq!(known("А = Б; Б = А; Выполнить(А);"), "*");
    }

    fn could(pattern: &str, same_module: bool, export: bool) -> bool {
        let target = Target { name: "Пересчитать", qualifier: "Скидки", export, global: false, function: false };
        could_call("execute", pattern, &target, same_module, |name| ["скидки", "склад"].contains(&name))
    }

    #[test]
    fn unknown_code_reaches_what_is_exported_and_its_own_module() {
        assert!(could("*", false, true) && could("*", true, false) && !could("*", false, false));
        assert!(could("*(А)", false, true) && could("Скидки.*()", false, true) && could("*.Пересчитать()", false, true));
        assert!(!could("Склад.*()", false, true), "of another module");
        assert!(!could("Справочники.*()", false, true) && !could("Справочники.Товары.*()", false, true));
        assert!(could("Обработчик.Пересчитать(П)", false, true), "a variable may hold the module");
    }

    #[test]
    fn a_part_of_the_name_is_enough_to_tell() {
        assert!(could("Скидки.Пере*()", false, true) && !could("Скидки.Обновить*()", false, true));
        assert!(could("Пере*()", true, false) && !could("Пере*()", false, true), "unqualified: of the own module only");
        assert!(could("*читать()", false, true) && !could("*писать()", false, true));
    }

    #[test]
    fn arguments_of_a_known_call_are_values() {
        assert!(!could("Склад.Остаток(*)", false, true));
        assert!(could("Склад.Остаток(Скидки.Пересчитать())", false, true));
        assert!(could("*(*)", false, true));
        assert!(!could("Параметры.Вставить(*)", false, true));
    }

    #[test]
    fn evaluated_code_calls_functions_only() {
        let target = Target { name: "Ф", qualifier: "", export: true, global: false, function: false };
        assert!(!could_call("evaluate", "*", &target, true, |_| false));
        assert!(could_call("evaluate", "*", &Target { function: true, ..target }, true, |_| false));
    }

    #[test]
    fn globs() {
        assert!(glob("*", "") && glob("а*", "аб") && glob("*б*", "абв") && glob("а*в", "абв"));
        assert!(!glob("а*б*в", "авб") && !glob("аб", "а") && !glob("а*а", "а"));
    }
}
