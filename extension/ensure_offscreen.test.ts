import assert from "node:assert/strict";
import { test } from "node:test";
import { offscreenEnsurer, type OffscreenApi } from "./ensure_offscreen.ts";

type DocumentState = "absent" | "loading" | "ready" | "closing" | "deaf";

/** Chrome's side of the offscreen document, on a clock of its own. */
class FakeChrome implements OffscreenApi {
  time = 0;
  created = 0;
  closed = 0;
  createFailure: Error | null = null;

  constructor(
    public state: DocumentState,
    private readonly changes: { at: number; to: DocumentState }[] = [],
  ) {}

  async exists() {
    await this.tick();
    return this.state !== "absent";
  }
  async create() {
    await this.tick();
    if (this.createFailure !== null) throw this.createFailure;
    if (this.state !== "absent") throw new Error("Only a single offscreen document may be created.");
    this.created += 1;
    this.state = "loading";
    await this.tick();
    this.state = "ready";
  }
  async close() {
    await this.tick();
    this.closed += 1;
    this.state = "absent";
  }
  async send() {
    await this.tick();
    if (this.state === "deaf") return new Promise<never>(() => undefined);
    if (this.state === "ready") return { ok: true };
    throw new Error("Could not establish connection. Receiving end does not exist.");
  }
  async sleep(millis: number) {
    const end = this.time + millis;
    while (this.time < end) await this.tick(10);
  }
  now() {
    return this.time;
  }

  private async tick(millis = 1) {
    await new Promise((resolve) => setImmediate(resolve));
    this.time += millis;
    for (const change of this.changes) {
      if (this.time >= change.at) this.state = change.to;
    }
    while ((this.changes[0]?.at ?? Infinity) <= this.time) this.changes.shift();
  }
}

async function check(fake: FakeChrome, expected: { created: number; closed: number }): Promise<void> {
  await offscreenEnsurer(fake)();
  assert.deepEqual({ state: fake.state, created: fake.created, closed: fake.closed }, { state: "ready", ...expected });
}

test("a missing document is created", () => check(new FakeChrome("absent"), { created: 1, closed: 0 }));

test("a document that answers is left alone", () => check(new FakeChrome("ready"), { created: 0, closed: 0 }));

test("a document that is still loading is waited for", () =>
  check(new FakeChrome("loading", [{ at: 300, to: "ready" }]), { created: 0, closed: 0 }));

test("a document that is closing is waited for and replaced", () =>
  check(new FakeChrome("closing", [{ at: 300, to: "absent" }]), { created: 1, closed: 0 }));

test("a document that appears between the look and the creation is a success", () =>
  check(new FakeChrome("absent", [{ at: 2, to: "ready" }]), { created: 0, closed: 0 }));

test("a document that never answers is replaced", () => check(new FakeChrome("deaf"), { created: 1, closed: 1 }));

test("calls at the same time share one attempt, and a later one looks again", async () => {
  const fake = new FakeChrome("absent");
  const ensure = offscreenEnsurer(fake);
  await Promise.all([ensure(), ensure(), ensure()]);
  assert.equal(fake.created, 1);
  fake.state = "absent";
  await ensure();
  assert.equal(fake.created, 2);
});

test("any other refusal of Chrome is told, and the next call tries again", async () => {
  const fake = new FakeChrome("absent");
  fake.createFailure = new Error("Page failed to load.");
  const ensure = offscreenEnsurer(fake);
  await assert.rejects(ensure(), { message: "Page failed to load." });
  fake.createFailure = null;
  await ensure();
  assert.equal(fake.state, "ready");
});
