//! Random edits of metadata: other names, types, handlers, rights; elements that go, come twice or move down a line. Some of what
//! comes out is damaged, as files of people are after a merge.

use super::edits::Dice;
use std::collections::BTreeMap;

/// What stands in elements of all descriptions, by the name of the element.
pub struct Contents {
    by_tag: BTreeMap<String, Vec<String>>,
    count: usize,
}

/// An element without children: its name, and where its content stands.
struct Leaf<'a> {
    tag: &'a str,
    from: usize,
    to: usize,
}

fn leaves(text: &str) -> Vec<Leaf<'_>> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("</") {
        let Some(end) = text[at..].find('>').map(|end| at + end) else { break };
        let tag = &text[at + 2..end];
        let before = &text[..at];
        let Some(close) = before.rfind('>').filter(|close| !before[close + 1..].contains('<')) else { continue };
        let open = &before[..close][before[..close].rfind('<').map_or(0, |open| open + 1)..];
        if open.split_whitespace().next() == Some(tag) && !open.ends_with('/') {
            found.push(Leaf { tag, from: close + 1, to: at });
        }
    }
    found
}

impl Contents {
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut by_tag: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for text in texts {
            for Leaf { tag, from, to } in leaves(text) {
                let contents = by_tag.entry(tag.to_owned()).or_default();
                let content = &text[from..to];
                if !contents.iter().any(|known| known == content) {
                    contents.push(content.to_owned());
                }
            }
        }
        Self { by_tag, count: 0 }
    }

    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("НовоеИмяМетаданных{}", self.count)
    }
}

/// Changes a description in one way.
pub fn edit(text: &str, contents: &mut Contents, dice: &mut Dice) -> String {
    let leaves = leaves(text);
    if leaves.is_empty() {
        return text.to_owned();
    }
    let Leaf { tag, from, to } = *dice.one(&leaves);
    match dice.below(8) {
        0 => format!("{}{}{}", &text[..from], contents.fresh(), &text[to..]),
        1 => text.replacen('\n', "\n\n", 1 + dice.below(3)),
        // The whole line goes, or comes twice.
        2 => {
            let line = text[..from].rfind('\n').map_or(0, |at| at + 1)
                ..text[to..].find('\n').map_or(text.len(), |at| to + at + 1);
            format!("{}{}", &text[..line.start], &text[line.end..])
        }
        3 => {
            let line = text[..from].rfind('\n').map_or(0, |at| at + 1)
                ..text[to..].find('\n').map_or(text.len(), |at| to + at + 1);
            format!("{}{}", &text[..line.end], &text[line.start..])
        }
        _ => {
            let other = contents.by_tag.get(tag).map_or("", |known| dice.one(known).as_str());
            format!("{}{other}{}", &text[..from], &text[to..])
        }
    }
}
