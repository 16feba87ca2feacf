//! Indexes for the tests of the tools.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]
#![allow(dead_code, reason = "each test program uses a part of it")]

mod letters;

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use index::build::{self, Options};
use metascope_tools::audit::MemoryAudit;
use metascope_tools::{CallResult, Language, Location, Meaning, Stop, Toolset};
use serde_json::Value;
use tempfile::TempDir;

/// The tools over an index that lives as long as the test program.
pub struct Project {
    tools: Toolset,
    pub audit: Arc<MemoryAudit>,
    _folder: TempDir,
}

impl Project {
    fn build(dump: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let location = Location::at(folder.path().join("index.db"));
        build::build(dump, &location, &Options::default(), &build::Stop::default(), &|_| {})
            .expect("the index is built");
        let audit = Arc::new(MemoryAudit::default());
        let tools = Toolset::new(location, Language::Russian, "test").with_audit(audit.clone());
        Self { tools, audit, _folder: folder }
    }

    /// Over the demo configuration.
    pub fn demo() -> &'static Self {
        static DEMO: OnceLock<Project> = OnceLock::new();
        DEMO.get_or_init(|| Self::build(&support::demo()))
    }

    /// Over the demo with vectors: letters stand for a model.
    pub fn with_vectors() -> &'static Self {
        static DEMO: OnceLock<Project> = OnceLock::new();
        DEMO.get_or_init(|| {
            let Self { tools, audit, _folder } = Self::build(&support::demo());
            letters::write_vectors(&tools.index().expect("the index opens"), _folder.path());
            let meaning = Meaning::new(Box::new(|| Ok(Box::new(letters::Letters))));
            Self { tools: tools.with_meaning(Arc::new(Mutex::new(meaning))), audit, _folder }
        })
    }

    /// Over the Standard Subsystems Library.
    pub fn library() -> &'static Self {
        static LIBRARY: OnceLock<Project> = OnceLock::new();
        LIBRARY.get_or_init(|| Self::build(&support::require_corpus("ssl_3_1").join("src/cf")))
    }

    /// The index itself.
    pub fn index(&self) -> index::Index {
        self.tools.index().expect("the index opens")
    }

    /// The tools, to be given more.
    pub fn tools(&self) -> Toolset {
        self.tools.clone()
    }

    /// Runs a tool; the result stays within its ceiling and leaves a record.
    pub fn call(&self, tool: &str, arguments: Value) -> CallResult {
        let before = self.audit.records().len();
        let result = self.tools.call(tool, &arguments, &Stop::default());
        assert!(self.audit.records().len() > before, "{tool}: no record");
        if let Ok(known) = self.tools.registry().get(tool) {
            let length = result.content.chars().count();
            assert!(length <= known.ceiling, "{tool} {arguments}: {length} characters, ceiling {}", known.ceiling);
        }
        result
    }

    /// A result that is no error.
    pub fn ok(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone());
        assert!(result.ok, "{tool} {arguments}: {}", result.content);
        serde_json::from_str(&result.content).expect("JSON")
    }

    /// The error of a call.
    pub fn error(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone());
        assert!(!result.ok, "{tool} {arguments}: {}", result.content);
        serde_json::from_str::<Value>(&result.content).expect("JSON")["error"].clone()
    }
}

/// A list of texts by one key of its entries.
pub fn column<'a>(value: &'a Value, list: &str, key: &str) -> Vec<&'a str> {
    value[list].as_array().into_iter().flatten().filter_map(|row| row[key].as_str()).collect()
}

/// Follows the ready next calls of a list to its end and gives all its entries.
pub fn all_pages(project: &Project, tool: &str, arguments: Value, list: &str) -> Vec<Value> {
    let (mut tool, mut arguments, mut all) = (tool.to_owned(), arguments, Vec::new());
    for _ in 0..1000 {
        let page = project.ok(&tool, arguments);
        let rows = page[list].as_array().cloned().unwrap_or_default();
        assert!(!rows.is_empty() || all.is_empty(), "an empty page: {page}");
        all.extend(rows);
        let next = &page[format!("{list}_omitted")]["next"];
        if next.is_null() {
            return all;
        }
        tool = next["tool"].as_str().expect("a tool").to_owned();
        arguments = next["arguments"].clone();
    }
    panic!("the pages of {tool} never end");
}

/// A copy of the demo that a test may change, with its own index and its own pending changes.
pub struct Scratch {
    pub root: std::path::PathBuf,
    pub tools: Toolset,
    folder: TempDir,
}

impl Scratch {
    /// A copy of the demo.
    pub fn demo() -> Self {
        Self::of(|root| ::support::copy_folder(&::support::demo(), root))
    }

    /// Whatever is put into the folder.
    pub fn of(make: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("cf");
        make(&root);
        let location = Location::at(folder.path().join("index.db"));
        let tools = Toolset::new(location, Language::Russian, "test");
        let scratch = Self { root, tools, folder };
        scratch.update();
        scratch
    }

    /// Builds the index, or brings it up to date.
    pub fn update(&self) {
        build::build(&self.root, self.tools.location(), &Options::default(), &build::Stop::default(), &|_| {})
            .expect("the index is built");
    }

    pub fn index(&self) -> index::Index {
        self.tools.index().expect("the index opens")
    }

    /// The folder around everything.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn call(&self, tool: &str, arguments: Value) -> CallResult {
        self.tools.call(tool, &arguments, &Stop::default())
    }

    pub fn ok(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone());
        assert!(result.ok, "{tool} {arguments}: {}", result.content);
        let ceiling = self.tools.registry().get(tool).expect("known").ceiling;
        assert!(result.content.chars().count() <= ceiling, "{tool}: over its ceiling");
        serde_json::from_str(&result.content).expect("JSON")
    }

    pub fn error(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone());
        assert!(!result.ok, "{tool} {arguments}: {}", result.content);
        serde_json::from_str::<Value>(&result.content).expect("JSON")["error"].clone()
    }

    /// Applies a change.
    pub fn apply(&self, id: u64) -> metascope_tools::edits::Applied {
        let ids = [u32::try_from(id).expect("small")];
        self.tools.edits().apply(&self.index(), &ids).expect("applied")
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.root.join(path)).expect("a file")
    }

    /// Every file below the root with its bytes.
    pub fn everything(&self) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
        let mut found = std::collections::BTreeMap::new();
        let mut ahead = vec![self.root.clone()];
        while let Some(folder) = ahead.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    ahead.push(path);
                } else {
                    found.insert(path.clone(), std::fs::read(path).expect("a file"));
                }
            }
        }
        found
    }
}
