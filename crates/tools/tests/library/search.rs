//! Search and types on the library, with the time of each call.

use std::time::Instant;

use serde_json::{Value, json};

use super::library;
use super::support::{all_pages, column};

const VALUE: &str = "ОбщегоНазначения.ЗначениеРеквизитаОбъекта";

/// Runs a tool twice and prints the time of both calls: the first one may open something.
fn timed(tool: &str, arguments: Value) -> Value {
    let mut took = Vec::new();
    let mut found = Value::Null;
    for _ in 0..2 {
        let started = Instant::now();
        found = library().ok(tool, arguments.clone());
        took.push(format!("{} ms", started.elapsed().as_millis()));
    }
    println!("{tool} {arguments}: {}, {} characters", took.join(", "), found.to_string().chars().count());
    found
}

#[test]
#[ignore = "corpus"]
fn searches_and_scans() {
    let query = json!({ "query": "значения реквизитов объекта по ссылке", "kind": "method", "limit": 20 });
    for tool in ["semantic_search", "fulltext_search"] {
        let found = timed(tool, query.clone());
        assert!(!column(&found, "hits", "full_name").is_empty(), "{tool}");
    }
    timed("vector_search", query);
    let found = timed("similar_code", json!({ "name": VALUE, "limit": 20 }));
    assert_eq!(found["by"], "tokens");
    assert!(
        column(&found, "hits", "full_name")
            .iter()
            .any(|name| name.contains("ЗначениеРеквизитаОбъект") || name.contains("ЗначенияРеквизит")),
        "{found}"
    );
    let code = "Выборка = Запрос.Выполнить().Выбрать();\nПока Выборка.Следующий() Цикл\n\tБлокировка.Заблокировать();\nКонецЦикла;";
    let like = timed("similar_code", json!({ "code": code, "limit": 20 }));
    assert!(!column(&like, "hits", "full_name").is_empty());
    for pattern in [r"Новый\s+HTTPСоединение\(", r"\w+\.\w+\(.*\)", r"(\w+\s*)+;$", "."] {
        let found = timed("regex_search", json!({ "pattern": pattern, "limit": 100 }));
        assert!(found["total"].as_u64() > Some(0), "{pattern}: {found}");
    }
}

#[test]
#[ignore = "corpus"]
fn look_ups() {
    let place = timed("find_definition", json!({ "name": VALUE }));
    assert_eq!(place["definitions"][0]["kind"], "method");
    timed("find_definition", json!({ "name": "ПриСозданииНаСервере" }));
    timed("find_definition", json!({ "name": "Наименование", "within": "Справочник.Пользователи" }));
    for name in [VALUE, "ОбщийМодуль.ОбщегоНазначения", "Справочник.Пользователи", "Справочник.Валюты.Реквизит.Наценка"]
    {
        let found = timed("find_usages", json!({ "name": name }));
        assert!(found["total"].as_u64() > Some(0), "{name}");
    }
    let all = all_pages(library(), "find_usages", json!({ "name": "Справочник.Валюты", "limit": 200 }), "usages");
    assert_eq!(
        Some(all.len() as u64),
        library().ok("find_usages", json!({ "name": "Справочник.Валюты" }))["total"].as_u64()
    );
    timed("list_objects", json!({ "limit": 500 }));
    timed("list_objects", json!({ "kind": "ОбщийМодуль", "subsystem": "СтандартныеПодсистемы", "limit": 500 }));
    timed("list_objects", json!({ "kind": "Form", "part": "форма списка", "limit": 500 }));
    let outline = timed("module_outline", json!({ "name": "ОбщийМодуль.ОбщегоНазначения" }));
    let methods = all_pages(library(), "module_outline", json!({ "name": "ОбщегоНазначения" }), "methods");
    assert_eq!(Some(methods.len() as u64), outline["methods_total"].as_u64());
    timed("module_outline", json!({ "name": "ОбщегоНазначения", "only": "unreached" }));
    timed("read_metadata", json!({ "name": "Справочник.Пользователи" }));
    timed("sql_schema", json!({}));
    timed("sql_schema", json!({ "view": "edges" }));
}

#[test]
#[ignore = "corpus"]
fn types_and_flows() {
    let found = timed("infer_type", json!({ "expression": "Результат", "name": VALUE }));
    assert_eq!(found["is"], "variable", "{found}");
    timed("infer_type", json!({ "expression": "Справочники.Валюты.НайтиПоКоду(\"1\").Наценка", "name": VALUE }));
    timed("variable_flow", json!({ "variable": "Ссылка", "name": VALUE }));
    // Every variable of the longest methods: no answer breaks its ceiling, each source and use stands on its line.
    let sql = "SELECT full_name, line, end_line FROM methods ORDER BY end_line - line DESC LIMIT 3";
    for row in library().ok("sql_select", json!({ "sql": sql }))["rows"].as_array().unwrap() {
        let text =
            library().ok("read_method", json!({ "name": row["full_name"] }))["text"].as_str().unwrap().to_owned();
        let mut assigned: Vec<&str> = text
            .lines()
            .filter_map(|line| line.trim().split_once(" = ").map(|(name, _)| name))
            .filter(|name| !name.contains(['.', ' ', '[', '/']))
            .collect();
        assigned.sort_unstable();
        assigned.dedup();
        for variable in assigned.iter().take(10) {
            let flow = library().ok("variable_flow", json!({ "variable": variable, "name": row["full_name"] }));
            for one in flow["sources"].as_array().unwrap().iter().filter(|one| one["kind"] == "assigned") {
                let text = one["text"].as_str().unwrap().to_lowercase();
                assert!(text.contains(&variable.to_lowercase()), "{variable}: {one}");
            }
        }
    }
}

#[test]
#[ignore = "corpus"]
fn modules_are_read_in_pieces_that_join() {
    let outline = library().ok("module_outline", json!({ "name": "ОбщегоНазначения" }));
    let (mut arguments, mut lines, mut pieces) = (json!({ "name": "ОбщегоНазначения", "to_line": 1500 }), 0, 0);
    loop {
        let piece = timed("read_module", arguments);
        lines += piece["text"].as_str().unwrap().lines().count();
        pieces += 1;
        let next = &piece["text_omitted"]["next"]["arguments"];
        if next.is_null() {
            break;
        }
        arguments = next.clone();
    }
    assert!(pieces > 1 && lines == 1500, "{pieces} pieces, {lines} lines of {}", outline["lines"]);
}
