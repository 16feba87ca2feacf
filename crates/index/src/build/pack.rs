//! Facts of a module, and whatever else an index keeps whole, as bytes: postcard, then zstd.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// Level of compression: the lowest, since a build packs a hundred megabytes.
const LEVEL: i32 = 1;
/// Largest facts, unpacked: a damaged length must not take all memory.
const LARGEST: usize = 256 << 20;

thread_local! {
    // Making one of these takes longer than packing a small module.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

fn compress(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| match kept {
        Some(compressor) => compressor.compress(plain),
        None => kept.insert(Compressor::new(LEVEL)?).compress(plain),
    })
}

fn decompress(packed: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|kept| match kept {
        Some(decompressor) => decompressor.decompress(packed, length),
        None => kept.insert(Decompressor::new()?).decompress(packed, length),
    })
}

/// Packs anything: four bytes of length, then the compressed bytes.
pub(crate) fn pack(facts: &impl Serialize) -> Result<Vec<u8>, String> {
    let plain = postcard::to_allocvec(facts).map_err(|error| error.to_string())?;
    let length = u32::try_from(plain.len()).map_err(|error| error.to_string())?;
    let mut packed = length.to_le_bytes().to_vec();
    packed.extend(compress(&plain).map_err(|error| error.to_string())?);
    Ok(packed)
}

/// The bytes that were packed: what [`read`] reads.
pub(crate) fn plain(packed: &[u8]) -> Result<Vec<u8>, String> {
    let Some((length, rest)) = packed.split_first_chunk::<4>() else { return Err("too short".to_owned()) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > LARGEST {
        return Err(format!("{length} bytes are too many"));
    }
    let plain = decompress(rest, length).map_err(|error| error.to_string())?;
    if plain.len() != length {
        return Err(format!("{} bytes instead of {length}", plain.len()));
    }
    Ok(plain)
}

/// Reads something off its plain bytes; it may borrow from them.
pub(crate) fn read<'a, T: Deserialize<'a>>(plain: &'a [u8]) -> Result<T, String> {
    postcard::from_bytes(plain).map_err(|error| error.to_string())
}

/// Undoes [`pack`].
pub(crate) fn unpack<T: DeserializeOwned>(packed: &[u8]) -> Result<T, String> {
    read(&plain(packed)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_and_damage_is_an_error() {
        let facts = bsl::read_module("Процедура А(Знач Б = 1) Экспорт\n\tВ(Б, \"строка\");\nКонецПроцедуры".as_bytes());
        let packed = pack(&facts).unwrap();
        assert_eq!(unpack::<bsl::ModuleFacts>(&packed).unwrap(), facts);
        for cut in 0..packed.len() {
            assert!(unpack::<bsl::ModuleFacts>(&packed[..cut]).is_err(), "{cut}");
        }
        assert!(unpack::<bsl::ModuleFacts>(&[0xff; 64]).is_err());
    }
}
