// `call`: one tool, through the same door as a model's call.

import type { Page } from "playwright-core";
import type { CallCommand } from "./arguments.ts";
import { Browser } from "./browser.ts";
import { CoreClient } from "./core_client.ts";

/** Prints exactly what a model would be given. The exit code comes back. */
export async function call(command: CallCommand, interrupted: Promise<void>): Promise<number> {
  const browser = await Browser.launch({ dist: command.dist, chromium: command.chromium, headless: true });
  try {
    return await Promise.race([callIn(browser, command), interrupted.then(() => 1)]);
  } finally {
    await browser.close();
  }
}

async function callIn(browser: Browser, { tool, toolArguments, url }: CallCommand): Promise<number> {
  const page = await browser.firstPage();
  await open(page, url);
  // The panel is no tab, so it does not show up in what a tool sees.
  const client = await CoreClient.connect(await browser.openPanel());
  const answer = await client.callTool(tool, toolArguments, await client.activeTab());
  process.stdout.write(process.stdout.isTTY ? `${answer.text}\n` : answer.text);
  return answer.is_error ? 1 : 0;
}

async function open(page: Page, url: string): Promise<void> {
  if (!URL.canParse(url)) throw new Error(`--url ${url} is no address; one looks like https://example.com or about:blank.`);
  try {
    await page.goto(url, { timeout: 30_000 });
  } catch (thrown) {
    // Playwright's own words go on for lines, in colour.
    const [reason] = thrown instanceof Error ? thrown.message.split("\n") : [String(thrown)];
    throw new Error(`${url} could not be opened: ${reason ?? ""}`);
  }
}
