//! Links of sets of data: add, modify, remove.

use super::draft::Draft;
use super::refusal::{Refusal, Say};
use super::shorthand::Flag;
use super::target::{data_set, parameter, required, same};
use super::{At, applies, needs, options};
use crate::edit::New;
use crate::formal::name;
use crate::view::{Link, Schema};

options! {
    /// Links two sets: `Продажи -> Цены @source(Товар) @target(Номенклатура)`.
    AddLink {
        /// The set that gives.
        name: String,
        /// The set that takes.
        to: String,
        /// What of the first set.
        source: String,
        /// What of the second one; the same if left out.
        target: String,
        /// The parameter that values are handed over in.
        parameter: String,
        /// The parameter takes a list.
        list: Flag,
        /// The condition under which the link holds.
        condition: String,
        /// Rows of the first set stay without partners.
        optional: Flag,
    }
}
applies!(AddLink, add);

fn of<'d>(link: Link<'d>, from: &str, to: &str) -> bool {
    same(&link.source(), from) && same(&link.destination(), to)
}

fn add<'d>(this: &AddLink, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let from = data_set(at.schema, required(&this.name, "name", "набор", "the set")?)?.name();
    let to = data_set(at.schema, required(&this.to, "to", "второй набор (А -> Б)", "the second set (A -> B)")?)?.name();
    let source = required(&this.source, "source", "выражение первого набора", "the first set's expression")?;
    let target = match this.target.trim() {
        "" => source,
        target => target,
    };
    if same(&from, &to) {
        return Err(Refusal::new("Набор не связывают с ним самим", "A set isn't linked with itself"));
    }
    let is_same = |link: Link<'d>| {
        of(link, &from, &to) && same(&link.source_expression(), source) && same(&link.destination_expression(), target)
    };
    if at.schema.links().any(is_same) {
        return Err(Refusal::exists(("связь", "link"), &format!("{from} -> {to}")));
    }
    let mut parts = vec![
        New::text(name("sch:sourceDataSet"), &*from),
        New::text(name("sch:destinationDataSet"), &*to),
        New::text(name("sch:sourceExpression"), source),
        New::text(name("sch:destinationExpression"), target),
    ];
    if !this.parameter.trim().is_empty() {
        let own = parameter(at.schema, this.parameter.trim())?.name();
        parts.push(New::text(name("sch:parameter"), own));
    }
    if let Some(list) = this.list.0 {
        parts.push(New::text(name("sch:parameterListAllowed"), if list { "true" } else { "false" }));
    }
    if !this.condition.trim().is_empty() {
        parts.push(New::text(name("sch:linkConditionExpression"), this.condition.trim()));
    }
    if this.optional.is_on() {
        parts.push(New::text(name("sch:required"), "false"));
    }
    draft.insert(at.schema.element(), New::with(name("sch:dataSetLink"), parts))?;
    Ok(Say::new(format!("Добавлена связь {from} -> {to}"), format!("Added the link {from} -> {to}")))
}

/// The link of two sets; its number if there are several.
fn find<'d>(schema: Schema<'d>, from: &str, to: &str, number: &str) -> Result<Link<'d>, Refusal> {
    let from = required(from, "name", "набор", "the set")?;
    let to = required(to, "to", "второй набор (А -> Б)", "the second set (A -> B)")?;
    let all: Vec<Link<'d>> = schema.links().filter(|link| of(*link, from, to)).collect();
    match (&all[..], number.trim().trim_start_matches('#').parse::<usize>()) {
        ([], _) => {
            let there: Vec<String> =
                schema.links().map(|link| format!("{} -> {}", link.source(), link.destination())).collect();
            Err(Refusal::unknown(("связь", "link"), &format!("{from} -> {to}"), there.iter().map(String::as_str)))
        }
        ([one], Err(_)) => Ok(*one),
        (all, Ok(number)) if (1..=all.len()).contains(&number) => Ok(all[number - 1]),
        _ => {
            let mut refusal = Refusal::new(
                format!("Связей {from} -> {to} несколько: укажите номер (@номер(1))"),
                format!("There are several links {from} -> {to}: give a number (@number(1))"),
            );
            let shown = |(at, link): (usize, &Link<'_>)| {
                format!("{}: {} = {}", at + 1, link.source_expression(), link.destination_expression())
            };
            refusal.nearest = all.iter().enumerate().map(shown).collect();
            Err(refusal)
        }
    }
}

options! {
    /// Changes a link of two sets: what is given.
    ModifyLink {
        /// The set that gives.
        name: String,
        /// The set that takes.
        to: String,
        /// Which of several links between them.
        number: String,
        /// What of the first set.
        source: Option<String>,
        /// What of the second one.
        target: Option<String>,
        /// The parameter that values are handed over in; an empty one takes it away.
        parameter: Option<String>,
        /// The parameter takes a list.
        list: Flag,
        /// The condition under which the link holds; an empty one takes it away.
        condition: Option<String>,
        /// Rows of the first set stay without partners.
        optional: Flag,
    }
}
applies!(ModifyLink, modify);

fn modify<'d>(this: &ModifyLink, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let link = find(at.schema, &this.name, &this.to, &this.number)?.element();
    for (text, local) in
        [(&this.source, name("sch:sourceExpression")), (&this.target, name("sch:destinationExpression"))]
    {
        if let Some(text) = text {
            draft.set_child(link, local, Some(required(text, "source", "выражение", "the expression")?))?;
        }
    }
    if let Some(wanted) = &this.parameter {
        let own = match wanted.trim() {
            "" => None,
            wanted => Some(parameter(at.schema, wanted)?.name()),
        };
        draft.set_child(link, name("sch:parameter"), own.as_deref())?;
    }
    if let Some(list) = this.list.0 {
        draft.set_child(link, name("sch:parameterListAllowed"), Some(if list { "true" } else { "false" }))?;
    }
    if let Some(text) = &this.condition {
        let text = text.trim();
        draft.set_child(link, name("sch:linkConditionExpression"), (!text.is_empty()).then_some(text))?;
    }
    if let Some(optional) = this.optional.0 {
        draft.set_child(link, name("sch:required"), if optional { Some("false") } else { None })?;
    }
    let (from, to) = (&this.name, &this.to);
    Ok(Say::new(format!("Изменена связь {from} -> {to}"), format!("Changed the link {from} -> {to}")))
}

options! {
    /// Removes a link of two sets.
    RemoveLink {
        /// The set that gives.
        name: String,
        /// The set that takes.
        to: String,
        /// Which of several links between them.
        number: String,
    }
}
applies!(RemoveLink, remove);

fn remove<'d>(this: &RemoveLink, at: &mut At<'d>, draft: &mut Draft<'d>) -> Result<Say, Refusal> {
    let link = find(at.schema, &this.name, &this.to, &this.number)?.element();
    needs::remove(at, draft, &[link])?;
    let (from, to) = (&this.name, &this.to);
    Ok(Say::new(format!("Удалена связь {from} -> {to}"), format!("Removed the link {from} -> {to}")))
}
