// The task list and sub-agents, in the real panel before the real core.

import type { Locator, Page } from "@playwright/test";
import type { Gate } from "../model-server/gate.ts";
import type { ModelRequest, Step } from "../model-server/script.ts";
import type { ModelServer } from "../model-server/server.ts";
import { expect, test } from "../rig/fixtures.ts";
import { button, requests, SETTINGS, turnEnd } from "./panel_page.ts";
import { clientIn, log, panelWithModel, say } from "./turn_page.ts";

function taskList(panel: Page): Locator {
  return panel.locator("footer .tasks");
}

function task(name: "create_task" | "update_task", fields: object): Step {
  return { calls: [{ name, arguments: fields }] };
}

test("the task list is above the composer while the turn runs, and tells how far it is", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gates = [models.gate(), models.gate()] as const;
  models.play([
    task("create_task", { subject: "Open the shop" }),
    task("create_task", { subject: "Compare the prices", description: "Only new ones" }),
    task("update_task", { task_id: "1", status: "completed" }),
    { ...task("update_task", { task_id: "2", status: "in_progress" }), text: "Half of it.", until: gates[0] },
    { pieces: ["Now the prices", gates[1], "."] },
  ]);
  await say(panel, "compare the laptops");
  await gates[0].reached;
  await expect(taskList(panel)).toContainText("1 of 2 tasks done");
  await expect(taskList(panel).getByRole("listitem")).toHaveCount(0);
  gates[0].open();
  await gates[1].reached;
  await expect(taskList(panel).locator("summary")).toContainText("Compare the prices");
  await taskList(panel).locator("summary").click();
  await expect(taskList(panel).getByRole("listitem")).toHaveText([/Done:\s*Open the shop/, /In progress\s*Compare the prices\s*Only new ones/]);
  gates[1].open();
  await expect(turnEnd(panel)).toBeVisible();
  await expect(taskList(panel)).toHaveCount(0);
});

/** The steps of the conversation itself, and of the sub-agents by what they were told. */
interface Family {
  readonly own: Step[];
  readonly children: Readonly<Record<string, Step[]>>;
}

/** Whoever asks gets the next step that is meant for it. */
function playFamily(models: ModelServer, { own, children }: Family): void {
  const left = new Map(Object.entries(children).map(([prompt, steps]) => [prompt, [...steps]]));
  const mine = [...own];
  models.play((request) => {
    const first = firstMessage(request);
    const steps = [...left].find(([prompt]) => first.includes(prompt))?.[1] ?? mine;
    return steps.shift() ?? { text: "There is no step for this." };
  });
}

function firstMessage({ conversation }: ModelRequest): string {
  return conversation.messages.find(({ role }) => role === "user")?.text ?? "";
}

function agent(prompt: string, description: string): { name: string; arguments: object } {
  return { name: "agent", arguments: { prompt, description } };
}

/** The line of the sub-agent with this label. */
function subAgent(panel: Page, description: string): Locator {
  return log(panel).locator(".sub-agent").filter({ hasText: description });
}

async function unfold(line: Locator): Promise<void> {
  await line.locator("summary").first().click();
}

function familyOf(gate: Gate): Family {
  return {
    own: [{ text: "Two look.", calls: [agent("Look at the first.", "First laptop"), agent("Look at the second.", "Second laptop")] }, { text: "Both are known." }],
    children: {
      "Look at the first.": [{ text: "I look.", calls: [{ name: "list_tabs", arguments: {} }] }, { pieces: ["It costs", gate, " 899 €."] }],
      "Look at the second.": [{ text: "It costs 799 €." }],
    },
  };
}

test("sub-agents work under their calls, and unfold to what they do", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  playFamily(models, familyOf(gate));
  await say(panel, "compare the laptops");
  await gate.reached;
  const first = subAgent(panel, "First laptop");
  await expect(first.getByText("I look.")).toHaveCount(0);
  await unfold(first);
  await expect(first).toContainText("I look.");
  await expect(first).toContainText("List tabs");
  await expect(first).toContainText("It costs");
  await expect(first.locator(".activity")).toContainText("Writing");
  gate.open();
  await expect(first).toContainText("It costs 899 €.");
  await expect(log(panel)).toContainText("Both are known.");
  await expect(first.locator(".activity")).toHaveCount(0);
  // One that was never looked at is there all the same.
  const second = subAgent(panel, "Second laptop");
  await unfold(second);
  await expect(second.getByText("It costs 799 €.", { exact: true })).toBeVisible();
  const last = models.requests.at(-1)?.conversation.messages.flatMap(({ results }) => results).map(({ text }) => text).join("\n");
  expect(last).toContain("899");
  expect(last).toContain("799");
});

test("a panel that opens later shows what the sub-agents did, when it is asked to", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  playFamily(models, familyOf(gate));
  await say(panel, "compare the laptops");
  await gate.reached;
  const late = await rig.openPanelAsTab();
  await unfold(subAgent(late, "First laptop"));
  await expect(subAgent(late, "First laptop")).toContainText("I look.");
  gate.open();
  await expect(subAgent(late, "First laptop")).toContainText("It costs 899 €.");
  await expect(turnEnd(late)).toBeVisible();
  await late.reload();
  await unfold(subAgent(late, "Second laptop"));
  await expect(subAgent(late, "Second laptop").getByText("It costs 799 €.", { exact: true })).toBeVisible();
});

test("one sub-agent is stopped, and the rest goes on", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  playFamily(models, familyOf(gate));
  await say(panel, "compare the laptops");
  await gate.reached;
  const first = subAgent(panel, "First laptop");
  await unfold(first);
  await button(first, "Stop this sub-agent").click();
  await expect(log(panel)).toContainText("Both are known.");
  await expect(first).toContainText("Stopped");
  await expect(turnEnd(panel)).not.toContainText("Stopped");
  const results = models.requests.at(-1)?.conversation.messages.flatMap((message) => message.results) ?? [];
  expect(results.map(({ text }) => text).join("\n")).toContain("stopped");
});

test("what a sub-agent wants to do is asked for under its line, folded or not", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await (await clientIn(panel)).submit({ type: "save_settings", settings: { ...SETTINGS, ask_before_acting: true } });
  const open = { calls: [{ name: "open_tab", arguments: { url: "about:blank", active: false } }] };
  playFamily(models, {
    own: [{ calls: [agent("Open it.", "Opener")] }, { text: "All done." }],
    children: { "Open it.": [open, { calls: [{ name: "open_tab", arguments: { url: "about:blank#second", active: false } }] }, { text: "Opened one." }] },
  });
  const before = rig.context.pages().length;
  await say(panel, "open tabs");
  const line = subAgent(panel, "Opener");
  await expect(requests(panel)).toHaveCount(1);
  await expect(line.locator("summary").first()).toContainText("Waits for you");
  await expect(panel.getByRole("status").filter({ hasText: "Tabwright asks you to allow: Open a tab." })).toHaveCount(1);
  await button(requests(panel), "Allow").click();
  await expect(requests(panel)).toContainText("about:blank#second");
  await unfold(line);
  // In its own place now, and only there.
  await expect(requests(panel)).toHaveCount(1);
  await button(requests(panel), "Don’t allow").click();
  await expect(log(panel)).toContainText("All done.");
  await expect.poll(() => rig.context.pages().length).toBe(before + 1);
  await expect(line).toContainText("Opened one.");
});
