// Turns from the panel through the core to a tool and back, and what may happen meanwhile.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import type { Gate } from "../model-server/gate.ts";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import { expect, test } from "../rig/fixtures.ts";
import { lines } from "./core_page.ts";
import { SETTINGS } from "./panel_page.ts";
import { clientIn, expectOneCallTurn, log, panelWithModel, say, short, storedItems } from "./turn_page.ts";

const LIST_TABS = { calls: [{ name: "list_tabs", arguments: {} }] };
const ANSWER = { text: "You have one tab." };

test("a turn streams text into the panel", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  models.play([{ pieces: ["Hello ", "**wor", gate, "ld**."] }]);
  await say(panel, "hi");
  await gate.reached;
  await expect(log(panel)).toContainText("Hello");
  await expect(panel.getByRole("button", { name: "Stop" })).toBeVisible();
  gate.open();
  await expect(log(panel).locator("strong")).toHaveText("world");
  await expect.poll(async () => short(await storedItems(panel))).toEqual([
    "person: hi",
    "model: Hello **world**. [complete]",
    "end: done",
  ]);
  await expect(panel.getByRole("button", { name: "Stop" })).toHaveCount(0);
});

test("a turn calls a tool, and the model gets what it promises", async ({ rig, models }) => {
  const page = await rig.openPage(`${models.url}/v1/models`);
  const panel = await panelWithModel(rig, models);
  models.play([LIST_TABS, ANSWER]);
  await say(panel, "list my tabs");
  await expectOneCallTurn(panel, models);

  const result = models.requests[1]?.conversation.messages.flatMap(({ results }) => results)[0]?.text ?? "";
  const tabs = JSON.parse(result.slice(result.indexOf("[{"), result.lastIndexOf("}]") + 2)) as Record<string, unknown>[];
  expect(tabs.map((tab) => Object.keys(tab).sort())).toEqual(
    tabs.map(() => ["active", "audible", "id", "index", "status", "title", "url", "windowId"]),
  );
  expect(tabs.map(({ url }) => url)).toContain(page.url());
});

test("a model server on this computer sees no origin of ours", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "You got through.", misbehave: "refuse-extension-origin" }]);
  await say(panel, "hi");
  await expect(log(panel)).toContainText("You got through.");
  expect(models.requests.map(({ headers }) => headers["origin"])).toEqual([undefined]);
});

test("a turn goes on while the thread of the document and the views is busy", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await expect.poll(() => lines(rig)).toBe(1);
  const gate = models.gate();
  models.play([{ calls: [{ name: "list_tabs", pieces: ["{", gate, "}"] }] }, ANSWER]);
  await say(panel, "list my tabs");
  await gate.reached;
  const thread = await blockThread(rig);
  gate.open();
  await models.waitForRequest(2);
  await thread.free();
  await expectOneCallTurn(panel, models);
});

/** Keeps the thread of the document busy, which is every view's too, until it is freed. */
async function blockThread(rig: Browser): Promise<{ free(): Promise<void> }> {
  let answer: () => void = () => undefined;
  const server = createServer((_request, response) => {
    answer = () => response.end();
    server.emit("blocked");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const blocked = once(server, "blocked");
  const request = `const request = new XMLHttpRequest(); request.open("GET", "http://127.0.0.1:${port}/", false); request.send()`;
  const freed = rig.evaluateIn("offscreen.html", `try { ${request} } catch {} true`);
  await blocked;
  return {
    free: async () => {
      answer();
      await freed;
      server.close();
    },
  };
}

test("Stop ends the turn, the request is given up, and Retry goes on", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  models.play([{ pieces: ["Half", gate, " more"] }, { text: "Whole." }]);
  await say(panel, "hi");
  await gate.reached;
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => models.requests[0]?.aborted).not.toBeNull();
  await expect.poll(async () => short(await storedItems(panel))).toEqual(["person: hi", "model: Half [cut]", "end: stopped"]);
  await panel.getByRole("button", { name: /retry|try again|continue/i }).click();
  await expect(log(panel)).toContainText("Whole.");
});

interface Scene {
  readonly rig: Browser;
  readonly models: ModelServer;
  readonly panel: Page;
}

/** What may happen in the middle of a turn. Each gives back the panel to read the end in. */
const events: Record<string, (scene: Scene) => Promise<Page>> = {
  "the service worker stops": async ({ rig, panel }) => {
    await rig.stopServiceWorker();
    return panel;
  },
  "the panel is closed and opened again": async ({ rig, panel }) => {
    await rig.closePanel(panel);
    return rig.openPanel();
  },
  "the core's worker ends": async ({ rig, panel }) => {
    await rig.terminateCoreWorker();
    return panel;
  },
  "the core's document is closed": async ({ rig, panel }) => {
    await rig.closeOffscreen();
    return panel;
  },
};

type Script = Parameters<ModelServer["play"]>[0];

/**
 * A model that asks for the tabs until it has been given them, and then answers; at its first
 * request of that kind it stops at the gate. A core that died may ask again as often as it likes.
 */
function scriptWith(gate: Gate, moment: Moment): Script {
  let isFirst = true;
  return (request) => {
    const hasResult = request.conversation.messages.some(({ results }) => results.length > 0);
    const isHere = hasResult === (moment === "in the answer after the call");
    const stopsHere = isHere && isFirst;
    if (stopsHere) isFirst = false;
    if (hasResult) return stopsHere ? { pieces: ["You have ", gate, "one tab."] } : ANSWER;
    return stopsHere ? { calls: [{ name: "list_tabs", pieces: ["{", gate, "}"] }] } : LIST_TABS;
  };
}

type Moment = "before the call is whole" | "in the answer after the call";

/** What had arrived of an answer that was asked for again stays in view, marked. */
const INTERRUPTED = ["model:  [cut]", "model: You have  [cut]"];

for (const moment of ["before the call is whole", "in the answer after the call"] as const) {
  for (const [what, happen] of Object.entries(events)) {
    test(`the turn ends well and its tool runs once when ${what} ${moment}`, async ({ rig, models }) => {
      const panel = await panelWithModel(rig, models);
      const gate = models.gate();
      models.play(scriptWith(gate, moment));
      await say(panel, "list my tabs");
      await gate.reached;
      const open = await happen({ rig, models, panel });
      gate.open();
      await expectOneCallTurn(open, models, INTERRUPTED);
    });
  }

  test(`the turn goes on by itself when the browser is killed ${moment}`, async ({ rig, models }) => {
    const panel = await panelWithModel(rig, models);
    const gate = models.gate();
    models.play(scriptWith(gate, moment));
    await say(panel, "list my tabs");
    await gate.reached;
    const asked = models.requests.length;
    await rig.kill();
    gate.open();
    await rig.relaunch();
    // Nobody opens anything: the core comes back because a turn is open.
    await models.waitForRequest(asked + 1);
    await expectOneCallTurn(await rig.openPanel(), models, INTERRUPTED);
  });
}

test("the core lets go when it has been idle, and the next message finds everything", async ({ rig, models }) => {
  test.setTimeout(120_000);
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "First answer." }, { text: "Second answer." }]);
  const client = await clientIn(panel);
  await client.submit({ type: "save_settings", settings: { ...SETTINGS, idle_minutes: 1 } });
  await say(panel, "one");
  await expect(log(panel)).toContainText("First answer.");
  // The shortest idle time is a minute, and it is counted from the last thing that happened.
  await expect.poll(() => rig.contexts(), { timeout: 90_000, intervals: [1_000] }).not.toContain("offscreen.html");
  await say(panel, "two");
  await expect(log(panel)).toContainText("Second answer.");
  await expect.poll(async () => short(await storedItems(panel))).toEqual([
    "person: one",
    "model: First answer. [complete]",
    "end: done",
    "person: two",
    "model: Second answer. [complete]",
    "end: done",
  ]);
});
