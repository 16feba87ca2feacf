//! Ctrl-C: the first one asks the work to stop and keep what is whole, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use index::build::Stop;

use crate::failure::Exit;

type Action = Box<dyn Fn() + Send>;

static ASKED: AtomicBool = AtomicBool::new(false);
static ACTION: Mutex<Option<Action>> = Mutex::new(None);

/// What the first Ctrl-C from now on stops.
pub fn stop() -> Arc<Stop> {
    let stop = Arc::new(Stop::default());
    let asked = Arc::clone(&stop);
    on_ctrl_c(move || asked.stop());
    stop
}

/// Sets what the first Ctrl-C does. A later call replaces it.
pub fn on_ctrl_c(action: impl Fn() + Send + 'static) {
    let first = {
        let mut slot = ACTION.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        slot.replace(Box::new(action)).is_none()
    };
    if first {
        let set = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                std::process::exit(Exit::Stopped as i32);
            }
            if let Some(action) = &*ACTION.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
                action();
            }
        });
        if let Err(error) = set {
            tracing::warn!("Ctrl-C can't be caught: {error}");
        }
    }
}
