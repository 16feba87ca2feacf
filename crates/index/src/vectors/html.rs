//! Prose of a help page: `Ext/Help/ru.html`.

use super::words::clean_phrase;

/// The text of each paragraph, heading and list item, tags and entities undone; headings of the document, styles and
/// scripts left out.
pub(super) fn paragraphs(html: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut rest = html.trim_start_matches('\u{feff}');
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        rest = after;
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        if matches!(name.as_str(), "head" | "style" | "script") && !tag.starts_with('/') {
            rest = skip_element(rest, &name);
        } else if matches!(
            name.as_str(),
            "p" | "li" | "h1" | "h2" | "h3" | "h4" | "h5" | "tr" | "td" | "div" | "br" | "body"
        ) {
            flush(&mut text, &mut out);
        }
    }
    text.push_str(rest);
    flush(&mut text, &mut out);
    out
}

fn skip_element<'a>(rest: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(found) = rest.get(from..).and_then(|tail| tail.find("</")) {
        let after = from + found + 2;
        let tail = rest.get(after..).unwrap_or("");
        if tail.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name)) {
            return tail.split_once('>').map_or("", |(_, rest)| rest);
        }
        from = after;
    }
    ""
}

fn flush(text: &mut String, out: &mut Vec<String>) {
    let phrase = clean_phrase(&entities(text));
    text.clear();
    if !phrase.is_empty() {
        out.push(phrase);
    }
}

fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let known = after
            .split_once(';')
            .filter(|(name, _)| name.len() <= 8)
            .and_then(|(name, tail)| Some((entity(name)?, tail)));
        match known {
            Some((c, tail)) => {
                out.push(c);
                rest = tail;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "nbsp" | "ensp" | "emsp" => ' ',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "laquo" => '«',
        "raquo" => '»',
        "mdash" => '—',
        "ndash" => '–',
        "hellip" => '…',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            return char::from_u32(code);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_only() {
        let page = "<html><head><style>p {}</style></head><body>\r\n<h3>О валютах</h3>\
                    <p>Курсы&nbsp;<strong>валют</strong> &laquo;ЦБ&raquo; &#8212; за день.</p><ul><li>Первое<li>Второе</ul><p></p>";
        assert_eq!(paragraphs(page), ["О валютах", "Курсы валют «ЦБ» за день.", "Первое", "Второе"]);
    }

    #[test]
    fn broken_pages_end_quietly() {
        assert_eq!(paragraphs("<head><title>x"), Vec::<String>::new());
        assert_eq!(paragraphs("текст <b"), ["текст"]);
        assert_eq!(paragraphs("a & b &unknown; &#xffffffff;"), ["a b &unknown; &#xffffffff;"]);
    }
}
