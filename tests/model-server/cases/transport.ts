import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";

import type { MisbehaviourKind, Place } from "../misbehave.ts";
import { eventsOf } from "../support.ts";
import type { Reply } from "../support.ts";
import { oneCall, ofEvents } from "./case.ts";
import type { Case, Sight } from "./case.ts";

type Break = "drop" | "stall" | "end-early";

const ends: Record<Break, Reply["ended"]> = { drop: "broken", stall: "left", "end-early": "whole" };
const outcomes = { drop: "dropped", stall: "aborted", "end-early": "complete" } as const;

const breaks = (kind: Break, at: Place, see: (sight: Sight) => void): Case => ({
  what: at,
  misbehave: { kind, at },
  step: { ...oneCall, text: "A text in more than two pieces." },
  ...(kind === "stall" ? { options: { leaveAfterMs: 400 } } : {}),
  see: async (sight) => {
    assert.equal(sight.reply.ended, ends[kind]);
    const [request] = sight.server.requests;
    await request?.ended;
    assert.equal(request?.outcome, outcomes[kind]);
    see(sight);
  },
});

const atEachPlace = (kind: Break): Case[] => [
  breaks(kind, "request", ({ reply }) => {
    // A clean end needs a head, so this is the only place where one comes that early.
    assert.deepEqual([reply.status, reply.text], [kind === "end-early" ? 200 : 0, ""]);
  }),
  breaks(kind, "headers", ({ reply }) => assert.deepEqual([reply.status, reply.text], [200, ""])),
  breaks(kind, "text", ({ reply, seen }) => {
    const { text, calls, finishes, done } = seen();
    assert.equal(reply.status, 200);
    assert.ok(text.length > 0 && text.length < "A text in more than two pieces.".length, text);
    assert.deepEqual([calls, finishes, done], [[], [], false]);
  }),
  breaks(kind, "arguments", ({ reply, seen, shape }) => {
    if (shape === "ollama") {
      // A call is one line here: the break is inside it.
      const last = reply.text.slice(reply.text.lastIndexOf("\n") + 1);
      assert.match(last, /^\{"model"/);
      assert.throws(() => JSON.parse(last) as unknown);
      return;
    }
    if (shape === "gemini") {
      // A call is one event here: the break is inside it.
      assert.match(reply.text, /data: [^\n]*$/);
      const last = reply.text.slice(reply.text.lastIndexOf("data: ") + 6);
      assert.throws(() => JSON.parse(last) as unknown);
      return;
    }
    const [call] = seen().calls;
    assert.equal(call?.name, "list_tabs");
    assert.ok(call.arguments.length > 0);
    assert.throws(() => JSON.parse(call.arguments) as unknown);
    assert.deepEqual(seen().finishes, []);
  }),
];

export const transportCases = {
  drop: [
    ...atEachPlace("drop"),
    { what: "no stream", misbehave: { kind: "drop", at: "text" }, step: { text: "some text" }, ask: { stream: false }, see: ({ reply }) => {
      assert.equal(reply.ended, "broken");
      assert.throws(() => JSON.parse(reply.text) as unknown);
    } },
  ],
  stall: atEachPlace("stall"),
  "end-early": atEachPlace("end-early"),
  slow: [
    { misbehave: { kind: "slow", totalMs: 400 }, step: { text: "a text in a few pieces, sent slowly" }, see: ({ reply, seen }) => {
      assert.equal(seen().text, "a text in a few pieces, sent slowly");
      const last = reply.times.at(-1) ?? 0;
      assert.ok(last > 250 && last < 2000, `the last chunk came after ${last} ms`);
      const gaps = reply.times.slice(1).map((time, index) => time - (reply.times[index] ?? 0));
      assert.ok(gaps.filter((gap) => gap > 20).length >= gaps.length / 2, `spread evenly: ${gaps.join(", ")}`);
    } },
    { what: "no stream", misbehave: { kind: "slow", totalMs: 200 }, ask: { stream: false }, see: ({ reply }) => assert.ok((reply.times[0] ?? 0) >= 190) },
  ],
  "ping-only": [
    // That it goes on without an end has a test of its own.
    { shapes: ofEvents, misbehave: { kind: "ping-only", everyMs: 10, totalMs: 50 }, step: { text: "never sent" }, see: ({ reply, shape }) => {
      assert.equal(reply.ended, "whole");
      const pings = reply.text.match(shape === "anthropic" ? /event: ping\ndata: {"type":"ping"}\n\n/g : /: ping\n\n/g);
      assert.equal(pings?.length, 5);
      assert.doesNotMatch(reply.text, /never sent/);
    } },
  ],
  "json-instead-of-stream": [{ misbehave: "json-instead-of-stream", step: oneCall, see: ({ reply }) => {
    assert.match(String(reply.headers["content-type"]), /^application\/json/);
    assert.match(reply.text, /list_tabs/);
    assert.deepEqual(eventsOf(reply.text), []);
    assert.doesNotThrow(() => JSON.parse(reply.text) as unknown);
  } }],
  "cut-gzip": [{ misbehave: "cut-gzip", step: { text: "x".repeat(300) }, see: ({ reply }) => {
    assert.deepEqual([reply.headers["content-encoding"], reply.ended], ["gzip", "whole"]);
    const bytes = Buffer.concat(reply.chunks);
    assert.deepEqual([...bytes.subarray(0, 2)], [0x1f, 0x8b]);
    assert.throws(() => gunzipSync(bytes), /unexpected end of file/);
  } }],
} satisfies Partial<Record<MisbehaviourKind, Case[]>>;
