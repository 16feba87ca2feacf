//! Texts in the query language among the string literals of a module.

use std::sync::LazyLock;

use crate::code::{BinaryOp, Code, Expr, ExprId};
use crate::facts::ModuleFacts;
use crate::query::{self, QueryFacts, Span, TextKind};

const WORDS: &str = include_str!("../data/query_words.tsv");

/// Stands in a query's text for a part that is not a literal: no query contains this character.
pub const UNKNOWN_PART: char = '\u{FFFC}';

/// A text in the query language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryText {
    /// Number in [`ModuleFacts::methods`]; `None` is the module's body.
    pub method: Option<usize>,
    /// 1-based line where the first literal of the text begins.
    pub line: u32,
    /// The text. Parts that are no literals are [`UNKNOWN_PART`].
    pub text: String,
    /// All parts are literals, it begins as a query does, and it doesn't break off (`… ИЗ`) to be continued elsewhere.
    pub complete: bool,
    /// It is a part that is added to another text (`ОБЪЕДИНИТЬ ВСЕ …`), not a query of its own.
    pub fragment: bool,
    /// The literals and other operands that the text is joined of, in order.
    pub parts: Vec<TextPart>,
    /// The expression that gives it.
    pub expr: ExprId,
}

/// A literal, or another operand, among those that a text is joined of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// Its first byte in the text.
    pub start: u32,
    /// 1-based line of the text that it begins on.
    pub text_line: u32,
    /// 1-based line of the module that it begins on.
    pub line: u32,
}

impl QueryText {
    /// How the text is to be read.
    pub fn kind(&self) -> TextKind {
        if self.fragment { TextKind::Fragment } else { TextKind::Query }
    }

    /// The line of the module where a place of the text stands. Lines of a literal follow each other; comments between them
    /// are not counted.
    pub fn line_of(&self, place: Span) -> u32 {
        let after = self.parts.partition_point(|part| part.start <= place.start);
        let part = after.checked_sub(1).and_then(|last| self.parts.get(last));
        part.map_or(self.line, |part| part.line + place.line.saturating_sub(part.text_line))
    }

    /// What the text says. Whatever is wrong with a text that is not complete is no problem of it.
    pub fn read(&self) -> QueryFacts {
        let mut facts = query::read(&self.text, self.kind());
        if !self.complete {
            facts.placeholders = true;
            facts.problems.clear();
        }
        facts
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Start,
    Fragment,
    Inside,
}

static ROLES: LazyLock<Vec<(String, Role)>> = LazyLock::new(|| {
    let mut roles = Vec::new();
    for line in WORDS.lines().filter(|line| !line.starts_with("# ")).skip(1) {
        let mut cells = line.split('\t');
        let role = match cells.next() {
            Some("start") => Role::Start,
            Some("fragment") => Role::Fragment,
            Some("inside") => Role::Inside,
            _ => continue,
        };
        roles.extend(cells.map(|word| (word.to_uppercase(), role)));
    }
    roles
});

/// All texts in the query language, in the order of the code: single literals, and literals joined by `+`.
///
/// A text counts when its first word begins a query in capitals, or in any case if a table stands behind `ИЗ`; a label
/// such as `"Выбрать файл"` is none.
pub fn query_texts(facts: &ModuleFacts) -> Vec<QueryText> {
    let mut found = Vec::new();
    for (index, method) in facts.methods.iter().enumerate() {
        collect(facts, &method.code, Some(index), &mut found);
    }
    collect(facts, &facts.body, None, &mut found);
    found
}

fn collect(facts: &ModuleFacts, code: &Code, method: Option<usize>, found: &mut Vec<QueryText>) {
    // Operands of a sum are read with the sum: only whole sums and literals outside sums are roots.
    let mut is_operand = vec![false; code.nodes.len()];
    for node in &code.nodes {
        if let Expr::Binary(BinaryOp::Add, left, right) = node.expr {
            for operand in [left, right] {
                if let Some(flag) = is_operand.get_mut(operand.0 as usize) {
                    *flag = true;
                }
            }
        }
    }
    let mut parts = Vec::new();
    for (index, node) in code.nodes.iter().enumerate() {
        let is_root = matches!(node.expr, Expr::String(_) | Expr::Binary(BinaryOp::Add, ..));
        if !is_root || is_operand.get(index).copied().unwrap_or(false) {
            continue;
        }
        parts.clear();
        flatten(code, ExprId(index as u32), &mut parts);
        let Some(&first_literal) = parts.iter().find(|&&part| code.string(part).is_some()) else { continue };
        let mut text = String::new();
        for &part in &parts {
            match code.string(part) {
                Some(literal) => text.push_str(facts.text(literal)),
                None => text.push(UNKNOWN_PART),
            }
        }
        if let Some(role) = role_of(&text) {
            let complete = role == Role::Start && !text.contains(UNKNOWN_PART) && !query::breaks_off(&text);
            let line = code.line(first_literal);
            let parts = places(facts, code, &parts);
            let fragment = role == Role::Fragment;
            found.push(QueryText { method, line, text, complete, fragment, parts, expr: ExprId(index as u32) });
        }
    }
}

/// Where the operands of a text begin.
fn places(facts: &ModuleFacts, code: &Code, operands: &[ExprId]) -> Vec<TextPart> {
    let (mut start, mut text_line) = (0, 1);
    let place = |&operand: &ExprId| {
        let part = TextPart { start, text_line, line: code.line(operand) };
        match code.string(operand).map(|literal| facts.text(literal)) {
            Some(text) => {
                start += text.len() as u32;
                text_line += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32;
            }
            None => start += UNKNOWN_PART.len_utf8() as u32,
        }
        part
    };
    operands.iter().map(place).collect()
}

/// The operands of a sum from left to right. Sums are left-deep: the left side is walked.
fn flatten(code: &Code, root: ExprId, parts: &mut Vec<ExprId>) {
    let mut pending = vec![root];
    while let Some(id) = pending.pop() {
        match code.expr(id) {
            Expr::Binary(BinaryOp::Add, left, right) => {
                pending.push(right);
                pending.push(left);
            }
            _ => parts.push(id),
        }
    }
}

fn role_of(text: &str) -> Option<Role> {
    let body = skip_comments(text.trim_start_matches(|c: char| c.is_whitespace() || c == ';' || c == UNKNOWN_PART));
    let first = word_at(body);
    let after = body.get(first.len()..).unwrap_or("");
    if first.is_empty() || !after.starts_with([' ', '\n', '\t', '\r', UNKNOWN_PART]) && !after.is_empty() {
        return None;
    }
    let role = role_of_word(first)?;
    let in_capitals = !first.chars().any(char::is_lowercase);
    let has_inside =
        after.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| role_of_word(word) == Some(Role::Inside));
    let plausible = match role {
        Role::Inside => false,
        Role::Start if in_capitals => has_inside || after.contains('\n') || is_constant(after),
        Role::Start => has_inside && (after.contains('\n') || names_table(after)),
        Role::Fragment => in_capitals && after.contains(['\n', '.', '&', '(', '=']),
    };
    plausible.then_some(role)
}

/// `ВЫБРАТЬ 1`, `ВЫБРАТЬ &Параметр`, `ВЫБРАТЬ ""`.
fn is_constant(after: &str) -> bool {
    after.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '&' | '"'))
}

/// `… ИЗ Справочник.Валюты`.
fn names_table(after: &str) -> bool {
    let mut words = after.split_whitespace();
    while let Some(word) = words.next() {
        if role_of_word(word) == Some(Role::Inside) && words.clone().next().is_some_and(|next| next.contains('.')) {
            return true;
        }
    }
    false
}

fn word_at(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

fn role_of_word(word: &str) -> Option<Role> {
    if word.is_empty() || word.len() > 40 {
        return None;
    }
    let folded = word.to_uppercase();
    ROLES.iter().find(|(known, _)| *known == folded).map(|&(_, role)| role)
}

fn skip_comments(mut text: &str) -> &str {
    while let Some(comment) = text.strip_prefix("//") {
        text = comment.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<(u32, String, bool, bool)> {
        let facts = crate::read_module(code.as_bytes());
        query_texts(&facts).into_iter().map(|query| (query.line, query.text, query.complete, query.fragment)).collect()
    }

    #[test]
    fn a_literal_is_a_query_and_a_label_is_none() {
        let code = "А = \"ВЫБРАТЬ\n|	1\n|ИЗ\n|	Справочник.Х\"; Б = \"Выбрать файл из списка\"; В = \"SELECT\";";
        let found = texts(code);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0], (1, "ВЫБРАТЬ\n\t1\nИЗ\n\tСправочник.Х".to_owned(), true, false));
        assert_eq!(texts("А = \"select * from Catalog.Goods\";").len(), 1);
        assert_eq!(texts("А = \"ВЫБРАТЬ 1\";").len(), 1);
    }

    #[test]
    fn parts_are_joined() {
        let code = "А = \"ВЫБРАТЬ Ссылка ИЗ \" + Таблица +\n \" КАК Т\";\nБ = Б + \"\n|ОБЪЕДИНИТЬ ВСЕ\n|\nВЫБРАТЬ 1\";";
        let found = texts(code);
        assert_eq!(found[0], (1, "ВЫБРАТЬ Ссылка ИЗ \u{FFFC} КАК Т".to_owned(), false, false));
        assert_eq!((found[1].0, found[1].2, found[1].3), (3, false, true));
    }

    #[test]
    fn a_text_that_breaks_off_is_not_complete() {
        let complete = |text: &str| texts(&format!("А = \"{text}\";"))[0].2;
        assert!(complete("ВЫБРАТЬ 1 ИЗ Справочник.Х КАК Х ГДЕ Х.А ЕСТЬ NULL"));
        for text in
            ["ВЫБРАТЬ А ИЗ\n|", "ВЫБРАТЬ А, Б КАК В,\n|", "ВЫБРАТЬ А ИЗ Т ГДЕ А И // да\n|", "ВЫБРАТЬ 1 ИЗ Т ГДЕ ("]
        {
            assert!(!complete(text), "{text}");
        }
    }

    #[test]
    fn places_of_a_text_have_lines_of_the_module() {
        let code = "\nА = \"ВЫБРАТЬ Т.А\n|ИЗ \" + Имя +\n\n \" КАК Т\n|ГДЕ\n|  Т.Б\";";
        let found = &query_texts(&crate::read_module(code.as_bytes()))[0];
        let facts = found.read();
        assert!(facts.placeholders);
        let lines: Vec<u32> = facts.fields.iter().map(|field| found.line_of(field.span)).collect();
        assert_eq!((found.line, lines), (2, vec![2, 7]));
        assert_eq!(found.line_of(facts.tables[0].span), 3);
    }
}
