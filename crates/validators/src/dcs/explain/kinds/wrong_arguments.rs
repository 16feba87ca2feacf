//! «Неверные параметры "СУММА"»: a function, an operator or a virtual table is given what it doesn't take.

use std::ops::Range;

use bsl::query::{BinaryOp, ExprKind};
use bsl::same_name;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, expressions, line_at};
use crate::dcs::explain::causes::{Causes, Said};
use crate::dcs::subject::SetQuery;

pub(super) const KIND: Kind =
    Kind { code: "wrong-arguments", title: ("Неверные параметры", "Arguments are wrong"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for query in ask.queries() {
        let spot = ask.spot(query.text);
        let calls = calls(query, ask.name());
        for (range, name) in &calls {
            let is_there = spot.is_some_and(|at| range.contains(&at));
            if !ask.has_spot() || is_there {
                // The only one that there is, is the one.
                causes.in_text(query.element, range.clone(), said(name, is_there || calls.len() == 1));
            }
        }
    }
    if ask.has_spot() {
        return;
    }
    for (element, _) in ask.subject.scopes.iter().flat_map(expressions) {
        let text = element.text();
        for range in named(&text, ask.name()) {
            causes.in_text(element, range, said(ask.name(), false));
        }
    }
    if causes.is_empty()
        && let Some((query, at)) = ask.only_spot()
    {
        let end = at + line_at(query.text, at).len().min(query.text.len() - at);
        let end = query.text[at..end].find('\n').map_or(end, |line| at + line);
        causes.in_text(query.element, at..end.max(at), said(ask.name(), true));
    }
}

fn said(name: &str, sure: bool) -> Said {
    let operator = !name.chars().any(char::is_alphabetic);
    let (ru, en) = match (name.is_empty(), operator) {
        (true, _) => (
            "Значения, которые здесь сравниваются или передаются, не тех типов".to_owned(),
            "The values that are compared or handed over here have wrong types".to_owned(),
        ),
        (false, true) => (
            format!("Операция «{name}» не определена для таких типов: число складывается с числом, строка со строкой, к дате прибавляет ДОБАВИТЬКДАТЕ"),
            format!("The operator “{name}” is not defined for these types: numbers are added to numbers, strings to strings, DATEADD adds to dates"),
        ),
        (false, false) => (
            format!("«{name}» получает не столько значений или не тех типов, какие принимает"),
            format!("“{name}” is given a number of values, or types, that it doesn't take"),
        ),
    };
    Said {
        sure,
        what: Text::new(format!("Здесь вызывается «{name}»"), format!("“{name}” is called here")),
        why: Text::new(ru, en),
        nearest: Vec::new(),
        mend: Text::new(
            "Проверьте число и типы значений; составной тип приведите: ВЫРАЗИТЬ(… КАК …), NULL замените: ЕСТЬNULL(…)",
            "Check how many values there are and their types; CAST(… AS …) makes a composite type one, ISNULL(…) replaces NULL",
        ),
    }
}

/// Calls of a function, uses of an operator or of a virtual table in a query.
fn calls(query: &SetQuery<'_>, name: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for expression in &query.tree().exprs {
        let is_it = match expression.kind {
            ExprKind::Call { name: function, .. } => same_name(function.text, name),
            ExprKind::Binary(operator, ..) => sign(operator).is_some_and(|sign| sign == name),
            _ => false,
        };
        if is_it {
            found.push((expression.span.range(), name.to_owned()));
        }
    }
    for table in query.facts().tables.iter().filter(|table| !table.parameters.is_empty()) {
        let last = table.parts.last().is_some_and(|last| same_name(last, name));
        if last || same_name(&table.parts.join("."), name) {
            found.push((table.span.range(), name.to_owned()));
        }
    }
    found
}

fn sign(operator: BinaryOp) -> Option<&'static str> {
    Some(match operator {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Eq => "=",
        BinaryOp::Ne => "<>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Or | BinaryOp::And | BinaryOp::Unknown => return None,
    })
}

/// Where an expression calls a function.
fn named(text: &str, name: &str) -> Vec<Range<usize>> {
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
        return Vec::new();
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_word).map(|start| at + start) {
        let end = text[start..].find(|c: char| !is_word(c)).map_or(text.len(), |end| start + end);
        if same_name(&text[start..end], name) && text[end..].trim_start().starts_with('(') {
            found.push(start..end);
        }
        at = end;
    }
    found
}
