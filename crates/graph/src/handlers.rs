//! Procedures that the platform calls by their name, by kind of module and of object: `data/handlers.tsv`.

use metadata::ModuleKind;
use std::sync::LazyLock;

/// One predefined event.
#[derive(Clone, Debug)]
pub struct PredefinedHandler {
    /// Kind of the module that holds the procedure.
    pub module: ModuleKind,
    /// Name in Russian.
    pub ru: &'static str,
    /// Name in English.
    pub en: &'static str,
    /// English singular kinds of the objects whose modules have the event; empty where the module belongs to the
    /// configuration or to a command.
    pub objects: Vec<&'static str>,
}

static TABLE: LazyLock<Vec<PredefinedHandler>> = LazyLock::new(|| {
    let lines = include_str!("../data/handlers.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.filter_map(parse).collect()
});

fn parse(line: &'static str) -> Option<PredefinedHandler> {
    let mut cells = line.split('\t');
    let module = cells.next()?;
    Some(PredefinedHandler {
        module: ModuleKind::ALL.into_iter().find(|kind| kind.as_str() == module)?,
        ru: cells.next()?,
        en: cells.next()?,
        objects: cells.next()?.split_whitespace().collect(),
    })
}

/// Every predefined event.
pub fn all() -> &'static [PredefinedHandler] {
    &TABLE
}

/// The events of a module of that kind that belongs to an object of that full name (`Catalog.X`,
/// `CalculationRegister.X.Recalculation.R`: the last kind counts).
pub fn of(module: ModuleKind, owner: &str) -> impl Iterator<Item = &'static PredefinedHandler> {
    let owner = crate::world::layers::without_layer(owner);
    let parts = owner.split('.').count();
    let kind = owner.split('.').nth(parts.saturating_sub(2)).unwrap_or("");
    TABLE.iter().filter(move |h| h.module == module && (h.objects.is_empty() || h.objects.contains(&kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let lines = include_str!("../data/handlers.tsv").lines().filter(|l| !l.starts_with('#')).skip(1).count();
        assert_eq!(all().len(), lines);
        for kind in all().iter().flat_map(|h| &h.objects) {
            assert!(metadata::Kind::named(kind).is_some(), "{kind}");
        }
    }

    #[test]
    fn by_module_and_kind_of_object() {
        let names = |module, owner| of(module, owner).map(|h| h.ru).collect::<Vec<_>>();
        assert!(names(ModuleKind::ObjectModule, "Document.Заказ").contains(&"ОбработкаПроведения"));
        assert!(!names(ModuleKind::ObjectModule, "Catalog.Валюты").contains(&"ОбработкаПроведения"));
        assert!(names(ModuleKind::RecordSetModule, "CalculationRegister.Р.Recalculation.П").contains(&"ПередЗаписью"));
        assert_eq!(names(ModuleKind::SessionModule, "Configuration"), ["УстановкаПараметровСеанса"]);
        assert!(names(ModuleKind::FormModule, "Catalog.Валюты.Form.Ф").is_empty());
    }
}
