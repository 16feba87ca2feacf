//! `metascope show NAME`: the passport of an object, form, module or method; of an error the places that it names, of a
//! message where its text stands.

use index::{AccessRow, ErrorPlace, Index, MessageSource, MethodPassport, ModuleOutline, Named, ObjectPassport};

use crate::commands::edges::{self, place};
use crate::context::Context;
use crate::failure::{Failure, Outcome};
use crate::output;

/// The passport of an object, form, module or method; or the places of an error.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Full name; Russian kinds, plurals and any case are understood. Or the text of an error: `{Документ.Заказ.МодульОбъекта(231)}: …`,
    /// or a message that users see.
    name: String,
    /// A role of a user: which records the roles together let through. Several may be given; without it all roles count.
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Conditions of access in full.
    #[arg(long)]
    full: bool,
}

/// Most lines of a condition of access that are shown, if not all are asked for.
const CONDITION_LINES: usize = 12;

/// Most places of a message's text.
const SOURCES: usize = 20;

/// Runs it.
///
/// # Errors
/// An unknown name, with the nearest ones.
pub fn run(context: &Context, args: &Args) -> Outcome {
    let index = context.open()?;
    let failure = |error| context.index_failure(error);
    let places = index.error_places(&args.name).map_err(failure)?;
    if !places.is_empty() {
        return error(context, &index, &places);
    }
    let named = match index.require(&args.name) {
        Ok(named) => named,
        // A text of several words is no name: a message, perhaps.
        Err(index::Error::UnknownName { .. }) if args.name.trim().contains(' ') => {
            let sources = index.message_sources(&args.name, SOURCES).map_err(failure)?;
            return if sources.is_empty() { Err(no_source(context, &args.name)) } else { message(context, &sources) };
        }
        Err(error) => return Err(failure(error)),
    };
    if let Some(passport) = index.method_passport(named.id).map_err(failure)? {
        return if context.json() { output::json(&passport) } else { method(context, &passport) };
    }
    let outline = index.outline(named.id).map_err(failure)?;
    if let Some(mut passport) = index.object_passport(named.id).map_err(failure)? {
        if !args.roles.is_empty() {
            let roles =
                args.roles.iter().map(|role| Ok(index.require(&as_role(role))?.id)).collect::<Result<Vec<_>, _>>();
            passport.access = index.access(named.id, &roles.map_err(failure)?).map_err(failure)?;
        }
        if context.json() {
            return output::json(&serde_json::json!({"object": passport, "module": outline}));
        }
        object(context, &passport)?;
        access(context, &passport.access, args)?;
        restrictions(context, &passport, args)?;
        return outline.map_or(Ok(()), |outline| module(context, &outline));
    }
    if let Some(outline) = outline {
        return if context.json() { output::json(&outline) } else { module(context, &outline) };
    }
    part(context, &index, &named)
}

/// The full name of a role that is perhaps given by its own name.
fn as_role(name: &str) -> String {
    if name.contains('.') { name.to_owned() } else { format!("Role.{name}") }
}

/// Which records roles let through.
fn access(context: &Context, rows: &[AccessRow], args: &Args) -> Outcome {
    if rows.is_empty() {
        return Ok(());
    }
    let title = if args.roles.is_empty() {
        context.pick("Какие записи доступны", "Which records are open")
    } else {
        context.pick("Какие записи доступны с этими ролями", "Which records are open with these roles")
    };
    output::text(&format!("\n{title}"))?;
    for row in rows {
        let field = if row.field.is_empty() { String::new() } else { format!(".{}", row.field) };
        let lets = match row.lets.as_str() {
            "all" => context.pick("все: роли без ограничения снимают его", "all: roles without a restriction lift it"),
            "none" => context.pick("никакие", "none"),
            _ => context.pick(
                "по условию; условия разных ролей соединены ИЛИ",
                "by condition; those of several roles are joined by OR",
            ),
        };
        output::text(&format!("  {}{field}: {lets}", row.right))?;
        if !row.unrestricted.is_empty() {
            let without = context.pick("без ограничения", "without a restriction");
            output::text(&format!("    {without}: {}", row.unrestricted.join(", ")))?;
        }
        for (number, one) in (0..).zip(&row.conditions) {
            let or = if number > 0 { context.pick("ИЛИ ", "OR ") } else { "" };
            output::text(&format!("    {or}{}  {}", one.roles.join(", "), place(&one.file, one.line)))?;
            condition(context, &one.condition, args.full)?;
        }
    }
    Ok(())
}

/// Restrictions of a role.
fn restrictions(context: &Context, passport: &ObjectPassport, args: &Args) -> Outcome {
    if passport.restrictions.is_empty() {
        return Ok(());
    }
    output::text(&format!("\n{}", context.pick("Ограничения доступа к записям", "Restrictions of records")))?;
    for row in &passport.restrictions {
        let field = if row.field.is_empty() { String::new() } else { format!(".{}", row.field) };
        let lets = match row.lets.as_str() {
            "all" => context.pick("все записи", "all records"),
            "none" => context.pick("ни одной записи", "no record"),
            _ => "",
        };
        output::text(&format!("  {}{field}  {}  {lets}  {}", row.object, row.right, place(&row.file, row.line)))?;
        if row.lets == "some" {
            condition(context, &row.condition, args.full)?;
        }
    }
    Ok(())
}

/// A condition of access, cut if it is long.
fn condition(context: &Context, text: &str, full: bool) -> Outcome {
    let lines: Vec<&str> = text.lines().collect();
    let shown = if full { lines.len() } else { CONDITION_LINES.min(lines.len()) };
    for line in lines.iter().take(shown) {
        output::text(&format!("      {line}"))?;
    }
    if shown < lines.len() {
        let more = context.pick("ещё строк", "more lines");
        output::text(&format!("      … {more}: {} (--full)", lines.len() - shown))?;
    }
    Ok(())
}

/// The places of an error, and where the message of the last one comes from.
fn error(context: &Context, index: &Index, places: &[ErrorPlace]) -> Outcome {
    let failure = |error| context.index_failure(error);
    let last = places.last().map_or("", |place| &place.message);
    let sources = if last.is_empty() { Vec::new() } else { index.message_sources(last, SOURCES).map_err(failure)? };
    if context.json() {
        return output::json(&serde_json::json!({"places": places, "message_sources": sources}));
    }
    for row in places {
        if row.file.is_empty() {
            let absent = context.pick("такого модуля в индексе нет", "no such module in the index");
            output::text(&format!("{}  ({absent})", row.written))?;
            continue;
        }
        let stale = context.pick("  (файл с тех пор изменился)", "  (the file changed since)");
        output::text(&format!(
            "{}\n  {}{}\n  {}",
            row.full_name,
            place(&row.file, row.line),
            if row.stale { stale } else { "" },
            row.text
        ))?;
    }
    if sources.is_empty() { Ok(()) } else { message(context, &sources) }
}

/// Where the text of a message stands.
fn message(context: &Context, sources: &[MessageSource]) -> Outcome {
    if context.json() {
        return output::json(&sources);
    }
    for source in sources {
        output::text(&format!("{}  {}", source.method, place(&source.file, source.line)))?;
        output::text(&format!("  {}", source.template))?;
        for (number, parameter) in (1..).zip(&source.parameters) {
            output::text(&format!("    %{number} = {parameter}"))?;
        }
    }
    Ok(())
}

fn no_source(context: &Context, text: &str) -> Failure {
    let (ru, en) = ("ни такого имени, ни такого текста в коде нет", "neither a name nor a text in the code");
    Failure::not_found("unknown_name", format!("{}: {text}", context.pick(ru, en))).with_hint(context.pick(
        "сообщение платформы или текст из данных; часть текста ищет metascope search --mode literal",
        "a message of the platform, or a text from data; a part of it is looked for by metascope search --mode literal",
    ))
}

/// A thing with a name and no passport of its own (an attribute, a form item): what links it.
fn part(context: &Context, index: &Index, named: &Named) -> Outcome {
    let failure = |error| context.index_failure(error);
    let owner = named.full_name.rsplit_once('.').and_then(|(owner, _)| owner.rsplit_once('.')).map(|(owner, _)| owner);
    let owner = match owner {
        Some(owner) => index.require(owner).ok(),
        None => None,
    };
    let attribute = match &owner {
        Some(owner) => {
            index.attributes(owner.id).map_err(failure)?.into_iter().find(|row| row.full_name == named.full_name)
        }
        None => None,
    };
    let callees = index.callees(named.id, &index::Walk::default()).map_err(failure)?;
    if context.json() {
        return output::json(&serde_json::json!({"name": named, "attribute": attribute, "callees": callees}));
    }
    output::text(&format!("{}  [{}]", named.full_name, named.kind))?;
    if let Some(row) = attribute {
        output::text(&format!("  {}  {}", row.synonym, row.types))?;
    }
    for edge in &callees.rows {
        output::text(&format!("  → {}  {}  {}", edge.target, edge.channel, place(&edge.file, edge.line)))?;
    }
    Ok(())
}

fn method(context: &Context, passport: &MethodPassport) -> Outcome {
    let row = &passport.method;
    output::text(&format!("{}\n{}:{}–{}", row.full_name, passport.file, row.line, row.end_line))?;
    if !row.context.is_empty() {
        output::text(&format!("&{}", row.context))?;
    }
    output::text(&passport.signature)?;
    output::text(&format!(
        "{}: {}",
        context.pick("Где работает", "Runs in"),
        edges::contexts(context, &passport.contexts)
    ))?;
    if passport.server_call {
        output::text(context.pick("  клиент вызывает его на сервере", "  clients call it on the server"))?;
    }
    if !passport.module_flags.is_empty() {
        output::text(&format!("  {}", passport.module_flags.join(", ")))?;
    }
    for line in passport.doc.lines() {
        output::text(&format!("  // {line}"))?;
    }
    let russian = context.pick("ru", "en") == "ru";
    for param in passport.params.iter().filter(|param| !param.types.is_empty()) {
        output::text(&format!("  {}: {}", param.name, index::types_text(&param.types, russian)))?;
    }
    if !passport.returns.is_empty() {
        let returns = context.pick("Возвращает", "Returns");
        output::text(&format!("  {returns}: {}", index::types_text(&passport.returns, russian)))?;
    }
    effective(context, passport)?;
    let list = |title: &str, answer: &index::Answer<index::EdgeRow>, incoming: bool| -> Outcome {
        output::text(&format!("\n{title}: {}", answer.rows.len()))?;
        let rows = answer.rows.iter().take(30).map(|edge| {
            let other = if incoming { &edge.source } else { &edge.target };
            vec![format!("  {other}"), edge.channel.clone(), edge.confidence.clone(), place(&edge.file, edge.line)]
        });
        output::columns(&rows.collect::<Vec<_>>())?;
        if answer.rows.len() > 30 {
            output::text("  …")?;
        }
        Ok(())
    };
    list(context.pick("Вызывают", "Callers"), &passport.callers, true)?;
    list(context.pick("Вызывает", "Callees"), &passport.callees, false)?;
    edges::state(context, &passport.callers.state);
    for (line, text) in &passport.queries {
        output::text(&format!("\n{} {line}:\n{text}", context.pick("Запрос, строка", "Query, line")))?;
    }
    Ok(())
}

/// What runs when the method is called, if extensions override it.
fn effective(context: &Context, passport: &MethodPassport) -> Outcome {
    if passport.effective.is_empty() {
        return Ok(());
    }
    output::text(&format!("\n{}", context.pick("Что выполняется, по порядку", "What runs, in order")))?;
    let rows = passport.effective.iter().map(|step| {
        let kind = match step.kind.as_str() {
            "before" => context.pick("&Перед", "&Before"),
            "after" => context.pick("&После", "&After"),
            "around" => context.pick("&Вместо", "&Around"),
            "change_and_validate" => context.pick("&ИзменениеИКонтроль", "&ChangeAndValidate"),
            _ => context.pick("сам метод", "the method itself"),
        };
        let note = match (step.runs, step.drifted) {
            (false, _) => context.pick("не выполняется", "never runs"),
            (true, true) => context.pick("сделан для другого текста метода", "made for another text of the method"),
            (true, false) => "",
        };
        let name = format!("{}{}", "  ".repeat(step.depth as usize + 1), step.full_name);
        vec![name, kind.to_owned(), place(&step.file, step.line), note.to_owned()]
    });
    output::columns(&rows.collect::<Vec<_>>())
}

fn module(context: &Context, outline: &ModuleOutline) -> Outcome {
    let lines = context.pick("строк", "lines");
    output::text(&format!("\n{} [{}]  {}  {} {lines}", outline.full_name, outline.kind, outline.file, outline.lines))?;
    let rows = outline.methods.iter().map(|row| {
        let keyword = match (row.is_function, context.pick("ru", "en")) {
            (true, "ru") => "Функция",
            (false, "ru") => "Процедура",
            (true, _) => "Function",
            (false, _) => "Procedure",
        };
        let export = if row.is_export { context.pick("Экспорт", "Export") } else { "" };
        let directive = if row.context.is_empty() { String::new() } else { format!("&{}", row.context) };
        vec![
            format!("  {}", row.line),
            directive,
            keyword.to_owned(),
            format!("{}({})", row.name, row.params),
            export.to_owned(),
        ]
    });
    output::columns(&rows.collect::<Vec<_>>())
}

fn object(context: &Context, passport: &ObjectPassport) -> Outcome {
    let row = &passport.object;
    let synonym = if row.synonym.is_empty() { String::new() } else { format!(" «{}»", row.synonym) };
    output::text(&format!("{}{synonym}\n{}", row.full_name, place(&row.file, row.line)))?;
    if !row.comment.is_empty() {
        output::text(&row.comment)?;
    }
    if let Some(support) = edges::support(context, &row.support) {
        output::text(support)?;
    }
    let list = |title: &str, rows: Vec<Vec<String>>| -> Outcome {
        if rows.is_empty() {
            return Ok(());
        }
        output::text(&format!("\n{title}"))?;
        output::columns(&rows)
    };
    let names = |names: &[String]| names.iter().map(|name| vec![format!("  {name}")]).collect();
    let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(a, b)| vec![format!("  {a}"), b.clone()]).collect();
    list(context.pick("Типы", "Types"), names(&passport.types))?;
    let attributes = passport.attributes.iter().map(|row| {
        let name = if row.section.is_empty() { row.name.clone() } else { format!("{}.{}", row.section, row.name) };
        vec![format!("  {name}"), row.kind.clone(), row.types.clone(), row.synonym.clone()]
    });
    list(context.pick("Реквизиты", "Attributes"), attributes.collect())?;
    let children = passport.children.iter().map(|row| vec![format!("  {}", row.full_name), row.synonym.clone()]);
    list(context.pick("Содержит", "Holds"), children.collect())?;
    let forms = passport.forms.iter().map(|row| vec![format!("  {}", row.form), row.kind.clone()]);
    list(context.pick("Формы", "Forms"), forms.collect())?;
    list(context.pick("Модули", "Modules"), names(&passport.modules))?;
    list(context.pick("Расширяют", "Extended by"), names(&passport.adopted_in))?;
    let subscriptions = passport
        .subscriptions
        .iter()
        .map(|row| vec![format!("  {}", row.name), row.event.clone(), row.handler.clone()]);
    list(context.pick("Подписки на события", "Event subscriptions"), subscriptions.collect())?;
    list(context.pick("Движения", "Register movements"), names(&passport.movements))?;
    list(context.pick("Подсистемы", "Subsystems"), names(&passport.subsystems))?;
    let rights = passport.rights.iter().map(|row| {
        let restricted = if row.restricted { context.pick("с ограничением", "restricted") } else { "" };
        vec![format!("  {}", row.role), row.rights.join(", "), restricted.to_owned()]
    });
    list(context.pick("Права ролей", "Rights of roles"), rights.collect())?;
    list(context.pick("Ссылается на", "Refers to"), pairs(&passport.links))?;
    list(context.pick("На него ссылаются", "Referred to by"), pairs(&passport.linked_from))?;
    list(context.pick("Предопределённые", "Predefined"), names(&passport.predefined))?;
    list(context.pick("Реквизиты этого типа", "Attributes of this type"), names(&passport.used_as_type))
}
