//! The text of a help page.

/// Elements that begin a new line.
const BLOCKS: [&str; 17] =
    ["p", "br", "div", "li", "ul", "ol", "tr", "td", "th", "table", "h1", "h2", "h3", "h4", "h5", "h6", "body"];
/// Elements whose content is no prose. The title of a help page is empty, or its first heading once more.
const NO_PROSE: [&str; 3] = ["head", "script", "style"];
/// Longer names of entities are none.
const LONGEST_ENTITY: usize = 16;

/// The text of an HTML page: without tags, head, scripts and styles; entities resolved; a line for each block. What is
/// broken gives what it has.
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
        if !closing && NO_PROSE.contains(&name.as_str()) {
            rest = end_of(rest, &name);
        } else if BLOCKS.contains(&name.as_str()) {
            text.push('\u{0}');
        }
    }
    text.push_str(rest);
    let lines = text.split('\u{0}').map(|line| squeeze(&entities(line)));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What follows up to and from the closing tag of an element, whatever its case; nothing if there is none.
fn end_of<'a>(rest: &'a str, name: &str) -> &'a str {
    let closes = |&(at, _): &(usize, &str)| {
        rest.get(at + 2..at + 2 + name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    rest.match_indices("</").find(closes).and_then(|(at, _)| rest.get(at..)).unwrap_or("")
}

fn squeeze(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn entities(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        result.push_str(before);
        // A name that isn't closed soon is none: looking on to the end for each `&` would take the square of the length.
        let end = after.bytes().take(LONGEST_ENTITY + 1).position(|byte| byte == b';');
        let known = end.and_then(|end| Some((entity(after.get(..end)?)?, after.get(end + 1..)?)));
        let (c, after) = known.unwrap_or(('&', after));
        result.push(c);
        rest = after;
    }
    result.push_str(rest);
    result
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
            let hex = number.strip_prefix(['x', 'X']).map(|hex| u32::from_str_radix(hex, 16));
            char::from_u32(hex.unwrap_or_else(|| number.parse()).ok()?)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::help_text;

    #[test]
    fn prose_only() {
        let page = "\u{feff}<html><HEAD><style>p {}</STYLE></Head><body>\r\n<h3>О валютах</h3>\
                    <p>Курсы&nbsp;<strong>валют</strong> &laquo;ЦБ&raquo; &#8212; за\r\nдень.</p><ul><li>Первое<li>Второе</ul><p></p>";
        assert_eq!(help_text(page), "О валютах\nКурсы валют «ЦБ» — за день.\nПервое\nВторое");
    }

    #[test]
    fn broken_html_gives_what_it_has() {
        assert_eq!(help_text("<h1>А</h1>Б &unknown; &#1042; <b"), "А\nБ &unknown; В");
        assert_eq!(help_text("<script>x<y"), "");
        assert_eq!(help_text("<head><title>x"), "");
        assert_eq!(help_text("текст <b"), "текст");
        assert_eq!(help_text("a & b &#xffffffff;"), "a & b &#xffffffff;");
        assert_eq!(help_text(""), "");
    }

    #[test]
    fn ampersands_without_end_cost_no_more_than_other_letters() {
        let text = "&".repeat(2_000_000);
        assert_eq!(help_text(&text), text);
    }
}
