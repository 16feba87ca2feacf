//! `designer`: descriptions, forms, rights, templates and everything else that the Designer writes in XML; pages of help.

use super::{Reader, ends_in, read_file};
use crate::seeds::Seed;
use crate::syntax::Syntax;
use metadata::{Format, try_file};

/// The reader.
pub struct Designer;

impl Reader for Designer {
    fn name(&self) -> &'static str {
        "designer"
    }

    fn wants(&self, format: Format, path: &str) -> bool {
        format == Format::Designer && ends_in(path, &["xml", "html"]) && try_file(format, path, b"").is_some()
    }

    fn seeds(&self, _: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed> {
        vec![Seed::whole(path, Syntax::Xml, bytes)]
    }

    fn read(&self, seed: &Seed, input: &[u8]) -> Vec<String> {
        read_file(Format::Designer, &seed.path, input)
    }
}
