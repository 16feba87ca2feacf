//! `attribute_references`: where an attribute is used, by kind, and where only its name is.

use std::collections::BTreeMap;

use index::{Reason, ReferenceQuery, State};
use serde_json::json;

use crate::answer::{Answer, call, why_empty};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::{Args, Param, ParamKind};
use crate::tool::{Class, Group, Tool, say};

/// The tool.
pub const TOOL: Tool = Tool {
    name: "attribute_references",
    group: Group::Graph,
    purpose: "Where an attribute, dimension, resource, standard attribute or a tabular section's attribute is used (где используется реквизит): \
counted by kind (code, queries, forms, report schemas, rights, metadata), each place with file and line. Places where a value of unknown \
type has a member of the same name are counted apart (`same_named`): they may be this attribute or another one. Not for objects, forms or \
enum values (object_references), nor for what breaks if it is deleted (impact_analysis).",
    params: &[
        Param::name(
            "Full name: `Справочник.Товары.Реквизит.Артикул`, `Документ.Заказ.ТабличнаяЧасть.Товары.Реквизит.Цена`.",
        ),
        Param {
            name: "kinds",
            aliases: &["kind", "вид", "виды"],
            kind: ParamKind::Texts,
            required: false,
            about: "Only these kinds, e.g. bsl_property, bsl_query, form_data_path; empty: all.",
        },
        Param::limit(60, 600),
        Param::offset(),
    ],
    example: r#"{"name": "Справочник.Товары.Реквизит.Артикул"}"#,
    class: Class::Read,
    ceiling: 12_000,
    run,
};

/// References that are counted.
const COUNTED: usize = 50_000;
/// Kinds of things that are attributes.
const ATTRIBUTES: [&str; 10] = [
    "Attribute",
    "StandardAttribute",
    "Dimension",
    "Resource",
    "AddressingAttribute",
    "AccountingFlag",
    "ExtDimensionAccountingFlag",
    "Column",
    "CommonAttribute",
    "TabularSection",
];

fn run(context: &Context<'_>, args: &Args) -> Result<Answer, ToolError> {
    let (index, language) = (context.index, context.language);
    let target = index.require_target(args.text("name"))?;
    if !ATTRIBUTES.contains(&target.kind()) {
        let next = vec![call("object_references", &json!({ "name": target.full_name() }))];
        let wanted = ("реквизит, измерение или ресурс", "an attribute, dimension or resource");
        return Err(ToolError::WrongKind { name: target.full_name(), kind: target.kind().to_owned(), wanted, next });
    }
    let kinds: Vec<String> = args.texts("kinds").iter().map(|kind| kind.to_lowercase()).collect();
    // All kinds are asked for: what could be more is looked for then only.
    let found =
        index.references(&target, &ReferenceQuery { kinds: Vec::new(), limit: COUNTED, until: context.until })?;
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &found.rows {
        *by_kind.entry(&row.kind).or_default() += 1;
    }
    let is_same = |reason: &Reason| matches!(reason, Reason::SameName { .. });
    let same = found.state.reasons.iter().find_map(|reason| match reason {
        Reason::SameName { places, count } => Some(json!({ "count": count, "first": places })),
        _ => None,
    });
    let others: Vec<Reason> = found.state.reasons.iter().filter(|reason| !is_same(reason)).cloned().collect();
    let state = State { complete: found.state.complete, reasons: others };
    let rows: Vec<_> = found.rows.iter().filter(|row| kinds.is_empty() || kinds.contains(&row.kind)).collect();
    let mut answer = Answer::of_state(&state, language)
        .field("full_name", target.full_name())
        .field("kind", target.kind())
        .field("total", found.rows.len())
        .field("by_kind", &by_kind);
    if rows.is_empty() {
        let nothing =
            say(language, "мест, где этот реквизит точно используется, нет", "no place surely uses this attribute");
        answer = answer.empty(why_empty(nothing, &found.state, language));
        if !kinds.is_empty() {
            let filter = say(language, "искали только виды", "only these kinds were asked for");
            answer = answer.incomplete(format!("{filter}: {}", kinds.join(", ")));
        }
    }
    if let Some(same) = &same {
        let what = say(
            language,
            "same_named: то же имя у значений неизвестного типа; это может быть и другой реквизит",
            "same_named: the same name on values of unknown type; it may be another attribute",
        );
        answer = answer.remark(what).field("same_named", same);
    }
    Ok(answer.page("refs", &rows, args, TOOL.name, args.with("name", target.full_name())))
}
