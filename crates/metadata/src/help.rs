//! The text of a help page.

/// Elements after which a new line begins.
const BLOCKS: [&str; 14] = ["p", "br", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "title"];

/// The text of an HTML page: without tags, scripts and styles; entities resolved; a line for each block.
///
/// ```
/// use metascope_metadata::help_text;
/// assert_eq!(help_text("<p>Курс&nbsp;<b>валют</b></p><style>p{}</style><ul><li>1 &lt; 2</li></ul>"), "Курс валют\n1 < 2");
/// ```
#[must_use]
pub fn help_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2);
    let mut rest = html.strip_prefix('\u{feff}').unwrap_or(html);
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let Some((tag, after)) = after.split_once('>') else {
            rest = "";
            break;
        };
        rest = after;
        let closing = tag.starts_with('/');
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        if !closing && matches!(name.as_str(), "script" | "style") {
            let end = format!("</{name}");
            rest = rest.find(end.as_str()).and_then(|at| rest.get(at..)).unwrap_or("");
        } else if BLOCKS.contains(&name.as_str()) {
            text.push('\u{0}');
        } else if name == "td" {
            text.push(' ');
        }
    }
    text.push_str(rest);
    let lines = text.split('\u{0}').map(|line| squeeze(&entities(line)));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn squeeze(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn entities(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        result.push_str(before);
        let known = after.split_once(';').and_then(|(name, after)| Some((entity(name)?, after)));
        let (c, after) = known.unwrap_or(('&', after));
        result.push(c);
        rest = after;
    }
    result.push_str(rest);
    result
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "nbsp" => ' ',
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
            let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
            char::from_u32(hex.unwrap_or_else(|| number.parse()).ok()?)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::help_text;

    #[test]
    fn broken_html_gives_what_it_has() {
        assert_eq!(help_text("<h1>А</h1>Б &unknown; &#1042; <b"), "А\nБ &unknown; В");
        assert_eq!(help_text("<script>x<y"), "");
        assert_eq!(help_text(""), "");
    }
}
