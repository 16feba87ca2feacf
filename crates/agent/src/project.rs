//! The tools of a project, as the loop sees them.

use tokio_util::sync::CancellationToken;
use tools::{Class, NameState, Stop, Toolset, grounding};

use crate::message::Arguments;
use crate::model::ToolSchema;
use crate::toolbox::{NameCheck, ToolOutcome, Toolbox};

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

    fn call(&self, name: &str, arguments: &Arguments, cancel: &CancellationToken) -> ToolOutcome {
        let cancel = cancel.clone();
        let stop = Stop::when(move || cancel.is_cancelled());
        let result = match arguments {
            Arguments::Object(value) => self.0.call(name, value, &stop),
            Arguments::Broken { text, problem } => self.0.call_broken(name, text, problem),
        };
        ToolOutcome { content: result.content, summary: result.summary, ok: result.ok }
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
