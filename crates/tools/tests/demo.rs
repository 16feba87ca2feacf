//! Each tool on the demo configuration: what it finds, and an empty, an ambiguous, an oversized and a misspelt input.

#[path = "demo/search.rs"]
mod search;
mod support;
#[path = "demo/types.rs"]
mod types;

use ::support::demo as demo_folder;
use serde_json::{Value, json};
use support::{Project, all_pages, column};

fn demo() -> &'static Project {
    Project::demo()
}

/// Tools that take one name.
const BY_NAME: &[&str] = &[
    "callers",
    "callees",
    "entry_points",
    "object_passport",
    "method_passport",
    "read_method",
    "find_usages",
    "module_outline",
    "read_module",
    "read_metadata",
];

#[test]
fn an_empty_name_is_an_error_with_a_right_call() {
    for tool in BY_NAME {
        for arguments in [json!({}), json!({ "name": " " }), json!({ "name": null }), Value::Null] {
            let error = demo().error(tool, arguments);
            assert_eq!(error["code"], "bad_argument", "{tool}");
            assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("\"name\"")), "{tool}: {error}");
        }
    }
    for (tool, argument) in [
        ("hybrid_search", "query"),
        ("resolve_entity", "query"),
        ("literal_search", "text"),
        ("sql_select", "sql"),
        ("call_path", "from"),
        ("semantic_search", "query"),
        ("fulltext_search", "query"),
        ("vector_search", "query"),
        ("regex_search", "pattern"),
        ("find_definition", "name"),
        ("infer_type", "expression"),
        ("variable_flow", "variable"),
    ] {
        let error = demo().error(tool, json!({ argument: "" }));
        assert!(error["message"].as_str().is_some_and(|message| message.contains(argument)), "{tool}: {error}");
    }
}

#[test]
fn a_misspelt_name_is_an_error_with_the_nearest() {
    for tool in BY_NAME {
        let error = demo().error(tool, json!({ "name": "ЦеныИСкидки.ЦенаТвара" }));
        assert_eq!(error["code"], "unknown_name", "{tool}");
        assert_eq!(error["nearest"][0], "CommonModule.ЦеныИСкидки.ЦенаТовара", "{tool}: {error}");
    }
    let error = demo().error("call_path", json!({ "from": "Документ.ПродажаТоваров", "to": "Документ.ПродажаТавара" }));
    assert_eq!(error["code"], "unknown_name");
}

#[test]
fn an_ambiguous_name_is_an_error_with_the_candidates() {
    for tool in BY_NAME {
        let error = demo().error(tool, json!({ "name": "ОбработкаПроведения" }));
        assert_eq!(error["code"], "ambiguous_name", "{tool}");
        let candidates = error["candidates"].as_array().expect("candidates");
        assert!(
            candidates.contains(&json!("Document.ПродажаТоваров.ObjectModule.ОбработкаПроведения")),
            "{tool}: {error}"
        );
    }
    let found = demo().ok("resolve_entity", json!({ "query": "ОбработкаПроведения" }));
    assert_eq!(found["state"]["outcome"], "ambiguous");
    assert!(column(&found, "matches", "how").iter().all(|how| *how == "exact"));
}

#[test]
fn oversized_input_is_refused_without_effect() {
    let huge = "я".repeat(5 << 20);
    for tool in BY_NAME {
        assert_eq!(demo().error(tool, json!({ "name": huge }))["code"], "bad_argument", "{tool}");
    }
    for (tool, argument) in [
        ("hybrid_search", "query"),
        ("resolve_entity", "query"),
        ("literal_search", "text"),
        ("sql_select", "sql"),
        ("regex_search", "pattern"),
        ("similar_code", "code"),
        ("list_objects", "part"),
        ("sql_schema", "view"),
        ("infer_type", "expression"),
    ] {
        assert_eq!(demo().error(tool, json!({ argument: huge }))["code"], "bad_argument", "{tool}");
    }
    assert_eq!(demo().error("configuration_overview", json!({ "section": huge }))["code"], "bad_argument");
    let deep = format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(demo().error("sql_select", json!({ "sql": deep }))["code"], "sql");
}

#[test]
fn callers_of_a_method_with_their_evidence() {
    for name in ["ЦеныИСкидки.ЦенаТовара", "общиймодуль.ценыискидки.ценатовара", "CommonModule.ЦеныИСкидки.ЦенаТовара"]
    {
        let found = demo().ok("callers", json!({ "name": name }));
        assert_eq!(found["full_name"], "CommonModule.ЦеныИСкидки.ЦенаТовара");
        let sources = column(&found, "edges", "source");
        assert!(
            sources.iter().any(|source| source.starts_with("Document.ПродажаТоваров.Form.ФормаДокумента.")),
            "{found}"
        );
        let edge = &found["edges"][0];
        let file = demo_folder().join(edge["file"].as_str().expect("a file"));
        let text = std::fs::read_to_string(file).expect("the file");
        let line = text.lines().nth(edge["line"].as_u64().expect("a line") as usize - 1).expect("the line");
        assert!(line.contains("ЦенаТовара"), "{line}");
    }
    let found = demo().ok(
        "callers",
        json!({ "name": "Документ.ПродажаТоваров.МодульОбъекта.ОбработкаПроведения", "channels": "platform_handler" }),
    );
    assert_eq!(column(&found, "edges", "channel"), ["platform_handler"]);
}

#[test]
fn no_callers_say_whether_that_is_proven() {
    let found =
        demo().ok("callers", json!({ "name": "ЦеныИСкидки.РентабельностьПродаж", "channels": ["http_service"] }));
    assert_eq!(found["state"]["outcome"], "empty");
    assert_eq!(found["state"]["complete"], false, "a filter by channel proves nothing");
    assert!(!found["state"]["reasons"].as_array().expect("reasons").is_empty());
    assert_eq!(found["edges"], json!([]));
}

#[test]
fn pages_join_to_the_whole() {
    let whole = all_pages(demo(), "callees", json!({ "name": "Документ.ПродажаТоваров", "limit": 400 }), "edges");
    let pages = all_pages(demo(), "callees", json!({ "name": "Документ.ПродажаТоваров", "limit": "3" }), "edges");
    assert!(whole.len() > 6);
    assert_eq!(pages, whole);
}

#[test]
fn a_path_and_no_path() {
    let found = demo()
        .ok("call_path", json!({ "from": "Документ.ПродажаТоваров", "to": "ПроведениеТорговли.НачатьПроведение" }));
    let edges = found["edges"].as_array().expect("edges");
    assert_eq!(
        edges.last().map(|edge| &edge["target"]),
        Some(&json!("CommonModule.ПроведениеТорговли.НачатьПроведение"))
    );
    let none = demo()
        .ok("call_path", json!({ "from": "ПроведениеТорговли.НачатьПроведение", "to": "Документ.ПродажаТоваров" }));
    assert_eq!((&none["state"]["outcome"], &none["steps"]), (&json!("empty"), &json!(0)));
}

#[test]
fn ways_in_lead_from_outside_to_the_thing() {
    let found = demo().ok("entry_points", json!({ "name": "ПроведениеТорговли.НачатьПроведение" }));
    let entries = found["entries"].as_array().expect("entries");
    assert!(!entries.is_empty());
    for entry in entries {
        let chain = entry["chain"].as_array().expect("a chain");
        assert_eq!(chain.first().map(|edge| &edge["source"]), Some(&entry["entry"]));
        assert_eq!(
            chain.last().map(|edge| &edge["target"]),
            Some(&json!("CommonModule.ПроведениеТорговли.НачатьПроведение"))
        );
    }
}

#[test]
fn passports_of_objects_parts_modules_and_methods() {
    let found = demo().ok("object_passport", json!({ "name": "Документы.ПродажаТоваров" }));
    assert_eq!((&found["full_name"], &found["kind"]), (&json!("Document.ПродажаТоваров"), &json!("Document")));
    assert!(
        column(&found, "methods", "full_name")
            .contains(&"Document.ПродажаТоваров.ManagerModule.ИнициализироватьДанныеДокумента"),
        "{found}"
    );
    let attribute = column(&found, "attributes", "name").first().copied().expect("an attribute").to_owned();
    let full = demo().ok("sql_select", json!({ "sql": format!("SELECT full_name FROM attributes WHERE object = 'Document.ПродажаТоваров' AND name = '{attribute}'") }));
    let part = demo().ok("object_passport", json!({ "name": full["rows"][0]["full_name"] }));
    assert_eq!(
        (&part["full_name"], &part["asked_for"]),
        (&json!("Document.ПродажаТоваров"), &full["rows"][0]["full_name"])
    );

    let method = demo().error("object_passport", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    assert_eq!((&method["code"], &method["next"][0]["tool"]), (&json!("wrong_kind"), &json!("method_passport")));
    let object = demo().error("method_passport", json!({ "name": "ОбщийМодуль.ЦеныИСкидки" }));
    assert_eq!((&object["code"], &object["next"][0]["tool"]), (&json!("wrong_kind"), &json!("read_method")));

    let found = demo().ok("method_passport", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    assert_eq!(found["signature"], "Функция ЦенаТовара(Товар, ТипЦен, Дата) Экспорт");
    assert!(found["callers_total"].as_u64().is_some_and(|total| total > 0));
}

#[test]
fn the_text_of_a_method_and_of_its_rest() {
    let found = demo().ok("read_method", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    let text = found["text"].as_str().expect("text");
    assert!(text.contains("Функция ЦенаТовара(") && text.trim_end().ends_with("КонецФункции"), "{text}");
    let first = found["line"].as_u64().expect("a line");
    let rest = demo().ok("read_method", json!({ "name": "ЦеныИСкидки.ЦенаТовара", "line": (first + 2).to_string() }));
    assert_eq!(
        rest["text"].as_str().map(str::to_owned),
        Some(text.lines().skip(2).map(|line| format!("{line}\n")).collect())
    );
    let beyond = demo().ok("read_method", json!({ "name": "ЦеныИСкидки.ЦенаТовара", "from_line": 100_000 }));
    assert_eq!(beyond["line"], beyond["end_line"]);
}

#[test]
fn text_in_the_code() {
    let found = demo().ok("literal_search", json!({ "text": "ПроведениеТорговли.НачатьПроведение" }));
    assert!(found["total"].as_u64().is_some_and(|total| total >= 2), "{found}");
    let within = demo().ok(
        "literal_search",
        json!({ "text": "ПроведениеТорговли.НачатьПроведение", "где": "Документ.ПродажаТоваров" }),
    );
    assert_eq!(column(&within, "hits", "full_name"), ["Document.ПродажаТоваров.ObjectModule.ОбработкаПроведения"]);
    let none = demo().ok("literal_search", json!({ "text": "такого текста здесь нет.*" }));
    assert_eq!((&none["state"]["outcome"], &none["state"]["complete"]), (&json!("empty"), &json!(true)));
    assert_eq!(
        demo().error("literal_search", json!({ "text": "А", "within": "Документ.Нет" }))["code"],
        "unknown_name"
    );
}

#[test]
fn words_and_phrases_are_resolved() {
    let first = |query: &str, kind: &str| {
        let found = demo().ok("resolve_entity", json!({ "query": query, "kind": kind }));
        (
            found["matches"][0]["full_name"].as_str().unwrap_or_default().to_owned(),
            found["matches"][0]["how"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let is = |name: &str, how: &str| (name.to_owned(), how.to_owned());
    assert_eq!(first("Документ.ПродажаТоваров", "any"), is("Document.ПродажаТоваров", "exact"));
    assert_eq!(first("документ продажа товаров", "объект"), is("Document.ПродажаТоваров", "name"));
    assert_eq!(first("продажи товара", "any"), is("Document.ПродажаТоваров", "name"));
    assert_eq!(first("ЦенаТовара", "function"), is("CommonModule.ЦеныИСкидки.ЦенаТовара", "exact"));
    let none = demo().ok("resolve_entity", json!({ "query": "ЦеныИСкидки.ЦенаТвара" }));
    assert_eq!((&none["state"]["outcome"], &none["matches"]), (&json!("empty"), &json!([])));
    assert_eq!(none["nearest"][0], "CommonModule.ЦеныИСкидки.ЦенаТовара");
}

#[test]
fn search_without_vectors_says_so() {
    let found = demo().ok("hybrid_search", json!({ "query": "цена товара", "kind": "method" }));
    assert!(column(&found, "hits", "full_name").contains(&"CommonModule.ЦеныИСкидки.ЦенаТовара"), "{found}");
    assert_eq!(found["state"]["complete"], false);
    let none = demo().ok("hybrid_search", json!({ "query": "хщъ" }));
    assert_eq!(none["state"]["outcome"], "empty");
}

#[test]
fn sql_and_what_is_wrong_with_it() {
    let found = demo().ok("sql_select", json!({ "sql": "SELECT count(*) AS n FROM objects;" }));
    assert!(found["rows"][0]["n"].as_u64().is_some_and(|n| n > 40));
    let methods = demo().ok("sql_select", json!({ "sql": "SELECT count(*) AS n FROM methods" }))["rows"][0]["n"]
        .as_u64()
        .expect("a number");
    let all = all_pages(
        demo(),
        "sql_select",
        json!({ "sql": "SELECT full_name FROM methods ORDER BY 1", "limit": 1000 }),
        "rows",
    );
    assert_eq!(all.len() as u64, methods, "pages of a query join to the whole");
    let error = demo().error("sql_select", json!({ "sql": "SELECT full_nam FROM objects" }));
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("full_name")), "{error}");
    assert_eq!(demo().error("sql_select", json!({ "sql": "DELETE FROM objects" }))["code"], "sql");
    let empty = demo().ok("sql_select", json!({ "sql": "SELECT * FROM objects WHERE 0" }));
    assert_eq!(empty["state"]["outcome"], "empty");
}

#[test]
fn the_overview_and_its_sections() {
    let found = demo().ok("configuration_overview", json!({}));
    assert!(found["methods"].as_u64().is_some_and(|n| n > 50));
    for section in ["подсистемы", "hubs", "integrations", "sizes"] {
        demo().ok("configuration_overview", json!({ "section": section }));
    }
    let error = demo().error("configuration_overview", json!({ "section": "hub5" }));
    assert!(error["message"].as_str().is_some_and(|message| message.contains("hubs")), "{error}");
}

#[test]
fn names_in_a_text_are_judged() {
    use metascope_tools::{NameState, grounding};
    let index = demo().index();
    let judge = |name: &str| grounding::check(&index, name).expect("the index can be read");
    for known in [
        "Документ.ПродажаТоваров",
        "ЦеныИСкидки.ЦенаТовара",
        "Справочники.Товары.НайтиПоКоду",
        "СправочникСсылка.Товары",
        "Метаданные.Документы.ПродажаТоваров",
    ] {
        assert_eq!(judge(known), NameState::Known, "{known}");
    }
    let files =
        ["Configuration.xml", "Configuration.mdo", "Catalog.Товары.ObjectModule.txt", "Документ.Нет.Form.Ф.bsl"];
    for not_a_name in ["Запрос.Выполнить", "ЭтотОбъект.Товары", "и.т"].into_iter().chain(files)
    {
        assert_eq!(judge(not_a_name), NameState::NotAName, "{not_a_name}");
    }
    let NameState::Unknown { nearest } = judge("ЦеныИСкидки.ЦенаТоваров") else {
        panic!("it does not exist")
    };
    assert_eq!(nearest.first().map(String::as_str), Some("CommonModule.ЦеныИСкидки.ЦенаТовара"));
    assert!(matches!(judge("Справочник.Товарищи"), NameState::Unknown { .. }));
    // Members of an object, by its own name, and of its manager.
    assert_eq!(judge("Партнеры.ЛимитДолга"), NameState::Known);
    assert!(matches!(judge("Партнеры.ЛимитДолгов"), NameState::Unknown { .. }));
    assert!(matches!(judge("Справочники.Товары.НайтиПоКодуИли"), NameState::Unknown { .. }));
    assert!(matches!(judge("Перечисления.СпособыРасчетовПартнеров.Отсрочки"), NameState::Unknown { .. }));
}

/// The list of findings of a call, as `check: name`.
fn findings(answer: &Value) -> Vec<String> {
    let rows = answer["findings"].as_array().cloned().unwrap_or_default();
    let shown =
        |row: &Value| format!("{}: {}", row["check"].as_str().unwrap_or(""), row["name"].as_str().unwrap_or(""));
    rows.iter().map(shown).collect()
}

#[test]
fn syntax_of_a_text_and_of_a_method() {
    let wrong = demo().ok("check_syntax", json!({ "text": "Если А Тогда\n\tБ = (1 + ;\nКонецЕсли;" }));
    assert_eq!((findings(&wrong), wrong["findings"][0]["line"].as_u64()), (vec!["code-syntax: ".to_owned()], Some(2)));
    let right = demo().ok("check_syntax", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    assert_eq!((&right["state"]["outcome"], &right["state"]["complete"]), (&json!("empty"), &json!(true)));
    assert_eq!(demo().error("check_syntax", json!({}))["code"], "bad_argument");
}

#[test]
fn code_is_judged_in_the_module_that_it_belongs_in() {
    let text = "Процедура Новая()\n\tЦеныИСкидки.ЦенаТоваров(1);\n\tБ = Справочники.Товарищи;\nКонецПроцедуры";
    let arguments = json!({ "text": text, "module": "ОбщийМодуль.ПроведениеТорговли" });
    let expected =
        ["code-module-method-unknown: ЦеныИСкидки.ЦенаТоваров", "code-metadata-unknown: Справочники.Товарищи"];
    let found = demo().ok("scan_code", arguments.clone());
    assert_eq!((findings(&found), found["blocking"].as_u64()), (expected.map(str::to_owned).to_vec(), Some(2)));
    assert_eq!(found["findings"][0]["nearest"][0], "ЦенаТовара");
    assert_eq!(findings(&demo().ok("check_grounding", arguments)), expected);
    // Without a module nothing can be said of names, and that is said.
    let found = demo().ok("scan_code", json!({ "text": text }));
    assert_eq!((&found["state"]["complete"], findings(&found).len()), (&json!(false), 0));
    let whole = demo().ok("scan_code", json!({ "name": "Документ.ПродажаТоваров.МодульОбъекта" }));
    assert_eq!(whole["state"]["outcome"], "empty", "{whole}");
}

#[test]
fn names_in_prose_are_looked_up() {
    let text =
        "Читай Справочник.Товары и Справочник.Товарищи, потом ЦеныИСкидки.ЦенаТовара(1, 2, 3, 4, 5, 6, 7, 8, 9).";
    let found = demo().ok("check_grounding", json!({ "text": text }));
    assert_eq!(column(&found, "unknown", "name"), ["Справочник.Товарищи", "ЦеныИСкидки.ЦенаТовара"], "{found}");
    assert_eq!(found["unknown"][1]["arguments"], 9);
    assert_eq!(demo().ok("check_grounding", json!({ "text": "просто слова" }))["state"]["outcome"], "empty");
}

#[test]
fn a_query_is_judged_with_its_tables_fields_and_parameters() {
    let text =
        "ВЫБРАТЬ Т.Ссылка, Т.Наименованье ИЗ Справочник.Товары КАК Т, Справочник.Товарищи КАК Н ГДЕ Т.Код = &Код";
    let found = demo().ok("check_query", json!({ "text": text }));
    assert_eq!((found["reads"].as_bool(), &found["parameters"]), (Some(true), &json!(["Код"])));
    assert_eq!(column(&found, "problems", "name"), ["Справочник.Товарищи", "Т.Наименованье"], "{found}");
    assert_eq!(column(&found, "tables", "full_name"), ["Catalog.Товары", "Catalog.Товарищи"]);
    assert_eq!(found["fields"][0]["refers_to"], json!(["Catalog.Товары"]), "{found}");
    assert_eq!(demo().ok("check_query", json!({ "text": "ВЫБРАТЬ 1 ИЗ" }))["reads"], false);
}

#[test]
fn the_gate_of_edits_tells_what_an_edit_brings() {
    use metascope_tools::scan::{new_findings, scan};
    let index = demo().index();
    let path = "CommonModules/ПроведениеТорговли/Ext/Module.bsl";
    let text = std::fs::read_to_string(demo_folder().join(path)).expect("a module");
    let before = scan(&index, path, &text).expect("the index");
    assert_eq!(before, []);
    let after =
        scan(&index, path, &format!("{text}\nПроцедура Новая()\n\tНетТакого();\nКонецПроцедуры\n")).expect("the index");
    let brought = new_findings(&before, after.clone());
    assert_eq!(brought.iter().map(|finding| &*finding.name).collect::<Vec<_>>(), ["НетТакого"]);
    // What was there before, wherever it moved to, is not brought.
    let moved = scan(&index, path, &format!("\n\n{text}\nПроцедура Новая()\n\tНетТакого();\nКонецПроцедуры\n"))
        .expect("the index");
    assert_eq!(new_findings(&after, moved), []);
    assert_eq!(scan(&index, "Catalogs/Товары.xml", "<нет").expect("the index"), []);
    // A file that is no module of the index: only how it reads is judged.
    assert_eq!(scan(&index, "Новый.bsl", "НетТакого();").expect("the index"), []);
}

#[test]
fn the_flow_of_a_notification_has_both_ends() {
    let flow = |event: &str| demo().ok("notification_flow", json!({ "event": event }));
    let found = flow("измененыцены");
    let event = &found["events"][0];
    assert_eq!(event["event"], "ИзмененыЦеныТоваров");
    let methods = |key: &str| {
        let ends = event[key].as_array().cloned().unwrap_or_default();
        ends.iter().filter_map(|end| end["method"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert!(methods("senders").iter().any(|method| method.starts_with("DataProcessor.ЗагрузкаПрайса.Form.Форма.")));
    let handler = "Document.ПродажаТоваров.Form.ФормаДокумента.ОбработкаОповещения".to_owned();
    assert!(methods("handlers").contains(&handler), "{event}");
    // By a thing at one of the ends, and all of them.
    let of_form = flow("Документ.ПродажаТоваров.Форма.ФормаДокумента");
    assert!(column(&of_form, "events", "event").contains(&"ПроданТовар"), "{of_form}");
    assert!(demo().ok("notification_flow", json!({}))["total"].as_u64() > of_form["total"].as_u64());
    assert_eq!(flow("ТакогоСобытияНет")["state"]["outcome"], "empty");
}
