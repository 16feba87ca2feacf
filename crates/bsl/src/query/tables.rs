//! Names of tables and types: what kind of thing a dotted name is, and its canonical English name.

use std::sync::LazyLock;

use super::facts::TableKind;
use super::words;
use crate::Spelling;
use crate::words::{WordTable, rows};

const TABLES: &str = include_str!("../../data/query_tables.tsv");
const VIRTUAL: &str = include_str!("../../data/query_virtual_tables.tsv");

/// A kind of metadata that has tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    name: &'static str,
    russian: &'static str,
    /// What a third part of the name is if no virtual table is called so.
    third: Option<&'static str>,
}

/// A table that the platform makes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VirtualTable {
    /// English name of the owner's kind; `*` for any.
    owner: &'static str,
    /// English name.
    pub name: &'static str,
    russian: &'static str,
    /// English names of the parameters, with commas between.
    parameters: &'static str,
}

impl VirtualTable {
    /// The English name of a parameter by its place.
    pub fn parameter(&self, place: usize) -> Option<&'static str> {
        self.parameters.split(',').nth(place).map(str::trim).filter(|name| !name.is_empty())
    }
}

static KINDS: LazyLock<WordTable<Kind>> = LazyLock::new(|| {
    let known = rows(TABLES).filter_map(|row| match row[..] {
        [name, russian, third] => {
            let third = (third != "-").then_some(third);
            Some([name, russian].map(|written| (written, Kind { name, russian, third })))
        }
        _ => None,
    });
    WordTable::new(known.flatten())
});

static VIRTUAL_TABLES: LazyLock<Vec<VirtualTable>> = LazyLock::new(|| {
    let known = rows(VIRTUAL).filter_map(|row| match row[..] {
        [owner, name, russian, parameters] => Some(VirtualTable { owner, name, russian, parameters }),
        _ => None,
    });
    known.collect()
});

/// The English name of a kind of metadata that has tables, or whose values a query may name.
pub(crate) fn kind_of(word: &str) -> Option<&'static str> {
    KINDS.get(word).map(|kind| kind.name)
}

/// What a table's name says: its kind, its canonical name (empty if it is no metadata), the virtual table.
pub(crate) fn table_of(parts: &[&str]) -> (TableKind, String, Option<VirtualTable>) {
    let nothing = |kind| (kind, String::new(), None);
    let kind = parts.first().and_then(|first| KINDS.get(first));
    match (kind, parts) {
        (Some(kind), [_]) if kind.name == "Constants" => (TableKind::Physical, "Constants".to_owned(), None),
        (_, [_]) => nothing(TableKind::Temporary),
        (Some(kind), [_, name]) => (TableKind::Physical, format!("{}.{name}", kind.name), None),
        (Some(kind), [_, source, rest @ ..]) if kind.name == "ExternalDataSource" && rest.len() <= 4 => {
            let mut name = format!("{}.{source}", kind.name);
            for pair in rest.chunks(2) {
                let [part, own] = pair else { return nothing(TableKind::Unknown) };
                let Some(part) = words::external_part(part) else { return nothing(TableKind::Unknown) };
                name = format!("{name}.{part}.{own}");
            }
            (TableKind::Physical, name, None)
        }
        (Some(kind), [_, object, third]) => {
            if let Some((table, name)) = virtual_table(kind.name, third) {
                return (TableKind::Virtual, format!("{}.{object}.{name}", kind.name), Some(table));
            }
            match kind.third {
                Some("TabularSection") => {
                    (TableKind::TabularSection, format!("{}.{object}.TabularSection.{third}", kind.name), None)
                }
                Some(part) => (TableKind::Physical, format!("{}.{object}.{part}.{third}", kind.name), None),
                None => nothing(TableKind::Unknown),
            }
        }
        _ => nothing(TableKind::Unknown),
    }
}

/// Of a table whose name ends in no virtual table that the platform makes of that kind: the names that there are, as the query would
/// write them. None for every other table; what is behind a kind with tabular sections is one of those.
///
/// ```
/// use metascope_bsl::query::virtual_tables_instead;
/// let there = virtual_tables_instead(&["РегистрСведений", "Курсы", "СрезПоследнх"]).unwrap();
/// assert!(there.contains(&"СрезПоследних".to_owned()));
/// assert_eq!(virtual_tables_instead(&["РегистрСведений", "Курсы", "СрезПоследних"]), None);
/// assert_eq!(virtual_tables_instead(&["Документ", "Счет", "Товары"]), None);
/// ```
pub fn virtual_tables_instead<P: AsRef<str>>(parts: &[P]) -> Option<Vec<String>> {
    let [kind, _, third] = parts else { return None };
    let known = KINDS.get(kind.as_ref()).filter(|kind| kind.third.is_none() && kind.name != "ExternalDataSource")?;
    if virtual_table(known.name, third.as_ref()).is_some() {
        return None;
    }
    let spelling = Spelling::of(kind.as_ref());
    let of_kind = VIRTUAL_TABLES.iter().filter(|table| table.owner == known.name || table.owner == "*");
    let written = |table: &VirtualTable| match spelling {
        Spelling::English => table.name.split('|').next().unwrap_or(table.name).to_owned(),
        Spelling::Russian => table.russian.to_owned(),
    };
    Some(of_kind.map(written).collect())
}

/// How a query writes a table of that canonical name: `Document.X.TabularSection.Y` → `Документ.X.Y`. A name that isn't one
/// of a table stays as it is.
///
/// ```
/// use metascope_bsl::{Spelling, query::written_table};
/// assert_eq!(written_table("AccumulationRegister.Т.Balance", Spelling::Russian), "РегистрНакопления.Т.Остатки");
/// assert_eq!(written_table("Document.Счет.TabularSection.Товары", Spelling::English), "Document.Счет.Товары");
/// ```
pub fn written_table(canonical: &str, spelling: Spelling) -> String {
    let pick = |english: &str, russian: &str| match spelling {
        Spelling::English => english.to_owned(),
        Spelling::Russian => russian.to_owned(),
    };
    let parts: Vec<&str> = canonical.split('.').collect();
    let Some(kind) = parts.first().and_then(|first| KINDS.get(first)) else { return canonical.to_owned() };
    let word = pick(kind.name, kind.russian);
    match parts[1..] {
        [] => word,
        [own] => format!("{word}.{own}"),
        [own, table] => match virtual_table(kind.name, table) {
            Some((found, name)) => {
                let stem = |name: &'static str| name.split('|').next().unwrap_or(name).trim_end_matches('*');
                let rest = name.strip_prefix(stem(found.name)).filter(|_| found.name.ends_with('*')).unwrap_or("");
                format!("{word}.{own}.{}{rest}", pick(stem(found.name), stem(found.russian)))
            }
            None => canonical.to_owned(),
        },
        [own, part, name] if kind.third == Some(part) => format!("{word}.{own}.{name}"),
        _ => canonical.to_owned(),
    }
}

/// The virtual table of a name, with the English name that it has here.
fn virtual_table(owner: &str, name: &str) -> Option<(VirtualTable, String)> {
    let folded = crate::fold(name);
    VIRTUAL_TABLES.iter().filter(|table| table.owner == owner || table.owner == "*").find_map(|table| {
        let english = table.name.split('|').next().unwrap_or(table.name);
        if let (Some(prefix), Some(russian)) = (english.strip_suffix('*'), table.russian.strip_suffix('*')) {
            let rest = [prefix, russian].into_iter().find_map(|prefix| after_prefix(name, &folded, prefix))?;
            return Some((*table, format!("{prefix}{rest}")));
        }
        let same = table.name.split('|').chain([table.russian]).any(|known| crate::fold(known) == folded);
        same.then(|| (*table, english.to_owned()))
    })
}

/// What follows a prefix, compared without case; `None` if nothing does.
fn after_prefix<'a>(name: &'a str, folded: &str, prefix: &str) -> Option<&'a str> {
    let rest = folded.strip_prefix(&crate::fold(prefix))?;
    // Folding keeps the number of characters of names, not of bytes.
    let skip = folded.chars().count() - rest.chars().count();
    let start = name.char_indices().nth(skip)?.0;
    name.get(start..).filter(|rest| !rest.is_empty())
}

/// What a name in `ТИП(…)`, `ВЫРАЗИТЬ(… КАК …)`, `ССЫЛКА …` is called: `CatalogRef.X`, `String`. Empty if it is no type.
pub(crate) fn type_of(parts: &[&str]) -> String {
    match parts {
        [word] => words::primitive_type(word).unwrap_or("").to_owned(),
        [kind, name] => kind_of(kind).map_or(String::new(), |kind| format!("{kind}Ref.{name}")),
        [kind, name, part] => match (kind_of(kind), words::value_part(part)) {
            (Some("BusinessProcess"), Some("RoutePoint")) => format!("BusinessProcessRoutePointRef.{name}"),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// What a name in `ЗНАЧЕНИЕ(…)` is: the type of the value, the object, the item (empty for an empty reference).
pub(crate) fn value_of(parts: &[&str]) -> (String, String, String) {
    let nothing = (String::new(), String::new(), String::new());
    match parts {
        [kind, name, rest @ ..] => {
            let Some(known) = kind_of(kind) else {
                // A system enumeration: `ВидДвиженияНакопления.Приход`.
                return if rest.is_empty() { ((*kind).to_owned(), String::new(), (*name).to_owned()) } else { nothing };
            };
            let object = format!("{known}.{name}");
            let reference = format!("{known}Ref.{name}");
            match rest {
                [] => (reference, object, String::new()),
                [item] if words::value_part(item) == Some("EmptyRef") => (reference, object, String::new()),
                [item] => (reference, object, (*item).to_owned()),
                [part, item] if words::value_part(part) == Some("RoutePoint") => {
                    let item = if words::value_part(item) == Some("EmptyRef") { "" } else { item };
                    (format!("{known}RoutePointRef.{name}"), object, item.to_owned())
                }
                _ => (reference, object, String::new()),
            }
        }
        _ => nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> (TableKind, String) {
        let parts: Vec<&str> = name.split('.').collect();
        let (kind, name, _) = table_of(&parts);
        (kind, name)
    }

    #[test]
    fn tables_have_canonical_names() {
        use TableKind::*;
        for (written, kind, name) in [
            ("Справочник.Валюты", Physical, "Catalog.Валюты"),
            ("catalog.Currencies", Physical, "Catalog.Currencies"),
            ("Документ.Счет.Товары", TabularSection, "Document.Счет.TabularSection.Товары"),
            ("Документ.Счет.Остатки", TabularSection, "Document.Счет.TabularSection.Остатки"),
            ("Документ.Счет.Изменения", Virtual, "Document.Счет.Changes"),
            ("РегистрНакопления.Т.ОстаткиИОбороты", Virtual, "AccumulationRegister.Т.BalanceAndTurnovers"),
            ("РегистрСведений.К.СрезПоследних", Virtual, "InformationRegister.К.SliceLast"),
            ("РегистрСведений.К.НетТакой", Unknown, ""),
            ("РегистрРасчета.Н.БазаНачисления", Virtual, "CalculationRegister.Н.BaseНачисления"),
            ("РегистрРасчета.Н.Перерасчеты", Physical, "CalculationRegister.Н.Recalculation.Перерасчеты"),
            ("Задача.З.ЗадачиПоИсполнителю", Virtual, "Task.З.TasksByPerformer"),
            ("Task.T.TaskByPerformer", Virtual, "Task.T.TasksByPerformer"),
            ("ВнешнийИсточникДанных.И.Таблица.Т", Physical, "ExternalDataSource.И.Table.Т"),
            (
                "ВнешнийИсточникДанных.И.Куб.К.ТаблицаИзмерения.Т",
                Physical,
                "ExternalDataSource.И.Cube.К.DimensionTable.Т",
            ),
            ("Константы", Physical, "Constants"),
            ("Константа.К", Physical, "Constant.К"),
            ("ВТ", Temporary, ""),
            ("А.Б", Unknown, ""),
        ] {
            assert_eq!(table(written), (kind, name.to_owned()), "{written}");
        }
    }

    #[test]
    fn canonical_names_are_written_back() {
        for written in [
            "Справочник.Валюты",
            "Документ.Счет.Товары",
            "РегистрСведений.К.СрезПоследних",
            "РегистрРасчета.Н.БазаНачисления",
            "РегистрРасчета.Н.Перерасчеты",
            "Задача.З.ЗадачиПоИсполнителю",
            "Константы",
        ] {
            let (_, name) = table(written);
            assert_eq!(written_table(&name, Spelling::Russian), written, "{name}");
            let english = written_table(&name, Spelling::English);
            assert_eq!(table(&english).1, name, "{english}");
        }
        let of_a_source = "ExternalDataSource.И.Table.Т";
        assert_eq!(written_table(of_a_source, Spelling::Russian), of_a_source);
    }

    #[test]
    fn types_and_values() {
        let parts = |name: &'static str| name.split('.').collect::<Vec<_>>();
        assert_eq!(type_of(&parts("Справочник.Валюты")), "CatalogRef.Валюты");
        assert_eq!(type_of(&parts("строка")), "String");
        assert_eq!(type_of(&parts("БизнесПроцесс.З.ТочкаМаршрута")), "BusinessProcessRoutePointRef.З");
        let value = |name| {
            let (of, object, item) = value_of(&parts(name));
            [of, object, item].join(" ")
        };
        assert_eq!(value("Перечисление.Виды.Розница"), "EnumRef.Виды Enum.Виды Розница");
        assert_eq!(value("Справочник.Валюты.ПустаяСсылка"), "CatalogRef.Валюты Catalog.Валюты ");
        assert_eq!(value("ВидДвиженияНакопления.Приход"), "ВидДвиженияНакопления  Приход");
        assert_eq!(value("БизнесПроцесс.З.ТочкаМаршрута.Т"), "BusinessProcessRoutePointRef.З BusinessProcess.З Т");
    }

    #[test]
    fn parameters_of_virtual_tables() {
        let (_, _, table) = table_of(&["РегистрНакопления", "Т", "Обороты"]);
        let table = table.expect("a virtual table");
        assert_eq!(
            [table.parameter(2), table.parameter(3), table.parameter(4)],
            [Some("Periodicity"), Some("Condition"), None]
        );
    }
}
