//! `propose_split_method`: lines of a method become a method of their own.

use crate::answer::Answer;
use crate::context::Context;
use crate::edits::EditError;
use crate::edits::code::tokens::is_free_name;
use crate::edits::code::{Place, propose};
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};
use crate::tools::propose_patch::{TITLE, title_or};
use crate::tools::propose_replace_lines::{line, lines};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "propose_split_method",
    group: Group::Edits,
    purpose: "Proposes to move lines of a method into a new one behind it (выделить метод), with a call in their place; parameters and the \
result follow from the variables that both sides use. The lines must be whole statements without Возврат. The file is not changed: the change \
waits for a person. Not for moving whole methods between modules.",
    params: &[
        Param::name("Method to split."),
        line("from_line", &["line", "start", "start_line", "с_строки"], "First line to move, in the file."),
        line("to_line", &["end", "end_line", "по_строку"], "Last line to move."),
        Param::text("new_name", &["new", "новое_имя"], "Name of the new method."),
        TITLE,
    ],
    example: r#"{"name": "ЦеныИСкидки.СкидкаПартнера", "from_line": 47, "to_line": 52, "new_name": "СкидкаПоОбороту"}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let mut place = Place::of(context, args.text("name"))?;
    let (first, last) = lines(&place, args)?;
    let new = args.text("new_name");
    if !is_free_name(new) || place.find_method(new).is_ok() {
        let (ru, en) = (format!("имя «{new}» не годится или занято"), format!("the name “{new}” is taken, or none"));
        return Err(EditError::place(ru, en).into());
    }
    let split = place.split(first, last, new)?;
    let answer = Answer::complete().field("parameters", &split.params).field("returns", &split.returns);
    let what = say(context.language, "выделен метод", "split off");
    let title = title_or(args, format!("{}: {what} {new}", place.module));
    propose(context, args, TOOL.name, title, vec![(place.path, place.revision)], answer)
}
