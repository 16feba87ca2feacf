//! Level 4, advisory: nothing is summed up that a join with a tabular section repeats.

use bsl::query::{BinaryOp, Branch, ExprId, ExprKind, FieldUse, Query, QueryFacts, Span, TableKind, TableUse};
use bsl::same_name;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::{SetQuery, Subject};

pub(super) const CHECK: Check = Check {
    title: ("Итог не умножается соединением с табличной частью", "No total is multiplied by a join with a tabular section"),
    source: "The query language: an object joined with its tabular section by the reference alone gives a row for each line, so that a \
        sum over fields of the object (or of another section of it) counts them once a line",
    examples: Examples {
        valid: &[
            // Of the section itself; without repetition; the largest; one line alone.
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ СУММА(С.Сумма) КАК А, КОЛИЧЕСТВО(РАЗЛИЧНЫЕ Т.Ссылка) КАК Б, МАКСИМУМ(Т.Сумма) КАК В ИЗ Документ.Счет КАК Т ЛЕВОЕ СОЕДИНЕНИЕ Документ.Счет.Строки КАК С ПО Т.Ссылка = С.Ссылка</query></dataSet>",
            "<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ СУММА(Т.Сумма) КАК А ИЗ Документ.Счет КАК Т ЛЕВОЕ СОЕДИНЕНИЕ Документ.Счет.Строки КАК С ПО Т.Ссылка = С.Ссылка И С.НомерСтроки = 1</query></dataSet>",
        ],
        invalid: &[
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ С.Товар КАК Т, СУММА(Т.Сумма) КАК А ИЗ Документ.Счет КАК Т ЛЕВОЕ СОЕДИНЕНИЕ Документ.Счет.Строки КАК С ПО Т.Ссылка = С.Ссылка СГРУППИРОВАТЬ ПО С.Товар</query></dataSet>", "СУММА(Т.Сумма)"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ СУММА(К.Процент) КАК А ИЗ Документ.Счет.Строки КАК С ВНУТРЕННЕЕ СОЕДИНЕНИЕ Документ.Счет.Скидки КАК К ПО (К.Ссылка = С.Ссылка)</query></dataSet>", "СУММА(К.Процент)"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ С.Товар КАК Товар, Т.Сумма КАК Сумма ИЗ Документ.Счет КАК Т ЛЕВОЕ СОЕДИНЕНИЕ Документ.Счет.Строки КАК С ПО Т.Ссылка = С.Ссылка ИТОГИ СУММА(Сумма) ПО Товар</query></dataSet>", "СУММА(Сумма)"),
            ("<dataSet xsi:type=\"DataSetQuery\"><name>Н</name><dataSource>И</dataSource><query>ВЫБРАТЬ С.Товар КАК Товар, Т.Сумма КАК Итого ИЗ Документ.Счет КАК Т ЛЕВОЕ СОЕДИНЕНИЕ Документ.Счет.Строки КАК С ПО Т.Ссылка = С.Ссылка</query></dataSet><totalField><dataPath>Итого</dataPath><expression>Сумма(Итого)</expression></totalField>", "Т.Сумма КАК Итого"),
        ],
    },
    run,
    ..Check::advisory(4, "dcs-query-rows-multiplied")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for query in subject.queries.iter().filter(|query| query.is_certain()) {
        for here in branches(query) {
            for id in (0..query.tree().exprs.len() as u32).map(ExprId) {
                here.look_at(id, findings);
            }
        }
    }
    for scope in &subject.scopes {
        for set in &scope.sets {
            let Some(query) = subject.query_of(*set).filter(|query| query.is_certain()) else { continue };
            let Some(here) = branches(query).into_iter().find(|here| query.result() == Some(here.select)) else { continue };
            // A field may bear another name than its column.
            let fields: Vec<_> = set.fields().map(|field| (field.data_path().into_owned(), field.source().into_owned())).collect();
            for total in scope.schema.totals() {
                let path = total.data_path();
                let column = fields.iter().find(|(one, _)| same_name(one, &path)).map_or(&*path, |(_, column)| column);
                if sums_up(&total.expression(), &path) {
                    here.look_at_column(column, &total.expression(), findings);
                }
            }
        }
    }
}

/// The branches of a query that repeat rows of their tables.
fn branches<'q, 's>(query: &'q SetQuery<'s>) -> Vec<Here<'q, 's>> {
    let (tree, facts) = (query.tree(), query.facts());
    let mut found = Vec::new();
    for (number, select) in tree.selects.iter().enumerate() {
        for (place, branch) in select.branches.iter().enumerate() {
            let known = facts.selects.get(number).and_then(|select| select.branches.get(place));
            let Some(known) = known.filter(|known| known.tables.len() > 1) else { continue };
            let repeated = repeated(tree, facts, branch, &known.tables);
            if !repeated.is_empty() {
                found.push(Here { query, select: number as u32, branch: place as u32, repeated });
            }
        }
    }
    found
}

/// Functions that count a repeated row again.
const SUMS: &[&str] = &["СУММА", "SUM", "КОЛИЧЕСТВО", "COUNT"];

/// Whether an expression of a total is the plain sum of a field: `Сумма(СуммаДокумента)`.
fn sums_up(expression: &str, path: &str) -> bool {
    let Some((function, rest)) = expression.trim().split_once('(') else { return false };
    let is_sum = SUMS.iter().any(|one| same_name(one, function.trim()));
    is_sum && rest.strip_suffix(')').is_some_and(|argument| same_name(argument.trim(), path))
}

/// A table whose rows are repeated, and the section that repeats them.
type Repeated = (u32, u32);

/// The tables of a branch whose rows a section repeats: its object's, or another section of it, joined by the reference alone.
fn repeated(tree: &Query<'_>, facts: &QueryFacts, branch: &Branch<'_>, tables: &[u32]) -> Vec<Repeated> {
    let table = |number: u32| facts.tables.get(number as usize);
    let mut found = Vec::new();
    for condition in branch.sources.iter().filter(|source| !source.optional).filter_map(|source| source.join?.condition) {
        let Some((ExprKind::Binary(BinaryOp::Eq, left, right), _)) = plain(tree, condition) else { continue };
        let ends = [left, right].map(|end| end_of(tree, facts, end).filter(|number| tables.contains(number)));
        let [Some(left), Some(right)] = ends else { continue };
        let (Some(one), Some(other)) = (table(left), table(right)) else { continue };
        if left == right || owner(one).is_none() || owner(one) != owner(other) {
            continue;
        }
        let is_section = |table: &TableUse| table.kind == TableKind::TabularSection;
        found.extend(is_section(one).then_some((right, left)));
        found.extend(is_section(other).then_some((left, right)));
    }
    // Whoever names the number of a line means one line, or every line by itself.
    found.retain(|(_, section)| !facts.fields.iter().any(|field| is_line_number(field, *section)));
    // A third table joined by more could hold the rows apart: only what is plain is said.
    if tables.iter().any(|&number| table(number).is_none_or(|table| table.made_by.is_some())) {
        found.clear();
    }
    found
}

/// An expression without the parentheses around it.
fn plain<'t>(tree: &Query<'t>, id: ExprId) -> Option<(ExprKind<'t>, ExprId)> {
    let mut id = id;
    loop {
        match tree.expr(id)?.kind {
            ExprKind::Tuple(list) if tree.list(list).len() == 1 => id = *tree.list(list).first()?,
            kind => return Some((kind, id)),
        }
    }
}

/// The table whose reference a side of an equality is.
fn end_of(tree: &Query<'_>, facts: &QueryFacts, id: ExprId) -> Option<u32> {
    let (ExprKind::Field(_), id) = plain(tree, id)? else { return None };
    let span = tree.expr(id)?.span;
    let field = facts.fields.iter().find(|field| field.span == span)?;
    match &field.parts[field.table_parts as usize..] {
        [only] if same_name(only, "Ссылка") || same_name(only, "Ref") => field.table,
        _ => None,
    }
}

/// The object that a table, or the section that it is, belongs to.
fn owner(table: &TableUse) -> Option<&str> {
    match table.kind {
        TableKind::TabularSection => table.name.split_once(".TabularSection.").map(|(owner, _)| owner),
        TableKind::Physical => Some(&table.name),
        _ => None,
    }
}

fn is_line_number(field: &FieldUse, section: u32) -> bool {
    let is_it = |part: &str| same_name(part, "НомерСтроки") || same_name(part, "LineNumber");
    field.table == Some(section) && field.parts.get(field.table_parts as usize).is_some_and(|part| is_it(part))
}

/// A branch that repeats rows.
struct Here<'q, 's> {
    query: &'q SetQuery<'s>,
    select: u32,
    branch: u32,
    repeated: Vec<Repeated>,
}

impl Here<'_, '_> {
    /// Reports an expression if it sums up what is repeated.
    fn look_at(&self, id: ExprId, findings: &mut Findings<'_>) {
        let (tree, facts) = (self.query.tree(), self.query.facts());
        let Some(expr) = tree.expr(id) else { return };
        let ExprKind::Call { name, args, distinct: false, star: false } = expr.kind else { return };
        if !SUMS.iter().any(|one| same_name(one, name.text)) {
            return;
        }
        let [argument] = tree.list(args) else { return };
        let Some(span) = tree.expr(*argument).map(|argument| argument.span.range()) else { return };
        let inside = |field: &&FieldUse| span.start <= field.span.range().start && field.span.range().end <= span.end;
        let mut tables: Vec<u32> = Vec::new();
        for field in facts.fields.iter().filter(inside) {
            match self.tables_of(field) {
                Some(more) => tables.extend(more),
                None => return,
            }
        }
        self.report(tables, expr.span, expr.span.of(self.query.text), findings);
    }

    /// Reports a column of the result that a total of the schema sums up.
    fn look_at_column(&self, name: &str, total: &str, findings: &mut Findings<'_>) {
        let facts = self.query.facts();
        let Some([only]) = facts.selects.get(self.select as usize).map(|select| &select.branches[..]) else { return };
        let Some(column) = only.columns.iter().find(|column| same_name(&column.name, name)) else { return };
        // A column that is an aggregate itself is looked at as an expression.
        let is_call = |id: ExprId| {
            let expr = self.query.tree().expr(id);
            expr.is_some_and(|expr| {
                let inside = column.span.start <= expr.span.start && expr.span.end <= column.span.end;
                inside && matches!(expr.kind, ExprKind::Call { .. })
            })
        };
        if (0..self.query.tree().exprs.len() as u32).map(ExprId).any(is_call) {
            return;
        }
        let fields = facts.fields.get(column.fields.range()).unwrap_or(&[]);
        let tables: Option<Vec<Vec<u32>>> = fields.iter().map(|field| self.tables_of(field)).collect();
        if let Some(tables) = tables {
            self.report(tables.concat(), column.span, total, findings);
        }
    }

    /// Reports what is summed up, if all of it comes of one table whose rows are repeated.
    fn report(&self, mut tables: Vec<u32>, span: Span, written: &str, findings: &mut Findings<'_>) {
        let facts = self.query.facts();
        tables.sort_unstable();
        tables.dedup();
        let [only] = tables[..] else { return };
        let Some((_, section)) = self.repeated.iter().find(|(table, _)| *table == only) else { return };
        let alias = |number: u32| facts.tables.get(number as usize).map_or("", |table| &*table.alias);
        let (table, section) = (alias(only), alias(*section));
        findings.in_text(
            self.query.element,
            span.range(),
            Text::new(
                format!("«{written}»: соединение с табличной частью «{section}» повторяет строки «{table}», итог умножается"),
                format!("“{written}”: the join with the tabular section “{section}” repeats the rows of “{table}”, the total is multiplied"),
            ),
            Text::new(
                format!("Сверните «{section}» во вложенном запросе до соединения, или берите итог без этого соединения"),
                format!("Group “{section}” in a nested query before it is joined, or take the total without this join"),
            ),
        );
    }

    /// The tables of the branch that a field is of; in totals, those of the column that it names. None: of another branch, or not known.
    fn tables_of(&self, field: &FieldUse) -> Option<Vec<u32>> {
        let facts = self.query.facts();
        match (field.table, field.column) {
            (Some(table), None) if (field.select, field.branch) == (self.select, self.branch) => Some(vec![table]),
            // A column of the result itself; with a union, other branches count, too.
            (None, Some((select, column))) if select == self.select => {
                let [only] = &facts.selects.get(select as usize)?.branches[..] else { return None };
                let column = only.columns.get(column as usize)?;
                let fields = facts.fields.get(column.fields.range())?;
                fields.iter().map(|field| field.table.filter(|_| field.column.is_none())).collect()
            }
            _ => None,
        }
    }
}
