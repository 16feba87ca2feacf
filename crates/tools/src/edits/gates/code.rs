//! The result is code whose names exist.

use super::super::gate::{Changed, Finding, Gate};
use crate::context::Context;
use crate::edits::EditState;
use crate::error::ToolError;
use crate::scan::{new_findings, scan};

/// Runs the checks of code on changed modules: syntax, names, arguments, queries, client and server. What the change brings counts.
/// What the change itself, or one that waits, declares is no unknown name, and what is asked of it in another file may hold by then.
///
/// ```text
/// refused:  a call of a method that a common module doesn't have; a procedure without its end
/// remarked: an attribute that no type of the receiver has
/// ```
pub struct Code;

impl Gate for Code {
    fn name(&self) -> &'static str {
        "code"
    }

    fn check(&self, context: &Context<'_>, files: &[Changed<'_>]) -> Result<Vec<Finding>, ToolError> {
        let modules: Vec<&Changed<'_>> = files.iter().filter(|file| is_module(file.path)).collect();
        if modules.is_empty() {
            return Ok(Vec::new());
        }
        let of =
            |path: &str, text: &str| methods(text).into_iter().map(|name| (path.to_owned(), name)).collect::<Vec<_>>();
        let mut declared: Vec<(String, String)> = modules.iter().flat_map(|file| of(file.path, file.after)).collect();
        for waiting in context.edits.list()?.into_iter().filter(|edit| edit.state == EditState::Pending) {
            for file in waiting.files.iter().filter(|file| is_module(&file.path)) {
                // One that doesn't fit its file any more declares nothing.
                let text = context.edits.text(context.index, &file.path);
                declared.extend(text.iter().flat_map(|text| of(&file.path, text)));
            }
        }
        let is_declared = |finding: &validators::code::Finding, file: &str| {
            let own = finding.name.rsplit('.').next().unwrap_or(&finding.name);
            let is_unknown = finding.check.ends_with("-unknown");
            declared.iter().any(|(path, method)| (is_unknown || path != file) && bsl::same_name(method, own))
        };
        let mut found = Vec::new();
        for file in modules {
            context.check()?;
            let before = scan(context.index, file.path, file.before)?;
            let after = scan(context.index, file.path, file.after)?;
            let new = new_findings(&before, after).into_iter().filter(|finding| !is_declared(finding, file.path));
            found.extend(new.map(|finding| {
                Finding::of_check(
                    finding.check,
                    finding.severity,
                    file.path,
                    finding.line,
                    &finding.what,
                    &finding.mend,
                )
            }));
        }
        Ok(found)
    }
}

fn is_module(path: &str) -> bool {
    path.to_lowercase().ends_with(".bsl")
}

/// Names of the methods that a text declares.
fn methods(text: &str) -> Vec<String> {
    let facts = bsl::read_module(text.as_bytes());
    facts.methods.iter().map(|method| facts.text(method.name).to_owned()).collect()
}
