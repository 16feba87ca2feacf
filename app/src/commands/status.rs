//! `metascope status`: what is in the index, and what is stale.

use index::vectors::background;

use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// Layers, counts, what is stale, vectors done and left.
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
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let status = index.status().map_err(failure)?;
    let problems = index.problems(args.problems).map_err(failure)?;
    if context.json() {
        let vectors = background::status(index.path()).ok().flatten();
        return output::json(&serde_json::json!({"status": status, "problems": problems, "vectors": vectors}));
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
