//! `dcs_validate`: what is wrong with a report schema, and what in it causes a message of the platform.

use serde_json::{Value, json};
use validators::Text;
use validators::dcs::explain::{Cause, KINDS, explain};
use validators::dcs::{CHECKS, Finding, Options, Severity, check, outdated_text};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::{Problem, ToolError};
use crate::params::{Args, Param, ParamKind};
use crate::schema;
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "dcs_validate",
    group: Group::Reports,
    purpose: "All checks over a report schema (проверка СКД): text, formal model, references inside the schema, queries. `blocking`: the \
platform won't open the file; `advisory`: a warning. Each finding has its place, what is wrong and how to mend it. With `message`, what the \
platform says when the report fails (почему отчёт не формируется): the lines that cause it, the surest first. Not for code (scan_code, \
check_syntax) or a query alone (check_query).",
    params: &[
        schema::NAME,
        Param {
            name: "checks",
            aliases: &["check", "rules", "codes", "проверки"],
            kind: ParamKind::Texts,
            required: false,
            about: "Only these checks, by their codes; empty: all that are on.",
        },
        Param {
            name: "all",
            aliases: &["все"],
            kind: ParamKind::Flag,
            required: false,
            about: "Checks that are off by default, too.",
        },
        Param::maybe(
            "message",
            &["error", "text", "сообщение", "ошибка"],
            "The message of the platform, as it was shown, in Russian or English; other text around it does no harm.",
        ),
        Param::limit(40, 400),
        Param::offset(),
    ],
    example: r#"{"name": "Отчет.АнализПродаж"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let language = context.language;
    let only = args.texts("checks");
    if let Some(unknown) = only.iter().find(|code| !CHECKS.iter().any(|check| check.code == **code)) {
        let allowed: Vec<&'static str> = CHECKS.iter().map(|check| check.code).collect();
        let nearest = bsl::nearest(unknown, allowed.iter().copied(), 1).into_iter().next();
        let problem = Problem::Choice { given: unknown.chars().take(60).collect(), allowed, nearest };
        return Err(ToolError::Argument { argument: "checks".to_owned(), problem, example: TOOL.example });
    }
    let schema = schema::open_any(context, args.text("name"), TOOL.name)?;
    let catalog = schema::catalog(context);
    if !args.text("message").is_empty() {
        return Ok(why(context, args, &schema, catalog.as_deref()));
    }
    let options = Options { all: args.flag("all"), only, catalog: catalog.as_deref() };
    let report = check(&schema.document, &options);
    let blocking = report.findings.iter().filter(|finding| finding.severity == Severity::Blocking).count();
    let mut findings: Vec<&Finding> = report.findings.iter().collect();
    findings.sort_by_key(|finding| finding.severity);
    let rows: Vec<Value> = findings.into_iter().map(|finding| entry(finding, language)).collect();
    let mut answer = Answer::complete()
        .field("full_name", &schema.full_name)
        .field("file", &schema.file)
        .field("blocking", blocking)
        .field("advisory", rows.len() - blocking)
        .field("skipped", &report.skipped);
    if rows.is_empty() {
        answer = answer.empty(say(language, "замечаний нет", "nothing found"));
    }
    if !report.skipped.is_empty() {
        answer = answer.incomplete(left_out(&report.skipped, language));
    }
    if let Some(text) = outdated_text(&report.outdated) {
        answer = answer.incomplete(say(language, &text.ru, &text.en));
    }
    Ok(answer.page("findings", &rows, args, TOOL.name, args.with("name", schema.asked())))
}

/// What causes a message: its causes, and what checks find where none of them is sure.
fn why(context: &Context<'_>, args: &Args, schema: &schema::Schema, catalog: Option<&dyn bsl::Catalog>) -> Answer {
    let language = context.language;
    let why = explain(&schema.document, args.text("message"), catalog);
    let kind = KINDS.iter().find(|kind| Some(kind.code) == why.message.kind);
    let causes: Vec<Value> = why.causes.iter().map(|cause| cause_entry(cause, language)).collect();
    let findings: Vec<Value> = why.findings.iter().map(|finding| entry(finding, language)).collect();
    let mut answer = Answer::complete()
        .field("full_name", &schema.full_name)
        .field("file", &schema.file)
        .field("message_kind", why.message.kind)
        .field("says", kind.map(|kind| say(language, kind.title.0, kind.title.1)))
        .field("about", &why.message.name);
    if causes.is_empty() {
        let nothing = match kind {
            None => say(
                language,
                "это сообщение неизвестно: по нему причину не найти",
                "this message isn't known: it leads to no cause",
            ),
            Some(_) => say(
                language,
                "в этой схеме причины нет: возможно, её меняет код или отчёт построен по другой схеме",
                "this schema holds no cause: code may change it, or the report is made of another one",
            ),
        };
        answer = answer.empty(nothing);
    }
    if !why.skipped.is_empty() && !why.causes.iter().any(|cause| cause.sure) {
        answer = answer.incomplete(left_out(&why.skipped, language));
    }
    let again = args.with("name", schema.asked());
    let checks = Next::Call { tool: TOOL.name, arguments: json!({ "name": schema.asked(), "all": true }) };
    answer.page("causes", &causes, args, TOOL.name, again).list("findings", &findings, checks)
}

fn cause_entry(cause: &Cause, language: metadata::Language) -> Value {
    let said = |text: &Text| say(language, &text.ru, &text.en).to_owned();
    let mut entry = json!({
        "sure": cause.sure, "line": cause.line, "column": cause.column, "path": cause.path, "what": said(&cause.what),
        "why": said(&cause.why), "mend": said(&cause.mend),
    });
    if !cause.nearest.is_empty() {
        entry["nearest"] = json!(cause.nearest);
    }
    entry
}

/// Checks that were left out, and why.
fn left_out(skipped: &[&str], language: metadata::Language) -> String {
    let what = say(
        language,
        "не выполнены, потому что им нужны имена конфигурации",
        "left out, since they need names of the configuration",
    );
    format!("{what}: {}", skipped.join(", "))
}

fn entry(finding: &Finding, language: metadata::Language) -> Value {
    let said = |text: &Text| say(language, &text.ru, &text.en).to_owned();
    json!({
        "check": finding.check, "severity": finding.severity, "level": finding.level, "line": finding.line,
        "column": finding.column, "path": finding.path, "what": said(&finding.what), "mend": said(&finding.mend),
    })
}
