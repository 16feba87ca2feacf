//! `metascope models remove NAME`: forgets a model, and its key.

use agent::models::{KeyPlace, Keys, SystemKeys};

use super::failed;
use crate::context::Context;
use crate::failure::Outcome;
use crate::model;

/// Forgets a model, and its key in the system's key store.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its name.
    name: String,
}

/// Runs it.
///
/// # Errors
/// If there is no such model, another falls back to it, or its key can't be forgotten.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let places = context.places()?;
    let failed = failed(context);
    let mut book = model::book(&places).map_err(&failed)?;
    let entry = book.get(&args.name).map_err(&failed)?.clone();
    book.models.retain(|other| other.name != entry.name);
    book.default = book.default.filter(|name| *name != entry.name);
    book.check().map_err(&failed)?;
    if entry.key == KeyPlace::Store {
        SystemKeys.forget(&entry.name).map_err(&failed)?;
    }
    book.write(&places.chat_models_file()).map_err(&failed)
}
