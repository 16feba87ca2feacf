//! Modules that aren't there yet: a change may make one.

use index::AbsentModule;
use serde_json::{Value, json};

use super::super::{EditError, Revision, files};
use super::Place;
use crate::answer::call;
use crate::context::Context;
use crate::error::ToolError;

/// The module of a name or a path that the index hasn't and its owner may have, with its text if the disk or a pending change has
/// one by now.
pub(super) fn absent(context: &Context<'_>, name: &str) -> Result<Option<(AbsentModule, Option<String>)>, ToolError> {
    let absent = match name.contains('/') {
        true => context.index.absent_module_at(name)?,
        false => context.index.absent_module(name)?,
    };
    let Some(absent) = absent else { return Ok(None) };
    let text = context.edits.text_if_any(context.index, &absent.file.path)?;
    Ok(Some((absent, text)))
}

/// Calls that would make the modules that a thing may have and hasn't.
pub(super) fn calls(context: &Context<'_>, owner: &str) -> Result<Vec<Value>, ToolError> {
    let absent = context.index.absent_modules(owner)?;
    Ok(absent.iter().map(|one| call("propose_new_method", &json!({ "name": one.full_name }))).collect())
}

impl Place {
    /// The place of a name as [`of`](Self::of) finds it; a module that isn't there and may be is an empty text that begins and ends its
    /// lines as its neighbours do.
    pub(crate) fn of_or_new(context: &Context<'_>, name: &str) -> Result<Self, ToolError> {
        let Some((absent, None)) = absent(context, name)? else { return Self::of(context, name) };
        let look = look(context, &absent)?;
        let mut place = Self::with_text(&absent.full_name, &absent.file.path, String::new());
        place.revision = Revision::new("");
        if look.mark {
            let marked = place.revision.replace(0..0, "\u{feff}");
            marked.map_err(|mismatch| EditError::place(mismatch.to_string(), mismatch.to_string()))?;
        }
        place.new = Some(look.line_end);
        Ok(place)
    }
}

/// How a text begins and how its lines end.
struct Look {
    mark: bool,
    line_end: &'static str,
}

/// The look of the nearest file that has two lines; where there is none, that of the platform's own files.
fn look(context: &Context<'_>, absent: &AbsentModule) -> Result<Look, ToolError> {
    for path in context.index.neighbours(absent)? {
        context.check()?;
        let Some(file) = context.index.project_file(&path)? else { continue };
        // What can't be read shows nothing.
        let Ok(Some(text)) = files::read(&file) else { continue };
        if let Some(end) = text.find('\n') {
            let line_end = if text[..end].ends_with('\r') { "\r\n" } else { "\n" };
            return Ok(Look { mark: text.starts_with('\u{feff}'), line_end });
        }
    }
    Ok(Look { mark: true, line_end: "\r\n" })
}
