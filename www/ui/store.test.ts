import assert from "node:assert/strict";
import { test } from "node:test";

import type { ConversationSummary, Event } from "../generated/protocol.ts";
import { hasRunningTurn, lastListed } from "./store.ts";
import { after, blocks, item, line, next, paragraph, settings, shown, snapshot, streaming, summary, user, working } from "./store_world.ts";

function check(events: Event[], expected: string[]): void {
  assert.deepEqual(shown(after(...events).open?.items), expected);
}

test("a complete snapshot replaces what is shown", () => {
  check([snapshot(true, [user(1), user(2)]), snapshot(true, [user(2), user(3)])], ["i2@2", "i3@3"]);
});

test("a partial snapshot is laid over what is shown", () => {
  check([snapshot(true, [user(1), user(2)]), snapshot(false, [user(2, 9), user(3)])], ["i1@1", "i2@9", "i3@3"]);
});

test("an item takes the place of the one with its id", () => {
  check([snapshot(true, [user(1), user(2)]), item(user(1, 7))], ["i1@7", "i2@2"]);
});

test("a new item stands at its position, not at its arrival", () => {
  check([snapshot(true, [user(1), user(3)]), item(user(2)), item(user(4))], ["i1@1", "i2@2", "i3@3", "i4@4"]);
});

test("an item of another conversation is not shown", () => {
  check([snapshot(true, []), item(user(1), "other")], []);
});

test("nothing is shown of a conversation before its first snapshot", () => {
  check([item(user(1))], []);
  assert.equal(after(item(user(1))).open?.isLoaded, false);
});

test("blocks grow a message behind those that are kept", () => {
  const [one, two, three] = [paragraph("one"), paragraph("two"), paragraph("three")];
  const state = after(snapshot(true, [streaming(2, 2, one, paragraph("tw"))]), blocks(1, [two, three]));
  const body = state.open?.items[0]?.body;
  assert.deepEqual(body?.kind === "assistant_message" && body.blocks, [one, two, three]);
  assert.deepEqual(shown(state.open?.items), ["i2@102"]);
});

test("blocks change the identity of their message alone, and of its tail alone", () => {
  const one = paragraph("one");
  const before = after(snapshot(true, [user(1), streaming(2, 2, one, paragraph("tw")), user(3)]));
  const later = next(before, blocks(1, [paragraph("two")]));
  assert.equal(later.open?.items[0], before.open?.items[0]);
  assert.notEqual(later.open?.items[1], before.open?.items[1]);
  assert.equal(later.open?.items[2], before.open?.items[2]);
  assert.equal(later.conversations, before.conversations);
  const body = later.open?.items[1]?.body;
  assert.equal(body?.kind === "assistant_message" && body.blocks[0], one);
});

test("blocks for what is not a message change nothing", () => {
  const before = after(snapshot(true, [user(2)]));
  assert.equal(next(before, blocks(0, [paragraph("x")])), before);
});

test("an unchanged item keeps its identity through a complete snapshot", () => {
  const before = after(snapshot(true, [user(1), user(2)]));
  const later = next(before, snapshot(true, [user(1), user(2, 5)]));
  assert.equal(later.open?.items[0], before.open?.items[0]);
  assert.notEqual(later.open?.items[1], before.open?.items[1]);
});

test("an unchanged item keeps its identity through a partial snapshot", () => {
  const before = after(snapshot(true, [user(1), user(2)]));
  const later = next(before, snapshot(false, [user(2)]));
  assert.equal(later.open?.items[1], before.open?.items[1]);
});

test("the item that ends a stream replaces the grown message", () => {
  const whole = line(2, 103, {
    kind: "assistant_message",
    blocks: [paragraph("all")],
    text: "all",
    thinking: "",
    state: { state: "complete" },
    model: "m",
  });
  const state = after(snapshot(true, [streaming(2, 2)]), blocks(0, [paragraph("al")]), item(whole));
  assert.equal(state.open?.items[0], whole);
});

test("answers alone change nothing", () => {
  const before = after(snapshot(true, []));
  const answers: Event[] = [
    { type: "applied", op: "o" },
    { type: "refused", op: "o", refusal: { code: "empty", message: "The message is empty." } },
    { type: "tool_answer", op: "o", text: "[]", is_error: false, millis: 1 },
  ];
  for (const event of answers) assert.equal(next(before, event), before);
});

test("conversations are listed newest first, each once", () => {
  const state = after(
    welcome(false, summary("a", 1), summary("b", 2)),
    { type: "conversation", summary: summary("a", 3, true) },
    { type: "conversation", summary: summary("d", 0) },
  );
  assert.deepEqual(
    state.conversations.map(({ id }) => id),
    ["a", "b", "d"],
  );
  assert.equal(hasRunningTurn(state), true);
});

function welcome(more_conversations: boolean, ...conversations: ConversationSummary[]): Event {
  const none = { models: [], roles: { current: null, summary: null, fallback: null }, settings };
  return { type: "welcome", op: "o", welcome: { conversations, more_conversations, ...none } };
}

function page(more: boolean, ...conversations: ConversationSummary[]): Event {
  return { type: "conversations", op: "o", conversations, more };
}

/** Checks what is listed, and after which one the list goes on. */
function checkList(events: Event[], expected: string[], last: string | null): void {
  const state = after(...events);
  assert.deepEqual([state.conversations.map(({ id }) => id), lastListed(state)], [expected, last]);
}

test("a list that goes on at the core is asked for after its last one", () => {
  checkList([welcome(true, summary("f", 6), summary("e", 5))], ["f", "e"], "e");
  checkList([welcome(false, summary("f", 6), summary("e", 5))], ["f", "e"], null);
});

test("what changed before the first list came does not make it whole", () => {
  const early: Event = { type: "conversation", summary: summary("f", 6) };
  checkList([early, welcome(true, summary("f", 6), summary("e", 5))], ["f", "e"], "e");
});

test("each page of older ones follows the last, until there are no more", () => {
  const newest = welcome(true, summary("f", 6), summary("e", 5));
  const older = page(true, summary("d", 4), summary("c", 3));
  checkList([newest, older], ["f", "e", "d", "c"], "c");
  checkList([newest, older, page(false, summary("b", 2))], ["f", "e", "d", "c", "b"], null);
  checkList([newest, page(false)], ["f", "e"], null);
});

test("one that changed far down the list leaves nothing out before it", () => {
  const renamed: Event = { type: "conversation", summary: summary("b", 2) };
  checkList([welcome(true, summary("f", 6), summary("e", 5)), renamed], ["f", "e", "b"], "e");
});

test("the list goes on after the one before, when the last was deleted or moved up", () => {
  const newest = welcome(true, summary("f", 6), summary("e", 5), summary("d", 4));
  checkList([newest, { type: "conversation_deleted", conversation: "d" }], ["f", "e"], "e");
  checkList([newest, { type: "conversation", summary: summary("d", 7) }], ["d", "f", "e"], "e");
});

test("older ones stay when the core tells the newest again", () => {
  const newest = welcome(true, summary("f", 6), summary("e", 5));
  const again = welcome(true, summary("g", 7), summary("f", 6));
  checkList([newest, page(true, summary("d", 4), summary("c", 3)), again], ["g", "f", "e", "d", "c"], "c");
  checkList([newest, page(false, summary("d", 4)), again], ["g", "f", "e", "d"], null);
});

test("what is gone from the newest when they are told again is gone from the list", () => {
  const before = [welcome(true, summary("g", 7), summary("f", 6)), page(true, summary("e", 5))];
  checkList([...before, welcome(true, summary("h", 8), summary("f", 6))], ["h", "f", "e"], "e");
  checkList([...before, welcome(false, summary("e", 5))], ["e"], null);
});

test("older ones do not stay when some may be missing between them and the newest", () => {
  const before = [welcome(true, summary("c", 3), summary("b", 2)), page(true, summary("a", 1))];
  checkList([...before, welcome(true, summary("h", 8), summary("g", 7))], ["h", "g"], "g");
});

test("a deleted conversation leaves the list, and the screen when it is open", () => {
  const state = after(
    snapshot(true, [user(1)]),
    { type: "conversation", summary: summary("c", 1) },
    { type: "conversation_deleted", conversation: "c" },
  );
  assert.deepEqual([state.conversations, state.open?.items], [[], []]);
});

test("models, settings, health and run are as the core last said", () => {
  const run: Event = {
    type: "run",
    conversation: "c",
    run: working(),
  };
  const state = after(
    snapshot(true, []),
    { type: "models", models: [], roles: { current: "m", summary: null, fallback: null } },
    { type: "settings", settings: { ...settings, max_rounds: 7 } },
    { type: "core", health: { state: "ready" } },
    run,
  );
  assert.equal(state.roles.current, "m");
  assert.equal(state.settings?.max_rounds, 7);
  assert.deepEqual(state.health, { state: "ready" });
  assert.equal(hasRunningTurn(state), true);
});
