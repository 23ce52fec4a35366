import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { BrokerReply } from "../www/generated/protocol.ts";
import { WorkspaceFiles } from "./files.ts";
import { WorkerHost } from "./host.ts";
import { OpenRequests } from "./http.ts";
import { PageReader } from "./page_reader.ts";
import { Redirects } from "./redirects.ts";
import { Line } from "./line.ts";
import type { FromCore } from "./messages.ts";

const TABS: BrokerReply = { reply: "ok", value: { value: "tabs", tabs: [] } };

const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** A host, and the ids of the sleeps that have ended. */
function stage() {
  const posted: FromCore[] = [];
  const host = new WorkerHost(
    (message) => void posted.push(message),
    () => undefined,
    new OpenRequests(never, never, () => true, new Redirects()),
    new WorkspaceFiles(never),
    new Line({
      ask: (name) => void posted.push({ kind: "line", name }),
      channel: (_name, heard) => ({
        post: (message) => {
          heard({ id: message.id, reply: TABS });
        },
        close: () => undefined,
      }),
      watch: () => undefined,
      name: () => "a",
    }),
    new PageReader(() => assert.fail("a page was read")),
  );
  const woken: number[] = [];
  const sleep = (id: number, millis: number) => void host.sleep(id, millis).then(() => woken.push(id));
  const pass = async (millis: number): Promise<number[]> => {
    mock.timers.tick(millis);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return woken.splice(0);
  };
  return { host, posted, sleep, pass };
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

test("the language and the time zone are those of the moment", (context) => {
  const { host } = stage();
  // Node's oldest supported version has no `navigator`.
  Object.defineProperty(globalThis, "navigator", { value: { language: "de-CH" }, configurable: true });
  const zone = process.env["TZ"];
  context.after(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
  const check = (timeZone: string, at: string, utcOffsetMinutes: number): void => {
    process.env["TZ"] = timeZone;
    assert.deepEqual(host.locale(Date.parse(at)), { language: "de-CH", timeZone, utcOffsetMinutes });
  };
  check("Europe/Zurich", "2026-01-15T12:00:00Z", 60);
  check("Europe/Zurich", "2026-07-15T12:00:00Z", 120);
  check("America/St_Johns", "2026-01-15T12:00:00Z", -210);
  check("UTC", "2026-01-15T12:00:00Z", 0);
});

test("calls go by way of the document until one was answered; from then on reading ones take the line", async () => {
  const { host, posted } = stage();
  const away: BrokerReply = { reply: "error", kind: "unavailable", message: "x" };
  const first = host.broker({ call: "tabs_list" });
  host.receive({ kind: "broker_reply", id: 1, reply: away });
  // A reply to a call that is not this host's, or comes a second time, asks for nothing.
  host.receive({ kind: "broker_reply", id: 1, reply: TABS });
  assert.deepEqual([await first, posted.splice(0)], [away, [{ kind: "broker", id: 1, call: { call: "tabs_list" } }]]);

  const second = host.broker({ call: "tabs_list" });
  host.receive({ kind: "broker_reply", id: 2, reply: TABS });
  await second;
  assert.deepEqual(posted.splice(0), [{ kind: "broker", id: 2, call: { call: "tabs_list" } }, { kind: "line", name: "a" }]);

  host.receive({ kind: "line", name: "a", open: true });
  assert.deepEqual(await host.broker({ call: "tabs_list" }), TABS);
  void host.broker({ call: "tabs_close", tab: 1 });
  assert.deepEqual(posted, [{ kind: "broker", id: 3, call: { call: "tabs_close", tab: 1 } }]);
});
