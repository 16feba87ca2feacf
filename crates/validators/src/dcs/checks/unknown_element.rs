//! Level 2, blocking: no element that the format hasn't.

use dcs::formal::DeviationKind;
use bsl::nearest;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Элемент известен модели", "The model knows the element"),
    source: "The structure of the format; in 7,299 genuine files no element is outside of it",
    examples: Examples {
        valid: &["<dataSource><name>А</name><dataSourceType>Local</dataSourceType></dataSource>"],
        invalid: &[("<parameter><name>П</name><hint>х</hint></parameter>", "<hint>"),
            ("<parameter><name>П</name><v8:name>х</v8:name></parameter>", "<v8:name>"),
            ("<dataSource><name><b/></name><dataSourceType>Local</dataSourceType></dataSource>", "<b/>")],
    },
    run,
    ..Check::blocking(2, "dcs-unknown-element")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for found in subject.deviations() {
        let DeviationKind::UnknownElement { of } = &found.kind else { continue };
        let Some(element) = subject.document.element(found.element) else { continue };
        let name = element.local();
        let parent = element.parent().and_then(dcs::Element::of);
        let children = parent.map_or(&[][..], |parent| &parent.children);
        let near = nearest(name, children.iter().map(|child| child.name.local), 3);
        let what = Text::new(
            format!("Элемента {} нет в {}", element.full_name(), of.local),
            format!("{} has no element {}", of.local, element.full_name()),
        );
        let mend = match near.is_empty() {
            true => Text::new("Уберите его", "Remove it"),
            false => {
                let near = near.join(", ");
                Text::new(format!("Уберите его или исправьте имя: {near}"), format!("Remove it, or correct the name: {near}"))
            }
        };
        findings.at(Some(element), found.place.clone(), what, mend);
    }
}
