//! Blocking: the text is read without an error.

use crate::Text;
use crate::code::check::{Check, Examples, on_server};
use crate::code::report::Findings;
use crate::code::subject::Subject;
use crate::code::words::said;

pub(super) const CHECK: Check = Check {
    title: ("Текст модуля читается без ошибок", "The module's text is read without an error"),
    source: "The grammar of the built-in language; no module of the genuine configurations has such a place",
    examples: Examples {
        valid: &[on_server("Процедура А(Б)\n\tЕсли Б Тогда\n\t\tВозврат;\n\tКонецЕсли;\nКонецПроцедуры")],
        invalid: &[
            (on_server("Процедура А(Б)\n\tБ = (1 + ;\nКонецПроцедуры"), ""),
            (on_server("Процедура А(Б)\n\tЕсли Б\n\t\tВозврат;\n\tКонецЕсли;\nКонецПроцедуры"), ""),
            (on_server("Процедура А()\n\tБ = \"не закрыта;\nКонецПроцедуры"), ""),
        ],
    },
    run,
    ..Check::blocking("code-syntax")
};

/// What the reader says in English, and in Russian.
const RUSSIAN: &[(&str, &str)] = &[
    ("the method's parameters are missing", "нет параметров метода"),
    ("the parameters cannot be read", "параметры не читаются"),
    ("#КонецОбласти without #Область", "#КонецОбласти без #Область"),
    ("#Иначе without #Если", "#Иначе без #Если"),
    ("#КонецЕсли without #Если", "#КонецЕсли без #Если"),
    ("#Если or #Область is not closed", "#Если или #Область не закрыта"),
    ("a line left by a merge conflict", "строка, оставшаяся от слияния"),
    ("#Удаление is not closed", "#Удаление не закрыто"),
    ("the closing quote is missing", "нет закрывающей кавычки"),
    ("the file is not UTF-8 from here on", "отсюда файл не в кодировке UTF-8"),
    ("the end of a method that did not begin", "конец метода, который не начинался"),
    ("a directive's name is missing", "нет имени директивы"),
    ("an unknown directive", "неизвестная директива"),
    ("the annotation names no method", "аннотация не называет метода"),
    ("the method has no end", "у метода нет конца"),
    ("a function ends as a procedure, or a procedure as a function", "функция закончена как процедура или наоборот"),
    ("a variable's name is missing", "нет имени переменной"),
    ("a directive before no method", "директива не перед методом"),
    ("the expression is nested too deeply", "выражение вложено слишком глубоко"),
    ("this cannot be read", "это не читается"),
    ("Тогда is missing", "нет слова «Тогда»"),
    ("Цикл is missing", "нет слова «Цикл»"),
    ("Из is missing", "нет слова «Из»"),
    ("По is missing", "нет слова «По»"),
    ("`=` is missing", "нет знака «=»"),
    ("`;` is missing", "нет точки с запятой"),
    ("a comma is missing between event and handler", "нет запятой между событием и обработчиком"),
    ("a colon is missing after the label", "нет двоеточия после метки"),
    ("a label's name is missing", "нет имени метки"),
    ("a statement is expected", "здесь должен стоять оператор"),
    ("a loop variable is missing", "нет переменной цикла"),
    ("a member's name is missing after the dot", "нет имени после точки"),
    ("an index is missing", "нет индекса"),
    ("an expression is missing in the parentheses", "нет выражения в скобках"),
    ("an expression is missing", "нет выражения"),
    ("a type's name is missing after Новый", "нет имени типа после «Новый»"),
    ("an argument cannot be read", "параметр не читается"),
    ("a comma is missing between arguments", "нет запятой между параметрами"),
    ("a call or an assignment is expected", "здесь должен стоять вызов или присваивание"),
];

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for problem in &subject.facts.problems {
        let en = &*problem.message;
        let ru = RUSSIAN.iter().find(|(known, _)| *known == en).map_or(en, |(_, ru)| ru);
        let what = Text::new(format!("Текст не читается: {ru}"), format!("The text can't be read: {en}"));
        let mend = Text::new("Исправьте текст в этом месте", "Correct the text at this place");
        findings.at(problem.line, problem.column, said(String::new(), what, mend));
    }
}
