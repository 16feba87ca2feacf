//! Topics by the place that is open, or that a question names.

use std::sync::LazyLock;

use metadata::kinds::Kind;

use super::{rows, topics_of};
use crate::tool::Topic;

/// `how`, `what`, topics.
static PLACES: LazyLock<Vec<(&'static str, &'static str, Vec<Topic>)>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.next()?, topics_of(cells.next()?)))
    };
    rows(include_str!("../../data/topic_places.tsv")).filter_map(row).collect()
});

/// Topics of a full name in any spelling, or of a file.
pub(super) fn of(place: &str) -> Vec<Topic> {
    let (layer, name) = match place.rsplit_once("::") {
        Some((_, name)) => (Some(Topic::Extensions), name),
        None => (None, place),
    };
    let mut parts = name.split('.');
    let first = parts.next().unwrap_or_default();
    let kind = Kind::from_word(first).or_else(|| Kind::from_type(first).map(|(kind, _)| kind)).map(Kind::en);
    let rest: Vec<&str> = parts.collect();
    // A file has a folder; a name has a kind.
    let is_file = place.contains(['/', '\\']);
    let fits = |(how, what, _): &&(&str, &str, Vec<Topic>)| match *how {
        "kind" => !is_file && !rest.is_empty() && kind == Some(*what),
        "part" => !is_file && kind.is_some() && rest.iter().skip(1).any(|part| part == what),
        "file" => is_file && place.ends_with(what),
        _ => false,
    };
    PLACES.iter().filter(fits).flat_map(|(_, _, topics)| topics.iter().copied()).chain(layer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files() {
        assert_eq!(of("Справочники.Валюты"), [Topic::Data]);
        assert_eq!(of("CatalogRef.Валюты"), [Topic::Data]);
        assert_eq!(of("Catalog.Валюты.Form.ФормаЭлемента"), [Topic::Data, Topic::Forms]);
        assert_eq!(of("Патч::Report.Продажи"), [Topic::Reports, Topic::Extensions]);
        assert_eq!(of("CommonModules/Общий/Ext/Module.bsl"), [Topic::Code]);
        assert_eq!(of("Roles/Админ/Ext/Rights.xml"), [Topic::Rights]);
        assert!(of("ОбщегоНазначения.Метод").is_empty());
    }

    #[test]
    fn every_row_of_the_data_can_fit() {
        for (how, what, topics) in PLACES.iter() {
            assert!(!topics.is_empty(), "{what}");
            assert!(*how != "kind" || Kind::named(what).is_some(), "{what} is no kind");
            assert!(["kind", "part", "file"].contains(how), "{how}");
        }
    }
}
