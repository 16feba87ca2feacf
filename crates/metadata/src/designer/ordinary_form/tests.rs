use super::super::testing::{cases, with_context};
use super::*;
use crate::model::FileId;
use crate::model::problem::Problem;
use proptest::prelude::*;
use support::container::{narrow, packed};

/// A handler as forms write it.
fn procedure(name: &str, default: &str) -> String {
    format!(r#"{PROCEDURE},{{3,"{name}",{{1,"{default}",{{1,1,{{"ru","{default}"}}}},{{0,0,0}}}}}}"#)
}

fn control(class: &str, name: &str, properties: &str, children: &str) -> String {
    format!(r#"{{{class},1,{{1,{properties}}},{{8,0,0}},{{14,"{name}",4294967295,0,0,0}},{{{children}}}}}"#)
}

fn class(kind: &str) -> &'static str {
    CONTROLS.iter().find(|(_, known)| **known == kind).map(|(class, _)| *class).expect("a class")
}

/// A table whose column has a packed editor.
fn table() -> String {
    let editor = format!(
        r#"{{9,{{"Pattern",{{"S",9,0}}}},{{1,{{2147483647,{}}}}}}}"#,
        procedure("Изменено", "ТоварыЦенаПриИзменении")
    );
    let mut text = 0_u64.to_le_bytes().to_vec();
    text.extend("\u{feff}".bytes().chain(editor.bytes()));
    let editor = BASE64.encode([PACKED_HEAD, &packed(&text)].concat());
    let (first, second) = editor.split_at(20);
    let column = format!(
        r#"{{{{16,{{1,1,{{"ru","Цена"}}}},"Цена",{{}},19,0,{},{{{{#base64:{first}{}{second}}},0}}}},"Цена","",""}}"#,
        class("InputField"),
        "\r\n"
    );
    let event = format!("{{1,{{40,{}}}}}", procedure("ТоварыПередНачаломДобавления", "ТоварыПередНачаломДобавления"));
    control(class("TableBox"), "Товары", &format!("{column},{event}"), "0")
}

fn sample() -> String {
    let action = "16c0dd96-96d9-4062-b8df-db2fa3c3b366";
    let bar = format!(
        r#"{{5,1,{{6,{action},1,{},6}},{{6,{},1,abde0c9a-18a6-4e0c-bbaa-af26b911b3e6,{{1,0}},0}},{{5,9d0a2e40-b978-11d4-84b6-008048da06df,1,1,{action},{{8,"Обновить",0,0,{{1,1,{{"ru","Обновить список"}}}},1}}}}}}"#,
        procedure("ОбновитьСписок", "ПанельОбновить"),
        "58932c4d-7563-43b6-ac33-68efb53ab200",
    );
    let button = format!("{{1,{{0,{}}}}}", procedure("ОКНажатие", "ОКНажатие"));
    let inner = format!(
        "3,{},{},{}",
        table(),
        control(class("CommandBar"), "Действия", &bar, "0"),
        control(class("Button"), "ОК", &button, "0")
    );
    let pages = format!("{{0,{}}}", procedure("ПанельПриСменеСтраницы", "ПанельПриСменеСтраницы"));
    format!(
        r##"{{27,{{16,{{{{1,2,{{"ru","Список"}},{{"en","List"}}}},3,0}},{{{},{{1,{pages}}},{{{inner}}}}},10,10}},
{{{{4}},6,{{2,{{{{1}},0,0,1,"Имя",{{"Pattern",{{"S",10,1}}}}}},{{{{4}},0,0,1,"Объект",{{"Pattern",{{"#",38bfd075-3e63-4aaa-a93e-94521380d579}}}}}}}}}},
{{00000000-0000-0000-0000-000000000000,0}},{{3,{{70001,{}}},{{80001,{}}},{{70099,{}}}}},1,4}}"##,
        class("Panel"),
        procedure("Открытие", "ПриОткрытии"),
        procedure("ПриЗаписи", "ПриЗаписи"),
        procedure("ЧтоТо", "ЧтоТоНовое"),
    )
}

fn read_form(bytes: &[u8]) -> (Form, bool, Vec<Problem>) {
    let ((form, has_module), problems) = with_context(|context| {
        let mut form = Form::empty("CommonForm.Ф".into(), None, "Ф".into(), FileId(0));
        let has_module = read(context, bytes, &mut form);
        (form, has_module)
    });
    (form, has_module, problems)
}

fn handlers(events: &[Handler]) -> Vec<(&str, &str)> {
    events.iter().map(|e| (&*e.event, &*e.handler)).collect()
}

#[test]
fn events_of_the_form_its_controls_columns_and_buttons() {
    let (form, has_module, problems) = read_form(&narrow(&[("form", sample().as_bytes()), ("module", b"")]));
    assert_eq!(problems, []);
    assert!(has_module && form.kind == FormKind::Ordinary);
    assert_eq!(form.title.get("en"), "List");
    assert_eq!(handlers(&form.events), [("OnOpen", "Открытие"), ("OnWrite", "ПриЗаписи"), ("ЧтоТоНовое", "ЧтоТо")]);
    let items: Vec<_> = form.items.iter().map(|i| (&*i.name, &*i.kind, i.parent, handlers(&i.events))).collect();
    assert_eq!(
        items,
        [
            ("Панель", "Panel", None, vec![("OnCurrentPageChange", "ПанельПриСменеСтраницы")]),
            ("Товары", "TableBox", Some(0), vec![("BeforeAddRow", "ТоварыПередНачаломДобавления")]),
            ("ТоварыЦена", "Column", Some(1), vec![("OnChange", "Изменено")]),
            ("Действия", "CommandBar", Some(0), vec![]),
            ("Обновить", "CommandBarButton", Some(3), vec![("Action", "ОбновитьСписок")]),
            ("ОК", "Button", Some(0), vec![("Click", "ОКНажатие")]),
        ]
    );
    assert_eq!(form.items[4].title.get("ru"), "Обновить список");
    let attributes: Vec<_> = form.attributes.iter().map(|a| (&*a.name, a.types.text(), a.is_main)).collect();
    assert_eq!(attributes, [("Имя", "String".to_owned(), false), ("Объект", String::new(), true)]);
}

#[test]
fn what_is_damaged_is_told_and_the_rest_is_read() {
    let whole = sample();
    let kinds = |bytes: &[u8]| read_form(bytes).2.into_iter().map(|p| p.kind).collect::<Vec<_>>();
    assert_eq!(kinds(b""), [ProblemKind::Container(ContainerError::Empty)]);
    assert_eq!(
        kinds(&narrow(&[("form", whole.as_bytes())])),
        [ProblemKind::Container(ContainerError::Missing(Document::Module))]
    );
    let missing = read_form(&narrow(&[("module", b"A = 1;")]));
    assert!(missing.1 && missing.0.kind == FormKind::Ordinary);
    assert_eq!(missing.2[0].kind, ProblemKind::Container(ContainerError::Missing(Document::Form)));
    let cut = whole.get(..whole.len() - 40).unwrap_or_default();
    let (form, has_module, problems) = read_form(&narrow(&[("form", cut.as_bytes()), ("module", b"")]));
    assert!(has_module && form.items.len() == 6);
    assert!(matches!(&problems[0].kind, ProblemKind::Malformed(what) if what.contains("form")));
    let at = whole.find("#base64:").expect("an editor") + 40;
    let broken = format!("{}%{}", &whole[..at], &whole[at + 1..]);
    let (form, _, problems) = read_form(&narrow(&[("form", broken.as_bytes()), ("module", b"")]));
    assert!(form.items.len() == 6 && form.items[2].events.is_empty());
    assert!(matches!(&problems[0].kind, ProblemKind::Malformed(what) if what.contains("base64")));
}

#[test]
fn the_tables_are_whole() {
    assert!(CONTROLS.len() >= 20 && CONTROLS.keys().all(|class| is_uuid(class)));
    let kinds: Vec<&str> = CONTROLS.values().copied().collect();
    for event in EVENTS.iter() {
        assert!(event.number.is_empty() || event.number.parse::<u32>().is_ok(), "{}", event.ru);
        assert!(event.controls.iter().all(|c| *c == "*" || *c == "Form" || kinds.contains(c)), "{}", event.ru);
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_damage_is_survived(at in 0.0_f64..1.0, length in 0_usize..60, junk in "[{}\",0-9а-я\r\n-]{0,20}") {
        let whole = sample();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let from = (at * whole.len() as f64) as usize;
        let to = (from + length).min(whole.len());
        let mut bytes = whole.into_bytes();
        bytes.splice(from..to, junk.bytes());
        let (form, ..) = read_form(&narrow(&[("form", &bytes), ("module", b"")]));
        for item in &form.items {
            prop_assert!(item.parent.is_none_or(|parent| (parent as usize) < form.items.len()));
        }
    }
}

#[test]
fn handlers_have_the_lines_of_their_procedures() {
    let text = "\u{feff}Перем А;\r\n// Процедура Выбор()\r\n\tПРОЦЕДУРА Выбор(Элемент)\r\nА = \"\r\n| Процедура Закрыть()\";\r\n\
        КонецПроцедуры\r\nAsync Function Close() Export\r\nКонецФункции\r\nПроцедура Выбор()";
    let ((), problems) = with_context(|context| {
        let mut form = Form::empty("CommonForm.Ф".into(), None, "Ф".into(), context.file);
        let handler =
            |name: &str| Handler { event: "OnOpen".into(), handler: name.into(), call_type: "".into(), line: 0 };
        form.events = vec![handler("выбор"), handler("Закрыть"), handler("Close")];
        lines_of_handlers(text, &mut form);
        assert_eq!(form.events.iter().map(|event| event.line).collect::<Vec<_>>(), [3, 0, 7]);
    });
    assert_eq!(problems, []);
}
