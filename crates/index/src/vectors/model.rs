//! The embedding model: multilingual-e5-small in ONNX Runtime, through fastembed.
//!
//! The library is loaded by a full path before fastembed is touched: a missing library is then a plain error, where
//! fastembed itself would panic. One intra-op thread and one text at a time is both the fastest way and the exact one
//! (the model's dynamic quantization takes its scale from the whole batch).

use std::path::{Path, PathBuf};

use fastembed::{
    InitOptionsUserDefined, Pooling, QuantizationMode, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel,
};

/// Longest input in tokens; texts of [`super::texts`] stay below it.
const MAX_TOKENS: usize = 160;

/// What e5 expects before a search query.
const QUERY_PREFIX: &str = "query: ";
/// What e5 expects before a text that is searched for.
const PASSAGE_PREFIX: &str = "passage: ";

/// Why there are no vectors.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Model or runtime are not installed, or are damaged.
    #[error("{0}; run `{hint}`", hint = paths::SETUP_HINT)]
    NotInstalled(#[from] paths::PinnedFileError),
    /// There is no data directory (no home directory).
    #[error("no data directory: set {}", paths::DATA_DIR_VARIABLE)]
    NoDataDirectory,
    /// A file of the model cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// ONNX Runtime cannot be loaded.
    #[error("cannot load ONNX Runtime from {path}: {message}; run `{hint}`", hint = paths::SETUP_HINT)]
    Runtime {
        /// The shared library.
        path: PathBuf,
        /// What the loader said.
        message: String,
    },
    /// ONNX Runtime refuses the model, or fails on a text.
    #[error("the embedding model failed: {0}")]
    Inference(String),
    /// A worker process cannot be started, or ended.
    #[error("the embedding worker failed: {0}")]
    Worker(String),
}

/// Something that turns texts into vectors: a model in this process, or one in a worker process.
pub trait Embed: Send {
    /// Which model: vectors of different ids must never be compared.
    fn model_id(&self) -> &str;

    /// The vector of a text that is to be found, of unit length.
    ///
    /// # Errors
    /// [`ModelError::Inference`], or [`ModelError::Worker`] where the model runs in another process.
    fn passage(&mut self, text: &str) -> Result<Vec<f32>, ModelError>;

    /// The vector of a search query, of unit length.
    ///
    /// # Errors
    /// As [`Embed::passage`].
    fn query(&mut self, text: &str) -> Result<Vec<f32>, ModelError>;
}

/// The model, loaded into this process (about 340 MB).
pub struct Model {
    inner: TextEmbedding,
    id: String,
}

/// Where model and runtime lie, with pinned content.
///
/// # Errors
/// [`ModelError::NotInstalled`] with the file that is missing or damaged.
pub fn locate(runtime: Option<&Path>) -> Result<paths::Embedder, ModelError> {
    let places = paths::Places::of_user().ok_or(ModelError::NoDataDirectory)?;
    Ok(paths::Embedder::find(&places, runtime)?)
}

impl Model {
    /// Finds model and runtime of this user and loads them. `runtime` is the shared library that the settings name.
    ///
    /// # Errors
    /// What is missing, damaged or refused.
    pub fn of_user(runtime: Option<&Path>) -> Result<Self, ModelError> {
        let found = locate(runtime)?;
        Self::load(&found, paths::MODEL.id())
    }

    /// Loads a model of known id.
    ///
    /// # Errors
    /// An unreadable file; a library or model that is refused.
    pub fn load(at: &paths::Embedder, id: String) -> Result<Self, ModelError> {
        let read = |name: &str| {
            let path = at.model_dir.join(name);
            std::fs::read(&path).map_err(|source| ModelError::Unreadable { path, source })
        };
        // Only loads the library; fastembed makes the environment.
        drop(
            ort::init_from(&at.runtime)
                .map_err(|error| ModelError::Runtime { path: at.runtime.clone(), message: error.to_string() })?,
        );
        let tokenizer = TokenizerFiles {
            tokenizer_file: read(paths::MODEL.tokenizer.name)?,
            config_file: read(paths::MODEL.config.name)?,
            special_tokens_map_file: read(paths::MODEL.special_tokens.name)?,
            tokenizer_config_file: read(paths::MODEL.tokenizer_config.name)?,
        };
        let model = UserDefinedEmbeddingModel::new(read(paths::MODEL.network.name)?, tokenizer)
            .with_pooling(Pooling::Mean)
            .with_quantization(QuantizationMode::None);
        let options = InitOptionsUserDefined::new().with_max_length(MAX_TOKENS).with_intra_threads(1);
        let inner = TextEmbedding::try_new_from_user_defined(model, options)
            .map_err(|error| ModelError::Inference(error.to_string()))?;
        Ok(Self { inner, id })
    }

    fn embed(&mut self, prefix: &str, text: &str) -> Result<Vec<f32>, ModelError> {
        let vectors = self
            .inner
            .embed([format!("{prefix}{text}")], Some(1))
            .map_err(|error| ModelError::Inference(error.to_string()))?;
        match vectors.into_iter().next() {
            Some(vector) if vector.len() == paths::MODEL.dimensions => Ok(vector),
            Some(vector) => Err(ModelError::Inference(format!("{} dimensions", vector.len()))),
            None => Err(ModelError::Inference("no vector".into())),
        }
    }
}

impl Embed for Model {
    fn model_id(&self) -> &str {
        &self.id
    }

    fn passage(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        self.embed(PASSAGE_PREFIX, text)
    }

    fn query(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        self.embed(QUERY_PREFIX, text)
    }
}
