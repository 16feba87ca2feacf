//! Texts of simple types.

use super::Simple;

impl Simple {
    /// Whether a text is a value of the type. `xs:QName`: only its form; whether its prefix is bound is another question.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::String => true,
            Self::Boolean => matches!(text.trim(), "true" | "false" | "1" | "0"),
            Self::Decimal => is_decimal(text.trim()),
            Self::Integer => is_decimal(text.trim()) && !text.contains('.'),
            Self::DateTime => is_date_time(text.trim()),
            Self::QName => {
                let text = text.trim();
                !text.is_empty() && text.split(':').count() <= 2 && text.split(':').all(|part| !part.is_empty())
            }
            Self::NmToken => !text.trim().is_empty() && !text.trim().contains(char::is_whitespace),
            Self::Empty => text.trim().is_empty(),
        }
    }

    /// The name in XML Schema.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "xs:string",
            Self::Boolean => "xs:boolean",
            Self::Decimal => "xs:decimal",
            Self::Integer => "xs:integer",
            Self::DateTime => "xs:dateTime",
            Self::QName => "xs:QName",
            Self::NmToken => "xs:NMTOKEN",
            Self::Empty => "empty",
        }
    }
}

/// An example of a value.
pub(super) fn example(simple: Simple) -> &'static str {
    match simple {
        Simple::String => "текст",
        Simple::Boolean => "true",
        Simple::Decimal => "12.5",
        Simple::Integer => "12",
        Simple::DateTime => "2024-12-31T00:00:00",
        Simple::QName => "xs:string",
        Simple::NmToken => "ru",
        Simple::Empty => "",
    }
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    !(whole.is_empty() && fraction.is_empty()) && all(whole) && all(fraction)
}

/// `2024-01-31T00:00:00`, with a fraction of a second or a time zone.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once('T') else { return false };
    let number = |text: &str, digits: usize| {
        (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())
            .flatten()
    };
    let date: Vec<&str> = date.split('-').collect();
    let [year, month, day] = date[..] else { return false };
    let time = time.trim_end_matches('Z');
    let (time, zone) = time.find(['+', '-']).map_or((time, ""), |at| time.split_at(at));
    let time = time.split_once('.').map_or(time, |(time, _)| time);
    let time: Vec<&str> = time.split(':').collect();
    let [hour, minute, second] = time[..] else { return false };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
        && number(hour, 2).is_some_and(|hour| hour <= 24)
        && number(minute, 2).is_some_and(|minute| minute < 60)
        && number(second, 2).is_some_and(|second| second < 60)
        && (zone.is_empty() || zone.len() == 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_simple_types() {
        for (simple, good, bad) in [
            (Simple::Boolean, vec!["true", "false", "1"], vec!["да", "", "TRUE"]),
            (Simple::Decimal, vec!["0", "-2.75", "+1", ".5"], vec!["", "-", "1,5", "1e3", "."]),
            (Simple::Integer, vec!["12"], vec!["1.5", "x"]),
            (
                Simple::DateTime,
                vec!["0001-01-01T00:00:00", "2024-12-31T23:59:59.5Z", "2024-01-01T00:00:00+03:00"],
                vec!["2024-01-01", "2024-13-01T00:00:00", "", "2024-01-01T00:00"],
            ),
            (Simple::QName, vec!["xs:string", "string"], vec!["", "a:b:c", ":a"]),
            (Simple::NmToken, vec!["ru"], vec!["", "a b"]),
        ] {
            for text in good {
                assert!(simple.accepts(text), "{simple:?} {text}");
            }
            for text in bad {
                assert!(!simple.accepts(text), "{simple:?} {text}");
            }
        }
    }
}
