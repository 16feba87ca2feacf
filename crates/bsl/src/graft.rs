//! An expression that nobody wrote, read as if it stood in a method: what may `Заказ.Контрагент` be there?

use crate::StatementKind;
use crate::code::{Code, Expr, ExprId, Node};
use crate::facts::ModuleFacts;
use crate::read::read_module;
use crate::symbols::Symbol;

/// Longest expression that is read, in bytes.
const LONGEST: usize = 1 << 16;

impl ModuleFacts {
    /// Adds an expression to the code of a method, by the method's place; None: to the module's statements outside methods. No
    /// statement holds it, so nothing else of the method changes. Names and literals become symbols of the module.
    ///
    /// # Errors
    /// What keeps the text from being one expression, or that there is no such method.
    ///
    /// ```
    /// use metascope_bsl::{Expr, read_module};
    /// let mut facts = read_module("Процедура А(Б)\n\tВ = Б;\nКонецПроцедуры".as_bytes());
    /// let id = facts.add_expression(Some(0), "Б.Ссылка", 2).unwrap();
    /// assert!(matches!(facts.methods[0].code.expr(id), Expr::Member(_, name) if facts.text(name) == "Ссылка"));
    /// assert!(facts.add_expression(Some(0), "Б.", 2).is_err());
    /// ```
    pub fn add_expression(&mut self, method: Option<usize>, text: &str, line: u32) -> Result<ExprId, String> {
        if text.len() > LONGEST {
            return Err(format!("longer than {LONGEST} bytes"));
        }
        // A line of its own behind the text: a comment at its end hides nothing.
        let text = text.trim().trim_end_matches(';');
        let alone = read_module(format!("Функция А()\nВозврат\n{text}\n;КонецФункции").as_bytes());
        if let Some(problem) = alone.problems.first() {
            return Err(problem.message.clone());
        }
        let code = match alone.methods.as_slice() {
            [only] if alone.body.statements.is_empty() => &only.code,
            _ => return Err("not one expression".to_owned()),
        };
        let [crate::Statement { kind: StatementKind::Return(Some(value)), .. }] = code.statements.as_slice() else {
            return Err("not one expression".to_owned());
        };
        if code.nodes.iter().any(|node| node.expr == Expr::Error) {
            return Err("an operand is missing".to_owned());
        }
        let mut symbols = Vec::with_capacity(alone.symbols.len());
        for (_, text) in alone.symbols.iter() {
            symbols.push(self.symbols.add(text));
        }
        let home = match method {
            Some(place) => self.methods.get_mut(place).map(|method| &mut method.code).ok_or("no such method")?,
            None => &mut self.body,
        };
        Ok(append(home, code, *value, line, &symbols))
    }
}

/// Puts the nodes of one arena behind those of another.
fn append(home: &mut Code, from: &Code, value: ExprId, line: u32, symbols: &[Symbol]) -> ExprId {
    let (nodes, args) = (home.nodes.len() as u32, home.args.len() as u32);
    let id = |id: ExprId| ExprId(id.0 + nodes);
    let symbol = |symbol: Symbol| symbols.get(symbol.0 as usize).copied().unwrap_or(symbol);
    let moved = |expr: Expr| match expr {
        Expr::Omitted | Expr::Bool(_) | Expr::Undefined | Expr::Null | Expr::Error => expr,
        Expr::Name(name) => Expr::Name(symbol(name)),
        Expr::String(text) => Expr::String(symbol(text)),
        Expr::Number(text) => Expr::Number(symbol(text)),
        Expr::Member(base, name) => Expr::Member(id(base), symbol(name)),
        Expr::Index(base, index) => Expr::Index(id(base), id(index)),
        Expr::Call { callee, first, count } => Expr::Call { callee: id(callee), first: first + args, count },
        Expr::New { type_name, first, count } => {
            Expr::New { type_name: type_name.map(symbol), first: first + args, count }
        }
        Expr::Ternary(condition, yes, no) => Expr::Ternary(id(condition), id(yes), id(no)),
        Expr::Binary(op, left, right) => Expr::Binary(op, id(left), id(right)),
        Expr::Unary(op, value) => Expr::Unary(op, id(value)),
    };
    home.nodes.extend(from.nodes.iter().map(|node| Node { line, expr: moved(node.expr) }));
    home.args.extend(from.args.iter().map(|arg| id(*arg)));
    id(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression as it reads back from the arena.
    fn shown(facts: &ModuleFacts, code: &Code, id: ExprId) -> String {
        let show = |id| shown(facts, code, id);
        match code.expr(id) {
            Expr::Name(name) => facts.text(name).to_owned(),
            Expr::String(text) => format!("\"{}\"", facts.text(text)),
            Expr::Number(text) => facts.text(text).to_owned(),
            Expr::Member(base, name) => format!("{}.{}", show(base), facts.text(name)),
            Expr::Call { callee, first, count } => {
                let args: Vec<String> = code.arguments(first, count).iter().map(|arg| show(*arg)).collect();
                format!("{}({})", show(callee), args.join(", "))
            }
            Expr::Binary(_, left, right) => format!("{} op {}", show(left), show(right)),
            other => format!("{other:?}"),
        }
    }

    const MODULE: &str = "Процедура А(Б)\n\tВ(1, Б);\nКонецПроцедуры\nФункция Г()\n\tВозврат 2;\nКонецФункции\nД = 3;";

    #[test]
    fn an_expression_reads_in_every_code_and_leaves_the_rest_alone() {
        let before = read_module(MODULE.as_bytes());
        for method in [Some(0), Some(1), None] {
            for text in ["Б.Найти(\"х\", 5).Ссылка", "Новое + 1", "В(1, Б) // так"] {
                let mut facts = before.clone();
                let id = facts.add_expression(method, text, 2).unwrap();
                let code = method.map_or(&facts.body, |place| &facts.methods[place].code);
                let wanted = text.split(" //").next().unwrap().replace('+', "op");
                assert_eq!(shown(&facts, code, id), wanted);
                let (new, old): (Vec<_>, Vec<_>) = (facts.codes().collect(), before.codes().collect());
                for ((_, new), (_, old)) in new.iter().zip(&old) {
                    assert_eq!(new.statements, old.statements);
                    assert_eq!(new.nodes[..old.nodes.len()], old.nodes);
                }
                for (symbol, text) in before.symbols.iter() {
                    assert_eq!(facts.text(symbol), text);
                }
            }
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let mut facts = read_module(MODULE.as_bytes());
        let before = facts.clone();
        for text in ["", "Б.", "Б; В", "Если Б Тогда", "1 +", "Б\nКонецФункции\nФункция Е()", "(((", "А = ; 5"]
        {
            assert!(facts.add_expression(Some(0), text, 1).is_err(), "{text}");
        }
        assert!(facts.add_expression(Some(7), "Б", 1).is_err());
        assert_eq!(facts.methods, before.methods);
    }
}
