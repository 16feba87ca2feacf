//! Sentences that several checks say.

use bsl::nearest;
use dcs::Element;

use super::report::Findings;
use crate::Text;

/// What something is called: Russian (genitive), English.
pub(crate) type Kind = (&'static str, &'static str);

/// "There is no … of this name", at the text of an element.
pub(crate) fn unknown<'n>(
    findings: &mut Findings<'_>,
    element: Element<'_>,
    kind: Kind,
    wrong: &str,
    names: impl IntoIterator<Item = &'n str>,
) {
    if findings.wants_more() {
        let (what, mend) = unknown_texts(kind, wrong, names);
        findings.inside(element, what, mend);
    }
}

/// The texts of it.
pub(crate) fn unknown_texts<'n>(kind: Kind, wrong: &str, names: impl IntoIterator<Item = &'n str>) -> (Text, Text) {
    let what = Text::new(format!("Нет {} «{wrong}»", kind.0), format!("There is no {} “{wrong}”", kind.1));
    let names: Vec<&str> = names.into_iter().collect();
    let near = nearest(wrong, names.iter().copied(), 3);
    let mend = match (near.is_empty(), names.len()) {
        (false, _) => {
            let near = near.join(", ");
            Text::new(format!("Ближайшие имена: {near}"), format!("The nearest names: {near}"))
        }
        (true, 1..=8) => {
            let names = names.join(", ");
            Text::new(format!("Есть: {names}"), format!("There are: {names}"))
        }
        _ => Text::new("Исправьте имя или добавьте недостающее", "Correct the name, or add what is missing"),
    };
    (what, mend)
}

/// Reports names that stand a second time.
pub(crate) fn repeated<'d>(findings: &mut Findings<'_>, kind: Kind, named: impl IntoIterator<Item = Element<'d>>) {
    let mut seen: rustc_hash::FxHashMap<String, u32> = rustc_hash::FxHashMap::default();
    for element in named {
        let name = element.text();
        if name.is_empty() {
            continue;
        }
        match seen.entry(bsl::fold(&name)) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(element.line());
            }
            std::collections::hash_map::Entry::Occupied(first) => {
                let line = first.get();
                findings.inside(
                    element,
                    Text::new(
                        format!("Имя {} «{name}» уже есть в строке {line}", kind.0),
                        format!("The name of a {} “{name}” is there already, in line {line}", kind.1),
                    ),
                    Text::new("Дайте другое имя", "Give it another name"),
                );
            }
        }
    }
}
