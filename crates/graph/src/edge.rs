//! What a resolver gives: edges, and halves of edges that fan out.

use serde::{Deserialize, Serialize};

/// How two things are linked: the name of a channel of `CHANNELS.md` (`direct`, `notify` …).
///
/// A channel's file in [`crate::channels`] declares its own constant, so that the list of channels is the list of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel(pub &'static str);

/// How sure a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Confidence {
    /// Written in metadata, or a plain call.
    Exact,
    /// The receiver's type was inferred.
    Typed,
    /// A literal names it.
    String,
    /// The platform or a framework calls it by name.
    Convention,
    /// One of several.
    Candidate,
}

impl Confidence {
    /// The word that views and exports show.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Typed => "typed",
            Self::String => "string",
            Self::Convention => "convention",
            Self::Candidate => "candidate",
        }
    }
}

/// A link between two things of the configuration, by full names, with the place that proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge<Name = u32> {
    /// Who calls, or holds the link.
    pub source: Name,
    /// What is reached.
    pub target: Name,
    /// By which channel.
    pub channel: Channel,
    /// How sure.
    pub confidence: Confidence,
    /// The file that proves it, as a number in the configuration's file list.
    pub file: u32,
    /// 1-based line in it; 0 where a whole file is the proof.
    pub line: u32,
}

/// Which end of a fan-out a [`Half`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// A source: it leads to every target of the hub.
    Source,
    /// A target: every source of the hub leads to it.
    Target,
}

/// One end of edges that fan out through a hub (an event's name, a subscription): every source of a hub reaches every
/// target of it. Stored as halves and joined when read, since *n* senders and *m* handlers would be *n × m* rows.
/// The place that proves a joined edge is its source half's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Half<Name = u32> {
    /// What both sides meet in: the full name of a subscription, an event's name, folded; unique within the channel.
    pub hub: String,
    /// Which end this is.
    pub side: Side,
    /// The thing at this end.
    pub node: Name,
    /// By which channel.
    pub channel: Channel,
    /// How sure.
    pub confidence: Confidence,
    /// The file that proves it, as a number in the configuration's file list.
    pub file: u32,
    /// 1-based line in it; 0 where a whole file is the proof.
    pub line: u32,
}

/// A place whose targets only run time knows. What is known of them limits what it could hide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicSite {
    /// The method, or the module's body, that it stands in.
    pub node: u32,
    /// What kind of place: a word such as `execute`, `evaluate`, `receiver`, `handler`.
    pub kind: &'static str,
    /// What is known of the target: a method's name, or a text with `*` for what is not known; empty: nothing.
    pub known: String,
    /// The file, as a number in the configuration's file list.
    pub file: u32,
    /// 1-based line.
    pub line: u32,
}

/// What resolving one module, or the metadata, gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Whole edges.
    pub edges: Vec<Edge>,
    /// Halves of edges that fan out.
    pub halves: Vec<Half>,
    /// Places that stay open.
    pub dynamic: Vec<DynamicSite>,
    /// Places that refer to pieces of metadata; of metadata itself they are [read apart](crate::refs::metadata).
    pub references: Vec<crate::refs::Reference>,
}
