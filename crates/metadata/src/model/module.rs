//! Modules: where code stands.

use super::object::ModuleFlags;
use super::{FileId, Text};
use serde::{Deserialize, Serialize};

/// What a module is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ModuleKind {
    /// Module of a common module, HTTP, web or integration service, bot or WebSocket client.
    Module,
    /// Object module.
    ObjectModule,
    /// Manager module.
    ManagerModule,
    /// Record set module.
    RecordSetModule,
    /// Module of a constant's value manager.
    ValueManagerModule,
    /// Module of a command.
    CommandModule,
    /// Module of a form.
    FormModule,
    /// Application module of the managed application.
    ManagedApplicationModule,
    /// Application module of the ordinary application.
    OrdinaryApplicationModule,
    /// Session module.
    SessionModule,
    /// External connection module.
    ExternalConnectionModule,
}

impl ModuleKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Module,
        Self::ObjectModule,
        Self::ManagerModule,
        Self::RecordSetModule,
        Self::ValueManagerModule,
        Self::CommandModule,
        Self::FormModule,
        Self::ManagedApplicationModule,
        Self::OrdinaryApplicationModule,
        Self::SessionModule,
        Self::ExternalConnectionModule,
    ];

    /// The kind that a word means in either language, whatever its case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.to_lowercase();
        Self::ALL.into_iter().find(|kind| kind.as_str().to_lowercase() == word || kind.ru().to_lowercase() == word)
    }

    /// The word in full names and file names.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "Module",
            Self::ObjectModule => "ObjectModule",
            Self::ManagerModule => "ManagerModule",
            Self::RecordSetModule => "RecordSetModule",
            Self::ValueManagerModule => "ValueManagerModule",
            Self::CommandModule => "CommandModule",
            Self::FormModule => "FormModule",
            Self::ManagedApplicationModule => "ManagedApplicationModule",
            Self::OrdinaryApplicationModule => "OrdinaryApplicationModule",
            Self::SessionModule => "SessionModule",
            Self::ExternalConnectionModule => "ExternalConnectionModule",
        }
    }

    /// The Russian word that error messages and developers use.
    #[must_use]
    pub fn ru(self) -> &'static str {
        match self {
            Self::Module => "Модуль",
            Self::ObjectModule => "МодульОбъекта",
            Self::ManagerModule => "МодульМенеджера",
            Self::RecordSetModule => "МодульНабораЗаписей",
            Self::ValueManagerModule => "МодульМенеджераЗначения",
            Self::CommandModule => "МодульКоманды",
            Self::FormModule => "МодульФормы",
            Self::ManagedApplicationModule => "МодульУправляемогоПриложения",
            Self::OrdinaryApplicationModule => "МодульОбычногоПриложения",
            Self::SessionModule => "МодульСеанса",
            Self::ExternalConnectionModule => "МодульВнешнегоСоединения",
        }
    }
}

/// A module of the configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Module {
    /// Canonical full name: its owner's for a common module, common form or form; else owner plus kind.
    pub full_name: Text,
    /// Full name of the object, form or command that it belongs to (`Configuration` for application modules).
    pub owner: Text,
    /// Kind.
    pub kind: ModuleKind,
    /// File.
    pub file: FileId,
    /// Flags of a common module; None for every other module.
    pub flags: Option<ModuleFlags>,
}
