// How long it takes until there is something to work with: the core from nothing to ready, and the
// panel from the click to a composer that can be typed into.
//
//     cargo xtask bench start
//     node --import tsx tests/bench/start.ts      (with the extension built)
//
// Every time is taken inside the browser, where it happens; only the click is timed here. Prints a
// table, and the same as one line of JSON. Nothing is judged: a number depends on the machine.

import { cpus } from "node:os";
import type { Page } from "playwright-core";
import type { ChannelMessage } from "../../extension/messages.ts";
import { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";

const ROUNDS = 10;
const DIST = process.env["TABWRIGHT_DIST"] ?? new URL("../../dist", import.meta.url).pathname;

/** The milliseconds of every round, by what was measured. */
type Samples = Record<string, number[]>;

async function main(): Promise<void> {
  const browser = await Browser.launch({ dist: DIST, headless: true });
  try {
    const samples = { ...(await coreStarts(browser)), ...(await panelOpens(browser)) };
    report(samples, await versionOf(browser));
  } finally {
    await browser.close();
  }
}

/** The browser is warm and the core is not: what an idle core costs the next time it is needed. */
async function coreStarts(browser: Browser): Promise<Samples> {
  const page = await browser.openPage(browser.extensionUrl("options.html"));
  const samples: Samples = { "core: asked for → ready": [], "core: its worker starts → ready": [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    await browser.coreStarted();
    await browser.closeOffscreen();
    const { asked, ready } = await startCore(page);
    const workerStart = Number(await browser.evaluateIn("core.worker.js", "performance.timeOrigin"));
    // The first round also makes the database.
    if (round === 0) continue;
    samples["core: asked for → ready"]?.push(ready - asked);
    samples["core: its worker starts → ready"]?.push(ready - workerStart);
  }
  await page.close();
  return samples;
}

function startCore(page: Page): Promise<{ asked: number; ready: number }> {
  return page.evaluate(async () => {
    const channel = new BroadcastChannel("tabwright");
    const ready = new Promise<number>((resolve) => {
      channel.addEventListener("message", ({ data }: MessageEvent<ChannelMessage>) => {
        if (data.kind !== "events") return;
        const isReady = data.envelopes.some(({ event }) => event.type === "core" && event.health.state === "ready");
        if (isReady) resolve(performance.timeOrigin + performance.now());
      });
    });
    const asked = performance.timeOrigin + performance.now();
    void chrome.runtime.sendMessage({ to: "worker", kind: "ensure_core" });
    const times = { asked, ready: await ready };
    channel.close();
    return times;
  });
}

/** With everything running, and with nothing running but the browser. */
async function panelOpens(browser: Browser): Promise<Samples> {
  const warm = "panel: click → composer, core alive";
  const cold = "panel: click → composer, core and service worker gone";
  const samples: Samples = { [warm]: [], [cold]: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of [warm, cold]) {
      await browser.coreStarted();
      if (name === cold) {
        await browser.closeOffscreen();
        await browser.stopServiceWorker();
      }
      const millis = await openPanel(browser);
      if (round > 0) samples[name]?.push(millis);
    }
  }
  return samples;
}

/** From just before the click until the composer, with the focus, is painted. */
async function openPanel(browser: Browser): Promise<number> {
  const clicked = Date.now();
  const panel = await browser.openPanel();
  const painted = await panel.evaluate(async () => {
    // The panel draws everything at once, so its first content is the whole of it.
    const paint = await new Promise<PerformanceEntry>((resolve) => {
      const observer = new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName("first-contentful-paint");
        if (entry !== undefined) resolve(entry);
      });
      observer.observe({ type: "paint", buffered: true });
    });
    return { at: performance.timeOrigin + paint.startTime, focus: document.activeElement?.tagName };
  });
  if (painted.focus !== "TEXTAREA") throw new Error(`The focus is on ${painted.focus ?? "nothing"}, not on the composer.`);
  // The next round finds it settled.
  await (await CoreClient.connect(panel)).submit({ type: "hello" });
  await browser.closePanel(panel);
  return painted.at - clicked;
}

async function versionOf(browser: Browser): Promise<string> {
  const page = await browser.firstPage();
  return page.evaluate(() => /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? "unknown");
}

function report(samples: Samples, chromium: string): void {
  const rows = Object.entries(samples).map(([name, millis]) => ({ name, ...summary(millis) }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, ...cells: string[]): string => [name.padEnd(width), ...cells.map((cell) => cell.padStart(8))].join(" ");
  console.log(line(`milliseconds, ${ROUNDS} rounds`, "median", "min", "max"));
  for (const { name, median, min, max } of rows) console.log(line(name, ...[median, min, max].map((value) => value.toFixed(1))));
  console.log(JSON.stringify({ bench: "start", chromium, cores: cpus().length, rounds: ROUNDS, rows }));
}

function summary(millis: readonly number[]): { median: number; min: number; max: number } {
  const sorted = millis.toSorted((a, b) => a - b);
  const at = (index: number): number => Number((sorted[index] ?? Number.NaN).toFixed(1));
  const middle = (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2;
  return { median: Number(middle.toFixed(1)), min: at(0), max: at(sorted.length - 1) };
}

await main();
