import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrokerReply } from "../www/generated/protocol.ts";
import { Line, type LineMessage, mayTakeLine } from "./line.ts";
import { LineEnd } from "./line_end.ts";

const NAMES = ["00000000-0000-4000-8000-000000000000", "11111111-1111-4111-8111-111111111111"];
const TABS: BrokerReply = { reply: "ok", value: { value: "tabs", tabs: [] } };

/** Both ends, the channels and locks between them, and everything that was asked of the service worker. */
class World {
  readonly line: Line;
  readonly end: LineEnd;
  readonly asked: string[] = [];
  readonly calls: unknown[] = [];
  readonly held = new Set<string>();
  answer: () => Promise<BrokerReply> = () => Promise.resolve(TABS);
  private readonly ends: { name: string; heard: (message: LineMessage) => void }[] = [];
  private readonly watchers = new Map<string, () => void>();

  constructor() {
    const channel = (name: string, heard: (message: LineMessage) => void) => {
      const own = { name, heard };
      this.ends.push(own);
      return {
        post: (message: LineMessage) => {
          for (const other of this.ends) if (other.name === name && other !== own) other.heard(message);
        },
        close: () => void this.ends.splice(this.ends.indexOf(own), 1),
      };
    };
    this.line = new Line({
      ask: (name) => void this.asked.push(name),
      channel,
      watch: (name, died) => void this.watchers.set(name, died),
      name: () => NAMES[this.asked.length] ?? "",
    });
    this.end = new LineEnd({
      channel,
      hold: (name, release) => {
        this.held.add(name);
        void release.then(() => {
          this.free(name);
        });
        return Promise.resolve();
      },
      answer: (call) => {
        this.calls.push(call);
        return this.answer();
      },
    });
  }

  /** Asks for a line and opens it. */
  async open(): Promise<void> {
    this.line.want();
    const name = this.asked.at(-1) ?? "";
    this.line.opened(name, await this.end.take(name));
  }

  /** The service worker stops. */
  stop(): void {
    for (const name of [...this.held]) this.free(name);
  }

  get openEnds(): string[] {
    return this.ends.map(({ name }) => name);
  }

  private free(name: string): void {
    this.held.delete(name);
    this.watchers.get(name)?.();
  }
}

test("a call goes along the line and its answer comes back", async () => {
  const world = new World();
  await world.open();
  assert.deepEqual(await world.line.send({ call: "tabs_list" }), TABS);
  assert.deepEqual(world.calls, [{ call: "tabs_list" }]);
});

test("answers find their calls in whatever order they come", async () => {
  const world = new World();
  const answers: ((reply: BrokerReply) => void)[] = [];
  world.answer = () => new Promise((resolve) => void answers.push(resolve));
  await world.open();
  const [one, two] = [world.line.send({ call: "tabs_list" }), world.line.send({ call: "tabs_list" })];
  const other: BrokerReply = { reply: "error", kind: "failed", message: "x" };
  answers[1]?.(other);
  answers[0]?.(TABS);
  assert.deepEqual(await Promise.all([one, two]), [TABS, other]);
});

test("without a line nothing is sent", async () => {
  const world = new World();
  await assert.rejects(world.line.send({ call: "tabs_list" }), /no line/);
  world.line.want();
  await assert.rejects(world.line.send({ call: "tabs_list" }), /no line/);
  world.line.opened(NAMES[0] ?? "", false);
  assert.deepEqual([world.line.isOpen, world.openEnds], [false, []]);
});

test("a line that is wanted twice is asked for once, and one that was refused is asked for again", async () => {
  const world = new World();
  world.line.want();
  world.line.want();
  assert.deepEqual(world.asked, NAMES.slice(0, 1));
  world.line.opened("another", true);
  assert.equal(world.line.isOpen, false);
  world.line.opened(NAMES[0] ?? "", false);
  await world.open();
  assert.deepEqual([world.asked, world.line.isOpen], [NAMES, true]);
});

test("the service worker's end takes what is open with it, and a new line can be had", async () => {
  const world = new World();
  await world.open();
  world.answer = () => new Promise(() => undefined);
  const open = world.line.send({ call: "tabs_list" });
  world.stop();
  await assert.rejects(open, /The service worker stopped/);
  assert.equal(world.line.isOpen, false);

  world.answer = () => Promise.resolve(TABS);
  await world.open();
  assert.deepEqual(await world.line.send({ call: "tabs_list" }), TABS);
});

test("a new line takes the place of the one before", async () => {
  const world = new World();
  await world.open();
  assert.equal(await world.end.take(NAMES[1]), true);
  assert.deepEqual([[...world.held], world.openEnds, world.line.isOpen], [[NAMES[1]], [NAMES[1]], false]);
});

test("only calls that change nothing and do not wait may take the line, whoever sends them", async () => {
  const world = new World();
  await world.open();
  await assert.rejects(Promise.race([world.line.send({ call: "keep_waking", on: true }), Promise.reject(new Error("nothing"))]), /nothing/);
  assert.deepEqual(world.calls, []);
  assert.equal(mayTakeLine({ call: "tabs_list" }), true);
  for (const call of ["tabs_progress", "tabs_open", "tabs_navigate", "tabs_close", "tabs_activate", "keep_waking", "local_origins"] as const) {
    assert.equal(mayTakeLine({ call }), false, call);
  }
});

test("what is no name of a line is refused", async () => {
  const world = new World();
  for (const name of [undefined, null, 7, {}, "", "tabwright", `${NAMES[0] ?? ""}0`]) {
    assert.equal(await world.end.take(name), false, JSON.stringify(name));
  }
  assert.deepEqual([[...world.held], world.openEnds], [[], []]);
});
