//! Keys under which names are stored and compared.

/// A stable 64-bit hash (FNV-1a with a final mix): it is written into files, so it must not change between versions.
#[must_use]
pub fn hash64(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

/// The key of a name: the hash that doesn't depend on case.
#[must_use]
pub fn key(name: &str) -> i64 {
    bsl::folded_hash(name).cast_signed()
}

/// The identifiers of a text, as written.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// A short hash of a folded word.
pub fn word_hash(folded: &str) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "a part of the hash is meant")]
    let hash = hash64(folded.as_bytes()) as u32;
    hash
}

/// A set of 64 bits that stands for the trigrams of a folded name: names that share few bits can't be near.
#[must_use]
pub fn trigrams(folded: &str) -> u64 {
    let chars: Vec<char> = folded.chars().collect();
    let mut set = 0;
    for three in chars.windows(3) {
        let [a, b, c] = [three[0], three[1], three[2]].map(u32::from);
        let mixed = a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca77) ^ c.wrapping_mul(0xc2b2_ae3d);
        set |= 1 << (mixed.wrapping_mul(0x27d4_eb2f) >> 26);
    }
    set
}

/// The Russian name of a standard attribute by its full name (`Catalog.X.StandardAttribute.Code` -> `Код`), as code and
/// queries write it; None for everything else. What the index keeps as its synonym may be another text of the configuration.
#[must_use]
pub fn standard_ru(full_name: &str) -> Option<&'static str> {
    let (owner, name) = full_name.split_once(".StandardAttribute.")?;
    let kind = metadata::Kind::named(kind_word(owner))?;
    metadata::standard::of_kind(kind).iter().find(|one| one.name == name).map(|one| one.name_ru)
}

/// The kind that a full name begins with, behind its layer.
pub(crate) fn kind_word(full_name: &str) -> &str {
    graph::world::layers::without_layer(full_name).split('.').next().unwrap_or("")
}

/// The last part of a full name.
#[must_use]
pub fn last_part(full_name: &str) -> &str {
    full_name.rsplit('.').next().unwrap_or(full_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_attributes_have_russian_names() {
        assert_eq!(standard_ru("Catalog.Валюты.StandardAttribute.Description"), Some("Наименование"));
        assert_eq!(standard_ru("Catalog.Валюты.Attribute.Description"), None);
    }

    #[test]
    fn keys_fold_case_and_keep_yo() {
        assert_eq!(key("Catalog.Валюты"), key("CATALOG.ВАЛЮТЫ"));
        assert_ne!(key("Учёт"), key("Учет"));
    }

    #[test]
    fn the_hash_is_written_into_files_and_stays() {
        assert_eq!(hash64(b"metascope"), 0x3860_aec3_cdbb_a35e);
    }
}
