//! What is kept of a change that was proposed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::gate::Finding;
use super::splice::Splices;

/// The number of a change; never given twice.
pub type EditId = u32;

/// A change that was proposed: what it is, who proposed it, and the splices of each file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// Its number.
    pub id: EditId,
    /// One line for people.
    pub title: String,
    /// The tool that proposed it.
    pub tool: String,
    /// With which arguments.
    pub arguments: Value,
    /// Milliseconds since 1970 when it was proposed.
    pub at: u64,
    /// What became of it.
    pub state: EditState,
    /// What changes, by path.
    pub files: Vec<FileEdit>,
    /// What the gates remarked and did not refuse.
    #[serde(default)]
    pub remarks: Vec<Finding>,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditState {
    /// It waits.
    Pending,
    /// It stands in the files.
    Applied,
    /// It stood there, and was taken back.
    Undone,
    /// It was dropped before it was applied.
    Discarded,
}

impl EditState {
    /// The word that programs see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Applied => "applied",
            Self::Undone => "undone",
            Self::Discarded => "discarded",
        }
    }
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEdit {
    /// Path as the views show it: relative to the dump, an extension's with its layer before it.
    pub path: String,
    /// True if the change makes the file; then the splices are those of an empty text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub creates: bool,
    /// Hash of the text that the splices were made for: of the file, or of what the changes before this one make of it.
    pub before: String,
    /// Hash of the text that they lead to.
    pub after: String,
    /// The splices.
    pub splices: Splices,
}

impl Pending {
    /// The change of a file.
    pub fn file(&self, path: &str) -> Option<&FileEdit> {
        self.files.iter().find(|file| file.path == path)
    }
}

/// The hash of a text: SHA-256, in hexadecimal.
pub fn hash(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
