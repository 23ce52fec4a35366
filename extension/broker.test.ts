import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, type BrokerApi } from "./broker.ts";
import { closeTab } from "./chrome/tabs.ts";
import { turnsAreOpen, TURNS_OPEN_KEY, WAKE_ALARM } from "./chrome/wake.ts";

type Rule = chrome.declarativeNetRequest.Rule;
type ErrorDetails = chrome.webNavigation.WebNavigationFramedErrorCallbackDetails;
type ErrorListener = (details: ErrorDetails) => void;

/** What one look at a tab finds, and what fails just then. */
interface Look {
  tab: Partial<chrome.tabs.Tab>;
  frame: { documentId: string; errorOccurred: boolean } | null;
  errors?: { documentId: string; error: string }[];
}

/** Chrome as far as the broker knows it. Every call takes a moment, so that calls can overlap. */
class FakeChrome implements BrokerApi {
  tabsInWindows: chrome.tabs.Tab[] = [];
  failure: Error | null = null;
  readonly alarmNames = new Set<string>();
  readonly stored = new Map<string, unknown>();
  rules: Rule[] = [];

  /** What Chrome was told, in order. */
  readonly told: string[] = [];
  /** What the next looks at tab 7 find, one after the other; the last one stays. */
  looks: Look[] = [];
  readonly errorListeners = new Set<ErrorListener>();

  readonly runtime = { id: "ourid" };
  readonly tabs = {
    query: () => this.later(() => this.tabsInWindows),
    create: (properties: chrome.tabs.CreateProperties) =>
      this.later(() => {
        this.told.push(`create ${JSON.stringify(properties)}`);
        return tab({ id: 7 });
      }),
    update: (id: number, properties: chrome.tabs.UpdateProperties) =>
      this.later(() => {
        this.told.push(`update ${id} ${JSON.stringify(properties)}`);
        return tab({ id, windowId: 3, active: true });
      }),
    get: (id: number) =>
      this.later(() => {
        if (id !== 7 || this.looks.length === 0) throw new Error(`No tab with id: ${id}.`);
        return tab({ id, ...this.looks[0]?.tab });
      }),
    remove: (id: number) =>
      this.later(() => {
        this.told.push(`remove ${id}`);
      }),
  };
  readonly windows = {
    update: (id: number, info: chrome.windows.UpdateInfo) =>
      this.later(() => {
        this.told.push(`window ${id} ${JSON.stringify(info)}`);
      }),
  };
  readonly webNavigation = {
    // The last thing that a look asks for.
    getFrame: () =>
      this.later(() => {
        const look = this.looks[0];
        if (this.looks.length > 1) this.looks.shift();
        for (const { documentId, error } of look?.errors ?? []) {
          for (const hear of [...this.errorListeners]) hear({ frameId: 0, documentId, error } as ErrorDetails);
        }
        return look?.frame as chrome.webNavigation.GetFrameResultDetails | null;
      }),
    onErrorOccurred: {
      addListener: (listener: ErrorListener) => void this.errorListeners.add(listener),
      removeListener: (listener: ErrorListener) => void this.errorListeners.delete(listener),
    },
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

const open = { call: "tabs_open", url: "https://a.test/", active: true, window: null, wait_millis: 0 };
const navigate = { call: "tabs_navigate", tab: 7, url: "https://a.test/", active: false, wait_millis: 0 };
const progress = { call: "tabs_progress", tab: 7, wait_millis: 0 };

const pages = "http and https addresses and about:blank, not";
const wait = "needs `wait_millis`: a whole number from 0 to 5000.";
const addresses = ["chrome://settings/", "chrome-extension://ourid/panel.html", "file:///etc/passwd", "data:text/html,x"];
addresses.push(["javascript", "alert(1)"].join(":"), "java\nscript:alert(1)", "view-source:https://a.test/", "devtools://devtools/bundled/x");
addresses.push("blob:https://a.test/1", "about:version", "a.test", "/panel.html", "", "http://");

const badTabCalls: [unknown, string][] = [
  ...addresses.map((url): [unknown, string] => [{ ...open, url }, `tabs_open opens ${pages} ${JSON.stringify(url)}.`]),
  [{ ...navigate, url: 1 }, `tabs_navigate opens ${pages} 1.`],
  [{ ...open, active: 1 }, "tabs_open needs `active`: true or false."],
  [{ ...open, window: "1" }, "tabs_open needs `window`: a window's id, or null."],
  [{ ...open, window: undefined }, "tabs_open needs `window`: a window's id, or null."],
  [{ ...open, wait_millis: 5_001 }, `tabs_open ${wait}`],
  [{ ...navigate, wait_millis: -1 }, `tabs_navigate ${wait}`],
  [{ ...progress, wait_millis: 0.5 }, `tabs_progress ${wait}`],
  [{ ...progress, tab: "7" }, "tabs_progress needs `tab`: a tab's id."],
  [{ call: "tabs_close" }, "tabs_close needs `tab`: a tab's id."],
  [{ call: "tabs_activate", tab: 1.5 }, "tabs_activate needs `tab`: a tab's id."],
  [{ ...navigate, tab: null }, "tabs_navigate needs `tab`: a tab's id."],
];

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
    ...badTabCalls,
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
    assert.deepEqual([fake.rules.length, fake.alarmNames.size, fake.stored.size, fake.told.length], [0, 0, 0, 0]);
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

const loading: Look = { tab: { url: "", pendingUrl: "https://a.test/", status: "loading" }, frame: null };
const loaded: Look = { tab: { url: "https://a.test/", title: "A", status: "complete" }, frame: { documentId: "D1", errorOccurred: false } };
const failed: Look = { tab: { url: "https://a.test/", status: "loading" }, frame: { documentId: "D2", errorOccurred: true } };
const refused = { documentId: "D2", error: "net::ERR_CONNECTION_REFUSED" };

/** Does the call while a tab goes through these looks, and expects this of its progress. */
async function checkLoad(call: unknown, looks: Look[], expected: unknown, told: string[] = []): Promise<void> {
  const fake = new FakeChrome();
  fake.looks = [...looks];
  const reply = await answer(call, fake);
  if (reply.reply !== "ok" || reply.value.value !== "progress") assert.fail(JSON.stringify(reply));
  const { tab, pending, document, failure } = reply.value.progress;
  assert.deepEqual([tab.url, tab.status, pending, document, failure], expected);
  assert.deepEqual(fake.told, told);
  assert.equal(fake.errorListeners.size, 0, "nothing is kept for the next call");
}

test("a load is waited for as long as was asked, and what ended it is told", async () => {
  const begun = ["", "loading", "https://a.test/", null, null];
  const done = ["https://a.test/", "complete", null, "D1", null];
  const created = 'create {"url":"https://a.test/","active":true}';
  await checkLoad(open, [loading, loaded], begun, [created]);
  await checkLoad({ ...open, window: 3, active: false, wait_millis: 5_000 }, [loading, loading, loaded], done, [
    'create {"url":"https://a.test/","active":false,"windowId":3}',
  ]);
  await checkLoad(navigate, [loading, loaded], begun, ['update 7 {"url":"https://a.test/"}']);
  await checkLoad({ ...navigate, active: true, wait_millis: 5_000 }, [loading, loaded], done, [
    'update 7 {"url":"https://a.test/","active":true}',
  ]);
  await checkLoad({ ...progress, wait_millis: 5_000 }, [loaded, loading], done);
  await checkLoad({ ...progress, wait_millis: 60 }, [loading], begun);
});

test("a load that failed says why, if Chrome said so while it was heard", async () => {
  const page = (reason: string): unknown[] => ["https://a.test/", "loading", null, "D2", reason];
  const wait = { ...progress, wait_millis: 5_000 };
  await checkLoad(wait, [loading, { ...failed, errors: [refused] }, loaded], page("net::ERR_CONNECTION_REFUSED"));
  const drawn = { ...failed, tab: { ...failed.tab, status: "complete" } } satisfies Look;
  const unknown = ["https://a.test/", "complete", null, "D2", "an error that Chrome does not name"];
  await checkLoad(wait, [drawn], unknown);
  // The event comes after the page.
  await checkLoad(wait, [drawn, { ...drawn, errors: [refused] }], [...unknown.slice(0, 4), "net::ERR_CONNECTION_REFUSED"]);
  // Another navigation that was given up says nothing about this one.
  const aborted = { documentId: "00", error: "net::ERR_ABORTED" };
  await checkLoad(wait, [{ ...loading, errors: [aborted] }, loaded], ["https://a.test/", "complete", null, "D1", null]);
});

test("a tab that goes while its load is waited for is not found", async () => {
  const reply = { reply: "error", kind: "not_found", message: "No tab with id: 7." };
  await check(progress, reply);
  await check({ ...open, wait_millis: 5_000 }, reply);
});

test("a tab is closed, and activated together with its window", async () => {
  const fake = new FakeChrome();
  await check({ call: "tabs_close", tab: 7 }, done, fake);
  const shown = { id: 7, url: "", title: "", active: true, windowId: 3, index: 0, audible: false, status: "complete" };
  await check({ call: "tabs_activate", tab: 7 }, { reply: "ok", value: { value: "tab", tab: shown } }, fake);
  assert.deepEqual(fake.told, ["remove 7", 'update 7 {"active":true}', 'window 3 {"focused":true}']);
});

test("a tab whose page holds it open is not waited for", async () => {
  const fake = new FakeChrome();
  let asked = 0;
  const never = (): Promise<void> => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const chromeWith = (remove: () => Promise<void>) => ({ tabs: { ...fake.tabs, remove }, windows: fake.windows });
  await closeTab(7, chromeWith(never), 20);
  assert.equal(asked, 1);
  const gone = (): Promise<void> => Promise.reject(new Error("No tab with id: 7."));
  await assert.rejects(closeTab(7, chromeWith(gone)), { message: "No tab with id: 7." });
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
