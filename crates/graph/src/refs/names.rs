//! Names of objects that are given as text to functions which take such names: `data/object_names.tsv` and a project's own.

use super::code::ModuleReferences;
use super::lists::is_called;
use crate::flow::Flow;
use crate::names::{folded_hash, same};
use crate::types::lines;
use crate::words::Word;
use bsl::{Expr, ExprId, Symbol};
use metadata::Kind;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Longest list that is looked at, in bytes.
const LONGEST: usize = 4096;

/// How a name of an object is written in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Written {
    /// One name.
    Name,
    /// A list of names with commas.
    Names,
    /// A name behind those of the objects that it is nested in: `А.Б.В`.
    Path,
    /// The keys of a structure.
    Keys,
}

/// A function that takes names of objects as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamesObjects {
    /// `Module.Function` of a common module, or `Function` for one of that name in any common module.
    pub function: String,
    /// Which argument holds the name, from 1.
    pub argument: u16,
    /// Of which kind the object is, in English.
    pub kind: String,
    /// How its name is written.
    pub written: Written,
}

/// A method of the platform that takes names of objects.
struct OfPlatform {
    /// The collection that it is a method of; None: of the global context, or of that name on any value.
    of: Option<&'static str>,
    ru: &'static str,
    en: &'static str,
    argument: usize,
    kind: &'static str,
    written: Written,
}

static OF_PLATFORM: LazyLock<Vec<OfPlatform>> = LazyLock::new(|| {
    let row = |[of, ru, en, argument, kind, written]: [&'static str; 6]| {
        let (argument, written) = (argument.parse().ok()?, Written::parse(written)?);
        Some(OfPlatform { of: (of != "Global").then_some(of), ru, en, argument, kind, written })
    };
    rows().filter(|[of, ..]| !of.is_empty()).filter_map(row).collect()
});

/// Hashes of the names of all functions of the platform, for a quick look.
static WORDS: LazyLock<FxHashSet<u64>> =
    LazyLock::new(|| OF_PLATFORM.iter().flat_map(|row| [row.ru, row.en]).map(folded_hash).collect());

fn rows() -> impl Iterator<Item = [&'static str; 6]> {
    lines(include_str!("../../data/object_names.tsv")).map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or(""))
    })
}

impl Written {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "name" => Self::Name,
            "names" => Self::Names,
            "path" => Self::Path,
            "keys" => Self::Keys,
            _ => return None,
        })
    }

    /// The full name's part behind the kind, for each object that a text names.
    fn names(self, kind: &str, text: &str) -> Vec<String> {
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        match self {
            Self::Name => vec![text.trim().to_owned()],
            Self::Names | Self::Keys => {
                text.split(',').map(str::trim).filter(|name| is_name(name)).map(str::to_owned).collect()
            }
            Self::Path => vec![text.trim().split('.').collect::<Vec<_>>().join(&format!(".{kind}."))],
        }
    }
}

impl NamesObjects {
    /// The built-in list: functions of common modules.
    pub fn built_in() -> Vec<Self> {
        let row = |[_, function, _, argument, kind, written]: [&str; 6]| {
            let (argument, written) = (argument.parse().ok()?, Written::parse(written)?);
            Some(Self { function: function.to_owned(), argument, kind: kind.to_owned(), written })
        };
        rows().filter(|[of, ..]| of.is_empty()).filter_map(row).collect()
    }

    /// A function as projects write it: `Module.Function#2`, the number of the argument with the name; left out, it is the first
    /// one. None if the number is no number, or 0.
    pub fn parse(written: &str, kind: &str) -> Option<Self> {
        let (function, argument) = match written.split_once('#') {
            Some((function, argument)) => (function, argument.trim().parse().ok()?),
            None => (written, 1),
        };
        let function = function.trim().to_owned();
        let written = if kind == "Subsystem" { Written::Path } else { Written::Name };
        (argument > 0 && !function.is_empty()).then(|| Self { function, argument, kind: kind.to_owned(), written })
    }
}

/// The objects that a call is given the names of, each with the line where the name stands.
pub(super) fn targets(
    references: &ModuleReferences<'_>,
    flow: &Flow<'_>,
    base: Option<ExprId>,
    name: Symbol,
    args: &[ExprId],
) -> Vec<(u32, u32)> {
    let module = flow.cx.module;
    let mut found = Vec::new();
    if args.is_empty() {
        return found;
    }
    let text = module.facts.text(name);
    let own = || base.is_none() && module.ident(name).is_some_and(|name| module.own_method(name).is_some());
    if WORDS.contains(&folded_hash(text)) && !own() {
        for row in OF_PLATFORM.iter().filter(|row| same(row.ru, text) || same(row.en, text)) {
            let fits = match (row.of, base) {
                (None, _) => true,
                (Some(of), Some(base)) => is_collection(flow, base, of),
                (Some(_), None) => false,
            };
            if let Some(&arg) = args.get(row.argument - 1).filter(|_| fits) {
                named(references, flow, arg, row.kind, row.written, &mut found);
            }
        }
    }
    for row in module.world.names_objects(module, name) {
        if let Some(&arg) = args.get(usize::from(row.argument) - 1)
            && is_called(flow, base, &row.function)
        {
            named(references, flow, arg, &row.kind, row.written, &mut found);
        }
    }
    found
}

/// Whether an expression is the collection of managers of that English name.
fn is_collection(flow: &Flow<'_>, base: ExprId, of: &str) -> bool {
    let Expr::Name(name) = flow.cx.code.expr(base) else { return false };
    flow.collection(name).is_some_and(|kind| kind.info().en_plural == of)
}

/// Adds the objects that an argument names.
fn named(
    references: &ModuleReferences<'_>,
    flow: &Flow<'_>,
    arg: ExprId,
    kind: &str,
    written: Written,
    found: &mut Vec<(u32, u32)>,
) {
    let world = references.fields.world;
    for (text, line) in texts(flow, arg, written) {
        if text.len() > LONGEST {
            continue;
        }
        for name in written.names(kind, &text) {
            let full_name = format!("{kind}.{name}");
            let known = match Kind::named(kind).filter(|_| !name.contains('.')) {
                Some(kind) => references.fields.object(kind, &name),
                None => world.find(&full_name),
            };
            found.extend(known.map(|object| (object, line)));
        }
    }
}

/// What an argument says, each text with its line: a literal, what a variable holds, the keys of a structure.
fn texts(flow: &Flow<'_>, arg: ExprId, written: Written) -> Vec<(String, u32)> {
    let code = flow.cx.code;
    if written == Written::Keys {
        return keys(flow, arg);
    }
    let line = code.line(arg);
    match code.string(arg) {
        Some(text) => vec![(flow.cx.module.facts.text(text).to_owned(), line)],
        None => flow.eval(arg).iter().filter_map(|value| Some((flow.text(value)?, line))).collect(),
    }
}

/// The keys of a structure: one that is made there, or that the method makes and fills.
fn keys(flow: &Flow<'_>, arg: ExprId) -> Vec<(String, u32)> {
    let code = flow.cx.code;
    let literal = |expr: Option<&ExprId>| {
        let expr = *expr?;
        code.string(expr).map(|text| (flow.cx.module.facts.text(text).to_owned(), code.line(expr)))
    };
    let made = |expr: ExprId| match code.expr(expr) {
        Expr::New { type_name: Some(name), first, count } if flow.cx.module.word(name) == Some(Word::Structure) => {
            literal(code.arguments(first, count).first())
        }
        _ => None,
    };
    let Expr::Name(name) = code.expr(arg) else { return made(arg).into_iter().collect() };
    let first = flow.cx.module.first(name);
    let mut found: Vec<_> = flow.assigned(name).iter().copied().filter_map(made).collect();
    for call in code.calls() {
        let inserts = flow.cx.module.word(call.name) == Some(Word::Insert);
        let Some(Expr::Name(receiver)) = call.receiver.map(|receiver| code.expr(receiver)) else { continue };
        if inserts && flow.cx.module.first(receiver) == first {
            found.extend(literal(call.args.first()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refs::testing::{of, refs};

    #[test]
    fn every_row_is_read() {
        let count = lines(include_str!("../../data/object_names.tsv")).count();
        assert_eq!(OF_PLATFORM.len() + NamesObjects::built_in().len(), count);
        let known = |kind: &str| Kind::named(kind).is_some();
        assert!(
            OF_PLATFORM.iter().all(|row| known(row.kind))
                && NamesObjects::built_in().iter().all(|row| known(&row.kind))
        );
    }

    #[test]
    fn functional_options_and_their_parameters() {
        let demo = || {
            crate::channels::testing::demo()
                .object("FunctionalOption.Скидки")
                .object("FunctionalOptionsParameter.Склад")
        };
        let code = "Если ПолучитьФункциональнуюОпцию(\"Скидки\", Новый Структура(\"Склад\", 1)) Тогда
            КонецЕсли;\nП = Новый Структура;\nП.Вставить(\"Склад\", 2);
            Форма.УстановитьПараметрыФункциональныхОпцийФормы(П);";
        let found = refs(demo(), code);
        assert_eq!(of(&found, "FunctionalOption.Скидки"), ["bsl_string :1"]);
        assert_eq!(of(&found, "FunctionalOptionsParameter.Склад"), ["bsl_string :1", "bsl_string :4"]);
        let english = refs(demo(), "A = GetFunctionalOption(\"Скидки\");");
        assert_eq!(of(&english, "FunctionalOption.Скидки"), ["bsl_string :1"]);
    }

    #[test]
    fn constants_of_a_set_and_subsystems_by_path() {
        let demo = crate::channels::testing::demo()
            .object("Constant.Валюта")
            .object("Subsystem.Торговля")
            .object("Subsystem.Торговля.Subsystem.Цены")
            .module("CommonModule.ОбщегоНазначения", "Функция ПодсистемаСуществует(Имя) Экспорт КонецФункции");
        let code = "Набор = Константы.СоздатьНабор(\"Валюта, Другая\");
            Если ОбщегоНазначения.ПодсистемаСуществует(\"Торговля.Цены\") Тогда КонецЕсли;
            А = Метаданные.Подсистемы.Торговля.Подсистемы.Цены;";
        let found = refs(demo, code);
        assert_eq!(of(&found, "Constant.Валюта"), ["bsl_string :1"]);
        assert_eq!(of(&found, "Subsystem.Торговля.Subsystem.Цены"), ["bsl_string :2", "bsl_metadata :3"]);
        assert_eq!(of(&found, "Subsystem.Торговля"), ["bsl_metadata :3"]);
    }

    #[test]
    fn a_project_writes_functions_in_short() {
        let parsed = |written| NamesObjects::parse(written, "Subsystem").map(|row| (row.function, row.argument));
        assert_eq!(parsed("Общее.Есть"), Some(("Общее.Есть".to_owned(), 1)));
        assert_eq!((parsed("Общее.Есть#0"), parsed("#2")), (None, None));
    }
}
