//! The list of tools, and the one way to call them.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bsl::nearest;
use index::search::Meaning;
use index::{Deadline, Index, Location};
use metadata::Language;
use serde_json::Value;

use crate::answer::Rendered;
use crate::audit::{Audit, AuditRecord, NoAudit, milliseconds};
use crate::context::{Context, SCAN_TIME, SharedMeaning, Stop};
use crate::edits::Edits;
use crate::error::{Problem, ToolError};
use crate::params::Args;
use crate::tool::{Class, Tool};
use crate::tools;
use crate::web::WebSearch;

/// All tools.
#[derive(Clone, Copy, Debug)]
pub struct Registry {
    tools: &'static [&'static Tool],
}

impl Default for Registry {
    fn default() -> Self {
        Self { tools: tools::ALL }
    }
}

impl Registry {
    /// The tools, in the order in which they are listed.
    pub fn iter(&self) -> impl Iterator<Item = &'static Tool> + use<> {
        self.tools.iter().copied()
    }

    /// A tool by its name, in any case.
    ///
    /// # Errors
    /// [`ToolError::UnknownTool`] with the nearest names.
    pub fn get(&self, name: &str) -> Result<&'static Tool, ToolError> {
        let found = self.iter().find(|tool| tool.name.eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| {
            let mut near = nearest(name, self.iter().map(|tool| tool.name), 3);
            if near.is_empty() {
                near = self.iter().map(|tool| tool.name).collect();
            }
            ToolError::UnknownTool {
                name: name.chars().take(100).collect(),
                nearest: near.into_iter().map(str::to_owned).collect(),
            }
        })
    }
}

/// The tools of one project.
///
/// Opens the index anew for each call, which costs a millisecond: calls may run on several threads, and a call after an
/// update sees what is new.
#[derive(Clone)]
pub struct Toolset {
    registry: Registry,
    location: Location,
    language: Language,
    caller: &'static str,
    meaning: SharedMeaning,
    web: Option<Arc<dyn WebSearch>>,
    audit: Arc<dyn Audit>,
    scan_time: Duration,
}

/// What a call gave: a result, or an error that can be acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallResult {
    /// JSON: the result, or `{"error": …}`.
    pub content: String,
    /// One line for people.
    pub summary: String,
    /// False: an error.
    pub ok: bool,
    /// Code of the error.
    pub code: Option<&'static str>,
}

impl Toolset {
    /// The tools over an index; `caller` says in the audit who calls.
    pub fn new(location: Location, language: Language, caller: &'static str) -> Self {
        Self {
            registry: Registry::default(),
            location,
            language,
            caller,
            meaning: Arc::new(Mutex::new(Meaning::none("not asked for"))),
            web: None,
            audit: Arc::new(NoAudit),
            scan_time: SCAN_TIME,
        }
    }

    /// With search by meaning.
    #[must_use]
    pub fn with_meaning(mut self, meaning: SharedMeaning) -> Self {
        self.meaning = meaning;
        self
    }

    /// With search in the web.
    #[must_use]
    pub fn with_web(mut self, web: Arc<dyn WebSearch>) -> Self {
        self.web = Some(web);
        self
    }

    /// With texts for people in another language.
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// With records of each call.
    #[must_use]
    pub fn with_audit(mut self, audit: Arc<dyn Audit>) -> Self {
        self.audit = audit;
        self
    }

    /// With another time after which a scan of all sources answers with what it found so far, from the start of the call.
    #[must_use]
    pub fn with_scan_time(mut self, time: Duration) -> Self {
        self.scan_time = time;
        self
    }

    /// The list of tools.
    pub fn registry(&self) -> Registry {
        self.registry
    }

    /// Language of texts for people.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Search by meaning.
    pub fn meaning(&self) -> &SharedMeaning {
        &self.meaning
    }

    /// Where the index lies.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// The pending changes of the project.
    pub fn edits(&self) -> Edits {
        Edits::of(&self.location)
    }

    /// Opens the index.
    ///
    /// # Errors
    /// If there is none.
    pub fn index(&self) -> index::Result<Index> {
        Index::open(&self.location)
    }

    /// Runs a tool. Never fails: an error is a result that a model can act on.
    pub fn call(&self, name: &str, arguments: &Value, stop: &Stop) -> CallResult {
        self.audited(name, &arguments.to_string(), |tool| self.run(tool, arguments, stop))
    }

    /// The result for arguments that are no JSON.
    pub fn call_broken(&self, name: &str, text: &str, problem: &str) -> CallResult {
        self.audited(name, text, |tool| {
            let problem = Problem::NotAnObject { why: problem.to_owned() };
            Err(ToolError::Argument { argument: String::new(), problem, example: tool.example })
        })
    }

    fn run(&self, tool: &Tool, arguments: &Value, stop: &Stop) -> Result<Rendered, ToolError> {
        let until = Deadline::after(self.scan_time);
        let args = Args::read(tool.params, tool.example, arguments)?;
        let index = self.index()?;
        let (edits, web) = (self.edits(), self.web.as_deref());
        let (language, meaning) = (self.language, &self.meaning);
        let context = Context { index: &index, edits: &edits, language, stop, until, meaning, web };
        context.check()?;
        Ok((tool.run)(&context, &args)?.render(tool.ceiling, self.language))
    }

    fn audited(
        &self,
        name: &str,
        arguments: &str,
        run: impl FnOnce(&Tool) -> Result<Rendered, ToolError>,
    ) -> CallResult {
        let started = Instant::now();
        let tool = self.registry.get(name);
        let class: Option<Class> = tool.as_ref().ok().map(|tool| tool.class);
        let mut record = AuditRecord::new(self.caller, name, class, arguments);
        let result = match tool.and_then(run) {
            Ok(Rendered { content, summary, omitted }) => {
                record.omitted = omitted;
                CallResult { content, summary, ok: true, code: None }
            }
            Err(error) => {
                let message = error.message(self.language);
                let summary = match error.hint(self.language) {
                    Some(hint) => format!("{message} ({hint})"),
                    None => message,
                };
                let content = error.to_json(self.language).to_string();
                CallResult { content, summary, ok: false, code: Some(error.code()) }
            }
        };
        record.error = result.code;
        record.characters = result.content.chars().count();
        record.took = milliseconds(started.elapsed());
        self.audit.record(&record);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::MemoryAudit;

    #[test]
    fn every_tool_describes_itself_in_a_way_that_a_model_can_follow() {
        let mut names: Vec<&str> = Vec::new();
        for tool in Registry::default().iter() {
            assert!(!names.contains(&tool.name), "{} stands twice", tool.name);
            names.push(tool.name);
            assert!(tool.purpose.contains("Not for"), "{}: says not what it is not for", tool.name);
            assert!(crate::topics::of_tool(tool.name).is_some(), "{}: no row in the table of topics", tool.name);
            let example: Value = serde_json::from_str(tool.example).unwrap();
            assert!(
                Args::read(tool.params, tool.example, &example).is_ok(),
                "{}: its example is not accepted",
                tool.name
            );
            assert!(tool.params.iter().all(|param| !param.about.is_empty()), "{}", tool.name);
            assert_eq!(tool.schema()["type"], "object");
        }
    }

    /// Group and name of every tool of the contract, in order.
    fn contract() -> Vec<(&'static str, &'static str)> {
        let rows = crate::page::rows_of(include_str!("../data/tools.tsv")).skip(1);
        rows.map(|row| (row[0], row[1])).collect()
    }

    #[test]
    fn tools_stand_in_the_order_and_group_of_the_contract() {
        let contract = contract();
        assert_eq!(contract.len(), 71);
        let group = |tool: &Tool| serde_json::to_value(tool.group).unwrap().as_str().unwrap_or_default().to_owned();
        let here: Vec<(String, &str)> = Registry::default().iter().map(|tool| (group(tool), tool.name)).collect();
        let there: Vec<(String, &str)> = contract
            .iter()
            .filter(|(_, name)| here.iter().any(|(_, known)| known == name))
            .map(|(group, name)| ((*group).to_owned(), *name))
            .collect();
        assert_eq!(here, there, "a tool that the contract does not list, or one out of its order or group");
        let missing: Vec<&str> =
            contract.iter().map(|(_, name)| *name).filter(|name| here.iter().all(|(_, known)| known != name)).collect();
        println!("missing: {} ({})", missing.len(), missing.join(", "));
    }

    #[test]
    fn unknown_tools_broken_arguments_and_a_missing_index_are_results_and_are_recorded() {
        let audit = Arc::new(MemoryAudit::default());
        let nowhere = Location::at(std::env::temp_dir().join("metascope-no-such-index").join("index.db"));
        let tools = Toolset::new(nowhere, Language::English, "test").with_audit(audit.clone());
        let stop = Stop::default();
        let unknown = tools.call("caller", &serde_json::json!({}), &stop);
        assert!(!unknown.ok && unknown.content.contains("callers"), "{}", unknown.content);
        let broken = tools.call_broken("callers", "{oops", "key must be a string at line 1 column 2");
        assert!(broken.content.contains("line 1 column 2") && broken.content.contains("example"), "{}", broken.content);
        assert_eq!(tools.call("Callers", &serde_json::json!({"name": "М"}), &stop).code, Some("no_index"));
        let errors: Vec<_> = audit.records().iter().map(|record| record.error).collect();
        assert_eq!(errors, [Some("unknown_tool"), Some("bad_argument"), Some("no_index")]);
    }
}
