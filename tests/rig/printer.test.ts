import assert from "node:assert/strict";
import { test } from "node:test";
import type { Block, CallState, Event, ItemBody, MessageState, QuestionState } from "../../www/generated/protocol.ts";
import { Printer } from "./printer.ts";
import { textOf, Transcript } from "./transcript.ts";

/** What is on the terminal after these events, seen by way of a transcript. */
function check(events: Event[], expected: string): void {
  const transcript = new Transcript("c");
  let printed = "";
  const printer = new Printer((text) => {
    printed += text;
  });
  for (const event of events) {
    for (const item of transcript.apply(event)) printer.show(item);
  }
  assert.equal(printed, expected);
}

const paragraph = (text: string): Block => ({ block: "paragraph", content: [{ inline: "text", text }] });
const item = (id: string, body: ItemBody): Event => ({
  type: "item",
  conversation: "c",
  item: { id, position: Number(id), seq: 1, turn: "t", at: 0, body },
});
const message = (id: string, texts: string[], state: MessageState): Event =>
  item(id, { kind: "assistant_message", blocks: texts.map(paragraph), text: "", thinking: "", state, model: "m" });
const grown = (id: string, keep: number, texts: string[]): Event => ({
  type: "blocks",
  conversation: "c",
  item: id,
  keep,
  blocks: texts.map(paragraph),
});
const call = (id: string, state: CallState): Event =>
  item(id, { kind: "tool_call", call: id, tool: "list_tabs", title: "List tabs", arguments: "{}", state, attempts: 1, child: null });

const streaming = { state: "streaming" } as const;
const complete = { state: "complete" } as const;

test("a message is printed as it grows, each piece once", () => {
  check(
    [
      message("1", [], streaming),
      grown("1", 0, ["You ha"]),
      grown("1", 0, ["You have two"]),
      grown("1", 1, ["First."]),
      message("1", ["You have two", "First."], complete),
    ],
    "You have two\n\nFirst.\n",
  );
});

test("what may still turn out to be Markdown waits until it is known", () => {
  check(
    [message("1", ["a *bo"], streaming), grown("1", 0, ["a bold"]), message("1", ["a bold move"], complete)],
    "a bold move\n",
  );
  check([message("1", ["Tabs:", "| a |"], streaming), message("1", ["Tabs:", "a"], complete)], "Tabs:\n\na\n");
});

test("text that changed after it was printed is printed again as a whole, at the end", () => {
  check(
    [message("1", ["a bo"], streaming), grown("1", 0, ["the bold"]), message("1", ["the bold move"], complete)],
    "a bo\nthe bold move\n",
  );
});

test("a message that was cut says why", () => {
  check(
    [message("1", ["half"], streaming), message("1", ["half"], { state: "cut", reason: "stopped" })],
    "half\n[cut: stopped]\n",
  );
});

test("a call is told when it starts and when it has a result", () => {
  check(
    [
      message("1", ["Looking"], streaming),
      call("2", { state: "waiting" }),
      call("2", { state: "running", since: 1 }),
      call("2", { state: "running", since: 1 }),
      call("2", { state: "done", result: "[]", is_error: false, millis: 7 }),
      call("3", { state: "done", result: "no", is_error: true, millis: 1 }),
      call("4", { state: "unknown" }),
    ],
    "Looking\n-> list_tabs {}\n<- [] (7 ms)\n-> list_tabs {}\n<- error: no (1 ms)\n-> list_tabs {}\n<- interrupted, may have happened\n",
  );
});

test("what the person is asked is told once, and how a question was answered", () => {
  const question = (state: QuestionState): Event => item("4", { kind: "question", question: "Go on?", options: ["Continue", "Stop"], state });
  check(
    [
      call("1", { state: "awaiting_approval", reason: "It changes something." }),
      call("2", { state: "asking", question: "Which?", options: ["Red", "Blue"], multiple: false, until: 9 }),
      call("2", { state: "asking", question: "Which?", options: ["Red", "Blue"], multiple: false, until: 9 }),
      question({ state: "open", until: 9 }),
      question({ state: "answered", answer: "Stop" }),
    ],
    "? allow list_tabs {}? It changes something. (answer in the panel)\n? Which? / Red / Blue (answer in the panel)\n? Go on? / Continue / Stop (answer in the panel)\nanswered: Stop\n",
  );
});

test("what is gone is left out, and a cleared conversation is empty", () => {
  const transcript = new Transcript("c");
  transcript.apply(message("1", ["One"], complete));
  transcript.apply(message("2", ["Two"], complete));
  assert.deepEqual(transcript.apply(item("1", { kind: "gone" })), []);
  assert.deepEqual(transcript.items.map(({ id }) => id), ["2"]);
  transcript.apply({ type: "cleared", conversation: "c" });
  assert.deepEqual(transcript.items, []);
});

test("notices and the end of the turn have a line each", () => {
  check(
    [
      item("1", { kind: "user_message", text: "hi" }),
      item("2", { kind: "notice", level: "warning", code: "slow", text: "It is slow." }),
      item("3", { kind: "turn_end", reason: "done", usage: { input: 10, cached: 4, written: 0, output: 5, reasoning: 0, cost: 0, unpriced: 0 }, millis: 1_250 }),
    ],
    "> hi\n! warning: It is slow. (slow)\nturn ended: done, 15 tokens, 1.3 s\n",
  );
});

test("other conversations are left out, and a complete snapshot replaces everything", () => {
  const transcript = new Transcript("c");
  transcript.apply(call("1", { state: "waiting" }));
  assert.deepEqual(transcript.apply({ ...grown("1", 0, ["x"]), conversation: "d" } as Event), []);
  transcript.apply({ type: "snapshot", op: "o", conversation: "c", complete: true, items: [], tasks: [], run: { state: "idle" } });
  assert.deepEqual(transcript.items, []);
});

test("every kind of block has a plain form", () => {
  const text = [{ inline: "text", text: "a" } as const];
  const blocks: Block[] = [
    { block: "heading", level: 1, content: [{ inline: "strong", content: text }, { inline: "break" }, { inline: "code", text: "c" }] },
    { block: "code", language: "js", text: "x\n" },
    { block: "quote", blocks: [paragraph("q\nr")] },
    { block: "list", start: 3, items: [{ checked: null, blocks: [paragraph("one")] }, { checked: true, blocks: [paragraph("two")] }] },
    { block: "table", align: ["none"], head: [text], rows: [[[{ inline: "link", url: "https://a.test/", content: text }]]] },
    { block: "rule" },
  ];
  assert.equal(textOf(blocks), "a\nc\n\nx\n\n> q\n> r\n\n3. one\n4. [x] two\n\na\na (https://a.test/)\n\n---");
});
