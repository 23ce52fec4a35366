// A model's text may be anybody's text. What it can make the panel show, and what it cannot make it do.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test as base } from "../rig/fixtures.ts";
import { button, settled, turnEnd } from "./panel_page.ts";
import { log, panelWithModel, say } from "./turn_page.ts";

/** A web server that a model's text points to, and what it was asked for. */
interface Elsewhere {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

const PIXEL = Buffer.from("R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=", "base64");

/** Red, 32 by 32 pixels. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC";

const test = base.extend<{ elsewhere: Elsewhere }>({
  elsewhere: async ({}, use) => {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      response.setHeader("content-type", "image/gif");
      response.end(PIXEL);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests });
    server.closeAllConnections();
    server.close();
  },
});

async function answer(panel: Page, text: string): Promise<void> {
  await say(panel, "hi");
  await expect(turnEnd(panel)).toBeVisible();
  await expect(log(panel)).toContainText(text);
}

test("Markdown becomes headings, lists, tables and code", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([
    { text: "# Tabs\n\n1. First\n2. *Second*\n\n| Title | Address |\n|---|--:|\n| News | `a.test` |\n\n- [x] done\n\n```js\n1 < 2\n```" },
  ]);
  await answer(panel, "Tabs");
  // A heading of the answer stands below those of the panel.
  await expect(log(panel).getByRole("heading", { name: "Tabs" })).toHaveAttribute("dir", "auto");
  await expect(log(panel).getByRole("heading", { level: 3, name: "Tabs" })).toBeVisible();
  await expect(log(panel).locator("ol > li")).toHaveText(["First", "Second"]);
  await expect(log(panel).getByRole("columnheader")).toHaveText(["Title", "Address"]);
  await expect(log(panel).getByRole("cell")).toHaveText(["News", "a.test"]);
  await expect(log(panel).getByRole("img", { name: "Done:" })).toBeVisible();
  await expect(log(panel).getByRole("group", { name: "Code" })).toHaveText("1 < 2\n");
});

test("HTML in an answer is shown as text and does nothing", async ({ rig, models, elsewhere }) => {
  const panel = await panelWithModel(rig, models);
  const html = `<img src="${elsewhere.url}/a" onerror="document.title='caught'"><script>document.title='caught'</script>`;
  const frame = `<iframe src="${elsewhere.url}/b"></iframe><style>body{background:url(${elsewhere.url}/c)}</style>`;
  models.play([{ text: `Before.\n\n${html}\n\n${frame}\n\nA <b>word</b>.` }]);
  await answer(panel, "A <b>word</b>.");
  await settled(panel);
  await expect(log(panel)).toContainText("<script>document.title='caught'</script>");
  await expect(log(panel).locator("img, script, iframe, style, b")).toHaveCount(0);
  await expect(panel).not.toHaveTitle("caught");
  expect(elsewhere.requests).toHaveLength(0);
});

test("an image is fetched only when the person asks for it, and without saying from where", async ({ rig, models, elsewhere }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: `A chart:\n\n![Visits in June](${elsewhere.url}/chart.gif?who=you)\n\nAnd ![](${elsewhere.url}/x.gif).` }]);
  await answer(panel, "A chart:");
  await settled(panel);
  await expect(log(panel).locator("img")).toHaveCount(0);
  expect(elsewhere.requests).toHaveLength(0);

  await button(panel, "Show image: Visits in June").click();
  const image = log(panel).getByRole("img", { name: "Visits in June" });
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBe(1);
  expect(elsewhere.requests.map(({ url }) => url)).toEqual(["/chart.gif?who=you"]);
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty("referer");
  // One without a description is called by the server that would hear of it.
  await expect(button(panel, "Show image: 127.0.0.1")).toBeVisible();
});

test("an image that the model made is shown from the workspace, also after a new start, until its file is gone", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "Here it is.", images: [PNG] }]);
  await answer(panel, "Here it is.");
  const image = log(panel).getByRole("img", { name: /^images\/[0-9a-f]{16}\.png$/ });
  const width = (): Promise<number> => image.evaluate((img: HTMLImageElement) => (img.complete ? img.naturalWidth : 0));
  await expect.poll(width).toBe(32);
  await panel.reload();
  await expect.poll(width).toBe(32);
  await panel.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const workspace = await root.getDirectoryHandle("workspace");
    await workspace.removeEntry("images", { recursive: true });
  });
  await panel.reload();
  await expect(log(panel)).toContainText("is not in the workspace any more.");
});

test("an image of the workspace that cannot be one is said to be gone, and nothing else is lost", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "Before. ![a](workspace:%zz) ![b](workspace:../tabwright/core.db) ![c](workspace:none/%2e%2e/x.png) After." }]);
  await answer(panel, "After.");
  await expect(log(panel)).toContainText("(The image %zz is not in the workspace any more.)");
  await expect(log(panel)).toContainText("(The image none/../x.png is not in the workspace any more.)");
  await expect(log(panel).getByRole("img")).toHaveCount(0);
});

test("a link opens in a tab of its own, and only to the web or to a mail address", async ({ rig, models, elsewhere }) => {
  const panel = await panelWithModel(rig, models);
  // eslint-disable-next-line no-script-url -- What must not become a link is what this is about.
  const bad = ["javascript:alert(1)", "data:text/html,x", "chrome://settings", "file:///etc/passwd", rig.extensionUrl("options.html")];
  const links = bad.map((url, index) => `[bad ${index}](${url})`).join(" ");
  models.play([{ text: `See [the page](${elsewhere.url}/page), [mail](mailto:a@example.com) and ${links}.` }]);
  await answer(panel, "bad 4");
  await expect(log(panel).getByRole("link")).toHaveText(["the page", "mail"]);
  const opened = rig.context.waitForEvent("page");
  await log(panel).getByRole("link", { name: "the page" }).click();
  const page = await opened;
  await page.waitForURL(`${elsewhere.url}/page`);
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty("referer");
  expect(await page.evaluate(() => window.opener === null)).toBe(true);
});
