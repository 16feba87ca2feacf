//! Pages of lists that are known in full, and what an empty one proves.

use index::{State, ViewRow};
use metadata::Language;
use serde::Serialize;
use serde_json::Value;

use crate::answer::{Answer, Next};
use crate::context::Context;
use crate::error::ToolError;
use crate::params::Args;

impl Answer {
    /// Adds the page of a list that `offset` and `limit` of the arguments ask for; `tool` with `arguments` gives the next one.
    #[must_use]
    pub fn page<T: Serialize>(
        mut self,
        key: &'static str,
        rows: &[T],
        args: &Args,
        tool: &'static str,
        arguments: Value,
    ) -> Self {
        let (offset, limit) = (args.number("offset"), args.number("limit"));
        let behind = rows.get(offset.min(rows.len())..).unwrap_or_default();
        let shown = behind.get(..limit.min(behind.len())).unwrap_or_default();
        if shown.is_empty() && !rows.is_empty() {
            self = self.empty(format!("offset {offset} ≥ {}", rows.len()));
        }
        let beyond = behind.len() - shown.len();
        self.list_of_more(key, shown, Some(beyond), Next::Page { tool, arguments, offset })
    }
}

/// One line that says whether an empty answer on metadata proves that there is nothing.
pub(crate) fn why_none(nothing: &str, state: &State, language: Language) -> String {
    let proven = match (state.complete, language) {
        (true, Language::Russian) => "доказано: все файлы прочитаны",
        (true, Language::English) => "proven: all files were read",
        (false, Language::Russian) => "не доказано, причины ниже",
        (false, Language::English) => "not proven, for the reasons below",
    };
    format!("{nothing} ({proven})")
}

/// The arguments of a call with one of them set.
pub(crate) fn set(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    if let Some(object) = arguments.as_object_mut() {
        object.insert(name.to_owned(), value.into());
    }
    arguments
}

/// Whether a text holds another one, without regard to case; the empty one is in every text.
pub(crate) fn holds(text: &str, part: &str) -> bool {
    part.is_empty() || bsl::fold(text).contains(&bsl::fold(part))
}

/// Whether a full name is that of a thing, or of something that belongs to it.
pub(crate) fn is_inside(name: &str, owner: &str) -> bool {
    name.strip_prefix(owner).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The first row of a query for one name; an empty one if there is none. A join over names of two views goes through all of the
/// second one, a look-up of one name does not.
pub(crate) fn first(context: &Context<'_>, sql: &str, name: &str) -> Result<ViewRow, ToolError> {
    Ok(context.index.view(sql, &[name])?.into_iter().next().unwrap_or_default())
}

/// A text of a row; empty for none.
pub(crate) fn text<'r>(row: &'r ViewRow, key: &str) -> &'r str {
    row.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A number of a row; 0 for none.
pub(crate) fn number(row: &ViewRow, key: &str) -> u64 {
    row.get(key).and_then(Value::as_u64).unwrap_or(0)
}

/// A row without what is empty in it.
pub(crate) fn without_empty(row: &ViewRow) -> ViewRow {
    let is_empty = |value: &Value| matches!(value, Value::Null) || value.as_str().is_some_and(str::is_empty);
    row.iter().filter(|(_, value)| !is_empty(value)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Rows of a data file: cells between tabs; empty lines and those that begin with `#` are none.
pub(crate) fn rows_of(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| line.split('\t').collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Param;
    use serde_json::json;

    const PARAMS: &[Param] = &[Param::name("a name"), Param::limit(3, 100), Param::offset()];

    fn page(offset: usize) -> Value {
        let given = json!({ "name": "М", "offset": offset });
        let args = Args::read(PARAMS, "{}", &given).unwrap();
        let rows: Vec<usize> = (0..7).collect();
        let answer = Answer::complete().page("rows", &rows, &args, "tool", args.with("name", "Полное"));
        serde_json::from_str(&answer.render(2000, Language::English).content).unwrap()
    }

    #[test]
    fn pages_join_and_the_last_one_has_no_next() {
        let first = page(0);
        assert_eq!(first["rows"], json!([0, 1, 2]));
        assert_eq!(first["rows_omitted"]["note"], "4 more");
        let next = &first["rows_omitted"]["next"];
        assert_eq!(next, &json!({ "tool": "tool", "arguments": { "name": "Полное", "offset": 3 } }));
        let last = page(6);
        assert_eq!((&last["rows"], &last["rows_omitted"]), (&json!([6]), &Value::Null));
        assert_eq!(page(7)["state"]["outcome"], "empty");
    }

    #[test]
    fn parts_are_found_in_any_case() {
        assert!(holds("Справочник.Валюты", "валют") && holds("х", "") && !holds("", "х"));
    }
}
