// open_tab, close_tab and activate_tab in a real browser, with pages that load, fail, and never end.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Tab } from "../../www/generated/protocol.ts";
import { CoreClient } from "../rig/core_client.ts";
import { test as base, expect } from "../rig/fixtures.ts";
import { callTool, expectError, expectResult } from "./tools_page.ts";

interface Fixtures {
  /** The address of a server with pages of every kind. */
  site: string;
  client: CoreClient;
}

const PAGES: Record<string, (response: ServerResponse) => void> = {
  "/ok": (response) => response.end("<title>Fine</title>fine"),
  "/slow": (response) => void setTimeout(() => response.end("<title>Slow</title>slow"), 6_000),
  "/never": (response) => void response.write("<title>Never</title>never"),
  "/silent": () => undefined,
  "/empty": (response) => response.writeHead(204).end(),
  "/late-empty": (response) => void setTimeout(() => response.writeHead(204).end(), 1_000),
  "/download": (response) =>
    response.writeHead(200, { "content-type": "application/zip", "content-disposition": "attachment; filename=a.zip" }).end("PK"),
  "/redirect": (response) => response.writeHead(302, { location: "/ok" }).end(),
  "/missing": (response) => response.writeHead(404).end("<title>Not here</title>no"),
  "/missing-empty": (response) => response.writeHead(404).end(),
  "/moves-on": (response) => response.end("<title>First</title><script>location.replace('/ok')</script>"),
  "/asks": (response) => response.end("<title>Asks</title><input><script>onbeforeunload = (event) => event.preventDefault()</script>"),
};

function serve({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("content-type", "text/html");
  const page = PAGES[url ?? ""];
  if (page === undefined) response.destroy();
  else page(response);
}

const test = base.extend<Fixtures>({
  site: async ({}, use) => {
    const server = createServer(serve);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
  },
  client: async ({ rig }, use) => {
    await use(await CoreClient.connect(await rig.openPanel()));
  },
});

async function tabs(client: CoreClient, filter: Record<string, unknown> = {}): Promise<Tab[]> {
  return (await callTool(client, "list_tabs", filter)) as Tab[];
}

/** Opens an address that loads; the tab's id. */
async function open(client: CoreClient, url: string, more: Record<string, unknown> = {}): Promise<number> {
  const opened = (await callTool(client, "open_tab", { url, ...more })) as { id: number };
  expect(typeof opened.id).toBe("number");
  return opened.id;
}

/** What open_tab answers for a tab that was opened beside the first one. */
function opened(url: string, title: string, status = "complete"): unknown {
  const number: unknown = expect.any(Number);
  return { id: number, url, title, windowId: number, index: 1, status };
}

test("open_tab opens a tab, shows it, and waits until it has loaded", async ({ client, site }) => {
  for (const [path, target, title] of [
    ["/ok", "/ok", "Fine"],
    ["/redirect", "/ok", "Fine"],
    ["/missing", "/missing", "Not here"],
    ["/slow", "/slow", "Slow"],
  ] as const) {
    await expectResult(client, "open_tab", { url: site + path }, opened(site + target, title));
    const [shown] = await tabs(client, { active: true });
    expect(shown).toMatchObject({ url: site + target, title, status: "complete" });
    await callTool(client, "close_tab", { tab_id: shown?.id });
  }
  await expectResult(client, "open_tab", { url: "about:blank", active: false }, opened("about:blank", "about:blank"));
  expect((await tabs(client)).map(({ active }) => active)).toEqual([true, false]);
});

test("open_tab navigates a tab that is there, also to the same address or a place in it", async ({ client, site }) => {
  const [first] = await tabs(client);
  const tab = await open(client, `${site}/ok`, { active: false });
  const result = { id: tab, windowId: first?.windowId, index: 1, status: "complete" };
  for (const [path, url, title] of [
    ["/ok", "/ok", "Fine"],
    ["/ok#place", "/ok#place", "Fine"],
    ["/ok#place", "/ok#place", "Fine"],
    ["/missing", "/missing", "Not here"],
    ["/redirect", "/ok", "Fine"],
  ] as const) {
    const asked = { url: site + path, tab_id: tab, active: false };
    await expectResult(client, "open_tab", asked, { ...result, url: site + url, title });
  }
  expect(await tabs(client, { active: true })).toEqual([first]);
  await callTool(client, "open_tab", { url: `${site}/ok`, tab_id: tab, window_id: first?.windowId });
  expect(await tabs(client, { active: true })).toMatchObject([{ id: tab, url: `${site}/ok` }]);
  await expectError(client, "open_tab", { url: `${site}/ok`, tab_id: tab, window_id: 1 }, "wrong_window", `Tab ${tab} is in window`);
  await expectError(client, "open_tab", { url: `${site}/ok`, window_id: 1 }, "no_such_window", "There is no window 1");
});

test("a page that sends its reader on is loaded when the next one is", async ({ client, site }) => {
  const tab = await open(client, `${site}/moves-on`);
  await expect.poll(() => tabs(client, { url_pattern: "/ok$" })).toMatchObject([{ id: tab, status: "complete" }]);
});

test("a load error is an error and names its reason", async ({ client, site }) => {
  // Nobody listens at a port that was free a moment ago.
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const there = await open(client, `${site}/ok`);
  for (const [url, reason] of [
    [`http://127.0.0.1:${port}/`, "net::ERR_CONNECTION_REFUSED. Nothing answers at that port."],
    ["http://no-such-host.invalid/", "net::ERR_NAME_NOT_RESOLVED. There is no such host"],
    [`${site}/unknown`, "net::ERR_EMPTY_RESPONSE."],
    [`${site}/missing-empty`, "net::ERR_HTTP_RESPONSE_CODE_FAILURE."],
  ] as const) {
    await expectError(client, "open_tab", { url }, "load_failed", reason);
    await expectError(client, "open_tab", { url, tab_id: there }, "load_failed", `Tab ${there} is open and shows the error.`);
    await expectResult(client, "open_tab", { url: `${site}/ok`, tab_id: there }, opened(`${site}/ok`, "Fine"));
  }
});

test("an answer without a page is an error", async ({ client, site }) => {
  const there = await open(client, `${site}/ok`);
  for (const path of ["/empty", "/late-empty", "/download"]) {
    const asked = { url: site + path, tab_id: there };
    await expectError(client, "open_tab", asked, "no_page", `Tab ${there} still shows the page before.`);
  }
  await expectError(client, "open_tab", { url: `${site}/empty` }, "no_page", "is open and empty");
  await expectError(client, "open_tab", { url: `${site}/download` }, "tab_closed", "may be a download");
  expect((await tabs(client, { url_pattern: "/ok$" })).map(({ id }) => id)).toEqual([there]);
});

test("what never ends is loading after half a minute, and what is not waited for at once", async ({ client, site }) => {
  test.setTimeout(120_000);
  const now = { wait_until_loaded: false, active: false };
  await expectResult(client, "open_tab", { url: `${site}/silent`, ...now }, opened(`${site}/silent`, "", "loading"));
  const [tab] = await tabs(client, { active: false });
  expect(tab).toMatchObject({ status: "loading" });
  const asked = { url: `${site}/never`, tab_id: tab?.id, active: false };
  await expectResult(client, "open_tab", asked, opened(`${site}/never`, "Never", "loading"));
  // From a page that never ends to nothing: the tab goes on loading, and no page came.
  await expectError(client, "open_tab", { ...asked, url: `${site}/empty` }, "no_page", "still shows the page before");
});

test("a tab that is closed while it loads is an error", async ({ client, site }) => {
  const opening = callTool(client, "open_tab", { url: `${site}/silent` });
  await expect.poll(() => tabs(client)).toHaveLength(2);
  const [, tab] = await tabs(client);
  await expectResult(client, "close_tab", { tab_id: tab?.id }, { success: true, tab_id: tab?.id });
  expect(await opening).toMatchObject({ code: "tab_closed" });
});

test("a service worker that goes away while a tab loads loses nothing", async ({ rig, client, site }) => {
  const opening = callTool(client, "open_tab", { url: `${site}/slow` });
  await expect.poll(() => tabs(client)).toHaveLength(2);
  // The first question waits for five seconds; whoever is asked next is stopped.
  await new Promise((resolve) => setTimeout(resolve, 5_300));
  await rig.stopServiceWorker();
  expect(await opening).toEqual(opened(`${site}/slow`, "Slow"));
});

test("addresses that are no pages of the web are refused, and no tab opens", async ({ client, rig }) => {
  for (const url of [
    "chrome://settings/",
    rig.extensionUrl("options.html"),
    "file:///etc/passwd",
    "data:text/html,x",
    ["javascript", "alert(1)"].join(":"),
    "view-source:https://example.com/",
    "devtools://devtools/bundled/inspector.html",
  ]) {
    await expectError(client, "open_tab", { url }, "address_refused", `not \`${url.split(":")[0] ?? ""}:\` addresses`);
  }
  await expectError(client, "open_tab", { url: "example.com" }, "invalid_url", "such as https://example.com/");
  expect(await tabs(client)).toHaveLength(1);
});

test("close_tab closes a tab, but neither one that is not there nor the only one", async ({ client, site }) => {
  const tab = await open(client, `${site}/ok`);
  await expectResult(client, "close_tab", { tab_id: tab }, { success: true, tab_id: tab });
  await expectError(client, "close_tab", { tab_id: tab }, "not_found", `No tab with id: ${tab}`);
  const [only] = await tabs(client);
  await expectError(client, "close_tab", { tab_id: only?.id }, "last_tab", "Open another one first");
  expect(await tabs(client)).toEqual([only]);
});

test("a page that asks the person before it closes is still open, and close_tab says so", async ({ rig, site }) => {
  // A side panel comes with a second connection to the browser, which would answer the dialog.
  const client = await CoreClient.connect(await rig.openPanelAsTab());
  const page = await rig.openPage(`${site}/asks`);
  const [tab] = await tabs(client, { title_pattern: "^Asks$" });
  // Only a page that somebody has used may ask; with a listener the dialog stays open.
  const asked = new Promise<void>((resolve) => page.on("dialog", () => resolve()));
  await page.locator("input").fill("typed");
  await page.locator("input").press("a");
  await expectError(client, "close_tab", { tab_id: tab?.id }, "still_open", "asks the person whether to leave it");
  await asked;
  expect(await tabs(client, { title_pattern: "^Asks$" })).toMatchObject([{ id: tab?.id }]);
});

test("activate_tab shows a tab in its window", async ({ client, site }) => {
  const [first] = await tabs(client);
  const tab = await open(client, `${site}/ok`);
  for (const [id, url, title] of [
    [first?.id, "about:blank", "about:blank"],
    [tab, `${site}/ok`, "Fine"],
    [tab, `${site}/ok`, "Fine"],
  ] as const) {
    const shown = { id, url, title, active: true, windowId: first?.windowId };
    await expectResult(client, "activate_tab", { tab_id: id }, shown);
    expect((await tabs(client, { active: true })).map((active) => active.id)).toEqual([id]);
  }
  await expectError(client, "activate_tab", { tab_id: 1 }, "not_found", "No tab with id: 1");
});
