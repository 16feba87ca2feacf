//! When long work has to stop, and how far it got by then.

use crate::read::Reason;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// When long work has to stop and answer with what it found so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// Work goes on to its end.
    pub const NEVER: Self = Self(None);

    /// Work stops this long from now; a time beyond what a clock can tell never comes.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Self(Instant::now().checked_add(time))
    }

    /// Whether it has come.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// What is left of the time; None: there is no end.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

/// A search through sources, by several threads, that a deadline may cut short.
pub(crate) struct Tour {
    until: Deadline,
    late: AtomicBool,
    looked: AtomicUsize,
}

impl Tour {
    pub fn new(until: Deadline) -> Self {
        Self { until, late: AtomicBool::new(false), looked: AtomicUsize::new(0) }
    }

    /// To be asked before each source; false: it is not looked at any more.
    pub fn goes_on(&self) -> bool {
        if self.late.load(Ordering::Relaxed) || self.until.is_over() {
            self.late.store(true, Ordering::Relaxed);
            return false;
        }
        self.looked.fetch_add(1, Ordering::Relaxed);
        true
    }

    /// How far it got of so many sources.
    pub fn looked(self, of: usize) -> Looked {
        Looked { sources: self.looked.into_inner(), of }
    }
}

/// How far a search through sources got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looked {
    /// Sources that were looked at.
    pub sources: usize,
    /// All that were to be looked at.
    pub of: usize,
}

impl Looked {
    /// This search and another one.
    pub fn and(self, other: Self) -> Self {
        Self { sources: self.sources + other.sources, of: self.of + other.of }
    }

    /// Why there may be more; None if everything was looked at.
    pub fn reason(self) -> Option<Reason> {
        (self.sources < self.of).then_some(Reason::TimeReached { looked: self.sources, of: self.of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tour_stops_at_its_deadline_and_says_how_far_it_got() {
        let whole = Tour::new(Deadline::NEVER);
        assert!((0..3).all(|_| whole.goes_on()));
        assert_eq!(whole.looked(3).reason(), None);
        let cut = Tour::new(Deadline::after(Duration::ZERO));
        assert!(!cut.goes_on() && !cut.goes_on());
        let looked = cut.looked(3);
        assert_eq!(looked, Looked { sources: 0, of: 3 });
        let both = looked.and(Looked { sources: 2, of: 2 });
        assert_eq!(both.reason(), Some(Reason::TimeReached { looked: 2, of: 5 }));
    }

    #[test]
    fn a_time_that_no_clock_can_tell_never_comes() {
        assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER);
        assert_eq!(Deadline::NEVER.left(), None);
        assert!(!Deadline::after(Duration::from_secs(60)).is_over());
    }
}
