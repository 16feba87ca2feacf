//! What kinds of messages look at.

use bsl::nearest;
use bsl::query::FieldUse;
use bsl::{fold, same_name};
use dcs::Element;
use dcs::view::field_uses;

use super::message::Message;
use crate::Text;
use crate::dcs::report::{Finding, Report};
use crate::dcs::subject::{Scope, SetQuery, Subject};

/// How many names are offered.
const NEAREST: usize = 3;

/// A message and the schema that it is asked of.
pub(super) struct Ask<'a, 's> {
    pub(super) subject: &'a Subject<'s>,
    pub(super) message: &'a Message,
    report: &'a Report,
    /// Numbers of the queries that it may speak of.
    queries: Vec<usize>,
}

impl<'a, 's> Ask<'a, 's> {
    pub(super) fn new(subject: &'a Subject<'s>, message: &'a Message, report: &'a Report) -> Self {
        let all = || 0..subject.queries.len();
        // A message may name the set whose query fails.
        let is_named = |&number: &usize| {
            let set = subject.queries[number].element.parent().map(|set| set.text_of("name"));
            set.is_some_and(|set| message.others.iter().any(|other| same_name(other, &set)))
        };
        let named: Vec<usize> = all().filter(is_named).collect();
        let queries = if named.is_empty() { all().collect() } else { named };
        Self { subject, message, report, queries }
    }

    /// The name that the message complains of.
    pub(super) fn name(&self) -> &'a str {
        &self.message.name
    }

    /// The queries that it may speak of.
    pub(super) fn queries(&self) -> impl Iterator<Item = &'a SetQuery<'s>> {
        self.queries.iter().map(|&number| &self.subject.queries[number])
    }

    /// What some checks found.
    pub(super) fn findings(&self, codes: &'static [&'static str]) -> impl Iterator<Item = &'a Finding> {
        self.report.findings.iter().filter(move |finding| codes.contains(&finding.check))
    }

    /// The byte of a text that the message points at: the name stands there, or the line is the one that the platform shows. The
    /// platform may put a query together anew, so that its lines are others: then none.
    pub(super) fn spot(&self, text: &str) -> Option<usize> {
        let by_position = self.message.position.and_then(|(line, column)| byte_at(text, line, column));
        if let Some(at) = by_position {
            let is_it = !self.name().is_empty() && begins_with(&text[at..], self.name());
            let shown = || self.message.echo.as_ref().is_some_and(|(line, _)| line_at(text, at).trim() == line.trim());
            if is_it || shown() {
                return Some(at);
            }
        }
        let (shown, at) = self.message.echo.as_ref()?;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            if trimmed.trim_end() == shown.trim_end() {
                return Some(start + line.len() - trimmed.len() + (*at).min(trimmed.trim_end().len()));
            }
            start += line.len();
        }
        None
    }

    /// The byte that the message points at, whatever stands there; only if one query alone can be meant.
    pub(super) fn only_spot(&self) -> Option<(&'a SetQuery<'s>, usize)> {
        let [number] = self.queries[..] else { return None };
        let query = &self.subject.queries[number];
        let (line, column) = self.message.position?;
        Some((query, byte_at(query.text, line, column)?))
    }

    /// Whether some text of the schema is what the message points at.
    pub(super) fn has_spot(&self) -> bool {
        self.queries().any(|query| self.spot(query.text).is_some())
    }

    /// The nearest of some names.
    pub(super) fn nearest<'n>(wrong: &str, among: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        nearest(wrong, among, NEAREST).into_iter().map(str::to_owned).collect()
    }

    /// Fields of queries of the name that the message gives, or that end with it.
    pub(super) fn fields(&self, query: &'a SetQuery<'s>) -> impl Iterator<Item = &'a FieldUse> {
        let wanted = fold(self.name());
        query.facts().fields.iter().filter(move |field| !wanted.is_empty() && fold(&field.parts.join(".")) == wanted)
    }
}

/// Elements of a schema that hold an expression of the composition, each with what it is: Russian (nominative), English.
pub(super) fn expressions<'s>(scope: &Scope<'s>) -> Vec<(Element<'s>, Text)> {
    let schema = scope.schema;
    let mut found: Vec<(Element<'s>, Text)> = Vec::new();
    let mut add = |holder: Element<'s>, child: &str, what: Text| {
        found.extend(holder.child(child).filter(|one| !one.text().trim().is_empty()).map(|one| (one, what)));
    };
    for field in schema.calculated_fields() {
        let path = field.data_path();
        let what = Text::new(
            format!("выражение вычисляемого поля «{path}»"),
            format!("the expression of the calculated field “{path}”"),
        );
        add(field.element(), "expression", what);
    }
    for total in schema.totals() {
        let path = total.data_path();
        add(
            total.element(),
            "expression",
            Text::new(format!("выражение ресурса «{path}»"), format!("the expression of the total “{path}”")),
        );
    }
    for field in scope.sets.iter().flat_map(|set| set.fields().collect::<Vec<_>>()) {
        let path = field.data_path();
        let what = Text::new(
            format!("выражение представления поля «{path}»"),
            format!("the presentation expression of the field “{path}”"),
        );
        add(field.element(), "presentationExpression", what);
    }
    for link in schema.links() {
        let (from, to) = (link.source(), link.destination());
        for part in ["sourceExpression", "destinationExpression", "startExpression", "linkConditionExpression"] {
            let what = Text::new(
                format!("выражение связи «{from}» → «{to}»"),
                format!("an expression of the link “{from}” → “{to}”"),
            );
            add(link.element(), part, what);
        }
    }
    for parameter in schema.parameters() {
        let name = parameter.name();
        let what =
            Text::new(format!("выражение параметра «{name}»"), format!("the expression of the parameter “{name}”"));
        add(parameter.element(), "expression", what);
    }
    for template in schema.templates() {
        for parameter in template.parameters() {
            let name = parameter.name();
            let what = Text::new(
                format!("выражение параметра макета «{name}»"),
                format!("the expression of the template parameter “{name}”"),
            );
            add(parameter.element(), "expression", what);
        }
    }
    for (_, settings) in schema.all_settings() {
        for field in settings.user_fields().into_iter().flat_map(|fields| fields.all("item")) {
            let path = field.text_of("dataPath");
            for part in ["detailExpression", "totalExpression"] {
                let what = Text::new(
                    format!("выражение пользовательского поля «{path}»"),
                    format!("an expression of the user field “{path}”"),
                );
                add(field, part, what);
            }
        }
    }
    found
}

/// Elements of settings that name a path of data, with the variant's name.
pub(super) fn settings_fields<'s>(scope: &Scope<'s>) -> Vec<(Element<'s>, String)> {
    let all = scope.schema.all_settings().into_iter();
    all.flat_map(|(variant, settings)| field_uses(settings.element()).map(move |field| (field, variant.clone())))
        .collect()
}

/// The byte of a line and column, both from 1, the column in characters.
pub(super) fn byte_at(text: &str, line: u32, column: u32) -> Option<usize> {
    let start = match line.checked_sub(1)? {
        0 => 0,
        breaks => text.match_indices('\n').nth(breaks as usize - 1)?.0 + 1,
    };
    let there = text[start..].split('\n').next().unwrap_or("");
    let column = column.saturating_sub(1) as usize;
    there.char_indices().map(|(at, _)| at).chain([there.len()]).nth(column).map(|at| start + at)
}

/// The line that a byte stands in.
pub(super) fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |line| line + 1);
    text[start..].split('\n').next().unwrap_or("")
}

/// Whether a text begins with a name; case doesn't count, and the name ends there.
fn begins_with(text: &str, name: &str) -> bool {
    let mut there = text.chars();
    let fits = name
        .chars()
        .all(|wanted| there.next().is_some_and(|c| c == wanted || c.to_lowercase().eq(wanted.to_lowercase())));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let ends_open = name.chars().next_back().is_some_and(is_word);
    fits && !(ends_open && there.next().is_some_and(is_word))
}

/// "Replace X by Y", or what else there is to do.
pub(super) fn replace(wrong: &str, nearest: &[String], otherwise: Text) -> Text {
    match nearest.first() {
        Some(right) => Text::new(format!("Замените «{wrong}» на «{right}»"), format!("Replace “{wrong}” by “{right}”")),
        None => otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_lead_to_bytes() {
        let text = "ВЫБРАТЬ\n\tА.Б,\r\n\tВ";
        assert_eq!(byte_at(text, 1, 1), Some(0));
        assert_eq!(byte_at(text, 2, 2).map(|at| &text[at..at + 5]), Some("А.Б"));
        assert_eq!(byte_at(text, 3, 2).map(|at| &text[at..]), Some("В"));
        assert_eq!((byte_at(text, 4, 1), byte_at(text, 0, 1), byte_at(text, 1, 99)), (None, None, None));
    }
}
