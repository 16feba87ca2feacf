//! The platform's container: a small file system in one file. `Form.bin` of an ordinary form is one, and so are `.cf` and `.epf`.
//!
//! ```text
//! header:  next free page, page size, a counter, zero                                    (little-endian)
//! block:   CR LF, size of the document, blank, size of this page, blank, address of the next page, blank, CR LF   (hexadecimal)
//!          then the page; pages of a chain are joined and cut to the document's size
//! first block, behind the header: the table of contents, three numbers an entry: address of its header, of its data, a mark
//! header of an entry: two times of 64 bits, 32 bits, the name in UTF-16LE that ends in zeros
//! ```
//!
//! Addresses have 32 bits, or 64 in files that newer platforms write if they are large (known from descriptions, not tried on
//! genuine files). Documents of a `Form.bin` stand as they are, those of a `.cf` in raw deflate, and often are containers again.
//!
//! A container may be damaged or made to harm: every address, size and number of entries is checked, a chain visits no page
//! twice, and nothing is read but what is asked for. What is wrong is an error of that file.

mod error;

pub use error::{ContainerError, Document};

use flate2::read::DeflateDecoder;
use rustc_hash::FxHashSet;
use std::io::Read;

/// More entries than that are no genuine container of a dump.
const MOST_ENTRIES: usize = 50_000;
/// Longest header of an entry, in bytes.
const LONGEST_HEADER: usize = 4096;
/// Bytes of an entry's header before the name.
const BEFORE_NAME: usize = 20;
/// Largest document after unpacking, in bytes: a few hundred bytes of deflate can make gigabytes.
const LARGEST_UNPACKED: u64 = 64 << 20;

/// How wide addresses are.
#[derive(Debug, Clone, Copy)]
struct Width {
    /// Bytes of the file's header.
    header: usize,
    /// Bytes of an address in the table of contents; twice as many hexadecimal digits in a block's header.
    address: usize,
    /// The address that means "none".
    none: u64,
}

const NARROW: Width = Width { header: 16, address: 4, none: 0x7FFF_FFFF };
const WIDE: Width = Width { header: 20, address: 8, none: u64::MAX };

impl Width {
    /// The width that a file's first bytes tell; None if it is no container.
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0xFF; 8]) {
            return Some(WIDE);
        }
        bytes.starts_with(&[0xFF, 0xFF, 0xFF, 0x7F]).then_some(NARROW)
    }

    /// Bytes of a block's header.
    const fn block(self) -> usize {
        2 + 3 * (2 * self.address + 1) + 2
    }
}

/// True if a file begins like a container without free pages, as every dump writes it.
pub fn is_container(bytes: &[u8]) -> bool {
    Width::of(bytes).is_some()
}

/// A container whose table of contents was read.
#[derive(Debug)]
pub struct Container<'a> {
    bytes: &'a [u8],
    width: Width,
    entries: Vec<Entry>,
}

/// An entry: its name, and where its data are.
#[derive(Debug)]
struct Entry {
    name: String,
    data: u64,
}

/// A page with what its header says.
struct Page<'a> {
    at: u64,
    /// Size of the whole document; only the first page of a chain counts.
    document: u64,
    /// As much of it as the file holds.
    bytes: &'a [u8],
    /// True if the file ends within it.
    cut: bool,
    next: u64,
}

impl<'a> Container<'a> {
    /// Reads the table of contents.
    ///
    /// # Errors
    /// If it is no container, or its table of contents is damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ContainerError> {
        Self::with_width(bytes, Width::of(bytes))
    }

    /// The same for one that may have free pages, as a container that was written into has: then its first number is the address of
    /// one, and only the block behind the header tells what it is.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_used(bytes: &'a [u8]) -> Result<Self, ContainerError> {
        let begins = |width: &Width| bytes.get(width.header..).is_some_and(|block| block.starts_with(b"\r\n"));
        Self::with_width(bytes, Width::of(bytes).or(Some(NARROW).filter(begins)))
    }

    fn with_width(bytes: &'a [u8], width: Option<Width>) -> Result<Self, ContainerError> {
        if bytes.is_empty() {
            return Err(ContainerError::Empty);
        }
        let width = width.ok_or(ContainerError::NoContainer)?;
        let mut container = Self { bytes, width, entries: Vec::new() };
        let table = container.document(width.header as u64, None)?;
        let mut entries = Vec::new();
        for row in table.chunks_exact(3 * width.address) {
            let (header, rest) = row.split_at(width.address);
            let (header, data) = (number(header), number(rest.get(..width.address).unwrap_or_default()));
            if header == 0 || header == width.none {
                continue;
            }
            if entries.len() == MOST_ENTRIES {
                return Err(ContainerError::TooManyEntries { most: MOST_ENTRIES });
            }
            let header = container.document(header, Some(LONGEST_HEADER))?;
            entries.push(Entry { name: name(&header), data });
        }
        container.entries = entries;
        Ok(container)
    }

    /// Names of the entries, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.name)
    }

    /// The document of that name, unpacked if it is packed; None if there is none.
    ///
    /// # Errors
    /// If its pages are damaged, or it unpacks to too much.
    pub fn entry(&self, name: &str) -> Result<Option<Vec<u8>>, ContainerError> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else { return Ok(None) };
        if entry.data == self.width.none || entry.data == 0 {
            return Ok(Some(Vec::new()));
        }
        let stored = self.document(entry.data, None)?;
        if is_container(&stored) || std::str::from_utf8(&stored).is_ok() {
            return Ok(Some(stored));
        }
        // What is neither a text nor a container is packed, or data of another kind.
        Ok(Some(unpack(&stored, LARGEST_UNPACKED)?.unwrap_or(stored)))
    }

    /// The document whose chain begins at an address: all of it, or its first bytes.
    fn document(&self, at: u64, most: Option<usize>) -> Result<Vec<u8>, ContainerError> {
        let mut page = self.page(at)?;
        let size = usize::try_from(page.document).unwrap_or(usize::MAX);
        if size > self.bytes.len() {
            return Err(ContainerError::TooLarge { at, size: page.document });
        }
        let wanted = most.map_or(size, |most| most.min(size));
        let mut document = Vec::with_capacity(wanted);
        let mut visited = FxHashSet::default();
        loop {
            let left = wanted.saturating_sub(document.len());
            document.extend_from_slice(page.bytes.get(..left).unwrap_or(page.bytes));
            if document.len() == wanted {
                return Ok(document);
            }
            if page.cut {
                return Err(ContainerError::Cut { at: page.at });
            }
            if page.next == self.width.none {
                return Err(ContainerError::Short { at, size: page.document });
            }
            if page.bytes.is_empty() || !visited.insert(page.at) || visited.contains(&page.next) {
                return Err(ContainerError::Looped { at: page.next });
            }
            page = Page { document: page.document, ..self.page(page.next)? };
        }
    }

    /// The page whose block begins at an address.
    fn page(&self, at: u64) -> Result<Page<'a>, ContainerError> {
        let cut = ContainerError::Cut { at };
        let start = usize::try_from(at).map_err(|_| cut)?;
        let end = start.checked_add(self.width.block()).ok_or(cut)?;
        let header = self.bytes.get(start..end).ok_or(cut)?;
        let [document, page, next] = self.header(header).ok_or(ContainerError::NoBlock { at })?;
        let below = self.bytes.get(end..).unwrap_or_default();
        let whole = usize::try_from(page).ok().and_then(|page| below.get(..page));
        Ok(Page { at, document, bytes: whole.unwrap_or(below), cut: whole.is_none(), next })
    }

    /// The three numbers of a block's header; None if it is none.
    fn header(&self, header: &[u8]) -> Option<[u64; 3]> {
        let mut rest = header.strip_prefix(b"\r\n")?;
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let (digits, behind) = rest.split_at_checked(2 * self.width.address)?;
            let digits = std::str::from_utf8(digits).ok()?;
            // `from_str_radix` takes a sign, too.
            if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return None;
            }
            *number = u64::from_str_radix(digits, 16).ok()?;
            rest = behind.strip_prefix(b" ")?;
        }
        (rest == b"\r\n").then_some(numbers)
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The name in the header of an entry.
fn name(header: &[u8]) -> String {
    let name = header.get(BEFORE_NAME..).unwrap_or_default();
    let units = name.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).take_while(|unit| *unit != 0);
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// What raw deflate makes of a document; None if it isn't packed like that.
///
/// # Errors
/// If that is more than `most` bytes.
pub fn unpack(stored: &[u8], most: u64) -> Result<Option<Vec<u8>>, ContainerError> {
    let mut unpacked = Vec::new();
    match DeflateDecoder::new(stored).take(most.saturating_add(1)).read_to_end(&mut unpacked) {
        Ok(size) if size as u64 > most => Err(ContainerError::TooLarge { at: 0, size: size as u64 }),
        Ok(_) => Ok(Some(unpacked)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests;
