// For the tests: requests of each wire shape, a client on node's own http, and a reader of what came.

import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";

import { isRecord } from "./json.ts";
import { ModelServer } from "./server.ts";
import type { ModelServerOptions, Script } from "./server.ts";
import type { ShapeName } from "./script.ts";

export const shapes: readonly ShapeName[] = ["openai", "anthropic", "gemini"];

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
  for (const { data } of eventsOf(text)) {
    if (data === "[DONE]") {
      seen.done = true;
      continue;
    }
    const value = record(JSON.parse(data));
    if (value["error"] !== undefined) seen.errors.push(string(record(value["error"])["message"]));
    else if (shape === "openai") readOpenAi(value, seen);
    else if (shape === "anthropic") readAnthropic(value, seen);
    else readGemini(value, seen);
  }
  return seen;
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
