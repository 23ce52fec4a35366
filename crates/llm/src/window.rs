//! How many tokens a model reads at once, by its name.
//!
//! A guess for records in which the person has set nothing: the figures of the families' makers at
//! the end of 2026. Where a family has several, the smallest counts, because a window that is
//! thought too small costs a summary, and one that is thought too large an error.

/// Families by a part of their name, the more special first.
const FAMILIES: [(&str, u32); 36] = [
    ("gpt-5", 400_000),
    ("gpt-4.1", 1_000_000),
    ("gpt-4o", 128_000),
    ("gpt-4-turbo", 128_000),
    ("gpt-4", 8_192),
    ("gpt-3.5", 16_385),
    ("gpt-oss", 128_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude", 200_000),
    ("gemini", 1_000_000),
    ("gemma-2", 8_192),
    ("gemma2", 8_192),
    ("gemma", 128_000),
    ("deepseek", 64_000),
    ("qwen3", 128_000),
    ("qwen", 32_768),
    ("qwq", 32_768),
    ("llama-4", 1_000_000),
    ("llama4", 1_000_000),
    ("llama-3.1", 128_000),
    ("llama3.1", 128_000),
    ("llama-3.2", 128_000),
    ("llama3.2", 128_000),
    ("llama-3.3", 128_000),
    ("llama3.3", 128_000),
    ("llama", 8_192),
    ("mistral-nemo", 128_000),
    ("mistral", 32_000),
    ("codestral", 32_000),
    ("phi-4", 16_000),
    ("phi", 16_000),
    ("glm", 128_000),
    ("kimi", 128_000),
    ("grok", 128_000),
];

/// What is assumed of a model of no known family.
const UNKNOWN: u32 = 64_000;
/// The most that is assumed of a model on the person's own computer, where memory sets the limit.
const LOCAL: u32 = 32_768;

/// How many tokens the model reads at once.
pub fn context_window(model: &str, local: bool) -> u32 {
    let name = model.to_lowercase();
    // A router's name has the maker before the model: the last part counts.
    let name = name.rsplit('/').next().unwrap_or_default();
    let known = FAMILIES.iter().find(|(family, _)| is_of(name, family));
    let window = known.map_or(UNKNOWN, |(_, window)| *window);
    if local { window.min(LOCAL) } else { window }
}

/// Whether the family's name stands in the model's, from the beginning of a word on.
fn is_of(name: &str, family: &str) -> bool {
    name.match_indices(family).any(|(at, _)| {
        let before = name[..at].chars().next_back();
        before.is_none_or(|c| !c.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::context_window;

    #[test]
    fn windows_are_found_by_the_models_name() {
        let check = |model: &str, local: bool, expected: u32| {
            assert_eq!(context_window(model, local), expected, "{model}");
        };
        check("gpt-4o-mini", false, 128_000);
        check("gpt-4-0613", false, 8_192);
        check("openai/gpt-4.1", false, 1_000_000);
        check("anthropic/claude-sonnet-4.5", false, 200_000);
        check("models/gemini-2.5-pro", false, 1_000_000);
        check("Meta-Llama-3.1-70B", false, 128_000);
        check("llama3.1:8b", true, 32_768);
        check("gemma2:9b", true, 8_192);
        check("DeepSeek-chat", false, 64_000);
        check("something-new", false, 64_000);
        check("polo1", false, 64_000);
    }
}
