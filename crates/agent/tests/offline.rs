//! The written investigations, in the loop, over the index of the demo configuration.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::sync::{Arc, Mutex, OnceLock};

use index::build::{self, Options};
use metascope_agent::{Agent, AgentSettings, CancellationToken, Event, OfflineModel, Outcome, ProjectTools, Status};
use tools::{Language, Location, Toolset};

fn location() -> Location {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let location = Location::at(folder.path().join("index.db"));
        build::build(&support::demo(), &location, &Options::default(), &build::Stop::default(), &|_| {})
            .expect("the index is built");
        folder
    });
    Location::at(folder.path().join("index.db"))
}

fn agent() -> Agent {
    let toolset = Toolset::new(location(), Language::Russian, "agent");
    Agent::new(Arc::new(OfflineModel), Arc::new(ProjectTools::new(toolset)), AgentSettings::default())
}

/// The outcome, every name of which the index knows, and the tools that were called.
async fn ask(question: &str) -> (Outcome, Vec<String>) {
    let (outcome, called) = run(question).await;
    assert_eq!(outcome.unresolved, [], "{question}: {}", outcome.answer);
    (outcome, called)
}

/// The outcome, and the tools that were called. An answer on a message quotes names that may well not exist.
async fn run(question: &str) -> (Outcome, Vec<String>) {
    let called = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&called);
    let sink = Arc::new(move |event| {
        if let Event::ToolCall { name, .. } = event {
            seen.lock().unwrap().push(name);
        }
    });
    let outcome = agent().ask(question, sink, CancellationToken::new()).await;
    assert_eq!(outcome.status, Status::Answered, "{question}: {}", outcome.answer);
    let called = called.lock().unwrap().clone();
    (outcome, called)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_calls_in_both_languages_with_evidence() {
    let (ru, called) = ask("Кто вызывает ЦеныИСкидки.ЦенаТовара?").await;
    assert_eq!(called, ["resolve_entity", "callers"]);
    assert!(ru.answer.starts_with("`CommonModule.ЦеныИСкидки.ЦенаТовара`: "), "{}", ru.answer);
    // Two of the links that were written down before the code of the channels.
    for (source, place) in [
        (
            "CommonModule.РегламентыТорговли.ПересчитатьОптовыеЦены",
            "CommonModules/РегламентыТорговли/Ext/Module.bsl:47",
        ),
        (
            "Catalog.Товары.Form.ФормаЭлемента.ЗаполнитьСправочныеПоля",
            "Catalogs/Товары/Forms/ФормаЭлемента/Ext/Form/Module.bsl:109",
        ),
    ] {
        assert!(ru.answer.contains(&format!("- `{source}` — direct, exact — {place}")), "{}", ru.answer);
    }
    let (en, _) = ask("Who calls ЦеныИСкидки.ЦенаТовара?").await;
    assert!(en.answer.contains(" calls from "), "{}", en.answer);
    assert_eq!(en.answer.matches("\n- `").count(), ru.answer.matches("\n- `").count());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_there_is_answered_so() {
    for (question, part) in [
        ("Кто вызывает ЦеныИСкидки.ЦенаТвара?", "В конфигурации нет ничего с именем «ЦеныИСкидки.ЦенаТвара»"),
        ("Who calls ЦеныИСкидки.ЦенаТвара?", "Nothing in the configuration is named “ЦеныИСкидки.ЦенаТвара”"),
        ("Что такое ЦеныИСкидки.ЦенаТвара?", "В конфигурации нет ничего"),
    ] {
        let outcome = agent().ask(question, Arc::new(|_| {}), CancellationToken::new()).await;
        assert!(outcome.answer.contains(part), "{}", outcome.answer);
        assert!(outcome.answer.contains("- `CommonModule.ЦеныИСкидки.ЦенаТовара`"), "{}", outcome.answer);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ambiguous_name_is_answered_for_each() {
    let (outcome, called) = ask("Кто вызывает «ОбработкаПроведения»").await;
    assert!(called.iter().filter(|name| *name == "callers").count() > 1);
    assert!(
        outcome.answer.contains("`Document.ПродажаТоваров.ObjectModule.ОбработкаПроведения`"),
        "{}",
        outcome.answer
    );
    assert!(outcome.answer.contains("platform_handler"), "{}", outcome.answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_an_object_and_a_method() {
    let (object, called) = ask("Что такое документ продажа товаров?").await;
    assert_eq!(called, ["resolve_entity", "object_passport"]);
    assert!(object.answer.starts_with("`Document.ПродажаТоваров`"), "{}", object.answer);
    assert!(object.answer.contains("Реквизиты"), "{}", object.answer);
    let (method, called) = ask("What is ЦеныИСкидки.ЦенаТовара?").await;
    assert_eq!(called, ["resolve_entity", "method_passport"]);
    assert!(method.answer.contains("`Функция ЦенаТовара(Товар, ТипЦен, Дата) Экспорт`"), "{}", method.answer);
    assert!(method.answer.contains("Callers: "), "{}", method.answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn any_other_question_is_searched_for() {
    let (outcome, called) = ask("как считается скидка партнера").await;
    assert!(called.contains(&"hybrid_search".to_owned()));
    assert!(outcome.answer.contains("`CommonModule.ЦеныИСкидки.СкидкаПартнера`"), "{}", outcome.answer);
    let (outcome, _) = ask("...").await;
    assert!(outcome.answer.contains("пуст"), "{}", outcome.answer);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_words_of_a_question_choose_the_tools() {
    let cases = [
        ("Какие роли дают права на справочник Товары?", "role_rights"),
        ("Что сломается, если удалить ЦеныИСкидки.ЦенаТовара?", "impact_analysis"),
        ("What depends on ЦеныИСкидки.ЦенаТовара?", "impact_analysis"),
        ("По каким регистрам делает движения документ ПродажаТоваров?", "register_movements"),
    ];
    for (question, tool) in cases {
        let (outcome, called) = ask(question).await;
        assert!(called.iter().any(|name| name == tool), "{question}: {called:?}: {}", outcome.answer);
        assert!(outcome.answer.lines().any(|line| line.starts_with("- `")), "{question}: {}", outcome.answer);
    }
}

/// Text of an answer beside the lines that name a place, in characters.
fn beside_evidence(answer: &str) -> usize {
    let is_evidence = |line: &&str| line.starts_with("- ") && (line.contains(".bsl:") || line.contains(".xml"));
    answer.lines().filter(|line| !is_evidence(line)).map(|line| line.chars().count() + 1).sum()
}

/// Questions in other words than those of `data/offline_words.tsv`, each with the facts that its answer must hold.
#[tokio::test(flavor = "multi_thread")]
async fn questions_in_words_of_their_own() {
    let rows = include_str!("data/offline_questions.tsv").lines().filter(|line| !line.starts_with('#'));
    let (mut held, mut all, mut failed) = (0, 0, Vec::new());
    for row in rows {
        let [sort, question, facts] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let (outcome, called) = run(&question.replace("\\n", "\n")).await;
        let answer = &outcome.answer;
        let missing: Vec<&str> = facts.split('|').filter(|fact| !answer.contains(fact)).collect();
        all += 1;
        held += usize::from(missing.is_empty());
        if !missing.is_empty() {
            failed.push(format!("{sort}: {question}: {missing:?} by {called:?}"));
        }
        assert!(beside_evidence(answer) <= 1500, "{question}: {answer}");
        assert!(called.len() <= 20, "{question}: {called:?}");
        let has_place =
            answer.lines().any(|line| line.starts_with("- ") && (line.contains(".bsl") || line.contains(".xml")));
        assert!(has_place, "{question}: {answer}");
    }
    assert!(held * 10 >= all * 9, "{held} of {all}:\n{}", failed.join("\n"));
}
