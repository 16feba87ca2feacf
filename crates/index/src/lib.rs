//! The local SQLite store: what was learned of a configuration, and the answers from it.
//!
//! - [`build`] reads a dump and writes an index: [`build::build`].
//! - [`Index`] reads one: names, callers, passports, the tree, full text, literal search.
//! - [`sql`] runs read-only SQL over the views of the contract ([`schema::VIEWS`]).
//! - [`settings`] are what a project says of itself in `metascope.toml`.
//! - [`tasks`] is the table of long work that all programs of a user share.
//! - [`Location`] says where an index lives, and which generation is the current one.
//!
//! The only crate that knows SQLite; a reader never sees a half-built index.

#![forbid(unsafe_code)]

pub mod build;
pub mod compare;
mod deadline;
mod error;
mod location;
pub mod names;
pub mod read;
pub mod scan;
pub mod schema;
pub mod search;
pub mod settings;
pub mod sql;
pub mod tasks;
pub mod text;
pub mod vectors;
pub mod watch;

pub use deadline::Deadline;
pub use error::{Error, Result};
pub use graph::impact::{Change, Phase, Severity};
pub use location::{Location, WriterLock};
pub use read::{
    AbsentModule, AccessRow, Answer, Arrival, AttributeRow, Break, CodePlace, Community, ConditionRow, DeadMethod,
    Definition, Described, EdgeRow, EffectiveStep, Entry, EntryCount, ErrorPlace, Evidence, FormAttributeRow,
    FormCommandRow, FormItemRow, FormRow, FormStructure, Grounds, GroupCount, HandlerRow, Hub, Impact, ImpactQuery,
    ImpactTarget, Index, Inferred, InferredType, KindCount, LayerRow, MessageSource, MethodPassport, MethodRow,
    ModuleOutline, ModuleSize, MovementPlace, NameId, Named, NamingPlace, NodeKey, NotificationEnd, NotificationFilter,
    NotificationFlow, ObjectFilter, ObjectPassport, ObjectRow, OrderStep, Overview, ParamRow, PictureLine, PictureNode,
    ProblemRow, ProjectFile, Reason, ReferenceQuery, ReferenceRow, RegionRow, Relation, RelationStep, Resolution,
    RestrictionRow, RightRow, Roots, SourceText, Sources, State, Status, SubscriptionRow, SubsystemNode, Tables,
    TemplateRow, TreeNode, TypeRow, VariableFlow, VariablePlace, ViewRow, Walk, for_each_edge, types_text,
};
