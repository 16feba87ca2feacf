//! Checks of report schemas.
//!
//! A check is one file in `checks/` and one line in [`CHECKS`]. It is *blocking* (an edit that leads to it is not applied) or
//! *advisory*, and on or off by default. What decides is how it fares on genuine files: see `corpus/calibration.tsv`.
//!
//! | level | what it looks at |
//! |---|---|
//! | 1 | the text: well-formed, begins as a schema does, sections in order |
//! | 2 | the formal model: order, names, counts, types, values |
//! | 3 | references inside the schema: names of sources, sets, templates, parameters, fields |
//! | 4 | the queries, by themselves and (with a [`bsl::Catalog`]) against the configuration |

mod calibration;
mod check;
mod checks;
pub mod explain;
mod fields;
pub(crate) mod paths;
mod report;
pub(crate) mod subject;
pub(crate) mod words;

pub use calibration::{Calibration, Line, measure, measure_in};
pub use check::{Check, Examples, Needs, Severity};
pub use checks::CHECKS;
pub use report::{Finding, Options, Report, check, new_findings, outdated_text};

#[cfg(test)]
mod tests;
