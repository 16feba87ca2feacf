//! Texts as people read them in a narrow panel: what a model writes, without Markdown's signs and with full names in the
//! reader's words; and comments of methods, without the blanks that put their columns in line.

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

/// Blanks in front of a line that goes on with the one before, under a column of it.
const COLUMN: usize = 6;

/// A doc comment: lines that only go on are joined, blanks are squeezed.
#[must_use]
pub fn comment(doc: &str) -> String {
    let mut out = String::new();
    for line in doc.trim().lines() {
        let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        let is_item = text.starts_with(['-', '*', '•']);
        let open = !out.is_empty() && !out.ends_with(['\n', '.', ':', ';', '!', '?']);
        let goes_on = !text.is_empty()
            && !is_item
            && (indent >= COLUMN && !out.ends_with('\n') || open && text.starts_with(char::is_lowercase));
        if goes_on && !out.is_empty() {
            out.push(' ');
        } else if !out.is_empty() {
            out.push('\n');
            // What belongs to a heading stands a little to the right of it.
            out.push_str(if indent > 1 && !text.is_empty() { "  " } else { "" });
        }
        out.push_str(&text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_flow() {
        let doc = "Возвращает значение,\n прочитанное по ссылке.\n\n Параметры:\n  Ссылка    - ЛюбаяСсылка - объект, значения\n                          которого нужны.\n            - Строка - имя.\n  Имя - Строка\n";
        let expected = "Возвращает значение, прочитанное по ссылке.\n\nПараметры:\n  Ссылка - ЛюбаяСсылка - объект, значения которого нужны.\n  - Строка - имя.\n  Имя - Строка";
        assert_eq!(comment(doc), expected);
        assert_eq!(comment(""), "");
    }

    #[test]
    fn signs_go_and_names_are_spoken() {
        let text = "## Кто\n\n- `CommonModule.А.Б` — **direct**, А/Б.bsl:1\n  * `x = 1`\n```bsl\n- `а`\n```\nконец `незакрытый";
        let expected = "Кто\n\n•\u{a0}ОбщийМодуль.А.Б — direct, А/Б.bsl:1\n  •\u{a0}x = 1\n- `а`\nконец `незакрытый";
        assert_eq!(plain(text, Language::Russian), expected);
        assert_eq!(plain("`CommonModule.А.Б`", Language::English), "CommonModule.А.Б");
        assert_eq!(plain("", Language::English), "");
    }
}
