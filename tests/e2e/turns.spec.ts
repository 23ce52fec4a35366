// Turns from the panel through the core to a tool and back, and what may happen meanwhile.

import type { Page } from "@playwright/test";
import type { Gate } from "../model-server/gate.ts";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import { expect, test } from "../rig/fixtures.ts";
import { expectOneCallTurn, log, panelWithModel, say, short, storedItems } from "./turn_page.ts";

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

/** The moments of a turn with one call: where the model's stream stands. */
const moments: Record<string, (gate: Gate) => Parameters<ModelServer["play"]>[0]> = {
  "before the call is whole": (gate) => [{ calls: [{ name: "list_tabs", pieces: ["{", gate, "}"] }] }, ANSWER],
  "after the call, in the answer": (gate) => [LIST_TABS, { pieces: ["You have ", gate, "one tab."] }],
};

for (const [moment, script] of Object.entries(moments)) {
  for (const [what, happen] of Object.entries(events)) {
    test(`the turn ends well and its tool runs once when ${what} ${moment}`, async ({ rig, models }) => {
      const panel = await panelWithModel(rig, models);
      const gate = models.gate();
      const steps = script(gate);
      models.play(steps);
      await say(panel, "list my tabs");
      await gate.reached;
      // A core that died asks again for what it had not heard to the end.
      playRest(models, moment);
      const open = await happen({ rig, models, panel });
      gate.open();
      await expectOneCallTurn(open, models, INTERRUPTED);
    });
  }

  test(`the turn goes on by itself when the browser is killed ${moment}`, async ({ rig, models }) => {
    const panel = await panelWithModel(rig, models);
    const gate = models.gate();
    models.play(script(gate));
    await say(panel, "list my tabs");
    await gate.reached;
    const asked = models.requests.length;
    playRest(models, moment);
    await rig.kill();
    gate.open();
    await rig.relaunch();
    // Nobody opens anything: the core comes back because a turn is open.
    await models.waitForRequest(asked + 1);
    await expectOneCallTurn(await rig.openPanel(), models, INTERRUPTED);
  });
}

/** What had arrived of an answer that was asked for again stays in view, marked. */
const INTERRUPTED = ["model:  [cut]", "model: You have  [cut]"];

/** The steps that are left for a request that is made again. */
function playRest(models: ModelServer, moment: string): void {
  const isBeforeCall = moment === "before the call is whole";
  models.play(isBeforeCall ? [LIST_TABS, ANSWER] : [ANSWER]);
}
