//! Facts of a module as bytes: postcard, then zstd.

use bsl::ModuleFacts;

/// Level of compression: the lowest, since a build packs a hundred megabytes.
const LEVEL: i32 = 1;
/// Largest facts of one module, unpacked: a damaged length must not take all memory.
const LARGEST: usize = 256 << 20;

/// Packs facts: four bytes of length, then the compressed bytes.
pub(crate) fn pack(facts: &ModuleFacts) -> Result<Vec<u8>, String> {
    let plain = postcard::to_allocvec(facts).map_err(|error| error.to_string())?;
    let length = u32::try_from(plain.len()).map_err(|error| error.to_string())?;
    let mut packed = length.to_le_bytes().to_vec();
    packed.extend(zstd::bulk::compress(&plain, LEVEL).map_err(|error| error.to_string())?);
    Ok(packed)
}

/// Undoes [`pack`].
pub(crate) fn unpack(packed: &[u8]) -> Result<ModuleFacts, String> {
    let Some((length, rest)) = packed.split_first_chunk::<4>() else { return Err("too short".to_owned()) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > LARGEST {
        return Err(format!("{length} bytes are too many"));
    }
    let plain = zstd::bulk::decompress(rest, length).map_err(|error| error.to_string())?;
    postcard::from_bytes(&plain).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_and_damage_is_an_error() {
        let facts = bsl::read_module("Процедура А(Знач Б = 1) Экспорт\n\tВ(Б, \"строка\");\nКонецПроцедуры".as_bytes());
        let packed = pack(&facts).unwrap();
        assert_eq!(unpack(&packed).unwrap(), facts);
        for cut in 0..packed.len() {
            assert!(unpack(&packed[..cut]).is_err(), "{cut}");
        }
        assert!(unpack(&[0xff; 64]).is_err());
    }
}
