//! What a check is.

use serde::Serialize;

use super::report::Findings;
use super::subject::Subject;
use crate::dcs::Severity;

/// What a check must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// The text alone.
    Text,
    /// The configuration around it: a [`Ground`](super::Ground).
    Configuration,
}

/// A text as the text of a module of the demo configuration (`corpus/demo`).
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Full name of the module.
    pub module: &'static str,
    /// The whole text.
    pub text: &'static str,
}

/// Texts that show what a check is for.
#[derive(Clone, Copy, Debug)]
pub struct Examples {
    /// In these it finds nothing.
    pub valid: &'static [Example],
    /// In these it finds this name, and nothing else.
    pub invalid: &'static [(Example, &'static str)],
}

/// An example in a common module of the server.
pub(crate) const fn on_server(text: &'static str) -> Example {
    Example { module: "CommonModule.ПроведениеТорговли", text }
}

/// A check.
#[derive(Debug)]
pub struct Check {
    /// Its name: small letters and hyphens.
    pub code: &'static str,
    /// What follows from a finding.
    pub severity: Severity,
    /// What it must be given.
    pub needs: Needs,
    /// What it says, in one line: Russian, English.
    pub title: (&'static str, &'static str),
    /// Why what it finds is wrong, and where that is known from.
    pub source: &'static str,
    /// Examples, which are its tests as well.
    pub examples: Examples,
    /// Looks at a text.
    pub(crate) run: fn(&Subject<'_>, &mut Findings<'_>),
}

impl Check {
    /// A blocking check that needs the text alone.
    pub(crate) const fn blocking(code: &'static str) -> Self {
        Self {
            code,
            severity: Severity::Blocking,
            needs: Needs::Text,
            title: ("", ""),
            source: "",
            examples: Examples { valid: &[], invalid: &[] },
            run: |_, _| {},
        }
    }

    /// An advisory check that needs the text alone.
    pub(crate) const fn advisory(code: &'static str) -> Self {
        Self { severity: Severity::Advisory, ..Self::blocking(code) }
    }
}
