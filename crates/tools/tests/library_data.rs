//! The tools on data, graph, reports and reference on the Standard Subsystems Library: sizes that the demo doesn't have, and the time
//! that each takes.

mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Project, all_pages};

fn library() -> &'static Project {
    Project::library()
}

/// Longest time of a point look-up. A build with optimisations is held to it; another one is only measured.
const POINT: Duration = Duration::from_millis(300);

#[test]
#[ignore = "corpus"]
fn every_tool_is_quick_and_keeps_its_ceiling_on_what_is_large() {
    // The index is opened and its pages are read once before anything is measured.
    library().ok("sql_select", json!({ "sql": "SELECT count(*) FROM refs" }));
    // The ceiling itself is checked by `call`.
    let calls = [
        ("hidden_links", json!({ "name": "ОбщийМодуль.ОбщегоНазначения", "limit": 400 })),
        ("hidden_links", json!({ "name": "Справочник.Пользователи" })),
        ("event_subscriptions", json!({})),
        ("event_subscriptions", json!({ "name": "Справочник.Пользователи" })),
        ("scheduled_jobs", json!({ "limit": 300 })),
        ("scheduled_jobs", json!({ "name": "РегламентноеЗадание.ЗагрузкаКурсовВалют" })),
        ("attribute_references", json!({ "name": "Справочник.Пользователи.Реквизит.Недействителен", "limit": 600 })),
        ("attribute_references", json!({ "name": "Справочник.Пользователи.СтандартныйРеквизит.Ref" })),
        ("type_usage", json!({ "name": "СправочникСсылка.Пользователи", "limit": 400 })),
        ("type_usage", json!({ "name": "Справочник.Файлы" })),
        ("register_movements", json!({ "name": "РегистрСведений.КурсыВалют" })),
        ("enum_values", json!({ "name": "Перечисление.СтатусыОбработчиковОбновления" })),
        ("predefined_items", json!({ "name": "Справочник.ВидыКонтактнойИнформации" })),
        ("role_rights", json!({ "name": "Роль.ПолныеПрава", "limit": 500 })),
        ("role_rights", json!({ "name": "Справочник.Пользователи" })),
        ("rls_restrictions", json!({ "name": "Справочник.Файлы" })),
        (
            "form_structure",
            json!({ "name": "Обработка.РасширенныйВводКонтактнойИнформации.Форма.ВводАдреса", "limit": 800 }),
        ),
        ("form_structure", json!({ "name": "Справочник.Пользователи.Форма.ФормаЭлемента" })),
        ("subsystem_tree", json!({ "limit": 1000 })),
        ("extension_overrides", json!({})),
        ("query_tables", json!({ "name": "Справочник.Пользователи", "limit": 600 })),
        ("query_tables", json!({ "name": "РегистрСведений.КурсыВалют.СрезПоследних" })),
        ("platform_reference", json!({ "query": "БиблиотекаКартинок", "limit": 400 })),
        ("platform_reference", json!({ "query": "запросы" })),
        ("web_search", json!({ "query": "СКД" })),
    ];
    let schemas =
        library().ok("sql_select", json!({ "sql": "SELECT schema FROM dcs_schemas ORDER BY schema", "limit": 5 }));
    let schemas: Vec<Value> =
        schemas["rows"].as_array().expect("rows").iter().map(|row| row["schema"].clone()).collect();
    let of_schemas = schemas.iter().flat_map(|name| {
        [
            ("dcs_outline", json!({ "name": name })),
            ("dcs_read", json!({ "name": name })),
            ("dcs_read", json!({ "name": name, "part": "structure" })),
            ("dcs_validate", json!({ "name": name, "all": true })),
        ]
    });
    let mut slow = Vec::new();
    for (tool, arguments) in calls.into_iter().chain(of_schemas) {
        let start = Instant::now();
        let result = library().call(tool, arguments.clone());
        let took = start.elapsed();
        println!("{:>7.1} ms {:>6} {tool} {arguments}", took.as_secs_f64() * 1000.0, result.content.chars().count());
        let known = result.ok || result.code == Some("unknown_name") || result.code == Some("wrong_kind");
        assert!(known, "{tool} {arguments}: {}", result.content);
        assert!(serde_json::from_str::<Value>(&result.content).is_ok(), "{tool} {arguments}: no JSON after the cut");
        if took > POINT {
            slow.push(format!("{tool} {arguments}: {took:?}"));
        }
    }
    if cfg!(debug_assertions) {
        println!("not optimised: {} of the calls took longer", slow.len());
    } else {
        assert!(slow.is_empty(), "{slow:#?}");
    }
}

#[test]
#[ignore = "corpus"]
fn pages_join_to_the_whole() {
    let counted = |sql: &str| library().ok("sql_select", json!({ "sql": sql }))["rows"][0]["n"].as_u64();
    let subscriptions = all_pages(library(), "event_subscriptions", json!({ "limit": 7 }), "subscriptions");
    assert_eq!(Some(subscriptions.len() as u64), counted("SELECT count(DISTINCT name) AS n FROM event_subscriptions"));
    let jobs = all_pages(library(), "scheduled_jobs", json!({ "limit": 7 }), "jobs");
    assert_eq!(Some(jobs.len() as u64), counted("SELECT count(*) AS n FROM scheduled_jobs"));
    let rights = all_pages(library(), "role_rights", json!({ "name": "Роль.ПолныеПрава", "limit": 50 }), "objects");
    let sql = "SELECT count(DISTINCT object) AS n FROM role_rights WHERE role = 'Role.ПолныеПрава'";
    assert_eq!(Some(rights.len() as u64), counted(sql));
    let queries =
        all_pages(library(), "query_tables", json!({ "name": "Справочник.Пользователи", "limit": 100 }), "queries");
    let sql = "SELECT count(*) AS n FROM query_tables WHERE \"table\" = 'Catalog.Пользователи' OR \"table\" LIKE 'Catalog.Пользователи.%'";
    assert_eq!(Some(queries.len() as u64), counted(sql));
}

#[test]
#[ignore = "corpus"]
fn no_genuine_schema_is_blocked() {
    let schemas = all_pages(
        library(),
        "sql_select",
        json!({ "sql": "SELECT schema FROM dcs_schemas ORDER BY schema", "limit": 100 }),
        "rows",
    );
    assert!(schemas.len() > 50, "{}", schemas.len());
    for row in &schemas {
        let checked = library().ok("dcs_validate", json!({ "name": row["schema"] }));
        assert_eq!(checked["blocking"], 0, "{checked}");
    }
}
