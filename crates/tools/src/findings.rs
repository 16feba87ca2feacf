//! What the tools that check code share: which text is meant, and how findings are given.

use serde_json::{Value, json};
use validators::dcs::Severity;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::{Problem, ToolError};
use crate::params::{Args, Param, ParamKind};
use crate::scan::{Finding, Scanned, Scanner};
use crate::tool::say;

/// The text to be checked.
pub(crate) const TEXT: Param = Param {
    name: "text",
    aliases: &["code", "bsl", "source", "текст", "код"],
    kind: ParamKind::Text,
    required: false,
    about: "Text in the built-in language: a module, methods, or statements. Instead of `name`.",
};

/// The module whose text it is.
pub(crate) const MODULE: Param = Param {
    name: "module",
    aliases: &["context", "in", "модуль"],
    kind: ParamKind::Text,
    required: false,
    about: "With `text`: full name of the module that it belongs in; what the module declares counts then.",
};

/// A module or method of the index.
pub(crate) const NAME: Param = Param {
    name: "name",
    aliases: &["full_name", "method", "имя", "function"],
    kind: ParamKind::Text,
    required: false,
    about: "Full name of a module or method of the configuration. Instead of `text`.",
};

/// A text that is to be checked.
pub(crate) struct Asked {
    /// Full name of the module or method, if it is one of the index.
    pub full_name: Option<String>,
    /// Its file.
    pub file: Option<String>,
    /// The module, by its place.
    pub module: Option<usize>,
    /// It is a part of the module.
    pub is_part: bool,
    /// The text.
    pub text: String,
    /// The line of the file that stands before it.
    pub before: u32,
    /// The file changed after it was indexed.
    pub stale: bool,
}

/// Finds out which text is meant.
pub(crate) fn asked(
    context: &Context<'_>,
    scanner: &Scanner,
    args: &Args,
    example: &'static str,
) -> Result<Asked, ToolError> {
    let (text, name, module) = (args.text("text"), args.text("name"), args.text("module"));
    if !text.is_empty() {
        let of = if module.is_empty() { name } else { module };
        let full_name = match of {
            "" => None,
            of => Some(module_of(context, &context.index.require(of)?.full_name)?),
        };
        let module = full_name.as_deref().and_then(|name| scanner.grounds().module(name));
        return Ok(Asked {
            full_name,
            file: None,
            module,
            is_part: true,
            text: text.to_owned(),
            before: 0,
            stale: false,
        });
    }
    if name.is_empty() {
        return Err(ToolError::Argument { argument: "text".to_owned(), problem: Problem::Missing, example });
    }
    let named = context.index.require(name)?;
    let is_method = context.index.method(named.id)?.is_some();
    let module_name = module_of(context, &named.full_name)?;
    let module = scanner.grounds().module(&module_name);
    let source = match is_method {
        true => context.index.method_source(named.id)?,
        false => {
            let file =
                module.map(|module| scanner.grounds().file_of(module)).transpose()?.flatten().unwrap_or_default();
            context.index.lines(&file, 1, u32::MAX)?
        }
    };
    Ok(Asked {
        full_name: Some(named.full_name),
        file: Some(source.file),
        module,
        is_part: is_method,
        text: source.text,
        before: source.line.saturating_sub(1),
        stale: source.stale,
    })
}

/// The full name of the module that a name means, or of the one in which the method that it means stands.
fn module_of(context: &Context<'_>, full_name: &str) -> Result<String, ToolError> {
    let named = context.index.require(full_name)?;
    match context.index.method(named.id)? {
        Some(_) => Ok(named.full_name.rsplit_once('.').map_or("", |(module, _)| module).to_owned()),
        None => Ok(named.full_name),
    }
}

/// Checks it, and gives the findings with the lines of the file.
pub(crate) fn findings(scanner: &Scanner, asked: &Asked, only: &[String]) -> (Vec<Finding>, Vec<&'static str>) {
    let scanned = Scanned { module: asked.module, is_part: asked.is_part, text: asked.text.as_bytes(), only };
    let mut report = scanner.scan(&scanned);
    for finding in &mut report.findings {
        finding.line += asked.before;
    }
    (report.findings, report.skipped)
}

/// A finding as an answer gives it.
pub(crate) fn row(context: &Context<'_>, finding: &Finding) -> Value {
    let mut row = json!({
        "line": finding.line,
        "check": finding.check,
        "severity": finding.severity,
        "what": say(context.language, &finding.what.ru, &finding.what.en),
        "mend": say(context.language, &finding.mend.ru, &finding.mend.en),
    });
    if let Some(row) = row.as_object_mut() {
        if !finding.name.is_empty() {
            row.insert("name".to_owned(), finding.name.clone().into());
        }
        if let Some(method) = &finding.method {
            row.insert("method".to_owned(), method.clone().into());
        }
        if !finding.nearest.is_empty() {
            row.insert("nearest".to_owned(), json!(finding.nearest));
        }
    }
    row
}

/// The answer of a tool that checks a text.
pub(crate) fn answer(context: &Context<'_>, asked: &Asked, findings: &[Finding], skipped: &[&str]) -> Answer {
    let rows: Vec<Value> = findings.iter().map(|finding| row(context, finding)).collect();
    let blocking = findings.iter().filter(|finding| finding.severity == Severity::Blocking).count();
    let mut answer = Answer::complete();
    if asked.stale {
        let note = "файл изменился после индексации: имена сверены с индексом";
        answer = answer.incomplete(say(
            context.language,
            note,
            "the file changed after it was indexed: names are those of the index",
        ));
    }
    if !skipped.is_empty() {
        let ru = format!("без модуля не проверено: {}", skipped.join(", "));
        let en = format!("not checked without a module: {}", skipped.join(", "));
        answer = answer.incomplete(say(context.language, &ru, &en));
    }
    if rows.is_empty() {
        answer = answer.empty(say(context.language, "замечаний нет", "nothing was found"));
    }
    answer.field("full_name", &asked.full_name).field("file", &asked.file).field("blocking", blocking).list(
        "findings",
        &rows,
        Next::None,
    )
}
