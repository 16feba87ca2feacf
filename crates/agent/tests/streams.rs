//! Models over HTTP against a server that follows a script: streams of every shape, refusals, limits, a second model, images,
//! secrets. A dialogue is one row of a table, or a test of its own.

#![allow(clippy::unwrap_used, clippy::type_complexity, reason = "helpers and tables of tests")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use metascope_agent::image::Image;
use metascope_agent::models::{Failover, Finding, Region, State, probe};
use metascope_agent::openai::{OpenAiModel, Settings};
use metascope_agent::sent::SentLog;
use metascope_agent::{AgentSettings, ChatModel, Event, Limits, ModelError, Outcome, Status};
use serde_json::{Value, json};
use support::{Dialogue, Response, Server, limits};

/// What a dialogue must come to.
enum Expect {
    /// This answer, after so many requests.
    Answer(&'static str, usize),
    /// An error of this kind, after so many requests, with this text kept.
    Error(fn(&ModelError) -> bool, usize, &'static str),
}

async fn holds(name: &str, script: Vec<Response>, expect: Expect) {
    let mut dialogue = Dialogue::new(script).await;
    let outcome = dialogue.ask("Вопрос?").await;
    let requests = dialogue.server.requests().len();
    match expect {
        Expect::Answer(text, sent) => {
            assert_eq!((&outcome.status, outcome.answer.as_str()), (&Status::Answered, text), "{name}");
            assert_eq!(requests, sent, "{name}");
        }
        Expect::Error(kind, sent, kept) => {
            let Status::Failed(error) = &outcome.status else { panic!("{name}: {:?}", outcome.status) };
            assert!(kind(error), "{name}: {error:?}");
            assert_eq!(requests, sent, "{name}: {error:?}");
            assert!(outcome.answer.contains(kept), "{name}: {}", outcome.answer);
            assert!(!kept.is_empty() || !dialogue.events.all().iter().any(|event| matches!(event, Event::Text { .. })));
        }
    }
}

fn chunk(delta: Value) -> String {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }).to_string()
}

fn text(text: &str) -> String {
    chunk(json!({ "content": text }))
}

fn stop() -> String {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }).to_string()
}

fn raw(body: impl Into<Vec<u8>>) -> Response {
    Response::stream().bytes(body)
}

fn cut_off(error: &ModelError) -> bool {
    matches!(error, ModelError::CutOff { .. })
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_of_every_shape_give_their_answer() {
    let (a, b, end) = (text("При"), text("вет"), stop());
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 1, "completion_tokens": 2 } });
    let rows: Vec<(&str, Response)> = vec![
        ("crlf", raw(format!("data: {a}\r\n\r\ndata: {b}\r\n\r\ndata: {end}\r\n\r\ndata: [DONE]\r\n\r\n"))),
        ("cr alone", raw(format!("data: {a}\r\rdata: {b}\r\rdata: {end}\r\rdata: [DONE]\r\r"))),
        ("cut within characters", Response::stream().text("Привет").end("stop").cut_into(&[1])),
        (
            "cut within line ends",
            raw(format!("data: {a}\r\n\r\ndata: {b}\r\n\r\ndata: {end}\r\n\r\n")).cut_into(&[7, 1, 2]),
        ),
        ("comments", raw(format!(": ping\n\n: ping\ndata: {a}\n: ping\n\n:\n\ndata: {b}\n\ndata: {end}\n\n"))),
        (
            "other fields",
            raw(format!("retry: 10\nid: 1\nevent: x\ndata: {a}\n\nevent: x\ndata: {b}\n\ndata: {end}\n\n")),
        ),
        ("a mark of byte order", raw(format!("\u{feff}data: {a}\n\ndata: {b}\n\ndata: {end}\n\n"))),
        ("no blank after the colon", raw(format!("data:{a}\n\ndata:{b}\n\ndata:{end}\n\n"))),
        ("no [DONE]", raw(format!("data: {a}\n\ndata: {b}\n\ndata: {end}\n\n"))),
        ("no last blank line", raw(format!("data: {a}\n\ndata: {b}\n\ndata: {end}"))),
        ("[DONE] and no reason", raw(format!("data: {a}\n\ndata: {b}\n\ndata: [DONE]\n\n"))),
        (
            "one event on two lines",
            raw(format!(
                "data: {a}\n\ndata: {{\"choices\":\ndata: [{{\"delta\":{{\"content\":\"вет\"}}}}]}}\n\ndata: {end}\n\n"
            )),
        ),
        (
            "empty choices",
            raw(format!("data: {}\n\ndata: {a}\n\ndata: {b}\n\ndata: {end}\n\n", json!({ "choices": [] }))),
        ),
        ("usage alone", raw(format!("data: {a}\n\ndata: {b}\n\ndata: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))),
        ("empty events", raw(format!("data:\n\ndata: {a}\n\n\n\ndata: {b}\n\ndata: {end}\n\n"))),
        ("reasoning before", Response::stream().delta(json!({ "reasoning_content": "хм" })).text("Привет").end("stop")),
        ("parts", Response::stream().delta(json!({ "content": [{ "type": "text", "text": "Привет" }] })).end("stop")),
        (
            "a second choice",
            raw(format!(
                "data: {a}\n\ndata: {}\n\ndata: {end}\n\n",
                json!({ "choices": [{ "delta": { "content": "вет" } }, { "index": 1, "delta": { "content": "!!!" } }] })
            )),
        ),
        ("lost after the end", Response::stream().text("Привет").event(serde_json::from_str(&end).unwrap()).cut()),
        (
            "no stream at all",
            Response::status(
                200,
                json!({ "choices": [{ "message": { "content": "Привет" }, "finish_reason": "stop" }] }),
            ),
        ),
    ];
    for (name, response) in rows {
        holds(name, vec![response], Expect::Answer("Привет", 1)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_partly_received_is_never_asked_for_again() {
    let a = text("При");
    let error = json!({ "error": { "message": "overloaded", "code": 502 } });
    let provider: fn(&ModelError) -> bool = |error| matches!(error, ModelError::Provider(text) if text == "overloaded");
    let malformed: fn(&ModelError) -> bool = |error| matches!(error, ModelError::Malformed(_));
    let rows: Vec<(&str, Response, fn(&ModelError) -> bool, &str)> = vec![
        ("neither reason nor [DONE]", raw(format!("data: {a}\n\n")), cut_off, "При"),
        ("half a chunk at the end", raw(format!("data: {a}\n\ndata: {{\"choices\": [{{\"del")), cut_off, "При"),
        ("half the first chunk", raw("data: {\"choices\": [{\"del"), cut_off, ""),
        ("lost in the middle", Response::stream().text("При").cut(), cut_off, "При"),
        ("lost within the first chunk", raw("data: {\"choices\"").cut(), cut_off, ""),
        ("an error after text", Response::stream().text("При").event(error.clone()), provider, "При"),
        ("an error as the first event", Response::stream().event(error), provider, ""),
        (
            "reason: error",
            Response::stream().text("При").end("error"),
            |error| matches!(error, ModelError::Provider(_)),
            "При",
        ),
        ("no JSON", Response::stream().text("При").bytes("data: oops\n\n"), malformed, "При"),
        ("a page", Response::page(200, "<html>log in</html>"), malformed, ""),
        (
            "silence after text",
            Response::stream().text("При").pause(1500),
            |error| matches!(error, ModelError::Silent { received: true, .. }),
            "При",
        ),
        (
            "silence within the first chunk",
            raw("data: {\"choices\"").pause(1500),
            |error| matches!(error, ModelError::Silent { received: true, .. }),
            "",
        ),
    ];
    for (name, response, kind, kept) in rows {
        holds(name, vec![response, Response::answer("второй раз")], Expect::Error(kind, 1, kept)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_got_nothing_is_asked_for_again() {
    let busy = |status: u16| Response::status(status, json!({ "error": { "message": "busy" } }));
    let json = |body: &str| Response::stream().bytes(body).header("X", "1");
    let rows: Vec<(&str, Vec<Response>, usize)> = vec![
        ("closed without a word", vec![Response::status(0, Value::Null)], 2),
        ("closed after the head", vec![Response::stream().cut()], 2),
        ("an empty stream", vec![Response::stream()], 2),
        ("only comments", vec![json(": ping\n\n: ping\n\n")], 2),
        ("only comments, then lost", vec![json(": ping\n\n").cut()], 2),
        ("silence", vec![Response::stream().pause(1500)], 2),
        ("comments, then silence", vec![json(": ping\n\n").pause(1500)], 2),
        ("429", vec![busy(429)], 2),
        ("429 with Retry-After", vec![busy(429).header("Retry-After", "0.1")], 2),
        ("429 with retry-after-ms", vec![busy(429).header("retry-after-ms", "50")], 2),
        ("500 and 503", vec![busy(500), busy(503)], 3),
        ("529, 502 and 504", vec![busy(529), busy(502), busy(504)], 4),
        ("503 with a page", vec![Response::page(503, "<html>503</html>")], 2),
    ];
    for (name, mut script, sent) in rows {
        script.push(Response::answer("готово"));
        holds(name, script, Expect::Answer("готово", sent)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_told_and_not_repeated() {
    let refused = |status: u16, body: Value| Response::status(status, body);
    let error = |message: &str| json!({ "error": { "message": message } });
    let rows: Vec<(u16, Value, &str, &str)> = vec![
        (400, error("bad request"), "bad request", "Проверьте имя модели"),
        (401, error("no such key"), "no such key", "Проверьте ключ"),
        (402, error("Insufficient Balance"), "Insufficient Balance", "Пополните баланс"),
        (403, json!({ "message": "not allowed" }), "not allowed", "Проверьте ключ"),
        (404, json!({ "detail": "model not found" }), "model not found", "Проверьте имя модели и адрес"),
        (413, error("too long"), "too long", "длиннее, чем принимает модель"),
        (422, json!("плохое поле"), "плохое поле", "Проверьте имя модели"),
        (429, json!({ "error": { "message": "pay", "code": "insufficient_quota" } }), "pay", "Квота исчерпана"),
    ];
    for (status, body, told, mend) in rows {
        let mut dialogue = Dialogue::new(vec![refused(status, body), Response::answer("нет")]).await;
        let outcome = dialogue.ask("?").await;
        assert!(
            matches!(&outcome.status, Status::Failed(ModelError::Refused { status: code, message }) if *code == status && message == told),
            "{status}: {:?}",
            outcome.status
        );
        assert_eq!(dialogue.server.requests().len(), 1, "{status}");
        let shown = |event: &Event| matches!(event, Event::Error { message } if message.contains(told) && message.contains(mend));
        assert!(dialogue.events.all().iter().any(shown), "{status}: {:?}", dialogue.events.all());
    }
    for status in [500, 503] {
        let mut dialogue = Dialogue::new(vec![refused(status, error("down"))]).await;
        let outcome = dialogue.ask("?").await;
        assert!(matches!(&outcome.status, Status::Failed(ModelError::Busy { status: code, .. }) if *code == status));
        assert_eq!(dialogue.server.requests().len(), 4, "all attempts, and no more");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_calls_in_pieces_and_interleaved() {
    let call = |index: u64, id: &str, name: &str, arguments: &str| json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] });
    let piece = |index: u64, arguments: &str| json!({ "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] });
    let in_pieces = ["{", "\"и", "мя\"", ":", " \"Обмен", "\\u0020", "данными\"", "}"]
        .iter()
        .fold(Response::stream().delta(call(0, "a", "echo", "")), |stream, part| stream.delta(piece(0, part)));
    let interleaved = Response::stream()
        .delta(call(0, "a", "echo", "{\"n\""))
        .delta(call(1, "b", "echo", "{\"n\""))
        .delta(piece(0, ":1"))
        .delta(piece(1, ":2}"))
        .delta(piece(0, "}"));
    for (name, stream, expected) in [
        ("in pieces", in_pieces, vec![json!({ "имя": "Обмен данными" })]),
        ("interleaved", interleaved, vec![json!({ "n": 1 }), json!({ "n": 2 })]),
    ] {
        let mut dialogue =
            Dialogue::new(vec![stream.end("tool_calls").cut_into(&[3, 5, 8]), Response::answer("готово")]).await;
        assert_eq!(dialogue.ask("?").await.answer, "готово", "{name}");
        let results = dialogue.server.results(1);
        let given = results.iter().map(|text| serde_json::from_str::<Value>(text).unwrap()["echo"].clone());
        assert_eq!(given.collect::<Vec<_>>(), expected, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_harm_nothing() {
    let mut body = format!("data: {}\n\ndata: ", text("При")).into_bytes();
    body.extend_from_slice(b"{\"choices\":[{\"delta\":{\"content\":\"\xff\xfe\"}}]}\n\n");
    body.extend_from_slice(format!("data: {}\n\n", stop()).as_bytes());
    holds("no UTF-8", vec![raw(body)], Expect::Answer("При\u{fffd}\u{fffd}", 1)).await;
}

/// Ten minutes of a stream that says a word every 100 seconds, in no time.
#[tokio::test(start_paused = true)]
async fn a_stream_of_ten_minutes_is_not_cut() {
    let script = (0..7).fold(Response::stream(), |stream, _| stream.text("слово ").pause(100_000)).end("stop");
    let settings = AgentSettings { limits: Limits::default(), ..AgentSettings::default() };
    let mut dialogue = Dialogue::with(vec![script], settings).await;
    let (virtually, really) = (tokio::time::Instant::now(), std::time::Instant::now());
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.answer.as_str()), (Status::Answered, "слово ".repeat(7).as_str()));
    assert!(virtually.elapsed() >= Duration::from_secs(600), "{:?}", virtually.elapsed());
    assert!(really.elapsed() < Duration::from_secs(60), "{:?}", really.elapsed());
    assert_eq!(dialogue.server.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_falls_silent_for_longer_than_its_limit_is_cut_with_a_clear_message() {
    let script = Response::stream().text("слово ").pause(100_000).text("слово").pause(1_000_000).end("stop");
    let settings = AgentSettings { limits: Limits::default(), ..AgentSettings::default() };
    let mut dialogue = Dialogue::with(vec![script], settings).await;
    let begun = tokio::time::Instant::now();
    let outcome = dialogue.ask("?").await;
    assert_eq!(
        outcome.status,
        Status::Failed(ModelError::Silent { limit: Limits::default().silence(), received: true })
    );
    assert_eq!((begun.elapsed().as_secs(), outcome.answer.as_str()), (280, "слово слово"));
    let told = |event: &Event| matches!(event, Event::Error { message } if message.starts_with("the model was silent for 180 s"));
    assert!(dialogue.events.all().iter().any(told), "{:?}", dialogue.events.all());
    assert_eq!(dialogue.server.requests().len(), 1);
}

/// A model of a region at a server.
fn model(server: &Server, region: &str, change: impl FnOnce(&mut Settings)) -> Arc<dyn ChatModel> {
    let mut settings = support::model_settings(&server.url);
    settings.region = Some(Region::parse(region).unwrap());
    settings.retry.attempts = 2;
    change(&mut settings);
    Arc::new(OpenAiModel::new(settings, &limits()).unwrap())
}

/// Asks a first model with a second behind it; gives the outcome, and how often each was asked.
async fn both(first: Vec<Response>, image: Option<Image>, second_sees: bool) -> (Outcome, usize, usize, Dialogue) {
    let (one, two) = (Server::start(first).await, Server::start(vec![Response::answer("второй")]).await);
    let first = model(&one, "RU", |settings| settings.images = true);
    let second = model(&two, "RU", |settings| settings.images = second_sees);
    let mut dialogue = Dialogue::over(two, Arc::new(Failover::new(first, second).unwrap()));
    image.into_iter().for_each(|image| dialogue.agent.attach(image));
    let outcome = dialogue.ask("Что на снимке?").await;
    (outcome, one.requests().len(), dialogue.server.requests().len(), dialogue)
}

fn picture() -> Image {
    Image::from_bytes("ошибка.png", b"\x89PNG\r\n\x1a\nbytes").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_model_is_asked_only_if_the_first_gave_nothing() {
    let status = |status: u16| Response::status(status, json!({ "error": { "message": "x" } }));
    for (name, first, sent) in [
        ("closed", Response::status(0, Value::Null), 2),
        ("busy", status(503), 2),
        ("no money", status(402), 1),
        ("no such model", status(404), 1),
        ("a wait that is too long", status(429).header("Retry-After", "3600"), 1),
        ("silence", Response::stream().pause(1500), 2),
    ] {
        let (outcome, one, two, dialogue) = both(vec![first], None, false).await;
        assert_eq!((outcome.answer.as_str(), one, two), ("второй", sent, 1), "{name}");
        let told = |event: &Event| matches!(event, Event::Notice { text } if text.contains("запасной модели test-model @ 127.0.0.1"));
        assert!(dialogue.events.all().iter().any(told), "{name}");
    }
    for (name, first) in [
        ("a word", Response::stream().text("нача").cut()),
        ("a thought", Response::stream().delta(json!({ "reasoning_content": "хм" })).cut()),
        (
            "half a call",
            Response::stream().delta(json!({ "tool_calls": [{ "index": 0, "function": { "name": "echo" } }] })).cut(),
        ),
        ("the question's own fault", status(400)),
        ("too long", status(413)),
    ] {
        let (outcome, one, two, _) = both(vec![first], None, false).await;
        assert!(matches!(outcome.status, Status::Failed(_)), "{name}");
        assert_eq!((one, two), (1, 0), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_region_is_never_asked() {
    let (one, two) = (Server::start(vec![]).await, Server::start(vec![]).await);
    for (here, there) in [("RU", "CN"), ("RU", "any"), ("local", "RU"), ("EU", "US")] {
        let refused = Failover::new(model(&one, here, |_| {}), model(&two, there, |_| {}));
        assert!(
            matches!(refused, Err(ModelError::Settings(text)) if text.contains("leaves the region")),
            "{here} -> {there}"
        );
    }
    assert!(Failover::new(model(&one, "CN", |_| {}), model(&two, "local", |_| {})).is_ok());
    assert_eq!(two.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_goes_to_models_that_take_images_and_to_no_other() {
    let (outcome, one, two, _) = both(vec![Response::answer("вижу")], Some(picture()), true).await;
    assert_eq!((outcome.answer.as_str(), one, two), ("вижу", 1, 0));

    let down = || vec![Response::status(503, Value::Null)];
    let (outcome, _, two, dialogue) = both(down(), Some(picture()), true).await;
    assert_eq!((outcome.answer.as_str(), two), ("второй", 1));
    let parts = dialogue.server.requests()[0]["messages"][1]["content"].clone();
    let kinds: Vec<&str> = parts.as_array().unwrap().iter().filter_map(|part| part["type"].as_str()).collect();
    assert_eq!(kinds, ["image_url", "text", "text"], "the image, the question, the turn's marker");
    assert!(parts[0]["image_url"]["url"].as_str().unwrap().starts_with("data:image/png;base64,iVBORw"));
    assert_eq!(parts[1]["text"], "Что на снимке?");

    let (outcome, _, two, _) = both(down(), Some(picture()), false).await;
    assert!(matches!(outcome.status, Status::Failed(ModelError::Busy { .. })));
    assert_eq!(two, 0, "the second takes no images");

    let mut blind = Dialogue::new(vec![Response::answer("нет")]).await;
    blind.agent.attach(picture());
    let outcome = blind.ask("?").await;
    assert!(matches!(&outcome.status, Status::Failed(ModelError::Settings(text)) if text.contains("takes no images")));
    assert_eq!(blind.server.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_goes_with_its_question_and_not_with_the_next() {
    let server = Server::start(vec![Response::answer("раз")]).await;
    let sees = model(&server, "RU", |settings| settings.images = true);
    let mut dialogue = Dialogue::over(server, sees);
    dialogue.agent.attach(picture());
    dialogue.ask("первый").await;
    dialogue.ask("второй").await;
    let requests = dialogue.server.requests();
    assert!(requests[0].to_string().contains("image_url") && !requests[1].to_string().contains("image_url"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_sees_no_secret_and_the_log_says_what_it_saw() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(SentLog::new(folder.path().join("sent.jsonl")));
    let busy = Response::status(503, json!({ "error": { "message": "busy" } }));
    let calls = Response::calls(&[("echo", "{\"код\": \"Пароль = \\\"qwerty1\\\"\", \"password\": \"qwerty1\"}")]);
    let server = Server::start(vec![busy, calls, Response::answer("готово")]).await;
    let kept = Arc::clone(&log);
    let writes = model(&server, "RU", |settings| settings.sent = Some(kept));
    let mut dialogue = Dialogue::over(server, writes);
    let question = "Почему Соединение = \"Srvr=s;Ref=r;Usr=u;Pwd=qwerty1;\" и token: 'abcdef12' не работают? Пароль = Параметры.Пароль;";
    assert_eq!(dialogue.ask(question).await.answer, "готово");

    let seen = dialogue.server.requests();
    assert_eq!(seen.len(), 3);
    let all = Value::Array(seen.clone()).to_string();
    assert!(!all.contains("qwerty1") && !all.contains("abcdef12"), "{all}");
    assert!(all.contains("Пароль = Параметры.Пароль;"));
    assert!(seen[2].to_string().contains("Пароль = \\\\\\\"***"), "the call and its result stay readable: {}", seen[2]);

    let written = log.last(10).unwrap();
    let bodies: Vec<Value> = written.iter().map(|sent| sent.body.clone()).collect();
    assert_eq!(bodies, seen, "exactly what was sent");
    let heads: Vec<(u32, &str, bool)> = written
        .iter()
        .map(|sent| (sent.head.attempt, sent.head.region.as_str(), sent.head.to.starts_with(&dialogue.server.url)))
        .collect();
    assert_eq!(heads, [(1, "RU", true), (2, "RU", true), (1, "RU", true)]);
    let file = std::fs::read_to_string(log.path()).unwrap();
    assert!(!file.contains("kkkkkk-kkkk"), "no key stands in the log");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_written_down_is_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let log = Arc::new(SentLog::new(folder.path().join("file").join("sent.jsonl")));
    let server = Server::start(vec![Response::answer("нет")]).await;
    let writes = model(&server, "RU", |settings| settings.sent = Some(log));
    let mut dialogue = Dialogue::over(server, writes);
    let outcome = dialogue.ask("?").await;
    assert!(matches!(&outcome.status, Status::Failed(ModelError::Settings(text)) if text.contains("nothing was sent")));
    assert_eq!(dialogue.server.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_test_of_a_model_says_what_works() {
    let counts = || Response::stream().text("1 ").text("2 3").end("stop");
    let adds = || Response::calls(&[("add", "{\"a\":2,\"b\":3}")]);
    let refused = |status| Response::status(status, json!({ "error": { "message": "why" } }));
    let rows: Vec<(&str, Vec<Response>, &str, &str)> = vec![
        ("all", vec![counts(), adds()], "+++++", ""),
        ("the key", vec![refused(401)], "+-...", "Check the key"),
        ("the balance", vec![refused(402)], "++-..", "Top up the balance"),
        ("the name", vec![refused(404)], "++-..", "usually ends in /v1"),
        ("a page", vec![Response::page(200, "<html>log in</html>")], "-....", "no server of models"),
        ("nobody", vec![Response::status(0, Value::Null)], "-....", "Check the model's address"),
        ("one piece", vec![Response::answer("1 2 3"), adds()], "+++-+", "in one piece"),
        ("no call", vec![counts(), Response::answer("5")], "++++-", "--no-tools"),
        ("tools refused", vec![counts(), refused(400)], "++++-", "--no-tools"),
        ("a wrong call", vec![counts(), Response::calls(&[("add", "{\"a\":")])], "++++-", "--jinja"),
    ];
    for (name, script, states, hint) in rows {
        let server = Server::start(script).await;
        let model = model(&server, "RU", |settings| settings.retry.attempts = 1);
        let findings = probe(model.as_ref(), tools::Language::English).await;
        let mark = |finding: &Finding| match finding.state {
            State::Works => '+',
            State::Fails => '-',
            State::NotTried => '.',
        };
        assert_eq!(findings.iter().map(mark).collect::<String>(), states, "{name}: {findings:?}");
        let hints: Vec<&str> =
            findings.iter().map(|finding| finding.hint.as_str()).filter(|hint| !hint.is_empty()).collect();
        assert!(
            hints.len() == usize::from(!hint.is_empty()) && hints.iter().all(|told| told.contains(hint)),
            "{name}: {hints:?}"
        );
    }
}
