//! The file is one of the project: no path leads out of it.

use super::super::files::locate;
use super::super::gate::{Changed, Finding, Gate};
use crate::context::Context;
use crate::error::ToolError;
use metadata::Language;

/// Refuses a path that is none of the index's, and one whose file, or a folder above it, is a link.
///
/// ```text
/// refused: ../secret.txt   /etc/passwd   C:\a.bsl   CommonModules/X/Ext/Link.bsl -> /elsewhere
/// ```
pub struct InProject;

impl Gate for InProject {
    fn name(&self) -> &'static str {
        "in_project"
    }

    fn check(&self, context: &Context<'_>, files: &[Changed<'_>]) -> Result<Vec<Finding>, ToolError> {
        let mut found = Vec::new();
        for file in files {
            match locate(context.index, file.path) {
                Ok(_) => {}
                Err(ToolError::Edit(error)) => found.push(Finding {
                    gate: self.name().to_owned(),
                    blocking: true,
                    path: file.path.chars().take(200).collect(),
                    line: 0,
                    ru: error.message(Language::Russian),
                    en: error.message(Language::English),
                }),
                Err(other) => return Err(other),
            }
        }
        Ok(found)
    }
}
