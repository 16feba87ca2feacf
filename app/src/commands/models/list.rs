//! `metascope models list`: the models that were set up, and where each processes what it is sent.

use agent::models::{KeyPlace, ModelEntry, presets};
use serde_json::json;

use super::failed;
use crate::context::Context;
use crate::failure::Outcome;
use crate::{model, output};

/// The models that were set up, and where each processes what it is sent.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The places that are known instead, for `models add NAME`.
    #[arg(long)]
    presets: bool,
}

/// Runs it.
///
/// # Errors
/// If the settings can't be read.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let language = context.language();
    let book = model::book(&context.places()?).map_err(failed(context))?;
    let entries: Vec<(ModelEntry, &str)> = if args.presets {
        presets().iter().map(|preset| (preset.entry.clone(), preset.note(language))).collect()
    } else {
        book.models.iter().map(|entry| (entry.clone(), "")).collect()
    };
    if context.json() {
        let value = |(entry, note): &(ModelEntry, &str)| {
            let mut value = serde_json::to_value(entry).unwrap_or_default();
            value["processed"] = json!(entry.region.name(language));
            value["default"] = json!(book.default.as_deref() == Some(entry.name.as_str()));
            if !note.is_empty() {
                value["note"] = json!(note);
            }
            value
        };
        return output::json(&entries.iter().map(value).collect::<Vec<_>>());
    }
    if entries.is_empty() {
        context.note(context.pick(
            "моделей нет: отвечают готовые расследования (offline). Известные места: metascope models list --presets; добавить: metascope models add ИМЯ",
            "no models: written investigations answer (offline). Places that are known: metascope models list --presets; to add one: metascope models add NAME",
        ));
        return Ok(());
    }
    let title = |ru: &str, en: &str| context.pick(ru, en).to_owned();
    let mut rows = vec![vec![
        title("имя", "name"),
        title("модель", "model"),
        title("где обрабатывается", "processed in"),
        title("адрес", "address"),
        title("ключ", "key"),
        title("окно", "window"),
        title("ходов", "turns"),
        title("умеет", "abilities"),
        title("запасная", "second"),
    ]];
    for (entry, note) in &entries {
        let mark = if book.default.as_deref() == Some(entry.name.as_str()) && !args.presets { "*" } else { "" };
        let second = entry.fallback.clone().unwrap_or_else(|| (*note).to_owned());
        rows.push(vec![
            format!("{}{mark}", entry.name),
            entry.model.clone(),
            entry.region.name(language),
            entry.base_url.clone(),
            key(context, &entry.key),
            entry.context_tokens.to_string(),
            entry.turns.to_string(),
            abilities(context, entry),
            second,
        ]);
    }
    if args.presets {
        rows[0][8] = title("примечание", "note");
    }
    output::columns(&rows)
}

/// Where the key is; of a variable also whether it is set. The store isn't asked: that may open a dialogue.
fn key(context: &Context, place: &KeyPlace) -> String {
    match place {
        KeyPlace::None => "—".to_owned(),
        KeyPlace::Store => context.pick("в хранилище системы", "in the system's store").to_owned(),
        KeyPlace::Variable(name) => {
            let set = std::env::var_os(name).is_some_and(|value| !value.is_empty());
            format!("${name}{}", if set { "" } else { context.pick(" (не задана)", " (not set)") })
        }
    }
}

fn abilities(context: &Context, entry: &ModelEntry) -> String {
    let can = entry.abilities;
    let names = [
        (can.tools, context.pick("инструменты", "tools")),
        (can.images, context.pick("изображения", "images")),
        (can.reasoning, context.pick("рассуждения", "reasoning")),
    ];
    names.iter().filter(|(can, _)| *can).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}
