import assert from "node:assert/strict";
import { test } from "node:test";

import type { Event, Op, OpEnvelope } from "../generated/protocol.ts";
import { agentCall, item, noUsage, settings, snapshot } from "../ui/store_world.ts";
import { View } from "../ui/view.ts";
import { Controller, type Outgoing } from "./controller.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const TAB = { id: 7, url: "https://example.com/", title: "Example" };

/** A controller before a core that answers what the test says. */
class Stage {
  readonly ops: OpEnvelope[] = [];
  readonly opened: string[] = [];
  readonly controller: Controller;
  #listener: (message: unknown) => void = () => undefined;
  readonly #frames: (() => void)[] = [];
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
      activeTab: () => Promise.resolve(TAB),
      openOptions: () => undefined,
      lastConversation: { read: () => last, write: (id) => this.opened.push(id) },
      now: () => NOW,
      nextFrame: (work) => void this.#frames.push(work),
    });
  }

  /** Draws: calls back whoever waits for it. */
  draw(): void {
    for (const work of this.#frames.splice(0)) work();
  }

  async say(event: Event): Promise<void> {
    this.#listener({ kind: "events", envelopes: [{ epoch: 1, seq: ++this.#seq, event }] });
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
  assert.deepEqual(sent, { type: "send_message", conversation, text: "hello", tab: TAB });
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
  assert.deepEqual(op, { type: "send_message", conversation, text: "hello", tab: TAB });
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
  const conversations = [{ id: "a", title: "a", created_at: 0, updated_at: 2, running: false, waiting: false, usage: noUsage }];
  const rest = { models: [], roles: { current: null, summary: null, fallback: null }, settings };
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
    ({ id, title: id, created_at: 0, updated_at: NOW - age, running, waiting: false, usage: noUsage }) as const;
  const check = async (last: string | null, conversations: ReturnType<typeof conversation>[], expected: string) => {
    const stage = new Stage(last);
    const { id: op } = await stage.sent("hello");
    const welcome = { conversations, more_conversations: false, models: [], roles: { current: null, summary: null, fallback: null }, settings };
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

/** A controller whose conversation is known, with nothing on its way. */
async function ready(): Promise<Stage> {
  const stage = new Stage("c");
  for (const type of ["hello", "attach"] as const) await stage.say({ type: "applied", op: (await stage.sent(type)).id });
  return stage;
}

test("what the person answers goes to the conversation that asked, and a refusal to the card that asked", async () => {
  const check = async (act: (controller: Controller) => Promise<string | null>, expected: Op) => {
    const stage = await ready();
    const taken = act(stage.controller);
    const { id, op } = await stage.sent(expected.type);
    assert.deepEqual(op, expected);
    await stage.say({ type: "applied", op: id });
    assert.equal(await taken, null);

    const refused = act(stage.controller);
    const again = await stage.sent(expected.type);
    await stage.say({ type: "refused", op: again.id, refusal: { code: "too_late", message: "Nobody asks that any more." } });
    assert.equal(await refused, "Nobody asks that any more.");
    assert.equal(stage.controller.fault, null);
  };
  await check(
    (controller) => controller.answerQuestion("child", "i", ["red", "blue"]),
    { type: "answer_question", conversation: "child", item: "i", answers: ["red", "blue"] },
  );
  await check(
    (controller) => controller.decide("child", "i", false, "not that one"),
    { type: "decide", conversation: "child", item: "i", approve: false, note: "not that one" },
  );
  await check(
    (controller) => controller.editMessage("i", "anew"),
    { type: "edit_message", conversation: "c", item: "i", text: "anew", tab: TAB },
  );
});

test("what is asked next after an answer is gone on with, once, unless the person has done something else", async () => {
  const check = async (then: (controller: Controller) => void, expected: boolean) => {
    const stage = await ready();
    assert.equal(stage.controller.takesNextRequest(), false);
    const reply = stage.controller.decide("c", "i", true, "");
    await stage.say({ type: "applied", op: (await stage.sent("decide")).id });
    await reply;
    then(stage.controller);
    assert.equal(stage.controller.takesNextRequest(), expected);
    assert.equal(stage.controller.takesNextRequest(), false);
    for (const { id } of stage.ops) await stage.say({ type: "applied", op: id });
  };
  await check(() => undefined, true);
  await check((controller) => controller.goToComposer(), true);
  await check((controller) => controller.setDraft("h"), false);
  await check((controller) => controller.newConversation(), false);
  await check((controller) => void controller.stop(), false);
});

test("an edited message leads back to the composer, a refused one does not", async () => {
  const stage = await ready();
  const before = stage.controller.timesToComposer;
  const refused = stage.controller.editMessage("i", "anew");
  await stage.say({ type: "refused", op: (await stage.sent("edit_message")).id, refusal });
  await refused;
  assert.equal(stage.controller.timesToComposer, before);
  const taken = stage.controller.editMessage("i", "anew");
  await stage.say({ type: "applied", op: (await stage.sent("edit_message")).id });
  await taken;
  assert.equal(stage.controller.timesToComposer, before + 1);
});

test("what is done to the conversation goes out as its op, and a refusal is shown above the composer", async () => {
  const check = async (act: (controller: Controller) => Promise<unknown>, expected: Op) => {
    const stage = await ready();
    const answer = act(stage.controller);
    const { id, op } = await stage.sent(expected.type);
    assert.deepEqual(op, expected);
    await stage.say({ type: "refused", op: id, refusal });
    await answer;
    assert.equal(stage.controller.fault, "Add a model first.");
  };
  await check((controller) => controller.regenerate("t"), { type: "regenerate", conversation: "c", turn: "t" });
  await check((controller) => controller.compact(), { type: "compact", conversation: "c", instruction: "" });
  await check((controller) => controller.stopSubAgent("child"), { type: "stop", conversation: "child" });
});

test("clearing goes out as its op", async () => {
  const stage = await ready();
  const answer = stage.controller.clear("c");
  const { id, op } = await stage.sent("clear");
  assert.deepEqual(op, { type: "clear", conversation: "c" });
  await stage.say({ type: "applied", op: id });
  assert.equal((await answer).type, "applied");
});

test("sub-agents at work are attached to without being asked for, and others when the person looks", async () => {
  const stage = await ready();
  await stage.say({ type: "snapshot", op: (await stage.sent("attach")).id, conversation: "c", complete: true, items: [], tasks: [], run: { state: "idle" } });
  await stage.say(item(agentCall(1, 1, "child", { state: "running", since: 0 })));
  const { id, op } = await stage.sent("attach");
  assert.deepEqual(op, { type: "attach", conversation: "child", since: null });
  await stage.say(snapshot(true, [], "child"));
  assert.ok(stage.controller.view.state.open?.children.has("child"));
  await stage.say({ type: "applied", op: id });

  stage.controller.view.follow("finished");
  const finished = await stage.sent("attach");
  assert.deepEqual(finished.op, { type: "attach", conversation: "finished", since: null });
  await stage.say({ type: "applied", op: finished.id });
});

test("what the core says shows once a frame, what the person does at once", async () => {
  const stage = new Stage(null);
  let draws = 0;
  stage.draw();
  stage.controller.subscribe(() => (draws += 1));
  for (const id of ["1", "2", "3"]) await stage.say({ type: "conversation_deleted", conversation: id });
  assert.equal(draws, 0);
  stage.draw();
  assert.equal(draws, 1);
  stage.controller.setDraft("words");
  assert.equal(draws, 2);
  await stage.say({ type: "conversation_deleted", conversation: "4" });
  stage.draw();
  stage.draw();
  assert.equal(draws, 3);
});

test("Stop does not overtake the message that was sent before it", async () => {
  const stage = new Stage(null);
  void stage.controller.sendMessage("do it");
  void stage.controller.stop();
  await stage.sent("stop");
  assert.deepEqual(
    stage.ops.map(({ op }) => op.type).filter((type) => type === "send_message" || type === "stop"),
    ["send_message", "stop"],
  );
});
