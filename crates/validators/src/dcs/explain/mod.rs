//! Why does this report fail? From a message of the platform to the line that causes it.
//!
//! A kind of message is one file in `kinds/` and one line in [`KINDS`]; what the platform writes is data (`data/messages.tsv`). A kind
//! looks for its causes with what the checks look at: fields of the schema, facts of the queries and, if there is one, the
//! configuration.

mod ask;
mod causes;
mod kinds;
mod message;

use bsl::Catalog;
use dcs::Document;
use serde::Serialize;

pub use causes::Cause;
pub use kinds::KINDS;
pub use message::{Message, read_message};

use super::Severity;
use super::report::{Finding, Options, check};
use super::subject::{Subject, Texts};
use ask::Ask;
use causes::Causes;

/// Most findings that are shown besides.
const MAX_FINDINGS: usize = 20;

/// A kind of message.
#[derive(Debug)]
pub struct Kind {
    /// Its name: small letters and hyphens, as in the table of messages.
    pub code: &'static str,
    /// What the platform complains of: Russian, English.
    pub title: (&'static str, &'static str),
    /// Looks for the causes.
    run: fn(&Ask<'_, '_>, &mut Causes<'_>),
}

/// Why a report fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What the message says.
    pub message: Message,
    /// What causes it, the surest first; empty if nothing in the file does, or if the message isn't known.
    pub causes: Vec<Cause>,
    /// If there is no sure cause: what checks find in the file, those that are off by default among them.
    pub findings: Vec<Finding>,
    /// Checks that need a configuration and had none.
    pub skipped: Vec<&'static str>,
    /// Files of the configuration that changed since it was indexed: what they decide wasn't looked at.
    pub outdated: Vec<String>,
}

/// Explains a message of the platform by the schema that it came from.
///
/// ```
/// use dcs::Document;
/// use metascope_validators::dcs::explain::explain;
/// let text = "<DataCompositionSchema xmlns=\"http://v8.1c.ru/8.1/data-composition-system/schema\" \
///     xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dataSet xsi:type=\"DataSetQuery\"><name>Н</name>\
///     <query>ВЫБРАТЬ Х.Сума КАК С ИЗ (ВЫБРАТЬ 1 КАК Сумма) КАК Х</query></dataSet></DataCompositionSchema>";
/// let why = explain(&Document::parse(text), "{(1, 9)}: Поле не найдено \"Х.Сума\"", None);
/// assert_eq!(why.causes[0].nearest, ["Х.Сумма"]);
/// ```
pub fn explain(document: &Document, message: &str, catalog: Option<&dyn Catalog>) -> Explanation {
    let message = read_message(message);
    let report = check(document, &Options { all: true, only: &[], catalog });
    let texts = Texts::of(document);
    let subject = Subject::new(document, &texts, catalog);
    let mut causes = Causes::new(document);
    if let Some(kind) = KINDS.iter().find(|kind| Some(kind.code) == message.kind) {
        (kind.run)(&Ask::new(&subject, &message, &report), &mut causes);
    }
    let causes = causes.finish();
    let mut findings = Vec::new();
    if !causes.iter().any(|cause| cause.sure) {
        findings = report.findings;
        // What blocks explains every message.
        findings.sort_by_key(|finding| (finding.severity != Severity::Blocking, finding.start));
        findings.truncate(MAX_FINDINGS);
    }
    let outdated = catalog.map(Catalog::outdated).unwrap_or_default();
    Explanation { message, causes, findings, skipped: report.skipped, outdated }
}

#[cfg(test)]
mod tests;
