//! `#Область` and `#Если`: spans of lines, and where code under a condition may compile.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::keywords::{self, Directive};
use super::source::{Report, text_of};
use super::token::{Token, TokenKind};
use crate::facts::{Condition, Contexts, Region};
use crate::symbols::SymbolTableBuilder;

const SYMBOLS: &str = include_str!("../../data/preprocessor_symbols.tsv");

/// A set of places, one bit each: finer than [`Contexts`], because `Не МобильныйКлиент` leaves the mobile application in.
type Places = u16;

/// Names in `preprocessor_symbols.tsv`; the number is the bit.
const PLACES: [(&str, Contexts); 10] = [
    ("ThinClient", Contexts::THIN_CLIENT),
    ("WebClient", Contexts::WEB_CLIENT),
    ("MobileAppClient", Contexts::MOBILE_CLIENT),
    ("MobileClient", Contexts::MOBILE_CLIENT),
    ("Server", Contexts::SERVER),
    ("ThickManaged", Contexts::THICK_CLIENT_MANAGED),
    ("ThickOrdinary", Contexts::THICK_CLIENT_ORDINARY),
    ("ExternalConnection", Contexts::EXTERNAL_CONNECTION),
    ("MobileAppServer", Contexts::MOBILE_SERVER),
    ("MobileStandaloneServer", Contexts::MOBILE_SERVER),
];

const EVERYWHERE: Places = (1 << PLACES.len()) - 1;

static SYMBOL_PLACES: LazyLock<FxHashMap<String, Places>> = LazyLock::new(|| {
    let mut symbols = FxHashMap::default();
    for line in SYMBOLS.lines().filter(|line| !line.starts_with("# ")).skip(1) {
        let mut cells = line.split('\t');
        let (Some(russian), Some(english), Some(names)) = (cells.next(), cells.next(), cells.next()) else { continue };
        let places = names.split(' ').filter_map(|name| PLACES.iter().position(|(known, _)| *known == name));
        let places: Places = places.fold(0, |all, bit| all | 1 << bit);
        symbols.insert(russian.to_lowercase(), places);
        symbols.insert(english.to_lowercase(), places);
    }
    symbols
});

fn contexts(places: Places) -> Contexts {
    let chosen = PLACES.iter().enumerate().filter(|(bit, _)| places & (1 << bit) != 0);
    chosen.fold(Contexts::empty(), |all, (_, (_, context))| all | *context)
}

/// Where a condition may hold and where it may fail. An unknown symbol may do both everywhere.
#[derive(Clone, Copy)]
struct Truth {
    holds: Places,
    fails: Places,
}

impl Truth {
    const UNKNOWN: Self = Self { holds: EVERYWHERE, fails: EVERYWHERE };

    fn not(self) -> Self {
        Self { holds: self.fails, fails: self.holds }
    }

    fn and(self, other: Self) -> Self {
        Self { holds: self.holds & other.holds, fails: self.fails | other.fails }
    }

    fn or(self, other: Self) -> Self {
        Self { holds: self.holds | other.holds, fails: self.fails & other.fails }
    }
}

/// Evaluates `И`, `Или`, `Не` and parentheses over symbols.
struct ConditionParser<'a> {
    words: Vec<&'a str>,
    next: usize,
    depth: u32,
}

impl<'a> ConditionParser<'a> {
    fn new(text: &'a str) -> Self {
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match rest.find(|c: char| !(c.is_alphanumeric() || c == '_')) {
                Some(0) => first.len_utf8(),
                Some(length) => length,
                None => rest.len(),
            };
            let (word, tail) = rest.split_at(length);
            words.push(word);
            rest = tail.trim_start();
        }
        Self { words, next: 0, depth: 0 }
    }

    fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.words.get(self.next).is_some_and(|word| keywords::classify(word.as_bytes()) == kind);
        self.next += usize::from(found);
        found
    }

    fn any(&mut self) -> Truth {
        let mut truth = self.all();
        while self.take(TokenKind::Or) {
            truth = truth.or(self.all());
        }
        truth
    }

    fn all(&mut self) -> Truth {
        let mut truth = self.single();
        while self.take(TokenKind::And) {
            truth = truth.and(self.single());
        }
        truth
    }

    fn single(&mut self) -> Truth {
        let mut negated = false;
        while self.take(TokenKind::Not) {
            negated = !negated;
        }
        let word = self.words.get(self.next).copied().unwrap_or("");
        self.next += 1;
        let truth = if word == "(" && self.depth < 50 {
            self.depth += 1;
            let inside = self.any();
            self.depth -= 1;
            if self.words.get(self.next) == Some(&")") {
                self.next += 1;
            }
            inside
        } else {
            let places = SYMBOL_PLACES.get(&word.to_lowercase());
            places.map_or(Truth::UNKNOWN, |&holds| Truth { holds, fails: EVERYWHERE & !holds })
        };
        if negated { truth.not() } else { truth }
    }
}

/// `#Если` that is open: its branch that is being read, and what the branches before leave over.
struct OpenIf<'a> {
    branch: Option<usize>,
    /// Where all branches before may fail.
    left: Places,
    /// Conditions of the branches so far as written.
    written: Vec<&'a str>,
}

/// Regions and conditions of a module.
pub(crate) fn read(
    directives: &[(Token, Option<Directive>)],
    last_line: u32,
    report: &mut Report<'_>,
    symbols: &mut SymbolTableBuilder,
) -> (Vec<Region>, Vec<Condition>) {
    let text = report.text;
    let mut regions: Vec<Region> = Vec::new();
    let mut conditions: Vec<Condition> = Vec::new();
    let mut open_regions: Vec<usize> = Vec::new();
    let mut open_ifs: Vec<OpenIf<'_>> = Vec::new();
    for &(token, kind) in directives {
        let Some(kind) = kind else { continue };
        let argument = argument(text_of(text, token));
        match kind {
            Directive::Region => {
                let name = argument.split([' ', '\t', '/']).next().unwrap_or("");
                let parent = open_regions.last().map(|&index| index as u32);
                open_regions.push(regions.len());
                regions.push(Region { name: symbols.intern(name), parent, line: token.line, end_line: last_line });
            }
            Directive::EndRegion => match open_regions.pop().and_then(|index| regions.get_mut(index)) {
                Some(region) => region.end_line = token.line,
                None => report.add(token.start, "#КонецОбласти without #Область"),
            },
            Directive::If => {
                let condition = condition(argument);
                let truth = ConditionParser::new(condition).any();
                open_ifs.push(OpenIf { branch: Some(conditions.len()), left: truth.fails, written: vec![condition] });
                conditions.push(Condition {
                    text: symbols.intern(condition),
                    contexts: contexts(truth.holds),
                    line: token.line + 1,
                    end_line: last_line,
                });
            }
            Directive::ElsIf | Directive::Else => {
                let Some(open) = open_ifs.last_mut() else {
                    report.add(token.start, "#Иначе without #Если");
                    continue;
                };
                close(&mut conditions, open.branch, token.line);
                open.branch = Some(conditions.len());
                let (written, holds) = if kind == Directive::ElsIf {
                    let condition = condition(argument);
                    let truth = ConditionParser::new(condition).any();
                    let holds = open.left & truth.holds;
                    open.left &= truth.fails;
                    open.written.push(condition);
                    (symbols.intern(condition), holds)
                } else {
                    (symbols.intern(&otherwise(&open.written, text_of(text, token))), open.left)
                };
                conditions.push(Condition {
                    text: written,
                    contexts: contexts(holds),
                    line: token.line + 1,
                    end_line: last_line,
                });
            }
            Directive::EndIf => match open_ifs.pop() {
                Some(open) => close(&mut conditions, open.branch, token.line),
                None => report.add(token.start, "#КонецЕсли without #Если"),
            },
            Directive::Insert | Directive::EndInsert | Directive::Delete | Directive::EndDelete => {}
        }
    }
    let unclosed = directives.iter().rev().find(|(_, kind)| matches!(kind, Some(Directive::If | Directive::Region)));
    if let (false, Some((token, _))) = (open_ifs.is_empty() && open_regions.is_empty(), unclosed) {
        report.add(token.start, "#Если or #Область is not closed");
    }
    (regions, conditions)
}

fn close(conditions: &mut [Condition], branch: Option<usize>, line: u32) {
    if let Some(condition) = branch.and_then(|index| conditions.get_mut(index)) {
        if condition.line == line + 1 {
            // All on one line: `#Если Клиент Тогда Б(); #КонецЕсли`.
            (condition.line, condition.end_line) = (line, line);
        } else {
            condition.end_line = line.saturating_sub(1);
        }
    }
}

/// What follows the directive's word, without a comment.
fn argument(written: &str) -> &str {
    let rest = written.trim_start_matches('#').trim_start();
    let word_end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    let argument = rest.get(word_end..).unwrap_or("");
    argument.split("//").next().unwrap_or("").trim()
}

/// The condition without its `Тогда`.
fn condition(argument: &str) -> &str {
    let last = argument.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    if keywords::classify(last.as_bytes()) == TokenKind::Then {
        argument.get(..argument.len() - last.len()).unwrap_or("").trim_end()
    } else {
        argument
    }
}

/// The condition of `#Иначе`, in the language of the directive.
fn otherwise(written: &[&str], directive: &str) -> String {
    let (not, and) = if directive.is_ascii() { ("Not", " And ") } else { ("Не", " И ") };
    let parts: Vec<String> = written.iter().map(|condition| format!("{not} ({condition})")).collect();
    parts.join(and)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str) -> Contexts {
        contexts(ConditionParser::new(condition).any().holds)
    }

    #[test]
    fn conditions_are_evaluated() {
        let thick = Contexts::THICK_CLIENT_MANAGED | Contexts::THICK_CLIENT_ORDINARY;
        let client = Contexts::THIN_CLIENT | Contexts::WEB_CLIENT | Contexts::MOBILE_CLIENT | thick;
        assert_eq!(holds("Клиент"), client);
        assert_eq!(holds("Client And Not WebClient"), client - Contexts::WEB_CLIENT);
        assert_eq!(holds("(Сервер ИЛИ Клиент) И НЕ ВебКлиент"), (client - Contexts::WEB_CLIENT) | Contexts::SERVER);
        assert_eq!(
            holds("Сервер Или ТолстыйКлиентОбычноеПриложение Или ВнешнееСоединение"),
            Contexts::SERVER | Contexts::THICK_CLIENT_ORDINARY | Contexts::EXTERNAL_CONNECTION
        );
        assert_eq!(holds("Не (Не Сервер)"), Contexts::SERVER);
    }

    #[test]
    fn a_symbol_finer_than_a_context_is_not_lost() {
        assert_eq!(holds("Не МобильныйКлиент"), Contexts::all());
        assert_eq!(
            holds("Не МобильныйКлиент И Не МобильноеПриложениеКлиент"),
            Contexts::all() - Contexts::MOBILE_CLIENT
        );
    }

    #[test]
    fn an_unknown_symbol_decides_nothing() {
        assert_eq!(holds("Неведомое"), Contexts::all());
        assert_eq!(holds("Не Неведомое"), Contexts::all());
        assert_eq!(holds("Сервер И Неведомое"), Contexts::SERVER);
    }
}
