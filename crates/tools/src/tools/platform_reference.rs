//! `platform_reference`: short texts on the platform, and its built-in functions, types and members.

use serde_json::{Value, json};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::reference::{Kind, Member, ReferenceText, Source, TEXTS, text_for};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "platform_reference",
    group: Group::Reports,
    purpose: "What the platform 1C:Enterprise itself has (справка по платформе): built-in functions, types, methods, properties and system \
enumerations with signatures and where they are available, by name in Russian or English (`СтрРазделить`, `ТаблицаЗначений`, \
`ValueTable.FindRows`), with the nearest names for a wrong one; short texts on a subject: queries, forms, posting, registers, locks, \
transactions, dcs, extensions, exchange, client_server, background_jobs, rights. Not for methods and objects of this configuration \
(find_definition, resolve_entity).",
    params: &[
        Param::maybe(
            "query",
            &["name", "topic", "text", "subject", "запрос", "имя", "тема"],
            "Name of a function, type or member, or a subject; nothing: the list of subjects.",
        ),
        Param {
            name: "kind",
            aliases: &["вид", "what"],
            kind: ParamKind::Choice {
                words: &[
                    ("any", &["любой", "all"]),
                    ("text", &["topic", "subject", "текст", "тема"]),
                    ("member", &["function", "type", "method", "функция", "тип", "метод"]),
                ],
                default: "any",
            },
            required: false,
            about: "Only a text, or only names.",
        },
        Param {
            name: "from_line",
            aliases: &["line"],
            kind: ParamKind::Integer { least: 1, most: 10_000, default: 1 },
            required: false,
            about: "Of a text: the first line to show.",
        },
        Param::limit(40, 400),
        Param::offset(),
    ],
    example: r#"{"query": "ТаблицаЗначений.НайтиСтроки"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

/// Shortest part of a name that is looked for, in characters.
const SHORTEST: usize = 3;
/// Nearest names that are offered.
const NEAREST: usize = 6;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let language = context.language;
    let asked = args.text("query").trim_start_matches("Новый ").trim_end_matches("()").trim();
    let kind = args.word("kind");
    if asked.is_empty() {
        return Ok(Answer::complete().list("subjects", &subjects(), Next::None));
    }
    let source = Source::of(context.index)?;
    let members = &*source.members;
    let not_all = source.file.is_none().then_some(say(
        language,
        "список неполный: чего в нём нет, то в платформе может быть",
        "the list is not complete: what is not in it may exist in the platform",
    ));
    let from = |mut answer: Answer| {
        if let Some(file) = &source.file {
            answer = answer.field("source", file.display().to_string());
        }
        source.remark(language).into_iter().fold(answer, |answer, remark| answer.remark(remark))
    };
    let text = text_for(asked).filter(|_| kind != "member");
    // A name is surer than a word of a subject, unless the subject itself is named.
    let is_subject = text.is_some_and(|text| bsl::same_name(text.name, asked)) || kind == "text";
    if !is_subject {
        let mut found = members.named(asked);
        let of_type = members.members_of(asked);
        let exact = !found.is_empty() || !of_type.is_empty();
        if !exact && text.is_none() && asked.chars().count() >= SHORTEST && !asked.contains(' ') {
            found = members.with_part(asked.rsplit('.').next().unwrap_or(asked));
        }
        if !found.is_empty() || !of_type.is_empty() {
            let mut answer = from(Answer::complete().field("asked_for", asked));
            if !exact {
                answer = answer.remark(say(
                    language,
                    "точного имени нет; имена, в которых оно есть",
                    "no exact name; names that hold it",
                ));
            }
            let type_name = of_type.first().map(|member| json!({ "ru": &*member.owner.0, "en": &*member.owner.1 }));
            answer = not_all.into_iter().fold(answer.field("type", type_name), |answer, remark| answer.remark(remark));
            let mut rows: Vec<Value> = found.iter().map(|member| entry(member, true)).collect();
            rows.extend(of_type.iter().map(|member| entry(member, false)));
            return Ok(answer.page("members", &rows, args, TOOL.name, args.with("query", asked)));
        }
    }
    if let Some(text) = text {
        return Ok(of_text(text, args, language));
    }
    let nothing = match source.file {
        None => say(
            language,
            "в нашем списке такого имени нет, и темы такой нет",
            "our list has no such name, and there is no such subject",
        ),
        Some(_) => say(
            language,
            "в справке этой версии платформы такого имени нет, и темы такой нет",
            "the help of this version of the platform has no such name, and there is no such subject",
        ),
    };
    let names: Vec<&str> = TEXTS.iter().map(|text| text.name).collect();
    let answer =
        not_all.into_iter().fold(from(Answer::complete()).empty(nothing), |answer, why| answer.incomplete(why));
    Ok(answer
        .field("asked_for", asked)
        .field("nearest", members.nearest_names(asked, NEAREST))
        .field("subjects", names)
        .list("members", &Vec::<Value>::new(), Next::None))
}

fn subjects() -> Vec<Value> {
    TEXTS
        .iter()
        .map(|text| json!({ "query": text.name, "title": text.title(), "lines": text.text.lines().count() }))
        .collect()
}

fn of_text(text: &ReferenceText, args: &Args, language: metadata::Language) -> Answer {
    let from = args.number("from_line").max(1);
    let rest: String = text.text.split_inclusive('\n').skip(from - 1).collect();
    let mut answer = Answer::complete().field("subject", text.name).field("title", text.title());
    if rest.is_empty() {
        answer = answer.empty(say(language, "текст кончился раньше этой строки", "the text ends before this line"));
    }
    let line = u32::try_from(from).unwrap_or(1);
    answer.source(rest, line, TOOL.name, json!({ "query": text.name, "kind": "text" }))
}

fn entry(member: &Member, with_owner: bool) -> Value {
    let mut entry = json!({ "kind": member.kind, "ru": &*member.ru });
    if !member.en.is_empty() && member.en != member.ru {
        entry["en"] = member.en.as_ref().into();
    }
    if with_owner && !member.owner.0.is_empty() {
        entry["of"] = member.owner.0.as_ref().into();
    }
    match (member.signature.as_ref(), member.kind) {
        ("", Kind::Function | Kind::Method | Kind::Constructor) => entry["signature"] = Value::Null,
        ("", _) => {}
        (signature, _) => entry["signature"] = signature.into(),
    }
    if !member.returns.is_empty() {
        entry["returns"] = member.returns.as_ref().into();
    }
    let places = member.available.places();
    if !places.is_empty() {
        entry["available"] = places.into();
    }
    entry
}
