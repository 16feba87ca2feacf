//! Literals that code puts into a query's text: conditions that are appended or put in place of a parameter.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{BinaryOp, Code, Expr, ExprId, StatementKind};
use crate::facts::ModuleFacts;
use crate::queries::QueryText;
use crate::symbols::Symbol;

/// Most parts of one expression that are looked at.
const MOST: usize = 256;
/// Names of the text of a query.
const TEXT: [&str; 2] = ["текст", "text"];

/// Texts of one method that flow into each other: through variables, appended or put in place of something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryFamily {
    /// Queries among them: places in the list of the module's queries.
    pub queries: Vec<usize>,
    /// Literals among them that are no query.
    pub parts: Vec<QueryPart>,
}

/// A literal that is a part of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryPart {
    /// Its text.
    pub text: Symbol,
    /// 1-based line where it begins.
    pub line: u32,
}

/// The families of a module's queries. Order of statements and branches don't matter: what may be put into a text is.
pub fn query_families(facts: &ModuleFacts, queries: &[QueryText]) -> Vec<QueryFamily> {
    let mut found = Vec::new();
    let mut first = 0;
    while let Some(query) = queries.get(first) {
        let count = queries.iter().skip(first).take_while(|other| other.method == query.method).count();
        let code = match query.method {
            Some(method) => facts.methods.get(method).map(|method| &method.code),
            None => Some(&facts.body),
        };
        if let Some(code) = code {
            let own = queries.get(first..first + count).unwrap_or(&[]);
            Families::new(facts, code).read(own, first, &mut found);
        }
        first += count;
    }
    found
}

/// What texts flow through, in classes that are joined.
struct Families<'a> {
    facts: &'a ModuleFacts,
    code: &'a Code,
    /// By member: another member of its class, or itself.
    joined: Vec<usize>,
    variables: FxHashMap<String, usize>,
    /// Roots of expressions that are queries or literals.
    texts: FxHashMap<ExprId, usize>,
}

impl<'a> Families<'a> {
    fn new(facts: &'a ModuleFacts, code: &'a Code) -> Self {
        Self { facts, code, joined: Vec::new(), variables: FxHashMap::default(), texts: FxHashMap::default() }
    }

    fn member(&mut self) -> usize {
        self.joined.push(self.joined.len());
        self.joined.len() - 1
    }

    fn class(&self, member: usize) -> usize {
        let mut member = member;
        while let Some(&next) = self.joined.get(member).filter(|next| **next != member) {
            member = next;
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.class(a), self.class(b));
        // The smaller number is the class: chains stay short where members are made in order.
        let (low, high) = (a.min(b), a.max(b));
        if let Some(place) = self.joined.get_mut(high) {
            *place = low;
        }
    }

    fn read(mut self, queries: &[QueryText], first: usize, found: &mut Vec<QueryFamily>) {
        let code = self.code;
        for statement in &code.statements {
            match statement.kind {
                StatementKind::Assign(target, value) => {
                    let into = self.variable(target, value);
                    self.flow(value, into);
                }
                StatementKind::Return(Some(value)) | StatementKind::Call(value) => self.flow(value, None),
                _ => {}
            }
        }
        let mut families: FxHashMap<usize, QueryFamily> = FxHashMap::default();
        let mut within: FxHashSet<ExprId> = FxHashSet::default();
        for (place, query) in (first..).zip(queries) {
            let operands = operands(code, query.expr);
            if let Some(&member) = operands.iter().find_map(|expr| self.texts.get(expr)) {
                families.entry(self.class(member)).or_default().queries.push(place);
            }
            within.extend(operands);
        }
        let mut texts: Vec<(ExprId, usize)> = self.texts.iter().map(|(expr, member)| (*expr, *member)).collect();
        texts.sort_unstable_by_key(|(expr, _)| expr.0);
        for (expr, member) in texts {
            let Some(text) = code.string(expr).filter(|_| !within.contains(&expr)) else { continue };
            if !self.facts.text(text).contains('.') {
                continue;
            }
            if let Some(family) = families.get_mut(&self.class(member)) {
                family.parts.push(QueryPart { text, line: code.line(expr) });
            }
        }
        let mut classes: Vec<_> = families.into_iter().collect();
        classes.sort_unstable_by_key(|(class, _)| *class);
        let whole = classes.into_iter().map(|(_, family)| family);
        found.extend(whole.filter(|family| !family.parts.is_empty() || family.queries.len() > 1));
    }

    /// The variable that an assignment sets: a name, the text of a query.
    fn variable(&mut self, target: ExprId, value: ExprId) -> Option<usize> {
        // `Запрос = Новый Запрос(…)` sets the query's text.
        let made = matches!(self.code.expr(value), Expr::New { .. });
        match self.code.expr(target) {
            Expr::Name(name) if made => Some(self.named(name, Some(TEXT[0]))),
            _ => self.holder(target),
        }
    }

    fn holder(&mut self, expr: ExprId) -> Option<usize> {
        match self.code.expr(expr) {
            Expr::Name(name) => Some(self.named(name, None)),
            Expr::Member(base, property) => match self.code.expr(base) {
                Expr::Name(name) => {
                    let property = crate::fold(self.facts.text(property));
                    let property = if TEXT.contains(&&*property) { TEXT[0] } else { &property };
                    Some(self.named(name, Some(property)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn named(&mut self, name: Symbol, property: Option<&str>) -> usize {
        let mut key = crate::fold(self.facts.text(name));
        if let Some(property) = property {
            key.push('.');
            key.push_str(property);
        }
        if let Some(known) = self.variables.get(&key) {
            return *known;
        }
        let member = self.member();
        self.variables.insert(key, member);
        member
    }

    /// Joins the texts and variables that an expression is made of with each other, and with what it is put into.
    fn flow(&mut self, value: ExprId, into: Option<usize>) {
        let code = self.code;
        let mut class = into;
        let mut ahead = vec![value];
        for _ in 0..MOST {
            let Some(expr) = ahead.pop() else { return };
            let member = match code.expr(expr) {
                Expr::String(_) => Some(self.text(expr)),
                Expr::Name(_) | Expr::Member(..) => self.holder(expr),
                Expr::Binary(BinaryOp::Add, left, right) => {
                    ahead.extend([right, left]);
                    None
                }
                Expr::Ternary(_, yes, no) => {
                    ahead.extend([no, yes]);
                    None
                }
                Expr::New { first, count, .. } => {
                    ahead.extend(code.arguments(first, count));
                    None
                }
                Expr::Call { callee, first, count } => {
                    ahead.extend(code.arguments(first, count));
                    // `Условия.Добавить("…")`: a list that is joined later on.
                    match code.expr(callee) {
                        Expr::Member(base, _) if matches!(code.expr(base), Expr::Name(_)) && into.is_none() => {
                            self.holder(base)
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            if let Some(member) = member {
                match class {
                    Some(class) => self.join(class, member),
                    None => class = Some(member),
                }
            }
        }
    }

    fn text(&mut self, expr: ExprId) -> usize {
        if let Some(known) = self.texts.get(&expr) {
            return *known;
        }
        let member = self.member();
        self.texts.insert(expr, member);
        member
    }
}

/// The operands of a query's expression.
fn operands(code: &Code, root: ExprId) -> Vec<ExprId> {
    let (mut found, mut ahead) = (Vec::new(), vec![root]);
    while let Some(expr) = ahead.pop() {
        match code.expr(expr) {
            Expr::Binary(BinaryOp::Add, left, right) => ahead.extend([right, left]),
            _ => found.push(expr),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Families of a procedure: how many queries, and the parts.
    fn families(body: &str) -> Vec<(usize, Vec<String>)> {
        let facts = crate::read_module(format!("Процедура П()\n{body}\nКонецПроцедуры").as_bytes());
        let found = query_families(&facts, &crate::query_texts(&facts));
        let parts = |family: QueryFamily| {
            let texts = family.parts.iter().map(|part| facts.text(part.text).to_owned()).collect();
            (family.queries.len(), texts)
        };
        found.into_iter().map(parts).collect()
    }

    #[test]
    fn conditions_are_appended_or_put_in() {
        let query = "\"ВЫБРАТЬ Т.А\n|ИЗ Справочник.Х КАК Т\n|ГДЕ &Условие\"";
        let put = format!(
            "Ш = {query};\nУ = \"Т.Б = 1\";\nЗапрос = Новый Запрос;\nЗапрос.Текст = СтрЗаменить(Ш, \"&Условие\", У);"
        );
        assert_eq!(families(&put), [(1, vec!["Т.Б = 1".to_owned()])]);
        let added =
            format!("Запрос = Новый Запрос({query});\nЗапрос.Текст = Запрос.Текст + \" И Т.Б = 1\";\nД = \"Т.В\";");
        assert_eq!(families(&added), [(1, vec![" И Т.Б = 1".to_owned()])]);
        let listed = format!("У = Новый Массив;\nУ.Добавить(\"Т.Б = 1\");\nТ = {query} + СтрСоединить(У, \" И \");");
        assert_eq!(families(&listed), [(1, vec!["Т.Б = 1".to_owned()])]);
        assert_eq!(families(&format!("Запрос = Новый Запрос({query});\nА = \"Т.Б\";")), []);
    }

    #[test]
    fn queries_that_are_joined_are_one_family() {
        let body = "Т = \"ВЫБРАТЬ Т.А\n|ПОМЕСТИТЬ В ИЗ Справочник.Х КАК Т;\";\nЕсли А Тогда\n
            Т = Т + \"ВЫБРАТЬ В.А ИЗ В\n|\";\nИначе\nТ = Т + \"ВЫБРАТЬ В.Б ИЗ В\n|\";\nКонецЕсли;";
        assert_eq!(families(body), [(3, Vec::new())]);
    }
}
