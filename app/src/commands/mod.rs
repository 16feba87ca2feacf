//! The subcommands: one file each, and this list.

mod ask;
mod bench;
mod calibrate;
mod callees;
mod callers;
mod check;
mod dcs;
mod dead;
mod diff;
mod edges;
mod edits;
pub mod embed;
mod embed_worker;
mod entries;
mod graph;
mod impact;
mod index;
mod mcp;
mod models;
mod overview;
mod path;
mod refs;
mod search;
mod show;
mod sql;
mod status;
mod tool;
mod tools;
mod walk;
mod watch;
pub mod window;

use clap::Subcommand;

use crate::context::Context;
use crate::failure::Outcome;

/// What `metascope` can be told to do.
#[derive(Subcommand, Debug)]
#[allow(missing_docs)]
pub enum Command {
    Index(index::Args),
    Watch(watch::Args),
    Status(status::Args),
    Sql(sql::Args),
    Search(search::Args),
    Overview(overview::Args),
    Show(show::Args),
    Callers(callers::Args),
    Callees(callees::Args),
    Path(path::Args),
    Entries(entries::Args),
    Refs(refs::Args),
    Impact(impact::Args),
    Dead(dead::Args),
    Check(check::Args),
    Diff(diff::Args),
    Dcs(dcs::Args),
    Calibrate(calibrate::Args),
    Graph(graph::Args),
    Embed(embed::Args),
    #[command(hide = true)]
    EmbedWorker,
    Ask(ask::Args),
    Tools(tools::Args),
    Tool(tool::Args),
    Edits(edits::Args),
    Models(models::Args),
    Mcp(mcp::Args),
    Bench(bench::Args),
}

impl Command {
    /// Runs it.
    ///
    /// # Errors
    /// What the person, or the program that called, is told.
    pub fn run(self, context: &Context) -> Outcome {
        match self {
            Self::Index(args) => index::run(context, &args),
            Self::Watch(args) => watch::run(context, &args),
            Self::Status(args) => status::run(context, &args),
            Self::Sql(args) => sql::run(context, &args),
            Self::Search(args) => search::run(context, &args),
            Self::Overview(args) => overview::run(context, &args),
            Self::Show(args) => show::run(context, &args),
            Self::Callers(args) => callers::run(context, &args),
            Self::Callees(args) => callees::run(context, &args),
            Self::Path(args) => path::run(context, &args),
            Self::Entries(args) => entries::run(context, &args),
            Self::Refs(args) => refs::run(context, &args),
            Self::Impact(args) => impact::run(context, &args),
            Self::Dead(args) => dead::run(context, &args),
            Self::Check(args) => check::run(context, &args),
            Self::Diff(args) => diff::run(context, &args),
            Self::Dcs(args) => dcs::run(context, &args),
            Self::Calibrate(args) => calibrate::run(context, &args),
            Self::Graph(args) => graph::run(context, &args),
            Self::Embed(args) => embed::run(context, &args),
            Self::EmbedWorker => embed_worker::run(),
            Self::Ask(args) => ask::run(context, &args),
            Self::Tools(args) => tools::run(context, &args),
            Self::Tool(args) => tool::run(context, &args),
            Self::Edits(args) => edits::run(context, &args),
            Self::Models(args) => models::run(context, &args),
            Self::Mcp(args) => mcp::run(context, &args),
            Self::Bench(args) => bench::run(context, &args),
        }
    }
}
