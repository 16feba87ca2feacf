//! Level 2, blocking: elements stand in the order of the model.

use dcs::formal::DeviationKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Элементы стоят по порядку модели", "Elements stand in the order of the model"),
    source: "The platform refuses another order (a public report: cc-1c-skills, issue 101); no genuine file has one",
    examples: Examples {
        valid: &["<dataSource><name>А</name><dataSourceType>Local</dataSourceType></dataSource>"],
        invalid: &[
            ("<totalField><expression>1</expression><dataPath>А</dataPath></totalField>", "<expression>"),
            (
                "<settingsVariant><s:name>О</s:name><s:settings><s:order/><s:filter/><s:selection/></s:settings></settingsVariant>",
                "<s:filter/>",
            ),
        ],
    },
    run,
    ..Check::blocking(2, "dcs-order")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    report(subject, findings, false);
}

/// Deviations from the order, of the sections of a schema or of all else.
pub(super) fn report(subject: &Subject<'_>, findings: &mut Findings<'_>, of_sections: bool) {
    for found in subject.deviations() {
        let DeviationKind::Order { neighbour, is_late } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let is_section = element.parent().is_some_and(|parent| parent.parent().is_none());
        if is_section != of_sections {
            continue;
        }
        let (name, other) = (element.local(), neighbour.local);
        let (ru, en) = match is_late {
            true => (format!("{name} стоит после {other}"), format!("{name} stands behind {other}")),
            false => (format!("{name} стоит перед {other}"), format!("{name} stands before {other}")),
        };
        let (mend_ru, mend_en) = match is_late {
            true => (format!("Поставьте {name} перед {other}"), format!("Move {name} before {other}")),
            false => (format!("Поставьте {name} после {other}"), format!("Move {name} behind {other}")),
        };
        findings.at(Some(element), found.place.clone(), Text::new(ru, en), Text::new(mend_ru, mend_en));
    }
}
