//! The agent's part of the window, over a copy of the demo and a model's server that follows a script: changes that wait, how a
//! question is asked, what it cost, what was sent.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]
#![cfg(feature = "desktop")]

// The server is that of the agent's own tests.
extern crate agent as metascope_agent;

mod desk;
#[path = "../../crates/agent/tests/support/mod.rs"]
mod server;

use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use agent::Price;
use agent::models::{ModelBook, ModelEntry, Region};
use desk::{click, desk, element, is_shown, key, key_with, settle, until, window};
use index::Location;
use index::build::{Options, Stop, build};
use metascope::window::controller::Controller;
use metascope::window::ui::{ChatRow, DiffLine};
use paths::Places;
use serde_json::{Value, json};
use server::{Response, Server};
use slint::Model;
use slint::platform::Key;

const FILE: &str = "CommonModules/ЦеныИСкидки/Ext/Module.bsl";
const OLD: &str = "Скидка = Скидка + 5;";
const NEW: &str = "Скидка = Скидка + 7;";

/// A window over a copy of the demo, whose model is a server of its own.
struct Bench {
    controller: Rc<Controller>,
    server: Server,
    folder: tempfile::TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl Bench {
    fn new(script: Vec<Response>) -> Self {
        Self::with(script, |_| {})
    }

    fn with(script: Vec<Response>, change: impl FnOnce(&mut ModelEntry)) -> Self {
        let folder = support::temp_dir();
        let (root, location) = (folder.path().join("cf"), Location::at(folder.path().join("index.db")));
        support::copy_folder(&support::demo(), &root);
        build(&root, &location, &Options::default(), &Stop::default(), &|_| {}).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let server = runtime.block_on(Server::start(script));
        let mut entry = ModelEntry::new("опытная", &server.url, "test-model", Region::local());
        entry.proxy = Some("direct".to_owned());
        entry.price = Some(Price { prompt: 2.0, cached: 0.5, completion: 8.0, currency: "RUB".to_owned() });
        change(&mut entry);
        let places = Places::at(&folder.path().join("data"));
        std::fs::create_dir_all(places.data_dir()).unwrap();
        let book = ModelBook { default: Some(entry.name.clone()), models: vec![entry] };
        book.write(&places.chat_models_file()).unwrap();
        let controller = window();
        controller.keep_in(places);
        controller.start(Some(root), Some(location));
        settle(&controller);
        desk(&controller).set_panel(2);
        Self { controller, server, folder, _runtime: runtime }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("cf").join(FILE)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    fn ask(&self, question: &str) {
        desk(&self.controller).invoke_ask(question.into());
        settle(&self.controller);
    }

    fn chat(&self) -> Vec<ChatRow> {
        desk(&self.controller).get_chat().iter().collect()
    }

    fn diff(&self) -> Vec<DiffLine> {
        desk(&self.controller).get_diff().iter().collect()
    }

    /// What was recorded of the questions.
    fn records(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.path().join("index.questions.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn patch(search: &str, replace: &str) -> Response {
    let arguments = json!({
        "name": "ЦеныИСкидки.СкидкаПартнера", "search": search, "replace": replace, "title": "Скидка крупным партнерам",
    });
    Response::calls(&[("propose_patch", &arguments.to_string())])
}

/// A model that proposes a change and says so.
fn proposes() -> Vec<Response> {
    vec![patch(OLD, NEW), Response::answer("Предложил правку.")]
}

#[test]
fn a_change_waits_and_is_applied_and_undone_by_keys() {
    let bench = Bench::new(proposes());
    let window = &bench.controller;
    let before = bench.text();
    click(window, "Режим: Агент");
    bench.ask("Исправь скидку: крупным партнерам 7 процентов");
    assert_eq!(desk(window).get_edits_waiting(), 1, "{:?}", bench.chat());
    assert_eq!(bench.text(), before, "nothing is applied by itself");

    click(window, "Посмотреть правку 1");
    assert!(desk(window).get_diffing());
    let rows = bench.diff();
    assert_eq!((rows[0].kind, rows[0].text.as_str(), rows[0].detail.as_str()), (0, FILE, "−1 +1"));
    let changed = rows.iter().find(|row| row.kind == 2 && row.old.kind == 2).unwrap();
    assert_eq!((changed.old.number.as_str(), changed.new.number.as_str(), changed.new.kind), ("50", "50", 3));
    let marks = |side: &metascope::window::ui::DiffSide| {
        side.marks.iter().map(|mark| (mark.from, mark.length)).collect::<Vec<_>>()
    };
    // Two tabs, then `Скидка = Скидка + `.
    assert_eq!((marks(&changed.old), marks(&changed.new)), (vec![(26, 1)], vec![(26, 1)]));
    assert_eq!(rows.iter().filter(|row| row.kind == 2).count(), 7, "three lines around the one that changed");
    assert!(is_shown(window, "Проверки: замечаний нет"));

    key_with(window, Key::Control, Key::Return);
    assert_eq!(bench.text(), before.replace(OLD, NEW));
    assert_eq!((desk(window).get_edit_state(), desk(window).get_edits_waiting()), (1, 0));
    assert!(!is_shown(window, "Применить правку (Ctrl+Enter)"));
    key_with(window, Key::Control, "я"); // the key of Z in the Russian layout
    assert_eq!(bench.text(), before, "byte for byte");
    assert_eq!(desk(window).get_edit_word(), "отменена");
    key(window, Key::Escape);
    assert!(!desk(window).get_diffing());
}

#[test]
fn changes_are_walked_and_one_is_dropped() {
    let script = vec![
        patch(OLD, NEW),
        patch("Скидка = Скидка + 2;", "Скидка = Скидка + 3;"),
        Response::answer("Предложил две правки."),
    ];
    let bench = Bench::new(script);
    let window = &bench.controller;
    click(window, "Режим: Агент");
    bench.ask("Исправь скидки");
    key_with(window, Key::Control, "e");
    assert_eq!(desk(window).get_panel(), 3);
    click(window, "1. Скидка крупным партнерам");
    key_with(window, Key::Alt, Key::DownArrow);
    assert_eq!(desk(window).get_edit_id(), 2);
    click(window, "Отбросить правку (Ctrl+Delete)");
    assert_eq!((desk(window).get_edit_word().as_str(), desk(window).get_edits_waiting()), ("отброшена", 1));
    key_with(window, Key::Control, Key::Return);
    assert!(!bench.text().contains("+ 3;"), "what was dropped is not applied");
    click(window, "Предыдущая правка (Alt+↑)");
    click(window, "Применить правку (Ctrl+Enter)");
    assert!(bench.text().contains(NEW) && !bench.text().contains("+ 3;"));
}

#[test]
fn a_file_that_changed_meanwhile_is_a_conflict_and_stays() {
    let bench = Bench::new(proposes());
    let window = &bench.controller;
    click(window, "Режим: Агент");
    bench.ask("Исправь скидку");
    click(window, "Посмотреть правку 1");
    assert_eq!(desk(window).get_edit_state(), 0);
    // Behind the window's back, while the person looks at the change.
    let other = bench.text().replace("300000", "400000");
    std::fs::write(bench.file(), &other).unwrap();
    desk(window).invoke_apply_edit();
    settle(window);
    assert_eq!(bench.text(), other, "never written over");
    let error = desk(window).get_edit_error();
    assert!(error.contains(FILE) && error.contains("отбросьте правку"), "{error}");
    assert_eq!((desk(window).get_edit_state(), desk(window).get_edit_word().as_str()), (3, "конфликт"));
    assert!(!is_shown(window, "Применить правку (Ctrl+Enter)"));
    assert!(bench.diff()[0].note.contains("файл изменился"), "only what is replaced is shown");
    desk(window).invoke_set_language(false);
    settle(window);
    assert!(desk(window).get_edit_conflict().contains("changed since"), "{}", desk(window).get_edit_conflict());
    click(window, "Discard the change (Ctrl+Delete)");
    assert_eq!((desk(window).get_edit_word().as_str(), desk(window).get_edits_waiting()), ("discarded", 0));
    assert_eq!(bench.text(), other);
}

#[test]
fn changes_apply_themselves_only_while_the_switch_is_on() {
    let script = vec![
        patch(OLD, NEW),
        Response::answer("Раз."),
        patch(NEW, OLD),
        Response::answer("Два."),
        // No gate refuses this one, but one remarks on it.
        patch(OLD, &format!("{OLD}\n\t\tВид = Тип(\"СправочникСсылка.НетТакого\");")),
        Response::answer("Три."),
    ];
    let bench = Bench::new(script);
    let window = &bench.controller;
    click(window, "Режим: Агент");
    desk(window).set_panel(3);
    assert!(!desk(window).get_by_itself(), "off until the person switches it on");
    click(window, "Применять правки агента самому");
    desk(window).set_panel(2);
    bench.ask("Исправь скидку");
    assert!(bench.text().contains(NEW));
    assert!(bench.chat().iter().any(|row| row.kind == 5 && row.text.contains("Применены сами: 1")));
    click(window, "Не применять правки самому");
    assert!(!desk(window).get_by_itself());
    bench.ask("Верни скидку");
    assert!(bench.text().contains(NEW), "it waits again");
    assert_eq!(desk(window).get_edits_waiting(), 1);
    desk(window).invoke_set_by_itself(true);
    bench.ask("Добавь вид скидки");
    assert!(!bench.text().contains("НетТакого"));
    let notice = bench.chat().iter().rfind(|row| row.kind == 5).map(|row| row.text.to_string()).unwrap_or_default();
    assert!(notice.contains("Ждёт вас правка 3") && notice.contains("замечания"), "{notice}");
    desk(window).invoke_show_edit(3);
    settle(window);
    let findings: Vec<_> = desk(window).get_edit_findings().iter().collect();
    assert!(findings.len() == 1 && !findings[0].blocking && findings[0].text.contains("НетТакого"));
    assert!(!is_shown(window, "Проверки: замечаний нет"));
}

#[test]
fn what_gates_refuse_is_told_in_the_chat() {
    let bench = Bench::new(vec![patch(OLD, "Если Тогда"), Response::answer("Не вышло.")]);
    click(&bench.controller, "Режим: Агент");
    bench.ask("Исправь скидку");
    let refused = bench.chat().into_iter().find(|row| row.kind == 2 && row.failed).unwrap();
    assert!(refused.remarks.starts_with("✗ CommonModules/ЦеныИСкидки"), "{}", refused.remarks);
    assert_eq!(desk(&bench.controller).get_edits_waiting(), 0);
}

#[test]
fn without_the_mode_no_change_is_proposed() {
    let bench = Bench::new(proposes());
    bench.ask("Исправь скидку");
    let call = bench.chat().into_iter().find(|row| row.kind == 2).unwrap();
    assert!(call.failed, "{}", call.detail);
    assert_eq!(desk(&bench.controller).get_edits_waiting(), 0);
}

#[test]
fn turns_tokens_and_price_are_shown_and_a_question_goes_on() {
    let calls = [("method_passport", r#"{"name": "ЦеныИСкидки.СкидкаПартнера"}"#)];
    let look = || Response::stream().usage(1_000_000, 500).then(Response::calls(&calls));
    let bench = Bench::new(vec![look(), look(), Response::stream().text("Ответ.").usage(2000, 100).end("stop")]);
    let window = &bench.controller;
    // The thread of the agent tells of its model in its own time.
    let end = Instant::now() + Duration::from_secs(60);
    while desk(window).get_step_choices().row_count() == 0 && Instant::now() < end {
        settle(window);
    }
    let steps: Vec<i32> = desk(window).get_step_choices().iter().collect();
    assert_eq!((desk(window).get_steps(), steps), (30, vec![30, 24, 12, 6]));
    assert!(is_shown(window, "текст обрабатывается: на этой машине или в вашей сети"));
    click(window, "Ходов на вопрос: 6");
    assert_eq!(desk(window).get_steps(), 6);
    // As if a smaller limit were among the presets.
    desk(window).set_steps(2);
    bench.ask("Как считается скидка?");
    let turn = bench.chat().into_iter().find(|row| row.kind == 1).unwrap();
    assert_eq!(
        (turn.title.as_str(), turn.detail.as_str()),
        ("Ход 1 / 2", "1\u{a0}000\u{a0}000 → 500 токенов · 2.0040 RUB")
    );
    assert_eq!(desk(window).get_tokens(), "Вопрос: 2\u{a0}000\u{a0}000 → 1\u{a0}000 токенов · 4.0080 RUB");
    assert!(desk(window).get_can_go_on() && is_shown(window, "Ходы закончились"));
    click(window, "Продолжить вопрос");
    assert!(!desk(window).get_can_go_on());
    assert_eq!(bench.chat().last().map(|row| (row.kind, row.text.to_string())), Some((4, "Ответ.".to_owned())));
    let records = bench.records();
    let of = |key: &str| records.iter().map(|record| record[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("status"), ["turn_limit", "answered"]);
    assert_eq!(of("question"), ["Как считается скидка?", "Как считается скидка?"]);
    assert_eq!(of("turns"), [2, 1]);
    assert_eq!(records.iter().map(|record| record["usage"]["prompt"].as_u64().unwrap()).sum::<u64>(), 2_002_000);
}

#[test]
fn a_question_is_stopped_at_once() {
    let slow = Response::stream().text("Думаю").pause(60_000).text("!").end("stop");
    let bench = Bench::new(vec![slow]);
    let window = &bench.controller;
    desk(window).invoke_ask("Кто вызывает скидку?".into());
    until(window, "text", || bench.chat().iter().any(|row| row.kind == 3));
    let stopped = Instant::now();
    click(window, "Стоп");
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    assert!(!desk(window).get_asking());
    assert!(is_shown(window, "Остановлено"));
    assert_eq!(bench.records()[0]["status"], "cancelled");
    // A question that is stopped before its thread has seen it is stopped as well.
    desk(window).invoke_ask("Ещё раз".into());
    desk(window).invoke_stop_asking();
    settle(window);
    assert_eq!(bench.server.requests().len(), 1);
}

#[test]
fn an_image_goes_with_the_question_to_a_model_that_sees() {
    let bench = Bench::with(vec![Response::answer("Вижу ошибку.")], |entry| entry.abilities.images = true);
    let window = &bench.controller;
    click(window, "Приложить изображение");
    element(window, "Путь к файлу изображения").set_accessible_value("/нет/такого.png");
    desk(window).invoke_attach("/нет/такого.png".into());
    assert!(desk(window).get_attach_note().contains("/нет/такого.png"));
    let picture = bench.folder.path().join("ошибка.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n1").unwrap();
    desk(window).invoke_attach(picture.to_str().unwrap().into());
    desk(window).invoke_attach(picture.to_str().unwrap().into());
    settle(window);
    assert_eq!(desk(window).get_images().row_count(), 2);
    click(window, "Убрать изображение");
    bench.ask("Что на снимке?");
    assert_eq!(
        (desk(window).get_images().row_count(), bench.chat()[0].detail.as_str()),
        (0, "изображения: ошибка.png")
    );
    let body = bench.server.requests()[0].to_string();
    assert_eq!(body.matches("image_url\":{").count(), 1, "{body}");
}

#[test]
fn a_model_that_sees_nothing_is_not_sent_an_image() {
    let bench = Bench::new(vec![Response::answer("Не вижу.")]);
    let picture = bench.folder.path().join("ошибка.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n1").unwrap();
    desk(&bench.controller).invoke_attach(picture.to_str().unwrap().into());
    bench.ask("Что на снимке?");
    let last = bench.chat().pop().unwrap();
    assert!(
        last.kind == 6 && last.text.contains("не принимает изображений") && last.text.contains("models add"),
        "{}",
        last.text
    );
    assert!(bench.server.requests().is_empty() && !desk(&bench.controller).get_asking());
}

#[test]
fn the_log_shows_exactly_what_was_sent() {
    let bench = Bench::new(vec![Response::answer("Нашёл.")]);
    let window = &bench.controller;
    click(window, "Что отправлялось моделям");
    assert_eq!(desk(window).get_sent_note(), "Никуда ничего не отправлялось");
    key(window, Key::Escape);
    assert!(!desk(window).get_sent_open());
    bench.ask("Кто вызывает скидку партнера?");
    click(window, "Что отправлялось моделям");
    let rows = || desk(window).get_sent().iter().collect::<Vec<_>>();
    assert_eq!(rows().len(), 1);
    assert!(rows()[0].detail.contains("test-model") && rows()[0].detail.contains("[local]"), "{}", rows()[0].detail);
    desk(window).invoke_unfold_sent(0);
    assert!(rows().iter().any(|row| row.kind == 2 && row.text.contains("Кто вызывает скидку партнера?")));
    assert!(rows().iter().any(|row| row.kind == 2 && row.text.contains("callers")), "the tools that went along");
}

#[test]
fn what_was_said_stays_when_the_index_is_updated() {
    let bench = Bench::new(vec![Response::answer("Раз."), Response::answer("Два.")]);
    bench.ask("Первый вопрос");
    std::fs::write(bench.file(), bench.text().replace("300000", "400000")).unwrap();
    desk(&bench.controller).invoke_build();
    settle(&bench.controller);
    bench.ask("Второй вопрос");
    assert!(bench.server.said(1).contains("Первый вопрос"), "the agent remembers");
    assert_eq!(bench.records().len(), 2);
}
