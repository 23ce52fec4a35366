import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import type { Event, ItemBody, TurnEndReason } from "../generated/protocol.ts";
import { announcement } from "./announcement.ts";

beforeEach(() => {
  Object.assign(globalThis, { chrome: { i18n: { getMessage: (key: string) => `<${key}>` } } });
});

function item(body: ItemBody): Event {
  return { type: "item", conversation: "c", item: { id: "i", position: 1, seq: 1, turn: "t", at: 0, body } };
}

function message(text: string, state: "streaming" | "complete"): Event {
  return item({ kind: "assistant_message", blocks: [], text, thinking: "", state: { state }, model: "m" });
}

function end(reason: TurnEndReason): Event {
  const usage = { input: 0, cached: 0, output: 0, reasoning: 0 };
  return item({ kind: "turn_end", reason, usage, millis: 1 });
}

function check(event: Event, expected: string | null): void {
  assert.equal(announcement(event, "c"), expected);
}

test("a finished message is read out, a streaming one is not", () => {
  check(message("Hello", "complete"), "Hello");
  check(message("Hel", "streaming"), null);
});

test("a notice is read out", () => {
  check(item({ kind: "notice", level: "error", code: "bad_key", text: "The key is wrong." }), "The key is wrong.");
});

test("a turn that ends well is not mentioned, any other is", () => {
  check(end("done"), null);
  check(end("failed"), "<turn_failed>");
});

test("a retry is read out", () => {
  const activity = { activity: "retrying", at: 1, attempt: 2, reason: "The server is busy." } as const;
  check(
    { type: "run", conversation: "c", run: { state: "working", turn: "t", round: 1, activity } },
    "The server is busy.",
  );
});

test("other conversations are silent", () => {
  assert.equal(announcement(message("Hello", "complete"), "another"), null);
});
