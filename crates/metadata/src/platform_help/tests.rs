//! Containers that tests make up: their layout and markup are those that are described, the texts are ours.

use super::*;
use crate::model::problem::Language;
use std::fs;
use support::container::{help, narrow};

const STR_LENGTH: &str = r#"<html><body><h1 class="V8SH_pagetitle">Глобальный контекст.СтрДлина (Global context.StrLen)</h1>
<p class="V8SH_title">Глобальный контекст (Global context)</p><p class="V8SH_heading">СтрДлина (StrLen)</p>
<p class="V8SH_chapter">Синтаксис:</p>СтрДлина(&lt;Строка&gt;)<p class="V8SH_chapter">Параметры:</p>
<div class="V8SH_rubric"> <p style="margin-top: 2px">&lt;Строка&gt; (обязательный)</div>Тип: <a href="v8help://x">Строка</a>. <br>Какая.
<p class="V8SH_chapter">Возвращаемое значение:</p>Тип: <a href="x">Число</a>. <br>Сколько.
<p class="V8SH_chapter">Доступность: </p>Тонкий клиент, мобильное приложение (сервер), сервер.<br></body></html>"#;

const INSERT: &str = r#"<h1 class="V8SH_pagetitle">Массив.Вставить (Array.Insert)</h1>
<div class="V8SH_chapter"> <p style="margin-top: 3px">Синтаксис:</div>Вставить(&lt;Индекс&gt;, &lt;Значение&gt;)
<div class="V8SH_chapter"> <p>Параметры:</div>
<div class="V8SH_rubric"> <p>&lt;Индекс&gt; (обязательный)</div>Тип: Число. <br>Где.
<div class="V8SH_rubric"> <p>&lt;Значение&gt; (необязательный)</div>Тип: Произвольный; СправочникСсылка.&lt;Имя&gt;. Что."#;

const CONSTRUCTORS: &str = r#"<h1 class="V8SH_pagetitle">Массив.По количеству (Array.By count)</h1>
<p class="V8SH_title">Массив (Array)</p><p class="V8SH_heading">По количеству элементов (By count)</p>
<p class="V8SH_chapter">Вариант синтаксиса: Один</p><p class="V8SH_chapter">Синтаксис:</p>Новый Массив(&lt;Количество&gt;)
<p class="V8SH_chapter">Вариант синтаксиса: Другой</p><p class="V8SH_chapter">Синтаксис:</p>Новый Массив(&lt;Другой&gt;)"#;

const PROPERTY: &str = r#"<h1 class=V8SH_pagetitle>ТаблицаЗначений.Колонки (ValueTable.Columns)</h1>
<p class='V8SH_chapter'>Использование:</p>Только чтение.<p class='V8SH_chapter'>Описание:</p>Тип: КоллекцияКолонок. <br>Все."#;

const ENUMERATION: &str =
    r#"<h1 class="V8SH_pagetitle">ВидСравнения (ComparisonType)</h1><p class="V8SH_chapter">Значения:</p><a>Равно</a>"#;
const VALUE: &str = r#"<h1 class="V8SH_pagetitle">ВидСравнения.Равно (ComparisonType.Equal)</h1>"#;

const PAGES: &[(&str, &str)] = &[
    ("objects/Global context/methods/catalog9/StrLen3.html", STR_LENGTH),
    ("objects/catalog1/Array/methods/Insert2.html", INSERT),
    ("objects/catalog1/Array/ctors/ctor5.html", CONSTRUCTORS),
    ("objects/catalog1/ValueTable/properties/Columns.html", PROPERTY),
    ("objects/catalog7/ComparisonType/properties/Equal1.html", VALUE),
    ("objects/catalog7/ComparisonType.html", ENUMERATION),
    ("objects/catalog7.html", "<h1 class=\"V8SH_pagetitle\">Перечисления</h1>"),
    ("objects/catalog1/Array/events/OnX.html", "<h1 class=\"V8SH_pagetitle\">Массив.ПриХ</h1>"),
    ("objects/catalog1/Broken/methods/No.html", "<p>без названия"),
    ("pictures/1.png", "не страница"),
];

#[test]
fn functions_members_and_types_with_their_signatures() {
    let read = read_platform_help(&help(PAGES)).unwrap();
    let shown: Vec<String> = read
        .members
        .iter()
        .map(|one| {
            let (owner, en) = &one.owner;
            format!("{:?} {owner}/{en} {}/{} {} -> {}", one.kind, one.ru, one.en, one.signature, one.returns)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Function / СтрДлина/StrLen (Строка: Строка): Число -> Число",
            "Method Массив/Array Вставить/Insert (Индекс: Число, Значение?: Произвольный, СправочникСсылка.<Имя>) -> ",
            "Constructor Массив/Array По количеству элементов/By count (Количество) | (Другой) -> ",
            "Property ТаблицаЗначений/ValueTable Колонки/Columns  -> КоллекцияКолонок",
            "Value ВидСравнения/ComparisonType Равно/Equal  -> ",
            "Type / ВидСравнения/ComparisonType  -> ",
        ]
    );
    assert_eq!(read.members[0].available, ["MobileApplicationServer", "ThinClient", "Server"]);
    assert_eq!(read.unread, 0);
    // A container that was written into has a chain of free pages: its first number is another one.
    let mut used = help(PAGES);
    used[..4].copy_from_slice(&0_u32.to_le_bytes());
    assert_eq!(read_platform_help(&used).unwrap(), read);
}

#[test]
fn what_is_damaged_or_another_file_says_so() {
    let whole = help(PAGES);
    let code = |bytes: &[u8]| read_platform_help(bytes).unwrap_err();
    assert!(matches!(code(b""), PlatformHelpError::Container(_)));
    assert!(matches!(code(b"PK\x03\x04 not a container of the platform at all"), PlatformHelpError::Container(_)));
    assert!(matches!(code(&whole[..whole.len() / 2]), PlatformHelpError::Container(_)));
    assert_eq!(code(&narrow(&[("Book", b"{}")])), PlatformHelpError::NoPages);
    assert!(matches!(code(&narrow(&[("FileStorage", b"PK\x03\x04 cut")])), PlatformHelpError::Archive { .. }));
    assert_eq!(code(&help(&PAGES[6..])), PlatformHelpError::NoMembers { unread: 0 });
    for error in [PlatformHelpError::NoPages, PlatformHelpError::TooLarge, PlatformHelpError::NoMembers { unread: 1 }] {
        assert_ne!(error.message(Language::Russian), error.message(Language::English));
    }
    // Whatever is cut or changed: an error or less, never a panic.
    for at in (0..whole.len()).step_by(97) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x5a;
        let _ = read_platform_help(&damaged);
        let _ = read_platform_help(&whole[..at]);
    }
}

#[test]
fn the_newest_version_with_help_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, b"").unwrap();
        path
    };
    assert_eq!(platform_help_file(folder.path()), None);
    let old = put("8.3.9.2000/bin/shcntx_ru.hbk");
    let new = put("8.3.27.1719/bin/shcntx_ru.hbk");
    put("8.3.27.1719/bin/shcntx_root.hbk");
    put("8.5.1.100/bin/1cv8.exe");
    put("common/shcntx_ru.hbk");
    let english = put("english/8.3.20.1/shcntx_root.hbk");
    assert_eq!(platform_help_file(folder.path()), Some(new.clone()));
    assert_eq!(platform_help_file(&folder.path().join("8.3.9.2000")), Some(old.clone()));
    assert_eq!(platform_help_file(&old), Some(old));
    assert_eq!(platform_help_file(&folder.path().join("english")), Some(english));
    assert_eq!(platform_help_file(&folder.path().join("none")), None);
    assert!(!platform_folders().is_empty());
}
