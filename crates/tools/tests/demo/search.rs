//! Search and types: what each tool finds on the demo, and how it says that it found nothing.

use serde_json::{Value, json};

use super::support::{Project, all_pages, column};
use super::{demo, demo_folder};

const PRICE: &str = "CommonModule.ЦеныИСкидки.ЦенаТовара";

fn names(value: &Value) -> Vec<&str> {
    column(value, "hits", "full_name")
}

#[test]
fn search_by_meaning_falls_back_on_words_and_says_so() {
    let query = json!({ "query": "цена товара", "kind": "method" });
    let without = demo().ok("semantic_search", query.clone());
    assert_eq!((&without["by"], &without["state"]["complete"]), (&json!("words"), &json!(false)));
    assert!(names(&without).contains(&PRICE), "{without}");
    let with = Project::with_vectors().ok("semantic_search", query.clone());
    assert_eq!((&with["by"], &with["state"]["complete"]), (&json!("vectors"), &json!(true)), "{with}");
    assert!(!names(&with).is_empty());

    let empty = demo().ok("vector_search", query.clone());
    assert_eq!((&empty["state"]["outcome"], &empty["instead"]["tool"]), (&json!("empty"), &json!("fulltext_search")));
    let near = Project::with_vectors().ok("vector_search", query.clone());
    let scores: Vec<f64> = near["hits"].as_array().unwrap().iter().filter_map(|hit| hit["score"].as_f64()).collect();
    assert!(scores.len() == 10 && scores.windows(2).all(|pair| pair[0] >= pair[1]), "{near}");
    let words = demo().ok("fulltext_search", query);
    assert!(names(&words).contains(&PRICE) && words["state"]["complete"] == true, "{words}");
    assert_eq!(demo().ok("fulltext_search", json!({ "query": "щъхь" }))["state"]["outcome"], "empty");
}

#[test]
fn pages_of_a_search_join() {
    let all = all_pages(demo(), "fulltext_search", json!({ "query": "товар", "kind": "method", "limit": 7 }), "hits");
    let mut full: Vec<String> = all.iter().filter_map(|hit| hit["full_name"].as_str().map(str::to_owned)).collect();
    let count = full.len();
    full.sort();
    full.dedup();
    assert!(count > 14 && full.len() == count, "{count}");
}

#[test]
fn code_like_a_method_and_like_a_piece_of_code() {
    let name = "Документ.ПродажаТоваров.МодульОбъекта.ОбработкаПроведения";
    let found = demo().ok("similar_code", json!({ "name": name }));
    assert_eq!(found["by"], "tokens");
    let best = &found["hits"][0];
    assert!(
        best["full_name"].as_str().is_some_and(|name| name.ends_with(".ObjectModule.ОбработкаПроведения")),
        "{found}"
    );
    assert!(best["score"].as_f64().is_some_and(|score| score > 0.3 && score <= 1.0));
    assert!(
        !names(&found).contains(&"Document.ПродажаТоваров.ObjectModule.ОбработкаПроведения"),
        "it is not like itself"
    );
    let near = Project::with_vectors().ok("similar_code", json!({ "name": name }));
    assert_eq!(near["by"], "vectors", "{near}");

    let code = "Если Сумма2 = 0 Или Сумма2 = Неопределено Тогда\n\tВозврат 0;\nКонецЕсли;";
    let found = demo().ok("similar_code", json!({ "code": code, "by": "tokens" }));
    let first: Vec<&str> = names(&found).into_iter().take(3).collect();
    assert!(first.contains(&"CommonModule.ЦеныИСкидки.РентабельностьПродаж"), "{found}");
    let none = demo().ok("similar_code", json!({ "code": "Перейти ~Метка; ВызватьИсключение(5);" }));
    assert_eq!(none["state"]["outcome"], "empty");
    assert_eq!(demo().error("similar_code", json!({}))["code"], "bad_argument");
    assert_eq!(demo().error("similar_code", json!({ "name": "ОбщийМодуль.ЦеныИСкидки" }))["code"], "wrong_kind");
}

#[test]
fn expressions_find_lines_and_bad_ones_say_what_is_wrong() {
    let found = demo().ok("regex_search", json!({ "pattern": r"ПроведениеТорговли\.(Начать|Завершить)\w+\(" }));
    assert!(found["total"].as_u64().is_some_and(|total| total >= 4), "{found}");
    for hit in found["hits"].as_array().unwrap() {
        let text = std::fs::read_to_string(demo_folder().join(hit["file"].as_str().unwrap())).unwrap();
        let line = text.lines().nth(hit["line"].as_u64().unwrap() as usize - 1).unwrap();
        assert!(line.contains("ПроведениеТорговли."), "{line}");
    }
    let anchored =
        demo().ok("regex_search", json!({ "pattern": r"^\s*КонецПроцедуры$", "где": "Документ.ПродажаТоваров" }));
    assert!(anchored["total"].as_u64().is_some_and(|total| total > 5));
    let none = demo().ok("regex_search", json!({ "regex": r"такого\d{5}нет" }));
    assert_eq!((&none["state"]["outcome"], &none["state"]["complete"]), (&json!("empty"), &json!(true)));
    for hostile in ["(", r"(?=а)б", r"(а)\1", r"((((\w{99}){99}){99}){99})", "[я-а]", "*"] {
        let error = demo().error("regex_search", json!({ "pattern": hostile }));
        assert_eq!(error["code"], "pattern", "{hostile}");
        assert!(error["message"].as_str().is_some_and(|message| message.len() > 30), "{error}");
    }
    // Exponential for an engine that goes back; this one is linear.
    demo().ok("regex_search", json!({ "pattern": r"(\w+\s*)+$", "limit": 1 }));
}

#[test]
fn names_lead_to_their_places() {
    let of = |arguments: Value| demo().ok("find_definition", arguments);
    let found = of(json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    let place = &found["definitions"][0];
    assert_eq!((&place["full_name"], &place["kind"]), (&json!(PRICE), &json!("method")));
    let text = std::fs::read_to_string(demo_folder().join(place["file"].as_str().unwrap())).unwrap();
    let line = text.lines().nth(place["line"].as_u64().unwrap() as usize - 1).unwrap();
    assert!(line.contains("Функция ЦенаТовара("), "{line}");
    assert_eq!(place["read"]["tool"], "read_method");

    for (name, within, full_name, kind) in [
        (
            "рассчитатьстроку",
            "Документ.ПродажаТоваров.Форма.ФормаДокумента",
            "Document.ПродажаТоваров.Form.ФормаДокумента.РассчитатьСтроку",
            "method",
        ),
        (
            "ТоварыПроцентСкидки",
            "Документ.ПродажаТоваров.Форма.ФормаДокумента",
            "Document.ПродажаТоваров.Form.ФормаДокумента.Item.ТоварыПроцентСкидки",
            "Item",
        ),
        (
            "Подобрать",
            "Документ.ПродажаТоваров.Форма.ФормаДокумента",
            "Document.ПродажаТоваров.Form.ФормаДокумента.Command.Подобрать",
            "form_command",
        ),
        (
            "АдресКомандПечати",
            "Документ.ПродажаТоваров.Форма.ФормаДокумента",
            "Document.ПродажаТоваров.Form.ФормаДокумента.АдресКомандПечати",
            "form_attribute",
        ),
        ("Партнер", "Документ.ПродажаТоваров", "Document.ПродажаТоваров.Attribute.Партнер", "Attribute"),
        ("Дата", "Документ.ПродажаТоваров", "Document.ПродажаТоваров.StandardAttribute.Date", "StandardAttribute"),
        ("БазоваяСкидка", "ЦеныИСкидки.ЦенаТовара", "CommonModule.ЦеныИСкидки.БазоваяСкидка", "method"),
    ] {
        let found = of(json!({ "name": name, "within": within }));
        let rows = found["definitions"].as_array().unwrap();
        let hit = rows.iter().find(|row| row["full_name"] == full_name);
        assert!(hit.is_some_and(|row| row["kind"] == kind && row["file"] != ""), "{name}: {found}");
    }
    let object = of(json!({ "name": "Справочники.Товары" }));
    assert_eq!(object["definitions"][0]["full_name"], "Catalog.Товары");
    let several = of(json!({ "name": "ОбработкаПроведения" }));
    assert_eq!(several["state"]["outcome"], "ambiguous");
    assert!(several["definitions"].as_array().unwrap().len() > 2);
    let none = of(json!({ "name": "ЦеныИСкидки.ЦенаТвара" }));
    assert_eq!((&none["state"]["outcome"], &none["nearest"][0]), (&json!("empty"), &json!(PRICE)));
}

#[test]
fn usages_of_methods_and_of_metadata_with_counts_first() {
    let calls = demo().ok("find_usages", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    assert_eq!(calls["usages_are"], "calls");
    let counted: u64 = calls["counts"].as_array().unwrap().iter().filter_map(|pair| pair[1].as_u64()).sum();
    assert_eq!(Some(counted), calls["total"].as_u64());
    let references = demo().ok("find_usages", json!({ "name": "Справочник.Товары" }));
    assert_eq!(references["usages_are"], "references");
    let all =
        demo().ok("sql_select", json!({ "sql": "SELECT count(*) AS n FROM refs WHERE target = 'Catalog.Товары'" }));
    assert_eq!(references["total"], all["rows"][0]["n"]);
    let pages = all_pages(demo(), "find_usages", json!({ "name": "Справочник.Товары", "limit": 15 }), "usages");
    assert_eq!(Some(pages.len() as u64), references["total"].as_u64());
    let kind = references["counts"][0][0].as_str().unwrap();
    let some = demo().ok("find_usages", json!({ "name": "Справочник.Товары", "kinds": [kind] }));
    assert!(column(&some, "usages", "kind").iter().all(|one| *one == kind));
    let none = demo().ok("find_usages", json!({ "name": "Справочник.Товары", "kinds": "нет_такого" }));
    assert_eq!(none["state"]["outcome"], "empty");
    assert!(none["total"].as_u64() > Some(0), "what there is is counted all the same");
}

#[test]
fn objects_by_filters() {
    let of = |arguments: Value| demo().ok("list_objects", arguments);
    let catalogs = of(json!({ "kind": "Справочники", "part": "товар" }));
    assert!(column(&catalogs, "objects", "full_name").contains(&"Catalog.Товары"));
    assert!(column(&catalogs, "objects", "full_name").iter().all(|name| name.starts_with("Catalog.")));
    let all = of(json!({ "limit": 500 }));
    let counted = all["counts"].as_object().unwrap().values().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!(Some(counted), all["total"].as_u64());
    let sql = "SELECT count(*) AS n FROM objects WHERE parent IS NULL";
    assert_eq!(demo().ok("sql_select", json!({ "sql": sql }))["rows"][0]["n"], all["total"]);
    let subsystem = demo().ok("sql_select", json!({ "sql": "SELECT owner, item FROM subsystem_content LIMIT 1" }));
    let row = &subsystem["rows"][0];
    let name = row["owner"].as_str().unwrap().rsplit('.').next().unwrap();
    let content = all_pages(demo(), "list_objects", json!({ "subsystem": name, "limit": 5 }), "objects");
    assert!(content.iter().any(|object| object["full_name"] == row["item"]), "{name}");
    let none = of(json!({ "kind": "Документ", "part": "нет такого" }));
    assert_eq!(none["state"]["outcome"], "empty");
    assert!(none["state"]["reasons"][0].as_str().is_some_and(|why| why.contains("без part")), "{none}");
    let wrong = demo().error("list_objects", json!({ "kind": "Спраочник" }));
    assert!(wrong["message"].as_str().is_some_and(|message| message.contains("Catalog")), "{wrong}");
    assert_eq!(demo().error("list_objects", json!({ "subsystem": "Нетакой" }))["code"], "unknown_name");
    assert_eq!(demo().error("list_objects", json!({ "subsystem": "Справочник.Товары" }))["code"], "wrong_kind");
}

#[test]
fn the_outline_of_a_module() {
    let of = |arguments: Value| demo().ok("module_outline", arguments);
    let form = of(json!({ "name": "Документ.ПродажаТоваров.Форма.ФормаДокумента" }));
    let method = |name: &str| {
        form["methods"].as_array().unwrap().iter().find(|row| row["name"] == name).cloned().unwrap_or_default()
    };
    let by = method("ПартнерПриИзменении")["by"][0].as_str().unwrap_or_default().to_owned();
    assert!(by.starts_with("form_element_event "), "{by}");
    assert_eq!(method("ПартнерПриИзменении")["region"], "ОбработчикиСобытийЭлементовШапкиФормы");
    assert!(form["regions"].as_array().unwrap().len() > 3);
    assert!(form["handlers"].as_u64() > Some(3) && form["methods_total"].as_u64() > form["handlers"].as_u64());
    let handlers = of(json!({ "name": "Документ.ПродажаТоваров.Форма.ФормаДокумента", "only": "обработчики" }));
    assert_eq!(Some(handlers["methods"].as_array().unwrap().len() as u64), form["handlers"].as_u64());
    let export = of(json!({ "name": "ЦеныИСкидки", "only": "export" }));
    assert!(column(&export, "methods", "name").contains(&"ЦенаТовара"));
    let several = of(json!({ "name": "Документ.ПродажаТоваров" }));
    assert_eq!(several["state"]["outcome"], "ambiguous");
    assert_eq!(several["modules"][0]["next"]["tool"], "module_outline");
    assert_eq!(
        demo().error("module_outline", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }))["next"][0]["tool"],
        "read_method"
    );
}

#[test]
fn lines_of_a_module() {
    let file = "CommonModules/ЦеныИСкидки/Ext/Module.bsl";
    let text = std::fs::read_to_string(demo_folder().join(file)).unwrap();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    for name in ["ЦеныИСкидки", file] {
        let found = demo().ok("read_module", json!({ "name": name, "from_line": 12, "to_line": "16" }));
        assert_eq!(found["text"], lines[11..16].iter().map(|line| format!("{line}\n")).collect::<String>(), "{name}");
        assert_eq!((&found["line"], &found["end_line"]), (&json!(12), &json!(16)));
        assert_eq!(found["full_name"], "CommonModule.ЦеныИСкидки");
    }
    let beyond = demo().ok("read_module", json!({ "name": "ЦеныИСкидки", "from_line": 100_000 }));
    assert_eq!(beyond["state"]["outcome"], "empty");
    for path in ["../../etc/passwd", "/etc/passwd", "CommonModules/Нет/Ext/Module.bsl", "C:\\Windows\\win.ini"] {
        assert_eq!(demo().error("read_module", json!({ "file": path }))["code"], "unknown_name", "{path}");
    }
}

#[test]
fn metadata_as_it_stands_there() {
    let of = |arguments: Value| demo().ok("read_metadata", arguments);
    let document = of(json!({ "name": "Документ.ПродажаТоваров" }));
    assert!(column(&document, "attributes", "name").contains(&"Партнер"));
    assert!(document["properties"].as_array().is_some_and(|rows| !rows.is_empty()));
    let attributes = of(json!({ "name": "Документ.ПродажаТоваров", "section": "реквизиты" }));
    assert!(attributes["properties"].is_null());
    let partner = of(json!({ "name": "Документ.ПродажаТоваров.Реквизит.Партнер" }));
    assert_eq!(partner["types"], json!(["CatalogRef.Партнеры"]), "{partner}");
    let form = of(json!({ "name": "Документ.ПродажаТоваров.Форма.ФормаДокумента" }));
    assert!(column(&form, "form_attributes", "name").contains(&"АдресКомандПечати"));
    assert!(column(&form, "form_commands", "name").contains(&"Подобрать"));
    let error = demo().error("read_metadata", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    assert_eq!((&error["code"], &error["next"][0]["tool"]), (&json!("wrong_kind"), &json!("method_passport")));
}

#[test]
fn the_schema_of_the_views() {
    let all = demo().ok("sql_schema", json!({}));
    let views = all["views"].as_array().unwrap();
    assert!(all["views_omitted"].is_null(), "it does not fit");
    for view in views {
        let sql = format!(
            "SELECT {} FROM {}",
            view["columns"]
                .as_array()
                .unwrap()
                .iter()
                .map(|column| format!("\"{}\"", column.as_str().unwrap()))
                .collect::<Vec<_>>()
                .join(", "),
            view["view"].as_str().unwrap()
        );
        demo().ok("sql_select", json!({ "sql": sql, "limit": 1 }));
        assert!(view["is"].as_str().is_some_and(|text| !text.is_empty()), "{view}");
    }
    let edges = demo().ok("sql_schema", json!({ "table": "EDGES" }));
    assert_eq!(edges["columns"][0], "source");
    assert!(edges["count"].as_u64() > Some(100));
    let error = demo().error("sql_schema", json!({ "view": "egdes" }));
    assert!(error["message"].as_str().is_some_and(|message| message.contains("edges")), "{error}");
}
