// Every state in which the person is asked something, or changes what was said, can be used by everybody.

import type { Page } from "@playwright/test";
import type { ScriptedCall, Step } from "../model-server/script.ts";
import { expect, test } from "../rig/fixtures.ts";
import { expectAccessible, expectNoPageScroll } from "./looks.ts";
import { button, chooseFromMenu, requests, SETTINGS, turnEnds } from "./panel_page.ts";
import { clientIn, log, panelWithModel, say } from "./turn_page.ts";

const LONG_WORD = `https://example.com/${"a".repeat(90)}`;

function ask(question: string, options: string[] = [], multiple = false): ScriptedCall {
  return { name: "ask_user", arguments: { question, options, multiple } };
}

async function askFirst(panel: Page): Promise<void> {
  await (await clientIn(panel)).submit({ type: "save_settings", settings: { ...SETTINGS, ask_before_acting: true } });
}

test("questions with buttons, with lists and with neither", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const few = ask("At which time shall I book?", ["18:30", "20:00", "21:15"]);
  const long = ask("Which of these would you like? They differ in price.", ["The small one near the station, with the garden at the back", "None"]);
  const many = ask("Which topics?\nAs many as you like.", ["Prices", "Delivery", LONG_WORD], true);
  models.play([{ calls: [few] }, { calls: [long, many, ask("Under which name?")] }]);
  await say(panel, "Book a table for tonight");
  await expect(requests(panel)).toHaveCount(1);
  await expectAccessible(panel, "question buttons");
  await button(panel, "20:00").click();
  await expect(requests(panel)).toHaveCount(3);
  await panel.getByRole("radio").first().check();
  await panel.getByRole("checkbox").first().check();
  await log(panel).evaluate((element) => {
    element.scrollTop = 0;
  });
  await expectAccessible(panel, "question lists");
  await expectNoPageScroll(panel);
});

test("questions that were answered, and one of the loop guard", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const again: Step = { calls: [{ name: "close_tab", arguments: { tab_id: 999_999 } }] };
  models.play([{ calls: [ask("At which time?", ["18:30", "20:00"])] }, again, again, again, again, again, again]);
  await say(panel, "Book a table for tonight");
  await button(requests(panel), "18:30").click();
  await expect(requests(panel)).toContainText("Should it go on?");
  await expectAccessible(panel, "question of the guard");
});

test("calls that wait for permission, and the list of conversations meanwhile", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await askFirst(panel);
  models.play([{ calls: [{ name: "open_tab", arguments: { url: `${LONG_WORD}?${"b".repeat(900)}`, active: false } }] }]);
  await say(panel, "Open the long one");
  await expect(requests(panel)).toHaveCount(1);
  await expectAccessible(panel, "approval");
  await button(panel, "New conversation").click();
  await button(panel, "Conversations: one waits for you").click();
  await expectAccessible(panel, "drawer with one that waits");
});

test("the task list, folded and unfolded", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const task = (name: string, fields: object): ScriptedCall => ({ name, arguments: fields });
  const create = (subject: string, description?: string): ScriptedCall => task("create_task", { subject, description });
  const gate = models.gate();
  models.play([
    { calls: [create("Open the shop"), create(`Compare the prices of the three laptops at ${LONG_WORD}`, "Only new ones"), create("Write a table")] },
    { calls: [task("update_task", { task_id: "1", status: "completed" }), task("update_task", { task_id: "2", status: "in_progress" })] },
    { pieces: ["Half of it", gate] },
  ]);
  await say(panel, "Compare the laptops");
  await gate.reached;
  await expectAccessible(panel, "tasks folded");
  await panel.locator("footer .tasks summary").click();
  await expectAccessible(panel, "tasks unfolded");
  await expectNoPageScroll(panel);
  gate.open();
});

test("sub-agents at work, one of which asks for permission, and when they are done", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await askFirst(panel);
  const gate = models.gate();
  const agent = (prompt: string, description: string): ScriptedCall => ({ name: "agent", arguments: { prompt, description } });
  const look = { text: "I look.", calls: [{ name: "list_tabs", arguments: {} }, { name: "create_task", arguments: { subject: "Find the price" } }] };
  const steps: Record<string, Step[]> = {
    first: [look, { pieces: ["It costs", gate, " 899 €."] }],
    second: [{ calls: [{ name: "open_tab", arguments: { url: "about:blank" } }] }, { text: "It costs 799 €." }],
    own: [{ calls: [agent("Look at the first.", "Price of the first laptop"), agent("Look at the second.", `Price at ${LONG_WORD}`)] }, { text: "Both are known." }],
  };
  models.play(({ conversation }) => {
    const told = conversation.messages.find(({ role }) => role === "user")?.text ?? "";
    const whose = told.includes("Look at the first.") ? "first" : told.includes("Look at the second.") ? "second" : "own";
    return steps[whose]?.shift() ?? { text: "Done." };
  });
  await say(panel, "Compare the laptops");
  await gate.reached;
  await expect(requests(panel)).toHaveCount(1);
  await expectAccessible(panel, "sub-agents folded");
  for (const index of [1, 0]) await log(panel).locator(".sub-agent > .fold > summary").nth(index).click();
  await expect(log(panel)).toContainText("I look.");
  await expectAccessible(panel, "sub-agents unfolded");
  await button(requests(panel), "Don’t allow").click();
  gate.open();
  await expect(turnEnds(panel).last()).toBeVisible();
  await expectAccessible(panel, "sub-agents done");
});

test("a summary, a message that is edited, the menu and its questions", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ text: "The second one." }, { text: "<summary>## So far\n\nThe person compares laptops.</summary>" }]);
  await say(panel, "Compare the three laptops that I have open, and tell me which one is the lightest of them all");
  await expect(turnEnds(panel)).toHaveCount(1);
  await chooseFromMenu(panel, "Compact now");
  await log(panel).locator(".summary summary").click();
  await expectAccessible(panel, "summary");
  await button(panel, "Edit this message").click();
  await expectAccessible(panel, "editing");
  await panel.keyboard.press("Escape");
  await button(panel, "This conversation").click();
  await expectAccessible(panel, "menu");
  await panel.keyboard.press("Escape");
  await chooseFromMenu(panel, "Clear");
  await expectAccessible(panel, "clear");
});
