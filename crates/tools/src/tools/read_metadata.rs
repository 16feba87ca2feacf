//! `read_metadata`: what the metadata says of an object, as it stands there.

use index::{AttributeRow, Named};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "read_metadata",
    group: Group::Search,
    purpose: "What the metadata says of an object or attribute, as it stands there (свойства метаданных): every property that is not at its default, \
properties that refer to others, types with their length, attributes by section, tabular sections, forms, commands, templates, values; of a form its attributes \
and commands. `section`: one part at full length. Not for who uses it, rights or methods (object_passport), nor for items of a form (form_structure).",
    params: &[
        Param::name("An object, attribute, form, command …: `Документ.Заказ`, `Справочник.Х.Реквизит.Y`."),
        Param {
            name: "section",
            aliases: &["part", "раздел"],
            kind: ParamKind::Choice {
                words: &[
                    ("all", &["всё", "все"]),
                    ("properties", &["property", "свойства"]),
                    ("attributes", &["attribute", "fields", "реквизиты", "поля"]),
                    ("children", &["parts", "forms", "commands", "templates", "формы", "команды", "макеты", "части"]),
                    ("links", &["references", "ссылки", "связи"]),
                ],
                default: "all",
            },
            required: false,
            about: "One part instead of all.",
        },
    ],
    example: r#"{"name": "Документ.РеализацияТоваров", "section": "attributes"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let index = context.index;
    let named = index.require(args.text("name"))?;
    if matches!(named.kind.as_str(), "method" | "module") {
        let read = if named.kind == "method" { "method_passport" } else { "module_outline" };
        let next = vec![call(read, &json!({ "name": named.full_name }))];
        let wanted = ("объект метаданных или его часть", "an object of metadata or a part of one");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    }
    let definition = index.definition(&named)?;
    let described = index.described(named.id)?;
    let object = index.object(named.id)?;
    let section = args.word("section");
    let shows = |part: &str| section == "all" || section == part;
    let part = |part: &str| Next::Call {
        tool: "read_metadata",
        arguments: json!({ "name": named.full_name, "section": part }),
    };
    let mut answer = Answer::complete()
        .field("full_name", &named.full_name)
        .field("kind", &named.kind)
        .field("file", &definition.file)
        .field("line", (definition.line > 0).then_some(definition.line))
        .field("types", &described.types);
    if let Some(object) = &object {
        answer = answer
            .field("synonym", &object.synonym)
            .field("comment", &object.comment)
            .field("parent", &object.parent)
            .field("support", &object.support);
    } else if let Some(attribute) = attribute(context, &named)? {
        answer = answer
            .field("synonym", &attribute.synonym)
            .field("section", &attribute.section)
            .field("required", attribute.required.then_some(true));
    }
    let mut any = !described.types.is_empty();
    let mut list = |answer: Answer, key: &'static str, of: &str, rows: Vec<Value>| {
        if !shows(of) || rows.is_empty() {
            return answer;
        }
        any = true;
        let next = if section == "all" { part(of) } else { sql(&named, of) };
        answer.list(key, &rows, next)
    };
    let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(a, b)| json!([a, b])).collect::<Vec<Value>>();
    answer = list(answer, "properties", "properties", pairs(&described.properties));
    answer = list(answer, "attributes", "attributes", index.attributes(named.id)?.iter().map(row).collect());
    let members = index.form_members(named.id)?;
    let member = |kind: &str, about: &str| -> Vec<Value> {
        let of_kind = members.iter().filter(|one| one.kind == kind);
        of_kind.map(|one| json!({ "name": one.full_name.rsplit('.').next(), about: one.about })).collect()
    };
    answer = list(answer, "form_attributes", "attributes", member("form_attribute", "types"));
    answer = list(answer, "form_commands", "children", member("form_command", "action"));
    let templates = index.templates_of(named.id)?;
    let child = |child: &index::ObjectRow| {
        let mut row = json!({ "full_name": child.full_name, "kind": child.kind });
        if !child.synonym.is_empty() {
            row["synonym"] = child.synonym.as_str().into();
        }
        if let Some(template) = templates.iter().find(|template| template.full_name == child.full_name) {
            row["template_kind"] = template.kind.as_str().into();
        }
        row
    };
    answer = list(answer, "children", "children", index.children(named.id)?.iter().map(child).collect());
    answer = list(answer, "links", "links", pairs(&described.links));
    if !any {
        answer = answer.empty(say(
            context.language,
            "в этом разделе метаданные ничего не говорят: всё по умолчанию",
            "the metadata says nothing here: all is at its default",
        ));
    }
    Ok(answer)
}

/// The rest of a list, as a query.
fn sql(named: &Named, section: &str) -> Next {
    let name = named.full_name.replace('\'', "''");
    let sql = match section {
        "properties" => format!("SELECT name, value FROM properties WHERE owner = '{name}'"),
        "attributes" => format!("SELECT section, kind, name, types, required FROM attributes WHERE object = '{name}'"),
        "children" => format!("SELECT full_name, kind, synonym FROM objects WHERE parent = '{name}'"),
        _ => format!("SELECT property, target FROM links WHERE owner = '{name}'"),
    };
    Next::Call { tool: "sql_select", arguments: json!({ "sql": sql }) }
}

fn row(attribute: &AttributeRow) -> Value {
    let mut row = json!({ "name": attribute.name, "kind": attribute.kind, "types": attribute.types });
    for (key, text) in [("section", &attribute.section), ("synonym", &attribute.synonym)] {
        if !text.is_empty() {
            row[key] = text.as_str().into();
        }
    }
    if attribute.required {
        row["required"] = true.into();
    }
    row
}

/// The row of an attribute by its full name.
fn attribute(context: &Context<'_>, named: &Named) -> Result<Option<AttributeRow>, ToolError> {
    let mut owner = named.full_name.as_str();
    while let Some((shorter, _)) = owner.rsplit_once('.') {
        if let index::Resolution::Found(found) = context.index.resolve(shorter)?
            && found.full_name == shorter
        {
            let rows = context.index.attributes(found.id)?;
            if let Some(row) = rows.into_iter().find(|row| row.full_name == named.full_name) {
                return Ok(Some(row));
            }
        }
        owner = shorter;
    }
    Ok(None)
}
