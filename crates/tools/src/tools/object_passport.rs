//! `object_passport`: what an object is.

use index::{AttributeRow, Named, ObjectPassport};
use serde_json::{Value, json};

use crate::answer::{Answer, Next, call};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "object_passport",
    group: Group::Search,
    purpose: "What an object of metadata is (паспорт объекта: справочник, документ, регистр, общий модуль, форма, роль …): synonym, properties, \
attributes with types, tabular sections, forms, modules with their methods, subscriptions, registers, subsystems, roles, who refers to it. An \
attribute's name gives its owner's passport and the attribute. Not for methods (method_passport), nor for a phrase instead of a name \
(resolve_entity).",
    params: &[Param::name("Full name in Russian or English: `Справочник.Валюты`, `Document.Заказ`.")],
    example: r#"{"name": "Справочник.Контрагенты"}"#,
    class: Class::Read,
    ceiling: 14_000,
    run,
};

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let named = context.index.require(args.text("name"))?;
    if named.kind == "method" {
        let next = vec![call("method_passport", &json!({ "name": named.full_name }))];
        let wanted = ("объект метаданных", "an object of metadata");
        return Err(ToolError::WrongKind { name: named.full_name, kind: named.kind, wanted, next });
    }
    let (owner, part) = owner_of(context, named)?;
    let Some(passport) = context.index.object_passport(owner.id)? else {
        let next = vec![call("resolve_entity", &json!({ "query": owner.full_name }))];
        let wanted = ("объект метаданных", "an object of metadata");
        return Err(ToolError::WrongKind { name: owner.full_name, kind: owner.kind, wanted, next });
    };
    let object = &passport.object;
    let name = owner.full_name.as_str();
    let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(a, b)| json!([a, b])).collect::<Vec<Value>>();
    let mut methods = Vec::new();
    for module in &passport.modules {
        let module = context.index.require(module)?;
        for method in context.index.methods_of(module.id)? {
            methods.push(json!({ "full_name": method.full_name, "params": method.params, "export": method.is_export, "line": method.line }));
        }
    }
    let sql = |sql: String| Next::Call { tool: "sql_select", arguments: json!({ "sql": sql }) };
    let quoted = name.replace('\'', "''");
    let mut answer = Answer::complete().field("full_name", name).field("kind", &object.kind);
    if let Some(part) = &part {
        answer = answer.field("asked_for", part);
    }
    answer = answer
        .field("synonym", &object.synonym)
        .field("comment", &object.comment)
        .field("parent", &object.parent)
        .field("subsystem", &object.subsystem)
        .field("support", &object.support)
        .field("subsystems", &passport.subsystems)
        .field("file", &object.file)
        .field("line", object.line)
        .field("types", &passport.types)
        .field("properties", passport.properties.iter().cloned().collect::<std::collections::BTreeMap<_, _>>())
        .field("movements", &passport.movements)
        .list(
            "attributes",
            &passport.attributes.iter().map(attribute).collect::<Vec<_>>(),
            sql(format!("SELECT section, name, types FROM attributes WHERE object = '{quoted}'")),
        )
        .list("methods", &methods, sql(format!("SELECT m.full_name, m.params, m.line FROM methods m JOIN modules x ON x.full_name = m.module WHERE x.object = '{quoted}'")))
        .list("forms", &passport.forms, sql(format!("SELECT form FROM forms WHERE object = '{quoted}'")))
        .list("subscriptions", &passport.subscriptions, sql(format!("SELECT name, event, handler FROM event_subscriptions WHERE source_object = '{quoted}'")))
        .list(
            "children",
            &passport.children.iter().map(|child| json!({ "full_name": child.full_name, "kind": child.kind, "synonym": child.synonym })).collect::<Vec<_>>(),
            sql(format!("SELECT full_name, kind FROM objects WHERE parent = '{quoted}'")),
        )
        .list("predefined", &passport.predefined, sql(format!("SELECT name FROM predefined WHERE owner = '{quoted}'")))
        .list("links", &pairs(&passport.links), sql(format!("SELECT property, target FROM links WHERE owner = '{quoted}'")))
        .list("linked_from", &pairs(&passport.linked_from), sql(format!("SELECT owner, property FROM links WHERE target = '{quoted}'")))
        .list("used_as_type", &passport.used_as_type, sql(format!("SELECT attribute FROM attribute_types WHERE type = '{}Ref.{}'", object.kind, object.name.replace('\'', "''"))))
        .list("access", &access(&passport), sql(format!("SELECT role, right, field, lets, condition FROM rls_effective WHERE {} = '{quoted}'", if passport.restrictions.is_empty() { "object" } else { "role" })))
        .list("rights", &passport.rights, sql(format!("SELECT role, right FROM role_rights WHERE object = '{quoted}' AND value")));
    if passport.attributes.is_empty() && methods.is_empty() && passport.children.is_empty() && passport.links.is_empty()
    {
        answer = answer.remark(say(
            context.language,
            "ни реквизитов, ни методов, ни подчинённых объектов у него нет",
            "it has no attributes, methods or parts",
        ));
    }
    Ok(answer)
}

/// The object that a name belongs to, and the name itself if it is a part of that object.
fn owner_of(context: &Context<'_>, named: Named) -> Result<(Named, Option<String>), ToolError> {
    if context.index.object(named.id)?.is_some() {
        return Ok((named, None));
    }
    let mut owner = named.full_name.as_str();
    while let Some((shorter, _)) = owner.rsplit_once('.') {
        if let index::Resolution::Found(found) = context.index.resolve(shorter)?
            && found.full_name.eq_ignore_ascii_case(shorter)
            && context.index.object(found.id)?.is_some()
        {
            return Ok((found, Some(named.full_name.clone())));
        }
        owner = shorter;
    }
    Ok((named, None))
}

/// Which records roles let through: of an object by right, of a role by object. Conditions themselves are long: `rls_effective`.
fn access(passport: &ObjectPassport) -> Vec<Value> {
    let of_object = passport.access.iter().map(|row| {
        let conditions: Vec<Value> = row
            .conditions
            .iter()
            .map(|one| json!({ "roles": one.roles, "template": one.template, "file": one.file, "line": one.line }))
            .collect();
        json!({
            "right": row.right, "field": row.field, "lets": row.lets, "unrestricted": row.unrestricted,
            "or": conditions,
        })
    });
    let of_role = passport.restrictions.iter().map(|row| {
        json!({
            "object": row.object, "right": row.right, "field": row.field, "lets": row.lets, "template": row.template,
            "file": row.file, "line": row.line,
        })
    });
    of_object.chain(of_role).collect()
}

fn attribute(row: &AttributeRow) -> Value {
    let mut value = json!({ "kind": row.kind, "name": row.name, "types": row.types });
    for (key, text) in [("section", &row.section), ("synonym", &row.synonym)] {
        if !text.is_empty() {
            value[key] = text.as_str().into();
        }
    }
    value
}
