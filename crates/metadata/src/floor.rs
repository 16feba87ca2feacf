//! The floor that benchmarks compare with: the XML reader alone.

use quick_xml::Reader;
use quick_xml::events::Event;

/// Counts the events of an XML text up to its end or its first error: what reading a file can't be faster than.
#[must_use]
pub fn xml_events(source: &[u8]) -> usize {
    let mut reader = Reader::from_reader(source);
    let mut events = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return events,
            Ok(_) => events += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_up_to_the_first_error() {
        assert_eq!(super::xml_events(b"<a><b/>text</a>"), 4);
        assert_eq!(super::xml_events(b"<a></b>"), 1);
        assert_eq!(super::xml_events(b""), 0);
    }
}
