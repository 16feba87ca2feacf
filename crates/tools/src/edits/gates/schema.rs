//! The result is a report schema that the platform opens.

use dcs::Document;
use validators::dcs::{Options, new_findings, outdated_text};

use super::super::gate::{Changed, Finding, Gate};
use crate::context::Context;
use crate::error::ToolError;
use crate::schema::catalog;

/// Runs all checks of report schemas on a changed one. What the change brings counts: a blocking finding refuses it, an advisory one
/// goes with it.
///
/// ```text
/// refused:  a schema with an element that its model doesn't know
/// remarked: a total of a field that no data set has
/// remarked: objects that its queries name changed since they were indexed, so that nothing is said of their fields
/// ```
pub struct Schema;

impl Gate for Schema {
    fn name(&self) -> &'static str {
        "schema"
    }

    fn check(&self, context: &Context<'_>, files: &[Changed<'_>]) -> Result<Vec<Finding>, ToolError> {
        let mut found = Vec::new();
        for file in files.iter().filter(|file| is_xml(file.path)) {
            let before = Document::parse(file.before.as_bytes().to_vec());
            if !before.is_schema() {
                continue;
            }
            context.check()?;
            let after = Document::parse(file.after.as_bytes().to_vec());
            let catalog = catalog(context);
            let options = Options { catalog: catalog.as_deref(), ..Options::default() };
            found.extend(new_findings(&before, &after, &options).into_iter().map(|finding| {
                Finding::of_check(
                    finding.check,
                    finding.severity,
                    file.path,
                    finding.line,
                    &finding.what,
                    &finding.mend,
                )
            }));
            if let Some(text) = outdated_text(&catalog.map(|catalog| catalog.outdated()).unwrap_or_default()) {
                found.push(Finding::remark(self.name(), file.path, text));
            }
        }
        Ok(found)
    }
}

fn is_xml(path: &str) -> bool {
    let lower = path.to_lowercase();
    [".xml", ".dcs"].iter().any(|ending| lower.ends_with(ending))
}
