//! What models cost and what was used of them.
//!
//! Prices are whole millionths of a US dollar for a million tokens; a cost is in whole billionths
//! of a US dollar, so that a single token of the cheapest model is not rounded to nothing.

use serde::{Deserialize, Serialize};

use crate::Usage;

/// A cent in billionths of a dollar.
pub const CENT: u64 = 10_000_000;

/// What a model costs, in millionths of a US dollar for a million tokens: 3,000,000 is $3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Prices {
    /// Tokens of a request.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub input: u64,
    /// Tokens of an answer, thinking included.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub output: u64,
    /// Tokens of a request that were read from the provider's cache; null: as the others.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub cached: Option<u64>,
    /// Tokens of a request that were written to the provider's cache; null: as the others.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub written: Option<u64>,
}

impl Prices {
    /// No price may be higher: $10,000 for a million tokens.
    pub const MOST: u64 = 10_000_000_000;

    /// What so many tokens cost, in billionths of a dollar, rounded up.
    pub fn cost(&self, usage: &Usage) -> u64 {
        let plain = usage
            .input
            .saturating_sub(usage.cached)
            .saturating_sub(usage.written);
        let parts = [
            (plain, self.input),
            (usage.cached, self.cached.unwrap_or(self.input)),
            (usage.written, self.written.unwrap_or(self.input)),
            (usage.output, self.output),
        ];
        // Tokens times millionths for a million tokens are millionths of a millionth.
        let sum: u128 = parts
            .iter()
            .map(|(tokens, price)| u128::from(*tokens) * u128::from(*price))
            .sum();
        u64::try_from(sum.div_ceil(1_000)).unwrap_or(u64::MAX)
    }

    /// Every price, with what it is for.
    pub fn each(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("input", Some(self.input)),
            ("output", Some(self.output)),
            ("cached input", self.cached),
            ("cache writes", self.written),
        ]
    }
}

/// A model's name without the date or the `latest` behind it.
pub fn undated(model: &str) -> &str {
    let plain = model.strip_suffix("-latest").unwrap_or(model);
    let is_date = |text: &str, shape: &str| {
        text.len() == shape.len()
            && text.chars().zip(shape.chars()).all(|(c, of)| match of {
                '0' => c.is_ascii_digit(),
                _ => c == of,
            })
    };
    for shape in ["-0000-00-00", "-00000000"] {
        let at = plain.len().saturating_sub(shape.len());
        if plain.get(at..).is_some_and(|end| is_date(end, shape)) && at > 0 {
            return &plain[..at];
        }
    }
    plain
}

/// What one model was used for on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UsageOfDay {
    /// The day where the person is, such as `2026-03-09`.
    pub day: String,
    /// The model's id at the provider.
    pub model: String,
    /// What was used.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(input: u64, cached: u64, written: u64, output: u64) -> Usage {
        Usage {
            input,
            cached,
            written,
            output,
            ..Usage::default()
        }
    }

    #[test]
    fn a_cost_counts_each_kind_of_token_once() {
        let check = |prices: Prices, usage: Usage, dollars: f64| {
            let nano = (dollars * 1e9).round();
            assert_eq!(prices.cost(&usage) as f64, nano);
        };
        let plain = Prices {
            input: 3_000_000,
            output: 15_000_000,
            cached: None,
            written: None,
        };
        let full = Prices {
            cached: Some(300_000),
            written: Some(3_750_000),
            ..plain
        };
        check(plain, tokens(1_000_000, 0, 0, 0), 3.0);
        check(plain, tokens(1_000_000, 400_000, 100_000, 1_000), 3.015);
        // 500,000 at $3, 400,000 at $0.30, 100,000 at $3.75, 1,000 at $15 for a million.
        check(full, tokens(1_000_000, 400_000, 100_000, 1_000), 2.01);
        check(full, tokens(0, 0, 0, 0), 0.0);
    }

    #[test]
    fn a_name_loses_its_date() {
        let check = |model: &str, plain: &str| assert_eq!(undated(model), plain);
        check("gpt-4o-2024-11-20", "gpt-4o");
        check("claude-sonnet-4-5-20250929", "claude-sonnet-4-5");
        check("grok-4.3-latest", "grok-4.3");
        check("mistral-large-2512", "mistral-large-2512");
        check("gpt-4o", "gpt-4o");
        check("字-20250929", "字");
        check("-20250929", "-20250929");
        check("", "");
    }

    #[test]
    fn nonsense_of_a_server_gives_a_number_all_the_same() {
        let prices = Prices {
            input: Prices::MOST,
            output: Prices::MOST,
            cached: Some(1),
            written: None,
        };
        // More from the cache than there was, and more tokens than there are.
        assert_eq!(prices.cost(&tokens(10, 2_000, 0, 0)), 2);
        assert_eq!(prices.cost(&tokens(u64::MAX, 0, 0, u64::MAX)), u64::MAX);
        // A single token of a cheap model is not free.
        let cheap = Prices {
            input: 28,
            ..prices
        };
        assert_eq!(cheap.cost(&tokens(1, 0, 0, 0)), 1);
    }
}
