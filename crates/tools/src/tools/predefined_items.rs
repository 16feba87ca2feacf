//! `predefined_items`: what a configuration itself puts into a catalog or chart.

use index::ViewRow;
use serde_json::json;

use crate::answer::{Answer, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{holds, text, why_none, without_empty};
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "predefined_items",
    group: Group::Graph,
    purpose: "Predefined items (предопределённые элементы) of a catalog, chart of accounts, of characteristic or calculation types: name, code, \
description, the item above, and the number of places that refer to each. Not for values of an enumeration (enum_values), nor for the \
places themselves (object_references with the item's full name).",
    params: &[
        Param::name("Catalog or chart: `Справочник.Валюты`, `ПланСчетов.Хозрасчетный`."),
        Param::filter("Only items whose name, code or description holds this."),
        Param::limit(100, 1000),
        Param::offset(),
    ],
    example: r#"{"name": "ПланСчетов.Хозрасчетный", "filter": "60"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Kinds of objects that may have them.
pub(super) const OWNERS: [&str; 4] =
    ["Catalog", "ChartOfAccounts", "ChartOfCharacteristicTypes", "ChartOfCalculationTypes"];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let target = index.require_target(args.text("name"))?;
    let asked = target.item.as_ref().map(|_| target.full_name());
    let owner = match target.named.kind.as_str() {
        kind if OWNERS.contains(&kind) => target.named,
        _ => {
            let tool = match target.named.kind.as_str() {
                "Enum" | "EnumValue" => "enum_values",
                "method" => "method_passport",
                _ => "object_passport",
            };
            let next = vec![call(tool, &json!({ "name": target.named.full_name }))];
            let wanted = ("справочник или план", "a catalog or a chart");
            return Err(ToolError::WrongKind { name: target.named.full_name, kind: target.named.kind, wanted, next });
        }
    };
    let rows = index.view(
        "SELECT p.name, p.code, p.description, p.parent,
                (SELECT count(*) FROM refs r WHERE r.target = ?1 || '.' || p.name) AS references_total
         FROM predefined p WHERE p.owner = ?1 ORDER BY p.position",
        &[&owner.full_name],
    )?;
    let filter = args.text("filter");
    let takes = |row: &&ViewRow| ["name", "code", "description"].iter().any(|key| holds(text(row, key), filter));
    let shown: Vec<ViewRow> = rows.iter().filter(takes).map(without_empty).collect();
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &owner.full_name)
        .field("file", &index.definition(&owner)?.file)
        .field("asked_for", &asked)
        .field("total", shown.len());
    if rows.is_empty() {
        let nothing = say(language, "предопределённых элементов у него нет", "it has no predefined items");
        answer = answer.empty(why_none(nothing, &state, language));
    } else if shown.is_empty() {
        let none = say(
            language,
            "предопределённых с таким текстом нет; всего их",
            "no predefined item holds this text; there are",
        );
        answer = answer.empty(format!("{none} {}", rows.len()));
    }
    Ok(answer.page("items", &shown, args, TOOL.name, args.with("name", owner.full_name)))
}
