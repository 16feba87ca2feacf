//! The keys of `metascope.toml`: one row each. To add one: its row in [`KEYS`], and in `docs/settings.md`.

use graph::{Dispatcher, Gives};

use super::{NamedFunction, ProjectSettings};

/// A key: a list of strings in a section.
pub(super) struct Key {
    /// Section.
    pub section: &'static str,
    /// Name.
    pub name: &'static str,
    /// What a string of the list becomes; None: this version does nothing with it yet.
    pub take: Option<Take>,
}

/// Puts what stands in a line of the file into the settings.
type Take = fn(&mut ProjectSettings, Written<'_>) -> Result<(), Wrong>;

/// A string of a list.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    /// The string.
    pub text: &'a str,
    /// 1-based line.
    pub line: u32,
}

/// Why a string can't be used, in Russian and English.
#[derive(Debug)]
pub(super) struct Wrong(pub String, pub String);

const fn key(section: &'static str, name: &'static str, take: Take) -> Key {
    Key { section, name, take: Some(take) }
}

const fn idle(section: &'static str, name: &'static str) -> Key {
    Key { section, name, take: None }
}

/// Every key of the format.
pub(super) const KEYS: &[Key] = &[
    key("dispatchers", "common_module_by_name", |settings, written| dispatcher(settings, written, Gives::Module)),
    key("dispatchers", "manager_by_name", |settings, written| dispatcher(settings, written, Gives::Manager)),
    key("dispatchers", "any_by_name", |settings, written| dispatcher(settings, written, Gives::Any)),
    idle("runners", "background"),
    idle("runners", "call_by_name"),
    idle("runners", "own_method"),
    idle("registrations", "properties"),
    idle("registrations", "update_handlers"),
    idle("registrations", "session_parameters"),
    idle("registrations", "module_name"),
    idle("conventions", "manager_modules"),
    idle("conventions", "common_modules"),
    idle("conventions", "overridable_modules"),
];

fn dispatcher(settings: &mut ProjectSettings, written: Written<'_>, gives: Gives) -> Result<(), Wrong> {
    let Written { text, line } = written;
    let dispatcher = Dispatcher::parse(text, gives).ok_or_else(|| {
        Wrong(
            format!("«{text}»: нужно «Модуль.Функция» или «Модуль.Функция#2», где 2 — номер параметра с именем, с 1"),
            format!(
                "\"{text}\": write \"Module.Function\", or \"Module.Function#2\" if the second argument is the name"
            ),
        )
    })?;
    if dispatcher.function.contains('.') {
        settings.named.push(NamedFunction { function: dispatcher.function.clone(), line });
    }
    settings.graph.dispatchers.push(dispatcher);
    Ok(())
}
