//! `metascope mcp` as clients see it: one written here, line by line, and one that isn't ours, if its SDK is installed.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_metascope");
/// A Python that has the package `mcp`; `python3` if it isn't set.
const PYTHON: &str = "METASCOPE_MCP_PYTHON";

/// An index of the demo.
fn index() -> &'static Path {
    static INDEX: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, file) = INDEX.get_or_init(|| {
        let folder = support::temp_dir();
        let file = folder.path().join("index.db");
        let output = Command::new(PROGRAM)
            .args(["--index", file.to_str().unwrap(), "index", support::demo().to_str().unwrap(), "--no-embeddings"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (folder, file)
    });
    file
}

/// A client that speaks the protocol line by line.
struct Client {
    server: Child,
    answers: BufReader<ChildStdout>,
    number: u64,
}

impl Client {
    fn start(arguments: &[&str]) -> Self {
        let mut server = Command::new(PROGRAM)
            .args(["--index", index().to_str().unwrap(), "--lang", "en", "mcp"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let answers = BufReader::new(server.stdout.take().unwrap());
        let mut client = Self { server, answers, number: 0 };
        let about = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let started = client.ask("initialize", &about);
        assert_eq!(started["result"]["serverInfo"]["name"], "metascope", "{started}");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn say(&mut self, message: &Value) {
        let input = self.server.stdin.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let answer = self.next();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.answers.read_line(&mut line).unwrap() > 0, "the server closed its output");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Text of a tool's result, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        (text.to_owned(), result["isError"] == true)
    }

    /// Closes the input, and waits for the end.
    fn close(mut self) -> bool {
        drop(self.server.stdin.take());
        self.server.wait().unwrap().success()
    }
}

/// Arguments of each tool that fit the demo: those of its own example, with names that the demo has.
fn examples() -> Map<String, Value> {
    tools::Registry::default()
        .iter()
        .map(|tool| (tool.name.to_owned(), serde_json::from_str(tool.example).unwrap()))
        .collect()
}

#[test]
fn a_client_lists_calls_and_reads_errors() {
    let mut client = Client::start(&[]);
    let listed = client.ask("tools/list", &json!({}));
    let listed = listed["result"]["tools"].as_array().unwrap();
    let read: Vec<&str> = tools::Registry::default()
        .iter()
        .filter(|tool| tool.class == tools::Class::Read)
        .map(|tool| tool.name)
        .collect();
    assert_eq!(listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>(), read);
    assert!(
        listed
            .iter()
            .all(|tool| tool["inputSchema"]["type"] == "object" && tool["annotations"]["readOnlyHint"] == true)
    );

    let (text, error) = client.call("sql_select", json!({ "sql": "SELECT count(*) AS n FROM objects" }));
    assert!(!error && text.contains("\"n\""), "{text}");
    let (text, error) = client.call("callers", json!({ "name": "CommonModule.НетТакого.Метода" }));
    assert!(error && text.contains("unknown_name"), "{text}");
    let (text, error) = client.call("callerz", json!({}));
    assert!(error && text.contains("callers"), "an unknown tool names the nearest: {text}");
    let (text, error) = client.call("callers", json!({ "depth": 1 }));
    assert!(error && text.contains("example"), "{text}");
    assert!(client.close(), "it ends when its input does");
}

#[test]
fn progress_is_told_and_a_cancelled_call_answers_no_more() {
    let mut client = Client::start(&[]);
    let params = |token: &str| json!({ "name": "sql_select", "arguments": { "sql": "SELECT 1" }, "_meta": { "progressToken": token } });
    client.say(&json!({ "jsonrpc": "2.0", "id": 100, "method": "tools/call", "params": params("t1") }));
    let (mut told, mut answered) = (0, false);
    while !answered {
        let message = client.next();
        told +=
            usize::from(message["method"] == "notifications/progress" && message["params"]["progressToken"] == "t1");
        answered = message["id"] == 100;
    }
    assert!(told >= 1);

    // A statement that would run for minutes.
    let long = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    let call = json!({ "name": "sql_select", "arguments": { "sql": long } });
    client.say(&json!({ "jsonrpc": "2.0", "id": 101, "method": "tools/call", "params": call }));
    client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 101, "reason": "test" } }));
    let begun = std::time::Instant::now();
    let (text, error) = client.call("sql_select", json!({ "sql": "SELECT 2 AS two" }));
    assert!(!error && text.contains("two"), "{text}");
    assert!(client.close() && begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_client_that_is_not_ours_lists_and_calls_every_read_tool() {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let has_sdk = Command::new(&python).args(["-c", "import mcp"]).output().is_ok_and(|output| output.status.success());
    if !has_sdk {
        eprintln!("left out: {python} has no package mcp (pip install mcp, {PYTHON})");
        return;
    }
    let folder = support::temp_dir();
    let file = folder.path().join("examples.json");
    std::fs::write(&file, Value::Object(examples()).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("mcp_client.py");
    let output =
        Command::new(&python).arg(script).args([PROGRAM, index().to_str().unwrap()]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    eprintln!("{report:#}");
    let read = tools::Registry::default().iter().filter(|tool| tool.class == tools::Class::Read).count();
    assert_eq!((report["server"].as_str(), report["tools"].as_array().unwrap().len()), (Some("metascope"), read));
    assert_eq!((report["described"].as_bool(), report["called"].as_object().unwrap().len()), (Some(true), read));
    assert!(report["progress"].as_u64().unwrap() >= 1);
    assert!(report["unknown_name"]["error"] == true && report["unknown_tool"]["error"] == true, "{report}");
}
