// What a round costs beside the model and the tool's own work: from the last byte of an answer that
// calls `list_tabs` to the arrival of the next request, with the result in it.
//
//     cargo xtask bench rounds
//     node --import tsx tests/bench/rounds.ts      (with the extension built)
//
// The model server answers at once, in a few chunks, as a real one streams. Turns are measured twice:
// while the panel shows them, which takes a share of the same processors, and with no view open.
//
// The history grows from round to round, and with it what the browser itself needs to send it. How
// much that is tells a bare `fetch` of the very same bodies from the same worker, with nothing done
// between the end of an answer and the next request.
// Prints a table, and the same as one line of JSON. No test judges it: a number depends on the
// machine, and on what else it does.

import { randomUUID } from "node:crypto";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { button, composer, SETTINGS } from "../e2e/panel_page.ts";
import type { ModelRequest } from "../model-server/script.ts";
import { ModelServer } from "../model-server/server.ts";
import { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";

const DIST = process.env["TABWRIGHT_DIST"] ?? new URL("../../dist", import.meta.url).pathname;
/** Rounds before anything is measured, so that nothing is done for the first time. */
const WARM_UP = 30;
const SHORT = 30;
const LONG = 200;
/** So many rounds at each end of the long turn are compared. */
const EDGE = 20;
/** So many turns of each length are taken together: one alone has too few rounds at its ends. */
const TURNS = 3;
const TURN_MILLIS = 120_000;
/** After a message was sent, and after a turn: what is not part of a round is over by then. */
const SETTLE_MILLIS = 300;
const TEXT = "List my tabs, again and again.";

/**
 * ScriptCat's Agent in the same kind of round, on a machine with two cores: the medians of a turn of
 * 30 and of 200 rounds in milliseconds, and its last 20 rounds over its first 20. It is not durable.
 */
const PEER = { short: 26.6, long: 34.6, growth: 1.26 };
/** What Tabwright is to reach: so much of the peer's time, and no more growth than this. */
const BAR = { share: 0.4, growth: 1.05 };

interface Summary {
  readonly median: number;
  readonly p90: number;
  readonly min: number;
  readonly max: number;
}

/** The milliseconds of each round of a turn, until the next request's head and until its body. */
interface Rounds {
  readonly head: number[];
  readonly body: number[];
}

/** Turns of each length. */
interface Turns {
  readonly short: readonly Rounds[];
  readonly long: readonly Rounds[];
}

/** Sends the message of a turn; ends when nobody but the core is at work on it. */
type Send = () => Promise<void>;

async function main(): Promise<void> {
  const models = await ModelServer.start();
  const browser = await Browser.launch({ dist: DIST, headless: true });
  try {
    await setUp(browser, models);
    const unseen = await turns(models, () => sendAndLeave(browser));
    const panel = await browser.openPanel();
    const shown = await turns(models, async () => {
      await button(panel, "New conversation").click();
      await composer(panel).fill(TEXT);
      await composer(panel).press("Enter");
    });
    await browser.closePanel(panel);
    const bare: Rounds[] = [];
    for (let time = 0; time < TURNS; time += 1) bare.push(await bareFetches(browser, models));
    report({ "panel open": shown, "no view open": unseen }, bare, await versionOf(browser));
  } finally {
    await browser.close();
    await models.close();
  }
}

/** The client hears every event, which costs time: its page is closed before anything is measured. */
async function setUp(browser: Browser, models: ModelServer): Promise<void> {
  const page = await browser.openPage(browser.extensionUrl("options.html"));
  const client = await CoreClient.connect(page);
  const model = { id: "bench", name: "Bench", provider: "open_ai_chat", address: `${models.url}/v1`, model: "tabwright-test" } as const;
  // Nothing is summed up or left out: the history grows from round to round.
  await client.submit({ type: "save_model", model: { ...model, key: null, scripted: true, context_window: 10_000_000 } });
  await client.submit({ type: "save_settings", settings: { ...SETTINGS, max_rounds: LONG + 10, max_tokens: 100_000_000 } });
  await page.close();
}

async function sendAndLeave(browser: Browser): Promise<void> {
  const page = await browser.openPage(browser.extensionUrl("options.html"));
  const client = await CoreClient.connect(page);
  await client.submit({ type: "send_message", conversation: randomUUID(), text: TEXT, tab: null });
  await page.close();
}

async function turns(models: ModelServer, send: Send): Promise<Turns> {
  await turn(models, send, WARM_UP);
  const all = async (rounds: number): Promise<Rounds[]> => {
    const measured: Rounds[] = [];
    for (let time = 0; time < TURNS; time += 1) measured.push(await turn(models, send, rounds));
    return measured;
  };
  return { short: await all(SHORT), long: await all(LONG) };
}

/** The bodies of the last long turn once more, sent as fast as the browser can. */
async function bareFetches(browser: Browser, models: ModelServer): Promise<Rounds> {
  const bodies = models.requests.slice(-LONG - 1).map(({ text }) => text);
  const before = models.requests.length;
  models.play(() => ({ calls: [{ name: "list_tabs", arguments: {} }] }));
  const options = { method: "POST", headers: { "content-type": "application/json" }, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "manual" };
  await browser.evaluateIn("core.worker.js", `(async () => {
    const bodies = ${JSON.stringify(bodies)}.map((text) => new TextEncoder().encode(text));
    for (const body of bodies) {
      const { signal } = new AbortController();
      const response = await fetch("${models.url}/v1/chat/completions", { ...${JSON.stringify(options)}, body, signal });
      const reader = response.body.getReader();
      while (!(await reader.read()).done);
    }
  })()`);
  const requests = models.requests.slice(before);
  return { head: gaps(requests, "head"), body: gaps(requests, "body") };
}

/** A turn of so many rounds in a conversation of its own. */
async function turn(models: ModelServer, send: Send, rounds: number): Promise<Rounds> {
  const before = models.requests.length;
  // The first answer waits for everything that sending takes to be over.
  const gate = models.gate();
  const call = { name: "list_tabs", arguments: {} };
  const first = { calls: [{ ...call, pieces: ["{", gate, "}"] }] };
  models.play([first, ...Array<object>(rounds - 1).fill({ calls: [call] }), { text: "Done." }]);
  await send();
  await gate.reached;
  await sleep(SETTLE_MILLIS);
  gate.open();
  const last = await models.waitForRequest(before + rounds + 1, TURN_MILLIS);
  await last.ended;
  await sleep(SETTLE_MILLIS);
  const requests = models.requests.slice(before);
  const failed = requests.find(({ refused, outcome, unscripted }) => refused !== null || unscripted || outcome !== "complete");
  if (failed !== undefined || requests.length !== rounds + 1) {
    throw new Error(`The turn did not run as scripted: ${requests.length} requests, ${failed?.refused ?? failed?.outcome ?? "all answered"}.`);
  }
  return { head: gaps(requests, "head"), body: gaps(requests, "body") };
}

/** From the end of each answer to that moment of the next request. */
function gaps(requests: readonly ModelRequest[], moment: "head" | "body"): number[] {
  return requests.slice(1).map((request, index) => {
    const answered = requests[index]?.moments.answered ?? Number.NaN;
    return request.moments[moment] - answered;
  });
}

function summary(millis: readonly number[]): Summary {
  const sorted = millis.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { median: median(sorted), p90: at(0.9), min: at(0), max: at(1) };
}

function median(sorted: readonly number[]): number {
  const middle = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return middle.reduce<number>((sum, value) => sum + (value ?? Number.NaN) / 2, 0);
}

function report(measured: Readonly<Record<string, Turns>>, bare: readonly Rounds[], chromium: string): void {
  const rows = [
    ...Object.entries(measured).flatMap(([how, turns]) => rowsOf(turns).map(([name, millis]) => ({ name: `${how}: ${name}`, ...summary(millis) }))),
    ...edgesOf(bare).map(([name, millis]) => ({ name: `a bare fetch: ${name}`, ...summary(millis) })),
  ];
  const ratios = Object.entries(measured).flatMap(([how, turns]) => ratiosOf(turns, bare).map((ratio) => ({ ...ratio, name: `${how}: ${ratio.name}` })));
  const width = Math.max(...[...rows, ...ratios].map(({ name }) => name.length));
  const line = (name: string, ...cells: string[]): string => [name.padEnd(width), ...cells.map((cell) => cell.padStart(8))].join(" ");
  console.log(line("milliseconds a round", "median", "p90", "min", "max"));
  for (const { name, median, p90, min, max } of rows) console.log(line(name, ...[median, p90, min, max].map((value) => value.toFixed(2))));
  console.log();
  console.log(line("ratio", "is", "bar", ""));
  for (const { name, is, bar } of ratios) console.log(line(name, is.toFixed(2), bar.toFixed(2), is <= bar ? "reached" : "MISSED"));
  console.log(JSON.stringify({ bench: "rounds", chromium, cores: cpus().length, turns: TURNS, rows, ratios, peer: PEER }));
}

function rowsOf({ short, long }: Turns): [string, number[]][] {
  return [
    [`${SHORT} rounds, to the next request's head`, short.flatMap(({ head }) => head)],
    [`${SHORT} rounds, to the end of its body`, short.flatMap(({ body }) => body)],
    [`${LONG} rounds, to the next request's head`, long.flatMap(({ head }) => head)],
    [`${LONG} rounds, to the end of its body`, long.flatMap(({ body }) => body)],
    ...edgesOf(long),
  ];
}

function edgesOf(long: readonly Rounds[]): [string, number[]][] {
  return [
    [`first ${EDGE} of ${LONG}, head`, long.flatMap(({ head }) => head.slice(0, EDGE))],
    [`last ${EDGE} of ${LONG}, head`, long.flatMap(({ head }) => head.slice(-EDGE))],
  ];
}

function ratiosOf({ short, long }: Turns, bare: readonly Rounds[]): { name: string; is: number; bar: number }[] {
  const median = (rounds: readonly Rounds[], part: (head: number[]) => number[] = (head) => head): number =>
    summary(rounds.flatMap(({ head }) => part(head))).median;
  const first = (rounds: readonly Rounds[]): number => median(rounds, (head) => head.slice(0, EDGE));
  const last = (rounds: readonly Rounds[]): number => median(rounds, (head) => head.slice(-EDGE));
  const edges = `last ${EDGE} ÷ first ${EDGE}`;
  return [
    { name: `${SHORT} rounds ÷ the peer's ${PEER.short} ms`, is: median(short) / PEER.short, bar: BAR.share },
    { name: `${LONG} rounds ÷ the peer's ${PEER.long} ms`, is: median(long) / PEER.long, bar: BAR.share },
    { name: `${edges} (the peer: ${PEER.growth})`, is: last(long) / first(long), bar: BAR.growth },
    { name: `${edges}, beyond a bare fetch`, is: (last(long) - last(bare)) / (first(long) - first(bare)), bar: BAR.growth },
  ];
}

async function versionOf(browser: Browser): Promise<string> {
  const page = await browser.firstPage();
  return page.evaluate(() => /Chrome\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? "unknown");
}

await main();
