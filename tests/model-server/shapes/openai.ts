// OpenAI's chat completions.

import { RefusalError, bracketPath } from "../check.ts";
import type { Dialect, Field, Refusal } from "../check.ts";
import { RawJson } from "../json.ts";
import { textOf } from "../plan.ts";
import type { Plan, PlannedCall } from "../plan.ts";
import { emptyConversation } from "../script.ts";
import type { Conversation, ConversationMessage, ToolChoice, Usage } from "../script.ts";
import { Frame, argumentsObject, blank, checkTool, framed } from "./shape.ts";
import type { Incoming, Item, Shape } from "./shape.ts";

const refuse = (message: string, param: string, code: string): Refusal => ({ status: 400, message, param, code });

export const dialect: Dialect = {
  missing: (path) => refuse(`Missing required parameter: '${bracketPath(path)}'.`, bracketPath(path), "missing_required_parameter"),
  wrongType: (path, expected) => refuse(`Invalid type for '${bracketPath(path)}': expected ${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}.`, bracketPath(path), "invalid_type"),
  unknown: (path) => refuse(`Unknown parameter: '${bracketPath(path)}'.`, bracketPath(path), "unknown_parameter"),
  invalid: (path, complaint) => refuse(`Invalid '${bracketPath(path)}': ${complaint}`, bracketPath(path), "invalid_value"),
};

const parameters = [
  "audio", "frequency_penalty", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "messages", "metadata",
  "modalities", "model", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key",
  "prompt_cache_retention", "reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop",
  "store", "stream", "stream_options", "temperature", "tool_choice", "tools", "top_logprobs", "top_p", "user",
  "verbosity", "web_search_options",
];

function read({ body }: Incoming): Conversation {
  body.object(parameters);
  const conversation = emptyConversation();
  conversation.model = body.required("model").string();
  conversation.stream = body.at("stream").present && body.at("stream").boolean();
  conversation.includeUsage = readStreamOptions(body, conversation.stream);
  readMessages(body.required("messages"), conversation);
  readTools(body, conversation);
  conversation.toolChoice = readToolChoice(body, conversation);
  conversation.jsonSchema = readResponseFormat(body.at("response_format"));
  for (const name of ["max_tokens", "max_completion_tokens"]) {
    if (body.at(name).present) conversation.maxTokens = body.at(name).integer(1);
  }
  if (body.at("temperature").present) body.at("temperature").number(0, 2);
  if (body.at("top_p").present) body.at("top_p").number(0, 1);
  return conversation;
}

function readStreamOptions(body: Field, stream: boolean): boolean {
  const options = body.at("stream_options");
  if (!options.present) return false;
  if (!stream) options.fail("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  options.object(["include_usage", "include_obfuscation"]);
  return options.at("include_usage").present && options.at("include_usage").boolean();
}

function readMessages(field: Field, conversation: Conversation): void {
  const messages = field.list();
  if (messages.length === 0) field.fail("empty array. Expected an array with minimum length 1, but got an empty array instead.");
  // The calls of the last assistant message that have no result yet.
  const open = new Map<string, string>();
  for (const message of messages) {
    message.object();
    const role = message.required("role").oneOf(["system", "developer", "user", "assistant", "tool"]);
    if (role !== "tool") failOnOpenCalls(open, field);
    switch (role) {
      case "system":
      case "developer":
        conversation.system += `${conversation.system === "" ? "" : "\n"}${readContent(message.required("content")).text}`;
        break;
      case "user":
        conversation.messages.push({ ...blank("user"), ...readContent(message.required("content"), true) });
        break;
      case "assistant":
        conversation.messages.push(readAssistant(message, open));
        break;
      case "tool":
        conversation.messages.push(readResult(message, open));
        break;
    }
  }
  failOnOpenCalls(open, field);
}

function readContent(content: Field, imagesAllowed = false): { text: string; images: number } {
  if (typeof content.value === "string") return { text: content.value, images: 0 };
  const parts = content.list();
  if (parts.length === 0) content.fail("empty array. Expected an array with minimum length 1, but got an empty array instead.");
  let text = "";
  let images = 0;
  for (const part of parts) {
    part.object();
    const type = part.required("type").oneOf(imagesAllowed ? ["text", "image_url", "input_audio", "file"] : ["text", "refusal"]);
    if (type === "text") text += part.required("text").string();
    if (type === "image_url") {
      part.required("image_url").required("url").string();
      images += 1;
    }
  }
  return { text, images };
}

function readAssistant(message: Field, open: Map<string, string>): ConversationMessage {
  const read = blank("assistant");
  const content = message.at("content");
  const calls = message.at("tool_calls");
  if (content.present) read.text = readContent(content).text;
  else if (!calls.present) throw new RefusalError(refuse(`Invalid value for 'content': expected a string, got null.`, bracketPath(content.path), "invalid_type"));
  if (message.at("reasoning_content").present) read.thinking = message.at("reasoning_content").string();
  if (!calls.present) return read;
  const listed = calls.list();
  if (listed.length === 0) calls.fail("empty array. Expected an array with minimum length 1, but got an empty array instead.");
  for (const call of listed) {
    call.object();
    call.required("type").oneOf(["function"]);
    const id = call.required("id").string();
    const called = call.required("function");
    const name = called.required("name").string();
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) called.at("name").fail("string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.");
    if (open.has(id)) call.at("id").fail(`Duplicate value for 'tool_call_id' of '${id}'.`);
    open.set(id, name);
    read.calls.push({ id, name, arguments: called.required("arguments").string(), signature: "" });
  }
  return read;
}

function readResult(message: Field, open: Map<string, string>): ConversationMessage {
  const id = message.required("tool_call_id").string();
  const name = open.get(id);
  if (name === undefined) {
    message.fail("messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.");
  }
  open.delete(id);
  const { text } = readContent(message.required("content"));
  return { ...blank("tool"), results: [{ id, name, text, isError: false }] };
}

function failOnOpenCalls(open: ReadonlyMap<string, string>, messages: Field): void {
  if (open.size === 0) return;
  const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open.keys()].join(", ")}`;
  throw new RefusalError({ status: 400, message, param: bracketPath(messages.path) });
}

function readTools(body: Field, conversation: Conversation): void {
  const tools = body.at("tools");
  if (!tools.present) {
    if (body.at("parallel_tool_calls").present) {
      body.at("parallel_tool_calls").fail("'parallel_tool_calls' is only allowed when 'tools' are specified.");
    }
    return;
  }
  const listed = tools.list();
  if (listed.length === 0) tools.fail("empty array. Expected an array with minimum length 1, but got an empty array instead.");
  const seen = new Set<string>();
  for (const tool of listed) {
    tool.object(["type", "function"]);
    tool.required("type").oneOf(["function"]);
    const offered = tool.required("function");
    offered.object(["name", "description", "parameters", "strict"]);
    const strict = offered.at("strict").present && offered.at("strict").boolean();
    const description = offered.at("description").present ? offered.at("description").string() : "";
    const given = offered.at("parameters").value;
    const name = checkTool(offered.required("name"), seen, /^[a-zA-Z0-9_-]{1,64}$/, given, { strict, gemini: false }, (problem, toolName) =>
      refuse(
        `Invalid schema for function '${toolName}': In context=(${problem.path.map((part) => `'${part}'`).join(", ")}), ${problem.complaint}.`,
        bracketPath(offered.at("parameters").path), "invalid_function_parameters",
      ));
    conversation.tools.push({ name, description, parameters: given });
  }
}

function readToolChoice(body: Field, conversation: Conversation): ToolChoice {
  const choice = body.at("tool_choice");
  if (!choice.present) return { mode: "auto" };
  if (conversation.tools.length === 0 && choice.value !== "none") {
    choice.fail("'tool_choice' is only allowed when 'tools' are specified.");
  }
  if (typeof choice.value === "string") return { mode: choice.oneOf(["none", "auto", "required"]) };
  choice.object(["type", "function"]);
  choice.required("type").oneOf(["function"]);
  const name = choice.required("function").required("name").string();
  if (!conversation.tools.some((tool) => tool.name === name)) choice.fail(`Tool choice '${name}' not found in 'tools' parameter.`);
  return { mode: "tool", name };
}

function readResponseFormat(format: Field): boolean {
  if (!format.present) return false;
  format.object();
  const type = format.required("type").oneOf(["text", "json_object", "json_schema"]);
  if (type !== "json_schema") return false;
  format.required("json_schema").required("name").string();
  format.required("json_schema").required("schema").object();
  return true;
}

interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; delta: object; logprobs: null; finish_reason: string | null }[];
  usage?: object | null;
}

function stream(plan: Plan): Item[] {
  const { faults } = plan;
  const chunk = (delta: object, finish: string | null = null): Frame =>
    new Frame(null, {
      id: `chatcmpl-${plan.id}`, object: "chat.completion.chunk", created: plan.created, model: plan.model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(plan.includeUsage ? { usage: null } : {}),
    } satisfies Chunk);

  const items: Item[] = [
    chunk({ role: "assistant", content: "" }),
    ...framed(plan.thinking, (text) => chunk({ reasoning_content: text })),
    ...framed(plan.text, (content) => chunk({ content })),
    ...framed(plan.images, (data) => chunk({ content: "", images: [imagePart(data)] })),
    ...plan.calls.flatMap((call, index) => streamCall(call, index, plan, chunk)),
  ];
  if (plan.until !== undefined) items.push(plan.until);

  const last = items.at(-1);
  if (faults.get("usage")?.how === "with-last-delta" && last instanceof Frame) {
    const data = last.data as Chunk;
    const [choice] = data.choices;
    if (choice !== undefined) choice.finish_reason = finishWord(plan);
    data.usage = usageBody(plan.usage);
  } else {
    items.push(...finishes(plan, chunk));
  }
  if (!faults.has("no-done")) items.push(new Frame(null, new RawJson("[DONE]")));
  return items;
}

type MakeChunk = (delta: object, finish?: string | null) => Frame;

function finishes(plan: Plan, chunk: MakeChunk): Item[] {
  const items: Item[] = [chunk({}, finishWord(plan))];
  if (plan.faults.has("two-finishes")) items.push(chunk({}, finishWord(plan)));
  const how = plan.faults.get("usage")?.how;
  if (plan.usage === null || !(plan.includeUsage || how !== undefined)) return items;
  const usage = new Frame(null, { ...(chunk({}).data as Chunk), choices: [], usage: usageBody(plan.usage) });
  items.push(usage);
  if (how === "twice") items.push(usage);
  return items;
}

function streamCall(call: PlannedCall, index: number, plan: Plan, chunk: MakeChunk): Item[] {
  const { faults } = plan;
  const atZero = faults.has("all-calls-at-index-0") || faults.has("index-reused");
  const place = faults.has("missing-call-index") ? {} : { index: atZero ? 0 : index };
  const delta = (fields: object) => chunk({ tool_calls: [{ ...place, ...fields }] });
  const id = faults.has("missing-call-id") ? {} : { id: call.id };
  const name = faults.has("missing-call-name") ? {} : { name: call.name };
  const whole = textOf(call.pieces);

  if (faults.has("arguments-as-object")) {
    return [delta({ ...id, type: "function", function: { ...name, arguments: argumentsObject(call, faults) } })];
  }
  if (faults.has("all-calls-at-index-0")) {
    return [delta({ ...id, type: "function", function: { ...name, arguments: whole } })];
  }
  const items: Item[] = [];
  if (faults.has("call-name-in-pieces")) {
    const middle = Math.ceil(call.name.length / 2);
    items.push(delta({ ...id, type: "function", function: { name: call.name.slice(0, middle), arguments: "" } }));
    items.push(delta({ function: { name: call.name.slice(middle) } }));
  } else {
    const first = faults.has("repeated-arguments") ? whole : "";
    items.push(delta({ ...id, type: "function", function: { ...name, arguments: first } }));
  }
  items.push(...framed(call.pieces, (text) => delta({ function: { arguments: text } })));
  return items;
}

const finishWord = (plan: Plan): string =>
  ({ stop: "stop", calls: "tool_calls", length: "length", filter: "content_filter" })[plan.stop];

const usageBody = (usage: Usage | null): object | null =>
  usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };

function whole(plan: Plan): unknown {
  const { faults } = plan;
  const calls = plan.calls.map((call) => ({
    ...(faults.has("missing-call-id") ? {} : { id: call.id }),
    type: "function",
    function: {
      ...(faults.has("missing-call-name") ? {} : { name: call.name }),
      arguments: faults.has("arguments-as-object") ? argumentsObject(call, faults) : textOf(call.pieces),
    },
  }));
  const text = textOf(plan.text);
  const thinking = textOf(plan.thinking);
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(plan.images.length === 0 ? {} : { images: plan.images.map(imagePart) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id: `chatcmpl-${plan.id}`, object: "chat.completion", created: plan.created, model: plan.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishWord(plan) }],
    ...(plan.usage === null ? {} : { usage: usageBody(plan.usage) }),
  };
}

/** As brokers send it; the maker of the format has no word for it. */
const imagePart = (data: string): object => ({ type: "image_url", index: 0, image_url: { url: `data:image/png;base64,${data}` } });

const errorTypes: Readonly<Record<number, string>> = { 429: "rate_limit_exceeded", 500: "server_error", 502: "server_error", 503: "server_error", 529: "overloaded_error" };

const errorBody = (refusal: Refusal): unknown => ({
  error: {
    message: refusal.message,
    type: refusal.type ?? errorTypes[refusal.status] ?? "invalid_request_error",
    param: refusal.param ?? null,
    code: refusal.code ?? null,
  },
});

export const openai: Shape = {
  name: "openai",
  read,
  stream,
  whole,
  errorBody,
  errorFrame: (refusal) => new Frame(null, errorBody(refusal)),
  ping: null,
  strayText: (plan) =>
    new Frame(null, {
      id: `chatcmpl-${plan.id}`, object: "chat.completion.chunk", created: plan.created, model: plan.model,
      choices: [{ index: 0, delta: { content: "after the end" }, logprobs: null, finish_reason: null }],
    }),
  unknownEvent: () => new Frame("weather", { object: "weather.report", sky: "clear" }),
  cannot: (faults) => (faults.get("overloaded")?.as === undefined ? null : "overloaded as"),
};

/** The answer to `GET /v1/models`. */
export const modelList = (models: readonly string[]): unknown => ({
  object: "list",
  data: models.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "model-server" })),
});
