//! «Поле не входит в группу "Т.Цена"»: a query that groups shows a field that it neither groups by nor sums up.

use bsl::fold;
use bsl::query::{Clause, ExprId, ExprKind, Query, Run};

use crate::Text;
use crate::dcs::explain::Kind;
use crate::dcs::explain::ask::Ask;
use crate::dcs::explain::causes::{Causes, Said};

pub(super) const KIND: Kind =
    Kind { code: "not-in-group", title: ("Поле не входит в группу", "A field is in no group"), run };

/// Functions that make one value of many.
const AGGREGATES: &[&str] =
    &["сумма", "sum", "минимум", "min", "максимум", "max", "среднее", "avg", "количество", "count"];

fn run(ask: &Ask<'_, '_>, causes: &mut Causes<'_>) {
    for query in ask.queries() {
        let (tree, facts) = (query.tree(), query.facts());
        let spot = ask.spot(query.text);
        for field in &facts.fields {
            let written = field.parts.join(".");
            let is_meant = ask.name().is_empty() || fold(&written) == fold(ask.name());
            if !is_meant || !matches!(field.clause, Clause::Select | Clause::Having | Clause::Order) {
                continue;
            }
            let is_there = spot.is_some_and(|at| field.span.range().contains(&at));
            if ask.has_spot() && !is_there {
                continue;
            }
            let branch = tree.selects.get(field.select as usize).and_then(|one| one.branches.get(field.branch as usize));
            let Some(branch) = branch else { continue };
            let groups: Vec<String> =
                branch.group_by.iter().filter_map(|&id| tree.expr(id)).map(|expr| plain(expr.span.of(query.text))).collect();
            let sums = aggregates(tree);
            let in_branch = |range: &std::ops::Range<usize>| branch.span.range().contains(&range.start);
            let groups_at_all = !groups.is_empty() || sums.iter().any(in_branch);
            let inside = sums.iter().any(|range| range.contains(&(field.span.start as usize)));
            if inside || !groups_at_all || is_grouped(tree, branch, query.text, field.span.range(), &groups) {
                continue;
            }
            let list = if groups.is_empty() {
                Text::new("группировки нет, но есть агрегатные функции", "there is no grouping, but there are aggregate functions")
            } else {
                let names: Vec<&str> =
                    branch.group_by.iter().filter_map(|&id| tree.expr(id)).map(|expr| expr.span.of(query.text).trim()).collect();
                let names = names.join(", ");
                Text::new(format!("группируется по: {names}"), format!("it groups by: {names}"))
            };
            causes.in_text(query.element, field.span.range(), Said {
                sure: true,
                what: Text::new(format!("Поле «{written}» запроса с группировкой"), format!("The field “{written}” of a query that groups")),
                why: Text::new(
                    format!("Оно не входит в СГРУППИРОВАТЬ ПО и не стоит в агрегатной функции; {}", list.ru),
                    format!("It stands neither in GROUP BY nor in an aggregate function; {}", list.en),
                ),
                nearest: Vec::new(),
                mend: Text::new(
                    format!("Добавьте «{written}» в СГРУППИРОВАТЬ ПО или возьмите СУММА({written}), МАКСИМУМ({written})"),
                    format!("Add “{written}” to GROUP BY, or take SUM({written}), MAX({written})"),
                ),
            });
        }
    }
}

/// Bytes of all calls of aggregate functions.
fn aggregates(tree: &Query<'_>) -> Vec<std::ops::Range<usize>> {
    let is_sum = |kind: ExprKind<'_>| match kind {
        ExprKind::Call { name, .. } => AGGREGATES.contains(&fold(name.text).as_str()),
        _ => false,
    };
    tree.exprs.iter().filter(|expr| is_sum(expr.kind)).map(|expr| expr.span.range()).collect()
}

/// Whether the field, or an expression around it in the select list, is one that is grouped by.
fn is_grouped(
    tree: &Query<'_>,
    branch: &bsl::query::Branch<'_>,
    text: &str,
    field: std::ops::Range<usize>,
    groups: &[String],
) -> bool {
    let around = |expr: &&bsl::query::Expr<'_>| {
        let range = expr.span.range();
        range.start <= field.start && field.end <= range.end && branch.span.range().contains(&range.start)
    };
    if tree.exprs.iter().filter(around).any(|expr| groups.contains(&plain(expr.span.of(text)))) {
        return true;
    }
    // `СГРУППИРОВАТЬ ПО Т.Товар` lets `Т.Товар.Код` through.
    let of_group = |id: &ExprId| match tree.expr(*id).map(|expr| expr.kind) {
        Some(ExprKind::Field(path)) => begins(tree, path, text.get(field.clone()).unwrap_or("")),
        _ => false,
    };
    branch.group_by.iter().any(of_group)
}

fn begins(tree: &Query<'_>, path: Run, field: &str) -> bool {
    let path = tree.path(path).iter().map(|name| name.text).collect::<Vec<_>>().join(".");
    let (path, field) = (plain(&path), plain(field));
    // The table may be left out on either side.
    field.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// An expression without case and white space.
fn plain(text: &str) -> String {
    fold(&text.split_whitespace().collect::<String>())
}
