//! `platform_reference` over the platform's own help, made up by the test: found by the project's settings, and what it says if it is
//! damaged or isn't there.

mod support;

use ::support::container::help;
use serde_json::{Value, json};
use support::Scratch;

const PAGE: &str = r#"<h1 class="V8SH_pagetitle">Глобальный контекст.СтрПримерная (Global context.StrSample)</h1>
<p class="V8SH_chapter">Синтаксис:</p>СтрПримерная(&lt;Строка&gt;)<p class="V8SH_chapter">Параметры:</p>
<div class="V8SH_rubric"><p>&lt;Строка&gt; (необязательный)</div>Тип: Строка. <br>Какая.
<p class="V8SH_chapter">Возвращаемое значение:</p>Тип: Число.<p class="V8SH_chapter">Доступность:</p>Сервер."#;

/// A demo whose settings name a help that holds those bytes; None: no file there.
fn scratch(bytes: Option<&[u8]>) -> Scratch {
    Scratch::of(|root| {
        ::support::copy_folder(&::support::demo(), root);
        let settings = root.join("metascope.toml");
        let text = std::fs::read_to_string(&settings).expect("the demo has settings");
        std::fs::write(settings, format!("{text}\n[platform]\nhelp = [\"../1cv8\"]\n")).expect("written");
        let version = root.join("../1cv8/8.3.27.1719/bin");
        std::fs::create_dir_all(&version).expect("a folder");
        if let Some(bytes) = bytes {
            std::fs::write(version.join("shcntx_ru.hbk"), bytes).expect("written");
        }
    })
}

fn asked(scratch: &Scratch, name: &str) -> Value {
    scratch.ok("platform_reference", json!({ "query": name }))
}

fn reasons(answer: &Value) -> String {
    answer["state"]["reasons"].to_string()
}

#[test]
fn members_come_from_the_help_that_the_settings_name() {
    let scratch = scratch(Some(&help(&[("objects/Global context/methods/catalog1/StrSample1.html", PAGE)])));
    for name in ["СтрПримерная", "strsample"] {
        let answer = asked(&scratch, name);
        let expected = json!([{ "kind": "function", "ru": "СтрПримерная", "en": "StrSample",
            "signature": "(Строка?: Строка): Число", "returns": "Число", "available": ["Server"] }]);
        assert_eq!(answer["members"], expected, "{answer}");
        assert!(answer["source"].as_str().is_some_and(|file| file.ends_with("shcntx_ru.hbk")), "{answer}");
        assert!(!reasons(&answer).contains("неполный"), "{answer}");
    }
    // In place of the built-in list, not beside it.
    let answer = asked(&scratch, "СтрРазделить");
    assert!(reasons(&answer).contains("этой версии платформы"), "{answer}");
    // Subjects stay.
    assert_eq!(scratch.ok("platform_reference", json!({ "query": "locks" }))["subject"], "locks");
}

#[test]
fn a_damaged_help_says_so_and_the_built_in_list_answers() {
    let whole = help(&[("objects/Global context/methods/catalog1/StrSample1.html", PAGE)]);
    let cut = &whole[..whole.len() - 700];
    for (bytes, why) in [(Some(cut), "не читается"), (Some(&b"MZ"[..]), "не читается"), (None, "здесь нет")]
    {
        let scratch = scratch(bytes);
        let answer = asked(&scratch, "СтрРазделить");
        assert_eq!(answer["members"][0]["ru"], "СтрРазделить", "{answer}");
        assert!(reasons(&answer).contains(why) && reasons(&answer).contains("встроенный список"), "{answer}");
        assert_eq!(answer["source"], Value::Null);
    }
}
