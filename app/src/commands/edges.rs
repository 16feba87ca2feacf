//! Printing edges and the state of an answer: shared by the subcommands that walk the graph.

use index::{Answer, EdgeRow, State};
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Which end of an edge a person wants to see.
#[derive(Clone, Copy)]
pub enum Shown {
    /// Who calls.
    Source,
    /// What is called.
    Target,
    /// Both.
    Both,
}

/// Prints edges, or their JSON. An empty answer is "not found", with the reasons it may be wrong.
///
/// # Errors
/// "Not found" if there is no row.
pub fn print(context: &Context, what: &str, answer: &Answer<EdgeRow>, shown: Shown) -> Outcome {
    let cycles = answer.rows.iter().filter(|edge| edge.cycle).count();
    if context.json() {
        output::json(&json!({"state": answer.state, "cycles": cycles, "edges": answer.rows}))?;
    } else {
        output::columns(&answer.rows.iter().map(|edge| cells(context, edge, shown)).collect::<Vec<_>>())?;
    }
    if cycles > 0 {
        context.note(&format!("{}: {cycles}", context.pick("циклов разорвано", "cycles cut")));
    }
    state(context, &answer.state);
    if answer.rows.is_empty() {
        return Err(empty(context, what, &answer.state));
    }
    Ok(())
}

/// "Not found", and whether that is proven.
pub fn empty(context: &Context, what: &str, state: &State) -> Failure {
    let proven = if state.complete {
        context.pick(
            "доказано: ничего, что могло бы скрывать связи, в индексе нет",
            "proven: nothing in the index could hide a link",
        )
    } else {
        context.pick("не доказано: см. причины выше", "not proven: see the reasons above")
    };
    let nothing = context.pick("ничего не найдено", "nothing found");
    Failure::not_found("not_found", format!("{what}: {nothing}; {proven}"))
}

/// What support by a vendor means for who wants to change something; None for what is nobody else's.
pub fn support(context: &Context, state: &str) -> Option<&'static str> {
    match state {
        "locked" => Some(context.pick("На поддержке: менять нельзя", "On support: it can't be changed")),
        "editable" => Some(context.pick("На поддержке: менять можно", "On support: it may be changed")),
        "removed" => Some(context.pick("Снят с поддержки", "Taken off support")),
        _ => None,
    }
}

/// Says on stderr what could hide more.
pub fn state(context: &Context, state: &State) {
    for reason in &state.reasons {
        context.note(&format!("! {}", reason.message(context.language())));
    }
}

/// `file:line`, or the file where a whole file is the proof.
pub fn place(file: &str, line: u32) -> String {
    if line == 0 { file.to_owned() } else { format!("{file}:{line}") }
}

/// Contexts for people.
pub fn contexts(context: &Context, words: &[String]) -> String {
    let word = |word: &String| context.pick(graph::contexts::ru(word), word).to_owned();
    words.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// What a person should know of an edge beside its evidence: cycles, calls of the server, calls that can't work.
fn marks(context: &Context, edge: &EdgeRow) -> String {
    let mut marks = Vec::new();
    if edge.cycle {
        marks.push(context.pick("↺ цикл", "↺ cycle").to_owned());
    }
    if edge.crosses {
        marks.push(context.pick("вызов сервера", "server call").to_owned());
    }
    if edge.impossible {
        marks.push(context.pick("⚠ здесь не компилируется", "⚠ can't compile there").to_owned());
    } else if edge.missing_in.iter().any(|word| word == "thin_client" || word == "web_client") {
        let missing = contexts(context, &edge.missing_in);
        marks.push(format!("{} {missing}", context.pick("⚠ нет в:", "⚠ missing in:")));
    }
    marks.join("; ")
}

fn cells(context: &Context, edge: &EdgeRow, shown: Shown) -> Vec<String> {
    let indent = "  ".repeat(edge.depth.saturating_sub(1) as usize);
    let mut cells = match shown {
        Shown::Source => vec![format!("{indent}{}", edge.source)],
        Shown::Target => vec![format!("{indent}{}", edge.target)],
        Shown::Both => vec![edge.source.clone(), format!("→ {}", edge.target)],
    };
    cells.extend([edge.channel.clone(), edge.confidence.clone(), place(&edge.file, edge.line), marks(context, edge)]);
    cells
}
