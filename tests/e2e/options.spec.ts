// What a person does in the options: model records and their keys, and how the agent works.

import type { EventEnvelope } from "../../www/generated/protocol.ts";
import { CoreClient } from "../rig/core_client.ts";
import { expect, test } from "../rig/fixtures.ts";
import { addModel, card, everythingIn, fill, form, openMore, openOptions, save } from "./options_page.ts";
import { button, turnEnds } from "./panel_page.ts";
import { log, say } from "./turn_page.ts";

const KEY = "sk-test-0123456789abcdef";
const OTHER_KEY = "sk-test-fedcba9876543210";

/** The numbers of the agent's page, as a person may set them. */
const NUMBERS = {
  "Model requests in one turn": "7",
  "Tokens in one turn": "20000",
  "Minutes in one turn": "30",
  "Sub-agents at the same time": "2",
  "Minutes until rest": "9",
};

test("a model is added, and the panel uses it with its key", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await button(options, "Add a model").click();
  await expect(form(options).getByLabel("Name", { exact: true })).toBeFocused();
  // An address that was pasted with a space is still an address.
  await fill(options, { name: "Mine", address: ` ${models.url}/v1/ `, id: "tabwright-test", key: KEY });
  await options.keyboard.press("Enter");
  await expect(form(options)).toHaveCount(0);
  await expect(button(options, "Add a model")).toBeFocused();
  await expect(card(options, "Mine")).toContainText("In use");
  await expect(card(options, "Mine")).toContainText("Key stored");

  const panel = await rig.openPanel();
  await expect(panel.locator("footer")).toContainText("Mine");
  models.play([{ text: "Hello." }]);
  await say(panel, "hi");
  await expect(log(panel)).toContainText("Hello.");
  expect(models.requests.map(({ headers, path }) => [path, headers["authorization"]])).toEqual([
    ["/v1/chat/completions", `Bearer ${KEY}`],
  ]);
});

test("a key that went in never comes out", async ({ rig, models }) => {
  const panel = await rig.openPanelAsTab();
  const client = await CoreClient.connect(panel);
  const events: EventEnvelope[] = [];
  client.onEvent((event) => events.push(event));
  const options = await openOptions(rig);
  await addModel(options, { name: "Mine", address: `${models.url}/v1`, id: "tabwright-test", key: KEY });
  models.play([{ text: "Hello." }, { misbehave: "unauthorized" }]);
  for (const turns of [1, 2]) {
    await say(panel, "hi");
    await expect(turnEnds(panel)).toHaveCount(turns);
  }
  await client.submit({ type: "hello" });
  const told = JSON.stringify(events);
  expect(told).toContain('"has_key":true');
  expect(told).not.toContain(KEY);

  await button(options, "Edit Mine").click();
  await expect(form(options).getByLabel("Key", { exact: true })).toHaveValue("");
  await expect(form(options)).toContainText("A key is stored.");
  for (const page of [options, panel]) {
    expect(await everythingIn(page)).not.toContain(KEY);
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await everythingIn(page)).not.toContain(KEY);
  }
});

test("a key is kept, replaced and forgotten", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await addModel(options, { name: "Mine", address: `${models.url}/v1`, id: "tabwright-test", key: KEY });
  const panel = await rig.openPanel();
  models.play(() => ({ text: "Hello." }));
  const keySent = async (): Promise<string | undefined> => {
    const before = models.requests.length;
    await say(panel, "hi");
    const request = await models.waitForRequest(before + 1);
    await expect(turnEnds(panel)).toHaveCount(before + 1);
    return request.headers["authorization"];
  };
  expect(await keySent()).toBe(`Bearer ${KEY}`);

  await button(options, "Edit Mine").click();
  await fill(options, { name: "Ours" });
  await save(options);
  expect(await keySent()).toBe(`Bearer ${KEY}`);

  await button(options, "Edit Ours").click();
  await fill(options, { key: OTHER_KEY });
  await save(options);
  expect(await keySent()).toBe(`Bearer ${OTHER_KEY}`);

  await button(options, "Edit Ours").click();
  await form(options).getByLabel("Forget the stored key").check();
  await expect(form(options).getByLabel("Key", { exact: true })).toBeDisabled();
  await save(options);
  await expect(card(options, "Ours")).not.toContainText("Key stored");
  expect(await keySent()).toBeUndefined();
});

test("of several models the chosen one is used, and a deleted one is gone", async ({ rig, models }) => {
  const options = await openOptions(rig);
  const panel = await rig.openPanel();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
  for (const name of ["One", "Two"]) {
    await addModel(options, { name, address: `${models.url}/v1`, id: `test-${name}`, key: "" });
  }
  await expect(card(options, "One")).toContainText("In use");
  await expect(panel.locator("footer")).toContainText("One");
  await button(options, "Use Two").click();
  await expect(card(options, "Two")).toContainText("In use");
  await expect(card(options, "One")).not.toContainText("In use");
  await expect(button(options, "Edit Two")).toBeFocused();
  await expect(panel.locator("footer")).toContainText("Two");
  models.play([{ text: "Hello." }]);
  await say(panel, "hi");
  await expect(log(panel)).toContainText("Hello.");
  expect(models.requests.map(({ conversation }) => conversation.model)).toEqual(["test-Two"]);

  await button(options, "Delete One").click();
  await expect(card(options, "One")).toContainText("Delete One and its key?");
  // The harmless answer is the one that is at hand.
  await expect(button(options, "Cancel")).toBeFocused();
  await options.keyboard.press("Enter");
  await expect(button(options, "Delete One")).toBeFocused();
  for (const name of ["One", "Two"]) {
    await button(options, `Delete ${name}`).click();
    await button(card(options, name), "Delete").click();
    await expect(card(options, name)).toHaveCount(0);
    await expect(button(options, "Add a model")).toBeFocused();
  }
  await button(panel, "New conversation").click();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
});

test("a refused model is explained beside its form, which keeps what was typed", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await button(options, "Add a model").click();
  await fill(options, { name: "Mine", address: "api.example.com/v1", id: "m" });
  await button(form(options), "Save").click();
  await expect(form(options).getByRole("alert")).toContainText("http");
  await expect(form(options).getByLabel("Address")).toHaveValue("api.example.com/v1");
  await fill(options, { name: "", address: `${models.url}/v1` });
  await button(form(options), "Save").click();
  await expect(form(options).getByRole("alert")).toContainText("name");
  await fill(options, { name: "Mine", id: "" });
  await button(form(options), "Save").click();
  await expect(form(options).getByRole("alert")).toContainText("model");
  await fill(options, { id: "m" });
  await save(options);
  await expect(card(options, "Mine")).toBeVisible();
});

test("Cancel changes nothing", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await addModel(options, { name: "Mine", address: `${models.url}/v1`, id: "m", key: "" });
  await button(options, "Edit Mine").click();
  await fill(options, { name: "Yours" });
  await button(form(options), "Cancel").click();
  await expect(form(options)).toHaveCount(0);
  await expect(button(options, "Edit Mine")).toBeFocused();
  await button(options, "Add a model").click();
  await fill(options, { name: "Another" });
  await button(form(options), "Cancel").click();
  await options.reload();
  await expect(options.getByRole("listitem").getByRole("heading")).toHaveText(["Mine"]);
});

test("settings out of their range are refused, and saved ones survive the browser", async ({ rig }) => {
  const options = await openOptions(rig, "#agent");
  const rounds = options.getByLabel("Model requests in one turn");
  await expect(rounds).toHaveValue("50");
  for (const [value, why] of [["", "whole number"], ["1.5", "whole number"], ["0", "500"], ["501", "500"]] as const) {
    await rounds.fill(value);
    await button(options, "Save").click();
    await expect(options.getByRole("alert")).toContainText(why);
    await expect(rounds).toHaveValue(value);
  }
  await rounds.fill("7");
  await options.getByLabel("Tokens in one turn").fill("9999");
  await button(options, "Save").click();
  await expect(options.getByRole("alert")).toContainText("10,000 to 100,000,000");
  for (const [label, value] of Object.entries(NUMBERS)) await options.getByLabel(label).fill(value);
  await options.getByRole("checkbox", { name: "Ask me before every action" }).check();
  await options.getByLabel("Minutes until rest").press("Enter");
  await expect(options.getByRole("status").getByText("Saved.")).toBeVisible();
  await expect(options.getByRole("alert")).toHaveCount(0);

  await rig.kill();
  await rig.relaunch();
  const again = await openOptions(rig, "#agent");
  for (const [label, value] of Object.entries(NUMBERS)) await expect(again.getByLabel(label)).toHaveValue(value);
  await expect(again.getByRole("checkbox", { name: "Ask me before every action" })).toBeChecked();
});

test("a model's context window is taken as a person writes it, kept, and forgotten", async ({ rig, models }) => {
  const options = await openOptions(rig);
  const client = await CoreClient.connect(options);
  const stored = async (): Promise<number | null | undefined> => {
    const answer = await client.submit({ type: "hello" });
    return answer.type === "welcome" ? answer.welcome.models[0]?.context_window : undefined;
  };
  await addModel(options, { name: "Mine", address: `${models.url}/v1`, id: "m", key: "" });
  expect(await stored()).toBeNull();
  const field = form(options).getByLabel("Context window");
  await button(options, "Edit Mine").click();
  await openMore(options);
  for (const [value, why] of [["a lot", "whole number"], ["1,999", "at least 2000"]] as const) {
    await field.fill(value);
    await button(form(options), "Save").click();
    await expect(options.getByRole("alert")).toContainText(why);
    await expect(field).toHaveValue(value);
  }
  await field.fill("128,000");
  await save(options);
  expect(await stored()).toBe(128_000);
  await button(options, "Edit Mine").click();
  await expect(field).toHaveValue("128000");
  await save(options);
  expect(await stored()).toBe(128_000);
  await button(options, "Edit Mine").click();
  // What is set is not hidden.
  await expect(field).toBeVisible();
  await field.fill("");
  await save(options);
  expect(await stored()).toBeNull();
});

test("the parts of the options are links, and open options follow what changes elsewhere", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await options.getByRole("link", { name: "Agent" }).click();
  await expect(options.getByRole("link", { name: "Agent" })).toHaveAttribute("aria-current", "page");
  await expect(options.getByRole("heading", { level: 2 })).toHaveText("Agent");
  await options.goBack();
  await expect(options.getByRole("heading", { level: 2 })).toHaveText("Models");
  const elsewhere = await openOptions(rig);
  await addModel(elsewhere, { name: "Mine", address: `${models.url}/v1`, id: "m", key: "" });
  await expect(card(options, "Mine")).toContainText("In use");
});
