//! The help of the platform itself: functions, types and members with their signatures, from a container `shcntx_*.hbk` that the
//! platform's setup puts beside its programs.
//!
//! ```text
//! shcntx_ru.hbk            a container as `container` reads it
//!   FileStorage            a ZIP archive: a page of HTML for each function, type and member
//!     objects/Global context/methods/catalog20/StrTemplate4527.html
//!     objects/catalog234/catalog236/ValueTable.html, …/ValueTable/methods/FindRows.html, …/properties/…, …/ctors/…
//!   PackBlock, Book        the table of contents and what the book is: not needed, the paths tell what a page is
//! ```
//!
//! The texts belong to the platform's vendor: they are read where they lie and never kept. The format is known from descriptions
//! (alkoleft/hbk-viewer, `doc/hbk-format.md`); no genuine file was at hand when this was written, so what doesn't look as described is
//! left out, never an error of the whole.

mod error;
mod page;
mod place;
#[cfg(test)]
mod tests;
mod words;

pub use error::PlatformHelpError;
pub use place::{platform_folders, platform_help_file};

use rustc_hash::FxHashSet;
use std::io::{Cursor, Read};

use crate::container::Container;
use page::PageKind;

/// The document of a container that holds the pages.
const PAGES: &str = "FileStorage";
/// Largest container, in bytes; genuine ones have some forty million.
pub const LARGEST_HELP: u64 = 512 << 20;
/// Largest page, in bytes.
const LARGEST_PAGE: u64 = 2 << 20;
/// Most bytes of all pages, unpacked.
const MOST_BYTES: u64 = 2 << 30;
/// Most entries of the archive.
const MOST_PAGES: usize = 300_000;

/// What a member of the platform is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlatformMemberKind {
    /// A function or procedure of the global context.
    Function,
    /// A method of a type.
    Method,
    /// A property, of a type or of the global context.
    Property,
    /// A constructor of a type.
    Constructor,
    /// A value of a system enumeration.
    Value,
    /// A type.
    Type,
}

/// A function, a member or a type as a page of the help describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlatformMember {
    /// The type that it belongs to in Russian and English; empty for the global context.
    pub owner: (String, String),
    /// What it is.
    pub kind: PlatformMemberKind,
    /// Name in Russian; in English if the container has only that.
    pub ru: String,
    /// Name in English; empty if the page has only one.
    pub en: String,
    /// Each way to call it, parted by ` | `: `(Строка: Строка, Число?: Число): Строка`; empty if nothing is said.
    pub signature: String,
    /// Types of the result, or of a property; empty if nothing is said.
    pub returns: String,
    /// Where it is available: `ThinClient`, `Server` …; empty if nothing is said.
    pub available: Vec<&'static str>,
}

/// What a container holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlatformHelp {
    /// Functions, types and members, in the order of the pages.
    pub members: Vec<PlatformMember>,
    /// Pages that could not be unpacked.
    pub unread: usize,
}

/// Reads the bytes of a container.
///
/// # Errors
/// If it is no container of help, or holds no page of a function, type or member.
pub fn read_platform_help(bytes: &[u8]) -> Result<PlatformHelp, PlatformHelpError> {
    let container = Container::open_used(bytes).map_err(PlatformHelpError::Container)?;
    let stored = container.entry(PAGES).map_err(PlatformHelpError::Container)?;
    let stored = stored.filter(|stored| !stored.is_empty()).ok_or(PlatformHelpError::NoPages)?;
    let mut archive = zip::ZipArchive::new(Cursor::new(stored)).map_err(PlatformHelpError::archive)?;
    if archive.len() > MOST_PAGES {
        return Err(PlatformHelpError::TooLarge);
    }
    let mut help = PlatformHelp::default();
    let mut enumerations = FxHashSet::default();
    let mut left = MOST_BYTES;
    for number in 0..archive.len() {
        let Ok(file) = archive.by_index(number) else {
            help.unread += 1;
            continue;
        };
        // A name that can't be read is that of no page.
        let Some(kind) = file.name().ok().and_then(|name| PageKind::of(&name.replace('\\', "/"))) else { continue };
        let mut page = Vec::new();
        // What an archive says of its sizes need not be so.
        let read = file.take(LARGEST_PAGE.min(left)).read_to_end(&mut page);
        left = left.saturating_sub(page.len() as u64);
        if left == 0 {
            return Err(PlatformHelpError::TooLarge);
        }
        match read {
            Ok(_) => {
                let Some(read) = page::read(kind, &String::from_utf8_lossy(&page)) else { continue };
                if read.has_values {
                    enumerations.insert(read.member.ru.clone());
                }
                help.members.push(read.member);
            }
            Err(_) => help.unread += 1,
        }
    }
    if help.members.is_empty() {
        return Err(PlatformHelpError::NoMembers { unread: help.unread });
    }
    for member in &mut help.members {
        if member.kind == PlatformMemberKind::Property && enumerations.contains(&member.owner.0) {
            member.kind = PlatformMemberKind::Value;
        }
    }
    Ok(help)
}
