//! Changes that make a module which isn't there: the right path, look and gates; undone, nothing is left.

mod support;

use serde_json::{Value, json};
use support::Scratch;

const CODE: &str = "// Наибольшая.\nФункция Наибольшая() Экспорт\n\tВозврат 10;\nКонецФункции";

fn edt() -> Scratch {
    Scratch::of(|root| ::support::copy_folder(&::support::demo_edt(), root))
}

fn id(answer: &Value) -> u32 {
    u32::try_from(answer["edit"].as_u64().expect("a number")).expect("small")
}

/// Proposes a module, applies it, and looks that the index sees it and that undoing leaves nothing.
fn made(scratch: &Scratch, tool: &str, arguments: Value, path: &str, module: &str) -> String {
    let before = scratch.everything();
    let answer = scratch.ok(tool, arguments);
    assert_eq!((&answer["files"], &answer["new_files"]), (&json!([path]), &json!([path])), "{answer}");
    assert_eq!(scratch.everything(), before, "{tool} only proposes");
    let shown = scratch.ok("preview_diff", json!({ "edit": answer["edit"] }));
    let diff = shown["diffs"][0]["diff"].as_str().expect("a diff");
    assert!(diff.starts_with(&format!("--- /dev/null\n+++ {path}\n@@ -")), "{diff}");
    scratch.apply(answer["edit"].as_u64().expect("a number"));
    let text = String::from_utf8(scratch.bytes(path)).expect("text");
    scratch.update();
    let outline = scratch.ok("module_outline", json!({ "name": module }));
    assert_eq!(outline["file"], path, "{outline}");
    let method = format!("{module}.Наибольшая");
    assert_eq!(scratch.ok("read_method", json!({ "name": method }))["full_name"], method.as_str());
    scratch.tools.edits().undo(&scratch.index(), id(&answer)).expect("undone");
    assert_eq!(scratch.everything(), before, "undone");
    let folder = scratch.root.join(path);
    assert!(!folder.exists());
    scratch.update();
    scratch.error("module_outline", json!({ "name": format!("{module}.Наибольшая") }));
    text
}

#[test]
fn modules_of_objects_lie_where_the_designer_has_them() {
    let scratch = Scratch::demo();
    let crlf = format!("\u{feff}{}\r\n", CODE.replace('\n', "\r\n"));
    for (name, path, module) in [
        ("Справочник.ТипыЦен.МодульОбъекта", "Catalogs/ТипыЦен/Ext/ObjectModule.bsl", "Catalog.ТипыЦен.ObjectModule"),
        (
            "РегистрНакопления.ОборотыПродаж.МодульМенеджера",
            "AccumulationRegisters/ОборотыПродаж/Ext/ManagerModule.bsl",
            "AccumulationRegister.ОборотыПродаж.ManagerModule",
        ),
        (
            "Catalogs/ТипыЦен/Ext/ObjectModule.bsl",
            "Catalogs/ТипыЦен/Ext/ObjectModule.bsl",
            "Catalog.ТипыЦен.ObjectModule",
        ),
    ] {
        let text = made(&scratch, "propose_new_method", json!({ "name": name, "code": CODE }), path, module);
        assert_eq!(text, crlf, "{name}");
    }
    // A folder that was made for the file went with it.
    assert!(!scratch.root.join("AccumulationRegisters/ОборотыПродаж").exists());
}

#[test]
fn a_form_gets_its_module() {
    let scratch = Scratch::of(|root| {
        ::support::copy_folder(&::support::demo(), root);
        std::fs::remove_dir_all(root.join("CommonForms/ВыборПериодаТорговли/Ext/Form")).expect("removed");
    });
    let code = format!("#Область Служебные\n\n&НаСервере\n{CODE}\n\n#КонецОбласти");
    let text = made(
        &scratch,
        "propose_insert",
        json!({ "name": "ОбщаяФорма.ВыборПериодаТорговли", "code": code }),
        "CommonForms/ВыборПериодаТорговли/Ext/Form/Module.bsl",
        "CommonForm.ВыборПериодаТорговли",
    );
    assert_eq!(text, format!("\u{feff}{}\r\n", code.replace('\n', "\r\n")));
    // A call of a method of the server's alone, from a client's: the new module is judged as the form's.
    let code = "&НаСервере\nПроцедура А()\n\tБ();\nКонецПроцедуры\n\n&НаКлиенте\nПроцедура Б()\nКонецПроцедуры";
    let error = scratch.error("propose_new_method", json!({ "name": "CommonForm.ВыборПериодаТорговли", "code": code }));
    assert_eq!((&error["code"], &error["findings"][0]["gate"]), (&json!("blocked"), &json!("code-context")), "{error}");
}

#[test]
fn in_a_project_of_edt_they_lie_where_edt_has_them() {
    let scratch = edt();
    let (path, module) = ("src/Catalogs/ТипыЦен/ObjectModule.bsl", "Catalog.ТипыЦен.ObjectModule");
    let neighbour = scratch.bytes("src/Catalogs/ТипыЦен/ManagerModule.bsl");
    let arguments = json!({ "name": "Справочник.ТипыЦен.МодульОбъекта", "code": CODE });
    let text = made(&scratch, "propose_new_method", arguments, path, module);
    assert_eq!(text.starts_with('\u{feff}'), neighbour.starts_with("\u{feff}".as_bytes()));
    assert_eq!(text.contains("\r\n"), neighbour.windows(2).any(|two| two == b"\r\n"));
    assert_eq!(text.trim_start_matches('\u{feff}').lines().collect::<Vec<_>>(), CODE.lines().collect::<Vec<_>>());
}

#[test]
fn gates_judge_the_module_that_it_will_be() {
    let scratch = Scratch::demo();
    let propose = |code: &str| json!({ "name": "Справочник.ТипыЦен.МодульОбъекта", "code": code });
    // What the object has is there without a dot; what nobody has is not.
    scratch.ok("propose_new_method", propose("Процедура А()\n\tНаименование = ЭтотОбъект.Код;\nКонецПроцедуры"));
    let scratch = Scratch::demo();
    for (code, gate) in [
        ("Процедура А()\n\tЦеныИСкидки.НетТакого();\nКонецПроцедуры", "code-module-method-unknown"),
        ("Процедура А()\n\tБ = Справочники.НетТакого;\nКонецПроцедуры", "code-metadata-unknown"),
        ("Процедура А()\n\tЕсли Код = \"\" Тогда\nКонецПроцедуры", "code-blocks"),
    ] {
        let error = scratch.error("propose_new_method", propose(code));
        assert_eq!(error["code"], "blocked", "{error}");
        let found: Vec<&Value> = error["findings"].as_array().expect("a list").iter().map(|one| &one["gate"]).collect();
        assert!(found.contains(&&json!(gate)), "{found:?}");
    }
    assert!(scratch.ok("pending_edits", json!({}))["edits"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn what_no_object_may_have_is_not_made() {
    let scratch = Scratch::demo();
    for name in [
        "Перечисление.ВидыПартнеров.МодульОбъекта",
        "Справочник.НетТакого.МодульОбъекта",
        "Catalogs/ТипыЦен/Ext/Other.bsl",
        "Catalogs/ТипыЦен/Ext/../Ext/ObjectModule.bsl",
        "CommonModules/Новый/Ext/Module.bsl",
        "src/Catalogs/ТипыЦен/ObjectModule.bsl",
    ] {
        scratch.error("propose_new_method", json!({ "name": name, "code": CODE }));
    }
    // Others say which tool makes it; an object without modules says which there may be.
    let name = "Справочник.ТипыЦен.МодульОбъекта";
    let error = scratch.error("propose_patch", json!({ "name": name, "search": "А", "replace": "Б" }));
    assert!(error["message"].as_str().is_some_and(|text| text.contains("propose_new_method")), "{error}");
    let result = scratch.call("propose_new_method", json!({ "name": "РегистрНакопления.ОборотыПродаж", "code": CODE }));
    assert!(
        !result.ok && result.content.contains("AccumulationRegister.ОборотыПродаж.ManagerModule"),
        "{}",
        result.content
    );
}

#[test]
fn what_stands_on_a_new_module_waits_for_it_and_another_hand_is_not_written_over() {
    let scratch = Scratch::demo();
    let path = "Catalogs/ТипыЦен/Ext/ObjectModule.bsl";
    let name = "Справочник.ТипыЦен.МодульОбъекта";
    let first = scratch.ok("propose_new_method", json!({ "name": name, "code": CODE }));
    let second =
        scratch.ok("propose_patch", json!({ "name": format!("{name}.Наибольшая"), "search": "10", "replace": "20" }));
    assert_eq!(second["new_files"], Value::Null, "{second}");
    let edits = scratch.tools.edits();
    let code = |error: metascope_tools::ToolError| error.code();
    assert_eq!(edits.apply(&scratch.index(), &[id(&second)]).map_err(code).unwrap_err(), "stands_on");
    assert_eq!(edits.discard(&scratch.index(), id(&first)).map_err(code).unwrap_err(), "stands_on");
    edits.apply(&scratch.index(), &[id(&first), id(&second)]).expect("applied");
    assert!(String::from_utf8(scratch.bytes(path)).expect("text").contains("Возврат 20;"));
    assert_eq!(edits.undo(&scratch.index(), id(&first)).map_err(code).unwrap_err(), "conflict");
    edits.undo(&scratch.index(), id(&second)).expect("undone");
    edits.undo(&scratch.index(), id(&first)).expect("undone");
    assert!(!scratch.root.join(path).exists());

    let third = scratch.ok("propose_new_method", json!({ "name": name, "code": CODE }));
    std::fs::write(scratch.root.join(path), "// Чужое").expect("written");
    assert_eq!(edits.apply(&scratch.index(), &[id(&third)]).map_err(code).unwrap_err(), "conflict");
    assert_eq!(scratch.bytes(path), "// Чужое".as_bytes());
}
