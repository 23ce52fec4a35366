import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import type { CoreHealth } from "../generated/protocol.ts";
import { GIVE_UP_AFTER_MS, WAKING_AFTER_MS } from "./core_client.ts";
import { blocks, ready, run, settled, stop, World } from "./core_client_world.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("a core that never answers is given up with the reason, and tried again when asked", async () => {
  const world = new World();
  world.isAlive = false;
  world.ensureAnswer = { ok: false, message: "No document." };
  void world.client.send(stop);
  await settled();
  await world.pass(GIVE_UP_AFTER_MS);
  assert.equal(world.news().at(-1), "down: No document.");
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), []);
  world.client.retry();
  await settled();
  assert.deepEqual(world.news(), ["waking: null", "try again", "ensure", "stop o1", "waking: No document."]);
});

test("only the person's own wish tries again: no resending, no death, no new op does", async () => {
  const world = await World.attached();
  world.isRunning = true;
  void world.client.send(stop);
  await world.die();
  await world.pass(GIVE_UP_AFTER_MS);
  await world.hear({ kind: "core_down", message: "It stopped five times." });
  void world.client.send({ type: "hello" });
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news().filter((line) => line === "try again"), []);
});

test("a core that cannot start is given up at once, and forgiven when it is ready", async () => {
  const world = await World.attached();
  await world.hear({ kind: "core_down", message: "The disk is full." });
  assert.deepEqual(world.news(), ["down: The disk is full."]);
  await world.say(ready);
  assert.deepEqual(world.news(), ["heard core", "ok"]);
});

const busy: CoreHealth = { state: "waiting_for_storage", message: "Busy." };
const full: CoreHealth = { state: "waiting_for_storage", message: "Full." };
const newer: CoreHealth = { state: "failed", message: "Newer database." };

test("what a core without an epoch says of itself is heard each time, whatever was heard before", async () => {
  const world = await World.attached();
  await world.murmur(busy);
  await world.murmur(full);
  await world.murmur(newer);
  const heard = ["heard core", "waking: Busy.", "heard core", "waking: Full.", "heard core", "down: Newer database."];
  assert.deepEqual(world.news(), heard);
});

test("what a core without an epoch says of itself is no gap in what this view has seen", async () => {
  const world = await World.attached();
  await world.murmur(busy);
  world.news();
  await world.say(run(), blocks());
  assert.deepEqual(world.news(), ["heard run", "heard blocks"]);
});

test("a core that waits for its storage is waited for, however long, and answers when it is ready", async () => {
  const world = new World();
  void world.client.send(stop);
  await settled();
  await world.murmur(busy);
  await world.pass(GIVE_UP_AFTER_MS);
  void world.client.send({ type: "hello" });
  await settled();
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), ["stop o1", "heard core", "waking: Busy.", "hello o2"]);
  await world.say(ready);
  assert.deepEqual(world.news(), ["heard core", "ok", "stop o1", "hello o2"]);
  await world.pass(WAKING_AFTER_MS);
  assert.deepEqual(world.news(), ["waking: null"]);
});

test("a core that dies while it waits for its storage is mourned as any other", async () => {
  const world = new World();
  void world.client.send(stop);
  await settled();
  await world.murmur(busy);
  world.news();
  await world.die();
  assert.deepEqual(world.news(), ["ok", "ensure"]);
  await world.pass(GIVE_UP_AFTER_MS);
  assert.equal(world.news().at(-1), "down: null");
});

test("a core that failed before it answered is given up with its own words, at every op", async () => {
  const world = new World();
  void world.client.send(stop);
  await settled();
  await world.murmur(newer);
  assert.deepEqual(world.news(), ["stop o1", "heard core", "down: Newer database."]);
  void world.client.send({ type: "hello" });
  await settled();
  await world.murmur(newer);
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), ["hello o2", "heard core"]);
});

test("the core's death during a turn brings it back", async () => {
  const world = await World.attached();
  world.isRunning = true;
  await world.die();
  assert.deepEqual(world.news(), ["ensure"]);
  world.rise();
  await world.say(ready);
  assert.deepEqual(world.news().slice(0, 1), ["heard core"]);
  world.news();
  await world.die();
  assert.deepEqual(world.news(), ["ensure"]);
});

test("the core's death while nothing runs leaves everybody in peace", async () => {
  const world = await World.attached();
  await world.die();
  await world.pass(GIVE_UP_AFTER_MS);
  assert.deepEqual(world.news(), []);
});

test("what a core that died did not answer is asked of its successor at once", async () => {
  const world = await World.attached();
  void world.client.send(stop);
  await settled();
  world.news();
  await world.die();
  assert.deepEqual(world.news(), ["ensure"]);
  world.rise();
  await world.say(ready);
  assert.deepEqual(world.news().slice(0, 2), ["heard core", "stop o2"]);
});

test("a successor that is there already is sent what its predecessor did not answer", async () => {
  const world = await World.attached();
  void world.client.send(stop);
  await settled();
  world.news();
  const died = world.die();
  world.rise();
  await died;
  assert.deepEqual(world.news(), ["stop o2"]);
});
