//! A variable or parameter gets another name within its method.

use std::ops::Range;

use bsl::{Method, StatementKind, same_name};

use super::super::EditError;
use super::Place;
use super::tokens::{Mention, MentionKind, mentions};

impl Place {
    /// Renames a variable or parameter of the method that was named; tells how many places were changed.
    ///
    /// `fields` are names that mean something of the object or form where nothing else bears them.
    pub(crate) fn rename_local(&mut self, old: &str, new: &str, fields: &[String]) -> Result<usize, EditError> {
        let Some(method) = self.method() else {
            return Err(EditError::place(
                "переменная переименовывается в методе: назовите метод",
                "a variable is renamed within a method: name the method",
            ));
        };
        let locals = self.locals(method);
        let declared = method.params.iter().any(|param| same_name(self.facts.text(param.name), old))
            || method
                .code
                .statements
                .iter()
                .any(|one| matches!(one.kind, StatementKind::Var(name) if same_name(self.facts.text(name), old)));
        let is_local = locals.iter().any(|local| same_name(local, old));
        let is_outer = |name: &str| {
            self.facts.variables.iter().any(|variable| same_name(self.facts.text(variable.name), name))
                || fields.iter().any(|field| same_name(field, name))
        };
        if !is_local || !declared && is_outer(old) {
            return Err(EditError::Place {
                ru: format!("«{old}» не переменная и не параметр этого метода"),
                en: format!("“{old}” is no variable or parameter of this method"),
                near: bsl::nearest(old, locals.iter().copied(), 5).into_iter().map(str::to_owned).collect(),
            });
        }
        let text = self.revision.text();
        let inside =
            usize::try_from(method.bytes.0).unwrap_or(0)..usize::try_from(method.bytes.1).unwrap_or(text.len());
        let is_variable = |mention: &Mention| {
            mention.kind == MentionKind::Word
                && mention.qualifier.is_none()
                && inside.contains(&mention.range.start)
                && is_value(text, &mention.range)
        };
        let taken = mentions(text, new).iter().any(&is_variable);
        if !same_name(old, new) && (taken || is_outer(new)) {
            return Err(EditError::place(
                format!("имя «{new}» в этом методе уже что-то значит"),
                format!("the name “{new}” means something in this method already"),
            ));
        }
        let all = mentions(text, old);
        // Code in a text sees the variables of the method that runs it.
        let runs_text = method.code.statements.iter().any(|one| matches!(one.kind, StatementKind::Execute(_)))
            || method.code.calls().any(|call| {
                call.receiver.is_none()
                    && ["Вычислить", "Eval"].iter().any(|name| same_name(name, self.facts.text(call.name)))
            });
        let in_texts: Vec<String> = all
            .iter()
            .filter(|one| runs_text && one.kind == MentionKind::String && inside.contains(&one.range.start))
            .map(|one| format!("{}:{}", self.path, one.line))
            .collect();
        if !in_texts.is_empty() {
            return Err(EditError::Unsure { what: old.to_owned(), places: in_texts });
        }
        let doc = {
            let (first, _) = self.span(method);
            self.lines(first, first).start..inside.start
        };
        let describes = |mention: &Mention| {
            mention.kind == MentionKind::Comment
                && doc.contains(&mention.range.start)
                && is_described(text, &mention.range)
        };
        let mut places: Vec<Range<usize>> =
            all.iter().filter(|one| is_variable(one) || describes(one)).map(|one| one.range.clone()).collect();
        places.sort_by_key(|range| range.start);
        for range in places.iter().rev() {
            let failed =
                |mismatch: super::super::splice::Mismatch| EditError::place(mismatch.to_string(), mismatch.to_string());
            self.revision.replace(range.clone(), new).map_err(failed)?;
        }
        Ok(places.len())
    }

    /// Parameters and variables of a method, each once.
    pub(crate) fn locals(&self, method: &Method) -> Vec<&str> {
        let params = method.params.iter().map(|param| param.name);
        let assigned = method.code.statements.iter().filter_map(|one| match one.kind {
            StatementKind::Var(name) | StatementKind::For(name, ..) | StatementKind::ForEach(name, _) => Some(name),
            StatementKind::Assign(target, _) => match method.code.expr(target) {
                bsl::Expr::Name(name) => Some(name),
                _ => None,
            },
            _ => None,
        });
        let mut names: Vec<&str> = Vec::new();
        for name in params.chain(assigned).map(|name| self.facts.text(name)) {
            if !names.iter().any(|known| same_name(known, name)) {
                names.push(name);
            }
        }
        names
    }
}

/// Whether a word of code is a value: no call, no type behind `Новый`, no label.
pub(super) fn is_value(text: &str, range: &Range<usize>) -> bool {
    let (before, after) = (text[..range.start].trim_end(), text[range.end..].trim_start());
    let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("");
    !after.starts_with('(') && !before.ends_with('~') && !["Новый", "New"].iter().any(|new| same_name(new, word))
}

/// Whether a comment describes a parameter there: `//  Имя - Тип`.
fn is_described(text: &str, range: &Range<usize>) -> bool {
    let line = text[..range.start].rsplit('\n').next().unwrap_or("");
    line.trim_start_matches(['/', ' ', '\t']).is_empty()
        && text[range.end..].trim_start_matches([' ', '\t']).starts_with(['-', '–', '—'])
}
