//! Anything that speaks OpenAI chat completions with streaming.

mod assemble;
mod balance;
mod client;
mod settings;
mod sse;
mod wire;

pub use assemble::Assembler;
pub use client::OpenAiModel;
pub use settings::{KEY_VARIABLE, MODEL_VARIABLE, URL_VARIABLE};
pub use settings::{ProxyChoice, RetryPolicy, Secret, Settings};
pub use sse::{LineTooLong, SseParser};
