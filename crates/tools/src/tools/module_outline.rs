//! `module_outline`: what a module consists of.

use index::{Arrival, MethodRow, ModuleOutline, Named, RegionRow};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "module_outline",
    group: Group::Search,
    purpose: "What a module consists of (структура модуля): its methods in order with parameters, export, context, region and how each is reached \
(`by`: handlers of events, commands, subscriptions, calls, with counts), and its regions. `only`: exported ones, handlers, or those that nothing \
known reaches. Not for the text (read_module, read_method), nor for all callers of a method (callers).",
    params: &[
        Param::name("A module, common module, form, or an object: `Документ.Х.МодульОбъекта`, `Документ.Х.Форма.Y`."),
        Param {
            name: "only",
            aliases: &["filter", "which", "только"],
            kind: ParamKind::Choice {
                words: &[
                    ("all", &["все", "всё", "any"]),
                    ("export", &["exports", "exported", "экспорт", "экспортные"]),
                    ("handlers", &["handler", "обработчики", "события"]),
                    ("unreached", &["unused", "неиспользуемые", "не вызываются"]),
                ],
                default: "all",
            },
            required: false,
            about: "Which methods.",
        },
        Param::limit(100, 1000),
        Param::offset(),
    ],
    example: r#"{"name": "Документ.РеализацияТоваров.МодульОбъекта"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

/// Ways by which a method is reached that a row shows.
const WAYS: usize = 3;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let named = context.index.require(args.text("name"))?;
    let outline = match module_of(context, &named, "module_outline")? {
        Ok(outline) => outline,
        Err(several) => return Ok(several),
    };
    let arrivals = context.index.arrivals(&outline.methods)?;
    let outside = |one: &Arrival| one.from_outside;
    let none = Vec::new();
    let of = |method: &MethodRow| arrivals.get(&method.id).unwrap_or(&none);
    let only = args.word("only");
    let wanted: Vec<&MethodRow> = outline
        .methods
        .iter()
        .filter(|method| match only {
            "export" => method.is_export,
            "handlers" => of(method).iter().any(outside),
            "unreached" => of(method).is_empty(),
            _ => true,
        })
        .collect();
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let rows: Vec<Value> = wanted.iter().skip(offset).take(limit).map(|method| row(method, of(method))).collect();
    let count = |test: &dyn Fn(&MethodRow) -> bool| outline.methods.iter().filter(|method| test(method)).count();
    let mut answer = Answer::complete()
        .field("full_name", &outline.full_name)
        .field("kind", &outline.kind)
        .field("file", &outline.file)
        .field("lines", outline.lines)
        .field("methods_total", outline.methods.len())
        .field("exported", count(&|method| method.is_export))
        .field("handlers", count(&|method| of(method).iter().any(outside)))
        .field("unreached", count(&|method| of(method).is_empty()));
    if outline.methods.is_empty() {
        answer = answer.empty(say(context.language, "в модуле нет методов", "the module has no methods"));
    } else if wanted.is_empty() {
        answer = answer.empty(say(context.language, "таких методов в модуле нет", "the module has no such methods"));
    } else if rows.is_empty() {
        answer = answer.empty(format!("offset {offset} ≥ {}", wanted.len()));
    }
    if only == "unreached" && !rows.is_empty() {
        answer = answer.incomplete(say(
            context.language,
            "ни одной известной связи ещё не значит, что метод не нужен: callers скажет, доказано ли это",
            "no known link does not prove that a method is unused: callers says whether it is",
        ));
    }
    let next = Next::Page { tool: "module_outline", arguments: args.with("name", outline.full_name.clone()), offset };
    let beyond = wanted.len().saturating_sub(offset + rows.len());
    answer = answer.list_of_more("methods", &rows, Some(beyond), next);
    if offset == 0 && only == "all" {
        let read = Next::Call { tool: "read_module", arguments: json!({ "name": outline.full_name }) };
        answer = answer.list("regions", &outline.regions.iter().map(region).collect::<Vec<_>>(), read);
    }
    Ok(answer)
}

fn row(method: &MethodRow, arrivals: &[Arrival]) -> Value {
    let mut row =
        json!({ "name": method.name, "params": method.params, "line": method.line, "end_line": method.end_line });
    let flags = [("function", method.is_function), ("export", method.is_export), ("async", method.is_async)];
    for (key, _) in flags.into_iter().filter(|(_, set)| *set) {
        row[key] = true.into();
    }
    for (key, text) in [("context", &method.context), ("region", &method.region)] {
        if !text.is_empty() {
            row[key] = text.as_str().into();
        }
    }
    let by: Vec<String> = arrivals
        .iter()
        .take(WAYS)
        .map(|one| match (one.count, one.from_outside) {
            (1, _) | (_, true) => format!("{} {}", one.channel, one.first),
            (count, false) => format!("{} ×{count}", one.channel),
        })
        .collect();
    if !by.is_empty() {
        row["by"] = by.into();
    }
    row
}

fn region(region: &RegionRow) -> Value {
    json!([region.name, region.line, region.end_line])
}

/// The outline of the one module that a name means: its own, or the only one that it holds. Of a thing with several modules a list of
/// them instead.
pub(super) fn module_of(
    context: &Context<'_>,
    named: &Named,
    tool: &'static str,
) -> Result<Result<ModuleOutline, Answer>, ToolError> {
    if let Some(outline) = context.index.outline(named.id)? {
        return Ok(Ok(outline));
    }
    let modules = match context.index.object_passport(named.id)? {
        Some(passport) => passport.modules,
        None => Vec::new(),
    };
    match modules.as_slice() {
        [] => {
            let mut next = vec![call("object_passport", &json!({ "name": named.full_name }))];
            if context.index.method(named.id)?.is_some() {
                next.insert(0, call("read_method", &json!({ "name": named.full_name })));
            }
            let wanted = ("модуль, форма или объект с модулем", "a module, a form or an object that has a module");
            let (name, kind) = (named.full_name.clone(), named.kind.clone());
            Err(ToolError::WrongKind { name, kind, wanted, next })
        }
        [only] => {
            let only = context.index.require(only)?;
            match context.index.outline(only.id)? {
                Some(outline) => Ok(Ok(outline)),
                None => Err(index::Error::UnknownName { name: only.full_name, nearest: Vec::new() }.into()),
            }
        }
        several => {
            let rows: Vec<Value> = several
                .iter()
                .map(|module| json!({ "full_name": module, "next": call(tool, &json!({ "name": module })) }))
                .collect();
            let remark =
                say(context.language, "модулей несколько, выберите один", "there are several modules, take one");
            let answer = Answer::complete().ambiguous().remark(remark).field("full_name", &named.full_name);
            Ok(Err(answer.list("modules", &rows, Next::None)))
        }
    }
}
