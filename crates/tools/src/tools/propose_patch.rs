//! `propose_patch`: SEARCH/REPLACE in a module or another text file.

use crate::answer::Answer;
use crate::context::Context;
use crate::edits::code::{Place, propose};
use crate::edits::patch::{self, Block, Level};
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "propose_patch",
    group: Group::Edits,
    purpose: "Proposes a change of code by SEARCH/REPLACE (предложить правку): the text to find must stand once in the method, module \
or file that `name` names; line ends and then blanks may differ. One block by `search` and `replace`, several by `blocks`; all are done \
or none. The file is not changed: the change waits for a person. Not for new lines at a known place (propose_insert, \
propose_new_method), nor for another name (propose_rename).",
    params: &[
        Param::name("Method (best: fewer matches), module, or a file's path from the root of the dump."),
        Param {
            name: "search",
            aliases: &["old", "old_text", "find", "найти"],
            kind: ParamKind::Text,
            required: false,
            about: "Text as it stands there, with enough lines to be the only one.",
        },
        Param {
            name: "replace",
            aliases: &["new", "new_text", "replacement", "заменить"],
            kind: ParamKind::Text,
            required: false,
            about: "Text in its place; empty: it goes.",
        },
        Param {
            name: "blocks",
            aliases: &["patch", "diff", "блоки"],
            kind: ParamKind::Text,
            required: false,
            about: "Several blocks: `<<<<<<< SEARCH`, text, `=======`, text, `>>>>>>> REPLACE`, each mark on a line of its own.",
        },
        TITLE,
    ],
    example: r#"{"name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "Возврат 2;"}"#,
    class: Class::Write,
    ceiling: 12_000,
    run,
};

/// What people read in the list of changes.
pub(super) const TITLE: Param = Param {
    name: "title",
    aliases: &["description", "заголовок", "summary"],
    kind: ParamKind::Text,
    required: false,
    about: "One line for people: what and why.",
};

/// The title that was given, or another one.
pub(super) fn title_or(args: &Args, other: String) -> String {
    match args.text("title") {
        "" => other,
        title => title.lines().next().unwrap_or_default().chars().take(200).collect(),
    }
}

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let mut place = Place::of(context, args.text("name"))?;
    let blocks = match args.text("blocks") {
        "" => vec![Block { search: args.raw("search").to_owned(), replace: args.raw("replace").to_owned() }],
        _ => patch::parse(args.raw("blocks")).map_err(crate::edits::EditError::from)?,
    };
    let scope = place.scope();
    let levels = patch::apply(&mut place.revision, scope, &blocks).map_err(crate::edits::EditError::from)?;
    let mut answer = Answer::complete();
    if levels.iter().any(|level| *level != Level::Exact) {
        answer = answer.field("matched", &levels).remark(say(
            context.language,
            "текст совпал не буквально: отличались концы строк или пробелы",
            "the text didn't match letter by letter: line ends or blanks differ",
        ));
    }
    let title =
        title_or(args, format!("{}: {}", place.module, say(context.language, "замена текста", "replaced text")));
    propose(context, args, TOOL.name, title, vec![(place.path, place.revision)], answer)
}
