use super::*;
use crate::designer::testing::cases;
use proptest::prelude::*;
use support::container::{narrow, packed, wide};

const MODULE: &[u8] = "\u{feff}Процедура А()\r\nКонецПроцедуры".as_bytes();

fn sample() -> Vec<u8> {
    narrow(&[("form", b"{1}"), ("module", MODULE)])
}

/// Puts a block's header at an address.
fn put_header(bytes: &mut [u8], at: usize, [document, page, next]: [u32; 3]) {
    let header = format!("\r\n{document:08x} {page:08x} {next:08x} \r\n");
    bytes[at..at + header.len()].copy_from_slice(header.as_bytes());
}

/// The address of an entry's data.
fn data_of(bytes: &[u8], name: &str) -> usize {
    let container = Container::open(bytes).expect("a container");
    let entry = container.entries.iter().find(|entry| entry.name == name).expect("an entry");
    usize::try_from(entry.data).expect("an address")
}

#[test]
fn documents_by_name() {
    for bytes in [sample(), wide(&[("form", b"{1}"), ("module", MODULE)])] {
        let container = Container::open(&bytes).expect("a container");
        assert_eq!(container.names().collect::<Vec<_>>(), ["form", "module"]);
        assert_eq!(container.entry("module"), Ok(Some(MODULE.to_vec())));
        assert_eq!(container.entry("nothing"), Ok(None));
    }
}

#[test]
fn a_packed_document_and_one_that_is_a_container_again() {
    let inner = sample();
    let bytes = narrow(&[("text", &packed(MODULE)), ("inner", &inner), ("deep", &packed(&inner))]);
    let container = Container::open(&bytes).expect("a container");
    assert_eq!(container.entry("text"), Ok(Some(MODULE.to_vec())));
    for name in ["inner", "deep"] {
        let document = container.entry(name).expect("a whole document").expect("a document");
        let inner = Container::open(&document).expect("a container again");
        assert_eq!(inner.entry("module"), Ok(Some(MODULE.to_vec())), "{name}");
    }
}

#[test]
fn a_document_of_several_pages() {
    let mut bytes = sample();
    let (first, text) = (data_of(&bytes, "module"), b"first half, second half");
    let second = bytes.len();
    bytes.extend([0; 31]);
    bytes.extend(&text[12..]);
    put_header(&mut bytes, second, [0, 11, 0x7FFF_FFFF]);
    put_header(&mut bytes, first, [23, 12, u32::try_from(second).expect("small")]);
    bytes[first + 31..first + 43].copy_from_slice(&text[..12]);
    let container = Container::open(&bytes).expect("a container");
    assert_eq!(container.entry("module"), Ok(Some(text.to_vec())));
}

#[test]
fn damage_has_a_clear_error() {
    assert_eq!(Container::open(b"").err(), Some(ContainerError::Empty));
    assert_eq!(Container::open("{текст}".as_bytes()).err(), Some(ContainerError::NoContainer));
    assert_eq!(Container::open(&[0xFF, 0xFF, 0xFF, 0x7F]).err(), Some(ContainerError::Cut { at: 16 }));
    let whole = sample();
    let at = data_of(&whole, "module");
    let address = u32::try_from(at).expect("small");
    let damaged = |header| {
        let mut bytes = whole.clone();
        put_header(&mut bytes, at, header);
        Container::open(&bytes).expect("a table of contents").entry("module")
    };
    let at = at as u64;
    assert_eq!(damaged([60, 10, address]), Err(ContainerError::Looped { at }));
    assert_eq!(damaged([60, 0, 16]), Err(ContainerError::Looped { at: 16 }));
    assert_eq!(damaged([60, 10, 0x7FFF_FFFF]), Err(ContainerError::Short { at, size: 60 }));
    assert_eq!(damaged([0x7FFF_FFFF, 10, address]), Err(ContainerError::TooLarge { at, size: 0x7FFF_FFFF }));
    assert_eq!(damaged([60, 10, 17]), Err(ContainerError::NoBlock { at: 17 }));
    assert_eq!(damaged([60, 10, 0x7FFF_0000]), Err(ContainerError::Cut { at: 0x7FFF_0000 }));
}

#[test]
fn a_file_that_is_cut_anywhere_gives_an_error_or_what_is_whole() {
    let whole = sample();
    for length in 0..whole.len() {
        if let Ok(container) = Container::open(&whole[..length]) {
            let module = container.entry("module");
            assert!(matches!(module, Err(ContainerError::Cut { .. })) || module == Ok(Some(MODULE.to_vec())));
        }
    }
}

#[test]
fn a_few_bytes_do_not_unpack_to_gigabytes() {
    let bomb = packed(&vec![0; usize::try_from(LARGEST_UNPACKED).expect("small") + 10]);
    let bytes = narrow(&[("bomb", &bomb)]);
    let container = Container::open(&bytes).expect("a container");
    assert!(matches!(container.entry("bomb"), Err(ContainerError::TooLarge { .. })));
}

#[test]
fn messages_in_both_languages() {
    let error = ContainerError::Looped { at: 0x20 };
    assert!(error.message(Language::English).contains("0x20"));
    assert!(error.message(Language::Russian).contains("возвращается"));
}

use crate::model::problem::Language;

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn any_damage_is_survived(at in 0.0_f64..1.0, junk in proptest::collection::vec(any::<u8>(), 0..40), cut in 0_usize..60, is_wide in any::<bool>()) {
        let entries: [(&str, &[u8]); 2] = [("form", b"{1,{2}}"), ("module", MODULE)];
        let mut bytes = if is_wide { wide(&entries) } else { narrow(&entries) };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let from = (at * bytes.len() as f64) as usize;
        let to = (from + cut).min(bytes.len());
        bytes.splice(from..to, junk);
        if let Ok(container) = Container::open(&bytes) {
            for name in container.names() {
                let _ = container.entry(name);
            }
        }
    }

    #[test]
    fn headers_of_hexadecimal_digits_are_survived(blocks in proptest::collection::vec((0_u32..700, 0_u32..80, 0_u32..400), 1..12)) {
        // Blocks that point at each other: loops, overlaps, tables of contents that name themselves.
        let mut bytes = vec![0xFF, 0xFF, 0xFF, 0x7F, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for (document, page, next) in blocks {
            bytes.extend(format!("\r\n{document:08x} {page:08x} {:08x} \r\n", 16 + next / 31 * 31).bytes());
        }
        if let Ok(container) = Container::open(&bytes) {
            for name in container.names() {
                let _ = container.entry(name);
            }
        }
    }
}
