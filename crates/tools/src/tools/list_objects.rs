//! `list_objects`: objects of metadata by kind, subsystem, name, layer and support.

use std::collections::BTreeMap;

use index::ObjectFilter;
use metadata::kinds::Kind;
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::{Problem, ToolError};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "list_objects",
    group: Group::Search,
    purpose: "Objects of metadata by filters (список объектов): all catalogs, registers of a subsystem, objects whose name holds a word, objects of an \
extension, what the vendor locks. Without `kind` of every kind, counted by kind. Not for attributes and forms of one object (object_passport), nor for \
a phrase (resolve_entity).",
    params: &[
        Param {
            name: "kind",
            aliases: &["type", "вид", "тип"],
            kind: ParamKind::Text,
            required: false,
            about: "`Справочник`, `Документы`, `InformationRegister`, also `Form`, `Template`; empty: all of the top level.",
        },
        Param {
            name: "subsystem",
            aliases: &["подсистема"],
            kind: ParamKind::Text,
            required: false,
            about: "Only the content of this subsystem and of those within it.",
        },
        Param {
            name: "part",
            aliases: &["name", "text", "query", "filter", "имя", "часть"],
            kind: ParamKind::Text,
            required: false,
            about: "A part of the name or synonym; several words must all be there.",
        },
        Param {
            name: "layer",
            aliases: &["extension", "слой", "расширение"],
            kind: ParamKind::Text,
            required: false,
            about: "Only objects of this extension or external processor; `main`: of the main configuration.",
        },
        Param {
            name: "support",
            aliases: &["поддержка"],
            kind: ParamKind::Choice {
                words: &[
                    ("any", &["all", "любая", "все"]),
                    ("locked", &["закрыт", "на замке", "замок"]),
                    ("editable", &["редактируется", "изменяемый"]),
                    ("removed", &["снят", "снят с поддержки"]),
                    ("own", &["свой", "собственный", "свои"]),
                ],
                default: "any",
            },
            required: false,
            about: "Support by the vendor.",
        },
        Param::limit(50, 500),
        Param::offset(),
    ],
    example: r#"{"kind": "Справочник", "part": "валют"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let kind = match args.text("kind") {
        "" => String::new(),
        word => kind_named(word)?,
    };
    let subsystem = match args.text("subsystem") {
        "" => None,
        name => Some(subsystem(context, name)?),
    };
    let support = match args.word("support") {
        "any" => String::new(),
        word => word.to_owned(),
    };
    let filter = ObjectFilter {
        kind,
        subsystem: subsystem.as_ref().map(|named| named.id),
        part: args.text("part").to_owned(),
        layer: args.text("layer").to_owned(),
        support,
    };
    let all = context.index.objects_where(&filter)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for object in &all {
        *counts.entry(&object.kind).or_default() += 1;
    }
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let rows: Vec<Value> = all
        .iter()
        .skip(offset)
        .take(limit)
        .map(|object| {
            let mut row = json!({ "full_name": object.full_name, "synonym": object.synonym });
            for (key, value) in [("subsystem", &object.subsystem), ("support", &object.support)] {
                if !value.is_empty() {
                    row[key] = value.as_str().into();
                }
            }
            row
        })
        .collect();
    let mut answer = Answer::complete()
        .field("kind", &filter.kind)
        .field("subsystem", subsystem.map(|named| named.full_name))
        .field("total", all.len())
        .field("counts", (counts.len() > 1).then(|| json!(counts)));
    if all.is_empty() {
        answer = answer.empty(nothing(context, &filter)?);
    } else if rows.is_empty() {
        answer = answer.empty(format!("offset {offset} ≥ {}", all.len()));
    }
    let beyond = all.len().saturating_sub(offset + rows.len());
    let next = Next::Page { tool: "list_objects", arguments: args.with("limit", limit), offset };
    Ok(answer.list_of_more("objects", &rows, Some(beyond), next))
}

/// Why there is none: which filter left nothing.
fn nothing(context: &Context<'_>, filter: &ObjectFilter) -> Result<String, ToolError> {
    let base = say(context.language, "таких объектов нет", "there are no such objects");
    let without = |change: &dyn Fn(&mut ObjectFilter)| -> Result<usize, ToolError> {
        let mut wider = filter.clone();
        change(&mut wider);
        Ok(if wider == *filter { 0 } else { context.index.objects_where(&wider)?.len() })
    };
    let mut wider = Vec::new();
    for (word, count) in [
        ("part", without(&|wider| wider.part.clear())?),
        ("subsystem", without(&|wider| wider.subsystem = None)?),
        ("layer", without(&|wider| wider.layer.clear())?),
        ("support", without(&|wider| wider.support.clear())?),
        ("kind", without(&|wider| wider.kind.clear())?),
    ] {
        if count > 0 {
            wider.push(format!("{} {word}: {count}", say(context.language, "без", "without")));
        }
    }
    Ok(if wider.is_empty() { base.to_owned() } else { format!("{base} ({})", wider.join(", ")) })
}

/// The kind that a word means, of the top level or below.
fn kind_named(word: &str) -> Result<String, ToolError> {
    if let Some(kind) = Kind::from_word(word) {
        return Ok(kind.en().to_owned());
    }
    let allowed: Vec<&'static str> = Kind::all().filter(|kind| kind.is_top()).map(Kind::en).collect();
    let words = Kind::all().flat_map(|kind| {
        let info = kind.info();
        [(info.en, kind), (info.ru, kind), (info.ru_plural, kind), (info.en_plural, kind)]
    });
    let words: Vec<(&'static str, Kind)> = words.filter(|(word, _)| !word.is_empty()).collect();
    let near = bsl::nearest(word, words.iter().map(|(word, _)| *word), 1).into_iter().next();
    let nearest = near.and_then(|near| words.iter().find(|(word, _)| *word == near)).map(|(_, kind)| kind.en());
    let problem = Problem::Choice { given: word.chars().take(60).collect(), allowed, nearest };
    Err(ToolError::Argument { argument: "kind".to_owned(), problem, example: TOOL.example })
}

/// The subsystem of a name: its own name is enough.
fn subsystem(context: &Context<'_>, name: &str) -> Result<index::Named, ToolError> {
    let of_kind = context.index.objects("Subsystem")?;
    let own: Vec<_> =
        of_kind.iter().filter(|one| bsl::same_name(&one.name, name) || bsl::same_name(&one.synonym, name)).collect();
    if let [only] = own.as_slice() {
        return Ok(context.index.named(only.id)?);
    }
    let named = match context.index.require(name) {
        Err(index::Error::UnknownName { name, .. }) => {
            let names = of_kind.iter().map(|one| one.name.as_str());
            let near = bsl::nearest(&name, names, 5);
            let full = |near: &&str| of_kind.iter().find(|one| one.name == **near).map(|one| one.full_name.clone());
            let nearest = near.iter().filter_map(full).collect();
            return Err(index::Error::UnknownName { name, nearest }.into());
        }
        other => other?,
    };
    if named.kind != "Subsystem" {
        let next = vec![call("list_objects", &json!({ "kind": "Subsystem" }))];
        let wanted = ("подсистема", "a subsystem");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    }
    Ok(named)
}
