// What the model asks the person, and how the person answers, in the real panel before the real core.

import type { ScriptedCall, Step } from "../model-server/script.ts";
import type { ModelServer } from "../model-server/server.ts";
import { expect, test } from "../rig/fixtures.ts";
import { asked, button, composer, requests, said, turnEnd } from "./panel_page.ts";
import { log, panelWithModel, say, short, storedItems } from "./turn_page.ts";

function ask(question: string, options: string[] = [], multiple = false): ScriptedCall {
  return { name: "ask_user", arguments: { question, options, multiple } };
}

function asking(...calls: ScriptedCall[]): Step[] {
  return [{ calls }, { text: "Thank you." }];
}

/** What the model was given for its last calls. */
function results(models: ModelServer): unknown[] {
  const messages = models.requests.at(-1)?.conversation.messages ?? [];
  return messages.flatMap((message) => message.results).map(({ text }) => JSON.parse(text) as unknown);
}

test("a click on one of a few options answers, and the answer stays to be read", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("At which time?", ["18:30", "20:00"])));
  await say(panel, "book a table");
  const card = requests(panel);
  await expect(card).toHaveAccessibleName("Tabwright asks you At which time?");
  await expect(card).toContainText("5 min left");
  await expect(log(panel)).toContainText("Waiting for you");
  await button(card, "20:00").click();
  await expect(log(panel)).toContainText("Thank you.");
  await expect(card).toHaveCount(0);
  await expect(log(panel).locator(".answered")).toHaveText(/At which time\?.*You answered: 20:00/);
  expect(results(models)).toEqual([{ answer: "20:00" }]);
  await expect(composer(panel)).toBeFocused();
  expect(short(await storedItems(panel))).toContain("call: ask_user [done] x1");
});

test("an answer of one's own is written in the place of an option, with the keyboard alone", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const options = ["The small one near the station, with the garden", "The large one at the river"];
  models.play(asking(ask("Which one?", options)));
  await say(panel, "book a table");
  const card = requests(panel);
  await expect(button(card, "Answer")).toBeDisabled();
  await card.getByRole("radio", { name: options[0] ?? "" }).press("ArrowDown");
  await expect(card.getByRole("radio", { name: options[1] ?? "" })).toBeChecked();
  await panel.keyboard.press("Tab");
  await panel.keyboard.type("the one at the lake");
  await expect(card.getByRole("radio", { checked: true })).toHaveCount(0);
  await panel.keyboard.press("Enter");
  await expect(log(panel)).toContainText("Thank you.");
  expect(results(models)).toEqual([{ answer: "the one at the lake" }]);
  await expect(composer(panel)).toBeFocused();
});

test("several are chosen where several may be", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("Which topics?", ["Prices", "Delivery", "Returns"], true)));
  await say(panel, "compare the shops");
  const card = requests(panel);
  await expect(card.getByRole("group", { name: "Which topics?" })).toBeVisible();
  await card.getByRole("checkbox", { name: "Returns" }).check();
  await card.getByRole("checkbox", { name: "Prices" }).check();
  await card.getByRole("textbox", { name: "Another answer" }).fill("Opening hours");
  await button(card, "Answer").click();
  await expect(log(panel).locator(".answered")).toContainText("Prices, Returns, and Opening hours");
  await expect(log(panel)).toContainText("Thank you.");
  const answers = ["Prices", "Returns", "Opening hours"];
  expect(results(models)).toEqual([{ answer: JSON.stringify(answers), answers }]);
});

test("the composer stays usable while a question is open, and what is written there is no answer", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("Under which name?")));
  await say(panel, "book a table");
  await expect(requests(panel)).toHaveCount(1);
  await expect(composer(panel)).toBeFocused();
  await expect(composer(panel)).toHaveAttribute("placeholder", "Answer above, or add something");
  await composer(panel).pressSequentially("for four, please");
  await composer(panel).press("Enter");
  await expect(said(panel)).toHaveText(["book a table", "for four, please"]);
  await expect(requests(panel)).toHaveCount(1);
  await requests(panel).getByRole("textbox", { name: "Your answer" }).fill("Rossi");
  await panel.keyboard.press("Enter");
  await expect(log(panel)).toContainText("Thank you.");
  expect(asked(models)).toEqual(["book a table", "for four, please"]);
  expect(results(models)).toEqual([{ answer: "Rossi" }]);
});

test("questions at once all wait, and the focus goes from one to the next", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("At which time?", ["18:30", "20:00"]), ask("Inside?", ["Yes", "No"])));
  await say(panel, "book a table");
  await expect(requests(panel)).toHaveCount(2);
  await button(requests(panel).last(), "Yes").press("Enter");
  await expect(requests(panel)).toHaveCount(1);
  await expect(requests(panel)).toBeFocused();
  await expect(requests(panel)).toContainText("At which time?");
  await panel.keyboard.press("Tab");
  await panel.keyboard.press("Enter");
  await expect(log(panel)).toContainText("Thank you.");
  expect(results(models)).toEqual([{ answer: "18:30" }, { answer: "Yes" }]);
});

test("Stop ends the wait, and says so", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("Under which name?")));
  await say(panel, "book a table");
  await expect(requests(panel)).toHaveCount(1);
  await button(panel, "Stop").click();
  await expect(turnEnd(panel)).toContainText("Stopped");
  await expect(requests(panel)).toHaveCount(0);
  await expect(log(panel).locator(".answered")).toContainText("Stopped before it was answered.");
});

test("a question waits in every panel, in those that come later too, and one answer is enough", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("Inside?", ["Yes", "No"])));
  await say(panel, "book a table");
  await expect(panel.getByRole("status").filter({ hasText: "Tabwright asks you: Inside?" })).toHaveCount(1);
  const late = await rig.openPanelAsTab();
  await expect(requests(late)).toContainText("Inside?");
  await expect(late.getByRole("status").filter({ hasText: "Tabwright asks you: Inside?" })).toHaveCount(1);
  await button(requests(late), "No").click();
  for (const page of [panel, late]) {
    await expect(requests(page)).toHaveCount(0);
    await expect(log(page)).toContainText("Thank you.");
  }
});

test("the list of conversations says which one waits, and so does its button", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("Inside?", ["Yes", "No"])));
  await say(panel, "book a table");
  await expect(requests(panel)).toHaveCount(1);
  await expect(button(panel, "Conversations")).toBeVisible();
  await button(panel, "New conversation").click();
  await button(panel, "Conversations: one waits for you").click();
  const list = panel.getByRole("dialog", { name: "Conversations" });
  await list.getByRole("button", { name: /^book a table\s*Waits for you$/ }).click();
  await button(requests(panel), "Yes").click();
  await expect(log(panel)).toContainText("Thank you.");
  await expect(button(panel, "Conversations")).toBeVisible();
});

test("a question that is out of sight is a click away", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const long = Array.from({ length: 60 }, (_, index) => `Line ${index}.`).join("\n\n");
  models.play([{ text: long }, ...asking(ask("Inside?", ["Yes", "No"]))]);
  await say(panel, "tell me a lot");
  await expect(turnEnd(panel)).toBeVisible();
  await say(panel, "book a table");
  await expect(requests(panel)).toBeInViewport();
  await log(panel).evaluate((element) => {
    element.scrollTop = 0;
  });
  await button(panel, "Your answer is needed").click();
  await expect(requests(panel)).toBeInViewport();
  await expect(requests(panel)).toBeFocused();
});

test("a call that is made again and again ends in a question, and the answer decides", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const again = { calls: [{ name: "close_tab", arguments: { tab_id: 999_999 } }] };
  models.play(() => again);
  await say(panel, "list my tabs");
  const card = requests(panel);
  await expect(card).toContainText("Should it go on?");
  await expect(card.getByRole("textbox")).toHaveCount(0);
  await button(card, "Stop").click();
  await expect(turnEnd(panel)).toContainText("Stopped");
  await expect(log(panel).locator(".answered")).toContainText(/You answered: Stop/);
});

test("a question outlives the core, and is answered to the next one", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play(asking(ask("At which time?", ["18:30", "20:00"])));
  await say(panel, "book a table");
  await expect(requests(panel)).toHaveCount(1);
  await requests(panel).getByRole("textbox", { name: "Another answer" }).fill("at nine");
  await rig.terminateCoreWorker();
  await rig.coreStarted();
  // What was typed is the person's, whatever became of the core.
  await expect(requests(panel).getByRole("textbox")).toHaveValue("at nine");
  await requests(panel).getByRole("textbox").press("Enter");
  await expect(log(panel)).toContainText("Thank you.");
  expect(results(models)).toEqual([{ answer: "at nine" }]);
});
