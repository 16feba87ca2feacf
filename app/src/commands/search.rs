//! `metascope search TEXT`: ranked hits by meaning, words, or what stands in the code.

use clap::ValueEnum;
use index::search::{Meaning, Mode, Options, search};
use index::vectors::corpus::Class;

use crate::commands::edges::place;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Finds code and objects: by words and meaning, by a literal, by a regular expression.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to look for.
    text: String,
    /// How.
    #[arg(long, value_enum, default_value_t = SearchMode::Hybrid)]
    mode: SearchMode,
    /// Methods or objects (default: both).
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Most hits.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SearchMode {
    /// All of it together.
    Hybrid,
    /// By meaning.
    Vector,
    /// By words.
    Fulltext,
    /// The text as it stands in the code, without case.
    Literal,
    /// A regular expression over the code.
    Regex,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Method,
    Object,
}

/// Runs it.
///
/// # Errors
/// A pattern that can't be used; "not found" if there is no hit.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let mode = match args.mode {
        SearchMode::Hybrid => Mode::Hybrid,
        SearchMode::Vector => Mode::Vector,
        SearchMode::Fulltext => Mode::Fulltext,
        SearchMode::Literal => Mode::Literal,
        SearchMode::Regex => Mode::Regex,
    };
    let kind = args.kind.map(|kind| match kind {
        Kind::Method => Class::Method,
        Kind::Object => Class::Object,
    });
    let options = Options { mode, kind, limit: args.limit as usize, ..Options::default() };
    let mut meaning = Meaning::of_user(None);
    let found = search(&index, &args.text, options, &mut meaning).map_err(|error| context.index_failure(error))?;
    for note in &found.notes {
        context.note(&format!("! {}", note.message(context.language())));
    }
    if context.json() {
        found.hits.iter().try_for_each(output::json)?;
    } else {
        for hit in &found.hits {
            output::text(&format!("{}  [{}]  {:.3}", hit.full_name, hit.kind, hit.score))?;
            output::text(&format!("    {}  {}", place(&hit.file, hit.line), hit.snippet))?;
        }
    }
    if found.hits.is_empty() {
        let proven = if found.notes.is_empty() {
            ""
        } else {
            context.pick("; не всё просмотрено, см. выше", "; not everything was looked at, see above")
        };
        let text = context.pick("ничего не найдено", "nothing found");
        return Err(Failure::not_found("not_found", format!("{text}{proven}")));
    }
    Ok(())
}
