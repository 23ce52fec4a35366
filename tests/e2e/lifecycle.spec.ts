// The core lives in a context that can vanish at any instruction. Here each of its surroundings is
// taken away, and what must happen then is checked in a real browser.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import type { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";
import { expect, test } from "../rig/fixtures.ts";
import { askBroker, coreId, lines } from "./core_page.ts";
import { button } from "./panel_page.ts";

const RUNNING = ["core.worker.js", "offscreen.html"];

/** A browser with a living core, and a client in the panel's page. */
async function withCore(rig: Browser): Promise<{ panel: Page; client: CoreClient }> {
  const panel = await rig.openPanel();
  const client = await CoreClient.connect(panel);
  await client.submit({ type: "hello" });
  return { panel, client };
}

async function expectRunning(rig: Browser): Promise<void> {
  await rig.coreStarted();
  expect(await rig.contexts()).toEqual(expect.arrayContaining(RUNNING));
}

async function expectAnswers(client: CoreClient): Promise<void> {
  expect((await client.submit({ type: "hello" })).type).toBe("welcome");
}

/** What comes back for a message from a page of the extension, null when nobody answers. */
function answerTo(page: Page, message: unknown): Promise<unknown> {
  return page.evaluate(
    (sent) =>
      chrome.runtime.sendMessage<unknown, unknown>(sent).then(
        (answer) => answer ?? null,
        () => null,
      ),
    message,
  );
}

test("the toolbar button opens the side panel, which is no tab", async ({ rig }) => {
  const panel = await rig.openPanel();
  await expect(panel.locator("form textarea")).toBeVisible();
  const tabs = await panel.evaluate(() => chrome.tabs.query({}));
  expect(tabs.map(({ url }) => url)).toEqual(["about:blank"]);
});

test("views that ask at the same time get one core", async ({ rig }) => {
  const views = [await rig.openPanel(), await rig.openPanelAsTab(), await rig.openPage(rig.extensionUrl("options.html"))];
  const ask = (): Promise<unknown> => chrome.runtime.sendMessage({ to: "worker", kind: "ensure_core" });
  const answers = await Promise.all([...views, ...views].map((view) => view.evaluate(ask)));
  expect(answers).toEqual(Array(6).fill({ ok: true }));
  await rig.coreStarted();
  const contexts = await rig.contexts();
  expect(contexts.filter((name) => RUNNING.includes(name))).toEqual(RUNNING);
});

test("a core that finds another one leaves", async ({ rig }) => {
  const { panel, client } = await withCore(rig);
  const first = await coreId(rig);
  const said = await panel.evaluate(async () => {
    const worker = new Worker("core.worker.js", { type: "module" });
    return new Promise((resolve) => {
      worker.addEventListener("message", ({ data }) => {
        resolve(data);
      });
    });
  });
  expect(said).toEqual({ kind: "left" });
  expect(await coreId(rig)).toBe(first);
  await expectAnswers(client);
});

test("the document's page starts no core when it is opened in a tab", async ({ rig }) => {
  const page = await rig.openPage(rig.extensionUrl("offscreen.html"));
  await expect(page.getByText("nothing to see here")).toBeVisible();
  expect(await page.evaluate(() => navigator.locks.query().then(({ held }) => held))).toEqual([]);
  expect(await answerTo(page, { to: "worker", kind: "broker", call: { call: "tabs_list" } })).toBeNull();
});

test("a service worker that goes away in the middle of a call leaves it unknown, and the next call wakes it", async ({ rig }) => {
  await withCore(rig);
  await rig.evaluateIn("sw.js", "chrome.tabs.query = () => new Promise(() => {}); true");
  const inTheMiddle = askBroker(rig, { call: "tabs_list" });
  await rig.evaluateIn("sw.js", "new Promise((resolve) => setTimeout(resolve, 200))");
  await rig.stopServiceWorker();
  expect(await inTheMiddle).toMatchObject({ reply: "error", kind: "unavailable" });
  expect(await rig.contexts()).not.toContain("sw.js");

  const next = await askBroker(rig, { call: "tabs_list" });
  expect(next).toMatchObject({ reply: "ok", value: { tabs: [{ url: "about:blank", index: 0, active: true }] } });
});

test("a reading call that the service worker dies in is made again, and there is a new line", async ({ rig }) => {
  const { client } = await withCore(rig);
  await expect.poll(() => lines(rig)).toBe(1);
  await rig.evaluateIn("sw.js", "chrome.tabs.query = () => new Promise(() => { self.tabwrightAsked = true; }); true");
  const answer = client.callTool("list_tabs", "{}", null);
  await expect.poll(() => rig.evaluateIn("sw.js", "self.tabwrightAsked === true")).toBe(true);
  await rig.stopServiceWorker();
  expect(await answer).toMatchObject({ is_error: false });
  await expect.poll(() => lines(rig)).toBe(1);
});

const deaths: Record<string, (rig: Browser) => Promise<unknown>> = {
  "its worker ends": (rig) => rig.terminateCoreWorker(),
  "its worker throws": (rig) => rig.evaluateIn("core.worker.js", "setTimeout(() => { throw new Error('broken'); }); true"),
  "its worker leaves a rejection alone": (rig) => rig.evaluateIn("core.worker.js", "void Promise.reject(new Error('broken')); true"),
};

for (const [how, die] of Object.entries(deaths)) {
  test(`the core starts again by itself when ${how}`, async ({ rig }) => {
    const { client } = await withCore(rig);
    const before = await coreId(rig);
    await die(rig);
    await expect.poll(() => coreId(rig)).not.toBe(before);
    await expectRunning(rig);
    await expectAnswers(client);
  });
}

test("an op that was sent to a core that died is answered by the next one", async ({ rig }) => {
  const { client } = await withCore(rig);
  for (const die of [() => rig.terminateCoreWorker(), () => rig.closeOffscreen(), () => rig.stopServiceWorker()]) {
    const [answer] = await Promise.all([client.submit({ type: "hello" }), die()]);
    expect(answer.type).toBe("welcome");
  }
});

test("a core that dies five times in a row is given up, until somebody asks", async ({ rig }) => {
  const { panel, client } = await withCore(rig);
  for (let death = 0; death < 5; death += 1) {
    await rig.coreStarted();
    // What comes by itself meanwhile must not count as somebody's asking.
    await client.post({ id: `resent-${death}`, op: { type: "hello" } });
    await client.ensureCore();
    await rig.terminateCoreWorker();
  }
  const why = /^The core stopped five times within a minute\./;
  await expect(panel.getByText(why)).toBeVisible();

  await client.post({ id: "resent", op: { type: "hello" } });
  expect(await client.ensureCore()).toEqual({ ok: true });
  const late = await rig.openPanelAsTab();
  await expect(late.getByText(why)).toBeVisible();
  expect(await coreId(rig)).toBe("none");

  await button(late, "Try again").click();
  await expectAnswers(client);
  await expectRunning(rig);
  for (const view of [panel, late]) await expect(view.getByText(why)).toHaveCount(0);
});

test("a core that rests takes its document along, and the next ask brings it back", async ({ rig }) => {
  const { client } = await withCore(rig);
  for (let round = 0; round < 3; round += 1) {
    const before = await coreId(rig);
    await rig.evaluateIn("core.worker.js", "self.postMessage({ kind: 'rest' }); true").catch(() => undefined);
    // Asked while the document is on its way out: the answer must come from the next one.
    await expectAnswers(client);
    await rig.coreStarted();
    expect(await coreId(rig)).not.toBe(before);
  }
});

test("open turns bring the core back after the whole browser was killed", async ({ rig }) => {
  await withCore(rig);
  expect(await askBroker(rig, { call: "keep_waking", on: true })).toMatchObject({ reply: "ok" });
  await rig.kill();
  await rig.relaunch();
  // Nobody asks: no view is open.
  await expectRunning(rig);
});

test("open turns bring the core back after all of it went away while the browser stays", async ({ rig }) => {
  const { panel } = await withCore(rig);
  await askBroker(rig, { call: "keep_waking", on: true });
  const alarm = await rig.evaluateIn("sw.js", "chrome.alarms.get('tabwright.wake')");
  expect(alarm).toMatchObject({ periodInMinutes: 1 });
  // The same alarm, a minute sooner.
  await rig.evaluateIn("sw.js", "chrome.alarms.create('tabwright.wake', { delayInMinutes: 0.05, periodInMinutes: 1 })");
  await rig.closePanel(panel);
  await rig.closeOffscreen();
  await rig.stopServiceWorker();
  expect(await rig.contexts()).toEqual([]);
  await expectRunning(rig);
});

test("without open turns a killed browser starts no core and leaves no alarm", async ({ rig }) => {
  await withCore(rig);
  await askBroker(rig, { call: "keep_waking", on: true });
  await askBroker(rig, { call: "keep_waking", on: false });
  await rig.kill();
  await rig.relaunch();
  expect(await rig.evaluateIn("sw.js", "chrome.alarms.getAll()")).toEqual([]);
  expect(await rig.contexts()).toEqual(["sw.js"]);
});

test("a local server on the list sees no Origin of ours, and another one does", async ({ rig }) => {
  await withCore(rig);
  const server = createServer((request, response) => response.end(request.headers.origin ?? "none"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const originSeen = (host: string): Promise<unknown> =>
    rig.evaluateIn("core.worker.js", `fetch("http://${host}:${port}/v1", { method: "POST", body: "{}" }).then((r) => r.text())`);
  const own = `chrome-extension://${rig.extensionId}`;
  try {
    expect(await originSeen("127.0.0.1")).toBe(own);
    await askBroker(rig, { call: "local_origins", rules: [{ host: "127.0.0.1", port }] });
    expect(await originSeen("127.0.0.1")).toBe("none");
    await askBroker(rig, { call: "local_origins", rules: [{ host: "127.0.0.1", port: port === 1 ? 2 : port - 1 }] });
    expect(await originSeen("127.0.0.1")).toBe(own);
    await askBroker(rig, { call: "local_origins", rules: [{ host: "localhost", port }] });
    expect([await originSeen("127.0.0.1"), await originSeen("localhost")]).toEqual([own, "none"]);
  } finally {
    server.close();
  }
});

test("a panel that opens while the core lives wakes nothing", async ({ rig }) => {
  const { panel } = await withCore(rig);
  const core = await coreId(rig);
  // A core that has just started tells the broker that no turn is open; after these it has.
  for (let time = 0; time < 3; time += 1) await askBroker(rig, { call: "keep_waking", on: false });
  await rig.stopServiceWorker();
  // A page of the extension that asks nobody but the core; a click on the button is Chrome's own affair.
  const second = await rig.openPanelAsTab();
  await expect(second.locator("form textarea")).toBeFocused();
  await expect(second.getByText("Waking up")).toHaveCount(0);
  await expect(panel.locator("form textarea")).toBeVisible();
  expect(await rig.contexts()).not.toContain("sw.js");
  expect(await coreId(rig)).toBe(core);
});

test.describe("strangers", () => {
  const other = new URL("fixtures/other-extension", import.meta.url).pathname;
  test.use({ launch: { otherExtensions: [other] } });

  test("the rig can turn user scripts on for an extension that may have them", async ({ rig }) => {
    const targets = await rig.targets();
    const stranger = targets.find(({ type, url }) => type === "service_worker" && !url.includes(rig.extensionId));
    const ask = async (): Promise<unknown> => rig.evaluateInTarget(stranger?.targetId ?? "", "typeof chrome.userScripts");
    expect(await ask()).toBe("undefined");
    await rig.allowUserScripts(true, new URL(stranger?.url ?? "").host);
    await expect.poll(ask).toBe("object");
  });

  test("a page, another extension, and a view that asks for the core's part get nothing", async ({ rig }) => {
    const messages = [
      { to: "worker", kind: "ensure_core" },
      { to: "worker", kind: "broker", call: { call: "keep_waking", on: true } },
      { to: "offscreen", kind: "ensure" },
    ];
    const page = await rig.firstPage();
    await page.goto("data:text/html,<title>A page</title>");
    const targets = await rig.targets();
    const stranger = targets.find(({ type, url }) => type === "service_worker" && !url.includes(rig.extensionId));
    expect(stranger).toBeDefined();
    for (const message of messages) {
      const call = `send(${JSON.stringify(rig.extensionId)}, ${JSON.stringify(message)})`;
      const answer = await rig.evaluateInTarget(stranger?.targetId ?? "", call);
      expect(answer).toMatch(/Receiving end does not exist/);
      const asPage = await page.evaluate(() => typeof (globalThis as { chrome?: typeof chrome }).chrome?.runtime);
      expect(asPage).toBe("undefined");
    }
    expect(await rig.contexts()).toEqual(["sw.js"]);

    const view = await rig.openPage(rig.extensionUrl("options.html"));
    expect(await answerTo(view, messages[1])).toBeNull();
    expect(await rig.evaluateIn("sw.js", "chrome.storage.local.get()")).toEqual({});
  });
});
