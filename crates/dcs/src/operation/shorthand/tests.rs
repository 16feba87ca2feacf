use proptest::prelude::*;

use super::*;
use crate::formal::name;
use crate::operation::words::COMPARISONS;

fn read(text: &str) -> Json {
    line(text, crate::operation::Operation::form).unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

#[test]
fn lines() {
    for (text, json) in [
        (
            "добавить-поле Скидка: Число(15,2) @ресурс \"Скидка, \"\"руб\"\"\" @набор(Продажи) = Т.Скидка + (1)",
            r#"{"do":"add-field","name":"Скидка","type":"Число(15,2)","title":"Скидка, \"руб\"","resource":true,
               "set":"Продажи","expression":"Т.Скидка + (1)"}"#,
        ),
        ("rename-field А.Б -> В", r#"{"do":"rename-field","name":"А.Б","to":"В"}"#),
        ("add-filter Сумма = 1 @variant(О)", r#"{"do":"add-filter","condition":"Сумма = 1","variant":"О"}"#),
        ("add-field А ru\"Б\" en\"B\"", r#"{"do":"add-field","name":"А","title":"ru\"Б\" en\"B\""}"#),
    ] {
        assert_eq!(read(text), serde_json::from_str::<Json>(json).unwrap(), "{text}");
    }
    assert_eq!(
        Texts::parse("ru\"Б\" en\"B \"\"q\"\"\"").0,
        [("ru".to_owned(), "Б".to_owned()), ("en".to_owned(), "B \"q\"".to_owned())]
    );
    assert_eq!(Texts::parse("Просто \"текст\"").0[0].1, "Просто \"текст\"");
}

#[test]
fn mistakes_are_named() {
    let refused = |text: &str| line(text, crate::operation::Operation::form).unwrap_err();
    assert_eq!(refused("add-feild А").nearest[0], "add-field");
    assert_eq!(refused("add-field А @varaint(Б)").nearest[0], "variant");
    assert!(refused("add-field А \"Б").message.ru.contains("кавычки"));
    assert!(refused("add-field А @type(Число(1)").message.en.contains("isn't closed"));
    assert!(type_description(name("sch:valueType"), "Числл(1)").unwrap_err().nearest.contains(&"Число".to_owned()));
    assert!(
        value(name("cor:value"), "ЭтотМесец", ValuePlace::Constant)
            .unwrap_err()
            .nearest
            .contains(&"ЭтотМесяц".to_owned())
    );
}

#[test]
fn conditions_of_all_kinds() {
    for (comparison, all) in COMPARISONS {
        for word in *all {
            let values = if comparison.ends_with("Filled") { "" } else { " (1, \"и\")" };
            let found = conditions(&format!("Поле.Код {word}{values}")).unwrap();
            let [Condition::Comparison { left, comparison: read, right }] = &found[..] else { panic!("{found:?}") };
            assert_eq!((left.as_str(), read, right.is_empty()), ("Поле.Код", comparison, values.is_empty()), "{word}");
        }
    }
    let found = conditions("А = 1 и (Б = \"и или\" или не В заполнено)").unwrap();
    let [_, Condition::Group("OrGroup", inner)] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(&inner[1], Condition::Group("NotGroup", _)));
    assert!(conditions("Сумма").is_err() && conditions("= 1").is_err() && conditions("А =").is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[А-Га-г =<>()\"@&.,:|1-]{0,40}") {
        let _ = line(&format!("add-field {text}"), crate::operation::Operation::form);
        let _ = conditions(&text);
        let _ = type_description(name("sch:valueType"), &text);
        let _ = value(name("cor:value"), &text, ValuePlace::Condition);
        let _ = Texts::parse(&text);
    }
}
