// What Ollama's own chat takes. It is a Go program that reads JSON into structs: what it does not know it does not
// see, what is absent is empty, and what has another type is refused in the words of Go.

import { RefusalError } from "../check.ts";
import type { Dialect, Field, Path, Refusal } from "../check.ts";
import { isRecord } from "../json.ts";
import { emptyConversation } from "../script.ts";
import type { Conversation, ConversationMessage } from "../script.ts";
import { blank } from "./shape.ts";
import type { Incoming } from "./shape.ts";

const refuse = (message: string): Refusal => ({ status: 400, message });

const fail = (message: string): never => {
  throw new RefusalError(refuse(message));
};

const goKind = (value: unknown): string =>
  Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value === "object" ? "object" : typeof value;

/** `ChatRequest.messages.content`: Go says no indexes. */
const goPath = (path: Path): string => `ChatRequest.${path.filter((part) => typeof part === "string").join(".")}`;

const goTypes: Readonly<Record<string, string>> = {
  string: "string", boolean: "bool", number: "float64", integer: "int", "messages": "[]api.Message", "messages.tool_calls": "[]api.ToolCall",
  "messages.tool_calls.function": "api.ToolCallFunction", "messages.tool_calls.function.arguments": "api.ToolCallFunctionArguments",
  "messages.images": "[]api.ImageData", options: "map[string]interface {}", tools: "api.Tools", "tools.function": "api.ToolFunction",
  "tools.function.parameters": "api.ToolFunctionParameters",
};

export const dialect: Dialect = {
  missing: (path) => refuse(`${String(path.at(-1))} is required`),
  wrongType: (path, expected, given) => {
    const place = path.filter((part) => typeof part === "string").join(".");
    return refuse(`json: cannot unmarshal ${goKind(given)} into Go struct field ${goPath(path)} of type ${goTypes[place] ?? goTypes[expected] ?? `api.${expected}`}`);
  },
  unknown: (path) => refuse(`json: unknown field "${String(path.at(-1))}"`),
  invalid: (path, complaint) => refuse(`${goPath(path)}: ${complaint}`),
};

export function read({ body }: Incoming): Conversation {
  body.object();
  const conversation = emptyConversation();
  conversation.model = text(body.at("model"));
  if (conversation.model === "") fail("model is required");
  // Unlike elsewhere, a stream is what comes when nothing is said.
  conversation.stream = !body.at("stream").present || body.at("stream").boolean();
  for (const name of ["truncate", "shift"]) if (body.at(name).present) body.at(name).boolean();
  conversation.showsThinking = readThink(body.at("think"));
  conversation.jsonSchema = readFormat(body.at("format"));
  readOptions(body.at("options"), conversation);
  for (const tool of items(body.at("tools"))) readTool(tool, conversation);
  readMessages(body.at("messages"), conversation);
  return conversation;
}

const text = (field: Field): string => (field.present ? field.string() : "");

const items = (field: Field): Field[] => (field.present ? field.list() : []);

/** Whether it may think; models that can do, unless they are told not to. */
function readThink(think: Field): boolean {
  if (!think.present || typeof think.value === "boolean") return think.value !== false;
  if (typeof think.value !== "string") fail("think must be a boolean or string (\"high\", \"medium\", \"low\", true, or false)");
  if (!["high", "medium", "low"].includes(think.string())) fail(`invalid think value: "${think.string()}" (must be "high", "medium", "low", true, or false)`);
  return true;
}

function readFormat(format: Field): boolean {
  if (!format.present || format.value === "" || format.value === "json") return false;
  if (!isRecord(format.value)) fail(`invalid format: ${JSON.stringify(format.value)}; expected "json" or a valid JSON Schema object`);
  return true;
}

const integers = ["num_ctx", "num_predict", "num_keep", "num_batch", "num_gpu", "num_thread", "main_gpu", "seed", "top_k", "repeat_last_n"];
const floats = ["temperature", "top_p", "min_p", "typical_p", "repeat_penalty", "presence_penalty", "frequency_penalty"];

function readOptions(options: Field, conversation: Conversation): void {
  if (!options.present) return;
  options.object();
  const check = (names: readonly string[], type: string): void => {
    const wrong = names.find((name) => options.at(name).present && typeof options.at(name).value !== "number");
    if (wrong !== undefined) fail(`option "${wrong}" must be of type ${type}`);
  };
  check(integers, "integer");
  check(floats, "float32");
  const stop = options.at("stop");
  if (stop.present && !Array.isArray(stop.value)) fail('option "stop" must be of type array');
  const number = (name: string): number | null => (options.at(name).present ? Math.trunc(Number(options.at(name).value)) : null);
  conversation.contextLength = number("num_ctx");
  const most = number("num_predict");
  // Less than none means without a limit.
  conversation.maxTokens = most === null || most < 0 ? null : most;
}

function readTool(tool: Field, conversation: Conversation): void {
  tool.object();
  text(tool.at("type"));
  const offered = tool.at("function");
  if (offered.present) offered.object();
  const parameters = offered.at("parameters");
  if (parameters.present) {
    parameters.object();
    text(parameters.at("type"));
    for (const name of items(parameters.at("required"))) name.string();
    checkProperties(parameters.at("properties"));
  }
  conversation.tools.push({ name: text(offered.at("name")), description: text(offered.at("description")), parameters: parameters.value });
}

/** A property is a struct too: a schema that is only `true` has no place in it. */
function checkProperties(properties: Field): void {
  if (!properties.present) return;
  for (const name of Object.keys(properties.object())) checkProperty(properties.at(name));
}

function checkProperty(property: Field): void {
  property.object();
  const type = property.at("type");
  for (const each of Array.isArray(type.value) ? type.list() : [type]) text(each);
  text(property.at("description"));
  if (property.at("enum").present) property.at("enum").list();
  for (const choice of items(property.at("anyOf"))) checkProperty(choice);
  checkProperties(property.at("properties"));
}

function readMessages(messages: Field, conversation: Conversation): void {
  // The calls of the last answer, for results that name their call by its id alone.
  let calls: ConversationMessage["calls"] = [];
  for (const message of items(messages)) {
    message.object();
    const read = readMessage(message, calls);
    switch (text(message.at("role")).toLowerCase()) {
      case "system":
        conversation.system += `${conversation.system === "" ? "" : "\n"}${read.text}`;
        break;
      case "user":
        conversation.messages.push({ ...read, role: "user", results: [] });
        break;
      case "assistant":
        ({ calls } = read);
        conversation.messages.push({ ...read, role: "assistant", results: [] });
        break;
      case "tool":
        conversation.messages.push({ ...read, role: "tool", text: "" });
        break;
      default:
        // No template knows the role, so no model sees the message.
        break;
    }
  }
}

/** The message whatever its role, so that each field is looked at. */
function readMessage(message: Field, calls: ConversationMessage["calls"]): ConversationMessage {
  const read = blank("user");
  read.text = text(message.at("content"));
  read.thinking = text(message.at("thinking"));
  for (const image of items(message.at("images"))) checkImage(image.string());
  read.images = items(message.at("images")).length;
  for (const call of items(message.at("tool_calls"))) {
    call.object();
    const called = call.at("function");
    if (called.present) called.object();
    const given = called.at("arguments");
    read.calls.push({ id: text(call.at("id")), name: text(called.at("name")), arguments: JSON.stringify(given.present ? given.object() : {}), signature: "" });
  }
  const id = text(message.at("tool_call_id"));
  const name = text(message.at("tool_name"));
  read.results.push({ id, name: name === "" ? (calls.find((call) => call.id === id)?.name ?? "") : name, text: read.text, isError: false });
  return read;
}

/** The bytes of an image are base64 and nothing else, no address with data. */
function checkImage(image: string): void {
  const good = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(image)?.[0] ?? "";
  if (good !== image) {
    const at = image.search(/[^A-Za-z0-9+/]/);
    fail(`illegal base64 data at input byte ${at < 0 ? good.length : at}`);
  }
}
