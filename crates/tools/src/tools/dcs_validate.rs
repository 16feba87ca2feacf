//! `dcs_validate`: what is wrong with a report schema.

use serde_json::{Value, json};
use validators::Text;
use validators::dcs::{CHECKS, Finding, Options, Severity, check, outdated_text};

use crate::answer::Answer;
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
platform won't open the file; `advisory`: a warning. Each finding has its place, what is wrong and how to mend it. Not for a message that \
the platform gave, nor for code (scan_code, check_syntax) or a query alone (check_query).",
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
        let what = say(
            language,
            "не выполнены, потому что им нужны имена конфигурации",
            "left out, since they need names of the configuration",
        );
        answer = answer.incomplete(format!("{what}: {}", report.skipped.join(", ")));
    }
    if let Some(text) = outdated_text(&report.outdated) {
        answer = answer.incomplete(say(language, &text.ru, &text.en));
    }
    Ok(answer.page("findings", &rows, args, TOOL.name, args.with("name", schema.asked())))
}

fn entry(finding: &Finding, language: metadata::Language) -> Value {
    let said = |text: &Text| say(language, &text.ru, &text.en).to_owned();
    json!({
        "check": finding.check, "severity": finding.severity, "level": finding.level, "line": finding.line,
        "column": finding.column, "path": finding.path, "what": said(&finding.what), "mend": said(&finding.mend),
    })
}
