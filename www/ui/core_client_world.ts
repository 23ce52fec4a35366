// A core, its channel, its locks and the service worker, as a view sees them: what the client is tested in.

import { mock } from "node:test";

import type { CoreHealth, Event, EventEnvelope, Op } from "../generated/protocol.ts";
import { CoreClient, type Door, type EnsureAnswer } from "./core_client.ts";

const EPOCH = 2 ** 32;
export const stop: Op = { type: "stop", conversation: "c" };
export const ready: Event = { type: "core", health: { state: "ready" } };
const idle = { state: "idle" } as const;

/** Time moves only by `pass`: it needs mocked timers. */
export class World {
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
      post: (message) => {
        if (message.kind === "try_again") {
          this.log.push("try again");
          return;
        }
        const { id, op } = message.envelope;
        this.log.push(`${op.type} ${id}${op.type === "attach" ? this.#whichAndSince(op) : ""}`);
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
    const envelopes = events.map((event) => {
      this.#seq += 1;
      return this.#envelope(event);
    });
    this.#listener({ kind: "events", envelopes });
    await settled();
  }

  /** The core says how it is before it has an epoch: each time it begins to count anew. */
  async murmur(health: CoreHealth): Promise<void> {
    this.#listener({ kind: "events", envelopes: [{ epoch: 0, seq: 1, event: { type: "core", health } }] });
    await settled();
  }

  /** The core says something this view does not hear. */
  lose(count: number): void {
    this.#seq += count;
  }

  async sayAgain(event: Event): Promise<void> {
    this.#listener({ kind: "events", envelopes: [this.#envelope(event)] });
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

  #whichAndSince({ conversation, since }: Extract<Op, { type: "attach" }>): string {
    return `${conversation === "c" ? "" : ` to ${conversation}`} since ${this.#short(since)}`;
  }

  #short(seq: number | null): string {
    return seq === null ? "null" : `${Math.floor(seq / EPOCH)}.${seq % EPOCH}`;
  }
}

export function snapshot(op: string, complete: boolean, conversation = "c"): Event {
  return { type: "snapshot", op, conversation, complete, items: [], tasks: [], run: idle };
}

export function blocks(): Extract<Event, { type: "blocks" }> {
  return { type: "blocks", conversation: "c", item: "i", keep: 0, blocks: [] };
}

export function childBlocks(child: string): Event {
  return { type: "sub_agent_event", conversation: "c", call: "call", child, event: { ...blocks(), conversation: child } };
}

export function run(): Event {
  return { type: "run", conversation: "c", run: idle };
}

export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
