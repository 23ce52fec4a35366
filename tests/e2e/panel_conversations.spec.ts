// Many conversations in one panel, and one conversation in many panels.

import type { Locator, Page } from "@playwright/test";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import { expect, test } from "../rig/fixtures.ts";
import { button, composer, said, turnEnd } from "./panel_page.ts";
import { clientIn, log, panelWithModel, say } from "./turn_page.ts";

/** A panel with these conversations, the last of them open, each with one answered message. */
async function panelWith(rig: Browser, models: ModelServer, messages: readonly string[]): Promise<Page> {
  const panel = await panelWithModel(rig, models);
  models.play(({ conversation }) => ({ text: `You said: ${conversation.messages.at(-1)?.text ?? ""}.` }));
  for (const [index, message] of messages.entries()) {
    if (index > 0) await button(panel, "New conversation").click();
    await expect(said(panel)).toHaveCount(0);
    await say(panel, message);
    await expect(turnEnd(panel)).toBeVisible();
  }
  return panel;
}

function title(panel: Page): Locator {
  return panel.getByRole("heading", { level: 1 });
}

/** The list of conversations; there is none while the drawer is closed. */
function drawer(panel: Page): Locator {
  return panel.getByRole("dialog", { name: "Conversations" });
}

function titles(panel: Page): Locator {
  return drawer(panel).locator(".drawer-title");
}

async function openDrawer(panel: Page): Promise<Locator> {
  await button(panel, "Conversations").click();
  return drawer(panel);
}

test("a new conversation is empty, and the list leads back to the others", async ({ rig, models }) => {
  const panel = await panelWith(rig, models, ["apples", "pears"]);
  await button(panel, "New conversation").click();
  await expect(title(panel)).toHaveText("New conversation");
  await expect(composer(panel)).toBeFocused();

  const list = await openDrawer(panel);
  // The newest first; what has no message yet is no conversation yet.
  await expect(titles(panel)).toHaveText(["pears", "apples"]);
  await list.getByRole("button", { name: /^apples/ }).click();
  await expect(list).toHaveCount(0);
  await expect(title(panel)).toHaveText("apples");
  await expect(log(panel)).toContainText("You said: apples.");
  await expect(said(panel)).toHaveText(["apples"]);
  await expect(composer(panel)).toBeFocused();

  // Each keeps its own history.
  await say(panel, "more apples");
  await expect(log(panel)).toContainText("You said: more apples.");
  const last = models.requests.at(-1)?.conversation.messages ?? [];
  expect(last.filter(({ role }) => role === "user").map(({ text }) => text)).toEqual(["apples", "more apples"]);
});

test("a conversation is renamed and deleted with the mouse", async ({ rig, models }) => {
  const panel = await panelWith(rig, models, ["apples", "pears"]);
  const list = await openDrawer(panel);
  await list.getByText("apples").hover();
  await button(list, "Rename “apples”").click();
  await list.getByRole("textbox", { name: "Title of the conversation" }).fill("  ");
  await button(list, "Save").click();
  await expect(list.getByRole("alert")).toHaveText("The title is empty; write one.");
  await list.getByRole("textbox").fill("Fruit");
  await button(list, "Save").click();
  await expect(titles(panel)).toHaveText(["pears", "Fruit"]);
  await expect(list.getByRole("alert")).toHaveCount(0);

  await list.getByText("Fruit").hover();
  await button(list, "Delete “Fruit”").click();
  await expect(list).toContainText("Delete “Fruit” and all its messages?");
  await button(list, "Cancel").click();
  await expect(titles(panel)).toHaveText(["pears", "Fruit"]);
  await list.getByText("Fruit").hover();
  await button(list, "Delete “Fruit”").click();
  await button(list, "Delete").click();
  await expect(titles(panel)).toHaveText(["pears"]);

  // Beside the drawer is the panel, and a click there is back to it.
  await panel.mouse.click((panel.viewportSize() ?? (await sizeOf(panel))).width - 4, 300);
  await expect(list).toHaveCount(0);
  await expect(log(panel)).toContainText("You said: pears.");
});

function sizeOf(page: Page): Promise<{ width: number; height: number }> {
  return page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
}

test("the list is worked with the keyboard alone", async ({ rig, models }) => {
  const panel = await panelWith(rig, models, ["apples", "pears"]);
  const { keyboard } = panel;
  const tabTo = async (target: Locator, key = "Tab"): Promise<void> => {
    for (let presses = 0; presses < 12; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press(key);
    }
    await expect(target).toBeFocused();
  };

  await tabTo(button(panel, "Conversations"), "Shift+Tab");
  await keyboard.press("Enter");
  const list = drawer(panel);
  await expect(list).toBeVisible();
  await tabTo(button(list, "Rename “apples”"));
  await expect(button(list, "Rename “apples”")).toBeInViewport();
  await keyboard.press("Enter");
  // The old title is selected, so that typing replaces it.
  await keyboard.type("Fruit");
  await keyboard.press("Escape");
  await expect(titles(panel)).toHaveText(["pears", "apples"]);
  await expect(button(list, "Rename “apples”")).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.type("Fruit");
  await keyboard.press("Enter");
  await expect(titles(panel)).toHaveText(["pears", "Fruit"]);
  await expect(button(list, "Rename “Fruit”")).toBeFocused();

  await tabTo(button(list, "Delete “Fruit”"));
  await keyboard.press("Enter");
  // The harmless answer is the one that is at hand.
  await expect(button(list, "Cancel")).toBeFocused();
  await keyboard.press("Escape");
  await expect(list).toBeVisible();
  await expect(button(list, "Delete “Fruit”")).toBeFocused();
  await keyboard.press("Enter");
  await tabTo(button(list, "Delete"), "Shift+Tab");
  await keyboard.press("Enter");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(titles(panel)).toHaveText(["pears"]);
  await expect(list.locator(":focus")).toHaveCount(1);

  await keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await expect(composer(panel)).toBeFocused();
});

test("conversations beyond the first page are reached with the keyboard", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const client = await clientIn(panel);
  models.play(() => ({ text: "Done." }));
  for (const index of [1, 2, 3]) await client.ask(`c${index}`, `number ${index}`);
  // One page holds two hundred.
  for (let index = 4; index <= 203; index += 1) {
    await client.submit({ type: "send_message", conversation: `c${index}`, text: `number ${index}`, tab: null });
  }
  const again = await rig.openPanelAsTab();
  const list = await openDrawer(again);
  await expect(titles(again)).toHaveCount(200);
  await expect(list.getByText("number 3", { exact: true })).toHaveCount(0);
  const older = button(list, "Show older conversations");
  await older.press("Enter");
  await expect(titles(again)).toHaveCount(203);
  await expect(older).toHaveCount(0);
  // Reading goes on at the first of those that came.
  await expect(list.getByRole("button", { name: /^number 3\b/ })).toBeFocused();
  await again.keyboard.press("Enter");
  await expect(title(again)).toHaveText("number 3");
  await expect(said(again)).toHaveText(["number 3"]);
});

test("deleting the open conversation leaves an empty one, and stops what ran in it", async ({ rig, models }) => {
  const panel = await panelWith(rig, models, ["apples"]);
  const gate = models.gate();
  models.play([{ pieces: ["Half", gate, " more"] }]);
  await say(panel, "more");
  await gate.reached;
  const list = await openDrawer(panel);
  await expect(list.getByText("Running")).toBeAttached();
  await list.getByText("apples").hover();
  await button(list, "Delete “apples”").click();
  await button(list, "Delete").click();
  await expect(titles(panel)).toHaveCount(0);
  await expect.poll(() => models.requests.at(-1)?.aborted).not.toBeNull();
  await panel.keyboard.press("Escape");
  await expect(title(panel)).toHaveText("New conversation");
  await expect(panel.getByText("What can I do for you?")).toBeVisible();
});

test("a conversation goes on out of sight", async ({ rig, models }) => {
  const panel = await panelWith(rig, models, ["apples", "pears"]);
  const gate = models.gate();
  models.play([{ pieces: ["Slow", gate, " and whole."] }]);
  await say(panel, "take your time");
  await gate.reached;
  const list = await openDrawer(panel);
  await list.getByRole("button", { name: /^apples/ }).click();
  await expect(log(panel)).toContainText("You said: apples.");
  await expect(button(panel, "Stop")).toHaveCount(0);
  gate.open();
  await openDrawer(panel);
  await expect(list.getByText("Running")).toHaveCount(0);
  await list.getByRole("button", { name: /^pears/ }).click();
  await expect(log(panel)).toContainText("Slow and whole.");
});

test("two panels stay in step", async ({ rig, models }) => {
  const one = await panelWith(rig, models, ["apples"]);
  const two = await rig.openPanelAsTab();
  await expect(log(two)).toContainText("You said: apples.");

  const gate = models.gate();
  models.play([{ pieces: ["Half", gate, " more"] }, { text: "Whole." }]);
  await say(one, "pears");
  await gate.reached;
  await expect(said(two)).toHaveText(["apples", "pears"]);
  await expect(log(two)).toContainText("Half");
  await button(two, "Stop").click();
  for (const panel of [one, two]) {
    await expect(turnEnd(panel)).toContainText("Stopped");
    await expect(button(panel, "Stop")).toHaveCount(0);
  }
  await button(one, "Continue").click();
  for (const panel of [one, two]) await expect(log(panel)).toContainText("Whole.");

  const list = await openDrawer(two);
  await list.getByText("apples").hover();
  await button(list, "Rename “apples”").click();
  await list.getByRole("textbox").fill("Fruit");
  await button(list, "Save").click();
  for (const panel of [one, two]) await expect(title(panel)).toHaveText("Fruit");

  await list.getByText("Fruit").hover();
  await button(list, "Delete “Fruit”").click();
  await button(list, "Delete").click();
  for (const panel of [one, two]) await expect(title(panel)).toHaveText("New conversation");
});
