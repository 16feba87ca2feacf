//! Literals that name a piece of metadata: full names, type names, lists of fields, queries.

use super::{Role, Wanted};
use crate::edge::Confidence;
use bsl::{ModuleFacts, Symbol, SymbolTable};
use metadata::Kind;
use regex::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// Endings that virtual tables of registers put behind the name of a resource.
const ENDINGS: [&str; 30] = [
    "остаток",
    "оборот",
    "приход",
    "расход",
    "начальныйостаток",
    "конечныйостаток",
    "остатокдт",
    "остаткокт",
    "остатоккт",
    "оборотдт",
    "обороткт",
    "начальныйостатокдт",
    "начальныйостатоккт",
    "конечныйостатокдт",
    "конечныйостатоккт",
    "дт",
    "кт",
    "balance",
    "turnover",
    "receipt",
    "expense",
    "openingbalance",
    "closingbalance",
    "balancedr",
    "balancecr",
    "turnoverdr",
    "turnovercr",
    "dr",
    "cr",
    "развернутыйостатокдт",
];

/// A place in a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Lines below the literal's first one.
    below: u32,
    kind: &'static str,
    confidence: Confidence,
}

/// Literals of a module that name a piece of metadata.
pub(super) struct Texts {
    places: FxHashMap<Symbol, Vec<Place>>,
    /// Literals that are the bare name, or a list of names with it.
    lists: Vec<Symbol>,
    /// Some literal names the object.
    pub names_object: bool,
}

impl Texts {
    /// `held`: symbols whose texts hold a name of the piece, as [`Reader::held`] gives them.
    pub fn new(facts: &ModuleFacts, reader: &Reader<'_>, held: &[Symbol]) -> Self {
        let mut texts = Self { places: FxHashMap::default(), lists: Vec::new(), names_object: false };
        for &symbol in held {
            let folded = bsl::fold(facts.text(symbol));
            texts.names_object |= reader.names_object(&folded);
            let places = reader.read(&folded);
            if !places.is_empty() {
                texts.places.insert(symbol, places);
            }
            if reader.in_list(&folded) {
                texts.lists.push(symbol);
            }
        }
        texts
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a literal is the bare name, or a list of names with it.
    pub fn is_list(&self, symbol: Symbol) -> bool {
        self.lists.contains(&symbol)
    }

    /// The places of a literal that begins in a line.
    pub fn at(&self, symbol: Symbol, line: u32, push: &mut impl FnMut(u32, &'static str, Confidence)) {
        for place in self.places.get(&symbol).into_iter().flatten() {
            push(line + place.below, place.kind, place.confidence);
        }
    }
}

/// See [`super::in_query`].
pub(super) fn in_query(text: &str, wanted: &Wanted, of_table: bool) -> Vec<(u32, Confidence)> {
    let reader = Reader::new(wanted);
    let folded = bsl::fold(text);
    if !reader.could_hold(&folded) {
        return Vec::new();
    }
    let places = match &wanted.part {
        None => reader.read_condition(&folded),
        Some(part) => reader.read_part(&folded, true, part.role),
    };
    let sure =
        |confidence| if of_table && confidence == Confidence::Candidate { Confidence::Typed } else { confidence };
    let mut lines: Vec<(u32, Confidence)> = places.iter().map(|place| (place.below, sure(place.confidence))).collect();
    lines.sort_unstable();
    lines.dedup_by_key(|(line, _)| *line);
    lines
}

/// Reads literals for one piece of metadata.
pub(super) struct Reader<'a> {
    wanted: &'a Wanted,
    object: String,
    /// Folded names of the part; empty if none is wanted.
    names: Vec<String>,
    is_resource: bool,
    /// Finds each of the names and the object's, without regard to case.
    any: Option<Regex>,
}

impl<'a> Reader<'a> {
    pub fn new(wanted: &'a Wanted) -> Self {
        let part = wanted.part.as_ref();
        let names: Vec<String> = part
            .map(|part| std::iter::once(&part.name).chain(&part.name_en).map(|name| bsl::fold(name)).collect())
            .unwrap_or_default();
        let object = bsl::fold(&wanted.object);
        let is_resource = wanted.kind.en().ends_with("Register") && part.is_some_and(|part| part.role == Role::Field);
        let mut all: Vec<String> = names.iter().chain([&object]).map(|name| regex::escape(name)).collect();
        // Of two that begin at one place the shorter one: the longer one may run over the end of a text.
        all.sort_by_key(String::len);
        let any = RegexBuilder::new(&all.join("|")).case_insensitive(true).build().ok();
        Self { wanted, object, names, is_resource, any }
    }

    pub fn wanted(&self) -> &'a Wanted {
        self.wanted
    }

    /// The symbols whose texts hold a name of the piece, or its object's.
    pub fn held(&self, symbols: &SymbolTable) -> Vec<Symbol> {
        match &self.any {
            Some(any) => symbols.holding(|texts, from| any.find_at(texts, from).map(|found| found.range())),
            None => symbols.iter().filter(|(_, text)| self.could_hold(&bsl::fold(text))).map(|(one, _)| one).collect(),
        }
    }

    /// Whether a folded text names the object in full.
    fn names_object(&self, text: &str) -> bool {
        paths_with(text, [&self.object]).iter().any(|(_, path)| self.object(path).is_some())
    }

    fn could_hold(&self, folded: &str) -> bool {
        match self.wanted.part {
            Some(_) => self.names.iter().any(|name| folded.contains(name.as_str())) || folded.contains(&self.object),
            None => folded.contains(&self.object),
        }
    }

    /// The name of a path's object, if it is the wanted one; with what stands behind it.
    fn object<'p>(&self, path: &'p [&'p str]) -> Option<&'p [&'p str]> {
        let place = path.iter().position(|word| {
            Kind::from_word(word).filter(|kind| kind.is_top()).or_else(|| Kind::from_type(word).map(|(kind, _)| kind))
                == Some(self.wanted.kind)
        })?;
        let rest = path.get(place + 1..)?;
        (rest.first()? == &self.object).then(|| rest.get(1..).unwrap_or(&[]))
    }

    fn is_name(&self, word: &str) -> bool {
        self.names.iter().any(|name| name == word)
            || self.is_resource
                && self
                    .names
                    .iter()
                    .any(|name| word.strip_prefix(name.as_str()).is_some_and(|ending| ENDINGS.contains(&ending)))
    }

    fn read(&self, text: &str) -> Vec<Place> {
        let is_query = text.contains("выбрать") || text.contains("select");
        match &self.wanted.part {
            None => self.read_object(text, is_query),
            Some(part) => self.read_part(text, is_query, part.role),
        }
    }

    fn read_object(&self, text: &str, is_query: bool) -> Vec<Place> {
        let mut places = Vec::new();
        let mut push =
            |at: usize, kind, confidence| places.push(Place { below: lines_before(text, at), kind, confidence });
        for (at, path) in paths_with(text, [&self.object]) {
            if self.object(&path).is_some() {
                let whole = path.len() == 2 && text.len() == path.iter().map(|word| word.len()).sum::<usize>() + 1;
                let is_type = whole && path.first().is_some_and(|word| Kind::from_type(word).is_some());
                let kind = match (is_query, is_type) {
                    (true, _) => "bsl_query",
                    (_, true) => "bsl_type_string",
                    _ => "bsl_string",
                };
                push(at, kind, Confidence::String);
            }
        }
        let bare = match self.wanted.kind.en() {
            "Role" => Some("bsl_role_name_string"),
            "SessionParameter" => Some("bsl_session_parameter_name_string"),
            "CommonModule"
            | "FunctionalOption"
            | "FunctionalOptionsParameter"
            | "ScheduledJob"
            | "CommonCommand"
            | "CommonTemplate"
            | "CommonPicture"
            | "StyleItem"
            | "Constant"
            | "Subsystem" => Some("bsl_string"),
            _ => None,
        };
        if let Some(kind) = bare
            && places.is_empty()
            && !is_query
        {
            // A name of its own, or the first or the last of a dotted one (`Модуль.Метод`, `Подсистемы.Склад`).
            let found = paths_with(text, [&self.object]).into_iter().find(|(_, path)| {
                path.iter().any(|word| *word == self.object) && path.len() <= 3 && !text.trim().contains(' ')
                    || path.len() == 1
                        && self.in_list_of(text, &self.object)
                        && path.first().is_some_and(|word| *word == self.object)
            });
            if let Some((at, _)) = found {
                places.push(Place { below: lines_before(text, at), kind, confidence: Confidence::String });
            }
        }
        // The text of a restriction that code builds asks for the role.
        let asks = || ["рольдоступна", "isinrole"].iter().any(|word| text.contains(word));
        if places.is_empty() && self.wanted.kind.is("Role") && asks() {
            let named = paths_with(text, [&self.object])
                .into_iter()
                .filter(|(_, path)| path.len() == 1 && path.first().is_some_and(|word| *word == self.object));
            places.extend(named.map(|(at, _)| Place {
                below: lines_before(text, at),
                kind: "bsl_rls_text",
                confidence: Confidence::String,
            }));
        }
        places
    }

    /// A query or a condition: what has no table there is named alone (`РольДоступна("Имя")`, `&Параметр`).
    fn read_condition(&self, text: &str) -> Vec<Place> {
        let places = self.read_object(text, true);
        let alone = matches!(self.wanted.kind.en(), "Role" | "SessionParameter" | "FunctionalOption");
        if !places.is_empty() || !alone {
            return places;
        }
        let is_named = |path: &[&str]| path.len() == 1 && path.first().is_some_and(|word| *word == self.object);
        paths_with(text, [&self.object])
            .into_iter()
            .filter(|(_, path)| is_named(path))
            .map(|(at, _)| Place { below: lines_before(text, at), kind: "rights_rls", confidence: Confidence::String })
            .collect()
    }

    fn read_part(&self, text: &str, is_query: bool, role: Role) -> Vec<Place> {
        let mut places = Vec::new();
        let named = is_query && self.names_object(text);
        let (mut below, mut counted) = (0, 0);
        for (at, path) in paths_with(text, &self.names) {
            // A long text has thousands of names: each line end is counted once.
            below += line_ends(text, counted, at);
            counted = at;
            let last = path.last().is_some_and(|word| self.is_name(word));
            let mut push = |kind, confidence| places.push(Place { below, kind, confidence });
            // A full name: `Перечисление.Х.Значение`, `Справочник.Х.Форма.Ф`, `Справочник.Х.Реквизит.А`.
            if let Some(rest) = self.object(&path) {
                let before = |place: usize| place.checked_sub(1).and_then(|place| Kind::from_word(rest.get(place)?));
                let named = rest.iter().enumerate().find(|(_, word)| self.is_name(word));
                if named.is_some_and(|(place, _)| before(place).is_none_or(|kind| self.may_be_of(kind))) {
                    let kind = match (is_query, role) {
                        (true, _) => "bsl_query",
                        (_, Role::Value) => "bsl_predefined_value",
                        _ => "bsl_string",
                    };
                    push(kind, Confidence::Exact);
                }
                continue;
            }
            let fields = role.is_field();
            let holds = path.iter().any(|word| self.is_name(word));
            // Another object's full name that ends the same.
            let foreign = path.len() > 1
                && path.first().is_some_and(|word| {
                    Kind::from_type(word).is_some() || Kind::from_word(word).is_some_and(Kind::is_top)
                });
            if is_query && fields && holds && !foreign {
                push("bsl_query", if named { Confidence::Typed } else { Confidence::Candidate });
            } else if !is_query && fields && last && !foreign && self.in_list(text) {
                let confidence = if self.wanted.unique { Confidence::String } else { Confidence::Candidate };
                push("bsl_attribute_name_string", confidence);
            } else if !is_query && role == Role::Named && last && path.len() == 1 && self.in_list(text) {
                push("bsl_string", Confidence::Candidate);
            }
        }
        places.dedup();
        places
    }

    /// Whether a part before whose name that kind stands may be the one: a command of a form's name is no form.
    fn may_be_of(&self, kind: Kind) -> bool {
        let own = self.wanted.part.as_ref().and_then(|part| part.kind);
        let is_file = ["Form", "Template", "Command"].contains(&kind.en());
        match own {
            Some(own) => own == kind,
            None => !is_file,
        }
    }

    /// Whether a text is the name, or a list of names with it, each perhaps the end of a path (`А, Б.Имя`).
    fn in_list(&self, text: &str) -> bool {
        self.names.iter().any(|name| self.in_list_of(text, name))
    }

    fn in_list_of(&self, text: &str, name: &str) -> bool {
        let is_path =
            |item: &str| !item.is_empty() && item.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '*'));
        let items = || text.split([',', ';', '\n']).map(str::trim).filter(|item| !item.is_empty());
        items().all(is_path) && items().any(|item| item.rsplit('.').next() == Some(name))
    }
}

/// The dotted names of a text that hold one of some words, in order, each with its byte offset.
fn paths_with<'t, 'w>(text: &'t str, words: impl IntoIterator<Item = &'w String>) -> Vec<(usize, Vec<&'t str>)> {
    let ends_run = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.');
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for word in words {
        let mut behind = 0;
        for (at, _) in text.match_indices(word.as_str()) {
            // A run may hold a word twice.
            if at < behind {
                continue;
            }
            let before = text.get(..at).and_then(|before| Some((before.rfind(ends_run)?, before)));
            let from = before.map_or(0, |(end, before)| {
                end + before.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
            });
            let rest = text.get(at..).unwrap_or("");
            behind = at + rest.find(ends_run).unwrap_or(rest.len());
            runs.push((from, behind));
        }
    }
    runs.sort_unstable();
    runs.dedup();
    let path = |(from, to): (usize, usize)| {
        let words = text.get(from..to).unwrap_or("").split('.').filter(|word| !word.is_empty());
        (from, words.collect::<Vec<_>>())
    };
    runs.into_iter().map(path).filter(|(_, words)| !words.is_empty()).collect()
}

fn lines_before(text: &str, at: usize) -> u32 {
    line_ends(text, 0, at)
}

/// Line ends between two byte offsets.
fn line_ends(text: &str, from: usize, to: usize) -> u32 {
    let between = text.as_bytes().get(from..to).unwrap_or(&[]);
    u32::try_from(between.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotted_names_that_hold_a_word() {
        let words = ["цена".to_owned(), "товары".to_owned()];
        let text = "т.цена,\nсправочник.товары.цена, .цена.; код ценазакупки цен";
        let found = paths_with(text, &words);
        let names: Vec<String> = found.iter().map(|(_, path)| path.join("/")).collect();
        assert_eq!(names, ["т/цена", "справочник/товары/цена", "цена", "ценазакупки"]);
        let begins = ["т.цена,", "справочник.", ".цена.", "ценазакупки"];
        assert!(found.iter().zip(begins).all(|((at, _), begin)| text[*at..].starts_with(begin)), "{found:?}");
        assert_eq!(paths_with("цена", &words).len() + paths_with("", &words).len(), 1);
    }
}
