import { accepts, refuses } from "./cases/validation.ts";
import type { Change } from "./cases/validation.ts";

const shape = "ollama";
const messages = (...more: object[]): Change => (body) => ({ ...body, messages: [{ role: "user", content: "hello" }, ...more] });
const called = (args: unknown) => ({ role: "assistant", content: "", tool_calls: [{ function: { name: "list_tabs", arguments: args } }] });
const parameters = (schema: unknown): Change => (body) => ({ ...body, tools: [{ type: "function", function: { name: "t", parameters: schema } }] });
const property = (schema: unknown): Change => parameters({ type: "object", properties: { a: schema } });
const options = (change: object): Change => (body) => ({ ...body, options: change });
const go = (kind: string, field: string, type: string): RegExp =>
  new RegExp(`^json: cannot unmarshal ${kind} into Go struct field ChatRequest\\.${field.replaceAll(".", "\\.")} of type ${type.replaceAll(".", "\\.").replaceAll("[", "\\[")}$`);

refuses(shape, "a missing model", ({ model: _model, ...body }) => body, /^model is required$/);
refuses(shape, "messages that are a text", (body) => ({ ...body, messages: "hello" }), go("string", "messages", "[]api.Message"));
refuses(shape, "content in parts", messages({ role: "user", content: [{ type: "text", text: "x" }] }), go("array", "messages.content", "string"));
refuses(shape, "a call whose arguments are a text", messages(called("{}")), go("string", "messages.tool_calls.function.arguments", "api.ToolCallFunctionArguments"));
refuses(shape, "a call whose arguments are a list", messages(called([1])), go("array", "messages.tool_calls.function.arguments", "api.ToolCallFunctionArguments"));
refuses(shape, "thinking that is no text", messages({ role: "assistant", content: "x", thinking: true }), go("bool", "messages.thinking", "string"));
refuses(shape, "an image with the head of a data address", messages({ role: "user", content: "x", images: ["data:image/png;base64,aWk="] }), /^illegal base64 data at input byte 4$/);
refuses(shape, "an image that is cut", messages({ role: "user", content: "x", images: ["aWk"] }), /^illegal base64 data at input byte/);
refuses(shape, "a context length that is a text", options({ num_ctx: "8192" }), /^option "num_ctx" must be of type integer$/);
refuses(shape, "a temperature that is a text", options({ temperature: "hot" }), /^option "temperature" must be of type float32$/);
refuses(shape, "a stop that is no list", options({ stop: "x" }), /^option "stop" must be of type array$/);
refuses(shape, "options that are a list", options([]), /cannot unmarshal array into Go struct field ChatRequest.options/);
refuses(shape, "thinking of an unknown size", (body) => ({ ...body, think: "minimal" }), /^invalid think value: "minimal" \(must be "high", "medium", "low", true, or false\)$/);
refuses(shape, "thinking by number", (body) => ({ ...body, think: 1 }), /think must be a boolean or string/);
refuses(shape, "a format that it does not know", (body) => ({ ...body, format: "xml" }), /^invalid format: "xml"; expected "json" or a valid JSON Schema object$/);
refuses(shape, "a stream that is a text", (body) => ({ ...body, stream: "yes" }), go("string", "stream", "bool"));
refuses(shape, "parameters that are a list", parameters([]), go("array", "tools.function.parameters", "api.ToolFunctionParameters"));
refuses(shape, "properties that are a list", parameters({ type: "object", properties: [] }), /cannot unmarshal array/);
refuses(shape, "a property that is only true", property(true), /cannot unmarshal bool/);
refuses(shape, "a type that is an object", property({ type: {} }), /cannot unmarshal object/);
refuses(shape, "an enum that is a text", property({ enum: "a" }), /cannot unmarshal string/);
refuses(shape, "required that is true", parameters({ type: "object", properties: {}, required: true }), /cannot unmarshal bool/);
accepts(shape, "fields and options that it does not know", (body) => ({ ...body, num_ctx: 8192, tool_choice: "auto", options: { weather: "fine" } }));
accepts(shape, "a role that it does not know", messages({ role: "developer", content: "x" }));
accepts(shape, "results without names and ids", messages(called({}), { role: "tool", content: "[]" }));
accepts(shape, "calls and results with ids, thinking, and a level of it", (body) => ({
  ...body, think: "high", truncate: false, keep_alive: "5m", format: "json",
  messages: [
    { role: "user", content: "hello", images: ["aWk="] },
    { role: "assistant", content: "", thinking: "hm", tool_calls: [{ id: "a", function: { index: 0, name: "list_tabs", arguments: { a: 1 } } }] },
    { role: "tool", tool_name: "list_tabs", tool_call_id: "a", content: "[]" },
  ],
}));
accepts(shape, "parameters with lists of types, choices and properties inside", property({ type: ["string", "null"], anyOf: [{ type: "string" }], properties: { b: { type: "array", items: true } } }));
