//! The tools that propose changes, on copies of the demo: what each proposes, what it refuses, and that nothing is written.

mod support;

use serde_json::{Value, json};
use support::Scratch;

const PRICES: &str = "CommonModules/ЦеныИСкидки/Ext/Module.bsl";

fn text_of(scratch: &Scratch, path: &str) -> String {
    String::from_utf8(scratch.bytes(path)).expect("text")
}

/// Proposes, looks that nothing was written, applies, and gives the text after.
fn applied(scratch: &Scratch, tool: &str, arguments: Value, path: &str) -> (Value, String) {
    let before = scratch.bytes(path);
    let answer = scratch.ok(tool, arguments);
    assert_eq!(scratch.bytes(path), before, "{tool} only proposes");
    assert_eq!(answer["status"], "pending", "{answer}");
    scratch.apply(answer["edit"].as_u64().expect("a number"));
    (answer, text_of(scratch, path))
}

fn undo(scratch: &Scratch, answer: &Value) {
    let id = u32::try_from(answer["edit"].as_u64().expect("a number")).expect("small");
    scratch.tools.edits().undo(&scratch.index(), id).expect("undone");
}

#[test]
fn a_patch_is_bounded_by_its_method_and_shows_the_fragment_only() {
    let scratch = Scratch::demo();
    let old = text_of(&scratch, PRICES);
    let arguments = json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "Возврат 2;\n\t// Две строки" });
    let (answer, new) = applied(&scratch, "propose_patch", arguments, PRICES);
    assert_eq!(new, old.replacen("Возврат 1;", "Возврат 2;\r\n\t// Две строки", 1));
    let fragment = answer["fragments"][0]["text"].as_str().expect("a text");
    assert!(fragment.contains("Возврат 2;") && fragment.lines().count() <= 6, "{fragment}");
    undo(&scratch, &answer);
    assert_eq!(text_of(&scratch, PRICES), old);

    // The same text stands twice in the module, and once in the method.
    let twice = json!({ "name": "ЦеныИСкидки", "search": "Возврат 0;", "replace": "Возврат -1;" });
    let error = scratch.error("propose_patch", twice);
    assert_eq!(error["code"], "several_matches");
    assert_eq!(error["lines"].as_array().map(Vec::len), Some(old.matches("Возврат 0;").count()));
    let once = json!({ "name": "ЦеныИСкидки.РентабельностьПродаж", "search": "Возврат 0;", "replace": "Возврат -1;" });
    scratch.ok("propose_patch", once);

    let missing = json!({ "name": "ЦеныИСкидки", "search": "Скидка = БазоваяСкидка() + 1;", "replace": "" });
    let error = scratch.error("propose_patch", missing);
    assert_eq!(error["code"], "no_match");
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("Скидка = БазоваяСкидка();")), "{error}");

    let blocks = "<<<<<<< SEARCH\n    Скидка = БазоваяСкидка();\n=======\n    Скидка = 0;\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nСкидка = 0;\n=======\n\
                  Скидка = 5;\n>>>>>>> REPLACE";
    let answer = scratch.ok("propose_patch", json!({ "name": "ЦеныИСкидки.СкидкаПартнера", "blocks": blocks }));
    assert_eq!(answer["matched"], json!(["blanks", "exact"]));
    let text = scratch.tools.edits().text(&scratch.index(), PRICES).expect("text");
    assert!(text.contains("\tСкидка = 5;\r\n"), "{text}");
}

#[test]
fn lines_are_inserted_behind_lines_methods_and_in_regions() {
    let scratch = Scratch::demo();
    let old = text_of(&scratch, PRICES);
    let (answer, new) =
        applied(&scratch, "propose_insert", json!({ "name": "ЦеныИСкидки", "line": 0, "code": "// Первая" }), PRICES);
    assert_eq!(new, old.replacen('\u{feff}', "\u{feff}// Первая\r\n", 1));
    undo(&scratch, &answer);
    let arguments = json!({ "name": PRICES, "after_method": "БазоваяСкидка", "code": "// Раздел\n// Ещё" });
    let (answer, new) = applied(&scratch, "propose_insert", arguments, PRICES);
    let place = "Возврат 1;\r\n\t\r\nКонецФункции\r\n";
    assert_eq!(new, old.replacen(place, &format!("{place}\r\n// Раздел\r\n// Ещё\r\n"), 1));
    undo(&scratch, &answer);
    let arguments = json!({ "name": "ЦеныИСкидки", "region": "программныйинтерфейс", "code": "// Конец\n" });
    let (answer, new) = applied(&scratch, "propose_insert", arguments, PRICES);
    let place = "КонецПроцедуры\r\n\r\n#КонецОбласти";
    assert_eq!(new, old.replacen(place, "КонецПроцедуры\r\n\r\n// Конец\r\n\r\n#КонецОбласти", 1));
    undo(&scratch, &answer);
    let error =
        scratch.error("propose_insert", json!({ "name": "ЦеныИСкидки", "region": "ПрограмныйИнтерфейс", "code": "А" }));
    assert_eq!(error["code"], "no_place");
    assert!(error["near"].as_array().is_some_and(|near| near.contains(&json!("ПрограммныйИнтерфейс"))), "{error}");
    assert_eq!(scratch.error("propose_insert", json!({ "name": "ЦеныИСкидки", "code": "А" }))["code"], "bad_argument");
    assert_eq!(
        scratch.error("propose_insert", json!({ "name": "ЦеныИСкидки", "line": 9999, "code": "А" }))["code"],
        "no_place"
    );
}

#[test]
fn lines_are_replaced_if_they_say_what_was_expected() {
    let scratch = Scratch::demo();
    let old = text_of(&scratch, PRICES);
    let line = old.lines().position(|line| line.contains("Возврат 1;")).expect("a line") + 1;
    let arguments = json!({ "name": "ЦеныИСкидки", "from_line": line, "to_line": line, "first_text": "Возврат 1;", "code": "\tВозврат 3;" });
    let (answer, new) = applied(&scratch, "propose_replace_lines", arguments, PRICES);
    assert_eq!(new, old.replace("Возврат 1;", "Возврат 3;"));
    undo(&scratch, &answer);
    let arguments = json!({ "name": "ЦеныИСкидки", "from_line": line + 1, "to_line": line + 1, "first_text": "Возврат 1;", "code": "" });
    let error = scratch.error("propose_replace_lines", arguments);
    assert!(
        error["near"].as_array().is_some_and(|near| near.iter().any(|one| *one == format!("{line}: \tВозврат 1;"))),
        "{error}"
    );
    let (_, new) = applied(
        &scratch,
        "propose_replace_lines",
        json!({ "name": PRICES, "from_line": 1, "to_line": 1, "code": "#Область Другая" }),
        PRICES,
    );
    assert!(new.starts_with("\u{feff}#Область Другая\r\n\r\n// Цена товара"), "{}", &new[..100]);
}

#[test]
fn a_new_method_goes_where_its_kind_stands() {
    let scratch = Scratch::demo();
    let old = text_of(&scratch, PRICES);
    let code = "// Наибольшая.\nФункция НаибольшаяСкидка() Экспорт\n\tВозврат 10;\nКонецФункции";
    let crlf = code.replace('\n', "\r\n");
    let (answer, new) = applied(&scratch, "propose_new_method", json!({ "name": "ЦеныИСкидки", "code": code }), PRICES);
    let place = "КонецПроцедуры\r\n\r\n#КонецОбласти";
    assert_eq!(new, old.replacen(place, &format!("КонецПроцедуры\r\n\r\n{crlf}\r\n\r\n#КонецОбласти"), 1));
    undo(&scratch, &answer);
    let arguments = json!({ "name": "ЦеныИСкидки", "code": code, "before": "БазоваяСкидка" });
    let (answer, new) = applied(&scratch, "propose_new_method", arguments, PRICES);
    let place = "// Скидка, которая дается каждому покупателю.";
    assert_eq!(new, old.replacen(place, &format!("{crlf}\r\n\r\n{place}"), 1));
    undo(&scratch, &answer);
    // A method that waits counts: it can be changed, and its name is taken.
    scratch.ok("propose_new_method", json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "code": code }));
    let patch = json!({ "name": "ЦеныИСкидки.НаибольшаяСкидка", "search": "Возврат 10;", "replace": "Возврат 20;" });
    scratch.ok("propose_patch", patch);
    for code in [code, "Процедура базоваяскидка()\nКонецПроцедуры", "А = 1;", "Перем А;\nПроцедура Б()\nКонецПроцедуры"]
    {
        assert_eq!(
            scratch.error("propose_new_method", json!({ "name": "ЦеныИСкидки", "code": code }))["code"],
            "no_place",
            "{code}"
        );
    }
}

#[test]
fn lines_become_a_method_with_the_variables_that_both_sides_use() {
    let scratch = Scratch::demo();
    let old = text_of(&scratch, PRICES);
    let line = |wanted: &str| old.lines().position(|line| line.contains(wanted)).expect("a line") + 1;
    let (first, last) = (line("Скидка = БазоваяСкидка();"), line("Скидка = Скидка + 2;") + 1);
    let split = |from: usize, to: usize, new: &str| json!({ "name": "ЦеныИСкидки.СкидкаПартнера", "from_line": from, "to_line": to, "new_name": new });
    let (answer, new) = applied(&scratch, "propose_split_method", split(first, last, "СкидкаПоОбороту"), PRICES);
    assert_eq!((&answer["parameters"], &answer["returns"]), (&json!(["Оборот"]), &json!("Скидка")));
    assert!(
        new.contains("Дата);\r\n\t\r\n\tСкидка = СкидкаПоОбороту(Оборот);\r\n\t\r\n\tТорговляПереопределяемый"),
        "{new}"
    );
    let method = "Функция СкидкаПоОбороту(Оборот)\r\n\t\r\n\tСкидка = БазоваяСкидка();\r\n\tЕсли Оборот > 1000000 Тогда\r\n\t\tСкидка = Скидка + 5;\r\n\
                  \tИначеЕсли Оборот > 300000 Тогда\r\n\t\tСкидка = Скидка + 2;\r\n\tКонецЕсли;\r\n\r\n\tВозврат Скидка;\r\n\t\r\nКонецФункции\r\n";
    assert!(new.contains(method), "{new}");
    undo(&scratch, &answer);
    // Both variables are known before and used after: they are given on, and come back.
    let answer = scratch.ok("propose_split_method", split(first + 1, last, "УчестьОборот"));
    assert_eq!((&answer["parameters"], &answer["returns"]), (&json!(["Оборот", "Скидка"]), &Value::Null));
    for (from, to, why) in [
        (first + 1, last - 1, "cuts a block"),
        (line("Возврат Скидка;"), line("Возврат Скидка;"), "a return"),
        (line("Функция СкидкаПартнера"), first, "the header"),
        (1, 1, "outside"),
    ] {
        assert_eq!(scratch.error("propose_split_method", split(from, to, "Другой"))["code"], "no_place", "{why}");
    }
    assert_eq!(scratch.error("propose_split_method", split(first, last, "Если"))["code"], "no_place");
    assert_eq!(scratch.error("propose_split_method", split(first, last, "БазоваяСкидка"))["code"], "no_place");
}

#[test]
fn a_variable_gets_another_name_in_its_method_only() {
    let scratch = Scratch::demo();
    let old = text_of(&scratch, PRICES);
    let rename =
        |variable: &str, new: &str| json!({ "name": "ЦеныИСкидки.ЦенаТовара", "variable": variable, "new_name": new });
    let (answer, new) = applied(&scratch, "propose_rename", rename("товар", "Номенклатура"), PRICES);
    assert_eq!(answer["places"], 4, "{answer}");
    assert!(
        new.contains("//  Номенклатура  - СправочникСсылка.Товары")
            && new.contains("ЦенаТовара(Номенклатура, Настройка"),
        "{new}"
    );
    assert_eq!(new.matches("Номенклатура").count(), 4);
    assert_eq!(new.replace("Номенклатура", "Товар"), old);
    undo(&scratch, &answer);
    // Names before which a dot stands are others'.
    let (answer, new) = applied(&scratch, "propose_rename", rename("Настройка", "Параметры"), PRICES);
    assert!(new.contains("Параметры = ЦеныИСкидкиКэш.НастройкаТипаЦен(ТипЦен);"), "{new}");
    undo(&scratch, &answer);
    let error = scratch.error("propose_rename", rename("Тавар", "А"));
    assert!(error["near"].as_array().is_some_and(|near| near.contains(&json!("Товар"))), "{error}");
    assert_eq!(scratch.error("propose_rename", rename("Товар", "Дата"))["code"], "no_place", "taken");
    assert_eq!(scratch.error("propose_rename", rename("Товар", "Для"))["code"], "no_place", "a keyword");
}

#[test]
fn changes_are_listed_shown_and_dropped() {
    let scratch = Scratch::demo();
    assert_eq!(scratch.ok("pending_edits", json!({}))["state"]["outcome"], "empty");
    let patch = json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "Возврат 2;", "title": "Скидка два" });
    scratch.ok("propose_patch", patch);
    let list = scratch.ok("pending_edits", json!({}));
    assert_eq!((&list["edits"][0]["edit"], &list["edits"][0]["title"]), (&json!(1), &json!("Скидка два")));
    let diff = scratch.ok("preview_diff", json!({ "edit": "1" }));
    let text = diff["diffs"][0]["diff"].as_str().expect("a diff");
    assert!(text.contains("-\tВозврат 1;\n+\tВозврат 2;\n"), "{text}");
    let diff = scratch.ok("preview_diff", json!({ "edit": 1, "words": true }));
    assert!(diff["diffs"][0]["diff"].as_str().is_some_and(|text| text.contains("~\tВозврат [-1-]{+2+};")), "{diff}");
    assert_eq!(scratch.error("preview_diff", json!({ "edit": 5 }))["code"], "unknown_edit");
    assert_eq!(scratch.ok("discard_edit", json!({ "edit": 1 }))["status"], "discarded");
    assert_eq!(scratch.error("discard_edit", json!({ "edit": 1 }))["code"], "edit_state");
    assert_eq!(scratch.ok("pending_edits", json!({}))["state"]["outcome"], "empty");
    assert_eq!(scratch.ok("pending_edits", json!({ "all": true }))["edits"][0]["status"], "discarded");
    // What it would have done is still shown.
    assert!(
        scratch.ok("preview_diff", json!({ "edit": 1 }))["diffs"][0]["diff"]
            .as_str()
            .is_some_and(|text| text.contains("+\tВозврат 2;"))
    );
}

#[test]
fn hostile_arguments_are_refused_without_effect() {
    let scratch = Scratch::demo();
    std::fs::write(scratch.folder().join("secret.bsl"), "Возврат 1;").expect("written");
    let before = scratch.everything();
    let absolute = scratch.folder().join("secret.bsl").to_string_lossy().into_owned();
    for name in
        ["../secret.bsl", "CommonModules/../../secret.bsl", &absolute, "/etc/passwd", "..\\secret.bsl", "C:/secret.bsl"]
    {
        for (tool, arguments) in [
            ("propose_patch", json!({ "name": name, "search": "Возврат 1;", "replace": "" })),
            ("propose_insert", json!({ "name": name, "line": 0, "code": "А = 1;" })),
            ("propose_replace_lines", json!({ "name": name, "from_line": 1, "to_line": 1, "code": "" })),
            ("propose_new_method", json!({ "name": name, "code": "Процедура А()\nКонецПроцедуры" })),
            ("propose_split_method", json!({ "name": name, "from_line": 1, "to_line": 1, "new_name": "А" })),
            ("propose_rename", json!({ "name": name, "variable": "А", "new_name": "Б" })),
        ] {
            let code = scratch.error(tool, arguments)["code"].clone();
            assert!(code == "outside_project" || code == "not_a_file", "{tool} {name}: {code}");
        }
    }
    let huge = "я".repeat(5 << 20);
    for (tool, arguments) in [
        ("propose_patch", json!({ "name": PRICES, "search": huge, "replace": "" })),
        ("propose_patch", json!({ "name": PRICES, "search": "Возврат 1;", "replace": huge })),
        ("propose_insert", json!({ "name": PRICES, "line": 0, "code": huge })),
        ("propose_rename", json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "new_name": huge })),
        ("discard_edit", json!({ "edit": huge })),
    ] {
        assert_eq!(scratch.error(tool, arguments)["code"], "bad_argument", "{tool}");
    }
    let nul = json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "\u{0}" });
    assert_eq!(scratch.error("propose_patch", nul)["code"], "blocked");
    assert_eq!(scratch.everything(), before);
    assert!(scratch.tools.edits().list().expect("a list").is_empty());
}

#[test]
fn code_with_names_that_do_not_exist_is_refused_and_what_waits_is_known() {
    let scratch = Scratch::demo();
    let call = |module: &str, method: &str| {
        let replace = format!("{module}.{method}();\n\tВозврат 1;");
        json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": replace })
    };
    let refused = scratch.error("propose_patch", call("ОстаткиСкладов", "ТакогоНетВовсе"));
    assert_eq!(refused["code"], "blocked", "{refused}");
    assert!(refused.to_string().contains("ТакогоНетВовсе"), "{refused}");
    let broken = json!({ "name": "ЦеныИСкидки.БазоваяСкидка", "search": "Возврат 1;", "replace": "Если 1 = 1 Тогда Возврат 1;" });
    assert_eq!(scratch.error("propose_patch", broken)["code"], "blocked");
    // The method comes with a change that waits: it may be called.
    let code = "Процедура ТакогоНетВовсе() Экспорт\nКонецПроцедуры";
    scratch.ok("propose_new_method", json!({ "name": "ОстаткиСкладов", "code": code }));
    scratch.ok("propose_patch", call("ОстаткиСкладов", "ТакогоНетВовсе"));
}
