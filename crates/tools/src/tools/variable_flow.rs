//! `variable_flow`: where a variable gets its values, and where they go.

use index::VariablePlace;
use serde_json::{Value, json};

use super::infer_type::{LINE, PLACE, place};
use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "variable_flow",
    group: Group::Search,
    purpose: "Where a variable or parameter of a method gets its values and where they go (поток переменной): assignments with types, loops; calls that \
get it (with the parameter, and whether they may change it), properties that keep it, what is read and returned. Of a variable of the module: in all \
its methods. Not for the type at one place (infer_type), nor for attributes of objects (find_usages).",
    params: &[
        Param::text(
            "variable",
            &["var", "expression", "parameter", "переменная", "параметр"],
            "Name of the variable or parameter.",
        ),
        PLACE,
        LINE,
        Param::limit(60, 400),
        Param::offset(),
    ],
    example: r#"{"variable": "СтруктураПроведения", "name": "Документ.РеализацияТоваров.МодульОбъекта.ОбработкаПроведения"}"#,
    class: Class::Read,
    ceiling: 10_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let variable = args.text("variable");
    let (name, place, _) = place(context, args)?;
    let flow = context.index.variable_flow(&place, variable)?;
    let (offset, limit) = (args.number("offset"), args.number("limit"));
    let text = Texts::of(context, &place)?;
    let sources: Vec<Value> = flow.sources.iter().take(limit).map(|one| text.row(one)).collect();
    let uses: Vec<Value> = flow.uses.iter().skip(offset).take(limit).map(|one| text.row(one)).collect();
    let mut answer = Answer::complete()
        .field("variable", variable)
        .field("in", name)
        .field("file", &place.file)
        .field("of_module", flow.of_module.then_some(true))
        .field("sources_total", flow.sources.len())
        .field("uses_total", flow.uses.len());
    if flow.sources.is_empty() && flow.uses.is_empty() {
        answer = answer.empty(say(
            context.language,
            "в методе нет такой переменной, и у модуля тоже: реквизит формы или объекта ищет find_usages",
            "neither the method nor its module has such a variable: find_usages looks for attributes of a form or object",
        ));
    } else if flow.uses.iter().any(|one| one.by_reference) {
        answer = answer.remark(say(
            context.language,
            "by_reference: вызванный метод получает саму переменную и может её изменить",
            "by_reference: the called method gets the variable itself and may change it",
        ));
    }
    if text.stale {
        answer = answer.incomplete(say(
            context.language,
            "файл изменился после индексации: строки могли сместиться",
            "the file changed after it was indexed: lines may have moved",
        ));
    }
    let more = |shown: usize, all: usize| Some(all.saturating_sub(shown));
    let wider = Next::Call { tool: "variable_flow", arguments: args.with("limit", 400) };
    let next = Next::Page { tool: "variable_flow", arguments: args.with("variable", variable), offset };
    answer = answer.list_of_more("sources", &sources, more(sources.len(), flow.sources.len()), wider);
    Ok(answer.list_of_more("uses", &uses, more(offset + uses.len(), flow.uses.len()), next))
}

/// The lines of the module.
struct Texts {
    lines: Vec<String>,
    stale: bool,
}

impl Texts {
    /// Longest line that a row shows, in characters.
    const LONGEST: usize = 160;

    fn of(context: &Context<'_>, place: &index::CodePlace) -> Result<Self, ToolError> {
        let source = context.index.lines(&place.file, 1, u32::MAX)?;
        Ok(Self { lines: source.text.lines().map(str::to_owned).collect(), stale: source.stale })
    }

    fn row(&self, one: &VariablePlace) -> Value {
        let mut row = json!(one);
        let line = usize::try_from(one.line).ok().and_then(|line| self.lines.get(line.checked_sub(1)?));
        if let Some(line) = line {
            row["text"] = line.trim().chars().take(Self::LONGEST).collect::<String>().into();
        }
        row
    }
}
