//! «Набор данных не найден»: links and fields name sets; sets of the kind "object" are handed over by code.

use bsl::same_name;
use dcs::Element;
use dcs::view::DataSetKind;

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::{Ask, replace};
use crate::dcs::explain::causes::{Causes, Said};
use crate::dcs::subject::has_name;

pub(super) const KIND: Kind =
    Kind { code: "data-set-not-found", title: ("Набор данных не найден", "A set of data is not found"), run };

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for scope in &ask.subject.scopes {
        let names: Vec<_> = scope.sets.iter().map(|set| set.name()).collect();
        let ends = ["sourceDataSet", "destinationDataSet"];
        let mut naming: Vec<Element<'_>> = Vec::new();
        for link in scope.schema.links() {
            naming.extend(ends.into_iter().filter_map(|end| link.element().child(end)));
        }
        for field in scope.sets.iter().flat_map(|set| set.fields().collect::<Vec<_>>()) {
            naming.extend(field.element().child("inHierarchyDataSet"));
        }
        for element in naming {
            let name = element.text();
            let is_meant = ask.name().is_empty() || same_name(&name, ask.name());
            if name.is_empty() || !is_meant || has_name(&names, &name) {
                continue;
            }
            let nearest = Ask::nearest(&name, names.iter().map(|name| &**name));
            let all = names.iter().map(|name| &**name).collect::<Vec<_>>().join(", ");
            causes.inside(element, Said {
                sure: true,
                what: Text::new(format!("Здесь назван набор «{name}»"), format!("The set “{name}” is named here")),
                why: Text::new(
                    format!("Такого набора в схеме нет; есть: {all}"),
                    format!("The schema has no such set; there are: {all}"),
                ),
                mend: replace(
                    &name,
                    &nearest,
                    Text::new("Исправьте имя набора или удалите связь", "Correct the set's name, or remove the link"),
                ),
                nearest,
            });
        }
        for set in scope.sets.iter().filter(|set| set.kind() == DataSetKind::Object) {
            let object = set.object_name();
            if !ask.name().is_empty() && !same_name(&object, ask.name()) && !same_name(&set.name(), ask.name()) {
                continue;
            }
            let element = set.element().child("objectName").unwrap_or(set.element());
            causes.inside(element, Said {
                sure: !ask.name().is_empty(),
                what: Text::new(format!("Внешний набор «{object}»"), format!("The external set “{object}”")),
                why: Text::new(
                    "Данные этого набора передаёт код: ни один ключ структуры внешних наборов так не называется",
                    "Code hands over the data of this set: no key of the structure of external sets has this name",
                ),
                mend: Text::new(
                    format!("Передайте его: ВнешниеНаборыДанных.Вставить(\"{object}\", Таблица) в ПриКомпоновкеРезультата"),
                    format!("Hand it over: ExternalDataSets.Insert(\"{object}\", Table) in OnComposeResult"),
                ),
                nearest: Vec::new(),
            });
        }
    }
}
