// What a person does in the panel, in the real side panel before the real core.

import type { Page } from "@playwright/test";
import { CoreClient } from "../rig/core_client.ts";
import { expect, test } from "../rig/fixtures.ts";
import { asked, button, composer, optionsPage, said, saveModel, scrollOf, sendAndTypeOn, settled, SETTINGS, turnEnd } from "./panel_page.ts";
import { log, panelWithModel, say } from "./turn_page.ts";

const LIST_TABS = { calls: [{ name: "list_tabs", arguments: { title_pattern: "^Team" } }] };

test("whoever opens the panel can type at once", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "Hello." }]);
  await expect(composer(panel)).toBeFocused();
  await panel.keyboard.type("hi");
  await panel.keyboard.press("Enter");
  await expect(log(panel)).toContainText("Hello.");
  await expect(composer(panel)).toBeFocused();
  await expect(composer(panel)).toHaveValue("");
});

test("Enter sends, Shift+Enter breaks the line, and Up brings the last message back", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "One." }, { text: "Two." }]);
  await expect(button(panel, "Send")).toBeDisabled();
  await composer(panel).press("Enter");
  await composer(panel).pressSequentially("first line");
  await composer(panel).press("Shift+Enter");
  await composer(panel).pressSequentially("second line");
  await composer(panel).press("Enter");
  await expect(log(panel)).toContainText("One.");
  await expect(said(panel)).toHaveText(["first line\nsecond line"]);

  await composer(panel).press("ArrowUp");
  await expect(composer(panel)).toHaveValue("first line\nsecond line");
  await composer(panel).fill("no, this");
  // Up inside a text moves the caret, and nothing else.
  await composer(panel).press("ArrowUp");
  await expect(composer(panel)).toHaveValue("no, this");
  await button(panel, "Send").click();
  await expect(log(panel)).toContainText("Two.");
  expect(asked(models)).toEqual(["first line\nsecond line", "no, this"]);
});

test("Enter that ends an input method's composition sends nothing", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "你好。" }]);
  await composer(panel).focus();
  const keyboard = await panel.context().newCDPSession(panel);
  await keyboard.send("Input.imeSetComposition", { text: "ni hao", selectionStart: 6, selectionEnd: 6 });
  // What the page is told of a key that the input method keeps for itself.
  for (const key of ["Enter", "ArrowUp"]) await keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key });
  await settled(panel);
  await expect(said(panel)).toHaveCount(0);
  await keyboard.send("Input.insertText", { text: "你好" });
  await expect(composer(panel)).toHaveValue("你好");
  await panel.keyboard.press("Enter");
  await expect(log(panel)).toContainText("你好。");
  expect(asked(models)).toEqual(["你好"]);
});

test("text with half a character in it is sent with a mark in its place", async ({ rig, models }) => {
  models.play([{ text: "Read." }]);
  const panel = await panelWithModel(rig, models);
  await composer(panel).evaluate((element: HTMLTextAreaElement) => {
    // The emoji is cut in its middle, as pages cut their titles; the backslash is the person's own.
    element.value = "\\ud83d \ud83d\ude00 \ud83d!";
    element.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await composer(panel).press("Enter");
  await expect(log(panel)).toContainText("Read.");
  await expect(said(panel)).toHaveText(["\\ud83d 😀 \ufffd!"]);
});

test("an example of the empty conversation is sent as it stands there", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "No page is open twice." }]);
  await button(panel, "Do I have any page open twice?").click();
  await expect(log(panel)).toContainText("No page is open twice.");
  await expect(said(panel)).toHaveText(["Do I have any page open twice?"]);
  await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Do I have any page open twice?");
  await expect(composer(panel)).toBeFocused();
});

test("without a model the panel leads to the options, and begins as soon as there is one", async ({ rig, models }) => {
  const panel = await rig.openPanel();
  await button(panel, "Add a model").click();
  const options = await optionsPage(rig);
  await button(options, "Add a model").click();
  await options.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
  await options.getByRole("textbox", { name: "Address" }).fill(`${models.url}/v1`);
  await options.getByRole("textbox", { name: "Model id" }).fill("tabwright-test");
  await button(options, "Save").click();
  await expect(panel.getByText("What can I do for you?")).toBeVisible();
  models.play([{ text: "Ready." }]);
  await say(panel, "hi");
  await expect(log(panel)).toContainText("Ready.");
});

test("growing text is followed only while the reader is at its end", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const [second, third, fourth] = [models.gate(), models.gate(), models.gate()];
  models.play([{ pieces: [lines(1), second, lines(2), third, lines(3), fourth, lines(4)] }]);
  await say(panel, "count");
  await second.reached;
  await expectAtEnd(panel, "Line 1.60");

  second.open();
  await third.reached;
  await expectAtEnd(panel, "Line 2.60");
  await expect(button(panel, "Jump to the end")).toHaveCount(0);

  await log(panel).hover();
  await panel.mouse.wheel(0, -600);
  await expect(button(panel, "Jump to the end")).toBeVisible();
  const { top } = await scrollOf(panel);
  third.open();
  await fourth.reached;
  await expect(log(panel)).toContainText("Line 3.60");
  await settled(panel);
  expect((await scrollOf(panel)).top).toBe(top);

  await button(panel, "Jump to the end").press("Enter");
  await expectAtEnd(panel, "Line 3.60");
  await expect(button(panel, "Jump to the end")).toHaveCount(0);
  await expect(log(panel)).toBeFocused();
  fourth.open();
  await expectAtEnd(panel, "Line 4.60");
});

/** Sixty paragraphs, which is more than any window shows. */
function lines(part: number): string {
  return Array.from({ length: 60 }, (_unused, index) => `Line ${part}.${index + 1}\n\n`).join("");
}

async function expectAtEnd(panel: Page, text: string): Promise<void> {
  await expect(log(panel)).toContainText(text);
  await expect.poll(async () => (await scrollOf(panel)).fromEnd).toBeLessThan(2);
}

test("a tool call unfolds to what went in and what came out", async ({ rig, models }) => {
  await rig.openPage(`data:text/html,<title>Team calendar</title>`);
  const panel = await panelWithModel(rig, models);
  models.play([LIST_TABS, { text: "One." }]);
  await say(panel, "list the team's tabs");
  await expect(log(panel)).toContainText("One.");

  const line = panel.locator("details", { hasText: "List tabs" });
  const sent = line.getByRole("group", { name: "Arguments" });
  const came = line.getByRole("group", { name: "Result" });
  await expect(sent).toHaveCount(0);
  await line.locator("summary").click();
  await expect(sent).toContainText('"title_pattern": "^Team"');
  await expect(came).toContainText('"title": "Team calendar"');
  // Not the model's copy of it.
  await expect(came).not.toContainText("untrusted");
  await line.locator("summary").press("Enter");
  await expect(sent).toHaveCount(0);
});

test("a call that failed says so in its line", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ calls: [{ name: "list_tabs", arguments: { url_pattern: "(" } }] }, { text: "I see." }]);
  await say(panel, "list my tabs");
  await expect(log(panel)).toContainText("I see.");
  const line = panel.locator("details", { hasText: "List tabs" });
  await expect(line.locator("summary")).toContainText("Failed");
  await line.locator("summary").click();
  await expect(line.getByRole("group", { name: "Error" })).toContainText('"error"');
});

test("Stop ends the answer where it is, and the composer is next", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  models.play([{ pieces: ["Half", gate, " more"] }, { text: "Whole." }]);
  await say(panel, "hi");
  await gate.reached;
  await expect(log(panel)).toContainText("Half");
  await panel.keyboard.press("Tab");
  await expect(button(panel, "Stop")).toBeFocused();
  await panel.keyboard.press("Enter");
  await expect(turnEnd(panel)).toContainText("Stopped");
  await expect(log(panel)).toContainText("Stopped here.");
  await expect(composer(panel)).toBeFocused();
  await button(panel, "Continue").click();
  await expect(log(panel)).toContainText("Whole.");
  await expect(log(panel)).not.toContainText("more");
  await expect(composer(panel)).toBeFocused();
});

test("a turn that failed says why, and is tried again", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ misbehave: "unauthorized" }, { text: "Now it works." }]);
  await say(panel, "hi");
  await expect(turnEnd(panel)).toContainText("Failed");
  await expect(panel.locator(".notice[data-level=error]")).toContainText("key");
  await button(panel, "Try again").click();
  await expect(log(panel)).toContainText("Now it works.");
  await expect(button(panel, "Try again")).toHaveCount(0);
  await expect(said(panel)).toHaveText(["hi"]);
  expect(asked(models)).toEqual(["hi", "hi"]);
});

test("a message that was refused while the person typed on is kept, sent again, or taken back", async ({ rig, models }) => {
  const panel = await rig.openPanel();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
  await sendAndTypeOn(panel, "list my tabs", "and the loud ones");
  const refused = log(panel).getByRole("alert");
  await expect(refused).toContainText("No model is set up yet.");
  await expect(said(panel)).toHaveText(["list my tabs"]);
  await expect(composer(panel)).toHaveValue("and the loud ones");
  await button(panel, "Edit").click();
  await expect(composer(panel)).toBeFocused();
  await expect(composer(panel)).toHaveValue("list my tabs\n\nand the loud ones");
  await expect(said(panel)).toHaveCount(0);

  // A conversation without a message is in no list, and yet there is a way back.
  await sendAndTypeOn(panel, "list my tabs", "later");
  await expect(refused).toBeVisible();
  await button(panel, "New conversation").click();
  await expect(said(panel)).toHaveCount(0);
  await button(panel, "Show").click();
  await expect(said(panel)).toHaveText(["list my tabs"]);

  const client = await CoreClient.connect(await rig.openPanelAsTab());
  await saveModel(client, models, "Mine");
  models.play([{ text: "One tab." }]);
  await button(panel, "Send again").press("Enter");
  await expect(log(panel)).toContainText("One tab.");
  await expect(composer(panel)).toBeFocused();
  await expect(composer(panel)).toHaveValue("later");
  await expect(refused).toHaveCount(0);
  await expect(said(panel)).toHaveText(["list my tabs"]);
});

test("a turn that reached its limit goes on when it is told to", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await (await CoreClient.connect(await rig.openPanelAsTab())).submit({
    type: "save_settings",
    settings: { ...SETTINGS, max_rounds: 1 },
  });
  models.play([LIST_TABS, { text: "So far I have listed them." }, { text: "One tab." }]);
  await say(panel, "list my tabs");
  await expect(turnEnd(panel)).toContainText("Paused at a limit");
  // One request, and one for a last word on what was done.
  await expect(log(panel)).toContainText("So far I have listed them.");
  expect(models.requests).toHaveLength(2);
  await button(panel, "Continue").click();
  await expect(log(panel)).toContainText("One tab.");
  await expect(button(panel, "Continue")).toHaveCount(0);
});

test("a message that is sent while a turn runs reaches the model with its next request", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  models.play([{ calls: [{ name: "list_tabs", pieces: ["{", gate, "}"] }] }, { text: "Only the quiet ones." }]);
  await say(panel, "list my tabs");
  await gate.reached;
  await composer(panel).pressSequentially("only the quiet ones");
  await expect(button(panel, "Stop")).toBeVisible();
  await button(panel, "Send").click();
  await expect(said(panel)).toHaveText(["list my tabs", "only the quiet ones"]);
  await expect(composer(panel)).toHaveValue("");
  gate.open();
  await expect(turnEnd(panel)).toBeVisible();
  await expect(log(panel)).toContainText("Only the quiet ones.");
  expect(asked(models)).toEqual(["list my tabs", "only the quiet ones"]);
});

test("the answer is copied as the model wrote it", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "Some **bold** words." }]);
  await say(panel, "hi");
  await button(panel, "Copy the answer").click();
  await expect(button(panel, "Copied")).toBeVisible();
  await composer(panel).focus();
  await panel.keyboard.press("ControlOrMeta+V");
  await expect(composer(panel)).toHaveValue("Some **bold** words.");
});

test("a panel that is opened again shows the conversation that was open", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "Kept." }]);
  await say(panel, "keep this");
  await expect(turnEnd(panel)).toBeVisible();
  await rig.closePanel(panel);
  const again = await rig.openPanel();
  await expect(log(again)).toContainText("Kept.");
  await expect(said(again)).toHaveText(["keep this"]);
});
