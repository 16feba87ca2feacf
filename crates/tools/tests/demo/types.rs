//! Types of expressions and the flow of variables on the demo.

use serde_json::{Value, json};

use super::demo;
use super::support::column;

fn types(expression: &str, name: &str, line: u64) -> (Vec<String>, Value) {
    let found = demo().ok("infer_type", json!({ "expression": expression, "name": name, "line": line }));
    let types = column(&found, "types", "name").into_iter().map(str::to_owned).collect();
    (types, found)
}

const FILL: &str = "Документ.ПродажаТоваров.МодульОбъекта.ЗаполнитьПоЗаказуПокупателя";
const POST: &str = "Документ.ПродажаТоваров.МодульОбъекта.ОбработкаПроведения";

#[test]
fn expressions_have_the_types_that_code_metadata_and_comments_give() {
    for (expression, place, expected, is) in [
        ("Партнер", FILL, "CatalogRef.Партнеры", "property"),
        ("ЭтотОбъект", POST, "DocumentObject.ПродажаТоваров", ""),
        ("Ссылка", POST, "DocumentRef.ПродажаТоваров", "property"),
        ("Договор.Владелец", FILL, "CatalogRef.Партнеры", "property"),
        ("Товар", "ЦеныИСкидки.ЦенаТовара", "CatalogRef.Товары", "parameter"),
        ("Справочники.Товары.ПустаяСсылка()", FILL, "CatalogRef.Товары", "result"),
        ("ЦеныИСкидки.ЦенаТовара(Товар, Вид, Дата)", FILL, "Number", "result"),
        ("1 + 2", FILL, "Number", "literal"),
        ("Новый ТаблицаЗначений", FILL, "ValueTable", ""),
    ] {
        let (types, found) = types(expression, place, 0);
        assert!(types.iter().any(|name| name == expected), "{expression}: {found}");
        assert_eq!(found["is"].as_str().unwrap_or_default(), is, "{expression}: {found}");
    }
}

#[test]
fn a_variable_at_a_line_names_its_assignments() {
    let found = demo().ok("infer_type", json!({ "expression": "Скидка", "name": "ЦеныИСкидки.СкидкаПартнера" }));
    assert_eq!(found["is"], "variable");
    assert_eq!(found["evidence"].as_array().map(Vec::len), Some(3), "{found}");
    assert!(column(&found, "types", "name").contains(&"Number"), "{found}");
    // A module and a line instead of a method.
    let line = demo().ok("find_definition", json!({ "name": "ЦеныИСкидки.СкидкаПартнера" }))["definitions"][0]["line"]
        .as_u64()
        .unwrap();
    let by_line = demo().ok("infer_type", json!({ "expression": "Скидка", "module": "ЦеныИСкидки", "line": line + 8 }));
    assert_eq!(by_line["in"], "CommonModule.ЦеныИСкидки.СкидкаПартнера");
    let by_file = demo().ok(
        "infer_type",
        json!({ "expression": "Скидка", "file": "CommonModules/ЦеныИСкидки/Ext/Module.bsl", "line": line + 8 }),
    );
    assert_eq!(by_file["types"], by_line["types"]);
}

#[test]
fn what_is_unknown_says_so_and_what_is_no_expression_is_an_error() {
    let unknown = demo().ok("infer_type", json!({ "expression": "НетТакойПеременной", "name": FILL }));
    assert_eq!((&unknown["state"]["outcome"], &unknown["state"]["complete"]), (&json!("empty"), &json!(false)));
    for text in ["Партнер.", "Если А Тогда", "А; Б", "((("] {
        let error = demo().error("infer_type", json!({ "expression": text, "name": FILL }));
        assert_eq!(error["code"], "expression", "{text}: {error}");
    }
    let error = demo().error("infer_type", json!({ "expression": "А", "name": "Документ.ПродажаТоваров" }));
    assert_eq!(error["code"], "wrong_kind", "{error}");
}

#[test]
fn where_a_variable_comes_from_and_goes() {
    let found = demo().ok("variable_flow", json!({ "variable": "скидка", "name": "ЦеныИСкидки.СкидкаПартнера" }));
    assert_eq!(column(&found, "sources", "kind"), ["assigned", "assigned", "assigned"]);
    assert_eq!(found["sources"][0]["what"], "БазоваяСкидка");
    assert!(found["sources"][0]["text"].as_str().is_some_and(|text| text.starts_with("Скидка = БазоваяСкидка()")));
    let given = found["uses"].as_array().unwrap().iter().find(|one| one["kind"] == "argument").unwrap();
    assert_eq!(
        given["into"],
        json!(["CommonModule.ТорговляПереопределяемый.ПриРасчетеСкидкиПартнера(Скидка)"]),
        "{found}"
    );
    assert_eq!(given["by_reference"], true);
    assert!(column(&found, "uses", "kind").contains(&"returned"));

    let order = demo().ok("variable_flow", json!({ "variable": "ЗаказПокупателя", "name": FILL }));
    assert_eq!(column(&order, "sources", "kind"), ["parameter"]);
    let none = demo().ok("variable_flow", json!({ "variable": "НетТакой", "name": FILL }));
    assert_eq!(none["state"]["outcome"], "empty");
}

/// As people read them in the journal of the agent and on the command line.
#[test]
fn answers_read_well() {
    let cases = [
        ("infer_type", json!({ "expression": "Скидка", "name": "ЦеныИСкидки.СкидкаПартнера" })),
        ("infer_type", json!({ "expression": "Договор.Владелец", "name": FILL })),
        ("variable_flow", json!({ "variable": "Скидка", "name": "ЦеныИСкидки.СкидкаПартнера" })),
        ("module_outline", json!({ "name": "ОбщийМодуль.ОкруглениеКлиентСервер" })),
        ("find_usages", json!({ "name": "Перечисление.СпособыРасчетовПартнеров.ЗначениеПеречисления.Отсрочка" })),
        ("find_definition", json!({ "name": "ПерсонаКоторойНет" })),
        ("list_objects", json!({ "kind": "Перечисление" })),
    ];
    for (number, (tool, arguments)) in cases.into_iter().enumerate() {
        let found = demo().ok(tool, arguments.clone());
        let text = serde_json::to_string_pretty(&found).expect("JSON");
        insta::assert_snapshot!(format!("{number}_{tool}"), format!("{arguments}\n{text}"));
    }
}
