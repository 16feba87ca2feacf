//! Makes containers of the platform for tests.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// Bytes of a page, as the platform makes them by default.
const PAGE: usize = 0x200;

/// A container with those entries, as the platform writes a `Form.bin`: documents stand as they are.
#[must_use]
pub fn narrow(entries: &[(&str, &[u8])]) -> Vec<u8> {
    write(entries, false)
}

/// A container with addresses of 64 bits.
#[must_use]
pub fn wide(entries: &[(&str, &[u8])]) -> Vec<u8> {
    write(entries, true)
}

/// A container of the platform's help, `shcntx_ru.hbk`, with those pages: paths and HTML. Its layout is the one that is described, no
/// genuine one was looked at.
///
/// # Panics
/// If a page can't be packed, which memory alone could cause.
#[must_use]
pub fn help(pages: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, page) in pages {
        writer.start_file(*path, SimpleFileOptions::default()).expect("memory");
        writer.write_all(page.as_bytes()).expect("memory");
    }
    let archive = writer.finish().expect("memory").into_inner();
    narrow(&[("Book", b"{7,\"SyntaxHelperContext\"}"), ("PackBlock", b"PK"), ("FileStorage", &archive)])
}

/// A document in raw deflate.
///
/// # Panics
/// If it can't be packed, which memory alone could cause.
#[must_use]
pub fn packed(document: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(document).expect("memory");
    encoder.finish().expect("memory")
}

fn write(entries: &[(&str, &[u8])], wide: bool) -> Vec<u8> {
    let mut out = if wide { vec![0xFF; 8] } else { vec![0xFF, 0xFF, 0xFF, 0x7F] };
    for number in [0x200_u32, 0, 0] {
        out.extend(number.to_le_bytes());
    }
    let address =
        |at: usize| if wide { (at as u64).to_le_bytes().to_vec() } else { (at as u32).to_le_bytes().to_vec() };
    let none = || if wide { vec![0xFF; 8] } else { 0x7FFF_FFFF_u32.to_le_bytes().to_vec() };
    let row = address(0).len() * 3;
    // The table of contents has room for its entries, the blocks that it points to follow.
    let table_at = out.len();
    let room = (entries.len() * row).max(1).next_multiple_of(PAGE);
    block(&mut out, &vec![0; entries.len() * row], room, wide);
    let mut table = Vec::new();
    for (name, data) in entries {
        let mut header = vec![0; 20];
        header.extend(name.encode_utf16().flat_map(u16::to_le_bytes));
        header.extend([0; 4]);
        table.extend(address(out.len()));
        let size = header.len();
        block(&mut out, &header, size, wide);
        table.extend(address(out.len()));
        block(&mut out, data, data.len().max(PAGE), wide);
        table.extend(none());
    }
    let start = table_at + block_header(0, 0, wide).len();
    out[start..start + table.len()].copy_from_slice(&table);
    out
}

fn block(out: &mut Vec<u8>, document: &[u8], page: usize, wide: bool) {
    out.extend(block_header(document.len(), page, wide));
    out.extend(document);
    out.extend(std::iter::repeat_n(0, page - document.len()));
}

fn block_header(document: usize, page: usize, wide: bool) -> Vec<u8> {
    if wide {
        return format!("\r\n{document:016x} {page:016x} ffffffffffffffff \r\n").into_bytes();
    }
    format!("\r\n{document:08x} {page:08x} 7fffffff \r\n").into_bytes()
}
