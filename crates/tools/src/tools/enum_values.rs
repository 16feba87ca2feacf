//! `enum_values`: the values of an enumeration.

use index::ViewRow;
use serde_json::{Value, json};

use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{text, why_none, without_empty};
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "enum_values",
    group: Group::Graph,
    purpose: "Values of an enumeration (значения перечисления) in their order, with synonyms and the number of places that refer to each. A \
value's own name gives its enumeration. Not for predefined items of catalogs (predefined_items), nor for the places themselves \
(object_references with the value's full name).",
    params: &[Param::name("Enumeration: `Перечисление.ВидыОпераций`."), Param::limit(100, 1000), Param::offset()],
    example: r#"{"name": "Перечисление.СтавкиНДС"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    // Code writes a value right behind its enumeration: `Перечисление.СтавкиНДС.Без`.
    let typed = metadata::names::canonical(args.text("name")).unwrap_or_else(|| args.text("name").to_owned());
    let full = match typed.split('.').collect::<Vec<_>>().as_slice() {
        ["Enum", own, value] => format!("Enum.{own}.EnumValue.{value}"),
        _ => typed,
    };
    let named = index.require(&full)?;
    let (owner, asked) = match named.full_name.split_once(".EnumValue.") {
        Some((owner, value)) => (index.require(owner)?, Some(value.to_owned())),
        None => (named, None),
    };
    if owner.kind != "Enum" {
        let has_items = super::predefined_items::OWNERS.contains(&owner.kind.as_str());
        let tool = match owner.kind.as_str() {
            _ if has_items => "predefined_items",
            "method" => "method_passport",
            _ => "object_passport",
        };
        let next = vec![call(tool, &json!({ "name": owner.full_name }))];
        let wanted = ("перечисление", "an enumeration");
        return Err(ToolError::WrongKind { name: owner.full_name, kind: owner.kind, wanted, next });
    }
    let rows = index.view(
        "SELECT v.name, v.synonym, v.position,
                (SELECT count(*) FROM refs r WHERE r.target = ?1 || '.EnumValue.' || v.name) AS references_total
         FROM enum_values v WHERE v.owner = ?1 ORDER BY v.position",
        &[&owner.full_name],
    )?;
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &owner.full_name)
        .field("asked_for", &asked)
        .field("total", rows.len());
    if rows.is_empty() {
        let nothing = say(language, "значений у перечисления нет", "the enumeration has no values");
        answer = answer.empty(why_none(nothing, &state, language));
    }
    let shown: Vec<ViewRow> = rows.iter().map(without_empty).collect();
    if shown.iter().any(|row| row.get("references_total").and_then(Value::as_u64) == Some(0)) {
        let unused: Vec<&str> = rows
            .iter()
            .filter(|row| row.get("references_total").and_then(Value::as_u64) == Some(0))
            .map(|row| text(row, "name"))
            .take(5)
            .collect();
        let what = say(
            language,
            "ссылок не найдено, но доказано ли это, скажет object_references",
            "no references were found; whether that is proven object_references tells",
        );
        answer = answer.remark(format!("{}: {what}", unused.join(", ")));
    }
    Ok(answer.page("values", &shown, args, TOOL.name, args.with("name", owner.full_name)))
}
