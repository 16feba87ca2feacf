//! `metascope models add NAME`: sets up a model, or changes one.

use std::io::{BufRead, IsTerminal};

use agent::Price;
use agent::models::{KeyPlace, Keys, ModelBook, ModelEntry, Region, SystemKeys, preset, region_of};
use agent::openai::Secret;
use console::Term;

use super::failed;
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::{model, output};

/// Sets up a model, or changes one that was set up: only what is given changes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How it is to be called. The name of a known place (`models list --presets`) fills in everything else.
    name: String,
    /// The known place to start from, if the name is another.
    #[arg(long)]
    preset: Option<String>,
    /// Address up to the version: https://server/v1.
    #[arg(long)]
    url: Option<String>,
    /// The model's name as the provider knows it.
    #[arg(long)]
    model: Option<String>,
    /// Where the key is: `none`, `store` (the system's key store) or `env:NAME` (a variable of the environment).
    #[arg(long)]
    key: Option<String>,
    /// Puts the key into the system's key store: it is read from standard input, one line; a typed one is not shown.
    #[arg(long, conflicts_with = "key")]
    key_stdin: bool,
    /// Where it processes what it is sent: RU, CN, US …, EU, `local` (this machine or network), `any`.
    #[arg(long)]
    region: Option<String>,
    /// Tokens that it takes.
    #[arg(long, value_name = "TOKENS")]
    context: Option<u32>,
    /// It calls tools by itself.
    #[arg(long, overrides_with = "no_tools")]
    tools: bool,
    /// It calls no tools: the text protocol is used.
    #[arg(long)]
    no_tools: bool,
    /// It takes images.
    #[arg(long, overrides_with = "no_images")]
    images: bool,
    /// It takes no images.
    #[arg(long)]
    no_images: bool,
    /// Step limit of a question.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    turns: Option<u32>,
    /// A further header: `Name: value`; `env:NAME` as the value stands for a variable. May be given several times.
    #[arg(long, value_name = "HEADER")]
    header: Vec<String>,
    /// `direct`, an address (http://…, socks5://…), or `env:NAME` of one; `system` takes it off.
    #[arg(long)]
    proxy: Option<String>,
    /// The model that is asked if this one can't be reached: of the same region, or local; `none` takes it off.
    #[arg(long, value_name = "NAME")]
    fallback: Option<String>,
    /// Price of a million tokens: sent, sent from the cache, received, currency: `0.28,0.028,0.42,USD`.
    #[arg(long)]
    price: Option<String>,
    /// It answers when no model is named.
    #[arg(long)]
    default: bool,
}

/// Runs it.
///
/// # Errors
/// If what is given can't be used, or can't be kept.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let places = context.places()?;
    let failed = failed(context);
    let mut book = model::book(&places).map_err(&failed)?;
    let mut entry = start(context, args, &book)?;
    change(context, args, &mut entry)?;
    if args.key_stdin {
        entry.key = KeyPlace::Store;
    }
    entry.check().map_err(&failed)?;
    book.put(entry.clone());
    if args.default || book.models.len() == 1 {
        book.default = Some(entry.name.clone());
    }
    book.check().map_err(&failed)?;
    if args.key_stdin {
        let key = Secret::new(key_from_input(context)?);
        let kept = SystemKeys.store(&entry.name, &key);
        kept.map_err(|error| failed(error).with_hint(instead_of_store(context, args, &entry.name)))?;
    }
    book.write(&places.chat_models_file()).map_err(&failed)?;
    if context.json() {
        return output::json(&entry);
    }
    let (ru, en) = ("обрабатывается", "processed in");
    output::text(&format!(
        "{}: {} @ {}; {}: {}",
        entry.name,
        entry.model,
        entry.base_url,
        context.pick(ru, en),
        entry.region.name(context.language())
    ))?;
    context.note(&format!("{}: metascope models test {}", context.pick("проверить", "to test it"), entry.name));
    Ok(())
}

/// What is there already, or a known place, or an address.
fn start(context: &Context, args: &Args, book: &ModelBook) -> Outcome<ModelEntry> {
    if let Ok(entry) = book.get(&args.name)
        && args.preset.is_none()
    {
        return Ok(entry.clone());
    }
    let known = args
        .preset
        .as_deref()
        .or_else(|| preset(&args.name).map(|_| args.name.as_str()).filter(|_| args.url.is_none()));
    if let Some(name) = known {
        let preset = preset(name).ok_or_else(|| {
            let names: Vec<&str> = agent::models::presets().iter().map(|preset| preset.name).collect();
            Failure::usage("preset", format!("{}: {name}", context.pick("нет такого места", "no such place")))
                .with_hint(names.join(", "))
        })?;
        context.note(&format!("{}: {}", preset.title, preset.note(context.language())));
        return Ok(ModelEntry { name: args.name.clone(), ..preset.entry.clone() });
    }
    match (&args.url, &args.model) {
        (Some(url), Some(model)) => Ok(ModelEntry::new(&args.name, url, model, region_of(url))),
        _ => Err(Failure::usage(
            "model_settings",
            context.pick("не хватает адреса и имени модели", "an address and a model are missing"),
        )
        .with_hint(context.pick(
            "задайте --url и --model, или возьмите известное место: metascope models list --presets",
            "give --url and --model, or take a known place: metascope models list --presets",
        ))),
    }
}

fn change(context: &Context, args: &Args, entry: &mut ModelEntry) -> Outcome {
    let failed = failed(context);
    if let Some(url) = &args.url {
        entry.base_url.clone_from(url);
        if args.region.is_none() && region_of(url) != Region::any() {
            entry.region = region_of(url);
        }
    }
    if let Some(model) = &args.model {
        entry.model.clone_from(model);
    }
    if let Some(key) = &args.key {
        entry.key = KeyPlace::parse(key).map_err(&failed)?;
    }
    if let Some(region) = &args.region {
        entry.region = Region::parse(region).map_err(&failed)?;
    }
    entry.context_tokens = args.context.unwrap_or(entry.context_tokens);
    entry.turns = args.turns.unwrap_or(entry.turns);
    entry.abilities.tools = (entry.abilities.tools || args.tools) && !args.no_tools;
    entry.abilities.images = (entry.abilities.images || args.images) && !args.no_images;
    for header in &args.header {
        let (name, value) = header.split_once(':').ok_or_else(|| {
            let what = context.pick("заголовок не вида «Имя: значение»", "a header isn't of the form `Name: value`");
            Failure::usage("header", what)
        })?;
        entry.headers.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    if let Some(proxy) = &args.proxy {
        entry.proxy = Some(proxy.clone()).filter(|proxy| proxy != "system");
    }
    if let Some(fallback) = &args.fallback {
        entry.fallback = Some(fallback.clone()).filter(|name| name != "none");
    }
    if let Some(price) = &args.price {
        entry.price = Some(read_price(price).ok_or_else(|| {
            let what =
                context.pick("цена не вида 0.28,0.028,0.42,USD", "a price isn't of the form 0.28,0.028,0.42,USD");
            Failure::usage("price", format!("{what}: {price}"))
        })?);
    }
    Ok(())
}

fn read_price(text: &str) -> Option<Price> {
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let [prompt, cached, completion, currency] = cells.try_into().ok()?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
    Some(Price {
        prompt: number(prompt)?,
        cached: number(cached)?,
        completion: number(completion)?,
        currency: Some(currency.to_owned()).filter(|currency| !currency.is_empty())?,
    })
}

/// The key that is typed, or comes from another program.
fn key_from_input(context: &Context) -> Outcome<String> {
    let line = match std::io::stdin().is_terminal() {
        true => typed(context)?,
        false => {
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line)?;
            line
        }
    };
    let key = line.trim().to_owned();
    if key.is_empty() {
        return Err(Failure::usage("model_key", context.pick("на входе нет ключа", "no key came on standard input")));
    }
    Ok(key)
}

/// A line that is typed and not shown: whoever looks on, or scrolls back, doesn't see it.
fn typed(context: &Context) -> Outcome<String> {
    let Some(terminal) = [Term::stderr(), Term::stdout()].into_iter().find(Term::is_term) else {
        let (ru, en) = (
            "ключ набирают на терминале, а вывод идёт не туда",
            "a key is typed at a terminal, and output goes elsewhere",
        );
        let (hint_ru, hint_en) =
            ("подайте ключ на вход: … --key-stdin < файл", "send the key to standard input: … --key-stdin < file");
        return Err(Failure::usage("model_key", context.pick(ru, en)).with_hint(context.pick(hint_ru, hint_en)));
    };
    terminal.write_str(
        context.pick("ключ (не показывается; Enter в конце): ", "the key (it is not shown; Enter ends it): "),
    )?;
    Ok(terminal.read_secure_line()?)
}

/// What to do where the system has no key store: the variable that the known place reads its key from.
fn instead_of_store(context: &Context, args: &Args, name: &str) -> String {
    let known = preset(args.preset.as_deref().unwrap_or(name)).map(|known| known.entry.key.clone());
    let variable = match known {
        Some(KeyPlace::Variable(variable)) => variable,
        _ => context.pick("ИМЯ", "NAME").to_owned(),
    };
    format!(
        "{}: export {variable}=…; metascope models add {name} … --key env:{variable}",
        context.pick("держите ключ в переменной окружения", "keep the key in an environment variable")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices() {
        let price = read_price("0.28, 0.028,0.42,USD").unwrap();
        assert_eq!((price.prompt, price.cached, price.completion, price.currency.as_str()), (0.28, 0.028, 0.42, "USD"));
        for wrong in ["", "1,2,3", "1,2,3,", "-1,2,3,USD", "a,2,3,USD", "NaN,1,1,USD"] {
            assert!(read_price(wrong).is_none(), "{wrong}");
        }
    }
}
