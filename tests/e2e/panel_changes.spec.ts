// What was said is changed: a message edited, an answer made again, a conversation summed up or cleared.

import type { Page } from "@playwright/test";
import type { ModelServer } from "../model-server/server.ts";
import { expect, test } from "../rig/fixtures.ts";
import { asked, button, chooseFromMenu, composer, said, turnEnd, turnEnds } from "./panel_page.ts";
import { log, panelWithModel, say, short, storedItems } from "./turn_page.ts";

/** Says these, and waits for each answer: "Answer 1.", "Answer 2." and so on. */
async function talk(panel: Page, models: ModelServer, ...messages: string[]): Promise<void> {
  for (const [index, message] of messages.entries()) {
    models.play([{ text: `Answer ${index + 1}.` }]);
    await say(panel, message);
    await expect(turnEnds(panel)).toHaveCount(index + 1);
  }
}

/** All that the model was sent with its last request, by whom. */
function lastSent(models: ModelServer): string[] {
  const messages = models.requests.at(-1)?.conversation.messages ?? [];
  return messages.map(({ role, text }) => `${role}: ${text}`);
}

function editor(panel: Page): ReturnType<Page["getByRole"]> {
  return panel.getByRole("textbox", { name: "New text" });
}

test("a message is edited in its place, and the conversation goes on from there", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await talk(panel, models, "apples", "pears", "plums");
  models.play([{ text: "Cherries it is." }]);
  await button(panel, "Edit this message").nth(1).press("Enter");
  await expect(editor(panel)).toBeFocused();
  await expect(editor(panel)).toHaveValue("pears");
  await panel.keyboard.press("ControlOrMeta+A");
  await panel.keyboard.type("cherries");
  await panel.keyboard.press("Shift+Enter");
  await panel.keyboard.type("please");
  await panel.keyboard.press("Enter");
  await expect(log(panel)).toContainText("Cherries it is.");
  await expect(said(panel)).toHaveText(["apples", "cherries\nplease"]);
  await expect(log(panel)).not.toContainText("Answer 2.");
  await expect(composer(panel)).toBeFocused();
  expect(asked(models).at(-1)).toContain("cherries\nplease");
  expect(lastSent(models).join("\n")).not.toMatch(/pears|plums/);
  expect(short(await storedItems(panel)).filter((line) => line.startsWith("person"))).toEqual(["person: apples", "person: cherries\nplease"]);
});

test("an edit is given up with Escape, and cannot be sent empty", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await talk(panel, models, "apples");
  await button(panel, "Edit this message").click();
  await editor(panel).fill("  ");
  await expect(button(panel, "Send edited")).toBeDisabled();
  await editor(panel).press("Enter");
  await expect(editor(panel)).toBeVisible();
  await editor(panel).press("Escape");
  await expect(said(panel)).toHaveText(["apples"]);
  await expect(button(panel, "Edit this message")).toBeFocused();
  expect(models.requests).toHaveLength(1);
});

test("while a turn runs nothing is edited, and an edit that was begun before says why", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await talk(panel, models, "apples");
  await button(panel, "Edit this message").click();
  const gate = models.gate();
  models.play([{ pieces: ["Half", gate, " more"] }]);
  const other = await rig.openPanelAsTab();
  await expect(said(other)).toHaveText(["apples"]);
  await say(other, "pears");
  await gate.reached;
  await expect(button(other, "Edit this message")).toHaveCount(0);
  await expect(button(other, "Answer again")).toHaveCount(0);
  await editor(panel).fill("cherries");
  await editor(panel).press("Enter");
  await expect(panel.getByRole("alert")).toContainText("stop it first");
  await expect(editor(panel)).toHaveValue("cherries");
  gate.open();
});

test("the last answer is made again", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await talk(panel, models, "apples", "pears");
  models.play([{ text: "Another answer." }]);
  await expect(button(panel, "Answer again")).toHaveCount(1);
  await button(panel, "Answer again").click();
  await expect(log(panel)).toContainText("Another answer.");
  await expect(log(panel)).not.toContainText("Answer 2.");
  await expect(said(panel)).toHaveText(["apples", "pears"]);
  await expect(turnEnds(panel)).toHaveCount(2);
  expect(lastSent(models).at(-1)).toContain("pears");
  await expect(composer(panel)).toBeFocused();
});

test("a conversation is summed up on demand, stays in view, and goes on from the summary", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await talk(panel, models, "apples", "pears");
  const gate = models.gate();
  models.play([{ pieces: ["<summary>The person likes", gate, " fruit.</summary>"] }, { text: "Plums are fine." }]);
  await chooseFromMenu(panel, "Compact now");
  await gate.reached;
  await expect(log(panel)).toContainText("Summing up earlier messages");
  gate.open();
  const line = log(panel).locator(".summary");
  await expect(line).toContainText("Earlier messages were summed up to make room");
  await line.locator("summary").click();
  await expect(line).toContainText("The person likes fruit.");
  await expect(line).toContainText("You still see the whole conversation.");
  await expect(said(panel)).toHaveText(["apples", "pears"]);
  await say(panel, "plums");
  await expect(log(panel)).toContainText("Plums are fine.");
  const sent = lastSent(models).join("\n");
  expect(sent).toContain("The person likes fruit.");
  expect(sent).not.toMatch(/apples|pears|Answer/);
});

test("what cannot be summed up is said above the composer", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ misbehave: "unauthorized" }]);
  await say(panel, "apples");
  await expect(turnEnd(panel)).toBeVisible();
  await chooseFromMenu(panel, "Compact now");
  await expect(panel.locator("footer").getByRole("alert")).toContainText("nothing to sum up");
});

test("a conversation is cleared after a question, and keeps its place in the list", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await talk(panel, models, "apples");
  await chooseFromMenu(panel, "Clear");
  await expect(panel.getByRole("dialog")).toContainText("Clear “apples”?");
  await expect(button(panel, "Cancel")).toBeFocused();
  await panel.keyboard.press("Escape");
  await expect(panel.getByRole("dialog")).toHaveCount(0);
  await expect(said(panel)).toHaveText(["apples"]);

  await chooseFromMenu(panel, "Clear");
  await button(panel.getByRole("dialog"), "Clear").click();
  await expect(said(panel)).toHaveCount(0);
  await expect(panel.getByText("What can I do for you?")).toBeVisible();
  await expect(panel.getByRole("heading", { level: 1 })).toHaveText("apples");
  await expect(composer(panel)).toBeFocused();
  await talk(panel, models, "pears");
  expect(lastSent(models).join("\n")).not.toContain("apples");
});

test("the menu of the conversation is worked with the keyboard alone, and renames and deletes", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await expect(button(panel, "This conversation")).toHaveCount(0);
  await talk(panel, models, "apples");
  const menu = panel.getByRole("menu", { name: "This conversation" });
  await button(panel, "This conversation").press("Enter");
  await expect(menu.getByRole("menuitem", { name: "Rename" })).toBeFocused();
  await panel.keyboard.press("ArrowUp");
  await expect(menu.getByRole("menuitem", { name: "Delete" })).toBeFocused();
  await panel.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button(panel, "This conversation")).toBeFocused();

  await panel.keyboard.press("Enter");
  await expect(menu.getByRole("menuitem", { name: "Rename" })).toBeFocused();
  await panel.keyboard.press("Enter");
  // The old title is selected, so that typing replaces it.
  await panel.keyboard.type("Fruit");
  await panel.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Fruit");
  await expect(button(panel, "This conversation")).toBeFocused();

  await panel.keyboard.press("Enter");
  await expect(menu.getByRole("menuitem", { name: "Rename" })).toBeFocused();
  await panel.keyboard.press("End");
  await panel.keyboard.press("Enter");
  await expect(button(panel, "Cancel")).toBeFocused();
  await panel.keyboard.press("Shift+Tab");
  await panel.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { level: 1 })).toHaveText("New conversation");
  await expect(composer(panel)).toBeFocused();
});
