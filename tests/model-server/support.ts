// For the tests: requests of each wire shape, a client on node's own http, and a reader of what came.

import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

import { isRecord } from "./json.ts";
import { ModelServer } from "./server.ts";
import type { ModelServerOptions, Script } from "./server.ts";
import type { ShapeName } from "./script.ts";

export const shapes: readonly ShapeName[] = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

export interface Ask {
  text?: string;
  stream?: boolean;
  tools?: boolean;
  /** A tool choice that names the tool, or forces any. */
  choice?: "tool" | "required";
  jsonSchema?: boolean;
  image?: boolean;
  maxTokens?: number | null;
  origin?: string;
  /** Messages in the shape's own form, after the person's. */
  history?: object[];
}

export interface RawRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

const parameters = { type: "object", properties: { title_pattern: { type: "string", description: "A regular expression." } } };
const tool = { name: "list_tabs", description: "Lists the open tabs." };
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

export function requestOf(shape: ShapeName, ask: Ask = {}): RawRequest {
  const { text = "hello", stream = true, tools = true, choice, jsonSchema = false, image = false, maxTokens = 1000, history = [] } = ask;
  const headers = { "content-type": "application/json", ...(ask.origin === undefined ? {} : { origin: ask.origin }) };
  const schema = { type: "object", properties: { a: { type: "string" } } };
  switch (shape) {
    case "openai":
      return {
        method: "POST", path: "/v1/chat/completions", headers,
        body: {
          model: "some-model",
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: image ? [{ type: "text", text }, { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } }] : text },
            ...history,
          ],
          ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
          ...(tools ? { tools: [{ type: "function", function: { ...tool, parameters } }] } : {}),
          ...(choice === undefined ? {} : { tool_choice: choice === "required" ? "required" : { type: "function", function: { name: tool.name } } }),
          ...(jsonSchema ? { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } } : {}),
          ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
        },
      };
    case "openai-responses":
      return {
        method: "POST", path: "/v1/responses", headers,
        body: {
          model: "some-model", store: false, instructions: "Be brief.", include: ["reasoning.encrypted_content"], reasoning: { summary: "auto" },
          input: [
            { role: "user", content: image ? [{ type: "input_text", text }, { type: "input_image", image_url: `data:image/png;base64,${pixel}` }] : text },
            ...history,
          ],
          ...(stream ? { stream: true } : {}),
          ...(tools ? { tools: [{ type: "function", ...tool, parameters, strict: false }] } : {}),
          ...(choice === undefined ? {} : { tool_choice: choice === "required" ? "required" : { type: "function", name: tool.name } }),
          ...(jsonSchema ? { text: { format: { type: "json_schema", name: "answer", schema } } } : {}),
          ...(maxTokens === null ? {} : { max_output_tokens: maxTokens }),
        },
      };
    case "ollama":
      return {
        method: "POST", path: "/api/chat", headers,
        body: {
          model: "some-model",
          messages: [{ role: "system", content: "Be brief." }, { role: "user", content: text, ...(image ? { images: [pixel] } : {}) }, ...history],
          // A stream is what comes when nothing is said.
          ...(stream ? {} : { stream: false }),
          ...(tools ? { tools: [{ type: "function", function: { ...tool, parameters } }] } : {}),
          ...(jsonSchema ? { format: schema } : {}),
          options: { num_ctx: 8192, ...(maxTokens === null ? {} : { num_predict: maxTokens }) },
        },
      };
    case "anthropic":
      return {
        method: "POST", path: "/v1/messages", headers: { ...headers, "anthropic-version": "2023-06-01" },
        body: {
          model: "some-model", max_tokens: maxTokens ?? 65_536, stream, system: "Be brief.",
          messages: [
            { role: "user", content: image ? [{ type: "text", text }, { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } }] : text },
            ...history,
          ],
          ...(tools ? { tools: [{ ...tool, input_schema: parameters }] } : {}),
          ...(choice === undefined ? {} : { tool_choice: choice === "required" ? { type: "any" } : { type: "tool", name: tool.name } }),
          ...(jsonSchema ? { output_format: { type: "json_schema", schema } } : {}),
        },
      };
    case "gemini":
      return {
        method: "POST", headers,
        path: `/v1beta/models/some-model:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
        body: {
          systemInstruction: { parts: [{ text: "Be brief." }] },
          contents: [{ role: "user", parts: [{ text }, ...(image ? [{ inlineData: { mimeType: "image/png", data: pixel } }] : [])] }, ...history],
          ...(tools ? { tools: [{ functionDeclarations: [{ ...tool, parameters }] }] } : {}),
          ...(choice === undefined ? {} : { toolConfig: { functionCallingConfig: { mode: "ANY", ...(choice === "tool" ? { allowedFunctionNames: [tool.name] } : {}) } } }),
          generationConfig: { ...(jsonSchema ? { responseMimeType: "application/json", responseSchema: schema } : {}), ...(maxTokens === null ? {} : { maxOutputTokens: maxTokens }) },
        },
      };
  }
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** As the HTTP parser delivered them. */
  chunks: Buffer[];
  /** When each chunk came, in ms after the request. */
  times: number[];
  text: string;
  /** `broken`: the connection ended before the body did. `left`: the client went away itself. */
  ended: "whole" | "broken" | "left";
}

export interface SendOptions {
  /** Goes away this long after the last byte. */
  leaveAfterMs?: number;
  signal?: AbortSignal;
}

export function send(server: ModelServer, raw: RawRequest, options: SendOptions = {}): Promise<Reply> {
  const start = Date.now();
  const body = typeof raw.body === "string" || Buffer.isBuffer(raw.body) ? raw.body : JSON.stringify(raw.body);
  return new Promise((resolve) => {
    const reply: Reply = { status: 0, headers: {}, chunks: [], times: [], text: "", ended: "broken" };
    let timer: NodeJS.Timeout | undefined;
    const settle = (ended: Reply["ended"]) => {
      clearTimeout(timer);
      resolve({ ...reply, ended, text: Buffer.concat(reply.chunks).toString("utf8") });
    };
    const outgoing = httpRequest(server.url + raw.path, { method: raw.method, headers: raw.headers, agent: false });
    const leave = () => {
      settle("left");
      outgoing.destroy();
    };
    const patience = () => {
      clearTimeout(timer);
      if (options.leaveAfterMs !== undefined) timer = setTimeout(leave, options.leaveAfterMs);
    };
    options.signal?.addEventListener("abort", leave);
    outgoing.on("error", () => settle("broken"));
    outgoing.on("response", (response) => {
      reply.status = response.statusCode ?? 0;
      reply.headers = response.headers;
      patience();
      response.on("data", (chunk: Buffer) => {
        reply.chunks.push(chunk);
        reply.times.push(Date.now() - start);
        patience();
      });
      response.on("end", () => settle("whole"));
      response.on("error", () => settle("broken"));
    });
    patience();
    outgoing.end(body);
  });
}

/** The events of a stream, read as the standard says. */
export function eventsOf(text: string): { event: string; data: string }[] {
  const events: { event: string; data: string }[] = [];
  let event = "";
  let data: string[] = [];
  // What stands after the last line end is no line yet.
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/).slice(0, -1)) {
    if (line === "") {
      if (data.length > 0) events.push({ event, data: data.join("\n") });
      event = "";
      data = [];
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "data") data.push(value);
    if (name === "event") event = value;
  }
  return events;
}

/** The JSON texts that a stream is made of. */
export const piecesOf = (shape: ShapeName, text: string): string[] =>
  shape === "ollama"
    ? text.replace(/^\ufeff/, "").split(/\r?\n/).filter((line) => line !== "")
    : eventsOf(text).map(({ data }) => data).filter((data) => data !== "[DONE]");

export interface SeenCall {
  id: string | null;
  name: string;
  arguments: string;
}

export interface Seen {
  text: string;
  thinking: string;
  signature: string;
  calls: SeenCall[];
  finishes: string[];
  usages: Record<string, unknown>[];
  errors: string[];
  done: boolean;
}

type Json = Record<string, unknown>;
const record = (value: unknown): Json => (isRecord(value) ? value : {});
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);
const string = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a whole stream as a plain client does: no repairs. */
export function read(shape: ShapeName, text: string): Seen {
  const seen: Seen = { text: "", thinking: "", signature: "", calls: [], finishes: [], usages: [], errors: [], done: false };
  if (shape === "openai") seen.done = eventsOf(text).some(({ data }) => data === "[DONE]");
  for (const data of piecesOf(shape, text)) {
    const value = record(JSON.parse(data));
    const { error } = value;
    if (error !== undefined) seen.errors.push(typeof error === "string" ? error : string(record(error)["message"]));
    else readers[shape](value, seen);
  }
  return seen;
}

const readers: Readonly<Record<ShapeName, (value: Json, seen: Seen) => void>> = {
  openai: readOpenAi, "openai-responses": readResponses, anthropic: readAnthropic, gemini: readGemini, ollama: readOllama,
};

const callOf = (id: unknown, name: unknown, args: unknown): SeenCall =>
  ({ id: typeof id === "string" ? id : null, name: string(name), arguments: args === undefined ? "" : typeof args === "string" ? args : JSON.stringify(args) });

function readResponses(value: Json, seen: Seen): void {
  const delta = string(value["delta"]);
  const item = record(value["item"]);
  const last = seen.calls.at(-1);
  switch (value["type"]) {
    case "response.output_text.delta":
      seen.text += delta;
      break;
    case "response.reasoning_summary_text.delta":
      seen.thinking += delta;
      break;
    case "response.function_call_arguments.delta":
      if (last !== undefined) last.arguments += delta;
      break;
    case "response.output_item.added":
      if (item["type"] === "function_call") seen.calls.push(callOf(item["call_id"], item["name"], item["arguments"]));
      break;
    case "response.output_item.done":
      seen.signature += string(item["encrypted_content"]);
      break;
    case "response.completed":
    case "response.incomplete": {
      const response = record(value["response"]);
      if (isRecord(response["usage"])) seen.usages.push(response["usage"]);
      seen.finishes.push(string(record(response["incomplete_details"])["reason"] ?? response["status"]));
      seen.done = true;
      break;
    }
    case "response.failed":
      seen.errors.push(string(record(record(value["response"])["error"])["message"]));
      break;
    case "error":
      seen.errors.push(string(value["message"]));
      break;
  }
}

function readOllama(value: Json, seen: Seen): void {
  const message = record(value["message"]);
  seen.text += string(message["content"]);
  seen.thinking += string(message["thinking"]);
  for (const call of list(message["tool_calls"])) {
    const called = record(call["function"]);
    seen.calls.push(callOf(call["id"], called["name"], called["arguments"]));
  }
  if (value["done"] !== true) return;
  seen.finishes.push(string(value["done_reason"]));
  if (value["eval_count"] !== undefined) seen.usages.push({ prompt_eval_count: value["prompt_eval_count"], eval_count: value["eval_count"] });
  seen.done = true;
}

function readOpenAi(value: Json, seen: Seen): void {
  if (isRecord(value["usage"])) seen.usages.push(value["usage"]);
  for (const choice of list(value["choices"])) {
    const delta = record(choice["delta"]);
    seen.text += string(delta["content"]);
    seen.thinking += string(delta["reasoning_content"]);
    for (const call of list(delta["tool_calls"])) {
      const called = record(call["function"]);
      if (call["type"] === "function") seen.calls.push({ id: typeof call["id"] === "string" ? call["id"] : null, name: "", arguments: "" });
      const last = seen.calls.at(-1);
      if (last === undefined) continue;
      last.name += string(called["name"]);
      last.arguments += string(called["arguments"]);
    }
    if (typeof choice["finish_reason"] === "string") seen.finishes.push(choice["finish_reason"]);
  }
}

function readAnthropic(value: Json, seen: Seen): void {
  const delta = record(value["delta"]);
  const start = record(value["content_block"]);
  const usage = value["usage"] ?? record(value["message"])["usage"];
  if (isRecord(usage)) seen.usages.push(usage);
  if (start["type"] === "tool_use") seen.calls.push({ id: typeof start["id"] === "string" ? start["id"] : null, name: string(start["name"]), arguments: "" });
  seen.text += string(delta["text"]);
  seen.thinking += string(delta["thinking"]);
  seen.signature += string(delta["signature"]);
  const last = seen.calls.at(-1);
  if (last !== undefined) last.arguments += string(delta["partial_json"]);
  if (typeof delta["stop_reason"] === "string") seen.finishes.push(delta["stop_reason"]);
  if (value["type"] === "message_stop") seen.done = true;
}

function readGemini(value: Json, seen: Seen): void {
  if (isRecord(value["usageMetadata"])) seen.usages.push(value["usageMetadata"]);
  for (const candidate of list(value["candidates"])) {
    for (const part of list(record(candidate["content"])["parts"])) {
      if (part["thought"] === true) seen.thinking += string(part["text"]);
      else seen.text += string(part["text"]);
      seen.signature += string(part["thoughtSignature"]);
      const call = record(part["functionCall"]);
      if (part["functionCall"] === undefined) continue;
      seen.calls.push({ id: typeof call["id"] === "string" ? call["id"] : null, name: string(call["name"]), arguments: call["args"] === undefined ? "" : JSON.stringify(call["args"]) });
    }
    if (typeof candidate["finishReason"] === "string") {
      seen.finishes.push(candidate["finishReason"]);
      seen.done = true;
    }
  }
}

/** The history after an answer with calls: the answer as it was, and a result for each call. */
export function historyOf(shape: ShapeName, seen: Seen, results: readonly string[], options: { thinking?: boolean; reversed?: boolean } = {}): object[] {
  const { thinking = true, reversed = false } = options;
  const inOrder = <Item>(items: Item[]): Item[] => (reversed ? items.reverse() : items);
  switch (shape) {
    case "openai":
      return [
        {
          role: "assistant", content: seen.text,
          ...(thinking && seen.thinking !== "" ? { reasoning_content: seen.thinking } : {}),
          tool_calls: seen.calls.map((call) => ({ id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } })),
        },
        ...inOrder(seen.calls.map((call, index) => ({ role: "tool", tool_call_id: call.id, content: results[index] }))),
      ];
    case "openai-responses":
      return [
        ...(thinking && seen.signature !== "" ? [{ type: "reasoning", id: `rs_${seen.calls[0]?.id}`, summary: [{ type: "summary_text", text: seen.thinking }], encrypted_content: seen.signature }] : []),
        ...(seen.text === "" ? [] : [{ type: "message", role: "assistant", content: [{ type: "output_text", text: seen.text }] }]),
        ...seen.calls.map((call) => ({ type: "function_call", call_id: call.id, name: call.name, arguments: call.arguments })),
        ...inOrder(seen.calls.map((call, index) => ({ type: "function_call_output", call_id: call.id, output: results[index] }))),
      ];
    case "ollama":
      return [
        {
          role: "assistant", content: seen.text,
          ...(thinking && seen.thinking !== "" ? { thinking: seen.thinking } : {}),
          tool_calls: seen.calls.map((call) => ({ id: call.id, function: { name: call.name, arguments: JSON.parse(call.arguments) as unknown } })),
        },
        ...inOrder(seen.calls.map((call, index) => ({ role: "tool", tool_name: call.name, tool_call_id: call.id, content: results[index] }))),
      ];
    case "anthropic":
      return [
        {
          role: "assistant",
          content: [
            ...(thinking && seen.thinking !== "" ? [{ type: "thinking", thinking: seen.thinking, signature: seen.signature }] : []),
            ...(seen.text === "" ? [] : [{ type: "text", text: seen.text }]),
            ...seen.calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.arguments) as unknown })),
          ],
        },
        { role: "user", content: inOrder(seen.calls.map((call, index) => ({ type: "tool_result", tool_use_id: call.id, content: results[index] }))) },
      ];
    case "gemini":
      return [
        {
          role: "model",
          parts: [
            ...(seen.text === "" ? [] : [{ text: seen.text }]),
            ...seen.calls.map((call, index) => ({
              functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) as unknown },
              ...(thinking && index === 0 && seen.signature !== "" ? { thoughtSignature: seen.signature } : {}),
            })),
          ],
        },
        { role: "user", parts: inOrder(seen.calls.map((call, index) => ({ functionResponse: { id: call.id, name: call.name, response: { result: results[index] } } }))) },
      ];
  }
}

/** Runs a test against a server of its own. */
export async function withServer(script: Script | null, run: (server: ModelServer) => Promise<void>, options: ModelServerOptions = {}): Promise<void> {
  const server = await ModelServer.start(options);
  if (script !== null) server.play(script);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}
