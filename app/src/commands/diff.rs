//! `metascope diff A B`: two dumps or two indexes by meaning.

use std::path::{Path, PathBuf};

use index::build::{Options, Stop, build};
use index::compare::{AREAS, Change, Comparison, Difference, Touched, What, compare, touched};
use index::{Index, Location};
use serde_json::json;

use crate::commands::edges::place;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Longest value that is shown on a line, in characters.
const SHOWN: usize = 60;

/// Two dumps or two indexes by meaning: what was added, removed and changed, and what of ours that touches.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The first one (ours, the old one): the folder of a dump, or an index file.
    old: PathBuf,
    /// The second one (the vendor's, the new one): the folder of a dump, or an index file.
    new: PathBuf,
    /// Only these areas: objects, attributes, methods …; may be given several times.
    #[arg(long)]
    area: Vec<String>,
    /// Most differences to show an area.
    #[arg(long, default_value_t = 50)]
    limit: usize,
}

/// Runs it. Dumps are indexed first, or their indexes brought up to date.
///
/// # Errors
/// If one of the two is neither a dump nor an index; an unknown area.
pub fn run(context: &Context, args: &Args) -> Outcome {
    if let Some(unknown) = args.area.iter().find(|name| !AREAS.iter().any(|area| area.name == **name)) {
        let known: Vec<&str> = AREAS.iter().map(|area| area.name).collect();
        let what = context.pick("нет такого раздела", "no such area");
        return Err(Failure::usage("bad_argument", format!("{what}: {unknown}")).with_hint(known.join(", ")));
    }
    let (old, new) = (open(context, &args.old)?, open(context, &args.new)?);
    let failure = |error| context.index_failure(error);
    let mut comparison = compare(&old, &new).map_err(failure)?;
    let touched = touched(&old, &new, &comparison).map_err(failure)?;
    if !args.area.is_empty() {
        let wanted = |area: &str| args.area.iter().any(|name| name == area);
        comparison.counts.retain(|count| wanted(count.area));
        comparison.differences.retain(|difference| wanted(difference.area));
    }
    if context.json() {
        return output::json(&json!({"counts": comparison.counts, "differences": comparison.differences,
            "unread": comparison.unread, "touched": touched}));
    }
    print(context, args, &comparison)?;
    print_touched(context, args, &touched)
}

/// The index of a dump, or of a file.
fn open(context: &Context, path: &Path) -> Outcome<Index> {
    let failure = |error| context.index_failure(error);
    if path.is_file() && path.extension().is_some_and(|extension| extension == "db") {
        return Index::open(&Location::at(path)).map_err(failure);
    }
    let root = context.root_of(path)?;
    let location = Location::of_project(&context.places()?.indexes_dir(), &root).map_err(failure)?;
    build(&root, &location, &Options::default(), &Stop::default(), &|_| {}).map_err(failure)?;
    Index::open(&location).map_err(failure)
}

fn print(context: &Context, args: &Args, comparison: &Comparison) -> Outcome {
    if comparison.counts.is_empty() {
        output::text(context.pick("различий нет", "no differences"))?;
    }
    for count in &comparison.counts {
        output::text(&format!("{}: +{} −{} ~{}", count.area, count.added, count.removed, count.changed))?;
        let of_area = comparison.differences.iter().filter(|difference| difference.area == count.area);
        for difference in of_area.clone().take(args.limit) {
            output::text(&line(difference))?;
        }
        let more = of_area.count().saturating_sub(args.limit);
        if more > 0 {
            output::text(&format!("  … {} {more} (--limit)", context.pick("ещё", "more:")))?;
        }
    }
    for module in &comparison.unread {
        let (ru, en) =
            ("! текст не сравнить, файл не тот, что проиндексирован", "! not compared, the file isn't the indexed one");
        context.note(&format!("{}: {module}", context.pick(ru, en)));
    }
    Ok(())
}

fn line(difference: &Difference) -> String {
    let sign = match difference.what {
        What::Added => '+',
        What::Removed => '−',
        What::Changed => '~',
    };
    let change = |change: &Change| match change.property {
        "code" => "code".to_owned(),
        property => format!("{property}: {} → {}", short(&change.old), short(&change.new)),
    };
    let changes: Vec<String> = difference.changes.iter().map(change).collect();
    format!("  {sign} {}  {}", difference.name, changes.join("; ")).trim_end().to_owned()
}

fn short(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() <= SHOWN {
        return format!("«{one_line}»");
    }
    format!("«{}…»", one_line.chars().take(SHOWN).collect::<String>())
}

fn print_touched(context: &Context, args: &Args, touched: &[Touched]) -> Outcome {
    if touched.is_empty() {
        return Ok(());
    }
    output::text(&format!(
        "{}: {}",
        context.pick("Наше, что задевают изменения", "Of ours, touched by the changes"),
        touched.len()
    ))?;
    for row in touched.iter().take(args.limit) {
        let what = match row.what {
            What::Removed => context.pick("убрано", "removed").to_owned(),
            _ => row.changes.join(", "),
        };
        let sure =
            if row.is_ours { "" } else { context.pick("  (есть и в новой)", "  (in the new one too)") };
        output::text(&format!("  {} ← {}  {}  {}{sure}", row.thing, row.by, row.how, place(&row.file, row.line)))?;
        output::text(&format!("      {what}"))?;
    }
    Ok(())
}
