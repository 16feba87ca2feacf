//! Whether a dotted name in a text is one of the configuration.

use bsl::{Expr, StatementKind, nearest};
use graph::outline::Outlines;
use graph::platform;
use graph::sites::Holder;
use graph::world::ModuleId;
use index::{Index, Resolution};
use metadata::kinds::Kind;

use crate::scan::Scanner;

/// How many names are offered.
const OFFERED: usize = 3;

/// What is known of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameState {
    /// It exists.
    Known,
    /// It has the shape of a configuration's name, and no such thing exists.
    Unknown {
        /// The nearest names, best first.
        nearest: Vec<String>,
    },
    /// Nothing says that it is a name of the configuration.
    NotAName,
}

/// Looks a dotted name up.
///
/// A name that begins with a kind (`Справочник.Валюты`, `Catalog.Валюты.Attribute.Курс`), with a common module
/// (`ОбщегоНазначения.Метод`) or with the own name of an object (`Валюты.Курс`) is judged; any other is not one, since a variable
/// of any name may stand before a dot. Members of the platform may follow behind an object or its manager.
///
/// What ends as a file does is one, unless the index knows a thing of that name: `Configuration.xml`, `Catalog.Валюты.ObjectModule.txt`.
///
/// # Errors
/// If the index can't be read.
pub fn check(index: &Index, name: &str) -> index::Result<NameState> {
    Ok(match judge(index, name)? {
        NameState::Unknown { .. } if is_file_name(name) => NameState::NotAName,
        state => state,
    })
}

/// Ends of names of the files that dumps consist of, that answers speak of, and that stand beside dumps.
const FILE_ENDS: &[&str] = &[
    "bin", "bsl", "cf", "cfe", "cfu", "cmi", "csv", "dcs", "dcsset", "dt", "epf", "erf", "form", "geos", "hbk", "htm",
    "html", "hpwa", "json", "log", "md", "mdo", "mxl", "mxlx", "oform", "os", "pdf", "png", "rights", "schedule",
    "scheme", "svg", "toml", "tsv", "txt", "xdto", "xls", "xlsx", "xml", "xsd", "yaml", "yml", "zip",
];

/// Whether a dotted name ends as a file's does. Names of metadata are written otherwise: their letters are not all small.
fn is_file_name(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|end| FILE_ENDS.contains(&end))
}

/// What metadata refers to by the name of an object and is no thing of its own: `Catalog.Валюты.EmptyRef`,
/// `Catalog.Валюты.StandardCommand.OpenList`.
const BESIDE: [&str; 4] = ["EmptyRef", "ПустаяСсылка", "StandardCommand", "СтандартнаяКоманда"];

fn judge(index: &Index, name: &str) -> index::Result<NameState> {
    let name = name.trim_end_matches(".$body");
    let mut parts: Vec<&str> = name.split('.').collect();
    if parts.len() > 2
        && parts.first().is_some_and(|first| matches!(first.to_lowercase().as_str(), "метаданные" | "metadata"))
    {
        parts.remove(0);
    }
    let [first, second, ..] = parts.as_slice() else { return Ok(NameState::NotAName) };
    let word = Kind::from_word(first).filter(|kind| kind.is_top());
    if let Some(kind) = word.or_else(|| Kind::from_type(first).map(|(kind, _)| kind)) {
        let object = format!("{}.{second}", kind.en());
        let info = kind.info();
        let is_manager =
            [info.ru_plural, info.en_plural].iter().any(|plural| plural.to_lowercase() == first.to_lowercase());
        // A manager has members of its own: an attribute is none, though a path without the word for its kind means it.
        if let Resolution::Found(found) = index.resolve(&parts.join("."))?
            && (!is_manager || found.full_name.matches('.').count() + 1 == parts.len())
        {
            return Ok(NameState::Known);
        }
        if is_manager && is_known(index, &object)? {
            let scanner = Scanner::of(index)?;
            return Ok(match parts.get(2).zip(scanner.grounds().world().find(&object)) {
                Some((member, node)) => scanner.member(&[node], member, false),
                None => NameState::Known,
            });
        }
        let is_beside = |part: &&str| BESIDE.iter().any(|known| bsl::same_name(known, part));
        if parts.get(2).is_some_and(is_beside) && is_known(index, &object)? {
            return Ok(NameState::Known);
        }
        if is_virtual_table(&parts) && is_known(index, &object)? {
            return Ok(NameState::Known);
        }
        let canonical = format!("{}.{}", kind.en(), parts.get(1..).unwrap_or_default().join("."));
        return unknown(index, &canonical);
    }
    let module = format!("CommonModule.{first}");
    if !is_known(index, &module)? {
        let scanner = Scanner::of(index)?;
        let objects = scanner.objects_called(first);
        return Ok(if objects.is_empty() { NameState::NotAName } else { scanner.member(&objects, second, true) });
    }
    let full = format!("CommonModule.{}", parts.join("."));
    if is_known(index, &full)? { Ok(NameState::Known) } else { unknown(index, &full) }
}

/// Whether a name is that of a table that the platform makes of an object: `РегистрСведений.Цены.СрезПоследних`.
fn is_virtual_table(parts: &[&str]) -> bool {
    if parts.len() != 3 {
        return false;
    }
    // Whoever reads queries knows what tables there are, in both languages.
    let text = format!("ВЫБРАТЬ 1 КАК А ИЗ {} КАК Т", parts.join("."));
    let facts = bsl::query::read(&text, bsl::query::TextKind::Query);
    facts.tables.first().is_some_and(|table| table.kind == bsl::query::TableKind::Virtual)
}

/// Whether a name means a thing as a whole, not only by its last part.
fn is_known(index: &Index, name: &str) -> index::Result<bool> {
    Ok(match index.resolve(name)? {
        Resolution::Found(_) => true,
        Resolution::Ambiguous(_) | Resolution::Unknown { .. } => false,
    })
}

fn unknown(index: &Index, name: &str) -> index::Result<NameState> {
    let nearest = index.nearest(name, OFFERED)?.into_iter().map(|named| named.full_name).collect();
    Ok(NameState::Unknown { nearest })
}

/// A call with a number of arguments that the method doesn't take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongArguments {
    /// How many are written.
    pub given: usize,
    /// The least that the method takes.
    pub least: usize,
    /// The most.
    pub most: usize,
    /// The method's parameters.
    pub params: Vec<String>,
}

/// Whether `Модуль.Метод(…)` is written with arguments that the method takes; `name` stands at byte `at` of the text. None if it does,
/// if it is no call of a common module's method, or if its arguments are not written out (`Метод()`, `Метод(…)`).
pub fn check_call(scanner: &Scanner, text: &str, at: usize, name: &str) -> Option<WrongArguments> {
    let [module, method] = name.split('.').collect::<Vec<_>>()[..] else { return None };
    let behind = text.get(at + name.len()..)?;
    if !behind.starts_with('(') {
        return None;
    }
    let call = text.get(at..at + name.len() + closing(behind)?)?;
    if call.contains('…') || call.contains("...") {
        return None;
    }
    let facts = bsl::read_module(format!("А = {call};").as_bytes());
    let [statement] = facts.body.statements[..] else { return None };
    let StatementKind::Assign(_, value) = statement.kind else { return None };
    let Expr::Call { count, .. } = facts.body.expr(value) else { return None };
    if count == 0 || !facts.problems.is_empty() {
        return None;
    }
    let world = scanner.grounds().world();
    let outline = scanner.grounds().outline(world.common_module(world.ident(module)?)?)?;
    let methods: Vec<_> = outline.named(method).collect();
    let takes = |one: &&graph::outline::OutlineMethod| one.least <= count && usize::from(count) <= one.params.len();
    let first = methods.first().filter(|_| !methods.iter().any(takes))?;
    let (given, least, most) = (count.into(), first.least.into(), first.params.len());
    Some(WrongArguments { given, least, most, params: first.params.clone() })
}

/// How many bytes a parenthesis and all up to its closing one take; strings may hold others.
fn closing(text: &str) -> Option<usize> {
    const LONGEST: usize = 2_000;
    let (mut depth, mut in_string) = (0_usize, false);
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

impl Scanner {
    /// Nodes of the objects of that own name, whatever their kinds.
    fn objects_called(&self, name: &str) -> Vec<u32> {
        let world = self.grounds().world();
        let ident = world.ident(name);
        let kinds = Kind::all().filter(|kind| kind.is_top() && !kind.is("CommonModule"));
        kinds.filter_map(|kind| world.object(kind, ident?)).collect()
    }

    /// Whether one of some objects, or its manager, has a member; `doubtful`: they may not be what is meant, so a name that is near
    /// to none is none.
    fn member(&self, objects: &[u32], name: &str, doubtful: bool) -> NameState {
        let world = self.grounds().world();
        let of_platform = platform::is_method(name) || platform::is_property(name);
        if of_platform || objects.iter().any(|node| world.has_field(*node, name) || world.has_value(*node, name)) {
            return NameState::Known;
        }
        let mut names: Vec<String> = Vec::new();
        for &object in objects {
            let aspect = graph::value::Aspect::Object;
            for holder in [Holder::Manager(object), Holder::Instance { object, aspect }] {
                for module in world.modules_behind(holder, ModuleId(u32::MAX)) {
                    // What could not be read may have it.
                    let Some(outline) = self.grounds().outline(module) else { return NameState::Known };
                    names.extend(outline.methods.iter().map(|method| method.name.clone()));
                }
            }
            names.extend([true, false].iter().flat_map(|fields| world.names_in(object, *fields)).map(str::to_owned));
        }
        if names.iter().any(|known| bsl::same_name(known, name)) {
            return NameState::Known;
        }
        let near = nearest(name, names.iter().map(String::as_str), OFFERED);
        match near.is_empty() && doubtful {
            true => NameState::NotAName,
            false => NameState::Unknown { nearest: near.into_iter().map(str::to_owned).collect() },
        }
    }
}

/// Dotted names in a text with their byte offsets: identifiers of letters, digits and underscores with dots between. Parts
/// of paths, addresses and numbers are left out.
pub fn names_in(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find(is_part)?;
        let rest = text.get(start..)?;
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        at = start + length;
        Some((start, rest.get(..length)?, text.get(..start)?.chars().next_back(), rest.get(length..)?.chars().next()))
    })
    .filter(|(_, _, before, after)| {
        let of_path = |c: &Option<char>| matches!(c, Some('/' | '\\' | '@' | '-'));
        !of_path(before) && !of_path(after)
    })
    .filter_map(|(start, name, _, _)| {
        let inner = name.trim_matches('.');
        let start = start + (name.len() - name.trim_start_matches('.').len());
        let well_formed =
            inner.split('.').all(|part| part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$'));
        (inner.contains('.') && well_formed).then_some((start, inner))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        names_in(text).map(|(_, name)| name).collect()
    }

    #[test]
    fn what_counts_as_a_name() {
        assert_eq!(names("Метод `Общий.Найти(А)` и Справочник.Валюты."), ["Общий.Найти", "Справочник.Валюты"]);
        assert_eq!(names("CommonModules/X/Ext/Module.bsl:12, a.b@c.d, 3.14, v1.2, …и т.д."), ["т.д"]);
        assert_eq!(names("Catalog.X.ObjectModule.$body → ок..."), ["Catalog.X.ObjectModule.$body"]);
    }

    #[test]
    fn tables_that_the_platform_makes() {
        for name in ["РегистрСведений.Цены.СрезПоследних", "AccumulationRegister.Остатки.Balance"]
        {
            assert!(is_virtual_table(&name.split('.').collect::<Vec<_>>()), "{name}");
        }
        for name in ["РегистрСведений.Цены.Остатки", "Справочник.Цены.Валюта", "РегистрСведений.Цены"]
        {
            assert!(!is_virtual_table(&name.split('.').collect::<Vec<_>>()), "{name}");
        }
    }
}
