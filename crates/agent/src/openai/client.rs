//! The HTTP side: sending, reading the stream, sending again.

use std::time::{Duration, SystemTime};

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::assemble::{Assembler, error_text, excerpt};
use super::settings::{ProxyChoice, Settings};
use super::sse::SseParser;
use super::wire;
use crate::limits::Limits;
use crate::message::Message;
use crate::model::{ChatModel, Delta, ModelError, Reply, Request, Sink};
use crate::models::{self, Region};
use crate::sent::{self, SentHead};

/// A model that speaks OpenAI chat completions.
#[derive(Debug)]
pub struct OpenAiModel {
    name: String,
    host: String,
    endpoint: String,
    settings: Settings,
    region: Region,
    silence: Duration,
    longest_wait: Duration,
    http: reqwest::Client,
}

/// An answer that is no stream, or the text of an error, is read up to this many bytes.
const BODY_LIMIT: usize = 32 << 20;

impl OpenAiModel {
    /// Prepares a client; nothing is sent yet.
    ///
    /// # Errors
    /// [`ModelError::Settings`] for an address, header, key or proxy that cannot be used.
    pub fn new(settings: Settings, limits: &Limits) -> Result<Self, ModelError> {
        let endpoint = settings.endpoint();
        let url =
            reqwest::Url::parse(&endpoint).map_err(|error| ModelError::Settings(format!("{endpoint}: {error}")))?;
        let host = match (url.host_str(), url.port()) {
            (Some(host), Some(port)) => format!("{host}:{port}"),
            (Some(host), None) => host.to_owned(),
            (None, _) => return Err(ModelError::Settings(format!("{endpoint}: no host"))),
        };
        // The process may have chosen a provider of cryptography already; then that one stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .connect_timeout(limits.connect())
            .default_headers(headers(&settings)?)
            .user_agent(concat!("metascope/", env!("CARGO_PKG_VERSION")));
        builder = match &settings.proxy {
            ProxyChoice::System => builder,
            ProxyChoice::Direct => builder.no_proxy(),
            ProxyChoice::Url(proxy) => {
                let proxy = reqwest::Proxy::all(proxy).map_err(|error| ModelError::Settings(error.to_string()))?;
                builder.proxy(proxy)
            }
        };
        let http = builder.build().map_err(|error| ModelError::Settings(chain(&error)))?;
        let name = format!("{} @ {host}", settings.model);
        let region = settings.region.clone().unwrap_or_else(|| models::region_of(&endpoint));
        // Whoever watches for silence must not take a wait for one.
        let longest_wait = settings.retry.longest_wait.min(limits.silence());
        Ok(Self { name, host, endpoint, settings, region, silence: limits.silence(), longest_wait, http })
    }

    async fn reply_with_retries(&self, request: Request<'_>, sink: Sink<'_>) -> Result<Reply, ModelError> {
        let image = request.messages.iter().any(|message| matches!(message, Message::Image(_)));
        if image && !self.settings.images {
            return Err(ModelError::Settings(format!("{} takes no images", self.name)));
        }
        let body = wire::body(&self.settings, request).to_string();
        let policy = &self.settings.retry;
        let mut attempt = 1;
        loop {
            self.write_down(attempt, &body)?;
            let error = match self.attempt(&body, sink).await {
                Ok(reply) => return Ok(reply),
                Err(error) => self.masked(error),
            };
            // A server that stays silent costs a whole limit of silence each time: one more try is all it gets.
            let attempts =
                if matches!(error, ModelError::Silent { .. }) { policy.attempts.min(2) } else { policy.attempts };
            let backoff = policy.first_wait.saturating_mul(1 << (attempt - 1).min(16)).min(self.longest_wait);
            let wait = error.retry_after().unwrap_or_else(|| jittered(backoff));
            if !error.may_retry() || attempt >= attempts || wait > self.longest_wait {
                return Err(error);
            }
            sink(Delta::Retry { attempt, wait, reason: error.to_string() });
            sleep(wait).await;
            attempt += 1;
        }
    }

    fn write_down(&self, attempt: u32, body: &str) -> Result<(), ModelError> {
        let Some(log) = &self.settings.sent else { return Ok(()) };
        let head = SentHead {
            at: sent::now(),
            model: self.settings.model.clone(),
            to: self.endpoint.clone(),
            region: self.region.code().to_owned(),
            attempt,
            bytes: body.len(),
        };
        log.record(&head, body).map_err(|error| {
            let file = log.path().display();
            ModelError::Settings(format!(
                "nothing was sent: the log of what is sent can't be written ({file}): {error}"
            ))
        })
    }

    async fn attempt(&self, body: &str, sink: Sink<'_>) -> Result<Reply, ModelError> {
        let silent = |received| ModelError::Silent { limit: self.silence, received };
        let connect = |error: reqwest::Error| ModelError::Connect { url: self.host.clone(), reason: chain(&error) };

        let request = self.http.post(&self.endpoint).header(CONTENT_TYPE, "application/json").body(body.to_owned());
        let response = timeout(self.silence, request.send()).await.map_err(|_| silent(false))?.map_err(connect)?;
        let status = response.status();
        let content_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is = |kind: &str| content_type.is_some_and(|value| value.starts_with(kind));
        let (is_json, is_page) = (is("application/json"), is("text/html"));
        if !status.is_success() {
            let retry_after = retry_after(response.headers(), SystemTime::now());
            let text = self.whole_body(response).await.unwrap_or_default();
            return Err(refusal(status.as_u16(), &text, retry_after));
        }
        if is_page {
            // A proxy's page of login, a front page: asking again would give the same.
            let text = self.whole_body(response).await.unwrap_or_default();
            return Err(ModelError::Malformed(excerpt(text.trim())));
        }
        let mut assembler = Assembler::default();
        if is_json {
            let text = self.whole_body(response).await?;
            if text.trim().is_empty() {
                let reason = "an empty answer".to_owned();
                return Err(ModelError::Connect { url: self.host.clone(), reason });
            }
            for delta in assembler.push(&text)? {
                sink(delta);
            }
            assembler.push("[DONE]")?;
            return assembler.finish();
        }

        let mut parser = SseParser::default();
        let mut stream = response.bytes_stream();
        while !assembler.is_done() {
            let next = timeout(self.silence, stream.next())
                .await
                .map_err(|_| silent(assembler.received() || parser.holds_data()))?;
            match next {
                Some(Ok(bytes)) => {
                    sink(Delta::Alive);
                    let payloads =
                        parser.push(&bytes).map_err(|_| ModelError::Malformed("an endless line".to_owned()))?;
                    for payload in payloads {
                        for delta in assembler.push(&payload)? {
                            sink(delta);
                        }
                    }
                }
                Some(Err(error)) if assembler.received() || parser.holds_data() => {
                    return cut_off(assembler, chain(&error));
                }
                Some(Err(error)) => return Err(connect(error)),
                None => {
                    if let Some(payload) = parser.finish() {
                        match assembler.push(&payload) {
                            Ok(deltas) => deltas.into_iter().for_each(sink),
                            // Half a payload is a part of an answer: what was received is never asked for again.
                            Err(ModelError::Malformed(_)) => {
                                let reason = "the stream ended in the middle of a chunk".to_owned();
                                return cut_off(assembler, reason);
                            }
                            Err(error) => return Err(error),
                        }
                    }
                    if !assembler.received() && !assembler.is_done() {
                        let reason = "the stream ended before anything came".to_owned();
                        return Err(ModelError::Connect { url: self.host.clone(), reason });
                    }
                    break;
                }
            }
        }
        assembler.finish()
    }

    /// Reads a body that is no stream.
    async fn whole_body(&self, response: reqwest::Response) -> Result<String, ModelError> {
        let mut bytes = Vec::new();
        let mut stream = response.bytes_stream();
        loop {
            let received = !bytes.is_empty();
            let next = timeout(self.silence, stream.next())
                .await
                .map_err(|_| ModelError::Silent { limit: self.silence, received })?;
            match next {
                Some(Ok(piece)) if bytes.len() + piece.len() <= BODY_LIMIT => bytes.extend_from_slice(&piece),
                Some(Ok(_)) => return Err(ModelError::Malformed("a body of more than 32 MiB".to_owned())),
                Some(Err(error)) if received => return Err(ModelError::CutOff { reason: chain(&error) }),
                Some(Err(error)) => {
                    return Err(ModelError::Connect { url: self.host.clone(), reason: chain(&error) });
                }
                None => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
            }
        }
    }

    fn masked(&self, error: ModelError) -> ModelError {
        let Some(key) = &self.settings.key else { return error };
        match error {
            ModelError::Busy { status, message, retry_after } => {
                ModelError::Busy { status, message: key.mask(&message), retry_after }
            }
            ModelError::Refused { status, message } => ModelError::Refused { status, message: key.mask(&message) },
            ModelError::Provider(message) => ModelError::Provider(key.mask(&message)),
            ModelError::Malformed(message) => ModelError::Malformed(key.mask(&message)),
            other => other,
        }
    }
}

impl ChatModel for OpenAiModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn processed_at(&self) -> Option<&str> {
        Some(&self.host)
    }

    fn region(&self) -> Region {
        self.region.clone()
    }

    fn takes_images(&self) -> bool {
        self.settings.images
    }

    fn context_tokens(&self) -> Option<u32> {
        self.settings.context_tokens
    }

    fn balance(&self) -> BoxFuture<'_, Option<String>> {
        Box::pin(super::balance::ask(&self.http, &self.endpoint))
    }

    fn reply<'a>(&'a self, request: Request<'a>, sink: Sink<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(self.reply_with_retries(request, sink))
    }
}

/// A connection lost after the reason to finish was seen lost nothing.
fn cut_off(assembler: Assembler, reason: String) -> Result<Reply, ModelError> {
    assembler.finish().map_err(|error| match error {
        ModelError::CutOff { .. } => ModelError::CutOff { reason },
        other => other,
    })
}

fn headers(settings: &Settings) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &settings.headers {
        let bad = |what: &str| ModelError::Settings(format!("header {name}: {what}"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("not a header name"))?;
        let value = HeaderValue::from_str(value).map_err(|_| bad("characters that a header may not hold"))?;
        headers.insert(name, value);
    }
    if let Some(key) = &settings.key {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose().trim()))
            .map_err(|_| ModelError::Settings("the key holds characters that a header may not hold".to_owned()))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}

fn refusal(status: u16, body: &str, retry_after: Option<Duration>) -> ModelError {
    let error = serde_json::from_str::<Value>(body).ok();
    let inner = error.as_ref().and_then(|error| error.get("error")).or(error.as_ref());
    let message = inner.map_or_else(|| excerpt(body.trim()), error_text);
    let out_of_money = inner.and_then(|error| error.get("code")).and_then(Value::as_str) == Some("insufficient_quota");
    match status {
        408 | 425 | 429 | 500 | 502..=504 | 520..=524 | 529 if !out_of_money => {
            ModelError::Busy { status, message, retry_after }
        }
        _ => ModelError::Refused { status, message },
    }
}

/// `Retry-After` in seconds or as a date, and the finer `retry-after-ms` that some send beside it.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|value| value.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let value = text(RETRY_AFTER.as_str())?;
    match value.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => httpdate::parse_http_date(value).ok().map(|date| date.duration_since(now).unwrap_or_default()),
    }
}

/// Between 75 and 125 % of a wait, so that many clients don't come back in step.
fn jittered(wait: Duration) -> Duration {
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.subsec_nanos());
    wait.mul_f64(0.75 + 0.5 * f64::from(nanos % 1000) / 1000.0)
}

/// An error with its causes: reqwest's own text leaves out why.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn retry_after_of_each_form() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:30 GMT").unwrap();
        let read = |name, value: &str| retry_after(&header(name, value), now);
        assert_eq!(read("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(read("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(read("retry-after-ms", "20"), Some(Duration::from_millis(20)));
        assert_eq!(read("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::from_secs(7)));
        assert_eq!(read("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(read("retry-after", "скоро"), None);
        assert_eq!(read("retry-after", "-3"), None);
    }

    #[test]
    fn refusals_and_their_texts() {
        let busy = refusal(429, r#"{"error":{"message":"slow down"}}"#, None);
        assert_eq!(busy, ModelError::Busy { status: 429, message: "slow down".into(), retry_after: None });
        let quota = refusal(429, r#"{"error":{"message":"pay","code":"insufficient_quota"}}"#, None);
        assert!(matches!(quota, ModelError::Refused { status: 429, .. }));
        let html = refusal(404, "<html>nothing here</html>", None);
        assert_eq!(html, ModelError::Refused { status: 404, message: "<html>nothing here</html>".into() });
    }

    #[test]
    fn settings_that_cannot_be_used() {
        let new = |settings| OpenAiModel::new(settings, &Limits::default());
        assert!(matches!(new(Settings::new("не адрес", "m")), Err(ModelError::Settings(_))));
        let mut settings = Settings::new("http://localhost/v1", "m");
        settings.key = Some(super::super::Secret::new("a\nb"));
        assert!(matches!(new(settings), Err(ModelError::Settings(_))));
    }
}
