import assert from "node:assert/strict";

import type { MisbehaviourKind } from "../misbehave.ts";
import type { Step } from "../script.ts";
import { eventsOf } from "../support.ts";
import { oneCall, ofEvents } from "./case.ts";
import type { Case, Sight } from "./case.ts";

const world: Step = { text: "é ü 中文字 فارسی 👩‍💻 𝒳 ñ", calls: oneCall.calls ?? [] };

/** Whatever the framing, a client that reads as the standard says gets the same answer. */
const same = (step: Step, look: (sight: Sight) => void) => (sight: Sight) => {
  const { text, calls, done } = sight.seen();
  assert.equal(text, step.text);
  assert.deepEqual(calls.map((call) => call.arguments), ['{"title_pattern":"first"}']);
  assert.ok(done);
  look(sight);
};

const whole = (chunks: readonly Buffer[]): Buffer => Buffer.concat([...chunks]);

export const framingCases = {
  crlf: [{ misbehave: "crlf", step: world, see: same(world, ({ reply, shape }) => {
    assert.match(reply.text, shape === "ollama" ? /\}\r\n\{/ : /\r\n\r\n/);
    assert.doesNotMatch(reply.text, /[^\r]\n|\r[^\n]/);
  }) }],
  "lone-cr": [{ shapes: ofEvents, misbehave: "lone-cr", step: world, see: same(world, ({ reply }) => {
    assert.match(reply.text, /\r\r/);
    assert.doesNotMatch(reply.text, /\n/);
  }) }],
  bom: [{ misbehave: "bom", step: world, see: same(world, ({ reply }) => {
    assert.deepEqual([...whole(reply.chunks).subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.equal(reply.text.split("\ufeff").length, 2);
  }) }],
  comments: [{ shapes: ofEvents, misbehave: "comments", step: world, see: same(world, ({ reply }) => {
    assert.equal(reply.text.match(/^: PROCESSING\n\n/gm)?.length, eventsOf(reply.text).length);
  }) }],
  "bare-colon": [{ shapes: ofEvents, misbehave: "bare-colon", step: world, see: same(world, ({ reply }) => assert.match(reply.text, /^:\n\n/m)) }],
  "rewrapped-comments": [{ shapes: ofEvents, misbehave: "rewrapped-comments", step: world, see: ({ reply, seen }) => {
    assert.throws(seen, SyntaxError);
    const events = eventsOf(reply.text);
    assert.equal(events.filter(({ data }) => data === ": PROCESSING").length, events.length / 2);
  } }],
  "no-space-after-data": [{ shapes: ofEvents, misbehave: "no-space-after-data", step: world, see: same(world, ({ reply }) => {
    assert.match(reply.text, /^data:\{/m);
    assert.doesNotMatch(reply.text, /^data: /m);
  }) }],
  "several-data-lines": [{ shapes: ofEvents, misbehave: "several-data-lines", step: world, see: same(world, ({ reply }) => assert.match(reply.text, /^data: \{\ndata: .*\ndata: /m)) }],
  "no-final-blank-line": [{ misbehave: "no-final-blank-line", step: world, see: ({ reply, seen, shape }) => {
    assert.match(reply.text, shape === "ollama" ? /\}$/ : /[^\n]\n$/);
    assert.equal(seen().text, world.text);
    // A line that nothing ends is one all the same.
    if (shape === "ollama") { assert.ok(seen().done); return; }
    // The standard throws an event away that no blank line closes: it is the last one.
    assert.equal(seen().done, false);
  } }],
  "unknown-events": [{ misbehave: "unknown-events", step: world, see: same(world, ({ reply, shape }) => {
    if (shape === "ollama") { assert.match(reply.text, /^\{"weather_report":\{"sky":"clear"\}\}$/m); return; }
    assert.match(reply.text, /^event: weather(_report)?\ndata: .*"clear"/m);
    assert.match(reply.text, /^id: 7\nretry: 1000\n/m);
  }) }],
  "no-done": [{ misbehave: "no-done", step: world, see: ({ reply, seen, shape }) => {
    assert.equal(seen().text, world.text);
    assert.equal(seen().done, false);
    assert.equal(reply.ended, "whole");
    assert.deepEqual(seen().finishes, { openai: ["tool_calls"], "openai-responses": [], anthropic: ["tool_use"], gemini: [], ollama: [] }[shape]);
  } }],
  "text-after-done": [{ misbehave: "text-after-done", step: world, see: ({ reply, seen, shape }) => {
    assert.equal(seen().text, `${world.text}after the end`);
    const end = { openai: "[DONE]", "openai-responses": "response.completed", anthropic: "message_stop", gemini: "finishReason", ollama: '"done":true' }[shape];
    assert.ok(reply.text.indexOf(end) >= 0 && reply.text.indexOf(end) < reply.text.indexOf("after the end"));
  } }],
  "split-utf8": [{ misbehave: "split-utf8", step: world, see: same(world, ({ reply }) => {
    const starts = new Set<number>();
    let at = 0;
    for (const chunk of reply.chunks) {
      starts.add(at);
      at += chunk.length;
    }
    const bytes = whole(reply.chunks);
    const lengths = new Set<number>();
    for (const [index, byte] of bytes.entries()) {
      if (byte < 0xc0) continue;
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      lengths.add(length);
      const inside = Array.from({ length: length - 1 }, (_unused, offset) => index + 1 + offset);
      assert.ok(inside.some((position) => starts.has(position)), `the character at byte ${index} came in one piece`);
    }
    assert.deepEqual([...lengths].sort(), [2, 3, 4]);
  }) }],
  "one-byte-chunks": [{ misbehave: "one-byte-chunks", step: world, see: same(world, ({ reply }) => assert.deepEqual(new Set(reply.chunks.map((chunk) => chunk.length)), new Set([1]))) }],
  "chunks-of": [{ misbehave: { kind: "chunks-of", bytes: 7 }, step: world, see: same(world, ({ reply }) => assert.deepEqual(new Set(reply.chunks.slice(0, -1).map((chunk) => chunk.length)), new Set([7]))) }],
  "one-chunk": [
    { misbehave: "one-chunk", step: world, see: same(world, ({ server, reply }) => {
      assert.equal(server.requests.length, 1);
      assert.equal(reply.chunks.length, 1);
    }) },
    { what: "10 MB", shapes: ["openai"], misbehave: "one-chunk", step: { pieces: ["中".repeat(3_500_000)] }, see: ({ reply, seen }) => {
      // The parser hands a big chunk on in parts, but they come at once and are one on the wire.
      assert.ok(whole(reply.chunks).length > 10_000_000);
      assert.equal(seen().text.length, 3_500_000);
    } },
  ],
} satisfies Partial<Record<MisbehaviourKind, Case[]>>;
