//! The card that shows what was sent to models: exactly what, to whom, when.

use agent::sent::Sent;
use metadata::Language;

use super::controller::{Controller, replace};
use super::labels::Pick as _;
use super::lines::to_i32;
use super::ui::SentRow;

/// Requests that are shown, the newest first.
const REQUESTS: usize = 40;
/// Characters of a row: a text is cut into several, so that a long one costs what is in sight.
const ROW: usize = 600;

/// Kinds of rows, as the markup knows them.
mod kind {
    pub const REQUEST: i32 = 0;
    pub const SPEAKER: i32 = 1;
    pub const TEXT: i32 = 2;
}

/// A request, ready to be shown.
pub(super) struct Request {
    head: String,
    place: String,
    /// Who speaks, and what.
    messages: Vec<(String, String)>,
}

impl Controller {
    /// Opens the card, with the log as it is now.
    pub(super) fn show_sent(&self) {
        let Some(places) = self.places() else { return };
        let log = crate::model::sent_log(&places);
        self.desk().set_sent_file(log.path().display().to_string().into());
        self.desk().set_sent_open(true);
        let (post, pending, language) = (self.post.clone(), self.post.begin(), self.language());
        let work = move || {
            let read = log.last(REQUESTS);
            post.send(move |me| {
                match read {
                    Ok(sent) => {
                        let requests = sent.iter().rev().map(|sent| request(sent, language)).collect();
                        me.state.borrow_mut().sent = requests;
                        me.unfold_sent(-1);
                    }
                    Err(error) => me.desk().set_sent_note(error.to_string().into()),
                }
                drop(pending);
            });
        };
        if let Err(error) = std::thread::Builder::new().name("sent".to_owned()).spawn(work) {
            self.desk().set_sent_note(error.to_string().into());
        }
    }

    /// Shows the whole text of a request, or of none.
    pub(super) fn unfold_sent(&self, request: i32) {
        let open = usize::try_from(request).ok();
        let state = self.state.borrow();
        let note = match state.sent.is_empty() {
            true => self.pick("Никуда ничего не отправлялось", "Nothing was sent anywhere"),
            false => "",
        };
        self.desk().set_sent_note(note.into());
        replace(&self.models.sent, rows(&state.sent, open));
    }
}

fn request(sent: &Sent, language: Language) -> Request {
    let head = &sent.head;
    let attempt = match head.attempt {
        0 | 1 => String::new(),
        attempt => format!(" · {} {attempt}", language.pick("попытка", "attempt")),
    };
    let mut messages: Vec<(String, String)> = sent.messages().map(|(role, text)| (role.to_owned(), text)).collect();
    let tools: Vec<&str> = sent.tools().collect();
    if !tools.is_empty() {
        let count = format!("{}: {}", language.pick("схемы инструментов", "schemas of tools"), tools.len());
        messages.push((count, tools.join(", ")));
    }
    let bytes = language.pick("байт", "bytes");
    Request {
        head: format!("{} · {} {bytes}{attempt}", head.when(), head.bytes),
        place: format!("{} → {} [{}]", head.model, head.to, head.region),
        messages,
    }
}

fn rows(requests: &[Request], open: Option<usize>) -> Vec<SentRow> {
    let mut rows = Vec::new();
    for (at, request) in requests.iter().enumerate() {
        let is_open = open == Some(at);
        rows.push(SentRow {
            kind: kind::REQUEST,
            text: request.head.as_str().into(),
            detail: request.place.as_str().into(),
            request: to_i32(at),
            open: is_open,
        });
        for (role, text) in request.messages.iter().filter(|_| is_open) {
            rows.push(SentRow { kind: kind::SPEAKER, text: role.into(), request: to_i32(at), ..SentRow::default() });
            rows.extend(cut(text).map(|piece| SentRow {
                kind: kind::TEXT,
                text: piece.into(),
                request: to_i32(at),
                ..SentRow::default()
            }));
        }
    }
    rows
}

/// A text in rows: its lines, long ones in pieces.
fn cut(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line;
        let mut first = true;
        std::iter::from_fn(move || {
            if rest.is_empty() && !first {
                return None;
            }
            first = false;
            let end = rest.char_indices().nth(ROW).map_or(rest.len(), |(at, _)| at);
            let (piece, after) = rest.split_at(end);
            rest = after;
            Some(piece)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_nothing_is_lost() {
        let text = format!("а\n\n{}", "я".repeat(ROW * 2 + 1));
        let pieces: Vec<&str> = cut(&text).collect();
        assert_eq!(pieces.iter().map(|piece| piece.chars().count()).collect::<Vec<_>>(), [1, 0, ROW, ROW, 1]);
        assert_eq!(pieces.concat(), text.replace('\n', ""));
    }

    #[test]
    fn only_the_open_request_shows_its_messages() {
        let request = |head: &str| Request {
            head: head.to_owned(),
            place: "m → https://h [RU]".to_owned(),
            messages: vec![("user".to_owned(), "Кто?\nГде?".to_owned())],
        };
        let requests = [request("1"), request("2")];
        let kinds = |open| rows(&requests, open).iter().map(|row| row.kind).collect::<Vec<_>>();
        assert_eq!(kinds(None), [0, 0]);
        assert_eq!(kinds(Some(1)), [0, 0, kind::SPEAKER, kind::TEXT, kind::TEXT]);
    }
}
