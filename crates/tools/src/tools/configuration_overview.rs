//! `configuration_overview`: what this configuration is.

use serde_json::{Value, json};

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::first;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "configuration_overview",
    group: Group::Search,
    purpose: "What this configuration is, on one page (обзор конфигурации): properties, counts by kind, subsystems, most called methods, ways in, \
integrations, largest modules. Ask it first when you know nothing yet. Not for one object (object_passport).",
    params: &[Param {
        name: "section",
        aliases: &["part", "раздел"],
        kind: ParamKind::Choice {
            words: &[
                ("all", &["всё", "все", "overview"]),
                ("subsystems", &["subsystem", "подсистемы", "подсистема"]),
                ("hubs", &["hub", "узлы", "методы"]),
                ("communities", &["community", "группы", "кластеры", "groups"]),
                ("integrations", &["integration", "интеграции", "интеграция"]),
                ("sizes", &["size", "modules", "модули", "размеры"]),
            ],
            default: "all",
        },
        required: false,
        about: "One section at full length instead of all.",
    }],
    example: r#"{"section": "all"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let overview = context.index.overview()?;
    let itself =
        context.index.view("SELECT name, synonym, file FROM objects WHERE full_name = 'Configuration'", &[])?;
    let itself = itself.into_iter().next().unwrap_or_default();
    let section = |name: &str| Next::Call { tool: "configuration_overview", arguments: json!({ "section": name }) };
    let sql = |sql: &str| Next::Call { tool: "sql_select", arguments: json!({ "sql": sql }) };
    let subsystems: Vec<Value> = overview
        .subsystems
        .iter()
        .map(|node| {
            let children: Vec<&str> = node.children.iter().map(|child| child.name.as_str()).collect();
            let described = first(context, "SELECT file FROM objects WHERE full_name = ?1", &node.full_name)?;
            Ok(json!({
                "full_name": node.full_name, "synonym": node.synonym, "content": node.content, "children": children,
                "file": described.get("file"),
            }))
        })
        .collect::<Result<_, ToolError>>()?;
    let answer = Answer::complete();
    Ok(match args.word("section") {
        "subsystems" => answer.list("subsystems", &subsystems, sql("SELECT full_name, synonym FROM objects WHERE kind = 'Subsystem'")),
        "hubs" => answer.list("hubs", &overview.hubs, sql("SELECT target, count(*) AS n FROM edges GROUP BY target ORDER BY n DESC")),
        "communities" => answer.list("communities", &overview.communities, Next::None),
        "integrations" => answer.list("integrations", &overview.integrations, sql("SELECT full_name FROM objects WHERE kind IN ('HTTPService', 'WebService', 'WSReference', 'ExchangePlan', 'IntegrationService')")),
        "sizes" => answer.list("largest", &overview.largest, sql("SELECT full_name, lines FROM modules ORDER BY lines DESC")),
        _ => answer
            .field("name", itself.get("name"))
            .field("synonym", itself.get("synonym"))
            .field("file", itself.get("file"))
            .field("properties", overview.properties.iter().cloned().collect::<std::collections::BTreeMap<_, _>>())
            .field("modules", overview.modules)
            .field("methods", overview.methods)
            .field("lines", overview.lines)
            .field("edges", overview.edges)
            .list("kinds", &overview.kinds.iter().map(|kind| json!([kind.kind, kind.count])).collect::<Vec<_>>(), sql("SELECT kind, count(*) AS n FROM objects GROUP BY kind ORDER BY n DESC"))
            .list("entries", &overview.entries, sql("SELECT channel, count(*) AS n FROM edges GROUP BY channel ORDER BY n DESC"))
            .list("hubs", &overview.hubs.iter().take(10).collect::<Vec<_>>(), section("hubs"))
            .list("communities", &overview.communities.iter().take(8).collect::<Vec<_>>(), section("communities"))
            .list("largest", &overview.largest.iter().take(10).collect::<Vec<_>>(), section("sizes"))
            .list("subsystems", &subsystems, section("subsystems"))
            .list("integrations", &overview.integrations, section("integrations")),
    })
}
