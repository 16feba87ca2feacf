//! What breaks when a thing of the configuration is deleted or changed.
//!
//! - [`rules`]: what a reference of a kind costs, as data;
//! - [`mentions`]: where code refers to a piece of metadata;
//! - [`spread`]: what follows through chains of calls, and what nothing uses any more afterwards.

pub mod mentions;
pub mod rules;
pub mod spread;

use serde::{Deserialize, Serialize};

/// What is done to the thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It is deleted.
    #[default]
    Delete,
    /// It gets another name.
    Name,
    /// A method's parameters, or whether it gives a result.
    Signature,
    /// A method's `Экспорт` is taken away.
    Export,
    /// A method compiles elsewhere: its directive, or its module's flags.
    Context,
    /// The type of an attribute, constant or other holder of values.
    Type,
}

/// How bad a break is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something won't compile or open.
    Build,
    /// Something fails, or does the wrong thing, when it runs.
    Runtime,
    /// Data or rights are lost.
    Data,
    /// Something only looks different.
    Looks,
}

/// What has to be edited, in the order of a safe deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Code that names it.
    Code,
    /// Queries in code.
    Query,
    /// Report schemas and other templates.
    Report,
    /// Forms.
    Form,
    /// Rights and restrictions of roles.
    Rights,
    /// Command interface, subsystems, default forms.
    Interface,
    /// Other metadata that refers to it.
    Metadata,
}

impl Change {
    /// All changes, in the order of the columns of the rules.
    pub const ALL: [Self; 6] = [Self::Delete, Self::Name, Self::Signature, Self::Export, Self::Context, Self::Type];

    /// The word of the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Name => "name",
            Self::Signature => "signature",
            Self::Export => "export",
            Self::Context => "context",
            Self::Type => "type",
        }
    }
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Self; 4] = [Self::Build, Self::Runtime, Self::Data, Self::Looks];

    /// The word of answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Runtime => "runtime",
            Self::Data => "data",
            Self::Looks => "looks",
        }
    }
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 7] =
        [Self::Code, Self::Query, Self::Report, Self::Form, Self::Rights, Self::Interface, Self::Metadata];

    /// The word of answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Query => "query",
            Self::Report => "report",
            Self::Form => "form",
            Self::Rights => "rights",
            Self::Interface => "interface",
            Self::Metadata => "metadata",
        }
    }
}
