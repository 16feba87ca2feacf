//! Each tool on the Standard Subsystems Library: sizes that the demo doesn't have.

#[path = "library/search.rs"]
mod search;
mod support;

use serde_json::{Value, json};
use support::{Project, all_pages, column};

fn library() -> &'static Project {
    Project::library()
}

#[test]
#[ignore = "corpus"]
fn a_method_with_very_many_callers_comes_in_pages() {
    let name = json!({ "name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта", "limit": 400 });
    let first = library().ok("callers", name.clone());
    assert!(
        !first["edges_omitted"].is_null(),
        "it fits into the ceiling: {}",
        first["edges"].as_array().map_or(0, Vec::len)
    );
    let all = all_pages(library(), "callers", name, "edges");
    let sql = "SELECT count(*) AS n FROM edges WHERE target = 'CommonModule.ОбщегоНазначения.ЗначениеРеквизитаОбъекта'";
    let counted = library().ok("sql_select", json!({ "sql": sql }));
    assert_eq!(Some(all.len() as u64), counted["rows"][0]["n"].as_u64());
    let mut places: Vec<String> = all.iter().map(Value::to_string).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), all.len(), "no entry stands on two pages");
}

#[test]
#[ignore = "corpus"]
fn every_tool_keeps_its_ceiling_on_what_is_large() {
    // The ceiling itself is checked by `call`.
    for (tool, arguments) in [
        ("callers", json!({ "name": "ОбщийМодуль.ОбщегоНазначения", "depth": 3, "limit": 400 })),
        ("callees", json!({ "name": "ОбщийМодуль.ОбщегоНазначения", "limit": 400 })),
        ("entry_points", json!({ "name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта", "limit": 100 })),
        ("call_path", json!({ "from": "Справочник.Пользователи", "to": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта" })),
        ("object_passport", json!({ "name": "Справочник.Пользователи" })),
        ("object_passport", json!({ "name": "ОбщийМодуль.ОбщегоНазначения" })),
        ("method_passport", json!({ "name": "ОбщегоНазначения.ЗначениеРеквизитаОбъекта" })),
        ("literal_search", json!({ "text": "Возврат", "limit": 200 })),
        ("hybrid_search", json!({ "query": "пользователь", "limit": 50 })),
        ("resolve_entity", json!({ "query": "настройки", "limit": 50 })),
        ("sql_select", json!({ "sql": "SELECT * FROM methods", "limit": 1000 })),
        (
            "sql_select",
            json!({ "sql": "SELECT group_concat(full_name) FROM (SELECT full_name FROM methods LIMIT 20000)" }),
        ),
        ("configuration_overview", json!({})),
    ] {
        let result = library().call(tool, arguments.clone());
        assert!(result.ok, "{tool} {arguments}: {}", result.content);
        assert!(serde_json::from_str::<Value>(&result.content).is_ok(), "{tool} {arguments}: no JSON after the cut");
    }
}

#[test]
#[ignore = "corpus"]
fn long_methods_are_read_in_pieces_that_join() {
    let sql = "SELECT full_name FROM methods ORDER BY end_line - line DESC LIMIT 5";
    for row in library().ok("sql_select", json!({ "sql": sql }))["rows"].as_array().expect("rows") {
        let name = &row["full_name"];
        let (mut arguments, mut text, mut pieces) = (json!({ "name": name }), String::new(), 0);
        let (mut first, mut last) = (0, 0);
        loop {
            let piece = library().ok("read_method", arguments);
            if pieces == 0 {
                first = piece["line"].as_u64().expect("a line");
                last = piece["end_line"].as_u64().expect("a line");
            }
            text.push_str(piece["text"].as_str().expect("text"));
            pieces += 1;
            let next = &piece["text_omitted"]["next"]["arguments"];
            if next.is_null() {
                break;
            }
            arguments = next.clone();
        }
        assert!(pieces > 1, "{name} fits into the ceiling");
        assert_eq!(text.lines().count() as u64, last - first + 1, "{name}");
    }
}

#[test]
#[ignore = "corpus"]
fn misspelt_ambiguous_and_empty() {
    let misspelt = library().error("callers", json!({ "name": "ОбщегоНазначения.ЗначенияРеквизитаОбьекта" }));
    let nearest = misspelt["nearest"].as_array().expect("names");
    assert!(
        nearest.contains(&json!("CommonModule.ОбщегоНазначения.ЗначенияРеквизитовОбъекта"))
            || nearest.contains(&json!("CommonModule.ОбщегоНазначения.ЗначениеРеквизитаОбъекта")),
        "{misspelt}"
    );
    let ambiguous = library().error("method_passport", json!({ "name": "ПриСозданииНаСервере" }));
    assert!(
        ambiguous["candidates"].as_array().is_some_and(|candidates| candidates.len() > 1),
        "{}",
        ambiguous["message"]
    );
    let several = library().ok("resolve_entity", json!({ "query": "ПриСозданииНаСервере" }));
    assert_eq!(several["state"]["outcome"], "ambiguous");
    let empty = library().ok("literal_search", json!({ "text": "такой строки в библиотеке точно нет" }));
    assert_eq!((&empty["state"]["outcome"], &empty["total"]), (&json!("empty"), &json!(0)));
    let bomb = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    assert_eq!(library().error("sql_select", json!({ "sql": bomb }))["code"], "sql");
}

#[test]
#[ignore = "corpus"]
fn phrases_find_their_objects() {
    for (phrase, expected) in [
        ("справочник валюты", "Catalog.Валюты"),
        ("Справочник пользователей", "Catalog.Пользователи"),
        ("cfg:CatalogRef.Валюты", "Catalog.Валюты"),
        ("регистр сведений курсы валют", "InformationRegister.КурсыВалют"),
    ] {
        let found = library().ok("resolve_entity", json!({ "query": phrase }));
        assert_eq!(column(&found, "matches", "full_name").first(), Some(&expected), "{phrase}: {found}");
    }
}
