//! What a computed call may reach: methods whose name, or whose module, something keeps for others to call.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::reads::{Marks, Set, Table, part};
use super::{MethodId, ModuleId, World};
use crate::names::{Ident, same};
use crate::settings::{Runner, Runs};
use crate::summary::{ModuleSummary, Registered};
use metadata::{Kind, ModuleKind};

/// Registered methods by name, and runners by method.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Computed {
    /// Method name -> exported methods of that name that are registered, or whose module is.
    registered: Table<{ part::REGISTERED }, Ident, Vec<MethodId>>,
    /// Method name -> exported methods of manager modules.
    managers: Table<{ part::MANAGERS }, Ident, Vec<MethodId>>,
    /// Names of exported methods.
    exported: Set<{ part::EXPORTED }, Ident>,
    /// Names of all methods.
    borne: Set<{ part::BORNE }, Ident>,
    /// Methods that run another one: the argument that names it, from 0.
    runners: Table<{ part::RUNNERS }, MethodId, Vec<(u16, Runs)>>,
    /// Names of all that run another one, those of the platform among them: most calls need no closer look.
    runner_names: Set<{ part::RUNNER_NAMES }, Ident>,
}

impl Computed {
    pub(super) fn new(world: &World, summaries: &[ModuleSummary<'_>]) -> Self {
        let mut computed = Self::default();
        let (mut methods, mut modules) = (FxHashSet::default(), FxHashSet::default());
        for registered in summaries.iter().flat_map(|summary| &summary.registers) {
            match registered {
                Registered::Method(text) => methods.extend(world.methods_named(text)),
                Registered::Module(text) => modules.extend(world.module_named(text)),
            }
        }
        computed.borne.extend(world.methods.iter().map(|method| method.ident));
        for (number, method) in world.methods.iter().enumerate().filter(|(_, method)| method.export) {
            let id = MethodId(number as u32);
            let module = world.module(method.module);
            computed.exported.insert(method.ident, ());
            if methods.contains(&id) || modules.contains(&method.module) {
                computed.registered.entry(method.ident).or_default().push(id);
            }
            if module.kind == ModuleKind::ManagerModule {
                computed.managers.entry(method.ident).or_default().push(id);
            }
        }
        for runner in &world.settings.runners {
            computed.runner_names.extend(runner.function.rsplit('.').next().and_then(|name| world.ident(name)));
            if let (Some(method), Some(argument)) = (runner_method(world, runner), runner.argument.checked_sub(1)) {
                computed.runners.entry(method).or_default().push((argument, runner.runs));
            }
        }
        computed
    }

    pub(super) fn mark(&self, marks: &mut Marks<'_>) {
        let Self { registered, managers, exported, borne, runners, runner_names } = self;
        marks.table(registered);
        marks.table(managers);
        marks.table(exported);
        marks.table(borne);
        marks.table(runners);
        marks.table(runner_names);
    }
}

fn runner_method(world: &World, runner: &Runner) -> Option<MethodId> {
    let (module, method) = runner.function.rsplit_once('.')?;
    let method = world.ident(method)?;
    if let Some(module) = world.module_named(module) {
        return world.own_method(module, method);
    }
    let node = world.find(&metadata::names::canonical(module)?)?;
    let modules = world.modules.iter().position(|module| module.node == node)?;
    world.own_method(ModuleId(modules as u32), method)
}

impl World {
    /// The common module, or the manager module, that a text names: `Склад`, `РегистрыСведений.Цены`.
    pub(crate) fn module_named(&self, text: &str) -> Option<ModuleId> {
        match text.split_once('.') {
            None => self.common_module(self.ident(text)?),
            Some((kind, name)) => {
                let object = self.object(Kind::from_word(kind)?, self.ident(name)?)?;
                self.owned_module(object, ModuleKind::ManagerModule)
            }
        }
    }

    /// Exported methods of a name that something keeps for others to call.
    pub(crate) fn registered_methods(&self, name: Ident) -> &[MethodId] {
        self.computed.registered.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Exported methods of a name in manager modules, of a kind if it is known.
    pub(crate) fn manager_methods(&self, kind: Option<Kind>, name: Ident) -> impl Iterator<Item = MethodId> {
        let all = self.computed.managers.get(&name).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(move |method| {
            kind.is_none() || self.kind_of(self.module(self.method(*method).module).owner) == kind
        })
    }

    /// Whether some module exports a method of that name.
    pub(crate) fn is_exported(&self, name: Ident) -> bool {
        self.computed.exported.contains(&name)
    }

    /// Whether some method bears that name.
    pub fn is_method(&self, name: Ident) -> bool {
        self.computed.borne.contains(&name)
    }

    /// Whether anything of that name runs other methods.
    pub(crate) fn may_run(&self, name: Ident) -> bool {
        self.computed.runner_names.contains(&name)
    }

    /// The arguments of a method, from 0, that name another method which it runs.
    pub(crate) fn runs(&self, method: MethodId) -> &[(u16, Runs)] {
        self.computed.runners.get(&method).map_or(&[], Vec::as_slice)
    }

    /// Methods that run the one which an argument names with its module, and the argument from 0.
    pub(super) fn all_runners(&self) -> Vec<(MethodId, u16)> {
        let all = self.computed.runners.iter().flat_map(|(method, rows)| rows.iter().map(move |row| (*method, *row)));
        all.filter(|(_, (_, runs))| *runs == Runs::Method).map(|(method, (argument, _))| (method, argument)).collect()
    }

    /// Notes that a method runs, or keeps, the one which an argument names.
    pub(super) fn add_runner(&mut self, (method, argument): (MethodId, u16), runs: Runs) {
        self.computed.runner_names.insert(self.method(method).ident, ());
        let rows = self.computed.runners.entry(method).or_default();
        if !rows.contains(&(argument, runs)) {
            rows.push((argument, runs));
        }
    }

    /// The argument, from 0, of a method of an object of the platform that names a method to run: `ФоновыеЗадания.Выполнить`.
    pub(crate) fn platform_runner(&self, object: &str, method: &str) -> Option<(u16, Runs)> {
        let runner =
            self.settings.runners.iter().find(|runner| {
                runner.function.split_once('.').is_some_and(|(o, m)| same(o, object) && same(m, method))
            })?;
        Some((runner.argument.checked_sub(1)?, runner.runs))
    }
}
