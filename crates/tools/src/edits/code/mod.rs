//! Changes of modules: finding the place by a name, and what the tools that propose them have in common.

pub(crate) mod insert;
mod new;
pub(crate) mod rename_local;
pub(crate) mod rename_method;
pub(crate) mod split;
pub(crate) mod tokens;

use std::ops::Range;

use bsl::{Method, ModuleFacts};
use index::Resolution;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Draft, EditError, EditState, Pending, Revision};
use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;
use crate::tool::say;

/// A file of the project, or a method in it, as it is with the pending changes.
pub(crate) struct Place {
    /// Path as the views show it.
    pub path: String,
    /// Full name of the module; the path, if a file was named.
    pub module: String,
    /// Its text.
    pub revision: Revision,
    /// What it consists of; empty for a file that is no module.
    pub facts: ModuleFacts,
    /// The method that was named, among those of `facts`.
    pub method: Option<usize>,
    /// The file is a new one, whose lines end so.
    pub new: Option<&'static str>,
}

impl Place {
    /// The place of a name: a method, a module, a thing with one module, or the path of a file.
    pub(crate) fn of(context: &Context<'_>, name: &str) -> Result<Self, ToolError> {
        match new::absent(context, name)? {
            Some((_, None)) => {
                let (ru, en) = (
                    format!("модуля {name} ещё нет: его создаёт propose_new_method или propose_insert"),
                    format!("there is no module {name} yet: propose_new_method or propose_insert makes it"),
                );
                Err(EditError::place(ru, en).into())
            }
            Some((absent, Some(text))) => Ok(Self::with_text(&absent.full_name, &absent.file.path, text)),
            None => Self::of_known(context, name),
        }
    }

    fn of_known(context: &Context<'_>, name: &str) -> Result<Self, ToolError> {
        if name.contains(['/', '\\']) || name.ends_with(".bsl") || name.ends_with(".xml") || name.starts_with('.') {
            return Self::of_file(context, name, name, None);
        }
        let named = match context.index.resolve(name)? {
            Resolution::Found(named) => named,
            // A method that a pending change brings is not in the index yet.
            Resolution::Unknown { .. } => {
                // So is a module.
                if let Some((module, method)) = name.rsplit_once('.')
                    && let Some((absent, Some(text))) = new::absent(context, module)?
                {
                    let mut place = Self::with_text(&absent.full_name, &absent.file.path, text);
                    place.method = Some(place.find_method(method)?);
                    return Ok(place);
                }
                if let Some((module, method)) = name.rsplit_once('.')
                    && let Resolution::Found(found) = context.index.resolve(module)?
                    && let Some(outline) = context.index.outline(found.id)?
                    && let Ok(place) = Self::of_file(context, &outline.full_name, &outline.file, Some(method))
                {
                    return Ok(place);
                }
                return Err(context.index.require(name).err().map_or(EditError::Nothing.into(), ToolError::from));
            }
            Resolution::Ambiguous(_) => {
                return Err(context.index.require(name).err().map_or(EditError::Nothing.into(), ToolError::from));
            }
        };
        if let Some(method) = context.index.method(named.id)? {
            let module = named.full_name.rsplit_once('.').map_or("", |(module, _)| module);
            let module = context.index.require(module)?;
            let outline = context.index.outline(module.id)?;
            let outline = outline.ok_or_else(|| EditError::place("у метода нет модуля", "the method has no module"))?;
            return Self::of_file(context, &outline.full_name, &outline.file, Some(&method.name));
        }
        if let Some(outline) = context.index.outline(named.id)? {
            return Self::of_file(context, &outline.full_name, &outline.file, None);
        }
        let modules = modules_of(context, &named.full_name)?;
        match modules.as_slice() {
            [one] => Self::of(context, one),
            several => {
                let next = match several.is_empty() {
                    true => new::calls(context, &named.full_name)?,
                    false => several.iter().map(|module| call("read_module", &json!({ "name": module }))).collect(),
                };
                let wanted = ("метод или модуль", "a method or a module");
                Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next })
            }
        }
    }

    fn of_file(context: &Context<'_>, module: &str, path: &str, method: Option<&str>) -> Result<Self, ToolError> {
        let mut place = Self::with_text(module, path, context.edits.text(context.index, path)?);
        if let Some(name) = method {
            place.method = Some(place.find_method(name)?);
        }
        Ok(place)
    }

    fn with_text(module: &str, path: &str, text: String) -> Self {
        let facts = if path.ends_with(".bsl") { bsl::read_module(text.as_bytes()) } else { ModuleFacts::default() };
        let (path, module) = (path.to_owned(), module.to_owned());
        Self { path, module, revision: Revision::new(text), facts, method: None, new: None }
    }

    /// A method of the module by its own name.
    pub(crate) fn find_method(&self, name: &str) -> Result<usize, EditError> {
        let name = name.rsplit('.').next().unwrap_or(name);
        let names = || self.facts.methods.iter().map(|method| self.facts.text(method.name));
        names().position(|own| bsl::same_name(own, name)).ok_or_else(|| {
            let near = bsl::nearest(name, names(), 3).into_iter().map(str::to_owned).collect();
            EditError::Place {
                ru: format!("в модуле {} нет метода {name}", self.module),
                en: format!("{} has no method {name}", self.module),
                near,
            }
        })
    }

    /// The method that was named.
    pub(crate) fn method(&self) -> Option<&Method> {
        self.method.and_then(|number| self.facts.methods.get(number))
    }

    /// Bytes of lines, both included, with the end of the last one.
    pub(crate) fn lines(&self, first: u32, last: u32) -> Range<usize> {
        lines(self.revision.text(), first, last)
    }

    /// 1-based first line of a method with its comment and directives, and its last one.
    pub(crate) fn span(&self, method: &Method) -> (u32, u32) {
        let start = usize::try_from(method.bytes.0).unwrap_or(0);
        let first = super::line_at(self.revision.text(), start);
        let comment = method.doc.map_or(0, |doc| self.facts.text(doc).split('\n').count());
        (first.saturating_sub(u32::try_from(comment).unwrap_or(0)).max(1), method.end_line)
    }

    /// Bytes of the method that was named, whole lines with comment and directives; of the file, if none was.
    pub(crate) fn scope(&self) -> Range<usize> {
        match self.method() {
            Some(method) => {
                let (first, last) = self.span(method);
                self.lines(first, last)
            }
            None => 0..self.revision.text().len(),
        }
    }

    /// Number of lines.
    pub(crate) fn line_count(&self) -> u32 {
        u32::try_from(self.revision.text().lines().count()).unwrap_or(u32::MAX)
    }

    /// Keeps the change.
    pub(crate) fn propose(
        self,
        context: &Context<'_>,
        args: &Args,
        tool: &'static str,
        title: String,
    ) -> Result<Answer, ToolError> {
        propose(context, args, tool, title, vec![(self.path, self.revision)], Answer::complete())
    }
}

/// Bytes of lines, both included, with the end of the last one.
pub(crate) fn lines(text: &str, first: u32, last: u32) -> Range<usize> {
    let start = |line: u32| {
        let before = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        text.split_inclusive('\n').take(before).map(str::len).sum::<usize>()
    };
    let from = start(first);
    from..start(last.saturating_add(1)).max(from)
}

/// The modules of an object.
fn modules_of(context: &Context<'_>, object: &str) -> Result<Vec<String>, ToolError> {
    const KINDS: &[&str] =
        &["ObjectModule", "ManagerModule", "RecordSetModule", "ValueManagerModule", "CommandModule", "Module"];
    let mut found = Vec::new();
    for kind in KINDS {
        let name = format!("{object}.{kind}");
        if let Resolution::Found(named) = context.index.resolve(&name)?
            && bsl::same_name(&named.full_name, &name)
        {
            found.push(named.full_name);
        }
    }
    Ok(found)
}

/// Lines shown around what changed.
const AROUND: u32 = 2;

/// A piece of a file that changed.
#[derive(Debug, Serialize)]
pub(crate) struct Fragment {
    file: String,
    line: u32,
    end_line: u32,
    text: String,
}

/// The pieces of a text that changed, with some lines around.
pub(crate) fn fragments(path: &str, revision: &Revision) -> Vec<Fragment> {
    let text = revision.text();
    let last = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for (_, range) in revision.splices().placed() {
        let from = super::line_at(text, range.start).saturating_sub(AROUND).max(1);
        let to = super::line_at(text, range.end).saturating_add(AROUND).min(last.max(1));
        match spans.last_mut() {
            Some((_, end)) if from <= end.saturating_add(1) => *end = to.max(*end),
            _ => spans.push((from, to)),
        }
    }
    let piece = |(line, end_line): (u32, u32)| {
        let text = text.get(lines(text, line, end_line)).unwrap_or_default();
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        Fragment { file: path.to_owned(), line, end_line, text }
    };
    spans.into_iter().map(piece).collect()
}

/// Keeps a change, and answers with its number, what the gates remark, and the pieces that changed.
pub(crate) fn propose(
    context: &Context<'_>,
    args: &Args,
    tool: &'static str,
    title: String,
    files: Vec<(String, Revision)>,
    answer: Answer,
) -> Result<Answer, ToolError> {
    let pieces: Vec<Fragment> = files.iter().flat_map(|(path, revision)| fragments(path, revision)).collect();
    let pending = context.edits.propose(context, Draft { title, tool, arguments: args.given(), files })?;
    let answer = described(context, answer, &pending);
    Ok(answer.list("fragments", &pieces, whole(&pending)))
}

/// The call that shows a change as a whole.
fn whole(pending: &Pending) -> Next {
    Next::Call { tool: "preview_diff", arguments: json!({ "edit": pending.id }) }
}

/// What every answer on a change begins with.
pub(crate) fn described(context: &Context<'_>, answer: Answer, pending: &Pending) -> Answer {
    let files: Vec<&str> = pending.files.iter().map(|file| file.path.as_str()).collect();
    let remarks: Vec<Value> =
        pending.remarks.iter().map(|finding| finding.line_of_text(context.language).into()).collect();
    let mut answer = answer
        .field("edit", pending.id)
        .field("title", &pending.title)
        .field("status", pending.state.word())
        .list("files", &files, whole(pending));
    let created: Vec<&str> = pending.files.iter().filter(|file| file.creates).map(|file| file.path.as_str()).collect();
    if !created.is_empty() {
        answer = answer.field("new_files", &created);
    }
    let answer = answer.list("advisory", &remarks, whole(pending));
    if pending.state != EditState::Pending {
        return answer;
    }
    answer.remark(say(
        context.language,
        "файлы не изменены: правка ждёт, её применяет человек",
        "no file is changed: the change waits for a person to apply it",
    ))
}
