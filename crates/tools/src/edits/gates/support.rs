//! What a vendor supports and locks is not changed.

use super::super::gate::{Changed, Finding, Gate};
use crate::context::Context;
use crate::error::ToolError;

/// Refuses a file of an object that is locked by its vendor's support, and the file that tells of support. An object that may be changed
/// and stays on support gets a remark.
///
/// ```text
/// refused:  a module of an object whose support is `locked`
/// remarked: a module of an object whose support is `editable`
/// ```
pub struct Support;

/// The file that says what is supported.
const TELLS: &str = "ParentConfigurations.bin";

impl Gate for Support {
    fn name(&self) -> &'static str {
        "support"
    }

    fn check(&self, context: &Context<'_>, files: &[Changed<'_>]) -> Result<Vec<Finding>, ToolError> {
        let mut found = Vec::new();
        for file in files {
            let finding = |blocking, ru: String, en: String| Finding {
                gate: self.name().to_owned(),
                blocking,
                path: file.path.to_owned(),
                line: 0,
                ru,
                en,
            };
            if file.path.rsplit('/').next() == Some(TELLS) {
                found.push(finding(
                    true,
                    "состояние поддержки меняют в конфигураторе, не в файле".to_owned(),
                    "support is changed in the Designer, not in its file".to_owned(),
                ));
                continue;
            }
            let known = match context.index.project_file(file.path)? {
                Some(known) => known,
                // A module that comes is of its object, whose support counts.
                None => match context.index.absent_module_at(file.path)? {
                    Some(absent) => absent.file,
                    None => continue,
                },
            };
            let owner = &known.owner;
            match known.support.as_str() {
                "locked" => found.push(finding(
                    true,
                    format!("{owner} на поддержке с запретом изменения: включите возможность изменения в конфигураторе или сделайте \
                             правку в расширении"),
                    format!("{owner} is locked by its vendor's support: allow changes in the Designer, or make the change in an extension"),
                )),
                "editable" => found.push(finding(
                    false,
                    format!("{owner} остаётся на поддержке: при обновлении поставщика правку придётся объединять"),
                    format!("{owner} stays on support: an update of the vendor will have to be merged with this change"),
                )),
                _ => {}
            }
        }
        Ok(found)
    }
}
