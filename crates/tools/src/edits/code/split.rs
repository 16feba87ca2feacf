//! A piece of a method becomes a method of its own.

use bsl::{HighlightKind, Method, StatementKind, highlight, same_name};

use super::super::EditError;
use super::Place;
use super::insert::Spot;
use super::rename_local::is_value;
use super::tokens::MentionKind;

/// What was split off.
pub(crate) struct Split {
    /// Parameters of the new method, in order.
    pub params: Vec<String>,
    /// The variable that it returns, if it is a function.
    pub returns: Option<String>,
}

/// Words that open and close blocks, Russian and English.
const OPENS: &[&str] = &["если", "if", "для", "for", "пока", "while", "попытка", "try"];
const CLOSES: &[&str] = &["конецесли", "endif", "конеццикла", "enddo", "конецпопытки", "endtry"];
/// What stands between the ends of a block, and belongs to it.
const PARTS: &[&str] = &["иначе", "else", "иначеесли", "elsif", "исключение", "except"];
/// Behind these a statement begins.
const BEGINS: &[&str] = &["тогда", "then", "цикл", "do", "иначе", "else", "попытка", "try", "исключение", "except"];
/// What can't leave its method.
const STAYS: &[&str] = &["возврат", "return", "перейти", "goto", "перем", "var", "ждать", "await"];
/// Loops, and what leaves them.
const LOOPS: &[&str] = &["для", "for", "пока", "while"];
const ENDS_OF_LOOPS: &[&str] = &["конеццикла", "enddo"];
const LEAVES: &[&str] = &["прервать", "break", "продолжить", "continue"];

impl Place {
    /// Moves lines of the method that was named into a new one behind it, and calls that one in their place.
    pub(crate) fn split(&mut self, first: u32, last: u32, name: &str) -> Result<Split, EditError> {
        let Some(method) = self.method().cloned() else {
            return Err(EditError::place("назовите метод, который разделить", "name the method to split"));
        };
        let text = self.revision.text().to_owned();
        let (body, code) = self.piece(&text, &method, first, last)?;
        let start = usize::try_from(method.bytes.0).unwrap_or(0);
        let end = usize::try_from(method.bytes.1).unwrap_or(text.len());
        let inside = super::lines(&text, first, last);
        let uses = self.uses(&text, &method, start..end);
        let is_param = |name: &str| method.params.iter().any(|param| same_name(self.facts.text(param.name), name));
        let mut params = Vec::new();
        let mut results = Vec::new();
        for (name, places) in &uses {
            let within = places.iter().any(|at| inside.contains(at));
            let before = is_param(name) || places.iter().any(|at| body <= *at && *at < inside.start);
            let after = places.iter().any(|at| *at >= inside.end);
            match (within, before, after) {
                (true, true, _) => params.push(name.clone()),
                (true, false, true) => results.push(name.clone()),
                _ => {}
            }
        }
        let line_end = super::super::patch::line_end_at(&text, inside.start);
        let indent: String = code
            .lines()
            .find(|line| !line.trim().is_empty())
            .map_or(String::new(), |line| line.chars().take_while(|letter| letter.is_whitespace()).collect());
        let returns = if results.len() == 1 { results.first().cloned() } else { None };
        if returns.is_none() {
            params.extend(results.iter().cloned());
        }
        let call = format!("{name}({})", params.join(", "));
        let mut instead = String::new();
        match &returns {
            Some(result) => instead.push_str(&format!("{indent}{result} = {call};{line_end}")),
            None => {
                // A variable that nothing was put in yet can't be given on.
                for result in &results {
                    instead.push_str(&format!("{indent}{result} = Неопределено;{line_end}"));
                }
                instead.push_str(&format!("{indent}{call};{line_end}"));
            }
        }
        let directive = method.context.map_or(String::new(), |context| format!("&{}{line_end}", context.ru()));
        let (kind, closing) = if returns.is_some() {
            ("Функция", "КонецФункции")
        } else {
            ("Процедура", "КонецПроцедуры")
        };
        let moved = shifted(&code, &indent);
        let result =
            returns.as_ref().map_or(String::new(), |result| format!("{line_end}\tВозврат {result};{line_end}"));
        let new = format!(
            "{directive}{kind} {name}({}){line_end}\t{line_end}{}{line_end}{result}\t{line_end}{closing}",
            params.join(", "),
            moved.trim_end_matches(['\n', '\r'])
        );
        // Behind the method first: then the lines above stay where they are.
        self.insert(&Spot::After(&method), &new)?;
        let failed =
            |mismatch: super::super::splice::Mismatch| EditError::place(mismatch.to_string(), mismatch.to_string());
        self.revision.replace(inside, &instead).map_err(failed)?;
        Ok(Split { params, returns })
    }

    /// Byte at which the method's body begins, and the lines, which must be whole statements of it.
    fn piece(&self, text: &str, method: &Method, first: u32, last: u32) -> Result<(usize, String), EditError> {
        let refuse = |ru: &str, en: &str| {
            Err(EditError::place(format!("строки {first}–{last}: {ru}"), format!("lines {first}-{last}: {en}")))
        };
        let start = usize::try_from(method.bytes.0).unwrap_or(0);
        let Some(whole) = text.get(start..usize::try_from(method.bytes.1).unwrap_or(text.len())) else {
            return refuse("метод не читается", "the method can't be read");
        };
        let tokens: Vec<(HighlightKind, std::ops::Range<usize>)> = highlight(whole)
            .filter(|token| token.kind != HighlightKind::Comment)
            .map(|token| (token.kind, token.range.start + start..token.range.end + start))
            .collect();
        let Some(body) = body_of(text, &tokens) else {
            return refuse("метод не читается", "the method can't be read");
        };
        let range = super::lines(text, first, last);
        let in_body = body <= range.start && tokens.last().is_some_and(|(_, end)| range.end <= end.start);
        let part: Vec<&(HighlightKind, std::ops::Range<usize>)> =
            tokens.iter().filter(|(_, token)| token.start >= range.start && token.end <= range.end).collect();
        let cut = tokens.iter().any(|(_, token)| {
            token.start < range.start && token.end > range.start || token.start < range.end && token.end > range.end
        });
        if !in_body || part.is_empty() || cut {
            return refuse("это не часть тела метода", "these are no lines of the method's body");
        }
        let word = |range: &std::ops::Range<usize>| bsl::fold(&text[range.clone()]);
        let previous = tokens.iter().rev().find(|(_, token)| token.end <= range.start);
        let begins = previous.is_none_or(|(_, token)| {
            token.end <= body || text[token.clone()] == *";" || BEGINS.contains(&word(token).as_str())
        });
        let ends = part.last().is_some_and(|(_, token)| text[token.clone()] == *";");
        if !begins || !ends {
            return refuse("начало или конец посреди оператора", "they begin or end in the middle of a statement");
        }
        let (mut depth, mut loops) = (0_i32, 0_i32);
        for (kind, token) in part {
            if *kind == HighlightKind::Preprocessor {
                return refuse("в них инструкция препроцессора", "they hold an instruction of the preprocessor");
            }
            if *kind != HighlightKind::Keyword {
                continue;
            }
            let word = word(token);
            let word = word.as_str();
            depth += i32::from(OPENS.contains(&word)) - i32::from(CLOSES.contains(&word));
            loops += i32::from(LOOPS.contains(&word)) - i32::from(ENDS_OF_LOOPS.contains(&word));
            if depth < 0 || depth == 0 && PARTS.contains(&word) {
                return refuse("они режут блок", "they cut a block");
            }
            if STAYS.contains(&word) || LEAVES.contains(&word) && loops == 0 {
                return refuse(
                    &format!("«{}» не переносится в другой метод", &text[token.clone()]),
                    &format!("“{}” can't move to another method", &text[token.clone()]),
                );
            }
        }
        if depth != 0 {
            return refuse("они режут блок", "they cut a block");
        }
        if method
            .code
            .statements
            .iter()
            .any(|one| matches!(one.kind, StatementKind::Execute(_)) && first <= one.line && one.line <= last)
        {
            return refuse("код в тексте видит переменные метода", "code in a text sees the method's variables");
        }
        Ok((body, text[range].to_owned()))
    }

    /// The variables and parameters of a method, each with the bytes at which it stands.
    fn uses(&self, text: &str, method: &Method, range: std::ops::Range<usize>) -> Vec<(String, Vec<usize>)> {
        self.locals(method)
            .into_iter()
            .filter(|name| !self.facts.variables.iter().any(|outer| same_name(self.facts.text(outer.name), name)))
            .map(|name| {
                let places = super::tokens::mentions(text, name)
                    .into_iter()
                    .filter(|one| one.kind == MentionKind::Word && one.qualifier.is_none())
                    .filter(|one| range.contains(&one.range.start) && is_value(text, &one.range))
                    .map(|one| one.range.start)
                    .collect();
                (name.to_owned(), places)
            })
            .collect()
    }
}

/// Where the body of a method begins: behind the parentheses of its parameters and `Экспорт`.
fn body_of(text: &str, tokens: &[(HighlightKind, std::ops::Range<usize>)]) -> Option<usize> {
    let header = |word: &str| ["процедура", "procedure", "функция", "function"].contains(&bsl::fold(word).as_str());
    let from =
        tokens.iter().position(|(kind, token)| *kind == HighlightKind::Keyword && header(&text[token.clone()]))?;
    let mut depth = 0_i32;
    let mut closing = None;
    for (place, (_, token)) in tokens.iter().enumerate().skip(from) {
        match &text[token.clone()] {
            "(" => depth += 1,
            ")" if depth == 1 => {
                closing = Some(place);
                break;
            }
            ")" => depth -= 1,
            _ => {}
        }
    }
    let closing = closing?;
    let export = tokens
        .get(closing + 1)
        .filter(|(_, token)| ["экспорт", "export"].contains(&bsl::fold(&text[token.clone()]).as_str()));
    export.or(tokens.get(closing)).map(|(_, token)| token.end)
}

/// Lines with one tab of indentation instead of theirs. Lines of a literal that go on stay as they are.
fn shifted(code: &str, indent: &str) -> String {
    let mut literal = vec![false];
    for token in highlight(code) {
        let lines = code[..token.range.start].matches('\n').count();
        let more = code[token.range.clone()].matches('\n').count();
        if token.kind == HighlightKind::String && more > 0 {
            literal.resize(literal.len().max(lines + more + 1), false);
            literal.iter_mut().skip(lines + 1).take(more).for_each(|line| *line = true);
        }
    }
    let lines = code.split_inclusive('\n').enumerate().map(|(number, line)| {
        let goes_on = literal.get(number).copied().unwrap_or(false);
        match line.strip_prefix(indent) {
            Some(rest) if !goes_on && !rest.trim().is_empty() => format!("\t{rest}"),
            _ => line.to_owned(),
        }
    });
    lines.collect()
}
