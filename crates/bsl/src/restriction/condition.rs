//! Conditions of `#Если`: what texts alone decide. Everything that a session decides (`&Параметр`, `Значение(…)`) is open.

use super::Verdict;
use crate::query::tokens::{Kind, Token, Word, tokens};
use crate::words::{WordTable, rows};
use std::sync::LazyLock;

/// How deep brackets and `НЕ` are followed.
const DEPTH: usize = 64;

static FUNCTIONS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    let rows = rows(include_str!("../../data/restriction_words.tsv"));
    let functions = rows.filter(|row| row.first() == Some(&"function") && row.get(1) == Some(&"StrContains"));
    WordTable::new(functions.flat_map(|row| row.get(2..4).unwrap_or(&[]).to_vec()).map(|word| (word, ())))
});

/// What is known of a condition.
#[derive(Debug)]
pub(super) enum Outcome {
    Known(bool),
    /// What is left of it, and what it says.
    Open(String, Formula),
}

/// What a condition says of the conditions that it is made of.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// One of them, by its words in small letters.
    Atom(String),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Other,
}

/// Conditions that hold, or don't, where a piece of text stands: branches of `#Если` around it say so. Parameters of a session
/// are the same in all of a restriction.
#[derive(Debug, Default)]
pub(super) struct Assumptions {
    known: Vec<(String, bool)>,
}

impl Assumptions {
    /// How many there are: what [`Self::forget`] goes back to.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn forget(&mut self, back_to: usize) {
        self.known.truncate(back_to);
    }

    /// A condition holds, or doesn't.
    pub fn add(&mut self, formula: &Formula, holds: bool) {
        match formula {
            Formula::Atom(words) => self.known.push((words.clone(), holds)),
            Formula::Not(of) => self.add(of, !holds),
            Formula::All(parts) if holds => parts.iter().for_each(|part| self.add(part, true)),
            Formula::Any(parts) if !holds => parts.iter().for_each(|part| self.add(part, false)),
            _ => {}
        }
    }

    fn get(&self, words: &str) -> Option<bool> {
        self.known.iter().rev().find(|(known, _)| known == words).map(|(_, holds)| *holds)
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Text(String),
    Truth(bool),
    Open,
}

/// A value, and the text that it is of: a part that can't change the outcome is left out of it.
struct Part {
    value: Value,
    text: String,
    formula: Formula,
}

pub(super) fn evaluate(text: &str, assumptions: &Assumptions) -> Outcome {
    let tokens = tokens(text);
    let mut reader = Reader { text, tokens: &tokens, at: 0, assumptions };
    let part = reader.any(0);
    if reader.token().kind != Kind::End {
        return Outcome::Open(text.trim().to_owned(), Formula::Other);
    }
    match part.value {
        Value::Truth(known) => Outcome::Known(known),
        _ => Outcome::Open(part.text, part.formula),
    }
}

/// What a whole restriction lets through: `ГДЕ ИСТИНА` everything, `ГДЕ ЛОЖЬ` nothing.
pub(super) fn verdict(text: &str) -> Verdict {
    let tokens = tokens(text);
    let words: Vec<Option<Word>> = tokens.iter().map(|token| token.word).collect();
    let named =
        matches!(tokens.first(), Some(first) if first.kind == Kind::Word && words.get(1) == Some(&Some(Word::Where)));
    match words.get(usize::from(named)..).unwrap_or(&[]) {
        [None] if tokens.len() == 1 => Verdict::All,
        [Some(Word::True), None] | [Some(Word::Where), Some(Word::True), None] => Verdict::All,
        [Some(Word::False), None] | [Some(Word::Where), Some(Word::False), None] => Verdict::None,
        _ => Verdict::Some,
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    assumptions: &'a Assumptions,
}

impl Reader<'_> {
    fn token(&self) -> Token {
        let end = Token { kind: Kind::End, word: None, start: 0, end: 0, line: 0 };
        self.tokens.get(self.at).or(self.tokens.last()).copied().unwrap_or(end)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        self.at += 1;
        token
    }

    fn takes(&mut self, word: Word) -> Option<Token> {
        let token = self.token();
        (token.kind == Kind::Word && token.word == Some(word)).then(|| self.bump())
    }

    fn written(&self, token: Token) -> &str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// The text from a token on to the one before the next.
    fn since(&self, first: Token) -> String {
        let last = self.at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let end = last.map_or(first.start, |last| last.end);
        self.text.get(first.start as usize..end as usize).unwrap_or("").to_owned()
    }

    /// `А ИЛИ Б`.
    fn any(&mut self, depth: usize) -> Part {
        let mut left = self.all(depth);
        while let Some(or) = self.takes(Word::Or) {
            let right = self.all(depth);
            left = join(left, right, true, self.written(or));
        }
        left
    }

    /// `А И Б`.
    fn all(&mut self, depth: usize) -> Part {
        let mut left = self.not(depth);
        while let Some(and) = self.takes(Word::And) {
            let right = self.not(depth);
            left = join(left, right, false, self.written(and));
        }
        left
    }

    fn not(&mut self, depth: usize) -> Part {
        if depth < DEPTH
            && let Some(not) = self.takes(Word::Not)
        {
            let of = self.not(depth + 1);
            let value = match of.value {
                Value::Truth(known) => Value::Truth(!known),
                _ => Value::Open,
            };
            let word = format!("{} ", self.written(not));
            return match (of.formula, of.text.strip_prefix(&word)) {
                (Formula::Not(inner), Some(text)) => Part { value, text: text.to_owned(), formula: *inner },
                (formula, _) => Part { value, text: word + &of.text, formula: Formula::Not(Box::new(formula)) },
            };
        }
        self.comparison(depth)
    }

    fn comparison(&mut self, depth: usize) -> Part {
        let (from, first) = (self.at, self.token());
        let left = self.sum(depth);
        let sign = self.token().kind;
        if !matches!(sign, Kind::Eq | Kind::Ne | Kind::Lt | Kind::Le | Kind::Gt | Kind::Ge) {
            return match (&left.value, &left.formula) {
                (Value::Open, Formula::Other) => self.atom(from, left),
                _ => left,
            };
        }
        self.bump();
        let right = self.sum(depth);
        let value = match (sign, left.value, right.value) {
            // Templates write names of rights in capitals as well as not.
            (Kind::Eq, Value::Text(a), Value::Text(b)) => Value::Truth(crate::fold(&a) == crate::fold(&b)),
            (Kind::Ne, Value::Text(a), Value::Text(b)) => Value::Truth(crate::fold(&a) != crate::fold(&b)),
            (Kind::Eq, Value::Truth(a), Value::Truth(b)) => Value::Truth(a == b),
            (Kind::Ne, Value::Truth(a), Value::Truth(b)) => Value::Truth(a != b),
            _ => Value::Open,
        };
        let part = Part { value, text: self.since(first), formula: Formula::Other };
        if part.value == Value::Open { self.atom(from, part) } else { part }
    }

    /// A condition from a token on that is not made of others: what is around it may have decided it.
    fn atom(&self, from: usize, part: Part) -> Part {
        let all = self.tokens.get(from..self.at).unwrap_or(&[]);
        let mut words = all.iter().map(|token| crate::fold(self.written(*token))).collect::<Vec<_>>();
        // `А <> Б` is no condition of its own.
        let differs = all.iter().position(|token| token.kind == Kind::Ne);
        if let Some(sign) = differs.and_then(|place| words.get_mut(place)) {
            *sign = "=".to_owned();
        }
        let words = words.join(" ");
        if let Some(holds) = self.assumptions.get(&words) {
            return Part { value: Value::Truth(holds != differs.is_some()), ..part };
        }
        let atom = Formula::Atom(words);
        Part { formula: if differs.is_some() { Formula::Not(Box::new(atom)) } else { atom }, ..part }
    }

    /// `А + Б`.
    fn sum(&mut self, depth: usize) -> Part {
        let first = self.token();
        let mut left = self.operand(depth);
        while self.token().kind == Kind::Plus {
            self.bump();
            let right = self.operand(depth);
            let value = match (left.value, right.value) {
                (Value::Text(a), Value::Text(b)) => Value::Text(a + &b),
                _ => Value::Open,
            };
            left = Part { value, text: self.since(first), formula: Formula::Other };
        }
        left
    }

    fn operand(&mut self, depth: usize) -> Part {
        let token = self.token();
        let mut value = Value::Open;
        match token.kind {
            Kind::String => {
                self.bump();
                let inner = self.written(token).strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or("");
                value = Value::Text(inner.replace("\"\"", "\""));
            }
            Kind::LParen if depth < DEPTH => {
                self.bump();
                let inner = self.any(depth + 1);
                if self.token().kind != Kind::RParen {
                    return Part { value, text: self.since(token), formula: Formula::Other };
                }
                self.bump();
                let simple = !matches!(inner.formula, Formula::All(_) | Formula::Any(_));
                let text = if simple { inner.text } else { format!("({})", inner.text) };
                return Part { value: inner.value, text, formula: inner.formula };
            }
            Kind::Word if self.tokens.get(self.at + 1).is_some_and(|next| next.kind == Kind::LParen) => {
                self.bump();
                let arguments = self.arguments(depth);
                if FUNCTIONS.get(self.written(token)).is_some()
                    && let [Value::Text(text), Value::Text(part)] = &arguments[..]
                {
                    value = match (text.contains(&**part), crate::fold(text).contains(&crate::fold(part))) {
                        (true, _) => Value::Truth(true),
                        (false, false) => Value::Truth(false),
                        (false, true) => Value::Open,
                    };
                }
            }
            Kind::Word => {
                self.bump();
                value = match token.word {
                    Some(Word::True) => Value::Truth(true),
                    Some(Word::False) => Value::Truth(false),
                    _ => Value::Open,
                };
            }
            Kind::End | Kind::RParen | Kind::Comma => {}
            _ => drop(self.bump()),
        }
        let text = if self.token() == token { String::new() } else { self.since(token) };
        Part { value, text, formula: Formula::Other }
    }

    /// Arguments in brackets. What is more than an expression (`Справочник.Х`) is open.
    fn arguments(&mut self, depth: usize) -> Vec<Value> {
        self.bump();
        let mut values = Vec::new();
        let mut open = 0_u32;
        loop {
            if depth < DEPTH && open == 0 && !matches!(self.token().kind, Kind::RParen | Kind::End) {
                values.push(self.any(depth + 1).value);
            }
            if self.token().kind == Kind::End {
                return Vec::new();
            }
            match self.bump().kind {
                Kind::RParen if open == 0 => return values,
                Kind::RParen => open -= 1,
                Kind::LParen => open += 1,
                Kind::Comma => {}
                _ => values.push(Value::Open),
            }
        }
    }
}

/// Two parts joined by `ИЛИ` (`any`) or `И`: one that changes nothing is left out, one that decides decides.
fn join(left: Part, right: Part, any: bool, word: &str) -> Part {
    let decided = |part: &Part| part.value == Value::Truth(any);
    if decided(&left) || decided(&right) {
        return Part { value: Value::Truth(any), text: String::new(), formula: Formula::Other };
    }
    match (&left.value, &right.value) {
        (Value::Truth(_), _) => return right,
        (_, Value::Truth(_)) => return left,
        _ => {}
    }
    let again = match &left.formula {
        Formula::Any(parts) if any => parts.contains(&right.formula),
        Formula::All(parts) if !any => parts.contains(&right.formula),
        one => *one == right.formula,
    };
    if again && right.formula != Formula::Other {
        return left;
    }
    let text = format!("{} {word} {}", left.text, right.text);
    let formula = match (left.formula, any) {
        (Formula::Any(mut parts), true) | (Formula::All(mut parts), false) => {
            parts.push(right.formula);
            if any { Formula::Any(parts) } else { Formula::All(parts) }
        }
        (first, true) => Formula::Any(vec![first, right.formula]),
        (first, false) => Formula::All(vec![first, right.formula]),
    };
    Part { value: Value::Open, text, formula }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> String {
        match evaluate(text, &Assumptions::default()) {
            Outcome::Known(known) => known.to_string(),
            Outcome::Open(text, _) => text,
        }
    }

    #[test]
    fn what_texts_decide() {
        for (text, known) in [
            ("\"а\" = \"А\"", true),
            ("\"а\" + \"б\" <> \"аб\"", false),
            ("НЕ (\"\" = \"\" ИЛИ &П)", false),
            ("СтрСодержит(\"абв\", \"б\") И ИСТИНА", true),
            ("StrContains(\"abc\", \"d\") OR FALSE", false),
            ("(ЛОЖЬ) = ЛОЖЬ", true),
        ] {
            assert_eq!(left(text), known.to_string(), "{text}");
        }
    }

    #[test]
    fn what_stays_open() {
        for (text, rest) in [
            ("&П", "&П"),
            ("\"а\" = \"\" ИЛИ НЕ СтрСодержит(&П, \",А,\")", "НЕ СтрСодержит(&П, \",А,\")"),
            ("&П = Значение(Справочник.Л.ПустаяСсылка) И \"а\" = \"а\"", "&П = Значение(Справочник.Л.ПустаяСсылка)"),
            ("&А ИЛИ \"а\" = \"б\" ИЛИ &Б", "&А ИЛИ &Б"),
            ("НЕ (НЕ &А И ИСТИНА)", "&А"),
            ("НЕ (&А <> 1)", "НЕ &А <> 1"),
            ("НЕ &А И НЕ &а И &Б И НЕ &А", "НЕ &А И &Б"),
            ("(&А ИЛИ ЛОЖЬ) И (&Б ИЛИ &В)", "&А И (&Б ИЛИ &В)"),
            ("СтрСодержит(\"АБ\", \"а\")", "СтрСодержит(\"АБ\", \"а\")"),
            ("\"а\" \"б\"", "\"а\" \"б\""),
            ("", ""),
            ("&А = ", "&А ="),
            ("1 + (&А", "1 + (&А"),
        ] {
            assert_eq!(left(text), rest, "{text}");
        }
    }

    #[test]
    fn what_is_around_decides() {
        let mut assumptions = Assumptions::default();
        let mut assume = |text: &str, holds: bool| match evaluate(text, &Assumptions::default()) {
            Outcome::Open(_, formula) => assumptions.add(&formula, holds),
            Outcome::Known(_) => {}
        };
        assume("&А И НЕ &Б", true);
        assume("&В <> \"в\" ИЛИ СтрСодержит(&Г, \"г\")", false);
        assume("&Д И &Е", false);
        let known = |text: &str| match evaluate(text, &assumptions) {
            Outcome::Known(known) => known.to_string(),
            Outcome::Open(text, _) => text,
        };
        assert_eq!((known("НЕ &а"), known("&Б"), known("&В = \"в\"")), ("false".into(), "false".into(), "true".into()));
        assert_eq!((known("СтрСодержит(&Г,\"г\")"), known("&Д")), ("false".into(), "&Д".into()));
    }
}
