//! Checks of modules.
//!
//! A check is one file in `checks/` and one line in [`CHECKS`]. It is *blocking* (an edit that leads to it is not applied) or
//! *advisory*. Some need the text alone; others say that a name can't be there, and need the [`Ground`] that the text stands on: the
//! world of names that an index keeps, outlines of other modules, and for queries a [`Catalog`](bsl::Catalog).
//!
//! Unknown stays unknown: a check speaks only if what stands before the dot is certain, and all that could define the name was
//! read. An extension without its base, a module without its text, a value that may be something else: silence.

mod check;
mod checks;
mod lookup;
pub(crate) mod query;
mod report;
mod subject;
mod words;

pub use check::{Check, Example, Examples, Needs};
pub use checks::CHECKS;
pub use query::{QueryFault, QueryFaultKind, query_faults};
pub use report::{Finding, Options, Report, check};
pub use subject::{Ground, Subject};

#[cfg(test)]
mod tests;
