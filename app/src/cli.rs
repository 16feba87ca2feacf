//! The command line: global options, the list of subcommands, exit codes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use crate::commands::Command;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::help;

/// Metascope: knows a 1C:Enterprise configuration. Without a subcommand it opens the window.
#[derive(Parser, Debug)]
#[command(name = "metascope", version)]
pub struct Cli {
    /// The project to open: a dump, or a folder above it (default: the last one).
    pub project: Option<PathBuf>,
    /// Options of every subcommand.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options of every subcommand.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct Global {
    /// The index file (default: in the user's data directory, keyed by the project's path).
    #[arg(long, global = true, value_name = "FILE")]
    pub index: Option<PathBuf>,
    /// The project whose index answers (default: the one around the current folder, else the one indexed last).
    #[arg(long = "project", global = true, value_name = "PATH", id = "project_option")]
    pub project: Option<PathBuf>,
    /// One JSON value, or one a line for lists.
    #[arg(long, global = true)]
    pub json: bool,
    /// Language of messages: ru or en (default: the system's).
    #[arg(long, global = true, value_enum)]
    pub lang: Option<Lang>,
    /// No progress, no notes.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// More on stderr: -v what is done, -vv everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// Language of what people see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// Russian.
    Ru,
    /// English.
    En,
}

impl Lang {
    /// The language of the system: Russian for a Russian locale, else English.
    pub fn of_system() -> Self {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
        match locale {
            Some(locale) if locale.to_lowercase().starts_with("ru") => Self::Ru,
            _ => Self::En,
        }
    }

    /// The text in this language.
    pub fn pick<'text>(self, ru: &'text str, en: &'text str) -> &'text str {
        match self {
            Self::Ru => ru,
            Self::En => en,
        }
    }
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let lang = lang_of(&arguments).unwrap_or_else(Lang::of_system);
    let command = match lang {
        Lang::Ru => help::in_russian(Cli::command()),
        Lang::En => Cli::command(),
    };
    let parsed = command.try_get_matches_from(&arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage_error(&error, &arguments),
    };
    start_log(cli.global.verbose);
    let context = Context::new(cli.global, lang);
    let outcome = match cli.command {
        Some(command) => command.run(&context),
        None => crate::commands::window::run(&context, cli.project),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, context.json()),
    }
}

/// The language asked for on the command line, found before parsing because the help itself speaks it.
fn lang_of(arguments: &[OsString]) -> Option<Lang> {
    let mut words = arguments.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--lang") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(value) = value {
            return Lang::from_str(value, true).ok();
        }
    }
    None
}

fn usage_error(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if arguments.iter().any(|word| word == "--json") {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let hint = text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        return report(&Failure::usage("usage", message).with_hint(hint), true);
    }
    let _ = error.print();
    ExitCode::from(Exit::Usage as u8)
}

fn report(failure: &Failure, json: bool) -> ExitCode {
    if json {
        eprintln!("{}", failure.to_json());
    } else {
        eprintln!("metascope: {failure}");
    }
    ExitCode::from(failure.exit as u8)
}

fn start_log(verbose: u8) {
    use tracing_subscriber::EnvFilter;
    let level = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("METASCOPE_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).without_time().try_init();
}
