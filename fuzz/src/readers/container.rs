//! `container`: `Form.bin` and other containers as bytes; the form within a `Form.bin`; `ParentConfigurations.bin`.

use super::{Reader, ends_in, read_file};
use crate::seeds::Seed;
use crate::syntax::Syntax;
use metadata::Format;

/// Bytes before the first block.
const HEADER: usize = 16;
/// Bytes of a block's header.
const BLOCK: usize = 31;
/// Where support by vendors stands.
const SUPPORT: &str = "Ext/ParentConfigurations.bin";

/// A form, and support by one vendor, as the platform writes them.
const FORM: &str = include_str!("../../data/form.txt");
const ONE_VENDOR: &str = include_str!("../../data/support.txt");

/// The reader.
pub struct Containers;

impl Reader for Containers {
    fn name(&self) -> &'static str {
        "container"
    }

    fn wants(&self, format: Format, path: &str) -> bool {
        format == Format::Designer && ends_in(path, &["bin"])
    }

    fn own(&self) -> Vec<Seed> {
        let form = container(&[("form", FORM.as_bytes()), ("module", "Процедура А()\nКонецПроцедуры".as_bytes())]);
        let mut seeds = self.seeds(Format::Designer, "CommonForms/Ф/Ext/Form.bin", form);
        seeds.push(Seed::whole(SUPPORT, Syntax::Brackets, ONE_VENDOR.into()));
        seeds
    }

    fn seeds(&self, _: Format, path: &str, bytes: Vec<u8>) -> Vec<Seed> {
        if path == SUPPORT {
            return vec![Seed::whole(path, Syntax::Brackets, bytes)];
        }
        if !bytes.starts_with(&[0xFF, 0xFF, 0xFF, 0x7F]) {
            return Vec::new();
        }
        // The same container as a template is looked into for a text.
        let template = "CommonTemplates/М/Ext/Template.bin";
        let mut seeds: Vec<Seed> =
            [path, template].map(|path| Seed::whole(path, Syntax::Binary, bytes.clone())).into_iter().collect();
        if let Some((start, size)) = document(&bytes, b"{") {
            let text = bytes.get(start..start + size).unwrap_or_default().to_vec();
            seeds.push(Seed { around: Some(bytes), ..Seed::whole(path, Syntax::Brackets, text) });
        }
        seeds
    }

    fn read(&self, seed: &Seed, input: &[u8]) -> Vec<String> {
        let path = &seed.path;
        match &seed.around {
            None => read_file(Format::Designer, path, input),
            Some(around) => read_file(Format::Designer, path, &with_document(around, b"{", input)),
        }
    }
}

/// A container with those documents.
fn container(documents: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = vec![0xFF, 0xFF, 0xFF, 0x7F, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let block = |out: &mut Vec<u8>, document: &[u8]| {
        let at = u32::try_from(out.len()).unwrap_or(u32::MAX).to_le_bytes();
        out.extend(format!("\r\n{0:08x} {0:08x} 7fffffff \r\n", document.len()).bytes());
        out.extend(document);
        at
    };
    let table = HEADER + BLOCK..HEADER + BLOCK + documents.len() * 12;
    block(&mut out, &vec![0; table.len()]);
    let mut rows = Vec::new();
    for (name, document) in documents {
        let units = name.encode_utf16().flat_map(u16::to_le_bytes);
        let header: Vec<u8> = [0; 20].into_iter().chain(units).chain([0; 4]).collect();
        rows.extend([block(&mut out, &header), block(&mut out, document), 0x7FFF_FFFF_u32.to_le_bytes()].concat());
    }
    out.splice(table, rows);
    out
}

/// Where the first document that begins like that stands, if it is of one page, and its size.
fn document(bytes: &[u8], start: &[u8]) -> Option<(usize, usize)> {
    let mut at = HEADER;
    loop {
        let header = std::str::from_utf8(bytes.get(at..at + BLOCK)?).ok()?;
        let mut fields = header.split_ascii_whitespace().map(|field| usize::from_str_radix(field, 16));
        let (size, page) = (fields.next()?.ok()?, fields.next()?.ok()?);
        let below = bytes.get(at + BLOCK..)?;
        let text = below.strip_prefix(b"\xef\xbb\xbf").unwrap_or(below);
        if text.starts_with(start) && size <= page {
            return Some((at + BLOCK, size));
        }
        at += BLOCK + page;
    }
}

/// A container with another document instead of the one that begins like that: it stands at the end, the table points there.
fn with_document(bytes: &[u8], start: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let Some((old, _)) = document(bytes, start) else { return out };
    let block = |at: usize| u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes();
    let (from, to) = (block(old - BLOCK), block(out.len()));
    let table = HEADER + BLOCK;
    for at in (table..table + 0x200).step_by(4) {
        if out.get(at..at + 4) == Some(&from[..]) {
            out[at..at + 4].copy_from_slice(&to);
        }
    }
    out.extend(format!("\r\n{:08x} {:08x} 7fffffff \r\n", new.len(), new.len()).bytes());
    out.extend(new);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_found_and_replaced() {
        let bytes = container(&[("form", b"{1,{2}"), ("module", b"A = 1;")]);
        let (start, size) = document(&bytes, b"{").expect("a document");
        assert_eq!(&bytes[start..start + size], b"{1,{2}");
        let path = "CommonForms/Ф/Ext/Form.bin";
        let seeds = Containers.seeds(Format::Designer, path, bytes.clone());
        assert_eq!(
            seeds.iter().map(|seed| seed.syntax).collect::<Vec<_>>(),
            [Syntax::Binary, Syntax::Binary, Syntax::Brackets]
        );
        // The failure of the new text shows: it is the one that is read.
        let failure = |text: &[u8]| {
            let trial = metadata::try_file(Format::Designer, path, &with_document(&bytes, b"{", text));
            trial.map(|trial| trial.problems.iter().map(|p| p.message(metadata::Language::English)).collect::<Vec<_>>())
        };
        assert_ne!(failure(b"{27}"), failure(b"{27,\"x"));
    }
}
