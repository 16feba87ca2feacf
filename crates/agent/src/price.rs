//! What tokens cost.

use serde::{Deserialize, Serialize};

use crate::message::Usage;

/// Price that the user gave for a model, for a million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Tokens sent.
    pub prompt: f64,
    /// Tokens sent that the provider had in its cache.
    pub cached: f64,
    /// Tokens received.
    pub completion: f64,
    /// `USD`, `RUB`, `CNY` …
    pub currency: String,
}

/// What a turn and a question cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The turn.
    pub turn: f64,
    /// The question so far.
    pub total: f64,
    /// The currency of both.
    pub currency: String,
}

impl Price {
    /// What tokens cost.
    pub fn of(&self, usage: Usage) -> f64 {
        let cached = usage.cached.min(usage.prompt);
        let sum = (usage.prompt - cached) as f64 * self.prompt
            + cached as f64 * self.cached
            + usage.completion as f64 * self.completion;
        sum / 1e6
    }

    /// What a turn and a question cost.
    pub(crate) fn cost(&self, turn: Usage, total: Usage) -> Cost {
        Cost { turn: self.of(turn), total: self.of(total), currency: self.currency.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_cost_their_own_price() {
        let price = Price { prompt: 2.0, cached: 0.5, completion: 8.0, currency: "USD".into() };
        let usage = Usage { prompt: 1_000_000, cached: 400_000, completion: 100_000 };
        assert!((price.of(usage) - (1.2 + 0.2 + 0.8)).abs() < 1e-9);
        // A provider that counts more cached tokens than were sent makes nothing free.
        assert!(price.of(Usage { prompt: 10, cached: 20, completion: 0 }) >= 0.0);
    }
}
