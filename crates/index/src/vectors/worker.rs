//! The worker process: one model, one text at a time, over standard input and output.
//!
//! The program's hidden subcommand `embed-worker` calls [`run`]. A request is a line with a JSON object
//! (`{"passage": "…"}` or `{"query": "…"}`), the answer to it another (`{"vector": […]}` or `{"error": "…"}`). The first
//! line the worker writes says which model it holds (`{"model": "…"}`) or why it has none. It ends with its input, so
//! that no worker outlives the program that started it, and keeps no state: it may be killed at any time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::{Deserialize, Serialize};

use super::model::{Embed, Model, ModelError};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    Passage(String),
    Query(String),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    Model(String),
    Vector(Vec<f32>),
    Error(String),
}

/// Serves requests from standard input with this user's model until the input ends. Lowers its own priority first.
/// `runtime` is ONNX Runtime's library, if the settings name one.
///
/// # Errors
/// Only those of writing an answer: a missing model is an answer, too.
pub fn run(runtime: Option<&std::path::Path>) -> std::io::Result<()> {
    lower_priority();
    serve(Model::of_user(runtime), std::io::stdin().lock(), std::io::stdout().lock())
}

/// [`run`] over any model, input and output.
///
/// # Errors
/// Those of reading a request or writing an answer.
pub fn serve<E: Embed>(
    model: Result<E, ModelError>,
    input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    let mut model = match model {
        Ok(model) => model,
        Err(error) => return answer(&mut output, &Reply::Error(error.to_string())),
    };
    answer(&mut output, &Reply::Model(model.model_id().to_owned()))?;
    for line in input.lines() {
        let reply = match serde_json::from_str(&line?) {
            Ok(Request::Passage(text)) => model.passage(&text),
            Ok(Request::Query(text)) => model.query(&text),
            Err(error) => Err(ModelError::Worker(error.to_string())),
        };
        let reply = reply.map_or_else(|error| Reply::Error(error.to_string()), Reply::Vector);
        answer(&mut output, &reply)?;
    }
    Ok(())
}

fn answer(output: &mut impl Write, reply: &Reply) -> std::io::Result<()> {
    serde_json::to_writer(&mut *output, reply)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// The priority of processes that nobody waits for, on the scale of `nice`.
#[cfg(unix)]
pub const LOWEST_PRIORITY: i32 = 19;

#[cfg(unix)]
fn lower_priority() {
    if let Err(error) = rustix::process::nice(LOWEST_PRIORITY) {
        tracing::debug!(%error, "the worker keeps its priority");
    }
}

#[cfg(not(unix))]
fn lower_priority() {
    // On Windows the parent starts the worker in a lower priority class: see `in_background`.
}

/// Lets a process start without a console window and, on Windows, with a priority below that of the window the user works in.
/// Elsewhere a priority is set once the process runs.
pub fn in_background(command: &mut Command) {
    #[cfg(windows)]
    {
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        const BELOW_NORMAL_PRIORITY_CLASS: u32 = 0x0000_4000;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NO_WINDOW | BELOW_NORMAL_PRIORITY_CLASS);
    }
    #[cfg(not(windows))]
    let _ = command;
}

/// A worker process, seen from the program that started it. Dropping it ends the process.
pub struct Worker {
    child: Child,
    requests: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
    model: String,
}

impl Worker {
    /// Starts a worker and waits until its model is loaded (about half a second).
    ///
    /// # Errors
    /// The program cannot be started, or says why it has no model.
    pub fn start(mut command: Command) -> Result<Self, ModelError> {
        in_background(&mut command);
        let failed = |error: std::io::Error| ModelError::Worker(error.to_string());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ModelError::Worker("no pipes".into()));
        };
        let mut worker =
            Self { child, requests: Some(requests), replies: BufReader::new(replies), model: String::new() };
        // A library may print something of its own while it loads: the greeting is the first line that is a reply.
        loop {
            match worker.line()? {
                Some(Reply::Model(model)) => worker.model = model,
                Some(Reply::Error(error)) => return Err(ModelError::Worker(error)),
                Some(Reply::Vector(_)) => return Err(ModelError::Worker("no greeting".into())),
                None => continue,
            }
            return Ok(worker);
        }
    }

    /// The worker's process id.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    fn ask(&mut self, request: &Request) -> Result<Vec<f32>, ModelError> {
        let mut line = serde_json::to_vec(request).map_err(|error| ModelError::Worker(error.to_string()))?;
        line.push(b'\n');
        let requests = self.requests.as_mut().ok_or_else(|| ModelError::Worker("ended".into()))?;
        requests
            .write_all(&line)
            .and_then(|()| requests.flush())
            .map_err(|error| ModelError::Worker(error.to_string()))?;
        match self.reply()? {
            Reply::Vector(vector) => Ok(vector),
            // The model refused this one text; the worker goes on.
            Reply::Error(error) => Err(ModelError::Inference(error)),
            Reply::Model(_) => Err(ModelError::Worker("greeting instead of an answer".into())),
        }
    }

    fn reply(&mut self) -> Result<Reply, ModelError> {
        self.line()?.ok_or_else(|| ModelError::Worker("an answer that is none".into()))
    }

    /// The next line; None if it is no reply.
    fn line(&mut self) -> Result<Option<Reply>, ModelError> {
        let mut line = String::new();
        match self.replies.read_line(&mut line) {
            Ok(0) => Err(ModelError::Worker("the process ended".into())),
            Ok(_) => Ok(serde_json::from_str(&line).ok()),
            Err(error) => Err(ModelError::Worker(error.to_string())),
        }
    }
}

impl Embed for Worker {
    fn model_id(&self) -> &str {
        &self.model
    }

    fn passage(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        self.ask(&Request::Passage(text.to_owned()))
    }

    fn query(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
        self.ask(&Request::Query(text.to_owned()))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Lengths;

    impl Embed for Lengths {
        fn model_id(&self) -> &str {
            "lengths"
        }

        fn passage(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
            if text.is_empty() { Err(ModelError::Inference("empty".into())) } else { Ok(vec![text.len() as f32, 0.1]) }
        }

        fn query(&mut self, text: &str) -> Result<Vec<f32>, ModelError> {
            Ok(vec![-(text.len() as f32)])
        }
    }

    fn talk(model: Result<Lengths, ModelError>, input: &str) -> Vec<String> {
        let mut output = Vec::new();
        serve(model, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_request_gets_one_line() {
        let lines = talk(Ok(Lengths), "{\"passage\":\"ab\\n\"}\n{\"passage\":\"\"}\nnonsense\n{\"query\":\"abc\"}\n");
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], r#"{"model":"lengths"}"#);
        assert_eq!(lines[1], r#"{"vector":[3.0,0.1]}"#);
        assert!(lines[2].contains("error") && lines[2].contains("empty"));
        assert!(lines[3].contains("error"));
        assert_eq!(lines[4], r#"{"vector":[-3.0]}"#);
    }

    #[test]
    fn a_missing_model_is_said_and_ends_the_worker() {
        let lines = talk(Err(ModelError::NoDataDirectory), "{\"query\":\"abc\"}\n");
        assert_eq!(lines.len(), 1);
        assert!(lines[0].contains(paths::DATA_DIR_VARIABLE), "{lines:?}");
    }
}
