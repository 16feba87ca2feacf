//! `relation_path`: how two objects can be joined in a query.

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "relation_path",
    group: Group::Graph,
    purpose: "How two objects (catalog, document, register, tabular section …) can be joined in a query (как связаны таблицы): \
references of attributes, composite and defined types too, owners, tabular sections, recorders and dimensions of registers, \
tables that both refer to. Each way has its fields with file and line, and a ready query in 1C's query language, the most natural first. Not for \
calls between methods (call_path), nor for every place that refers to an object (object_references).",
    params: &[
        Param::text("from", &["source", "откуда", "first", "a"], "One table, e.g. `Документ.Заказ`."),
        Param::text("to", &["target", "куда", "second", "b"], "The other one, e.g. `РегистрНакопления.Запасы`."),
        Param::limit(3, 20),
    ],
    example: r#"{"from": "Документ.РеализацияТоваров", "to": "Справочник.Контрагенты"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let from = context.index.require(args.text("from"))?;
    let to = context.index.require(args.text("to"))?;
    let limit = args.number("limit");
    let mut found = context.index.relation_paths(&from, &to, limit + 1)?;
    let more = found.len() > limit;
    found.truncate(limit);
    let mut answer = Answer::complete().field("from", &from.full_name).field("to", &to.full_name);
    if found.is_empty() {
        let nothing = say(
            context.language,
            "эти таблицы не связаны ссылками: ни прямо, ни через другие таблицы",
            "no references join these tables, neither directly nor through others",
        );
        answer = answer.empty(nothing);
    }
    let next = Next::Call { tool: "relation_path", arguments: args.with("limit", (limit * 3).min(20)) };
    Ok(answer.list_of_more("paths", &found, if more { None } else { Some(0) }, next))
}
