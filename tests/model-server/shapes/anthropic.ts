// Anthropic's Messages.

import { RefusalError, dotPath } from "../check.ts";
import type { Dialect, Field, Refusal } from "../check.ts";
import { signatureOf, textOf } from "../plan.ts";
import type { Plan, PlannedCall } from "../plan.ts";
import { emptyConversation } from "../script.ts";
import type { Conversation, ToolChoice } from "../script.ts";
import { Frame, argumentsObject, blank, checkTool, framed } from "./shape.ts";
import type { Incoming, Item, Shape } from "./shape.ts";

const refuse = (message: string): Refusal => ({ status: 400, message });

export const dialect: Dialect = {
  missing: (path) => refuse(`${dotPath(path)}: Field required`),
  wrongType: (path, expected) => refuse(`${dotPath(path)}: Input should be a valid ${expected === "object" ? "dictionary" : expected === "array" ? "list" : expected}`),
  unknown: (path) => refuse(`${dotPath(path)}: Extra inputs are not permitted`),
  invalid: (path, complaint) => refuse(`${dotPath(path)}: ${complaint}`),
};

const parameters = [
  "cache_control", "container", "context_management", "max_tokens", "mcp_servers", "messages", "metadata", "model",
  "output_config", "output_format", "service_tier", "stop_sequences", "stream", "system", "temperature", "thinking",
  "tool_choice", "tools", "top_k", "top_p",
];

function read({ headers, body }: Incoming): Conversation {
  if (headers["anthropic-version"] === undefined) throw new RefusalError(refuse("anthropic-version: header is required"));
  body.object(parameters);
  const conversation = emptyConversation();
  conversation.model = body.required("model").string();
  conversation.maxTokens = body.required("max_tokens").integer(1);
  conversation.stream = body.at("stream").present && body.at("stream").boolean();
  if (body.at("temperature").present) body.at("temperature").number(0, 1);
  const system = body.at("system");
  if (system.present) conversation.system = typeof system.value === "string" ? system.value : system.list().map((block) => block.required("text").string()).join("\n");
  readTools(body, conversation);
  conversation.toolChoice = readToolChoice(body, conversation);
  checkThinking(body, conversation);
  readMessages(body.required("messages"), conversation);
  conversation.jsonSchema = body.at("output_format").present || body.at("output_config").at("format").present;
  return conversation;
}

function readTools(body: Field, conversation: Conversation): void {
  const seen = new Set<string>();
  for (const tool of body.at("tools").present ? body.at("tools").list() : []) {
    tool.object(["type", "name", "description", "input_schema", "strict", "cache_control", "eager_input_streaming", "input_examples"]);
    const schema = tool.required("input_schema").value;
    const rules = { strict: tool.at("strict").value === true, gemini: false };
    const name = checkTool(tool.required("name"), seen, /^[a-zA-Z0-9_-]{1,128}$/, schema, rules, (problem) =>
      refuse(`${dotPath([...tool.path, "custom", "input_schema", ...problem.path])}: ${problem.complaint}`));
    const description = tool.at("description").present ? tool.at("description").string() : "";
    conversation.tools.push({ name, description, parameters: schema });
  }
}

function readToolChoice(body: Field, conversation: Conversation): ToolChoice {
  const choice = body.at("tool_choice");
  if (!choice.present) return { mode: "auto" };
  choice.object(["type", "name", "disable_parallel_tool_use"]);
  const type = choice.required("type").oneOf(["auto", "any", "tool", "none"]);
  if (conversation.tools.length === 0 && type !== "none") choice.fail("tool_choice may only be specified while providing tools");
  if (type !== "tool") return { mode: type === "any" ? "required" : type };
  const name = choice.required("name").string();
  if (!conversation.tools.some((tool) => tool.name === name)) choice.fail(`Tool '${name}' not found in provided tools`);
  return { mode: "tool", name };
}

function checkThinking(body: Field, conversation: Conversation): void {
  const thinking = body.at("thinking");
  if (!thinking.present) return;
  const type = thinking.required("type").oneOf(["enabled", "disabled", "adaptive"]);
  if (type === "disabled") return;
  if (type === "enabled") {
    const budget = thinking.required("budget_tokens").integer(1024);
    if (budget >= (conversation.maxTokens ?? 0)) throw new RefusalError(refuse("`max_tokens` must be greater than `thinking.budget_tokens`."));
  }
  if (conversation.toolChoice.mode === "required" || conversation.toolChoice.mode === "tool") {
    throw new RefusalError(refuse("Thinking may not be enabled when tool_choice forces tool use."));
  }
}

function readMessages(field: Field, conversation: Conversation): void {
  const messages = field.list();
  if (messages.length === 0) field.fail("at least one message is required");
  let open = new Map<string, string>();
  let previous = "";
  for (const [index, message] of messages.entries()) {
    message.object(["role", "content"]);
    const role = message.required("role").value;
    if (role !== "user" && role !== "assistant") {
      throw new RefusalError(refuse(`messages: Unexpected role "${String(role)}". Allowed roles are "user" or "assistant".`));
    }
    if (index === 0 && role !== "user") throw new RefusalError(refuse('messages: first message must use the "user" role'));
    if (role === "user") {
      readUser(message, open, conversation);
    } else {
      // Neighbours of one role are one turn, so calls must have their results when the role changes back.
      if (previous === "user" && open.size > 0) failOnOpenCalls(open, index);
      if (previous === "user") open = new Map();
      readAssistant(message, index === messages.length - 1, open, conversation);
    }
    previous = role;
  }
  if (open.size > 0) failOnOpenCalls(open, messages.length - 1);
}

function failOnOpenCalls(open: ReadonlyMap<string, string>, index: number): never {
  throw new RefusalError(refuse(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open.keys()].join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  ));
}

/** The blocks of a message; a string counts as one text block. */
function blocksOf(message: Field, mayBeEmpty: boolean): Field[] {
  const content = message.required("content");
  if (typeof content.value === "string") {
    if (content.value === "" && !mayBeEmpty) {
      throw new RefusalError(refuse(`${dotPath(message.path)}: all messages must have non-empty content except for the optional final assistant message`));
    }
    return [];
  }
  const blocks = content.list();
  if (blocks.length === 0 && !mayBeEmpty) {
    throw new RefusalError(refuse(`${dotPath(message.path)}: all messages must have non-empty content except for the optional final assistant message`));
  }
  for (const block of blocks) block.object();
  return blocks;
}

function readText(block: Field): string {
  const text = block.required("text").string();
  if (text === "") throw new RefusalError(refuse("messages: text content blocks must be non-empty"));
  if (text.trim() === "") throw new RefusalError(refuse("messages: text content blocks must contain non-whitespace text"));
  return text;
}

function readUser(message: Field, open: Map<string, string>, conversation: Conversation): void {
  const user = blank("user");
  const results = blank("tool");
  const content = message.at("content").value;
  if (typeof content === "string") user.text = content;
  for (const block of blocksOf(message, false)) {
    const type = block.required("type").oneOf(["text", "image", "document", "tool_result"]);
    if (type === "text") user.text += readText(block);
    if (type === "image") {
      block.required("source").object();
      user.images += 1;
    }
    if (type !== "tool_result") continue;
    block.object(["type", "tool_use_id", "content", "is_error", "cache_control"]);
    const id = block.required("tool_use_id").string();
    const name = open.get(id);
    if (name === undefined) {
      throw new RefusalError(refuse(
        `${dotPath(block.path)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      ));
    }
    // Text before the results makes the service look for them in vain.
    if (user.text !== "" || user.images > 0) failOnOpenCalls(open, Number(message.path.at(-1)));
    open.delete(id);
    const isError = block.at("is_error").present && block.at("is_error").boolean();
    results.results.push({ id, name, text: resultText(block.at("content")), isError });
  }
  if (results.results.length > 0) conversation.messages.push(results);
  if (user.text !== "" || user.images > 0) conversation.messages.push(user);
}

function resultText(content: Field): string {
  if (!content.present) return "";
  if (typeof content.value === "string") return content.value;
  return content.list().map((block) => (block.required("type").value === "text" ? block.required("text").string() : "")).join("");
}

function readAssistant(message: Field, isLast: boolean, open: Map<string, string>, conversation: Conversation): void {
  const read = blank("assistant");
  const content = message.at("content").value;
  if (typeof content === "string") read.text = content;
  for (const block of blocksOf(message, isLast)) {
    const type = block.required("type").oneOf(["text", "tool_use", "thinking", "redacted_thinking"]);
    if (type === "text") read.text += readText(block);
    if (type === "thinking") {
      block.object(["type", "thinking", "signature"]);
      const thinking = block.required("thinking").string();
      if (block.required("signature").string() !== signatureOf(thinking)) {
        throw new RefusalError(refuse(`${dotPath(block.path)}: Invalid \`signature\` in \`thinking\` block`));
      }
      read.thinking += thinking;
    }
    if (type !== "tool_use") continue;
    block.object(["type", "id", "name", "input", "cache_control"]);
    const id = block.required("id").string();
    if (!/^[a-zA-Z0-9_-]+$/.test(id)) block.at("id").fail("String should match pattern '^[a-zA-Z0-9_-]+$'");
    if (open.has(id)) block.at("id").fail("`tool_use` ids must be unique");
    const name = block.required("name").string();
    if (!/^[a-zA-Z0-9_-]{1,200}$/.test(name)) block.at("name").fail("String should match pattern '^[a-zA-Z0-9_-]{1,200}$'");
    open.set(id, name);
    read.calls.push({ id, name, arguments: JSON.stringify(block.required("input").object()), signature: "" });
  }
  if (open.size > 0 && conversation.tools.length === 0) {
    throw new RefusalError(refuse("Requests which include `tool_use` or `tool_result` blocks must define tools"));
  }
  if (isLast && read.text !== read.text.trimEnd()) {
    throw new RefusalError(refuse("messages: final assistant content cannot end with trailing whitespace"));
  }
  conversation.messages.push(read);
}

const named = (type: string, fields: object = {}): Frame => new Frame(type, { type, ...fields });

function stream(plan: Plan): Item[] {
  const { faults } = plan;
  const message = {
    id: `msg_${plan.id}`, type: "message", role: "assistant", model: plan.model, content: [],
    stop_reason: null, stop_sequence: null, usage: startUsage(plan),
  };
  const items: Item[] = [named("message_start", { message })];
  let index = 0;
  if (plan.thinking.length > 0) {
    items.push(...block(index, { type: "thinking", thinking: "", signature: "" }, [
      ...framed(plan.thinking, (thinking) => delta(index, { type: "thinking_delta", thinking })),
      delta(index, { type: "signature_delta", signature: plan.signature }),
    ]));
    index += 1;
  }
  if (plan.text.length > 0) {
    const at = index;
    items.push(...block(at, { type: "text", text: "" }, framed(plan.text, (text) => delta(at, { type: "text_delta", text }))));
    index += 1;
  }
  items.splice(2, 0, named("ping"));
  for (const call of plan.calls) items.push(...streamCall(call, index++, plan));
  if (plan.until !== undefined) items.push(plan.until);

  const finish = named("message_delta", { delta: { stop_reason: stopWord(plan), stop_sequence: null }, ...endUsage(plan) });
  items.push(finish);
  if (faults.has("two-finishes") || faults.get("usage")?.how === "twice") items.push(finish);
  if (!faults.has("no-done")) items.push(named("message_stop"));
  return items;
}

const delta = (index: number, change: object): Frame => named("content_block_delta", { index, delta: change });

const block = (index: number, start: object, deltas: Item[]): Item[] => [
  named("content_block_start", { index, content_block: start }),
  ...deltas,
  named("content_block_stop", { index }),
];

function streamCall(call: PlannedCall, index: number, plan: Plan): Item[] {
  const { faults } = plan;
  const atZero = faults.has("all-calls-at-index-0") || faults.has("index-reused");
  const place = faults.has("missing-call-index") ? {} : { index: atZero ? 0 : index };
  const wholeFirst = faults.has("arguments-as-object") || faults.has("repeated-arguments");
  const start = {
    type: "tool_use",
    ...(faults.has("missing-call-id") ? {} : { id: call.id }),
    ...(faults.has("missing-call-name") ? {} : { name: call.name }),
    input: wholeFirst ? argumentsObject(call, faults) : {},
  };
  const part = (json: string) => named("content_block_delta", { ...place, delta: { type: "input_json_delta", partial_json: json } });
  return [
    named("content_block_start", { ...place, content_block: start }),
    part(""),
    ...(faults.has("arguments-as-object") ? [] : framed(call.pieces, part)),
    named("content_block_stop", place),
  ];
}

const stopWord = (plan: Plan): string =>
  ({ stop: "end_turn", calls: "tool_use", length: "max_tokens", filter: "refusal" })[plan.stop];

function startUsage(plan: Plan): object {
  const late = plan.usage === null || plan.faults.get("usage")?.how === "last-chunk";
  const cached = late ? 0 : (plan.usage?.cached ?? 0);
  return {
    // What was read from the cache is counted apart here, and not in the input.
    input_tokens: late ? 0 : (plan.usage?.input ?? 0) - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: late ? 0 : 1,
  };
}

function endUsage(plan: Plan): object {
  if (plan.usage === null) return {};
  const cached = plan.usage.cached ?? 0;
  const whole = plan.faults.get("usage")?.how === "last-chunk"
    ? { input_tokens: plan.usage.input - cached, cache_creation_input_tokens: 0, cache_read_input_tokens: cached }
    : {};
  return { usage: { ...whole, output_tokens: plan.usage.output } };
}

function whole(plan: Plan): unknown {
  const { faults } = plan;
  const text = textOf(plan.text);
  const thinking = textOf(plan.thinking);
  const content = [
    ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: plan.signature }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...plan.calls.map((call) => ({
      type: "tool_use",
      ...(faults.has("missing-call-id") ? {} : { id: call.id }),
      ...(faults.has("missing-call-name") ? {} : { name: call.name }),
      input: argumentsObject(call, faults),
    })),
  ];
  const usage = plan.usage === null ? {} : { usage: { ...startUsage(plan), output_tokens: plan.usage.output } };
  return {
    id: `msg_${plan.id}`, type: "message", role: "assistant", model: plan.model, content,
    stop_reason: stopWord(plan), stop_sequence: null, ...usage,
  };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
  404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error",
};

const errorBody = (refusal: Refusal): unknown => ({
  type: "error",
  error: { type: refusal.type ?? errorTypes[refusal.status] ?? "api_error", message: refusal.message },
  request_id: "req_scripted",
});

export const anthropic: Shape = {
  name: "anthropic",
  read,
  stream,
  whole,
  errorBody,
  errorFrame: (refusal) => new Frame("error", errorBody(refusal)),
  ping: named("ping"),
  strayText: () => delta(0, { type: "text_delta", text: "after the end" }),
  unknownEvent: () => named("weather_report", { sky: "clear" }),
  cannot: (faults) => {
    if (faults.has("call-name-in-pieces")) return "call-name-in-pieces";
    if (faults.get("overloaded")?.as !== undefined) return "overloaded as";
    return faults.get("usage")?.how === "with-last-delta" ? "usage with-last-delta" : null;
  },
};
