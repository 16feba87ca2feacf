//! Calls whose target only run time knows: what can be read off them, and which methods they could reach.
//!
//! What is known of such a call is a *pattern*: code in which `*` stands for what is computed. `Выполнить(Имя + "()")`
//! gives `*()`, `Вычислить("Склад." + Имя + "(А)")` gives `Склад.*(А)`.

use crate::channels::extension_override;

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
    /// Some notification description names it: whoever executes a description that nothing is known of may call it.
    pub notified: bool,
    /// An event of a form, or of an item of one, calls it.
    pub form_handler: bool,
}

/// A place whose targets only run time knows: a row of the view `dynamic_sites`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site<'a> {
    /// Its kind: `execute` and `evaluate` run code in a text, every other one calls a method by its name.
    pub kind: &'a str,
    /// Its pattern; empty: nothing is known. Of a kind that runs no code: a method's name, `*` for what is not known of it.
    pub known: &'a str,
    /// It stands in the target's module.
    pub same_module: bool,
}

impl Site<'_> {
    /// Whether the target could be what is called here. `is_module`: whether a bare name, folded, is a common module's.
    ///
    /// What is computed inside the parentheses of a call that is known is taken for a value: no code is built there.
    pub fn could_call(&self, target: &Target<'_>, is_module: impl Fn(&str) -> bool) -> bool {
        match self.kind {
            // A form, or an event, whose name is computed reaches what forms handle, exported or not.
            "form" | "event" | "choice" | "changed" => return target.form_handler,
            // What an extension extends has a full name, and isn't there.
            extension_override::ABSENT => return false,
            // An action that is set in code is a procedure of the same form.
            "action" if !self.same_module => return false,
            "evaluate" if !target.function => return false,
            _ if !self.same_module && !target.export => return false,
            _ => {}
        }
        // What a description runs is named where the description is made, by an edge or by a place of its own.
        if self.kind == "notify_execute" && !target.notified {
            return false;
        }
        if self.known.is_empty() {
            return true;
        }
        let name = bsl::fold(target.name);
        let known = bsl::fold(self.known);
        let qualified = |before: &str, last: &str| {
            let first = before.split('.').next().unwrap_or(before);
            let of_another = || !before.contains('*') && (is_module(first) || is_collection(first));
            glob(last, &name) && (glob(before, &bsl::fold(target.qualifier)) || !of_another())
        };
        if !matches!(self.kind, "execute" | "evaluate") {
            return match known.rsplit_once('.') {
                Some((before, last)) => qualified(before, last),
                None => glob(&known, &name),
            };
        }
        callees(&known).any(|callee| match callee.rsplit_once('.') {
            // The dot itself may be part of what is computed: `*` alone names anything.
            None if callee.starts_with('*') => glob(callee, &name) || glob(callee, &format!(".{name}")),
            None => (self.same_module || target.global) && glob(callee, &name),
            Some((before, last)) => qualified(before, last),
        })
    }
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

    fn could(pattern: &str, same_module: bool, export: bool) -> bool {
        let target = Target {
            name: "Пересчитать",
            qualifier: "Скидки",
            export,
            global: false,
            function: false,
            notified: false,
            form_handler: false,
        };
        let site = Site { kind: "execute", known: pattern, same_module };
        site.could_call(&target, |name| ["скидки", "склад"].contains(&name))
    }

    #[test]
    fn unknown_code_reaches_what_is_exported_and_its_own_module() {
        assert!(could("*", false, true) && could("*", true, false) && !could("*", false, false));
        assert!(
            could("*(А)", false, true) && could("Скидки.*()", false, true) && could("*.Пересчитать()", false, true)
        );
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
        let target = Target {
            name: "Ф",
            qualifier: "",
            export: true,
            global: false,
            function: false,
            notified: false,
            form_handler: false,
        };
        let site = Site { kind: "evaluate", known: "*", same_module: true };
        assert!(!site.could_call(&target, |_| false));
        assert!(site.could_call(&Target { function: true, ..target }, |_| false));
    }

    #[test]
    fn a_call_of_an_unknown_receiver_gives_its_name_away() {
        let target = Target {
            name: "Пересчитать",
            qualifier: "Скидки",
            export: true,
            global: false,
            function: false,
            notified: false,
            form_handler: false,
        };
        let could =
            |known| Site { kind: "receiver", known, same_module: false }.could_call(&target, |name| name == "склад");
        assert!(could("пересчитать") && could("") && could("Пере*") && !could("Обновить"));
        assert!(could("Скидки.*") && !could("Склад.*"), "a runner that is given a module");
        let execute = Site { kind: "notify_execute", known: "", same_module: false };
        assert!(!execute.could_call(&target, |_| true));
        assert!(execute.could_call(&Target { notified: true, ..target }, |_| true));
    }

    #[test]
    fn forms_and_events_reach_handlers_and_actions_their_own_form() {
        let handler = Target {
            name: "ПриОткрытии",
            qualifier: "",
            export: false,
            global: false,
            function: false,
            notified: false,
            form_handler: true,
        };
        let could = |kind, same_module, target: &Target<'_>| {
            Site { kind, known: "*", same_module }.could_call(target, |_| false)
        };
        for kind in ["form", "event", "choice", "changed"] {
            assert!(could(kind, false, &handler), "{kind}");
            assert!(!could(kind, true, &Target { export: true, form_handler: false, ..handler }), "{kind}");
        }
        assert!(could("action", true, &handler) && !could("action", false, &Target { export: true, ..handler }));
    }

    #[test]
    fn globs() {
        assert!(glob("*", "") && glob("а*", "аб") && glob("*б*", "абв") && glob("а*в", "абв"));
        assert!(!glob("а*б*в", "авб") && !glob("аб", "а") && !glob("а*а", "а"));
    }
}
