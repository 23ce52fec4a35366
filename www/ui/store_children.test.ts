// Task lists, what is gone or cleared, and sub-agents.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Event } from "../generated/protocol.ts";
import { workingChildren } from "./store.ts";
import { after, agentCall, blocks, gone, item, next, ofChild, paragraph, shown, snapshot, streaming, task, user, working } from "./store_world.ts";

const running = { state: "running", since: 0 } as const;
const done = { state: "done", result: "{}", is_error: false, millis: 1 } as const;

function tasks(...list: ReturnType<typeof task>[]): Event {
  return { type: "tasks", conversation: "c", tasks: list };
}

test("what is gone is dropped, told alone, in part or as a whole", () => {
  const all = snapshot(true, [user(1), user(2), user(3)]);
  const check = (events: Event[], expected: string[]) => assert.deepEqual(shown(after(...events).open?.items), expected);
  check([all, item(gone(2, 9))], ["i1@1", "i3@3"]);
  check([all, snapshot(false, [gone(1, 9), gone(4, 9), user(5)])], ["i2@2", "i3@3", "i5@5"]);
  check([snapshot(true, [user(1), gone(2, 9)])], ["i1@1"]);
});

test("what is gone and was never known changes nothing", () => {
  const before = after(snapshot(true, [user(1)]));
  assert.equal(next(before, item(gone(2, 9))), before);
});

test("a cleared conversation is empty and known to be", () => {
  const before = after(snapshot(true, [agentCall(1, 1, "k", running)], "c", [task("1")]), snapshot(true, [user(1)], "k"));
  const { open } = next(before, { type: "cleared", conversation: "c" });
  const isKnown = [open?.isLoaded, open?.items, open?.tasks, open?.children.size, open?.run.state];
  assert.deepEqual(isKnown, [true, [], [], 0, "idle"]);
  assert.equal(next(before, { type: "cleared", conversation: "other" }), before);
});

test("the task list is as the core last said", () => {
  const before = after(snapshot(true, [], "c", [task("1")]));
  assert.deepEqual(before.open?.tasks, [task("1")]);
  const list = [task("1", "completed"), task("2", "in_progress")];
  assert.deepEqual(next(before, tasks(...list)).open?.tasks, list);
});

test("a task that has not changed keeps its identity, and so does a whole list", () => {
  const before = after(snapshot(true, [user(1)], "c", [task("1"), task("2")]));
  assert.equal(next(before, tasks(task("1"), task("2"))), before);
  assert.equal(next(before, snapshot(true, [], "c", [task("1"), task("2")])).open?.tasks, before.open?.tasks);
  const later = next(before, tasks(task("1"), task("2", "completed")));
  assert.equal(later.open?.tasks[0], before.open?.tasks[0]);
  assert.deepEqual(later.open?.tasks[1], task("2", "completed"));
  assert.equal(later.open.items, before.open?.items);
  const shorter = next(before, tasks(task("1")));
  assert.deepEqual(shorter.open?.tasks, [task("1")]);
});

const withChild = [snapshot(true, [user(0), agentCall(1, 1, "k", running)]), snapshot(true, [user(1), streaming(2, 2)], "k", [task("1")])];

test("a snapshot of a sub-agent goes under its call", () => {
  const child = after(...withChild).open?.children.get("k");
  assert.deepEqual([child?.call, shown(child?.items), child?.tasks, child?.run.state], ["call 1", ["i1@1", "i2@2"], [task("1")], "idle"]);
});

test("a snapshot of what is neither open nor a sub-agent of it changes nothing", () => {
  const before = after(...withChild);
  assert.equal(next(before, snapshot(true, [user(1)], "other")), before);
});

test("what happens in a sub-agent changes it, and nothing else", () => {
  const before = after(...withChild);
  const events: [Event, string[]][] = [
    [item(user(3), "k"), ["i1@1", "i2@2", "i3@3"]],
    [item(gone(1, 9), "k"), ["i2@2"]],
    [blocks(0, [paragraph("a")], "k"), ["i1@1", "i2@150"]],
    [{ type: "run", conversation: "k", run: working() }, ["i1@1", "i2@2"]],
    [{ type: "tasks", conversation: "k", tasks: [] }, ["i1@1", "i2@2"]],
  ];
  for (const [event, expected] of events) {
    const later = next(before, ofChild("k", event));
    assert.notEqual(later.open?.children.get("k"), before.open?.children.get("k"));
    assert.deepEqual(shown(later.open?.children.get("k")?.items), expected);
    assert.equal(later.open?.items, before.open?.items);
  }
  assert.equal(next(before, ofChild("k", { type: "run", conversation: "k", run: working() })).open?.children.get("k")?.run.state, "working");
});

test("sub-agents do not change each other, nor an item of theirs its neighbours", () => {
  const two = after(
    snapshot(true, [agentCall(1, 1, "k", running), agentCall(2, 2, "l", running)]),
    snapshot(true, [user(1), streaming(2, 2)], "k"),
    snapshot(true, [user(1)], "l"),
  );
  const later = next(two, ofChild("k", blocks(0, [paragraph("a")], "k")));
  assert.equal(later.open?.children.get("l"), two.open?.children.get("l"));
  assert.equal(later.open?.children.get("k")?.items[0], two.open?.children.get("k")?.items[0]);
});

test("what happens in a sub-agent before its snapshot, or in one of another conversation, changes nothing", () => {
  const before = after(snapshot(true, [agentCall(1, 1, "k", running)]));
  assert.equal(next(before, ofChild("k", item(user(1), "k"))), before);
  assert.equal(next(before, ofChild("k", item(user(1), "k"), "other")), before);
  const known = after(...withChild);
  assert.equal(next(known, ofChild("k", { type: "core", health: { state: "ready" } })), known);
  assert.equal(next(known, ofChild("k", { type: "tasks", conversation: "k", tasks: [task("1")] })), known);
});

test("a sub-agent goes with its call", () => {
  const before = after(...withChild);
  assert.equal(next(before, item(gone(1, 9))).open?.children.size, 0);
  assert.equal(next(before, item(gone(0, 9))).open?.children, before.open?.children);
  assert.equal(next(before, snapshot(true, [user(0)])).open?.children.size, 0);
  assert.equal(next(before, snapshot(true, [agentCall(1, 9, "k", done)])).open?.children, before.open?.children);
});

test("sub-agents at work are known from the items that come, and finished ones are not among them", () => {
  const check = (event: Event, expected: string[]) => assert.deepEqual(workingChildren(after(), event), expected);
  check(item(agentCall(1, 1, "k", running)), ["k"]);
  check(item(agentCall(1, 1, "k", { state: "awaiting_approval", reason: "" })), ["k"]);
  check(item(agentCall(1, 1, null, running)), []);
  check(item(agentCall(1, 1, "k", done)), []);
  check(item(agentCall(1, 1, "k", { state: "unknown" })), []);
  check(item(agentCall(1, 1, "k", running), "other"), []);
  check(snapshot(true, [agentCall(1, 1, "k", done), agentCall(2, 2, "l", running), user(3)]), ["l"]);
  check({ type: "core", health: { state: "ready" } }, []);
});
