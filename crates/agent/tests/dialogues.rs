//! The loop against a real HTTP server that follows a script.

mod support;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metascope_agent::{AgentSettings, Event, Mode, ModelError, Status, Unfinished};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{Dialogue, Response, Tools, limits};

fn settings(turns: u32) -> AgentSettings {
    AgentSettings { turns, limits: limits(), ..AgentSettings::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_streamed_piece_by_piece() {
    let script = Response::stream()
        .delta(json!({ "role": "assistant", "content": null }))
        .text("При")
        .text("вет.")
        .event(json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }))
        .event(json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 2 } }))
        .bytes("data: [DONE]\n\n");
    let mut dialogue = Dialogue::new(vec![script]).await;
    let outcome = dialogue.ask("Привет?").await;
    assert_eq!((outcome.status, outcome.answer.as_str(), outcome.turns), (Status::Answered, "Привет.", 1));
    assert_eq!((outcome.usage.prompt, outcome.usage.completion), (10, 2));
    let kinds: Vec<_> =
        dialogue.events.all().iter().map(|event| serde_json::to_value(event).unwrap()["event"].clone()).collect();
    assert_eq!(kinds, ["turn", "text", "text", "usage", "answer"]);
    let request = &dialogue.server.requests()[0];
    assert_eq!((&request["model"], &request["stream"]), (&json!("test-model"), &json!(true)));
    assert_eq!(request["tools"].as_array().unwrap().len(), 4);
    assert!(dialogue.server.said(0).ends_with("Привет?\n\n[СИСТЕМА] Ход 1 из 30, осталось 29"));
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_calls_split_over_chunks_even_within_a_letter() {
    let piece = |piece: Value| json!({ "tool_calls": [{ "index": 0, "function": { "arguments": piece } }] });
    let call = Response::stream()
        .delta(json!({ "tool_calls": [{ "index": 0, "id": "a", "type": "function", "function": { "name": "echo", "arguments": "" } }] }))
        .delta(piece(json!("{\"имя\":")))
        .delta(piece(json!(" \"Общего")))
        .delta(piece(json!("Назначения\"}")))
        .end("tool_calls")
        .cut_into(&[1, 3, 7, 2]);
    let mut dialogue = Dialogue::new(vec![call, Response::answer("готово")]).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!(outcome.answer, "готово");
    let result: Value = serde_json::from_str(&dialogue.server.results(1)[0]).unwrap();
    assert_eq!(result["echo"], json!({ "имя": "ОбщегоНазначения" }));
    let assistant = &dialogue.server.requests()[1]["messages"][2];
    assert_eq!(assistant["tool_calls"][0]["id"], dialogue.server.requests()[1]["messages"][3]["tool_call_id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_read_calls_of_a_turn_run_side_by_side_and_answer_in_order() {
    let calls =
        Response::calls(&[("slow", "{\"n\":1}"), ("slow", "{\"n\":2}"), ("echo", "{\"n\":3}"), ("slow", "{\"n\":1}")]);
    let mut dialogue = Dialogue::new(vec![calls, Response::answer("готово")]).await;
    dialogue.ask("?").await;
    assert!(dialogue.tools.most_at_once.load(Ordering::SeqCst) >= 2);
    assert_eq!(dialogue.tools.ran.load(Ordering::SeqCst), 3, "the same call twice in a turn runs once");
    let numbers: Vec<Value> = dialogue
        .server
        .results(1)
        .iter()
        .map(|text| serde_json::from_str::<Value>(text).unwrap()["echo"]["n"].clone())
        .collect();
    assert_eq!(numbers, [1, 2, 3, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn write_calls_run_one_by_one() {
    let calls = Response::calls(&[("write", "{\"n\":1}"), ("write", "{\"n\":2}")]);
    let settings = AgentSettings { mode: Mode::Agent, ..settings(30) };
    let mut dialogue = Dialogue::with(vec![calls, Response::answer("готово")], settings).await;
    dialogue.ask("?").await;
    assert_eq!(dialogue.tools.most_at_once.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_cut_in_the_middle_keeps_what_came_and_is_not_asked_again() {
    let mut dialogue = Dialogue::new(vec![Response::stream().text("половина ").text("ответа").cut()]).await;
    let outcome = dialogue.ask("?").await;
    assert!(matches!(outcome.status, Status::Failed(ModelError::CutOff { .. })), "{:?}", outcome.status);
    assert_eq!(outcome.answer, "половина ответа");
    assert_eq!(dialogue.server.requests().len(), 1);
    assert!(
        dialogue
            .events
            .all()
            .iter()
            .any(|event| matches!(event, Event::Error { message } if message.contains("оборвался")))
    );
    assert!(matches!(dialogue.events.all().last(), Some(Event::Answer { complete: false, .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_a_stream_that_was_cut_is_not_run() {
    let call = json!({ "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "echo", "arguments": "{}" } }] });
    let mut dialogue = Dialogue::new(vec![Response::stream().delta(call).cut()]).await;
    let outcome = dialogue.ask("?").await;
    assert!(matches!(outcome.status, Status::Failed(ModelError::CutOff { .. })));
    assert_eq!(dialogue.tools.ran.load(Ordering::SeqCst), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_arguments_come_back_as_an_error_to_mend() {
    let script = vec![
        Response::calls(&[("echo", "{\"x\": ")]),
        Response::calls(&[("echo", "{\"x\": 1}")]),
        Response::answer("готово"),
    ];
    let mut dialogue = Dialogue::new(script).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.turns), (Status::Answered, 3));
    assert!(dialogue.server.results(1)[0].contains("broken arguments: EOF"));
    // What goes back to the provider must be JSON, whatever the model wrote.
    let echoed = dialogue.server.requests()[1]["messages"][2]["tool_calls"][0]["function"]["arguments"].clone();
    assert!(serde_json::from_str::<Value>(echoed.as_str().unwrap()).is_ok());
    assert!(dialogue.events.all().iter().any(|event| matches!(event, Event::ToolResult { ok: false, .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_tool_comes_back_with_the_nearest_name() {
    let mut dialogue = Dialogue::new(vec![Response::calls(&[("ekho", "{}")]), Response::answer("ясно")]).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!(outcome.answer, "ясно");
    assert_eq!(dialogue.server.results(1), ["unknown tool ekho; nearest: echo"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn markers_stand_at_the_right_turns_and_the_last_turn_forces_a_summary() {
    let mut script: Vec<_> = (1..30).map(|n| Response::calls(&[("echo", &format!("{{\"n\":{n}}}"))])).collect();
    script.push(Response::answer("итог"));
    let mut dialogue = Dialogue::new(script).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.answer.as_str(), outcome.turns), (Status::Answered, "итог", 30));
    let requests = dialogue.server.requests();
    assert_eq!(requests.len(), 30);
    for (turn, request) in (1..=30).zip(&requests) {
        let last = request["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
        let marker = last.lines().last().unwrap();
        assert!(marker.starts_with(&format!("[СИСТЕМА] Ход {turn} из 30, осталось {}", 30 - turn)), "{marker}");
        assert_eq!(marker.contains("новых веток не открывай"), turn == 26 || turn == 27, "{turn}");
        assert_eq!(marker.contains("одведи итог") || marker.contains("подведи итог"), turn >= 28, "{turn}");
        assert_eq!(request["tool_choice"] == "none", turn == 30, "{turn}");
        // The prefix that providers cache never changes.
        assert_eq!((&request["messages"][0], &request["tools"]), (&requests[0]["messages"][0], &requests[0]["tools"]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_never_sums_up_gets_its_summary_from_the_journal() {
    let mut dialogue = Dialogue::with(vec![Response::calls(&[("echo", "{\"n\":7}")])], settings(3)).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status.clone(), outcome.turns), (Status::TurnLimit, 3));
    assert!(
        outcome.answer.contains("Вот что успели найти") && outcome.answer.contains("echo {\"n\":7}"),
        "{}",
        outcome.answer
    );
    assert_eq!(
        dialogue.tools.ran.load(Ordering::SeqCst),
        1,
        "no call of the last turn is run, repeats are answered from the journal"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_again_is_answered_from_the_journal_until_the_index_changes() {
    let call = |arguments| Response::calls(&[("echo", arguments)]);
    let script = vec![
        call("{\"a\":1,\"b\":2}"),
        call("{\"b\":2,\"a\":1}"),
        Response::answer("раз"),
        call("{\"a\":1,\"b\":2}"),
        Response::answer("два"),
    ];
    let mut dialogue = Dialogue::new(script).await;
    dialogue.ask("первый").await;
    assert_eq!(dialogue.tools.ran.load(Ordering::SeqCst), 1);
    let results = dialogue.server.results(2);
    assert_eq!(results[0], results[1], "the whole result, not a trace");
    assert!(dialogue.events.all().iter().any(|event| matches!(event, Event::ToolResult { repeated: true, .. })));

    dialogue.tools.version.store(1, Ordering::SeqCst);
    dialogue.ask("второй").await;
    assert_eq!(dialogue.tools.ran.load(Ordering::SeqCst), 2, "another version of the index: the call runs again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_journal_stands_before_the_next_question() {
    let script = vec![Response::calls(&[("echo", "{\"n\":1}")]), Response::answer("раз"), Response::answer("два")];
    let mut dialogue = Dialogue::new(script).await;
    dialogue.ask("первый").await;
    dialogue.ask("второй").await;
    let said = dialogue.server.said(2);
    let (journal, question) = (said.find("Уже проверено").unwrap(), said.find("второй").unwrap());
    assert!(said.contains("- echo {\"n\":1} → echo {\"n\":1}") && journal < question, "{said}");
    assert!(
        dialogue.server.requests()[2]["messages"].as_array().unwrap().iter().any(|message| message["content"] == "раз")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_server_is_asked_again_after_the_time_that_it_names() {
    let busy = |status: u16| Response::status(status, json!({ "error": { "message": "busy" } }));
    let script = vec![busy(429).header("Retry-After", "0.2"), busy(503), Response::answer("готово")];
    let mut dialogue = Dialogue::new(script).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.answer.as_str(), outcome.turns), (Status::Answered, "готово", 1));
    let times = dialogue.server.times();
    assert_eq!(times.len(), 3);
    assert!(times[1] - times[0] >= Duration::from_millis(200));
    let notices = dialogue.events.all().iter().filter(|event| matches!(event, Event::Notice { .. })).count();
    assert_eq!(notices, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_is_too_long_ends_the_run_at_once() {
    let busy = Response::status(429, json!({ "error": { "message": "quota" } })).header("Retry-After", "3600");
    let mut dialogue = Dialogue::new(vec![busy]).await;
    let outcome = dialogue.ask("?").await;
    assert!(matches!(outcome.status, Status::Failed(ModelError::Busy { status: 429, .. })));
    assert_eq!(dialogue.server.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_not_asked_again_and_hides_the_key() {
    let key = "kkkkkk-kkkk";
    let refused = Response::status(401, json!({ "error": { "message": format!("bad key {key}") } }));
    let mut dialogue = Dialogue::new(vec![refused]).await;
    let outcome = dialogue.ask("?").await;
    let Status::Failed(ModelError::Refused { status: 401, message }) = &outcome.status else {
        panic!("{:?}", outcome.status)
    };
    assert_eq!(message, "bad key ***");
    assert_eq!(dialogue.server.requests().len(), 1);
    assert!(dialogue.server.heads()[0].to_lowercase().contains(&format!("authorization: bearer {key}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_closed_without_a_word_is_tried_again() {
    let silent = Response::status(0, Value::Null);
    let empty = Response::stream();
    let mut dialogue = Dialogue::new(vec![silent, empty, Response::answer("готово")]).await;
    assert_eq!(dialogue.ask("?").await.answer, "готово");
    assert_eq!(dialogue.server.requests().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_in_the_middle_of_a_stream_stops_at_once_and_keeps_the_text() {
    let script = Response::stream().text("начало ответа").pause(350).text(" и конец").end("stop");
    let mut dialogue = Dialogue::new(vec![Response::calls(&[("echo", "{\"n\":1}")]), script]).await;
    let (outcome, took) = dialogue.ask_and_cancel("?", 150).await;
    assert_eq!(outcome.status, Status::Cancelled);
    assert!(took < Duration::from_millis(120), "{took:?}");
    assert!(
        outcome.answer.starts_with("начало ответа") && outcome.answer.contains("- echo {\"n\":1}"),
        "{}",
        outcome.answer
    );
    assert!(!dialogue.events.text().contains("конец"));
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_in_the_middle_of_a_tool_stops_the_tool_too() {
    let mut dialogue = Dialogue::new(vec![Response::calls(&[("echo", "{}"), ("stuck", "{}")])]).await;
    let (outcome, took) = dialogue.ask_and_cancel("?", 200).await;
    assert_eq!(outcome.status, Status::Cancelled);
    assert!(took < Duration::from_millis(150), "{took:?}");
    assert!(outcome.answer.contains("- echo {}"), "{}", outcome.answer);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(dialogue.tools.stopped.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_takes_too_long_is_stopped_and_the_run_goes_on() {
    let mut dialogue = Dialogue::new(vec![Response::calls(&[("stuck", "{}")]), Response::answer("готово")]).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.answer.as_str()), (Status::Answered, "готово"));
    assert!(dialogue.server.results(1)[0].contains("stopped after 0.4 s"));
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_before_anything_is_tried_once_more_silence_within_an_answer_is_not() {
    let silent = Response::stream().pause(2000);
    let mut dialogue = Dialogue::new(vec![silent]).await;
    let outcome = dialogue.ask("?").await;
    assert!(
        matches!(outcome.status, Status::Failed(ModelError::Silent { received: false, .. })),
        "{:?}",
        outcome.status
    );
    assert_eq!(dialogue.server.requests().len(), 2);

    let falls_silent = Response::stream().text("нача").pause(2000).text("ло").end("stop");
    let mut dialogue = Dialogue::new(vec![falls_silent]).await;
    let outcome = dialogue.ask("?").await;
    assert!(
        matches!(outcome.status, Status::Failed(ModelError::Silent { received: true, .. })),
        "{:?}",
        outcome.status
    );
    assert_eq!((dialogue.server.requests().len(), outcome.answer.as_str()), (1, "нача"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_answer_that_keeps_coming_is_never_cut() {
    let mut script = Response::stream();
    for _ in 0..10 {
        script = script.bytes(": keep-alive\n\n").pause(250).text("слово ").pause(100);
    }
    let mut dialogue = Dialogue::new(vec![script.end("stop")]).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.answer.as_str()), (Status::Answered, "слово ".repeat(10).as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_within_a_stream_and_an_answer_that_is_no_stream() {
    let error = Response::stream().text("нача").event(json!({ "error": { "message": "overloaded" } }));
    let mut dialogue = Dialogue::new(vec![error]).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!(outcome.status, Status::Failed(ModelError::Provider("overloaded".into())));
    assert_eq!(dialogue.server.requests().len(), 1);

    let whole = Response::status(
        200,
        json!({ "choices": [{ "message": { "role": "assistant", "content": "целиком" }, "finish_reason": "stop" }] }),
    );
    assert_eq!(Dialogue::new(vec![whole]).await.ask("?").await.answer, "целиком");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_reply_is_asked_for_again_and_not_for_ever() {
    let mut dialogue = Dialogue::new(vec![Response::answer(""), Response::answer("ответ")]).await;
    assert_eq!(dialogue.ask("?").await.answer, "ответ");
    let mut dialogue = Dialogue::new(vec![Response::answer("")]).await;
    let outcome = dialogue.ask("?").await;
    assert_eq!((outcome.status, outcome.turns), (Status::TurnLimit, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_do_not_exist_are_marked() {
    let mut dialogue = Dialogue::new(vec![Response::answer("Есть Справочник.Есть, есть Справочник.Выдуман.")]).await;
    let outcome = dialogue.ask("?").await;
    assert!(outcome.answer.starts_with("Есть Справочник.Есть, есть Справочник.Выдуман⚠."), "{}", outcome.answer);
    assert!(outcome.answer.contains("ближайшее: `Catalog.Есть`"));
    assert_eq!(outcome.unresolved.len(), 1);
}

/// What a program keeps of a question before each turn is all that another program needs to go on.
#[tokio::test(flavor = "multi_thread")]
async fn another_program_goes_on_with_a_question_that_was_kept() {
    let settings = AgentSettings { mode: Mode::Plan, ..settings(30) };
    let tools = || Tools::that_send(&["echo"]);
    let first = vec![
        Response::calls(&[("echo", "{\"n\":7}")]),
        Response::calls(&[("role_rights", "{}")]),
        Response::status(400, json!({ "error": { "message": "no" } })),
    ];
    let mut killed = Dialogue::of(first, settings.clone(), tools(), false).await;
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeper = Arc::clone(&kept);
    killed.agent.keep_with(Arc::new(move |unfinished: &Unfinished| {
        keeper.lock().unwrap().push(serde_json::to_string(unfinished).unwrap())
    }));
    killed.ask("Кто?").await;
    let kept = kept.lock().unwrap().clone();
    assert_eq!(kept.len(), 4, "before each of three turns, and where it stopped");
    // Killed in its third turn: what was kept before that is what there is.
    let unfinished: Unfinished = serde_json::from_str(&kept[2]).unwrap();
    assert_eq!((unfinished.question.as_str(), unfinished.turns, unfinished.calls), ("Кто?", 2, 2));
    let mut other =
        Dialogue::of(vec![Response::answer("1. Так.\n2. И так.")], AgentSettings::default(), tools(), false).await;
    other.agent.take_up(unfinished).await;
    let outcome = other.agent.go_on(other.events.sink(), other.cancel.clone()).await;
    assert_eq!((outcome.status, outcome.turns, outcome.calls), (Status::Answered, 3, 2));
    let results = other.server.results(0);
    assert!(results.len() == 2 && results[0].contains("\"n\":7"), "{results:?}");
    let request = &other.server.requests()[0];
    let names: Vec<&Value> =
        request["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(names, ["echo", "role_rights"], "the tool that was asked for is there again");
    assert!(other.server.said(0).contains("Продолжай с того же места"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Another provider's shape: CRLF, comments, reasoning, no index, arguments as an object, repeated names, usage at the
    /// end; cut at random byte borders.
    #[test]
    fn another_providers_shape_cut_anywhere(sizes in prop::collection::vec(1usize..40, 1..12)) {
        let line = |value: Value| format!(": ping\r\ndata:{value}\r\n\r\n");
        let delta = |delta: Value| line(json!({ "id": "x", "choices": [{ "delta": delta, "finish_reason": null }], "usage": null }));
        let mut body = String::from("\r\n: OPENROUTER PROCESSING\r\n\r\n");
        body += &delta(json!({ "role": "assistant", "content": "", "reasoning_content": "подумаю…" }));
        body += &delta(json!({ "content": null, "tool_calls": [{ "function": { "name": "echo", "arguments": { "имя": "А" } } }] }));
        body += &delta(json!({ "tool_calls": [{ "id": "", "function": { "name": "echo", "arguments": "{\"имя\":" } }] }));
        body += &delta(json!({ "tool_calls": [{ "function": { "name": "echo", "arguments": "\"Ё\"}" } }] }));
        body += &line(json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] }));
        body += &line(json!({ "choices": [], "usage": { "prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7 } }));
        body += "data: [DONE]\r\n\r\n";
        let first = Response::stream().bytes(body).cut_into(&sizes);
        let second = Response::answer("готово").cut_into(&sizes);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (outcome, results, reasoning) = runtime.block_on(async {
            let mut dialogue = Dialogue::new(vec![first, second]).await;
            let outcome = dialogue.ask("?").await;
            let thought = |event: &Event| matches!(event, Event::Reasoning { delta } if delta == "подумаю…");
            (outcome, dialogue.server.results(1), dialogue.events.all().iter().any(thought))
        });
        let names: Vec<Value> = results.iter().map(|text| serde_json::from_str::<Value>(text).unwrap()["echo"]["имя"].clone()).collect();
        prop_assert_eq!(names, ["А", "Ё"]);
        prop_assert_eq!((outcome.answer.as_str(), outcome.usage.prompt), ("готово", 3));
        prop_assert!(reasoning);
    }
}
