//! Support by vendors.

use super::{FileId, Text};
use serde::{Deserialize, Serialize};

/// Whether a thing is on support by a vendor, and may be changed. Stricter states come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SupportState {
    /// The vendor's; it can't be changed.
    Locked,
    /// The vendor's; it may be changed and stays on support.
    Editable,
    /// The vendor's once; it was taken off support.
    Removed,
    /// No vendor's.
    Own,
}

impl SupportState {
    /// The word of the view: `locked`, `editable`, `removed`, `own`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Editable => "editable",
            Self::Removed => "removed",
            Self::Own => "own",
        }
    }
}

/// A configuration that this one was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vendor {
    /// Its name.
    pub name: Text,
    /// Who made it.
    pub vendor: Text,
    /// Its version.
    pub version: Text,
}

/// States of all objects and their parts. The default: nothing is on support.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Support {
    /// The file that tells; None if there is none.
    pub file: Option<FileId>,
    /// The configurations that this one was made from.
    pub vendors: Vec<Vendor>,
    /// The state of everything, if one holds for all.
    pub(crate) whole: Option<SupportState>,
    /// (uuid as a number, state), by uuid, each once.
    pub(crate) records: Vec<(u128, SupportState)>,
}

impl Support {
    /// The state of the thing of that uuid: an object, form, template, command, attribute …
    #[must_use]
    pub fn of(&self, uuid: &str) -> SupportState {
        if let Some(whole) = self.whole {
            return whole;
        }
        let record = uuid_number(uuid).and_then(|uuid| self.records.binary_search_by_key(&uuid, |(id, _)| *id).ok());
        record.and_then(|place| self.records.get(place)).map_or(SupportState::Own, |(_, state)| *state)
    }

    /// Sorts the records. Of a thing that several vendors have, the strictest state counts.
    pub(crate) fn finish(&mut self) {
        self.records.sort_unstable();
        self.records.dedup_by_key(|(uuid, _)| *uuid);
    }
}

/// A uuid as a number, whatever the case of its letters; None if it is none.
pub(crate) fn uuid_number(uuid: &str) -> Option<u128> {
    let mut number = 0;
    let mut digits = 0;
    for (place, byte) in uuid.bytes().enumerate() {
        if matches!(place, 8 | 13 | 18 | 23) {
            if byte != b'-' {
                return None;
            }
            continue;
        }
        number = number << 4 | u128::from(char::from(byte).to_digit(16)?);
        digits += 1;
    }
    (digits == 32 && uuid.len() == 36).then_some(number)
}
