//! Time limits, in one place that checks their order.

use std::time::Duration;

use thiserror::Error;

/// How long each layer waits without a sign of life.
///
/// Every limit is a limit on *silence*: none bounds a whole stream, request or answer, so that a long answer that keeps
/// coming is never cut. A layer above waits longer than the one below it, so that the layer which knows most about a
/// failure is the one that reports it: `connect < silence < turn < cleanup < interface`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    connect: Duration,
    silence: Duration,
    turn: Duration,
    cleanup: Duration,
    interface: Duration,
}

/// Limits that contradict each other.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the limit `{lower}` ({lower_value:?}) must be shorter than `{upper}` ({upper_value:?})")]
pub struct LimitsError {
    /// Name of the limit that must be shorter.
    pub lower: &'static str,
    /// Its value.
    pub lower_value: Duration,
    /// Name of the limit that must be longer.
    pub upper: &'static str,
    /// Its value.
    pub upper_value: Duration,
}

impl Limits {
    /// Limits in the order they must stand in.
    ///
    /// # Errors
    /// [`LimitsError`] names the first pair that is not in strict order.
    pub fn new(
        connect: Duration,
        silence: Duration,
        turn: Duration,
        cleanup: Duration,
        interface: Duration,
    ) -> Result<Self, LimitsError> {
        let named = [
            ("connect", connect),
            ("silence", silence),
            ("turn", turn),
            ("cleanup", cleanup),
            ("interface", interface),
        ];
        for pair in named.windows(2) {
            if let [(lower, lower_value), (upper, upper_value)] = *pair
                && lower_value >= upper_value
            {
                return Err(LimitsError { lower, lower_value, upper, upper_value });
            }
        }
        Ok(Self { connect, silence, turn, cleanup, interface })
    }

    /// All limits shortened or lengthened by one factor, which keeps their order. Tests compress time with it.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let scale = |limit: Duration| limit.mul_f64(factor);
        Self {
            connect: scale(self.connect),
            silence: scale(self.silence),
            turn: scale(self.turn),
            cleanup: scale(self.cleanup),
            interface: scale(self.interface),
        }
    }

    /// Opening a connection to the model's server.
    pub fn connect(&self) -> Duration {
        self.connect
    }

    /// Between two events of a stream, and from the request to the first of them. Models that reason stay silent long.
    pub fn silence(&self) -> Duration {
        self.silence
    }

    /// A turn in which nothing moves: no event of the stream, no tool that ends. Also what a single tool call may take.
    pub fn turn(&self) -> Duration {
        self.turn
    }

    /// After this silence a task whose owner does not report counts as dead and is freed.
    pub fn cleanup(&self) -> Duration {
        self.cleanup
    }

    /// After this silence a front end tells its user that the agent does not answer.
    pub fn interface(&self) -> Duration {
        self.interface
    }
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            connect: seconds(10),
            silence: seconds(180),
            turn: seconds(240),
            cleanup: seconds(300),
            interface: seconds(360),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(seconds: [u64; 5]) -> Result<Limits, LimitsError> {
        let [a, b, c, d, e] = seconds.map(Duration::from_secs);
        Limits::new(a, b, c, d, e)
    }

    #[test]
    fn order_is_strict() {
        assert!(limits([1, 2, 3, 4, 5]).is_ok());
        let error = limits([1, 3, 3, 4, 5]).unwrap_err();
        assert_eq!((error.lower, error.upper), ("silence", "turn"));
        assert_eq!(limits([9, 2, 3, 4, 5]).unwrap_err().lower, "connect");
    }

    #[test]
    fn defaults_and_scaled_defaults_are_in_order() {
        for limits in [Limits::default(), Limits::default().scaled(0.001)] {
            let again = Limits::new(limits.connect, limits.silence, limits.turn, limits.cleanup, limits.interface);
            assert_eq!(again, Ok(limits));
        }
    }
}
