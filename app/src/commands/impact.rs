//! `metascope impact NAME`: who breaks if it is deleted or changed.

use clap::ValueEnum;
use index::{Break, Change, Impact, ImpactQuery, Phase, Severity};
use serde_json::{Value, json};

use crate::commands::edges;
use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Who breaks if it is deleted or changed: grouped, each with the chain that leads there.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Full name of a method, attribute, tabular section, enum value, predefined item, object, form, command, role,
    /// subscription, subsystem …
    name: String,
    /// It is deleted (the default).
    #[arg(long, conflicts_with = "change")]
    delete: bool,
    /// What is changed.
    #[arg(long, value_enum)]
    change: Option<What>,
    /// How many calls deep consequences are followed; 0: what breaks directly.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Most rows of each group.
    #[arg(long, default_value_t = 100)]
    limit: usize,
}

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Its name.
    Name,
    /// A method's parameters or result.
    Signature,
    /// A method's `Экспорт` is taken away.
    Export,
    /// Where a method compiles.
    Context,
    /// The type of an attribute.
    Type,
}

impl From<What> for Change {
    fn from(what: What) -> Self {
        match what {
            What::Name => Self::Name,
            What::Signature => Self::Signature,
            What::Export => Self::Export,
            What::Context => Self::Context,
            What::Type => Self::Type,
        }
    }
}

/// Runs it.
///
/// # Errors
/// An unknown name, with the nearest ones; "not found" if nothing breaks.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let target = index.require_target(&args.name).map_err(failure)?;
    let change = args.change.map_or(Change::Delete, Change::from);
    let query = ImpactQuery { change, limit: args.limit, depth: args.depth, ..ImpactQuery::default() };
    let (impact, state) = index.impact(&target, &query).map_err(failure)?;
    if context.json() {
        let mut value = serde_json::to_value(&impact).unwrap_or(Value::Null);
        if let Some(object) = value.as_object_mut() {
            object.insert("state".to_owned(), json!(state));
        }
        output::json(&value)?;
    } else {
        print(context, &impact)?;
    }
    edges::state(context, &state);
    if impact.breaks.is_empty() {
        return Err(edges::empty(context, &impact.target, &state));
    }
    Ok(())
}

fn print(context: &Context, impact: &Impact) -> Outcome {
    output::text(&format!("{}  [{}]", impact.target, impact.kind))?;
    if let Some(support) = edges::support(context, &impact.support) {
        output::text(support)?;
    }
    for group in &impact.counts {
        output::text(&format!(
            "\n{}: {} {}, {} {}",
            severity(context, group.severity),
            group.direct,
            context.pick("прямо", "direct"),
            group.following,
            context.pick("по цепочкам", "through chains"),
        ))?;
        let rows: Vec<&Break> = impact.breaks.iter().filter(|row| row.severity == group.severity).collect();
        for row in &rows {
            print_break(context, row)?;
        }
        let left = (group.direct + group.following).saturating_sub(rows.len());
        if left > 0 {
            output::text(&format!("  … {} {left}", context.pick("ещё", "more:")))?;
        }
    }
    if impact.order.len() > 1 {
        output::text(&format!("\n{}", context.pick("Безопасный порядок", "Safe order")))?;
        for (number, step) in (1..).zip(&impact.order) {
            let what = step
                .phase
                .map_or(context.pick("само изменение", "the change itself"), |one| phase(context, one));
            output::text(&format!("  {number}. {what} ({})", step.total))?;
            for name in &step.names {
                output::text(&format!("       {name}"))?;
            }
        }
    }
    if !impact.unused_after.is_empty() {
        output::text(&format!("\n{}", context.pick("После этого никому не нужны", "Unused afterwards")))?;
        for name in &impact.unused_after {
            output::text(&format!("  {name}"))?;
        }
    }
    Ok(())
}

fn print_break(context: &Context, row: &Break) -> Outcome {
    let entry = if row.entry { context.pick("  (вход)", "  (entry)") } else { "" };
    let note = if row.note.is_empty() { String::new() } else { format!("  {}", row.note) };
    output::text(&format!(
        "  {}{entry}  {}  {}  {}{note}",
        row.what,
        row.kind,
        row.certainty,
        edges::place(&row.file, row.line)
    ))?;
    if row.chain.len() > 1 {
        let steps: Vec<&str> = row.chain.iter().map(|step| step.target.as_str()).collect();
        output::text(&format!("      → {}", steps.join(" → ")))?;
    }
    Ok(())
}

fn severity(context: &Context, severity: Severity) -> &str {
    match severity {
        Severity::Build => context.pick("Не скомпилируется или не откроется", "Won't compile or open"),
        Severity::Runtime => context.pick("Ошибка или неверный результат при работе", "Wrong at run time"),
        Severity::Data => context.pick("Потеря данных или прав", "Data or rights lost"),
        Severity::Looks => context.pick("Только внешний вид", "Only looks"),
    }
}

fn phase(context: &Context, phase: Phase) -> &str {
    match phase {
        Phase::Code => context.pick("поправить код", "edit the code"),
        Phase::Query => context.pick("поправить запросы", "edit the queries"),
        Phase::Report => context.pick("поправить макеты и схемы", "edit templates and schemas"),
        Phase::Form => context.pick("поправить формы", "edit the forms"),
        Phase::Rights => context.pick("поправить роли", "edit the roles"),
        Phase::Interface => context.pick("убрать из интерфейса", "take it out of the interface"),
        Phase::Metadata => context.pick("поправить метаданные", "edit other metadata"),
    }
}
