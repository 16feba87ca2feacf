//! Whether a turn still moves, and the text that has come in it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Signs of life of one turn.
pub(super) struct Activity(Mutex<(Instant, String)>);

impl Activity {
    pub(super) fn new() -> Self {
        Self(Mutex::new((Instant::now(), String::new())))
    }

    pub(super) fn touch(&self) {
        self.lock().0 = Instant::now();
    }

    pub(super) fn keep(&self, text: &str) {
        self.lock().1.push_str(text);
    }

    pub(super) fn has_text(&self) -> bool {
        !self.lock().1.is_empty()
    }

    pub(super) fn into_text(self) -> String {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Returns once nothing has moved for `limit`.
    pub(super) async fn idle_for(&self, limit: Duration) {
        loop {
            let end = self.lock().0 + limit;
            if Instant::now() >= end {
                return;
            }
            sleep_until(end).await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Instant, String)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
