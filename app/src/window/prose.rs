//! What a model writes, as people read it: Markdown's signs taken out, full names in the reader's words.

use metadata::Language;

use super::labels;

/// The text of an answer without the signs of Markdown: list marks become bullets; in code spans full names become
/// [`labels::spoken`].
#[must_use]
pub fn plain(markdown: &str, language: Language) -> String {
    let mut lines = Vec::new();
    let mut in_block = false;
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            lines.push(line.to_owned());
        } else {
            lines.push(plain_line(line, language));
        }
    }
    lines.join("\n").trim().to_owned()
}

fn plain_line(line: &str, language: Language) -> String {
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    let (mark, text) = match text.split_once(' ') {
        // The bullet stays with its word, however long that is.
        Some(("-" | "*" | "+", rest)) => ("•\u{a0}", rest),
        Some((signs, rest)) if signs.bytes().all(|sign| sign == b'#') => ("", rest),
        _ => ("", text),
    };
    let mut out = format!("{indent}{mark}");
    let mut spans = text.split('`');
    let mut is_code = false;
    while let Some(span) = spans.next() {
        if is_code && spans.clone().next().is_none() {
            // A sign without its other half is no sign.
            out.push('`');
            out.push_str(span);
        } else if is_code {
            let is_name = metadata::names::is_full_name(span);
            out.push_str(&if is_name { labels::spoken(span, language) } else { span.to_owned() });
        } else {
            out.push_str(&span.replace("**", ""));
        }
        is_code = !is_code;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_go_and_names_are_spoken() {
        let text = "## Кто\n\n- `CommonModule.А.Б` — **direct**, А/Б.bsl:1\n  * `x = 1`\n```bsl\n- `а`\n```\nконец `незакрытый";
        let expected = "Кто\n\n•\u{a0}ОбщийМодуль.А.Б — direct, А/Б.bsl:1\n  •\u{a0}x = 1\n- `а`\nконец `незакрытый";
        assert_eq!(plain(text, Language::Russian), expected);
        assert_eq!(plain("`CommonModule.А.Б`", Language::English), "CommonModule.А.Б");
        assert_eq!(plain("", Language::English), "");
    }
}
