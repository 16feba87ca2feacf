//! `find_definition`: from a name, or the text of an error, to the place that it means.

use index::{Definition, ErrorPlace, Resolution};
use serde_json::{Value, json};

use super::literal_search::WITHIN;
use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "find_definition",
    group: Group::Search,
    purpose: "Where a name is defined (где определено): file and line of a method, module, object, attribute, item, attribute or command of a form, \
variable of a module. The text of an error or a stack (`{Документ.Заказ.МодульОбъекта(231)}: …`, место ошибки) gives the method and line of \
each place that it names. A short name is looked up beside `within` first (a module, form, object, or a method of it). Several of that name are all \
given. Not for where it is used (find_usages), nor for a phrase (resolve_entity), nor for local variables (variable_flow).",
    params: &[
        Param::name(
            "Full name, `Модуль.Метод`, or with `within` a short name: `ПриОткрытии`, `Контрагент`; or an error's text with its places.",
        ),
        Param { about: "Where the name is written: a module, form or object, or a method of it.", ..WITHIN },
        Param::limit(20, 100),
    ],
    example: r#"{"name": "ЗаполнитьЦены", "within": "Документ.РеализацияТоваров.Форма.ФормаДокумента"}"#,
    class: Class::Read,
    ceiling: 8_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, name, limit) = (context.index, args.text("name"), args.number("limit"));
    let places = index.error_places(name)?;
    if !places.is_empty() {
        return Ok(places_of_error(context, args, &places));
    }
    let mut found: Vec<Definition> = Vec::new();
    let mut how = "name";
    if !args.text("within").is_empty() {
        let owner = index.require(args.text("within"))?;
        found = index.defined_within(&owner, name)?;
        how = "within";
    }
    let mut total = found.len();
    let mut nearest: Vec<String> = Vec::new();
    if found.is_empty() {
        how = "name";
        let named = match index.resolve(name)? {
            Resolution::Found(named) => vec![named],
            Resolution::Ambiguous(several) => several,
            Resolution::Unknown { nearest: near } => {
                nearest = near.into_iter().map(|named| named.full_name).collect();
                Vec::new()
            }
        };
        total = named.len();
        for named in named.iter().take(limit) {
            context.check()?;
            found.push(index.definition(named)?);
        }
    }
    found.truncate(limit);
    let rows: Vec<Value> = found.iter().map(row).collect();
    let mut answer = Answer::complete().field("how", (!rows.is_empty()).then_some(how)).field("nearest", &nearest);
    if rows.is_empty() {
        let nothing = say(
            context.language,
            "в конфигурации такого имени нет; функции и типы платформы здесь не ищутся",
            "the configuration has no such name; functions and types of the platform are not looked up here",
        );
        answer = answer.empty(nothing);
    } else if rows.len() > 1 || total > 1 {
        answer = answer.ambiguous();
    }
    // There are no pages: a larger limit shows more.
    let next = match limit {
        100.. => Next::None,
        _ => Next::Call { tool: "find_definition", arguments: args.with("limit", 100) },
    };
    Ok(answer.list_of_more("definitions", &rows, Some(total.saturating_sub(rows.len())), next))
}

/// The places that an error names, as it names them: where it began is last.
fn places_of_error(context: &Context<'_>, args: &Args, places: &[ErrorPlace]) -> Answer {
    let shown = places.get(..args.number("limit").min(places.len())).unwrap_or_default();
    let mut answer = Answer::complete().field("how", "error").field("total", places.len());
    if places.iter().any(|place| place.file.is_empty()) {
        let unknown = say(
            context.language,
            "модулей без файла нет в индексе: другая конфигурация, расширение или внешняя обработка",
            "modules without a file are not in the index: another configuration, an extension or an external processor",
        );
        answer = answer.incomplete(unknown);
    }
    let next = Next::Call { tool: TOOL.name, arguments: args.with("limit", 100) };
    answer.list_of_more("places", shown, Some(places.len() - shown.len()), next)
}

/// A place with the call that reads what stands there.
fn row(one: &Definition) -> Value {
    let mut row = json!(one);
    let read = match one.kind.as_str() {
        "method" => Some(call("read_method", &json!({ "name": one.full_name }))),
        "module" | "module_variable" => {
            Some(call("read_module", &json!({ "name": one.file, "from_line": one.line.max(1) })))
        }
        _ => None,
    };
    if let (Some(object), Some(read)) = (row.as_object_mut(), read) {
        object.insert("read".to_owned(), read);
    }
    row
}
