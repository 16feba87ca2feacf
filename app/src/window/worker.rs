//! Work off the event loop: a thread with its own index, and the way its results come back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use index::{Index, Location};

use super::controller::Controller;

/// What a result does to the window, on the event loop.
pub type Apply = Box<dyn FnOnce(&Controller) + Send>;

/// The way back to the event loop.
#[derive(Clone)]
pub struct Post {
    sender: Sender<Apply>,
    wake: Arc<dyn Fn() + Send + Sync>,
    pending: Arc<AtomicUsize>,
}

impl Post {
    /// A way, its other end, and `wake`, which makes the event loop look at it.
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> (Self, Receiver<Apply>) {
        let (sender, receiver) = channel();
        (Self { sender, wake, pending: Arc::default() }, receiver)
    }

    /// Sends something to do on the event loop.
    pub fn send(&self, apply: impl FnOnce(&Controller) + Send + 'static) {
        // An error means that the window is gone: nothing is left to do.
        if self.sender.send(Box::new(apply)).is_ok() {
            (self.wake)();
        }
    }

    /// Counts a piece of work until the returned guard is dropped.
    pub fn begin(&self) -> Pending {
        self.pending.fetch_add(1, Ordering::SeqCst);
        Pending(Arc::clone(&self.pending))
    }

    /// Pieces of work whose result has not been applied yet.
    pub fn pending(&self) -> usize {
        self.pending.load(Ordering::SeqCst)
    }
}

/// A piece of work that is under way.
pub struct Pending(Arc<AtomicUsize>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Numbers questions of one sort, so that an answer that comes after a newer question is thrown away.
#[derive(Clone, Default)]
pub struct Latest(Arc<AtomicU64>);

impl Latest {
    /// A new question: all earlier ones are outdated.
    pub fn next(&self) -> Ticket {
        Ticket { number: self.0.fetch_add(1, Ordering::SeqCst) + 1, latest: Arc::clone(&self.0) }
    }
}

/// The number of a question.
#[derive(Clone)]
pub struct Ticket {
    number: u64,
    latest: Arc<AtomicU64>,
}

impl Ticket {
    /// Whether no newer question was asked.
    pub fn is_current(&self) -> bool {
        self.latest.load(Ordering::SeqCst) == self.number
    }
}

type Job = Box<dyn FnOnce(&mut Option<Index>) + Send>;

/// A thread with an index of its own.
pub struct Worker {
    jobs: Sender<Job>,
    post: Post,
}

impl Worker {
    /// Starts the thread; it ends with the worker.
    pub fn start(name: &str, post: Post) -> std::io::Result<Self> {
        let (jobs, todo) = channel::<Job>();
        std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let mut index = None;
            for job in todo {
                job(&mut index);
            }
        })?;
        Ok(Self { jobs, post })
    }

    /// Opens an index, or follows its pointer to a new generation; then `apply` sees whether it worked.
    pub fn open(&self, location: Location, apply: impl FnOnce(&Controller, index::Result<()>) + Send + 'static) {
        let (post, pending) = (self.post.clone(), self.post.begin());
        self.queue(Box::new(move |index| {
            let opened = Index::open(&location);
            let outcome = match opened {
                Ok(opened) => {
                    *index = Some(opened);
                    Ok(())
                }
                Err(error) => {
                    *index = None;
                    Err(error)
                }
            };
            post.send(move |controller| {
                apply(controller, outcome);
                drop(pending);
            });
        }));
    }

    /// Works something out over the index, and applies the result on the event loop. Without an index nothing happens;
    /// an outdated question is not worked on; a failure is shown as the message of the window.
    pub fn ask<T: Send + 'static>(
        &self,
        ticket: Ticket,
        work: impl FnOnce(&Index) -> index::Result<T> + Send + 'static,
        apply: impl FnOnce(&Controller, T) + Send + 'static,
    ) {
        let (post, pending) = (self.post.clone(), self.post.begin());
        self.queue(Box::new(move |index| {
            let Some(index) = index.as_ref().filter(|_| ticket.is_current()) else { return };
            let outcome = work(index);
            post.send(move |controller| {
                match outcome {
                    Ok(value) if ticket.is_current() => apply(controller, value),
                    Ok(_) => {}
                    Err(error) => controller.show_error(&error),
                }
                drop(pending);
            });
        }));
    }

    fn queue(&self, job: Job) {
        // The thread ends only with this sender.
        let _ = self.jobs.send(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_question_outdates_the_older() {
        let latest = Latest::default();
        let first = latest.next();
        assert!(first.is_current());
        let second = latest.next();
        assert!(!first.is_current() && second.is_current());
    }

    #[test]
    fn pending_work_is_counted_until_dropped() {
        let (post, _receiver) = Post::new(Arc::new(|| {}));
        let guard = post.begin();
        assert_eq!(post.pending(), 1);
        drop(guard);
        assert_eq!(post.pending(), 0);
    }
}
