import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import type { CallState, Event, ItemBody, QuestionState, TurnEndReason } from "../generated/protocol.ts";
import { announcement } from "./announcement.ts";

beforeEach(() => {
  Object.assign(globalThis, { chrome: { i18n: { getMessage: (key: string, words: string[]) => `<${[key, ...words].join(" ")}>` } } });
});

const usage = { input: 0, cached: 0, written: 0, output: 0, reasoning: 0, cost: 0, unpriced: 0 };

function item(body: ItemBody): Event {
  return { type: "item", conversation: "c", item: { id: "i", position: 1, seq: 1, turn: "t", at: 0, body } };
}

function message(text: string, state: "streaming" | "complete"): Event {
  return item({ kind: "assistant_message", blocks: [], text, thinking: "", state: { state }, model: "m" });
}

function end(reason: TurnEndReason): Event {
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
    { type: "run", conversation: "c", run: { state: "working", turn: "t", round: 1, activity, usage } },
    "The server is busy.",
  );
});

function call(state: CallState): ItemBody {
  return { kind: "tool_call", call: "k", tool: "open_tab", title: "Open a tab", arguments: "{}", state, attempts: 0, child: null };
}

function ofSubAgent(event: Event): Event {
  return { type: "sub_agent_event", conversation: "c", call: "a", child: "d", event };
}

const approval = call({ state: "awaiting_approval", reason: "It changes a tab." });
const question = call({ state: "asking", question: "Which one?", options: [], multiple: false, until: 1 });
const done = call({ state: "done", result: "{}", is_error: false, millis: 1 });
const guard = (state: QuestionState): ItemBody => ({ kind: "question", question: "Go on?", options: ["Yes"], state });

test("what the person is asked is read out, and what was asked is not", () => {
  check(item(approval), "<announce_approval Open a tab It changes a tab.>");
  check(item(question), "<announce_question Which one?>");
  check(item(guard({ state: "open", until: 1 })), "<announce_question Go on?>");
  check(item(guard({ state: "answered", answer: "Yes" })), null);
  check(item(done), null);
  const activity = { activity: "waiting_for_person" } as const;
  check({ type: "run", conversation: "c", run: { state: "working", turn: "t", round: 1, activity, usage } }, null);
});

test("what was asked before the panel was open is read out when it opens", () => {
  const snapshot = (...bodies: ItemBody[]): Event => {
    const items = bodies.map((body, at) => ({ id: `${at}`, position: at, seq: at, turn: "t", at: 0, body }));
    return { type: "snapshot", op: "o", conversation: "c", complete: true, items, tasks: [], run: { state: "idle" } };
  };
  check(snapshot(question, done), "<announce_question Which one?>");
  check(snapshot(done, guard({ state: "expired" })), null);
});

test("of a sub-agent only what it asks is read out", () => {
  check(ofSubAgent(item(approval)), "<announce_approval Open a tab It changes a tab.>");
  check(ofSubAgent(message("Hello", "complete")), null);
  check(ofSubAgent({ type: "tasks", conversation: "d", tasks: [] }), null);
  assert.equal(announcement(ofSubAgent(item(approval)), "another"), null);
});

test("a summary is mentioned, not read out", () => {
  check(item({ kind: "summary", blocks: [], text: "All of it.", by_model: true }), "<summary_title>");
});

test("other conversations are silent", () => {
  assert.equal(announcement(message("Hello", "complete"), "another"), null);
});
