//! The tools on data, graph, reports and reference, each on the demo configuration: what it finds, and an empty, a wrong and a hostile
//! input.

mod support;

use std::sync::{Arc, Mutex};

use ::support::{description, put};
use metascope_tools::web::{WebHit, WebQuery, WebSearch};
use metascope_tools::{Language, Location, Stop, Toolset};
use serde_json::{Value, json};
use support::{Project, all_pages, column};

fn demo() -> &'static Project {
    Project::demo()
}

/// Tools that must be given a name of the configuration.
const BY_NAME: &[&str] = &[
    "hidden_links",
    "attribute_references",
    "type_usage",
    "register_movements",
    "enum_values",
    "predefined_items",
    "role_rights",
    "rls_restrictions",
    "form_structure",
    "query_tables",
    "dcs_outline",
    "dcs_read",
    "dcs_validate",
];
/// Tools that narrow down by a name.
const WITH_NAME: &[&str] = &["event_subscriptions", "scheduled_jobs", "subsystem_tree", "extension_overrides"];

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn find<'v>(value: &'v Value, list: &str, key: &str, wanted: &str) -> &'v Value {
    let mut rows = value[list].as_array().into_iter().flatten();
    rows.find(|row| row[key] == wanted).unwrap_or_else(|| panic!("no {key} = {wanted} in {value}"))
}

#[test]
fn names_are_required_known_and_short() {
    let huge = "я".repeat(200_000);
    for tool in BY_NAME {
        assert_eq!(demo().error(tool, json!({}))["code"], "bad_argument", "{tool}");
        assert_eq!(demo().error(tool, json!({ "name": "Документ.ПродажаТавара" }))["code"], "unknown_name", "{tool}");
        assert_eq!(demo().error(tool, json!({ "name": huge }))["code"], "bad_argument", "{tool}");
    }
    for tool in WITH_NAME {
        demo().ok(tool, json!({}));
        assert_eq!(demo().error(tool, json!({ "name": "Документ.ПродажаТавара" }))["code"], "unknown_name", "{tool}");
        assert_eq!(demo().error(tool, json!({ "name": huge }))["code"], "bad_argument", "{tool}");
    }
    // A thing of another kind is an error with ready calls that do for it.
    for (tool, name) in [
        ("attribute_references", "Документ.ПродажаТоваров"),
        ("type_usage", "ЦеныИСкидки.ЦенаТовара"),
        ("register_movements", "Справочник.Товары"),
        ("enum_values", "Справочник.Товары"),
        ("predefined_items", "Перечисление.СтавкиНДСТорговли"),
        ("role_rights", "ЦеныИСкидки.ЦенаТовара"),
        ("form_structure", "Справочник.Товары"),
        ("query_tables", "ЦеныИСкидки.ЦенаТовара"),
        ("dcs_outline", "Справочник.Товары"),
    ] {
        let error = demo().error(tool, json!({ "name": name }));
        assert_eq!(error["code"], "wrong_kind", "{tool}: {error}");
        for next in error["next"].as_array().expect("ready calls") {
            let called = next["tool"].as_str().expect("a tool");
            demo().ok(called, next["arguments"].clone());
        }
    }
}

#[test]
fn hidden_links_both_ways() {
    let found = demo().ok("hidden_links", json!({ "name": "СобытияТорговли.ПроверитьДатуЗапрета" }));
    let channels = column(&found, "incoming", "channel");
    assert!(channels.contains(&"event_subscription"), "{found}");
    assert_eq!(found["by_channel"]["in"]["event_subscription"], 1);
    let posting =
        json!({ "name": "Документ.ПродажаТоваров.МодульОбъекта.ОбработкаПроведения", "direction": "входящие" });
    let posting = demo().ok("hidden_links", posting);
    assert!(posting["outgoing"].is_null(), "{posting}");
    assert!(column(&posting, "incoming", "channel").contains(&"platform_handler"), "{posting}");
    let plain = ["direct", "global_call", "manager_call"];
    for list in ["incoming", "outgoing"] {
        let whole = demo().ok("hidden_links", json!({ "name": "Документ.ПродажаТоваров", "limit": 400 }));
        assert!(column(&whole, list, "channel").iter().all(|channel| !plain.contains(channel)), "{whole}");
    }
    let only = demo()
        .ok("hidden_links", json!({ "name": "Документ.ЗаказПокупателя", "channels": "event_subscription_source" }));
    assert!(
        column(&only, "outgoing", "target").contains(&"CommonModule.СобытияТорговли.ПроверитьДатуЗапрета"),
        "{only}"
    );
    let unknown = demo().ok("hidden_links", json!({ "name": "Документ.ЗаказПокупателя", "channels": "direct" }));
    assert_eq!((&unknown["state"]["outcome"], &unknown["state"]["complete"]), (&json!("empty"), &json!(false)));
    let pages = all_pages(
        demo(),
        "hidden_links",
        json!({ "name": "Документ.ПродажаТоваров", "direction": "out", "limit": 2 }),
        "outgoing",
    );
    let whole =
        demo().ok("hidden_links", json!({ "name": "Документ.ПродажаТоваров", "direction": "out", "limit": 400 }));
    assert_eq!(Some(&pages), whole["outgoing"].as_array());
}

#[test]
fn subscriptions_by_object_event_and_handler() {
    let found = demo().ok("event_subscriptions", json!({ "name": "Документ.УстановкаЦен", "event": "ПередЗаписью" }));
    assert_eq!(column(&found, "subscriptions", "handler"), ["CommonModule.СобытияТорговли.ПроверитьДатуЗапрета"]);
    let all = demo().ok("event_subscriptions", json!({}));
    assert_eq!(all["total"], 3);
    let catalogs = find(&all, "subscriptions", "name", "EventSubscription.ПостановкаСправочникаВОчередь");
    assert_eq!(catalogs["sources_total"], 7, "a whole kind is opened: {catalogs}");
    let one = demo().ok("event_subscriptions", json!({ "name": "ПодпискаНаСобытие.ПостановкаСправочникаВОчередь" }));
    assert_eq!(one["subscriptions"][0]["sources"].as_array().map(Vec::len), Some(7));
    let handler = demo().ok("event_subscriptions", json!({ "name": "ОбщийМодуль.СобытияТорговли" }));
    assert_eq!(handler["total"], 3);
    let none = demo().ok("event_subscriptions", json!({ "name": "Перечисление.СтавкиНДСТорговли" }));
    assert_eq!((&none["state"]["outcome"], &none["state"]["complete"]), (&json!("empty"), &json!(true)));
    assert!(none["state"]["reasons"][0].as_str().is_some_and(|why| why.contains("доказано")));
}

#[test]
fn jobs_and_who_names_them() {
    let all = demo().ok("scheduled_jobs", json!({}));
    assert_eq!(all["total"], 2);
    let off = find(&all, "jobs", "name", "ScheduledJob.РассылкаСпискаДолжников");
    assert_eq!(
        (&off["enabled"], &off["method"]),
        (&json!(false), &json!("CommonModule.РегламентыТорговли.РазослатьСписокДолжников"))
    );
    let on = demo().ok("scheduled_jobs", json!({ "enabled": "да" }));
    assert_eq!(column(&on, "jobs", "name"), ["ScheduledJob.ВыгрузкаВМагазины"]);
    for name in [
        "РегламентноеЗадание.ВыгрузкаВМагазины",
        "выгрузка",
        "ОбменСМагазинами.ВыгрузитьОчередь",
        "ОбщийМодуль.ОбменСМагазинами",
    ] {
        let found = demo().ok("scheduled_jobs", json!({ "name": name }));
        assert_eq!(column(&found, "jobs", "name"), ["ScheduledJob.ВыгрузкаВМагазины"], "{name}");
    }
    let none = demo().ok("scheduled_jobs", json!({ "name": "ЦеныИСкидки.ЦенаТовара" }));
    assert_eq!(none["state"]["outcome"], "empty");
}

#[test]
fn references_of_an_attribute_are_counted_by_kind() {
    let name = "Справочник.Товары.Реквизит.Артикул";
    let found = demo().ok("attribute_references", json!({ "name": name }));
    assert_eq!(found["full_name"], "Catalog.Товары.Attribute.Артикул");
    let counted: u64 = found["by_kind"].as_object().expect("kinds").values().filter_map(Value::as_u64).sum();
    assert_eq!(Some(counted), found["total"].as_u64());
    let all = demo().ok("object_references", json!({ "name": name, "limit": 600 }));
    assert_eq!(Some(counted), all["refs"].as_array().map(|rows| rows.len() as u64));
    let queries = demo().ok("attribute_references", json!({ "name": name, "kinds": ["bsl_query"] }));
    assert!(column(&queries, "refs", "kind").iter().all(|kind| *kind == "bsl_query"));
    assert_eq!(queries["total"], found["total"], "a filter changes what is shown, not what is counted");
    // What only bears the same name is no reference, and is counted apart.
    let same = demo()
        .ok("sql_select", json!({ "sql": "SELECT full_name FROM attributes WHERE kind = 'Attribute'", "limit": 500 }));
    let with_same = column(&same, "rows", "full_name").into_iter().find_map(|name| {
        let found = demo().ok("attribute_references", json!({ "name": name }));
        found["same_named"]["count"].as_u64().map(|count| (count, found))
    });
    let (count, found) = with_same.expect("some attribute of the demo shares its name with a value of unknown type");
    assert!(count > 0 && !found["same_named"]["first"].as_array().expect("places").is_empty());
    assert_eq!(found["state"]["complete"], false, "{found}");
}

#[test]
fn uses_of_a_type() {
    let found = demo().ok("type_usage", json!({ "name": "СправочникСсылка.Товары" }));
    assert_eq!(found["types"], json!(["CatalogRef.Товары"]));
    let attributes = column(&found, "attributes", "name");
    assert!(attributes.iter().any(|name| name.starts_with("Document.ПродажаТоваров.TabularSection.")), "{found}");
    let whole = demo().ok("type_usage", json!({ "name": "Справочник.Товары", "part": "forms" }));
    assert!(texts(&whole["types"]).contains(&"CatalogRef.Товары"), "{whole}");
    assert!(column(&whole, "form_attributes", "form").contains(&"Catalog.Товары.Form.ФормаЭлемента"), "{whole}");
    // Through a defined type.
    let document = demo().ok("type_usage", json!({ "name": "ДокументСсылка.ПродажаТоваров", "part": "attributes" }));
    assert!(column(&document, "attributes", "name").contains(&"DefinedType.ТорговыйДокумент"), "{document}");
    assert!(column(&document, "attributes", "through").contains(&"DefinedType.ТорговыйДокумент"), "{document}");
    let defined = demo().ok("type_usage", json!({ "name": "ОпределяемыйТип.ТорговыйДокумент", "part": "attributes" }));
    assert!(!defined["attributes"].as_array().expect("rows").is_empty(), "{defined}");
    assert_eq!(demo().error("type_usage", json!({ "name": "Роль.Кладовщик" }))["code"], "wrong_kind");
    let none = demo().ok("type_usage", json!({ "name": "РегистрСведений.ПорогиОстатков", "part": "attributes" }));
    assert!(none["state"]["reasons"][0].as_str().is_some_and(|why| why.contains("доказано")), "{none}");
}

#[test]
fn movements_have_evidence_of_both_sorts() {
    let found = demo().ok("register_movements", json!({ "name": "Документ.ПродажаТоваров" }));
    let stock = find(&found, "registers", "register", "AccumulationRegister.ОстаткиТоваров");
    assert_eq!(stock["evidence"], "metadata, code");
    assert!(
        stock["code"].as_array().is_some_and(|places| places.iter().any(|place| {
            place["method"] == "Document.ПродажаТоваров.ObjectModule.ОбработкаПроведения" && place["how"] == "string"
        })),
        "{stock}"
    );
    let back = demo().ok("register_movements", json!({ "name": "РегистрНакопления.ОстаткиТоваров" }));
    assert_eq!(find(&back, "documents", "document", "Document.ПродажаТоваров")["evidence"], "metadata, code");
    // Both directions say the same.
    for register in column(&found, "registers", "register") {
        let back = demo().ok("register_movements", json!({ "name": register }));
        let one = find(&back, "documents", "document", "Document.ПродажаТоваров");
        assert_eq!(one["evidence"], find(&found, "registers", "register", register)["evidence"], "{register}");
    }
    let none = demo().ok("register_movements", json!({ "name": "РегистрСведений.ПорогиОстатков" }));
    assert_eq!(none["state"]["outcome"], "empty");
}

#[test]
fn values_and_predefined_items() {
    let found = demo().ok("enum_values", json!({ "name": "Перечисления.СтавкиНДСТорговли" }));
    assert_eq!(column(&found, "values", "name"), ["БезНДС", "НДС10", "НДС20"]);
    assert_eq!(found["values"][0]["position"], 1);
    let one = demo().ok("enum_values", json!({ "name": "Перечисление.СтавкиНДСТорговли.НДС20" }));
    assert_eq!((&one["full_name"], &one["asked_for"]), (&json!("Enum.СтавкиНДСТорговли"), &json!("НДС20")));
    let refs =
        demo().ok("object_references", json!({ "name": "Enum.СтавкиНДСТорговли.EnumValue.НДС20", "limit": 600 }));
    let counted = find(&found, "values", "name", "НДС20")["references_total"].as_u64();
    assert_eq!(counted, refs["refs"].as_array().map(|rows| rows.len() as u64));

    let accounts = demo().ok("predefined_items", json!({ "name": "ПланСчетов.Управленческий" }));
    let total = accounts["total"].as_u64().expect("a number");
    assert!(total > 3 && accounts["items"][0]["code"].is_string(), "{accounts}");
    let code = accounts["items"][0]["code"].clone();
    let some = demo().ok("predefined_items", json!({ "name": "ПланСчетов.Управленческий", "filter": code }));
    assert!(some["total"].as_u64().is_some_and(|some| (1..=total).contains(&some)));
    let none = demo().ok("predefined_items", json!({ "name": "ПланСчетов.Управленческий", "filter": "такого нет" }));
    assert_eq!(none["state"]["outcome"], "empty");
    let empty = demo().ok("predefined_items", json!({ "name": "Справочник.Партнеры" }));
    assert!(empty["state"]["reasons"][0].as_str().is_some_and(|why| why.contains("доказано")), "{empty}");
}

#[test]
fn rights_of_roles_and_on_objects() {
    let role = demo().ok("role_rights", json!({ "name": "Роль.МенеджерПродаж" }));
    let partners = find(&role, "objects", "object", "Catalog.Партнеры");
    assert!(
        texts(&partners["granted"]).contains(&"Read") && texts(&partners["restricted"]).contains(&"Read"),
        "{partners}"
    );
    let object = demo().ok("role_rights", json!({ "name": "Справочник.Партнеры", "right": "Чтение" }));
    assert_eq!(find(&object, "roles", "role", "Role.МенеджерПродаж")["granted"], json!(["Read"]));
    let sql =
        "SELECT DISTINCT role FROM role_rights WHERE object = 'Catalog.Партнеры' AND right = 'Read' ORDER BY role";
    let rows = demo().ok("sql_select", json!({ "sql": sql }));
    assert_eq!(column(&object, "roles", "role"), column(&rows, "rows", "role"));
    let none = demo().ok("role_rights", json!({ "name": "Справочник.Партнеры", "right": "Проведение" }));
    assert_eq!(none["state"]["outcome"], "empty");
}

#[test]
fn restrictions_joined_as_the_platform_joins_them() {
    let one = demo()
        .ok("rls_restrictions", json!({ "name": "Справочник.Партнеры", "roles": "МенеджерПродаж", "right": "Чтение" }));
    let row = &one["access"][0];
    assert_eq!((&row["right"], &row["lets"]), (&json!("Read"), &json!("some")), "{one}");
    let condition = row["conditions"][0]["condition"].as_str().expect("a condition");
    assert!(
        !condition.contains("#ПоМенеджеру") && condition.contains("Менеджер"),
        "the template is put in: {condition}"
    );
    let all = demo().ok("rls_restrictions", json!({ "name": "Справочник.Партнеры" }));
    let read = find(&all, "access", "right", "Read");
    assert!(
        !texts(&read["unrestricted"]).is_empty() && read["lets"] == "all",
        "a role without a restriction lifts it: {all}"
    );
    let role = demo().ok("rls_restrictions", json!({ "name": "Роль.Кладовщик" }));
    assert_eq!(column(&role, "restrictions", "object"), ["AccumulationRegister.ОстаткиТоваров"]);
    let none = demo().ok("rls_restrictions", json!({ "name": "Документ.УстановкаЦен" }));
    assert_eq!((&none["state"]["outcome"], &none["access"]), (&json!("empty"), &json!([])));
    let wrong =
        demo().error("rls_restrictions", json!({ "name": "Справочник.Партнеры", "roles": ["Справочник.Товары"] }));
    assert_eq!(wrong["code"], "wrong_kind");
}

#[test]
fn a_form_as_a_tree() {
    let name = "Документ.ПродажаТоваров.Форма.ФормаДокумента";
    let found = demo().ok("form_structure", json!({ "name": name, "limit": 800 }));
    let items = found["items"].as_array().expect("items");
    assert_eq!(Some(items.len() as u64), found["counts"]["items"].as_u64(), "no item is lost in the tree");
    assert_eq!(items[0]["depth"], 0);
    let mut depth = 0;
    for item in items {
        let own = item["depth"].as_u64().expect("a depth");
        assert!(own <= depth + 1, "{item}");
        depth = own;
    }
    assert!(items.iter().any(|item| item["handlers"].is_object()), "{found}");
    assert!(column(&found, "attributes", "name").contains(&"Объект"));
    let table = items.iter().find(|item| item["kind"] == "Table").expect("a table");
    let inner = demo().ok("form_structure", json!({ "name": name, "item": table["name"] }));
    assert_eq!(inner["items"][0]["name"], table["name"]);
    assert!(inner["items"].as_array().is_some_and(|rows| rows.len() > 1 && rows.len() < items.len()));
    let handlers = demo().ok("form_structure", json!({ "name": name, "part": "события", "limit": 800 }));
    assert_eq!(handlers["handlers"].as_array().map(|rows| rows.len() as u64), found["counts"]["handlers"].as_u64());
    let wrong = demo().error("form_structure", json!({ "name": name, "item": "НетТакого" }));
    assert_eq!(wrong["code"], "unknown_name");
    let only = demo().ok("form_structure", json!({ "name": "Справочник.Партнеры" }));
    assert_eq!(only["full_name"], "Catalog.Партнеры.Form.ФормаЭлемента");
    let pages = all_pages(demo(), "form_structure", json!({ "name": name, "part": "items", "limit": 3 }), "items");
    assert_eq!(&pages, items);
}

#[test]
fn subsystems_and_their_objects() {
    let tree = demo().ok("subsystem_tree", json!({}));
    let inner = find(&tree, "subsystems", "full_name", "Subsystem.Продажи.Subsystem.ЗаказыИСогласование");
    assert_eq!(inner["depth"], 1);
    let top = demo().ok("subsystem_tree", json!({ "depth": 1 }));
    assert!(top["total"].as_u64() < tree["total"].as_u64());
    let sales = demo().ok("subsystem_tree", json!({ "name": "Подсистема.Продажи" }));
    assert!(column(&sales, "objects", "full_name").contains(&"Document.ПродажаТоваров"), "{sales}");
    assert_eq!(column(&sales, "inner", "full_name"), ["Subsystem.Продажи.Subsystem.ЗаказыИСогласование"]);
    let of = demo().ok("subsystem_tree", json!({ "name": "Документ.ПродажаТоваров" }));
    assert!(column(&of, "held_by", "full_name").contains(&"Subsystem.Продажи"), "{of}");
}

#[test]
fn queries_that_read_a_table_or_a_field() {
    let table = demo().ok("query_tables", json!({ "name": "РегистрНакопления.ОстаткиТоваров" }));
    let sql = "SELECT count(*) AS n FROM query_tables WHERE \"table\" LIKE 'AccumulationRegister.ОстаткиТоваров%'";
    assert_eq!(table["total"], demo().ok("sql_select", json!({ "sql": sql }))["rows"][0]["n"]);
    let virtual_table = demo().ok("query_tables", json!({ "name": "РегистрНакопления.ОстаткиТоваров.Остатки" }));
    assert_eq!(virtual_table["table"], "AccumulationRegister.ОстаткиТоваров.Balance");
    let english = demo().ok("query_tables", json!({ "name": "AccumulationRegister.ОстаткиТоваров.Balance" }));
    assert_eq!(english["total"], virtual_table["total"]);
    assert!(virtual_table["total"].as_u64().is_some_and(|total| total > 0), "{virtual_table}");
    let unread = demo().error("query_tables", json!({ "name": "РегистрНакопления.ОстаткиТоваров.Остаткки" }));
    assert_eq!(unread["code"], "unknown_name");
    let field = demo().ok("query_tables", json!({ "name": "Документ.ПродажаТоваров.Реквизит.Партнер" }));
    assert!(field["total"].as_u64().is_some_and(|total| total > 0), "{field}");
    let named =
        demo().ok("query_tables", json!({ "name": "РегистрНакопления.ОстаткиТоваров", "field": "КоличествоОстаток" }));
    assert!(column(&named, "queries", "field").iter().all(|field| *field == "КоличествоОстаток"), "{named}");
    assert_eq!(table["state"]["complete"], false, "a query may be put together at run time");
    let none = demo().ok("query_tables", json!({ "name": "Перечисление.РолиСогласующих" }));
    assert_eq!(none["state"]["outcome"], "empty");
}

#[test]
fn a_schema_in_outline_and_in_parts() {
    let found = demo().ok("dcs_outline", json!({ "name": "Отчет.АнализПродажТоваров" }));
    assert_eq!(found["full_name"], "Report.АнализПродажТоваров.Template.ОсновнаяСхема");
    assert_eq!(column(&found, "data_sets", "name"), ["Продажи"]);
    let file = found["file"].as_str().expect("a file").to_owned();
    let by_file = demo().ok("dcs_outline", json!({ "file": file }));
    assert_eq!(by_file["data_sets"], found["data_sets"]);
    let name = "Отчет.АнализПродажТоваров.Макет.ОсновнаяСхема";
    let query = demo().ok("dcs_read", json!({ "name": name }));
    assert!(query["text"].as_str().is_some_and(|text| text.to_uppercase().contains("ВЫБРАТЬ")), "{query}");
    let rest = demo().ok("dcs_read", json!({ "name": name, "from_line": 3 }));
    let whole = query["text"].as_str().expect("text");
    let skipped: String = whole.split_inclusive('\n').skip(2).collect();
    assert_eq!(rest["text"], skipped);
    for (part, key) in
        [("поля", "path"), ("ресурсы", "path"), ("параметры", "name"), ("variants", "name"), ("structure", "kind")]
    {
        let part = demo().ok("dcs_read", json!({ "name": name, "part": part }));
        assert!(!column(&part, "entries", key).is_empty() || part["state"]["outcome"] == "empty", "{part}");
    }
    let fields = demo().ok("dcs_read", json!({ "name": name, "part": "fields", "of": "продажи", "filter": "артикул" }));
    assert_eq!(column(&fields, "entries", "path"), ["Артикул"]);
    let wrong = demo().error("dcs_read", json!({ "name": name, "of": "Продажа" }));
    assert_eq!((&wrong["code"], &wrong["nearest"][0]), (&json!("unknown_name"), &json!("Продажи")));
    let checked = demo().ok("dcs_validate", json!({ "name": name, "all": true }));
    assert_eq!(checked["blocking"], 0, "a schema of ours that the platform opens: {checked}");
    let code = demo().error("dcs_validate", json!({ "name": name, "checks": ["no-such-check"] }));
    assert_eq!(code["code"], "bad_argument");
}

#[test]
fn paths_out_of_the_project_are_refused() {
    for path in
        ["../../Cargo.toml", "/etc/passwd", "Reports/../../../x.xml", "C:\\Windows\\x.xml", "..\\x.xml", "//host/x.xml"]
    {
        for tool in ["dcs_outline", "dcs_read", "dcs_validate"] {
            let error = demo().error(tool, json!({ "file": path }));
            assert_eq!(error["code"], "outside_project", "{tool} {path}: {error}");
        }
    }
    assert_eq!(demo().error("dcs_validate", json!({ "file": "Reports/Нет/Template.xml" }))["code"], "file");
    let other = demo().error("dcs_outline", json!({ "file": "Configuration.xml" }));
    assert_eq!(other["code"], "wrong_kind");
}

#[test]
fn extensions_and_what_really_runs() {
    let nothing = demo().ok("extension_overrides", json!({}));
    assert_eq!(nothing["state"]["outcome"], "empty");
    assert!(nothing["state"]["reasons"][0].as_str().is_some_and(|why| why.contains("нет расширений")), "{nothing}");

    let folder = ::support::temp_dir();
    let (base, extension) = (folder.path().join("base"), folder.path().join("extension"));
    let listed = "<CommonModule>Склад</CommonModule>";
    put(&base, "Configuration.xml", &description("Configuration", "База", "", listed));
    put(&base, "CommonModules/Склад.xml", &description("CommonModule", "Склад", "<Server>true</Server>", ""));
    let code = "Функция Остаток(Товар) Экспорт\n\tВозврат 1;\nКонецФункции\n\nФункция Цена(Товар) Экспорт\n\tВозврат 2;\nКонецФункции\n";
    put(&base, "CommonModules/Склад/Ext/Module.bsl", code);
    let adopted = "<ObjectBelonging>Adopted</ObjectBelonging>";
    let purpose = format!("{adopted}<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose>");
    put(&extension, "Configuration.xml", &description("Configuration", "Расш", &purpose, listed));
    put(&extension, "CommonModules/Склад.xml", &description("CommonModule", "Склад", adopted, ""));
    let code = "&Вместо(\"Остаток\")\nФункция Расш_Остаток(Товар)\n\tВозврат 0;\nКонецФункции\n\n\
                &ИзменениеИКонтроль(\"Цена\")\nФункция Расш_Цена(Товар)\n\tВозврат 3;\nКонецФункции\n";
    put(&extension, "CommonModules/Склад/Ext/Module.bsl", code);
    let location = Location::at(folder.path().join("index.db"));
    let layers = index::build::LayerPaths { extensions: vec![extension], external: Vec::new() };
    let options = index::build::Options { layers: Some(layers), ..Default::default() };
    index::build::build(&base, &location, &options, &index::build::Stop::default(), &|_| {})
        .expect("the index is built");
    let tools = Toolset::new(location, Language::Russian, "test");
    let call = |arguments: Value| -> Value {
        let result = tools.call("extension_overrides", &arguments, &Stop::default());
        serde_json::from_str(&result.content).expect("JSON")
    };
    let all = call(json!({}));
    assert_eq!(column(&all, "overrides", "base"), ["CommonModule.Склад.Остаток", "CommonModule.Склад.Цена"], "{all}");
    let drifted = call(json!({ "drifted": true }));
    assert_eq!(column(&drifted, "overrides", "base"), ["CommonModule.Склад.Цена"], "{drifted}");
    assert_eq!(column(&all, "problems", "kind"), ["drifted_control"], "{all}");
    for name in ["расш", "ОбщийМодуль.Склад", "Расш::ОбщийМодуль.Склад"] {
        assert_eq!(call(json!({ "name": name }))["total"], 2, "{name}");
    }
    let steps = call(json!({ "name": "Склад.Остаток" }));
    assert_eq!(column(&steps, "steps", "kind"), ["around", "base"], "{steps}");
    assert_eq!(steps["steps"][1]["runs"], false, "nothing lets the base run: {steps}");
    let plain = call(json!({ "name": "Расш::ОбщийМодуль.Склад.Расш_Цена" }));
    assert_eq!(find(&plain, "steps", "kind", "change_and_validate")["drifted"], true);
}

#[test]
fn the_platform_in_texts_and_names() {
    let subjects = demo().ok("platform_reference", json!({}));
    assert_eq!(subjects["subjects"].as_array().map(Vec::len), Some(12));
    for subject in column(&subjects, "subjects", "query") {
        let text = demo().ok("platform_reference", json!({ "query": subject }));
        assert!(text["text"].as_str().is_some_and(|text| text.starts_with("# ")), "{subject}");
    }
    let function = demo().ok("platform_reference", json!({ "query": "strsplit" }));
    assert_eq!(function["members"][0]["ru"], "СтрРазделить");
    assert!(texts(&function["members"][0]["available"]).contains(&"Server"));
    let member = demo().ok("platform_reference", json!({ "query": "ТаблицаЗначений.НайтиСтроки()" }));
    assert_eq!(member["members"][0]["of"], "ТаблицаЗначений");
    let of_type = demo().ok("platform_reference", json!({ "query": "ValueTable", "limit": 400 }));
    assert!(column(&of_type, "members", "en").contains(&"GroupBy"), "{of_type}");
    let wrong = demo().ok("platform_reference", json!({ "query": "СтрРаздилить" }));
    assert_eq!(wrong["state"]["outcome"], "empty");
    assert!(texts(&wrong["nearest"]).contains(&"СтрРазделить"), "{wrong}");
    assert_eq!(wrong["state"]["complete"], false, "the list is not complete");
}

/// Records what it is asked, and gives what it is told to.
struct FakeWeb {
    on: bool,
    sites: Vec<String>,
    hits: Vec<WebHit>,
    asked: Mutex<Vec<String>>,
}

impl WebSearch for FakeWeb {
    fn is_on(&self) -> bool {
        self.on
    }

    fn how_to_switch_on(&self, _language: Language) -> String {
        "задайте адрес поиска".to_owned()
    }

    fn sites(&self) -> Vec<String> {
        self.sites.clone()
    }

    fn search(&self, query: &WebQuery<'_>, _stop: &Stop) -> Result<Vec<WebHit>, String> {
        self.asked.lock().expect("the lock").push(format!("{} @ {}", query.text, query.sites.join(" ")));
        if query.text == "упади" { Err("нет ответа".to_owned()) } else { Ok(self.hits.clone()) }
    }
}

#[test]
fn the_web_is_off_until_it_is_on_and_then_only_listed_sites_count() {
    let off = demo().ok("web_search", json!({ "query": "СКД" }));
    assert_eq!((&off["state"]["outcome"], &off["state"]["complete"]), (&json!("empty"), &json!(false)));
    let hit = |url: &str| WebHit { title: "Т".to_owned(), url: url.to_owned(), snippet: "я".repeat(5000) };
    let web = |on: bool| FakeWeb {
        on,
        sites: vec!["its.1c.ru".to_owned()],
        hits: vec![hit("https://its.1c.ru/a"), hit("https://evil.ru/its.1c.ru"), hit("https://its.1c.ru@evil.ru/")],
        asked: Mutex::default(),
    };
    let call = |web: &Arc<FakeWeb>, arguments: Value| -> Value {
        let tools = demo().tools().with_web(web.clone());
        let result = tools.call("web_search", &arguments, &Stop::default());
        assert!(result.content.chars().count() <= 8000);
        serde_json::from_str(&result.content).expect("JSON")
    };
    let silent = Arc::new(web(false));
    let answer = call(&silent, json!({ "query": "СКД" }));
    assert_eq!(answer["hits"], json!([]));
    assert!(texts(&answer["state"]["reasons"]).contains(&"задайте адрес поиска"), "{answer}");
    assert!(silent.asked.lock().expect("the lock").is_empty(), "nothing was sent");

    let loud = Arc::new(web(true));
    let answer = call(&loud, json!({ "query": "СКД" }));
    assert_eq!(column(&answer, "hits", "url"), ["https://its.1c.ru/a"], "{answer}");
    let foreign = call(&loud, json!({ "query": "СКД", "sites": ["evil.ru"] }));
    assert_eq!(foreign["hits"], json!([]));
    let long = call(&loud, json!({ "query": "я".repeat(1000) }));
    assert_eq!(long["error"]["code"], "bad_argument");
    let failed = call(&loud, json!({ "query": "упади" }));
    assert!(failed["state"]["reasons"][0].as_str().is_some_and(|why| why.contains("нет ответа")), "{failed}");
    assert_eq!(*loud.asked.lock().expect("the lock"), ["СКД @ its.1c.ru", "упади @ its.1c.ru"]);
}

/// Line of a file of the demo.
fn line_of(row: &Value) -> String {
    let file = row["file"].as_str().unwrap_or_else(|| panic!("no file in {row}"));
    let number = row["line"].as_u64().unwrap_or_else(|| panic!("no line in {row}"));
    let text = std::fs::read_to_string(::support::demo().join(file)).expect("a file of the demo");
    text.lines().nth(number as usize - 1).unwrap_or_default().to_owned()
}

#[test]
fn rights_movements_and_joins_name_their_lines() {
    for (name, list, key) in [("Роль.МенеджерПродаж", "objects", "object"), ("Справочник.Партнеры", "roles", "role")]
    {
        let found = demo().ok("role_rights", json!({ "name": name }));
        for row in found[list].as_array().expect("rows") {
            let object =
                if key == "object" { row["object"].as_str().expect("a name") } else { "Catalog.Партнеры" };
            let file = row["file"].as_str().unwrap_or_else(|| panic!("no file in {row}"));
            let text = std::fs::read_to_string(::support::demo().join(file)).expect("a file of the demo");
            let from = row["line"].as_u64().unwrap_or_else(|| panic!("no line in {row}")) as usize - 1;
            let line = text.lines().nth(from).map(str::trim);
            assert_eq!(line, Some(&*format!("<name>{object}</name>")), "{row}");
        }
    }
    let found = demo().ok("register_movements", json!({ "name": "Документ.ПродажаТоваров" }));
    let back = demo().ok("register_movements", json!({ "name": "РегистрНакопления.ОстаткиТоваров" }));
    let stock = find(&found, "registers", "register", "AccumulationRegister.ОстаткиТоваров");
    assert!(line_of(stock).contains("AccumulationRegister.ОстаткиТоваров"), "{stock}");
    let document = find(&back, "documents", "document", "Document.ПродажаТоваров");
    assert_eq!((&document["file"], &document["line"]), (&stock["file"], &stock["line"]));
    let ways = demo().ok("relation_path", json!({ "from": "Документ.ПродажаТоваров", "to": "Справочник.Сотрудники" }));
    let step = &ways["paths"][0]["steps"][0];
    let file = std::fs::read_to_string(::support::demo().join(step["file"].as_str().expect("a file"))).expect("text");
    let field = file.lines().skip(step["line"].as_u64().expect("a line") as usize - 1).take(4).collect::<String>();
    assert!(field.contains("<Name>Менеджер</Name>"), "{step}: {field}");
    let tabular =
        demo().ok("relation_path", json!({ "from": "Документ.ПродажаТоваров.Товары", "to": "Справочник.Партнеры" }));
    for step in tabular["paths"][0]["steps"].as_array().expect("steps") {
        assert_eq!(step["file"], "Documents/ПродажаТоваров.xml", "{step}");
    }
}

#[test]
fn subsystems_forms_and_predefined_items_name_their_files() {
    let sales = demo().ok("subsystem_tree", json!({ "name": "Подсистема.Продажи" }));
    let row = find(&sales, "objects", "full_name", "Document.ПродажаТоваров");
    let place = json!({ "file": sales["file"], "line": row["line"] });
    assert!(line_of(&place).contains("Document.ПродажаТоваров"), "{row}");
    let form = demo().ok("form_structure", json!({ "name": "Справочник.Партнеры" }));
    for (list, key) in [("commands", "name"), ("handlers", "handler")] {
        let row = &form[list][0];
        let place = json!({ "file": form["file"], "line": row["line"] });
        assert!(line_of(&place).contains(row[key].as_str().expect("a name")), "{row}");
    }
    let items = demo().ok("predefined_items", json!({ "name": "Справочник.МестаХранения" }));
    assert_eq!(items["file"], "Catalogs/МестаХранения.xml");
    let whole = demo().ok("configuration_overview", json!({}));
    assert_eq!((&whole["name"], &whole["file"]), (&json!("ОптоваяТорговля"), &json!("Configuration.xml")));
    assert_eq!(find(&whole, "subsystems", "full_name", "Subsystem.Продажи")["file"], "Subsystems/Продажи.xml");
}

#[test]
fn an_error_leads_to_its_places() {
    let stack = "{ОбщийМодуль.СобытияТорговли.Модуль(22)}: Ошибка\n{Обработка.НетТакой.МодульОбъекта(5)}";
    let found = demo().ok("find_definition", json!({ "name": stack }));
    let place = &found["places"][0];
    assert_eq!(place["full_name"], "CommonModule.СобытияТорговли.ПроверитьДатуЗапрета", "{found}");
    assert!(line_of(place).contains("Период закрыт"), "{place}");
    assert_eq!((&found["places"][1]["file"], &found["state"]["complete"]), (&json!(""), &json!(false)), "{found}");
    let message = demo().ok("literal_search", json!({ "text": "Не хватает товара Стол: 12" }));
    assert_eq!(message["state"]["outcome"], "found", "{message}");
    let source = &message["sources"][0];
    assert_eq!((&source["parameters"], &source["line"]), (&json!(["Стол", "12"]), &json!(75)), "{message}");
    let within = json!({ "text": "Не хватает товара Стол: 12", "within": "Документ.ПродажаТоваров" });
    assert_eq!(demo().ok("literal_search", within)["state"]["outcome"], "empty");
    let none = demo().ok("literal_search", json!({ "text": "такого сообщения нет нигде" }));
    assert_eq!((&none["state"]["outcome"], &none["sources"]), (&json!("empty"), &Value::Null));
}

#[test]
fn a_message_of_the_platform_leads_to_the_schema() {
    let report = json!({ "name": "Отчет.ДолгиПартнеров", "message": "Не задано значение параметра \"НаДату\"" });
    let why = demo().ok("dcs_validate", report);
    assert_eq!((&why["message_kind"], &why["about"]), (&json!("parameter"), &json!("НаДату")), "{why}");
    let place = json!({ "file": why["file"], "line": why["causes"][0]["line"] });
    assert!(line_of(&place).contains("НаДату"), "{why}");
    let unknown = demo().ok("dcs_validate", json!({ "name": "Отчет.ДолгиПартнеров", "message": "Всё плохо" }));
    assert_eq!((&unknown["state"]["outcome"], &unknown["message_kind"]), (&json!("empty"), &Value::Null));
}
