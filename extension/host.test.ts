import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { WorkerHost } from "./host.ts";
import { OpenRequests } from "./http.ts";

const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** A host, and the ids of the sleeps that have ended. */
function stage() {
  const host = new WorkerHost(
    () => undefined,
    () => undefined,
    new OpenRequests(never, never, () => true),
  );
  const woken: number[] = [];
  const sleep = (id: number, millis: number) => void host.sleep(id, millis).then(() => woken.push(id));
  const pass = async (millis: number): Promise<number[]> => {
    mock.timers.tick(millis);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return woken.splice(0);
  };
  return { host, sleep, pass };
}

test("each sleep ends after its own time", async () => {
  const { sleep, pass } = stage();
  sleep(1, 200);
  sleep(2, 100);
  assert.deepEqual([await pass(99), await pass(1), await pass(100)], [[], [2], [1]]);
});

test("a sleep of more than a timer can hold does not end at once", async () => {
  const { sleep, pass } = stage();
  sleep(1, Number.MAX_SAFE_INTEGER);
  assert.deepEqual(await pass(1_000), []);
});

test("a sleep that is cancelled leaves no timer behind and wakes nobody", async () => {
  const cleared = mock.method(globalThis, "clearTimeout");
  const { host, sleep, pass } = stage();
  sleep(1, 120_000);
  sleep(2, 120_000);
  host.sleep_cancel(1);
  host.sleep_cancel(1);
  assert.notEqual(cleared.mock.calls[0]?.arguments[0], undefined);
  assert.deepEqual(await pass(120_000), [2]);
  host.sleep_cancel(2);
  cleared.mock.restore();
});
