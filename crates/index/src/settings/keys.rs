//! The keys of `metascope.toml`: one row each. To add one: its row in [`KEYS`], and in `docs/settings.md`.

use graph::refs::{NamesAttributes, NamesObjects};
use graph::settings::{Convention, Conventional, Kept, Pattern, Registration, Runner, Runs};
use graph::{Dispatcher, Gives};

use super::{NamedFunction, ProjectSettings};

/// A key: a list of strings in a section.
pub(super) struct Key {
    /// Section.
    pub section: &'static str,
    /// Name.
    pub name: &'static str,
    /// What a string of the list becomes.
    pub take: Take,
}

/// Puts what stands in a line of the file into the settings.
pub(super) type Take = fn(&mut ProjectSettings, Written<'_>) -> Result<(), Wrong>;

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
    Key { section, name, take }
}

/// Every key of the format.
pub(super) const KEYS: &[Key] = &[
    key("dispatchers", "common_module_by_name", |settings, written| dispatcher(settings, written, Gives::Module)),
    key("dispatchers", "manager_by_name", |settings, written| dispatcher(settings, written, Gives::Manager)),
    key("dispatchers", "any_by_name", |settings, written| dispatcher(settings, written, Gives::Any)),
    key("runners", "background", |settings, written| runner(settings, written, Runs::Method)),
    key("runners", "call_by_name", |settings, written| runner(settings, written, Runs::Method)),
    key("runners", "own_method", |settings, written| runner(settings, written, Runs::Own)),
    key("runners", "object_method", |settings, written| runner(settings, written, Runs::Object)),
    key("registrations", "properties", |settings, written| registration(settings, written, Kept::Handler)),
    key("registrations", "module_names", |settings, written| registration(settings, written, Kept::Module)),
    key("registrations", "ordering", |settings, written| registration(settings, written, Kept::Ordering)),
    key("registrations", "filters", |settings, written| registration(settings, written, Kept::Filter)),
    key("registrations", "finders", |settings, written| registration(settings, written, Kept::Finder)),
    key("registrations", "update_handlers", |settings, written| procedure(settings, written, Kept::UpdateHandlers)),
    key("registrations", "session_parameters", |settings, written| {
        procedure(settings, written, Kept::SessionParameters)
    }),
    key("conventions", "manager_modules", |settings, written| convention(settings, written, Conventional::Manager)),
    key("conventions", "object_modules", |settings, written| convention(settings, written, Conventional::Object)),
    key("conventions", "common_modules", |settings, written| convention(settings, written, Conventional::Common)),
    key("conventions", "overridable_modules", |settings, written| {
        convention(settings, written, Conventional::Overridable)
    }),
    key("attributes", "named_in_text", names_attributes),
    key("objects", "subsystem_by_name", |settings, written| names_objects(settings, written, "Subsystem")),
    key("objects", "functional_option_by_name", |settings, written| {
        names_objects(settings, written, "FunctionalOption")
    }),
    key("platform", "help", platform_help),
];

/// A path; relative ones begin in the folder of the file.
fn platform_help(settings: &mut ProjectSettings, written: Written<'_>) -> Result<(), Wrong> {
    if written.text.trim().is_empty() {
        let (ru, en) = (
            "путь пуст: укажите файл shcntx_*.hbk или каталог платформы",
            "the path is empty: name a file shcntx_*.hbk or a folder of the platform",
        );
        return Err(Wrong(ru.to_owned(), en.to_owned()));
    }
    settings.platform_help.push(written.text.trim().to_owned());
    Ok(())
}

fn names_attributes(settings: &mut ProjectSettings, written: Written<'_>) -> Result<(), Wrong> {
    let Written { text, line } = written;
    let row = NamesAttributes::parse(text).ok_or_else(|| numbered(text))?;
    if row.function.split('.').count() == 2 {
        settings.named.push(NamedFunction { function: row.function.clone(), line });
    }
    settings.graph.names_attributes.push(row);
    Ok(())
}

fn names_objects(settings: &mut ProjectSettings, written: Written<'_>, kind: &str) -> Result<(), Wrong> {
    let Written { text, line } = written;
    let row = NamesObjects::parse(text, kind).ok_or_else(|| numbered(text))?;
    if row.function.split('.').count() == 2 {
        settings.named.push(NamedFunction { function: row.function.clone(), line });
    }
    settings.graph.names_objects.push(row);
    Ok(())
}

fn dispatcher(settings: &mut ProjectSettings, written: Written<'_>, gives: Gives) -> Result<(), Wrong> {
    let Written { text, line } = written;
    let dispatcher = Dispatcher::parse(text, gives).ok_or_else(|| numbered(text))?;
    if dispatcher.function.contains('.') {
        settings.named.push(NamedFunction { function: dispatcher.function.clone(), line });
    }
    settings.graph.dispatchers.push(dispatcher);
    Ok(())
}

fn runner(settings: &mut ProjectSettings, written: Written<'_>, runs: Runs) -> Result<(), Wrong> {
    let Written { text, line } = written;
    let runner = Runner::parse(text, runs).ok_or_else(|| numbered(text))?;
    // Names of forms and managers have more parts, and those of the platform's own objects are in no module.
    if runner.function.split('.').count() == 2 {
        settings.named.push(NamedFunction { function: runner.function.clone(), line });
    }
    settings.graph.runners.push(runner);
    Ok(())
}

fn registration(settings: &mut ProjectSettings, written: Written<'_>, what: Kept) -> Result<(), Wrong> {
    let name = Pattern::new(pattern(written)?);
    settings.graph.registrations.push(Registration { what, name });
    Ok(())
}

/// A procedure by its name, or by its module's too: `Модуль.Процедура`.
fn procedure(settings: &mut ProjectSettings, written: Written<'_>, what: Kept) -> Result<(), Wrong> {
    let text = pattern(written)?;
    if text.contains('.') {
        settings.named.push(NamedFunction { function: text.to_owned(), line: written.line });
    }
    let name = text.rsplit('.').next().unwrap_or(text);
    settings.graph.registrations.push(Registration { what, name: Pattern::new(name) });
    Ok(())
}

fn convention(settings: &mut ProjectSettings, written: Written<'_>, modules: Conventional) -> Result<(), Wrong> {
    let name = Pattern::new(pattern(written)?);
    settings.graph.conventions.push(Convention { modules, name });
    Ok(())
}

/// A name, `*` in it for any letters.
fn pattern(written: Written<'_>) -> Result<&str, Wrong> {
    let text = written.text.trim();
    let letters = |c: char| c.is_alphanumeric() || matches!(c, '_' | '*' | '.');
    if text.chars().all(letters) && text.chars().any(|c| c.is_alphanumeric()) {
        return Ok(text);
    }
    Err(Wrong(
        format!("«{text}»: нужно имя, «*» в нём — любые буквы"),
        format!("\"{text}\": write a name; \"*\" in it stands for any letters"),
    ))
}

fn numbered(text: &str) -> Wrong {
    Wrong(
        format!("«{text}»: нужно «Модуль.Функция» или «Модуль.Функция#2», где 2 — номер параметра с именем, с 1"),
        format!("\"{text}\": write \"Module.Function\", or \"Module.Function#2\" if the second argument is the name"),
    )
}
