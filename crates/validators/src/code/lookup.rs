//! What a name may be, as far as all that could define it is known.

use bsl::same_name;
use graph::outline::{Outline, OutlineMethod};
use graph::platform::{self, GlobalKind};
use graph::sites::{Holder, Of, Site, Using};
use graph::world::ModuleId;
use metadata::ModuleKind;

use super::subject::{Ground, Subject};

/// The methods that a call may mean.
pub(crate) enum Called {
    /// Methods of the configuration; several where `#Если` chooses, or where it may be one of several things. With each the module.
    Methods(Vec<(ModuleId, OutlineMethod)>),
    /// Something of the platform.
    Platform(&'static platform::Global),
    /// It may be a member of the platform, or nothing certain is known.
    Open,
    /// There is none.
    Nothing,
}

/// Whether code of a module of this kind calls members of its own object without a dot.
pub(crate) fn has_self(kind: ModuleKind) -> bool {
    use ModuleKind as M;
    matches!(kind, M::ObjectModule | M::ManagerModule | M::RecordSetModule | M::ValueManagerModule | M::FormModule)
}

impl Subject<'_> {
    /// What a site that calls, or names a handler, means.
    pub(crate) fn called(&self, ground: &Ground<'_>, site: &Site) -> Called {
        let name = self.facts.text(site.name);
        match &site.of {
            Of::Bare => self.called_bare(ground, name),
            Of::Values(holders) => {
                let mut found = Vec::new();
                for holder in holders {
                    match self.methods_behind(ground, *holder, name) {
                        Some(methods) if methods.is_empty() => {}
                        Some(methods) => found.extend(methods),
                        None => return Called::Open,
                    }
                }
                let is_platform = holders.iter().any(|holder| !matches!(holder, Holder::Module(_)));
                match found.is_empty() {
                    true if is_platform && platform::is_method(name) => Called::Open,
                    true => Called::Nothing,
                    // Some of several things may have it by the platform.
                    false if is_platform && platform::is_method(name) && holders.len() > 1 => Called::Open,
                    false => Called::Methods(found),
                }
            }
            Of::Described(_) => Called::Open,
        }
    }

    fn called_bare(&self, ground: &Ground<'_>, name: &str) -> Called {
        let own: Vec<_> = self.own().named(name).map(|method| (ground.id(), method.clone())).collect();
        if !own.is_empty() {
            return Called::Methods(own);
        }
        let Some(rest) = self.rest() else { return Called::Open };
        let of_rest: Vec<_> = rest.iter().flat_map(|outline| outline.named(name)).cloned().collect();
        if !of_rest.is_empty() {
            return Called::Methods(of_rest.into_iter().map(|method| (ground.id(), method)).collect());
        }
        let world = ground.world;
        if let Some(module) = world.ident(name).and_then(|name| world.global_method(name)).map(|it| world.module_of(it))
        {
            return match ground.outlines.outline(module) {
                Some(outline) => Called::Methods(exported(module, &outline, name)),
                None => Called::Open,
            };
        }
        let Some(info) = ground.info() else { return Called::Open };
        let is_member = has_self(info.kind) && (platform::is_method(name) || platform::is_property(name));
        if let Some(global) = platform::global(name).filter(|global| global.kind == GlobalKind::Function) {
            return if is_member { Called::Open } else { Called::Platform(global) };
        }
        if is_member {
            return Called::Open;
        }
        for module in world.application_modules() {
            match ground.outlines.outline(module) {
                Some(outline) if outline.named(name).next().is_some() => return Called::Open,
                Some(_) => {}
                None => return Called::Open,
            }
        }
        Called::Nothing
    }

    /// The methods of a name that others may call on a thing; None if not all that could have it is known.
    fn methods_behind(&self, ground: &Ground<'_>, of: Holder, name: &str) -> Option<Vec<(ModuleId, OutlineMethod)>> {
        let mut found = Vec::new();
        for module in ground.world.modules_behind(of, ground.id()) {
            // The text that is judged speaks for its own module.
            if module == ground.id() && !ground.is_part {
                found.extend(self.own().named(name).map(|method| (module, method.clone())));
            } else {
                let outline = ground.outlines.outline(module)?;
                let methods = outline.named(name).cloned();
                found.extend(methods.map(|method| (module, method)));
            }
        }
        // A module calls what it doesn't export through itself only.
        found.retain(|(_, method)| method.export || of == Holder::This);
        Some(found)
    }

    /// Whether a thing's module declares a method of that name, exported or not.
    pub(crate) fn declares_on(&self, ground: &Ground<'_>, holders: &[Holder], name: &str) -> bool {
        holders.iter().flat_map(|holder| ground.world.modules_behind(*holder, ground.id())).any(|module| {
            if module == ground.id() && !ground.is_part {
                return self.own().named(name).next().is_some();
            }
            ground.outlines.outline(module).is_some_and(|outline| outline.named(name).next().is_some())
        })
    }

    /// Names of the methods that may be called on a thing.
    pub(crate) fn callable_on(&self, ground: &Ground<'_>, of: Holder) -> Vec<String> {
        let mut names = Vec::new();
        for module in ground.world.modules_behind(of, ground.id()) {
            let mut add = |outline: &Outline| {
                let methods = outline.methods.iter().filter(|method| method.export);
                names.extend(methods.map(|method| method.name.clone()));
            };
            if module == ground.id() && !ground.is_part {
                add(self.own());
            } else if let Some(outline) = ground.outlines.outline(module) {
                add(&outline);
            }
        }
        names
    }

    /// Whether a bare name that is no variable of the text is something; true also where that is not certain.
    pub(crate) fn may_be_something(&self, ground: &Ground<'_>, name: &str) -> bool {
        let world = ground.world;
        let known = |ident| world.common_module(ident).is_some() || world.collection(ident).is_some();
        if world.ident(name).is_some_and(known) || platform::global(name).is_some() {
            return true;
        }
        let Some(info) = ground.info() else { return true };
        let Some(rest) = self.rest() else { return true };
        if rest.iter().any(|outline| outline.has_variable(name, false)) {
            return true;
        }
        let is_own = match info.kind {
            ModuleKind::FormModule => match ground.form() {
                Some(form) if form.kind == metadata::FormKind::Managed => {
                    form.attributes.iter().any(|attribute| same_name(&attribute.name, name))
                }
                _ => true,
            },
            _ => has_self(info.kind) && (world.has_field(info.owner, name) || world.has_value(info.owner, name)),
        };
        if is_own || has_self(info.kind) && (platform::is_property(name) || platform::is_method(name)) {
            return true;
        }
        world.application_modules().any(|module| match ground.outlines.outline(module) {
            Some(outline) => outline.has_variable(name, true),
            None => true,
        })
    }
}

fn exported(module: ModuleId, outline: &Outline, name: &str) -> Vec<(ModuleId, OutlineMethod)> {
    outline.named(name).filter(|method| method.export).map(|method| (module, method.clone())).collect()
}

/// The number of arguments of a call.
pub(crate) fn given(site: &Site) -> Option<u16> {
    match site.using {
        Using::Call(count) => Some(count),
        Using::Value | Using::Handler => None,
    }
}
