//! The panel of links: who reaches the method under the caret, what it reaches, and how complete that is.

use index::{Answer, EdgeRow, Index};
use metadata::Language;

use super::controller::{Controller, replace};
use super::labels::{self, Pick as _};
use super::lines::to_i32;
use super::passport;
use super::ui::{EdgeItem, FactRow};

/// Heading of a list.
const HEADING: i32 = 0;
/// An edge.
const EDGE: i32 = 1;
/// The answer is complete.
const COMPLETE: i32 = 2;
/// Something may hide more.
const INCOMPLETE: i32 = 3;

/// Rows of both panels about a method or module.
struct About {
    edges: Vec<EdgeItem>,
    passport: Vec<FactRow>,
}

impl Controller {
    /// Shows links and passport of a method or module as soon as they are known.
    pub(super) fn ask_links(&self, subject: String) {
        self.desk().set_subject(labels::spoken(labels::split(&subject).0, self.language()).into());
        let language = self.language();
        self.about.ask(
            self.asked.links.next(),
            move |index| about(index, &subject, language),
            |me, about| {
                replace(&me.models.edges, about.edges);
                if !about.passport.is_empty() {
                    me.show_passport(about.passport);
                }
            },
        );
    }

    pub(super) fn show_passport(&self, rows: Vec<FactRow>) {
        replace(&self.models.passport, rows);
    }
}

fn about(index: &Index, subject: &str, language: Language) -> index::Result<About> {
    let named = index.require(subject)?;
    let walk = index::Walk { limit: 300, ..index::Walk::default() };
    let (callers, callees, passport) = match index.method_passport(named.id)? {
        Some(method) => {
            let rows = passport::of_method(&method, language);
            (method.callers, method.callees, rows)
        }
        None => (index.callers(named.id, &walk)?, index.callees(named.id, &walk)?, Vec::new()),
    };
    let mut edges = rows(language.pick("Кто вызывает", "Callers"), &callers, true, language);
    edges.extend(rows(language.pick("Что вызывает", "Callees"), &callees, false, language));
    Ok(About { edges, passport })
}

fn rows(heading: &str, answer: &Answer<EdgeRow>, callers: bool, language: Language) -> Vec<EdgeItem> {
    let mut rows = vec![EdgeItem {
        kind: HEADING,
        title: slint::format!("{heading}: {}", answer.rows.len()),
        ..EdgeItem::default()
    }];
    rows.extend(answer.rows.iter().map(|edge| row(edge, callers, language)));
    let (kind, text) = if answer.state.complete {
        (COMPLETE, language.pick("✓ ответ полный", "✓ the answer is complete").to_owned())
    } else {
        let reasons: Vec<String> = answer.state.reasons.iter().map(|reason| reason.message(language)).collect();
        (INCOMPLETE, format!("{}: {}", language.pick("Может быть больше", "There may be more"), reasons.join("; ")))
    };
    rows.push(EdgeItem { kind, title: text.into(), ..EdgeItem::default() });
    rows
}

/// A caller leads to the place of the call, a callee to its definition.
fn row(edge: &EdgeRow, caller: bool, language: Language) -> EdgeItem {
    let full_name = if caller { &edge.source } else { &edge.target };
    let spoken = labels::spoken(full_name, language);
    let (name, owner) = labels::split(&spoken);
    let (confidence, certainty) = labels::confidence(&edge.confidence, language);
    let place = labels::short_place(&edge.file, edge.line);
    EdgeItem {
        kind: EDGE,
        title: name.into(),
        owner: owner.into(),
        target: full_name.as_str().into(),
        channel: labels::channel(&edge.channel, language).into(),
        confidence: confidence.into(),
        certainty,
        place: place.into(),
        file: if caller { edge.file.as_str().into() } else { "".into() },
        line: to_i32(edge.line as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::{Reason, State};

    fn edge() -> EdgeRow {
        EdgeRow {
            source: "CommonModule.А.Вызов".to_owned(),
            target: "Catalog.Б.ManagerModule.Цель".to_owned(),
            channel: "manager_call".to_owned(),
            confidence: "exact".to_owned(),
            file: "CommonModules/А/Ext/Module.bsl".to_owned(),
            line: 12,
            depth: 1,
            ..EdgeRow::default()
        }
    }

    #[test]
    fn a_caller_leads_to_the_call_and_a_callee_to_its_definition() {
        let caller = row(&edge(), true, Language::Russian);
        assert_eq!((caller.title.as_str(), caller.owner.as_str()), ("Вызов", "ОбщийМодуль.А"));
        assert_eq!((caller.file.as_str(), caller.line), ("CommonModules/А/Ext/Module.bsl", 12));
        assert_eq!(caller.place, "Module.bsl:12");
        assert_eq!(caller.channel, "вызов менеджера");
        let callee = row(&edge(), false, Language::English);
        assert_eq!((callee.file.as_str(), callee.target.as_str()), ("", "Catalog.Б.ManagerModule.Цель"));
    }

    #[test]
    fn an_empty_answer_says_whether_it_is_proven() {
        let proven = rows("Кто", &Answer { state: State::of(Vec::new()), rows: Vec::new() }, true, Language::Russian);
        assert_eq!(proven.iter().map(|row| row.kind).collect::<Vec<_>>(), [HEADING, COMPLETE]);
        let doubtful = Answer::new(Vec::new(), vec![Reason::DynamicSites { count: 3, places: Vec::new() }]);
        let doubtful = rows("Кто", &doubtful, true, Language::Russian);
        assert_eq!(doubtful.iter().map(|row| row.kind).collect::<Vec<_>>(), [HEADING, INCOMPLETE]);
        assert!(doubtful.last().is_some_and(|row| row.title.contains('3')));
    }
}
