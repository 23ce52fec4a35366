// Makes the picture of the README again: the side panel after a turn with the scripted demo.
//
//     cargo xtask build && node --import tsx tests/rig/picture.ts

import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { demoRules } from "../model-server/demo.ts";
import { demoModel, ModelServer } from "../model-server/server.ts";
import { Browser } from "./browser.ts";
import { CoreClient } from "./core_client.ts";

const DIST = process.env["TABWRIGHT_DIST"] ?? new URL("../../dist", import.meta.url).pathname;
const PICTURE = new URL("../../docs/panel.png", import.meta.url).pathname;
const SIZE = { width: 400, height: 640, deviceScaleFactor: 2, mobile: false };

/** Tabs as anybody may have them. */
const PAGES = [
  { address: "http://docs.example.com/releases", title: "Release notes" },
  { address: "http://team.example.com/calendar", title: "Team calendar" },
  { address: "http://shop.example.com/invoices/2041", title: "Invoice 2041" },
];

async function main(): Promise<void> {
  const pages = await servePages();
  const models = await ModelServer.start({ rules: demoRules });
  const { port } = pages.address() as AddressInfo;
  const extraArgs = [`--host-resolver-rules=MAP *.example.com 127.0.0.1:${port}`];
  const browser = await Browser.launch({ dist: DIST, headless: true, extraArgs });
  try {
    await openTabs(browser);
    const panel = await browser.openPanel();
    await useDemo(panel, models);
    await panel.locator("form textarea").fill("list my tabs");
    await panel.locator("form textarea").press("Enter");
    await panel.locator(".turn-end").waitFor();
    await writeFile(PICTURE, await take(panel));
  } finally {
    await browser.close();
    await models.close();
    pages.close();
  }
}

async function servePages(): Promise<Server> {
  const server = createServer(({ headers, url }, response) => {
    const page = PAGES.find(({ address }) => address === `http://${headers.host ?? ""}${url ?? ""}`);
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>${page?.title ?? ""}</title>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function openTabs(browser: Browser): Promise<void> {
  const [first, ...others] = PAGES;
  if (first !== undefined) await (await browser.firstPage()).goto(first.address);
  for (const { address } of others) await browser.openPage(address);
}

async function useDemo(panel: Page, models: ModelServer): Promise<void> {
  const client = await CoreClient.connect(panel);
  const fields = { provider: "open_ai_chat", address: `${models.url}/v1`, model: demoModel, key: null } as const;
  await client.submit({ type: "save_model", model: { id: "demo", name: "Demo", scripted: true, context_window: null, ...fields } });
}

/** Playwright's own screenshot of a side panel has one pixel for each of the page's, whatever the scale. */
async function take(panel: Page): Promise<Buffer> {
  await panel.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const session = await panel.context().newCDPSession(panel);
  await session.send("Emulation.setDeviceMetricsOverride", SIZE);
  const { data } = await session.send("Page.captureScreenshot", { format: "png" });
  return Buffer.from(data, "base64");
}

await main();
