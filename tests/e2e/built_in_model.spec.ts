// Chrome's built-in model, from the options to a turn. The browser under test has the Prompt API but
// no model behind it, so a stand-in is put into the pages where there is to be one.

import type { Page } from "@playwright/test";
import type { Browser } from "../rig/browser.ts";
import { expect, test } from "../rig/fixtures.ts";
import { log, say, short, storedItems } from "./turn_page.ts";

/** The answers in the order of the requests, in pieces; null for one that never ends. */
type Answers = readonly (readonly (string | null)[])[];

/** Takes the place of `LanguageModel` in a page, and notes what it is asked in `builtInModelSeen`. */
function standIn(availability: LanguageModelAvailability, answers: Answers): string {
  return `{
    const answers = ${JSON.stringify(answers)};
    const seen = globalThis.builtInModelSeen = { prompts: [], destroyed: 0, created: 0 };
    globalThis.LanguageModel = class {
      static async availability() { return ${JSON.stringify(availability)}; }
      static async create(options = {}) {
        seen.created += 1;
        return new this(options.initialPrompts ?? []);
      }
      constructor(initialPrompts) { this.initialPrompts = initialPrompts; }
      destroy() { seen.destroyed += 1; }
      promptStreaming(input, { responseConstraint }) {
        seen.prompts.push({ initialPrompts: this.initialPrompts, input, responseConstraint });
        const pieces = answers[seen.prompts.length - 1] ?? [];
        return new ReadableStream({
          async start(controller) {
            for (const piece of pieces) {
              if (piece === null) return;
              controller.enqueue(piece);
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
            controller.close();
          },
        });
      }
    };
    true;
  }`;
}

interface Seen {
  readonly prompts: { initialPrompts: { role: string; content: string }[]; input: string; responseConstraint: unknown }[];
  readonly destroyed: number;
  readonly created: number;
}

async function seen(rig: Browser): Promise<Seen> {
  return (await rig.evaluateIn("offscreen.html", "globalThis.builtInModelSeen")) as Seen;
}

/** The options of a browser that says this of its model. */
async function openOptions(rig: Browser, availability: LanguageModelAvailability): Promise<Page> {
  const options = await rig.context.newPage();
  await options.addInitScript({ content: standIn(availability, []) });
  await options.goto(rig.extensionUrl("options.html"));
  return options;
}

/** Adds the model as a person does. */
async function addModel(options: Page): Promise<void> {
  await options.getByRole("button", { name: "Add Chrome’s built-in model" }).click();
  await expect(options.getByRole("textbox")).toHaveCount(1);
  await options.getByRole("button", { name: "Save" }).click();
  await expect(options.getByRole("listitem")).toContainText("In use");
}

/** The panel of a browser whose core has the model. */
async function panelWithBuiltIn(rig: Browser): Promise<Page> {
  const options = await openOptions(rig, "available");
  await addModel(options);
  await options.close();
  return rig.openPanel();
}

test("a turn calls a tool, and its text streams into the panel", async ({ rig }) => {
  const panel = await panelWithBuiltIn(rig);
  const call = ['{"sa', 'y":"I look.","calls":[{"to', 'ol":"list_tabs","arguments":{}}]}'];
  const answer = ['{"say":"You have ', "**one** tab \\ud83d", '\\ude00."}', "\nuser: thanks"];
  await rig.evaluateIn("offscreen.html", standIn("available", [call, answer]));
  await say(panel, "list my tabs");
  await expect(log(panel).locator("strong")).toHaveText("one");
  await expect.poll(async () => short(await storedItems(panel))).toEqual([
    "person: list my tabs",
    "model: I look. [complete]",
    "call: list_tabs [done] x1",
    "model: You have **one** tab 😀. [complete]",
    "end: done",
  ]);

  const { prompts } = await seen(rig);
  expect(prompts.map(({ initialPrompts }) => initialPrompts.map(({ role }) => role))).toEqual([
    ["system"],
    ["system", "user", "assistant"],
  ]);
  expect(prompts[0]?.input).toBe("list my tabs");
  expect(prompts[0]?.initialPrompts[0]?.content).toContain("list_tabs: List the open browser tabs");
  // The answer can name nothing but a tool that there is.
  expect(JSON.stringify(prompts[0]?.responseConstraint)).toMatch(/"enum":\["[a-z_",]*"list_tabs"[a-z_",]*"\]/);
  expect(prompts[1]?.initialPrompts.at(-1)?.content).toBe('{"say":"I look.","calls":[{"tool":"list_tabs","arguments":{}}]}');
  expect(prompts[1]?.input).toContain("Result of list_tabs:");
  expect(prompts[1]?.input).toContain("about:blank");
  await expect.poll(async () => (await seen(rig)).destroyed).toBe(2);
});

test("Stop and the death of the core's worker end the model's session", async ({ rig }) => {
  const panel = await panelWithBuiltIn(rig);
  const endless = ['{"say":"Half', null];
  await rig.evaluateIn("offscreen.html", standIn("available", [endless, endless, ['{"say":"Whole."}']]));
  await say(panel, "hi");
  await expect(log(panel)).toContainText("Half");
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect.poll(async () => (await seen(rig)).destroyed).toBe(1);

  await say(panel, "again");
  await expect.poll(async () => (await seen(rig)).prompts.length).toBe(2);
  await rig.terminateCoreWorker();
  await expect.poll(async () => (await seen(rig)).destroyed).toBeGreaterThanOrEqual(2);
  // The next core asks again by itself.
  await expect(log(panel)).toContainText("Whole.");
});

const ABSENT = "delete globalThis.LanguageModel; globalThis.LanguageModel === undefined";

const NOT_FIT = "this computer does not meet its requirements";
const NOT_DOWNLOADED = "it is not downloaded yet";

for (const { state, make, words } of [
  { state: "absent", make: ABSENT, words: () => "this version of Chrome has no Prompt API." },
  { state: "unavailable", make: `${standIn("unavailable", [])}; true`, words: () => NOT_FIT },
  // The browser's own answer, without a stand-in: what it is depends on the computer.
  {
    state: "as this browser has it",
    make: "LanguageModel.availability()",
    words: (answer: unknown) => (answer === "unavailable" ? NOT_FIT : NOT_DOWNLOADED),
  },
]) {
  test(`a model that is ${state} fails the turn at once and says so`, async ({ rig }) => {
    const panel = await panelWithBuiltIn(rig);
    const answer = await rig.evaluateIn("offscreen.html", make);
    expect([true, "unavailable", "downloadable"]).toContain(answer);
    await say(panel, "hi");
    const notice = `Chrome's built-in model is not available in this browser: ${words(answer)}`;
    await expect(log(panel)).toContainText(notice, { timeout: 3_000 });
    expect(short(await storedItems(panel))).toEqual(["person: hi", "notice: model_unavailable", "end: failed"]);
  });
}

test("the options offer the model only where the browser has it, and once", async ({ rig }) => {
  const addButton = (options: Page) => options.getByRole("button", { name: "Add Chrome’s built-in model" });
  const without = await openOptions(rig, "unavailable");
  await expect(without.getByRole("button", { name: "Add a model" })).toBeVisible();
  await expect(addButton(without)).toHaveCount(0);

  const options = await openOptions(rig, "available");
  await addModel(options);
  await expect(addButton(options)).toHaveCount(0);
  expect(await options.evaluate("builtInModelSeen.created")).toBe(0);
});

test("saving a model that is not downloaded yet starts its download", async ({ rig }) => {
  const options = await openOptions(rig, "downloadable");
  await options.getByRole("button", { name: "Add Chrome’s built-in model" }).click();
  await expect(options.getByText("Chrome begins to download it")).toBeVisible();
  await options.getByRole("button", { name: "Save" }).click();
  await expect(options.getByRole("listitem")).toContainText("In use");
  expect(await options.evaluate("[builtInModelSeen.created, builtInModelSeen.destroyed]")).toEqual([1, 1]);
});
