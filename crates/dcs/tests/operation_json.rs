//! Operations are written as JSON and read as the same ones, of every kind and with all options.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use metascope_dcs::operation::{KINDS, Kind, Operation, batch, help, write_batch};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A value that an option may take: a text, a flag, names, a text in several languages (in an order of their own, or one twice).
fn value() -> impl Strategy<Value = Value> {
    let text = || "[А-Ва-в\"\\n @(),;:.|/a-c0-9=>&ё-]{0,12}";
    let language = || prop_oneof!["[a-z]{2}", "[#A-Za-z ]{0,3}"];
    prop_oneof![
        4 => text().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<u32>().prop_map(Value::from),
        2 => prop::collection::vec(text(), 0..4).prop_map(Value::from),
        1 => prop::collection::btree_map(language(), text(), 0..4).prop_map(|texts| json!(texts)),
        1 => prop::collection::vec((language(), text()), 0..4).prop_map(|texts| json!(texts)),
    ]
}

/// Of the values the first that each option takes.
fn of_kind(kind: &Kind, values: &[Value]) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("do".to_owned(), Value::from(kind.name));
    let mut at = 0;
    for (option, _) in kind.options {
        for _ in 0..values.len() {
            at = (at + 1) % values.len();
            let one = json!({"do": kind.name, *option: values[at]});
            if Operation::from_json(one).is_ok() {
                map.insert((*option).to_owned(), values[at].clone());
                break;
            }
        }
    }
    map
}

proptest! {
    #[test]
    fn every_kind_with_any_options(
        values in prop::collection::vec(value(), 1..24),
        schema in prop::collection::vec("[А-В/ ]{0,4}", 0..3),
    ) {
        let mut all = Vec::new();
        for kind in KINDS {
            let mut map = of_kind(kind, &values);
            map.insert("schema".to_owned(), json!(schema));
            let operation = Operation::from_json(Value::Object(map)).unwrap();
            // Through a text, as a file holds it.
            let text = serde_json::to_string(&operation).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Operation>(&text).unwrap(), &operation, "{}", text);
            prop_assert_eq!(operation.to_json(), serde_json::from_str::<Value>(&text).unwrap());
            all.push(operation);
        }
        prop_assert_eq!(batch(&write_batch(&all)).unwrap(), all);
    }
}

#[test]
fn every_option_of_every_kind_is_written() {
    let values = [json!("да"), json!(["а", "б"])];
    for kind in KINDS {
        let map = of_kind(kind, &values);
        assert_eq!(map.len(), kind.options.len() + 1, "{}: an option takes none of the values", kind.name);
        let written = Operation::from_json(Value::Object(map)).unwrap().to_json();
        let mut keys: Vec<&str> =
            written.as_object().unwrap().keys().map(String::as_str).filter(|key| *key != "do").collect();
        let mut options: Vec<&str> = kind.options.iter().map(|(option, _)| *option).collect();
        options.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, options, "{}", kind.name);
    }
}

#[test]
fn lines_are_read_as_operations_and_written_as_json() {
    let mut all = Vec::new();
    for help in help() {
        for line in [&help.example.ru, &help.example.en] {
            let operation = Operation::parse(line).unwrap();
            assert_eq!(Operation::from_json(operation.to_json()).unwrap(), operation, "{line}");
            all.push(operation);
        }
    }
    let text = write_batch(&all);
    // An operation a line, between brackets.
    assert_eq!(text.lines().count(), all.len() + 2);
    assert_eq!(batch(&text).unwrap(), all);
    assert_eq!(batch(&write_batch(&[])).unwrap(), []);
}

#[test]
fn an_operation_says_only_what_is_given() {
    let operation = Operation::parse("add-total Сумма @groups(А, Б) @schema(Внешняя/Остатки)").unwrap();
    let written = json!({"do": "add-total", "schema": "Внешняя/Остатки", "name": "Сумма", "groups": ["А", "Б"]});
    assert_eq!(operation.to_json(), written);
    let titles = Operation::parse("rename-variant О @title(ru\"Имя\" en\"Name\")").unwrap();
    assert_eq!(titles.to_json()["title"], json!([["ru", "Имя"], ["en", "Name"]]));
    assert!(serde_json::from_str::<Operation>("{\"do\": \"add-totl\"}").unwrap_err().to_string().contains("add-totl"));
}
