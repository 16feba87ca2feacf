//! `infer_type`: what an expression may be at a place.

use index::CodePlace;
use serde_json::json;

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "infer_type",
    group: Group::Search,
    purpose: "Types that an expression may have at a place of a method (тип выражения в месте кода): a variable, `Заказ.Контрагент`, a call. Each type \
says how it is known (written, inferred, metadata, comment, calls …); `evidence` names assignments, attributes and methods behind it. \
`state.complete=false`: something else may stand there too. Not for a method's own parameters and result (method_passport), nor for where a \
variable's values go (variable_flow).",
    params: &[
        Param {
            name: "expression",
            aliases: &["expr", "variable", "text", "выражение", "переменная"],
            kind: ParamKind::Text,
            required: true,
            about: "One expression of the language; it need not stand in the code.",
        },
        PLACE,
        LINE,
    ],
    example: r#"{"expression": "Выборка.Контрагент", "name": "Документ.РеализацияТоваров.МодульОбъекта.ОбработкаПроведения", "line": 120}"#,
    class: Class::Read,
    ceiling: 6_000,
    run,
};

pub(super) const PLACE: Param = Param {
    about: "The method; or a module, form or file with `line`.",
    aliases: &["method", "place", "module", "file", "full_name", "path", "метод", "имя", "где", "файл"],
    ..Param::name("")
};

pub(super) const LINE: Param = Param {
    name: "line",
    aliases: &["at", "строка"],
    kind: ParamKind::Integer { least: 0, most: 10_000_000, default: 0 },
    required: false,
    about: "Line of the file; 0: anywhere in the method. What the line assigns counts as assigned.",
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let expression = args.text("expression");
    let (name, place, line) = place(context, args)?;
    let found = context.index.infer(&place, line, expression)?;
    let mut answer = Answer::complete()
        .field("expression", expression)
        .field("in", &name)
        .field("file", &place.file)
        .field("line", line)
        .field("is", found.what);
    if found.types.is_empty() {
        answer = answer.empty(say(
            context.language,
            "о типе ничего не известно: значение приходит оттуда, куда вывод типов не видит",
            "nothing is known of the type: the value comes from where inference can't see",
        ));
    }
    if found.open {
        answer = answer.incomplete(say(
            context.language,
            "может быть и другое значение: не все источники известны",
            "it may be something else too: not all sources are known",
        ));
    }
    let more = match found.what {
        "variable" => Next::Call { tool: "variable_flow", arguments: json!({ "variable": expression, "name": name }) },
        _ => Next::None,
    };
    Ok(answer.list("types", &found.types, Next::None).list("evidence", &found.evidence, more))
}

/// The place that the arguments mean, its name, and the line if one was given.
pub(super) fn place(context: &Context<'_>, args: &Args) -> Result<(String, CodePlace, Option<u32>), ToolError> {
    let (index, name) = (context.index, args.text("name"));
    let line = u32::try_from(args.number("line")).ok().filter(|line| *line > 0);
    let path = name.replace('\\', "/");
    let of_file =
        if path.contains('/') { index.module_files()?.into_iter().find(|file| file.path == path) } else { None };
    let named = match of_file {
        Some(file) => index.named(file.module)?,
        None => index.require(name)?,
    };
    let Some(place) = index.code_place(named.id, line)? else {
        let mut next: Vec<_> = index
            .methods_of(named.id)?
            .iter()
            .take(3)
            .map(|method| call("read_method", &json!({ "name": method.full_name })))
            .collect();
        next.push(call("module_outline", &json!({ "name": named.full_name })));
        let wanted = ("метод, или модуль с line", "a method, or a module with `line`");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    };
    let name = place.method.as_ref().map_or(named.full_name, |method| method.full_name.clone());
    Ok((name, place, line))
}
