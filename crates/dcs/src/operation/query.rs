//! Queries of sets of data: their columns, and edits that keep the rest of the text.

use std::ops::Range;

use bsl::query::{Branch, ColumnKind, ColumnValue, QueryFacts, Select, StatementKind, TextKind, parse, read};

use super::refusal::Refusal;
use super::target::{paths, same};

/// An edit of a text: bytes, and what stands there instead.
pub(super) type Cut = (Range<usize>, String);

/// A query, with its facts.
pub(super) struct Query<'t> {
    text: &'t str,
    tree: bsl::query::Query<'t>,
    facts: QueryFacts,
}

impl<'t> Query<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, tree: parse(text, TextKind::Query), facts: read(text, TextKind::Query) }
    }

    /// The number of the select that gives the result: the last one of the batch.
    fn result(&self) -> Option<usize> {
        self.tree.statements.iter().rev().find_map(|statement| match statement.kind {
            StatementKind::Select(id) => Some(id.0 as usize),
            _ => None,
        })
    }

    fn select(&self) -> Option<&Select<'t>> {
        self.tree.selects.get(self.result()?)
    }

    /// Columns of the result, by name.
    pub(super) fn columns(&self) -> Vec<String> {
        let branch = self.result().and_then(|at| self.facts.selects.get(at)).and_then(|select| select.branches.first());
        let columns = branch.map_or(&[][..], |branch| &branch.columns);
        columns.iter().filter(|column| !column.name.is_empty()).map(|column| column.name.to_string()).collect()
    }

    /// Whether there may be columns that the text doesn't name.
    pub(super) fn is_open(&self) -> bool {
        let branch = self.result().and_then(|at| self.facts.selects.get(at)).and_then(|select| select.branches.first());
        let is_star =
            |kind: ColumnKind| matches!(kind, ColumnKind::Star | ColumnKind::StarOf(_) | ColumnKind::Nested(_));
        self.facts.placeholders
            || !self.facts.problems.is_empty()
            || branch.is_none_or(|branch| branch.columns.iter().any(|column| is_star(column.kind)))
    }

    fn is_english(&self) -> bool {
        let first = self.text.trim_start().get(..6).unwrap_or("");
        first.eq_ignore_ascii_case("select")
    }

    fn as_word(&self) -> &'static str {
        if self.is_english() { "AS" } else { "КАК" }
    }

    fn readable(&self) -> Result<&Select<'t>, Refusal> {
        let unread = || {
            let line = self.facts.problems.first().map_or(1, |problem| problem.span.line);
            Refusal::new(
                format!("Запрос не разобран (строка {line} запроса): сначала исправьте его"),
                format!("The query can't be read (its line {line}): mend it first"),
            )
        };
        if !self.facts.problems.is_empty() || self.facts.placeholders {
            return Err(unread());
        }
        self.select().filter(|select| !select.branches.is_empty()).ok_or_else(unread)
    }

    /// Adds a column to every branch of the result: an expression for each, or one for all.
    pub(super) fn add_column(&self, expressions: &[String], alias: &str) -> Result<Vec<Cut>, Refusal> {
        let select = self.readable()?;
        if expressions.len() > 1 && expressions.len() != select.branches.len() {
            let (given, there) = (expressions.len(), select.branches.len());
            return Err(Refusal::new(
                format!("Выражений {given}, а ветвей объединения {there}: нужно одно на каждую (@ветви(…; …))"),
                format!("{given} expressions for {there} branches of the union: one each is wanted (@branches(…; …))"),
            ));
        }
        let mut cuts = Vec::new();
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(expression) = expressions.get(number).or_else(|| expressions.first()) else { continue };
            self.check_source(branch, number, expression)?;
            let Some(last) = branch.columns.last() else { return Err(no_columns(number)) };
            let end = last.span.range().end;
            let separator = self.separator(branch);
            let named = number == 0 || last.alias.is_some();
            let named = if named { format!(" {} {alias}", self.as_word()) } else { String::new() };
            cuts.push((end..end, format!("{separator}{expression}{named}")));
            if !branch.group_by.is_empty() && is_detail(expression) {
                if branch.grouping_sets {
                    return Err(Refusal::new(
                        "Запрос группирует по наборам: поле нужно добавить в них вручную",
                        "The query groups by sets: the field has to be added to them by hand",
                    ));
                }
                let last = branch.group_by.last().and_then(|&id| self.tree.expr(id)).map(|expr| expr.span.range());
                if let Some(last) = last {
                    cuts.push((last.end..last.end, format!("{separator}{expression}")));
                }
            }
        }
        Ok(cuts)
    }

    /// What stands between two columns.
    fn separator(&self, branch: &Branch<'_>) -> String {
        if let [.., before, last] = &branch.columns[..] {
            let between = self.text.get(before.span.range().end..last.span.range().start).unwrap_or("");
            if between.trim() == "," {
                return between.to_owned();
            }
        }
        let start = branch.select_list.range().start;
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let lead = &self.text[line..start];
        if line > 0 && lead.trim().is_empty() { format!(",\n{lead}") } else { ", ".to_owned() }
    }

    /// Refuses an expression that names a table which the branch hasn't.
    fn check_source(&self, branch: &Branch<'_>, number: usize, expression: &str) -> Result<(), Refusal> {
        let mut sources: Vec<String> = Vec::new();
        for source in &branch.sources {
            let name = match (&source.alias, source.table.clone()) {
                (Some(alias), _) => Some(alias.text.to_owned()),
                (None, bsl::query::Table::Named { name, .. }) => {
                    self.tree.path(name).last().map(|name| name.text.to_owned())
                }
                _ => None,
            };
            sources.extend(name);
        }
        for used in paths(expression) {
            let Some((first, _)) = used.path.split_once('.') else { continue };
            if !sources.iter().any(|source| same(source, first)) {
                let mut refusal = Refusal::unknown(
                    ("таблица запроса", "table of the query"),
                    first,
                    sources.iter().map(String::as_str),
                );
                refusal
                    .message
                    .ru
                    .push_str(&format!(" в ветви {} запроса; выражения для ветвей: @ветви(…; …)", number + 1));
                refusal
                    .message
                    .en
                    .push_str(&format!(" in branch {} of the query; one for each: @branches(…; …)", number + 1));
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Takes a column out of every branch of the result; what names it elsewhere in the query forbids it.
    pub(super) fn remove_column(&self, name: &str) -> Result<Vec<Cut>, Refusal> {
        let select = self.readable()?;
        let at = self.column(name)?;
        let mut cuts = Vec::new();
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(column) = branch.columns.get(at) else { return Err(no_columns(number)) };
            if branch.columns.len() == 1 {
                return Err(Refusal::new(
                    format!("«{name}» — единственная колонка запроса"),
                    format!("\"{name}\" is the query's only column"),
                ));
            }
            let range = column.span.range();
            let range = match at.checked_sub(1).and_then(|before| branch.columns.get(before)) {
                Some(before) => before.span.range().end..range.end,
                None => range.start..branch.columns[1].span.range().start,
            };
            cuts.push((range, String::new()));
        }
        if let Some(used) = self.uses_of_result(at).first() {
            let line = self.text[..used.start].matches('\n').count() + 1;
            return Err(Refusal::new(
                format!("Колонку «{name}» использует сам запрос (строка {line} запроса)"),
                format!("The query itself uses the column \"{name}\" (its line {line})"),
            ));
        }
        Ok(cuts)
    }

    fn column(&self, name: &str) -> Result<usize, Refusal> {
        let columns = self.columns();
        columns.iter().position(|column| same(column, name)).ok_or_else(|| {
            Refusal::unknown(("колонка запроса", "column of the query"), name, columns.iter().map(String::as_str))
        })
    }

    /// Where the query names a column of its own result: in the order, in totals, in braces.
    fn uses_of_result(&self, at: usize) -> Vec<Range<usize>> {
        let Some(result) = self.result() else { return Vec::new() };
        let mut found = Vec::new();
        let name = self.columns().get(at).cloned().unwrap_or_default();
        for used in &self.facts.fields {
            let is_own = used.select as usize == result
                && used.table.is_none()
                && match used.column {
                    Some((select, column)) => select as usize == result && column as usize == at,
                    None => false,
                };
            if is_own {
                let start = used.span.range().start;
                found.push(start..start + used.parts.first().map_or(0, |part| part.len()));
            }
        }
        // `{ВЫБРАТЬ …}` names columns by their aliases.
        for branch in self.select().map_or(&[][..], |select| &select.branches) {
            for brace in branch.braces.iter().filter(|brace| brace.kind == bsl::query::BraceKind::Select) {
                for (item, _) in &brace.items {
                    let Some(range) = self.tree.expr(*item).map(|expr| expr.span.range()) else { continue };
                    let text = self.text.get(range.clone()).unwrap_or("");
                    let first = text.split(['.', '*']).next().unwrap_or("").trim_end();
                    if same(first, &name) {
                        found.push(range.start..range.start + first.len());
                    }
                }
            }
        }
        found.sort_by_key(|range| range.start);
        found.dedup();
        found
    }

    /// Gives a column of the result another name.
    pub(super) fn rename_column(&self, old: &str, new: &str) -> Result<Vec<Cut>, Refusal> {
        let select = self.readable()?;
        let at = self.column(old)?;
        if self.columns().iter().any(|column| same(column, new)) && !same(old, new) {
            return Err(Refusal::exists(("колонка запроса", "column of the query"), new));
        }
        let mut cuts: Vec<Cut> = Vec::new();
        for (number, branch) in select.branches.iter().enumerate() {
            let Some(column) = branch.columns.get(at) else { return Err(no_columns(number)) };
            match &column.alias {
                // Branches behind the first one may call it as they like.
                Some(alias) if number == 0 || same(alias.text, old) => {
                    cuts.push((alias.span.range(), new.to_owned()));
                }
                Some(_) => {}
                None if number == 0 && matches!(column.value, ColumnValue::Expr(_)) => {
                    let end = column.span.range().end;
                    cuts.push((end..end, format!(" {} {new}", self.as_word())));
                }
                None => {}
            }
        }
        if cuts.is_empty() {
            return Err(Refusal::new(
                format!("Имя колонки «{old}» в запросе не задано явно"),
                format!("The query doesn't name the column \"{old}\" itself"),
            ));
        }
        cuts.extend(self.uses_of_result(at).into_iter().map(|range| (range, new.to_owned())));
        cuts.sort_by_key(|(range, _)| range.start);
        cuts.dedup();
        Ok(cuts)
    }

    /// Where a parameter is named: the name without `&`.
    pub(super) fn parameter_uses(&self, name: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for used in self.facts.parameters.iter().filter(|used| same(&used.name, name)) {
            let range = used.span.range();
            let text = self.text.get(range.clone()).unwrap_or("");
            let start = range.start + text.find('&').map_or(0, |at| at + 1);
            let start = start + (self.text[start..].len() - self.text[start..].trim_start().len());
            if self.text.get(start..start + used.name.len()).is_some_and(|text| same(text, name)) {
                found.push(start..start + used.name.len());
            }
        }
        found.sort_by_key(|range| range.start);
        found.dedup();
        found
    }

    /// Parameters that the query names.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &str> {
        self.facts.parameters.iter().map(|used| &*used.name)
    }

    /// Refuses a text that is no query.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.readable().map(|_| ())
    }
}

fn no_columns(number: usize) -> Refusal {
    Refusal::new(
        format!("В ветви {} запроса нет такой колонки", number + 1),
        format!("Branch {} of the query has no such column", number + 1),
    )
}

/// Functions that make one value of many.
const AGGREGATES: &[&str] =
    &["сумма", "sum", "количество", "count", "максимум", "max", "минимум", "min", "среднее", "avg"];

/// Whether an expression has to be grouped by: it names fields outside of aggregates.
fn is_detail(expression: &str) -> bool {
    let folded = expression.trim().to_lowercase();
    let is_aggregate =
        AGGREGATES.iter().any(|name| folded.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')));
    !is_aggregate && !paths(expression).is_empty()
}
