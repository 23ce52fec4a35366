// A view that follows sub-agents beside the conversation that is open.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { childBlocks, run, settled, snapshot, World } from "./core_client_world.ts";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** Attached to "c", following its sub-agent "k", everything answered. */
async function following(): Promise<World> {
  const world = await World.attached();
  world.client.follow("k");
  await settled();
  await world.say(snapshot("o2", true, "k"));
  world.news();
  return world;
}

test("a sub-agent is attached once, from its beginning, however often it is followed", async () => {
  const world = await World.attached();
  world.client.follow("k");
  world.client.follow("k");
  await settled();
  assert.deepEqual(world.news(), ["attach o2 to k since null"]);
});

test("a sub-agent's blocks are held back until its snapshot, and where it is not followed", async () => {
  const world = await World.attached();
  world.client.follow("k");
  await settled();
  await world.say(childBlocks("k"), snapshot("o2", true, "k"), childBlocks("k"), childBlocks("stranger"));
  assert.deepEqual(world.news(), ["attach o2 to k since null", "heard snapshot", "heard sub_agent_event"]);
});

test("what else happens in a sub-agent is heard at any time", async () => {
  const world = await World.attached();
  await world.say({ type: "sub_agent_event", conversation: "c", call: "call", child: "k", event: run() });
  assert.deepEqual(world.news(), ["heard sub_agent_event"]);
});

test("after a gap all that is followed is attached again, each from where it is known", async () => {
  const world = await following();
  await world.say(run());
  world.lose(1);
  await world.say(run());
  assert.deepEqual(world.news(), ["heard run", "heard run", "hello o3", "attach o4 since 1.3", "attach o5 to k since 1.3"]);
});

test("each snapshot after a gap makes good for its own conversation", async () => {
  const world = await following();
  world.lose(1);
  await world.say(run(), snapshot("o4", false), childBlocks("k"), snapshot("o5", false, "k"), childBlocks("k"));
  const heard = world.news().filter((line) => line.startsWith("heard"));
  assert.deepEqual(heard, ["heard run", "heard snapshot", "heard snapshot", "heard sub_agent_event"]);
});

test("another conversation is followed without the sub-agents of the one before", async () => {
  const world = await following();
  world.client.attach("d");
  await settled();
  world.client.sync();
  await settled();
  assert.deepEqual(world.news(), ["attach o3 to d since null", "hello o4", "attach o5 to d since null"]);
});
