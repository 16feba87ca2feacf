//! The heaviest calls of each tool that an index allows: what its speed and its ceiling are measured with.
//!
//! What they name (the method that is called most, the largest module, the role with most rights …) is chosen from the index that is
//! measured, by the queries of `data/heavy_things.tsv`; `data/heavy_calls.tsv` says which tool is called with what.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use index::Index;
use serde_json::Value;

use crate::error::ToolError;
use crate::page::rows_of;

const TOOLS: &str = include_str!("../data/tools.tsv");
const THINGS: &str = include_str!("../data/heavy_things.tsv");
const CALLS: &str = include_str!("../data/heavy_calls.tsv");

/// What a tool looks at, and so how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// What the index finds by a key.
    LookUp,
    /// It may go through the sources, or the facts of every module.
    Scan,
}

impl Work {
    /// The longest that a call of such a tool should take on a large configuration.
    #[must_use]
    pub fn bar(self) -> Duration {
        match self {
            Self::LookUp => Duration::from_millis(300),
            Self::Scan => Duration::from_secs(2),
        }
    }

    /// Its word in `data/tools.tsv`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::LookUp => "look-up",
            Self::Scan => "scan",
        }
    }

    /// What the tool of that name looks at; None: the contract has no such tool.
    #[must_use]
    pub fn of_tool(name: &str) -> Option<Self> {
        static WORK: LazyLock<BTreeMap<&'static str, Work>> = LazyLock::new(|| {
            let work = |word: &str| [Work::LookUp, Work::Scan].into_iter().find(|work| work.word() == word);
            rows_of(TOOLS).skip(1).filter_map(|row| Some((*row.get(1)?, work(row.get(2)?)?))).collect()
        });
        WORK.get(name).copied()
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyCall {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments.
    pub arguments: Value,
    /// The call that comes before, for a tool that looks at what another one proposed.
    pub before: Option<(&'static str, Value)>,
}

/// The calls of an index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeavyCalls {
    /// Those that can be made, in the order of the tools.
    pub calls: Vec<HeavyCall>,
    /// Tools with the kind of thing that this index has none of: such a call can't be made.
    pub absent: Vec<(&'static str, String)>,
}

/// The heaviest calls of every tool over an index.
///
/// # Errors
/// If the index can't be read.
pub fn heavy_calls(index: &Index) -> Result<HeavyCalls, ToolError> {
    let things = things(index)?;
    let mut found = HeavyCalls::default();
    for row in rows_of(CALLS).skip(1) {
        let &[tool, arguments, after] = row.as_slice() else { continue };
        let before = match after {
            "-" => None,
            after => rows_of(CALLS).find(|row| row.first() == Some(&after)),
        };
        let filled = |text: &str| filled(serde_json::from_str(text).unwrap_or_default(), &things);
        let before = match before.as_deref() {
            Some([tool, arguments, ..]) => filled(arguments).map(|arguments| Some((*tool, arguments))),
            _ => Ok(None),
        };
        match (filled(arguments), before) {
            (Ok(arguments), Ok(before)) => found.calls.push(HeavyCall { tool, arguments, before }),
            (Err(thing), _) | (_, Err(thing)) => found.absent.push((tool, thing)),
        }
    }
    Ok(found)
}

/// The things that calls name, of those that the index has.
fn things(index: &Index) -> Result<BTreeMap<&'static str, String>, ToolError> {
    let mut found: BTreeMap<&'static str, String> = BTreeMap::new();
    for row in rows_of(THINGS).skip(1) {
        let &[thing, of, sql] = row.as_slice() else { continue };
        let of: Option<Vec<&str>> = match of {
            "-" => Some(Vec::new()),
            of => of.split(' ').map(|name| found.get(name).map(String::as_str)).collect(),
        };
        let Some(of) = of else { continue };
        let value = index.view(sql, &of)?.into_iter().next().and_then(|row| row.into_iter().next());
        let text = match value {
            Some((_, Value::String(text))) if !text.is_empty() => text,
            Some((_, Value::Number(number))) => number.to_string(),
            _ => continue,
        };
        found.insert(thing, text);
    }
    Ok(found)
}

/// Arguments with their things in place; the thing that is absent otherwise.
fn filled(mut arguments: Value, things: &BTreeMap<&'static str, String>) -> Result<Value, String> {
    match &mut arguments {
        Value::String(text) => *text = filled_text(text, things)?,
        Value::Array(items) => {
            for item in items {
                *item = filled(item.take(), things)?;
            }
        }
        Value::Object(members) => {
            for (_, member) in members.iter_mut() {
                *member = filled(member.take(), things)?;
            }
        }
        _ => {}
    }
    Ok(arguments)
}

fn filled_text(text: &str, things: &BTreeMap<&'static str, String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((thing, after)) = behind.split_once('}') else { break };
        out.push_str(before);
        out.push_str(things.get(thing).ok_or_else(|| thing.to_owned())?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::params::Args;
    use crate::registry::Registry;

    #[test]
    fn every_tool_has_a_heavy_call_and_says_what_it_looks_at() {
        let known: BTreeSet<&str> = rows_of(THINGS).skip(1).filter_map(|row| row.first().copied()).collect();
        let mut called = BTreeSet::new();
        for row in rows_of(CALLS).skip(1) {
            let &[name, arguments, after] = row.as_slice() else { panic!("{row:?}") };
            let tool = Registry::default().get(name).expect("a tool");
            let arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{name}: {error}"));
            let things = known.iter().map(|thing| (*thing, "1".to_owned())).collect();
            let filled = filled(arguments, &things).unwrap_or_else(|thing| panic!("{name}: no thing {thing}"));
            assert!(Args::read(tool.params, tool.example, &filled).is_ok(), "{name}: {filled}");
            assert!(after == "-" || called.contains(after), "{name} comes before {after}");
            called.insert(name);
        }
        for tool in Registry::default().iter() {
            assert!(called.contains(tool.name), "{}: no heavy call", tool.name);
            assert!(Work::of_tool(tool.name).is_some(), "{}: what does it look at?", tool.name);
        }
    }

    #[test]
    fn a_thing_is_made_of_those_before_it() {
        let mut known = BTreeSet::new();
        for row in rows_of(THINGS).skip(1) {
            let &[thing, of, sql] = row.as_slice() else { panic!("{row:?}") };
            assert!(of == "-" || of.split(' ').all(|of| known.contains(of)), "{thing}");
            assert_eq!(of == "-", !sql.contains("?1"), "{thing}");
            assert!(known.insert(thing), "{thing} stands twice");
        }
    }

    #[test]
    fn things_are_put_into_texts_wherever_they_stand() {
        let things = BTreeMap::from([("а", "Один".to_owned()), ("б", "2".to_owned())]);
        let value = json!({ "name": "{а}", "list": ["до {а} и {б}", 3], "brace": "если {" });
        assert_eq!(
            filled(value, &things),
            Ok(json!({ "name": "Один", "list": ["до Один и 2", 3], "brace": "если {" }))
        );
        assert_eq!(filled(json!({ "name": "{в}" }), &things), Err("в".to_owned()));
    }
}
