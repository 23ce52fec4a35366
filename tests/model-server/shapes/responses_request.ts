// What OpenAI's Responses take, and in which words they refuse the rest.

import { RefusalError, bracketPath } from "../check.ts";
import type { Field, Path, Refusal } from "../check.ts";
import { signatureOf } from "../plan.ts";
import { emptyConversation } from "../script.ts";
import type { Conversation, ConversationMessage, ToolChoice } from "../script.ts";
import { blank, checkTool } from "./shape.ts";
import type { Incoming } from "./shape.ts";

const refuse = (message: string, path: Path | string, code: string | null, status = 400): never => {
  const param = typeof path === "string" ? path : bracketPath(path);
  throw new RefusalError({ status, message, param, ...(code === null ? {} : { code }) } satisfies Refusal);
};

const parameters = [
  "background", "conversation", "context_management", "include", "input", "instructions", "max_output_tokens", "max_tool_calls",
  "metadata", "model", "parallel_tool_calls", "previous_response_id", "prompt", "prompt_cache_key", "prompt_cache_retention",
  "reasoning", "safety_identifier", "service_tier", "store", "stream", "stream_options", "temperature", "text", "tool_choice",
  "tools", "top_logprobs", "top_p", "truncation", "user",
];

/** Where the parameters of the chat completions have gone. */
const moved: Readonly<Record<string, string>> = {
  messages: "input", max_tokens: "max_output_tokens", max_completion_tokens: "max_output_tokens",
  response_format: "text.format", reasoning_effort: "reasoning.effort", verbosity: "text.verbosity", functions: "tools",
};

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

const includable = [
  "file_search_call.results", "web_search_call.results", "web_search_call.action.sources", "message.input_image.image_url",
  "computer_call_output.output.image_url", "code_interpreter_call.outputs", "reasoning.encrypted_content",
  "message.output_text.logprobs",
] as const;

/** The value, if it is one of those; else the service lists them. */
function supported<Word extends string>(field: Field, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === field.value);
  if (word !== undefined) return word;
  const quoted = words.map((each) => `'${each}'`);
  const list = quoted.length === 2 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
  return refuse(`Invalid value: ${typeof field.value === "string" ? `'${field.value}'` : JSON.stringify(field.value)}. Supported values are: ${list}.`, field.path, "invalid_value");
}

export function read({ body }: Incoming): Conversation {
  for (const [old, now] of Object.entries(moved)) {
    if (body.at(old).value === undefined) continue;
    refuse(`Unsupported parameter: '${old}'. In the Responses API, this parameter has moved to '${now}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`, old, "unsupported_parameter");
  }
  body.object(parameters);
  const conversation = emptyConversation();
  conversation.model = body.required("model").string();
  conversation.stream = body.at("stream").present && body.at("stream").boolean();
  readSettings(body, conversation);
  if (body.at("instructions").present) conversation.system = body.at("instructions").string();
  readTools(body.at("tools"), conversation);
  conversation.toolChoice = readToolChoice(body.at("tool_choice"), conversation);
  readInput(body.at("input"), conversation);
  return conversation;
}

function readSettings(body: Field, conversation: Conversation): void {
  for (const name of ["store", "background", "parallel_tool_calls"]) if (body.at(name).present) body.at(name).boolean();
  if (body.at("temperature").present) body.at("temperature").number(0, 2);
  if (body.at("top_p").present) body.at("top_p").number(0, 1);
  if (body.at("truncation").present) supported(body.at("truncation"), ["auto", "disabled"]);
  const previous = body.at("previous_response_id");
  if (previous.present) refuse(`Previous response with id '${previous.string()}' not found.`, previous.path, "previous_response_not_found");
  const limit = body.at("max_output_tokens");
  if (limit.present) {
    conversation.maxTokens = limit.integer(0);
    if (conversation.maxTokens < 16) refuse(`Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${conversation.maxTokens} instead.`, limit.path, "integer_below_min_value");
  }
  const options = body.at("stream_options");
  if (options.present) {
    if (!conversation.stream) options.fail("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    options.object(["include_obfuscation"]);
  }
  const included = body.at("include").present ? body.at("include").list().map((each) => supported(each, includable)) : [];
  conversation.sealsThinking = included.includes("reasoning.encrypted_content");
  conversation.showsThinking = readReasoning(body.at("reasoning"));
  conversation.jsonSchema = readTextFormat(body.at("text"));
}

/** Whether a summary of the thinking is asked for. */
function readReasoning(reasoning: Field): boolean {
  if (!reasoning.present) return false;
  reasoning.object(["effort", "summary", "generate_summary"]);
  if (reasoning.at("effort").present) supported(reasoning.at("effort"), efforts);
  if (!reasoning.at("summary").present) return false;
  supported(reasoning.at("summary"), ["auto", "concise", "detailed"]);
  return true;
}

function readTextFormat(text: Field): boolean {
  if (!text.present) return false;
  text.object(["format", "verbosity"]);
  if (text.at("verbosity").present) supported(text.at("verbosity"), ["low", "medium", "high"]);
  const format = text.at("format");
  if (!format.present) return false;
  format.object(["type", "name", "description", "schema", "strict"]);
  if (supported(format.required("type"), ["json_object", "json_schema", "text"]) !== "json_schema") return false;
  format.required("name").string();
  format.required("schema").object();
  return true;
}

function readTools(tools: Field, conversation: Conversation): void {
  const seen = new Set<string>();
  for (const tool of tools.present ? tools.list() : []) {
    tool.object();
    supported(tool.required("type"), ["function", "custom", "web_search", "file_search", "code_interpreter", "mcp"]);
    // A tool in the form of the chat completions has its name one level too deep, and that is what is told.
    tool.required("name");
    tool.object(["type", "name", "description", "parameters", "strict"]);
    const strict = tool.at("strict").present && tool.at("strict").boolean();
    const description = tool.at("description").present ? tool.at("description").string() : "";
    const given = tool.at("parameters").value;
    const name = checkTool(tool.at("name"), seen, /^[a-zA-Z0-9_-]{1,64}$/, given, { strict, gemini: false }, (problem, toolName) => ({
      status: 400,
      message: `Invalid schema for function '${toolName}': In context=(${problem.path.map((part) => `'${part}'`).join(", ")}), ${problem.complaint}.`,
      param: bracketPath(tool.at("parameters").path),
      code: "invalid_function_parameters",
    }));
    conversation.tools.push({ name, description, parameters: given });
  }
}

function readToolChoice(choice: Field, conversation: Conversation): ToolChoice {
  if (!choice.present) return { mode: "auto" };
  if (typeof choice.value === "string") {
    const mode = supported(choice, ["none", "auto", "required"]);
    if (mode === "required" && conversation.tools.length === 0) refuse("Tool choice 'required' must be specified with 'tools' parameter.", choice.path, null);
    return { mode };
  }
  choice.object(["type", "name"]);
  supported(choice.required("type"), ["function", "custom", "allowed_tools"]);
  const name = choice.required("name").string();
  if (!conversation.tools.some((tool) => tool.name === name)) refuse("Tool choice 'function' not found in 'tools' parameter.", choice.path, null);
  return { mode: "tool", name };
}

/** What has been read of the input so far. */
interface Reading {
  conversation: Conversation;
  /** The names of all calls. */
  calls: Map<string, string>;
  /** The calls that have no output yet. */
  open: Set<string>;
  /** A thought that nothing of the same answer has followed yet. */
  thought: string | null;
}

function readInput(input: Field, conversation: Conversation): void {
  if (!input.present) refuse("One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.", "input", "missing_required_parameter");
  if (typeof input.value === "string") {
    conversation.messages.push({ ...blank("user"), text: input.value });
    return;
  }
  const reading: Reading = { conversation, calls: new Map(), open: new Set(), thought: null };
  for (const item of input.list()) readItem(item, reading);
  failOnThought(reading);
  const [open] = reading.open;
  if (open !== undefined) refuse(`No tool output found for function call ${open}.`, input.path, null);
}

function failOnThought({ thought }: Reading): void {
  if (thought !== null) refuse(`Item '${thought}' of type 'reasoning' was provided without its required following item.`, "input", null);
}

function readItem(item: Field, reading: Reading): void {
  item.object();
  const type = item.at("type").present
    ? supported(item.at("type"), ["message", "function_call", "function_call_output", "reasoning", "item_reference"])
    : "message";
  switch (type) {
    case "message":
      { readMessage(item, reading); return; }
    case "function_call":
      { readCall(item, reading); return; }
    case "function_call_output":
      { readOutput(item, reading); return; }
    case "reasoning":
      { readThought(item, reading); return; }
    case "item_reference":
      return failOnStoredItem(item.required("id").string());
  }
}

const failOnStoredItem = (id: string): never =>
  refuse(`Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`, "input", null, 404);

function checkItem(item: Field, known: readonly string[], prefix: string): void {
  item.object(["type", "id", "status", ...known]);
  const id = item.at("id");
  if (id.present && !id.string().startsWith(prefix)) refuse(`Invalid '${bracketPath(id.path)}': '${id.string()}'. Expected an ID that begins with '${prefix}'.`, id.path, "invalid_value");
  // Unlike elsewhere, null is not as good as absent here.
  if (item.at("status").value !== undefined) supported(item.at("status"), ["in_progress", "completed", "incomplete"]);
}

/** The message that the items of one answer are part of. */
function answerOf(reading: Reading): ConversationMessage {
  const { messages } = reading.conversation;
  const last = messages.at(-1);
  if (last?.role === "assistant") return last;
  const begun = blank("assistant");
  messages.push(begun);
  return begun;
}

function readMessage(item: Field, reading: Reading): void {
  checkItem(item, ["role", "content", "phase"], "msg");
  const role = supported(item.required("role"), ["assistant", "system", "developer", "user"]);
  const { text, images } = readContent(item.required("content"), role === "assistant");
  if (role !== "assistant") failOnThought(reading);
  reading.thought = null;
  if (role === "assistant") answerOf(reading).text += text;
  else if (role === "user") reading.conversation.messages.push({ ...blank("user"), text, images });
  else reading.conversation.system += `${reading.conversation.system === "" ? "" : "\n"}${text}`;
}

function readContent(content: Field, isAnswer: boolean): { text: string; images: number } {
  if (typeof content.value === "string") return { text: content.value, images: 0 };
  let text = "";
  let images = 0;
  for (const part of content.list()) {
    part.object();
    const type = isAnswer
      ? supported(part.required("type"), ["output_text", "refusal"])
      : supported(part.required("type"), ["input_text", "input_image", "input_file"]);
    if (type === "input_text" || type === "output_text") {
      part.object(type === "input_text" ? ["type", "text"] : ["type", "text", "annotations", "logprobs"]);
      text += part.required("text").string();
    }
    if (type === "refusal") text += part.required("refusal").string();
    if (type !== "input_image") continue;
    part.object(["type", "image_url", "file_id", "detail"]);
    checkImage(part.required("image_url"));
    images += 1;
  }
  return { text, images };
}

function checkImage(url: Field): void {
  if (typeof url.value !== "string") refuse(`Invalid type for '${bracketPath(url.path)}': expected an image URL, but got an ${typeof url.value} instead.`, url.path, "invalid_type");
  if (/^https?:/.test(url.string())) return;
  const [, kind = ""] = /^data:([^;,]*)/.exec(url.string()) ?? [];
  if (!/^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/.test(url.string())) {
    refuse(`Invalid '${bracketPath(url.path)}'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type '${kind}'.`, url.path, "invalid_value");
  }
}

/** The id that ties a call to its output. */
function readCallId(item: Field): string {
  const field = item.required("call_id");
  const id = field.string();
  if (id === "") refuse(`Invalid '${bracketPath(field.path)}': empty string. Expected a string with minimum length 1, but got an empty string instead.`, field.path, "empty_string");
  if (id.length > 64) refuse(`Invalid '${bracketPath(field.path)}': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`, field.path, "string_above_max_length");
  return id;
}

function readCall(item: Field, reading: Reading): void {
  checkItem(item, ["call_id", "name", "arguments"], "fc");
  const id = readCallId(item);
  const name = item.required("name").string();
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) item.at("name").fail("string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.");
  const text = item.required("arguments").string();
  // The service's own words for this are not known; which output is whose could not be told.
  if (reading.calls.has(id)) refuse(`Duplicate function call with call_id ${id}.`, item.path, null);
  reading.calls.set(id, name);
  reading.open.add(id);
  reading.thought = null;
  answerOf(reading).calls.push({ id, name, arguments: text, signature: "" });
}

function readOutput(item: Field, reading: Reading): void {
  checkItem(item, ["call_id", "output"], "fc");
  const id = readCallId(item);
  const name = reading.calls.get(id);
  if (name === undefined) return refuse(`No tool call found for function call output with call_id ${id}.`, "input", null);
  if (!reading.open.delete(id)) refuse(`Duplicate output for function call with call_id ${id}.`, "input", null);
  failOnThought(reading);
  const { text, images } = readContent(item.required("output"), false);
  reading.conversation.messages.push({ ...blank("tool"), images, results: [{ id, name, text, isError: false }] });
}

function readThought(item: Field, reading: Reading): void {
  checkItem(item, ["summary", "content", "encrypted_content"], "rs");
  for (const part of item.required("summary").list()) {
    part.object(["type", "text"]);
    supported(part.required("type"), ["summary_text"]);
    part.required("text").string();
  }
  const seal = item.at("encrypted_content");
  // Without its content, the service looks for what it stored.
  if (!seal.present) failOnStoredItem(item.required("id").string());
  const thinking = unsealed(seal.string());
  if (thinking === null) return refuse("The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.", seal.path, "invalid_encrypted_content");
  reading.thought = item.at("id").present ? item.at("id").string() : "rs";
  answerOf(reading).thinking += thinking;
}

/** A thought as only this server can read it. */
export const sealed = (thinking: string): string => `gAAAAA${Buffer.from(thinking).toString("base64url")}.${signatureOf(thinking)}`;

function unsealed(seal: string): string | null {
  const [, content = "", signature = ""] = /^gAAAAA([^.]*)\.(.*)$/.exec(seal) ?? [];
  const thinking = Buffer.from(content, "base64url").toString();
  return signature === signatureOf(thinking) ? thinking : null;
}
