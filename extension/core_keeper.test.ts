import assert from "node:assert/strict";
import { test } from "node:test";
import { CoreKeeper, type Surroundings } from "./core_keeper.ts";
import type { FromCore, ToCore } from "./messages.ts";

interface FakeWorker {
  say(message: FromCore): void;
  fail(): void;
  readonly posted: ToCore[];
  terminated: boolean;
}

/** A document without Chrome. Time moves only when a pause ends. */
class FakeDocument implements Surroundings {
  readonly workers: FakeWorker[] = [];
  readonly watchers: (() => void)[] = [];
  readonly down: string[] = [];
  readonly pauses: number[] = [];
  readonly prompts: { port: MessagePort; died: AbortSignal }[] = [];
  closed = 0;
  time = 0;
  private timers: { at: number; work: () => void }[] = [];

  start(heard: (message: FromCore) => void, failed: () => void) {
    const worker: FakeWorker = { say: heard, fail: failed, posted: [], terminated: false };
    this.workers.push(worker);
    return {
      post: (message: ToCore) => void worker.posted.push(message),
      terminate: () => {
        worker.terminated = true;
      },
    };
  }
  watch(died: () => void) {
    this.watchers.push(died);
  }
  broker() {
    return Promise.resolve({ reply: "ok", value: { value: "done" } } as const);
  }
  line(name: string) {
    return Promise.resolve(name === "taken");
  }
  prompt(_body: Uint8Array, port: MessagePort, died: AbortSignal) {
    this.prompts.push({ port, died });
  }
  announceDown(message: string) {
    this.down.push(message);
  }
  close() {
    this.closed += 1;
  }
  now() {
    return this.time;
  }
  after(millis: number, work: () => void) {
    this.pauses.push(millis);
    this.timers.push({ at: this.time + millis, work });
  }

  /** Lets all pauses end. */
  settle() {
    for (const { at, work } of this.timers.splice(0)) {
      this.time = Math.max(this.time, at);
      work();
    }
  }
  get current(): FakeWorker {
    const worker = this.workers.at(-1);
    assert.ok(worker, "no worker was started");
    return worker;
  }
  get alive(): number {
    return this.workers.filter((worker) => !worker.terminated).length;
  }
}

function running() {
  const around = new FakeDocument();
  const keeper = new CoreKeeper(around);
  assert.equal(keeper.ensure(), true);
  around.settle();
  assert.equal(around.workers.length, 1);
  return { around, keeper };
}

/** Every way in which a worker's end is told. */
const deaths: Record<string, (around: FakeDocument) => void> = {
  "its lock is free": (around) => {
    around.current.say({ kind: "holding" });
    around.watchers.at(-1)?.();
  },
  "it says that it broke": (around) => {
    around.current.say({ kind: "fatal", message: "RuntimeError (unreachable)." });
  },
  "its program does not load": (around) => {
    around.current.fail();
  },
};

for (const [how, die] of Object.entries(deaths)) {
  test(`a dead worker is replaced by one worker: ${how}`, () => {
    const { around } = running();
    die(around);
    around.settle();
    assert.deepEqual([around.workers.length, around.alive], [2, 1]);
  });
}

test("a death that is told three times counts once", () => {
  const { around } = running();
  const first = around.current;
  first.say({ kind: "holding" });
  first.say({ kind: "fatal", message: "RuntimeError (unreachable)." });
  around.watchers[0]?.();
  first.fail();
  around.settle();
  around.watchers[0]?.();
  around.settle();
  assert.deepEqual([around.workers.length, around.alive], [2, 1]);
});

const GIVEN_UP = "The core stopped five times within a minute. Last: RuntimeError (unreachable).";

/** A keeper whose core died five times in a row, each time as soon as it was started. */
function givenUp() {
  const { around, keeper } = running();
  for (let death = 0; death < 5; death += 1) dieAtOnce(around);
  return { around, keeper };
}

function dieAtOnce(around: FakeDocument): void {
  around.current.say({ kind: "fatal", message: "RuntimeError (unreachable)." });
  around.settle();
}

test("five starts in a minute with growing pauses, then the views are told", () => {
  const { around } = givenUp();
  assert.deepEqual(around.pauses, [0, 0, 250, 1_000, 4_000]);
  assert.deepEqual([around.workers.length, around.alive], [5, 0]);
  assert.deepEqual(around.down, [GIVEN_UP]);
});

test("whoever needs a core that was given up is told why, now and after any time, and starts nothing", () => {
  const { around, keeper } = givenUp();
  for (const later of [0, 3_000, 61_000, 3_600_000]) {
    around.time += later;
    assert.equal(keeper.ensure(), true);
    around.settle();
  }
  assert.deepEqual(around.workers.length, 5);
  assert.deepEqual(around.down, Array(5).fill(GIVEN_UP));
});

test("needing the core between its deaths makes no room for more starts", () => {
  const { around, keeper } = running();
  for (let death = 0; death < 20 && around.alive > 0; death += 1) {
    keeper.ensure();
    dieAtOnce(around);
    keeper.ensure();
  }
  assert.equal(around.workers.length, 5);
});

test("a person's wish starts a core that was given up, with all its attempts", () => {
  const { around, keeper } = givenUp();
  keeper.tryAgain();
  around.settle();
  assert.deepEqual([around.workers.length, around.alive], [6, 1]);
  for (let death = 0; death < 5; death += 1) dieAtOnce(around);
  assert.deepEqual([around.workers.length, around.down.length], [10, 2]);
});

test("a person's wish while a worker runs starts no second one", () => {
  const { around, keeper } = running();
  keeper.tryAgain();
  around.settle();
  assert.deepEqual([around.workers.length, around.alive], [1, 1]);
});

test("a core that lived for a minute has all its attempts again", () => {
  const { around } = running();
  for (let death = 0; death < 4; death += 1) dieAtOnce(around);
  around.time += 60_000;
  for (let death = 0; death < 4; death += 1) dieAtOnce(around);
  assert.deepEqual([around.workers.length, around.alive, around.down], [9, 1, []]);
});

test("deaths that are a minute apart never end in giving up", () => {
  const { around } = running();
  for (let death = 0; death < 20; death += 1) {
    around.time += 61_000;
    around.current.say({ kind: "fatal", message: "RuntimeError (unreachable)." });
    around.settle();
  }
  assert.deepEqual([around.workers.length, around.down.length], [21, 0]);
  assert.ok(around.pauses.every((pause) => pause === 0));
});

test("asking while a worker runs, or waits for its pause, starts no second one", () => {
  const { around, keeper } = running();
  keeper.ensure();
  around.current.say({ kind: "fatal", message: "x" });
  keeper.ensure();
  around.settle();
  keeper.ensure();
  around.settle();
  assert.deepEqual([around.workers.length, around.alive], [2, 1]);
});

for (const kind of ["rest", "left"] as const) {
  test(`the document closes when the core says "${kind}", and takes no new asks`, () => {
    const { around, keeper } = running();
    around.current.say({ kind: "holding" });
    around.current.say({ kind });
    around.watchers[0]?.();
    around.settle();
    assert.deepEqual([around.closed, around.alive, around.workers.length], [1, 0, 1]);
    assert.equal(keeper.ensure(), false);
    keeper.tryAgain();
    around.settle();
    assert.equal(around.workers.length, 1);
  });
}

test("a broker's reply goes to the worker that asked, and to no later one", async () => {
  const { around } = running();
  const first = around.current;
  first.say({ kind: "broker", id: 4, call: { call: "tabs_list" } });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(first.posted, [{ kind: "broker_reply", id: 4, reply: { reply: "ok", value: { value: "done" } } }]);

  first.say({ kind: "broker", id: 5, call: { call: "tabs_list" } });
  first.say({ kind: "fatal", message: "x" });
  around.settle();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([first.posted.length, around.current.posted.length], [1, 0]);
});

test("whether a line was taken goes to the worker that asked, and to no later one", async () => {
  const { around } = running();
  const first = around.current;
  first.say({ kind: "line", name: "taken" });
  first.say({ kind: "line", name: "refused" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(first.posted, [
    { kind: "line", name: "taken", open: true },
    { kind: "line", name: "refused", open: false },
  ]);

  first.say({ kind: "line", name: "taken" });
  first.say({ kind: "fatal", message: "x" });
  around.settle();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([first.posted.length, around.current.posted.length], [2, 0]);
});

test("a prompt is asked for as long as its worker lives, and a worker that was replaced asks nothing", () => {
  const { around } = running();
  const first = around.current;
  const { port1: port } = new MessageChannel();
  const body = new Uint8Array([1]);
  first.say({ kind: "prompt", body, port });
  assert.deepEqual(around.prompts.map(({ died }) => died.aborted), [false]);
  first.say({ kind: "fatal", message: "x" });
  around.settle();
  first.say({ kind: "prompt", body, port });
  around.current.say({ kind: "prompt", body, port });
  assert.deepEqual(around.prompts.map(({ died }) => died.aborted), [true, false]);
  port.close();
});
