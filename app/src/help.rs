//! `--help` in Russian: the texts of `data/help_ru.tsv` laid over clap's English ones.

use clap::Command;

/// `command<TAB>argument (empty: the command itself)<TAB>text`.
const TEXTS: &str = include_str!("../data/help_ru.tsv");

/// The Russian text of a command (`argument` empty) or of one of its arguments.
fn russian(command: &str, argument: &str) -> Option<&'static str> {
    TEXTS.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut cells = line.splitn(3, '\t');
        (cells.next()? == command && cells.next()? == argument).then(|| cells.next()).flatten()
    })
}

/// The same command line with Russian help.
pub fn in_russian(command: Command) -> Command {
    translate(command, "")
}

fn translate(mut command: Command, path: &str) -> Command {
    if let Some(about) = russian(path, "") {
        command = command.about(about).long_about(about);
    }
    let path_of = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path} {name}") };
    command =
        command.mut_args(|arg| match russian(path, arg.get_id().as_str()).or(russian("*", arg.get_id().as_str())) {
            Some(text) => arg.help(text).long_help(text),
            None => arg,
        });
    command.mut_subcommands(|sub| {
        let path = path_of(sub.get_name());
        translate(sub, &path)
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    fn missing(command: &Command, path: &str, out: &mut Vec<String>) {
        if russian(path, "").is_none() {
            out.push(format!("{path}\t"));
        }
        for arg in command.get_arguments().filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version")) {
            let id = arg.get_id().as_str();
            if russian(path, id).is_none() && russian("*", id).is_none() {
                out.push(format!("{path}\t{id}"));
            }
        }
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let path = if path.is_empty() { sub.get_name().to_owned() } else { format!("{path} {}", sub.get_name()) };
            missing(sub, &path, out);
        }
    }

    #[test]
    fn every_command_and_argument_has_a_russian_text() {
        let mut out = Vec::new();
        missing(&Cli::command(), "", &mut out);
        assert!(out.is_empty(), "data/help_ru.tsv lacks:\n{}", out.join("\n"));
    }
}
