//! Long work as others see it: `metascope status` beside programs that build and ask, and after they were killed.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]

use std::io::Read;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use index::tasks::LEASE;
use serde_json::Value;

/// Longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        Self { folder: support::temp_dir() }
    }

    fn indexed() -> Self {
        let project = Self::new();
        let output = project.run(&["index", support::demo().to_str().unwrap(), "--no-embeddings"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        project
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index.db")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metascope"));
        command.arg("--index").arg(self.index()).args(["--lang", "en"]);
        command.env("METASCOPE_DATA_DIR", self.folder.path().join("data")).env_remove("METASCOPE_MODEL_URL");
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// The tasks that `status` tells of; it fails where there is no index, and tells them all the same.
    fn tasks(&self) -> Vec<Value> {
        let output = self.run(&["--json", "status"]);
        let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        status["tasks"].as_array().cloned().unwrap_or_default()
    }

    /// Waits until `status` tells of a task like that.
    fn wait_for(&self, is: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let tasks = self.tasks();
            if let Some(task) = tasks.iter().find(|task| is(task)) {
                return task.clone();
            }
            assert!(started.elapsed() < LONG, "{tasks:?}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A server of a model that takes every request and never answers until it is told to.
fn model_server() -> (String, std::sync::mpsc::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (answer, told) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let mut silent = Vec::new();
        for socket in listener.incoming() {
            let Ok(mut socket) = socket else { return };
            if told.try_recv().is_err() {
                silent.push(socket);
                continue;
            }
            let mut request = Vec::new();
            let mut buffer = [0; 65536];
            while !is_whole(&request) {
                let read = socket.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..read]);
            }
            let event =
                serde_json::json!({"choices": [{"index": 0, "delta": {"content": "Found."}, "finish_reason": "stop"}]});
            let body = format!("data: {event}\n\ndata: [DONE]\n\n");
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n";
            std::io::Write::write_all(
                &mut socket,
                format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes(),
            )
            .unwrap();
        }
    });
    (url, answer)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    request.len() >= head.len() + 4 + length.unwrap_or(0)
}

fn asks(project: &Project, url: &str, arguments: &[&str]) -> Command {
    let mut command = project.command();
    command.arg("ask").args(arguments).args(["--model", "env"]);
    command.envs([("METASCOPE_MODEL_URL", url), ("METASCOPE_MODEL", "test"), ("NO_PROXY", "*")]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Ends its process whatever a test says.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_question_whose_program_was_killed_is_told_recorded_and_gone_on_with() {
    let project = Project::indexed();
    assert!(project.tasks().is_empty(), "nothing runs");
    let (url, answer) = model_server();
    let mut asking = Ended(asks(&project, &url, &["Who calls it?"]).spawn().unwrap());
    let seen = project.wait_for(|task| task["kind"] == "agent" && task["phase"] == "turn");
    assert_eq!((&seen["state"], &seen["done"]), (&"running".into(), &1.into()));
    assert_eq!(seen["holder"]["process"], asking.0.id());
    let shown = text(&project.run(&["status"]).stdout);
    assert!(shown.contains(&format!("running: process {}", asking.0.id())), "{shown}");
    // Nothing is to go on with while it runs.
    let refused = project.run(&["ask", "--continue"]);
    assert!(text(&refused.stderr).contains("no question is unfinished"), "{}", text(&refused.stderr));
    asking.0.kill().unwrap();
    asking.0.wait().unwrap();
    project.wait_for(|task| task["kind"] == "agent" && task["state"] == "dead");
    let shown = text(&project.run(&["status"]).stdout);
    assert!(shown.contains("broke off") && shown.contains("turn 1 of 30"), "{shown}");

    answer.send(()).unwrap();
    let output = asks(&project, &url, &["--continue"]).output().unwrap();
    let (told, said) = (text(&output.stderr), text(&output.stdout));
    assert!(output.status.success(), "{told}");
    assert!(told.contains("a question broke off") && told.contains("going on with: «Who calls it?»"), "{told}");
    assert_eq!(said.trim(), "Found.");
    let journal = std::fs::read_to_string(project.index().with_extension("questions.jsonl")).unwrap();
    let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let words: Vec<[&Value; 3]> =
        lines.iter().map(|line| ["question", "status", "turns"].map(|key| &line[key])).collect();
    let killed: [Value; 3] = ["Who calls it?".into(), "killed".into(), 1.into()];
    let answered: [Value; 3] = ["Who calls it?".into(), "answered".into(), 1.into()];
    assert_eq!(words, [killed.each_ref(), answered.each_ref()]);
    // Told once, and there is nothing left of it.
    assert!(project.tasks().is_empty());
    let again = project.run(&["ask", "--continue"]);
    assert!(!text(&again.stderr).contains("broke off") && text(&again.stderr).contains("no question is unfinished"));
}

#[test]
fn index_waits_for_another_program_if_it_is_told_to() {
    let project = Project::indexed();
    let location = index::Location::at(project.index());
    let lock = location.lock().unwrap();
    let demo = support::demo();
    let index = ["index", demo.to_str().unwrap(), "--no-embeddings"];
    let refused = project.run(&index);
    assert!(!refused.status.success());
    if !cfg!(windows) {
        let told = text(&refused.stderr);
        assert!(told.contains(&format!("process {}", std::process::id())) && told.contains("--wait"), "{told}");
    }
    let waiting =
        project.command().args(index).arg("--wait").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    drop(lock);
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr).matches("waiting").count(), 1, "said once");
}

#[test]
fn status_tells_of_the_first_build_before_there_is_an_index() {
    let project = Project::new();
    let work =
        index::tasks::Work::begin(&index::Location::at(project.index()), "index", "", "", true).unwrap().unwrap();
    work.note("modules", 3, 9);
    let output = project.run(&["status"]);
    assert!(
        !output.status.success() && text(&output.stdout).contains("building the index"),
        "{}",
        text(&output.stdout)
    );
    let seen = project.wait_for(|task| task["done"] == 3);
    assert_eq!((&seen["kind"], &seen["total"]), (&"index".into(), &9.into()));
    work.end(Ok(""));
    assert!(project.tasks().is_empty());
    assert!(LEASE < LONG);
}
