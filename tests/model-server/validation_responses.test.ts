import { accepts, refuses } from "./cases/validation.ts";
import type { Change } from "./cases/validation.ts";
import { sealed } from "./shapes/responses_request.ts";

const shape = "openai-responses";
const call = (id: string, more: object = {}) => ({ type: "function_call", call_id: id, name: "list_tabs", arguments: "{}", ...more });
const output = (id: string, value: unknown = "[]") => ({ type: "function_call_output", call_id: id, output: value });
const thought = (more: object = {}) => ({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealed("hm"), ...more });
const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const items = (...more: object[]): Change => (body) => ({ ...body, input: [{ role: "user", content: "hello" }, ...more] });
const withTool = (change: object): Change => (body) => ({ ...body, tools: [{ type: "function", name: "t", parameters: { type: "object", properties: {} }, strict: false, ...change }] });
const image = (url: unknown) => ({ role: "user", content: [{ type: "input_image", image_url: url }] });

refuses(shape, "a missing model", ({ model: _model, ...body }) => body, /^Missing required parameter: 'model'/);
refuses(shape, "no input", ({ input: _input, ...body }) => body, /One of "input" or "previous_response_id"/);
refuses(shape, "messages in place of input", ({ input, ...body }) => ({ ...body, messages: input }), /'messages'. In the Responses API, this parameter has moved to 'input'/);
refuses(shape, "the output limit of the chat completions", (body) => ({ ...body, max_tokens: 100 }), /moved to 'max_output_tokens'/);
refuses(shape, "the answer format of the chat completions", (body) => ({ ...body, response_format: { type: "json_object" } }), /moved to 'text.format'/);
refuses(shape, "an output limit below 16", (body) => ({ ...body, max_output_tokens: 15 }), /Expected a value >= 16, but got 15 instead/);
refuses(shape, "usage in the stream options", (body) => ({ ...body, stream_options: { include_usage: true } }), /Unknown parameter: 'stream_options.include_usage'/);
refuses(shape, "an include that is not known", (body) => ({ ...body, include: ["reasoning"] }), /^Invalid value: 'reasoning'. Supported values are: 'file_search_call.results',.*, and 'message.output_text.logprobs'\.$/);
refuses(shape, "an effort that is not known", (body) => ({ ...body, reasoning: { effort: "off" } }), /Invalid value: 'off'. Supported values are: 'none', 'minimal'/);
refuses(shape, "an earlier response", (body) => ({ ...body, previous_response_id: "resp_1" }), /Previous response with id 'resp_1' not found/);
refuses(shape, "a role of another format", items({ role: "tool", content: "x" }), /Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'/);
refuses(shape, "an item that is not known", items({ type: "tool_result" }), /Invalid value: 'tool_result'/);
refuses(shape, "a field of an item that it does not know", items({ role: "user", content: "x", name: "Ann" }), /Unknown parameter: 'input\[1\].name'/);
refuses(shape, "the text parts of the chat completions", items({ role: "user", content: [{ type: "text", text: "x" }] }), /Invalid value: 'text'. Supported values are: 'input_text'/);
refuses(shape, "an answer made of input", items({ role: "assistant", content: [{ type: "input_text", text: "x" }] }), /Supported values are: 'output_text' and 'refusal'/);
refuses(shape, "an image in an object", items(image({ url: "https://example.com/a.png" })), /expected an image URL, but got an object instead/);
refuses(shape, "an image that is none", items(image("data:text/plain;base64,eA==")), /unsupported MIME type 'text\/plain'/);
refuses(shape, "a call without its output", items(call("a"), call("b"), output("a")), /^No tool output found for function call b\.$/);
refuses(shape, "an output without its call", items(output("a")), /^No tool call found for function call output with call_id a\.$/);
refuses(shape, "an output before its call", items(output("a"), call("a")), /No tool call found/);
refuses(shape, "two calls with one id", items(call("a"), call("a"), output("a")), /Duplicate function call/);
refuses(shape, "two outputs of one call", items(call("a"), output("a"), output("a")), /Duplicate output/);
refuses(shape, "a call without an id", items({ type: "function_call", name: "t", arguments: "{}" }), /Missing required parameter: 'input\[1\].call_id'/);
refuses(shape, "a call with an empty id", items(call(""), output("")), /empty string. Expected a string with minimum length 1/);
refuses(shape, "a call id of 65 characters", items(call("a".repeat(65)), output("a".repeat(65))), /maximum length 64, but got a string with length 65/);
refuses(shape, "a call whose item has the id of a call", items(call("a", { id: "call_a" }), output("a")), /Expected an ID that begins with 'fc'/);
refuses(shape, "a call whose arguments are an object", items(call("a", { arguments: {} }), output("a")), /arguments': expected a string/);
refuses(shape, "a call whose name has a space", items(call("a", { name: "list tabs" }), output("a")), /does not match pattern/);
refuses(shape, "an output that is an object", items(call("a"), output("a", { tabs: [] })), /Invalid type for 'input\[2\].output'/);
refuses(shape, "a thought without a summary", items(thought({ summary: null }), said("x")), /Missing required parameter: 'input\[1\].summary'/);
refuses(shape, "a thought that somebody changed", items(thought({ encrypted_content: `${sealed("hm")}x` }), said("x")), /could not be verified/);
refuses(shape, "a thought that nothing follows", items(thought()), /'rs_1' of type 'reasoning' was provided without its required following item/);
refuses(shape, "a thought that is followed by the person", items(thought(), { role: "user", content: "x" }), /without its required following item/);
refuses(shape, "a thought with a status of null", items(thought({ status: null }), said("x")), /Invalid value: null/);
refuses(shape, "a thought without its content, which it did not store", items(thought({ encrypted_content: null }), said("x")), /'rs_1' not found. Items are not persisted/, 404);
refuses(shape, "a reference to an item, which it did not store", items({ type: "item_reference", id: "msg_1" }), /'msg_1' not found/, 404);
refuses(shape, "a tool in the form of the chat completions", (body) => ({ ...body, tools: [{ type: "function", function: { name: "t" } }] }), /Missing required parameter: 'tools\[0\].name'/);
refuses(shape, "a tool name with a dot", withTool({ name: "a.b" }), /does not match pattern/);
refuses(shape, "parameters without a type", withTool({ parameters: {} }), /got 'type: "None"'/);
refuses(shape, "an array without items", withTool({ parameters: { type: "object", properties: { a: { type: "array" } } } }), /\('properties', 'a'\), array schema missing items/);
refuses(shape, "a strict tool with an open object", withTool({ strict: true }), /'additionalProperties' is required/);
refuses(shape, "a forced tool without tools", ({ tools: _tools, ...body }) => ({ ...body, tool_choice: "required" }), /must be specified with 'tools' parameter/);
refuses(shape, "a tool choice of a tool that is not there", (body) => ({ ...body, tool_choice: { type: "function", name: "other" } }), /not found in 'tools' parameter/);
refuses(shape, "the tool choice of the chat completions", (body) => ({ ...body, tool_choice: { type: "function", function: { name: "list_tabs" } } }), /Unknown parameter: 'tool_choice.function'/);
accepts(shape, "input that is one text", (body) => ({ ...body, input: "hello" }));
accepts(shape, "a thought, text and calls, outputs in another order, and pictures in one", items(
  thought(), said("I look."), call("a"), call("b"), output("b", [{ type: "input_text", text: "x" }, { type: "input_image", image_url: "data:image/png;base64,aWk=" }]), output("a"),
  thought({ id: "rs_2" }), said("Done."), { role: "user", content: "and now?" },
));
accepts(shape, "whole items as they were sent", items(
  { type: "message", id: "msg_1", status: "completed", role: "assistant", phase: "commentary", content: [{ type: "output_text", text: "x", annotations: [], logprobs: [] }] },
  call("a", { id: "fc_a", status: "completed" }), output("a"),
));
accepts(shape, "a tool choice of auto without tools", ({ tools: _tools, ...body }) => ({ ...body, tool_choice: "auto" }));
