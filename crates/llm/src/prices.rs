//! What is known of models at their makers' own servers: prices and windows, from a public list.
//!
//! Another server that has the same model has its own prices, so the host counts as well.

use tabwright_protocol::{Prices, undated};

const LIST: &str = include_str!("prices.txt");

/// What is known of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What it costs.
    pub prices: Prices,
    /// How many tokens it reads at once.
    pub window: Option<u32>,
}

/// What is known of a model at that address; a dated name counts as the plain one.
pub fn known(address: &str, model: &str) -> Option<Known> {
    // Written as people write and paste, which no server minds.
    let address = address.trim().to_ascii_lowercase();
    let model = model.trim();
    let (_, rest) = address.split_once("://")?;
    let host = rest.split(['/', ':', '?', '#']).next()?;
    // Gemini's own list puts this before every name.
    let model = model.strip_prefix("models/").unwrap_or(model);
    find(host, model).or_else(|| find(host, undated(model)))
}

fn find(host: &str, model: &str) -> Option<Known> {
    LIST.lines().find_map(|line| {
        let mut words = line.split(' ');
        if words.next() != Some(host) || words.next() != Some(model) {
            return None;
        }
        Some(Known {
            prices: Prices {
                input: words.next()?.parse().ok()?,
                output: words.next()?.parse().ok()?,
                cached: words.next()?.parse().ok(),
                written: words.next()?.parse().ok(),
            },
            window: words.next()?.parse().ok(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, model: &str, input: Option<u64>) {
        let found = known(address, model).map(|known| known.prices.input);
        assert_eq!(found, input, "{address} {model}");
    }

    #[test]
    fn prices_belong_to_a_model_at_its_makers_server() {
        let openai = "https://api.openai.com/v1";
        check(openai, "gpt-4o", Some(2_500_000));
        check(openai, "gpt-4o-2024-11-20", Some(2_500_000));
        check(openai, "gpt-4o-something", None);
        check("https://api.openai.com:8443/v1", "gpt-4o", Some(2_500_000));
        check(" HTTPS://API.OpenAI.com ", "gpt-4o\n", Some(2_500_000));
        check("https://gateway.test/api.openai.com", "gpt-4o", None);
        check("http://127.0.0.1:11434/v1", "gpt-4o", None);
        check("not an address", "gpt-4o", None);
        let anthropic = "https://api.anthropic.com";
        check(anthropic, "claude-sonnet-4-5-20250929", Some(3_000_000));
        let claude = known(anthropic, "claude-sonnet-4-5").unwrap();
        assert_eq!(claude.prices.written, Some(3_750_000));
        assert_eq!(claude.window, Some(200_000));
        let gemini = "https://generativelanguage.googleapis.com";
        check(gemini, "models/gemini-2.5-flash", Some(300_000));
    }

    #[test]
    fn every_line_of_the_list_can_be_read() {
        let lines: Vec<&str> = LIST.lines().filter(|it| !it.starts_with('#')).collect();
        assert!(lines.len() > 100);
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words.len(), 7, "{line}");
            let found = find(words[0], words[1]).unwrap_or_else(|| panic!("{line}"));
            for (_, price) in found.prices.each() {
                assert!(price.unwrap_or(0) <= Prices::MOST, "{line}");
            }
            let window = words[6];
            assert_eq!(window == "-", found.window.is_none(), "{line}");
        }
    }
}
