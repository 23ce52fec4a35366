// What a browser test is given: a fresh browser with the extension, and a model server.

import { fileURLToPath } from "node:url";
import { test as base } from "@playwright/test";
import { ModelServer } from "../model-server/server.ts";
import { Browser, type LaunchOptions } from "./browser.ts";

export { expect } from "@playwright/test";

interface Fixtures {
  /** How the browser is started; a test may add to it with `test.use`. */
  launch: Omit<LaunchOptions, "dist" | "headless">;
  /** A fresh browser with the built extension. (`browser` is Playwright's own, which this takes the place of.) */
  rig: Browser;
  /** A model server that does what the test tells it. */
  models: ModelServer;
}

export const DIST = process.env["TABWRIGHT_DIST"] ?? fileURLToPath(new URL("../../dist", import.meta.url));
export const IS_HEADED = process.env["TABWRIGHT_HEADED"] === "1";

export const test = base.extend<Fixtures>({
  launch: [{}, { option: true }],
  rig: async ({ launch }, use) => {
    const browser = await Browser.launch({ ...launch, dist: DIST, headless: !IS_HEADED });
    await use(browser);
    await browser.close();
  },
  models: async ({}, use) => {
    const server = await ModelServer.start();
    await use(server);
    await server.close();
  },
});
