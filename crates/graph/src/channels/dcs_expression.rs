//! `dcs_expression`: a report schema -> the methods of common modules that its expressions call.
//!
//! `ЦеныИСкидки.Скидка(Товар)` in an expression of a calculated field, a total, a parameter, a template: exported methods only.
//! Names in string literals are no calls.

use super::{MetadataContext, Rule};
use crate::edge::{Channel, Edges};

/// The channel.
pub const CHANNEL: Channel = Channel("dcs_expression");

/// The rule.
pub(super) struct DcsExpression;

impl Rule for DcsExpression {
    fn channel(&self) -> Channel {
        CHANNEL
    }

    fn metadata(&self, cx: &MetadataContext<'_>, out: &mut Edges) {
        for template in &cx.configuration.templates {
            let Some(source) = cx.node(&template.full_name) else { continue };
            let file = template.content.unwrap_or(template.file).0;
            for expression in &template.expressions {
                for call in calls(&expression.text) {
                    let module = cx.world.ident(call.module).and_then(|name| cx.world.common_module(name));
                    let method = module.zip(cx.world.ident(call.method));
                    if let Some(target) = method.and_then(|(module, name)| cx.world.exported_method(module, name)) {
                        out.edges.push(cx.edge(CHANNEL, source, target, file, expression.line + call.line));
                    }
                }
            }
        }
    }
}

/// `module.method(` in an expression.
#[derive(Debug, PartialEq, Eq)]
struct Call<'a> {
    module: &'a str,
    method: &'a str,
    /// Lines of the expression before the method's name.
    line: u32,
}

fn calls(expression: &str) -> Vec<Call<'_>> {
    let mut found = Vec::new();
    let (mut words, mut line): (Vec<&str>, u32) = (Vec::new(), 0);
    let mut rest = expression;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if word > 0 {
            let (name, after) = rest.split_at(word);
            // A name without a dot before it begins anew.
            if words.last().is_some_and(|&last| last != ".") {
                words.clear();
            }
            words.push(name);
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or("");
        match c {
            '.' if matches!(words.last(), Some(&last) if last != ".") => words.push("."),
            '(' => {
                if let &[module, ".", method] = words.as_slice() {
                    found.push(Call { module, method, line });
                }
                words.clear();
            }
            '"' => {
                let end = rest.find('"').map_or(rest.len(), |end| end + 1);
                let (literal, after) = rest.split_at(end);
                line += literal.matches('\n').count() as u32;
                rest = after;
                words.clear();
            }
            c if c.is_whitespace() => line += u32::from(c == '\n'),
            _ => words.clear(),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Call, calls};
    use crate::channels::testing::*;

    #[test]
    fn calls_in_an_expression() {
        let one = |module, method, line| vec![Call { module, method, line }];
        assert_eq!(calls("Склад.Остаток(Товар)"), one("Склад", "Остаток", 0));
        assert_eq!(calls("Сумма(\n Склад . Остаток (Товар))"), one("Склад", "Остаток", 1));
        assert_eq!(calls("Выбор Когда А Тогда Склад.Остаток(Товар) Конец"), one("Склад", "Остаток", 0));
        assert_eq!(calls("\"Склад.Остаток(\" + Б.В(1)"), one("Б", "В", 0));
        for none in ["Товар.Вид.Имя(1)", "Сумма(Товар.Цена)", "Склад.Остаток", "", "\"", ".(", "а..б("]
        {
            assert_eq!(calls(none), [], "{none}");
        }
    }

    #[test]
    fn exported_methods_of_common_modules() {
        let demo = demo()
            .module("CommonModule.Склад", "Функция Остаток(Т) Экспорт\nКонецФункции\nФункция Тайная(Т)\nКонецФункции")
            .schema(
                "Report.Остатки.Template.Схема",
                &["склад.ОСТАТОК(Товар) + Склад.Тайная(1)", "Сумма(\nСклад.Остаток(Т))"],
            );
        assert_eq!(
            demo.edges("dcs_expression"),
            [
                "Report.Остатки.Template.Схема -> CommonModule.Склад.Остаток exact :30",
                "Report.Остатки.Template.Схема -> CommonModule.Склад.Остаток exact :32",
            ]
        );
    }
}
