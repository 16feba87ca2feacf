//! `metascope index PATH`: reads a dump, builds or updates its index.

use std::path::PathBuf;
use std::time::Duration;

use index::build::{Because, LayerPaths, Options, Outcome as Built, Progress, Report, Scope, Stop, build};
use index::{Error, Location};
use indicatif::{ProgressBar, ProgressStyle};

use crate::commands::embed::{self, Begun};
use crate::context::Context;
use crate::failure::Outcome;
use crate::{interrupt, memory, output, project};

/// How long it waits for another program that writes the index, before it tries again.
const BUSY: Duration = Duration::from_millis(300);

/// Reads a dump, builds or updates its index.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The dump: a folder with Configuration.xml, or one above it (default: the one around the current folder, else the demo).
    path: Option<PathBuf>,
    /// An extension's dump to index with it; may be given several times, in the order in which they were added. The index
    /// remembers its layers.
    #[arg(long, value_name = "PATH")]
    extension: Vec<PathBuf>,
    /// An external processor or report dumped to files, or a folder with some; may be given several times.
    #[arg(long, value_name = "PATH")]
    external: Vec<PathBuf>,
    /// Without the extensions and external processors that the index remembers.
    #[arg(long, conflicts_with_all = ["extension", "external"])]
    alone: bool,
    /// Do not start computing vectors in the background.
    #[arg(long)]
    no_embeddings: bool,
    /// Build even if no file changed.
    #[arg(long)]
    rebuild: bool,
    /// Wait while another program writes this index, instead of ending with an error.
    #[arg(long)]
    wait: bool,
    /// Threads for reading (default: as many as there are cores).
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
}

/// Runs it.
///
/// # Errors
/// If the folder is no dump, or holds several, another program writes the index, or a file can't be written.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let root = context.root_to_index(args.path.as_deref())?;
    let location = context.location_of(&root)?;
    let stop = interrupt::stop();
    let bar = (output::draws_progress() && !context.quiet() && !context.json()).then(progress_bar);
    let show = |progress: Progress| {
        if let Some(bar) = &bar {
            draw(bar, context, progress);
        }
    };
    let given = args.alone || !args.extension.is_empty() || !args.external.is_empty();
    let layers = given.then(|| LayerPaths { extensions: args.extension.clone(), external: args.external.clone() });
    memory::keep();
    let before_whole = Some(memory::give_back as fn());
    let options = Options { rebuild: args.rebuild, threads: args.threads, layers, before_whole };
    mend_edits(context, &location);
    let mut told = false;
    let report = loop {
        match build(&root, &location, &options, &stop, &show) {
            Err(error @ Error::Busy { .. }) if args.wait => wait_for_other(context, &stop, &error, &mut told)?,
            result => break result.map_err(|error| context.index_failure(error))?,
        }
    };
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    print(context, &report)?;
    if !args.no_embeddings {
        start_embedding(context, &location, report.outcome != Built::Unchanged);
    }
    Ok(())
}

/// Brings to an end what a killed program left half-applied, so that files are read as they are to be. What can't be mended is
/// told, and keeps no index from being built.
pub(super) fn mend_edits(context: &Context, location: &Location) {
    if let Some(message) = project::mend_edits(location, context.language()) {
        context.note(&format!("! {message}"));
    }
}

/// Waits a little for another program that writes the index; says once who it is.
///
/// # Errors
/// If the person stops it.
pub(super) fn wait_for_other(context: &Context, stop: &Stop, error: &Error, told: &mut bool) -> Outcome {
    if !std::mem::replace(told, true) {
        let waiting = context.pick("жду", "waiting");
        context.note(&format!("{}: {waiting}", error.message(context.language())));
    }
    if stop.is_asked() {
        return Err(context.index_failure(Error::Stopped));
    }
    std::thread::sleep(BUSY);
    Ok(())
}

/// Starts the background work on vectors, unless they are all there; says so, or what is missing.
pub(super) fn start_embedding(context: &Context, location: &Location, changed: bool) {
    match embed::begin(location, changed) {
        Ok(Begun::Complete) => {}
        Ok(Begun::Started) => context.note(context.pick(
            "векторы для поиска по смыслу считаются в фоне (metascope status)",
            "vectors for search by meaning are computed in the background (metascope status)",
        )),
        Err(error) => {
            let without = context.pick("поиск по смыслу недоступен", "search by meaning is off");
            context.note(&format!("! {without}: {error}"));
        }
    }
}

fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg:24} {bar:40} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar
}

fn draw(bar: &ProgressBar, context: &Context, progress: Progress) {
    bar.set_message(progress.phase.text(context.language()));
    bar.set_length(progress.total as u64);
    bar.set_position(progress.done as u64);
}

fn print(context: &Context, report: &Report) -> Outcome {
    if context.json() {
        return output::json(report);
    }
    output::text(&summary(context, report))?;
    output::text(&report.file.display().to_string())?;
    let phases = report
        .phases
        .iter()
        .map(|(name, seconds)| vec![format!("  {}", name.text(context.language())), format!("{seconds:.2}")]);
    output::columns(&phases.collect::<Vec<_>>())?;
    let counts = report.counts.iter().map(|(view, count)| vec![format!("  {view}"), count.to_string()]);
    output::columns(&counts.collect::<Vec<_>>())?;
    if report.problems > 0 {
        let text =
            context.pick("замечаний при чтении (см. metascope status)", "problems of reading (see metascope status)");
        output::text(&format!("! {text}: {}", report.problems))?;
    }
    Ok(())
}

/// What a build did, in a line; in a second one how much of an update was done anew.
pub(super) fn summary(context: &Context, report: &Report) -> String {
    let (ru, en) = match &report.outcome {
        Built::Unchanged => ("изменений нет", "no file changed"),
        Built::Built => ("индекс построен", "index built"),
        Built::Updated { .. } => ("файлы изменились: индекс обновлён", "files changed: index updated"),
        Built::Rebuilt => ("индекс построен заново", "index rebuilt"),
        Built::FormatChanged { .. } => {
            ("индекс был другого формата и построен заново", "the index had another format and was rebuilt")
        }
    };
    let memory = report.peak_memory.map_or_else(String::new, |bytes| {
        format!(", {} {:.0} {}", context.pick("память до", "peak memory"), bytes as f64 / 1e6, context.pick("МБ", "MB"))
    });
    let mut text = format!(
        "{}: {:.2} {}, {:.1} {}{memory}",
        context.pick(ru, en),
        report.seconds,
        context.pick("с", "s"),
        report.bytes as f64 / 1e6,
        context.pick("МБ", "MB"),
    );
    if let Built::Updated { changed, scope } = &report.outcome {
        text = format!("{text}\n  {}", extent(context, *changed, *scope));
    }
    text
}

/// How much of an update was done anew.
fn extent(context: &Context, changed: u64, scope: Scope) -> String {
    let files = context.pick("изменилось файлов", "files changed");
    let because = match scope {
        Scope::Modules { read, derived } => {
            let modules = context.pick("модулей прочитано", "modules read");
            let anew = context.pick("связи выведены заново у", "links derived anew of");
            return format!("{files}: {changed}; {modules}: {read}, {anew} {derived}");
        }
        Scope::Metadata { files: described, read, derived } => {
            let metadata = context.pick("из них метаданных", "of them metadata");
            let modules = context.pick("модулей прочитано", "modules read");
            let anew = context.pick("связи выведены заново у", "links derived anew of");
            return format!("{files}: {changed}; {metadata}: {described}, {modules}: {read}, {anew} {derived}");
        }
        Scope::Whole { because } => because,
    };
    let (ru, en) = match because {
        Because::Moving => ("файлы появлялись во время чтения", "files came while they were read"),
        Because::ManyModules => ("изменения касаются слишком многих модулей", "too many modules are concerned"),
        Because::NamedInMetadata => {
            ("исчез метод, который назван в метаданных", "a method is gone that metadata names")
        }
        Because::UnreadModule => ("модуль не читается", "a module can't be read"),
        Because::NothingKept => ("в индексе нет исходных данных", "the index has nothing to start from"),
        Because::LongLog => ("журнал индекса слишком велик", "the log of the index is too long"),
    };
    let whole = context.pick("всё построено заново", "everything was built anew");
    format!("{files}: {changed}; {whole}: {}", context.pick(ru, en))
}
