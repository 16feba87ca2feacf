//! Measures the written investigations over the questions of the ground truth: facts found and turns of each.
//!
//! Needs the library and the questions; an index that is there already spares building one (`METASCOPE_OFFLINE_INDEX`).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that people read")]

use std::sync::Arc;

use index::build::{self, Options};
use metascope_agent::{Agent, AgentSettings, CancellationToken, OfflineModel, ProjectTools};
use serde_json::Value;
use tools::{Language, Location, Toolset};

/// Text beside the lines that name a place; facts beyond do not count.
const TEXT: usize = 1500;

/// What of an answer counts: evidence lines, and other text up to the limit.
fn counted(answer: &str) -> String {
    let mut room = TEXT;
    let mut out = String::new();
    for line in answer.lines() {
        if is_evidence(line) {
            out.push_str(line);
        } else {
            let kept: String = line.chars().take(room).collect();
            room -= kept.chars().count();
            out.push_str(&kept);
        }
        out.push('\n');
    }
    out
}

/// One question of each kind, about what the library has most of: the longest answers.
const LONGEST: &[&str] = &[
    "Что это за конфигурация?",
    "Обзор подсистемы СтандартныеПодсистемы",
    "Что такое Справочник.Пользователи?",
    "Что такое ОбщегоНазначения?",
    "What is ОбщегоНазначения.ЗначениеРеквизитаОбъекта?",
    "Из чего состоит Справочник.Пользователи?",
    "Какие значения у перечисления Перечисление.ТипыКонтактнойИнформации?",
    "Кто вызывает ОбщегоНазначения.ЗначениеРеквизитаОбъекта?",
    "Откуда вызывается «ПриЗаписи»?",
    "Кто ссылается на Справочник.Пользователи?",
    "Что сломается, если удалить Справочник.Пользователи?",
    "What breaks if I remove ОбщегоНазначения.ПодсистемаСуществует?",
    "Как пользователь попадает в ОбщегоНазначения.ЗначениеРеквизитаОбъекта?",
    "Отчёт ПросроченныеЗадачи не формируется: Поле не найдено \"Задачи.Х\"",
    "{ОбщийМодуль.ОбщегоНазначения.Модуль(500)}: Ошибка при вызове\n{ОбщийМодуль.Пользователи.Модуль(200)}: Сбой",
    "Кто пишет «Не удалось записать Документ 5»?",
    "Какие подписки на события есть у Справочник.Пользователи?",
    "Какие есть подписки на события?",
    "Как устроена форма Справочник.Пользователи.Форма.ФормаЭлемента?",
    "Что разрешено роли ПолныеПрава?",
    "Who may read Catalog.Пользователи?",
    "Какие есть регламентные задания?",
    "Какие предопределённые элементы у Справочник.ВидыКонтактнойИнформации?",
    "Из чего состоит отчёт ПросроченныеЗадачи: поля и параметры?",
    "Какие отчёты читают Справочник.Пользователи?",
    "Как в запросе соединить РегистрСведений.СоставыГруппПользователей и Справочник.Файлы?",
    "Какими документами делаются движения по регистру СогласияНаОбработкуПерсональныхДанных?",
    "как отправляется почта",
];

/// Whether a line names a place: in code, in metadata, in help.
fn is_evidence(line: &str) -> bool {
    line.starts_with("- ") && [".bsl:", ".xml", ".html:"].iter().any(|place| line.contains(place))
}

/// Characters of an answer beside the lines that name a place.
fn beside_evidence(answer: &str) -> usize {
    answer.lines().filter(|line| !is_evidence(line)).map(|line| line.chars().count() + 1).sum()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "corpus"]
async fn facts_of_the_questions() {
    let folder = tempfile::tempdir().unwrap();
    let location = std::env::var("METASCOPE_OFFLINE_INDEX").map(Location::at).unwrap_or_else(|_| {
        let location = Location::at(folder.path().join("index.db"));
        let root = support::require_corpus("ssl_3_1").join("src/cf");
        build::build(&root, &location, &Options::default(), &build::Stop::default(), &|_| {}).unwrap();
        location
    });
    let questions = support::gold().expect("the questions").join("questions_dev.jsonl");
    let questions = std::fs::read_to_string(questions).unwrap();
    let (mut all, mut impact, mut asserted) = ((0, 0), (0, 0), Vec::new());
    for line in questions.lines() {
        let question: Value = serde_json::from_str(line).unwrap();
        let toolset = Toolset::new(location.clone(), Language::Russian, "agent");
        let tools = Arc::new(ProjectTools::new(toolset));
        let mut agent = Agent::new(Arc::new(OfflineModel), tools, AgentSettings::default());
        let asked = question["question"].as_str().unwrap();
        let outcome = agent.ask(asked, Arc::new(|_| {}), CancellationToken::new()).await;
        let answer = counted(&outcome.answer);
        assert!(beside_evidence(&outcome.answer) <= TEXT, "{asked}: {}", outcome.answer);
        let texts = |key: &str| {
            question[key].as_array().unwrap().iter().map(|fact| fact.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let facts = texts("facts");
        let missing: Vec<_> = facts.iter().filter(|fact| !answer.contains(fact.as_str())).collect();
        let wrong: Vec<_> = texts("must_not").into_iter().filter(|name| answer.contains(name.as_str())).collect();
        let found = facts.len() - missing.len();
        all = (all.0 + found, all.1 + facts.len());
        if question["use"] == "impact" {
            impact = (impact.0 + found, impact.1 + facts.len());
        }
        let head = format!("{} {:10} {found}/{} turns {}", question["id"], question["use"], facts.len(), outcome.turns);
        println!("{head} missing {missing:?} wrong {wrong:?}");
        if std::env::var("METASCOPE_SHOW").is_ok() {
            println!("{}\n", outcome.answer);
        }
        asserted.extend(wrong);
    }
    for question in LONGEST {
        let tools = Arc::new(ProjectTools::new(Toolset::new(location.clone(), Language::Russian, "agent")));
        let mut agent = Agent::new(Arc::new(OfflineModel), tools, AgentSettings::default());
        let outcome = agent.ask(question, Arc::new(|_| {}), CancellationToken::new()).await;
        let text = beside_evidence(&outcome.answer);
        println!("{text:5} characters, {:3} lines, {:?}: {question}", outcome.answer.lines().count(), outcome.status);
        if std::env::var("METASCOPE_SHOW").is_ok() {
            println!("{}\n", outcome.answer);
        }
        assert!(text <= TEXT, "{question}: {}", outcome.answer);
    }
    println!("all {}/{}, impact {}/{}", all.0, all.1, impact.0, impact.1);
    assert!(asserted.is_empty(), "{asserted:?}");
    assert!(all.0 * 10 >= all.1 * 6, "facts {all:?}");
    assert!(impact.0 * 10 >= impact.1 * 9, "facts of the impact questions {impact:?}");
}
