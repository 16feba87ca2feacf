//! The tools of a project, as the loop sees them.

use std::sync::{Arc, PoisonError};

use tokio_util::sync::CancellationToken;
use tools::topics::{Question, choose};
use tools::{Class, Language, NameState, Stop, Toolset, grounding};

use crate::message::Arguments;
use crate::model::ToolSchema;
use crate::toolbox::{Briefing, NameCheck, ToolOutcome, Toolbox};

/// The tools of `metascope-tools` over the index of a project.
#[derive(Clone)]
pub struct ProjectTools(Toolset);

impl ProjectTools {
    /// Wraps the tools.
    pub fn new(toolset: Toolset) -> Self {
        Self(toolset)
    }
}

impl Toolbox for ProjectTools {
    fn schemas(&self) -> Vec<ToolSchema> {
        let schema = |tool: &'static tools::Tool| ToolSchema {
            name: tool.name.to_owned(),
            description: tool.description(),
            parameters: tool.schema(),
            read_only: tool.class == Class::Read,
        };
        self.0.registry().iter().map(schema).collect()
    }

    fn briefing(&self, question: &Question<'_>) -> Briefing {
        let choice = {
            let meaning = self.0.meaning();
            let mut meaning = meaning.lock().unwrap_or_else(PoisonError::into_inner);
            choose(question, Some(&mut *meaning))
        };
        let taken = self.0.registry().iter().filter(|tool| choice.takes(tool)).map(|tool| tool.name.to_owned());
        let references = choice.topics().iter().filter_map(|topic| self.reference(*topic)).collect();
        Briefing { tools: Some(taken.collect()), references }
    }

    fn call(&self, name: &str, arguments: &Arguments, cancel: &CancellationToken) -> ToolOutcome {
        let cancel = cancel.clone();
        let stop = Stop::when(move || cancel.is_cancelled());
        let result = match arguments {
            Arguments::Object(value) => self.0.call(name, value, &stop),
            Arguments::Broken { text, problem } => self.0.call_broken(name, text, problem),
        };
        ToolOutcome { content: result.content, summary: result.summary, ok: result.ok }
    }

    fn in_language(&self, language: Language) -> Option<Arc<dyn Toolbox>> {
        Some(Arc::new(Self(self.0.clone().with_language(language))))
    }

    fn version(&self) -> String {
        self.0.index().and_then(|index| index.version()).unwrap_or_default()
    }

    fn check_name(&self, name: &str) -> NameCheck {
        let Ok(index) = self.0.index() else { return NameCheck::NotAName };
        match grounding::check(&index, name) {
            Ok(NameState::Known) => NameCheck::Known,
            Ok(NameState::Unknown { nearest }) => NameCheck::Unknown { nearest },
            Ok(NameState::NotAName) | Err(_) => NameCheck::NotAName,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tools::Location;

    #[test]
    fn a_question_gets_its_tools_without_an_index() {
        let nowhere = Location::at(std::env::temp_dir().join("metascope-no-such-index").join("index.db"));
        let tools = ProjectTools::new(Toolset::new(nowhere, Language::Russian, "test"));
        let briefing = tools
            .briefing(&Question { text: "Кто вызывает эту процедуру?", ..Question::default() });
        let sent = briefing.tools.unwrap();
        assert!(sent.iter().any(|name| name == "callers") && sent.iter().any(|name| name == "hybrid_search"));
        assert!(!sent.iter().any(|name| name == "relation_path"));
    }
}
