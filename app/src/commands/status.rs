//! `metascope status`: what is in the index, what is stale, who works on it.

use index::tasks::{self, Holder, TaskRow, TaskState, Tasks};
use index::vectors::background;
use index::{Index, Location};

use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Layers, counts, what is stale, vectors done and left; who builds it, makes its vectors or asks of it right now, and whose work
/// broke off.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many problems of reading to list.
    #[arg(long, default_value_t = 10)]
    problems: usize,
}

/// Runs it.
///
/// # Errors
/// If there is no index, or it can't be read.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let location = context.location()?;
    let tasks = open_tasks(&location);
    let failure = |error| context.index_failure(error);
    // While an index is built for the first time, that is all there is to say.
    let index = Index::open(&location).inspect_err(|_| tell_tasks(context, &tasks)).map_err(failure)?;
    let status = index.status().map_err(failure)?;
    let problems = index.problems(args.problems).map_err(failure)?;
    if context.json() {
        let vectors = background::status(index.path()).ok().flatten();
        return output::json(&serde_json::json!({
            "status": status, "problems": problems, "vectors": vectors, "tasks": tasks,
        }));
    }
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    for layer in &status.layers {
        let kind = match layer.kind.as_str() {
            "main" => context.pick("конфигурация", "configuration"),
            "extension" => context.pick("расширение", "extension"),
            _ => context.pick("внешняя обработка", "external processor"),
        };
        let parts = [kind, &layer.name, &layer.purpose].map(str::to_owned);
        row(&parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "), layer.root.clone());
    }
    row(context.pick("индекс", "index"), index.path().display().to_string());
    row(context.pick("размер, МБ", "size, MB"), format!("{:.1}", status.bytes as f64 / 1e6));
    row(context.pick("формат", "format"), status.format.clone());
    row(
        context.pick("изменено файлов", "files changed"),
        match status.changed_files {
            Some(count) => count.to_string(),
            None => context.pick("выгрузки нет на месте", "the dump is not there any more").to_owned(),
        },
    );
    row(context.pick("не прочитано файлов", "files unread"), status.unread_files.to_string());
    row(context.pick("замечаний при чтении", "problems of reading"), status.problems.to_string());
    let meta = |key: &str| status.meta.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value.as_str());
    let settings = meta("settings_file");
    if !settings.is_empty() {
        row(context.pick("настройки проекта", "project settings"), settings.to_owned());
    }
    row(context.pick("модель", "model"), format!("{} (SHA-256 {})", meta("model"), meta("model_sha256")));
    row(
        context.pick("векторы", "vectors"),
        match background::status(index.path()) {
            Ok(Some(head)) => {
                let done = format!("{}/{} + {}/{}", head.names_done, head.rows, head.bodies_done, head.bodies);
                // Vectors of an earlier version of the program, which the next run replaces.
                if head.model == meta("model") { done } else { format!("{done} ({})", head.model) }
            }
            Ok(None) => context.pick("нет (metascope embed)", "none (metascope embed)").to_owned(),
            Err(error) => error.to_string(),
        },
    );
    rows.extend(tasks.iter().map(|task| task_row(context, task)));
    output::columns(&rows)?;
    if status.layers.iter().any(|layer| layer.kind == "extension") && status.layers.iter().all(|l| l.kind != "main") {
        output::text(context.pick(
            "Расширяемой конфигурации здесь нет: что расширения заимствуют из неё, не считается отсутствующим",
            "The extended configuration is not here: what extensions adopted from it does not count as missing",
        ))?;
    }
    output::text("")?;
    let counts: Vec<_> =
        status.counts.iter().map(|(view, count)| vec![format!("  {view}"), count.to_string()]).collect();
    output::columns(&counts)?;
    if !status.unfilled_channels.is_empty() {
        let text = context.pick("каналы, которых ещё нет", "channels not derived yet");
        output::text(&format!("{text}: {}", status.unfilled_channels.join(", ")))?;
    }
    for problem in problems {
        let message = context.pick(&problem.message_ru, &problem.message_en);
        output::text(&format!("! {}: {message}", crate::commands::edges::place(&problem.file, problem.line)))?;
    }
    Ok(())
}

/// What waits, runs, or broke off. A table that can't be read hides the rest of the answer from nobody.
fn open_tasks(location: &Location) -> Vec<TaskRow> {
    let read = || Tasks::known(location)?.map_or_else(|| Ok(Vec::new()), |tasks| tasks.open_ones());
    read().unwrap_or_else(|error: index::Error| {
        tracing::warn!(%error, "the table of tasks can't be read");
        Vec::new()
    })
}

/// The tasks where there is no index yet.
fn tell_tasks(context: &Context, tasks: &[TaskRow]) {
    if tasks.is_empty() {
        return;
    }
    let _ = if context.json() {
        output::json(&serde_json::json!({"status": null, "tasks": tasks}))
    } else {
        output::columns(&tasks.iter().map(|task| task_row(context, task)).collect::<Vec<_>>())
    };
}

/// What the work is; who does it, since when, how far it is.
fn task_row(context: &Context, task: &TaskRow) -> Vec<String> {
    let work = match task.kind.as_str() {
        tasks::INDEX => context.pick("задача: построение индекса", "task: building the index").to_owned(),
        tasks::VECTORS => context.pick("задача: векторы", "task: vectors").to_owned(),
        tasks::AGENT => context.pick("задача: вопрос агенту", "task: a question to the agent").to_owned(),
        other => other.to_owned(),
    };
    vec![work, told(context, task)]
}

fn told(context: &Context, task: &TaskRow) -> String {
    let Some(Holder { process, silent, .. }) = task.holder.as_ref().filter(|_| task.state != TaskState::Waiting) else {
        return format!("{}: {}", context.pick("ждёт", "waiting"), mend(context, &task.kind));
    };
    let who = match process {
        Some(number) => format!("{} {number}", context.pick("процесс", "process")),
        None => context.pick("неизвестный процесс", "an unknown process").to_owned(),
    };
    let progress = task.progress(context.language());
    if task.state == TaskState::Running {
        return format!("{}: {who}, {progress}", context.pick("идёт", "running"));
    }
    let silence = tasks::duration(*silent, context.language());
    let (broke, ago) =
        (context.pick("оборвана", "broke off"), context.pick("последний признак жизни назад", "last sign of life ago"));
    format!("{broke}: {who}, {progress}; {ago}: {silence}; {}", mend(context, &task.kind))
}

/// What goes on with work of a kind.
fn mend(context: &Context, kind: &str) -> &'static str {
    let (ru, en) = match kind {
        tasks::INDEX => ("построить: metascope index", "build it: metascope index"),
        tasks::VECTORS => ("продолжить: metascope embed", "go on: metascope embed"),
        _ => ("задайте вопрос снова: metascope ask", "ask again: metascope ask"),
    };
    context.lang().pick(ru, en)
}
