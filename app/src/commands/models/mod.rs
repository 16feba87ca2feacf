//! `metascope models …`: the chat models that may be asked.

mod add;
mod list;
mod log;
mod remove;
mod test;

use agent::models::BookError;
use clap::Subcommand;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::model;

/// The chat models that may be asked: which there are, where each processes what it is sent, what works, what was sent.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    List(list::Args),
    Add(Box<add::Args>),
    Test(test::Args),
    Remove(remove::Args),
    Log(log::Args),
}

/// Runs it.
///
/// # Errors
/// If the settings can't be read or written; of `test`, if something doesn't work.
pub fn run(context: &Context, args: &Args) -> Outcome {
    match &args.action {
        Action::List(args) => list::run(context, args),
        Action::Add(args) => add::run(context, args),
        Action::Test(args) => test::run(context, args),
        Action::Remove(args) => remove::run(context, args),
        Action::Log(args) => log::run(context, args),
    }
}

fn failed(context: &Context) -> impl Fn(BookError) -> Failure {
    let language = context.language();
    move |error| model::failure(&error.into(), language)
}
