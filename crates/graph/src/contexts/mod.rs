//! Where code compiles and runs, and what a call crosses on its way.
//!
//! A method's contexts follow from the kind of its module ([`data/module_contexts.tsv`](self)), the flags of a common
//! module, its compilation directive and the `#Если` around it. A call is met in each context of its caller: on the spot,
//! by a call to the server, or not at all.

mod words;

use bsl::{Context as Directive, Contexts};
use metadata::{ModuleFlags, ModuleKind};
use std::sync::LazyLock;

pub use words::{parse, ru, words};

/// Contexts that are clients of a managed application.
pub const CLIENTS: Contexts = Contexts::THIN_CLIENT
    .union(Contexts::WEB_CLIENT)
    .union(Contexts::MOBILE_CLIENT)
    .union(Contexts::THICK_CLIENT_MANAGED);
/// The server, and its counterpart on a mobile device.
pub const SERVERS: Contexts = Contexts::SERVER.union(Contexts::MOBILE_SERVER);
/// Contexts of mobile devices: most configurations are never built for them, so what is missing there alone is no news.
const MOBILE: Contexts = Contexts::MOBILE_CLIENT.union(Contexts::MOBILE_SERVER);

/// What a module is, as far as contexts depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModulePlace {
    /// Its kind.
    pub kind: ModuleKind,
    /// Flags of a common module; None for every other module.
    pub flags: Option<ModuleFlags>,
    /// True for the module of an ordinary form.
    pub ordinary_form: bool,
}

/// Where a method compiles, and whether a client reaches it by a call to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodPlace {
    /// Where it compiles.
    pub compiles: Contexts,
    /// True if code of a client may call it although it compiles on the server only: an exported method of a common
    /// module with `ServerCall`, a server method of a form or command module.
    pub server_call: bool,
}

/// How a call gets from its caller to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Contexts of the caller from which the call goes to the server.
    pub to_server: Contexts,
    /// Contexts of the caller in which the target is not there at all.
    pub missing: Contexts,
    /// True if the call works in none of the caller's contexts.
    pub impossible: bool,
}

/// Who starts the target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// The source's code, where it runs.
    Call,
    /// Something on the server.
    Server,
    /// Something in the client.
    Client,
}

/// What a row of the table of modules says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Fixed(Contexts),
    Flags,
    Directive,
}

static MODULES: LazyLock<Vec<(&'static str, Base)>> = LazyLock::new(|| {
    let row = |(module, contexts): (&'static str, &'static str)| {
        let base = match contexts {
            "flags" => Base::Flags,
            "directive" => Base::Directive,
            words => Base::Fixed(parse(words)),
        };
        (module, base)
    };
    rows(include_str!("../../data/module_contexts.tsv")).map(row).collect()
});

static CHANNELS: LazyLock<Vec<(&'static str, Starts)>> = LazyLock::new(|| {
    let row = |(channel, starts): (&'static str, &'static str)| {
        let starts = match starts {
            "call" => Starts::Call,
            "server" => Starts::Server,
            "client" => Starts::Client,
            _ => return None,
        };
        Some((channel, starts))
    };
    rows(include_str!("../../data/channel_contexts.tsv")).filter_map(row).collect()
});

/// Rows of a table of two columns, without comments and head.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(|line| line.split_once('\t'))
}

/// Who starts the target of an edge of that channel; None if the channel says nothing of it.
pub fn starts(channel: &str) -> Option<Starts> {
    CHANNELS.iter().find(|(known, _)| *known == channel).map(|&(_, starts)| starts)
}

impl ModulePlace {
    fn base(&self) -> Base {
        let word = match (self.kind, self.flags) {
            (ModuleKind::Module, Some(_)) => "CommonModule",
            (ModuleKind::FormModule, _) if self.ordinary_form => "FormModule.ordinary",
            (kind, _) => kind.as_str(),
        };
        MODULES.iter().find(|(module, _)| *module == word).map_or(Base::Fixed(Contexts::all()), |&(_, base)| base)
    }

    /// Where code of the module compiles that stands under no directive and no condition.
    pub fn contexts(&self) -> Contexts {
        match self.base() {
            Base::Fixed(contexts) => contexts,
            Base::Directive => CLIENTS | SERVERS,
            Base::Flags => {
                let flags = self.flags.unwrap_or_default();
                let pairs = [
                    (flags.server, SERVERS),
                    (flags.client_managed, CLIENTS),
                    (flags.client_ordinary, Contexts::THICK_CLIENT_ORDINARY),
                    (flags.external_connection, Contexts::EXTERNAL_CONNECTION),
                ];
                pairs.into_iter().filter(|(set, _)| *set).fold(Contexts::empty(), |all, (_, some)| all | some)
            }
        }
    }

    /// A method of the module; `conditions` is where the `#Если` around it let it compile.
    pub fn method(&self, directive: Option<Directive>, export: bool, conditions: Contexts) -> MethodPlace {
        let by_directive = self.base() == Base::Directive;
        let said = match directive {
            Some(Directive::AtClient) => CLIENTS | Contexts::THICK_CLIENT_ORDINARY,
            Some(Directive::AtServer | Directive::AtServerNoContext) => SERVERS | Contexts::EXTERNAL_CONNECTION,
            Some(Directive::AtClientAtServer | Directive::AtClientAtServerNoContext) => Contexts::all(),
            None if by_directive => SERVERS,
            None => Contexts::all(),
        };
        let compiles = self.contexts() & said & conditions;
        let called = match self.flags {
            Some(flags) => flags.server_call && export,
            None => by_directive,
        };
        MethodPlace { compiles, server_call: called && compiles.contains(Contexts::SERVER) }
    }
}

impl MethodPlace {
    /// A call of this method by code that runs in `from`.
    pub fn called_from(&self, from: Contexts) -> Crossing {
        let elsewhere = from - self.compiles;
        // An external connection and the ordinary application call the server as clients do.
        let to_server = if self.server_call { elsewhere - SERVERS } else { Contexts::empty() };
        let missing = elsewhere - to_server;
        let news = if from.difference(MOBILE).is_empty() { missing } else { missing - MOBILE };
        Crossing { to_server, missing: news, impossible: !from.is_empty() && missing == from }
    }
}

impl Crossing {
    /// What an edge of that channel crosses: `from` is where the line of the source compiles, `to` the target. None if the
    /// channel says nothing of contexts.
    pub fn of(channel: &str, from: Contexts, to: &MethodPlace) -> Option<Self> {
        Some(match starts(channel)? {
            Starts::Call => to.called_from(from),
            Starts::Server => to.called_from(Contexts::SERVER),
            Starts::Client => {
                let clients = CLIENTS & !MOBILE;
                let here = to.compiles & clients;
                // Each client has its own copy of the caller: what compiles in one of them is enough.
                let impossible = here.is_empty();
                Self {
                    to_server: Contexts::empty(),
                    missing: if impossible { clients } else { Contexts::empty() },
                    impossible,
                }
            }
        })
    }

    /// True if the call goes from a client to the server.
    pub fn crosses(&self) -> bool {
        self.to_server.intersects(CLIENTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(flags: ModuleFlags) -> ModulePlace {
        ModulePlace { kind: ModuleKind::Module, flags: Some(flags), ordinary_form: false }
    }

    fn of(kind: ModuleKind) -> ModulePlace {
        ModulePlace { kind, flags: None, ordinary_form: false }
    }

    #[test]
    fn the_tables_are_whole() {
        for kind in ModuleKind::ALL {
            assert!(MODULES.iter().any(|(module, _)| *module == kind.as_str()), "{kind:?}");
        }
        assert_eq!(CHANNELS.len(), rows(include_str!("../../data/channel_contexts.tsv")).count());
        for (module, base) in MODULES.iter() {
            assert!(!matches!(base, Base::Fixed(contexts) if contexts.is_empty()), "{module}");
        }
    }

    #[test]
    fn a_common_module_is_where_its_flags_say() {
        let both = common(ModuleFlags { server: true, client_managed: true, ..ModuleFlags::default() });
        let method = both.method(None, true, Contexts::all());
        assert_eq!(method.compiles, CLIENTS | SERVERS);
        assert!(!method.server_call);
        let server = common(ModuleFlags { server: true, ..ModuleFlags::default() });
        assert_eq!(server.contexts(), SERVERS);
    }

    #[test]
    fn a_form_module_is_where_its_directives_say() {
        let form = of(ModuleKind::FormModule);
        assert_eq!(form.method(None, false, Contexts::all()).compiles, SERVERS);
        assert_eq!(form.method(Some(Directive::AtClient), false, Contexts::all()).compiles, CLIENTS);
        let both = form.method(Some(Directive::AtClientAtServerNoContext), false, Contexts::all());
        assert_eq!(both.compiles, CLIENTS | SERVERS);
        let ordinary = ModulePlace { ordinary_form: true, ..form };
        assert_eq!(ordinary.method(None, false, Contexts::all()).compiles, Contexts::THICK_CLIENT_ORDINARY);
    }

    #[test]
    fn conditions_take_away() {
        let object = of(ModuleKind::ObjectModule);
        let guard = Contexts::SERVER | Contexts::EXTERNAL_CONNECTION | Contexts::THICK_CLIENT_ORDINARY;
        assert_eq!(object.method(None, false, guard).compiles, guard);
    }

    #[test]
    fn a_client_reaches_the_server_by_a_server_call_only() {
        let flags = ModuleFlags { server: true, ..ModuleFlags::default() };
        let plain = common(flags).method(None, true, Contexts::all());
        let called = common(ModuleFlags { server_call: true, ..flags }).method(None, true, Contexts::all());
        let private = common(ModuleFlags { server_call: true, ..flags }).method(None, false, Contexts::all());
        let client = Contexts::THIN_CLIENT | Contexts::WEB_CLIENT;
        assert!(plain.called_from(client).impossible && private.called_from(client).impossible);
        let crossing = called.called_from(client);
        assert!(crossing.crosses() && !crossing.impossible && crossing.missing.is_empty());
        // Code of both sides: the server half finds it, the client half doesn't.
        let crossing = plain.called_from(client | Contexts::SERVER);
        assert_eq!((crossing.missing, crossing.impossible), (client, false));
        // Form -> its own server method.
        let form = of(ModuleKind::FormModule).method(Some(Directive::AtServer), false, Contexts::all());
        assert!(form.called_from(CLIENTS).crosses());
    }

    #[test]
    fn what_starts_a_target_counts_not_where_its_name_is_written() {
        let client = common(ModuleFlags { client_managed: true, ..ModuleFlags::default() });
        let method = client.method(None, true, Contexts::all());
        let job = Crossing::of("scheduled_job", Contexts::all(), &method);
        assert!(job.is_some_and(|crossing| crossing.impossible));
        assert!(Crossing::of("idle_handler", CLIENTS, &method).is_some_and(|crossing| !crossing.impossible));
        assert_eq!(Crossing::of("by_convention", CLIENTS, &method), None);
    }
}
