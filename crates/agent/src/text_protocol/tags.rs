//! Tags as models write them: `<name a="b">`, `<function=name>`, `</name`, closed or not.

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// Its name, without a prefix.
    pub(super) name: &'a str,
    /// `</…>`.
    pub(super) closes: bool,
    /// `<…/>`.
    pub(super) is_empty: bool,
    /// What stands behind a `=` that follows the name: `<function=callers>`.
    pub(super) value: Option<&'a str>,
    /// Attributes in order.
    pub(super) attributes: Vec<(&'a str, &'a str)>,
    /// Where it begins and ends, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a> Tag<'a> {
    /// The value of the first of some attributes that there is.
    pub(super) fn attribute(&self, names: &[&str]) -> Option<&'a str> {
        let find = |name: &&str| self.attributes.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        names.iter().find_map(find).map(|(_, value)| *value)
    }

    pub(super) fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }
}

/// The first tag at or behind a place.
pub(super) fn next(text: &str, from: usize) -> Option<Tag<'_>> {
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.find('<')?;
        if let Some(tag) = read(text, start) {
            return Some(tag);
        }
        at = start + 1;
    }
}

/// All tags from a place on.
pub(super) fn all(text: &str, from: usize) -> impl Iterator<Item = Tag<'_>> {
    let mut at = from;
    std::iter::from_fn(move || {
        let tag = next(text, at)?;
        at = tag.end;
        Some(tag)
    })
}

fn read(text: &str, start: usize) -> Option<Tag<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '|' | '.');
    let mut at = start + 1;
    let closes = text.get(at..)?.starts_with('/');
    at += usize::from(closes);
    let rest = text.get(at..)?;
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let name = rest.get(..length)?.trim_matches('|');
    // `<invoke>`: the prefix says nothing.
    let name = name.rsplit(':').next().unwrap_or(name);
    if !name.chars().next()?.is_alphabetic() {
        return None;
    }
    at += length;
    let mut tag = Tag { name, closes, is_empty: false, value: None, attributes: Vec::new(), start, end: at };
    if text.get(at..)?.starts_with('=') {
        let (value, end) = value(text, at + 1)?;
        tag.value = Some(value);
        at = end;
    }
    loop {
        let rest = text.get(at..)?;
        at += rest.len() - rest.trim_start().len();
        let rest = text.get(at..)?;
        if rest.starts_with("/>") {
            return Some(Tag { is_empty: true, end: at + 2, ..tag });
        }
        if rest.starts_with('>') {
            return Some(Tag { end: at + 1, ..tag });
        }
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 || !rest.get(length..)?.trim_start().starts_with('=') {
            // A tag that was never closed, as at the end of a text or before the arguments: what it says counts.
            let ended = rest.is_empty() || rest.starts_with(['{', '<', '\n']);
            return (ended && (!tag.attributes.is_empty() || tag.value.is_some())).then_some(Tag { end: at, ..tag });
        }
        let key = rest.get(..length)?;
        let equals = at + length + rest.get(length..)?.find('=')?;
        let (value, end) = value(text, equals + 1)?;
        tag.attributes.push((key, value));
        at = end;
    }
}

/// A value in quotes or without, and where it ends.
fn value(text: &str, from: usize) -> Option<(&str, usize)> {
    let rest = text.get(from..)?;
    let at = from + (rest.len() - rest.trim_start().len());
    let rest = text.get(at..)?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
    if let Some(quote) = quote {
        let inner = rest.get(1..)?;
        let length = inner.find(quote)?;
        return Some((inner.get(..length)?, at + length + 2));
    }
    let length = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/' | '{')).unwrap_or(rest.len());
    Some((rest.get(..length)?, at + length))
}

/// Text of a tag without the entities of XML. Of several lines the blanks stay, since they may be code; only the line
/// ends next to the tags go.
pub(super) fn unescaped(text: &str) -> String {
    if let Some(data) = text.trim().strip_prefix("<![CDATA[") {
        return data.strip_suffix("]]>").unwrap_or(data).to_owned();
    }
    let text = match text.trim().contains('\n') {
        true => text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text).trim_end(),
        false => text.trim(),
    };
    if !text.contains('&') {
        return text.to_owned();
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_each_form() {
        let tags: Vec<Tag<'_>> =
            all("a < b <x:call name='А' n = 2/> </call> <function=callers>{} <3 <tool_call name=\"b\"{", 0).collect();
        let names: Vec<&str> = tags.iter().map(|tag| tag.name).collect();
        assert_eq!(names, ["call", "call", "function", "tool_call"]);
        assert_eq!(tags[0].attributes, [("name", "А"), ("n", "2")]);
        assert!(tags[0].is_empty && tags[1].closes);
        assert_eq!(tags[2].value, Some("callers"));
        assert_eq!(tags[3].attribute(&["tool", "name"]), Some("b"));
    }

    #[test]
    fn entities() {
        assert_eq!(unescaped(" &lt;А&gt; &amp;lt; "), "<А> &lt;");
        assert_eq!(unescaped("\n<![CDATA[Если А < Б &lt;]]>\n"), "Если А < Б &lt;");
        assert_eq!(unescaped("\n\tА = 1;\n\tБ = 2;\n"), "\tА = 1;\n\tБ = 2;");
    }
}
