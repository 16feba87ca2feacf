//! «Количество полей в объединяемых запросах должно совпадать»: the branches of a union have differently many columns.

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::Ask;
use crate::dcs::explain::causes::{Causes, Said};

pub(super) const KIND: Kind =
    Kind { code: "union-columns", title: ("Разное число полей в объединении", "Branches of a union differ in columns"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for query in ask.queries() {
        for select in &query.facts().selects {
            let Some(first) = select.branches.first() else { continue };
            for branch in select.branches.iter().skip(1) {
                let (wanted, there) = (first.columns.len(), branch.columns.len());
                let has_star = first.columns.iter().chain(&branch.columns).any(|column| column.name.is_empty());
                if wanted == there || has_star {
                    continue;
                }
                // Columns that one side names and the other doesn't: what was forgotten.
                let names = |columns: &[bsl::query::ColumnFacts]| -> Vec<String> {
                    columns.iter().filter(|column| column.explicit).map(|column| column.name.to_string()).collect()
                };
                let (ours, theirs) = (names(&first.columns), names(&branch.columns));
                let lacks = |from: &[String], of: &[String]| -> Vec<String> {
                    let is_absent = |name: &&String| !of.iter().any(|other| bsl::same_name(other, name));
                    from.iter().filter(is_absent).cloned().collect()
                };
                let missing = if theirs.is_empty() { Vec::new() } else { lacks(&ours, &theirs) };
                let extra = if ours.is_empty() { Vec::new() } else { lacks(&theirs, &ours) };
                let (more_ru, more_en) = match (missing.is_empty(), extra.is_empty()) {
                    (false, _) => (format!("; недостаёт: {}", missing.join(", ")), format!("; missing: {}", missing.join(", "))),
                    (true, false) => (format!("; лишние: {}", extra.join(", ")), format!("; too many: {}", extra.join(", "))),
                    (true, true) => (String::new(), String::new()),
                };
                causes.in_text(query.element, branch.select_list.range(), Said {
                    sure: true,
                    what: Text::new(format!("Ветвь объединения, колонок: {there}"), format!("A branch of the union, columns: {there}")),
                    why: Text::new(
                        format!("В первой ветви колонок {wanted}{more_ru}"),
                        format!("The first branch has {wanted} columns{more_en}"),
                    ),
                    mend: Text::new(
                        "Добавьте или уберите колонки; на место недостающей ставят NULL, 0 или пустую ссылку",
                        "Add or remove columns; NULL, 0 or an empty reference stands in for one that is missing",
                    ),
                    nearest: missing,
                });
            }
        }
    }
}
