//! Broken variants of the demo's reports: each is explained with the line that causes it and the right name.

use dcs::Document;
use metascope_validators::dcs::explain::{Explanation, explain};
use support::demo_schemas;

/// A report of the demo, in the Designer's format.
fn report(name: &str) -> String {
    let files = demo_schemas();
    let is_it = |path: &std::path::Path| {
        path.extension().is_some_and(|end| end == "xml") && path.iter().any(|part| part == name)
    };
    let file = files.into_iter().find(|file| is_it(&file.path)).expect("the demo has the report");
    String::from_utf8(file.bytes).expect("the demo is UTF-8")
}

/// A variant: one text replaced by another (it must stand there `times` times), and what is said of it.
struct Broken {
    report: &'static str,
    edits: &'static [(&'static str, &'static str)],
    message: &'static str,
    /// A piece of the line that causes it, and which of the lines that hold it.
    line: (&'static str, usize),
    nearest: &'static str,
}

const SALES: &str = "АнализПродажТоваров";
const STOCK: &str = "ВедомостьТоваров";
const DEBTS: &str = "ДолгиПартнеров";

const VARIANTS: &[Broken] = &[
    // A column of a temporary table renamed in one place only.
    Broken {
        report: SALES,
        edits: &[("\tПродажи.Себестоимость КАК Себестоимость", "\tПродажи.Себестоимост КАК Себестоимость")],
        message: "Ошибка исполнения отчета\nпо причине:\nОшибка при исполнении запроса набора данных \"Продажи\"\nпо причине:\n\
            {(24, 2)}: Поле не найдено \"Продажи.Себестоимост\"\n<<?>>Продажи.Себестоимост КАК Себестоимость",
        line: ("Продажи.Себестоимост КАК", 0),
        nearest: "Продажи.Себестоимость",
    },
    // A misspelt name in a calculated field.
    Broken {
        report: SALES,
        edits: &[("<expression>Сумма - Себестоимость<", "<expression>Сумма - Себестоимсть<")],
        message: "Ошибка в выражении \"Сумма - Себестоимсть\"\nпо причине:\n{(1, 9)}: Поле не найдено \"Себестоимсть\"\nСумма - <<?>>Себестоимсть",
        line: ("<expression>Сумма - Себестоимсть", 0),
        nearest: "Себестоимость",
    },
    // A total of a field that was renamed; the English platform.
    Broken {
        report: STOCK,
        edits: &[("<expression>Сумма(Приход)<", "<expression>Сумма(Приходы)<")],
        message: "Field not found \"Приходы\"",
        line: ("Сумма(Приходы)", 0),
        nearest: "Приход",
    },
    // A field of two tables without its table.
    Broken {
        report: STOCK,
        edits: &[("\tОстаткиТоваровОстаткиИОбороты.Склад КАК Склад", "\tСклад КАК Склад")],
        message: "{(2, 2)}: Неоднозначное поле \"Склад\"\n<<?>>Склад КАК Склад,",
        line: ("\tСклад КАК Склад,", 0),
        nearest: "ОстаткиТоваровОстаткиИОбороты.Склад",
    },
    // One alias for two columns.
    Broken {
        report: STOCK,
        edits: &[("КоличествоРасход КАК Расход", "КоличествоРасход КАК Приход")],
        message: "Ошибка в схеме компоновки данных: Повторяющийся псевдоним \"Приход\"",
        line: ("КоличествоРасход КАК Приход", 0),
        nearest: "Приход1",
    },
    // A temporary table misspelt where it is read.
    Broken {
        report: SALES,
        edits: &[
            ("\tПродажи КАК Продажи\r\n", "\tПродажа КАК Продажи\r\n"),
            ("\tПродажи КАК Продажи\n", "\tПродажа КАК Продажи\n"),
        ],
        message: "{(26, 2)}: Таблица не найдена \"Продажа\"\n<<?>>Продажа КАК Продажи",
        line: ("\tПродажа КАК Продажи", 0),
        nearest: "Продажи",
    },
    // A table of metadata misspelt; the file takes the right one beside it.
    Broken {
        report: DEBTS,
        edits: &[("\tРегистрНакопления.РасчетыСПартнерами КАК", "\tРегистрНакопления.РасчетыСПартнером КАК")],
        message: "{(6, 2)}: Таблица не найдена \"РегистрНакопления.РасчетыСПартнером\"",
        line: ("РегистрНакопления.РасчетыСПартнером КАК", 0),
        nearest: "РегистрНакопления.РасчетыСПартнерами",
    },
    // A link to a set that was renamed.
    Broken {
        report: DEBTS,
        edits: &[("<destinationDataSet>Сроки<", "<destinationDataSet>Срок<")],
        message: "Набор данных не найден \"Срок\"",
        line: ("<destinationDataSet>Срок<", 0),
        nearest: "Сроки",
    },
    // A parameter renamed in the query alone.
    Broken {
        report: DEBTS,
        edits: &[(
            "РасчетыСПартнерами.СрокОплаты &lt;= &amp;НаДату",
            "РасчетыСПартнерами.СрокОплаты &lt;= &amp;НаДаты",
        )],
        message: "Ошибка компоновки макета: {(9, 42)}: Не задано значение параметра \"НаДаты\"",
        line: ("&amp;НаДаты", 0),
        nearest: "НаДату",
    },
    // The grouping lost its field.
    Broken {
        report: DEBTS,
        edits: &[("\tРасчетыСПартнерами.Партнер</query>", "\tРасчетыСПартнерами.Договор</query>")],
        message: "{(2, 2)}: Поле не входит в группу \"РасчетыСПартнерами.Партнер\"",
        line: ("РасчетыСПартнерами.Партнер КАК Должник", 0),
        nearest: "",
    },
    // A parenthesis lost in an expression.
    Broken {
        report: STOCK,
        edits: &[("<expression>Сумма(Расход)<", "<expression>Сумма(Расход<")],
        message: "Ошибка в выражении: Синтаксическая ошибка \"Расход\"",
        line: ("<expression>Сумма(Расход<", 0),
        nearest: "",
    },
    // A comma lost in a query.
    Broken {
        report: SALES,
        edits: &[("\tТовары.Артикул КАК Артикул,", "\tТовары.Артикул КАК Артикул")],
        message: "{(18, 2)}: Синтаксическая ошибка \"Товары.Родитель\"\n<<?>>Товары.Родитель КАК ТоварнаяГруппа,",
        line: ("\tТовары.Родитель КАК", 0),
        nearest: "",
    },
    // A function that is given too much.
    Broken {
        report: STOCK,
        edits: &[("ЕСТЬNULL(ПорогиОстатков.Минимум, 0)", "ЕСТЬNULL(ПорогиОстатков.Минимум)")],
        message: "{(8, 2)}: Неверные параметры \"ЕСТЬNULL\"\n<<?>>ЕСТЬNULL(ПорогиОстатков.Минимум) КАК Минимум",
        line: ("ЕСТЬNULL(ПорогиОстатков.Минимум)", 0),
        nearest: "",
    },
    // A union whose second branch lacks a column.
    Broken {
        report: DEBTS,
        edits: &[(
            "\tРасчетыСПартнерами.Партнер</query>",
            "\tРасчетыСПартнерами.Партнер\nОБЪЕДИНИТЬ ВСЕ\nВЫБРАТЬ\n\tТ.Партнер КАК Должник,\n\t0 КАК Отгружено\nИЗ Документ.Счет КАК Т</query>",
        )],
        message: "{(14, 1)}: Количество полей в объединяемых запросах должно совпадать",
        line: ("\tТ.Партнер КАК Должник", 0),
        nearest: "СрокОплаты",
    },
];

fn broken(variant: &Broken) -> (String, Explanation) {
    let whole = report(variant.report);
    let mut text = whole.clone();
    for (from, to) in variant.edits {
        text = text.replacen(from, to, 1);
    }
    assert_ne!(text, whole, "{}", variant.message);
    let why = explain(&Document::parse(&*text), variant.message, None);
    (text, why)
}

#[test]
fn broken_variants_of_the_demo_are_explained() {
    for variant in VARIANTS {
        let (text, why) = broken(variant);
        let (piece, number) = variant.line;
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains(piece)).map(|(at, _)| at as u32 + 1);
        let line = lines.into_iter().nth(number).unwrap_or_else(|| panic!("no line with {piece}"));
        let [cause] = &why.causes[..] else { panic!("{}: {:#?}", variant.message, why) };
        assert_eq!((cause.line, cause.sure), (line, true), "{}: {cause:#?}", variant.message);
        assert_eq!(cause.nearest.first().map_or("", String::as_str), variant.nearest, "{}", variant.message);
        if !variant.nearest.is_empty() {
            let says = cause.mend.ru.contains(variant.nearest) || cause.why.ru.contains(variant.nearest);
            assert!(says, "{}: {cause:#?}", variant.message);
        }
    }
}

/// The message explains nothing in the unbroken report. What a function is given can't be judged without types: there the place that
/// the message points at is the cause.
#[test]
fn an_unbroken_report_has_no_sure_cause() {
    for variant in VARIANTS.iter().filter(|variant| !variant.message.contains("Неверные параметры")) {
        let why = explain(&Document::parse(report(variant.report)), variant.message, None);
        assert!(!why.causes.iter().any(|cause| cause.sure), "{}: {:#?}", variant.message, why.causes);
    }
}
