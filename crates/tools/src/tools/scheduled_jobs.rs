//! `scheduled_jobs`: what runs by itself.

use index::{ReferenceQuery, ViewRow};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, limit_reached};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{first, holds, is_inside, text, why_none, without_empty};
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "scheduled_jobs",
    group: Group::Graph,
    purpose: "Scheduled jobs (регламентные задания): method, whether they are switched on and predefined, schedule as it was dumped. By a \
job, its method or module, or a part of a name or synonym; without a name all of them. Of a single job also the code that names it (who \
switches it on, changes its schedule or runs it). Not for background jobs that code starts (hidden_links), nor for what a job calls (callees).",
    params: &[
        Param::maybe_name(
            "Job, method or module, or a part of a job's name or synonym: `РегламентноеЗадание.Обмен`, `курсы`; nothing: all.",
        ),
        Param {
            name: "enabled",
            aliases: &["active", "включено", "использование"],
            kind: ParamKind::Flag,
            required: false,
            about: "Only jobs that the configuration delivers switched on.",
        },
        Param::limit(40, 300),
        Param::offset(),
    ],
    example: r#"{"name": "РегламентноеЗадание.ЗагрузкаКурсовВалют"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Kinds of references by which code names a job.
const IN_CODE: [&str; 4] = ["bsl_metadata", "bsl_manager", "bsl_predefined_value", "bsl_string"];
/// Places in code that are shown of a single job.
const PLACES: usize = 20;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language, asked) = (context.index, context.language, args.text("name"));
    let mut rows =
        index.view("SELECT name, method, enabled, predefined, schedule FROM scheduled_jobs ORDER BY name", &[])?;
    for row in &mut rows {
        let described = first(context, "SELECT synonym, file FROM objects WHERE full_name = ?1", text(row, "name"))?;
        row.extend(described);
    }
    let by_words = |row: &&ViewRow| holds(text(row, "name"), asked) || holds(text(row, "synonym"), asked);
    let mut wanted: Vec<&ViewRow> = rows.iter().filter(by_words).collect();
    let mut full_name = None;
    // What no job bears in its name may be the full name of a job, a method or a module, however it is written.
    if !asked.is_empty() && (wanted.is_empty() || asked.contains('.')) {
        let named = index.require(asked)?;
        let name = named.full_name.as_str();
        wanted = rows.iter().filter(|row| text(row, "name") == name || is_inside(text(row, "method"), name)).collect();
        full_name = Some(named.full_name);
    }
    if args.flag("enabled") {
        wanted.retain(|row| row.get("enabled").and_then(Value::as_i64) == Some(1));
    }
    let jobs: Vec<Value> = wanted.iter().map(|row| entry(context, row)).collect::<Result<_, _>>()?;
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language).field("full_name", &full_name).field("total", jobs.len());
    if jobs.is_empty() {
        let nothing = say(language, "таких регламентных заданий нет", "there are no such scheduled jobs");
        answer = answer.empty(why_none(nothing, &state, language));
        if args.flag("enabled") {
            let filter = say(language, "искали только включённые", "only those switched on were asked for");
            answer = answer.incomplete(filter);
        }
    }
    let enabled = say(
        language,
        "включено — как поставлено конфигурацией; в базе расписание и включение могут быть другими",
        "enabled: as the configuration delivers it; an infobase may have another schedule and switch",
    );
    answer = answer.remark(enabled);
    if let [only] = wanted.as_slice() {
        let target = index.require_target(text(only, "name"))?;
        let kinds = IN_CODE.iter().map(|kind| (*kind).to_owned()).collect();
        let found = index.references(&target, &ReferenceQuery { kinds, limit: PLACES, until: context.until })?;
        let in_code = found.rows;
        if in_code.is_empty() {
            let nothing = say(
                language,
                "в коде ссылок на это задание не найдено; доказано ли это, скажет object_references",
                "no references to this job were found in code; whether that is proven object_references tells",
            );
            answer = answer.remark(nothing);
        }
        let next = Next::Call { tool: "object_references", arguments: json!({ "name": target.full_name() }) };
        let beyond = if limit_reached(&found.state) { None } else { Some(0) };
        answer = answer.page("jobs", &jobs, args, TOOL.name, args.with("name", target.full_name()));
        return Ok(if in_code.is_empty() {
            answer
        } else {
            answer.list_of_more("named_in_code", &in_code, beyond, next)
        });
    }
    Ok(answer.page("jobs", &jobs, args, TOOL.name, args.with("offset", 0)))
}

fn entry(context: &Context<'_>, row: &ViewRow) -> Result<Value, ToolError> {
    let method = first(context, "SELECT line FROM methods WHERE full_name = ?1", text(row, "method"))?;
    let mut entry = without_empty(row);
    for flag in ["enabled", "predefined"] {
        let is_set = entry.get(flag).and_then(Value::as_i64) == Some(1);
        entry.insert(flag.to_owned(), is_set.into());
    }
    if method.is_empty() {
        let problem = say(context.language, "метода нет в загруженных модулях", "no loaded module has the method");
        entry.insert("problem".to_owned(), problem.into());
    }
    Ok(entry.into())
}
