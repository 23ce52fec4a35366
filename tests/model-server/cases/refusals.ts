import assert from "node:assert/strict";

import type { MisbehaviourKind, RetryAfterForm } from "../misbehave.ts";
import { overflowVendors } from "../overflow.ts";
import type { OverflowVendor } from "../overflow.ts";
import { historyOf, requestOf, send } from "../support.ts";
import type { Ask } from "../support.ts";
import type { ShapeName } from "../script.ts";
import { errorOf, ofEvents, oneCall, twoCalls } from "./case.ts";
import type { Case, Sight } from "./case.ts";

/** The request of the case is refused and keeps its step; the request that avoids the refusal gets the answer. */
const refusedUntil = (avoided: Ask, status: number, words: RegExp) => async ({ reply, server, shape }: Sight) => {
  assert.equal(reply.status, status);
  assert.match(errorOf(reply), words);
  assert.equal(server.stepsLeft, 1);
  assert.match(server.requests[0]?.refused ?? "", words);
  assert.equal((await send(server, requestOf(shape, avoided))).status, 200);
  assert.equal(server.stepsLeft, 0);
};

/** After two calls: a history that is refused, and one that is not. */
const historyRefused = (bad: Parameters<typeof historyOf>[3], words: RegExp) => async ({ seen, server, shape }: Sight) => {
  server.play([{ text: "done" }]);
  const refused = await send(server, requestOf(shape, { history: historyOf(shape, seen(), ["1", "2"], bad) }));
  assert.equal(refused.status, 400, refused.text);
  assert.match(errorOf(refused), words);
  assert.equal(server.stepsLeft, 1);
  const good = await send(server, requestOf(shape, { history: historyOf(shape, seen(), ["1", "2"]) }));
  assert.equal(good.status, 200, good.text);
};

const retryAfter = (form: RetryAfterForm, see: (headers: Sight["reply"]["headers"]) => void): Case => ({
  what: form,
  misbehave: { kind: "rate-limit", form, seconds: 3 },
  see: ({ reply }) => {
    assert.equal(reply.status, 429);
    assert.match(errorOf(reply), /Rate limit/);
    see(reply.headers);
  },
});

const headerIs = (name: string, value: string | undefined) => (headers: Sight["reply"]["headers"]) => assert.equal(headers[name], value);

const overflowCase = (vendor: OverflowVendor): Case => ({
  what: vendor,
  shapes: ["openai"],
  misbehave: { kind: "overflow", vendor },
  see: ({ reply }) => {
    const { status, body } = overflowVendors[vendor];
    assert.equal(reply.status, status);
    assert.equal(reply.text, body === undefined ? "" : JSON.stringify(body));
    assert.ok(status >= 400 && status < 500);
  },
});

const extension = { origin: "chrome-extension://abcdefgh" };

export const refusalCases = {
  "refuse-object-tool-choice": [{ shapes: ofEvents, misbehave: "refuse-object-tool-choice", ask: { choice: "tool" }, see: refusedUntil({ choice: "required" }, 400, /tool_choice/) }],
  "refuse-required-tool-choice": [{ shapes: ofEvents, misbehave: "refuse-required-tool-choice", ask: { choice: "required" }, see: refusedUntil({}, 400, /required/) }],
  "refuse-json-schema": [
    { misbehave: "refuse-json-schema", ask: { jsonSchema: true }, see: refusedUntil({}, 400, /response_format/) },
    { what: "422", misbehave: { kind: "refuse-json-schema", status: 422 }, ask: { jsonSchema: true }, see: refusedUntil({}, 422, /response_format/) },
  ],
  "refuse-tools": [
    { what: "openrouter", misbehave: "refuse-tools", see: refusedUntil({ tools: false }, 404, /No endpoints found that support tool use/) },
    { what: "ollama", misbehave: { kind: "refuse-tools", as: "ollama" }, see: refusedUntil({ tools: false }, 400, /does not support tools/) },
  ],
  "refuse-images": [{ misbehave: "refuse-images", ask: { image: true }, see: refusedUntil({}, 400, /image/) }],
  "refuse-extension-origin": [{
    misbehave: "refuse-extension-origin",
    ask: extension,
    see: async ({ reply, server, shape }) => {
      assert.deepEqual([reply.status, reply.text, reply.headers["access-control-allow-origin"]], [403, "", undefined]);
      assert.equal((await send(server, requestOf(shape, { origin: "https://example.com" }))).status, 200);
      server.play([{ text: "x" }]);
      server.always("refuse-extension-origin");
      const list = await send(server, { method: "GET", path: "/v1/models", headers: extension, body: "" });
      assert.equal(list.status, 403);
      assert.equal((await send(server, requestOf(shape))).status, 200);
    },
  }],
  "refuse-broken-history": [{
    misbehave: "refuse-broken-history",
    shapes: ["openai"],
    ask: { history: [{ role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "list_tabs", arguments: '{"a":' } }] }, { role: "tool", tool_call_id: "a", content: "x" }] },
    see: refusedUntil({}, 400, /must be a JSON object/),
  }, {
    misbehave: "refuse-broken-history",
    shapes: ["openai-responses"],
    ask: { history: [{ type: "function_call", call_id: "a", name: "list_tabs", arguments: '{"a":' }, { type: "function_call_output", call_id: "a", output: "x" }] },
    see: refusedUntil({}, 400, /must be a JSON object/),
  }],
  "demand-strict-tool-order": [{
    misbehave: "demand-strict-tool-order",
    step: twoCalls,
    see: async (sight) => {
      sight.server.always("demand-strict-tool-order");
      await historyRefused({ reversed: true }, /in the order of the calls/)(sight);
    },
  }],
  "demand-thinking-echo": [{
    misbehave: "demand-thinking-echo",
    step: { ...oneCall, thinking: "Deep thought." },
    see: async (sight) => {
      assert.equal(sight.seen().thinking, "Deep thought.");
      const words: Readonly<Record<ShapeName, RegExp>> = {
        openai: /`reasoning_content`/, "openai-responses": /'fc_id_1' of type 'function_call' was provided without its required 'reasoning' item/,
        anthropic: /must start with a thinking block/, gemini: /thought_signature/, ollama: /was not sent back/,
      };
      await historyRefused({ thinking: false }, words[sight.shape])(sight);
    },
  }],
  "payment-required": [
    { misbehave: { kind: "payment-required", affordable: 300 }, ask: { maxTokens: 1000 }, see: refusedUntil({ maxTokens: 300 }, 402, /up to 1000 tokens, but can only afford 300/) },
    { what: "without a limit", shapes: ["openai", "openai-responses", "gemini", "ollama"], misbehave: { kind: "payment-required", affordable: 300 }, ask: { maxTokens: null }, see: refusedUntil({ maxTokens: 300 }, 402, /can only afford 300/) },
  ],
  "rate-limit": [
    retryAfter("seconds", headerIs("retry-after", "3")),
    retryAfter("date", (headers) => {
      const waits = Date.parse(String(headers["retry-after"])) - Date.now();
      assert.ok(waits > 1500 && waits <= 4000, `${waits} ms`);
    }),
    retryAfter("milliseconds", headerIs("retry-after-ms", "3000")),
    retryAfter("zero", headerIs("retry-after", "0")),
    retryAfter("negative", headerIs("retry-after", "-5")),
    retryAfter("huge", headerIs("retry-after", "1000000000")),
    retryAfter("garbage", headerIs("retry-after", "soon")),
    retryAfter("none", headerIs("retry-after", undefined)),
    { what: "uses up the step", misbehave: { kind: "rate-limit", form: "seconds" }, see: ({ server }) => assert.equal(server.stepsLeft, 0) },
  ],
  "throttle-like-overflow": [{
    misbehave: "throttle-like-overflow",
    see: ({ reply }) => {
      assert.deepEqual([reply.status, reply.headers["retry-after"]], [429, "1"]);
      assert.match(errorOf(reply), /Too many tokens, please wait/);
    },
  }],
  overloaded: [
    { what: "before", misbehave: { kind: "overloaded", when: "before" }, see: ({ reply, shape }) => {
      assert.equal(reply.status, shape === "openai" || shape === "anthropic" ? 529 : 503);
      assert.match(errorOf(reply), /overloaded|server busy/i);
    } },
    { what: "inside", misbehave: { kind: "overloaded", when: "inside" }, step: { text: "a text that is long enough for a middle" }, see: ({ reply, seen }) => {
      const { text, errors, done, finishes } = seen();
      assert.equal(reply.status, 200);
      assert.ok(text.length > 0 && "a text that is long enough for a middle".startsWith(text));
      assert.match(errors.join(), /overloaded|server busy/i);
      assert.deepEqual([done, finishes, reply.ended], [false, [], "whole"]);
    } },
    ...([["error", /^event: error\ndata: \{"type":"error",.*"error":\{"type":"service_unavailable_error"/m], ["flat", /^event: error\ndata: \{"type":"error","code":"server_is_overloaded"/m], ["failed", /^event: response\.failed\ndata: .*"status":"failed"/m]] as const)
      .map(([as, form]): Case => ({ what: `inside as ${as}`, shapes: ["openai-responses"], misbehave: { kind: "overloaded", when: "inside", as }, step: { text: "a text that is long enough" }, see: ({ reply, seen }) => {
        assert.match(reply.text, form);
        assert.match(seen().errors.join(), /overloaded/);
      } })),
  ],
  unauthorized: [{ misbehave: "unauthorized", see: ({ reply, shape }) => {
    assert.equal(reply.status, shape === "gemini" ? 400 : 401);
    assert.match(reply.text, /invalid_api_key|authentication_error|API_KEY_INVALID|unauthorized/);
  } }],
  "model-not-found": [{ misbehave: "model-not-found", see: ({ reply, shape }) => {
    assert.equal(reply.status, shape === "openai-responses" ? 400 : 404);
    assert.match(errorOf(reply), /[`']some-model['`] (does not exist|not found)/);
  } }],
  "server-error": [
    { misbehave: "server-error", see: ({ reply }) => {
      assert.equal(reply.status, 500);
      assert.match(errorOf(reply), /error while processing/);
    } },
    { what: "503", misbehave: { kind: "server-error", status: 503 }, see: ({ reply }) => assert.equal(reply.status, 503) },
  ],
  overflow: [
    ...(Object.keys(overflowVendors) as OverflowVendor[]).map(overflowCase),
    { what: "its own words", shapes: ["openai-responses"], misbehave: { kind: "overflow", vendor: "openai-responses" }, see: ({ reply }) => assert.match(errorOf(reply), /exceeds the context window/) },
    { what: "its own words", shapes: ["ollama"], misbehave: { kind: "overflow", vendor: "ollama-chat" }, see: ({ reply }) => assert.match(errorOf(reply), /exceeded max context length/) },
    { what: "another shape's words", shapes: ["anthropic", "gemini"], misbehave: { kind: "overflow", vendor: "anthropic" }, see: ({ reply }) => assert.match(errorOf(reply), /prompt is too long: 213462 tokens > 200000 maximum/) },
  ],
  "html-error-page": [
    { misbehave: "html-error-page", see: ({ reply }) => {
      assert.deepEqual([reply.status, reply.headers["content-type"]], [200, "text/html; charset=utf-8"]);
      assert.match(reply.text, /^<!DOCTYPE html>/);
    } },
    { what: "502", misbehave: { kind: "html-error-page", status: 502 }, see: ({ reply }) => assert.equal(reply.status, 502) },
  ],
  "json-error-as-stream": [{ misbehave: "json-error-as-stream", see: ({ reply, seen, shape }) => {
    assert.deepEqual([reply.status, reply.headers["content-type"]], [200, shape === "ollama" ? "application/x-ndjson" : "text/event-stream"]);
    assert.match(errorOf(reply), /Internal error/);
    // Bare JSON is what Ollama's lines are made of.
    if (shape === "ollama") { assert.equal(seen().errors.length, 1); return; }
    assert.deepEqual(seen().errors, [], "no event: the body is bare JSON");
  } }],
} satisfies Partial<Record<MisbehaviourKind, Case[]>>;
