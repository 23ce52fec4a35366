// Calls that wait for the person's permission, in the real panel before the real core.

import type { Page } from "@playwright/test";
import type { ScriptedCall } from "../model-server/script.ts";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import { expect, test } from "../rig/fixtures.ts";
import { button, composer, requests, said, SETTINGS, turnEnd } from "./panel_page.ts";
import { clientIn, log, panelWithModel, say, short, storedItems } from "./turn_page.ts";

const OPEN: ScriptedCall = { name: "open_tab", arguments: { url: "about:blank", active: false } };

/** A panel whose person wants to be asked before anything is changed. */
async function carefulPanel(rig: Browser, models: ModelServer): Promise<Page> {
  const panel = await panelWithModel(rig, models);
  await (await clientIn(panel)).submit({ type: "save_settings", settings: { ...SETTINGS, ask_before_acting: true } });
  return panel;
}

/** What the model was given for its last calls. */
function results(models: ModelServer): string[] {
  const messages = models.requests.at(-1)?.conversation.messages ?? [];
  return messages.flatMap((message) => message.results).map(({ text }) => text);
}

function tabs(rig: Browser): number {
  return rig.context.pages().length;
}

test("nothing happens before the person allows it, and then it does", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  models.play([{ calls: [OPEN] }, { text: "It is open." }]);
  const before = tabs(rig);
  await say(panel, "open an empty tab");
  const card = requests(panel);
  await expect(card).toHaveAccessibleName(/^Allow “Open a tab”\? You have set that you are asked/);
  await expect(card.getByRole("group", { name: "Arguments" })).toHaveText(/open_tab\s*url\s*about:blank\s*active\s*false/);
  await expect(panel.getByRole("status").filter({ hasText: "Tabwright asks you to allow: Open a tab." })).toHaveCount(1);
  expect(tabs(rig)).toBe(before);
  await button(card, "Allow").click();
  await expect(log(panel)).toContainText("It is open.");
  await expect(composer(panel)).toBeFocused();
  await expect.poll(() => tabs(rig)).toBe(before + 1);
  expect(short(await storedItems(panel))).toContain("call: open_tab [done] x1");
});

test("what is not allowed does not happen, and the model is told why", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  models.play([{ calls: [OPEN] }, { text: "Then not." }]);
  const before = tabs(rig);
  await say(panel, "open an empty tab");
  const card = requests(panel);
  const note = card.getByRole("textbox", { name: "Note to the agent (optional)" });
  await note.fill("Use the one that is there.");
  // Enter in the note decides nothing: it could only be taken for one of the two answers.
  await note.press("Enter");
  await expect(card).toHaveCount(1);
  await button(card, "Don’t allow").press("Enter");
  await expect(log(panel)).toContainText("Then not.");
  await expect(log(panel).locator(".line.tool")).toContainText("Not allowed");
  expect(tabs(rig)).toBe(before);
  expect(results(models)).toHaveLength(1);
  expect(results(models)[0]).toContain("did not allow");
  expect(results(models)[0]).toContain("Use the one that is there.");
  expect(short(await storedItems(panel))).toContain("call: open_tab [done] x0");
});

test("a note with a permission reaches the model as the person's words", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  models.play([{ calls: [OPEN] }, { text: "It is open." }]);
  await say(panel, "open an empty tab");
  await requests(panel).getByRole("textbox").fill("Only this once.");
  await button(requests(panel), "Allow").click();
  await expect(log(panel)).toContainText("It is open.");
  await expect(said(panel)).toHaveText(["open an empty tab", "Only this once."]);
  const messages = models.requests.at(-1)?.conversation.messages ?? [];
  expect(messages.filter(({ role }) => role === "user").at(-1)?.text).toContain("Only this once.");
});

test("calls are decided one after the other with the keyboard alone", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  const at = (hash: string): ScriptedCall => ({ name: "open_tab", arguments: { url: `about:blank#${hash}`, active: false } });
  models.play([{ calls: [at("one"), OPEN, at("three")] }, { text: "One of them." }]);
  const before = tabs(rig);
  await say(panel, "open three tabs");
  const card = requests(panel);
  await expect(card).toContainText("#one");
  await expect(composer(panel)).toBeFocused();
  await button(card, "Don’t allow").press("Enter");
  await expect(card).not.toContainText("#one");
  await expect(card).toBeFocused();
  for (const stop of [card.getByRole("group"), card.getByRole("textbox"), button(card, "Allow")]) {
    await panel.keyboard.press("Tab");
    await expect(stop).toBeFocused();
  }
  await panel.keyboard.press("Enter");
  await expect(card).toContainText("#three");
  await expect(card).toBeFocused();
  await button(card, "Don’t allow").press("Enter");
  await expect(log(panel)).toContainText("One of them.");
  await expect.poll(() => tabs(rig)).toBe(before + 1);
});

test("a card does not take the focus from whoever is typing", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  const gate = models.gate();
  models.play([{ calls: [OPEN] }, { pieces: ["Again", gate], calls: [OPEN] }, { text: "Done." }]);
  await say(panel, "open two tabs");
  await button(requests(panel), "Allow").press("Enter");
  await gate.reached;
  await composer(panel).pressSequentially("and th");
  gate.open();
  await expect(requests(panel)).toHaveCount(1);
  await composer(panel).pressSequentially("en?", { delay: 10 });
  await expect(composer(panel)).toBeFocused();
  await expect(composer(panel)).toHaveValue("and then?");
});

test("what only reads is not asked for", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  models.play([{ calls: [{ name: "list_tabs", arguments: {} }] }, { text: "One tab." }]);
  await say(panel, "list my tabs");
  await expect(turnEnd(panel)).toBeVisible();
  await expect(requests(panel)).toHaveCount(0);
  expect(short(await storedItems(panel))).toContain("call: list_tabs [done] x1");
});

test("Stop leaves nothing to decide", async ({ rig, models }) => {
  const panel = await carefulPanel(rig, models);
  models.play([{ calls: [OPEN] }]);
  const before = tabs(rig);
  await say(panel, "open an empty tab");
  await expect(requests(panel)).toHaveCount(1);
  await button(panel, "Stop").click();
  await expect(turnEnd(panel)).toContainText("Stopped");
  await expect(requests(panel)).toHaveCount(0);
  expect(tabs(rig)).toBe(before);
});
