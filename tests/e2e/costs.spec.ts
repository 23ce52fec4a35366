// What models cost: prices, what was used, and the limits that a person sets.

import type { Page } from "@playwright/test";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import { expect, test } from "../rig/fixtures.ts";
import { addModel, card, form, openMore, openOptions, save } from "./options_page.ts";
import { button, composer, turnEnd } from "./panel_page.ts";

const THOUSAND_IN = { input: 1_000, output: 100 };

/** A record whose prices make an answer of `THOUSAND_IN` cost eleven cents. */
async function addPriced(rig: Browser, models: ModelServer): Promise<Page> {
  const options = await openOptions(rig);
  await addModel(options, { name: "Dear", address: `${models.url}/v1`, id: "tabwright-test", key: "" });
  await button(options, "Edit Dear").click();
  await openMore(options);
  await form(options).getByLabel("Input", { exact: true }).fill("100");
  await button(form(options), "Save").click();
  await expect(form(options).getByRole("alert")).toContainText("Both the price of input and that of output");
  await form(options).getByLabel("Output", { exact: true }).fill("100");
  await save(options);
  return options;
}

async function limit(rig: Browser, label: string, value: string): Promise<void> {
  const options = await openOptions(rig, "#agent");
  await options.getByLabel(label, { exact: true }).fill(value);
  await button(options, "Save").click();
  await expect(options.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
  await options.reload();
  await expect(options.getByLabel(label, { exact: true })).toHaveValue(value);
  await options.close();
}

async function ask(panel: Page, text: string): Promise<void> {
  await composer(panel).fill(text);
  await composer(panel).press("Enter");
}

test("what a turn, a conversation and a day cost is shown", async ({ rig, models }) => {
  const options = await addPriced(rig, models);
  await options.close();
  models.play([{ text: "One.", usage: THOUSAND_IN }, { text: "Two.", usage: THOUSAND_IN }]);
  const panel = await rig.openPanel();
  await ask(panel, "one");
  await expect(turnEnd(panel)).toContainText("1.1K tokens · $0.11");
  await ask(panel, "two");
  await expect(panel.getByRole("log").getByText("Two.")).toBeVisible();
  await expect(turnEnd(panel)).toContainText("1.1K tokens · $0.11");
  await button(panel, "Conversations").click();
  await expect(panel.getByRole("dialog")).toContainText("2.2K tokens · $0.22");
  const usage = await openOptions(rig, "#usage");
  await expect(usage.getByRole("status").filter({ hasText: "Today" })).toHaveText("Today: 2,200 tokens, $0.22.");
  await expect(usage.getByRole("row").nth(1)).toContainText("tabwright-test");
});

test("a day's limit ends the turn, keeps the message, and holds until it is raised", async ({ rig, models }) => {
  const options = await addPriced(rig, models);
  await options.close();
  await limit(rig, "Dollars for one day", "0.40");
  models.play([{ text: "One.", usage: THOUSAND_IN }, { text: "Two.", usage: THOUSAND_IN }, { text: "Three.", usage: THOUSAND_IN }]);
  const panel = await rig.openPanel();
  await ask(panel, "one");
  await expect(panel.getByRole("log").getByText("One.")).toBeVisible();
  // Before the first answer nothing is known of how many tokens a byte is: from now on it is.
  await ask(panel, "two");
  await expect(panel.getByRole("log").getByText("Two.")).toBeVisible();
  await ask(panel, "three");
  await expect(panel.getByRole("log").getByText("Three.")).toBeVisible();
  await ask(panel, "four");
  await expect(panel.getByRole("log").getByText("the day's limit would be passed")).toBeVisible();
  expect(models.requests).toHaveLength(3);
  await limit(rig, "Dollars for one day", "5");
  models.play([{ text: "Four.", usage: THOUSAND_IN }]);
  await button(panel, "Continue").click();
  await expect(panel.getByRole("log").getByText("Four.")).toBeVisible();
  expect(models.requests).toHaveLength(4);
});

test("a model stands in for one that does not answer, and nothing is said twice", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await addModel(options, { name: "First", address: "http://127.0.0.1:9/v1", id: "first-model", key: "" });
  await addModel(options, { name: "Second", address: `${models.url}/v1`, id: "tabwright-test", key: "" });
  await options.getByLabel("Model to fall back on").selectOption("Second");
  await options.reload();
  await expect(options.getByLabel("Model to fall back on")).toHaveValue(/.+/);
  await expect(card(options, "First")).toContainText("In use");
  models.play([{ text: "Hello." }]);
  const panel = await rig.openPanel();
  await ask(panel, "hi");
  await expect(panel.getByRole("log").getByText("The turn goes on with tabwright-test instead of first-model.")).toBeVisible({ timeout: 30_000 });
  await expect(panel.getByRole("log").getByText("Hello.")).toBeVisible();
  expect(models.requests).toHaveLength(1);
});
