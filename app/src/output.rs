//! Writing answers: data to stdout, messages to stderr, JSON when asked for.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::failure::{Exit, Failure, Outcome};

/// Prints one JSON value on a line.
pub fn json<T: Serialize>(value: &T) -> Outcome {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(|error| closed_or(error.into()))?;
    line(&mut out, "")
}

/// Prints a text and a line end.
pub fn text(text: &str) -> Outcome {
    line(&mut io::stdout().lock(), text)
}

/// Writes a line; a reader that went away (`| head`) ends the program without a word.
pub fn line(out: &mut impl Write, text: &str) -> Outcome {
    writeln!(out, "{text}").map_err(closed_or)
}

fn closed_or(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    Failure { exit: Exit::Internal, code: "io", message: error.to_string(), hint: None }
}

/// Prints rows in columns: widths by the widest cell, counted in characters; the last column runs free.
pub fn columns(rows: &[Vec<String>]) -> Outcome {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut out = io::BufWriter::new(io::stdout().lock());
    for row in rows {
        let last = row.len().saturating_sub(1);
        let mut printed = String::new();
        for (column, cell) in row.iter().enumerate() {
            printed.push_str(cell);
            if column < last {
                let gap = widths[column].saturating_sub(cell.chars().count()) + 2;
                printed.extend(std::iter::repeat_n(' ', gap));
            }
        }
        line(&mut out, printed.trim_end())?;
    }
    out.flush().map_err(closed_or)
}

/// Whether progress may be drawn: a terminal on stderr.
pub fn draws_progress() -> bool {
    io::stderr().is_terminal()
}
