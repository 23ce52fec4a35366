// The misbehaviours that answer with an error instead of an answer.

import type { Refusal } from "./check.ts";
import { isRecord, parseJson } from "./json.ts";
import type { Faults, RetryAfterForm } from "./misbehave.ts";
import { overflowVendors } from "./overflow.ts";
import type { ConversationMessage, ModelRequest, ShapeName } from "./script.ts";
import type { Shape } from "./shapes/shape.ts";

/** A thought that was sent along with calls, and that has to come back with them. */
export interface Echo {
  shape: ShapeName;
  calls: string[];
  thinking: string;
  signature: string;
}

/** The refusal that this request runs into, if any. Such a request uses up no step. */
export function conditionalRefusal(faults: Faults, request: ModelRequest): Refusal | null {
  const { conversation, headers } = request;
  if (faults.has("refuse-extension-origin") && fromExtension(headers)) {
    return { status: 403, message: "the Origin is a browser extension's", body: null };
  }
  if (faults.has("refuse-object-tool-choice") && conversation.toolChoice.mode === "tool") {
    return { status: 400, message: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required", param: "tool_choice" };
  }
  if (faults.has("refuse-required-tool-choice") && ["required", "tool"].includes(conversation.toolChoice.mode)) {
    return { status: 400, message: "The tool_choice parameter does not support being set to required or object in thinking mode", param: "tool_choice" };
  }
  const schemaRefusal = faults.get("refuse-json-schema");
  if (schemaRefusal !== undefined && conversation.jsonSchema) {
    return { status: schemaRefusal.status ?? 400, message: "This response_format type is unavailable now", param: "response_format" };
  }
  const toolsRefusal = faults.get("refuse-tools");
  if (toolsRefusal !== undefined && conversation.tools.length > 0) {
    return toolsRefusal.as === "ollama"
      ? { status: 400, message: `registry.ollama.ai/library/${conversation.model} does not support tools`, type: "api_error" }
      : { status: 404, message: "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing", code: 404 };
  }
  if (faults.has("refuse-images") && conversation.messages.some((message) => message.images > 0)) {
    return { status: 400, message: "This model does not support image input.", param: "messages" };
  }
  if (faults.has("refuse-broken-history") && conversation.messages.some(hasBrokenCall)) {
    return { status: 400, message: "Invalid tool call arguments in messages: they must be a JSON object.", param: "messages" };
  }
  if (faults.has("demand-strict-tool-order") && !resultsInOrder(conversation.messages)) {
    return { status: 400, message: "<400> InternalError.Algo.InvalidParameter: An assistant message with \"tool_calls\" must be followed by tool messages responding to each \"tool_call_id\", in the order of the calls.", code: "invalid_parameter_error" };
  }
  const payment = faults.get("payment-required");
  if (payment !== undefined && (conversation.maxTokens ?? Infinity) > payment.affordable) {
    return {
      status: 402,
      message: `This request requires more credits, or fewer max_tokens. You requested up to ${conversation.maxTokens ?? 65_536} tokens, but can only afford ${payment.affordable}. To increase, visit https://openrouter.ai/settings/credits and add more credits`,
      code: 402,
    };
  }
  return null;
}

export const fromExtension = (headers: Readonly<Record<string, string>>): boolean =>
  /^(chrome|moz|safari-web)-extension:/.test(headers["origin"] ?? "");

const hasBrokenCall = (message: ConversationMessage): boolean =>
  message.calls.some((call) => !isRecord(parseJson(call.arguments)));

/** Whether after each message with calls come their results, in the same order, before anything else. */
function resultsInOrder(messages: readonly ConversationMessage[]): boolean {
  return messages.every((message, at) => {
    if (message.calls.length === 0) return true;
    const results: string[] = [];
    for (const next of messages.slice(at + 1)) {
      if (next.role !== "tool") break;
      results.push(...next.results.map((result) => result.id || result.name));
    }
    const calls = message.calls.map((call) => call.id || call.name);
    return calls.length === results.length && calls.every((id, index) => id === results[index]);
  });
}

/** The refusal of a request that does not send back a thought that it has to. */
export function echoRefusal(echoes: readonly Echo[], request: ModelRequest): Refusal | null {
  for (const [index, message] of request.conversation.messages.entries()) {
    const known = new Set(message.calls.map((call) => callKey(request.shape, call)));
    const owed = echoes.filter(({ shape, calls }) => shape === request.shape && calls.some((call) => known.has(call)));
    const isPaid = ({ thinking, signature }: Echo): boolean =>
      request.shape === "gemini" ? message.calls[0]?.signature === signature : message.thinking === thinking;
    if (owed.length === 0 || owed.some(isPaid)) continue;
    switch (request.shape) {
      case "openai":
        return { status: 400, message: `Missing \`reasoning_content\` field in the assistant message at message index ${index}. The reasoning content in the thinking mode must be passed back to the API.` };
      case "openai-responses": {
        const [id] = message.calls.map((call) => call.id);
        return { status: 400, message: `Item 'fc_${id}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${id}'.`, param: "input" };
      }
      case "anthropic":
        // Its signature was checked when the request was read.
        return { status: 400, message: `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.` };
      case "gemini":
        return { status: 400, message: "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance." };
      case "ollama":
        // Ollama itself lets it pass; the model then begins its thought anew, and some go round in circles.
        return { status: 400, message: `messages[${index}]: the thinking that came with these tool calls was not sent back` };
    }
  }
  return null;
}

/** How a call is known again. Clients of Ollama send no ids back. */
export const callKey = (shape: ShapeName, call: { id: string; name: string; arguments: string }): string =>
  shape === "ollama" ? `${call.name} ${JSON.stringify(parseJson(call.arguments))}` : call.id;

/** The error that the step consists of, if any. */
export function scriptedRefusal(faults: Faults, shape: Shape, request: ModelRequest): Refusal | null {
  const limit = faults.get("rate-limit");
  if (limit !== undefined) return rateLimit(limit.form, limit.seconds ?? 1);
  if (faults.has("throttle-like-overflow")) {
    return { status: 429, message: "Too many tokens, please wait before trying again.", headers: { "retry-after": "1" } };
  }
  if (faults.get("overloaded")?.when === "before") return overloaded(shape.name);
  if (faults.has("unauthorized")) return unauthorized(shape.name);
  if (faults.has("model-not-found")) return modelNotFound(shape.name, request.conversation.model);
  const failure = faults.get("server-error");
  if (failure !== undefined) {
    return { status: failure.status ?? 500, message: "The server had an error while processing your request. Sorry about that!" };
  }
  const overflow = faults.get("overflow");
  if (overflow !== undefined) {
    const { status, body } = overflowVendors[overflow.vendor];
    return { status, message: `context overflow as ${overflow.vendor} says it`, body: body === undefined ? null : JSON.stringify(body) };
  }
  const page = faults.get("html-error-page");
  if (page !== undefined) {
    return {
      status: page.status ?? 200,
      message: "an HTML page",
      headers: { "content-type": "text/html; charset=utf-8" },
      body: "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>proxy</center></body></html>\n",
    };
  }
  if (faults.has("json-error-as-stream")) {
    const body = JSON.stringify(shape.errorBody({ status: 500, message: "Internal error while generating the answer." }));
    return { status: 200, message: "an error as a stream", headers: { "content-type": shape.name === "ollama" ? "application/x-ndjson" : "text/event-stream" }, body };
  }
  return null;
}

function rateLimit(form: RetryAfterForm, seconds: number): Refusal {
  const headers: Readonly<Record<RetryAfterForm, Record<string, string>>> = {
    seconds: { "retry-after": String(seconds) },
    date: { "retry-after": new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString() },
    milliseconds: { "retry-after-ms": String(seconds * 1000) },
    zero: { "retry-after": "0" },
    negative: { "retry-after": "-5" },
    huge: { "retry-after": "1000000000" },
    garbage: { "retry-after": "soon" },
    none: {},
  };
  return {
    status: 429,
    message: "Rate limit reached for requests. Please try again later.",
    headers: headers[form],
    ...(form === "seconds" ? { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }] } : {}),
  };
}

export const overloaded = (shape: ShapeName): Refusal => {
  switch (shape) {
    case "openai":
    case "anthropic":
      return { status: 529, message: "Overloaded", type: "overloaded_error" };
    case "openai-responses":
      return { status: 503, message: "Our servers are currently overloaded. Please try again later.", type: "service_unavailable_error", code: "server_is_overloaded" };
    case "gemini":
      return { status: 503, message: "The model is overloaded. Please try again later." };
    case "ollama":
      return { status: 503, message: "server busy, please try again.  maximum pending requests exceeded" };
  }
};

export const unauthorized = (shape: ShapeName): Refusal => {
  switch (shape) {
    case "openai":
    case "openai-responses":
      return { status: 401, message: "Incorrect API key provided.", code: "invalid_api_key" };
    case "anthropic":
      return { status: 401, message: "invalid x-api-key" };
    case "gemini":
      return {
        status: 400,
        message: "API key not valid. Please pass a valid API key.",
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID", domain: "googleapis.com" }],
      };
    case "ollama":
      return { status: 401, message: "unauthorized" };
  }
};

export const modelNotFound = (shape: ShapeName, model: string): Refusal => {
  if (shape === "ollama") return { status: 404, message: `model '${model}' not found` };
  if (shape === "openai-responses") return { status: 400, message: `The requested model '${model}' does not exist.`, param: "model", code: "model_not_found" };
  return { status: 404, message: `The model \`${model}\` does not exist or you do not have access to it.`, code: "model_not_found" };
};
