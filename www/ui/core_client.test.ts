import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import type { Event } from "../generated/protocol.ts";
import { GIVE_UP_AFTER_MS, RESEND_EVERY_MS, WAKING_AFTER_MS } from "./core_client.ts";
import { blocks, ready, run, settled, snapshot, stop, World } from "./core_client_world.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("an op goes straight to a living core, and the service worker is left alone", async () => {
  const world = new World();
  const answer = world.client.send(stop);
  await settled();
  await world.say({ type: "applied", op: "o1" });
  assert.deepEqual(await answer, { type: "applied", op: "o1" });
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), ["stop o1", "heard applied"]);
});

test("ops go out in the order they were made", async () => {
  const world = new World();
  void world.client.send(stop);
  void world.client.send({ type: "hello" });
  await settled();
  assert.deepEqual(world.news(), ["stop o1", "hello o2"]);
});

test("without a core the op waits until the core is ready", async () => {
  const world = new World();
  world.isAlive = false;
  void world.client.send(stop);
  await settled();
  assert.deepEqual(world.news(), ["ensure"]);
  await world.say(ready);
  assert.deepEqual(world.news(), ["heard core", "stop o1"]);
});

test("an unanswered op is sent again with its id, first quietly, then visibly", async () => {
  const world = new World();
  void world.client.send(stop);
  await settled();
  world.news();
  await world.pass(WAKING_AFTER_MS);
  assert.deepEqual(world.news(), ["waking: null"]);
  await world.pass(RESEND_EVERY_MS - WAKING_AFTER_MS);
  assert.deepEqual(world.news(), ["ensure", "stop o1"]);
  await world.pass(RESEND_EVERY_MS);
  assert.deepEqual(world.news(), ["ensure", "stop o1"]);
  await world.say({ type: "applied", op: "o1" });
  assert.deepEqual(world.news(), ["heard applied", "ok"]);
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), []);
});

test("the answer to one op starts the time of the next anew", async () => {
  const world = new World();
  void world.client.send(stop);
  void world.client.send({ type: "hello" });
  await settled();
  await world.pass(WAKING_AFTER_MS);
  await world.say({ type: "applied", op: "o1" });
  world.news();
  await world.pass(WAKING_AFTER_MS - 1);
  assert.deepEqual(world.news(), []);
  await world.pass(1);
  assert.deepEqual(world.news(), ["waking: null"]);
});

test("a tool may take long without the core being thought dead", async () => {
  const world = new World();
  void world.client.send({ type: "call_tool", tool: "list_tabs", arguments: "{}", tab: null });
  await settled();
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), ["call_tool o1"]);
});

test("the same event twice is heard once", async () => {
  const world = await World.attached();
  await world.say(run());
  await world.sayAgain(run());
  assert.deepEqual(world.news(), ["heard run"]);
});

test("an event of an older life is not heard", async () => {
  const world = await World.attached();
  await world.hear({ kind: "events", envelopes: [{ epoch: 0, seq: 7, event: run() }] });
  assert.deepEqual(world.news(), []);
});

test("other views' ops and strangers' words are not heard", async () => {
  const world = await World.attached();
  await world.hear({ kind: "op", envelope: { id: "x", op: stop } });
  await world.hear("events");
  await world.hear(null);
  assert.deepEqual(world.news(), []);
});

test("after a gap the view attaches from the last number before it", async () => {
  const world = await World.attached();
  await world.say(run());
  world.lose(3);
  await world.say(run());
  assert.deepEqual(world.news(), ["heard run", "heard run", "hello o2", "attach o3 since 1.2"]);
});

test("after a gap blocks are held back until the snapshot, for they build on what was missed", async () => {
  const world = await World.attached();
  world.lose(1);
  await world.say(blocks(), blocks());
  assert.deepEqual(world.news(), ["hello o2", "attach o3 since 1.1"]);
  await world.say(snapshot("o3", false), blocks());
  assert.deepEqual(world.news(), ["heard snapshot", "heard blocks"]);
});

test("a second gap before the snapshot asks again from before the first, once", async () => {
  const world = await World.attached();
  world.lose(1);
  await world.say(run(), run());
  world.lose(1);
  await world.say(run());
  const asked = world.news().filter((line) => line.startsWith("attach"));
  assert.deepEqual(asked, ["attach o3 since 1.1", "attach o5 since 1.1"]);
});

test("of several unanswered questions of one kind only the newest is repeated", async () => {
  const world = await World.attached();
  world.client.sync();
  world.client.sync();
  await settled();
  world.news();
  await world.say(ready);
  assert.deepEqual(world.news(), ["heard core", "hello o4", "attach o5 since 1.1"]);
});

test("another view's partial snapshot does not close our gap", async () => {
  const world = await World.attached();
  world.lose(1);
  await world.say(run(), snapshot("stranger", false), blocks());
  const heard = world.news().filter((line) => line.startsWith("heard"));
  assert.deepEqual(heard, ["heard run"]);
});

test("a new epoch is a gap: the view attaches again and repeats what was not answered", async () => {
  const world = await World.attached();
  await world.say(run());
  void world.client.send(stop);
  await settled();
  world.news();
  world.rise();
  await world.say(ready);
  assert.deepEqual(world.news(), ["heard core", "stop o2", "hello o3", "attach o4 since 1.2"]);
});

test("blocks before the first snapshot are held back", async () => {
  const world = new World();
  world.client.attach("c");
  await settled();
  await world.say(run(), blocks());
  assert.deepEqual(world.news(), ["attach o1 since null", "heard run"]);
});

test("a page of the list is for the view that asked for it", async () => {
  const world = await World.attached();
  void world.client.send({ type: "list_conversations", after: "c" });
  await settled();
  const page = (op: string): Event => ({ type: "conversations", op, conversations: [], more: false });
  await world.say(page("stranger"), page("o2"));
  assert.deepEqual(world.news(), ["list_conversations o2", "heard conversations"]);
});

test("another conversation is attached from its beginning", async () => {
  const world = await World.attached();
  world.client.attach("d");
  await settled();
  assert.deepEqual(world.news(), ["attach o2 to d since null"]);
});
