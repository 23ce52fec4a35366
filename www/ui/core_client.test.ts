import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import type { Event, EventEnvelope, Op } from "../generated/protocol.ts";
import {
  CoreClient,
  type Door,
  type EnsureAnswer,
  GIVE_UP_AFTER_MS,
  RESEND_EVERY_MS,
  WAKING_AFTER_MS,
} from "./core_client.ts";

const EPOCH = 2 ** 32;
const stop: Op = { type: "stop", conversation: "c" };
const ready: Event = { type: "core", health: { state: "ready" } };
const idle = { state: "idle" } as const;

/** A core, its channel, its locks and the service worker, as a view sees them. */
class World {
  isAlive = true;
  isRunning = false;
  ensureAnswer: EnsureAnswer = { ok: true };
  /** Everything the view did and was told, in order. */
  readonly log: string[] = [];
  readonly client: CoreClient;
  #listener: (message: unknown) => void = () => undefined;
  #dead: () => void = () => undefined;
  #ids = 0;
  #epoch = 1;
  #seq = EPOCH;

  constructor() {
    const door: Door = {
      post: ({ envelope: { id, op } }) => {
        const since = op.type === "attach" ? ` since ${this.#short(op.since)}` : "";
        this.log.push(`${op.type} ${id}${since}`);
      },
      listen: (listener) => (this.#listener = listener),
      isCoreAlive: () => Promise.resolve(this.isAlive),
      untilCoreDies: () => new Promise((resolve) => (this.#dead = resolve)),
      ensureCore: () => {
        this.log.push("ensure");
        return Promise.resolve(this.ensureAnswer);
      },
      newId: () => `o${++this.#ids}`,
    };
    this.client = new CoreClient(door, {
      onEvent: ({ event }) => this.log.push(`heard ${event.type}`),
      onLink: (link) => this.log.push(link.state === "ok" ? "ok" : `${link.state}: ${link.reason}`),
      hasRunningTurn: () => this.isRunning,
    });
  }

  /** The core says something; what it says next has the next number. */
  async say(...events: Event[]): Promise<void> {
    for (const event of events) {
      this.#seq += 1;
      this.#listener({ kind: "event", envelope: this.#envelope(event) });
    }
    await settled();
  }

  /** The core says something this view does not hear. */
  lose(count: number): void {
    this.#seq += count;
  }

  async sayAgain(event: Event): Promise<void> {
    this.#listener({ kind: "event", envelope: this.#envelope(event) });
    await settled();
  }

  async hear(message: unknown): Promise<void> {
    this.#listener(message);
    await settled();
  }

  async die(): Promise<void> {
    this.isAlive = false;
    this.#dead();
    await settled();
  }

  /** A new life of the core begins, with a new epoch. */
  rise(): void {
    this.isAlive = true;
    this.#epoch += 1;
    this.#seq = this.#epoch * EPOCH;
  }

  async pass(millis: number): Promise<void> {
    mock.timers.tick(millis);
    await settled();
  }

  /** What has happened since this was last asked. */
  news(): string[] {
    return this.log.splice(0);
  }

  /** Attached to "c", everything answered, nothing waiting. */
  static async attached(): Promise<World> {
    const world = new World();
    world.client.attach("c");
    await settled();
    await world.say(snapshot("o1", true));
    world.news();
    return world;
  }

  #envelope(event: Event): EventEnvelope {
    return { epoch: this.#epoch, seq: this.#seq, event };
  }

  #short(seq: number | null): string {
    return seq === null ? "null" : `${Math.floor(seq / EPOCH)}.${seq % EPOCH}`;
  }
}

function snapshot(op: string, complete: boolean): Event {
  return { type: "snapshot", op, conversation: "c", complete, items: [], run: idle };
}

function blocks(): Event {
  return { type: "blocks", conversation: "c", item: "i", keep: 0, blocks: [] };
}

function run(): Event {
  return { type: "run", conversation: "c", run: idle };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

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
  assert.deepEqual(world.news(), ["waking: null", "ensure", "stop o1", "waking: No document."]);
});

test("a core that cannot start is given up at once, and forgiven when it is ready", async () => {
  const world = await World.attached();
  await world.hear({ kind: "core_down", message: "The disk is full." });
  assert.deepEqual(world.news(), ["down: The disk is full."]);
  await world.say(ready);
  assert.deepEqual(world.news(), ["heard core", "ok"]);
});

test("a core that waits for its storage says so", async () => {
  const world = await World.attached();
  await world.say({ type: "core", health: { state: "waiting_for_storage", message: "Busy." } });
  assert.deepEqual(world.news(), ["heard core", "waking: Busy."]);
});

test("a failed core says why", async () => {
  const world = await World.attached();
  await world.say({ type: "core", health: { state: "failed", message: "Newer database." } });
  assert.deepEqual(world.news(), ["heard core", "down: Newer database."]);
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
  await world.hear({ kind: "event", envelope: { epoch: 0, seq: 7, event: run() } });
  assert.deepEqual(world.news(), []);
});

test("other views' ops and strangers' words are not heard", async () => {
  const world = await World.attached();
  await world.hear({ kind: "op", envelope: { id: "x", op: stop } });
  await world.hear("event");
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

test("another conversation is attached from its beginning", async () => {
  const world = await World.attached();
  world.client.attach("d");
  await settled();
  assert.deepEqual(world.news(), ["attach o2 since null"]);
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
