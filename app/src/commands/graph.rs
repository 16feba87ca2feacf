//! `metascope graph export`: all edges, for other programs.

use std::io::{self, BufWriter, Write};

use clap::{Subcommand, ValueEnum};
use index::{EdgeRow, for_each_edge};
use serde_json::json;

use crate::commands::edges::place;
use crate::context::Context;
use crate::failure::{Failure, Outcome};

/// The whole graph.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Writes all edges to stdout.
    Export {
        /// tsv: a header line, then channel, source, target, confidence, evidence; jsonl: an edge a line; graphml and dot:
        /// for programs that draw graphs.
        #[arg(long, value_enum, default_value_t = Format::Tsv)]
        format: Format,
    },
}

/// Formats of the export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Tsv,
    Jsonl,
    Graphml,
    Dot,
}

/// Runs it.
///
/// # Errors
/// If the index can't be read.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let Action::Export { format } = args.action;
    let index = context.open()?;
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut failed = write_head(&mut out, format);
    if format == Format::Graphml {
        // Nodes must be declared, each once.
        let mut seen = std::collections::HashSet::new();
        for_each_edge(&index, |edge| {
            for name in [&edge.source, &edge.target] {
                if failed.is_ok() && !seen.contains(name) {
                    seen.insert(name.clone());
                    failed = writeln!(out, "<node id=\"{}\"/>", escape(name));
                }
            }
            failed.is_ok()
        })
        .map_err(|error| context.index_failure(error))?;
    }
    for_each_edge(&index, |edge| {
        if failed.is_ok() {
            failed = write_edge(&mut out, format, edge);
        }
        failed.is_ok()
    })
    .map_err(|error| context.index_failure(error))?;
    match failed.and_then(|()| write_tail(&mut out, format)).and_then(|()| out.flush()) {
        // A reader that went away (`| head`) has what it wanted.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::from),
    }
}

fn write_head(out: &mut impl Write, format: Format) -> io::Result<()> {
    match format {
        Format::Tsv => writeln!(out, "channel\tsource\ttarget\tconfidence\tevidence"),
        Format::Jsonl => Ok(()),
        Format::Graphml => writeln!(out, "{}", GRAPHML_HEAD),
        Format::Dot => writeln!(out, "digraph metascope {{\n  rankdir=LR;\n  node [shape=box];"),
    }
}

fn write_edge(out: &mut impl Write, format: Format, edge: &EdgeRow) -> io::Result<()> {
    let EdgeRow { source, target, channel, confidence, .. } = edge;
    let evidence = place(&edge.file, edge.line);
    match format {
        Format::Tsv => writeln!(out, "{channel}\t{source}\t{target}\t{confidence}\t{evidence}"),
        Format::Jsonl => {
            let (file, line) = (&edge.file, edge.line);
            let row = json!({"source": source, "target": target, "channel": channel, "confidence": confidence, "file": file, "line": line});
            writeln!(out, "{row}")
        }
        Format::Graphml => {
            let (source, target, evidence) = (escape(source), escape(target), escape(&evidence));
            writeln!(
                out,
                "<edge source=\"{source}\" target=\"{target}\"><data key=\"channel\">{channel}</data>\
                 <data key=\"confidence\">{confidence}</data><data key=\"evidence\">{evidence}</data></edge>"
            )
        }
        Format::Dot => writeln!(out, "  {} -> {} [label={}];", quote(source), quote(target), quote(channel)),
    }
}

fn write_tail(out: &mut impl Write, format: Format) -> io::Result<()> {
    match format {
        Format::Tsv | Format::Jsonl => Ok(()),
        Format::Graphml => writeln!(out, "</graph></graphml>"),
        Format::Dot => writeln!(out, "}}"),
    }
}

const GRAPHML_HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="channel" for="edge" attr.name="channel" attr.type="string"/>
<key id="confidence" for="edge" attr.name="confidence" attr.type="string"/>
<key id="evidence" for="edge" attr.name="evidence" attr.type="string"/>
<graph edgedefault="directed">"#;

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
