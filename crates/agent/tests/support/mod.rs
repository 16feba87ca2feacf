//! A model's server that follows a script, and tools that count.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is the message")]
#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use metascope_agent::message::Arguments;
use metascope_agent::openai::{OpenAiModel, ProxyChoice, Settings};
use metascope_agent::{
    Agent, AgentSettings, Briefing, CancellationToken, ChatModel, Event, EventSink, Limits, NameCheck, Outcome,
    TextProtocol, ToolOutcome, ToolSchema, Toolbox,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tools::topics::Question;

/// What the server does for one request.
#[derive(Clone, Debug)]
pub struct Response {
    status: u16,
    headers: Vec<(&'static str, String)>,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    /// One chunk of the body.
    Bytes(Vec<u8>),
    Pause(Duration),
    /// Closes the connection without the end of the body.
    Cut,
}

impl Response {
    pub fn status(status: u16, body: Value) -> Self {
        let headers = vec![("Content-Type", "application/json".to_owned())];
        Self { status, headers, steps: vec![Step::Bytes(body.to_string().into_bytes())] }
    }

    pub fn page(status: u16, text: &str) -> Self {
        let headers = vec![("Content-Type", "text/html; charset=utf-8".to_owned())];
        Self { status, headers, steps: vec![Step::Bytes(text.as_bytes().to_vec())] }
    }

    pub fn stream() -> Self {
        Self { status: 200, headers: vec![("Content-Type", "text/event-stream".to_owned())], steps: Vec::new() }
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.steps.push(Step::Bytes(bytes.into()));
        self
    }

    pub fn event(self, event: Value) -> Self {
        self.bytes(format!("data: {event}\n\n"))
    }

    pub fn delta(self, delta: Value) -> Self {
        self.event(json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }))
    }

    pub fn text(self, text: &str) -> Self {
        self.delta(json!({ "content": text }))
    }

    pub fn pause(mut self, milliseconds: u64) -> Self {
        self.steps.push(Step::Pause(Duration::from_millis(milliseconds)));
        self
    }

    pub fn cut(mut self) -> Self {
        self.steps.push(Step::Cut);
        self
    }

    pub fn end(self, reason: &str) -> Self {
        self.event(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }))
            .bytes("data: [DONE]\n\n")
    }

    /// With the body of another behind it.
    pub fn then(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Tokens, as the provider counts them.
    pub fn usage(self, prompt: u64, completion: u64) -> Self {
        self.event(json!({ "choices": [], "usage": { "prompt_tokens": prompt, "completion_tokens": completion } }))
    }

    /// A whole answer.
    pub fn answer(text: &str) -> Self {
        Self::stream().text(text).end("stop")
    }

    /// Whole calls: name and arguments.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        let calls: Vec<Value> = calls
            .iter()
            .enumerate()
            .map(|(index, (name, arguments))| {
                json!({ "index": index, "id": format!("id{index}"), "type": "function",
                        "function": { "name": name, "arguments": arguments } })
            })
            .collect();
        Self::stream().delta(json!({ "tool_calls": calls })).end("tool_calls")
    }

    /// The body in pieces of the sizes given, over and over, whatever the borders.
    pub fn cut_into(self, sizes: &[usize]) -> Self {
        let all: Vec<u8> = self
            .steps
            .iter()
            .flat_map(|step| if let Step::Bytes(bytes) = step { bytes.clone() } else { Vec::new() })
            .collect();
        let mut steps = Vec::new();
        let mut rest = all.as_slice();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at((*size).clamp(1, rest.len()));
            steps.push(Step::Bytes(piece.to_vec()));
            rest = after;
        }
        Self { steps, ..self }
    }
}

/// A server of its own for each test.
pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<(Instant, String, Value)>>>,
    script: Arc<Mutex<VecDeque<Response>>>,
}

impl Server {
    /// Goes on with another script, if it has anything.
    pub fn follow(&self, script: Vec<Response>) {
        if !script.is_empty() {
            *self.script.lock().unwrap() = VecDeque::from(script);
        }
    }

    /// Answers each request with the next response; the last one is repeated.
    pub async fn start(script: Vec<Response>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, script) = (Arc::clone(&requests), Arc::new(Mutex::new(VecDeque::from(script))));
        let follows = Arc::clone(&script);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(socket, Arc::clone(&seen), Arc::clone(&follows)));
            }
        });
        Self { url, requests, script }
    }

    pub fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().iter().map(|(_, _, body)| body.clone()).collect()
    }

    pub fn heads(&self) -> Vec<String> {
        self.requests.lock().unwrap().iter().map(|(_, head, _)| head.clone()).collect()
    }

    pub fn times(&self) -> Vec<Instant> {
        self.requests.lock().unwrap().iter().map(|(at, _, _)| *at).collect()
    }

    /// All that the person's side said in a request.
    pub fn said(&self, request: usize) -> String {
        let body = &self.requests()[request];
        let user = body["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "user");
        user.map(|message| message["content"].as_str().unwrap_or_default()).collect::<Vec<_>>().join("\n")
    }

    /// Contents of the tools' messages in a request.
    pub fn results(&self, request: usize) -> Vec<String> {
        let body = &self.requests()[request];
        let tool = body["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool");
        tool.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

async fn serve(
    mut socket: TcpStream,
    seen: Arc<Mutex<Vec<(Instant, String, Value)>>>,
    script: Arc<Mutex<VecDeque<Response>>>,
) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let (head, body) = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                line.to_lowercase().strip_prefix("content-length:").map(|n| n.trim().parse().unwrap())
            });
            let length: usize = length.unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                break (head, serde_json::from_slice(&bytes[end + 4..end + 4 + length]).unwrap_or(Value::Null));
            }
        }
        match socket.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
        }
    };
    seen.lock().unwrap().push((Instant::now(), head, body));
    let response = {
        let mut script = script.lock().unwrap();
        if script.len() > 1 { script.pop_front() } else { script.front().cloned() }
    };
    let Some(response) = response else { return };
    let mut head = format!("HTTP/1.1 {} X\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n", response.status);
    for (name, value) in &response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    // A status of 0 closes without a word.
    if response.status == 0 || socket.write_all(head.as_bytes()).await.is_err() {
        return;
    }
    for step in response.steps {
        match step {
            Step::Pause(time) => tokio::time::sleep(time).await,
            Step::Cut => return,
            Step::Bytes(bytes) => {
                let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                chunk.extend_from_slice(&bytes);
                chunk.extend_from_slice(b"\r\n");
                if socket.write_all(&chunk).await.is_err() {
                    return;
                }
                let _ = socket.flush().await;
            }
        }
    }
    let _ = socket.write_all(b"0\r\n\r\n").await;
    let _ = socket.shutdown().await;
}

/// Tools that count how often they ran: `echo` gives its arguments back, `slow` takes 150 ms, `stuck` ends only when it is told
/// to, `role_rights` is one more that reads. `write` and `propose` are no read tools: a check refuses what `propose` is given
/// under `element`.
#[derive(Default)]
pub struct Tools {
    pub ran: AtomicUsize,
    running: AtomicUsize,
    pub most_at_once: AtomicUsize,
    pub stopped: AtomicUsize,
    pub version: AtomicUsize,
    /// Which of them are sent with a question; all if it is not said.
    pub chosen: Option<Vec<String>>,
    /// Texts that come with a question.
    pub references: Vec<String>,
}

impl Tools {
    /// Some of which are sent with a question; the others are asked for by name.
    pub fn that_send(chosen: &[&str]) -> Self {
        Self { chosen: Some(chosen.iter().map(|&name| name.to_owned()).collect()), ..Self::default() }
    }
}

const NAMES: [&str; 6] = ["echo", "slow", "stuck", "role_rights", "write", "propose"];

impl Toolbox for Tools {
    fn schemas(&self) -> Vec<ToolSchema> {
        NAMES
            .map(|name| ToolSchema {
                name: name.to_owned(),
                description: format!("About {name}."),
                parameters: json!({ "type": "object", "properties": { "name": { "type": "string", "description": "A name." } } }),
                read_only: !matches!(name, "write" | "propose"),
            })
            .to_vec()
    }

    fn briefing(&self, _question: &Question<'_>) -> Briefing {
        Briefing { tools: self.chosen.clone(), references: self.references.clone() }
    }

    fn call(&self, name: &str, arguments: &Arguments, cancel: &CancellationToken) -> ToolOutcome {
        let fail = |content: String| ToolOutcome { summary: content.clone(), content, ok: false };
        let value = match arguments {
            Arguments::Object(value) => value,
            Arguments::Broken { problem, .. } => {
                return fail(format!("broken arguments: {problem}; right: {{\"x\": 1}}"));
            }
        };
        if !NAMES.contains(&name) {
            return fail(format!("unknown tool {name}; nearest: echo"));
        }
        self.ran.fetch_add(1, Ordering::SeqCst);
        if name == "propose" && !value["element"].is_null() {
            let refused = json!({ "refused": [{ "element": value["element"], "reason": "нет такого" }] });
            return ToolOutcome { content: refused.to_string(), summary: "отклонено".to_owned(), ok: false };
        }
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(running, Ordering::SeqCst);
        if matches!(name, "slow" | "write") {
            std::thread::sleep(Duration::from_millis(150));
        }
        let started = Instant::now();
        while name == "stuck" && started.elapsed() < Duration::from_secs(20) {
            if cancel.is_cancelled() {
                self.stopped.fetch_add(1, Ordering::SeqCst);
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        ToolOutcome {
            content: json!({ "echo": value, "long": "х".repeat(500) }).to_string(),
            summary: format!("{name} {value}"),
            ok: true,
        }
    }

    fn version(&self) -> String {
        self.version.load(Ordering::SeqCst).to_string()
    }

    fn check_name(&self, name: &str) -> NameCheck {
        match name {
            "Справочник.Есть" => NameCheck::Known,
            _ if name.starts_with("Справочник.") => {
                NameCheck::Unknown { nearest: vec!["Catalog.Есть".to_owned()] }
            }
            _ => NameCheck::NotAName,
        }
    }
}

/// A front end that keeps every event.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Vec<Event>>>);

impl Events {
    pub fn sink(&self) -> EventSink {
        let events = Arc::clone(&self.0);
        Arc::new(move |event| events.lock().unwrap().push(event))
    }

    pub fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    /// All text that was streamed.
    pub fn text(&self) -> String {
        let text = |event| if let Event::Text { delta } = event { Some(delta) } else { None };
        self.all().into_iter().filter_map(text).collect()
    }
}

/// One dialogue: a server with its script, an agent, and what came of it.
pub struct Dialogue {
    pub server: Server,
    pub tools: Arc<Tools>,
    pub events: Events,
    pub agent: Agent,
    pub cancel: CancellationToken,
}

/// A model at a server of a test.
pub fn model_settings(url: &str) -> Settings {
    let mut model = Settings::new(url, "test-model");
    model.proxy = ProxyChoice::Direct;
    model.key = Some(metascope_agent::openai::Secret::new("тайный-ключ".replace(|c: char| !c.is_ascii(), "k")));
    model.retry.first_wait = Duration::from_millis(20);
    model.retry.longest_wait = Duration::from_millis(300);
    model
}

/// Limits of a test: silence 400 ms, a turn 900 ms.
pub fn limits() -> Limits {
    let [a, b, c, d, e] = [200, 400, 900, 1200, 1500].map(Duration::from_millis);
    Limits::new(a, b, c, d, e).unwrap()
}

impl Dialogue {
    pub async fn new(script: Vec<Response>) -> Self {
        Self::with(script, AgentSettings { limits: limits(), ..AgentSettings::default() }).await
    }

    pub async fn with(script: Vec<Response>, settings: AgentSettings) -> Self {
        Self::of(script, settings, Tools::default(), false).await
    }

    /// With tools of its own; `text`: the model has no tool calling.
    pub async fn of(script: Vec<Response>, settings: AgentSettings, tools: Tools, text: bool) -> Self {
        let server = Server::start(script).await;
        let mut model: Arc<dyn ChatModel> =
            Arc::new(OpenAiModel::new(model_settings(&server.url), &settings.limits).unwrap());
        if text {
            model = Arc::new(TextProtocol::new(model));
        }
        Self::between(server, model, settings, tools)
    }

    /// With a model of one's own.
    pub fn over(server: Server, model: Arc<dyn ChatModel>) -> Self {
        let settings = AgentSettings { limits: limits(), ..AgentSettings::default() };
        Self::between(server, model, settings, Tools::default())
    }

    fn between(server: Server, model: Arc<dyn ChatModel>, settings: AgentSettings, tools: Tools) -> Self {
        let tools = Arc::new(tools);
        let agent = Agent::new(model, tools.clone(), settings);
        Self { server, tools, events: Events::default(), agent, cancel: CancellationToken::new() }
    }

    pub async fn ask(&mut self, question: &str) -> Outcome {
        self.agent.ask(question, self.events.sink(), self.cancel.clone()).await
    }

    /// Cancels after a while; asks meanwhile.
    pub async fn ask_and_cancel(&mut self, question: &str, after: u64) -> (Outcome, Duration) {
        let cancel = self.cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(after)).await;
            cancel.cancel();
        });
        let started = Instant::now();
        let outcome = self.ask(question).await;
        (outcome, started.elapsed().saturating_sub(Duration::from_millis(after)))
    }
}
