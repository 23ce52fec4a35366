//! Whether an error text says that the conversation is longer than the model can read.
//!
//! The two mistakes are not alike: overflow not seen costs a clear error, throttling taken for
//! overflow costs the person's history. So a text that speaks of rates is never overflow.

/// What servers write when a conversation is too long, in lower case.
const SIGNS: [&str; 35] = [
    "context_length_exceeded",
    "context length exceeded",
    "maximum context length",
    "max context length",
    "model's context length",
    "greater than the context length",
    "exceeds the context length",
    "context window",
    "context size",
    "context the overflows",
    "exceed context limit",
    "exceeds context limit",
    "exceed your context limit",
    "exceed_context_size",
    "context overflow",
    "prompt is too long",
    "prompt too long",
    "prompt exceeds max length",
    "prompt length is",
    "prompt token count of",
    "input is too long",
    "input length and `max_tokens`",
    "input token count",
    "inputs tokens + max_new_tokens",
    "`inputs` tokens + `max_new_tokens`",
    "range of input length",
    "maximum number of tokens allowed",
    "maximum allowed input length",
    "exceeded model token limit",
    "exceed model limit",
    "token limit exceeded",
    "reduce the length of the messages",
    "request_too_large",
    "tokens in the prompt cannot exceed",
    "payload size exceeds the limit",
];

/// What servers write when they are asked too often.
const RATE_SIGNS: [&str; 11] = [
    "rate limit",
    "rate_limit",
    "ratelimit",
    "too many requests",
    "per minute",
    "per day",
    "per hour",
    "throttl",
    "quota",
    "please wait",
    "try again in",
];

/// Whether the text, in lower case, says that this one request is more than may be asked for in a
/// minute: no waiting helps then, and a shorter conversation does.
pub(crate) fn is_over_the_rate_alone(text: &str) -> bool {
    text.contains("request too large") && text.contains("must be reduced")
}

/// Whether the text, in lower case, speaks of a conversation that is too long.
pub(crate) fn is_overflow(text: &str) -> bool {
    SIGNS.iter().any(|sign| text.contains(sign))
        && !RATE_SIGNS.iter().any(|sign| text.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        assert_eq!(is_overflow(&text.to_lowercase()), expected, "{text}");
    }

    #[test]
    fn the_wordings_of_many_servers_are_overflow() {
        for text in [
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
            "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "context_length_exceeded",
            "prompt is too long: 213462 tokens > 200000 maximum",
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "Input is too long for requested model.",
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            "Please reduce the length of the messages or completion.",
            "the request exceeds the available context size. try increasing the context size or enable context shift",
            "exceed_context_size_error",
            "tokens to keep from the initial prompt is greater than the context length",
            "Trying to keep the first 9211 tokens when context the overflows.",
            "Prompt contains 40960 tokens, too large for model with 32768 maximum context length",
            "Invalid request: Your request exceeded model token limit: 131072",
            "invalid params, context window exceeds limit",
            "Range of input length should be [1, 98304]",
            "prompt too long; exceeded max context length by 512 tokens",
            "prompt token count of 70000 exceeds the limit of 64000",
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 512 `max_new_tokens`",
            "`inputs` must have less than 4096 tokens: inputs tokens + max_new_tokens is 5000",
            "Prompt exceeds max length",
            "request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it",
            "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
            "too many tokens: total number of tokens in the prompt cannot exceed 4081",
            "total message token length exceed model limit",
            "the input length exceeds the context length",
            "input and output tokens exceed your context limit",
            "request_too_large: Request exceeds the maximum size",
            "Request payload size exceeds the limit: 20971520 bytes.",
        ] {
            check(text, true);
        }
    }

    #[test]
    fn throttling_that_mentions_tokens_is_not_overflow() {
        for text in [
            "Too many tokens, please wait before trying again.",
            "Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.",
            "This request would exceed your organization's rate limit of 40,000 input tokens per minute",
            "You exceeded your current quota, please check your plan. Input token count per day: 250000",
            "ThrottlingException: Too many tokens per day, please wait before trying again.",
            "Token limit exceeded for this minute, rate limit resets soon",
            "max_tokens must be at least 1",
            "Invalid token",
        ] {
            check(text, false);
        }
    }
}
