//! Server-sent events from bytes that are cut anywhere.

/// Reads `data:` payloads out of a byte stream.
///
/// Follows the event stream format of the HTML standard (§ 9.2) as far as chat completions use it: lines end in LF, CRLF
/// or CR, lines that begin with a colon are comments, several `data` lines of an event are joined by LF. Bytes may be cut
/// anywhere, also within a character or between CR and LF. More lenient than the standard in one point: data at the end
/// of the stream count even if the blank line is missing ([`SseParser::finish`]).
#[derive(Debug, Default)]
pub struct SseParser {
    line: Vec<u8>,
    data: Option<String>,
    last_was_cr: bool,
    started: bool,
}

/// The largest line that is kept, in bytes. A server that sends more without a line break is not speaking this format.
const LINE_LIMIT: usize = 16 << 20;

/// A line longer than 16 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTooLong;

impl SseParser {
    /// Takes the next bytes and gives the payloads that they complete.
    ///
    /// # Errors
    /// [`LineTooLong`]; the parser must not be used any more.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, LineTooLong> {
        let mut payloads = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if self.last_was_cr => self.last_was_cr = false,
                b'\n' | b'\r' => {
                    self.last_was_cr = byte == b'\r';
                    payloads.extend(self.end_line());
                }
                _ => {
                    self.last_was_cr = false;
                    if self.line.len() >= LINE_LIMIT {
                        return Err(LineTooLong);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(payloads)
    }

    /// Whether a part of an event has come that isn't whole yet; a comment is none.
    pub fn holds_data(&self) -> bool {
        self.data.is_some() || self.line.starts_with(b"data")
    }

    /// The stream has ended: gives what stood in an event that was not closed.
    pub fn finish(mut self) -> Option<String> {
        if !self.line.is_empty() {
            let _ = self.end_line();
        }
        self.data.take()
    }

    fn end_line(&mut self) -> Option<String> {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = if self.started { text.as_ref() } else { text.trim_start_matches('\u{feff}') };
        self.started = true;
        if line.is_empty() {
            return self.data.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut parser = SseParser::default();
        let mut payloads: Vec<String> = pieces.iter().flat_map(|piece| parser.push(piece).unwrap()).collect();
        payloads.extend(parser.finish());
        payloads
    }

    #[test]
    fn line_ends_comments_fields_and_joined_lines() {
        let text = "\u{feff}: keep-alive\r\n\r\ndata: один\r\n\r\nevent: x\nid: 7\ndata:два\ndata: три\n\ndata\n\ndata: конец\r\rdata: хвост";
        assert_eq!(read(&[text.as_bytes()]), ["один", "два\nтри", "", "конец", "хвост"]);
    }

    #[test]
    fn a_crlf_cut_in_two_is_one_line_end() {
        assert_eq!(read(&[b"data: a\r", b"\n", b"\r", b"\ndata: b\r\n\r\n"]), ["a", "b"]);
    }

    #[test]
    fn an_endless_line_is_refused() {
        let mut parser = SseParser::default();
        let piece = vec![b'x'; 1 << 20];
        assert!((0..17).any(|_| parser.push(&piece).is_err()));
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(
            payloads in prop::collection::vec("[а-яa-z{}\":, ]{0,12}", 0..8),
            end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
            cuts in prop::collection::vec(0usize..400, 0..20),
        ) {
            let stream: String = payloads.iter().map(|text| format!(": c{end}data: {text}{end}{end}")).collect();
            let bytes = stream.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), payloads);
        }
    }
}
