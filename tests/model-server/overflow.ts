// How each vendor says that a request is longer than the model's context: its own status, words and body.

export interface VendorError {
  status: number;
  /** Undefined: no body at all. */
  body: unknown;
}

const openAiError = (message: string, more: Record<string, unknown> = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});

const vendors = {
  openai: {
    status: 400,
    body: openAiError(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131245 tokens. Please reduce the length of the messages.",
      { param: "messages", code: "context_length_exceeded" },
    ),
  },
  "openai-responses": {
    status: 400,
    body: openAiError("Your input exceeds the context window of this model. Please adjust your input and try again.", {
      param: "input",
      code: "context_length_exceeded",
    }),
  },
  anthropic: {
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" },
    },
  },
  "anthropic-with-output": {
    status: 400,
    body: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 197550 + 21333 > 200000, decrease input length or `max_tokens` and try again",
      },
    },
  },
  "anthropic-too-large": {
    status: 413,
    body: { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
  },
  gemini: {
    status: 400,
    body: {
      error: {
        code: 400,
        message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        status: "INVALID_ARGUMENT",
      },
    },
  },
  bedrock: { status: 400, body: { message: "Input is too long for requested model." } },
  xai: {
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  },
  groq: {
    status: 400,
    body: openAiError("Please reduce the length of the messages or completion.", {
      param: "messages",
      code: "context_length_exceeded",
    }),
  },
  openrouter: {
    status: 400,
    body: {
      error: {
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.",
        code: 400,
      },
    },
  },
  together: {
    status: 400,
    body: openAiError("The input (140000 tokens) is longer than the model's context length (131072 tokens)."),
  },
  fireworks: {
    status: 400,
    body: {
      error: {
        object: "error",
        type: "invalid_request_error",
        code: "invalid_request_error",
        message: "The prompt is too long: 40177, model maximum context length: 32767",
      },
    },
  },
  deepseek: {
    status: 400,
    body: openAiError(
      "This model's maximum context length is 131072 tokens. However, you requested 140500 tokens (132308 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
      { code: "invalid_request_error" },
    ),
  },
  qwen: {
    status: 400,
    body: openAiError("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]", {
      code: "invalid_parameter_error",
    }),
  },
  kimi: {
    status: 400,
    body: {
      error: {
        message: "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)",
        type: "invalid_request_error",
      },
    },
  },
  minimax: {
    status: 400,
    body: {
      type: "error",
      error: { type: "bad_request_error", message: "invalid params, context window exceeds limit (2013)", http_code: "400" },
    },
  },
  zai: { status: 400, body: { error: { code: "1261", message: "Prompt exceeds max length" } } },
  mistral: {
    status: 400,
    body: {
      object: "error",
      message: "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
      type: "invalid_request_prompt",
      param: null,
      code: "3051",
    },
  },
  copilot: {
    status: 400,
    body: {
      error: {
        message: "prompt token count of 130000 exceeds the limit of 128000",
        code: "model_max_prompt_tokens_exceeded",
      },
    },
  },
  cerebras: { status: 413, body: undefined },
  "llama.cpp": {
    status: 400,
    body: {
      error: {
        code: 400,
        message: "request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 13392,
        n_ctx: 8192,
      },
    },
  },
  "lm-studio": {
    status: 400,
    body: {
      error:
        "Trying to keep the first 5211 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. The number of tokens to keep from the initial prompt is greater than the context length.",
    },
  },
  ollama: {
    status: 400,
    body: openAiError("prompt too long; exceeded max context length by 5000 tokens", { type: "invalid_request_error" }),
  },
  "ollama-chat": { status: 400, body: { error: "prompt too long; exceeded max context length by 5000 tokens" } },
  vllm: {
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, you requested 9216 tokens (8192 in the messages, 1024 in the completion). Please reduce the length of the messages or completion.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    },
  },
  tgi: {
    status: 422,
    body: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 512 `max_new_tokens`",
      error_type: "validation",
    },
  },
} satisfies Record<string, VendorError>;

export type OverflowVendor = keyof typeof vendors;

export const overflowVendors: Readonly<Record<OverflowVendor, VendorError>> = vendors;
