//! What the tools that change report schemas have in common: lines of the one shorthand become operations, what they do to the
//! schema becomes a pending change.

use dcs::Document;
use dcs::operation::{KINDS, Operation, Refusal, Say, run as run_all};
use serde_json::Value;

use super::propose_patch::{TITLE, title_or};
use crate::answer::Answer;
use crate::context::Context;
use crate::edits::code::propose;
use crate::edits::{EditError, Revision};
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::schema;
use crate::tool::say;

/// A tool that carries out operations of some kinds.
pub(crate) struct SchemaEdit {
    /// Its name.
    pub tool: &'static str,
    /// The kinds of operations that it takes. A line that names none is one of the first kind.
    pub kinds: &'static [&'static str],
}

/// Arguments of such a tool; `about`: what its lines are.
pub(crate) const fn params(about: &'static str) -> [Param; 4] {
    const ALIASES: &[&str] = &[
        "changes",
        "lines",
        "ops",
        "do",
        "fields",
        "field",
        "operation",
        "items",
        "value",
        "действия",
        "строки",
        "поля",
    ];
    let kind = ParamKind::Lines;
    [
        schema::NAME,
        Param { name: "operations", aliases: ALIASES, kind, required: true, about },
        Param {
            name: "cascade",
            aliases: &["каскадно", "with_needs"],
            kind: ParamKind::Flag,
            required: false,
            about: "Remove what needs a removed thing, too. Without it such a removal is refused, with the list.",
        },
        TITLE,
    ]
}

impl SchemaEdit {
    /// Carries out the operations on the schema as pending changes leave it, and proposes the result.
    pub fn run(&self, context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
        let file = schema::open(context, args.text("name"), self.tool)?.file;
        let text = context.edits.text(context.index, &file)?;
        let before = Document::parse(text.clone().into_bytes());
        let operations: Vec<Operation> =
            args.texts("operations").iter().map(|line| self.operation(line)).collect::<Result<_, _>>()?;
        let ran = run_all(&before, &operations, args.flag("cascade")).map_err(|(number, refusal)| {
            let place = if operations.len() > 1 { format!("{}: ", number + 1) } else { String::new() };
            refused(&place, &refusal)
        })?;
        let after =
            String::from_utf8(ran.document.bytes().to_vec()).map_err(|_| EditError::NotText { path: file.clone() })?;
        let mut revision = Revision::new(text);
        revision.become_text(&after);
        let said = |text: &Say| say(context.language, &text.ru, &text.en).to_owned();
        let done: Vec<String> = ran.plans.iter().map(|plan| said(&plan.title)).collect();
        let too = ran.plans.iter().flat_map(|plan| &plan.removed_too);
        let too: Vec<String> = too.map(|need| format!("{}: {}", need.path, said(&need.needs))).collect();
        let title = title_or(args, done.join("; "));
        let mut answer = Answer::complete().field("done", &done);
        if !too.is_empty() {
            answer = answer.field("removed_too", &too);
        }
        propose(context, args, self.tool, title, vec![(file, revision)], answer)
    }

    fn operation(&self, line: &str) -> Result<Operation, ToolError> {
        let read = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(mut map)) => {
                map.entry("do").or_insert_with(|| self.kinds.first().copied().unwrap_or_default().into());
                Operation::from_json(Value::Object(map))
            }
            _ => Operation::parse(&self.whole(line)),
        };
        let operation = read.map_err(|refusal| refused("", &refusal))?;
        let json = operation.to_json();
        let kind = json["do"].as_str().unwrap_or_default();
        if self.kinds.contains(&kind) {
            return Ok(operation);
        }
        let (taken, kinds) = (kind.to_owned(), self.kinds.join(", "));
        let (ru, en) = (
            format!("{} не выполняет {taken}; выполняет: {kinds}", self.tool),
            format!("{} doesn't do {taken}; it does: {kinds}", self.tool),
        );
        Err(EditError::place(ru, en).into())
    }

    /// A line with the name of its operation.
    fn whole(&self, line: &str) -> String {
        let line = line.trim();
        let first = line.split_whitespace().next().unwrap_or_default().to_lowercase();
        let is_named = KINDS.iter().any(|kind| kind.name == first || kind.russian == first);
        match self.kinds.first() {
            Some(kind) if !is_named => format!("{kind} {line}"),
            _ => line.to_owned(),
        }
    }
}

fn refused(place: &str, refusal: &Refusal) -> ToolError {
    EditError::place(format!("{place}{}", refusal.text(true)), format!("{place}{}", refusal.text(false))).into()
}
