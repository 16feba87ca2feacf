//! `register_movements`: which document moves which register.

use std::collections::BTreeMap;

use index::{MovementPlace, ReferenceQuery};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call, limit_reached};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::{number, text, why_none};
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "register_movements",
    group: Group::Graph,
    purpose: "Movements (движения): the registers of a document, or the documents of a register, with the evidence: the document's \
description (`metadata`, with file and line) and its code (`Движения.Имя`, or the register's name in a string that is handed on), so that a register which \
is described and never named, or named and not described, is seen. Of a register also the code that writes its record sets through the \
manager. Not for queries that read a register (query_tables), nor for all references (object_references).",
    params: &[
        Param::name("Document or register: `Документ.РеализацияТоваров`, `РегистрНакопления.Запасы`."),
        Param::limit(40, 300),
        Param::offset(),
    ],
    example: r#"{"name": "РегистрНакопления.ТоварыНаСкладах"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// Where a document's description lists a register.
const PLACE: &str =
    "SELECT file, line FROM refs WHERE target = ?1 AND kind = 'register_movement' AND source = ?2 LIMIT 1";
/// Places of one movement that are shown.
const PLACES: usize = 5;
/// Uses of a register's manager that are shown.
const MANAGERS: usize = 30;

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let named = index.require(args.text("name"))?;
    let of_document = named.kind == "Document";
    if !of_document && !named.kind.ends_with("Register") {
        let next = vec![call("object_references", &json!({ "name": named.full_name }))];
        let wanted = ("документ или регистр", "a document or a register");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    }
    let described = index.view(
        "SELECT DISTINCT document, register FROM register_movements WHERE document = ?1
         UNION SELECT DISTINCT document, register FROM register_movements WHERE register = ?1",
        &[&named.full_name],
    )?;
    let other = |document: &str, register: &str| if of_document { register.to_owned() } else { document.to_owned() };
    let mut found: BTreeMap<String, (bool, Vec<MovementPlace>)> = BTreeMap::new();
    for row in &described {
        found.entry(other(text(row, "document"), text(row, "register"))).or_default().0 = true;
    }
    for place in index.movement_places(named.id)? {
        let (key, is_string) = (other(&place.document, &place.register), place.evidence == "string");
        // A literal alone may be a name of anything: it counts where the description has the register.
        if !is_string || found.get(&key).is_some_and(|(described, _)| *described) {
            found.entry(key).or_default().1.push(place);
        }
    }
    let mut rows = Vec::new();
    for (name, (described, places)) in &found {
        let mut row = entry(of_document, name, *described, places);
        let (document, register) = if of_document { (&named.full_name, name) } else { (name, &named.full_name) };
        let place = index.view(PLACE, &[register, document])?;
        if let Some(place) = place.first() {
            row["file"] = text(place, "file").into();
            row["line"] = number(place, "line").into();
        }
        rows.push(row);
    }
    let state = context.of_metadata()?;
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", &named.full_name)
        .field("kind", &named.kind)
        .field("total", rows.len());
    if rows.is_empty() {
        let nothing = match of_document {
            true => say(language, "документ не делает движений", "the document moves no register"),
            false => say(
                language,
                "ни один документ не делает движений по этому регистру",
                "no document moves this register",
            ),
        };
        answer = answer.empty(why_none(nothing, &state, language));
    }
    answer = answer.remark(say(
        language,
        "код смотрели в модулях документов; движения, которые пишет общий модуль по вычисленному имени, видны только по описанию",
        "code was looked at in modules of documents; movements that a common module writes by a computed name show in the description only",
    ));
    let key = if of_document { "registers" } else { "documents" };
    answer = answer.page(key, &rows, args, TOOL.name, args.with("name", named.full_name.as_str()));
    if of_document {
        return Ok(answer);
    }
    let kinds = vec!["bsl_manager".to_owned()];
    let target = index.require_target(&named.full_name)?;
    let managers =
        index.references(&target, &ReferenceQuery { kinds: kinds.clone(), limit: MANAGERS, until: context.until })?;
    let beyond = if limit_reached(&managers.state) { None } else { Some(0) };
    let next = Next::Call { tool: "object_references", arguments: json!({ "name": named.full_name, "kinds": kinds }) };
    Ok(match managers.rows.is_empty() {
        true => answer,
        false => answer.list_of_more("through_manager", &managers.rows, beyond, next),
    })
}

fn entry(of_document: bool, name: &str, described: bool, places: &[MovementPlace]) -> Value {
    let evidence = match (described, places.is_empty()) {
        (true, true) => "metadata",
        (true, false) => "metadata, code",
        (false, _) => "code",
    };
    let mut entry = json!({ if of_document { "register" } else { "document" }: name, "evidence": evidence });
    if !places.is_empty() {
        let shown = places.iter().take(PLACES).map(
            |place| json!({ "method": place.method, "how": place.evidence, "file": place.file, "line": place.line }),
        );
        entry["code"] = shown.collect::<Vec<_>>().into();
    }
    if places.len() > PLACES {
        entry["code_total"] = places.len().into();
    }
    entry
}
