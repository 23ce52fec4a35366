import assert from "node:assert/strict";
import { test } from "node:test";

import type { Event, OpEnvelope } from "../generated/protocol.ts";
import { View } from "../ui/view.ts";
import { Controller, type Outgoing } from "./controller.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

/** A controller before a core that answers what the test says. */
class Stage {
  readonly ops: OpEnvelope[] = [];
  readonly opened: string[] = [];
  readonly controller: Controller;
  #listener: (message: unknown) => void = () => undefined;
  #ids = 0;
  #seq = 2 ** 32;

  constructor(last: string | null) {
    const newId = () => `n${++this.#ids}`;
    const view = new View({
      post: (message) => {
        if (message.kind === "op") this.ops.push(message.envelope);
      },
      listen: (listener) => (this.#listener = listener),
      isCoreAlive: () => Promise.resolve(true),
      untilCoreDies: () => new Promise(() => undefined),
      ensureCore: () => Promise.resolve({ ok: true }),
      newId,
    });
    this.controller = new Controller(view, {
      newId,
      activeTab: () => Promise.resolve(7),
      openOptions: () => undefined,
      lastConversation: { read: () => last, write: (id) => this.opened.push(id) },
      now: () => NOW,
    });
  }

  async say(event: Event): Promise<void> {
    this.#listener({ kind: "event", envelope: { epoch: 1, seq: ++this.#seq, event } });
    await settled();
  }

  /** The op of this type that was sent last. */
  async sent(type: OpEnvelope["op"]["type"]): Promise<OpEnvelope> {
    await settled();
    const envelope = this.ops.findLast(({ op }) => op.type === type);
    assert.ok(envelope, `no ${type} was sent`);
    return envelope;
  }

  /** A new conversation in which this message is on its way. */
  static async sending(text: string): Promise<{ stage: Stage; op: string; conversation: string }> {
    const stage = new Stage(null);
    stage.controller.setDraft(text);
    void stage.controller.sendMessage(text);
    const { id } = await stage.sent("send_message");
    // Nothing may be left to wait for when the test ends.
    for (const type of ["hello", "attach"] as const) await stage.say({ type: "applied", op: (await stage.sent(type)).id });
    return { stage, op: id, conversation: stage.controller.conversation };
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function userMessage(conversation: string, text: string): Event {
  const item = { id: "i", position: 0, seq: 1, turn: "t", at: 0, body: { kind: "user_message", text } } as const;
  return { type: "item", conversation, item };
}

test("a message goes out with the tab and is shown until it is part of the conversation", async () => {
  const { stage, op, conversation } = await Stage.sending("hello");
  const { op: sent } = await stage.sent("send_message");
  assert.deepEqual(sent, { type: "send_message", conversation, text: "hello", tab: 7 });
  assert.equal(stage.controller.draft, "");
  assert.deepEqual(stage.controller.outgoing.map(({ text }) => text), ["hello"]);
  await stage.say(userMessage(conversation, "hello"));
  assert.deepEqual(stage.controller.outgoing, []);
  await stage.say({ type: "applied", op });
  assert.equal(stage.controller.fault, null);
});

test("a refused message comes back into the composer with the reason", async () => {
  const { stage, op } = await Stage.sending("hello");
  await stage.say({ type: "refused", op, refusal: { code: "no_model", message: "Add a model first." } });
  assert.equal(stage.controller.draft, "hello");
  assert.equal(stage.controller.fault, "Add a model first.");
  assert.deepEqual(stage.controller.outgoing, []);
});

const refusal = { code: "no_model", message: "Add a model first." };

/** A message that was refused while the person typed on. */
async function refusedWhileTyping(): Promise<{ stage: Stage; conversation: string; message: Outgoing }> {
  const { stage, op, conversation } = await Stage.sending("hello");
  stage.controller.setDraft("another");
  await stage.say({ type: "refused", op, refusal });
  const [message] = stage.controller.outgoing;
  assert.ok(message, "the message is lost");
  return { stage, conversation, message };
}

test("a refused message does not overwrite what is being typed, and stays with its reason", async () => {
  const { stage, conversation, message } = await refusedWhileTyping();
  assert.equal(stage.controller.draft, "another");
  assert.deepEqual({ ...message, key: "" }, { key: "", conversation, text: "hello", refusal: "Add a model first." });
  assert.equal(stage.controller.fault, null);
});

test("a refused message stays where it was sent from when the person is elsewhere by then", async () => {
  const { stage, op, conversation } = await Stage.sending("hello");
  stage.controller.newConversation();
  await stage.say({ type: "refused", op, refusal });
  assert.deepEqual([stage.controller.draft, stage.controller.fault], ["", null]);
  assert.deepEqual(stage.controller.outgoing.map((message) => [message.conversation, message.text]), [[conversation, "hello"]]);
  await stage.say({ type: "applied", op: (await stage.sent("attach")).id });
});

test("a refused message is not taken for another one with its text that has arrived", async () => {
  const { stage, conversation } = await refusedWhileTyping();
  await stage.say(userMessage(conversation, "hello"));
  assert.equal(stage.controller.outgoing.length, 1);
});

test("a message is kept when it is refused after another one with its text has arrived", async () => {
  const { stage, op, conversation } = await Stage.sending("hello");
  stage.controller.setDraft("another");
  await stage.say(userMessage(conversation, "hello"));
  await stage.say({ type: "refused", op, refusal });
  assert.deepEqual(stage.controller.outgoing.map(({ text }) => text), ["hello"]);
});

test("a refused message is sent again in its place, under a new id, however often it is pressed", async () => {
  const { stage, conversation, message } = await refusedWhileTyping();
  void stage.controller.sendAgain(message);
  void stage.controller.sendAgain(message);
  const { id, op } = await stage.sent("send_message");
  assert.deepEqual(op, { type: "send_message", conversation, text: "hello", tab: 7 });
  assert.equal(stage.ops.filter(({ op: { type } }) => type === "send_message").length, 2);
  assert.deepEqual(stage.controller.outgoing, [{ ...message, refusal: null }]);
  await stage.say({ type: "applied", op: id });
  assert.deepEqual([stage.controller.outgoing, stage.controller.draft], [[], "another"]);
});

test("a refused message is put back before what is being typed", async () => {
  const { stage, message } = await refusedWhileTyping();
  stage.controller.putBack(message);
  stage.controller.putBack(message);
  assert.deepEqual([stage.controller.outgoing, stage.controller.draft], [[], "hello\n\nanother"]);
});

test("a refused message is put back into an empty composer as it was", async () => {
  const { stage, message } = await refusedWhileTyping();
  stage.controller.setDraft("");
  stage.controller.putBack(message);
  assert.equal(stage.controller.draft, "hello");
});

test("older conversations are asked for after the last that is listed, and not when all are", async () => {
  const stage = new Stage("open");
  const conversations = [{ id: "a", title: "a", created_at: 0, updated_at: 2, running: false }];
  const rest = { models: [], current_model: null, settings: { max_rounds: 50, idle_minutes: 5 } };
  const welcome = { conversations, more_conversations: true, ...rest };
  await stage.say({ type: "welcome", op: (await stage.sent("hello")).id, welcome });
  await stage.say({ type: "applied", op: (await stage.sent("attach")).id });
  const answer = stage.controller.listOlder();
  const { id, op } = await stage.sent("list_conversations");
  assert.deepEqual(op, { type: "list_conversations", after: "a" });
  await stage.say({ type: "conversations", op: id, conversations: [], more: false });
  assert.equal((await answer)?.type, "conversations");
  assert.equal(await stage.controller.listOlder(), null);
});

test("the open conversation is the last one, and a new one when that is deleted", async () => {
  const stage = new Stage("old");
  assert.equal(stage.controller.conversation, "old");
  await stage.say({ type: "applied", op: (await stage.sent("hello")).id });
  await stage.say({ type: "conversation_deleted", conversation: "old" });
  const { id, op } = await stage.sent("attach");
  assert.notEqual(stage.controller.conversation, "old");
  assert.deepEqual(op, { type: "attach", conversation: stage.controller.conversation, since: null });
  assert.deepEqual(stage.opened, [stage.controller.conversation]);
  await stage.say({ type: "applied", op: id });
});

test("an empty message is not sent", async () => {
  const { stage, op } = await Stage.sending("hello");
  await stage.say({ type: "applied", op });
  await stage.controller.sendMessage(" \n ");
  assert.equal(stage.ops.filter(({ op: { type } }) => type === "send_message").length, 1);
});

test("without a remembered conversation the panel comes back to what was going on", async () => {
  const conversation = (id: string, age: number, running: boolean) =>
    ({ id, title: id, created_at: 0, updated_at: NOW - age, running }) as const;
  const check = async (last: string | null, conversations: ReturnType<typeof conversation>[], expected: string) => {
    const stage = new Stage(last);
    const { id: op } = await stage.sent("hello");
    const settings = { max_rounds: 50, idle_minutes: 5 };
    const welcome = { conversations, more_conversations: false, models: [], current_model: null, settings };
    await stage.say({ type: "welcome", op, welcome });
    assert.equal(stage.controller.conversation, expected);
  };
  const fresh = new Stage(null).controller.conversation;
  await check(null, [], fresh);
  await check(null, [conversation("recent", HOUR - 1, false), conversation("b", 9, true)], "recent");
  await check(null, [conversation("old", HOUR + 1, false)], fresh);
  await check(null, [conversation("old but running", HOUR * 9, true)], "old but running");
  await check("remembered", [conversation("recent", 1, true)], "remembered");
});
