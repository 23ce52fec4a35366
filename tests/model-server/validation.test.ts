import { accepts, refuses } from "./cases/validation.ts";
import type { Change } from "./cases/validation.ts";
import { shapes } from "./support.ts";

for (const shape of shapes) {
  refuses(shape, "a body that is no JSON", () => '{"model": ', /could not parse/);
  refuses(shape, "half a surrogate pair", (body) => JSON.stringify(body).replace("hello", "\\ud83d"), /could not parse/);
  refuses(shape, "a body that is very deep", (body) => JSON.stringify(body).replace(/\}$/, `,"metadata":${"[".repeat(10_000)}${"]".repeat(10_000)}}`), /nested deeper/);
  refuses(shape, "bytes that are no UTF-8", (body) => Buffer.from(JSON.stringify(body).replace("hello", "\u00ff"), "latin1"), /could not parse/);
  if (shape !== "ollama") refuses(shape, "a field it does not know", (body) => ({ ...body, num_ctx: 8192 }), /num_ctx/);
  refuses(shape, "a body of another content type", (body, raw) => {
    raw.headers["content-type"] = "text/plain";
    return body;
  }, /Content-Type/);
}

const call = (id: string, name = "list_tabs", args = "{}") => ({ id, type: "function", function: { name, arguments: args } });
const messages = (...more: object[]): Change => (body) => ({ ...body, messages: [{ role: "user", content: "hello" }, ...more] });
const toolResult = (id: string) => ({ role: "tool", tool_call_id: id, content: "[]" });
const openaiTool = (change: object): Change => (body) => ({ ...body, tools: [{ type: "function", function: { name: "t", parameters: { type: "object", properties: {} }, ...change } }] });

refuses("openai", "a missing model", ({ model: _model, ...body }) => body, /Missing required parameter: 'model'/);
refuses("openai", "no messages", (body) => ({ ...body, messages: [] }), /Invalid 'messages': empty array/);
refuses("openai", "an unknown role", messages({ role: "robot", content: "x" }), /messages\[1\]\.role.*"robot" is not one of/);
refuses("openai", "content of a wrong type", messages({ role: "user", content: 5 }), /Invalid type for 'messages\[1\]\.content': expected an array/);
refuses("openai", "an assistant message without content or calls", messages({ role: "assistant", content: null }), /expected a string, got null/);
refuses("openai", "an empty list of calls", messages({ role: "assistant", content: "x", tool_calls: [] }), /messages\[1\]\.tool_calls': empty array/);
refuses("openai", "a call without an id", messages({ role: "assistant", tool_calls: [{ type: "function", function: { name: "a", arguments: "{}" } }] }), /'messages\[1\]\.tool_calls\[0\]\.id'/);
refuses("openai", "a call whose arguments are an object", messages({ role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "a", arguments: {} } }] }), /arguments': expected a string/);
refuses("openai", "a call whose name has a space", messages({ role: "assistant", tool_calls: [call("a", "list tabs")] }, toolResult("a")), /does not match pattern/);
refuses("openai", "two calls with one id", messages({ role: "assistant", tool_calls: [call("a"), call("a")] }, toolResult("a")), /Duplicate value/);
refuses("openai", "a call without a result", messages({ role: "assistant", tool_calls: [call("a"), call("b")] }, toolResult("a")), /did not have response messages: b$/);
refuses("openai", "a call whose result comes after something else", messages({ role: "assistant", tool_calls: [call("a")] }, { role: "user", content: "x" }, toolResult("a")), /did not have response messages: a$/);
refuses("openai", "a result without a call", messages(toolResult("a")), /must be a response to a preceeding message with 'tool_calls'/);
refuses("openai", "two results of one call", messages({ role: "assistant", tool_calls: [call("a")] }, toolResult("a"), toolResult("a")), /must be a response to/);
refuses("openai", "stream_options without stream", (body) => ({ ...body, stream: false }), /only allowed when 'stream' is enabled/);
refuses("openai", "an empty list of tools", (body) => ({ ...body, tools: [] }), /'tools': empty array/);
refuses("openai", "a tool choice without tools", ({ tools: _tools, ...body }) => ({ ...body, tool_choice: "auto" }), /only allowed when 'tools' are specified/);
refuses("openai", "parallel_tool_calls without tools", ({ tools: _tools, ...body }) => ({ ...body, parallel_tool_calls: true }), /only allowed when 'tools' are specified/);
refuses("openai", "a tool choice of a tool that is not there", (body) => ({ ...body, tool_choice: { type: "function", function: { name: "other" } } }), /'other' not found/);
refuses("openai", "a tool name with a dot", openaiTool({ name: "a.b" }), /does not match pattern/);
refuses("openai", "a tool name of 65 characters", openaiTool({ name: "a".repeat(65) }), /does not match pattern/);
refuses("openai", "parameters without a type", openaiTool({ parameters: {} }), /got 'type: "None"'/);
refuses("openai", "an array without items", openaiTool({ parameters: { type: "object", properties: { a: { type: "array" } } } }), /\('properties', 'a'\), array schema missing items/);
refuses("openai", "a reference to nothing", openaiTool({ parameters: { type: "object", properties: { a: { $ref: "#/$defs/b" } } } }), /points to nothing/);
refuses("openai", "a strict tool with an open object", openaiTool({ strict: true }), /'additionalProperties' is required/);
refuses("openai", "a strict tool with an optional property", openaiTool({ strict: true, parameters: { type: "object", properties: { a: { type: "string" } }, required: [], additionalProperties: false } }), /Missing 'a'/);
refuses("openai", "two tools with one name", (body) => ({ ...body, tools: [...(body["tools"] as object[]), ...(body["tools"] as object[])] }), /unique/);
accepts("openai", "results in another order than their calls", messages({ role: "assistant", content: "", tool_calls: [call("a"), call("b")] }, toolResult("b"), toolResult("a")));
accepts("openai", "text parts, a schema with $defs and a strict tool", (body) => ({
  ...body,
  messages: [{ role: "user", content: [{ type: "text", text: "a" }] }],
  tools: [{ type: "function", function: { name: "t", strict: true, parameters: { type: "object", properties: { a: { $ref: "#/$defs/b" } }, required: ["a"], additionalProperties: false, $defs: { b: { type: ["string", "null"] } } } } }],
}));

const use = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "list_tabs", input });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "[]" });
const text = (value: string) => ({ type: "text", text: value });
const anthropicTool = (change: object): Change => (body) => ({ ...body, tools: [{ name: "t", input_schema: { type: "object" }, ...change }] });

refuses("anthropic", "a missing version header", (body, raw) => {
  delete raw.headers["anthropic-version"];
  return body;
}, /anthropic-version: header is required/);
refuses("anthropic", "a missing output limit", ({ max_tokens: _limit, ...body }) => body, /max_tokens: Field required/);
refuses("anthropic", "a system message among the messages", messages({ role: "system", content: "x" }), /Unexpected role "system"/);
refuses("anthropic", "a first message of the assistant", (body) => ({ ...body, messages: [{ role: "assistant", content: "x" }] }), /first message must use the "user" role/);
refuses("anthropic", "empty content", messages({ role: "assistant", content: [] }, { role: "user", content: "x" }), /non-empty content/);
refuses("anthropic", "an empty text block", messages({ role: "user", content: [text("")] }), /must be non-empty/);
refuses("anthropic", "a blank text block", messages({ role: "user", content: [text(" \n")] }), /must contain non-whitespace text/);
refuses("anthropic", "a call without a result", messages({ role: "assistant", content: [use("a"), use("b")] }, { role: "user", content: [result("a")] }), /without `tool_result` blocks immediately after: b\./);
refuses("anthropic", "text before the results", messages({ role: "assistant", content: [use("a")] }, { role: "user", content: [text("x"), result("a")] }), /without `tool_result` blocks/);
refuses("anthropic", "a result without a call", messages({ role: "user", content: [result("a")] }), /unexpected `tool_use_id`.*: a\./);
refuses("anthropic", "two calls with one id", messages({ role: "assistant", content: [use("a"), use("a")] }), /ids must be unique/);
refuses("anthropic", "an input that is a string", messages({ role: "assistant", content: [use("a", "{}")] }), /input: Input should be a valid dictionary/);
refuses("anthropic", "an id with a dot", messages({ role: "assistant", content: [use("a.b")] }), /should match pattern/);
refuses("anthropic", "a thought with a wrong signature", messages({ role: "assistant", content: [{ type: "thinking", thinking: "a", signature: "b" }, text("x")] }, { role: "user", content: "x" }), /Invalid `signature`/);
refuses("anthropic", "trailing space at the end of a prefill", messages({ role: "assistant", content: "x " }), /cannot end with trailing whitespace/);
refuses("anthropic", "calls in the history without tools", ({ tools: _tools, ...body }) => ({ ...body, messages: [{ role: "user", content: "x" }, { role: "assistant", content: [use("a")] }, { role: "user", content: [result("a")] }] }), /must define tools/);
refuses("anthropic", "a tool without a schema type", anthropicTool({ input_schema: {} }), /input_schema: schema must be/);
refuses("anthropic", "a thinking budget above the output limit", (body) => ({ ...body, thinking: { type: "enabled", budget_tokens: 2048 } }), /must be greater than/);
refuses("anthropic", "thinking with a forced tool", (body) => ({ ...body, thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 4096, tool_choice: { type: "any" } }), /Thinking may not be enabled/);
accepts("anthropic", "two user messages in a row, and results before text", messages({ role: "user", content: [text("x")] }, { role: "assistant", content: [use("a"), use("b")] }, { role: "user", content: [result("b"), result("a"), text("and?")] }));

const contents = (...more: object[]): Change => (body) => ({ ...body, contents: [{ role: "user", parts: [{ text: "hello" }] }, ...more] });
const functionCall = (name: string) => ({ functionCall: { name, args: {} } });
const functionResponse = (name: string) => ({ functionResponse: { name, response: { result: "[]" } } });
const geminiTool = (schema: object): Change => (body) => ({ ...body, tools: [{ functionDeclarations: [{ name: "t", parameters: schema }] }] });

refuses("gemini", "no contents", (body) => ({ ...body, contents: [] }), /contents is not specified/);
refuses("gemini", "the role of another service", contents({ role: "assistant", parts: [{ text: "x" }] }), /valid role: user, model/);
refuses("gemini", "empty parts", contents({ role: "model", parts: [] }), /must not be empty/);
refuses("gemini", "a part with two kinds of data", contents({ role: "model", parts: [{ text: "x", functionCall: { name: "t" } }] }), /must have one initialized field/);
refuses("gemini", "fewer results than calls", contents({ role: "model", parts: [functionCall("a"), functionCall("b")] }, { role: "user", parts: [functionResponse("a")] }), /number of function response parts/);
refuses("gemini", "a result of another function", contents({ role: "model", parts: [functionCall("a")] }, { role: "user", parts: [functionResponse("b")] }), /Function response 'b'/);
refuses("gemini", "a call after a turn of the model", contents({ role: "model", parts: [{ text: "x" }] }, { role: "model", parts: [functionCall("a")] }, { role: "user", parts: [functionResponse("a")] }), /immediately after a user turn/);
refuses("gemini", "a response that is no object", contents({ role: "model", parts: [functionCall("a")] }, { role: "user", parts: [{ functionResponse: { name: "a", response: "[]" } }] }), /response' \(expected object\)/);
refuses("gemini", "a keyword outside its schema dialect", geminiTool({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }), /Unknown name "additionalProperties" at 'tools\[0\]\.functionDeclarations\[0\]\.parameters'/);
refuses("gemini", "an object without properties", geminiTool({ type: "object", properties: {} }), /should be non-empty for OBJECT type/);
refuses("gemini", "a required property that is not there", geminiTool({ type: "object", properties: { a: { type: "string" } }, required: ["b"] }), /property is not defined: b/);
refuses("gemini", "allowed names without ANY", (body) => ({ ...body, toolConfig: { functionCallingConfig: { mode: "AUTO", allowedFunctionNames: ["list_tabs"] } } }), /only be set when function calling mode is ANY/);
accepts("gemini", "parameters as a JSON schema", (body) => ({ ...body, tools: [{ functionDeclarations: [{ name: "t", parametersJsonSchema: { type: "object", properties: {}, additionalProperties: false } }] }] }));
accepts("gemini", "capital types", geminiTool({ type: "OBJECT", properties: { a: { type: "STRING" } } }));
