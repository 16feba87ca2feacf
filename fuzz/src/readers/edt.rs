//! `edt`: the same of projects of 1C:EDT.

use super::{Reader, ends_in, read_file};
use crate::seeds::Seed;
use crate::syntax::Syntax;
use metadata::{Format, try_file};

/// What EDT writes in XML.
const EXTENSIONS: [&str; 13] =
    ["mdo", "form", "rights", "dcs", "dcss", "dcssca", "cmi", "hpwa", "schedule", "scheme", "mxlx", "html", "xdto"];

/// The reader.
pub struct Edt;

impl Reader for Edt {
    fn name(&self) -> &'static str {
        "edt"
    }

    fn wants(&self, format: Format, path: &str) -> bool {
        format == Format::Edt && ends_in(path, &EXTENSIONS) && try_file(format, path, b"").is_some()
    }

    fn seeds(&self, _: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed> {
        vec![Seed::whole(path, Syntax::Xml, bytes)]
    }

    fn read(&self, seed: &Seed, input: &[u8]) -> Vec<String> {
        read_file(Format::Edt, &seed.path, input)
    }
}
