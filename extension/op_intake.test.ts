import assert from "node:assert/strict";
import { test } from "node:test";
import type { CoreHealth, Event, EventEnvelope, OpEnvelope } from "../www/generated/protocol.ts";
import { OpIntake } from "./op_intake.ts";

const failed: CoreHealth = { state: "failed", message: "The database is newer." };
const ready: CoreHealth = { state: "ready" };

function op(id: string): OpEnvelope {
  return { id, op: { type: "hello" } };
}

function health(state: CoreHealth): EventEnvelope {
  return { epoch: 0, seq: 1, event: { type: "core", health: state } };
}

/** An intake and its surroundings. The core takes ops until `hasEnded`. */
function stage() {
  const taken: string[] = [];
  const told: EventEnvelope[] = [];
  const replaced: string[] = [];
  const core = {
    hasEnded: false,
    submit({ id }: OpEnvelope): boolean {
      if (!core.hasEnded) taken.push(id);
      return !core.hasEnded;
    },
  };
  const intake = new OpIntake({
    broadcast: (envelope) => void told.push(envelope),
    replace: (message) => void replaced.push(message),
  });
  const end = (last: CoreHealth): void => {
    intake.emit(health(last));
    core.hasEnded = true;
    told.length = 0;
  };
  return { intake, core, taken, told, replaced, end };
}

test("ops that come before the core is loaded are taken by it in their order", () => {
  const { intake, core, taken } = stage();
  intake.take(op("a"));
  intake.take(op("b"));
  assert.deepEqual(taken, []);
  intake.begin(core);
  intake.take(op("c"));
  assert.deepEqual(taken, ["a", "b", "c"]);
});

test("what the core says goes to all views", () => {
  const { intake, told } = stage();
  const events: Event[] = [{ type: "core", health: ready }, { type: "applied", op: "a" }];
  for (const [index, event] of events.entries()) intake.emit({ epoch: 1, seq: index, event });
  assert.deepEqual(told.map(({ event }) => event), events);
});

test("an op to a core that failed is answered by how it failed, each time", () => {
  const { intake, core, told, replaced, end } = stage();
  intake.begin(core);
  end(failed);
  intake.take(op("a"));
  intake.take(op("b"));
  assert.deepEqual(told, [health(failed), health(failed)]);
  assert.deepEqual(replaced, []);
});

test("an op to a core that rests is left to its successor", () => {
  const { intake, core, told, replaced, end } = stage();
  intake.begin(core);
  end(ready);
  intake.take(op("a"));
  assert.deepEqual([told, replaced], [[], []]);
});

test("a person's wish replaces a core that failed, once, and what comes then is for the new one", () => {
  const { intake, core, told, replaced, end } = stage();
  intake.begin(core);
  end(failed);
  intake.tryAgain();
  intake.tryAgain();
  intake.take(op("a"));
  assert.deepEqual(replaced, ["The database is newer."]);
  assert.deepEqual(told, []);
});

test("a person's wish leaves a core alone that lives", () => {
  const { intake, core, taken, replaced } = stage();
  intake.tryAgain();
  intake.begin(core);
  intake.emit(health({ state: "waiting_for_storage", message: "Busy." }));
  intake.tryAgain();
  intake.take(op("a"));
  assert.deepEqual([taken, replaced], [["a"], []]);
});
