//! `grammar`: modules by the grammar, the second opinion that tests hold the reader against; both find the same methods.

use super::Reader;
use super::bsl::{Bsl, check};
use crate::seeds::Seed;
use bsl::{Engine, read_module, read_module_with};
use metadata::Format;

/// Longer inputs are left out: what is broken takes the grammar long, and no index is built by it.
const LONGEST: usize = 16 << 10;

/// The reader.
pub struct Grammar;

impl Reader for Grammar {
    fn name(&self) -> &'static str {
        "grammar"
    }

    fn wants(&self, format: Format, path: &str) -> bool {
        Bsl.wants(format, path)
    }

    fn seeds(&self, format: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed> {
        if bytes.len() > LONGEST { Vec::new() } else { Bsl.seeds(format, path, bytes) }
    }

    /// Its recovery tries many ways through what is broken.
    fn passes(&self) -> u32 {
        400
    }

    fn read(&self, _: &Seed, input: &[u8]) -> Vec<String> {
        let mut broken = Vec::new();
        if input.len() > LONGEST {
            return broken;
        }
        let (by_tree, _) = read_module_with(input, Engine::Tree);
        check(input, &by_tree, &mut broken);
        let by_tokens = read_module(input);
        if by_tokens.methods.len() != by_tree.methods.len() {
            broken.push("the parsers disagree on methods".to_owned());
        }
        if read_module(input) != by_tokens {
            broken.push("another reading of the same text gives other facts".to_owned());
        }
        broken
    }
}
