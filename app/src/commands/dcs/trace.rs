//! `metascope dcs trace FILE COLUMN`: where a column on the screen comes from.

use std::path::PathBuf;

use bsl::Catalog as _;
use dcs::trace::{Answer, NamedBy, Step, StepKind, trace_in};

use super::{catalog, open_schema};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Where a column on the screen comes from: expression, field of a set, column of the query, table and attribute.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Template.xml, or Template.dcs of a project of 1C:EDT.
    file: PathBuf,
    /// The column: its title in any language, its path of data, the name of a user field or of a template's parameter, a text that
    /// is drawn above one.
    column: String,
}

/// Runs it.
///
/// # Errors
/// If the file can't be read, or is no schema; if there is no such column.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let document = open_schema(context, &args.file)?;
    let tables = context.tables_for(&args.file)?;
    let found = trace_in(&document, &args.column, catalog(tables.as_ref()));
    if found.answers.is_empty() {
        let what = context.pick("нет такой колонки", "no such column");
        let failure = Failure::not_found("unknown_name", format!("{what}: {}", args.column));
        return Err(if found.nearest.is_empty() { failure } else { failure.with_hint(found.nearest.join(", ")) });
    }
    if context.json() {
        return output::json(&found);
    }
    for (number, answer) in found.answers.iter().enumerate() {
        if number > 0 {
            output::text("")?;
        }
        output::text(&heading(context, answer))?;
        for step in &answer.steps {
            output::text(&line(context, args, step))?;
        }
    }
    context.note_outdated(&tables.map(|tables| tables.outdated()).unwrap_or_default());
    Ok(())
}

fn heading(context: &Context, answer: &Answer) -> String {
    let by = |by: &NamedBy| match by {
        NamedBy::Path => context.pick("путь к данным", "path of data"),
        NamedBy::Title => context.pick("заголовок", "title"),
        NamedBy::SettingsTitle => context.pick("заголовок в настройках", "title in settings"),
        NamedBy::UserField => context.pick("пользовательское поле", "user field"),
        NamedBy::TemplateParameter => context.pick("параметр макета", "parameter of a template"),
        NamedBy::Synonym => context.pick("синоним реквизита", "synonym of the attribute"),
        NamedBy::TemplateText => context.pick("надпись макета", "text of a template"),
    };
    let named: Vec<&str> = answer.named_by.iter().map(by).collect();
    let nested = match answer.nested.as_str() {
        "" => String::new(),
        name => format!(", {} {name}", context.pick("вложенная схема", "nested schema")),
    };
    format!("{} ({}{nested})", answer.path, named.join(", "))
}

/// What the configuration lacks.
fn absent(context: &Context, step: &Step) -> String {
    if step.absent.is_empty() {
        return String::new();
    }
    let what = context.pick("в конфигурации нет", "the configuration has no");
    let near = match step.nearest.is_empty() {
        true => String::new(),
        false => format!("; {}: {}", context.pick("ближайшие имена", "the nearest names"), step.nearest.join(", ")),
    };
    format!("  ({what} «{}»{near})", step.absent)
}

fn line(context: &Context, args: &Args, step: &Step) -> String {
    let kind = match step.kind {
        StepKind::UserField => context.pick("пользовательское поле", "user field"),
        StepKind::Total => context.pick("ресурс", "total"),
        StepKind::TemplateParameter => context.pick("параметр макета", "template parameter"),
        StepKind::TemplateText => {
            context.pick("надпись макета без параметра под ней", "template text, no parameter under it")
        }
        StepKind::Calculated => context.pick("вычисляемое поле", "calculated field"),
        StepKind::Field => context.pick("поле набора", "field of a set"),
        StepKind::Presentation => context.pick("выражение представления", "presentation expression"),
        StepKind::Column => context.pick("колонка запроса", "column of the query"),
        StepKind::Table => context.pick("таблица", "table"),
        StepKind::Object => context.pick("внешний набор", "external set"),
        StepKind::Open => context.pick("таблица не ясна из текста", "the text doesn't tell the table"),
        StepKind::Missing => context.pick("такого поля в схеме нет", "the schema has no such field"),
    };
    let one_line = step.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match step.kind {
        StepKind::Table | StepKind::Object => format!(".{one_line}"),
        StepKind::Open | StepKind::Missing => String::new(),
        StepKind::Field | StepKind::Column if one_line == step.name => String::new(),
        _ => format!(" = {one_line}"),
    };
    let set = match (step.kind, step.set.as_str()) {
        (StepKind::Field | StepKind::Column, set) if !set.is_empty() => format!(" [{set}]"),
        _ => String::new(),
    };
    let (indent, file) = ("  ".repeat(step.depth + 1), args.file.display());
    let path = if step.path.is_empty() { String::new() } else { format!("  {}", step.path) };
    format!("{indent}{kind}: {}{text}{set}  {file}:{}{path}{}", step.name, step.line, absent(context, step))
}
