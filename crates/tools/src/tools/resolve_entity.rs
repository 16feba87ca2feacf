//! `resolve_entity`: from a phrase, or a name as people write it, to things of the configuration.

use std::collections::HashSet;

use index::text::{Filter, query_terms};
use index::{Named, Resolution};
use metadata::kinds::Kind;
use serde::Serialize;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "resolve_entity",
    group: Group::Search,
    purpose: "From a phrase or an inexact name to full names (что это за объект или метод): «документ реализации», «регистр цен», \
`ЗначениеРеквизита`. Objects, modules, methods, best first; `how` says why: exact, name, synonym, part, words. If nothing fits, \
`nearest` holds the nearest names. Not for a question about what code does (hybrid_search).",
    params: &[
        Param::text(
            "query",
            &["name", "text", "phrase", "q", "запрос", "имя"],
            "The phrase or name, Russian or English.",
        ),
        Param {
            name: "kind",
            aliases: &["type", "вид"],
            kind: ParamKind::Choice {
                words: &[
                    ("any", &["all", "любой", "все"]),
                    ("method", &["methods", "function", "procedure", "метод", "методы", "функция", "процедура"]),
                    ("object", &["objects", "metadata", "объект", "объекты", "метаданные"]),
                ],
                default: "any",
            },
            required: false,
            about: "What is looked for.",
        },
        Param::limit(10, 50),
    ],
    example: r#"{"query": "документ реализации товаров", "kind": "object"}"#,
    class: Class::Read,
    ceiling: 6_000,
    run,
};

/// Why a thing stands in the answer, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum How {
    /// The name means this.
    Exact,
    /// Its own name is these words.
    Name,
    /// Its synonym is these words.
    Synonym,
    /// Its name or synonym holds all the words.
    Part,
    /// Full text finds the words.
    Words,
}

#[derive(Debug, Serialize)]
struct Match {
    full_name: String,
    kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    synonym: String,
    how: How,
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let query = args.text("query");
    let (wanted, limit) = (args.word("kind"), args.number("limit"));
    let fits = |kind: &str| match wanted {
        "method" => kind == "method",
        "object" => kind != "method",
        _ => true,
    };
    let mut matches = exact(context, query, &fits)?;
    let is_identifier = !query.contains(char::is_whitespace);
    if matches.is_empty() && wanted != "method" && !query.contains('.') {
        matches = objects_of_words(context, query)?;
    }
    let sure = !matches.is_empty();
    let mut similar = Vec::new();
    if !sure {
        let filter = match wanted {
            "method" => Filter::Methods,
            "object" => Filter::Objects,
            _ => Filter::All,
        };
        for hit in context.index.fulltext(query, filter, limit)? {
            let Named { full_name, kind, .. } = context.index.named(hit.id)?;
            similar.push(Match { full_name, kind, synonym: String::new(), how: How::Words });
        }
        // A phrase may be meant loosely; an identifier names a thing that is there or isn't.
        if !is_identifier {
            matches = std::mem::take(&mut similar);
        }
    }
    let best = matches.first().map(|first| first.how);
    let equally_good = matches.iter().filter(|found| Some(found.how) == best).count();
    let beyond = matches.len().saturating_sub(limit);
    matches.truncate(limit);

    let mut answer = Answer::complete();
    if matches.is_empty() {
        let nothing = say(context.language, "ничего с таким именем нет", "nothing has this name");
        answer = answer.empty(format!("{nothing}: {}", query.chars().take(100).collect::<String>()));
    } else if equally_good > 1 || best == Some(How::Words) {
        answer = answer.ambiguous();
    }
    let narrower = say(context.language, "уточните фразу", "make the phrase narrower");
    if beyond > 0 {
        answer = answer.remark(narrower);
    }
    answer = answer.list_of_more(
        "matches",
        &matches,
        Some(beyond),
        Next::Page { tool: "resolve_entity", arguments: args.with("limit", 50), offset: 0 },
    );
    if matches.is_empty() || best >= Some(How::Part) {
        let nearest: Vec<String> = context
            .index
            .nearest(query, 20)?
            .into_iter()
            .filter(|named| fits(&named.kind))
            .map(|named| named.full_name)
            .take(5)
            .collect();
        answer = answer.field("nearest", nearest);
    }
    Ok(answer.list("similar", &similar, Next::None))
}

/// What the name itself means.
fn exact(context: &Context<'_>, query: &str, fits: &impl Fn(&str) -> bool) -> Result<Vec<Match>, ToolError> {
    let named = match context.index.resolve(query)? {
        Resolution::Found(named) => vec![named],
        Resolution::Ambiguous(several) => several,
        Resolution::Unknown { .. } => Vec::new(),
    };
    named
        .into_iter()
        .filter(|named| fits(&named.kind))
        .map(|named| {
            let synonym = context.index.object(named.id)?.map(|object| object.synonym).unwrap_or_default();
            Ok(Match { full_name: named.full_name, kind: named.kind, synonym, how: How::Exact })
        })
        .collect()
}

/// Objects of the top level whose name or synonym consists of the words of a phrase, or holds them all. A word for a kind
/// in the phrase («документ», «регистры накопления») restricts the kind.
fn objects_of_words(context: &Context<'_>, phrase: &str) -> Result<Vec<Match>, ToolError> {
    let (kind, wanted) = asked(phrase);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for object in context.index.objects(kind.map_or("", Kind::en))? {
        context.check()?;
        let name: HashSet<String> = query_terms(&object.name).into_iter().collect();
        let synonym: HashSet<String> = query_terms(&object.synonym).into_iter().collect();
        let how = if name == wanted {
            How::Name
        } else if synonym == wanted {
            How::Synonym
        } else if wanted.iter().all(|term| name.contains(term) || synonym.contains(term)) {
            How::Part
        } else {
            continue;
        };
        found.push(Match { full_name: object.full_name, kind: object.kind, synonym: object.synonym, how });
    }
    found.sort_by(|a, b| (a.how, a.full_name.len(), &a.full_name).cmp(&(b.how, b.full_name.len(), &b.full_name)));
    Ok(found)
}

/// The kind that a phrase names, and the words of what is asked for beside it.
fn asked(phrase: &str) -> (Option<Kind>, HashSet<String>) {
    let mut kind = None;
    let mut rest = Vec::new();
    let mut words = phrase.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
        // Kinds of two words are written as one in names: «регистр накопления».
        let two = words.peek().map(|next| format!("{plain}{next}"));
        if let Some(found) = two.as_deref().and_then(kind_of) {
            kind = Some(found);
            words.next();
        } else if let Some(found) = kind_of(plain) {
            kind = Some(found);
        } else {
            rest.push(plain);
        }
    }
    let mut wanted: HashSet<String> = query_terms(&rest.join(" ")).into_iter().collect();
    if wanted.is_empty() {
        // «Отчёт Задачи»: a name that is itself a word for a kind.
        let Some((first, name)) = phrase.trim().split_once(char::is_whitespace) else { return (kind, wanted) };
        kind = kind_of(first.trim_matches(|c: char| !c.is_alphanumeric()));
        if kind.is_some() {
            wanted = query_terms(name).into_iter().collect();
        }
    }
    (kind, wanted)
}

fn kind_of(word: &str) -> Option<Kind> {
    if word.chars().count() < 4 {
        return None;
    }
    // «отчёт» as people write it.
    Kind::from_word(&word.replace('ё', "е").replace('Ё', "Е")).filter(|kind| kind.is_top())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_kinds_and_names() {
        let asked = |phrase: &str| {
            let (kind, wanted) = asked(phrase);
            (kind.map(Kind::en), wanted.len())
        };
        assert_eq!(asked("регистр накопления Запасы"), (Some("AccumulationRegister"), 1));
        assert_eq!(asked("отчёт Задачи"), (Some("Report"), 1), "a name that is itself a word for a kind");
        assert_eq!(asked("задачи"), (Some("Task"), 0));
        assert_eq!(asked("настройки печати"), (None, 2));
    }
}
