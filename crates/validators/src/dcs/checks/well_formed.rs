//! Level 1, blocking: well-formed XML in UTF-8.

use dcs::xml::XmlProblemKind;

use crate::Text;
use crate::dcs::check::{Check, Examples};
use crate::dcs::report::Findings;
use crate::dcs::subject::Subject;

pub(super) const CHECK: Check = Check {
    title: ("Файл — правильный XML", "The file is well-formed XML"),
    source: "XML 1.0 and Namespaces in XML: no reader of XML goes beyond such a place",
    examples: Examples {
        valid: &["<dataSource><name>А &amp; Б</name><dataSourceType>Local</dataSourceType></dataSource>"],
        invalid: &[
            ("<dataSource><name>А</dataSource>", "<name"),
            ("<dataSource><name>А & Б</name></dataSource>", "&"),
            ("<dataSource><q:name>А</q:name></dataSource>", "q:name"),
            ("<dataSource a=\"1\" a=\"2\"/>", "a"),
            ("<dataSource/></dataSource>", "</dataSource>"),
        ],
    },
    run,
    ..Check::blocking(1, "dcs-well-formed")
};

fn run(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for problem in subject.document.problems() {
        if !findings.wants_more() {
            return;
        }
        let range = problem.start as usize..problem.end as usize;
        let ((ru, en), (mend_ru, mend_en)) = words(problem.kind);
        let element = subject.document.element_at(range.start);
        findings.at(element, range, Text::new(ru, en), Text::new(mend_ru, mend_en));
    }
}

type Pair = (&'static str, &'static str);

/// What is wrong, and how to mend it.
fn words(kind: XmlProblemKind) -> (Pair, Pair) {
    use XmlProblemKind::*;
    match kind {
        NotUtf8 => (
            ("Байты, которые не являются UTF-8", "Bytes that are no UTF-8"),
            ("Сохраните файл в кодировке UTF-8", "Save the file as UTF-8"),
        ),
        Encoding => (
            ("В объявлении XML указана не UTF-8", "The XML declaration names another encoding than UTF-8"),
            ("Сохраните файл в UTF-8 и укажите encoding=\"UTF-8\"", "Save the file as UTF-8 and write encoding=\"UTF-8\""),
        ),
        TooLong => (("Файл больше 4 ГБ", "The file is larger than 4 GB"), ("Это не схема отчёта", "This is no report schema")),
        Unclosed => (
            ("Элемент не закрыт", "The element isn't closed"),
            ("Добавьте закрывающий тег", "Add its end tag"),
        ),
        UnexpectedEnd => (
            ("Закрывающий тег без открывающего", "An end tag without its start tag"),
            ("Уберите его или добавьте открывающий тег", "Remove it, or add the start tag"),
        ),
        Broken => (("Разметка обрывается", "The markup breaks off"), ("Допишите тег", "Complete the tag")),
        BadName => (("Такое имя в XML недопустимо", "No such name can be in XML"), ("Исправьте имя", "Correct the name")),
        BadAttribute => (
            ("Атрибут записан неправильно", "The attribute is written wrongly"),
            ("Запишите его как имя=\"значение\", через пробел от соседей", "Write name=\"value\", with a space before it"),
        ),
        RepeatedAttribute => (("Атрибут повторяется", "The attribute is repeated"), ("Оставьте один", "Leave one of them")),
        BadEntity => (
            ("Знак & не начинает сущность XML", "This & begins no entity of XML"),
            ("Запишите &amp;", "Write &amp;"),
        ),
        BadCharacter => (
            ("Недопустимый здесь знак", "A character that can't stand here"),
            ("Уберите его или запишите сущностью (&lt; вместо <)", "Remove it, or write it as an entity (&lt; for <)"),
        ),
        UnboundPrefix => (
            ("Префикс не связан с пространством имён", "The prefix is bound to no namespace"),
            ("Объявите его: xmlns:префикс=\"адрес\"", "Declare it: xmlns:prefix=\"address\""),
        ),
        NoRoot => (
            ("Нет ни одного элемента", "There is no element"),
            ("Файл должен содержать DataCompositionSchema", "The file must hold a DataCompositionSchema"),
        ),
        SecondRoot => (
            ("Второй корневой элемент", "A second outermost element"),
            ("Оставьте один", "Leave one of them"),
        ),
        TextOutside => (("Текст вне корневого элемента", "Text outside of the root"), ("Уберите его", "Remove it")),
        LateDeclaration => (
            ("Объявление XML не в начале файла", "The XML declaration isn't at the beginning"),
            ("Перенесите его в начало", "Move it to the beginning"),
        ),
        DocumentType => (
            ("Объявление DOCTYPE: в схемах отчётов его нет", "A DOCTYPE: report schemas have none"),
            ("Уберите его", "Remove it"),
        ),
    }
}
