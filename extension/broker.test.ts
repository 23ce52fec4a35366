import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, type BrokerApi } from "./broker.ts";
import { turnsAreOpen, TURNS_OPEN_KEY, WAKE_ALARM } from "./chrome/wake.ts";

type Rule = chrome.declarativeNetRequest.Rule;

/** Chrome as far as the broker knows it. Every call takes a moment, so that calls can overlap. */
class FakeChrome implements BrokerApi {
  tabsInWindows: chrome.tabs.Tab[] = [];
  failure: Error | null = null;
  readonly alarmNames = new Set<string>();
  readonly stored = new Map<string, unknown>();
  rules: Rule[] = [];

  readonly runtime = { id: "ourid" };
  readonly tabs = {
    query: () => this.later(() => this.tabsInWindows),
  };
  readonly alarms = {
    create: (name: string, info: { periodInMinutes: number }) =>
      this.later(() => {
        assert.equal(info.periodInMinutes, 1);
        this.alarmNames.add(name);
      }),
    clear: (name: string) => this.later(() => this.alarmNames.delete(name)),
  };
  readonly storage = {
    local: {
      get: (key: string) => this.later(() => (this.stored.has(key) ? { [key]: this.stored.get(key) } : {})),
      set: (items: Record<string, unknown>) =>
        this.later(() => {
          for (const [key, value] of Object.entries(items)) this.stored.set(key, value);
        }),
      remove: (key: string) =>
        this.later(() => {
          this.stored.delete(key);
        }),
    },
  };
  readonly declarativeNetRequest = {
    getSessionRules: () => this.later(() => this.rules),
    updateSessionRules: ({ removeRuleIds = [], addRules = [] }: chrome.declarativeNetRequest.UpdateRuleOptions) =>
      this.later(() => {
        const kept = this.rules.filter((rule) => !removeRuleIds.includes(rule.id));
        const ids = [...kept, ...addRules].map((rule) => rule.id);
        assert.equal(new Set(ids).size, ids.length, "Chrome refuses a rule id that is taken");
        this.rules = [...kept, ...addRules];
      }),
  };

  private async later<T>(work: () => T): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failure !== null) throw this.failure;
    return work();
  }
}

function tab(fields: Partial<chrome.tabs.Tab>): chrome.tabs.Tab {
  return { active: false, windowId: 1, index: 0, ...fields } as chrome.tabs.Tab;
}

async function check(call: unknown, expected: unknown, fake = new FakeChrome()): Promise<void> {
  assert.deepEqual(await answer(call, fake), expected, JSON.stringify(call));
}

const done = { reply: "ok", value: { value: "done" } };
const invalid = (message: string) => ({ reply: "error", kind: "invalid", message });

test("tabs come in Chrome's order, with every promised key", async () => {
  const fake = new FakeChrome();
  fake.tabsInWindows = [
    tab({ id: 7, url: "https://a.test/", title: "A", active: true, windowId: 2, index: 3, audible: true, status: "loading" }),
    tab({ id: 5 }),
    tab({ title: "developer tools have no id" }),
  ];
  const tabs = [
    { id: 7, url: "https://a.test/", title: "A", active: true, windowId: 2, index: 3, audible: true, status: "loading" },
    { id: 5, url: "", title: "", active: false, windowId: 1, index: 0, audible: false, status: "complete" },
  ];
  await check({ call: "tabs_list" }, { reply: "ok", value: { value: "tabs", tabs } }, fake);
});

test("a call that is not exactly one we know is refused and does nothing", async () => {
  const hosts = "is not of this computer; a rule may name localhost, 127.0.0.1, [::1].";
  const rule = (rules: unknown) => ({ call: "local_origins", rules });
  const cases: [unknown, string][] = [
    [null, "A call is an object with the name of the call."],
    ["tabs_list", "A call is an object with the name of the call."],
    [["tabs_list"], "A call is an object with the name of the call."],
    [{}, "The broker knows no call undefined."],
    [{ call: "__proto__" }, 'The broker knows no call "__proto__".'],
    [{ call: "tabs.query" }, 'The broker knows no call "tabs.query".'],
    [{ call: "keep_waking" }, "keep_waking needs `on`: true or false."],
    [{ call: "keep_waking", on: "true" }, "keep_waking needs `on`: true or false."],
    [rule({}), "local_origins needs `rules`: a list of hosts with ports."],
    [rule([null]), `The host undefined ${hosts}`],
    [rule([{ host: "192.168.0.1", port: 1 }]), `The host "192.168.0.1" ${hosts}`],
    [rule([{ host: "localhost.a.test", port: 1 }]), `The host "localhost.a.test" ${hosts}`],
    [rule([{ host: "localhost/*", port: 1 }]), `The host "localhost/*" ${hosts}`],
    [rule([{ host: "localhost", port: 0 }]), "The port 0 is not a port; it must be 1 to 65535."],
    [rule([{ host: "localhost", port: 65536 }]), "The port 65536 is not a port; it must be 1 to 65535."],
    [rule([{ host: "localhost", port: 1.5 }]), "The port 1.5 is not a port; it must be 1 to 65535."],
    [rule([{ host: "localhost", port: "80" }]), 'The port "80" is not a port; it must be 1 to 65535.'],
    [rule([{ host: "localhost", port: 80 }, { host: "a.test", port: 80 }]), `The host "a.test" ${hosts}`],
  ];
  for (const [call, message] of cases) {
    const fake = new FakeChrome();
    await check(call, invalid(message), fake);
    assert.deepEqual([fake.rules.length, fake.alarmNames.size, fake.stored.size], [0, 0, 0]);
  }
});

test("Chrome's failures keep Chrome's words", async () => {
  const cases: [string, string][] = [
    ["No tab with id: 7.", "not_found"],
    ["No window with id: 3.", "not_found"],
    ["Cannot access contents of the page.", "denied"],
    ["Missing host permission for the tab", "denied"],
    ["Tabs cannot be queried right now.", "failed"],
  ];
  for (const [message, kind] of cases) {
    const fake = new FakeChrome();
    fake.failure = new Error(message);
    await check({ call: "tabs_list" }, { reply: "error", kind, message }, fake);
  }
});

test("open turns leave a mark and an alarm, and their end removes both", async () => {
  const fake = new FakeChrome();
  await check({ call: "keep_waking", on: true }, done, fake);
  assert.deepEqual([...fake.stored.keys(), ...fake.alarmNames], [TURNS_OPEN_KEY, WAKE_ALARM]);
  await check({ call: "keep_waking", on: false }, done, fake);
  assert.deepEqual([...fake.stored.keys(), ...fake.alarmNames], []);
});

test("a start makes the alarm agree with the mark", async () => {
  const lost = new FakeChrome();
  lost.stored.set(TURNS_OPEN_KEY, true);
  assert.equal(await turnsAreOpen(lost), true);
  assert.deepEqual([...lost.alarmNames], [WAKE_ALARM]);

  const left = new FakeChrome();
  left.alarmNames.add(WAKE_ALARM);
  assert.equal(await turnsAreOpen(left), false);
  assert.deepEqual([...left.alarmNames], []);
});

test("a start and a call at the same time leave mark and alarm in agreement", async () => {
  for (const on of [true, false]) {
    for (const startFirst of [true, false]) {
      const fake = new FakeChrome();
      if (!on) fake.stored.set(TURNS_OPEN_KEY, true);
      const works = [() => turnsAreOpen(fake), () => answer({ call: "keep_waking", on }, fake)];
      if (!startFirst) works.reverse();
      await Promise.all(works.map((work) => work()));
      assert.deepEqual([fake.stored.has(TURNS_OPEN_KEY), fake.alarmNames.has(WAKE_ALARM)], [on, on]);
    }
  }
});

test("local origins replace each other, for our own requests to exactly those servers", async () => {
  const fake = new FakeChrome();
  const prefixes = () => fake.rules.map((rule) => rule.condition.urlFilter);
  const set = (rules: unknown) => check({ call: "local_origins", rules }, done, fake);
  await set([{ host: "localhost", port: 11434 }, { host: "[::1]", port: 80 }, { host: "localhost", port: 11434 }]);
  assert.deepEqual(prefixes(), [
    "|http://localhost:11434/",
    "|https://localhost:11434/",
    "|http://[::1]/",
    "|https://[::1]:80/",
  ]);
  for (const rule of fake.rules) {
    assert.deepEqual(rule.condition.initiatorDomains, ["ourid"]);
    assert.deepEqual(rule.action, { type: "modifyHeaders", requestHeaders: [{ header: "origin", operation: "remove" }] });
  }
  await set([{ host: "127.0.0.1", port: 443 }]);
  assert.deepEqual(prefixes(), ["|http://127.0.0.1:443/", "|https://127.0.0.1/"]);
  await set([]);
  assert.deepEqual(prefixes(), []);
});
