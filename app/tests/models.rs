//! `metascope models` and `ask --model`, `ask --image` as people and scripts run them, against a server that answers by a script.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Runs the program with a data folder of its own.
fn run(data: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_metascope"))
        .args(["--lang", "en"])
        .args(arguments)
        .env("METASCOPE_DATA_DIR", data)
        .env("NO_PROXY", "*")
        .env_remove("METASCOPE_MODEL_URL")
        .env_remove("DEEPSEEK_API_KEY")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn ok(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments, "");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The error that a run told, as JSON, and its exit code.
fn refused(data: &Path, arguments: &[&str]) -> (Value, i32) {
    let output = run(data, &[&["--json"], arguments].concat(), "");
    let text = String::from_utf8(output.stderr).unwrap();
    let last = text.lines().last().unwrap_or_default().to_owned();
    let error = serde_json::from_str(&last).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
    (error, output.status.code().unwrap())
}

/// A server that says `answer` to everybody; the bodies that it was sent.
fn server(answer: &'static str) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let bodies = Arc::clone(&seen);
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let Ok(mut socket) = socket else { return };
            let (mut bytes, mut buffer) = (Vec::new(), [0; 65536]);
            let body = loop {
                let read = socket.read(&mut buffer).unwrap_or(0);
                bytes.extend_from_slice(&buffer[..read]);
                let text = String::from_utf8_lossy(&bytes);
                let Some((head, body)) = text.split_once("\r\n\r\n") else {
                    if read == 0 { break Value::Null } else { continue }
                };
                let length = head
                    .lines()
                    .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
                if read == 0 || body.len() >= length.unwrap_or(0) {
                    break serde_json::from_str(body).unwrap_or_default();
                }
            };
            bodies.lock().unwrap().push(body);
            let event = |delta: Value, reason: Value| {
                format!("data: {}\n\n", json!({ "choices": [{ "delta": delta, "finish_reason": reason }] }))
            };
            let middle = answer.len() / 2;
            let (one, two) = answer.split_at(middle);
            let body = [event(json!({ "content": one }), Value::Null), event(json!({ "content": two }), json!("stop"))]
                .concat();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = socket.write_all(format!("{head}{body}").as_bytes());
        }
    });
    (url, seen)
}

#[test]
fn models_are_added_listed_changed_and_removed() {
    let folder = support::temp_dir();
    let data = folder.path();
    assert_eq!(ok(data, &["models", "list"]), "");
    let presets = ok(data, &["models", "list", "--presets"]);
    assert!(presets.contains("deepseek") && presets.contains("Russia (RU)"), "{presets}");

    ok(data, &["models", "add", "deepseek"]);
    ok(data, &["models", "add", "home", "--preset", "ollama", "--context", "32768", "--turns", "6"]);
    ok(data, &["models", "add", "deepseek", "--fallback", "home", "--price", "0.28,0.028,0.42,USD"]);
    let listed: Value = serde_json::from_str(&ok(data, &["--json", "models", "list"])).unwrap();
    let row = |name: &str| listed.as_array().unwrap().iter().find(|row| row["name"] == name).cloned().unwrap();
    assert_eq!((&row("deepseek")["processed"], &row("deepseek")["fallback"]), (&json!("China (CN)"), &json!("home")));
    assert_eq!(
        (&row("home")["processed"], &row("home")["turns"]),
        (&json!("on this machine or in your network"), &json!(6))
    );
    assert_eq!((&row("deepseek")["default"], &row("deepseek")["price"]["currency"]), (&json!(true), &json!("USD")));
    let table = ok(data, &["models", "list"]);
    assert!(
        table.contains("deepseek*") && table.contains("China (CN)") && table.contains("$DEEPSEEK_API_KEY (not set)"),
        "{table}"
    );

    let (error, code) = refused(data, &["models", "remove", "home"]);
    assert_eq!((error["error"]["code"].as_str(), code), (Some("unknown_model"), 2), "deepseek falls back to it");
    ok(data, &["models", "add", "deepseek", "--fallback", "none"]);
    ok(data, &["models", "remove", "home"]);
    assert!(!ok(data, &["models", "list"]).contains("home"));
}

#[test]
fn what_must_not_be_is_refused_with_how_to_mend_it() {
    let folder = support::temp_dir();
    let data = folder.path();
    ok(data, &["models", "add", "home", "--preset", "ollama"]);
    ok(data, &["models", "add", "deepseek"]);
    for (arguments, code, told) in [
        (vec!["add", "home", "--fallback", "deepseek"], "region", "leaves the region"),
        (vec!["add", "deepseek", "--region", "RU"], "region", "api.deepseek.com"),
        (vec!["add", "yandex"], "model_settings", "{folder}"),
        (vec!["add", "mine"], "model_settings", "address"),
        (vec!["add", "x", "--url", "https://u:qwerty@h.ru/v1", "--model", "m"], "plain_secret", "plain text"),
        (vec!["add", "deepseek", "--key", "sk-0123456789abcdef0123456789"], "plain_secret", "plain text"),
        (vec!["add", "deepseek", "--header", "Authorization: Bearer abc"], "plain_secret", "Authorization"),
        (vec!["test", "deepseek"], "model_key", "DEEPSEEK_API_KEY"),
        (vec!["test", "нет"], "unknown_model", "нет"),
    ] {
        let (error, exit) = refused(data, &[&["models"], arguments.as_slice()].concat());
        let error = &error["error"];
        assert_eq!((error["code"].as_str(), exit), (Some(code), 2), "{arguments:?}: {error}");
        assert!(error["message"].as_str().unwrap().contains(told), "{arguments:?}: {error}");
        assert!(!error.to_string().contains("qwerty") && !error.to_string().contains("sk-0123"), "{error}");
    }
    let file = std::fs::read_to_string(data.join("chat_models.json")).unwrap();
    assert!(!file.contains("sk-") && !file.contains("qwerty") && !file.contains("Bearer"), "{file}");
    let (error, _) = refused(data, &["ask", "?", "--model", "нет", "--index", "nowhere.db"]);
    assert!(error["error"]["hint"].as_str().unwrap().contains("offline, env, home, deepseek"), "{error}");
}

#[test]
fn a_question_goes_to_the_chosen_model_masked_and_is_written_down() {
    let folder = support::temp_dir();
    let data = folder.path();
    let (url, seen) = server("The answer is 42.");
    let index = data.join("index.db");
    let index = index.to_str().unwrap();
    ok(data, &["--index", index, "index", support::demo().to_str().unwrap(), "--no-embeddings"]);
    ok(data, &["models", "add", "home", "--url", &url, "--model", "tiny", "--turns", "2"]);
    let picture = data.join("снимок.png");
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\nbytes").unwrap();
    let picture = picture.to_str().unwrap();

    let output = run(data, &["--index", index, "ask", "--model", "home", "Почему не входит? Пароль = \"qwerty1\""], "");
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("42"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("on this machine or in your network"), "{output:?}");
    let sent = seen.lock().unwrap().last().cloned().unwrap().to_string();
    assert!(!sent.contains("qwerty1") && sent.contains("***") && sent.contains("Ход 1 из 2"), "{sent}");

    let (error, code) = refused(data, &["--index", index, "ask", "--model", "home", "--image", picture, "Что это?"]);
    assert_eq!((error["error"]["code"].as_str(), code), (Some("no_images"), 2), "{error}");
    let (error, _) = refused(data, &["--index", index, "ask", "--model", "offline", "--image", picture, "Что это?"]);
    assert_eq!(error["error"]["code"], "no_images");
    let (error, _) = refused(data, &["--index", index, "ask", "--image", index, "Что это?"]);
    assert_eq!(error["error"]["code"], "image");
    ok(data, &["models", "add", "eyes", "--url", &url, "--model", "sees", "--images"]);
    ok(data, &["--index", index, "ask", "--model", "home", "--image", picture, "Что это?"]);
    let sent = seen.lock().unwrap().last().cloned().unwrap();
    let parts =
        sent["messages"].as_array().unwrap().iter().filter_map(|message| message["content"].as_array()).flatten();
    assert_eq!((&sent["model"], parts.filter(|part| part["type"] == "image_url").count()), (&json!("sees"), 1));

    let log: Value = serde_json::from_str(&ok(data, &["--json", "models", "log"])).unwrap();
    let bodies: Vec<Value> = log.as_array().unwrap().iter().map(|entry| entry["body"].clone()).collect();
    assert_eq!(bodies, *seen.lock().unwrap());
    let shown = ok(data, &["models", "log", "--last", "1", "--full"]);
    assert!(["[local]", "[image_url]", "Что это?"].iter().all(|part| shown.contains(part)), "{shown}");

    let output = run(data, &["models", "test", "home"], "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("✓ streaming") && text.contains("✗ tool call") && text.contains("--no-tools"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}
