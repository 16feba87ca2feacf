//! What a check is.

use serde::Serialize;

use super::report::Findings;
use super::subject::Subject;

/// What follows from a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The platform doesn't open such a file: an edit that leads to it is not applied.
    Blocking,
    /// A warning.
    Advisory,
}

/// What a check must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// The file alone.
    File,
    /// A [`Catalog`](bsl::Catalog) of the configuration.
    Configuration,
}

/// Bodies of schemas (what stands inside the root; prefixes `s`, `c`, `com`, `at`, `v8`, `xs`, `xsi` are bound) that show what a
/// check is for. A body that begins with `<?` or `<!` or has a root of its own is a whole file.
#[derive(Clone, Copy, Debug)]
pub struct Examples {
    /// In these it finds nothing.
    pub valid: &'static [&'static str],
    /// In these it finds something, at a place with this text.
    pub invalid: &'static [(&'static str, &'static str)],
}

/// A check.
#[derive(Debug)]
pub struct Check {
    /// Its name: small letters and hyphens.
    pub code: &'static str,
    /// 1 to 4; see [`super`].
    pub level: u8,
    /// What follows from a finding.
    pub severity: Severity,
    /// It runs unless it is switched off.
    pub is_on: bool,
    /// What it must be given.
    pub needs: Needs,
    /// What it says, in one line: Russian, English.
    pub title: (&'static str, &'static str),
    /// Why what it finds is wrong, and where that is known from.
    pub source: &'static str,
    /// Examples, which are its tests as well.
    pub examples: Examples,
    /// Looks at a schema.
    pub(crate) run: fn(&Subject<'_>, &mut Findings<'_>),
}

impl Check {
    /// An advisory check of a level that needs the file alone and is on.
    pub(crate) const fn advisory(level: u8, code: &'static str) -> Self {
        Self {
            code,
            level,
            severity: Severity::Advisory,
            is_on: true,
            needs: Needs::File,
            title: ("", ""),
            source: "",
            examples: Examples { valid: &[], invalid: &[] },
            run: |_, _| {},
        }
    }

    /// A blocking check of a level that needs the file alone.
    pub(crate) const fn blocking(level: u8, code: &'static str) -> Self {
        Self { severity: Severity::Blocking, ..Self::advisory(level, code) }
    }
}
