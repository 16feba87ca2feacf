//! `metascope overview`: what this configuration is.

use index::{Overview, SubsystemNode};

use crate::context::Context;
use crate::failure::Outcome;
use crate::output;

/// What this configuration is: subsystems, hubs, entry points, integrations, sizes.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs it.
///
/// # Errors
/// If the index can't be read.
pub fn run(context: &Context, _args: &Args) -> Outcome {
    let overview = context.open()?.overview().map_err(|error| context.index_failure(error))?;
    if context.json() {
        return output::json(&overview);
    }
    print(context, &overview)
}

fn print(context: &Context, overview: &Overview) -> Outcome {
    let title = |ru, en| output::text(&format!("\n{}", context.pick(ru, en)));
    let row = |name: &str, value: String| vec![format!("  {name}"), value];
    output::columns(&overview.properties.iter().map(|(name, value)| row(name, value.clone())).collect::<Vec<_>>())?;
    output::text(&format!(
        "\n{}: {}   {}: {}   {}: {}   {}: {}",
        context.pick("модулей", "modules"),
        overview.modules,
        context.pick("методов", "methods"),
        overview.methods,
        context.pick("строк", "lines"),
        overview.lines,
        context.pick("связей", "edges"),
        overview.edges,
    ))?;
    title("Объекты по видам", "Objects by kind")?;
    let kinds = overview.kinds.iter().map(|kind| row(kind_word(context, &kind.kind), kind.count.to_string()));
    output::columns(&kinds.collect::<Vec<_>>())?;
    title("Подсистемы", "Subsystems")?;
    for subsystem in &overview.subsystems {
        print_subsystem(subsystem, 1)?;
    }
    title("Чаще всего вызывают", "Called most")?;
    let hubs = overview.hubs.iter().map(|hub| row(&hub.full_name, hub.callers.to_string()));
    output::columns(&hubs.collect::<Vec<_>>())?;
    title("Группы модулей", "Groups of modules")?;
    let groups = overview.communities.iter().map(|group| {
        let count = format!("{} {}", group.modules, context.pick("модулей", "modules"));
        let inside = format!("{}% {}", group.inside, context.pick("вызовов внутри", "of calls inside"));
        vec![format!("  {}", group.centre), count, inside, group.subsystem.clone()]
    });
    output::columns(&groups.collect::<Vec<_>>())?;
    title("Входы по каналам", "Entry points by channel")?;
    let entries = overview.entries.iter().map(|entry| row(&entry.channel, entry.methods.to_string()));
    output::columns(&entries.collect::<Vec<_>>())?;
    title("Связь с другими системами", "Integrations")?;
    for name in &overview.integrations {
        output::text(&format!("  {name}"))?;
    }
    title("Самые большие модули", "Largest modules")?;
    let largest = overview.largest.iter().map(|module| {
        let lines = format!("{} {}", module.lines, context.pick("строк", "lines"));
        vec![
            format!("  {}", module.full_name),
            lines,
            format!("{} {}", module.methods, context.pick("методов", "methods")),
        ]
    });
    output::columns(&largest.collect::<Vec<_>>())
}

/// The kind in the user's language.
fn kind_word<'text>(context: &Context, kind: &'text str) -> &'text str {
    metadata::Kind::named(kind).map_or(kind, |known| context.pick(known.ru(), known.en()))
}

fn print_subsystem(subsystem: &SubsystemNode, depth: usize) -> Outcome {
    let synonym = if subsystem.synonym.is_empty() { String::new() } else { format!(" — {}", subsystem.synonym) };
    output::text(&format!("{}{}{synonym} ({})", "  ".repeat(depth), subsystem.name, subsystem.content))?;
    subsystem.children.iter().try_for_each(|child| print_subsystem(child, depth + 1))
}
